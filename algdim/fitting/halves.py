"""Expected counts of a latent class model whose items have tables of their own: patterns as cells of a matrix, first items × last items.

Given the class the two halves of a pattern are independent: p(x, y) = Σ_c p(c) p(x|c) p(y|c), a product of matrices, where x
and y run through the different halves that occur. So is the E step: with n(x, y) the counts and q = n/p, the expected count
of class c beside x is p(c) p(x|c) · Σ_y q(x, y) p(y|c), and that beside y likewise. Of N patterns and C classes no array has
N·C entries. A half that lacks an entry is one more row, in which the item is left out.

Where entries are missing, or items are many, most cells would be empty. The patterns crowd where both halves are frequent,
and there are blocks of cells (`algdim.fitting.blocks`). Each pattern outside of them is taken by itself: p(x, y, c) is the product of two
numbers, one of each half. Where few entries of few items are missing the matrix is that of all complete patterns
(`algdim.fitting.completions`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import run_starts
from algdim.families.discrete.bounds.pairwise import find_free_latent_class, find_latent_class
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.map import ParamMap
from algdim.families.discrete.model import Network
from algdim.fitting.blocks import Staircase, build_staircase, rank_by_frequency
from algdim.fitting.completions import Completions, are_few, list_completions
from algdim.fitting.samples import MISSING, Sample, find_distinct_rows

Numbers = NDArray[np.float64]
Tables = list[Numbers]

FEWEST_PATTERNS = 64
"""Below it the contraction of all restarts at once is as fast."""
MOST_ITEMS = 200
"""Beyond these the products of probabilities may be too small for a number."""
AT_ONCE = 1 << 19
"""Numbers of all restarts at once, if it is more than one restart's."""
NEVER = -1e4
"""Instead of the logarithm of 0: a probability with it is 0 once more."""


@dataclass(frozen=True, eq=False)
class Half:
    """Some of the items, and the different rows of states that they have in the sample."""

    items: tuple[int, ...]
    """The items' arrays."""
    shown: Numbers
    """Row × state: whether the row shows it; after the states of each item stands one more for a missing entry."""
    sizes: tuple[int, ...]
    """The items' numbers of states."""

    @property
    def rows(self) -> int:
        """How many different rows there are."""
        return len(self.shown)

    @cached_property
    def states(self) -> Numbers:
        """State × row, without missing entries: whether the row shows the state."""
        ends = np.cumsum([size + 1 for size in self.sizes])
        return np.ascontiguousarray(np.delete(self.shown, ends - 1, axis=1).T)

    def compute_probabilities(self, tables: Tables, classes: int) -> Numbers:
        """Restart × class × row: the probability of a row in a class."""
        restarts = len(tables[self.items[0]])
        flat = np.concatenate([tables[item].reshape(restarts, classes, -1) for item in self.items], axis=2)
        with np.errstate(divide="ignore"):
            logs = np.maximum(np.log(flat), NEVER)
        return np.asarray(np.exp(logs @ self.states))

    def add_counts(self, totals: Tables, tables: Tables, weights: Numbers) -> None:
        """Write the expected counts of the items, from those of class and row: a missing entry is completed by its row of the table."""
        restarts, classes, _ = weights.shape
        found = weights @ self.shown
        first = 0
        for item in self.items:
            states = tables[item][0].size // classes
            here = found[:, :, first : first + states]
            absent = found[:, :, first + states, None]
            if absent.any():
                here = here + absent * tables[item].reshape(restarts, classes, states)
            totals[item][:] = here.reshape(totals[item].shape)
            first += states + 1

    @cached_property
    def inner(self) -> tuple[Numbers, Numbers]:
        """Entry × row, for the states of each item but the last: whether the row shows the state, and whether it shows the item."""
        ends = np.cumsum([size + 1 for size in self.sizes])
        kept = np.concatenate([np.arange(end - size - 1, end - 2) for end, size in zip(ends, self.sizes, strict=True)])
        absent = np.repeat(self.shown[:, ends - 1], [size - 1 for size in self.sizes], axis=1)
        return np.ascontiguousarray(self.shown[:, kept].T), np.ascontiguousarray(1.0 - absent.T)

    def compute_slopes(self, tables: Tables, classes: int) -> Numbers:
        """Restart × class × (1 and the inner entries) × row: the gradient of the logarithm of a row's probability in the class, behind a one."""
        restarts = len(tables[self.items[0]])
        chances = [tables[item].reshape(restarts, classes, -1)[:, :, :-1] for item in self.items]
        shown, present = self.inner
        slopes = np.empty((restarts, classes, 1 + len(shown), self.rows))
        slopes[:, :, 0] = 1.0
        np.multiply(present, np.concatenate(chances, axis=2)[..., None], out=slopes[:, :, 1:])
        np.subtract(shown, slopes[:, :, 1:], out=slopes[:, :, 1:])
        return slopes


