"""Chains of hidden variables with the same tables at all times, and the equations of what they show (lemma "chains").

If the moves from one time to the next are the same, the words that begin at any time depend on the state at that time
alone: the table of words of one length by all pasts has rank at most the number of states. If the distribution of the states
stays the same as well, margins may be shifted in time, and if each move is as likely as the one back, words may be reversed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import pairwise
from math import prod
from operator import mul
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Array, Residues
from algdim.exact.polynomials import make_polynomials
from algdim.families.discrete.bounds.equalcells import number_arrays
from algdim.families.discrete.bounds.equations import MOST_CELLS, Axes, Collector, Matrix, Used
from algdim.families.discrete.bounds.search import TableAtPoint
from algdim.families.discrete.locals.contract import Affine
from algdim.families.discrete.map import ParamMap
from algdim.figures import format_count
from algdim.maps import plan_once

MOST_STATES = 8
"""Of the hidden variables: moves between more are not multiplied out."""
MOST_PARAMETERS = 400
MOST_NUMBERS = 1 << 14
"""Entries of all factors of one move, multiplied before they are summed."""
MOST_ENTRIES = 1 << 22
"""Coefficients of linear equations, and entries of a matrix of words times cells."""


class HiddenChain(NamedTuple):
    """Hidden axes in the order of time, what is observed at each, in one order of tables, and what is the same at all times.

    ``start`` and ``moves`` are the factors that have to do with the first, and with each two neighbours.
    """

    hidden: Axes
    times: tuple[Axes, ...]
    start: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]
    is_homogeneous: bool
    is_stationary: bool
    is_reversible: bool

    @property
    def length(self) -> int:
        """How many times there are."""
        return len(self.hidden)


def find_chain(pmap: ParamMap) -> HiddenChain | None:
    """The hidden Markov chain that a map is, if items and moves have the same tables at all times; ``None`` for others."""
    return plan_once(pmap, "chain", lambda: look_for_chain(pmap))


def look_for_chain(pmap: ParamMap) -> HiddenChain | None:
    """The same, found now; of larger tables no equations are collected."""
    if pmap.cells > MOST_CELLS:
        return None
    seen = {axis: [factor for factor in pmap.factors if axis in factor.axes] for axis in pmap.observed}
    if pmap.given or pmap.kept_coordinates is not None or not all(isinstance(one, Affine) for one in pmap.arrays):
        return None
    if not all(
        len(found) == 1 and len(found[0].axes) == 2 and found[0].axes[1] == axis for axis, found in seen.items()
    ):
        return None
    arrays = number_arrays(pmap.arrays)
    items: dict[int, list[int]] = {}
    for axis, (factor,) in seen.items():
        items.setdefault(factor.axes[0], []).append(axis)
    tables = {axis: arrays[seen[axis][0].array] for axis in pmap.observed}
    signatures = {tuple(sorted(map(tables.__getitem__, axes))) for axes in items.values()}
    if len(items) < 2 or len(signatures) > 1 or any(hidden in pmap.observed for hidden in items):
        return None
    groups = group_factors(pmap, frozenset(items))
    order = None if groups is None else order_by_time(groups, len(items))
    if groups is None or order is None:
        return None
    moves = tuple(tuple(groups[frozenset(pair)]) for pair in pairwise(order))
    times = tuple(tuple(sorted(items[hidden], key=lambda axis: (tables[axis], axis))) for hidden in order)
    start = tuple(groups[frozenset(order[:1])])
    looks = {describe_move(pmap, arrays, move, pair) for move, pair in zip(moves, pairwise(order), strict=True)}
    chain = HiddenChain(order, times, start, moves, len(looks) == 1, is_stationary=False, is_reversible=False)
    return look_at_moves(pmap, chain) if chain.is_homogeneous else chain


def group_factors(pmap: ParamMap, hidden: frozenset[int]) -> dict[frozenset[int], list[int]] | None:
    """The factors without observed axes, those that hang together by other axes in one group, by the hidden axes of the group."""
    inner = [
        (number, factor.axes) for number, factor in enumerate(pmap.factors) if not set(factor.axes) & {*pmap.observed}
    ]
    parts: list[tuple[set[int], list[int]]] = []
    for number, axes in inner:
        joined = {*axes}
        mine, rest = [number], []
        for others, numbers in parts:
            if (others - hidden) & joined:
                joined |= others
                mine = [*numbers, *mine]
            else:
                rest.append((others, numbers))
        parts = [*rest, (joined, mine)]
    found: dict[frozenset[int], list[int]] = {}
    for axes_of_part, numbers in parts:
        found.setdefault(hidden & axes_of_part, []).extend(numbers)
    return (
        {ends: sorted(numbers) for ends, numbers in found.items()} if all(len(one) in (1, 2) for one in found) else None
    )


def order_by_time(groups: dict[frozenset[int], list[int]], count: int) -> Axes | None:
    """The hidden axes from the only one with a group of its own along those that groups join; ``None`` unless this is a path."""
    first = [ends for ends in groups if len(ends) == 1]
    if len(first) != 1 or len(groups) != count:
        return None
    order = [*first[0]]
    while len(order) < count:
        following = [other for ends in groups if order[-1] in ends for other in ends if other not in order]
        if len(following) != 1:
            return None
        order += following
    return tuple(order)


def describe_move(pmap: ParamMap, arrays: Sequence[int], factors: Sequence[int], ends: Sequence[int]) -> Hashable:
    """What the factors of a move look like, with its ends, and other axes in the order in which they come, in place of axes."""
    names = {axis: number for number, axis in enumerate(ends)}
    return tuple(
        (arrays[pmap.factors[one].array], tuple(names.setdefault(axis, len(names)) for axis in pmap.factors[one].axes))
        for one in factors
    )


def look_at_moves(pmap: ParamMap, chain: HiddenChain) -> HiddenChain | None:
    """The chain with what polynomials say of its start and its move; ``None`` if the rows of the move do not sum to 1."""
    found = multiply_out(pmap, chain, chain.moves[0])
    if found is None:
        return chain._replace(is_homogeneous=False)
    start, move = found
    if any(total != 1 for total in move.sum(axis=1)):
        return None
    flow = start[:, None] * move
    is_reversible = bool((flow == flow.T).all())
    is_stationary = is_reversible or bool((flow.sum(axis=0) == start).all())
    return chain._replace(is_stationary=is_stationary, is_reversible=is_reversible)


def multiply_out(pmap: ParamMap, chain: HiddenChain, move: Sequence[int]) -> tuple[Array, Array] | None:
    """The start of a chain and one of its moves as polynomials in the parameters; ``None`` if that is too much."""
    if pmap.sizes[chain.hidden[0]] > MOST_STATES or len(pmap.parameters) > MOST_PARAMETERS:
        return None
    number = chain.moves.index(tuple(move))
    pairs = (chain.start, chain.hidden[:1]), (move, chain.hidden[number : number + 2])
    arithmetic, variables = make_polynomials(len(pmap.parameters))
    found = []
    for factors, kept in pairs:
        axes = sorted({axis for one in factors for axis in pmap.factors[one].axes})
        if prod(pmap.sizes[axis] for axis in axes) > MOST_NUMBERS:
            return None
        arrays = []
        for factor in map(pmap.factors.__getitem__, factors):
            entries = pmap.arrays[factor.array].values(arithmetic, variables).transpose(np.argsort(factor.axes))
            arrays.append(entries.reshape([pmap.sizes[axis] if axis in factor.axes else 1 for axis in axes]))
        whole = reduce(mul, arrays)
        summed = whole.sum(axis=tuple(place for place, axis in enumerate(axes) if axis not in kept))
        found.append(np.asarray(summed.transpose([sorted(kept).index(axis) for axis in kept])))
    return found[0], found[1]


@dataclass(frozen=True)
class ChainCells:
    """The cells of a chain's table, with an axis for each time; axes are those of the table."""

    shape: tuple[int, ...]
    times: tuple[Axes, ...]
    hidden: tuple[str, ...]

    @cached_property
    def cells(self) -> NDArray[np.intp]:
        """The numbers of the cells, by the joint state at each time."""
        numbers = np.arange(prod(self.shape), dtype=np.intp).reshape(self.shape)
        return numbers.transpose([axis for axes in self.times for axis in axes]).reshape(
            [self.letters] * len(self.times)
        )

    @property
    def letters(self) -> int:
        """The number of joint states at one time."""
        return prod(self.shape[axis] for axis in self.times[0])

    def name(self, names: Sequence[str]) -> dict[str, Any]:
        """The chain as evidence has it."""
        times = [[names[axis] for axis in axes] for axes in self.times]
        return {"type": "chain", "hidden": list(self.hidden), "times": times}


