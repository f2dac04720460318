"""Bounds by models with fewer states: the dimension is concave in the number of states by definition, the bounds are no smaller."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from math import inf

import brute
import pytest
from amount import drawn
from suites.random_networks import Kind, draw

import algdim
from algdim.families.discrete.bounds.differences import list_roots
from algdim.families.discrete.bounds.fewerstates import bound_by_fewer_states, give_states, list_repeated
from algdim.families.discrete.bounds.search import make_closed_setting
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.model import Network, drop_irrelevant
from algdim.models.notation import parse

LARGER = """states X1=4, H1=3, H2=3, X4=3, X5=4, X6=3, X7=3; H1 -> X2 -> H2; X2, H2 -> X4; X1, H1, X2, X3, H2 -> H3; H1, H2, X4 -> X5;
X1, X3, X4, H3 -> X6; X1, H2 -> X7; hidden H1, H2, H3; given X1, X3"""
"""Each state of X1 after the first adds 62, each of X5 after the second 27."""
ITEMS = "H -> A, B, C; hidden H; states H=2, C={}"
SMALL = Kind((4, 6), (2, 4), 0.4, 0.45, 72)


def test_a_model_that_only_fewer_states_prove():
    """Of X1 two states suffice, of X5 three; the other bounds that are soon found leave more."""
    others = "counting,ambient,containing,flattenings,grids,symmetry,margins"
    report = algdim.dimension(LARGER, bounds=f"{others},fewer-states")

    assert (340, True, "fewer-states") == (report.dimension, report.exact, report.upper.kind)
    assert {"fewer states", "lower bound"} <= set(report.upper.trust.lemmas)
    steps, value = report.upper.evidence["steps"], report.upper.evidence["bound"]["value"]
    for step in reversed(steps):
        assert "proved" == step["below"]["status"]
        value += (step["states"] - step["kept"]) * (value - step["below"]["value"])
    assert value == 340
    assert {("X1", 4, 2), ("X5", 4, 3)} == {(step["variable"], step["states"], step["kept"]) for step in steps}


def test_a_latent_class_model_is_linear_in_the_states_of_an_item():
    """Of two classes and three items: 2 · (k − 1) more for each state of C, by counting."""
    dimensions = [algdim.dimension(ITEMS.format(k)).dimension for k in (2, 3, 4, 5)]

    assert [7, 9, 11, 13] == dimensions


def draw_networks(count, seed=0):
    """Random networks with hidden variables of which brute force soon finds the dimension, their roots conditioned on."""
    source, found = random.Random(seed), 0
    while found < count:
        model = drop_irrelevant(draw(source, SMALL))[0]
        given = list_roots(model)
        if model.hidden and len(given) < len(model.observed) > 1 and get_param_map(model).cells <= SMALL.cells:
            found += 1
            yield replace(model, given=given)


@pytest.mark.drawn
def test_the_dimension_is_concave_in_the_number_of_states():
    """Of random networks and each variable that is conditioned on, or at an end of the graph: no step is greater than the one before."""
    seen = 0
    for model in drawn(list(draw_networks(80)), 16):
        for name in list_repeated(model):
            dimensions = [brute.dimension(give_states(model, name, k)) for k in range(1, 5)]
            steps = [after - before for before, after in pairwise(dimensions)]
            assert steps == sorted(steps, reverse=True), (model, name)
            seen += 1
    assert seen > 3


@pytest.mark.slow
def test_bounds_are_no_smaller_than_the_dimension():
    """Of random networks, whatever rank is to be met."""
    met = 0
    for model in draw_networks(300, 3):
        rank = brute.dimension(model)
        for lower in (rank - 1, rank):
            setting, extra = make_closed_setting(get_param_map(model), lower, 0)
            bound = bound_by_fewer_states(setting)
            assert rank + extra <= (inf if bound is None else bound.value), model
            met += bound is not None
    assert met > 5


def test_labels_of_states_are_no_hindrance():
    """Where the source of a model says what data call the states, nobody knows it of fewer ones; the bound is the same."""
    plain = parse("H -> A, B, C; hidden H; states A=4, B=2, C=2")
    labelled = Network(tuple(replace(one, labels=tuple("abcd"[: one.states])) for one in plain.variables), plain.given)
    setting, _ = make_closed_setting(get_param_map(labelled), 11, 0)

    assert 11 == bound_by_fewer_states(setting).value

    fewer = next(one for one in give_states(labelled, "A", 3).variables if one.name == "A")
    assert (3, ()) == (fewer.states, fewer.labels)


def test_nothing_is_said_where_a_table_is_not_its_own():
    """A shared table, or one with fixed entries, is not the same for all states."""
    assert not list_repeated(parse("H -> X1, X2; hidden H; states H=3, X1=4, X2=4; share x: X1, X2"))
    assert ["X2"] == list_repeated(parse("X1 -> X2; H -> X1, X2; hidden H; states X1=4, X2=3"))
