"""The opponent Macaulay2: dimensions of factor models beside those of algdim; skipped where M2 is not installed.

The ideals are asked for only where they take seconds at most: that of 2 factors and 5 indicators takes eight, that of 6
does not end in twelve.
"""

from __future__ import annotations

import shutil
import subprocess

import pytest
from amount import first, in_turn

from algdim import dimension
from bench.opponents import macaulay2

needs_macaulay2 = pytest.mark.skipif(not macaulay2.installed(), reason=macaulay2.MISSING)
SECONDS = 60.0

pytestmark = pytest.mark.usefixtures("home")


def dimension_of(hidden, seen):
    """What algdim says of the covariances of independent factors with all indicators."""
    factors = ", ".join(f"F{number}" for number in range(1, hidden + 1))
    indicators = ", ".join(f"X{number}" for number in range(1, seen + 1))
    return dimension(f"gaussian: {factors} -> {indicators}; hidden {factors}; means off").dimension


@needs_macaulay2
@pytest.mark.parametrize(("hidden", "seen"), first([(2, 5), (1, 4), (2, 6), (1, 3), (1, 5), (1, 6), (2, 3), (2, 4)], 1))
def test_rank_of_macaulay2(hidden, seen):
    """The Jacobian of Macaulay2's parametrization has the rank that algdim says."""
    edges = macaulay2.factor_edges(hidden, seen)

    assert macaulay2.by_rank(seen, hidden, edges, seconds=SECONDS) == dimension_of(hidden, seen)


@needs_macaulay2
@pytest.mark.parametrize(("hidden", "seen"), first([(1, 3), (1, 5), (2, 4), (1, 4), (1, 6), (2, 3)], 1))
def test_ideal_of_macaulay2(hidden, seen):
    """The variety of Macaulay2's vanishing ideal has the dimension that algdim says."""
    edges = macaulay2.factor_edges(hidden, seen)

    assert macaulay2.by_ideal(seen, hidden, edges, seconds=SECONDS) == dimension_of(hidden, seen)


CHAINS = {(1, 2, 3): 14, (2, 3, 1): 15, (2, 1, 3): 11, (3, 2, 1): 14, (1, 3, 2): 15, (3, 1, 2): 11}
"""Chains on variables of 2, 3 and 4 states and their dimensions: with s states in the middle, s − 1 + s(a − 1 + b − 1)."""
CIRCLES = {(2, 3, 1): 11, (3, 1, 2): 15}
"""What version 2.0 says where sorting permutes in a circle."""


@needs_macaulay2
@pytest.mark.parametrize(("first", "middle", "last"), first(CHAINS, 1))
def test_discrete_ideals_of_macaulay2(first, middle, last):
    """Discrete chains have the right dimension, but in version 2.0 not where sorting permutes them in a circle."""
    chain = first, middle, last
    expected = CHAINS[chain]
    if chain in CIRCLES:
        if macaulay2.version() != "2.0":
            pytest.skip("what is said of circles is said of version 2.0 of GraphicalModels")
        expected = CIRCLES[chain]

    assert expected == macaulay2.by_discrete_ideal((2, 3, 4), [(first, middle), (middle, last)], SECONDS)


@needs_macaulay2
def test_an_error_of_macaulay2_is_told():
    """A script that fails is no dimension, and M2's words are in the message."""
    with pytest.raises(macaulay2.Macaulay2Error, match="this is wrong"):
        macaulay2.run('error "this is wrong"', SECONDS)


@in_turn(3)
@needs_macaulay2
def test_a_script_that_does_not_end_is_stopped():
    """The time limit holds."""
    with pytest.raises(subprocess.TimeoutExpired):
        macaulay2.run("while true do 1", 1.0)


def test_without_macaulay2_it_is_said(monkeypatch):
    """Where M2 is not installed, the message says what to install."""
    monkeypatch.setattr(shutil, "which", lambda _: None)

    assert not macaulay2.installed()
    with pytest.raises(FileNotFoundError, match="apt-get install macaulay2"):
        macaulay2.by_rank(3, 1, macaulay2.factor_edges(1, 3))


def test_edges_of_factor_models():
    """Observed vertices come first, factors after them."""
    assert [(3, 1), (3, 2), (4, 1), (4, 2)] == macaulay2.factor_edges(2, 2)
