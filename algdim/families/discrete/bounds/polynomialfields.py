"""Polynomial vector fields of small degree that leave the sum over one hidden variable as it is.

The coefficients of an ansatz are found by linear algebra at random points modulo a prime, read as rational numbers, and
the field is then multiplied out with polynomials over ℚ: only what is an identity is used. This reaches what no formula
of `algdim.families.discrete.bounds.fields` covers, tables with fixed entries above all, but only where there are few parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import combinations_with_replacement
from math import comb
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.bound.searches import Directions
from algdim.exact.arithmetic import Residues, SingularError
from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.polynomials import make_polynomials
from algdim.exact.ranks import rank_mod
from algdim.exact.rationals import find_small_fraction
from algdim.families.discrete.bounds.directions import (
    Known,
    Point,
    compute_right_kernel,
    compute_shape_key,
    rank_of,
)
from algdim.families.discrete.districts import build_surroundings, keeps_names
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.families.discrete.model import Network, Variable
from algdim.jacobian import Evaluator, compute_symbolic_jacobian, evaluate_jacobian, make_evaluator
from algdim.maps import Map
from algdim.rank import MOST_POINTS

DEGREES = (1, 2)
MOST_UNKNOWNS = 700
MOST_CELLS = 128
MOST_SEARCHES = 12
MOST_TERMS = 1 << 60
"""A local map has few parameters."""

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
                format_term(coefficient, [names[variable] for variable in monomial]) for monomial, coefficient in terms
            )
            for parameter, terms in self.terms
        }


def format_term(coefficient: Fraction, names: Sequence[str]) -> str:
    """A coefficient times names.

    >>> format_term(Fraction(1), ["a"]), format_term(Fraction(-1), ["a", "b"]), format_term(Fraction(1), [])
    ('a', '(-1)·a·b', '1')
    """
    front = [] if coefficient == 1 and names else [str(coefficient) if coefficient >= 0 else f"({coefficient})"]
    return "·".join([*front, *names])


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
        model = find_surroundings(self.model, hidden.name)
        if model is None:
            return (), None
        key = compute_shape_key(model)
        if key not in self.found and len(self.found) >= MOST_SEARCHES:
            return (), None
        if key in self.found and not self.found[key]:
            return (), None
        pmap = get_param_map(model)
        if not pmap.is_polynomial:
            self.found[key] = ()  # identities are multiplied out with polynomials only
        elif key not in self.found:
            inside = [one.directions for one in known if one.hidden <= {hidden.name}]
            self.found[key] = search(pmap, rank_of(inside, self.point.prime))
        return self.found[key], pmap

    def directions(self, hidden: str, fields: Sequence[PolynomialField], pmap: ParamMap) -> Directions:
        """The values of the fields at the point."""
        parameters = np.array([self.numbers[name] for name in pmap.parameters], dtype=np.intp)
        values = self.point.values[parameters].tolist()
        matrix = np.array([evaluate_field(field, values, self.point.prime) for field in fields], dtype=np.int64)
        evidence = {
            "type": "polynomial fields",
            "hidden": hidden,
            "fields": [field.texts(pmap.parameters) for field in fields],
        }
        return Directions(parameters, matrix, hidden, evidence)


def find_surroundings(model: Network, hidden: str) -> Network | None:
    """The surroundings of a hidden variable, ``None`` if parameters of theirs may occur elsewhere by name."""
    return build_surroundings(model, [hidden]) if keeps_names(model, [hidden]) else None


def search(pmap: ParamMap, known: int) -> tuple[PolynomialField, ...]:
    """Verified fields of small degree that leave a local map as it is, if they have a greater rank than is known."""
    moved = list_moved_parameters(pmap)
    count = len(pmap.parameters)
    if not moved or pmap.cells > MOST_CELLS or count_unknowns(count, len(moved), DEGREES[0]) > MOST_UNKNOWNS:
        return ()
    prime = 8388593  # the largest below 2^23; any would do
    source = Samples(pmap, make_evaluator(pmap), moved, prime)
    most = len(moved) - rank_mod(source.jacobian(0)[0], prime).value
    found: tuple[PolynomialField, ...] = ()
    for degree in DEGREES:
        if known >= most or len(found) >= most or count_unknowns(count, len(moved), degree) > MOST_UNKNOWNS:
            break
        found = max(
            found, select_exact_fields(pmap, find_candidate_fields(source, list_terms(moved, count, degree))), key=len
        )
    return found


def count_unknowns(parameters: int, moved: int, degree: int) -> int:
    """How many coefficients a field has.

    >>> count_unknowns(3, 2, 1)
    8
    """
    return moved * comb(parameters + degree, degree)


def list_moved_parameters(pmap: ParamMap) -> list[int]:
    """The parameters of tables that are not shared; those of names occur in the local map alone."""
    single = {v.name for v in pmap.model.variables if isinstance(v.local, Table) and v.local.share is None}
    arrays = {factor.array for factor in pmap.factors if pmap.owners[factor.array] in single}
    derivatives = (pmap.arrays[array].derivative(Residues(3), np.zeros(0)) for array in arrays)
    return sorted({int(parameter) for derivative in derivatives for parameter in derivative.parameter})


@dataclass(frozen=True, slots=True)
class Samples:
    """Jacobians of the moved parameters at random points."""

    pmap: Map
    evaluator: Evaluator
    moved: list[int]
    prime: int

    def jacobian(self, number: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Independent rows of the Jacobian at a point, and the point."""
        arithmetic, evaluator = Residues(self.prime), self.evaluator
        for attempt in range(MOST_POINTS):
            labels = (number, attempt) if attempt else (number,)
            point = draw_residues(open_stream(0, "polynomial fields", *labels), self.prime, len(self.pmap.parameters))
            at = arithmetic.elements(point)
            try:
                whole = evaluate_jacobian(self.pmap, arithmetic, at, evaluator.all_coordinates(), evaluator=evaluator)
            except SingularError:
                continue
            break
        else:
            return np.zeros((0, len(self.moved)), dtype=np.int64), point
        matrix = whole[:, self.moved]
        rows = list(rank_mod(matrix, self.prime).rows)
        return np.remainder(matrix[rows], self.prime).astype(np.int64), point


