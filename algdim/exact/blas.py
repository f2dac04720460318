"""Elimination modulo a prime below 2^23 at the speed of numpy's matrix product.

Entries are balanced residues in float64, at most p/2 in absolute value up to rounding, so that a product is below 2^44
and some 500 of them (more for smaller primes) add up exactly below 2^53. Only then is the sum reduced.

The method is recursive. For the columns left … right it finds independent rows P, moves them to the top of the rows
that remain, and leaves in the place of the columns the *multipliers* M = A[rest, C]·A[P, C]⁻¹, C the pivot columns: what
of P must be subtracted from the rest to clear the columns. With the columns in two halves, and M₁ and P₁ of the left one:

    right half, rest rows:  S = A − M₁·A[P₁]        then recursively M₂ and P₂ of S
    all columns:            M = [M₁ − M₂·M₁[P₂], M₂]   over the pivots P₁, P₂

No triangular system is solved; everything is a matrix product. The price over an LU factorisation is 7 % more
multiplications for a square matrix. A narrow panel is cleared by inverting its top square, M = A[rest]·A[top]⁻¹, and
in strips of four columns if that square is singular.

Where FLINT inverts the squares, a matrix that is not large is eliminated panel by panel instead: what the pivots so far
change is subtracted from a panel when its turn comes, and from the rows of its pivots, so that each entry is made a
residue once.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from math import remainder
from threading import local
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from algdim.exact.arithmetic import count_safe_terms, reduce
from algdim.exact.elimination import Rank
from algdim.exact.flint import (
    BY_HAND,
    convert_to_residues,
    find_columns_in_order,
    find_pivots,
    has_lu_decomposition,
    invert_residues,
    list_independent_columns,
    open_library,
    reduce_residues,
)
from algdim.exact.threads import run_in_parallel
from algdim.limits import check_time

Array = npt.NDArray[np.float64]

BLAS_PRIME_LIMIT = 1 << 23
STRIP = 4
"""So many columns are cleared at once by the inverse of a square, which `invert_four` writes out: a pivot takes few calls of numpy."""
LEAF = 48
"""Panels of at most this many columns are cleared strip by strip."""
PANEL = 128
"""Panels of at most this many columns are cleared by the inverse of their top square, if it has one."""
LOOKED_AT = 12
"""Where four rows on top of a strip are dependent, independent ones are sought among so many that are not zero."""
LOW = 400
"""Of a matrix with fewer rows the first independent ones are found, as by FLINT; to keep the order of more would take long."""
FLINT_PANEL = 64
"""Panels of at most this many columns are eliminated faster by FLINT, once it is loaded."""
COLUMN = 1 << 9
"""What a column costs here where FLINT is not loaded, in multiplications of `BY_HAND`."""
TALL = 3
"""A panel is worth inverting its top square if it is this many times as high as wide; 2 would not end, see `invert`."""
TILE = (512, 512)
"""Products are taken, subtracted and reduced in tiles of this many rows and columns, so that these stay in the cache."""
RUN = 1 << 14
"""Entries that are made residues at a time."""
INVERTED = 30
"""Columns of a panel whose square FLINT inverts: that of a wide one takes long, narrow ones take many calls of numpy."""
NOT_LARGE = 1 << 19
"""Entries of a matrix that is eliminated panel by panel."""
MOST_KEPT = 1 << 17
"""Entries of a matrix for which memory is kept."""


class Work(NamedTuple):
    """A matrix under elimination, changed in place; row i stands for the input's row ``order[i]``.

    Pivots are sought in the first ``reach`` rows, and no more than ``most`` of them.
    """

    matrix: Array
    order: npt.NDArray[np.intp]
    prime: int
    reach: int
    most: int
    regular: bool = False
    """Whether nothing is wanted unless every column has a pivot."""


def rank_by_blas(matrix: npt.NDArray[Any], prime: int, stop_at: int | None = None, *, overwrite: bool = False) -> Rank:
    """Rank modulo a prime below 2^23; the columns are the first independent ones.

    >>> rank_by_blas(np.array([[2.0, 4.0], [1.0, 2.0]]), 101)
    Rank(value=1, rows=(0,), columns=(0,))
    """
    height, width = matrix.shape
    most = min(height, width) if stop_at is None else stop_at
    columns = None
    if matrix.size <= NOT_LARGE and is_flint_quicker(width) and is_worth_panels(matrix, prime):
        result = copy_residues(matrix, prime, KEPT.take_memory(height, width))
        work = Work(result, np.arange(height), prime, height, most)
        columns = eliminate_by_panels(work)
    if columns is None:
        result = matrix if overwrite and matrix.dtype == np.float64 else KEPT.take_memory(height, width)
        work = Work(convert_to_balanced(matrix, prime, result), np.arange(height), prime, height, most)
        columns = eliminate(work, 0, 0, width, multipliers=False)
    return Rank(len(columns), tuple(sorted(work.order[: len(columns)].tolist())), tuple(sorted(columns)))


class Kept(local):
    """Memory of a thread for small matrices: to get it from the system takes long, compared with their elimination."""

    entries: Array = np.empty(0)

    def take_memory(self, height: int, width: int) -> Array:
        """Memory for a matrix that is not needed after the elimination; what is in it is of no meaning."""
        size = height * width
        if size > MOST_KEPT:
            return np.empty((height, width))
        if size > self.entries.size:
            self.entries = np.empty(0)  # given back first
            self.entries = np.empty(size)
        return self.entries[:size].reshape(height, width)


KEPT = Kept()


def convert_to_balanced(matrix: npt.NDArray[Any], prime: int, result: Array) -> Array:
    """A matrix of integers as balanced residues, in the result, which may be the matrix itself."""
    for rows in iterate_row_runs(matrix):
        reduce(copy_residues(matrix[rows], prime, result[rows]), prime)
    return result


def copy_residues(matrix: npt.NDArray[Any], prime: int, result: Array) -> Array:
    """A matrix of integers as residues below the prime in absolute value, in the result."""
    # the remainder of floats is exact, but slow; most matrices come as residues already
    if matrix.dtype != np.float64 or (matrix.size and max(matrix.max(), -matrix.min()) >= prime):
        matrix = np.remainder(matrix, matrix.dtype.type(prime))
    result[...] = matrix
    return result


def iterate_row_runs(matrix: npt.NDArray[Any]) -> Iterator[slice]:
    """The rows, some at a time: copies of this many stay in the cache."""
    height, width = matrix.shape
    step = max(1, RUN // max(1, width))
    return (slice(start, start + step) for start in range(0, height, step))


def subtract_product(target: Array, left: Array, right: Array, prime: int) -> None:
    """Subtract left·right from the target, in place; the three do not overlap."""
    inner = left.shape[1]
    if inner == 0 or target.size == 0:
        return
    pieces = -(-inner // count_safe_terms(prime))
    cuts = [inner * piece // pieces for piece in range(pieces + 1)]
    high, wide = TILE

    def subtract(corner: tuple[int, int]) -> None:
        rows, columns = (slice(begin, begin + size) for begin, size in zip(corner, TILE, strict=True))
        tile = target[rows, columns]
        for start, stop in itertools.pairwise(cuts):
            tile -= left[rows, start:stop] @ right[start:stop, columns]
            reduce(tile, prime)

    run_in_parallel(subtract, itertools.product(range(0, target.shape[0], high), range(0, target.shape[1], wide)))


def multiply_by(target: Array, factor: Array, prime: int) -> None:
    """Replace the target by target·factor, in place; the factor is square and no larger than `count_safe_terms`."""

    def multiply(top: int) -> None:
        tile = target[top : top + TILE[0]]
        tile[...] = reduce(tile @ factor, prime)

    run_in_parallel(multiply, range(0, target.shape[0], TILE[0]))


def eliminate(work: Work, top: int, left: int, right: int, *, multipliers: bool) -> list[int]:
    """Clear the columns left … right − 1 below their pivots, in the rows from ``top`` on; return the pivot columns.

    The rows above ``top`` are those of earlier pivots. The pivot rows are moved to ``top`` and following. If asked for,
    the multipliers are left in the first of the columns, one per pivot.
    """
    check_time()
    matrix, prime = work.matrix, work.prime
    width = right - left
    if width <= 0 or top >= min(work.reach, work.most):
        return []
    if width <= PANEL and matrix.shape[0] - top >= TALL * width and work.reach >= top + width:
        inverse = invert(matrix[top : top + width, left:right], prime)
        if inverse is not None:
            if multipliers:
                multiply_by(matrix[top + width :, left:right], inverse, prime)
            return list(range(left, right))
    by_flint = is_flint_quicker(width if width <= FLINT_PANEL else 0)
    is_same = len(matrix) < LOW or work.regular  # by whatever panels: an inverse has no rows to choose
    if by_flint and width <= FLINT_PANEL:
        square = matrix[top : min(top + width, work.reach), left:right]
        if is_same or has_leading_minors(square, prime):
            return eliminate_panel(work, top, left, right)
    if width <= LEAF:
        return eliminate_strips(work, top, left, right)
    middle = left + split_width(width, FLINT_PANEL if by_flint and is_same else LEAF)
    first = eliminate(work, top, left, middle, multipliers=True)
    below, ones = top + len(first), left + len(first)
    if work.regular and ones < middle:
        return first
    if below >= min(work.reach, work.most) and not multipliers:
        return first
    subtract_product(matrix[below:, middle:right], matrix[below:, left:ones], matrix[top:below, middle:right], prime)
    if ones < middle and not matrix[below : work.reach, middle:right].any():
        return first
    second = eliminate(work, below, middle, right, multipliers=multipliers)
    if multipliers and second:
        rest, twos = below + len(second), middle + len(second)
        subtract_product(matrix[rest:, left:ones], matrix[rest:, middle:twos], matrix[below:rest, left:ones], prime)
        if ones < middle:
            matrix[rest:, ones : ones + len(second)] = matrix[rest:, middle:twos]
    return first + second


def is_flint_quicker(columns: int) -> bool:
    """Whether FLINT is there, or has been missed for enough columns to be loaded, and takes arrays; only the time depends on that."""
    return not BY_HAND.is_enough(columns * COLUMN) and open_library() is not None


def has_leading_minors(square: Array, prime: int) -> bool:
    """Whether strips would take the rows on top, so that they need not be asked: no leading minor is zero."""
    return len(square) == square.shape[1] and has_lu_decomposition(convert_to_residues(square, prime), prime)


def split_width(width: int, leaf: int) -> int:
    """About half of a width: a multiple of the panel's or the leaf's where possible."""
    unit = PANEL if width > PANEL else leaf
    return max(1, width // (2 * unit)) * unit if width > unit else width // 2


def invert(square: Array, prime: int) -> Array | None:
    """Return the inverse of a square matrix, or None if it is singular: the multipliers of [square, identity]."""
    size = len(square)
    if size <= STRIP:
        padded = np.eye(STRIP)
        padded[:size, :size] = square
        small = invert_four(padded.tolist(), prime)
        return None if small is None else small[:size, :size]
    stacked = np.zeros((2 * size, size))
    stacked[:size] = square
    np.fill_diagonal(stacked[size:], 1.0)
    work = Work(stacked, np.arange(2 * size), prime, size, size, regular=True)
    if len(eliminate(work, 0, 0, size, multipliers=True)) < size:
        return None
    inverse = np.empty((size, size))
    inverse[:, work.order[:size]] = stacked[size:]
    return inverse


def eliminate_by_panels(work: Work) -> list[int] | None:
    """The pivot columns, found panel by panel from the left; multipliers and pivot rows are left in the matrix.

    What they change is subtracted only where it is needed: from the next panel, then from the rows of its pivots. There residues
    are balanced, too, which others need not be. ``None`` where many rows would have to change their places: then it is
    `eliminate` that chooses.
    """
    matrix, prime, most = work.matrix, work.prime, work.most
    height, width = matrix.shape
    columns: list[int] = []
    for left in range(0, width, INVERTED):
        check_time()
        top, right = len(columns), min(left + INVERTED, width)
        if top >= most:
            break
        panel = subtract_known(matrix[top:, left:right], matrix[top:, :top], matrix[:top, left:right], prime)
        if not panel[0].any() and not panel.any():
            continue
        inverse = invert_by_flint(panel[: right - left], prime) if right - left <= most - top else None
        if inverse is not None:
            own, multipliers = list(range(right - left)), reduce(panel[right - left :] @ inverse, prime)
        elif (found := clear_in_order(panel, prime, min(most, height) - top, last=right == width)) is not None:
            own, multipliers = found
        elif height >= LOW:
            return None
        else:
            own, multipliers = clear_panel(work, panel, top)
        columns += [left + column for column in own]
        below = len(columns)
        if own and right < width and below < min(most, height):
            matrix[below:, top:below] = multipliers
            rows = subtract_known(matrix[top:below, right:], matrix[top:below, :top], matrix[:top, right:], prime)
            matrix[top:below, right:] = rows
    return columns


def subtract_known(values: Array, left: Array, right: Array, prime: int) -> Array:
    """The balanced residues of values − left·right, in an array of their own; the values are below the prime in absolute value."""
    if not left.size:
        return reduce(values.copy(), prime)
    safe = count_safe_terms(prime)
    for start in range(0, left.shape[1], safe):
        product = left[:, start : start + safe] @ right[start : start + safe]
        values = reduce(np.subtract(values, product, out=product), prime)
    return values


def is_worth_panels(matrix: npt.NDArray[Any], prime: int) -> bool:
    """Whether the first square of a matrix with many rows can be inverted without rows changing their places."""
    height = len(matrix)
    size = min(INVERTED, matrix.shape[1])
    return height < LOW or has_leading_minors(matrix[:size, :size], prime)


def invert_by_flint(square: Array, prime: int) -> Array | None:
    """The inverse of a square of balanced residues, in residues 0 … prime − 1, or None if a leading minor is zero."""
    if len(square) < square.shape[1]:
        return None
    residues = square.astype(np.int64)
    residues += (residues >> 63) & prime
    return invert_residues(residues, prime)


def clear_in_order(panel: Array, prime: int, most: int, *, last: bool) -> tuple[list[int], Array] | None:
    """The same as `clear_panel` where no row changes its place; of the last panel multipliers are not asked for."""
    found = find_columns_in_order(convert_to_residues(panel, prime), prime)
    if found is None:
        return None
    own = list(found[:most])
    size = len(own)
    if last or size == len(panel):
        return own, panel[size:, :size]
    inverse = invert_by_flint(panel[:size, own], prime)
    if inverse is None:
        raise RuntimeError(f"a minor of {size} rows that are in order has a leading minor that is zero")
    return own, reduce(panel[size:, own] @ inverse, prime)


def clear_panel(work: Work, panel: Array, top: int) -> tuple[list[int], Array]:
    """The pivot columns of a panel, and the multipliers of the rows below the pivots.

    The first independent rows of the matrix are moved up to ``top`` and following. The transposed panel is that of these rows
    times its reduced form, so this form has the multipliers.
    """
    matrix, prime = work.matrix, work.prime
    rank, reduced = reduce_residues(convert_to_residues(panel.T, prime), prime)
    rows = [row for row in find_pivots(rank, reduced) if top + row < work.reach][: work.most - top]
    size = len(rows)
    columns = list(range(panel.shape[1]))
    if size < len(columns):
        columns = list(list_independent_columns(convert_to_residues(panel[rows], prime), prime)) if rows else []
    values = reduced[:size].T
    if rows and rows[-1] >= size:
        seen = set(rows)
        passed = rows[-1] + 1
        before = np.array([*rows, *[row for row in range(passed) if row not in seen]])
        matrix[top : top + passed] = matrix[top + before]
        work.order[top : top + passed] = work.order[top + before]
        values = np.concatenate([values[before], values[passed:]])
    return columns, np.where(values > prime // 2, values - prime, values)[size:].astype(np.float64)


def eliminate_panel(work: Work, top: int, left: int, right: int) -> list[int]:
    """Do the same as `eliminate` by FLINT."""
    columns, multipliers = clear_panel(work, work.matrix[top:, left:right], top)
    size = len(columns)
    if work.regular and size < right - left:
        return []
    work.matrix[top + size :, left : left + size] = multipliers
    return [left + column for column in columns]


def eliminate_strips(work: Work, top: int, left: int, right: int) -> list[int]:
    """Do the same as `eliminate`, four columns at a time on a copy; the columns are in the order of their pivots' rows."""
    prime, limit = work.prime, min(work.reach, work.most) - top
    panel = np.array(work.matrix[top:, left:right], order="C")  # a copy, even of a single column
    found: list[int] = []
    for begin in range(0, right - left, STRIP):
        columns = list(range(begin, min(begin + STRIP, right - left)))
        while columns and len(found) < limit:
            at = len(found)
            inverse, own = invert_first_minor(work, panel, top, at, columns)
            if inverse is None:
                break
            below, rest = at + len(own), panel[at + len(own) :]
            # a slice is quicker than a list
            cleared = slice(own[0], own[-1] + 1) if own[-1] - own[0] < len(own) else own
            multipliers = reduce(rest[:, cleared] @ inverse, prime)
            rest -= multipliers @ panel[at:below]
            reduce(rest, prime)
            rest[:, cleared] = multipliers
            found += own
            columns = [] if len(own) == len(columns) else [column for column in columns if column not in own]
        if columns and work.regular:
            break
    # multipliers of columns without a pivot do not exist
    work.matrix[top + len(found) :, left : left + len(found)] = panel[len(found) :, found]
    return [left + column for column in found]


