"""Scoring with damping: what EM gains in a thousand steps where classes overlap, this gains in some thirty.

It moves in coordinates without constraints: shares, and weights. An entry of a table is a constant times shares of
groups. A free row is a group. Of tied entries (`algdim.fitting.maximization`) the classes of an equation are a group, and so are
the free entries of a row, which part their block. Classes that stand in several equations have no such coordinates.

In the logarithms of the shares the gradient is g = n − m·q: expected counts less their group's total times the share. The
information is estimated by Σ N_p s_p s_pᵀ over the patterns, s_p being the gradient of log p of one pattern, which the same
contraction gives. A step solves (information + μ·diag(n)) Δ = g and is taken only if the objective does not fall; with a
large μ it is a short step of EM's kind, with a small one Newton's where the model fits. μ falls after a success and
rises after a failure (Levenberg and Marquardt). A singular information, as of a model with defect, does no harm.

The sum over the patterns is made once. It is the curvature where the model holds and data are many, and not where the model
is wrong, as one with too few classes: there steps by it alone take as long as EM's. So every step corrects it by the change
of the gradient that it has shown, after Broyden, Fletcher, Goldfarb and Shanno; it is made anew after a step that failed, and after fifteen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import cast

import numpy as np

from algdim.exact.arithmetic import Floats
from algdim.families.discrete.contraction import compute_gradients, evaluate
from algdim.families.discrete.locals.curves import Curved, Places, compute_log_slopes
from algdim.families.discrete.map import ParamMap
from algdim.fitting.em import Climbers, Flags, LikelihoodFamily, Problem, Progress, Tolerance, show_climb_progress
from algdim.fitting.likelihood import LikelihoodEvaluator, Numbers, Tables, compute_pattern_counts
from algdim.fitting.maximization import Index, Maximizer, Ties, select_tables
from algdim.fitting.scoreproducts import sum_score_products

TINY = 1e-200
"""Instead of a share of 0, whose logarithm would be infinite."""


@dataclass(frozen=True, slots=True, eq=False)
class RowSums:
    """Sums of rows: which rows each one adds, the rows of a sum in a row, and where each sum begins."""

    rows: Index
    starts: Index

    @classmethod
    def of(cls, sums: Index, rows: Index) -> RowSums:
        """Sum number ``sums[i]`` adds row number ``rows[i]``; the numbers of sums leave none out."""
        order = np.argsort(sums, kind="stable")
        return cls(rows[order], np.flatnonzero(np.diff(sums[order], prepend=-1)))

    def __call__(self, values: Numbers) -> Numbers:
        """The sums along the second axis.

        >>> RowSums.of(np.array([1, 0, 1]), np.array([0, 1, 2]))(np.array([[1.0, 2.0, 4.0]]))
        array([[2., 5.]])
        """
        if not len(self.rows):
            return values[:, :0]
        in_order = len(self.rows) == values.shape[1] and bool((np.diff(self.rows) == 1).all())
        taken = values if in_order else values[:, self.rows]
        return taken if len(self.starts) == len(self.rows) else np.add.reduceat(taken, self.starts, axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """The coordinates of one map; entries are numbered through all arrays."""

    constant: Numbers
    uses: Numbers
    """Entry × share: whether the share is a factor of the entry."""
    reads: Numbers
    """Entry × share: the share, but for a constant of its group, as a sum of entries."""
    group: Index
    """By share the number of its group."""
    by_share: RowSums
    """Of each share the entries of which it is a factor."""
    by_group: RowSums
    pseudo: Numbers
    """Per entry: what the prior adds to its expected count."""
    curved: tuple[Curved, ...]
    """What is no table; the weights are coordinates after the shares."""
    places: tuple[tuple[Places, Places], ...]
    """Of each its entries, and the cells of its curve that they are."""

    @property
    def together(self) -> Numbers:
        """Share × share: whether they are of one group."""
        return np.asarray(self.group[:, None] == self.group[None, :], dtype=np.float64)

    def of(self, tables: Tables) -> Numbers:
        """The shares at the tables of every restart."""
        raw = self.entries(tables) @ self.reads
        totals = self.totals(raw)
        lengths = np.bincount(self.group)[self.group]
        return np.where(totals > 0, raw / np.where(totals > 0, totals, 1.0), 1.0 / lengths)

    def totals(self, values: Numbers) -> Numbers:
        """Of every share the sum over its group."""
        return self.by_group(values)[:, self.group]

    @property
    def last(self) -> Index:
        """The last share of every group."""
        ends = np.append(self.by_group.starts[1:], len(self.group)) if len(self.group) else self.by_group.starts
        return self.by_group.rows[ends - 1]

    @property
    def inner_coordinates(self) -> Index:
        """The coordinates without the last share of every group, of which the gradient is less the sum of the others'."""
        size = len(self.group) + sum(one.curve.size for one in self.curved)
        return np.delete(np.arange(size), self.last)

    def complete_matrix(self, inner: Numbers) -> Numbers:
        """Restart × coordinate × coordinate, from a symmetric matrix of the coordinates that are kept."""
        kept, last = self.inner_coordinates, self.last
        full = np.zeros((len(inner), len(kept) + len(last), len(kept) + len(last)))
        full[:, kept[:, None], kept] = inner
        full[:, last] = -self.by_group(full)
        full[:, :, last] = full[:, last].transpose(0, 2, 1)
        full[:, last[:, None], last] = -self.by_group(full[:, : len(self.group), last])
        return full

    def entries(self, tables: Tables) -> Numbers:
        """All entries of every restart, without the weights behind them."""
        return join_table_entries(tables[: len(tables) - len(self.curved)])

    def slopes(self, tables: Tables) -> list[Numbers]:
        """The derivatives of the logarithms of what is no table, restart × entry × weight."""
        behind = tables[len(tables) - len(self.curved) :]
        return [
            compute_log_slopes(one.curve.slopes(weights), one.join(tables), one.curve.shape[-1])
            for one, weights in zip(self.curved, behind, strict=True)
        ]

    def gradient(self, slopes: list[Numbers], values: Numbers, counts: Numbers, shares: Index | None = None) -> Numbers:
        """Restart × coordinate × case: the gradient of Σ n log θ, ``counts`` being n, restart × entry × case.

        With ``shares`` only by these, and by the weights.
        """
        chosen = np.arange(len(self.group)) if shares is None else shares
        per_share = self.by_share(counts)
        totals = self.by_group(per_share)
        pieces = [per_share[:, chosen] - values[:, chosen, None] * totals[:, self.group[chosen]]]
        for (entries, cells), inner in zip(self.places, slopes, strict=True):
            pieces.append(np.matmul(inner[:, cells].transpose(0, 2, 1), counts[:, entries]))
        return np.concatenate(pieces, axis=1)

    def complete(self, slopes: list[Numbers], values: Numbers, tables: Tables, flat: Numbers) -> Numbers:
        """The information that complete data with these counts would have."""
        width = len(self.group) + sum(inner.shape[2] for inner in slopes)
        result, first, last = np.zeros((len(flat), width, width)), 0, len(self.group)
        if last:
            mass = values * ((flat @ self.uses) @ self.together)
            result[:, :last, :last] = -self.together * mass[:, :, None] * values[:, None, :]
            places = np.arange(last)
            result[:, places, places] += mass
        for one, (entries, cells), inner in zip(self.curved, self.places, slopes, strict=True):
            first, last = last, last + inner.shape[2]
            by_cell = np.zeros(inner.shape[:2])
            by_cell[:, cells] = flat[:, entries]
            counts = by_cell.reshape(len(flat), -1, one.curve.shape[-1])
            mass = counts.sum(axis=-1, keepdims=True) * one.join(tables).reshape(counts.shape)
            weighed = mass.reshape(len(flat), -1, 1) * inner
            result[:, first:last, first:last] = np.matmul(weighed.transpose(0, 2, 1), inner)
        return result

    def tables(self, shares: Numbers, like: Tables, move: Numbers | None = None) -> Tables:
        """The tables at given shares; the weights as they are, or moved."""
        flat = self.constant * np.exp(np.log(np.maximum(shares, TINY)) @ self.uses.T)
        arrays = like[: len(like) - len(self.curved)]
        pieces = np.split(flat, np.cumsum([table[0].size for table in arrays])[:-1], axis=1)
        result = [piece.reshape(len(flat), *table.shape[1:]) for piece, table in zip(pieces, arrays, strict=True)]
        first = 0
        for one, weights in zip(self.curved, like[len(arrays) :], strict=True):
            result.append(weights if move is None else weights + move[:, first : first + one.curve.size])
            one.put(result, result[-1])
            first += one.curve.size
        return result

    def move_shares(self, shares: Numbers, move: Numbers, like: Tables) -> Tables:
        """The tables and weights when the logarithms of the shares, and the weights, have moved."""
        raised = shares * np.exp(move[:, : len(self.group)])
        return self.tables(raised / self.totals(raised), like, move[:, len(self.group) :])


