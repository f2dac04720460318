"""Patterns with missing entries as sums of complete ones.

The chance of a pattern is the sum of the chances of the cells of the table of all items that it may be. So with few items and few missing entries one
product of matrices gives all cells, and each pattern adds up a few of them. Backwards the quotient n/p of a pattern goes to each
of its cells, and what is expected then is what complete data with these quotients in the cells would give: no class is
looked at pattern by pattern.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.fitting.samples import MISSING

Index = NDArray[np.intp]
Numbers = NDArray[np.float64]

MOST_COMPLETIONS = 4
"""For each pattern on average; with more each is better taken by its halves."""
MOST_EMPTY = 4
"""So many cells for each pattern are worth it."""


class Completions(NamedTuple):
    """The cells that each pattern may be, patterns with equally many of them together."""

    order: Index
    """The patterns in the order of the groups."""
    groups: tuple[Index, ...]
    """Completion × pattern: its cells."""
    cells: Index
    """The cells of all groups, one after the other."""
    owners: Index
    """Of each of them the pattern, by its place in the order."""
    size: int
    """The number of cells of the table."""

    def add_up(self, table: Numbers) -> Numbers:
        """Restart × pattern, in the order of the groups: the sums of the cells, given restart × cell.

        >>> found = list_completions(np.array([[0, 1], [-1, 1]]), [2, 2])
        >>> found.add_up(np.array([[1.0, 2.0, 4.0, 8.0]])).tolist()
        [[2.0, 10.0]]
        """
        sums = [np.take(table, group, axis=1, mode="clip").sum(axis=1) for group in self.groups]
        return np.concatenate(sums, axis=1)

    def spread(self, values: Numbers) -> Numbers:
        """Restart × cell: the sums of the values of all patterns that it may be.

        >>> list_completions(np.array([[0, 1], [-1, 1]]), [2, 2]).spread(np.array([[1.0, 2.0]])).tolist()
        [[0.0, 3.0, 0.0, 2.0]]
        """
        found = np.take(values, self.owners, axis=1, mode="clip")
        return np.array([np.bincount(self.cells, weights=row, minlength=self.size) for row in found])


def are_few(patterns: NDArray[np.int64], sizes: list[int]) -> bool:
    """Whether the cells of the table and the completions of the patterns are few enough."""
    if prod(sizes) > MOST_EMPTY * len(patterns):
        return False
    numbers = np.where(patterns == MISSING, np.array(sizes), 1).prod(axis=1)
    return int(numbers.sum()) <= MOST_COMPLETIONS * len(patterns)


def list_completions(patterns: NDArray[np.int64], sizes: list[int]) -> Completions:
    """The cells of all patterns, the first item slowest."""
    owners = np.arange(len(patterns))
    cells = np.zeros(len(patterns), dtype=np.intp)
    for column, size in zip(patterns.T, sizes, strict=True):
        states = column[owners]
        cells *= size
        gone = states == MISSING
        cells[~gone] += states[~gone]
        more = [cells[gone] + state for state in range(1, size)]
        owners = np.concatenate([owners, *[owners[gone]] * (size - 1)])
        cells = np.concatenate([cells, *more])
    counts = np.bincount(owners)
    order = np.argsort(counts, kind="stable")
    places = np.empty(len(order), dtype=np.intp)
    places[order] = np.arange(len(order))
    owners = places[owners]
    sort = np.argsort(owners, kind="stable")
    cells, owners = cells[sort], owners[sort]
    groups, start = [], 0
    for number in np.unique(counts).tolist():
        stop = start + number * int((counts == number).sum())
        groups.append(np.ascontiguousarray(cells[start:stop].reshape(-1, number).T))
        start = stop
    return Completions(order, tuple(groups), cells, owners, prod(sizes))
