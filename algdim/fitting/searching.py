"""Strategies: how many starts there are, how long each may climb, and by which method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algdim.errors import InputError, LimitError, listed
from algdim.fitting.climbing import Climbers, Family, Problem, Progress, Tolerance, climb, random_starts
from algdim.fitting.discrete import NetworkFamily
from algdim.fitting.maximization import even_tables
from algdim.fitting.scoring import scored
from algdim.fitting.shares import Shares, shares_of

AUTO, STAGED = "auto", "staged"
MOST_STARTS = 100_000
EM, SCORING = "em", "scoring"
METHODS = (AUTO, EM, SCORING)
WARM_UP = 10
"""Steps of EM before scoring begins; from a random start the information says little."""
MOST_SHARES = 600
"""Beyond these the linear systems of scoring cost more than they save."""

FUNNEL = ((192, 3), (128, 3), (56, 12), (32, 15), (8, 0))
"""The default: how many starts stay, and how many steps each takes then; the first are of EM, the last go on to the end."""


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """A problem and how it is climbed: with shares by scoring, without by EM."""

    problem: Problem[Family]
    shares: Shares | None
    tolerance: Tolerance
    progress: Progress | None

    def by_em(self, climbers: Climbers, steps: int) -> Climbers:
        """So many steps of EM."""
        return climb(self.problem, climbers, steps, self.tolerance, self.progress)

    def on(self, climbers: Climbers, steps: int) -> Climbers:
        """So many steps of the method."""
        if self.shares is None:
            return self.by_em(climbers, steps)
        return scored(self.problem, self.shares, climbers, steps, self.tolerance, self.progress)


def search_for(problem: Problem[Family], method: str, tolerance: Tolerance, progress: Progress | None) -> Search:
    """Choose the method: scoring where every table has free coordinates and these are not too many."""
    if method not in METHODS:
        raise InputError(f"the method {method!r} is not known; known are {listed(METHODS)}")
    most = MOST_SHARES if method == AUTO else 10 * MOST_SHARES
    shares = None
    if method != EM:
        family = problem.family
        if isinstance(family, NetworkFamily):
            shares = shares_of(family.pmap, family.maximizer, even_tables(family.pmap), most)
        if shares is None and method == SCORING:
            raise LimitError(
                f"scoring takes up to {most} shares of free tables, and names that tie no row to two others; take the method em"
            )
    return Search(problem, shares, tolerance, progress)


def searched(search: Search, starts: int | str, seed: int | str) -> list[Climbers]:
    """The starts of a strategy where they ended, the losers of earlier rounds first."""
    if starts == STAGED:
        return staged(search, seed)
    if starts == AUTO:
        return funnel(search, seed)
    if isinstance(starts, bool) or not isinstance(starts, int) or not 1 <= starts <= MOST_STARTS:
        known = listed((AUTO, STAGED, f"a number from 1 to {MOST_STARTS}"))
        raise InputError(f"starts: {starts!r} is not known; known are {known}")
    climbers = random_starts(search.problem, seed, starts)
    return [search.on(search.by_em(climbers, WARM_UP), search.tolerance.iterations)]


def staged(search: Search, seed: int | str) -> list[Climbers]:
    """CH96 §3: 64 starts and one step, the best 32 and two steps, and so on to one start, which climbs to the end."""
    count, steps, left = 64, 1, []
    climbers = random_starts(search.problem, seed, count)
    while count > 1:
        count, steps, climbers, lost = count // 2, steps * 2, *parted(search.by_em(climbers, steps), count // 2)
        left.append(lost)
    return [*left, search.on(climbers, search.tolerance.iterations)]


def funnel(search: Search, seed: int | str) -> list[Climbers]:
    """The default: fewer and fewer starts, which climb farther and farther."""
    (first, warm_up), *rounds = FUNNEL
    climbers, left = search.by_em(random_starts(search.problem, seed, first), warm_up), []
    for count, steps in rounds:
        climbers, lost = parted(climbers, count)
        left.append(lost)
        climbers = search.on(climbers, steps or search.tolerance.iterations)
    return [*left, climbers]


def parted(climbers: Climbers, count: int) -> tuple[Climbers, Climbers]:
    """The best few and the others, best first."""
    ranked = climbers.best(len(climbers))
    return ranked.take(np.arange(count)), ranked.take(np.arange(count, len(climbers)))
