"""The graph of a model as a picture: hidden variables shaded, states on the nodes, districts framed, <-> as arcs.

Variables stand in layers, parents above their children; the order within a layer keeps edges short. The same layout is
drawn as SVG, for LaTeX with TikZ, and in plain text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import hypot
from types import MappingProxyType
from typing import Any

from algdim.errors import InputError, LimitError
from algdim.families import load_family
from algdim.families.contract import Graph, Node
from algdim.figures import format_count
from algdim.models.graphs import find_strong_components
from algdim.plots.svg import render_picture

MOST_NODES = 80
"""Larger graphs are not drawn."""

STEP_X, STEP_Y = 92, 96
MARGIN = 46
RADIUS = 24
FRAME = 35
CLEAR = RADIUS + 8
BOW = 12.0
BENDS = (0.0, 50.0, -50.0, 100.0, -100.0, 150.0, -150.0)
SAMPLED = tuple(number / 12 for number in range(1, 12))
SWEEPS = 8
NAME_LENGTH = 9
FRAMES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")

NO_LABELS: Mapping[str, str] = MappingProxyType({})
NO_EDGES: Mapping[tuple[str, str], str] = MappingProxyType({})


def describe_network_signs(model: Any) -> str:
    """What the signs of a drawing mean, those that are in it.

    >>> from algdim.models.notation import parse
    >>> describe_network_signs(parse("gaussian: A -> B <-> C"))
    'Observed variables are white; a dashed arc is a covariance of errors.'
    """
    graph = get_model_graph(model)
    parts = ["Observed variables are white"]
    if not all(node.observed for node in graph.nodes):
        parts = ["Hidden variables are shaded (in text: in parentheses)"]
    if any(node.note.isdecimal() for node in graph.nodes):
        parts.append("numbers: states per variable")
    if any(node.note == "ℝ" for node in graph.nodes):
        parts.append("ℝ marks continuous items")
    if graph.frames:
        parts.append("frame: district (c-component)")
    if graph.arcs:
        parts.append("a dashed arc is a covariance of errors")
    return f"{'; '.join(parts)}."


def get_model_graph(model: Any) -> Graph:
    """The graph of a model of any family that has one.

    >>> from algdim.models.notation import parse
    >>> get_model_graph(parse("3:2,2")).nodes[0]
    Node(name='H', note='3', observed=False)
    """
    own = load_family(model.family)
    if own.make_graph is None:
        raise InputError(own.no_graph)
    return own.make_graph(model)


def partition_into_layers(graph: Graph) -> list[list[str]]:
    """The nodes in layers, each below its parents, ordered so that edges are short; a cycle stands in one layer.

    >>> from algdim.models.notation import parse
    >>> partition_into_layers(get_model_graph(parse("A -> C <- H -> D <- B; hidden H")))
    [['A', 'H', 'B'], ['C', 'D']]
    """
    names = [node.name for node in graph.nodes]
    parents: dict[str, set[str]] = {name: set() for name in names}
    hidden = {node.name for node in graph.nodes if not node.observed}
    # without arrows a hidden node stands above the observed ones it is joined with
    downwards = [(one, other) if one in hidden else (other, one) for one, other in graph.lines]
    for one, other in (*graph.edges, *downwards):
        parents[other].add(one)
    depth: dict[str, int] = {}
    arrows = [(parent, name) for name in names for parent in parents[name]]
    for members in find_strong_components(names, arrows):
        above = [depth[parent] for name in members for parent in parents[name] if parent in depth]
        depth.update(dict.fromkeys(members, max(above, default=-1) + 1))
    for name in names:  # a root stands just above its first child, not at the top of a long graph
        below = [depth[child] for child in names if name in parents[child]]
        if not parents[name] and below:
            depth[name] = max(0, min(below) - 1)
    layers: list[list[str]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for name in names:
        layers[depth[name]].append(name)
    return sort_layers([layer for layer in layers if layer], graph.neighbours())


def sort_layers(layers: list[list[str]], neighbours: Mapping[str, set[str]]) -> list[list[str]]:
    """Each layer sorted by the mean place of the neighbours in other layers, down and up in turn."""
    for sweep in range(SWEEPS):
        place = compute_horizontal_places(layers)
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            mine = set(layer)

            def middle(name: str, mine: set[str] = mine, place: dict[str, float] = place) -> float:
                outside = [place[other] for other in neighbours[name] - mine]
                return sum(outside) / len(outside) if outside else place[name]

            layer.sort(key=middle)
            place.update(compute_horizontal_places([layer]))
    return layers


def compute_horizontal_places(layers: Sequence[Sequence[str]]) -> dict[str, float]:
    """The horizontal place of each node, a layer centred around 0."""
    return {name: number - (len(layer) - 1) / 2 for layer in layers for number, name in enumerate(layer)}


def compute_node_positions(graph: Graph) -> tuple[dict[str, tuple[float, float]], float, float]:
    """The centre of each node, and the width and height of the picture."""
    if len(graph.nodes) > MOST_NODES:
        raise LimitError(f"the graph has {len(graph.nodes)} nodes; at most {MOST_NODES} are drawn")
    layers = partition_into_layers(graph)
    width: float = 2 * MARGIN + STEP_X * (max(map(len, layers), default=1) - 1)
    width = max(width, 2 * MARGIN + STEP_X)
    height: float = 2 * MARGIN + STEP_Y * (len(layers) - 1)
    place = compute_horizontal_places(layers)
    at = {
        name: (width / 2 + STEP_X * place[name], float(MARGIN + STEP_Y * number))
        for number, layer in enumerate(layers)
        for name in layer
    }
    bends = [choose_bend(at, one, other)[0] for one, other in (*graph.edges, *graph.lines)]
    # a bent edge reaches half as far as its control point, and its frame further
    shift = max(0.0, MARGIN - min(bends, default=MARGIN)) / 2
    width = max(width, (max(bends, default=0.0) + width) / 2 + FRAME) + shift
    # and arcs above or below their ends need room
    ends = [
        (at[one][1], measure_arc_depth(at, one, other) * (-1 if graph.is_above(one, other) else 1))
        for one, other in graph.arcs
    ]
    lift = max(0.0, -min((y + depth for y, depth in ends), default=0.0))
    height = max(height, *(y + depth for y, depth in ends)) + lift if ends else height
    return {name: (x + shift, y + lift) for name, (x, y) in at.items()}, width, height


def draw_network(
    model: Any, badges: Mapping[str, str] = NO_LABELS, overlaps: Mapping[tuple[str, str], str] = NO_EDGES
) -> str:
    """The graph of a model as SVG, with texts next to nodes and on edges.

    >>> from algdim.models.notation import parse
    >>> draw_network(parse("2:2,2,2")).count("<circle")
    4
    """
    graph = get_model_graph(model)
    at, width, height = compute_node_positions(graph)
    parts = [draw_district_frame(graph, at, members, number) for number, members in enumerate(graph.frames)]
    parts += [draw_edge(at, one, other, arrow=True) for one, other in graph.edges]
    parts += [draw_edge(at, one, other, arrow=False) for one, other in graph.lines]
    parts += [draw_arc(at, one, other, graph.is_above(one, other)) for one, other in graph.arcs]
    parts += [draw_node(node, *at[node.name]) for node in graph.nodes]
    parts += [draw_badge(text, at[name][0] + RADIUS + 4, at[name][1] - RADIUS + 2) for name, text in badges.items()]
    parts += [draw_badge(text, *choose_bend(at, *pair)) for pair, text in overlaps.items()]
    hidden = [node.name for node in graph.nodes if not node.observed]
    title = f"{format_count(len(graph.nodes), 'variable')}; hidden: {', '.join(hidden) or 'none'}"
    return render_picture(width, height, title, parts)


def draw_badge(text: str, x: float, y: float) -> str:
    """A number in a small box."""
    width = 9.0 * len(text) + 6
    colour = "#d55e00" if text.startswith("−") else "#0072b2"
    return (
        f'<g class="badge"><rect x="{x - width / 2:.1f}" y="{y - 10:.1f}" width="{width:.1f}" height="20" rx="5" fill="{colour}"/>'
        f'<text x="{x:.1f}" y="{y + 5:.1f}" font-size="13" font-weight="bold" fill="#fff">{escape(text)}</text></g>'
    )


def choose_bend(at: Mapping[str, tuple[float, float]], one: str, other: str) -> tuple[float, float]:
    """The control point of an edge: its middle, or the nearest one beside it that keeps clear of other nodes."""
    (a, b), (c, d) = at[one], at[other]
    length = ((c - a) ** 2 + (d - b) ** 2) ** 0.5
    x, y = (c - a) / length, (d - b) / length
    others = [place for name, place in at.items() if name not in {one, other}]

    def control(bend: float) -> tuple[float, float]:
        return (a + c) / 2 - y * bend, (b + d) / 2 + x * bend

    def clearance(bend: float) -> float:
        e, f = control(bend)
        curve = [
            ((1 - t) ** 2 * a + 2 * t * (1 - t) * e + t * t * c, (1 - t) ** 2 * b + 2 * t * (1 - t) * f + t * t * d)
            for t in SAMPLED
        ]
        return min((hypot(p - u, q - v) for p, q in curve for u, v in others), default=length)

    # the two directions of a cycle lie apart
    bends = BENDS if b != d else (BOW, *BENDS[1:])
    return control(next((bend for bend in bends if clearance(bend) >= CLEAR), bends[0]))


def draw_district_frame(
    graph: Graph, at: Mapping[str, tuple[float, float]], members: Sequence[str], number: int
) -> str:
    """A district's frame: a band around its members and the edges from its hidden variables, with an outline."""
    inside, hidden = set(members), {node.name for node in graph.nodes if not node.observed}
    ends = [(one, other) for one, other in graph.edges if one in inside & hidden and other in inside]
    colour = FRAMES[number % len(FRAMES)]

    def band(radius: float, style: str) -> str:
        lines = [
            f'<path d="M{at[a][0]:.0f} {at[a][1]:.0f}Q{x:.0f} {y:.0f} {at[b][0]:.0f} {at[b][1]:.0f}"/>'
            for a, b in ends
            for x, y in [choose_bend(at, a, b)]
        ]
        dots = [f'<path d="M{at[name][0]:.0f} {at[name][1]:.0f}h.01"/>' for name in members]
        around = f'fill="none" stroke-linecap="round" stroke-width="{2 * radius:g}"'
        return f'<g class="frame" {around} {style}>{"".join(lines + dots)}</g>'

    shapes = (
        band(FRAME, f'stroke="{colour}"'),
        band(FRAME - 1.5, 'stroke="var(--paper, #fff)"'),
        band(FRAME - 1.5, f'stroke="{colour}" opacity=".10"'),
    )
    return "\n".join(shapes)


