"""Polynomial vector fields of small degree that leave the sum over one hidden variable as it is.

The coefficients of an ansatz are found by linear algebra at random points modulo a prime, read as rational numbers, and
the field is then multiplied out with polynomials over ℚ: only what is an identity is used. This reaches what no formula
of `algdim.bound.fields` covers, tables with fixed entries above all, but only where there are few parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import combinations_with_replacement
from math import comb, isqrt
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.bound.directions import Directions, Known, Point, rank_of, right_kernel, shape_key
from algdim.exact.arithmetic import Residues
from algdim.exact.draws import residues, stream
from algdim.exact.polynomials import polynomials
from algdim.exact.ranks import rank_mod
from algdim.jacobian import jacobian_at
from algdim.maps.factors import ParamMap, param_map
from algdim.maps.functionals import all_cells
from algdim.models.districts import opened
from algdim.models.network import Network, Variable
from algdim.models.tables import Table

DEGREES = (1, 2)
MOST_UNKNOWNS = 700
MOST_CELLS = 128
MOST_SEARCHES = 12
SPARE = 16
"""Equations beyond the number of unknowns; too few would cost time only, for every field is verified."""

Monomial = tuple[int, ...]
"""The parameters whose product it is, in order, with repetition."""


@dataclass(frozen=True, slots=True)
class PolynomialField:
    """Per moved parameter the terms of its derivative."""

    terms: tuple[tuple[int, tuple[tuple[Monomial, Fraction], ...]], ...]

    def texts(self, names: Sequence[str]) -> dict[str, str]:
        """The derivatives for people and machines."""
        return {
            names[parameter]: " + ".join(
                "·".join([f"({coefficient})", *(names[variable] for variable in monomial)])
                for monomial, coefficient in terms
            )
            for parameter, terms in self.terms
        }


class PolynomialFields:
    """Searches the surroundings of hidden variables, and does not search the same surroundings twice."""

    def __init__(self, point: Point) -> None:
        self.point = point
        self.model = point.pmap.model
        self.numbers = {name: number for number, name in enumerate(point.pmap.parameters)}
        self.found: dict[Any, tuple[PolynomialField, ...]] = {}

    def around_each(self, known: Sequence[Known]) -> Iterator[Known]:
        """The fields around single hidden variables that add to those known."""
        for variable in self.model.hidden:
            fields, pmap = self.around(variable, known)
            if fields and pmap is not None:
                yield Known(frozenset([variable.name]), self.directions(variable.name, fields, pmap))

    def around(self, hidden: Variable, known: Sequence[Known]) -> tuple[tuple[PolynomialField, ...], ParamMap | None]:
        """The fields around one hidden variable, and the local map."""
        model = surroundings(self.model, hidden.name)
        if model is None:
            return (), None
        key = shape_key(model)
        if key not in self.found and len(self.found) >= MOST_SEARCHES:
            return (), None
        if key in self.found and not self.found[key]:
            return (), None
        pmap = param_map(model)
        if not pmap.is_polynomial:
            self.found[key] = ()  # identities are multiplied out with polynomials only
        elif key not in self.found:
            inside = [one.directions for one in known if one.hidden <= {hidden.name}]
            self.found[key] = search(pmap, hidden.name, rank_of(inside, self.point.prime))
        return self.found[key], pmap

    def directions(self, hidden: str, fields: Sequence[PolynomialField], pmap: ParamMap) -> Directions:
        """The values of the fields at the point."""
        parameters = np.array([self.numbers[name] for name in pmap.parameters], dtype=np.intp)
        values = self.point.values[parameters].tolist()
        matrix = np.array([values_of(field, values, self.point.prime) for field in fields], dtype=np.int64)
        evidence = {
            "type": "polynomial fields",
            "hidden": hidden,
            "fields": [field.texts(pmap.parameters) for field in fields],
        }
        return Directions(parameters, matrix, hidden, evidence)


def surroundings(model: Network, hidden: str) -> Network | None:
    """The surroundings of a hidden variable, ``None`` if entries are equal by name: they depend on the whole model."""
    around = (v for v in model.variables if v.name == hidden or hidden in v.parents)
    tied = any(isinstance(v.local, Table) and v.local.equal for v in around)
    return None if tied else opened(model, [hidden])


def search(pmap: ParamMap, hidden: str, known: int) -> tuple[PolynomialField, ...]:
    """Verified fields of small degree around a hidden variable, if they have a greater rank than is known."""
    moved = moved_parameters(pmap)
    count = len(pmap.parameters)
    if not moved or pmap.cells > MOST_CELLS or unknowns(count, len(moved), DEGREES[0]) > MOST_UNKNOWNS:
        return ()
    prime = 8388593  # the largest below 2^23; any would do
    source = Samples(pmap, hidden, moved, prime)
    most = len(moved) - rank_mod(source.jacobian(0)[0], prime).value
    found: tuple[PolynomialField, ...] = ()
    for degree in DEGREES:
        if known >= most or len(found) >= most or unknowns(count, len(moved), degree) > MOST_UNKNOWNS:
            break
        fields = [field for field in ansatz(source, count, degree) if is_identity(pmap, field)]
        found = max(found, tuple(fields), key=len)
    return found


def unknowns(parameters: int, moved: int, degree: int) -> int:
    """How many coefficients a field has.

    >>> unknowns(3, 2, 1)
    8
    """
    return moved * comb(parameters + degree, degree)


def moved_parameters(pmap: ParamMap) -> list[int]:
    """The parameters of tables that are not shared; entries that are equal by name do not occur here."""
    single = {v.name for v in pmap.model.variables if isinstance(v.local, Table) and v.local.share is None}
    arrays = {factor.array for factor in pmap.factors if pmap.owners[factor.array] in single}
    derivatives = (pmap.arrays[array].derivative(Residues(3), np.zeros(0)) for array in arrays)
    return sorted({int(parameter) for derivative in derivatives for parameter in derivative.parameter})


@dataclass(frozen=True, slots=True)
class Samples:
    """Jacobians of the moved parameters at random points."""

    pmap: ParamMap
    hidden: str
    moved: list[int]
    prime: int

    def jacobian(self, number: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Independent rows of the Jacobian at a point, and the point."""
        arithmetic = Residues(self.prime)
        source = stream(0, "polynomial fields", number)
        point = residues(source, self.prime, len(self.pmap.parameters))
        matrix = jacobian_at(self.pmap, arithmetic, arithmetic.elements(point), all_cells(self.pmap))[:, self.moved]
        rows = list(rank_mod(matrix, self.prime).rows)
        return np.remainder(matrix[rows], self.prime).astype(np.int64), point