Term = tuple[int, Monomial]
"""The place of a moved parameter among these, and a monomial that can occur in its derivative."""


def list_terms(moved: Sequence[int], parameters: int, degree: int) -> list[Term]:
    """All monomials up to a degree for every moved parameter."""
    monomials = [m for d in range(degree + 1) for m in combinations_with_replacement(range(parameters), d)]
    return [(place, monomial) for place in range(len(moved)) for monomial in monomials]


def find_candidate_fields(samples: Samples, terms: Sequence[Term]) -> list[PolynomialField]:
    """Candidates, independent at a random point: the fields with these terms that are tangent at random points."""
    prime, moved = samples.prime, samples.moved
    places = np.array([place for place, _ in terms], dtype=np.intp)
    rows: list[NDArray[np.int64]] = []
    number = 1
    while sum(map(len, rows)) < len(terms) + SPARE:
        jacobian, point = samples.jacobian(number)
        if not len(jacobian):
            break
        rows.append(jacobian[:, places] * evaluate_monomials(terms, point.tolist(), prime) % prime)
        number += 1
    system = np.vstack(rows) if rows else np.zeros((0, len(terms)), dtype=np.int64)
    _, kernel = compute_right_kernel(system, prime)
    if not len(kernel):
        return []
    at = kernel * evaluate_monomials(terms, samples.jacobian(0)[1].tolist(), prime) % prime
    # sparse fields first, so that they are the independent ones that are kept
    order = np.argsort((kernel != 0).sum(axis=1), kind="stable")
    values = np.zeros((len(kernel), len(moved)), dtype=np.int64)
    for place in range(len(moved)):
        values[:, place] = at[:, places == place].sum(axis=1) % prime
    chosen = [int(order[row]) for row in find_independent_rows(values[order], prime)]
    fields = (read(kernel[row], moved, terms, prime) for row in chosen)
    return [field for field in fields if field is not None]


def find_independent_rows(matrix: NDArray[np.int64], prime: int) -> tuple[int, ...]:
    """The first independent rows."""
    return rank_mod(np.ascontiguousarray(matrix.T), prime).columns


def evaluate_monomials(terms: Sequence[Term], point: Sequence[int], prime: int) -> NDArray[np.int64]:
    """The monomials of the terms at a point."""
    known: dict[Monomial, int] = {}
    for _, monomial in terms:
        if monomial not in known:
            known[monomial] = reduce(lambda a, b: a * point[b] % prime, monomial, 1)
    return np.array([known[monomial] for _, monomial in terms], dtype=np.int64)


def read(
    coefficients: NDArray[np.int64], moved: Sequence[int], terms: Sequence[Term], prime: int
) -> PolynomialField | None:
    """The field with rational coefficients that these residues stand for, if they are all simple."""
    found: dict[int, list[tuple[Monomial, Fraction]]] = {}
    for number in np.flatnonzero(coefficients).tolist():
        fraction = find_small_fraction(int(coefficients[number]), prime)
        if fraction is None:
            return None
        place, monomial = terms[number]
        found.setdefault(moved[place], []).append((monomial, fraction))
    return PolynomialField(tuple((parameter, tuple(pairs)) for parameter, pairs in found.items()))


def select_exact_fields(
    pmap: Map, fields: Sequence[PolynomialField], jacobian: Sequence[Sequence[Any]] | None = None
) -> tuple[PolynomialField, ...]:
    """Those fields that the Jacobian of the map turns to zero: an identity of polynomials over ℚ."""
    if not fields:
        return ()
    arithmetic, variables = make_polynomials(len(pmap.parameters))
    jacobian = compute_symbolic_jacobian(pmap, make_evaluator(pmap), MOST_TERMS) if jacobian is None else jacobian
    zero = arithmetic.convert(Fraction(0))
    found = []
    for field in fields:
        derivatives = [
            (parameter, sum((reduce(mul, (variables[k] for k in m), arithmetic.convert(c)) for m, c in terms), zero))
            for parameter, terms in field.terms
        ]
        if all(sum((row[parameter] * value for parameter, value in derivatives), zero) == 0 for row in jacobian):
            found.append(field)
    return tuple(found)


def is_identity(pmap: Map, field: PolynomialField) -> bool:
    """Whether the Jacobian of the map times the field is zero."""
    return bool(select_exact_fields(pmap, [field]))


def evaluate_field(field: PolynomialField, values: Sequence[int], prime: int) -> list[int]:
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
