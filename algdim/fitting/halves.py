"""Expected counts of a latent class model whose items have tables of their own: patterns as the cells of a matrix, first items × last items.

Given the class the two halves of a pattern are independent: p(x, y) = Σ_c p(c) p(x|c) p(y|c), a product of matrices, where x
and y run through the different halves that occur. So is the E step: with n(x, y) the counts and q = n/p, the expected count
of class c beside x is p(c) p(x|c) · Σ_y q(x, y) p(y|c), and that beside y likewise. Of N patterns and C classes no array has
N·C entries, and no logarithm or exponential is taken but log p.

Where entries are missing most cells would be empty. There each pattern is taken by itself: p(x, y, c) is the product of two
numbers, one of each half.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import run_starts
from algdim.families.discrete.bounds.pairwise import find_latent_class
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.map import ParamMap
from algdim.families.discrete.model import Network
from algdim.fitting.samples import MISSING, Sample, find_distinct_rows

Numbers = NDArray[np.float64]
Tables = list[Numbers]

FEWEST_PATTERNS = 64
"""Below it the contraction of all restarts at once is as fast."""
MOST_EMPTY = 8
"""So many times as many cells as patterns are worth it; else each pattern is taken by itself."""
FEW_CELLS = 1 << 12
"""So many cells always are."""
MOST_ITEMS = 200
"""Beyond these the products of probabilities may be too small for a number."""
AT_ONCE = 1 << 19
"""Cells of all restarts at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Half:
    """Some of the items, and the different rows of states that they have in the sample."""

    items: tuple[int, ...]
    """The items' arrays."""
    places: NDArray[np.intp]
    """Item × row: the place of the state among the states of all items, each with one more place for a missing entry."""
    shown: Numbers
    """Row × place: whether the row shows it."""

    @property
    def rows(self) -> int:
        """How many different rows there are."""
        return int(self.places.shape[1])

    def pad_tables(self, tables: Tables, classes: int) -> Numbers:
        """Restart × place × class: the tables of the items side by side, each with a column of ones."""
        restarts = len(tables[self.items[0]])
        pieces = []
        for item in self.items:
            table = tables[item].reshape(restarts, classes, -1).transpose(0, 2, 1)
            pieces += [table, np.ones((restarts, 1, classes))]
        return np.concatenate(pieces, axis=1)

    def compute_chances(self, padded: Numbers) -> Numbers:
        """Restart × row × class: the chance of a row in a class."""
        chances = padded[:, self.places[0]]
        for place in self.places[1:]:
            chances *= padded[:, place]
        return chances

    def add_counts(self, totals: Tables, tables: Tables, weights: Numbers) -> None:
        """Write the expected counts of the items, from those of row and class: a missing entry is completed by its row of the table."""
        restarts, _, classes = weights.shape
        found = weights.transpose(0, 2, 1) @ self.shown
        first = 0
        for item in self.items:
            states = tables[item][0].size // classes
            here = found[:, :, first : first + states]
            absent = found[:, :, first + states, None]
            if absent.any():
                here = here + absent * tables[item].reshape(restarts, classes, states)
            totals[item][:] = here.reshape(totals[item].shape)
            first += states + 1


class Runs(NamedTuple):
    """An order of patterns in which those of one row stand together, ``None`` if it is their own, and where rows begin."""

    order: NDArray[np.intp] | None
    starts: NDArray[np.intp]


def find_runs(rows: NDArray[np.intp]) -> Runs:
    """The order of the patterns by their rows, all of which occur.

    >>> find_runs(np.array([1, 0, 1]))
    Runs(order=array([1, 0, 2]), starts=array([0, 1]))
    """
    order = np.argsort(rows, kind="stable")
    return Runs(None if (np.diff(order) == 1).all() else order, run_starts(rows[order]))