def ansatz(samples: Samples, parameters: int, degree: int) -> list[PolynomialField]:
    """Candidates, independent at a random point: the fields of a degree that are tangent at random points."""
    prime, moved = samples.prime, samples.moved
    monomials: list[Monomial] = [
        monomial for d in range(degree + 1) for monomial in combinations_with_replacement(range(parameters), d)
    ]
    width = len(moved) * len(monomials)
    rows: list[NDArray[np.int64]] = []
    number = 1
    while sum(map(len, rows)) < width + SPARE:
        jacobian, point = samples.jacobian(number)
        if not len(jacobian):
            break
        values = monomial_values(monomials, point.tolist(), prime)
        rows.append((jacobian[:, :, None] * values % prime).reshape(len(jacobian), width))
        number += 1
    system = np.vstack(rows) if rows else np.zeros((0, width), dtype=np.int64)
    _, kernel = right_kernel(system, prime)
    if not len(kernel):
        return []
    at = monomial_values(monomials, samples.jacobian(0)[1].tolist(), prime)
    shaped = kernel.reshape(len(kernel), len(moved), len(monomials))
    # sparse fields first, so that they are the independent ones that are kept
    order = np.argsort((kernel != 0).sum(axis=1), kind="stable")
    values = (shaped[order] * at % prime).sum(axis=2) % prime
    chosen = [int(order[row]) for row in first_independent(values, prime)]
    fields = (read(shaped[row], moved, monomials, prime) for row in chosen)
    return [field for field in fields if field is not None]


def first_independent(matrix: NDArray[np.int64], prime: int) -> tuple[int, ...]:
    """The first independent rows."""
    return rank_mod(np.ascontiguousarray(matrix.T), prime).columns


def monomial_values(monomials: Sequence[Monomial], point: Sequence[int], prime: int) -> NDArray[np.int64]:
    """The monomials at a point."""
    return np.array([reduce(lambda a, b: a * point[b] % prime, monomial, 1) for monomial in monomials], dtype=np.int64)


def read(
    coefficients: NDArray[np.int64], moved: Sequence[int], monomials: Sequence[Monomial], prime: int
) -> PolynomialField | None:
    """The field with rational coefficients that these residues stand for, if they are all simple."""
    terms = []
    for parameter, row in zip(moved, coefficients, strict=True):
        places = np.flatnonzero(row).tolist()
        fractions = [rational_from(int(row[place]), prime) for place in places]
        if any(fraction is None for fraction in fractions):
            return None
        if places:
            pairs = zip(places, fractions, strict=True)
            terms.append((parameter, tuple((monomials[place], Fraction(value or 0)) for place, value in pairs)))
    return PolynomialField(tuple(terms))


def rational_from(residue: int, prime: int) -> Fraction | None:
    """The fraction with small numerator and denominator that a residue stands for, if there is one.

    >>> rational_from(pow(2, -1, 101), 101), rational_from(100, 101)
    (Fraction(1, 2), Fraction(-1, 1))
    """
    most = isqrt(prime // 2)
    before, now, s, t = prime, residue, 0, 1
    while now > most:
        quotient = before // now
        before, now, s, t = now, before - quotient * now, t, s - quotient * t
    return Fraction(now, t) if t and abs(t) <= most else None


def is_identity(pmap: ParamMap, field: PolynomialField) -> bool:
    """Whether the Jacobian of the local map times the field is zero: an identity of polynomials over ℚ."""
    arithmetic, variables = polynomials(len(pmap.parameters))
    jacobian = jacobian_at(pmap, arithmetic, variables, all_cells(pmap))
    total = [arithmetic.convert(0)] * len(jacobian)
    for parameter, terms in field.terms:
        derivative = sum(
            (reduce(mul, (variables[k] for k in monomial), arithmetic.convert(value)) for monomial, value in terms),
            arithmetic.convert(0),
        )
        total = [entry + row[parameter] * derivative for entry, row in zip(total, jacobian, strict=True)]
    return all(entry == 0 for entry in total)


def values_of(field: PolynomialField, values: Sequence[int], prime: int) -> list[int]:
    """The field at a point modulo a prime; zero if a coefficient has no residue."""
    result = [0] * len(values)
    for parameter, terms in field.terms:
        for monomial, coefficient in terms:
            if coefficient.denominator % prime == 0:
                return [0] * len(values)
            factor = coefficient.numerator * pow(coefficient.denominator, -1, prime)
            result[parameter] = (
                result[parameter] + reduce(lambda a, b: a * values[b] % prime, monomial, factor)
            ) % prime
    return result
