"""Elimination by FLINT: ranks modulo any prime below 2^63, ranks and reduced forms over the rationals.

python-flint takes entries one by one, as Python's integers, which takes longer than the elimination. So arrays go straight into
the memory of FLINT's matrices, through `ctypes`, if a matrix put in at the first time comes out right; else one by one.
"""

from __future__ import annotations

import ctypes
import sys
import weakref
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from math import lcm
from threading import local
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from algdim.exact.arithmetic import reduce
from algdim.exact.elimination import Rank, Reduced, convert_to_fraction

PRIME_LIMIT = 1 << 63

Integers = npt.NDArray[np.int64]
InPlace = Callable[[Any, Any, int], int]
"""What is done with a matrix of FLINT's: given its functions, the header and the number of rows."""

WORTH_LOADING = 1 << 19
"""So many multiplications, all rows at a time, take about as long as it takes to load FLINT."""
FEW = 1 << 10
"""Of so few entries the remainders are taken before it is known whether there is need."""
Header = ctypes.c_uint64 * 16
"""More words than the header of one of FLINT's matrices has; it begins with the place of the entries, then rows and columns."""
SIGN = np.array(63)
"""The bit that says whether a number is negative."""


@dataclass(slots=True)
class ByHand:
    """What was eliminated in this process before FLINT was loaded, in multiplications; without it the same minor is found."""

    work: int = 0

    def is_enough(self, multiplications: int) -> bool:
        """Whether so many more are as well done without FLINT; they are counted."""
        if "flint" in sys.modules:
            return False
        self.work += multiplications
        return self.work <= WORTH_LOADING


BY_HAND = ByHand()


def is_loaded() -> bool:
    """Whether FLINT is loaded and takes arrays."""
    return "flint" in sys.modules and open_library() is not None


@cache
def open_library() -> Any:
    """FLINT as python-flint has loaded it, with what is asked of it; ``None`` where arrays cannot be put into its matrices."""
    from flint.types import nmod_mat

    try:
        library = ctypes.CDLL(nmod_mat.__file__)
        word, place = ctypes.c_int64, ctypes.c_void_p
        library.nmod_mat_init.argtypes, library.nmod_mat_init.restype = (place, word, word, ctypes.c_uint64), None
        library.nmod_mat_clear.argtypes, library.nmod_mat_clear.restype = (place,), None
        library.nmod_mat_set_mod.argtypes, library.nmod_mat_set_mod.restype = (place, ctypes.c_uint64), None
        library.nmod_mat_rref.argtypes, library.nmod_mat_rref.restype = (place,), word
        library.nmod_mat_lu.argtypes, library.nmod_mat_lu.restype = (place, place, ctypes.c_int), word
        for solve in (library.nmod_mat_solve_tril, library.nmod_mat_solve_triu):
            solve.argtypes, solve.restype = (place, place, place, ctypes.c_int), None
    except (OSError, AttributeError):  # linked otherwise, or another FLINT
        return None
    # rows change places here, and one depends on the others
    rows = np.array([[0, 1, 2, 3], [1, 2, 3, 4], [1, 3, 5, 0], [0, 0, 2, 1]])
    known = 3, [[1, 0, 0, 2], [0, 1, 0, 2], [0, 0, 1, 4], [0, 0, 0, 0]]
    rank, reduced = eliminate_in_place(library, rows, 7, reduce_fully)
    if (rank, reduced.tolist()) != known:
        return None
    orders = [eliminate_in_place(library, rows[order], 7, decompose)[0] for order in ([1, 0, 3], [0, 1, 3])]
    moved, decomposed = eliminate_in_place(library, rows, 7, decompose_by_first)
    inverters = [Inverter(library, 2, 7) for _ in range(2)]
    if not all(one.is_known for one in inverters):
        return None
    inverse, none = (one.invert(rows[1:3, columns]) for one, columns in zip(inverters, ([0, 1], [1, 1]), strict=True))
    is_inverse = inverse is not None and inverse.tolist() == [[3, 5], [6, 1]] and none is None
    is_known = orders == [True, False] and moved == ~3 and find_echelon(3, decomposed) == (0, 1, 2) and is_inverse
    return library if is_known else None


