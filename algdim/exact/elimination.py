"""Gaussian elimination, written to be read: the oracle for the fast methods, and what ``explain`` shows.

It works over any field whose numbers are Python's. `algdim.exact.flint` and `algdim.exact.blas` do the same faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from algdim.errors import InputError


class Rank(NamedTuple):
    """The rank of a matrix, with the rows and columns of a minor that shows it."""

    value: int
    rows: tuple[int, ...]
    columns: tuple[int, ...]


class Field(NamedTuple):
    """What elimination asks of numbers beside + − ×: to come into the field, and to be inverted."""

    element: Callable[[Any], Any]
    inverse: Callable[[Any], Any]


class Reduced(NamedTuple):
    """A matrix in reduced row echelon form.

    ``pivots`` are the places (row, column) of the leading ones. ``rows`` are the first independent rows of the matrix
    that was given; together with the pivots' columns they show the rank.
    """

    matrix: tuple[tuple[Any, ...], ...]
    pivots: tuple[tuple[int, int], ...]
    rows: tuple[int, ...]

    @property
    def rank(self) -> Rank:
        """The rank of the matrix that was given."""
        return Rank(len(self.pivots), self.rows, tuple(column for _, column in self.pivots))


def convert_to_fraction(value: Any) -> Fraction:
    """Turn an exact number into a fraction; a float is refused."""
    if isinstance(value, float):
        raise InputError(f"{value!r} is a float; an integer or a fraction is allowed")
    if hasattr(value, "p") and hasattr(value, "q"):  # flint.fmpq
        return Fraction(int(value.p), int(value.q))
    return (
        Fraction(int(value))
        if not hasattr(value, "numerator")
        else Fraction(int(value.numerator), int(value.denominator))
    )


def convert_to_fractions(values: Iterable[Any]) -> list[Fraction]:
    """Turn many exact numbers into fractions; none of them is FLINT's."""
    return [Fraction(int(value.numerator), int(value.denominator)) for value in values]


RATIONALS = Field(element=convert_to_fraction, inverse=lambda value: 1 / value)


def make_prime_field(prime: int) -> Field:
    """The integers modulo a prime, written 0 … prime − 1."""
    return Field(element=lambda value: int(value) % prime, inverse=lambda value: pow(value, -1, prime))


def reduce_rows(rows: Sequence[Sequence[Any]], field: Field = RATIONALS) -> Reduced:
    """Bring a matrix into reduced row echelon form, as Mathematica's RowReduce does (GHM96 §5).

    >>> reduce_rows([[0, 2, 4], [1, 1, 1], [1, 3, 5]]).pivots
    ((0, 0), (1, 1))
    >>> reduce_rows([[2, 1], [4, 2]]).matrix
    ((Fraction(1, 1), Fraction(1, 2)), (Fraction(0, 1), Fraction(0, 1)))
    """
    matrix = [[field.element(value) for value in row] for row in rows]
    width = len(matrix[0]) if matrix else 0
    if any(len(row) != width for row in matrix):
        raise InputError(
            f"the rows have {min(map(len, matrix))} to {max(map(len, matrix))} entries; all must have as many"
        )
    origin = list(range(len(matrix)))
    pivots: list[tuple[int, int]] = []
    for column in range(width):
        top = len(pivots)
        found = next((row for row in range(top, len(matrix)) if matrix[row][column] != 0), None)
        if found is None:
            continue
        # the others keep their order, so that the rows chosen are the first independent ones
        matrix.insert(top, matrix.pop(found))
        origin.insert(top, origin.pop(found))
        scale(matrix, top, field.inverse(matrix[top][column]), field)
        for row in range(len(matrix)):
            if row != top and matrix[row][column] != 0:
                subtract_row(matrix, row, matrix[row][column], top, field)
        pivots.append((top, column))
    return Reduced(tuple(map(tuple, matrix)), tuple(pivots), tuple(sorted(origin[: len(pivots)])))


def scale(matrix: list[list[Any]], row: int, factor: Any, field: Field) -> None:
    """Multiply a row by a factor, in place."""
    matrix[row] = [field.element(factor * value) for value in matrix[row]]


def subtract_row(matrix: list[list[Any]], row: int, factor: Any, pivot: int, field: Field) -> None:
    """Subtract a multiple of the pivot row from a row, in place."""
    matrix[row] = [
        field.element(value - factor * above) for value, above in zip(matrix[row], matrix[pivot], strict=True)
    ]


def reduce_rows_mod(rows: Sequence[Sequence[Any]], prime: int) -> Reduced:
    """Bring a matrix of integers into reduced row echelon form modulo a prime.

    >>> reduce_rows_mod([[1, 2], [3, 1]], 5).matrix
    ((1, 2), (0, 0))
    """
    return reduce_rows(rows, make_prime_field(prime))
