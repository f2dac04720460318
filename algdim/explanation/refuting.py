"""Equations of one model that fail at an exact point of another (lemma "refutation").

A table is tried against impossible cells, independences, flattenings, and interactions that a log-linear model has not; the
covariances against minors, pentads and means; and all coordinates that are polynomials against the linear and quadratic
equations between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations, combinations_with_replacement, product
from math import lcm, prod
from typing import Any

import networkx as nx
import numpy as np

from algdim.errors import listed
from algdim.exact.arithmetic import Array, Residues
from algdim.exact.draws import point_text, residues, stream, where_drawn
from algdim.exact.flint import row_reduce_by_flint
from algdim.exact.polynomials import polynomials
from algdim.exact.ranks import rank_mod
from algdim.explanation.conditionalembeddings import TableMap, interaction_graph
from algdim.families.discrete.bounds.flattenings import Flattening, Separators, candidates, trust_in_rank
from algdim.families.discrete.bounds.search import Setting, TableAtPoint
from algdim.families.discrete.bounds.zeros import support
from algdim.families.discrete.constraints.independences import independences
from algdim.families.discrete.constraints.search import MOST_LISTED_CELLS, as_flattening, is_independence
from algdim.families.discrete.locals.classifier import Embedded
from algdim.families.discrete.locals.sigmoid import Sigmoid
from algdim.families.discrete.map import ParamMap, param_map
from algdim.families.discrete.model import Network, Variable
from algdim.families.gaussian.constraints import equations_of
from algdim.families.gaussian.covarianceequations import value_and_gradient
from algdim.families.gaussian.equations import texts_of
from algdim.families.gaussian.map import GaussianMap
from algdim.families.gaussian.search import GaussianSetting, gaussian_point
from algdim.families.loglinear.map import LogLinearMap
from algdim.families.loglinear.model import LogLinear
from algdim.families.polynomial.map import PolynomialMap
from algdim.jacobian import evaluator_of, values_at
from algdim.maps.anymap import Map
from algdim.models.mixedgraph import latent_projection
from algdim.rank import at_some_point, usable_prime
from algdim.trust import Trust, proved_by, trust_in_all

SIZE = 3
"""Minors of Gaussian models have up to so many rows."""
MOST_LINEAR, MOST_QUADRATIC = 256, 17
"""Linear and quadratic equations are looked for between so many coordinates, the number 1 among them."""
MOST_NUMBERS = 400_000
"""Of the coefficients in which they are looked for."""
MOST_TERMS = 3000
"""Of one coordinate multiplied out."""
LEMMAS = {"pentad": "pentads"}
"""What proves a kind of equation between covariances; the others are proved by treks."""
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


def failing(equation: str, where: str, *holds: Trust) -> Refutation:
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
        return where_drawn(self.stream, self.prime)


def refuted(first: Map, second: Map, seed: int | str) -> Refutation | None:
    """An equation of the second model that fails at a drawn point of the first; nothing if none is found."""
    if isinstance(first, TableMap) and isinstance(second, TableMap):
        mine, theirs = unconditional(first), unconditional(second)
        if mine.coordinate_count > MOST_LISTED_CELLS:
            return None
        at = exact_point(mine, seed)
        tries: list[Callable[[], Refutation | None]] = [
            lambda: impossible_cell(at, theirs),
            lambda: failing_flattening(at, theirs, seed),
            lambda: failing_interaction(at, theirs),
            lambda: failing_form(at, theirs),
        ]
        return next(filter(None, (attempt() for attempt in tries)), None)
    if isinstance(first, GaussianMap) and isinstance(second, GaussianMap):
        return failing_minor(first, second, seed) or failing_form(exact_point(first, seed), second)
    if isinstance(first, PolynomialMap) and isinstance(second, PolynomialMap):
        return failing_form(exact_point(first, seed), second)
    return None


def unconditional(pmap: TableMap) -> TableMap:
    """The map in which what is conditioned on is a free root: a conditional table is nested if the whole table is."""
    if isinstance(pmap, ParamMap) and pmap.given:
        return param_map(replace(pmap.model, given=()))
    return pmap


def exact_point(pmap: Map, seed: int | str) -> Exact:
    """The coordinates at a drawn point."""

    def at(labels: tuple[int | str, ...]) -> Exact:
        prime = usable_prime(pmap, seed, *labels)
        field, evaluator = Residues(prime), evaluator_of(pmap)
        source = stream(seed, "point", *labels)
        point = field.elements(residues(source, prime, len(pmap.parameters)))
        values = values_at(pmap, field, point, evaluator.all_coordinates(), evaluator=evaluator)
        return Exact(prime, "|".join(map(str, labels)), source.text, values)

    return at_some_point(("compare", "equations"), at)


def impossible_cell(at: Exact, second: TableMap) -> Refutation | None:
    """A cell that is impossible in the second model only."""
    if not isinstance(second, ParamMap):
        return None
    cells = np.flatnonzero(~support(second) & (at.values % at.prime != 0))
    if not len(cells):
        return None
    cell = tuple(int(state) for state in np.unravel_index(cells[0], second.shape))
    name = second.coordinate(cell)
    return failing(
        f"{name} = 0", at.where, proved_by("districts", f"{name}: a factor is 0 in all states of what is hidden")
    )


def cover(second: TableMap) -> tuple[ParamMap, tuple[Trust, ...]] | None:
    """A network with the model's variables that contains it, and why: itself, or one over the filled-in graph of the interactions."""
    if isinstance(second, ParamMap):
        return second, ()
    model = second.model
    if any(variable.states < 2 for variable in model.variables):
        return None
    facts = "the interactions lie in cliques of a chordal graph"
    return param_map(covering_network(model)), (proved_by("Markov maps", facts),)


