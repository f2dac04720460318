"""The number of parameters with the same observed distribution, of small models where it is finite (lemma "fibre")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import factorial, prod
from typing import Any

from algdim.bound.families import MOST_HALF_TREK, is_about_half_treks
from algdim.errors import LimitError
from algdim.exact.draws import integers, stream
from algdim.exact.elimination import rational
from algdim.exact.flint import row_reduce_by_flint
from algdim.exact.polynomials import polynomials
from algdim.exact.primes import draw_prime
from algdim.figures import counted
from algdim.identifiability.kinds import determined
from algdim.jacobian import evaluator_of, values_at
from algdim.maps.anymap import Map
from algdim.maps.gaussian import GaussianMap
from algdim.models.anymodel import AnyModel
from algdim.models.halftrek import IDENTIFIABLE, half_trek
from algdim.models.network import Network
from algdim.report import Report
from algdim.trust import PROBABLE, PROVED

MOST_PARAMETERS = 12
"""Of larger models the solutions are not counted."""
MOST_TERMS = 300
"""Nor where all coordinates together have more terms."""
MOST_BY_DEGREES = 32
"""Nor where the product of the degrees, of the equations that are left, is greater: Gröbner bases would take too long."""
MOST_GENERIC, MOST_GENERIC_UNKNOWNS = 16, 4
"""Up to this product, and so many unknowns, they are counted over the rational functions, which is a proof."""
LOG_SIZE = 12
"""Coordinates whose size has a greater log₂ are not written out."""
MOST_MONOMIALS = 1 << 16
BITS = 30
POINTS = 2


Exponents = tuple[int, ...]
Polynomial = dict[Exponents, Fraction]


@dataclass(frozen=True, slots=True)
class Fibre:
    """The number of complex points with the coordinates of a generic point; ``None`` if they were not counted, and why."""

    degree: int | None
    reason: str
    status: str = PROVED

    def __str__(self) -> str:
        """One line."""
        return f"not counted: {self.reason}" if self.degree is None else f"{self.degree} ({self.status}), {self.reason}"

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        return {"degree": self.degree, "status": None if self.degree is None else self.status, "reason": self.reason}


def fibre_of(model: AnyModel, pmap: Map, report: Report, seed: int | str) -> Fibre | None:
    """The number of solutions of a model whose dimension is proved to be its number of parameters; ``None`` of others."""
    if not pmap.parameters or not report.lower.is_proved or report.dimension < len(pmap.parameters):
        return None
    known = by_theorem(model, pmap, seed)
    if known is not None:
        return known
    if report.moments is not None:
        return Fibre(None, "the moments taken are not the whole distribution")
    if len(pmap.parameters) > MOST_PARAMETERS:
        return Fibre(None, f"{counted(len(pmap.parameters), 'parameter')}, and at most {MOST_PARAMETERS} are tried")
    try:
        return counted_by_bases(pmap, seed)
    except LimitError as error:
        return Fibre(None, str(error))


def by_theorem(model: AnyModel, pmap: Map, seed: int | str) -> Fibre | None:
    """The number of solutions where a theorem says it."""
    if isinstance(pmap, GaussianMap) and is_about_half_treks(pmap) and len(pmap.model.variables) <= MOST_HALF_TREK:
        if half_trek(pmap.model).verdict == IDENTIFIABLE:
            return Fibre(1, "the half-trek criterion: every entry is a rational function of the covariances")
        return None
    if isinstance(model, Network) and not model.given and determined(model, seed) is not None:
        classes = next((variable.states for variable in model.variables if not variable.observed), 1)
        return Fibre(
            factorial(classes),
            f"the relabellings of {counted(classes, 'class')[:-1] + 'es' if classes > 1 else '1 class'}",
        )
    return None


def counted_by_bases(pmap: Map, seed: int | str) -> Fibre:
    """The number of solutions by a Gröbner basis: over the rational functions, or at two points modulo primes."""
    if not pmap.is_polynomial or pmap.degree_and_log_size()[1] > LOG_SIZE:
        raise LimitError("the coordinates are quotients, or have too many terms")
    evaluator = evaluator_of(pmap)
    arithmetic, unknowns = polynomials(len(pmap.parameters))
    coordinates = evaluator.all_coordinates()
    if coordinates.count > MOST_TERMS:
        raise LimitError(f"{coordinates.count} coordinates, and at most {MOST_TERMS} are tried")
    values = values_at(pmap, arithmetic, unknowns, coordinates, evaluator=evaluator)
    terms = [dict(value.to_dict()) for value in values if value != 0]
    total = sum(map(len, terms))
    if total > MOST_TERMS:
        raise LimitError(f"the coordinates have {total} terms together, and at most {MOST_TERMS} are tried")
    equations, count = essential(reduced(terms), len(pmap.parameters))
    if not count:
        return Fibre(1, "every parameter follows from the coordinates, one after the other")
    most = prod(sorted(max(map(sum, equation)) for equation in equations)[:count])
    if most > MOST_BY_DEGREES:
        raise LimitError(f"there may be {most} solutions by the degrees, and at most {MOST_BY_DEGREES} are tried")
    if most <= MOST_GENERIC and count <= MOST_GENERIC_UNKNOWNS:
        return Fibre(
            over_functions(equations, count), "complex solutions, by a Gröbner basis over the rational functions"
        )
    found = {modulo_prime(equations, count, seed, number) for number in range(POINTS)}
    if len(found) > 1:
        raise LimitError("two points have different numbers of solutions; take another --seed")
    return Fibre(
        found.pop(),
        f"complex solutions, by Gröbner bases at {POINTS} points modulo primes; the chance of error is not bounded",
        PROBABLE,
    )


def reduced(polynomials: Sequence[Mapping[Exponents, Any]]) -> list[Polynomial]:
    """Independent combinations of polynomials, with degrees as small as can be; constants are left out."""
    monomials = sorted({m for one in polynomials for m in one if any(m)}, key=lambda m: (-sum(m), m))
    rows = [[rational(one[m]) if m in one else Fraction(0) for m in monomials] for one in polynomials]
    echelon = row_reduce_by_flint(rows)
    return [
        {m: value for m, value in zip(monomials, echelon.matrix[row], strict=True) if value}
        for row, _ in echelon.pivots
    ]


def essential(equations: list[Polynomial], count: int) -> tuple[list[Polynomial], int]:
    """The equations without those that do nothing but give the value of an unknown that is in no other, and so on.

    >>> essential([{(1, 0): Fraction(1), (0, 2): Fraction(1)}, {(0, 2): Fraction(1)}], 2)
    ([{(2,): Fraction(1, 1)}], 1)
    """
    left = list(range(count))
    while (private := next(privately_given(equations, left), None)) is not None:
        place, equation = private
        left.remove(place)
        equations = [one for one in equations if one is not equation]
    return [{tuple(m[place] for place in left): value for m, value in one.items()} for one in equations], len(left)


def privately_given(equations: Sequence[Polynomial], left: Sequence[int]) -> Iterator[tuple[int, Polynomial]]:
    """The unknowns that are in one equation only, and there alone in a term and not in others; with the equation."""
    for place in left:
        uses = [(one, m) for one in equations for m in one if m[place]]
        if len(uses) == 1 and sum(uses[0][1]) == 1:
            yield place, uses[0][0]


def over_functions(terms: Sequence[Polynomial], count: int) -> int:
    """The number of solutions over the field of rational functions of the parameters."""
    from sympy import QQ, symbols

    field = QQ.frac_field(*symbols(f"t0:{count}"))
    equations = []
    for polynomial in terms:
        value = field.zero
        known = {}
        for exponents, coefficient in polynomial.items():
            number = field(QQ(coefficient.numerator, coefficient.denominator))
            known[tuple(map(int, exponents))] = number
            value += prod((gen ** int(e) for gen, e in zip(field.gens, exponents, strict=True)), start=number)
        equations.append(minus(known, value, count))
    return standard_monomials(equations, count, field)


def modulo_prime(terms: Sequence[Polynomial], count: int, seed: int | str, number: int) -> int:
    """The number of solutions at a drawn point modulo a drawn prime."""
    from sympy import GF

    prime = draw_prime(stream(seed, "prime", "fibre", number), BITS)
    point = integers(stream(seed, "point", "fibre", number), 1, prime - 1, count)
    field = GF(prime, symmetric=False)
    equations = []
    for polynomial in terms:
        known = {
            tuple(map(int, exponents)): field(coefficient.numerator) / field(coefficient.denominator)
            for exponents, coefficient in polynomial.items()
        }
        value = sum(
            (
                prod((field(int(x)) ** e for x, e in zip(point, exponents, strict=True)), start=c)
                for exponents, c in known.items()
            ),
            start=field(0),
        )
        equations.append(minus(known, value, count))
    return standard_monomials(equations, count, field)


def minus(polynomial: dict[tuple[int, ...], Any], value: Any, count: int) -> dict[tuple[int, ...], Any]:
    """A polynomial minus a constant."""
    constant = (0,) * count
    found = {**polynomial, constant: polynomial[constant] - value if constant in polynomial else -value}
    return {exponents: coefficient for exponents, coefficient in found.items() if coefficient}


def standard_monomials(equations: Sequence[dict[tuple[int, ...], Any]], count: int, field: Any) -> int:
    """How many monomials no leading monomial of a Gröbner basis divides: the number of solutions, with multiplicity."""
    from sympy import Poly, groebner, symbols

    unknowns = symbols(f"x0:{count}")
    ideal = [Poly.from_dict(equation, *unknowns, domain=field) for equation in equations if equation]
    basis = groebner(ideal, *unknowns, domain=field, order="grevlex")
    leading = [tuple(one.monoms(order="grevlex")[0]) for one in basis.polys]
    # the dimension is the number of parameters, so that every variable has a power among the leading monomials
    most = [min(one[place] for one in leading if sum(one) == one[place]) for place in range(count)]
    if prod(most) > MOST_MONOMIALS:
        raise LimitError(f"up to {prod(most)} solutions; at most {MOST_MONOMIALS} monomials are gone through")
    return sum(
        not any(all(a <= b for a, b in zip(one, monomial, strict=True)) for one in leading)
        for monomial in product(*map(range, most))
    )
