"""Graphs of models as SVG, TikZ and text: well formed, complete, nodes apart."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from amount import some
from hypothesis import given, settings
from strategies import networks

from algdim import InputError, LimitError, model
from algdim.plots.networkdrawing import (
    compute_node_positions,
    draw_network,
    format_network_lines,
    get_model_graph,
    partition_into_layers,
    write_network_tikz,
)

NAMESPACE = "{http://www.w3.org/2000/svg}"

FAMILIES = (
    "3:2,2,2,2",
    "gaussian: F -> X1, X2, X3; G -> X3, X4, X5; hidden F, G; F <-> G; X1 <-> X5",
    "gaussian: X -> Y; Y -> Z; Z -> Y",
    "loglinear: {A,H}, {B,H}; hidden H",
    "latent-profile: H -> X, Y, C; hidden H; states H=2, C=3; covariances full",
    "poisson: {C1,C2},{C3} -> E",
    "classifier Y: Y -> X1, X2",
    "max: {C1,C2},{C3} -> E",
)


@pytest.mark.parametrize("text", FAMILIES)
def test_every_family_is_drawn(text):
    """One disc for each variable, hidden ones marked; the other forms name every variable."""
    read = model(text)
    graph = get_model_graph(read)
    drawn = ET.fromstring(draw_network(read))
    groups = [one.get("class") for one in drawn.iter(f"{NAMESPACE}g")]

    assert len(graph.nodes) == len(list(drawn.iter(f"{NAMESPACE}circle")))
    assert sum(not node.observed for node in graph.nodes) == groups.count("hidden")
    text_form, tikz = "\n".join(format_network_lines(read)), write_network_tikz(read)
    assert all(node.name in text_form for node in graph.nodes)
    assert len(graph.nodes) == tikz.count("\\node")
    assert tikz.count("\\draw") == len(graph.edges) + len(graph.lines) + len(graph.arcs)


@given(networks())
@settings(max_examples=some(40))
def test_random_networks(drawn):
    """Nodes lie inside the picture and apart from each other; parents stand above their children."""
    graph = get_model_graph(drawn)
    at, width, height = compute_node_positions(graph)
    places = list(at.values())

    assert len(places) == len(set(places))
    assert all(0 < x < width and 0 < y < height for x, y in places)
    assert all(at[one][1] < at[other][1] for one, other in graph.edges)
    ET.fromstring(draw_network(drawn))


def test_districts_are_framed():
    """Verma's graph has one district of more than one variable."""
    assert "district: B, D, U" in format_network_lines(model("verma"))
    assert 'class="frame"' in draw_network(model("verma"))
    assert 'class="frame"' not in draw_network(model("A -> B"))


def test_a_cycle_stands_in_one_layer():
    """Nobody on it comes first."""
    assert [["X"], ["Y", "Z"]] == partition_into_layers(get_model_graph(model("gaussian: X -> Y; Y -> Z; Z -> Y")))


def test_what_is_not_drawn():
    """A user-defined map has no graph, and very large graphs are refused."""
    with pytest.raises(InputError, match="no graph"):
        get_model_graph(model("polynomial: parameters a; coordinates a^2"))
    with pytest.raises(LimitError, match="at most 80 are drawn"):
        draw_network(model("2:2^100"))


def test_names_are_escaped():
    """A name cannot leave its text."""
    read = model({"family": "gaussian", "variables": [{"name": "long_name_of_mine"}, {"name": "B"}], "edges": []})

    assert "long_nam…" in draw_network(read)
    assert r"long\_name\_of\_mine" in write_network_tikz(read)
