"""Equations of a model written out and evaluated at a point, exactly: tetrads and other sums, minors of flattenings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import prod
from typing import Any

from algdim.errors import AlgdimError
from algdim.exact.flint import determinant_by_flint
from algdim.explanation.constraints import Constraint, constraints
from algdim.explanation.standing import Standing
from algdim.families.discrete.map import ParamMap
from algdim.families.gaussian.map import GaussianMap
from algdim.figures import counted

MOST_EVALUATED = 3
MOST_ROWS = 5
"""Larger determinants are evaluated but not written out."""
MOST_COORDINATES = 512

Names = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Evaluated:
    """An equation, its left side at the point, and beside it: a matrix by names and numbers, or products with values."""

    equation: Constraint
    value: Fraction
    elsewhere: Fraction
    """The same at numbers that do not come from the model."""
    names: Names = ()
    numbers: tuple[tuple[Fraction, ...], ...] = ()
    products: tuple[tuple[str, Fraction], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The form of --json: exact numbers as text."""
        return {**self.equation.to_dict(), "value": str(self.value), "elsewhere": str(self.elsewhere)}


def equations_at(standing: Standing, seed: int | str = 0) -> tuple[tuple[Evaluated, ...], tuple[Constraint, ...], str]:
    """The first equations evaluated, all that were found, and what they prove together or why there are none.

    >>> from algdim.explanation.standing import stand
    >>> from algdim.maps.anymap import map_of
    >>> from algdim.models.notation import parse
    >>> [(one.value, one.elsewhere != 0) for one in equations_at(stand(map_of(parse("3:2,2,2,2"))))[0]]
    [(Fraction(0, 1), True), (Fraction(0, 1), True), (Fraction(0, 1), True)]
    """
    pmap = standing.pmap
    if not isinstance(pmap, ParamMap | GaussianMap) or pmap.given or pmap.kept is not None:
        return (), (), "equations are looked for in discrete and Gaussian models in which nothing is conditioned on"
    if len(standing.values) > MOST_COORDINATES:
        return (), (), f"equations are written out for at most {MOST_COORDINATES} coordinates"
    try:
        found = constraints(pmap.model, seed=seed)
    except AlgdimError as error:
        return (), (), str(error)
    if not found.constraints:
        zeros = f"structural zeros: {counted(found.zeros, 'cell')}; no other" if found.zeros else "no"
        return (), (), f"{zeros} equations were found"
    # other numbers, none of them special: 1/2, 1/3, 1/5, 1/7, 1/11, …
    others = [Fraction(1, prime) for prime in primes(len(standing.values))]
    chosen: list[Evaluated] = []
    for equation in sorted(found.constraints, key=lambda one: one.independent is False):
        if len(chosen) == MOST_EVALUATED:
            break
        if isinstance(pmap, GaussianMap):
            chosen.extend(sum_of(pmap, equation, standing.values, others))
        else:
            chosen.extend(minor_of(pmap, equation, standing.values, others))
    return tuple(chosen), found.constraints, found.reason


def primes(count: int) -> list[int]:
    """The first primes.

    >>> primes(4)
    [2, 3, 5, 7]
    """
    found: list[int] = []
    number = 2
    while len(found) < count:
        if all(number % prime for prime in found if prime * prime <= number):
            found.append(number)
        number += 1
    return found


def sum_of(
    gmap: GaussianMap, equation: Constraint, values: Sequence[Fraction], others: Sequence[Fraction]
) -> Iterator[Evaluated]:
    """A sum of products of covariances, or a determinant of them."""
    at, off = (table_of(gmap, numbers) for numbers in (values, others))
    evidence = equation.evidence
    if "terms" in evidence:
        terms = [(sign, [f"cov({a},{b})" for a, b in pairs]) for sign, pairs in evidence["terms"]]
        total, elsewhere = (
            sum((sign * prod((table[name] for name in pairs), start=Fraction(1)) for sign, pairs in terms), Fraction(0))
            for table in (at, off)
        )
        products = tuple(
            (" ".join(pairs), sign * prod((at[name] for name in pairs), start=Fraction(1))) for sign, pairs in terms
        )
        yield Evaluated(equation, total, elsewhere, products=products)
    elif "rows" in evidence and "columns" in evidence:
        cells = tuple(tuple(f"cov({a},{b})" for b in evidence["columns"]) for a in evidence["rows"])
        yield square(equation, cells, at, off)


def table_of(gmap: GaussianMap, values: Sequence[Fraction]) -> dict[str, Fraction]:
    """Values by name; covariances under both orders of their variables."""
    pairs = combinations_with_replacement([variable.name for variable in gmap.model.observed], 2)
    turned = {f"cov({other},{one})": value for (one, other), value in zip(pairs, values, strict=False)}
    return turned | dict(zip(gmap.coordinates(), values, strict=True))


def minor_of(
    pmap: ParamMap, equation: Constraint, values: Sequence[Fraction], others: Sequence[Fraction]
) -> Iterator[Evaluated]:
    """The first minor of a flattening or an independence that has to vanish, everything else summed out."""
    evidence = equation.evidence
    if equation.kind not in ("independence", "flattening"):
        return
    names = [variable.name for variable in pmap.model.observed]
    sizes = dict(zip(names, pmap.shape, strict=True))
    size = evidence["rank"] + 1
    rows, columns = (list(product(*(range(sizes[name]) for name in evidence[side])))[:size] for side in ("A", "B"))
    state = evidence["states"][0] if "states" in evidence else [0] * len(evidence["C"])

    def fixed(row: tuple[int, ...], column: tuple[int, ...]) -> dict[str, int]:
        return {
            **dict(zip(evidence["A"], row, strict=True)),
            **dict(zip(evidence["B"], column, strict=True)),
            **dict(zip(evidence["C"], state, strict=True)),
        }

    cells = tuple(tuple(cell_name(names, fixed(row, column)) for column in columns) for row in rows)
    tables = []
    for numbers in (values, others):
        table = {}
        for row, line in zip(rows, cells, strict=True):
            for column, name in zip(columns, line, strict=True):
                table[name] = marginal(names, sizes, fixed(row, column), numbers)
        tables.append(table)
    yield square(equation, cells, tables[0], tables[1])


def cell_name(names: Sequence[str], states: Mapping[str, int]) -> str:
    """A marginal probability by name, the variables in the model's order."""
    return f"P({','.join(f'{name}={states[name]}' for name in names if name in states)})"


def marginal(
    names: Sequence[str], sizes: Mapping[str, int], states: Mapping[str, int], values: Sequence[Fraction]
) -> Fraction:
    """The sum of the cells in which some variables have these states."""
    total = Fraction(0)
    for number, cell in enumerate(product(*(range(sizes[name]) for name in names))):
        if all(states.get(name, state) == state for name, state in zip(names, cell, strict=True)):
            total += values[number]
    return total


def square(equation: Constraint, cells: Names, at: Mapping[str, Fraction], off: Mapping[str, Fraction]) -> Evaluated:
    """A determinant."""
    numbers, elsewhere = (tuple(tuple(table[name] for name in row) for row in cells) for table in (at, off))
    shown = len(cells) <= MOST_ROWS
    return Evaluated(
        equation,
        determinant_by_flint(numbers),
        determinant_by_flint(elsewhere),
        cells if shown else (),
        numbers if shown else (),
    )