def invert_first_minor(
    work: Work, panel: Array, top: int, at: int, columns: list[int]
) -> tuple[Array | None, list[int]]:
    """Move independent rows of a strip up to ``at`` and following; the inverse of the minor that they show, and its columns.

    They are the first ones, among as many rows as are looked at; nothing if the strip is zero. There may be more, which the
    strip shows after these are cleared.
    """
    prime, most = work.prime, min(len(columns), work.most - top - at)
    strip = panel[at : work.reach - top, columns[0] : columns[-1] + 1]
    if most == STRIP <= len(strip):
        inverse = invert_four(strip[:STRIP].tolist(), prime)
        if inverse is not None:
            return inverse, columns
    if len(columns) < strip.shape[1]:
        strip = strip[:, [column - columns[0] for column in columns]]
    filled = choose_rows(strip, are_few=len(work.matrix) < LOW)
    rows = strip[filled].tolist()
    chosen, own = find_independent_rows(rows, prime, most)
    if not chosen:
        return None, []
    move_rows(work, panel, top, at, [at + filled[number] for number in chosen])
    size = len(own)
    square = [[float(row == column) for column in range(STRIP)] for row in range(STRIP)]
    for row, number in zip(square, chosen, strict=False):
        row[:size] = [rows[number][column] for column in own]
    inverse = invert_four(square, prime)
    if inverse is None:
        raise RuntimeError(f"a minor of {size} independent rows and columns is singular")
    return inverse[:size, :size], [columns[number] for number in own]


