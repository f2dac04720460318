"""The nested Markov head count: numbers of the literature, and never below the rank."""

from __future__ import annotations

from math import prod

import pytest
from amount import SELDOM, some
from hypothesis import assume, given, settings
from strategies import networks

import algdim
from algdim.families.discrete.bounds.containing import bound_by_heads, bound_by_nested_model
from algdim.families.discrete.bounds.search import make_closed_setting
from algdim.families.discrete.map import get_param_map

NO_SEARCH = "counting,ambient,districts,chance"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A -> B -> C -> D; U -> B, D; hidden U", 11),
        ("A -> B -> C -> D; U -> B, D; hidden U; states U=12", 11),
        ("A -> C <- H -> D <- B; hidden H; states H=8", 10),
        ("P -> A, B; Q -> B, C; R -> C, D; hidden P, Q, R; states P=4, Q=4, R=4", 10),
        ("P -> A, B; Q -> B, C; R -> C, D; S -> D, A; hidden P, Q, R, S; states P=4, Q=4, R=4, S=4", 13),
        ("Z -> X -> Y; H -> X, Y; hidden H; states H=9", 7),
        ("Z -> X -> Y; H -> X, Y; hidden H; states H=9, Z=3, X=4, Y=2", 2 + 9 + 12),
    ],
)
def test_known_counts(text, expected):
    """The head count is the one of the literature: Verma 11, W 10, 4-chain 10, 4-cycle 13, instrument complete."""
    assert expected == bound_by_heads(algdim.model(text)).value


@pytest.mark.parametrize("sizes", [(2,), (2, 3), (3, 2, 4), (2, 2, 2, 2)])
def test_complete_graph_counts_the_saturated_model(sizes):
    """If everything is joined, with or without edges, the count is the number of cells less one."""
    joined = algdim.model(f"2:{','.join(map(str, sizes))}")

    assert prod(sizes) - 1 == bound_by_heads(joined).value


@pytest.mark.parametrize(
    "text",
    [
        "A -> B -> C -> D; U -> B, D; hidden U; states U=4",
        "P -> A, B; Q -> B, C; R -> C, D; hidden P, Q, R; states P=3, Q=3, R=3",
        "A -> C <- H -> D <- B; hidden H; states H=4",
        "A -> B; P -> A, C; Q -> B, C; hidden P, Q; states P=4, Q=4",
        "A -> B -> C; P -> A, C; A -> D; Q -> C, D; hidden P, Q; states P=4, Q=4",
    ],
)
def test_count_is_reached_with_many_hidden_states(text):
    """Evans 2018 (Margins of discrete Bayesian networks): with enough hidden states the count is the dimension."""
    model = algdim.model(text)

    assert algdim.dimension(model, bounds=NO_SEARCH).dimension == bound_by_heads(model).value


def test_large_models_are_left_alone():
    """Too many intrinsic sets or variables: nothing is said, at once."""
    assert bound_by_heads(algdim.model("2:2^60")) is None
    assert bound_by_heads(algdim.model("2:2^1000")) is None


def test_nothing_is_said_of_kernels():
    """What is conditioned on is first made a free root."""
    assert bound_by_heads(algdim.model("A -> H -> X; hidden H; given A")) is None


def test_evidence_adds_up():
    """The counts of the heads in the evidence add up to the value."""
    bound = bound_by_heads(algdim.model("A -> B -> C -> D; U -> B, D; hidden U"))

    assert bound.value == sum(head["count"] for head in bound.evidence["heads"])
    assert [["B", "D"]] == bound.evidence["bidirected"]


@settings(max_examples=some(60), suppress_health_check=SELDOM)
@given(networks(max_variables=5, max_states=3, deterministic=True, max_table=60))
def test_never_below_the_rank(model):
    """The count is at least the rank, whatever the tables: fixed, shared, named, zero or deterministic."""
    setting, extra = make_closed_setting(get_param_map(model), 0, 0)
    bound = bound_by_nested_model(setting)
    assume(bound is not None)

    assert algdim.dimension(model, bounds=NO_SEARCH).dimension <= bound.value - extra
    assert bound.value <= setting.pmap.complete
