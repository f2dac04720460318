"""Latent trees: recognised, reduced, cut, and their bounds added up."""

from __future__ import annotations

import pytest
from amount import some
from hypothesis import given, settings
from hypothesis import strategies as st

import algdim
from algdim.bound.bounds import LOWER, UPPER, choose_least, prove_bound
from algdim.bound.strategy import find_upper_bounds
from algdim.families.discrete.bounds.secants import bound_binary_items
from algdim.families.discrete.bounds.trees import add_bounds, group_by_shape
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.trees import (
    convert_to_network,
    count_parameters,
    cut_latent_tree,
    find_latent_tree,
    reduce_tree,
)

NO_SEARCH = "counting,ambient,districts,chance"


def rank_of(model):
    return algdim.dimension(model, bounds=NO_SEARCH).dimension


def simple_upper(model):
    """The least of what bounds a model without a search."""
    return choose_least(
        [*find_upper_bounds(get_param_map(model), ("counting", "ambient", "pairwise")), *bound_binary_items(model)[1:]]
    )


def tree_upper(model):
    """The parts' simple bounds, added up."""
    parts = cut_latent_tree(model)
    return add_bounds(parts, {shape: simple_upper(local) for shape, local in group_by_shape(parts).items()}, UPPER)


@st.composite
def trees(draw, depth=2):
    """Draw the text of a latent tree without observed inner nodes."""
    children = []
    for _ in range(draw(st.integers(1, 3))):
        if depth and draw(st.integers(0, 2)) == 0:
            children.append(draw(trees(depth=depth - 1)))
        else:
            children.append(str(draw(st.integers(2, 3))))
    return f"{draw(st.integers(2, 5))}({','.join(children)})"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3(2,3(2))", 3),
        ("3(2,2,3(2))", 7),
        ("5(2,2,5(2,2))", 15),
        ("5(2,2,5(2,3))", 23),
        ("7:2,2", 3),
        ("2:2", 1),
        ("5(2,3(2,2),3(2,2))", 23),
    ],
)
def test_known_trees(text, expected):
    """Trees on which the rule without reduction fails, and KZ02's 5,3,3:2,2,2,2,2."""
    assert expected == tree_upper(algdim.model(text)).value


@pytest.mark.parametrize("text", ["2:2,2,2", "4:3,3,3", "A -> H -> B, C, D; hidden H"])
def test_one_latent_class_model_is_left_to_the_other_bounds(text):
    """What is one part already and not reduced gives nothing new, so that a search of parts ends."""
    assert cut_latent_tree(algdim.model(text)).trivial


@pytest.mark.parametrize(
    "text",
    [
        "A -> B",
        "A -> C <- H -> D; hidden H",
        "H -> A, B, C; A -> D; hidden H",
        "H -> A, B; K -> C, D; hidden H, K",
        "H -> A, B, K; K -> C, D; hidden H, K; share s: A, B",
        "H -> A, B, K; K -> C, D; hidden H, K; fix P(K=0|H=0)=0",
        "H -> A, B, K; K -> C, D; hidden H, K; max K",
    ],
)
def test_other_models_are_no_trees(text):
    """Two parents, observed inner nodes, two components, shared, fixed or deterministic tables are refused."""
    assert cut_latent_tree(algdim.model(text)) is None


def test_settimi_smith_binary_trees():
    """Settimi and Smith, Theorem 2: binary trees lose two dimensions for every hidden variable with two neighbours."""
    model = algdim.model("2(2,2(2,2(2,2)),2(2))")
    count = len(get_param_map(model).parameters)

    assert count - 2 == tree_upper(model).value


def test_three_hundred_leaves_need_one_shape():
    """A caterpillar of binary hidden variables is cut into parts of two shapes, each asked for once."""
    text = "2(2,2)"
    for _ in range(298):
        text = f"2(2,{text})"
    model = algdim.model(text)

    assert [(2, (2, 2, 2))] == list(group_by_shape(cut_latent_tree(model)))
    assert len(get_param_map(model).parameters) - 2 == tree_upper(model).value


@given(trees())
def test_reduction_is_a_fixed_point_and_never_adds_parameters(text):
    """Reducing twice changes nothing; no hidden variable is above its cap; the count is that of the network."""
    tree = find_latent_tree(algdim.model(text))
    first = reduce_tree(tree)

    assert not reduce_tree(first.tree).is_changed
    assert count_parameters(first.tree) == len(get_param_map(convert_to_network(first.tree)).parameters)
    assert count_parameters(first.tree) <= count_parameters(tree) == len(get_param_map(algdim.model(text)).parameters)


@settings(max_examples=some(50))
@given(trees())
def test_dimensions_of_the_parts_add_up(text):
    """The ranks of the parts, less what is shared, are the rank of the tree; so are those of the reduced tree."""
    model = algdim.model(text)
    parts = cut_latent_tree(model)
    bounds = {
        shape: prove_bound(rank_of(local), LOWER, "rank", "a rank", "lower bound")
        for shape, local in group_by_shape(parts).items()
    }

    assert rank_of(model) == add_bounds(parts, bounds, LOWER).value
    assert rank_of(model) <= tree_upper(model).value


@settings(max_examples=some(40))
@given(st.integers(1, 6), st.lists(st.integers(2, 4), min_size=1, max_size=4))
def test_simple_bounds_of_parts_are_not_below_the_rank(classes, items):
    """What bounds a part without a search is at least its rank."""
    model = algdim.model(f"{classes}:{','.join(map(str, items))}")

    assert rank_of(model) <= simple_upper(model).value


def test_a_tree_given_a_variable_says_what_it_counts():
    """X has one free parameter as a root, which both bounds leave out again: 11 + 9 − 3 − 1."""
    report = algdim.dimension(
        "H -> A, B, C; H -> G; G -> D, E, F; X -> H; hidden H, G; given X", bounds="counting,trees"
    )

    for bound in (report.lower, report.upper):
        assert ("trees", 16, 1) == (bound.kind, bound.value, bound.evidence["roots"])
        assert bound.reason.startswith("17 − 1: X counts as a root with a free table, of 1 parameter; 11 + 9 − 3: ")
