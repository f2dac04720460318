"""One network fitted to many samples at once, as a simulation has them: each start belongs to one of the samples.

A fit of a small network to a table of few cells is a thousand calls of numpy with arrays of a hundred numbers, whose time is that of
the calls. Here the samples stand side by side along the axis of the restarts: they share the cells, and each has counts of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import cast

import numpy as np

from algdim.exact.threads import run_with_one_thread
from algdim.families.discrete.contraction import expand_plan, get_contraction_plan
from algdim.families.discrete.likelihood import NetworkFamily
from algdim.families.discrete.map import ParamMap
from algdim.fitting.em import Chosen, Climbers, Expectation, LikelihoodFamily, Problem, Tolerance
from algdim.fitting.likelihood import (
    LikelihoodEvaluator,
    Numbers,
    Tables,
    build_chunk,
    compute_state_shares,
    is_table,
)
from algdim.fitting.maximization import Prior
from algdim.fitting.samples import Sample
from algdim.fitting.searching import AUTO, run_search, search_for


@dataclass(frozen=True, eq=False)
class StackFamily(NetworkFamily):
    """A network and samples side by side; ``sample`` is all of them together."""

    stack: Numbers
    """Sample × cell."""
    seeds: tuple[int | str, ...]
    """Of the starts of each sample."""

    def evaluator(self, restarts: int) -> LikelihoodEvaluator:
        """The likelihood of all cells, in each restart with the counts of its sample."""
        base = get_contraction_plan(self.pmap, [is_table(self.pmap, factor.array) for factor in self.pmap.factors])
        chunk = build_chunk(compute_state_shares(self.pmap, self.sample), self.sample, 0, self.stack.shape[1])
        own = replace(chunk, counts=np.repeat(self.stack, restarts // len(self.stack), axis=0))
        return LikelihoodEvaluator(self.pmap, base, expand_plan(base, restarts), [own])

    def starts(self, seed: int | str, numbers: range) -> Tables:  # noqa: ARG002
        """The starts of each sample by its own seed; the common one is not used."""
        drawn = {own: super(StackFamily, self).starts(own, numbers) for own in dict.fromkeys(self.seeds)}
        return [np.concatenate(tables) for tables in zip(*(drawn[own] for own in self.seeds), strict=True)]


class StackProblem(Problem[LikelihoodFamily]):
    """Where restarts differ in their samples, it matters which of them go on."""

    def narrow(self, at: Expectation, chosen: Chosen) -> LikelihoodEvaluator:
        """The likelihood of some of the restarts, each with its sample."""
        whole = cast("LikelihoodEvaluator", at)
        chunks = [replace(chunk, counts=chunk.counts[chosen]) for chunk in whole.chunks]
        return replace(whole, plan=expand_plan(whole.base, len(chunks[0].counts)), chunks=chunks)


@dataclass(frozen=True, slots=True, eq=False)
class StackedFits:
    """The best fit of each sample: parameters and expected counts with the samples as their first axis."""

    tables: Tables
    expected: Tables
    logliks: Numbers


@run_with_one_thread
def fit_stack(
    pmap: ParamMap,
    stack: Numbers,
    seeds: Sequence[int | str],
    prior: Prior,
    tolerance: Tolerance,
    starts: int | str = AUTO,
    method: str = AUTO,
) -> StackedFits:
    """Fit one network to many tables (sample × cell, the first variable slowest), each from starts of its own.

    >>> from algdim.families.discrete.map import get_param_map
    >>> from algdim.models.notation import parse
    >>> found = fit_stack(
    ...     get_param_map(parse("states X=2")), np.array([[3.0, 1.0], [1.0, 1.0]]), [0, 0], Prior(), Tolerance()
    ... )
    >>> [[round(float(value), 6) for value in row.ravel()] for row in found.tables[0]]
    [[0.75, 0.25], [0.5, 0.5]]
    """
    names = tuple(variable.name for variable in pmap.model.observed)
    states = tuple(tuple(map(str, range(size))) for size in pmap.shape)
    cells = np.array(list(product(*map(range, pmap.shape))), dtype=np.int64)
    family = StackFamily(pmap, Sample(names, states, cells, stack.sum(axis=0)), prior, stack, tuple(seeds))
    problem = StackProblem(family, prior)
    search = replace(search_for(problem, method, tolerance, None), samples=len(stack))
    ended: Climbers = run_search(search, starts, 0)[-1]
    best, _ = search.split(ended, 1)
    penalty = family.maximizer.penalty(best.tables)
    return StackedFits(best.tables, best.expected, best.objective - penalty)