class FlintMatrix:
    """A matrix in FLINT's own memory, and an array of the same size from which its entries are moved and to which they are moved back."""

    def __init__(self, library: Any, height: int, width: int, prime: int) -> None:
        self.library, self.header = library, Header()
        library.nmod_mat_init(self.header, height, width, prime)
        # one row behind the other, whatever was done with them
        self.is_known = tuple(self.header[1:4]) == (height, width, width)
        self.entries = np.empty((height, width), dtype=np.int64)
        self.place, self.size = self.entries.ctypes.data, self.entries.nbytes

    def eliminate(self, residues: npt.NDArray[Any], prime: int, work: InPlace) -> int:
        """What a function makes of residues; what it leaves there is in the array."""
        entries = self.entries
        entries[...] = residues
        if residues.dtype.kind == "f":
            entries += (entries >> SIGN) & prime
        ctypes.memmove(self.header[0], self.place, self.size)
        value = work(self.library, self.header, len(residues))
        ctypes.memmove(self.place, self.header[0], self.size)
        return value


class KeptMatrices(local):
    """Small matrices of a thread, by their sizes: to make them anew takes as long as to eliminate them."""

    most: ClassVar[int] = 8

    def __init__(self) -> None:
        self.known: dict[tuple[int, int], FlintMatrix] = {}

    def take(self, library: Any, shape: tuple[int, int], prime: int) -> FlintMatrix:
        """One that nobody else has; it is `put` back when it is no longer used."""
        found = self.known.pop(shape, None)
        if found is None:
            found = FlintMatrix(library, *shape, prime)
            weakref.finalize(found, library.nmod_mat_clear, found.header)
        else:
            library.nmod_mat_set_mod(found.header, prime)
        return found

    def put(self, matrix: FlintMatrix) -> None:
        """Keep it for the next matrix of this size."""
        if len(self.known) >= self.most:
            self.known.clear()
        self.known[matrix.entries.shape] = matrix


KEPT = KeptMatrices()
SMALL = 1 << 12
"""Entries of a matrix whose memory is kept."""


def eliminate_in_place(library: Any, residues: npt.NDArray[Any], prime: int, work: InPlace) -> tuple[int, Integers]:
    """What a function makes of residues, balanced ones or not, in FLINT's own memory, and what it leaves there.

    Nothing if the header is not as it is known.
    """
    if residues.size > SMALL:
        height, width = residues.shape
        matrix = FlintMatrix(library, height, width, prime)
        try:
            return (matrix.eliminate(residues, prime, work) if matrix.is_known else 0), matrix.entries
        finally:
            library.nmod_mat_clear(matrix.header)
    matrix = KEPT.take(library, residues.shape, prime)
    if not matrix.is_known:
        return 0, matrix.entries
    value = matrix.eliminate(residues, prime, work)
    left = matrix.entries.copy()
    KEPT.put(matrix)
    return value, left


def reduce_fully(library: Any, header: Any, height: int) -> int:
    """Bring it into reduced row echelon form; the rank."""
    del height
    return int(library.nmod_mat_rref(header))


def decompose(library: Any, header: Any, height: int) -> bool:
    """Whether it is a product of triangular matrices, without any row having changed its place."""
    first = make_order(height)
    order = type(first).from_buffer_copy(first)
    return bool(library.nmod_mat_lu(order, header, 1) == height and bytes(order) == bytes(first))


def decompose_in_order(library: Any, header: Any, height: int) -> int:
    """Decompose it: the rank, or -1 less the rank where a row has changed its place. The upper triangle is in row echelon form."""
    order = (ctypes.c_int64 * height)()
    rank = int(library.nmod_mat_lu(order, header, 0))
    return rank if bytes(order) == bytes(make_order(height)) else ~rank


