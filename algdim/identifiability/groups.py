"""Groups of parameters that can only move together, the directions, and what to fix so that nothing moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb

import numpy as np
from numpy.typing import NDArray

from algdim.display.results import Compact, Plain
from algdim.exact.arithmetic import Residues
from algdim.exact.ranks import Rank, invert_minor, rank_mod
from algdim.identifiability.rowspaces import KernelBasis, Seen, find_first_fixing_set, make_row_space
from algdim.models.graphs import find_blocks
from algdim.trust import Trust

MOST_TRIED = 4000
MOST_SETS = 60
"""This many sets are listed at most."""


@dataclass(frozen=True, slots=True, repr=False)
class Direction(Compact, Plain):
    """How parameters move together: by formulas, or as numbers, rounded, at a point where they were computed."""

    moves: Mapping[str, str | float]
    at: Mapping[str, float] | None = None

    def __str__(self) -> str:
        return ", ".join(
            f"d{name} = {value if isinstance(value, str) else f'{value:.4g}'.replace('-', '−')}"
            for name, value in self.moves.items()
        )


@dataclass(frozen=True, slots=True)
class Sets:
    """Smallest sets to fix, by numbers, and whether these are all; ``None`` where that is not known."""

    found: tuple[tuple[int, ...], ...]
    all_listed: bool | None


@dataclass(frozen=True, slots=True, repr=False)
class Group(Compact, Plain):
    """Parameters that can only move together, in ``freedom`` independent directions; ``trust`` is in both.

    ``fixings`` are smallest sets: one of each group together leave nothing to move once they are fixed. ``all_listed``
    says whether these are all; ``None`` where that is not known.
    """

    parameters: tuple[str, ...]
    freedom: int
    directions: tuple[Direction, ...]
    fixings: tuple[tuple[str, ...], ...]
    all_listed: bool | None
    trust: Trust

    @property
    def error(self) -> float | None:
        """The probability that a probable group is wrong."""
        return self.trust.error


def find_connected_components(supports: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """The connected parts of the supports of kernel vectors, in order.

    >>> find_connected_components([(0, 2), (3,), (2, 5)])
    [(0, 2, 5), (3,)]
    """
    return list(find_blocks(sorted(set().union(*supports)), supports))


def collect_kernel_components(seen: Sequence[Seen], dimension: int) -> list[tuple[int, ...]]:
    """What the kernel joins at each point of full rank: the components of the fundamental circuits of the columns."""
    return [component for one in seen if one.rank == dimension for component in one.kernel.components()]


def find_fixing_sets(kernel: KernelBasis, prime: int) -> Sets:
    """Sets of columns in which the vectors of a kernel basis at a point are a square matrix that is invertible.

    A matrix that is not may be so at other points: that these are all sets is known where they are all sets of columns.
    Where there are too many to be tried: one, and those that differ from it in one member.

    >>> from algdim.identifiability.rowspaces import compute_kernel_basis
    >>> from algdim.exact.ranks import Rank
    >>> find_fixing_sets(compute_kernel_basis(np.array([[1.0, -2, 2]]), Rank(1, (0,), (0,)), 101), 101)
    Sets(found=((0, 1), (0, 2), (1, 2)), all_listed=True)
    >>> find_fixing_sets(compute_kernel_basis(np.array([[0.0, 1]]), Rank(1, (0,), (1,)), 101), 101)
    Sets(found=((0,),), all_listed=None)
    """
    count, width = len(kernel), kernel.width

    def is_basis(columns: tuple[int, ...]) -> bool:
        # without the vectors that have one of these columns to themselves
        left = np.isin(kernel.rest, columns, invert=True)
        minor = kernel.coefficients[np.ix_(left, np.isin(kernel.columns, columns))]
        return bool(rank_mod(np.ascontiguousarray(minor), prime).value == np.count_nonzero(left))

    tried: Iterator[tuple[int, ...]]
    if comb(width, count) <= MOST_TRIED:
        tried = filter(is_basis, combinations(range(width), count))
    else:
        tried = iterate_dual_exchanges(kernel, prime)
    found = tuple(islice(tried, MOST_SETS + 1))
    all_listed = False if len(found) > MOST_SETS else True if len(found) == comb(width, count) else None
    return Sets(found[:MOST_SETS], all_listed)


def iterate_dual_exchanges(kernel: KernelBasis, prime: int) -> Iterator[tuple[int, ...]]:
    """The same as `iterate_exchanges` of all vectors, by the columns that are left over: these are a basis of the row space.

    One column can take the place of another if that one can take its place among those that are left over.
    """
    first = find_first_fixing_set(kernel, prime)
    yield first
    over = sorted(set(range(kernel.width)).difference(first))
    field = Residues(prime)
    rows = field.elements(make_row_space(kernel).astype(np.int64))
    rank = Rank(len(over), tuple(range(len(over))), tuple(over))
    coefficients = field.matmul(invert_minor(rows, rank, prime), rows)
    for left in first:
        for number in np.flatnonzero(coefficients[:, left]).tolist():
            yield tuple(sorted((*(one for one in first if one != left), over[number])))


def iterate_exchanges(kernel: NDArray[np.int64], prime: int) -> Iterator[tuple[int, ...]]:
    """A set of independent columns, as many as rows, then those that differ from it in one member."""
    field = Residues(prime)
    elements = field.elements(kernel)
    rank = rank_mod(elements, prime)
    yield tuple(sorted(rank.columns))
    # in terms of these columns: one can take the place of another where its coefficient is not zero
    coefficients = field.matmul(invert_minor(elements, rank, prime), elements[list(rank.rows)])
    for number, left in enumerate(rank.columns):
        for column in np.flatnonzero(coefficients[number]).tolist():
            if column != left:
                yield tuple(sorted((*(one for one in rank.columns if one != left), column)))