def list_differences(cells: NDArray[np.intp], *, is_reversed: bool) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Cells whose sums, row by row, are equal: of words and the same ones reversed, or of words without the last time and the first.

    >>> first, last = list_differences(np.arange(4).reshape(2, 2), is_reversed=False)
    >>> first.tolist(), last.tolist()
    ([[0, 1], [2, 3]], [[0, 2], [1, 3]])
    >>> [side.tolist() for side in list_differences(np.arange(4).reshape(2, 2), is_reversed=True)]
    [[[1]], [[2]]]
    """
    if is_reversed:
        numbers = np.arange(cells.size)
        back = numbers.reshape(cells.shape).transpose(*reversed(range(cells.ndim))).ravel()
        words = cells.ravel()[:, None]
        return words[numbers < back], words[back[numbers < back]]
    letters = len(cells)
    return cells.reshape(-1, letters), np.moveaxis(cells, 0, -1).reshape(-1, letters)


@dataclass(frozen=True)
class Differences:
    """Sums of cells that are equal: after a shift in time, or of words that are reversed."""

    chain: ChainCells
    is_reversed: bool

    def make_evidence(self, names: Sequence[str]) -> dict[str, Any]:
        """The chain, and which sums."""
        return {**self.chain.name(names), "reversed": self.is_reversed}

    def text(self, names: Sequence[str]) -> str:  # noqa: ARG002 - one signature for all equations
        """Which sums are equal."""
        return "words and reversed words" if self.is_reversed else "shifted margins"

    def matrices(self, table: TableAtPoint) -> Iterator[tuple[tuple[int, ...], Matrix]]:  # noqa: ARG002
        """None: the forms are the same at all points."""
        return iter(())

    def add_to(self, collector: Collector) -> None:
        """Add the forms."""
        more, less = list_differences(self.chain.cells, is_reversed=self.is_reversed)
        width = prod(self.chain.shape)
        if len(more) * width > MOST_ENTRIES or not len(more):
            return
        forms = np.zeros((len(more), width))
        rows = np.arange(len(more))[:, None]
        np.add.at(forms, (rows, more), 1)
        np.add.at(forms, (rows, less), -1)
        if collector.at.field.matmul(forms, collector.at.table.reshape(-1, 1)).any():
            raise RuntimeError("cells that are equal on the model differ at a point of it")
        forms = collector.merge_equal_cells(forms)
        if collector.basis.missing and collector.basis.extend(forms):
            collector.used.append(Used(self, (), len(forms)))


@dataclass(frozen=True)
class WordMatrices:
    """The probabilities of all words of some times, as rows, by all pasts of each length, as columns; what follows is summed out."""

    chain: ChainCells
    count: int
    rank: int

    @cached_property
    def parts(self) -> list[NDArray[np.intp]]:
        """For each time at which words begin the cells: axes are the words, the pasts, and what is summed over."""
        cells, letters = self.chain.cells, self.chain.letters
        return [
            np.moveaxis(cells.reshape(letters**begin, letters**self.count, -1), 0, 1)
            for begin in range(cells.ndim - self.count + 1)
        ]

    def matrices(self, table: TableAtPoint) -> Iterator[tuple[tuple[int, ...], Matrix]]:
        """The one matrix."""
        yield (), JoinedMatrix(self.parts, self.rank, table)

    def make_evidence(self, names: Sequence[str]) -> dict[str, Any]:
        """The chain and the number of times."""
        return {**self.chain.name(names), "words": self.count}

    def text(self, names: Sequence[str]) -> str:  # noqa: ARG002 - one signature for all equations
        """The size."""
        columns = sum(part.shape[1] for part in self.parts)
        size = f"{len(self.parts[0])}×{columns}, rank {self.rank}"
        return f"words of {format_count(self.count, 'time')} by what came before ({size})"


@dataclass(frozen=True)
class JoinedMatrix:
    """Matrices side by side, whose entries are sums of cells: axes of a part are rows, columns, and what is summed over."""

    parts: Sequence[NDArray[np.intp]]
    rank: int
    table: TableAtPoint

    @property
    def values(self) -> Array:
        """The matrix at the point."""
        field: Residues = self.table.field
        cells = np.remainder(self.table.table, self.table.prime).astype(np.int64).ravel()
        return field.elements(np.hstack([cells[part].sum(axis=2) for part in self.parts]) % self.table.prime)

    def pulled_back(self, left: Array, right: Array) -> Array:
        """The forms ℓᵀMr."""
        prime, begin = self.table.prime, 0
        found = np.zeros((len(left), self.table.table.size), dtype=np.int64)
        lefts, rights = (np.remainder(side, prime).astype(np.int64) for side in (left, right))
        for part in self.parts:
            columns = rights[:, begin : begin + part.shape[1]]
            weights = np.repeat(
                (lefts[:, :, None] * columns[:, None, :] % prime).reshape(len(left), -1), part.shape[2], 1
            )
            np.add.at(found.T, part.ravel(), weights.T)
            begin += part.shape[1]
        return self.table.field.elements(found % prime).reshape(-1, *self.table.table.shape)


def list_chain_equations(pmap: ParamMap, chain: HiddenChain) -> tuple[list[Differences], list[WordMatrices]]:
    """The differences that vanish, and the matrices of words whose rank is bounded by less than their sides."""
    if not chain.is_homogeneous:
        return [], []
    place = {axis: number for number, axis in enumerate(pmap.observed)}
    times = tuple(tuple(place[axis] for axis in axes) for axes in chain.times)
    cells = ChainCells(pmap.shape, times, tuple(pmap.model.variables[axis].name for axis in chain.hidden))
    states = pmap.sizes[chain.hidden[0]]
    kinds = [one for one, holds in ((True, chain.is_reversible), (False, chain.is_stationary)) if holds]
    words = [
        WordMatrices(cells, count, states)
        for count in range(1, chain.length)
        if cells.letters**count > states
        and sum(cells.letters**begin for begin in range(chain.length - count + 1)) > states
        and cells.letters ** (chain.length + 1) <= MOST_ENTRIES
    ]
    return [Differences(cells, is_reversed) for is_reversed in kinds], words