@dataclass(frozen=True, slots=True, eq=False)
class PairOfHalves:
    """The classes' array, and both halves."""

    root: int
    left: Half
    right: Half

    def compute_probabilities(self, tables: Tables) -> tuple[Numbers, Numbers]:
        """Restart × class × row: the probabilities of first items and class together, and of last items in a class."""
        restarts, classes = len(tables[0]), tables[self.root][0].size
        left, right = (half.compute_probabilities(tables, classes) for half in (self.left, self.right))
        left *= tables[self.root].reshape(restarts, classes, 1)
        return left, right

    def write_counts(self, totals: Tables, tables: Tables, left: Numbers, right: Numbers) -> None:
        """Write the expected counts of the tables, from those of class and row of either half."""
        totals[self.root][:] = left.sum(axis=2).reshape(totals[self.root].shape)
        self.left.add_counts(totals, tables, left)
        self.right.add_counts(totals, tables, right)


class Runs(NamedTuple):
    """An order of patterns in which those of one row stand together, where rows begin, and which rows they are."""

    order: NDArray[np.intp]
    starts: NDArray[np.intp]
    rows: NDArray[np.intp]


def find_runs(rows: NDArray[np.intp]) -> Runs:
    """The order of the patterns by their rows.

    >>> find_runs(np.array([3, 0, 3]))
    Runs(order=array([1, 0, 2]), starts=array([0, 1]), rows=array([0, 3]))
    """
    order = np.argsort(rows, kind="stable")
    starts = run_starts(rows[order])
    return Runs(order, starts, rows[order][starts])


