"""Symmetric matrices of fractions: whether they are positive definite."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Square = list[list[Fraction]]


def first_bad_minor(matrix: Sequence[Sequence[Fraction]]) -> int | None:
    """The number of the first leading minor that is not positive; ``None`` of a positive definite matrix.

    >>> first_bad_minor([[Fraction(1), Fraction(2)], [Fraction(2), Fraction(1)]])
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


def lessened(matrix: Square, share: Fraction) -> Square:
    """A matrix whose diagonal is less by a share."""
    return [[value * (1 - share) if i == j else value for j, value in enumerate(row)] for i, row in enumerate(matrix)]


def without(matrix: Square, left_out: set[int]) -> Square:
    """A matrix without some rows and the columns of the same numbers."""
    kept = [number for number in range(len(matrix)) if number not in left_out]
    return [[matrix[i][j] for j in kept] for i in kept]


def is_covariance(matrix: Square) -> bool:
    """Whether a matrix is positive definite once variables of variance 0, which are constants, are left out.

    >>> is_covariance([[Fraction(0), Fraction(0)], [Fraction(0), Fraction(1)]])
    True
    """
    return first_bad_minor(without(matrix, {i for i, row in enumerate(matrix) if not any(row)})) is None
