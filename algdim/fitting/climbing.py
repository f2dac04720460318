"""EM from many starts at once: random starts, steps, and the ways to share the steps out among the starts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf, prod

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Floats
from algdim.exact.draws import stream, words
from algdim.fitting.likelihood import Evaluator, Numbers, Tables, evaluator
from algdim.fitting.maximization import Maximizer, maximizer
from algdim.fitting.priors import Prior
from algdim.fitting.samples import Sample
from algdim.maps.factors import ParamMap

FIRST_DAMPING = 1.0

Progress = Callable[[int, float], None]
"""Called with the greatest number of steps that a start has taken, and the best objective."""

Flags = NDArray[np.bool_]
Chosen = NDArray[np.intp] | Flags


@dataclass(frozen=True, slots=True)
class Tolerance:
    """A start has converged when a step of EM gains at most ``absolute``, or ``relative`` times the objective's size."""

    absolute: float = 1e-8
    relative: float = 0.0
    iterations: int = 10_000
    """No start takes more steps."""

    def reached(self, climbers: Climbers) -> Flags:
        """Which of the starts have converged or may not go on."""
        possible = np.isfinite(climbers.objective)
        size = np.abs(np.where(possible, climbers.objective, 0.0))
        converged = (climbers.gain <= self.absolute) | (climbers.gain <= self.relative * size)
        return converged | (climbers.steps >= self.iterations) | ~possible


@dataclass(frozen=True, slots=True, eq=False)
class Climbers:
    """Some starts on their way: their tables, expected counts and objective there, the last gain, the steps taken."""

    tables: Tables
    expected: Tables
    objective: Numbers
    gain: Numbers
    steps: Numbers
    damping: Numbers
    """How cautious the next step of scoring is."""

    def __len__(self) -> int:
        return len(self.objective)

    def take(self, chosen: Chosen) -> Climbers:
        """Some of the starts."""
        return Climbers(
            [table[chosen] for table in self.tables],
            [table[chosen] for table in self.expected],
            self.objective[chosen],
            self.gain[chosen],
            self.steps[chosen],
            self.damping[chosen],
        )

    def put(self, chosen: Chosen, others: Climbers) -> Climbers:
        """The same with some starts replaced."""

        def changed(mine: Numbers, other: Numbers) -> Numbers:
            mine = mine.copy()
            mine[chosen] = other
            return mine

        return Climbers(
            [changed(mine, other) for mine, other in zip(self.tables, others.tables, strict=True)],
            [changed(mine, other) for mine, other in zip(self.expected, others.expected, strict=True)],
            changed(self.objective, others.objective),
            changed(self.gain, others.gain),
            changed(self.steps, others.steps),
            changed(self.damping, others.damping),
        )

    def where(self, mine: Flags, others: Climbers) -> Climbers:
        """These starts where ``mine``, the others elsewhere."""
        return others.put(mine, self.take(mine)) if not mine.all() else self

    def best(self, count: int) -> Climbers:
        """The best few, best first; of equal ones the earlier."""
        return self.take(np.argsort(-self.objective, kind="stable")[:count])


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """What is maximised: the log-likelihood of a sample plus the log prior."""

    pmap: ParamMap
    sample: Sample
    prior: Prior
    maximizer: Maximizer

    def evaluator(self, restarts: int) -> Evaluator:
        """The likelihood for so many restarts at once."""
        return evaluator(self.pmap, self.sample, restarts)

    def at(self, tables: Tables) -> Climbers:
        """Climbers that have not moved yet."""
        return self.arrived(self.evaluator(len(tables[0])), tables, None)

    def arrived(self, at: Evaluator, tables: Tables, before: Climbers | None) -> Climbers:
        """Climbers at new tables."""
        loglik, expected = at.expected(tables)
        objective = loglik + self.maximizer.penalty(tables)
        if before is None:
            blank = np.zeros(len(objective))
            return Climbers(tables, expected, objective, blank + inf, blank, blank + FIRST_DAMPING)
        with np.errstate(invalid="ignore"):
            gain = np.where(np.isfinite(objective), objective - before.objective, 0.0)
        return Climbers(tables, expected, objective, gain, before.steps + 1, before.damping)

    def step(self, at: Evaluator, climbers: Climbers) -> Climbers:
        """One step of EM from every start."""
        return self.arrived(at, self.maximizer(climbers.expected, climbers.tables), climbers)


def problem(pmap: ParamMap, sample: Sample, prior: Prior) -> Problem:
    """Prepare the maximisation."""
    return Problem(pmap, sample, prior, maximizer(pmap, prior))


def random_starts(problem: Problem, seed: int | str, count: int, first: int = 0) -> Climbers:
    """Random starts: rows uniform on their simplices (CH96 §3); start number k is drawn from a stream of its own."""
    shapes = [entries.shape for entries in problem.pmap.arrays]
    sizes = [prod(shape) for shape in shapes]
    numbers = range(first, first + count)
    draws = np.array([words(stream(seed, "start", number), sum(sizes), 32) for number in numbers])
    pieces = np.split(-np.log((draws + 0.5) / 2.0**32), np.cumsum(sizes)[:-1], axis=1)
    weights = [piece.reshape(count, *shape) for piece, shape in zip(pieces, shapes, strict=True)]
    even = [np.broadcast_to(table, (count, *table.shape)) for table in even_tables(problem.pmap)]
    flat = replace(problem.maximizer, pseudo=[np.zeros(shape) for shape in shapes])
    return problem.at(flat(weights, even))


def even_tables(pmap: ParamMap) -> Tables:
    """Tables to begin with: rows even, the constant arrays as they are."""
    return [
        np.asarray(entries.values(Floats(), np.zeros(0)))
        if entries.is_constant
        else np.full(entries.shape, 1.0 / entries.shape[-1])
        for entries in pmap.arrays
    ]


def climb(
    problem: Problem, climbers: Climbers, steps: int, tolerance: Tolerance, progress: Progress | None
) -> Climbers:
    """Take up to so many steps of EM from every start that has not converged."""
    active = np.flatnonzero(~tolerance.reached(climbers))
    if not len(active):
        return climbers
    at, live = problem.evaluator(len(active)), climbers.take(active)
    for _ in range(steps):
        live = problem.step(at, live)
        done = tolerance.reached(live)
        if done.any():
            climbers = climbers.put(active[done], live.take(done))
            active, live = active[~done], live.take(~done)
            if not len(active):
                return climbers
            at = at.narrowed(len(active))
        said(progress, climbers, live)
    return climbers.put(active, live)


def said(progress: Progress | None, climbers: Climbers, live: Climbers) -> None:
    """Tell how far the climb has come."""
    if progress is not None:
        best = max(float(climbers.objective.max()), float(live.objective.max()))
        progress(int(max(climbers.steps.max(), live.steps.max())), best)
