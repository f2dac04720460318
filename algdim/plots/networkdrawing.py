"""The graph of a model as a picture: latent variables are circles, observed ones squares, districts framed, <-> as arcs.

The same layout is drawn as SVG, for LaTeX with TikZ, and in plain text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import chain, pairwise
from math import hypot
from types import MappingProxyType
from typing import Any

from algdim.errors import InputError
from algdim.families import load_family
from algdim.families.contract import Graph, Node
from algdim.figures import format_count
from algdim.plots.networklayout import HALF, LONGEST, Box, fold_plates, place_nodes
from algdim.plots.svg import render_picture

MARGIN = 14.0
FRAME, CLEAR = 34.0, 8.0
"""Half of the width of a district's band; how far edges keep from other nodes."""
BOW = 12.0
BENDS = (0.0, *(side * bend for bend in (50.0, 100.0, 150.0, 200.0, 260.0, 330.0, 400.0) for side in (1, -1)))
THROUGH, NEAR = 1000.0, 60.0
SAMPLED = tuple(number / 12 for number in range(1, 12))
PLACES = (0.55, 0.4, 0.7, 0.3, 0.8, 0.62, 0.47, 0.75, 0.22, 0.35, 0.85)
"""Where on an edge its label may be."""
FRAMES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
SCALE = 56
"""Pixels of a centimetre in TikZ."""

Point = tuple[float, float]
Curve = tuple[Point, ...]
"""The corners of a quadratic or cubic curve."""

NO_LABELS: Mapping[str, str] = MappingProxyType({})
NO_EDGES: Mapping[tuple[str, str], str] = MappingProxyType({})


def describe_network_signs(model: Any) -> str:
    """What the signs of a drawing mean, those that are in it.

    >>> from algdim.models.notation import parse
    >>> describe_network_signs(parse("gaussian: A -> B <-> C"))
    'Observed variables are squares; a dashed arc is a covariance of errors.'
    """
    graph = get_model_graph(model)
    parts = ["Observed variables are squares"]
    if not all(node.observed for node in graph.nodes):
        parts = ["Latent variables are circles, observed ones squares (in text: in parentheses, in brackets)"]
    if any(node.note.isdecimal() for node in graph.nodes):
        parts.append("numbers: states per variable")
    if any(node.note == "ℝ" for node in graph.nodes):
        parts.append("ℝ marks continuous items")
    if drop_idle_frame(graph).frames:
        parts.append("frame: district (c-component)")
    if graph.arcs:
        parts.append("a dashed arc is a covariance of errors")
    if graph.labels:
        parts.append("labels: fixed values, and names of equal ones")
    if len(fold_plates(graph).nodes) < len(graph.nodes):
        parts.append("a stack stands for many alike items")
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


def drop_idle_frame(graph: Graph) -> Graph:
    """The graph without frames if a single one would go around all nodes."""
    return graph._replace(frames=()) if len(graph.frames) == 1 and len(graph.frames[0]) == len(graph.nodes) else graph


def draw_network(
    model: Any, badges: Mapping[str, str] = NO_LABELS, overlaps: Mapping[tuple[str, str], str] = NO_EDGES
) -> str:
    """The graph of a model as SVG, with texts next to nodes and on edges.

    >>> from algdim.models.notation import parse
    >>> drawn = draw_network(parse("2:2,2,2"))
    >>> drawn.count("<ellipse"), drawn.count('class="observed"')
    (1, 3)
    """
    whole = get_model_graph(model)
    graph = drop_idle_frame(fold_plates(whole))
    boxes, curves = arrange(graph)
    labels = place_labels(boxes, curves, {**graph.labels, **overlaps})
    x, y, width, height = find_extent(graph, boxes, curves, labels)
    parts = [f'<g transform="translate({-x:.1f} {-y:.1f})">']
    parts += [draw_district_frame(graph, boxes, curves, members, number) for number, members in enumerate(graph.frames)]
    parts += [draw_curve(curves[pair], "edge", arrow=True) for pair in graph.edges]
    parts += [draw_curve(curves[pair], "edge", arrow=False) for pair in graph.lines]
    parts += [draw_arc(curves[one, f"{other}*"]) for one, other in graph.arcs]
    parts += [draw_node(node, boxes[node.name]) for node in graph.nodes]
    parts += [draw_label(graph, pair, *label) for pair, label in labels.items()]
    parts += [
        draw_badge(text, *choose_corner(boxes, curves, name, text)) for name, text in badges.items() if name in boxes
    ]
    hidden = [node.name for node in graph.nodes if not node.observed]
    title = f"{format_count(len(whole.nodes), 'variable')}; hidden: {', '.join(hidden) or 'none'}"
    return render_picture(width, height, title, [*parts, "</g>"])


