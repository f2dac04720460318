"""Exact linear algebra over the rationals: sparse rows, positive definite matrices, fractions from their residues."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any

Number = int | Fraction

MOST_EQUATIONS = 1 << 26
"""Nothing is sought where the equations, times the columns, exceed this."""


def find_vanishing(columns: Sequence[Mapping[Any, Number]]) -> list[dict[int, Fraction]]:
    """A basis of the combinations of sparse columns that vanish.

    >>> find_vanishing([{"x": 1}, {"x": 2, "y": 1}, {"x": 2}])
    [{0: Fraction(1, 1), 2: Fraction(-1, 2)}]
    """
    rows: dict[Any, dict[int, Number]] = defaultdict(dict)
    for number, column in enumerate(columns):
        for row, value in column.items():
            rows[row][number] = value
    left = find_possible(columns, rows)
    shortened = ({number: value for number, value in row.items() if number in left} for row in rows.values())
    equations = {tuple(normalise_row(row).items()): None for row in shortened if row}
    if len(equations) * len(left) > MOST_EQUATIONS:
        return []
    pivots = solve_equations([dict(equation) for equation in equations])
    basis = []
    for free in sorted(left - pivots.keys()):
        vector = {free: Fraction(1)} | {pivot: -row[free] for pivot, row in pivots.items() if free in row}
        basis.append(dict(sorted(vector.items())))
    return basis


def find_possible(columns: Sequence[Mapping[Any, Number]], rows: Mapping[Any, Mapping[int, Number]]) -> set[int]:
    """Repeatedly drop columns that are the only entry of some row; return the rest."""
    members = {row: set(entries) for row, entries in rows.items()}
    left = set(range(len(columns)))
    waiting = [row for row, entries in members.items() if len(entries) == 1]
    while waiting:
        for number in list(members[waiting.pop()]):
            left.discard(number)
            for row in columns[number]:
                members[row].discard(number)
                if len(members[row]) == 1:
                    waiting.append(row)
    return left


def normalise_row(row: dict[int, Number]) -> dict[int, Fraction]:
    """The row, in order, divided by its first entry."""
    ordered = sorted(row.items())
    return {number: Fraction(value) / ordered[0][1] for number, value in ordered}


def solve_equations(equations: Iterable[dict[int, Fraction]]) -> dict[int, dict[int, Fraction]]:
    """The reduced equations, each by its pivot, which has the entry 1 there and occurs in no other; short ones first."""
    pivots: dict[int, dict[int, Fraction]] = {}
    within: dict[int, set[int]] = defaultdict(set)  # the pivots of the equations in which a column occurs
    for equation in sorted(equations, key=len):
        for pivot in [number for number in equation if number in pivots]:
            subtract_multiple(equation, pivots[pivot], equation[pivot])
        if not equation:
            continue
        last = max(equation)
        new = {number: value / equation[last] for number, value in equation.items()}
        for pivot in list(within[last]):
            before = set(pivots[pivot])
            subtract_multiple(pivots[pivot], new, pivots[pivot][last])
            after = set(pivots[pivot])
            for number in before - after:
                within[number].discard(pivot)
            for number in after - before:
                within[number].add(pivot)
        pivots[last] = new
        for number in new:
            within[number].add(last)
    return pivots


def subtract_multiple(row: dict[int, Fraction], other: Mapping[int, Fraction], factor: Fraction) -> None:
    """Subtract a multiple of another row, in place."""
    for number, value in other.items():
        difference = row.get(number, Fraction(0)) - factor * value
        if difference:
            row[number] = difference
        else:
            row.pop(number, None)


Square = list[list[Fraction]]


def find_bad_minor(matrix: Sequence[Sequence[Fraction]]) -> int | None:
    """The number of the first leading minor that is not positive; ``None`` of a positive definite matrix.

    >>> find_bad_minor([[Fraction(1), Fraction(2)], [Fraction(2), Fraction(1)]])
    1
    """
    rows = [list(row) for row in matrix]
    for number, row in enumerate(rows):
        if row[number] <= 0:
            return number
        for other in rows[number + 1 :]:
            factor = other[number] / row[number]
            if factor:
                other[number:] = [x - factor * y for x, y in zip(other[number:], row[number:], strict=True)]
    return None


def reduce_diagonal(matrix: Square, share: Fraction) -> Square:
    """A matrix whose diagonal is less by a share."""
    return [[value * (1 - share) if i == j else value for j, value in enumerate(row)] for i, row in enumerate(matrix)]


def drop_rows_and_columns(matrix: Square, left_out: set[int]) -> Square:
    """A matrix without some rows and the columns of the same numbers."""
    kept = [number for number in range(len(matrix)) if number not in left_out]
    return [[matrix[i][j] for j in kept] for i in kept]


def is_covariance(matrix: Square) -> bool:
    """Whether a matrix is positive definite once variables of variance 0, which are constants, are left out.

    >>> is_covariance([[Fraction(0), Fraction(0)], [Fraction(0), Fraction(1)]])
    True
    """
    return find_bad_minor(drop_rows_and_columns(matrix, {i for i, row in enumerate(matrix) if not any(row)})) is None


def find_small_fraction(residue: int, prime: int) -> Fraction | None:
    """The fraction with numerator and denominator up to √(p/2) that a residue stands for, if there is one.

    There are never two: it is found among the remainders of Euclid's algorithm.

    >>> find_small_fraction(pow(2, -1, 101), 101), find_small_fraction(100, 101)
    (Fraction(1, 2), Fraction(-1, 1))
    """
    most = isqrt(prime // 2)
    before, now, s, t = prime, residue % prime, 0, 1
    while now > most:
        quotient = before // now
        before, now, s, t = now, before - quotient * now, t, s - quotient * t
    return Fraction(now, t) if abs(t) <= most else None
