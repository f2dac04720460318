"""EM from many starts at once: random starts, steps, and the ways to share the steps out among the starts."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError
from algdim.figures import format_bytes, format_integer
from algdim.fitting.likelihood import Numbers, Tables
from algdim.fitting.maximization import Prior
from algdim.fitting.record import Boundary
from algdim.fitting.samples import AnySample
from algdim.memory import check_memory
from algdim.models.anymodel import AnyModel

FIRST_DAMPING = 1.0

Progress = Callable[[int, float], None]
"""Called with the greatest number of steps that a start has taken, and the best objective."""

FEWER_STARTS = "take fewer starts (--starts), or allow more (--max-memory)"

Flags = NDArray[np.bool_]
Chosen = NDArray[np.intp] | Flags


@dataclass(frozen=True, slots=True)
class Tolerance:
    """A start has converged when a step of EM gains at most ``absolute``, or ``relative`` times the objective's size."""

    absolute: float = 1e-8
    relative: float = 0.0
    iterations: int = 10_000
    """No start takes more steps."""

    def __post_init__(self) -> None:
        for name in ("absolute", "relative"):
            if not 0 <= getattr(self, name) < inf:
                raise InputError(f"the {name} tolerance {getattr(self, name)!r}: a number from 0 on is allowed")

    def find_finished(self, climbers: Climbers) -> Flags:
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

        def put_into(mine: Numbers, other: Numbers) -> Numbers:
            mine = mine.copy()
            mine[chosen] = other
            return mine

        return Climbers(
            [put_into(mine, other) for mine, other in zip(self.tables, others.tables, strict=True)],
            [put_into(mine, other) for mine, other in zip(self.expected, others.expected, strict=True)],
            put_into(self.objective, others.objective),
            put_into(self.gain, others.gain),
            put_into(self.steps, others.steps),
            put_into(self.damping, others.damping),
        )

    def where(self, mine: Flags, others: Climbers) -> Climbers:
        """These starts where ``mine``, the others elsewhere."""
        return others.put(mine, self.take(mine)) if not mine.all() else self

    def best(self, count: int) -> Climbers:
        """The best few, best first; of equal ones the earlier."""
        return self.take(np.argsort(-self.objective, kind="stable")[:count])


class Expectation(Protocol):
    """The E step for a number of restarts."""

    def take_expectation(self, tables: Tables) -> tuple[Numbers, Tables]:
        """The log-likelihood at every restart, and what the M step needs to know of the data there."""

    def select_restarts(self, restarts: int) -> Self:
        """The same for fewer restarts."""


class Maximization(Protocol):
    """The M step, and the prior."""

    def __call__(self, expected: Tables, tables: Tables) -> Tables:
        """The parameters that maximise, or at least do not lower the objective."""

    def penalty(self, tables: Tables) -> Numbers:
        """The log prior density at every restart, but for its constant."""


class DirectLikelihood(ABC):
    """What is its own E step, for any number of starts, and its own M step, without a prior unless a class has one."""

    @abstractmethod
    def count_numbers(self) -> int:
        """About how many numbers a step of one start has at once."""

    @property
    def maximizer(self) -> Self:
        return self

    @property
    def has_one_maximum(self) -> bool:
        return False

    def evaluator(self, restarts: int) -> Self:
        """The likelihood; refused if a step of so many starts does not fit into memory."""
        numbers = self.count_numbers()
        check_memory(
            8 * numbers * restarts,
            None,
            f"{restarts} starts with {format_integer(numbers)} numbers each climb at once",
            FEWER_STARTS,
        )
        return self

    def select_restarts(self, restarts: int) -> Self:
        del restarts
        return self

    def penalty(self, tables: Tables) -> Numbers:
        return np.zeros(len(tables[0]))


