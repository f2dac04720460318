"""Where most entries of a sparse matrix are: blocks that are nearly filled, and the entries outside.

Rows and columns are numbered from the most frequent on. So the entries, which are pairs of a row and a column, crowd into the upper
left corner, and a block has some rows and the first few columns: a staircase. In a block products of matrices do what takes
many times as long pair by pair; they do it for its empty cells too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Index = NDArray[np.intp]

FIRST_GROUP = 32
"""Rows in the first step of the staircase; each further step has as many as all before."""
ALONE = 32
"""The time of a pair outside of all blocks, in cells inside of one."""
EACH = 1 << 13
"""The time of a block, however small it is, in cells."""
NEARLY_FILLED = 3
"""Cells for each pair with which one block is not divided."""
MOST_CELLS = 1 << 18
"""Of one block, so that it stays in the cache; one row is always allowed."""


class FilledBlock(NamedTuple):
    """Some rows and the first few columns; which pairs are there, and their cells."""

    rows: slice
    width: int
    pairs: slice
    cells: Index


class Staircase(NamedTuple):
    """The pairs in an order that has those of a block together; the blocks; where the pairs outside begin."""

    order: Index
    blocks: tuple[FilledBlock, ...]
    outside: int


class StairStep(NamedTuple):
    """Some rows, the best number of columns for them, and what is won by it, in cells."""

    first: int
    last: int
    width: int
    won: int


def rank_by_frequency(numbers: Index) -> Index:
    """For each of the numbers 0, 1, … its place when the most frequent comes first.

    >>> rank_by_frequency(np.array([1, 0, 1, 2])).tolist()
    [1, 0, 2]
    """
    order = np.argsort(-np.bincount(numbers), kind="stable")
    places = np.empty(len(order), dtype=np.intp)
    places[order] = np.arange(len(order))
    return places


def build_staircase(rows: Index, columns: Index) -> Staircase:
    """Blocks for pairs of a row and a column, both numbered from the most frequent on.

    >>> found = build_staircase(np.array([1, 0, 0]), np.array([0, 0, 1]))
    >>> found.order.tolist(), found.blocks[0].cells.tolist(), found.outside
    ([0, 1, 2], [2, 0, 1], 3)
    """
    height, width = int(rows.max()) + 1, int(columns.max()) + 1
    if height * width <= max(2 * EACH, NEARLY_FILLED * len(rows)):
        steps = split_step(StairStep(0, height, width, 0))
    else:
        steps = [part for step in choose_steps(rows, columns, height, width) for part in split_step(step)]
    number = np.full(len(rows), len(steps))  # of each pair its step
    for place, step in enumerate(steps):
        number[(step.first <= rows) & (rows < step.last) & (columns < step.width)] = place
    order = np.argsort(number, kind="stable")
    borders = np.searchsorted(number[order], np.arange(len(steps) + 1))
    blocks = []
    for step, begin, end in zip(steps, borders, borders[1:], strict=False):
        some = order[begin:end]
        cells = (rows[some] - step.first) * step.width + columns[some]
        blocks.append(FilledBlock(slice(step.first, step.last), step.width, slice(int(begin), int(end)), cells))
    return Staircase(order, tuple(blocks), int(borders[-1]))


def choose_steps(rows: Index, columns: Index, height: int, width: int) -> list[StairStep]:
    """The steps that are worth it; neighbours are joined where one block takes no longer than two."""
    cuts = [0, min(FIRST_GROUP, height)]
    while cuts[-1] < height:
        cuts.append(min(2 * cuts[-1], height))
    group = np.searchsorted(np.array(cuts), rows, side="right") - 1
    counts = np.bincount(group * width + columns, minlength=(len(cuts) - 1) * width)
    inside = counts.reshape(-1, width).cumsum(axis=1)
    steps: list[StairStep] = []
    for number in range(len(inside)):
        step = choose_width(inside[number : number + 1], cuts[number], cuts[number + 1])
        if steps and steps[-1].last == step.first:
            before = cuts.index(steps[-1].first)
            both = choose_width(inside[before : number + 1], steps[-1].first, step.last)
            if both.won >= steps[-1].won + max(0, step.won):
                steps[-1] = both
                continue
        if step.won > 0:
            steps.append(step)
    return steps


def choose_width(inside: NDArray[np.intp], first: int, last: int) -> StairStep:
    """The width that wins most for some rows, given how many pairs of each group of them are in the first columns."""
    won = ALONE * inside.sum(axis=0) - (last - first) * np.arange(1, inside.shape[1] + 1) - EACH
    best = int(np.argmax(won))
    return StairStep(first, last, best + 1, int(won[best]))


def split_step(step: StairStep) -> list[StairStep]:
    """The same as steps that have no more cells than allowed."""
    size = max(1, MOST_CELLS // step.width)
    return [step._replace(first=top, last=min(top + size, step.last)) for top in range(step.first, step.last, size)]