def covering_network(model: LogLinear) -> Network:
    """The network of free tables that has the independences of a chordal graph with all interactions in its cliques."""
    chordal, _ = nx.complete_to_chordal_graph(interaction_graph(model))
    numbered = eliminated(chordal)
    place = {name: number for number, name in enumerate(numbered)}
    variables = (
        Variable(
            one.name,
            one.states,
            one.observed,
            tuple(sorted((n for n in chordal[one.name] if place[n] < place[one.name]), key=place.__getitem__)),
        )
        for one in model.variables
    )
    return Network(tuple(variables))


def eliminated(chordal: nx.Graph) -> list[str]:
    """The vertices in an order in which the earlier neighbours of each are joined: maximum cardinality search."""
    seen: list[str] = []
    left = list(chordal)
    while left:
        best = max(left, key=lambda name: sum(one in chordal[name] for one in seen))
        seen.append(best)
        left.remove(best)
    return seen


def failing_flattening(at: Exact, second: TableMap, seed: int | str) -> Refutation | None:
    """A conditional independence or flattening of the second model whose rank is too great on the first."""
    covering = cover(second)
    if covering is None:
        return None
    pmap, contained = covering
    setting = Setting(pmap.model, pmap, 0, seed, ("compare",))
    table = TableAtPoint(at.prime, at.label, at.values.reshape(pmap.shape))
    names = [variable.name for variable in pmap.model.observed]
    separations = independences(latent_projection(pmap.model))
    listed = ((as_flattening(setting, one), one.trust) for one in separations.basis)
    others = ((one, None) for one in candidates(Separators(setting)))
    for flattening, known in chain(listed, others):
        for state, matrix in flattening.matrices(table):
            rank = rank_mod(np.ascontiguousarray(matrix.values), table.prime).value
            if rank > matrix.rank:
                holds = known or trust_in_rank(flattening, matrix.rank, names)
                return failing(rank_text(flattening, state, matrix.rank, rank, names), at.where, holds, *contained)
    return None


def rank_text(flattening: Flattening, state: Sequence[int], most: int, rank: int, names: Sequence[str]) -> str:
    """An independence, or the greatest rank on the model in a state of the condition, beside the rank elsewhere."""
    one, other, given = flattening.sets(names)
    sides = ",".join(one), ",".join(other)
    if is_independence(flattening):
        return " ⊥ ".join(sides) + (f" | {','.join(given)}" if given else "")
    # the rank may be another in another state of the condition
    states = ",".join(f"{name}={value}" for name, value in zip(given, state, strict=True))
    return f"rank P({'; '.join(sides)}{f' | {states}' if given else ''}) ≤ {most} (it is {rank})"


