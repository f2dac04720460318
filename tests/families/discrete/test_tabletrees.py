"""Tables as decision trees and decision graphs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import algdim
from algdim import InputError
from algdim.families.discrete.locals.tablefile import name_tree_entries
from algdim.models.anymodel import convert_model_to_dictionary, read_model_dictionary

PARENTS = (("A", 2), ("B", 3))


def with_tree(tree, states=2, **more):
    """A variable E with the parents A and B, and a table that is this tree."""
    return {
        "variables": [{"name": "A"}, {"name": "B", "states": 3}, {"name": "E", "states": states}],
        "edges": [["A", "E"], ["B", "E"]],
        "local": {"E": {"type": "table", "tree": tree, **more}},
    }


TREE = {"A": {"0": None, "1": {"B": {"0": "x", "1": None, "2": "x"}}}}


def test_rows_of_a_leaf_are_equal():
    """A tree is the table with equal entries; leaves of one name are one leaf."""
    model = read_model_dictionary(with_tree(TREE))

    plain = algdim.model(
        "A, B -> E; states B=3; equal E.leaf1 = P(E=0|A=0,B=0), P(E=0|A=0,B=1), P(E=0|A=0,B=2); "
        "equal E.x = P(E=0|A=1,B=0), P(E=0|A=1,B=2)"
    )

    assert set(plain.variables) == set(model.variables)
    assert model == read_model_dictionary(convert_model_to_dictionary(model))


@pytest.mark.parametrize(("states", "dimension"), [(2, 3 + 3), (3, 3 + 6), (5, 3 + 12)])
def test_leaves_are_counted(states, dimension):
    """Three different rows, whatever the number of states; the roots have three parameters."""
    report = algdim.dimension(with_tree(TREE, states))

    assert (dimension, dimension, True) == (report.standard, report.dimension, report.exact)


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ({}, "local.E.tree: a node has one key, the parent that it asks, not 0"),
        ({"A": {}, "B": {}}, "local.E.tree: a node has one key, the parent that it asks, not 2"),
        ({"C": {}}, "local.E.tree.C: this is no parent; the parents are: A, B"),
        ({"A": {"0": "x"}}, "local.E.tree.A has the branches 0; one for each state is expected: 0, 1"),
        ({"A": {"0": "x", "1": "y", "2": "z"}}, "has the branches 0, 1, 2; one for each state is expected: 0, 1"),
        ({"A": {"0": "x", "1": {"A": {"0": "x", "1": "y"}}}}, "tree.A.1.A: the state of A is known here"),
        ({"A": ["x", "y"]}, "local.E.tree.A: a list is not a table"),
        ({"A": {"0": 1, "1": "y"}}, "local.E.tree.A.0: 1 is not a table"),
        ({"A": {"0": "x y", "1": "y"}}, "local.E.tree.A.0: 'x y' is no name of a leaf"),
        ({"A": {"0": "", "1": "y"}}, "'' is no name of a leaf"),
    ],
)
def test_what_is_no_tree_is_refused(tree, message):
    """Each violation is named with its place."""
    with pytest.raises(InputError) as error:
        read_model_dictionary(with_tree(tree))

    assert message in str(error.value)


def test_entries_are_named_once():
    """What the tree names is not fixed or named beside it."""
    with pytest.raises(InputError, match="this entry is fixed or named 2 times"):
        read_model_dictionary(with_tree(TREE, fixed={"P(E=0|A=0,B=0)": "1/2"}))


@st.composite
def trees(draw, parents=PARENTS):
    """A decision graph over these parents."""
    if not parents or draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from([None, "x", "y"]))
    name, count = draw(st.sampled_from(parents))
    rest = tuple(pair for pair in parents if pair[0] != name)
    return {name: {str(state): draw(trees(rest)) for state in range(count)}}


def leaf_of(tree, row):
    """Walk down; two rows are equal if they come to the same node or to leaves of one name."""
    place = ()
    while isinstance(tree, dict):
        [(parent, branches)] = tree.items()
        place += ((parent, row[parent]),)
        tree = branches[str(row[parent])]
    return place if tree is None else tree


@given(trees(), st.integers(2, 3))
def test_rows_come_to_their_leaves(tree, states):
    """Rows have the same names exactly if one walks to the same leaf; the dimension is the number of leaves."""
    rows = [(a, b) for a in range(2) for b in range(3)]
    leaves = {row: leaf_of(tree, dict(zip("AB", row, strict=True))) for row in rows}
    names = dict(name_tree_entries(tree, "tree", "E", states, PARENTS))
    for row in rows:
        for other in rows:
            same = row == other or (names.get((row, 0)) is not None and names.get((row, 0)) == names.get((other, 0)))
            assert (leaves[row] == leaves[other]) == same
    report = algdim.dimension({**with_tree(tree, states), "given": ["A", "B"]})

    assert len(set(leaves.values())) * (states - 1) == report.dimension == report.standard


@given(trees())
def test_decision_trees_embed_in_interaction_models(tree):
    """MH97 §3.1: a mechanism whose table is a decision tree, alone under the maximum, is that tree."""
    direct = algdim.dimension({**with_tree(tree), "given": ["A", "B"]})
    data = {
        "variables": [{"name": "A"}, {"name": "B", "states": 3}, {"name": "E.1", "observed": False}, {"name": "E"}],
        "edges": [["A", "E.1"], ["B", "E.1"], ["E.1", "E"]],
        "local": {"E.1": {"type": "table", "tree": tree}, "E": {"type": "max"}},
        "given": ["A", "B"],
    }
    embedded = algdim.dimension(data)

    assert (direct.dimension, direct.standard) == (embedded.dimension, embedded.standard)
    assert embedded.exact


def test_deep_trees_are_refused():
    """Parents with one state would let a tree go down for ever."""
    names = [f"H{i}" for i in range(2000)]
    tree = "x"
    for name in names:
        tree = {name: {"0": tree}}
    with pytest.raises(InputError, match="deeper than"):
        name_tree_entries(tree, "tree", "E", 2, tuple((name, 1) for name in names))
