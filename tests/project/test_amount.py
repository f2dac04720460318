"""How much is tested each day: a sample that the seed decides, and nothing that is lost."""

import os
import subprocess
import sys

import pytest
from amount import IS_ALL, SEED, daily, drawn, first, in_turn
from packages import ROOT

CASES = [(letter, number) for letter in "ab" for number in range(10)]


def is_slow(case):
    """Whether a case of a parametrised test is marked so."""
    return any(mark.name == "slow" for mark in getattr(case, "marks", ()))


def values(case):
    """The arguments of a case, marked or not."""
    return getattr(case, "values", case)


@pytest.mark.parametrize("made", [first(CASES, 4), daily(CASES, 4), daily(CASES, 3, ("b", 9)), daily(CASES, 99)])
def test_no_case_is_lost(made):
    """What is not run each day is slow, and stands where it stood."""
    assert CASES == [tuple(values(case)) for case in made]


@pytest.mark.skipif(IS_ALL, reason="all are taken")
def test_as_many_as_were_asked_for():
    """No more and no less, those that are named among them."""
    assert [4, 4, 20] == [
        sum(not is_slow(case) for case in made) for made in (first(CASES, 4), daily(CASES, 4), daily(CASES, 99))
    ]
    assert not is_slow(daily(CASES, 3, ("b", 9))[-1])
    assert 4 == len(drawn(CASES, 4))
    assert drawn(CASES, 4) == drawn(CASES, 4)
    assert set(drawn(CASES, 4)) <= set(CASES)


def test_tests_take_turns():
    """Of many tests about one of this many runs, each by its name; one that takes turns with nobody runs always."""

    def made(number):
        def test():
            pass

        test.__name__ = f"test_{number}"
        return test

    running = sum(not hasattr(in_turn(3)(made(number)), "pytestmark") for number in range(600))

    assert (IS_ALL and running == 0) or 130 < running < 270
    assert IS_ALL == hasattr(in_turn(1)(made(0)), "pytestmark")


def test_other_seeds_draw_others_and_all_is_all():
    """The draw is that of ALGDIM_SEED, in every process; `make slow` takes all, and marks as slow what is drawn by day."""
    code = "from amount import *; print(drawn(range(100), 5), len(drawn(range(100), 5)), sum(hasattr(x, 'marks') for x in daily(range(9), 2)))"

    def said(**environment):
        return subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": str(ROOT / "tests"), "ALGDIM_TESTS": "", **environment},
            capture_output=True,
            text=True,
            check=True,
            encoding="utf-8",
        ).stdout

    one, other = said(ALGDIM_SEED=SEED), said(ALGDIM_SEED=f"{SEED}1")
    assert f"{drawn(range(100), 5)} 5 7\n" == one != other or IS_ALL
    assert said(ALGDIM_SEED="1", ALGDIM_TESTS="all").endswith(" 100 9\n")