def arrange(graph: Graph) -> tuple[dict[str, Box], dict[tuple[str, str], Curve]]:
    """The boxes, and the curve of each edge and line, and of each arc under its names with a star, for both can join the same two."""
    boxes, arrows = place_nodes(graph), set(graph.edges)
    curves = {
        (one, other): bend_edge(boxes, one, other, arrow=(one, other) in arrows, both=(other, one) in arrows)
        for one, other in (*graph.edges, *graph.lines)
    }
    curves |= {
        (one, f"{other}*"): bend_arc(boxes, one, other, above=graph.is_above(one, other)) for one, other in graph.arcs
    }
    return boxes, curves


def compute_node_positions(graph: Graph) -> tuple[dict[str, Point], float, float]:
    """The centre of each node, and the width and height of the picture; of many alike items that of their stack."""
    folded = fold_plates(graph)
    boxes, curves = arrange(folded)
    x, y, width, height = find_extent(folded, boxes, curves, {})
    return {name: (box.x - x, box.y - y) for name, box in boxes.items()}, width, height


def evaluate_curve(curve: Curve, t: float) -> Point:
    """The point of a curve at a share of its way."""
    points = list(curve)
    while len(points) > 1:
        points = [((1 - t) * a + t * c, (1 - t) * b + t * d) for (a, b), (c, d) in pairwise(points)]
    return points[0]


def bend_edge(boxes: Mapping[str, Box], one: str, other: str, *, arrow: bool, both: bool = False) -> Curve:
    """An edge from rim to rim: straight, or bent such that it keeps clear of other nodes."""
    start, end = boxes[one], boxes[other]
    length = hypot(end.x - start.x, end.y - start.y) or 1.0
    x, y = (end.x - start.x) / length, (end.y - start.y) / length
    others = [box for name, box in boxes.items() if name not in {one, other}]

    def control(bend: float) -> Point:
        return (start.x + end.x) / 2 - y * bend, (start.y + end.y) / 2 + x * bend

    def judge(bend: float) -> float:
        """What is through a node is worse than any bend, what is near one is as bad as a moderate bend."""
        curve = ((start.x, start.y), control(bend), (end.x, end.y))
        points = [evaluate_curve(curve, t) for t in SAMPLED]
        near = [box for box in others for point in points if box.covers(*point, CLEAR)]
        through = sum(box.covers(*point, 1.0) for box in others for point in points) if near else 0
        return THROUGH * through + NEAR * len(near) + abs(bend)

    # the two directions of a cycle lie apart; of two bends that are alike the one away from most nodes
    crowd = sum(
        1 if side > 0 else -1
        for box in others
        if abs(side := x * (box.y - start.y) - y * (box.x - start.x)) > 1
        and 0 < x * (box.x - start.x) + y * (box.y - start.y) < length
    )
    side_of = -1 if crowd > 0 else 1
    bends = (BOW if both else 0.0, *(side_of * bend for bend in BENDS[1:]))
    middle = control(min(bends, key=judge))
    return (start.find_rim(*middle, 1.0), middle, end.find_rim(*middle, 4.0 if arrow else 1.0))


def bend_arc(boxes: Mapping[str, Box], one: str, other: str, *, above: bool) -> Curve:
    """An arc of correlated errors: below or above its ends, or to the right of both."""
    start, end = boxes[one], boxes[other]
    if abs(start.y - end.y) < 1:
        side = -1 if above else 1
        depth = HALF + 20 + 0.2 * abs(start.x - end.x)
        y = start.y + side * depth * 1.35
        first, last = start.y + side * (start.high + 4), end.y + side * (end.high + 4)
        return ((start.x, first), (start.x, y), (end.x, y), (end.x, last))
    control = (max(start.x + start.wide, end.x + end.wide) + 34, (start.y + end.y) / 2)
    return (start.find_rim(*control, 4.0), control, end.find_rim(*control, 4.0))


