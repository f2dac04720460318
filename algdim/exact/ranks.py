"""Ranks of dense matrices modulo a prime and over the rationals: the methods, the choice among them, and one way in."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from math import prod
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from algdim.errors import InputError, join_names
from algdim.exact.arithmetic import Residues
from algdim.exact.blas import BLAS_PRIME_LIMIT, invert, iterate_row_runs, rank_by_blas
from algdim.exact.draws import open_stream
from algdim.exact.elimination import Rank, reduce_rows_mod
from algdim.exact.flint import (
    BY_HAND,
    PRIME_LIMIT,
    convert_to_residues,
    find_kernels,
    is_loaded,
    rank_by_flint,
    rank_of_integers,
    rank_of_integers_mod,
    reduce_few_rows,
    scale_to_integers,
)
from algdim.exact.primes import draw_prime, is_prime
from algdim.limits import check_time

__all__ = [
    "METHODS",
    "Rank",
    "both_kernels",
    "choose",
    "compute_kernel",
    "invert_minor",
    "rank_mod",
    "rank_rational",
    "reduce_first_rows",
]

EXACT_FLOAT = float(1 << 53)
ROWS_PRIME_LIMIT = 1 << 31
SMALL = 1000
"""With fewer entries FLINT is faster, even where they are converted one by one (``make bench``)."""
SHORT, NARROW = 125, 200
"""With fewer rows and columns than these FLINT alone is faster, where it takes arrays (``make bench``)."""


class Method(Protocol):
    """Find the rank of a matrix of integers modulo a prime; none needs to be found beyond ``stop_at``."""

    def __call__(
        self, matrix: npt.NDArray[Any], prime: int, stop_at: int | None = None, *, overwrite: bool = False
    ) -> Rank:
        """Return the rank with the rows and columns of a minor that shows it."""


is_known_prime = lru_cache(1 << 6)(is_prime)
"""Many ranks are taken modulo few primes."""


def rank_by_the_book(
    matrix: npt.NDArray[Any],
    prime: int,
    stop_at: int | None = None,  # noqa: ARG001 (one signature for all methods)
    *,
    overwrite: bool = False,  # noqa: ARG001 (the same)
) -> Rank:
    """Rank by the elimination that is written to be read."""
    return reduce_rows_mod(matrix.tolist(), prime).rank


def rank_by_rows(
    matrix: npt.NDArray[Any],
    prime: int,
    stop_at: int | None = None,  # noqa: ARG001 (one signature for all methods)
    *,
    overwrite: bool = False,  # noqa: ARG001 (the same)
) -> Rank:
    """The same modulo a prime below 2^31, all rows at a time: for few rows and columns."""
    work = np.remainder(matrix.astype(np.int64), prime)
    origin = list(range(len(work)))
    columns: list[int] = []
    for column in range(work.shape[1]):
        top = len(columns)
        found = work[top:, column].nonzero()[0]
        if not found.size:
            continue
        if found[0]:
            # the others keep their order, so that the rows chosen are the first independent ones
            place = top + int(found[0])
            work[top : place + 1] = work[[place, *range(top, place)]]
            origin.insert(top, origin.pop(place))
        factors = work[top + 1 :, column] * pow(int(work[top, column]), -1, prime) % prime
        work[top + 1 :] = (work[top + 1 :] - factors[:, None] * work[top]) % prime
        columns.append(column)
    return Rank(len(columns), tuple(sorted(origin[: len(columns)])), tuple(columns))


METHODS: dict[str, Method] = {
    "readable": rank_by_the_book,
    "rows": rank_by_rows,
    "flint": rank_by_flint,
    "blas": rank_by_blas,
}


def choose(shape: tuple[int, ...], prime: int) -> str:
    """Choose the method that is fastest for a shape and a prime.

    >>> choose((1000, 10), 8388593), choose((1000, 10), 2**61 - 1), choose((20, 10), 8388593)
    ('blas', 'flint', 'flint')
    """
    if prime >= BLAS_PRIME_LIMIT or prod(shape) < SMALL:
        return "flint"
    return "flint" if shape[0] < SHORT and shape[1] < NARROW and is_loaded() else "blas"  # both find the same minor


def rank_mod(
    matrix: npt.NDArray[Any],
    prime: int,
    *,
    method: str = "auto",
    stop_at: int | None = None,
    overwrite: bool = False,
    computed: bool = False,
) -> Rank:
    """Rank of a matrix of integers modulo a prime, with the rows and columns of a minor that shows it.

    The entries are integers in int64, uint64 or float64, reduced or not. With ``stop_at``, a bound that the rank is
    known not to exceed, the search ends when it is reached. A matrix that may be overwritten need not be copied. Of one that
    `Residues` with a prime of its own has ``computed`` neither entries nor prime are looked at again.

    >>> rank_mod(np.array([[1, 2], [3, 6], [0, 1]]), 5)
    Rank(value=2, rows=(0, 2), columns=(0, 1))
    """
    check_time()
    if not computed:
        check_matrix(matrix)
        if not 2 <= prime < PRIME_LIMIT or not is_known_prime(int(prime)):
            raise InputError(f"the modulus {prime} is not a prime below 2^63")
    if method == "auto":
        is_small = (
            prime < ROWS_PRIME_LIMIT and matrix.size < SMALL and BY_HAND.is_enough(matrix.size * min(matrix.shape))
        )
        method = "rows" if is_small else choose(matrix.shape, prime)
    if method not in METHODS:
        raise InputError(f"there is no method {method!r} for ranks; known are {join_names(['auto', *METHODS])}")
    limit = {"blas": BLAS_PRIME_LIMIT, "rows": ROWS_PRIME_LIMIT}.get(method, PRIME_LIMIT)
    if prime >= limit:
        raise InputError(
            f"the method {method} cannot work modulo {prime}; it allows primes below 2^{limit.bit_length() - 1}, flint all below 2^63"
        )
    if method == "flint" and not computed:
        matrix = convert_to_residues(matrix, int(prime))
    return METHODS[method](matrix, int(prime), stop_at, overwrite=overwrite)


def invert_minor(matrix: npt.NDArray[np.float64], rank: Rank, prime: int) -> npt.NDArray[np.float64]:
    """The inverse modulo a prime below 2^23 of the minor that shows the rank, of balanced residues."""
    inverse = invert(matrix[np.ix_(rank.rows, rank.columns)], prime)
    if inverse is None:
        raise RuntimeError(f"the minor that is to show the rank {rank.value} is singular")
    return inverse


def reduce_first_rows(
    matrix: npt.NDArray[np.float64], prime: int, most: int
) -> tuple[tuple[int, ...], npt.NDArray[np.float64]]:
    """The reduced row echelon form of the first independent rows, as many as are wanted, modulo a prime below 2^23; its pivots before it.

    >>> pivots, rows = reduce_first_rows(np.array([[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], [1.0, 2.0, 3.0]]), 101, 2)
    >>> pivots, rows.tolist()
    ((0, 2), [[1.0, 2.0, 0.0], [0.0, 0.0, 1.0]])
    """
    are_few = choose(matrix.shape, prime) == "flint" and is_loaded()
    if are_few:
        pivots, reduced = reduce_few_rows(matrix, prime)
        if len(pivots) <= most:
            return pivots, reduced
    found = rank_mod(matrix, prime, computed=True)
    chosen = matrix[list(found.rows[:most])]
    if are_few or not len(chosen):
        return reduce_few_rows(chosen, prime) if len(chosen) else ((), chosen)
    columns = found.columns if len(chosen) == found.value else rank_mod(chosen, prime, computed=True).columns
    inverse = invert_minor(chosen, Rank(len(chosen), tuple(range(len(chosen))), columns), prime)
    return columns, Residues(prime).matmul(inverse, chosen)


def compute_kernel(
    matrix: npt.NDArray[np.float64], rank: Rank, prime: int, inverse: npt.NDArray[np.float64] | None = None
) -> npt.NDArray[np.float64]:
    """A basis of the right kernel modulo a prime below 2^23, as rows of balanced residues, of a matrix with this rank.

    The inverse of the minor that shows the rank need not be found again where it is known.

    >>> matrix = np.array([[1.0, 2.0, 0.0]])
    >>> compute_kernel(matrix, rank_mod(matrix, 101), 101).astype(int).tolist()
    [[-2, 1, 0], [0, 0, 1]]
    """
    width = matrix.shape[1]
    rest = sorted(set(range(width)) - set(rank.columns))
    basis = np.zeros((len(rest), width))
    basis[np.arange(len(rest)), rest] = 1
    if rank.value and rest:
        others = matrix[np.ix_(rank.rows, rest)]
        inverse = invert_minor(matrix, rank, prime) if inverse is None else inverse
        basis[:, rank.columns] = -Residues(prime).matmul(inverse, others).T
    return basis


def check_matrix(matrix: npt.NDArray[Any]) -> None:
    """Raise unless it is a matrix of exact integers."""
    if not isinstance(matrix, np.ndarray) or matrix.ndim != 2 or matrix.dtype not in (np.float64, np.int64, np.uint64):
        given = (
            f"{matrix.ndim}-dimensional array of {matrix.dtype}"
            if isinstance(matrix, np.ndarray)
            else type(matrix).__name__
        )
        raise InputError(f"a rank is asked of a {given}; a 2-dimensional array of int64, uint64 or float64 is allowed")
    if matrix.dtype == np.float64 and matrix.size:
        low, high = matrix.min(), matrix.max()
        are_integers = ((matrix[rows] == np.rint(matrix[rows])).all() for rows in iterate_row_runs(matrix))
        if not (-EXACT_FLOAT <= low and high <= EXACT_FLOAT) or not all(are_integers):
            raise InputError(
                "a rank is asked of floats that are not integers, or beyond 2^53; exact integers are allowed"
            )


def rank_rational(matrix: Sequence[Sequence[Any]] | npt.NDArray[Any]) -> Rank:
    """Rank over the rationals of a matrix of integers and fractions, with the rows and columns of a minor that shows it.

    A minor that does not vanish modulo a prime does not vanish, so a prime that shows the full rank finds it.

    >>> rank_rational([[1, 2], [2, 4], [0, 3]])
    Rank(value=2, rows=(0, 2), columns=(0, 1))
    """
    rows = [list(row) for row in matrix]
    if any(len(row) != len(rows[0]) for row in rows):
        raise InputError("the rows of the matrix differ in length; all must have as many entries")
    cleared = scale_to_integers(rows)
    value: int | None = None
    for attempt in count():
        check_time()
        found = rank_of_integers_mod(cleared, draw_prime(open_stream(0, "rational rank", attempt), 61))
        if found.value == (min(len(rows), len(rows[0])) if rows else 0):
            return found
        value = rank_of_integers(cleared) if value is None else value
        if found.value == value:
            return found
    raise AssertionError  # the count does not end


def both_kernels(matrix: npt.NDArray[Any], most: int, prime: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]] | None:
    """Bases of the left and the right kernel, as rows, if the rank of the residues is ``most`` and neither kernel is zero."""
    if min(matrix.shape) <= most:
        return None
    if choose(matrix.shape, prime) == "flint" and prime < BLAS_PRIME_LIMIT and "flint" in sys.modules:
        value, *kernels = find_kernels(matrix, prime)
        check_most(value, most)
        return None if value < most or most == 0 else (kernels[0], kernels[1])
    rank = rank_mod(matrix, prime, stop_at=most + 1)
    check_most(rank.value, most)
    if rank.value < most or most == 0:
        return None
    turned, inverse = Rank(rank.value, rank.columns, rank.rows), invert_minor(matrix, rank, prime)
    return compute_kernel(matrix.T, turned, prime, inverse.T), compute_kernel(matrix, rank, prime, inverse)


def check_most(value: int, most: int) -> None:
    """Raise if a rank is greater than it can be."""
    if value > most:
        raise RuntimeError(f"a matrix of rank at most {most} on the model has rank {value} at a point of it")
