"""Counting in models that contain this one: GHM96's "not beyond 12", reduced trees, never below the rank."""

from __future__ import annotations

import random

import pytest
from amount import SELDOM, some
from hypothesis import assume, given, settings
from strategies import networks

import algdim
from algdim.families.discrete.bounds.containing import (
    Averaged,
    bound_by_averaging,
    bound_by_containing_models,
    find_ancestors,
)
from algdim.families.discrete.bounds.search import make_closed_setting
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.model import Network, Variable

NO_SEARCH = "counting,ambient,districts,chance"


def setting_of(model, lower=0):
    return make_closed_setting(get_param_map(model), lower, 0)[0]


@pytest.mark.parametrize("states", [2, 3, 8, 100])
def test_w_structure_not_beyond_twelve(states):
    """GHM96 §5: with H averaged out the W structure has 12 parameters, whatever the number of H's states."""
    bound = bound_by_containing_models(setting_of(algdim.model(f"A -> C <- H -> D <- B; hidden H; states H={states}")))

    assert 12 == bound.value
    assert "H" == bound.evidence["averaged_out"][0][0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A -> H -> B; hidden H; states H=9", 3),
        ("2:2", 1),
        ("7:2,2", 3),
        ("3(2,2,3(2))", 7),
        ("5(2,2,5(2,3))", 23),
        ("A -> B -> C -> D; U -> B, D; hidden U; states U=9", 1 + 2 + 2 + 8),
    ],
)
def test_known_counts(text, expected):
    """Mediators, latent leaves, capped trees, and the Verma network without its hidden variable."""
    assert expected == bound_by_containing_models(setting_of(algdim.model(text))).value


def test_only_the_hidden_variable_with_many_states_is_averaged_out():
    """The search may stop half way: K with two states stays where its tables are smaller than what replaces them."""
    model = algdim.model("H -> A, B; K -> C, D, E, F, G; A -> C; hidden H, K; states H=50")
    bound = bound_by_containing_models(setting_of(model))

    assert ["H"] == [name for name, _ in bound.evidence["averaged_out"]]
    assert 3 + 1 + 2 * 4 + 4 == bound.value


def test_shared_tables_are_counted_once_unless_made_free():
    """Tables that are not touched keep their sharing; those of children of an averaged-out variable become free."""
    model = algdim.model("H -> A, B; X -> Y -> Z; hidden H; states H=9; share s: Y, Z")
    bound = bound_by_containing_models(setting_of(model))

    assert 3 + 1 + 2 == bound.value
    assert ["A", "B"] == sorted(bound.evidence["made_free"])


def test_order_of_children_is_searched():
    """C has a parent with many states of its own: as the last child it passes that parent on to nobody."""
    model = algdim.model("Z -> C; H -> C, D; hidden H; states H=99, Z=9")
    bound = bound_by_containing_models(setting_of(model))

    assert 8 + 1 + 9 * 2 == bound.value
    assert [["H", ["D", "C"]]] == bound.evidence["averaged_out"]


def test_ancestors_come_first():
    """A child that is an ancestor of another one, even through a third variable, comes before it."""
    model = algdim.model("H -> A, B; A -> M -> B; hidden H; states H=9")
    bound = bound_by_containing_models(setting_of(model))

    assert [["H", ["A", "B"]]] == bound.evidence["averaged_out"]
    assert 1 + 2 + 4 == bound.value


def test_models_without_hidden_variables_and_very_large_ones():
    """Nothing is looked at."""
    assert bound_by_containing_models(setting_of(algdim.model("A -> B"))) is None
    assert bound_by_averaging(setting_of(algdim.model("2:2^100"))) is None


def test_hidden_variable_with_one_state():
    """One state: the count is still a bound."""
    model = Network((Variable("H", 1, observed=False), Variable("A", parents=("H",)), Variable("B", parents=("H",))))

    assert 2 <= bound_by_containing_models(setting_of(model)).value


@settings(max_examples=some(60), suppress_health_check=SELDOM)
@given(networks(max_variables=6, max_states=3, deterministic=True, max_table=60))
def test_never_below_the_rank(model):
    """The count is at least the rank, whatever the tables."""
    setting, extra = make_closed_setting(get_param_map(model), 0, 0)
    bound = bound_by_containing_models(setting)
    assume(bound is not None)

    assert algdim.dimension(model, bounds=NO_SEARCH).dimension <= bound.value - extra


@pytest.mark.parametrize("seed", range(20))
def test_ancestors_by_going_upwards(seed):
    """Those of the others from which directed paths lead to a variable, found by stepping from child to parent."""
    draw = random.Random(seed)
    parents = tuple(sum(1 << one for one in range(v) if draw.random() < 0.35) for v in range(8))
    network = Averaged(parents, 255, 0)
    for vertex in range(8):
        others = [v for v in range(8) if draw.random() < 0.7]
        above = {vertex}
        for v in reversed(range(8)):
            if any(parents[one] >> v & 1 for one in above):
                above.add(v)

        assert sum(1 << v for v in others if v in above - {vertex}) == find_ancestors(network, vertex, others)