def place_labels(
    boxes: Mapping[str, Box], curves: Mapping[tuple[str, str], Curve], texts: Mapping[tuple[str, str], str]
) -> dict[tuple[str, str], tuple[str, float, float]]:
    """The text of each edge, where it covers neither a node nor another text if that can be."""
    found: dict[tuple[str, str], tuple[str, float, float]] = {}
    for pair, text in texts.items():
        curve = curves.get(pair) or curves.get((pair[1], pair[0])) or curves.get((pair[0], f"{pair[1]}*"))
        if curve is None:
            continue
        half = measure_label(text) / 2
        places = [evaluate_curve(curve, t) for t in PLACES]

        def is_free(place: Point, half: float = half) -> bool:
            x, y = place
            corners = [(x + dx, y + dy) for dx in (-half, 0, half) for dy in (-9, 9)]
            return not any(box.covers(*corner) for corner in corners for box in boxes.values()) and not any(
                abs(x - a) < half + measure_label(other) / 2 and abs(y - b) < 19 for other, a, b in found.values()
            )

        found[pair] = (text, *next((place for place in places if is_free(place)), places[0]))
    return found


def choose_corner(boxes: Mapping[str, Box], curves: Mapping[tuple[str, str], Curve], name: str, text: str) -> Point:
    """The corner of a node at which a badge covers as little of edges, arrowheads and other nodes as can be."""
    box, half = boxes[name], measure_badge(text) / 2
    points = [evaluate_curve(curve, t) for curve in curves.values() for t in (*SAMPLED, 1.0)]
    others = [other for known, other in boxes.items() if known != name]
    corners = [(box.x + side * box.wide * 0.8, box.y + end * box.high) for end in (-1, 1) for side in (1, -1)]

    def count_covered(corner: Point) -> int:
        x, y = corner
        ends = [(x + dx, y + dy) for dx in (-half, half) for dy in (-10, 10)]
        return sum(abs(x - a) < half + 4 and abs(y - b) < 14 for a, b in points) + len(points) * any(
            other.covers(*end) for end in ends for other in others
        )

    return min(corners, key=count_covered)


def measure_label(text: str) -> float:
    """The width of a text on an edge."""
    return 7.2 * len(text) + 8


def find_extent(
    graph: Graph,
    boxes: Mapping[str, Box],
    curves: Mapping[tuple[str, str], Curve],
    labels: Mapping[tuple[str, str], tuple[str, float, float]],
) -> tuple[float, float, float, float]:
    """Left, top, width and height of everything that is drawn."""
    framed = {name for members in graph.frames for name in members}
    points: list[Point] = []
    for name, box in boxes.items():
        more = FRAME - HALF if name in framed else 4.0
        points += [(box.x + sx * (box.wide + more), box.y + sy * (box.high + more)) for sx in (-1, 1) for sy in (-1, 1)]
    points += [evaluate_curve(curve, t) for curve in curves.values() for t in SAMPLED]
    points += [
        (x + sx * FRAME, y + sy * FRAME)
        for members in graph.frames
        for pair in graph.edges
        if set(pair) <= set(members)
        for x, y in (evaluate_curve(curves[pair], t) for t in SAMPLED)
        for sx, sy in ((-1, 0), (1, 0), (0, -1), (0, 1))
    ]
    points += [(x + side * measure_label(text) / 2, y) for text, x, y in labels.values() for side in (-1, 1)]
    left, right = min((p[0] for p in points), default=0), max((p[0] for p in points), default=1)
    top, bottom = min((p[1] for p in points), default=0), max((p[1] for p in points), default=1)
    return left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN


def list_framed_edges(graph: Graph, members: Sequence[str]) -> list[tuple[str, str]]:
    """The edges from the hidden variables of a district to its members."""
    inside, hidden = set(members), {node.name for node in graph.nodes if not node.observed}
    return [pair for pair in graph.edges if pair[0] in inside & hidden and pair[1] in inside]