def draw_edge(at: Mapping[str, tuple[float, float]], one: str, other: str, *, arrow: bool) -> str:
    """An edge from rim to rim."""
    control = choose_bend(at, one, other)
    start, end = move_towards(at[one], control, RADIUS), move_towards(at[other], control, RADIUS + (4 if arrow else 0))
    tip = ' marker-end="url(#tip)"' if arrow else ""
    shape = f"M{start[0]:.1f} {start[1]:.1f}Q{control[0]:.1f} {control[1]:.1f} {end[0]:.1f} {end[1]:.1f}"
    return f'<path class="edge" d="{shape}" fill="none" stroke="var(--ink, #222)" stroke-width="1.4"{tip}/>'


def move_towards(start: tuple[float, float], end: tuple[float, float], distance: float) -> tuple[float, float]:
    """The point at a distance from the start on the way to the end."""
    length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5 or 1.0
    return tuple(a + (b - a) * distance / length for a, b in zip(start, end, strict=True))  # type: ignore[return-value]


def measure_arc_depth(at: Mapping[str, tuple[float, float]], one: str, other: str) -> float:
    """How far below its ends an arc hangs."""
    return RADIUS + 14 + 0.22 * abs(at[one][0] - at[other][0])


def draw_arc(at: Mapping[str, tuple[float, float]], one: str, other: str, above: bool) -> str:
    """A dashed arc with two tips, for correlated errors: below or above its ends, or to the right of both."""
    (a, b), (c, d) = at[one], at[other]
    if b == d:
        side = -1 if above else 1
        y, z = b + side * (RADIUS + 4), b + side * 1.15 * measure_arc_depth(at, one, other)
        shape = f"M{a:.1f} {y:.1f}C{a:.1f} {z:.1f} {c:.1f} {z:.1f} {c:.1f} {y:.1f}"
    else:
        control = (max(a, c) + STEP_X / 2, (b + d) / 2)
        start, end = (move_towards(place, control, RADIUS + 4) for place in ((a, b), (c, d)))
        shape = f"M{start[0]:.1f} {start[1]:.1f}Q{control[0]:.1f} {control[1]:.1f} {end[0]:.1f} {end[1]:.1f}"
    return (
        f'<path class="arc" d="{shape}" fill="none" stroke="#d55e00" stroke-width="1.4" stroke-dasharray="5 3" '
        'marker-start="url(#tail)" marker-end="url(#tip)"/>'
    )


