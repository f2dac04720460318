"""Equations between covariances: their form, their values and gradients modulo a prime, which are independent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from algdim.bound.gaussianminors import coordinate_numbers
from algdim.bound.gaussiansetting import GaussianPoint
from algdim.exact.ranks import rank_mod
from algdim.explanation.gaussianverma import KernelEquation, kernel_value
from algdim.maps.gaussian import GaussianMap
from algdim.models.separation import Bits

BLOCK = 2000
MOST_BLOCK = 1 << 22
"""Entries of a matrix of gradients."""
MOST_RANK_WORK = 1 << 35
"""Equations times coordinates squared: of more equations it is not looked at whether they are independent."""

Pairs = tuple[tuple[int, int], ...]
"""A product of covariances."""


@dataclass(frozen=True, slots=True)
class Equation:
    """A function that vanishes: a minor with these rows and columns, a sum of products, or a coefficient in a kernel."""

    kind: str
    rows: tuple[int, ...]
    columns: tuple[int, ...] = ()
    terms: tuple[tuple[int, Pairs], ...] = ()
    cut: Bits = 0
    kernel: KernelEquation | None = None


def pentad(members: tuple[int, ...]) -> tuple[tuple[int, Pairs], ...]:
    """The pentad of five variables: the sum over the 12 cycles through all five, each with the sign of its order.

    >>> len(pentad((0, 1, 2, 3, 4)))
    12
    """
    first, *rest = members
    terms = []
    for order in permutations(rest):
        if order[0] < order[-1]:  # a cycle has two directions
            cycle = (first, *order)
            pairs = tuple(tuple(sorted((cycle[k], cycle[(k + 1) % 5]))) for k in range(5))
            terms.append((sign(order), tuple(sorted((a, b) for a, b in pairs))))
    return tuple(terms)


def sign(order: Sequence[int]) -> int:
    """The sign of a permutation.

    >>> sign([1, 0, 2]), sign([1, 2, 0])
    (-1, 1)
    """
    return -1 if sum(a > b for a, b in combinations(order, 2)) % 2 else 1


@dataclass(frozen=True, slots=True)
class Independent:
    """The numbers of the first equations with independent gradients at a point, of so many that were looked at."""

    numbers: tuple[int, ...]
    looked_at: int


def independent_at(gmap: GaussianMap, at: GaussianPoint, equations: Sequence[Equation]) -> Independent:
    """The first equations whose gradients at a point are independent; raise if one does not vanish there.

    Vanishing covariances and means have unit vectors as gradients: they are independent, and their columns are done.
    """
    every = coordinate_numbers(gmap)
    constant = len(gmap.model.variables)
    single = {numbered: pair_of(equation, constant) for numbered, equation in enumerate(equations) if is_single(equation)}
    done = {every[pair] for pair in single.values()}
    columns = {pair: number for pair, number in every.items() if number not in done}
    place = {number: index for index, number in enumerate(sorted(set(columns.values())))}
    covariance = [[int(value) % at.prime for value in row] for row in at.covariance.tolist()]
    for pair in single.values():
        value = covariance[pair[0]][pair[1]] if constant not in pair else int(at.mean[pair[0]]) % at.prime
        check(value, str(pair))
    others = [number for number in range(len(equations)) if number not in single]
    width = len(place)
    allowed = MOST_RANK_WORK // max(1, width) // max(1, min(width, len(others)))
    kept: list[int] = []
    rows = np.zeros((0, width), dtype=np.int64)
    size = max(1, min(BLOCK, MOST_BLOCK // max(1, width)))
    for start in range(0, min(allowed, len(others)), size):
        block = others[start : min(start + size, allowed)]
        new = np.zeros((len(block), width), dtype=np.int64)
        for row, number in enumerate(block):
            value, gradient = value_and_gradient(equations[number], covariance, at.prime, constant)
            check(value, str(equations[number]))
            for pair, derivative in gradient:
                if pair in columns:
                    column = place[columns[pair]]
                    new[row, column] = (new[row, column] + derivative) % at.prime
        together = np.vstack([rows, new])
        first = rank_mod(together.T.copy(), at.prime).columns  # the first ones that are independent
        kept = [([*kept, *block])[column] for column in first]
        rows = together[list(first)]
    looked_at = len(equations) if allowed >= len(others) else others[allowed]
    return Independent(tuple(sorted([*single, *kept])), looked_at)


def is_single(equation: Equation) -> bool:
    """Whether an equation says that one coordinate is zero."""
    return equation.kind in ("zero", "zero mean")


def pair_of(equation: Equation, constant: int) -> tuple[int, int]:
    """The coordinate that is zero, by places of variables; 1 is the one after the last."""
    return (equation.rows[0], constant) if equation.kind == "zero mean" else (equation.rows[0], equation.rows[1])


def check(value: int, text: str) -> None:
    """Raise if an equation has another value than zero."""
    if value:
        raise RuntimeError(f"an equation does not vanish on the model: {text}")


def value_and_gradient(
    equation: Equation, covariance: Sequence[Sequence[int]], prime: int, constant: int
) -> tuple[int, list[tuple[tuple[int, int], int]]]:
    """The value of an equation modulo a prime, and its derivatives by pairs of variables (1 is the one after the last).

    Where a coefficient in a kernel has no value, nothing is claimed: 0, and no derivatives.
    """
    if equation.kind == "zero mean":
        return 0, [((equation.rows[0], constant), 1)]
    if equation.kernel is not None:
        try:
            return kernel_value(equation.kernel, covariance, prime)
        except ZeroDivisionError:
            return 0, []
    if equation.terms:
        total = 0
        gradient = []
        for factor, pairs in equation.terms:
            values = [covariance[i][j] for i, j in pairs]
            total += factor * product(values, prime)
            gradient += [(pair, factor * product(values[:k] + values[k + 1 :], prime)) for k, pair in enumerate(pairs)]
        return total % prime, gradient
    matrix = [[covariance[i][j] for j in equation.columns] for i in equation.rows]
    derivatives = [
        ((i, j), (-1) ** (r + c) * determinant(without(matrix, r, c), prime))
        for r, i in enumerate(equation.rows)
        for c, j in enumerate(equation.columns)
    ]
    return determinant(matrix, prime), derivatives


def product(values: Iterable[int], prime: int) -> int:
    """A product modulo a prime."""
    result = 1
    for value in values:
        result = result * value % prime
    return result


def without(matrix: Sequence[Sequence[int]], row: int, column: int) -> list[list[int]]:
    """A matrix without a row and a column.

    >>> without([[1, 2], [3, 4]], 0, 1)
    [[3]]
    """
    return [[x for c, x in enumerate(line) if c != column] for r, line in enumerate(matrix) if r != row]


def determinant(matrix: Sequence[Sequence[int]], prime: int) -> int:
    """The determinant of a small matrix modulo a prime.

    >>> determinant([[1, 2], [3, 4]], 101)
    99
    """
    rows = [list(row) for row in matrix]
    result = 1
    for column in range(len(rows)):
        pivot = next((r for r in range(column, len(rows)) if rows[r][column] % prime), None)
        if pivot is None:
            return 0
        if pivot != column:
            rows[column], rows[pivot] = rows[pivot], rows[column]
            result = -result
        result = result * rows[column][column] % prime
        inverse = pow(rows[column][column], -1, prime)
        for row in rows[column + 1 :]:
            factor = row[column] * inverse % prime
            row[column:] = [(x - factor * y) % prime for x, y in zip(row[column:], rows[column][column:], strict=True)]
    return result % prime
