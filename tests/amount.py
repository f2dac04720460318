"""How much is tested: some each day, everything by `make slow`, which sets ALGDIM_TESTS to "all" and takes what is slow.

Where many cases show the same, a few of them are drawn each time with a fresh seed, ALGDIM_SEED, which pytest prints on
top. All workers have it, for the first process that reads this sets it; with the seed of a run the same are drawn again.
"""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import HealthCheck

IS_ALL = os.environ.get("ALGDIM_TESTS") == "all"
SHARE = 5
MOST = 8
"""Examples of a property a day; fresh ones every day find more than many at once."""

SEED = os.environ.setdefault("ALGDIM_SEED", str(random.SystemRandom().randrange(10**6)))


SELDOM = (HealthCheck.filter_too_much,)
"""Not looked at where a property speaks of few of the cases, which `assume` picks out; where it finds none a test fails."""


def some(count):
    """How many examples a property test draws: a fifth of them each day, at most eight, with a fresh seed."""
    return count if IS_ALL else min(MOST, max(3, count // SHARE))


def first(cases, count=3):
    """Of cases that all show the same, always the first ones; the others are slow. A tuple has one value per argument."""
    return marked(list(cases), range(count))


def daily(cases, count, *always):
    """Of cases that all show the same, some each day, drawn with a fresh seed, and those that are named; the others are slow.

    By `make slow` all are, so that none is left out.
    """
    cases = list(cases)
    kept = {number for number, case in enumerate(cases) if case in always}
    return marked(cases, () if IS_ALL else kept.union(drawn(range(len(cases)), count)))


def in_turn(days):
    """For a test of a single long case, of which others show the same too: on one day in this many, on average, by the seed; else it is slow."""

    def marked_or_not(test):
        draws = random.Random(f"{SEED} {test.__module__} {test.__name__}")
        return pytest.mark.slow(test) if IS_ALL or draws.randrange(days) else test

    return marked_or_not


def drawn(cases, count):
    """For a loop, in a test that is marked `drawn`: some of the cases each day, drawn with a fresh seed, all by `make slow`."""
    cases = list(cases)
    if IS_ALL or count >= len(cases):
        return cases
    places = random.Random(f"{SEED} {len(cases)}").sample(range(len(cases)), count)
    return [cases[place] for place in sorted(places)]


def marked(cases, kept):
    """The cases, those slow whose places are not kept."""
    return [case if place in kept else as_slow(case) for place, case in enumerate(cases)]


def as_slow(case):
    """A case that is left to `make slow`, with the name and the marks that it has."""
    if hasattr(case, "marks"):
        return pytest.param(*case.values, marks=[*case.marks, pytest.mark.slow], id=case.id)
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