def draw_district_frame(
    graph: Graph,
    boxes: Mapping[str, Box],
    curves: Mapping[tuple[str, str], Curve],
    members: Sequence[str],
    number: int,
) -> str:
    """A district's frame: a band around its members and the edges from its hidden variables, with an outline."""
    ends = list_framed_edges(graph, members)
    colour = FRAMES[number % len(FRAMES)]

    def band(radius: float, style: str) -> str:
        lines = [
            f'<path d="M{boxes[a].x:.0f} {boxes[a].y:.0f}Q{x:.0f} {y:.0f} {boxes[b].x:.0f} {boxes[b].y:.0f}"/>'
            for a, b in ends
            for x, y in [curves[a, b][1]]
        ]
        dots = [
            f'<path d="M{boxes[name].x - boxes[name].wide + HALF:.1f} {boxes[name].y:.0f}h{2 * (boxes[name].wide - HALF) + 0.01:.2f}"/>'
            for name in members
        ]
        around = f'fill="none" stroke-linecap="round" stroke-width="{2 * radius:g}"'
        return f'<g class="frame" {around} {style}>{"".join(lines + dots)}</g>'

    shapes = (
        band(FRAME, f'stroke="{colour}"'),
        band(FRAME - 1.5, 'stroke="var(--paper, #fff)"'),
        band(FRAME - 1.5, f'stroke="{colour}" opacity=".10"'),
    )
    return "\n".join(shapes)


def write_path(curve: Curve) -> str:
    """A quadratic or cubic curve as the d of a path."""
    (x, y), *rest = curve
    return f"M{x:.1f} {y:.1f}{'Q' if len(rest) == 2 else 'C'}{' '.join(f'{a:.1f} {b:.1f}' for a, b in rest)}"


def draw_curve(curve: Curve, kind: str, *, arrow: bool) -> str:
    """An edge."""
    tip = ' marker-end="url(#tip)"' if arrow else ""
    return (
        f'<path class="{kind}" d="{write_path(curve)}" fill="none" stroke="var(--ink, #222)" stroke-width="1.4"{tip}/>'
    )


def draw_arc(curve: Curve) -> str:
    """A dashed arc with two tips, for correlated errors."""
    return (
        f'<path class="arc" d="{write_path(curve)}" fill="none" stroke="#d55e00" stroke-width="1.4" stroke-dasharray="5 3" '
        'marker-start="url(#tail)" marker-end="url(#tip)"/>'
    )


