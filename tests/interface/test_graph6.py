"""graph6 and digraph6."""

from __future__ import annotations

import networkx as nx
import pytest
from amount import some
from hypothesis import given, settings
from hypothesis import strategies as st

import algdim
from algdim import InputError, dimension, model


def test_the_example_of_nauty():
    """The example in nauty's description of digraph6: five vertices, 0->2, 0->4, 3->1, 3->4."""
    assert {("X1", "X3"), ("X1", "X5"), ("X4", "X2"), ("X4", "X5")} == set(model("&DI?AO?", format="digraph6").edges)


@settings(max_examples=some(30))
@given(st.integers(1, 8), st.data())
def test_networkx_agrees(size, data):
    """Graphs that networkx writes are read as the log-linear models of these graphs."""
    graph = nx.Graph()
    graph.add_nodes_from(range(size))
    pairs = [(one, other) for other in range(size) for one in range(other)]
    graph.add_edges_from(data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else [])
    text = nx.to_graph6_bytes(graph).decode("ascii")
    named = nx.relabel_nodes(graph, {number: f"X{number + 1}" for number in graph})

    assert model(named) == model(text, format="graph6")
    assert model(named) == model(text.removeprefix(">>graph6<<"), format="graph6")


def test_states_are_given_beside():
    """All variables have as many states as the option says."""
    assert algdim.model("X1 -> X2; states X1=3, X2=3") == model("&AO", format="digraph6:states=3")


def test_long_sizes():
    """More than 62 vertices have a size of four signs."""
    graph = nx.path_graph(70)

    assert 70 == len(model(nx.to_graph6_bytes(graph).decode("ascii"), format="graph6").variables)


def test_a_graph_has_a_dimension():
    """The graphical model of a path of three binary variables has 5 free effects."""
    assert 5 == dimension(model("Bg", format="graph6")).dimension


@pytest.mark.parametrize("graph", [nx.Graph([("A", "A")]), nx.Graph()])
def test_bad_undirected_graphs(graph):
    """A loop and an empty graph are refused."""
    with pytest.raises(InputError, match=r"itself|empty"):
        model(graph)
