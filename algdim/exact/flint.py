"""Elimination by FLINT: ranks modulo any prime below 2^63, ranks and reduced forms over the rationals.

There is no way from an array to FLINT but through Python integers, which for a dense matrix of a few hundred rows
takes longer than the elimination; hence `algdim.exact.blas`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm, remainder
from typing import Any

import numpy as np
import numpy.typing as npt

from algdim.exact.elimination import Rank, Reduced, convert_to_fraction

PRIME_LIMIT = 1 << 63


def rank_by_flint(
    matrix: npt.NDArray[Any],
    prime: int,
    stop_at: int | None = None,  # noqa: ARG001 (one signature for all methods)
    *,
    overwrite: bool = False,  # noqa: ARG001 (the same)
) -> Rank:
    """Rank modulo a prime below 2^63; the rows and columns are the first independent ones."""
    import flint

    height, width = matrix.shape
    entries = np.asarray(matrix, dtype=matrix.dtype if matrix.dtype.kind in "iu" else np.int64)
    # by way of integers of any size: a third faster than straight into residues
    residues = flint.nmod_mat(flint.fmpz_mat(height, width, entries.ravel().tolist()), prime)
    columns = find_independent_columns(residues)
    full = len(columns) == height
    return Rank(len(columns), tuple(range(height)) if full else find_independent_columns(residues.transpose()), columns)


def find_independent_columns(matrix: Any) -> tuple[int, ...]:
    """The first independent columns of a matrix of FLINT's over a field."""
    reduced, rank = matrix.rref()
    return find_pivots(reduced, rank)


def find_kernels(matrix: npt.NDArray[Any], prime: int) -> tuple[int, npt.NDArray[Any], npt.NDArray[Any]]:
    """The rank modulo a prime, and bases of the left and the right kernel as rows of balanced residues.

    >>> value, left, right = find_kernels(np.array([[1, 2], [3, 6]]), 101)
    >>> value, left.tolist(), right.tolist()
    (1, [[-3.0, 1.0]], [[-2.0, 1.0]])
    """
    import flint

    height, width = matrix.shape
    residues = flint.nmod_mat(flint.fmpz_mat(height, width, matrix.astype(np.int64).ravel().tolist()), prime)
    (value, right), (_, left) = (find_kernel(one, prime) for one in (residues, residues.transpose()))
    return value, left, right


def find_kernel(matrix: Any, prime: int) -> tuple[int, npt.NDArray[np.float64]]:
    """The rank of a matrix of FLINT's over a prime field, and a basis of its right kernel: the identity at the dependent columns."""
    reduced, rank = matrix.rref()
    columns, width = find_pivots(reduced, rank), reduced.ncols()
    rest = sorted(set(range(width)).difference(columns))
    basis = np.zeros((len(rest), width))
    for number, place in enumerate(rest):
        basis[number, place] = 1
        for row, column in enumerate(columns):
            basis[number, column] = -remainder(int(reduced[row, place]), prime)
    return rank, basis


def find_relations(matrix: npt.NDArray[np.int64], prime: int) -> npt.NDArray[np.int64]:
    """For each row that depends on those before it the relation with 1 there and other coefficients at independent rows only.

    >>> find_relations(np.array([[1, 2], [2, 4], [0, 1], [1, 0]]), 7).tolist()
    [[5, 1, 0, 0], [6, 0, 2, 1]]
    """
    import flint

    height, width = matrix.shape
    turned = flint.nmod_mat(flint.fmpz_mat(width, height, matrix.T.ravel().tolist()), prime)
    reduced, rank = turned.rref()
    known = find_pivots(reduced, rank)
    rest = [row for row in range(height) if row not in set(known)]
    found = np.zeros((len(rest), height), dtype=np.int64)
    for line, row in zip(found, rest, strict=True):
        line[row] = 1
        for number, column in enumerate(known):
            line[column] = -int(reduced[number, row]) % prime
    return found


def find_pivots(reduced: Any, rank: int) -> tuple[int, ...]:
    """The columns of the leading entries of a matrix in row echelon form."""
    columns: list[int] = []
    column = 0
    while len(columns) < rank:
        if reduced[len(columns), column] != 0:
            columns.append(column)
        column += 1
    return tuple(columns)