def choose_rows(strip: Array, *, are_few: bool) -> list[int]:
    """Rows that are looked at: the first that are not zero, and of many rows the first and last of each column."""
    others = strip != 0
    filled: list[int] = others.any(axis=1).nonzero()[0][:LOOKED_AT].tolist()
    if are_few or len(filled) < LOOKED_AT:
        return filled
    last = len(strip) - 1 - others[::-1].argmax(axis=0)
    return sorted({*filled[:STRIP], *others.argmax(axis=0).tolist(), *last.tolist()})


def find_independent_rows(rows: Sequence[Sequence[float]], prime: int, most: int) -> tuple[list[int], list[int]]:
    """The first independent rows, as many as are wanted, and their first independent columns; for a few short rows.

    >>> find_independent_rows([[0.0, 0.0], [1.0, 2.0], [2.0, 4.0], [0.0, 1.0]], 101, 2)
    ([1, 3], [0, 1])
    """
    basis: list[tuple[int, Sequence[float]]] = []
    found: list[int] = []
    for number, row in enumerate(rows):
        for place, other in basis:
            factor = row[place]
            if factor:
                row = [remainder(value - factor * one, prime) for value, one in zip(row, other, strict=True)]  # noqa: PLW2901
        first = next((place for place, value in enumerate(row) if value), -1)
        if first < 0:
            continue
        found.append(number)
        if len(found) == most:
            basis.append((first, row))  # nothing more is reduced by it
            break
        over = float(invert_balanced(int(row[first]), prime))
        basis.append((first, [remainder(one * over, prime) for one in row]))
    # their places are those of the rows' echelon form
    return found, sorted([place for place, _ in basis])


