"""Groups of parameters that can only move together, the directions, and what to fix so that nothing moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Residues
from algdim.exact.ranks import invert_minor, rank_mod
from algdim.identifiability.rowspaces import Seen
from algdim.trust import Trust

MOST_TRIED = 4000
MOST_SETS = 60
"""This many sets are listed at most."""


@dataclass(frozen=True, slots=True)
class Direction:
    """How parameters move together: by formulas, or as numbers, rounded, at a point where they were computed."""

    moves: Mapping[str, str | float]
    at: Mapping[str, float] | None = None

    def __str__(self) -> str:
        """The changes, one after the other."""
        return ", ".join(
            f"d{name} = {value if isinstance(value, str) else f'{value:.4g}'.replace('-', '−')}"
            for name, value in self.moves.items()
        )

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        return {"moves": dict(self.moves), "at": None if self.at is None else dict(self.at)}


@dataclass(frozen=True, slots=True)
class Sets:
    """Smallest sets to fix, by numbers, and whether these are all; ``None`` where that is not known."""

    found: tuple[tuple[int, ...], ...]
    all_listed: bool | None


@dataclass(frozen=True, slots=True)
class Group:
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

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        return {
            "parameters": list(self.parameters),
            "freedom": self.freedom,
            "directions": [direction.to_dict() for direction in self.directions],
            "fixings": [list(names) for names in self.fixings],
            "all_listed": self.all_listed,
            **self.trust.to_dict(),
        }


def find_connected_components(supports: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """The connected parts of the supports of kernel vectors, in order.

    >>> find_connected_components([(0, 2), (3,), (2, 5)])
    [(0, 2, 5), (3,)]
    """
    part: dict[int, set[int]] = {}
    for support in supports:
        known = {id(part[place]): part[place] for place in support if place in part}
        if len(known) == 1 and all(place in part for place in support):
            continue
        joined = set(support).union(*known.values())
        part.update(dict.fromkeys(joined, joined))
    return sorted({id(one): tuple(sorted(one)) for one in part.values()}.values())


def collect_kernel_supports(seen: Sequence[Seen], dimension: int) -> list[tuple[int, ...]]:
    """The supports of the kernel bases at all points of full rank: fundamental circuits of the columns."""
    return [tuple(np.flatnonzero(vector).tolist()) for one in seen if one.rank == dimension for vector in one.kernel]


def find_fixing_sets(kernel: NDArray[np.int64], prime: int) -> Sets:
    """Sets of columns in which the rows of a kernel basis at a point are a square matrix that is invertible.

    A matrix that is not may be so at other points: that these are all sets is known where they are all sets of columns.
    Where there are too many to be tried: one, and those that differ from it in one member.

    >>> find_fixing_sets(np.array([[1, 2, 0], [0, 1, 1]]), 101)
    Sets(found=((0, 1), (0, 2), (1, 2)), all_listed=True)
    >>> find_fixing_sets(np.array([[1, 0]]), 101)
    Sets(found=((0,),), all_listed=None)
    """
    count, width = kernel.shape

    def is_basis(columns: tuple[int, ...]) -> bool:
        return bool(rank_mod(np.ascontiguousarray(kernel[:, list(columns)]), prime).value == count)

    tried: Iterator[tuple[int, ...]]
    if comb(width, count) <= MOST_TRIED:
        tried = filter(is_basis, combinations(range(width), count))
    else:
        tried = iterate_exchanges(kernel, prime)
    found = tuple(islice(tried, MOST_SETS + 1))
    all_listed = False if len(found) > MOST_SETS else True if len(found) == comb(width, count) else None
    return Sets(found[:MOST_SETS], all_listed)


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
