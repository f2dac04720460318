"""The same seed gives the same, bit for bit: with one thread and two, forked, spawned and alone."""

import os
import subprocess
import sys
from functools import cache

import pytest
from amount import drawn, in_turn
from packages import ROOT


@cache
def run(how, threads, seed="0", **environment):
    """The fingerprints that a process of its own prints."""
    return subprocess.run(
        [sys.executable, "tests/fingerprints.py", how, seed],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "ALGDIM_THREADS": str(threads), **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
        encoding="utf-8",
    ).stdout


OTHER = {"PYTHONHASHSEED": "7", "OMP_NUM_THREADS": "2", "LC_ALL": "C", "PYTHONUTF8": "0", "TZ": "Asia/Tokyo"}


@pytest.mark.drawn
def test_threads_and_ways_to_start_make_no_difference():
    """Reports and certificates of all families, and of a model whose matrix the threads share."""
    for how, threads, environment in drawn([("here", 2, {}), ("fork", 2, {}), ("spawn", 2, {}), ("here", 1, OTHER)], 1):
        assert run("here", 1) == run(how, threads, **environment), (how, threads, environment)


@in_turn(3)
def test_another_seed_makes_other_points():
    """So the fingerprints say something."""
    assert set(run("here", 1).split()).isdisjoint(run("here", 1, "1").split())
