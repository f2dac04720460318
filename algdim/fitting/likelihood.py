"""The likelihood of a discrete network and the expected counts, at several points at once.

A pattern is a product functional: a unit vector on each variable that it shows, ones on those that are missing. So one
contraction gives the probabilities of all patterns, and its gradient by the entries of the tables, all states of a row
among them, the expected counts: N_ijk = θ_ijk · ∂ log p / ∂θ_ijk (CH96 Eq. 11). Restarts are one more axis.

A likelihood falls into parts where every case shows what they have in common. Given the shown variables log p of a case
is a sum over parts: tables are in one part if a variable that is hidden, or missing in some case, is in both. A part is
contracted for its own patterns, which are few; a part whose variables are all shown is one table, of which the cases
count the entries once for all.

Latent class models with many items are products of matrices: log p(x, class) is linear in the logarithms of the entries
that the case shows. So all patterns take one matrix product, and their expected counts another one, where the contraction
multiplies patterns item by item.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from algdim.errors import LimitError
from algdim.exact.arithmetic import Floats
from algdim.families.discrete.bounds.pairwise import find_free_latent_class
from algdim.families.discrete.contraction import Plan, compute_gradients, evaluate, expand_plan, get_contraction_plan
from algdim.families.discrete.locals.function import Deterministic
from algdim.families.discrete.map import Factor, ParamMap
from algdim.figures import format_bytes
from algdim.fitting.halves import Halves, divide_possible, has_own_tables, make_halves
from algdim.fitting.samples import MISSING, Sample, count_distinct_rows
from algdim.maps import find_once
from algdim.memory import compute_default_memory

Numbers = NDArray[np.float64]
Tables = list[Numbers]
"""One array per table of the map, the restarts first."""

CHUNK_BYTES = 32 << 20
"""Of intermediate arrays: patterns are taken in chunks that need no more, if one pattern does not."""


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Some of the patterns: their vectors, how often each stands, and what its log value lacks."""

    vectors: Tables
    counts: Numbers
    """Of each pattern, or restart × pattern where each restart has a sample of its own."""
    offsets: Numbers


class Chunks(Sequence[Chunk]):
    """The patterns of a sample, some at a time; made when they are asked for, since shorter ways do without."""

    def __init__(self, pmap: ParamMap, sample: Sample, size: int) -> None:
        self.pmap, self.sample, self.size = pmap, sample, size

    @cached_property
    def made(self) -> list[Chunk]:
        """All chunks, from the first time on that one is asked for."""
        shares = compute_state_shares(self.pmap, self.sample)
        starts = range(0, len(self.sample.counts), self.size)
        return [build_chunk(shares, self.sample, start, start + self.size) for start in starts]

    def __len__(self) -> int:
        return len(self.made)

    @overload
    def __getitem__(self, number: int) -> Chunk: ...

    @overload
    def __getitem__(self, number: slice) -> list[Chunk]: ...

    def __getitem__(self, number: int | slice) -> Chunk | list[Chunk]:
        return self.made[number]