def decompose_by_first(library: Any, header: Any, height: int) -> int:
    """The same; -1 less the rank only where rows of the triangle are not the first ones, in whatever order."""
    order = (ctypes.c_int64 * height)()
    rank = int(library.nmod_mat_lu(order, header, 0))
    return rank if max(order[:rank], default=-1) < rank else ~rank


class Inverter:
    """Two matrices in FLINT's memory, for squares of one size modulo one prime: to make them anew takes a fifth of an inversion."""

    def __init__(self, library: Any, size: int, prime: int) -> None:
        self.library, self.size = library, size
        self.headers = [Header() for _ in range(2)]
        for header in self.headers:
            library.nmod_mat_init(header, size, size, prime)
        weakref.finalize(self, clear_matrices, library, self.headers)
        self.is_known = all(tuple(header[1:3]) == (size, size) for header in self.headers)
        if self.is_known:
            memory = [(ctypes.c_int64 * size**2).from_address(header[0]) for header in self.headers]
            self.square, self.inverse = (view_memory(one, size) for one in memory)

    def invert(self, residues: Integers) -> npt.NDArray[np.float64] | None:
        """The inverse, in floats, or ``None`` if a row has to change its place; then this memory is not to be used again."""
        square, inverse = self.headers
        self.square[...] = residues
        if not decompose(self.library, square, self.size):
            return None
        self.inverse[...] = make_identity(self.size)
        self.library.nmod_mat_solve_tril(inverse, square, inverse, 1)
        self.library.nmod_mat_solve_triu(inverse, square, inverse, 0)
        return self.inverse.astype(np.float64)


def view_memory(memory: ctypes.Array[ctypes.c_int64], size: int) -> Integers:
    """Numbers in memory that is not numpy's, as a square."""
    return np.frombuffer(memoryview(memory), np.int64).reshape(size, size)


def clear_matrices(library: Any, headers: Sequence[Any]) -> None:
    """Give memory back to FLINT."""
    for header in headers:
        library.nmod_mat_clear(header)


class Inverters(local):
    """Those of a thread, by size and prime."""

    kept: ClassVar[int] = 8

    def __init__(self) -> None:
        self.known: dict[tuple[int, int], Inverter] = {}

    def take(self, library: Any, size: int, prime: int) -> Inverter:
        """One that nobody else has; it is `put` back after an inversion."""
        return self.known.pop((size, prime), None) or Inverter(library, size, prime)

    def put(self, inverter: Inverter, prime: int) -> None:
        """Keep it for the next inversion."""
        if len(self.known) >= self.kept:
            self.known.clear()
        self.known[inverter.size, prime] = inverter


INVERTERS = Inverters()


@lru_cache(1 << 7)
def make_order(size: int) -> ctypes.Array[ctypes.c_int64]:
    """The rows in their order, which are only read."""
    return (ctypes.c_int64 * size)(*range(size))


@lru_cache(1 << 7)
def make_identity(size: int) -> Integers:
    """The identity, which is only read: squares of few sizes are inverted, again and again."""
    return np.eye(size, dtype=np.int64)


def invert_residues(square: Integers, prime: int) -> npt.NDArray[np.float64] | None:
    """The inverse, in floats, of a square of residues 0 … prime − 1, where arrays go into FLINT's memory; ``None`` if a leading minor is zero."""
    library = open_library() if square.size else None
    if library is None:
        return None
    inverter = INVERTERS.take(library, len(square), prime)
    inverse = inverter.invert(square) if inverter.is_known else None
    if inverse is not None:
        INVERTERS.put(inverter, prime)
    return inverse


def find_columns_in_order(residues: Integers, prime: int) -> tuple[int, ...] | None:
    """The first independent columns, where the first rows are independent, as many, and none has to change its place; else ``None``."""
    library = open_library() if residues.size else None
    if library is None:
        return None
    rank, decomposed = eliminate_in_place(library, residues, prime, decompose_in_order)
    return None if rank < 0 else find_echelon(rank, decomposed)


