"""Graphs of models as SVG, TikZ and text: well formed, complete, nodes apart."""

from __future__ import annotations

import runpy
import xml.etree.ElementTree as ET

import pytest
from amount import some
from hypothesis import given, settings
from packages import ROOT
from strategies import networks

from algdim import InputError, LimitError, model
from algdim.plots.networkdrawing import (
    arrange,
    choose_corner,
    compute_node_positions,
    draw_network,
    evaluate_curve,
    format_network_lines,
    get_model_graph,
    measure_badge,
    measure_label,
    place_labels,
    write_network_tikz,
)
from algdim.plots.networklayout import fold_plates, partition_into_layers

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
    """One shape for each variable, hidden ones round; the other forms name every variable."""
    read = model(text)
    graph = get_model_graph(read)
    drawn = ET.fromstring(draw_network(read))
    groups = [one.get("class") for one in drawn.iter(f"{NAMESPACE}g")]

    hidden = sum(not node.observed for node in graph.nodes)
    assert hidden == len(list(drawn.iter(f"{NAMESPACE}ellipse"))) == groups.count("hidden")
    assert len(graph.nodes) - hidden == groups.count("observed")
    text_form, tikz = "\n".join(format_network_lines(read)), write_network_tikz(read)
    assert all(node.name in text_form for node in graph.nodes)
    assert len(graph.nodes) == tikz.count("\\node")
    assert sum(line.startswith("\\draw") and "cap=round" not in line for line in tikz.splitlines()) == len(
        graph.edges
    ) + len(graph.lines) + len(graph.arcs)


@given(networks())
@settings(max_examples=some(40))
def test_random_networks(drawn):
    """Nodes lie inside the picture and apart from each other; parents stand above their children, or to the left of them."""
    graph = get_model_graph(drawn)
    at, width, height = compute_node_positions(graph)
    places = list(at.values())

    assert len(places) == len(set(places))
    assert all(0 < x < width and 0 < y < height for x, y in places)
    down = all(at[one][1] < at[other][1] for one, other in graph.edges)
    assert down or all(at[one][0] < at[other][0] or at[one][1] < at[other][1] for one, other in graph.edges)
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
        draw_network(model("; ".join(f"A{n} -> B{n}" for n in range(50))))


def test_names_are_escaped():
    """A name cannot leave its text."""
    read = model({"family": "gaussian", "variables": [{"name": "long_name_of_mine"}, {"name": "B"}], "edges": []})

    assert ">long_name_of_mine<" in draw_network(read)
    assert r"long\_name\_of\_mine" in write_network_tikz(read)


GALLERY = runpy.run_path(str(ROOT / "docs" / "_site" / "gallery.py"))["list_models"]()
"""Forty models of all kinds: those of the site's page."""


def overlapping(boxes):
    """The pairs of rectangles (x, y, half of the width, half of the height) that have a point in common."""
    return [
        (a, b)
        for place, a in enumerate(boxes)
        for b in boxes[:place]
        if abs(a[0] - b[0]) < a[2] + b[2] - 0.5 and abs(a[1] - b[1]) < a[3] + b[3] - 0.5
    ]


@pytest.mark.parametrize("text", GALLERY)
def test_the_gallery(text):
    """Nothing covers anything: nodes, and the texts at edges; every name of up to 16 letters is written whole, and large enough."""
    read = model(text)
    graph = fold_plates(get_model_graph(read))
    boxes, curves = arrange(graph)
    labels = place_labels(boxes, curves, graph.labels)
    drawn = ET.fromstring(draw_network(read))
    width, height = float(drawn.get("width")), float(drawn.get("height"))
    names = {one.text: float(one.get("font-size")) for one in drawn.iter(f"{NAMESPACE}text")}

    assert [] == overlapping([(box.x, box.y, box.wide, box.high) for box in boxes.values()])
    assert [] == overlapping([(x, y, measure_label(label) / 2, 9) for label, x, y in labels.values()])
    assert len(labels) == len(graph.labels)
    for node in graph.nodes:
        assert names[node.name] >= 10
    at, _, _ = compute_node_positions(graph)
    for name, (x, y) in at.items():
        assert boxes[name].wide < x < width - boxes[name].wide
        assert boxes[name].high < y < height - boxes[name].high


def test_a_gallery_of_forty():
    """As the page of the gallery says."""
    assert 40 == len(GALLERY) == len(set(GALLERY))
    assert set(FAMILIES) <= set(GALLERY)


CHAIN = "Z1 -> Z2 -> Z3 -> Z4; Z1 -> X1; Z2 -> X2; Z3 -> X3; Z4 -> X4; hidden Z1, Z2, Z3, Z4"


