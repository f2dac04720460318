"""The number of parameters with the same observed distribution, of small models where it is finite (lemma "fibre")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import factorial, prod
from typing import Any

from algdim.bound.bounds import PROBABLE, PROVED
from algdim.errors import LimitError
from algdim.exact.draws import integers, stream
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
from algdim.report import MOST_HALF_TREK, Report, is_about_half_treks

MOST_PARAMETERS = 10
"""Of larger models the solutions are not counted."""
MOST_GENERIC = 7
"""Up to so many parameters they are counted over the rational functions, which is a proof."""
MOST_TERMS = 300
"""All coordinates together have at most so many terms."""
LOG_SIZE = 12
"""Nor are they where log₂ of a coordinate's size is more."""
MOST_MONOMIALS = 1 << 16
BITS = 30
POINTS = 2


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
        return Fibre(None, f"{counted(len(pmap.parameters), 'parameter')}; up to {MOST_PARAMETERS} they are")
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
        raise LimitError(f"{coordinates.count} coordinates; up to {MOST_TERMS} they are")
    values = values_at(pmap, arithmetic, unknowns, coordinates, evaluator=evaluator)
    terms = [dict(value.to_dict()) for value in values if value != 0]
    total = sum(map(len, terms))
    if total > MOST_TERMS:
        raise LimitError(f"the coordinates have {total} terms together; up to {MOST_TERMS} they are")
    if len(pmap.parameters) <= MOST_GENERIC:
        return Fibre(
            over_functions(terms, len(pmap.parameters)),
            "complex solutions, by a Gröbner basis over the rational functions",
        )
    found = {modulo_prime(terms, len(pmap.parameters), seed, number) for number in range(POINTS)}
    if len(found) > 1:
        raise LimitError("two points have different numbers of solutions; take another --seed")
    return Fibre(
        found.pop(),
        f"complex solutions, by Gröbner bases at {POINTS} points modulo primes; the chance of error is not bounded",
        PROBABLE,
    )


def over_functions(terms: Sequence[dict[Any, Any]], count: int) -> int:
    """The number of solutions over the field of rational functions of the parameters."""
    from sympy import QQ, symbols

    field = QQ.frac_field(*symbols(f"t0:{count}"))
    equations = []
    for polynomial in terms:
        value = field.zero
        known = {}
        for exponents, coefficient in polynomial.items():
            number = field(QQ(int(coefficient.p), int(coefficient.q)))
            known[tuple(map(int, exponents))] = number
            value += prod((gen ** int(e) for gen, e in zip(field.gens, exponents, strict=True)), start=number)
        equations.append(minus(known, value, count))
    return standard_monomials(equations, count, field)


def modulo_prime(terms: Sequence[dict[Any, Any]], count: int, seed: int | str, number: int) -> int:
    """The number of solutions at a drawn point modulo a drawn prime."""
    from sympy import GF

    prime = draw_prime(stream(seed, "prime", "fibre", number), BITS)
    point = integers(stream(seed, "point", "fibre", number), 1, prime - 1, count)
    field = GF(prime, symmetric=False)
    equations = []
    for polynomial in terms:
        known = {
            tuple(map(int, exponents)): field(int(coefficient.p)) / field(int(coefficient.q))
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