class LikelihoodFamily(Protocol):
    """What a family of models brings along to be fitted; parameters are arrays, the restarts first."""

    @property
    def model(self) -> AnyModel:
        """The model."""

    @property
    def sample(self) -> AnySample:
        """The data."""

    @property
    def maximizer(self) -> Maximization:
        """The M step under a prior."""

    @property
    def has_one_maximum(self) -> bool:
        """Whether it is known that every local maximum is the greatest; one start is enough then."""

    def evaluator(self, restarts: int) -> Expectation:
        """The E step."""

    def starts(self, seed: int | str, numbers: range) -> Tables:
        """Random parameters; start number k is drawn from a stream of its own."""

    def read(self, source: str | os.PathLike[str] | dict[str, Any]) -> Tables:
        """The parameters of a file or dictionary, as one restart."""

    def tables(self, parameters: Mapping[str, Any]) -> Tables:
        """The parameters of a record, as one restart, to the last bit."""

    def name_parameters(self, tables: Tables) -> dict[str, Any]:
        """The parameters of one restart in the form of a parameter file."""

    def name_counts(self, expected: Tables) -> dict[str, Any]:
        """The expected counts of one restart, under the same names."""

    def boundary(self, tables: Tables) -> tuple[Boundary, ...]:
        """The parameters of one restart that lie within 1/N of the end of their range."""

    def impossible(self, tables: Tables) -> str:
        """Which of the data cannot occur at the parameters."""


F = TypeVar("F", bound=LikelihoodFamily)


@dataclass(frozen=True, slots=True, eq=False)
class Problem(Generic[F]):
    """What is maximised: the log-likelihood of a sample plus the log prior."""

    family: F
    prior: Prior

    def evaluator(self, restarts: int) -> Expectation:
        """The likelihood for this many restarts at once."""
        return self.family.evaluator(restarts)

    def narrow(self, at: Expectation, chosen: Chosen) -> Expectation:
        """The likelihood of some of its restarts."""
        return at.select_restarts(int(chosen.sum()) if chosen.dtype == np.bool_ else len(chosen))

    def at(self, tables: Tables) -> Climbers:
        """Climbers that have not moved yet."""
        return self.make_climbers(self.evaluator(len(tables[0])), tables, None)

    def make_climbers(self, at: Expectation, tables: Tables, before: Climbers | None) -> Climbers:
        """Climbers at new tables."""
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is known by its log-likelihood
            loglik, expected = at.take_expectation(tables)
        objective = loglik + self.family.maximizer.penalty(tables)
        if before is None:
            blank = np.zeros(len(objective))
            return Climbers(tables, expected, objective, blank + inf, blank, blank + FIRST_DAMPING)
        with np.errstate(invalid="ignore"):
            gain = np.where(np.isfinite(objective), objective - before.objective, 0.0)
        return Climbers(tables, expected, objective, gain, before.steps + 1, before.damping)

    def step(self, at: Expectation, climbers: Climbers) -> Climbers:
        """One step of EM from every start."""
        return self.make_climbers(at, self.family.maximizer(climbers.expected, climbers.tables), climbers)


COPIES = 11
"""Of the numbers of all starts that exist at once: parameters and expected counts, those of the step before, and parts of both."""


def draw_starts(problem: Problem[F], seed: int | str, count: int) -> Climbers:
    """Random starts; start number k is drawn from a stream of its own. Refused if they do not fit into memory together."""
    one = sum(table.nbytes for table in problem.family.starts(seed, range(1)))
    check_memory(
        COPIES * one * count,
        None,
        f"{count} starts with {format_bytes(one)} of numbers each climb at once",
        FEWER_STARTS,
    )
    return problem.at(problem.family.starts(seed, range(count)))


def run_em(
    problem: Problem[F], climbers: Climbers, steps: int, tolerance: Tolerance, progress: Progress | None
) -> Climbers:
    """Take up to this many steps of EM from every start that has not converged."""
    active = np.flatnonzero(~tolerance.find_finished(climbers))
    if not len(active):
        return climbers
    at, live = problem.narrow(problem.evaluator(len(climbers)), active), climbers.take(active)
    for _ in range(steps):
        live = problem.step(at, live)
        done = tolerance.find_finished(live)
        if done.any():
            climbers = climbers.put(active[done], live.take(done))
            active, live = active[~done], live.take(~done)
            if not len(active):
                return climbers
            at = problem.narrow(at, ~done)
        show_climb_progress(progress, climbers, live)
    return climbers.put(active, live)


def show_climb_progress(progress: Progress | None, climbers: Climbers, live: Climbers) -> None:
    """Tell how far the climb has come."""
    if progress is not None:
        best = max(float(climbers.objective.max()), float(live.objective.max()))
        progress(int(max(climbers.steps.max(), live.steps.max())), best)
