"""What proves that a model is nested in another, and that it is not.

A map from the parameters of one model to those of another under which the observed distribution stays (lemma
"embedding"), or an equation of the other model that fails at an exact point of the first (lemma "refutation"). The
families say which equations are tried (``COMPARING``), special ones of theirs and the linear and quadratic equations
between coordinates that are polynomials.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement, islice, product
from math import lcm, prod
from typing import Any

import numpy as np

from algdim.exact.arithmetic import Array, Residues
from algdim.exact.draws import describe_draw, draw_residues, open_stream
from algdim.exact.flint import reduce_rows_by_flint
from algdim.exact.polynomials import make_polynomials
from algdim.families import load_comparing
from algdim.jacobian import evaluate_functionals, make_evaluator
from algdim.limits import check_time
from algdim.maps import Map
from algdim.rank import find_usable_prime, try_drawn_points
from algdim.trust import Trust, proved_by, trust_in_all

UNCHANGED = "all numbers stay"
"""What a map does that has nothing to say."""
MOST_MATCHES = 5000
"""This many ways to pair the hidden variables of two models are tried at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Embedding:
    """A map of parameters, in sentences and as a function, and trust that it keeps the observed distribution."""

    lines: tuple[str, ...]
    trust: Trust
    first: Map
    second: Map
    at: Callable[[Sequence[Fraction]], list[Fraction]]
    """The parameters of the second model at a point of the first."""
    squares: frozenset[int] = frozenset()
    """The parameters whose roots are taken."""
    zeros: frozenset[int] = frozenset()
    """Parameters of the second model that are known to be 0 at all points of the first."""
    needs_value: bool = False
    """Whether the lemma supposes that the map has a value at some point, which an exact point shows."""

    def square_roots(self, point: Sequence[Fraction]) -> list[Fraction]:
        """The point with squares for the parameters whose roots are taken, so that the roots are rational."""
        return [value * value if place in self.squares else value for place, value in enumerate(point)]


def join_embeddings(first: Embedding, second: Embedding) -> Embedding:
    """The map that follows one after the other."""
    lines, trust = (*first.lines, *second.lines), trust_in_all([first.trust, second.trust])
    return Embedding(lines, trust, first.first, second.second, lambda point: second.at(first.at(point)), first.squares)


def prove_embedding(lemma: str, lines: Sequence[str], hypotheses: Sequence[str] = ()) -> Trust:
    """Trust in a map that is of the kind of a lemma; the sentences say what it is, and what the lemma supposes of the models."""
    return trust_in_all(proved_by(lemma, fact) for fact in (*(lines or [UNCHANGED]), *hypotheses))


def iterate_matches(
    mine: Sequence[str], theirs: Sequence[str], *, all_of_them: bool = True
) -> Iterator[dict[str, str]]:
    """The ways to let hidden variables of the second model stand for all of the first one's; equal names first.

    Several may stand for one: all but the first of them copy a parent that stands for it too. With ``all_of_them`` off
    some are not stood for, and each is stood for once at most.

    >>> list(iterate_matches(["H"], ["G", "H"]))[0]
    {'H': 'H'}
    """
    choices = [[*([name] if name in mine else []), None, *(one for one in mine if one != name)] for name in theirs]
    for chosen in islice(product(*choices), MOST_MATCHES):
        check_time()
        stood = [one for one in chosen if one is not None]
        is_whole = set(mine) <= set(stood)
        if is_whole if all_of_them else not is_whole and len(set(stood)) == len(stood):
            yield {name: one for name, one in zip(theirs, chosen, strict=True) if one is not None}


MOST_LINEAR, MOST_QUADRATIC = 256, 17
"""Linear and quadratic equations are looked for between this many coordinates, the number 1 among them."""
MOST_NUMBERS = 400_000
"""Of the coefficients in which they are looked for."""
MOST_TERMS = 3000
"""Of one coordinate multiplied out."""
MOST_SHOWN = 8
"""Of equations with more terms sentences have the number; they are written out beside these."""


@dataclass(frozen=True, slots=True)
class Refutation:
    """An equation of a model, and where it fails."""

    equation: str
    trust: Trust
    """That the other model is not nested in this one."""
    whole: str = ""
    """The equation written out, where ``equation`` only counts its terms."""


def make_refutation(equation: str, where: str, *holds: Trust) -> Refutation:
    """An equation that fails at a place; what proves that it holds on its model, where no search has found it there itself."""
    return Refutation(equation, trust_in_all([proved_by("refutation", f"{equation} fails {where}"), *holds]))


@dataclass(frozen=True, slots=True, eq=False)
class Exact:
    """All coordinates of a map at a point modulo a prime."""

    prime: int
    label: str
    stream: str
    values: Array

    @property
    def where(self) -> str:
        """The place in words."""
        return describe_draw(self.stream, self.prime)


