"""Searches that make others share their work: it is handed down, counted in steps, and the same on every machine."""

from __future__ import annotations

import pytest

import algdim
from algdim.families.discrete.bounds.margins import bound_by_margins
from algdim.families.discrete.bounds.search import Setting
from algdim.families.discrete.bounds.supermodels import bound_by_supermodels
from algdim.families.discrete.family import EVERY, SHARED_WORK
from algdim.families.discrete.map import get_param_map
from algdim.limits import WORK, count_work, has_work, sharing_work
from algdim.models.notation import parse

BINARY = "H1 -> X1, X2, X3; H1, H2 -> X4; H2 -> X5, X6; X1, H2 -> X7; X4 -> X6; hidden H1, H2; states H1=3"


def test_work_is_handed_down():
    """What is shared inside of a search that shares is that of the outer one; after it nothing is counted."""
    with sharing_work(10):
        count_work(4)
        with sharing_work(100):
            assert has_work()
            count_work(6)
            assert not has_work()
        assert not has_work()
    assert has_work()
    count_work(1000)
    assert has_work()


@pytest.mark.parametrize("search", [bound_by_supermodels, bound_by_margins])
def test_a_search_without_work_left_ends(search):
    """No rank of another model is taken, nor a local map looked at, once nothing is left: hardly anything is used beyond."""
    pmap = get_param_map(parse(BINARY))
    lower = algdim.dimension(BINARY, bounds="counting,chance").dimension
    used = []
    for most in (1.0, 1e15):
        with sharing_work(most):
            search(Setting(pmap, lower - 1))
            used.append(most - WORK.get().left)

    assert 0 < used[0] < used[1] / 2


def test_what_is_found_depends_on_the_work_alone():
    """The same steps are counted each time."""
    pmap, used = get_param_map(parse(BINARY)), []
    for _ in range(2):
        with sharing_work(1e15):
            bound_by_supermodels(Setting(pmap, 10))
            used.append(WORK.get().left)

    assert used[0] == used[1]


def test_searches_that_make_others_are_known():
    """Each of them is a search of discrete models."""
    assert set(SHARED_WORK) <= set(EVERY)