def failing_interaction(at: Exact, second: TableMap) -> Refutation | None:
    """An interaction that a model without hidden variables and impossible cells has not: an equation between products of cells."""
    if second.model.hidden:
        return None
    known = interactions_of(second)
    if known is None:
        return None
    names = [variable.name for variable in second.model.observed]
    table = at.values.reshape([variable.states for variable in second.model.observed])
    for size in range(1, len(names) + 1):
        for axes in combinations(range(len(names)), size):
            if frozenset(names[axis] for axis in axes) in known:
                continue
            for cell in product(*(range(1, table.shape[axis]) for axis in axes)):
                sides = [1, 1]
                for kept in product((False, True), repeat=size):
                    place = [0] * table.ndim
                    for axis, state, is_kept in zip(axes, cell, kept, strict=True):
                        place[axis] = state if is_kept else 0
                    side = (size - sum(kept)) % 2
                    sides[side] = sides[side] * int(table[tuple(place)]) % at.prime
                if sides[0] != sides[1]:
                    effect = ",".join(f"{names[axis]}={state}" for axis, state in zip(axes, cell, strict=True))
                    holds = proved_by(
                        "Markov maps",
                        f"nothing is hidden, and no factor has all of {listed(names[axis] for axis in axes)}",
                    )
                    return failing(f"no interaction of {effect}, t({effect}) = 1", at.where, holds)
    return None


def interactions_of(second: TableMap) -> set[frozenset[str]] | None:
    """The sets of variables that may interact; ``None`` if some cells are impossible."""
    if isinstance(second, LogLinearMap):
        return {frozenset(effect) for effect in second.model.effects}
    if not support(second).all():
        return None
    groups: list[tuple[str, ...]] = []
    for variable in second.model.variables:
        own = (variable.name,)
        if isinstance(variable.local, Sigmoid):
            # y·(a + Σ b x) and the normalisation, a function of the parents
            groups += [variable.parents, own, *((name, *own) for name in variable.parents)]
        elif isinstance(variable.local, Embedded):
            factors = variable.local.classifier.factors
            groups += [variable.parents, *((*factor.inputs, *own) for factor in factors)]
        else:
            groups.append((*variable.parents, *own))
    return {frozenset(some) for group in groups for size in range(len(group) + 1) for some in combinations(group, size)}


def failing_minor(first: GaussianMap, second: GaussianMap, seed: int | str) -> Refutation | None:
    """A vanishing minor, pentad or mean of the second model that does not vanish on the first."""
    found = equations_of(second, SIZE, seed)
    at = gaussian_point(GaussianSetting(first, 0, seed), "compare")
    names = [variable.name for variable in second.model.variables]
    places = [
        first.place[name] if variable.observed else None
        for name, variable in zip(names, second.model.variables, strict=True)
    ]
    covariance = [
        [0 if i is None or j is None else int(at.covariance[i, j]) % at.prime for j in places] for i in places
    ]
    for equation in found.equations:
        if equation.kind == "zero mean":
            place = places[equation.rows[0]]
            value = 0 if place is None else int(at.mean[place]) % at.prime
        else:
            value, _ = value_and_gradient(equation, covariance, at.prime, len(names))
        if value:
            where = where_drawn(point_text(seed, at.label), at.prime)
            return failing(texts_of(equation, names)[0], where, equation.trust)
    return None


def failing_form(at: Exact, second: Map) -> Refutation | None:
    """A linear or quadratic equation between the coordinates of the second model that fails."""
    names = ["1", *second.coordinates()] if second.coordinate_count < MOST_LINEAR else []
    for monomials, vector in equations_between(second):
        values = [1, *(int(value) for value in at.values)]
        total = sum(c * prod(values[n] for n in monomial) for monomial, c in zip(monomials, vector, strict=True))
        if total % at.prime:
            text, whole = (equation_text(monomials, vector, names, most) for most in (MOST_SHOWN, None))
            holds = proved_by("instances", f"{text}: multiplied out, both sides are the same polynomial")
            found = failing(text, at.where, holds)
            return found if whole == text else replace(found, whole=whole)
    return None


def equations_between(pmap: Map) -> Iterator[tuple[list[tuple[int, ...]], list[int]]]:
    """Linear, then quadratic equations between the coordinates, with coordinate 0 the number 1; integer coefficients.

    The coordinates are multiplied out, so the equations hold at all parameters.
    """
    count = pmap.coordinate_count + 1
    if not pmap.is_polynomial or count > MOST_LINEAR or pmap.degree_and_log_size()[1] > np.log2(MOST_TERMS):
        return
    arithmetic, point = polynomials(len(pmap.parameters))
    evaluator = evaluator_of(pmap)
    values = values_at(pmap, arithmetic, point, evaluator.all_coordinates(), evaluator=evaluator)
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
        yield from ((monomials, vector) for vector in integer_kernel(matrix, len(rows)))


def integer_kernel(matrix: Sequence[Sequence[Any]], width: int) -> Iterator[list[int]]:
    """A basis of the vectors that a matrix takes to zero, in whole numbers."""
    reduced = row_reduce_by_flint(matrix)
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


def equation_text(
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