@dataclass(frozen=True, slots=True, eq=False)
class LikelihoodEvaluator:
    """A likelihood made ready for a number of restarts."""

    pmap: ParamMap
    base: Plan
    """The contraction at one point."""
    plan: Plan
    chunks: Sequence[Chunk]
    mixture: Mixture | None = None
    """A shorter way to expected counts."""
    shown: Shown | None = None
    """Where the likelihood falls into parts: what is counted once for all."""
    parts: tuple[LikelihoodEvaluator, ...] = ()
    """The others, which are contracted one by one."""
    halves: Halves | None = None
    """The shortest way, where patterns are cells of a matrix."""

    def select_restarts(self, restarts: int) -> LikelihoodEvaluator:
        """The same for fewer restarts."""
        parts = tuple(part.select_restarts(restarts) for part in self.parts)
        return replace(self, plan=expand_plan(self.base, restarts), parts=parts)

    def log_values(self, tables: Tables) -> Numbers:
        """Log p of every pattern (columns) at every restart (rows)."""
        factors = self.factors(tables)
        with np.errstate(divide="ignore"):
            return np.concatenate(
                [
                    np.log(evaluate(self.plan, Floats(), factors, chunk.vectors)[0].reshape(-1, len(chunk.offsets)))
                    + chunk.offsets
                    for chunk in self.chunks
                ],
                axis=1,
            )

    def take_expectation(self, tables: Tables) -> tuple[Numbers, Tables]:
        if self.halves is not None:
            return self.halves.take_expectation(tables)
        if self.mixture is not None and (shorter := self.mixture.take_expectation(tables)) is not None:
            return shorter
        if self.shown is not None:
            return self.add_parts(self.shown, tables)
        factors = self.factors(tables)
        restarts = len(tables[0])
        loglik = np.zeros(restarts)
        totals = [np.zeros_like(table) for table in tables]
        with np.errstate(divide="ignore"):
            for chunk in self.chunks:
                values, tape = evaluate(self.plan, Floats(), factors, chunk.vectors)
                loglik += add_up_patterns(np.log(values) + chunk.offsets, chunk.counts)
                # a pattern that cannot occur has no expected counts
                weights = np.divide(chunk.counts, values, out=np.zeros_like(values), where=values > 0)
                found = compute_gradients(self.plan, Floats(), tape, weights)
                for factor, gradient in zip(self.pmap.factors, found, strict=True):
                    if gradient is not None:
                        totals[factor.array] += gradient.reshape(totals[factor.array].shape)
        return loglik, [total * table for total, table in zip(totals, tables, strict=True)]

    def add_parts(self, shown: Shown, tables: Tables) -> tuple[Numbers, Tables]:
        """The sum over the parts."""
        loglik, totals = shown.loglik(tables), [np.zeros(table.shape) for table in tables]
        shown.add_to(totals, tables)
        for part in self.parts:
            more, found = part.take_expectation(tables)
            loglik += more
            for array in {factor.array for factor in part.pmap.factors}:
                totals[array] += found[array]
        for array in {one.array for one in shown.arrays}:
            if not is_table(self.pmap, array):
                totals[array][:] = 0
        return loglik, totals

    def factors(self, tables: Tables) -> Tables:
        """The operands of the contraction: deterministic arrays have no axis of restarts."""
        return [
            tables[factor.array] if live else tables[factor.array][0]
            for factor, live in zip(self.pmap.factors, self.base.live, strict=False)
        ]


