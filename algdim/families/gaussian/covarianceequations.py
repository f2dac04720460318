"""Equations between covariances: their form, their values and gradients modulo a prime, which are independent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from algdim.exact.ranks import rank_mod
from algdim.families.gaussian.evaluation import build_structural_equations
from algdim.families.gaussian.map import GaussianMap
from algdim.families.gaussian.minors import map_coordinate_numbers
from algdim.families.gaussian.search import GaussianPoint
from algdim.families.gaussian.verma import KernelEquation, evaluate_kernel
from algdim.maps import find_once
from algdim.models.graphs import Bits
from algdim.trust import Trust

BLOCK = 2000
MOST_TOGETHER = 5
"""Rows of minors of which many are expanded together; larger ones are eliminated one by one."""
MOST_BLOCK = 1 << 22
"""Entries of a matrix of gradients."""
MOST_JACOBIAN = 1 << 24
"""Entries of the Jacobian."""
MOST_RANK_WORK = 1 << 35
"""Equations times coordinates squared: when it is done, it is not looked at which of the others are independent."""

Pairs = tuple[tuple[int, int], ...]
"""A product of covariances."""


@dataclass(frozen=True, slots=True)
class CovarianceEquation:
    """A function that vanishes: a minor with these rows and columns, a sum of products, or a coefficient in a kernel.

    ``because`` are the few words for why it does, which the facts of ``trust`` say in full.
    """

    kind: str
    rows: tuple[int, ...]
    because: str
    trust: Trust
    columns: tuple[int, ...] = ()
    terms: tuple[tuple[int, Pairs], ...] = ()
    cut: Bits = 0
    kernel: KernelEquation | None = None


def expand_pentad(members: tuple[int, ...]) -> tuple[tuple[int, Pairs], ...]:
    """The pentad of five variables: the sum over the 12 cycles through all five, each with the sign of its order.

    >>> len(expand_pentad((0, 1, 2, 3, 4)))
    12
    """
    first, *rest = members
    terms = []
    for order in permutations(rest):
        if order[0] < order[-1]:  # a cycle has two directions
            cycle = (first, *order)
            pairs = tuple(tuple(sorted((cycle[k], cycle[(k + 1) % 5]))) for k in range(5))
            terms.append((compute_sign(order), tuple(sorted((a, b) for a, b in pairs))))
    return tuple(terms)


def compute_sign(order: Sequence[int]) -> int:
    """The sign of a permutation.

    >>> compute_sign([1, 0, 2]), compute_sign([1, 2, 0])
    (-1, 1)
    """
    return -1 if sum(a > b for a, b in combinations(order, 2)) % 2 else 1


class Gradients:
    """Finds the first equations whose gradients at a point are independent, and checks that they vanish there.

    Vanishing covariances and means have unit vectors as gradients: they are independent, and their columns are done. No
    more can be independent than the coordinates less the rank of the Jacobian at the point, whose rows the gradients
    annul; where that is reached, the search ends.
    """

    def __init__(self, gmap: GaussianMap, at: GaussianPoint, singles: Sequence[CovarianceEquation]) -> None:
        self.prime = at.prime
        self.constant = len(gmap.model.variables)
        self.covariance = [[int(value) % at.prime for value in row] for row in at.covariance.tolist()]
        self.matrix = at.covariance.astype(np.int64) % at.prime
        numbers = map_coordinate_numbers(gmap)
        pairs = [find_zero_pair(equation, self.constant) for equation in singles]
        for one, other in pairs:
            value = at.mean[one] if other == self.constant else at.covariance[one, other]
            check(int(value) % at.prime, f"{one}, {other}")
        done = {numbers[pair] for pair in pairs}
        left = {number: place for place, number in enumerate(sorted(set(numbers.values()) - done))}
        self.place = np.full((self.constant + 1, self.constant + 1), -1, dtype=np.int64)
        for pair, number in numbers.items():
            self.place[pair] = left.get(number, -1)
        self.most = gmap.coordinate_count - compute_jacobian_rank(gmap, at) - len(done)
        self.basis: NDArray[np.int64] = np.zeros((0, len(left)), dtype=np.int64)
        self.block = max(1, min(BLOCK, MOST_BLOCK // max(1, len(left))))
        self.work = 0

    @property
    def is_complete(self) -> bool:
        """Whether no further equation can be independent."""
        return len(self.basis) >= self.most

    @property
    def is_exhausted(self) -> bool:
        """Whether the work is done."""
        return self.work >= MOST_RANK_WORK

    def first_new(self, equations: Sequence[CovarianceEquation]) -> tuple[list[int], int]:
        """The numbers of the first equations that are independent of all before, and how many were looked at."""
        found: list[int] = []
        for start in range(0, len(equations), self.block):
            some = equations[start : start + self.block]
            if self.is_complete:
                for equation in some:
                    if equation.kind in ("partial", "kernel"):
                        check(
                            evaluate_with_gradient(equation, self.covariance, self.prime, self.constant)[0],
                            str(equation),
                        )
                continue
            if self.is_exhausted:
                return found, start
            found += [start + number for number in self.extend(self.rows_of(some))]
        return found, len(equations)

    def extend(self, rows: NDArray[np.int64]) -> list[int]:
        """Add those of some gradients that are independent of all before."""
        together = np.vstack([self.basis, rows])
        self.work += together.shape[0] * together.shape[1] * min(together.shape)
        first = rank_mod(together.T.copy(), self.prime).columns  # the first ones that are independent
        new = [column - len(self.basis) for column in first if column >= len(self.basis)]
        self.basis = together[list(first)]
        return new

    def rows_of(self, equations: Sequence[CovarianceEquation]) -> NDArray[np.int64]:
        """The gradients of some equations."""
        result = np.zeros((len(equations), self.basis.shape[1]), dtype=np.int64)
        minors: dict[int, list[int]] = {}
        for row, equation in enumerate(equations):
            if equation.columns and not equation.terms and len(equation.rows) <= MOST_TOGETHER:
                minors.setdefault(len(equation.rows), []).append(row)
                continue
            value, gradient = evaluate_with_gradient(equation, self.covariance, self.prime, self.constant)
            check(value, str(equation))
            for pair, derivative in gradient:
                if (column := self.place[pair]) >= 0:
                    result[row, column] = (result[row, column] + derivative) % self.prime
        for places in minors.values():
            rows = np.array([equations[place].rows for place in places], dtype=np.int64)
            columns = np.array([equations[place].columns for place in places], dtype=np.int64)
            result[places] = self.of_minors(rows, columns)
        return result

    def of_minors(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.int64]:
        """The gradients of minors of one size."""
        check(
            int(compute_many_determinants(self.matrix, rows, columns, self.prime).any()),
            f"a minor of {rows.shape[1]} rows",
        )
        result = np.zeros((len(rows), self.basis.shape[1]), dtype=np.int64)
        every = np.arange(len(rows))
        for row in range(rows.shape[1]):
            for column in range(rows.shape[1]):
                sides = np.delete(rows, row, 1), np.delete(columns, column, 1)
                cofactor = (-1) ** (row + column) * compute_many_determinants(self.matrix, *sides, self.prime)
                place = self.place[rows[:, row], columns[:, column]]
                seen = place >= 0
                result[every[seen], place[seen]] = (result[every[seen], place[seen]] + cofactor[seen]) % self.prime
        return result


def compute_jacobian_rank(gmap: GaussianMap, at: GaussianPoint) -> int:
    """The rank of the Jacobian at a point modulo its prime; 0, which is no more than it, where that is too much work."""
    if not gmap.parameters or gmap.coordinate_count * len(gmap.parameters) > MOST_JACOBIAN:
        return 0

    def rank() -> int:
        equations = build_structural_equations(gmap)
        functionals = equations.all_coordinates()
        jacobian = np.zeros((functionals.count, len(gmap.parameters)))
        vectors = functionals.vectors(at.field, 0, functionals.count)
        equations.at(at.field, at.field.elements(at.values)).derivatives(vectors, jacobian)
        return rank_mod(jacobian, at.prime).value

    return find_once(gmap, ("rank at", at.prime, tuple(at.values.tolist())), rank)


def compute_many_determinants(
    matrix: NDArray[np.int64], rows: NDArray[np.int64], columns: NDArray[np.int64], prime: int
) -> NDArray[np.int64]:
    """Many determinants modulo a prime: those of the first rows and any columns, row by row.

    >>> compute_many_determinants(np.array([[1, 2], [3, 4]]), np.array([[0, 1]]), np.array([[0, 1]]), 101)
    array([99])
    """
    count, size = rows.shape
    if not count:
        return np.zeros(0, dtype=np.int64)
    minors: dict[Bits, NDArray[np.int64]] = {0: np.ones(count, dtype=np.int64)}
    for row in range(size):
        entries = [matrix[rows[:, row], columns[:, column]] for column in range(size)]
        larger: dict[Bits, NDArray[np.int64]] = {}
        for some in combinations(range(size), row + 1):
            total = np.zeros(count, dtype=np.int64)
            mask = sum(1 << column for column in some)
            for place, column in enumerate(some):
                term = entries[column] * minors[mask & ~(1 << column)] % prime
                total = (total + (term if (row + place) % 2 == 0 else -term)) % prime
            larger[mask] = total
        minors = larger
    return minors[(1 << size) - 1]


def find_zero_pair(equation: CovarianceEquation, constant: int) -> tuple[int, int]:
    """The coordinate that is zero, by places of variables; 1 is the one after the last."""
    return (equation.rows[0], constant) if equation.kind == "zero mean" else (equation.rows[0], equation.rows[1])


def check(value: int, text: str) -> None:
    """Raise if an equation has another value than zero."""
    if value:
        raise RuntimeError(f"an equation does not vanish on the model: {text}")


def evaluate_with_gradient(
    equation: CovarianceEquation, covariance: Sequence[Sequence[int]], prime: int, constant: int
) -> tuple[int, list[tuple[tuple[int, int], int]]]:
    """The value of an equation modulo a prime, and its derivatives by pairs of variables (1 is the one after the last).

    Derivatives are those of an equation that vanishes; of a minor up to a common factor. Where a coefficient in a kernel has
    no value, nothing is claimed: 0, and no derivatives.
    """
    if equation.kind == "zero mean":
        return 0, [((equation.rows[0], constant), 1)]
    if equation.kernel is not None:
        try:
            return evaluate_kernel(equation.kernel, covariance, prime)
        except ZeroDivisionError:
            return 0, []
    if equation.terms:
        total = 0
        gradient = []
        for factor, pairs in equation.terms:
            values = [covariance[i][j] for i, j in pairs]
            total += factor * multiply_modulo_prime(values, prime)
            gradient += [
                (pair, factor * multiply_modulo_prime(values[:k] + values[k + 1 :], prime))
                for k, pair in enumerate(pairs)
            ]
        return total % prime, gradient
    matrix = [[covariance[i][j] for j in equation.columns] for i in equation.rows]
    value = compute_small_determinant(matrix, prime)
    if value:
        return value, []
    left, right = (
        find_null_vector([list(column) for column in zip(*matrix, strict=True)], prime),
        find_null_vector(matrix, prime),
    )
    return 0, [
        ((i, j), x * y % prime)
        for i, x in zip(equation.rows, left, strict=True)
        for j, y in zip(equation.columns, right, strict=True)
        if x and y
    ]


def find_null_vector(matrix: Sequence[Sequence[int]], prime: int) -> list[int]:
    """A vector that a square matrix takes to zero modulo a prime, unless there are two that are independent: then zeros.

    >>> find_null_vector([[1, 2], [2, 4]], 101), find_null_vector([[0, 0], [0, 0]], 101)
    ([99, 1], [0, 0])
    """
    rows = [list(row) for row in matrix]
    size, rank, free = len(rows), 0, []
    pivots: list[int] = []
    for column in range(size):
        pivot = next((r for r in range(rank, size) if rows[r][column] % prime), None)
        if pivot is None:
            free.append(column)
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        inverse = pow(rows[rank][column], -1, prime)
        rows[rank] = [entry * inverse % prime for entry in rows[rank]]
        for other in range(size):
            factor = rows[other][column]
            if other != rank and factor:
                rows[other] = [(x - factor * y) % prime for x, y in zip(rows[other], rows[rank], strict=True)]
        pivots.append(column)
        rank += 1
    result = [0] * size
    if len(free) == 1:
        result[free[0]] = 1
        for row, column in enumerate(pivots):
            result[column] = -rows[row][free[0]] % prime
    return result


def multiply_modulo_prime(values: Iterable[int], prime: int) -> int:
    """A product modulo a prime."""
    result = 1
    for value in values:
        result = result * value % prime
    return result


def compute_small_determinant(matrix: Sequence[Sequence[int]], prime: int) -> int:
    """The determinant of a small matrix modulo a prime.

    >>> compute_small_determinant([[1, 2], [3, 4]], 101)
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