def estimate_reduced_rows(rows: Sequence[Sequence[Any]]) -> int:
    """How many bytes the reduced row echelon form may take: its entries are quotients of minors, which Hadamard bounds.

    >>> estimate_reduced_rows([[1, 0], [0, 1]]), estimate_reduced_rows([[Fraction(1, 2), 3, 5]]) > 0
    (0, True)
    """
    cleared = scale_to_integers(rows)
    rank = rank_of_integers_mod(cleared, REDUCTION_PRIME).value
    norms = sorted((sum(int(value) ** 2 for value in row).bit_length() / 2 for row in cleared), reverse=True)
    width = len(cleared[0]) if cleared else 0
    bits = sum(norms[:rank])
    # numerators and denominators, once more as fractions of Python
    return int(rank * (width - rank) * COPIES_OF_FRACTIONS * bits / 8)


REDUCTION_PRIME = (1 << 61) - 1
"""Shows the rank that a reduction will have, but for rare cases, in which it is greater."""
COPIES_OF_FRACTIONS = 4


def reduce_rows_by_flint(rows: Sequence[Sequence[Any]]) -> Reduced:
    """Bring a rational matrix into reduced row echelon form, the same as `algdim.exact.elimination.reduce_rows`."""
    height, width = len(rows), len(rows[0]) if len(rows) else 0
    matrix = make_fraction_matrix(rows, height, width)
    reduced, rank = matrix.rref()
    columns = find_pivots(reduced, rank)
    table = tuple([tuple([Fraction(int(value.p), int(value.q)) for value in row]) for row in reduced.tolist()])
    return Reduced(table, tuple(enumerate(columns)), find_independent_columns(matrix.transpose()))


def solve_integers(matrix: Sequence[int], right: Sequence[int]) -> list[Fraction]:
    """The rational solution of a square system of integers, given row by row; ``ZeroDivisionError`` if it is singular.

    >>> solve_integers([1, 1, 0, 2], [3, 5])
    [Fraction(1, 2), Fraction(5, 2)]
    """
    import flint

    size = len(right)
    solved = flint.fmpz_mat(size, size, matrix).solve(flint.fmpz_mat(size, 1, right))
    return [Fraction(int(value.p), int(value.q)) for value in solved.entries()]


def compute_determinant(matrix: Sequence[Sequence[Any]]) -> Fraction:
    """The determinant over the rationals.

    >>> compute_determinant([[1, 2], [3, Fraction(1, 2)]])
    Fraction(-11, 2)
    """
    return convert_to_fraction(make_fraction_matrix(matrix, len(matrix), len(matrix)).det())


def make_fraction_matrix(rows: Sequence[Sequence[Any]], height: int, width: int) -> Any:
    """A rational matrix of FLINT's."""
    import flint

    return flint.fmpq_mat(height, width, list_flint_fractions([value for row in rows for value in row]))


def list_flint_fractions(values: Sequence[Any]) -> list[Any]:
    """Exact numbers of any kind as FLINT's; a float is refused."""
    from flint import fmpq

    try:
        return [fmpq(int(value.numerator), int(value.denominator)) for value in values]
    except AttributeError:  # floats have no numerator, FLINT's own fractions call it otherwise
        exact = map(convert_to_fraction, values)
        return [fmpq(value.numerator, value.denominator) for value in exact]


def scale_to_integers(rows: Sequence[Sequence[Any]]) -> list[list[int]]:
    """Multiply each row by its least common denominator.

    >>> scale_to_integers([[Fraction(1, 2), Fraction(1, 3)], [1, 2]])
    [[3, 2], [1, 2]]
    """
    cleared: list[list[int]] = []
    for row in rows:
        fractions = [convert_to_fraction(value) for value in row]
        common = lcm(*(value.denominator for value in fractions))
        cleared.append([value.numerator * (common // value.denominator) for value in fractions])
    return cleared


def rank_of_integers(rows: list[list[int]]) -> int:
    """Rank over the rationals of a matrix of integers."""
    import flint

    return int(flint.fmpz_mat(len(rows), len(rows[0]) if rows else 0, [value for row in rows for value in row]).rank())


def rank_of_integers_mod(rows: list[list[int]], prime: int) -> Rank:
    """Rank modulo a prime of a matrix of integers of any size."""
    width = len(rows[0]) if rows else 0
    residues = np.array([value % prime for row in rows for value in row], dtype=np.int64)
    return rank_by_flint(residues.reshape(len(rows), width), prime)
