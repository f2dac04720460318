"""A reduced tree has the same distributions as the tree it comes from: parameters are carried over exactly, both ways."""

from __future__ import annotations

import pytest
from amount import some
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from suites.tree_points import carried, distribution, embedded, random_point, rerooted

import algdim
from algdim import dimension
from algdim.families.discrete.trees import CAPPED, DELETED, SPLICED, find_latent_tree, reduce_tree

IRREGULAR = [
    "3(2,3(2))",
    "3(2,2,3(2))",
    "5(2,2,5(2,2))",
    "5(2,2,5(2,3))",
    "7:2,2",
    "2:3",
    "2(2(2,2))",
    "9(2,2,5(2,2(2)))",
]


@st.composite
def irregular_trees(draw, depth=2):
    """Draw the text of a small latent tree, often with more hidden states than can be used."""
    children = []
    for _ in range(draw(st.integers(1, 2 if depth < 2 else 3))):
        nested = depth and draw(st.integers(0, 2)) == 0
        children.append(draw(irregular_trees(depth=depth - 1)) if nested else str(draw(st.integers(2, 3))))
    return f"{draw(st.integers(2, 7))}({','.join(children)})"


def start(tree, seed):
    """A random point of a tree."""
    states = {**tree.hidden, **tree.observed}
    return random_point(states, tree.observed, tree.neighbours, next(iter(states)), seed)


def check_both_ways(text, seed):
    """Carry a random point down all steps of the reduction, and another one back up."""
    tree = find_latent_tree(algdim.model(text))
    reduction = reduce_tree(tree)
    point = start(tree, seed)
    wanted = distribution(point)
    for step in reduction.steps:
        point = carried(step, point)

        assert wanted == distribution(point)
    assert {**reduction.tree.hidden, **reduction.tree.observed} == point.states

    point = start(reduction.tree, seed)
    wanted = distribution(point)
    for step in reversed(reduction.steps):
        point = embedded(step, point)

        assert wanted == distribution(point)
    assert {**tree.hidden, **tree.observed} == point.states


@pytest.mark.parametrize("text", IRREGULAR)
def test_irregular_trees_equal_their_reductions(text):
    """The trees on which the untested rule errs, and others."""
    assert reduce_tree(find_latent_tree(algdim.model(text))).is_changed
    check_both_ways(text, 1)


@settings(max_examples=some(60))
@given(irregular_trees(), st.integers(0, 1000))
def test_random_trees_equal_their_reductions(text, seed):
    """Every distribution of a random tree is one of the reduced tree, and the other way round."""
    assume(reduce_tree(find_latent_tree(algdim.model(text))).is_changed)
    check_both_ways(text, seed)


def test_all_kinds_of_steps_are_seen():
    """The trees above are capped, spliced and cut at hidden leaves."""
    kinds = {step.kind for text in IRREGULAR for step in reduce_tree(find_latent_tree(algdim.model(text))).steps}

    assert {CAPPED, SPLICED, DELETED} == kinds


def test_another_root_changes_nothing():
    """Turning the edges around keeps the distribution."""
    point = start(find_latent_tree(algdim.model("3(2,2(2,3))")), 4)

    assert all(distribution(point) == distribution(rerooted(point, name)) for name in point.states)


def test_one_state_below_the_cap_is_another_model():
    """The cap is sharp where a state less has a smaller dimension."""
    assert 15 == dimension("4:4,2,2").dimension
    assert 14 == dimension("3:4,2,2").dimension
