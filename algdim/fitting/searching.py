"""Strategies: how many starts there are, how long each may climb, and by which method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algdim.errors import InputError, LimitError, describe_closest_word, join_names
from algdim.families.discrete.likelihood import NetworkFamily
from algdim.fitting.em import Climbers, LikelihoodFamily, Problem, Progress, Tolerance, draw_starts, run_em
from algdim.fitting.maximization import make_even_tables
from algdim.fitting.scoring import Shares, make_coordinate_shares, run_scoring

AUTO, STAGED = "auto", "staged"
MOST_STARTS = 100_000
EM, SCORING = "em", "scoring"
METHODS = (AUTO, EM, SCORING)
WARM_UP = 10
"""Steps of EM before scoring begins; from a random start the information says little."""
MOST_SHARES = 600
"""Beyond these the linear systems of scoring cost more than they save."""
DEAR = 8.0
"""If a step of scoring costs more steps of EM than this, EM goes first."""
SCORINGS = 30
"""Steps of scoring that a start takes to the end; what they cost EM may take before, which often ends there."""

FUNNEL = ((192, 3), (128, 3), (56, 12), (32, 15), (8, 0))
"""The default: how many starts stay, and how many steps each takes then; the first are of EM, the last go on to the end."""


@dataclass(frozen=True, slots=True, eq=False)
class FitSearch:
    """A problem and how it is climbed: with shares by scoring, without by EM.

    With ``patience`` EM chooses among the starts, and takes this many steps with the last of them before scoring begins.
    """

    problem: Problem[LikelihoodFamily]
    shares: Shares | None
    patience: int
    tolerance: Tolerance
    progress: Progress | None
    samples: int = 1
    """How many samples are climbed at once, each with as many starts, which stand together."""

    def by_em(self, climbers: Climbers, steps: int) -> Climbers:
        """This many steps of EM."""
        return run_em(self.problem, climbers, steps, self.tolerance, self.progress)

    def on(self, climbers: Climbers, steps: int) -> Climbers:
        """This many steps of the method that chooses among starts."""
        return self.by_em(climbers, steps) if self.shares is None or self.patience else self.by_scoring(climbers, steps)

    def by_scoring(self, climbers: Climbers, steps: int) -> Climbers:
        """This many steps of scoring, if it can be had."""
        if self.shares is None:
            return self.by_em(climbers, steps)
        return run_scoring(self.problem, self.shares, climbers, steps, self.tolerance, self.progress)

    def split(self, climbers: Climbers, count: int) -> tuple[Climbers, Climbers]:
        """Of each sample the best few starts and the others, best first."""
        objectives = climbers.objective.reshape(self.samples, -1)
        first = np.arange(self.samples)[:, None] * objectives.shape[1]
        ranked = first + np.argsort(-objectives, axis=1, kind="stable")
        return climbers.take(ranked[:, :count].ravel()), climbers.take(ranked[:, count:].ravel())

    def to_the_end(self, climbers: Climbers) -> Climbers:
        """On until nothing is gained."""
        steps = self.tolerance.iterations
        if self.patience:
            climbers = self.by_em(climbers, min(self.patience, steps))
        return self.by_scoring(climbers, steps)


def search_for(
    problem: Problem[LikelihoodFamily], method: str, tolerance: Tolerance, progress: Progress | None
) -> FitSearch:
    """Choose the method: scoring where every table has free coordinates and these are not too many, after EM if it is dear."""
    if method not in METHODS:
        raise InputError(
            f"the method {method!r} is not known{describe_closest_word(str(method), METHODS)}; known are {join_names(METHODS)}"
        )
    most = MOST_SHARES if method == AUTO else 10 * MOST_SHARES
    shares = None
    if method != EM:
        family = problem.family
        if isinstance(family, NetworkFamily):
            shares = make_coordinate_shares(family.pmap, family.maximizer, make_even_tables(family.pmap), most)
        if shares is None and method == SCORING:
            raise LimitError(
                f"scoring takes up to {most} shares of free tables, and names that tie no row to two others; take the method em"
            )
    patience = 0
    if method == AUTO and shares is not None and isinstance(problem.family, NetworkFamily):
        price = estimate_scoring_cost(len(problem.family.sample.counts), len(shares.inner_coordinates))
        patience = round(SCORINGS * price) if price > DEAR else 0
    return FitSearch(problem, shares, patience, tolerance, progress)


def estimate_scoring_cost(patterns: int, coordinates: int) -> float:
    """This many steps of EM does one of scoring cost: P·C² and a solution of C³ instead of P·C, by their measured times.

    Measured with latent class models of 51 to 450 coordinates on one processor.

    >>> round(estimate_scoring_cost(200, 35), 1), round(estimate_scoring_cost(1200, 110), 1)
    (5.6, 15.8)
    """
    return coordinates / 8 + coordinates**2 / (5 * patterns)


def run_search(search: FitSearch, starts: int | str, seed: int | str) -> list[Climbers]:
    """The starts of a strategy where they ended, the losers of earlier rounds first; one by default where every maximum is the greatest."""
    if starts == AUTO and search.problem.family.has_one_maximum:
        starts = 1
    if starts == STAGED:
        return search_in_stages(search, seed)
    if starts == AUTO:
        return search_by_funnel(search, seed)
    if isinstance(starts, bool) or not isinstance(starts, int) or not 1 <= starts <= MOST_STARTS:
        known = join_names((AUTO, STAGED, f"a number from 1 to {MOST_STARTS}"))
        raise InputError(
            f"starts: {starts!r} is not known{describe_closest_word(str(starts), (AUTO, STAGED))}; known are {known}"
        )
    climbers = draw_starts(search.problem, seed, starts)
    return [search.to_the_end(search.by_em(climbers, WARM_UP))]


def search_in_stages(search: FitSearch, seed: int | str) -> list[Climbers]:
    """CH96 §3: 64 starts and one step, the best 32 and two steps, and so on to one start, which climbs to the end."""
    count, steps, left = 64, 1, []
    climbers = draw_starts(search.problem, seed, count)
    while count > 1:
        count, steps, climbers, lost = count // 2, steps * 2, *search.split(search.by_em(climbers, steps), count // 2)
        left.append(lost)
    return [*left, search.to_the_end(climbers)]


def search_by_funnel(search: FitSearch, seed: int | str) -> list[Climbers]:
    """The default: fewer and fewer starts, which climb farther and farther."""
    (first, warm_up), *rounds = FUNNEL
    climbers, left = search.by_em(draw_starts(search.problem, seed, first), warm_up), []
    for count, steps in rounds:
        climbers, lost = search.split(climbers, count)
        left.append(lost)
        climbers = search.on(climbers, steps) if steps else search.to_the_end(climbers)
    return [*left, climbers]