@dataclass(frozen=True, eq=False)
class Halves:
    """A sample as a matrix of counts, those of the blocks first."""

    sides: PairOfHalves
    stairs: Staircase
    places: tuple[NDArray[np.intp], NDArray[np.intp]]
    """Of the patterns outside of all blocks the rows of their halves."""
    counts: Numbers
    is_free: bool
    """Whether no entries are equal or fixed, so that each is a coordinate or the last of its row."""
    completed: Completed | None
    """A shorter way to expected counts, where few entries of few items are missing."""

    @cached_property
    def runs(self) -> tuple[Runs, Runs]:
        """The patterns outside in the order of the rows of either half."""
        left, right = (find_runs(places) for places in self.places)
        return left, right

    @cached_property
    def cells(self) -> int:
        """Of all blocks."""
        return sum((block.rows.stop - block.rows.start) * block.width for block in self.stairs.blocks)

    def take_expectation(self, tables: Tables) -> tuple[Numbers, Tables]:
        """The log-likelihood at every restart, and the expected counts of every table."""
        if self.completed is not None:
            return take_in_parts(self.completed.fill_counts, tables, self.completed.completions.size)
        classes = tables[self.sides.root][0].size
        return take_in_parts(self.fill_counts, tables, self.cells + 2 * classes * len(self.places[0]))

    def fill_counts(self, tables: Tables, totals: Tables) -> Numbers:
        """The log-likelihoods; the expected counts are written into the arrays given."""
        left, right = self.sides.compute_probabilities(tables)
        beside_left, beside_right = np.zeros_like(left), np.zeros_like(right)
        logliks = np.zeros(len(left))
        for block in self.stairs.blocks:
            above, beside, counts = left[..., block.rows], right[..., : block.width], self.counts[block.pairs]
            grid = (above.transpose(0, 2, 1) @ beside).reshape(len(left), -1)
            chances = np.take(grid, block.cells, axis=1, mode="clip")  # all are inside, and looking takes longer
            logliks += add_up_logs(chances, counts)
            grid[:] = 0
            grid[:, block.cells] = divide_possible(counts, chances)
            weights = grid.reshape(len(left), -1, block.width)
            beside_left[..., block.rows] += beside @ weights.transpose(0, 2, 1)
            beside_right[..., : block.width] += above @ weights
        beside_left *= left
        beside_right *= right
        if len(self.places[0]):
            joint, sums = self.compute_outside(left, right)
            counts = self.counts[self.stairs.outside :]
            logliks += add_up_logs(sums, counts)
            joint *= divide_possible(counts, sums)[:, None]
            for target, runs in zip((beside_left, beside_right), self.runs, strict=True):
                in_order = np.take(joint, runs.order, axis=2, mode="clip")
                target[..., runs.rows] += np.add.reduceat(in_order, runs.starts, axis=2)
        self.sides.write_counts(totals, tables, beside_left, beside_right)
        return logliks

    def compute_outside(self, left: Numbers, right: Numbers) -> tuple[Numbers, Numbers]:
        """Restart × class × pattern outside of all blocks: the probability of both; and its sums over the classes."""
        rows, columns = self.places
        joint = np.take(left, rows, axis=2, mode="clip")
        joint *= np.take(right, columns, axis=2, mode="clip")
        return joint, joint.sum(axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class Completed:
    """A sample as a matrix of all complete patterns, whose sums are the patterns that lack entries."""

    sides: PairOfHalves
    completions: Completions
    counts: Numbers

    def fill_counts(self, tables: Tables, totals: Tables) -> Numbers:
        """The log-likelihoods; the expected counts are written into the arrays given."""
        left, right = self.sides.compute_probabilities(tables)
        grid = left.transpose(0, 2, 1) @ right
        chances = self.completions.add_up(grid.reshape(len(left), -1))
        weights = self.completions.spread(divide_possible(self.counts, chances)).reshape(grid.shape)
        beside_left, beside_right = right @ weights.transpose(0, 2, 1), left @ weights
        beside_left *= left
        beside_right *= right
        self.sides.write_counts(totals, tables, beside_left, beside_right)
        return add_up_logs(chances, self.counts)


def take_in_parts(fill: Callable[[Tables, Tables], Numbers], tables: Tables, numbers: int) -> tuple[Numbers, Tables]:
    """The log-likelihoods and expected counts of all restarts, of as many at once as the numbers of one allow."""
    restarts = len(tables[0])
    logliks, totals = np.empty(restarts), [np.empty_like(table) for table in tables]
    size = max(1, AT_ONCE // max(1, numbers))
    for start in range(0, restarts, size):
        some = slice(start, start + size)
        logliks[some] = fill([table[some] for table in tables], [total[some] for total in totals])
    return logliks, totals


def add_up_logs(chances: Numbers, counts: Numbers) -> Numbers:
    """The log-likelihood at every restart."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(chances) @ counts)


def divide_possible(counts: Numbers, sums: Numbers) -> Numbers:
    """Counts over sums; 0 for a pattern that cannot occur, which has no expected counts."""
    if sums.size and sums.min() > 0:
        return np.asarray(counts / sums)  # many times as fast as where something is left out
    return np.divide(counts, sums, out=np.zeros_like(sums), where=sums > 0)


def has_own_tables(model: Network) -> bool:
    """Whether it is a latent class model in which each item has a table of its own, with equal and fixed entries or without.

    What is expected of an entry does not depend on which other entries are equal to it.

    >>> from algdim.models.notation import parse
    >>> has_own_tables(parse("diagnosis DINA: items 10, 01, 11")), has_own_tables(parse("2:2^3*"))
    (True, False)
    """
    locals_ = [variable.local for variable in model.variables]
    return find_latent_class(model) is not None and all(isinstance(one, Table) and one.share is None for one in locals_)


def make_halves(pmap: ParamMap, sample: Sample) -> Halves | None:
    """The sample of a latent class model as a matrix; nothing for other models."""
    model = pmap.model
    if not has_own_tables(model) or not 2 <= len(model.observed) <= MOST_ITEMS:
        return None
    # not for a part of a likelihood, either
    if len(sample.counts) < FEWEST_PATTERNS or len(pmap.factors) < len(model.variables):
        return None
    places = {owner: number for number, owner in enumerate(pmap.owners)}
    sizes = [variable.states for variable in model.observed]
    arrays = [places[variable.name] for variable in model.observed]
    cut = min(range(1, len(sizes)), key=lambda at: abs(prod(sizes[:at]) - prod(sizes[at:])))
    root, parts = places[model.hidden[0].name], (slice(None, cut), slice(cut, None))
    made, numbers = [], []
    for columns in parts:
        rows, number = find_distinct_rows(sample.patterns[:, columns])
        ranks = rank_by_frequency(number)
        made.append(make_half(tuple(arrays[columns]), sizes[columns], rows[np.argsort(ranks)]))
        numbers.append(ranks[number])
    completed = None
    if sample.has_missing and are_few(sample.patterns, sizes):
        found = list_completions(sample.patterns, sizes)
        whole = [make_half(tuple(arrays[part]), sizes[part], list_all_rows(sizes[part])) for part in parts]
        completed = Completed(PairOfHalves(root, *whole), found, sample.counts[found.order])
    stairs = build_staircase(*numbers)
    outside = stairs.order[stairs.outside :]
    return Halves(
        PairOfHalves(root, *made),
        stairs,
        (numbers[0][outside], numbers[1][outside]),
        sample.counts[stairs.order],
        find_free_latent_class(model) is not None,
        completed,
    )


def list_all_rows(sizes: list[int]) -> NDArray[np.int64]:
    """All rows of states, the first item slowest."""
    return np.indices(sizes).reshape(len(sizes), -1).T


def make_half(items: tuple[int, ...], sizes: list[int], rows: NDArray[np.int64]) -> Half:
    """Some of the items with the rows that occur."""
    ends = np.cumsum([size + 1 for size in sizes])
    first = ends - np.array(sizes) - 1
    shown = np.zeros((len(rows), int(ends[-1])))
    for place in np.where(rows == MISSING, ends - 1, first + rows).T:
        shown[np.arange(len(rows)), place] = 1.0
    return Half(items, shown, tuple(sizes))