def has_lu_decomposition(square: Integers, prime: int) -> bool:
    """Whether no leading minor is zero, where arrays go into FLINT's memory; else it is not asked."""
    library = open_library() if square.size else None
    return library is not None and bool(eliminate_in_place(library, square, prime, decompose)[0])


def reduce_residues(residues: npt.NDArray[Any], prime: int) -> tuple[int, Integers]:
    """The rank and the reduced row echelon form of residues 0 … prime − 1, modulo a prime below 2^63.

    >>> rank, reduced = reduce_residues(np.array([[1, 2], [3, 6]]), 101)
    >>> rank, reduced.tolist()
    (1, [[1, 2], [0, 0]])
    """
    library = open_library() if residues.size else None
    if library is not None:
        return eliminate_in_place(library, residues, prime, reduce_fully)
    import flint

    height, width = residues.shape
    # by way of integers of any size: a third faster than straight into residues
    entries = flint.fmpz_mat(height, width, list(map(int, residues.ravel().tolist())))
    reduced, rank = flint.nmod_mat(entries, prime).rref()
    return rank, np.array([int(entry) for entry in reduced.entries()], dtype=np.int64).reshape(height, width)


def convert_to_residues(matrix: npt.NDArray[Any], prime: int) -> Integers:
    """A matrix of integers as residues 0 … prime − 1; of balanced ones only the negative ones change."""
    if matrix.dtype == np.uint64:
        matrix = np.remainder(matrix, np.uint64(prime))
    residues: Integers = matrix.astype(np.int64)
    if residues.size <= FEW or not (-prime <= residues.min() and residues.max() < prime):
        return np.remainder(residues, prime)
    residues += (residues >> 63) & prime
    return residues


def rank_by_flint(
    matrix: npt.NDArray[Any],
    prime: int,
    stop_at: int | None = None,  # noqa: ARG001 (one signature for all methods)
    *,
    overwrite: bool = False,  # noqa: ARG001 (the same)
) -> Rank:
    """Rank modulo a prime below 2^63 of residues, balanced ones or not; the rows and columns are the first independent ones."""
    height, width = matrix.shape
    is_wide = height < width
    first, are_first = find_first_columns(matrix if is_wide else matrix.T, prime)
    if are_first or len(first) == min(height, width):
        other = tuple(range(len(first)))
    else:
        other = list_independent_columns(matrix[:, first].T if is_wide else matrix[list(first)], prime)
    return Rank(len(first), *((other, first) if is_wide else (first, other)))


def list_independent_columns(residues: npt.NDArray[Any], prime: int) -> tuple[int, ...]:
    """The first independent columns.

    >>> list_independent_columns(np.array([[0, 1, 2, 0], [0, 3, 6, 1]]), 101)
    (1, 3)
    """
    return find_first_columns(residues, prime)[0]


def find_first_columns(residues: npt.NDArray[Any], prime: int) -> tuple[tuple[int, ...], bool]:
    """The same, and whether it is known that as many rows, the first ones, are independent: the triangle is made of them.

    Of a matrix that FLINT takes as an array a triangle is enough.
    """
    library = open_library() if residues.size else None
    if library is None:
        return find_pivots(*reduce_residues(residues, prime)), False
    rank, decomposed = eliminate_in_place(library, residues, prime, decompose_by_first)
    return find_echelon(max(rank, ~rank), decomposed), rank >= 0


def find_echelon(rank: int, decomposed: Integers) -> tuple[int, ...]:
    """The pivots of the upper triangle, below which the lower one is."""
    are_leading = all(decomposed.diagonal()[:rank].tolist())
    return tuple(range(rank)) if are_leading else find_pivots(rank, np.triu(decomposed[:rank]))


def find_pivots(rank: int, reduced: Integers) -> tuple[int, ...]:
    """The columns of the leading entries of a matrix in row echelon form, the first independent ones."""
    return tuple((reduced[:rank] != 0).argmax(axis=1).tolist()) if rank else ()