def move_rows(work: Work, panel: Array, top: int, at: int, chosen: list[int]) -> None:
    """Move rows up to ``at`` and following, of the panel and of the matrix it was copied from.

    They change places with those there, or where there are few rows the others keep their order.
    """
    if chosen[-1] == at + len(chosen) - 1:
        return  # they are there
    is_low = len(work.matrix) < LOW
    passed = range(at, chosen[-1] + 1) if is_low else sorted({*range(at, at + len(chosen)), *chosen})
    to = np.array(passed)
    before = np.array([*chosen, *[place for place in passed if place not in chosen]])
    panel[to] = panel[before]
    to, before = top + to, top + before
    work.matrix[to] = work.matrix[before]
    work.order[to] = work.order[before]


def invert_four(rows: list[list[float]], prime: int) -> Array | None:
    """The inverse of a square of four by its minors, or None if it is singular; all sums stay below 2^48.

    >>> invert_four([[0.0, 1.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]], 7)[
    ...     0
    ... ].tolist()
    [0.0, -3.0, 0.0, 0.0]
    """
    (a, b, c, d), (e, f, g, h), (i, j, k, m), (n, o, q, s) = rows
    # the minors of the upper and of the lower two rows, by their columns
    u01, u02, u03 = remainder(a * f - b * e, prime), remainder(a * g - c * e, prime), remainder(a * h - d * e, prime)
    u12, u13, u23 = remainder(b * g - c * f, prime), remainder(b * h - d * f, prime), remainder(c * h - d * g, prime)
    v01, v02, v03 = remainder(i * o - j * n, prime), remainder(i * q - k * n, prime), remainder(i * s - m * n, prime)
    v12, v13, v23 = remainder(j * q - k * o, prime), remainder(j * s - m * o, prime), remainder(k * s - m * q, prime)
    determinant = int(u01 * v23 - u02 * v13 + u03 * v12 + u12 * v03 - u13 * v02 + u23 * v01) % prime
    if not determinant:
        return None
    adjugate = (
        *(f * v23 - g * v13 + h * v12, c * v13 - b * v23 - d * v12, o * u23 - q * u13 + s * u12, k * u13 - j * u23 - m * u12),
        *(g * v03 - e * v23 - h * v02, a * v23 - c * v03 + d * v02, q * u03 - n * u23 - s * u02, i * u23 - k * u03 + m * u02),
        *(e * v13 - f * v03 + h * v01, b * v03 - a * v13 - d * v01, n * u13 - o * u03 + s * u01, j * u03 - i * u13 - m * u01),
        *(f * v02 - e * v12 - g * v01, a * v12 - b * v02 + c * v01, o * u02 - n * u12 - q * u01, i * u12 - j * u02 + k * u01),
    )  # fmt: skip
    over = float(invert_balanced(determinant, prime))
    return np.array([remainder(remainder(value, prime) * over, prime) for value in adjugate]).reshape(4, 4)


def invert_balanced(value: int, prime: int) -> int:
    """Invert modulo a prime, in balanced residues."""
    inverse = pow(value, -1, prime)
    return inverse - prime if 2 * inverse > prime else inverse