def draw_node(node: Node, x: float, y: float) -> str:
    """A disc with the name and, below it, the states; shaded if hidden."""
    fill = "var(--paper, #fff)" if node.observed else "var(--shade, #c9ccd3)"
    name = node.name if len(node.name) <= NAME_LENGTH else f"{node.name[: NAME_LENGTH - 1]}…"
    size = 14 if len(name) < 5 else 10 if len(name) < 8 else 8
    up = -3 if node.note else 4
    note = f'<text x="{x:.1f}" y="{y + 13:.1f}" font-size="10" opacity=".75">{escape(node.note)}</text>'
    return (
        f'<g class="{"observed" if node.observed else "hidden"}" data-name="{escape(node.name)}"><title>{escape(node.name)}</title>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" fill="{fill}" stroke="var(--ink, #222)" stroke-width="1.6"/>'
        f'<text x="{x:.1f}" y="{y + up:.1f}" font-size="{size}">{escape(name)}</text>{note if node.note else ""}</g>'
    )


def write_network_tikz(model: Any) -> str:
    r"""The graph of a model for LaTeX, as a tikzpicture.

    >>> from algdim.models.notation import parse
    >>> print(write_network_tikz(parse("2:2")).splitlines()[1])
    \node[draw, circle, fill=gray!40, label=right:{\tiny 2}] (n0) at (0.82, 0.00) {\small H};
    """
    graph = get_model_graph(model)
    at, _, _ = compute_node_positions(graph)
    number = {node.name: count for count, node in enumerate(graph.nodes)}
    lines = [r"\begin{tikzpicture}[>=stealth]"]
    for node in graph.nodes:
        x, y = at[node.name]
        shade = "" if node.observed else ", fill=gray!40"
        note = {"ℝ": r"$\mathbb R$", "Σ": r"$\Sigma$"}.get(node.note, node.note)
        label = rf", label=right:{{\tiny {note}}}" if note else ""
        name = node.name.replace("_", r"\_")
        lines.append(
            rf"\node[draw, circle{shade}{label}] (n{number[node.name]}) at ({(x - MARGIN) / 56:.2f}, {(MARGIN - y) / 56:.2f}) {{\small {name}}};"
        )
    for pairs, style in (
        (graph.edges, "[->]"),
        (graph.lines, ""),
        (graph.arcs, "[<->, dashed, bend left=40]"),
    ):
        to = " to " if "bend" in style else " -- "
        lines += [rf"\draw{style} (n{number[one]}){to}(n{number[other]});" for one, other in pairs]
    return "\n".join([*lines, r"\end{tikzpicture}"])