def join_table_entries(tables: Tables) -> Numbers:
    """All entries of every restart in a row."""
    return np.concatenate([table.reshape(len(table), -1) for table in tables], axis=1)


@dataclass(slots=True, eq=False)
class Collected:
    """Shares on the way: the entries of which each is a factor, those that show it, and its group."""

    constant: Numbers
    factors: list[tuple[int, int]] = field(default_factory=list)
    read: list[tuple[int, int]] = field(default_factory=list)
    group: list[int] = field(default_factory=list)
    groups: int = 0

    def share(self, group: int) -> int:
        """One more share of a group: its number."""
        self.group.append(group)
        return len(self.group) - 1

    def own(self, entry: int, group: int) -> None:
        """One more share, of an entry that has it alone and shows it."""
        pair = (entry, self.share(group))
        self.factors.append(pair)
        self.read.append(pair)

    def rows(self, entries: range, states: int) -> None:
        """Free rows: each is a group."""
        for place, entry in enumerate(entries):
            self.constant[entry] = 1.0
            self.own(entry, self.groups + place // states)
        self.groups += len(entries) // states

    def tie_coordinates(self, ties: Ties, entries: Sequence[int]) -> None:
        """Tied entries: the classes of an equation are a group, and so are the free entries of a row."""
        sizes = np.bincount(ties.equation, minlength=len(ties.rest))
        of_class = {
            kind: self.share(self.groups + int(equation))
            for kind, equation in enumerate(ties.equation)
            if sizes[equation] > 1
        }
        self.groups += len(ties.rest)
        seen: dict[int, int] = {}
        for place, entry in enumerate(entries):
            kind, row = int(ties.kind[place]), int(ties.row[place])
            if kind < 0:
                self.constant[entry] = ties.fixed[place]
                continue
            self.constant[entry] = ties.rest[ties.equation[kind]] / ties.times[kind]
            here = row if row >= 0 else -1 - place
            if kind in of_class:
                self.factors.append((entry, of_class[kind]))
                if seen.setdefault(kind, here) == here:  # one row or one entry shows what the class has
                    self.read.extend([(entry, of_class[kind])] * int(ties.times[kind]))
            if row >= 0:
                self.own(entry, self.groups + row)


def make_coordinate_shares(pmap: ParamMap, rise: Maximizer, even: Tables, most: int) -> Shares | None:
    """The coordinates of a map; nothing where there are none, or more than ``most``."""
    ties = rise.ties
    if ties is not None and ties.components:
        return None
    offsets = np.cumsum([0, *(prod(entries.shape) for entries in pmap.arrays)]).tolist()
    states = {number: table.states for number, table in select_tables(pmap).items()}
    free = {number: range(*offsets[number : number + 2]) for number in rise.plain if states[number] > 1}
    tied = [entry for number in (ties.tables if ties else ()) for entry in range(*offsets[number : number + 2])]
    if sum(map(len, free.values())) + len(tied) > most:
        return None
    found = Collected(np.concatenate([table.ravel() for table in even]))
    for number, entries in free.items():
        found.rows(entries, states[number])
    if ties is not None:
        found.tie_coordinates(ties, tied)
    uses, reads = np.zeros((len(found.constant), len(found.group))), np.zeros((len(found.constant), len(found.group)))
    np.add.at(uses, tuple(np.array(found.factors, dtype=np.intp).reshape(-1, 2).T), 1.0)
    np.add.at(reads, tuple(np.array(found.read, dtype=np.intp).reshape(-1, 2).T), 1.0)
    if len(found.group) + sum(one.curve.size for one in rise.curved) > most:
        return None
    pseudo = np.concatenate([more.ravel() for more in rise.pseudo[: len(pmap.arrays)]])
    numbers = np.unique(np.array(found.group, dtype=np.intp), return_inverse=True)[1].astype(np.intp)
    factor_entries, factor_shares = np.array(found.factors, dtype=np.intp).reshape(-1, 2).T
    return Shares(
        found.constant,
        uses,
        reads,
        numbers,
        RowSums.of(factor_shares, factor_entries),
        RowSums.of(numbers, np.arange(len(numbers))),
        pseudo,
        rise.curved,
        tuple(one.locate([entries.shape for entries in pmap.arrays]) for one in rise.curved),
    )


TINIEST = 1e-12
"""On the diagonal, so that shares without any counts leave the system regular."""
LEAST_DAMPING = 1e-8
AFTER_FAILURE = 4.0
AFTER_SUCCESS = 1 / 3
ENOUGH = 0.5
"""The gain must be this part of what the step promised for the damping to fall."""
LEAST_SHOWN = 1e-3
"""A step that shows less than this part of the curvature foreseen along it is not learnt from."""
MOST_LEARNT = 15
"""Steps until the sum over the patterns is made anew; measured with 4 to 1,000 on six data sets."""
FEWEST_PATTERNS = 64
"""The sum over fewer is made anew after every step."""
LONGEST = 5.0
"""No logarithm of a share moves farther at once."""


def compute_information(at: LikelihoodEvaluator, shares: Shares, tables: Tables) -> Numbers:
    """Σ N_p s_p s_pᵀ at every restart."""
    factors = at.factors(tables)
    values_of, slopes = shares.of(tables), shares.slopes(tables)
    arrays = tables[: len(tables) - len(shares.curved)]
    kept = shares.inner_coordinates
    chosen = kept[kept < len(shares.group)]
    sums = None
    if at.halves is not None and at.halves.is_free:  # each share is an entry
        sums = sum_score_products(at.halves, arrays, shares.by_share.rows[kept])
    elif at.mixture is not None and at.mixture.is_free:
        sums = at.mixture.sum_score_products(arrays, shares.by_share.rows[kept])
    if sums is not None:
        return shares.complete_matrix(sums)
    total = np.zeros((len(values_of), len(kept), len(kept)))
    for chunk in at.chunks:
        values, tape = evaluate(at.plan, Floats(), factors, chunk.vectors)
        found = compute_pattern_counts(at, arrays, compute_gradients(at.plan, Floats(), tape), values)
        counts = np.concatenate(found, axis=1)
        score = shares.gradient(slopes, values_of, counts, chosen)
        score *= np.sqrt(chunk.counts)[..., None, :]
        total += np.matmul(score, score.transpose(0, 2, 1))  # of one array and itself: half of the work
    return shares.complete_matrix(total)


def run_scoring(
    problem: Problem[LikelihoodFamily],
    shares: Shares,
    climbers: Climbers,
    steps: int,
    tolerance: Tolerance,
    progress: Progress | None,
) -> Climbers:
    """Take up to this many steps from every start that has not converged; each contraction at new tables is one."""
    active = np.flatnonzero(~tolerance.find_finished(climbers))
    if not len(active):
        return climbers
    at = cast("LikelihoodEvaluator", problem.narrow(problem.evaluator(len(climbers)), active))
    live = climbers.take(active)
    width = len(shares.group) + sum(one.curve.size for one in shares.curved)
    known = np.zeros((len(active), width, width))
    slope = compute_slopes(shares, live)
    renew: Flags = np.ones(len(active), dtype=np.bool_)
    age = np.zeros(len(active), dtype=np.intp)
    are_many = at.halves is not None or sum(len(chunk.offsets) for chunk in at.chunks) >= FEWEST_PATTERNS
    most_learnt = MOST_LEARNT if are_many else 1
    for _ in range(steps):
        if renew.any():
            at_new = cast("LikelihoodEvaluator", problem.narrow(at, renew))
            known[renew] = compute_information(at_new, shares, [table[renew] for table in live.tables])
            age[renew] = 0
        live, taken, move = take_scoring_step(problem, shares, at, live, known, slope)
        after = compute_slopes(shares, live)
        learn_curvature(known, move, slope - after, taken)
        # what was learnt may have misled
        age = np.where(taken, age + 1, age)
        renew, slope = (~taken & (age > 0)) | (age >= most_learnt), after
        done = tolerance.find_finished(live)
        if done.any():
            climbers = climbers.put(active[done], live.take(done))
            active, live, renew, known = active[~done], live.take(~done), renew[~done], known[~done]
            slope, age = slope[~done], age[~done]
            if not len(active):
                return climbers
            at = cast("LikelihoodEvaluator", problem.narrow(at, ~done))
        show_climb_progress(progress, climbers, live)
    return climbers.put(active, live)


def compute_slopes(shares: Shares, climbers: Climbers) -> Numbers:
    """Restart × coordinate: the gradient of the log-likelihood."""
    values, slopes = shares.of(climbers.tables), shares.slopes(climbers.tables)
    return shares.gradient(slopes, values, shares.entries(climbers.expected)[:, :, None])[:, :, 0]


def learn_curvature(known: Numbers, move: Numbers, change: Numbers, taken: Flags) -> None:
    """Correct what is known of the curvature by what a step has shown of it, in place (Broyden, Fletcher, Goldfarb, Shanno)."""
    expected = np.matmul(known, move[:, :, None])[:, :, 0]
    shown, foreseen = (change * move).sum(axis=1), (expected * move).sum(axis=1)
    use = taken & (shown > LEAST_SHOWN * foreseen) & (foreseen > 0)
    if use.any():
        shown, foreseen = np.where(use, shown, 1.0), np.where(use, foreseen, 1.0)
        more, less = np.where(use, 1.0 / shown, 0.0), np.where(use, -1.0 / foreseen, 0.0)
        pairs = np.stack([change, expected], axis=1)
        known += np.stack([change * more[:, None], expected * less[:, None]], axis=2) @ pairs


def take_scoring_step(
    problem: Problem[LikelihoodFamily],
    shares: Shares,
    at: LikelihoodEvaluator,
    old: Climbers,
    known: Numbers,
    slope: Numbers,
) -> tuple[Climbers, Flags, Numbers]:
    """One step from every start, which were taken, and the moves: those that do not lower the objective; else the damping rises."""
    values, slopes = shares.of(old.tables), shares.slopes(old.tables)
    flat = shares.entries(old.expected) + shares.pseudo
    curved, counts = known, flat @ shares.uses
    if shares.pseudo.any():
        prior = np.broadcast_to(shares.pseudo, flat.shape)
        slope = slope + shares.gradient(slopes, values, prior[:, :, None])[:, :, 0]
        curved = known + shares.complete(slopes, values, old.tables, prior)
    weight = counts
    if slopes:
        inside = shares.complete(slopes, values, old.tables, flat)
        weight = np.concatenate([counts, np.einsum("rww->rw", inside)[:, counts.shape[1] :]], axis=1)
    system = curved.copy()
    places = np.arange(system.shape[1])
    system[:, places, places] += old.damping[:, None] * (weight + 1e-9 * problem.family.sample.size) + TINIEST
    move = np.asarray(np.linalg.solve(system, slope[:, :, None])[:, :, 0], dtype=np.float64)
    longest = np.abs(move).max(axis=1, keepdims=True)
    move *= np.minimum(1.0, LONGEST / np.where(longest > 0, longest, 1.0))
    promised = (slope * move).sum(axis=1) - 0.5 * np.einsum("re,ref,rf->r", move, curved, move)
    new = problem.make_climbers(at, shares.move_shares(values, move, old.tables), old)
    taken = new.objective >= old.objective
    # near the maximum nothing can be gained that rounding shows: what counts is what was promised, and what EM would gain
    gain = np.maximum(np.maximum(np.where(taken, new.gain, 0.0), promised), bound_em_gain(values, counts, shares))
    good = taken & (new.objective - old.objective >= ENOUGH * promised)
    damping = old.damping * np.where(taken, np.where(good, AFTER_SUCCESS, 1.0), AFTER_FAILURE)
    chosen = new.where(taken, old)
    return replace(chosen, gain=gain, steps=new.steps, damping=np.maximum(damping, LEAST_DAMPING)), taken, move


def bound_em_gain(values: Numbers, counts: Numbers, shares: Shares) -> Numbers:
    """A lower bound of what a step of EM gains: Σ n log(q′/q), q′ being the shares that EM would take."""
    totals = shares.totals(counts)
    wanted = np.where(totals > 0, counts / np.where(totals > 0, totals, 1.0), values)
    positive = (wanted > 0) & (values > 0)
    ratio = np.where(positive, wanted, 1.0) / np.where(positive, values, 1.0)
    return np.asarray(np.where(positive, counts * np.log(ratio), 0.0).sum(axis=1))
