"""Bounds by parts of a model that shows more: never less than the dimension by definition, a model that nothing else proves."""

from __future__ import annotations

import random
from dataclasses import replace
from math import inf

import brute
import pytest
from amount import drawn
from suites.random_networks import Kind, draw

import algdim
from algdim.families.discrete.bounds.differences import list_roots
from algdim.families.discrete.bounds.parts import bound_by_parts, list_districts, observe
from algdim.families.discrete.bounds.search import make_closed_setting
from algdim.families.discrete.districts import build_slice
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.model import drop_irrelevant
from algdim.models.notation import parse

SLICES = """states X1=2, X2=3, X3=3, H1=2, H2=3, H3=2, X4=3, X5=3, X6=3; X2, X3 -> H2; X1, X2, H2, H3 -> X4; X3, H1, H2 -> X5;
X1, X3, H2, H3, X4 -> X6; hidden H1, H2, H3; given X1, X2, X3"""
"""With H2 observed X4 and X6 have the same dimension for each state of X1 and H2; X5 and H2 have tables."""
LARGER = SLICES.replace("X1=2, X2=3", "X1=4, X2=4").replace("X4=3", "X4=4").replace("X6=3", "X6=4")
SMALL = Kind((4, 7), (2, 3), 0.4, 0.45, 64)


def test_a_part_for_each_state():
    """Slices for X4 and X6, for each state of X1 and of H2, which is observed; tables for H2 and X5."""
    report = algdim.dimension(SLICES, bounds="counting,parts")

    assert (brute.dimension(parse(SLICES)), True, "parts") == (report.dimension, report.exact, report.upper.kind)
    assert "parts" in report.upper.trust.lemmas
    parts = report.upper.evidence["parts"]
    assert report.dimension == sum(part["times"] * part["bound"]["value"] for part in parts)
    assert {"H2"} == {name for part in parts for word, name in part["steps"] if word == "observed"}


def test_a_model_that_only_parts_prove():
    """12·92 + 24 + 18; the other bounds that are soon found leave more."""
    report = algdim.dimension(LARGER, bounds="counting,ambient,containing,flattenings,symmetry,parts")

    assert (1146, True, "parts") == (report.dimension, report.exact, report.upper.kind)


def test_a_hidden_variable_with_one_state_is_not_observed():
    """It may be in any model; nothing would be shown."""
    text = "states K=1; C -> A; H -> C, A, D; G -> D, B; D -> B; C -> G; K -> A, B; hidden G, H, K"
    report = algdim.dimension(text, bounds="counting,parts")

    assert brute.dimension(parse(text)) == report.dimension
    assert report.dimension <= report.upper.value


def draw_networks(count, seed=0):
    """Random networks with hidden variables of which brute force soon finds the dimension."""
    source, found = random.Random(seed), 0
    while found < count:
        model = drop_irrelevant(draw(source, SMALL))[0]
        if model.hidden and len(model.observed) > 1 and get_param_map(model).cells <= SMALL.cells:
            found += 1
            yield model


@pytest.mark.drawn
def test_a_model_that_shows_more_has_no_smaller_dimension():
    """Of random networks: with a hidden variable observed, by districts; and the slices of an observed root together."""
    for model in drawn(list(draw_networks(60)), 12):
        dimension = brute.dimension(model)
        for variable in model.hidden:
            assert dimension <= sum(brute.dimension(one) for one in list_districts(observe(model, variable.name)))
        for name in list_roots(model):
            if len(model.observed) > 1 and any(name in one.parents for one in model.variables):
                one = brute.dimension(build_slice(replace(model, given=(name,)), (name,)))
                assert dimension <= model.states[name] * (one + 1) - 1


@pytest.mark.slow
def test_bounds_are_no_smaller_than_the_dimension():
    """Of random networks, whatever rank is to be met."""
    met = 0
    for model in draw_networks(200, 3):
        rank = brute.dimension(model)
        for lower in (rank - 1, rank):
            bound = bound_by_parts(make_closed_setting(get_param_map(model), lower, 0)[0])
            assert rank <= (inf if bound is None else bound.value), model
            met += bound is not None
    assert met > 5