def format_network_lines(model: Any) -> list[str]:
    r"""The graph of a model in plain text: hidden variables in parentheses, observed ones in brackets, with states.

    >>> from algdim.models.notation import parse
    >>> print(*format_network_lines(parse("3:2,2")), sep="\n")
    (H:3) ──▶ [X1:2] [X2:2]
    district: H, X1, X2
    """
    graph = get_model_graph(model)
    shown = {node.name: format_node(node) for node in graph.nodes}
    children: dict[str, list[str]] = {node.name: [] for node in graph.nodes}
    for one, other in graph.edges:
        children[one].append(shown[other])
    lines = [f"{shown[name]} ──▶ {' '.join(below)}" for name, below in children.items() if below]
    lines += [f"{shown[one]} ─── {shown[other]}" for one, other in graph.lines]
    lines += [f"{shown[one]} ◀╌▶ {shown[other]}" for one, other in graph.arcs]
    joined = {name for pair in (*graph.edges, *graph.lines, *graph.arcs) for name in pair}
    lines += [text for name, text in shown.items() if name not in joined]
    return [*lines, *(f"district: {', '.join(members)}" for members in graph.frames)]


def format_node(node: Node) -> str:
    """A node in plain text."""
    inside = f"{node.name}:{node.note}" if node.note else node.name
    return f"[{inside}]" if node.observed else f"({inside})"