def test_chains_go_to_the_right():
    """What hangs on them stands below; graphs without arrows are on a circle; many alike children are one stack."""
    at, _, _ = compute_node_positions(get_model_graph(model(CHAIN)))

    assert at["Z1"][0] < at["Z2"][0] < at["Z3"][0] < at["Z4"][0]
    assert at["X2"][0] == at["Z2"][0]
    assert at["X2"][1] > at["Z2"][1]
    around, _, _ = compute_node_positions(get_model_graph(model("loglinear: {A,B}, {B,C}, {C,D}, {D,A}")))
    assert 4 == len({*around.values()})
    assert ">X1 … X60<" in draw_network(model("2:2^60"))
    assert ">60 × 2<" in draw_network(model("2:2^60"))
    assert ">= 1<" in draw_network(model("gaussian: F -> X, Y; hidden F; fix b(F->X)=1"))


GROWTH = (
    "gaussian: i, s -> y1, y2, y3, y4; i <-> s; hidden i, s; means off; fix b(i->y1)=1, b(i->y2)=1, b(i->y3)=1, b(i->y4)=1, "
    "b(s->y1)=0, b(s->y2)=1, b(s->y3)=2, b(s->y4)=3"
)
STRUCTURE = "gaussian: F -> x1, x2, x3; G -> y1, y2, y3; H -> z1, z2, z3; F -> G, H; G -> H; hidden F, G, H; means off"


def test_growth_curves_have_all_their_loadings():
    """Eight labels, none over another or over a node."""
    graph = get_model_graph(model(GROWTH))
    boxes, curves = arrange(graph)
    labels = place_labels(boxes, curves, graph.labels)
    texts = [(x, y, measure_label(label) / 2, 9) for label, x, y in labels.values()]

    assert 8 == len(texts)
    assert [] == overlapping([*texts, *((box.x, box.y, box.wide, box.high) for box in boxes.values())])


DIABETES = "A -> S, PA, WC, U, TT; S -> TT, T2DM; WC -> TT, U, T2DM; U -> TT, T2DM; PA -> WC, T2DM"
"""Schipf et al. (2010), an example of dagitty."""
THERAPY = "Age -> HRT, Occ, S, TCI; HRT -> TCI; Occ -> Smo, Thist; Smo -> HRT, TCI; TCI -> S; Thist -> TCI"
"""Didelez et al. (2010), the same."""


def test_factors_are_above_the_middle_of_their_indicators():
    """Two with a covariance, two with an arrow, and factors of a factor."""
    for text in (
        "gaussian: F -> A, B, C; G -> D, E, I; F <-> G; hidden F, G",
        "gaussian: F -> A, B, C; G -> D, E, I; F -> G; hidden F, G",
        "gaussian: F -> A, B, C; G -> D, E, I; H -> F, G; hidden F, G, H",
    ):
        at, _, _ = compute_node_positions(get_model_graph(model(text)))

        assert abs(at["F"][0] - at["B"][0]) < 1
        assert abs(at["G"][0] - at["E"][0]) < 1
        assert at["F"][1] == at["G"][1] < at["B"][1]
        if "H" in at:
            assert abs(2 * at["H"][0] - at["F"][0] - at["G"][0]) < 1


def test_many_layers_go_to_the_right():
    """Causes to the left of their effects."""
    graph = get_model_graph(model(DIABETES))
    at, width, height = compute_node_positions(graph)

    assert all(at[one][0] < at[other][0] for one, other in graph.edges)
    assert width > height


@pytest.mark.parametrize("text", [STRUCTURE, "classifier-figure-2a", GROWTH, DIABETES, THERAPY])
def test_no_edge_runs_through_a_node(text):
    """Latent variables go from left to right with their indicators below; a bend is on the side with fewer nodes."""
    graph = get_model_graph(model(text))
    boxes, curves = arrange(graph)

    for one, other in graph.edges:
        for t in range(1, 20):
            place = evaluate_curve(curves[one, other], t / 20)
            assert not any(box.covers(*place) for name, box in boxes.items() if name not in (one, other))
    if text == STRUCTURE:
        assert boxes["F"].y == boxes["G"].y == boxes["H"].y < boxes["x1"].y
        assert evaluate_curve(curves["F", "H"], 0.5)[1] < boxes["G"].y - boxes["G"].high


def test_a_number_covers_no_arrowhead():
    """Edges come from above to E.1, so that its number is below."""
    graph = fold_plates(get_model_graph(model("max: {A,B},{A,B},{B} -> E")))
    boxes, curves = arrange(graph)
    x, y = choose_corner(boxes, curves, "E.1", "+4")
    half = measure_badge("+4") / 2
    tips = [curve[-1] for curve in curves.values()]

    assert not any(abs(x - a) < half and abs(y - b) < 10 for a, b in tips)
    assert choose_corner(boxes, curves, "A", "+1")[1] < boxes["A"].y