def find_refutation(first: Map, second: Map, seed: int | str) -> Refutation | None:
    """An equation of the second model that fails at a drawn point of the first; nothing if none is found."""
    refutations = load_comparing(second.model.family).iterate_refutations
    return None if refutations is None else next(filter(None, refutations(first, second, seed)), None)


def search_forms(first: Map, second: Map, seed: int | str) -> Iterator[Refutation | None]:
    """An equation between coordinates that are polynomials."""
    yield find_failing_form(evaluate_at_drawn_point(first, seed), second)


def evaluate_at_drawn_point(pmap: Map, seed: int | str) -> Exact:
    """The coordinates at a drawn point."""

    def at(labels: tuple[int | str, ...]) -> Exact:
        prime = find_usable_prime(pmap, seed, *labels)
        field, evaluator = Residues(prime), make_evaluator(pmap)
        source = open_stream(seed, "point", *labels)
        point = field.elements(draw_residues(source, prime, len(pmap.parameters)))
        values = evaluate_functionals(pmap, field, point, evaluator.all_coordinates(), evaluator=evaluator)
        return Exact(prime, "|".join(map(str, labels)), source.text, values)

    return try_drawn_points(("compare", "equations"), at)


def find_failing_form(at: Exact, second: Map) -> Refutation | None:
    """A linear or quadratic equation between the coordinates of the second model that fails."""
    names = ["1", *second.coordinates()] if second.coordinate_count < MOST_LINEAR else []
    for monomials, vector in find_equations(second):
        values = [1, *(int(value) for value in at.values)]
        total = sum(c * prod(values[n] for n in monomial) for monomial, c in zip(monomials, vector, strict=True))
        if total % at.prime:
            text, whole = (format_equation(monomials, vector, names, most) for most in (MOST_SHOWN, None))
            holds = proved_by("instances", f"{text}: expanded, both sides are the same polynomial")
            found = make_refutation(text, at.where, holds)
            return found if whole == text else replace(found, whole=whole)
    return None


def find_equations(pmap: Map) -> Iterator[tuple[list[tuple[int, ...]], list[int]]]:
    """Linear, then quadratic equations between the coordinates, with coordinate 0 the number 1; integer coefficients.

    The coordinates are multiplied out, so the equations hold at all parameters.
    """
    count = pmap.coordinate_count + 1
    if not pmap.is_polynomial or count > MOST_LINEAR or pmap.degree_and_log_size()[1] > np.log2(MOST_TERMS):
        return
    arithmetic, point = make_polynomials(len(pmap.parameters))
    evaluator = make_evaluator(pmap)
    values = evaluate_functionals(pmap, arithmetic, point, evaluator.all_coordinates(), evaluator=evaluator)
    coordinates = [arithmetic.elements(np.array([1]))[0], *values]
    for degree in (1, 2):
        if degree == 2 and count > MOST_QUADRATIC:
            return
        monomials = list(combinations_with_replacement(range(count), degree))
        rows = [prod(coordinates[n] for n in monomial).to_dict() for monomial in monomials]
        columns = {key: number for number, key in enumerate(dict.fromkeys(key for row in rows for key in row))}
        if len(columns) * len(rows) > MOST_NUMBERS:
            return
        matrix = [[0] * len(rows) for _ in columns]
        for column, row in enumerate(rows):
            for key, value in row.items():
                matrix[columns[key]][column] = Fraction(int(value.p), int(value.q))  # type: ignore[call-overload]
        yield from ((monomials, vector) for vector in find_integer_kernel(matrix, len(rows)))


def find_integer_kernel(matrix: Sequence[Sequence[Any]], width: int) -> Iterator[list[int]]:
    """A basis of the vectors that a matrix takes to zero, in whole numbers."""
    reduced = reduce_rows_by_flint(matrix)
    pivots = {column: row for row, column in reduced.pivots}
    for free in range(width):
        if free in pivots:
            continue
        vector = [Fraction(0)] * width
        vector[free] = Fraction(1)
        for column, row in pivots.items():
            vector[column] = -Fraction(reduced.matrix[row][free])
        scale = lcm(*(value.denominator for value in vector))
        yield [int(value * scale) for value in vector]


def format_equation(
    monomials: Sequence[tuple[int, ...]], vector: Sequence[int], names: Sequence[str], most: int | None
) -> str:
    """An equation for people; how many terms it has, if these are more than ``most``."""
    terms = [(c, [names[n] for n in monomial if n]) for c, monomial in zip(vector, monomials, strict=True) if c]
    if most is not None and len(terms) > most:
        degree = max(len(factors) for _, factors in terms)
        return f"an equation of degree {degree} with {len(terms)} terms"
    shown = ""
    for c, factors in terms:
        number = str(abs(c)) if abs(c) != 1 or not factors else ""
        sign = " − " if c < 0 else " + "
        shown += (sign if shown else "−" if c < 0 else "") + "·".join(filter(None, [number, *factors]))
    return f"{shown} = 0"