def make_likelihood_evaluator(
    pmap: ParamMap, sample: Sample, restarts: int, shortcuts: Shortcuts | None = None
) -> LikelihoodEvaluator:
    """Make the likelihood of a sample ready for a number of restarts at once; the shortcuts may be known already."""
    base = get_contraction_plan(pmap, [is_table(pmap, factor.array) for factor in pmap.factors])
    plan = expand_plan(base, restarts)
    per_pattern = 8 * max(1, plan.numbers_per_functional)
    if per_pattern > compute_default_memory():
        raise LimitError(
            f"one pattern needs {format_bytes(per_pattern)} at {restarts} starts at once; "
            "take fewer starts, or a model with smaller tables"
        )
    chunks = Chunks(pmap, sample, max(1, CHUNK_BYTES // per_pattern))
    halves, mixture = shortcuts or make_shortcuts(pmap, sample)
    parts = None if halves or mixture else split_likelihood(pmap, sample)
    if parts is None:
        return LikelihoodEvaluator(pmap, base, plan, chunks, mixture, halves=halves)
    inside = tuple(make_likelihood_evaluator(part, cases, restarts) for part, cases in parts.contracted)
    return LikelihoodEvaluator(pmap, base, plan, chunks, mixture, parts.shown, inside)


def make_shortcuts(pmap: ParamMap, sample: Sample) -> Shortcuts:
    """What makes the likelihood of a latent class model quicker, for any number of restarts."""
    halves = make_halves(pmap, sample)
    return Shortcuts(halves, make_mixture(pmap, sample) if halves is None else None)


def add_up_patterns(logs: Numbers, counts: Numbers) -> Numbers:
    """The sum over the patterns at every restart; what a restart's own sample does not have may be impossible there."""
    if counts.ndim == 1:
        return np.asarray(logs @ counts)
    return np.asarray(np.multiply(logs, counts, out=np.zeros_like(logs), where=counts > 0).sum(axis=1))


def is_table(pmap: ParamMap, number: int) -> bool:
    """Whether an array is a table, so that its entries have expected counts; other arrays are zeros and ones."""
    local = {variable.name: variable.local for variable in pmap.model.variables}.get(pmap.owners[number])
    return not isinstance(local, Deterministic)


def compute_state_shares(pmap: ParamMap, sample: Sample) -> Tables:
    """Per observed variable: the share of each state in the data, by which vectors are divided.

    Values are then p(x) over the product of the shares, which stays near 1 with hundreds of variables.
    """
    result = []
    for k, axis in enumerate(pmap.observed):
        shown = sample.patterns[:, k] != MISSING
        totals = np.bincount(sample.patterns[shown, k], sample.counts[shown], pmap.sizes[axis]) + 1
        result.append(np.ones(len(totals)) if axis in pmap.given else totals / totals.sum())
    return result


def build_chunk(shares: Tables, sample: Sample, start: int, stop: int) -> Chunk:
    """The patterns start … stop − 1."""
    patterns = sample.patterns[start:stop]
    vectors, offsets = [], np.zeros(len(patterns))
    for states, share in zip(patterns.T, shares, strict=True):
        shown = states != MISSING
        vectors.append(np.where(shown, np.equal.outer(np.arange(len(share)), states) / share[:, None], 1.0))
        offsets += np.where(shown, np.log(share)[states], 0.0)
    return Chunk(vectors, sample.counts[start:stop], offsets)


def compute_posteriors(at: LikelihoodEvaluator, tables: Tables) -> tuple[Numbers, Tables]:
    """Log p of every pattern, and for each table restart × entry × pattern: the expected count in one case."""
    logs, pieces = [], []
    for part in at.chunks:
        values, tape = evaluate(at.plan, Floats(), at.factors(tables), part.vectors)
        with np.errstate(divide="ignore"):
            logs.append(np.log(values) + part.offsets)
        pieces.append(compute_pattern_counts(at, tables, compute_gradients(at.plan, Floats(), tape), values))
    return np.concatenate(logs, axis=1), [np.concatenate(found, axis=2) for found in zip(*pieces, strict=True)]


def compute_pattern_counts(
    at: LikelihoodEvaluator, tables: Tables, found: list[Numbers | None], values: Numbers
) -> Tables:
    """For each table restart × entry × pattern: entry times gradient over value."""
    restarts, patterns = values.shape
    totals = [np.zeros((restarts, table[0].size, patterns)) for table in tables]
    for factor, gradient in zip(at.pmap.factors, found, strict=True):
        if gradient is not None:
            totals[factor.array] += gradient.reshape(restarts, -1, patterns)
    possible = values[:, None] > 0
    return [
        np.divide(total * table.reshape(restarts, -1, 1), values[:, None], out=np.zeros_like(total), where=possible)
        for total, table in zip(totals, tables, strict=True)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class CountedEntries:
    """An array of which every case shows an entry: those that occur, and how often."""

    array: int
    entries: NDArray[np.intp]
    counts: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """The arrays whose counts do not depend on parameters."""

    arrays: tuple[CountedEntries, ...]

    def loglik(self, tables: list[Numbers]) -> Numbers:
        """What they add to the log-likelihood at every restart."""
        total = np.zeros(len(tables[0]))
        with np.errstate(divide="ignore"):
            for one in self.arrays:
                total += np.log(tables[one.array].reshape(len(total), -1)[:, one.entries]) @ one.counts
        return total

    def add_to(self, totals: list[Numbers], tables: list[Numbers]) -> None:
        """Add their counts to expected ones, but for entries that are 0: what cannot occur has none."""
        for one in self.arrays:
            flat = totals[one.array].reshape(len(totals[one.array]), -1)  # a view: they are contiguous
            possible = tables[one.array].reshape(flat.shape)[:, one.entries] > 0
            flat[:, one.entries] += possible * one.counts


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """What is counted once for all, and the parts that are contracted: some factors with the cases of their variables."""

    shown: Shown
    contracted: tuple[tuple[ParamMap, Sample], ...]


def split_likelihood(pmap: ParamMap, sample: Sample) -> Parts | None:
    """The parts of a likelihood; nothing if there is one only."""
    columns = {axis: column for column, axis in enumerate(pmap.observed)}
    complete = frozenset(axis for axis, column in columns.items() if (sample.patterns[:, column] != MISSING).all())
    groups = find_once(pmap, ("likelihood parts", complete), lambda: split_factors(pmap, complete))
    if len(groups) < 2:
        return None
    shown, contracted = [], []
    for part in groups:
        if part.is_shown:
            (factor,) = part.factors
            shape = tuple(pmap.sizes[axis] for axis in factor.axes)
            cells = tuple(sample.patterns[:, columns[axis]] for axis in factor.axes)
            found = np.bincount(np.ravel_multi_index(cells, shape), sample.counts).astype(np.float64)
            entries = np.flatnonzero(found)
            shown.append(CountedEntries(factor.array, entries, found[entries]))
            continue
        own = part.pmap.observed
        contracted.append((part.pmap, project_sample(sample, [columns[axis] for axis in own])))
    return Parts(Shown(tuple(shown)), tuple(contracted))


class FactorGroup(NamedTuple):
    """Factors that are taken together: one whose cases show its entries, or the map of those that are contracted."""

    factors: tuple[Factor, ...]
    is_shown: bool
    pmap: ParamMap


def split_factors(pmap: ParamMap, complete: frozenset[int]) -> list[FactorGroup]:
    """The factors of a map in groups, where every case shows these axes."""
    found = []
    for group in join_unobserved_groups(group_factors(pmap.factors, complete), pmap.observed):
        axes = {axis for factor in group for axis in factor.axes}
        own, given = (tuple(axis for axis in some if axis in axes) for some in (pmap.observed, pmap.given))
        part = replace(pmap, factors=group, observed=own, given=given)
        found.append(FactorGroup(group, axes <= complete and len(group) == 1, part))
    return found


def group_factors(factors: Sequence[Factor], complete: AbstractSet[int]) -> list[tuple[Factor, ...]]:
    """The factors in groups that have no axis in common but complete ones."""
    groups: list[tuple[set[int], list[Factor]]] = []
    for factor in factors:
        axes, members = set(factor.axes).difference(complete), [factor]
        apart = []
        for other, found in groups:
            if axes & other:
                axes |= other
                members = [*found, *members]
            else:
                apart.append((other, found))
        groups = [*apart, (axes, members)]
    return [tuple(members) for _, members in groups]


def join_unobserved_groups(groups: list[tuple[Factor, ...]], observed: Collection[int]) -> list[tuple[Factor, ...]]:
    """The same, those that no case says anything of joined to one that has cases."""
    some = [group for group in groups if any(axis in observed for factor in group for axis in factor.axes)]
    silent = [factor for group in groups if group not in some for factor in group]
    return [(*silent, *some[0]), *some[1:]] if some and silent else some or groups


def project_sample(sample: Sample, columns: Sequence[int]) -> Sample:
    """The cases as some columns show them."""
    patterns, counts = count_distinct_rows(sample.patterns[:, columns], sample.counts)
    names = tuple(sample.names[column] for column in columns)
    return Sample(names, tuple(sample.states[column] for column in columns), patterns, counts)


FEWEST_ITEMS = 8
"""Below it the contraction of all restarts at once is as fast."""
MOST_NUMBERS = 1 << 18
"""Of chances of classes at once, if it is more than one restart's."""
CACHED_NUMBERS = 1 << 17
"""Of gradients of patterns at once, so that they stay in the cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Mixture:
    """A sample and the places of a latent class model's tables among the arrays of its map."""

    root: int
    items: tuple[int, ...]
    shown: Numbers
    """Pattern × (item, state): whether the pattern shows the state."""
    absent: Numbers
    """Pattern × item: whether the item is missing; of no patterns if none is."""
    counts: Numbers
    is_free: bool = True
    """Whether no entries are equal or fixed, so that each is a coordinate or the last of its row."""

    def take_expectation(self, tables: list[Numbers]) -> tuple[Numbers, list[Numbers]] | None:
        """The log-likelihood at every restart and the expected counts; nothing where an entry is 0."""
        if not is_positive(tables):
            return None
        restarts, classes = len(tables[0]), tables[self.root][0].size
        logliks, totals = np.empty(restarts), [np.empty_like(table) for table in tables]
        block = max(1, MOST_NUMBERS // (len(self.counts) * classes))
        for start in range(0, restarts, block):
            some = slice(start, start + block)
            here = [table[some] for table in tables]
            joint, sums, logs = self.compute_joint(here)
            logliks[some] = logs @ self.counts
            joint *= divide_possible(self.counts, sums)[:, None]
            totals[self.root][some] = joint.sum(axis=2).reshape(totals[self.root][some].shape)
            found = joint @ self.shown
            if len(self.absent):
                # a missing entry is completed in proportion to its row
                found += np.repeat(joint @ self.absent, self.states(tables), axis=2) * self.rows(here)
            for item, piece in zip(self.items, np.split(found, self.ends(tables), axis=2), strict=True):
                totals[item][some] = piece.reshape(totals[item][some].shape)
        return logliks, totals

    def sum_score_products(self, tables: list[Numbers], entries: NDArray[np.intp]) -> Numbers | None:
        """Σ N s sᵀ at every restart, as `algdim.fitting.scoreproducts`; nothing where an entry is 0."""
        if not is_positive(tables):
            return None
        joint, sums, _ = self.compute_joint(tables)
        restarts, classes, _ = joint.shape
        roots = np.sqrt(self.counts)
        joint *= divide_possible(roots, sums)[:, None]
        inner = np.ones(self.shown.shape[1], dtype=np.bool_)
        inner[np.append(self.ends(tables), len(inner)) - 1] = False
        chances = self.rows(tables)[:, :, inner, None]
        shown = np.ascontiguousarray(self.shown[:, inner].T)
        present = None
        if len(self.absent):
            present = np.repeat(1 - self.absent.T, self.states(tables) - 1, axis=0)
        first = tables[self.root].reshape(restarts, classes, 1)[:, :-1]
        width = classes - 1 + classes * len(shown)
        total = np.zeros((restarts, width, width))
        size = max(1, CACHED_NUMBERS // (restarts * width))
        for start in range(0, len(self.counts), size):
            run = slice(start, start + size)
            here = joint[:, :, run]
            score = np.empty((restarts, width, here.shape[2]))
            score[:, : classes - 1] = here[:, :-1] - first * roots[run]
            items = score[:, classes - 1 :].reshape(restarts, classes, len(shown), -1)  # a view
            if present is None:
                np.subtract(shown[:, run], chances, out=items)
            else:
                np.multiply(present[:, run], chances, out=items)
                np.subtract(shown[:, run], items, out=items)
            items *= here[:, :, None]
            total += np.matmul(score, score.transpose(0, 2, 1))  # of one array and itself: half of the work
        own = self.number_inner_entries(tables, inner)
        order = np.argsort(own)
        places = order[np.searchsorted(own[order], entries)]
        return total[:, places[:, None], places]

    def number_inner_entries(self, tables: list[Numbers], inner: NDArray[np.bool_]) -> NDArray[np.intp]:
        """The numbers through all tables of the classes but the last, then class by class of the items' states but the last ones."""
        starts = np.cumsum([0, *(table[0].size for table in tables)])
        classes = tables[self.root][0].size
        pieces = [starts[item] + np.arange(tables[item][0].size).reshape(classes, -1) for item in self.items]
        of_items = np.concatenate(pieces, axis=1)[:, inner].ravel()
        return np.concatenate([starts[self.root] + np.arange(classes - 1), of_items]).astype(np.intp)

    def rows(self, tables: list[Numbers]) -> Numbers:
        """Restart × class × (item, state): the tables of all items side by side."""
        restarts, classes = len(tables[self.root]), tables[self.root][0].size
        return np.concatenate([tables[item].reshape(restarts, classes, -1) for item in self.items], axis=2)

    def states(self, tables: list[Numbers]) -> NDArray[np.intp]:
        """The numbers of states of the items."""
        return np.array([tables[item].shape[-1] for item in self.items])

    def ends(self, tables: list[Numbers]) -> NDArray[np.intp]:
        """Where one item's columns end and the next one's begin."""
        return np.cumsum(self.states(tables))[:-1]

    def compute_joint(self, tables: list[Numbers]) -> tuple[Numbers, Numbers, Numbers]:
        """Restart × class × pattern: numbers in proportion to the chances of the classes; their sums; log p of every pattern."""
        root = tables[self.root]
        joint = np.log(self.rows(tables)) @ self.shown.T
        joint += np.log(root.reshape(len(root), -1, 1))
        most = joint.max(axis=1, keepdims=True)
        np.exp(joint - most, out=joint)
        sums = joint.sum(axis=1)
        return joint, sums, np.log(sums) + most[:, 0]


class Shortcuts(NamedTuple):
    """A sample made ready for a latent class model, ``None`` where it is of another model or small."""

    halves: Halves | None
    mixture: Mixture | None


def is_positive(tables: list[Numbers]) -> bool:
    """Whether every entry has a logarithm."""
    return all((table > 0).all() for table in tables)


def make_mixture(pmap: ParamMap, sample: Sample) -> Mixture | None:
    """The sample made ready for a latent class model with many items, each with a table of its own; nothing for other models."""
    model = pmap.model
    if not has_own_tables(model) or len(model.observed) < FEWEST_ITEMS:
        return None
    places = {owner: number for number, owner in enumerate(pmap.owners)}
    shown = [
        np.equal.outer(states, np.arange(variable.states))
        for variable, states in zip(model.observed, sample.patterns.T, strict=True)
    ]
    return Mixture(
        places[model.hidden[0].name],
        tuple(places[variable.name] for variable in model.observed),
        np.concatenate(shown, axis=1).astype(np.float64),
        (sample.patterns == MISSING).astype(np.float64) if sample.has_missing else np.empty((0, 0)),
        sample.counts,
        find_free_latent_class(model) is not None,
    )


def add_at_places(values: Numbers, places: NDArray[np.intp], count: int) -> Numbers:
    """Restart × place: the sums of restart × case × hidden state."""
    restarts = len(values)
    where = (np.arange(restarts)[:, None] * count + places.ravel()).ravel()
    return (
        np.bincount(where, values.reshape(restarts, -1).ravel(), restarts * count)
        .astype(np.float64)
        .reshape(restarts, count)
    )
