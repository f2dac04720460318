"""networkx graphs to models and back."""

from __future__ import annotations

import json

import networkx as nx
import pytest
from hypothesis import given
from strategies import networks

import algdim
from algdim import InputError
from algdim.readers.graphs import convert_to_graph, read_directed_graph


@given(networks(deterministic=True))
def test_round_trip(model):
    """A model survives the way through a graph, a copy of it, and a graph as JSON, whatever its tables."""
    graph = convert_to_graph(model)
    data = json.loads(json.dumps(nx.node_link_data(graph, edges="edges")))

    assert model == read_directed_graph(graph)
    assert model == read_directed_graph(graph.copy())
    assert model == read_directed_graph(nx.node_link_graph(data, edges="edges"))


def test_attributes():
    """States and hidden are node attributes; nodes and parents keep their order."""
    graph = nx.DiGraph()
    graph.add_node("B", states=3)
    graph.add_edge("C", "B")
    graph.add_edge("A", "B")
    graph.nodes["A"]["hidden"] = True
    graph.nodes["A"]["color"] = "red"

    assert algdim.model("states B=3, C=2, A=2; C -> B <- A; hidden A") == read_directed_graph(graph)


def test_edges_added_later_come_last():
    """A graph that was written by algdim may be changed: new parents follow, removed ones are forgotten."""
    graph = convert_to_graph(algdim.model("A, B, C -> D"))
    graph.remove_edge("A", "D")
    graph.add_edge("E", "D")

    assert ("B", "C", "E") == next(v for v in read_directed_graph(graph).variables if v.name == "D").parents


def test_attributes_of_other_libraries_are_left_alone():
    """What has to do with drawing, weights or data is no mistake."""
    names = "pos label weight color colour size shape style x y layer subset title name data type value image group"
    attributes = {**dict.fromkeys(names.split(), 1), 7: "a number is a key too"}

    assert algdim.model("states A=2, B=2") == read_directed_graph(
        graph_with(**{k: v for k, v in attributes.items() if k != 7})
    )
    graph = graph_with()
    graph.nodes["A"].update(attributes)

    assert algdim.model("states A=2, B=2") == read_directed_graph(graph)


def graph_with(**attributes):
    graph = nx.DiGraph()
    graph.add_node("A", **attributes)
    graph.add_node("B")
    return graph


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (nx.MultiDiGraph([("A", "B")]), "MultiDiGraph is not allowed"),
        (nx.DiGraph(), "the model is empty"),
        (nx.DiGraph([(1, 2)]), "the node 1 is not a text"),
        (nx.DiGraph([("a b", "c")]), "node 'a b': 'a b' is not a name"),
        (nx.DiGraph([("A", "A")]), "cycle"),
        (nx.DiGraph([("A", "B"), ("B", "A")]), "cycle"),
        (graph_with(states="2"), "node A: states is '2'"),
        (graph_with(states=1), "node A: states is 1"),
        (graph_with(hidden=1), "node A: hidden is 1; True or False"),
        (graph_with(observed=False), "node A: the attribute 'observed' is not read; write 'hidden'"),
        (graph_with(state=3), "node A: the attribute 'state' is not read; write 'states'"),
        (graph_with(State=3), "node A: the attribute 'State' is not read; write 'states' (read are states, hidden,"),
        (graph_with(HIDDEN=True), "node A: the attribute 'HIDDEN' is not read; write 'hidden'"),
        (graph_with(hiden=True), "node A: the attribute 'hiden' is not read; write 'hidden'"),
        (graph_with(sates=3), "node A: the attribute 'sates' is not read; write 'states'"),
        (graph_with(Latent=True), "node A: the attribute 'Latent' is not read; write 'hidden'"),
        (graph_with(observd=True), "node A: the attribute 'observd' is not read; write 'hidden'"),
        (graph_with(parent=["B"]), "node A: the attribute 'parent' is not read; write 'parents'"),
        (graph_with(parents="B"), "node A: parents is 'B'"),
        (graph_with(local={"type": "softmax"}), "node A: local.type: 'softmax' is not available"),
        (nx.DiGraph([("A", "B")], family="gaussian"), "the graph's attribute family is 'gaussian'; of graphs discrete"),
        (nx.DiGraph([("A", "B")], family=None), "the graph's attribute family is None"),
        (nx.DiGraph([("A", "B")], given="A"), "the graph's attribute given is 'A'"),
        (nx.DiGraph([("A", "B")], given=["C"]), "there is no variable C"),
    ],
)
def test_bad_graphs_are_refused(graph, message):
    """Each wrong graph is refused with the node that is wrong."""
    with pytest.raises(InputError) as caught:
        read_directed_graph(graph)

    assert message in str(caught.value)