@dataclass(frozen=True, eq=False)
class Halves:
    """A sample as a matrix of counts."""

    root: int
    left: Half
    right: Half
    cells: NDArray[np.intp]
    """Per pattern its cell."""
    counts: Numbers

    @property
    def is_filled(self) -> bool:
        """Whether not too many of the cells are empty."""
        return self.left.rows * self.right.rows <= max(FEW_CELLS, MOST_EMPTY * len(self.counts))

    def compute_halves(self, tables: Tables) -> tuple[Numbers, Numbers]:
        """Restart × row × class: the chances of first items and class together, and of last items in a class."""
        restarts, classes = len(tables[0]), tables[self.root][0].size
        left = self.left.compute_chances(self.left.pad_tables(tables, classes))
        left *= tables[self.root].reshape(restarts, 1, classes)
        return left, self.right.compute_chances(self.right.pad_tables(tables, classes))

    @cached_property
    def places(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Per pattern the rows of its halves."""
        return np.divmod(self.cells, self.right.rows)

    @cached_property
    def runs(self) -> tuple[Runs, Runs]:
        """The patterns in the order of the rows of either half."""
        left, right = (find_runs(places) for places in self.places)
        return left, right

    def compute_joint(self, tables: Tables) -> Numbers:
        """Restart × class × pattern: the chance of both."""
        left, right = (np.ascontiguousarray(half.transpose(0, 2, 1)) for half in self.compute_halves(tables))
        rows, columns = self.places
        joint = np.take(left, rows, axis=2, mode="clip")  # all are inside, and looking takes longer
        joint *= np.take(right, columns, axis=2, mode="clip")
        return joint

    def add_patterns(self, totals: Tables, tables: Tables, joint: Numbers) -> None:
        """Write the expected counts of the tables, from those of restart, class and pattern."""
        for half, runs in zip((self.left, self.right), self.runs, strict=True):
            in_order = joint if runs.order is None else np.take(joint, runs.order, axis=2, mode="clip")
            beside = np.add.reduceat(in_order, runs.starts, axis=2).transpose(0, 2, 1)
            half.add_counts(totals, tables, beside)
        totals[self.root][:] = beside.sum(axis=1).reshape(totals[self.root].shape)

    def take_expectation(self, tables: Tables) -> tuple[Numbers, Tables]:
        """The log-likelihood at every restart, and the expected counts of every table."""
        restarts = len(tables[0])
        logliks, totals = np.empty(restarts), [np.empty_like(table) for table in tables]
        block = max(1, AT_ONCE // (self.left.rows * self.right.rows))
        for start in range(0, restarts, block):
            some = slice(start, start + block)
            logliks[some] = self.fill_block([table[some] for table in tables], [total[some] for total in totals])
        return logliks, totals

    def fill_block(self, tables: Tables, totals: Tables) -> Numbers:
        """The log-likelihoods of some restarts; their expected counts are written into the arrays given."""
        restarts, (left, right) = len(tables[0]), self.compute_halves(tables)
        grid = (left @ right.transpose(0, 2, 1)).reshape(restarts, -1)
        chances = grid[:, self.cells]
        with np.errstate(divide="ignore"):
            logliks = np.log(chances) @ self.counts
        # a pattern that cannot occur has no expected counts
        grid[:] = 0
        grid[:, self.cells] = np.divide(self.counts, chances, out=np.zeros_like(chances), where=chances > 0)
        weights = grid.reshape(restarts, self.left.rows, self.right.rows)
        beside_left, beside_right = weights @ right, weights.transpose(0, 2, 1) @ left
        beside_left *= left
        beside_right *= right
        totals[self.root][:] = beside_left.sum(axis=1).reshape(totals[self.root].shape)
        self.left.add_counts(totals, tables, beside_left)
        self.right.add_counts(totals, tables, beside_right)
        return np.asarray(logliks)


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
    halves, numbers = [], []
    for columns in (slice(None, cut), slice(cut, None)):
        rows, number = find_distinct_rows(sample.patterns[:, columns])
        halves.append(make_half(tuple(arrays[columns]), sizes[columns], rows))
        numbers.append(number)
    left, right = halves
    cells = numbers[0] * right.rows + numbers[1]
    return Halves(places[model.hidden[0].name], left, right, cells, sample.counts)


def make_half(items: tuple[int, ...], sizes: list[int], rows: NDArray[np.int64]) -> Half:
    """Some of the items with the rows that occur."""
    ends = np.cumsum([size + 1 for size in sizes])
    first = ends - np.array(sizes) - 1
    places = np.where(rows == MISSING, ends - 1, first + rows).T.astype(np.intp)
    shown = np.zeros((len(rows), int(ends[-1])))
    for place in places:
        shown[np.arange(len(rows)), place] = 1.0
    return Half(items, places, shown)
