"""Cutting a latent tree in two, and again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import algdim
from algdim.families.discrete.trees import (
    MOST_HIDDEN,
    choose_middle_edge,
    count_parameters,
    cut_at_edges,
    find_latent_tree,
    split_at_edge,
)


@st.composite
def trees(draw, depth=3):
    """Draw the text of a latent tree."""
    children = []
    for _ in range(draw(st.integers(1, 3))):
        nested = depth and draw(st.booleans())
        children.append(draw(trees(depth=depth - 1)) if nested else str(draw(st.integers(2, 4))))
    return f"{draw(st.integers(2, 5))}({','.join(children)})"


def leaves_of(node):
    """The parts that are not cut any more."""
    return [node] if node.edge is None else [leaf for side in node.sides for leaf in leaves_of(side)]


@given(trees())
def test_parameters_add_up_at_every_edge(text):
    """KZ02 Theorem 5's counting: ds(M) = ds(M₁) + ds(M₂) − (|X||Z| − 1)."""
    tree = find_latent_tree(algdim.model(text))
    for edge in tree.inner_edges:
        one, other = split_at_edge(tree, edge)
        shared = tree.hidden[edge[0]] * tree.hidden[edge[1]] - 1

        assert count_parameters(tree) == count_parameters(one) + count_parameters(other) - shared
        assert set(tree.hidden) == set(one.hidden) | set(other.hidden)
        assert not set(one.hidden) & set(other.hidden)
        assert set(tree.observed) == (set(one.observed) | set(other.observed)) - set(tree.hidden)


@given(trees())
def test_cutting_ends_in_the_local_models(text):
    """Every leaf of the proof tree has one hidden variable, whose neighbours are its items."""
    tree = find_latent_tree(algdim.model(text))
    leaves = leaves_of(cut_at_edges(tree))

    assert sorted(tree.hidden) == sorted(name for leaf in leaves for name in leaf.tree.hidden)
    for leaf in leaves:
        (name,) = leaf.tree.hidden
        assert set(tree.neighbours[name]) == set(leaf.tree.observed)
        assert {**tree.hidden, **tree.observed}.items() >= leaf.tree.observed.items()


def test_the_most_even_edge_is_in_the_middle():
    """A chain of six hidden variables is cut into three and three."""
    tree = find_latent_tree(algdim.model("2(2,2,2(2,2(2,2(2,2(2,2(2,2))))))"))
    one, other = split_at_edge(tree, choose_middle_edge(tree))

    assert (3, 3) == (len(one.hidden), len(other.hidden))


def test_very_large_trees_are_not_cut_edge_by_edge():
    """The sum over the local models stands for the cuts."""
    text = f"2({','.join(['2(2,2)'] * (MOST_HIDDEN + 1))})"

    assert cut_at_edges(find_latent_tree(algdim.model(text))).edge is None
