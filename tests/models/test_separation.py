"""Separation by bits against the definition as networkx computes it."""

from __future__ import annotations

import networkx as nx
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

import algdim
from algdim import InputError
from algdim.models.graphs import build_directed_graph, is_separated_in_network, iterate_positions

is_separator = getattr(nx, "is_d_separator", None) or nx.d_separated  # the name before networkx 3.3


@given(strategies.networks(max_variables=8, special=False, deterministic=True), st.data())
def test_agrees_with_networkx(model, data):
    """Any two disjoint sets are separated by a third exactly if networkx says so."""
    names = [variable.name for variable in model.variables]
    places = data.draw(st.lists(st.sampled_from("abz."), min_size=len(names), max_size=len(names)))
    a, b, z = ({name for name, place in zip(names, places, strict=True) if place == letter} for letter in "abz")
    digraph = nx.DiGraph(model.edges)
    digraph.add_nodes_from(names)
    expected = not a or not b or is_separator(digraph, a, b, z)

    assert expected == is_separated_in_network(model, a, b, z)


@given(strategies.networks(max_variables=8, special=False))
def test_ancestors_are_networkxs(model):
    """The ancestors of a variable are those that networkx finds, and itself."""
    digraph = nx.DiGraph(model.edges)
    digraph.add_nodes_from(variable.name for variable in model.variables)
    graph = build_directed_graph(model)

    for index, name in enumerate(graph.names):
        assert nx.ancestors(digraph, name) | {name} == set(graph.members(graph.ancestors[index]))


@pytest.mark.parametrize(
    ("text", "one", "other", "given_", "expected"),
    [
        ("A -> B -> C", "A", "C", "", False),
        ("A -> B -> C", "A", "C", "B", True),
        ("A <- B -> C", "A", "C", "B", True),
        ("A -> B <- C", "A", "C", "", True),
        ("A -> B <- C", "A", "C", "B", False),
        ("A -> B <- C; B -> D -> E", "A", "C", "E", False),
        ("A -> C <- H -> D <- B; hidden H", "AC", "B", "", True),
        ("A -> C <- H -> D <- B; hidden H", "A", "B", "CD", False),
        ("A, B, C -> D", "A", "BC", "", True),
    ],
)
def test_known_cases(text, one, other, given_, expected):
    """Chains, forks, colliders and their descendants."""
    assert expected == is_separated_in_network(algdim.model(text), one, other, given_)


def test_long_chain():
    """A chain of many variables needs no recursion."""
    model = algdim.model(" -> ".join(f"X{i}" for i in range(1, 1500)))

    assert is_separated_in_network(model, ["X1"], ["X1499"], ["X700"])
    assert not is_separated_in_network(model, ["X1"], ["X1499"])


def test_positions_are_those_of_the_ones():
    """Bits are listed from the lowest."""
    assert [0, 5, 64] == list(iterate_positions(1 | 1 << 5 | 1 << 64))


@pytest.mark.parametrize("sets", [("A", "A", ""), ("A", "B", "A"), ("A", "B", "B")])
def test_sets_that_meet_are_refused(sets):
    """The three sets are disjoint."""
    with pytest.raises(InputError, match="is in two of the three sets"):
        is_separated_in_network(algdim.model("A -> B -> C"), *sets)


def test_unknown_variables_are_refused():
    """The message names the variable and the known ones."""
    with pytest.raises(InputError, match="there is no variable Z; known are A"):
        is_separated_in_network(algdim.model("A -> B -> C"), "A", "Z")