def draw_node(node: Node, box: Box) -> str:
    """A square or a circle with the name and, below it, the states; a stack of squares for many."""
    x, y = box.x, box.y
    name = node.name if len(node.name) <= LONGEST else f"{node.name[: LONGEST - 1]}…"
    up = -3 if node.note else 4.5
    note = (
        f'<text x="{x:.1f}" y="{y + 14:.1f}" font-size="11" opacity=".8">{escape(node.note)}</text>'
        if node.note
        else ""
    )
    look = 'stroke="var(--ink, #222)" stroke-width="1.6"'
    if box.is_round:
        shape = f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{box.wide:.1f}" ry="{box.high:.1f}" fill="var(--shade, #dfe5ee)" {look}/>'
    else:
        corner = f'width="{2 * box.wide:.1f}" height="{2 * box.high:.1f}" rx="4" fill="var(--paper, #fff)" {look}'
        offsets = (8, 4, 0) if " … " in node.name else (0,)
        shape = "".join(f'<rect x="{x - box.wide + o:.1f}" y="{y - box.high + o:.1f}" {corner}/>' for o in offsets)
    return (
        f'<g class="{"observed" if node.observed else "hidden"}" data-name="{escape(node.name)}"><title>{escape(node.name)}</title>'
        f'{shape}<text x="{x:.1f}" y="{y + up:.1f}" font-size="14">{escape(name)}</text>{note}</g>'
    )


def draw_label(graph: Graph, pair: tuple[str, str], text: str, x: float, y: float) -> str:
    """A text on an edge: a fixed value or a name, or a number in colour that something is about."""
    if graph.labels.get(pair) != text:
        return draw_badge(text, x, y)
    width = measure_label(text)
    return (
        f'<g class="label"><rect x="{x - width / 2:.1f}" y="{y - 9:.1f}" width="{width:.1f}" height="18" rx="3" fill="var(--paper, #fff)" opacity=".92"/>'
        f'<text x="{x:.1f}" y="{y + 4.5:.1f}" font-size="12.5">{escape(text)}</text></g>'
    )


def measure_badge(text: str) -> float:
    """The width of a number in a small box."""
    return 9.0 * len(text) + 6


def draw_badge(text: str, x: float, y: float) -> str:
    """A number in a small box."""
    width = measure_badge(text)
    colour = "#b34700" if text.startswith("−") else "#0059a3"
    return (
        f'<g class="badge"><rect x="{x - width / 2:.1f}" y="{y - 10:.1f}" width="{width:.1f}" height="20" rx="5" fill="{colour}"/>'
        f'<text x="{x:.1f}" y="{y + 5:.1f}" font-size="13" font-weight="bold" fill="#fff">{escape(text)}</text></g>'
    )


def write_network_tikz(model: Any) -> str:
    r"""The graph of a model for LaTeX, as a tikzpicture.

    >>> from algdim.models.notation import parse
    >>> print(write_network_tikz(parse("2:2")).splitlines()[1])
    \node[draw, circle, label=right:{\tiny 2}] (n0) at (0.00, 0.00) {\small H};
    """
    graph = drop_idle_frame(fold_plates(get_model_graph(model)))
    boxes, curves = arrange(graph)
    left, top = min(box.x for box in boxes.values()), min(box.y for box in boxes.values())
    number = {node.name: count for count, node in enumerate(graph.nodes)}
    lines = [r"\begin{tikzpicture}[>=stealth]"]

    def place(x: float, y: float) -> str:
        return f"({(x - left) / SCALE:.2f}, {(top - y) / SCALE:.2f})"

    for count, members in enumerate(graph.frames):
        style = rf"[black!{8 + 6 * (count % 2)}, line width={2 * FRAME / SCALE:.2f}cm, line cap=round]"
        lines += [
            rf"\draw{style} {place(boxes[one].x, boxes[one].y)} .. controls {place(*curves[one, other][1])} .. {place(boxes[other].x, boxes[other].y)};"
            for one, other in list_framed_edges(graph, members)
        ]
        lines += [rf"\draw{style} {place(boxes[name].x, boxes[name].y)} -- ++(0.01, 0);" for name in members]
    for node in graph.nodes:
        box = boxes[node.name]
        shape = "rectangle" if node.observed else "circle" if box.wide <= HALF else "rounded corners=8pt"
        note = {"ℝ": r"$\mathbb R$", "Σ": r"$\Sigma$"}.get(
            node.note, node.note.replace("×", r"$\times$").replace("ℝ", r"$\mathbb R$")
        )
        label = rf", label=right:{{\tiny {note}}}" if note else ""
        name = node.name.replace("_", r"\_").replace("…", r"\ldots{}")
        lines.append(rf"\node[draw, {shape}{label}] (n{number[node.name]}) at {place(box.x, box.y)} {{\small {name}}};")
    for pairs, style in (
        (graph.edges, "[->]"),
        (graph.lines, ""),
        (graph.arcs, "[<->, dashed, bend left=40]"),
    ):
        to = " to " if "bend" in style else " -- "
        for one, other in pairs:
            text = graph.labels.get((one, other), "").replace("_", r"\_")
            label = (
                rf" node[midway, fill=white, inner sep=1pt] {{\tiny {text}}}" if text and "bend" not in style else ""
            )
            lines.append(
                rf"\draw{style} (n{number[one]}){to}{label.lstrip() + ' ' if label else ''}(n{number[other]});"
            )
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
    joined = set(chain.from_iterable((*graph.edges, *graph.lines, *graph.arcs)))
    lines += [text for name, text in shown.items() if name not in joined]
    return [*lines, *(f"district: {', '.join(members)}" for members in graph.frames)]


def format_node(node: Node) -> str:
    """A node in plain text."""
    inside = f"{node.name}:{node.note}" if node.note else node.name
    return f"[{inside}]" if node.observed else f"({inside})"
