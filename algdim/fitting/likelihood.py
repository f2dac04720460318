"""The likelihood of a discrete network and the expected counts, at several points at once.

A pattern is a product functional: a unit vector on each variable that it shows, ones on those that are missing. So one
contraction gives the probabilities of all patterns, and its gradient by the entries of the tables, all states of a row
among them, the expected counts: N_ijk = θ_ijk · ∂ log p / ∂θ_ijk (CH96 Eq. 11). Restarts are one more axis.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from algdim.errors import LimitError
from algdim.exact.arithmetic import Floats
from algdim.families.discrete.contraction import Plan, evaluate, gradients, plan_contraction, stacked
from algdim.families.discrete.locals.function import Deterministic
from algdim.families.discrete.map import ParamMap
from algdim.figures import size_text
from algdim.fitting.apart import Shown, parts_of
from algdim.fitting.mixtures import Mixture, mixture_of
from algdim.fitting.samples import MISSING, Sample
from algdim.memory import default_memory

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
    offsets: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Evaluator:
    """A likelihood made ready for a number of restarts."""

    pmap: ParamMap
    base: Plan
    """The contraction at one point."""
    plan: Plan
    chunks: list[Chunk]
    mixture: Mixture | None = None
    """A shorter way to expected counts."""
    shown: Shown | None = None
    """Where the likelihood falls into parts: what is counted once for all."""
    parts: tuple[Evaluator, ...] = ()
    """The others, which are contracted one by one."""

    def narrowed(self, restarts: int) -> Evaluator:
        """The same for fewer restarts."""
        parts = tuple(part.narrowed(restarts) for part in self.parts)
        return replace(self, plan=stacked(self.base, restarts), parts=parts)

    def log_values(self, tables: Tables) -> Numbers:
        """Log p of every pattern (columns) at every restart (rows)."""
        factors = self.factors(tables)
        with np.errstate(divide="ignore"):
            return np.concatenate(
                [
                    np.log(evaluate(self.plan, Floats(), factors, chunk.vectors)[0].reshape(-1, len(chunk.counts)))
                    + chunk.offsets
                    for chunk in self.chunks
                ],
                axis=1,
            )

    def expected(self, tables: Tables) -> tuple[Numbers, Tables]:
        """The log-likelihood at every restart, and the expected counts of every table."""
        if self.mixture is not None and (shorter := self.mixture.expected(tables)) is not None:
            return shorter
        if self.shown is not None:
            return self.added(self.shown, tables)
        factors = self.factors(tables)
        restarts = len(tables[0])
        loglik = np.zeros(restarts)
        totals = [np.zeros_like(table) for table in tables]
        with np.errstate(divide="ignore"):
            for chunk in self.chunks:
                values, tape = evaluate(self.plan, Floats(), factors, chunk.vectors)
                loglik += (np.log(values) + chunk.offsets) @ chunk.counts
                # a pattern that cannot occur has no expected counts
                weights = np.divide(chunk.counts, values, out=np.zeros_like(values), where=values > 0)
                found = gradients(self.plan, Floats(), tape, weights)
                for factor, gradient in zip(self.pmap.factors, found, strict=True):
                    if gradient is not None:
                        totals[factor.array] += gradient.reshape(totals[factor.array].shape)
        return loglik, [total * table for total, table in zip(totals, tables, strict=True)]

    def added(self, shown: Shown, tables: Tables) -> tuple[Numbers, Tables]:
        """The sum over the parts."""
        loglik, totals = shown.loglik(tables), [np.zeros(table.shape) for table in tables]
        shown.add_to(totals, tables)
        for part in self.parts:
            more, found = part.expected(tables)
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


def evaluator(pmap: ParamMap, sample: Sample, restarts: int) -> Evaluator:
    """Make the likelihood of a sample ready for a number of restarts at once."""
    base = plan_contraction(pmap, [is_table(pmap, factor.array) for factor in pmap.factors])
    plan = stacked(base, restarts)
    per_pattern = 8 * max(1, plan.numbers_per_functional)
    if per_pattern > default_memory():
        raise LimitError(
            f"one pattern needs {size_text(per_pattern)} at {restarts} starts at once; "
            "take fewer starts, or a model with smaller tables"
        )
    shares = shares_of(pmap, sample)
    size = max(1, CHUNK_BYTES // per_pattern)
    starts = range(0, len(sample.counts), size)
    chunks = [chunk(shares, sample, start, start + size) for start in starts]
    mixture = mixture_of(pmap, sample)
    parts = None if mixture else parts_of(pmap, sample)
    if parts is None:
        return Evaluator(pmap, base, plan, chunks, mixture)
    inside = tuple(evaluator(part, cases, restarts) for part, cases in parts.contracted)
    return Evaluator(pmap, base, plan, chunks, mixture, parts.shown, inside)


def is_table(pmap: ParamMap, number: int) -> bool:
    """Whether an array is a table, so that its entries have expected counts; other arrays are zeros and ones."""
    local = {variable.name: variable.local for variable in pmap.model.variables}.get(pmap.owners[number])
    return not isinstance(local, Deterministic)


def shares_of(pmap: ParamMap, sample: Sample) -> Tables:
    """Per observed variable: the share of each state in the data, by which vectors are divided.

    Values are then p(x) over the product of the shares, which stays near 1 with hundreds of variables.
    """
    result = []
    for k, axis in enumerate(pmap.observed):
        shown = sample.patterns[:, k] != MISSING
        totals = np.bincount(sample.patterns[shown, k], sample.counts[shown], pmap.sizes[axis]) + 1
        result.append(np.ones(len(totals)) if axis in pmap.given else totals / totals.sum())
    return result


def chunk(shares: Tables, sample: Sample, start: int, stop: int) -> Chunk:
    """The patterns start … stop − 1."""
    patterns = sample.patterns[start:stop]
    vectors, offsets = [], np.zeros(len(patterns))
    for states, share in zip(patterns.T, shares, strict=True):
        shown = states != MISSING
        vectors.append(np.where(shown, np.equal.outer(np.arange(len(share)), states) / share[:, None], 1.0))
        offsets += np.where(shown, np.log(share)[states], 0.0)
    return Chunk(vectors, sample.counts[start:stop], offsets)


def posteriors(at: Evaluator, tables: Tables) -> tuple[Numbers, Tables]:
    """Log p of every pattern, and for each table restart × entry × pattern: the expected count in one case."""
    logs, pieces = [], []
    for part in at.chunks:
        values, tape = evaluate(at.plan, Floats(), at.factors(tables), part.vectors)
        with np.errstate(divide="ignore"):
            logs.append(np.log(values) + part.offsets)
        pieces.append(pattern_counts(at, tables, gradients(at.plan, Floats(), tape), values))
    return np.concatenate(logs, axis=1), [np.concatenate(found, axis=2) for found in zip(*pieces, strict=True)]


def pattern_counts(at: Evaluator, tables: Tables, found: list[Numbers | None], values: Numbers) -> Tables:
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