def find_kernels(matrix: npt.NDArray[Any], prime: int) -> tuple[int, npt.NDArray[Any], npt.NDArray[Any]]:
    """The rank modulo a prime of residues, balanced ones or not, and bases of the left and the right kernel as rows of balanced ones.

    >>> value, left, right = find_kernels(np.array([[1, 2], [3, 6]]), 101)
    >>> value, left.tolist(), right.tolist()
    (1, [[-3.0, 1.0]], [[-2.0, 1.0]])
    """
    height, width = matrix.shape
    if height > width:
        value, right, left = find_kernels(matrix.T, prime)
        return value, left, right
    beside = np.concatenate((matrix, make_identity(height)[::-1]), axis=1)
    # where the matrix is zero a row is a relation, and the last of its numbers is 1
    reduced = reduce_residues(beside, prime)[1]
    pivots = find_pivots(height, reduced)
    value = bisect_left(pivots, width)
    right = read_kernel(reduced[:value, :width], pivots[:value], prime)
    return value, balance_residues(reduced[value:, width:][::-1, ::-1], prime), right


def find_kernel(residues: Integers, prime: int) -> tuple[int, npt.NDArray[np.float64]]:
    """The rank modulo a prime, and a basis of the right kernel: the identity at the dependent columns."""
    rank, reduced = reduce_residues(residues, prime)
    return rank, read_kernel(reduced[:rank], find_pivots(rank, reduced), prime)


def read_kernel(reduced: Integers, columns: Sequence[int], prime: int) -> npt.NDArray[np.float64]:
    """The same of the rows of a reduced row echelon form, with its pivots."""
    width = reduced.shape[1]
    rest = sorted({*range(width)}.difference(columns))
    basis = np.zeros((len(rest), width), dtype=np.int64)
    basis[:, list(columns)] = prime - reduced[:, rest].T  # so that no zero has a sign
    for row, column in enumerate(rest):
        basis[row, column] = 1
    return balance_residues(basis, prime)


def balance_residues(residues: Integers, prime: int) -> npt.NDArray[np.float64]:
    """Residues 0 … prime, below 2^23, as balanced ones."""
    return reduce(residues.astype(np.float64), prime)


def reduce_few_rows(matrix: npt.NDArray[Any], prime: int) -> tuple[tuple[int, ...], npt.NDArray[np.float64]]:
    """The pivots, and the rows of the reduced row echelon form that are not zero, as balanced residues.

    >>> pivots, rows = reduce_few_rows(np.array([[0, 2, 4], [0, 1, 2]]), 101)
    >>> pivots, rows.tolist()
    ((1,), [[0.0, 1.0, 2.0]])
    """
    rank, reduced = reduce_residues(convert_to_residues(matrix, prime), prime)
    return find_pivots(rank, reduced), balance_residues(reduced[:rank], prime)


def find_relations(matrix: npt.NDArray[np.int64], prime: int) -> npt.NDArray[np.int64]:
    """For each row that depends on those before it the relation with 1 there and other coefficients at independent rows only.

    >>> find_relations(np.array([[1, 2], [2, 4], [0, 1], [1, 0]]), 7).tolist()
    [[5, 1, 0, 0], [6, 0, 2, 1]]
    """
    height = len(matrix)
    rank, reduced = reduce_residues(np.remainder(matrix.T, prime), prime)
    known = find_pivots(rank, reduced)
    rest = [row for row in range(height) if row not in set(known)]
    found = np.zeros((len(rest), height), dtype=np.int64)
    for line, row in zip(found, rest, strict=True):
        line[row] = 1
        line[list(known)] = -reduced[:rank, row] % prime
    return found


def find_leading_columns(reduced: Any, rank: int) -> tuple[int, ...]:
    """The same of a matrix of FLINT's."""
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
    columns = find_leading_columns(reduced, rank)
    table = tuple([tuple([Fraction(int(value.p), int(value.q)) for value in row]) for row in reduced.tolist()])
    return Reduced(table, tuple(enumerate(columns)), find_leading_columns(*matrix.transpose().rref()))


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
