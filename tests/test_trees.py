"""Latent trees: recognised, reduced, cut, and their bounds added up."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algdim
from algdim.bound.bounds import LOWER, UPPER, Bound
from algdim.bound.setting import closed
from algdim.bound.trees import added_up, by_shape, shape_of, simple_upper, tree_bound
from algdim.maps.factors import param_map
from algdim.models.notation import parse
from algdim.models.trees import count_parameters, decompose, latent_tree, network_of, reduced

NO_SEARCH = "counting,ambient,districts,chance"


def rank_of(model):
    return algdim.dimension(model, bounds=NO_SEARCH).dimension


def setting_of(model):
    return closed(param_map(model), 0, 0)[0]


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
    assert expected == tree_bound(setting_of(parse(text))).value


@pytest.mark.parametrize("text", ["2:2,2,2", "4:3,3,3", "A -> B", "A -> H -> B, C, D; hidden H"])
def test_one_latent_class_model_is_left_to_the_other_bounds(text):
    """What is one part already and not reduced gives nothing new, so that a search of parts ends."""
    assert tree_bound(setting_of(parse(text))) is None


@pytest.mark.parametrize(
    "text",
    [
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
    assert decompose(parse(text)) is None


def test_settimi_smith_binary_trees():
    """Settimi and Smith, Theorem 2: binary trees lose two dimensions for every hidden variable with two neighbours."""
    model = parse("2(2,2(2,2(2,2)),2(2))")
    count = len(param_map(model).parameters)

    assert count - 2 == tree_bound(setting_of(model)).value


def test_three_hundred_leaves_need_one_shape():
    """A caterpillar of binary hidden variables is cut into parts of two shapes, each asked for once."""
    text = "2(2,2)"
    for _ in range(298):
        text = f"2(2,{text})"
    asked = []

    def ask(local):
        asked.append(shape_of(local))

    model = parse(text)
    bound = tree_bound(setting_of(model), ask)

    assert [(2, (2, 2, 2))] == asked
    assert len(param_map(model).parameters) - 2 == bound.value


def test_local_bounds_can_be_improved_by_the_caller():
    """The caller's bound of a part counts if it is less than what needs no search."""
    model = parse("4(3,3,3(3,3))")
    plain = tree_bound(setting_of(model))
    better = tree_bound(
        setting_of(model), lambda local: Bound(25, UPPER, "told", "") if shape_of(local) == (4, (3, 3, 3)) else None
    )

    assert plain.value - 1 == better.value


def test_probable_local_bounds_are_not_used():
    """A part's bound that holds only by chance is left out of a proof."""
    model = parse("4(3,3,3(3,3))")

    assert (
        tree_bound(setting_of(model)).value
        == tree_bound(setting_of(model), lambda local: Bound(1, UPPER, "chance", "", "probable", 0.1)).value
    )


@given(trees())
def test_reduction_is_a_fixed_point_and_never_adds_parameters(text):
    """Reducing twice changes nothing; no hidden variable is above its cap; the count is that of the network."""
    tree = latent_tree(parse(text))
    first = reduced(tree)

    assert not reduced(first.tree).changed
    assert count_parameters(first.tree) == len(param_map(network_of(first.tree)).parameters)
    assert count_parameters(first.tree) <= count_parameters(tree) == len(param_map(parse(text)).parameters)


@settings(max_examples=50)
@given(trees())
def test_dimensions_of_the_parts_add_up(text):
    """The ranks of the parts, less what is shared, are the rank of the tree; so are those of the reduced tree."""
    model = parse(text)
    parts = decompose(model)
    bounds = {shape: Bound(rank_of(local), LOWER, "rank", "") for shape, local in by_shape(parts).items()}
    bound = tree_bound(setting_of(model))

    assert rank_of(model) == added_up(parts, bounds, LOWER).value
    assert bound is None or rank_of(model) <= bound.value


@settings(max_examples=40)
@given(st.integers(1, 6), st.lists(st.integers(2, 4), min_size=1, max_size=4))
def test_simple_bounds_of_parts_are_not_below_the_rank(classes, items):
    """What bounds a part without a search is at least its rank."""
    model = parse(f"{classes}:{','.join(map(str, items))}")

    assert rank_of(model) <= simple_upper(model).value
