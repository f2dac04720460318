"""The rank condition of the tree rule."""

from __future__ import annotations

from math import prod

import pytest
from amount import in_turn
from hypothesis import given
from hypothesis import strategies as st

import algdim
from algdim.families.discrete.bounds.trees import MOST_STATES, compute_side_ranks, is_small_enough, order_from_root
from algdim.families.discrete.trees import find_latent_tree, reduce_tree


@st.composite
def trees(draw, depth=3):
    """Draw the text of a latent tree."""
    children = []
    for _ in range(draw(st.integers(1, 3))):
        nested = depth and draw(st.booleans())
        children.append(draw(trees(depth=depth - 1)) if nested else str(draw(st.integers(2, 3))))
    return f"{draw(st.integers(2, 7))}({','.join(children)})"


def capacity(tree, near, far):
    """The most that a rank of P(observed on the near side | near) can be: found on the tree, without algebra."""
    below = [
        min(tree.hidden[other], capacity(tree, other, near)) if other in tree.hidden else tree.observed[other]
        for other in tree.neighbours[near]
        if other != far
    ]
    return min(tree.hidden[near], prod(below))


@given(trees())
def test_ranks_are_what_a_count_says(text):
    """The generic rank is min(|X|, the product over what is beyond), which is 1 where nothing is observed."""
    tree = find_latent_tree(algdim.model(text))
    for side in compute_side_ranks(tree):
        assert capacity(tree, side.near, side.far) == side.rank
        assert (side.rank == side.states) == side.holds


@given(trees())
def test_the_condition_holds_in_reduced_trees(text):
    """Lemma "capping", last claim."""
    assert all(side.holds for side in compute_side_ranks(reduce_tree(find_latent_tree(algdim.model(text))).tree))


@pytest.mark.parametrize(
    ("text", "failing"),
    [
        ("3(2,3(2))", {"H2"}),
        ("3(2,2,3(2))", {"H2"}),
        ("5(2,2,5(2,2))", {"H1", "H2"}),
        ("5(2,3(2,2),3(2,2))", set()),
    ],
)
def test_where_the_condition_fails(text, failing):
    """The trees on which the untested rule errs fail on some side."""
    found = {side.near for side in compute_side_ranks(find_latent_tree(algdim.model(text))) if not side.holds}

    assert failing <= found
    assert bool(failing) == bool(found)


def test_everything_is_reached_from_the_root():
    """Each hidden variable stands once, after the neighbour through which it is reached."""
    tree = find_latent_tree(algdim.model("2(2,2(2,2(2,2),2(2,2)),2(2,2(2,2)))"))
    order, parent = order_from_root(tree)

    assert sorted(tree.hidden) == sorted(order)
    for place, name in enumerate(order[1:], 1):
        assert parent[name] in order[:place]
        assert parent[name] in tree.neighbours[name]


@in_turn(3)
def test_a_hub_with_a_thousand_neighbours():
    """The cost grows with the number of edges, not with its square."""
    tree = find_latent_tree(algdim.model(f"3({','.join(['2(2,2)'] * 1000)})"))

    assert all(side.holds for side in compute_side_ranks(tree))


def test_large_sides_are_seen_by_probes():
    """2^200 cells on one side."""
    text = f"20({','.join(['2'] * 200)},{30}({','.join(['2'] * 200)}))"

    assert [(20, 20), (30, 30)] == [
        (side.rank, side.states) for side in compute_side_ranks(find_latent_tree(algdim.model(text)))
    ]


def test_limits():
    """Very many states are not ranked."""
    assert is_small_enough(find_latent_tree(algdim.model("20(2,2,2,30(2,2))")))
    assert not is_small_enough(find_latent_tree(algdim.model(f"{MOST_STATES + 1}(2,2,2,30(2,2))")))
    assert not is_small_enough(find_latent_tree(algdim.model("900(2,900(2,2),1000000)")))
