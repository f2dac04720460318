"""Where the nodes of a graph stand: in layers, chains from left to right, graphs without arrows on a circle, many alike items as one plate."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from math import cos, hypot, pi, sin
from typing import NamedTuple

from algdim.errors import LimitError
from algdim.families.contract import Graph, Node
from algdim.models.graphs import find_strong_components

MOST_NODES = 80
"""Larger graphs are not drawn; a plate is one node."""
LEAST_ON_PLATE = 13
"""So many alike children are one plate."""
HALF, LETTER, ROOM = 24.0, 8.2, 11.0
"""Half of the least width of a node, width of a letter of a name, room on both sides of it."""
LONGEST = 32
"""Letters of a name that are shown."""
GAP_X, STEP_Y, CROWDED = 36.0, 96.0, 1.7
"""Between nodes; layers are so many times as far apart where several edges with labels meet."""
STEEP = 0.55
"""Layers are this share of the longest way between them apart, if that is more."""
SWEEPS = 8
SLICE = re.compile(r"(.*?)_?([1-9]\d{0,3})")
"""A name and the number of its slice."""
CHAIN, PAIR = 3, 2
"""So many nodes one after the other go from left to right; two hidden ones if at least so many hang on each."""
ON_CIRCLE = (3, 14)
"""Graphs without arrows of so many nodes are drawn on a circle."""

Layers = list[list[str]]


class Box(NamedTuple):
    """A node: its centre, half of its width and height, and whether it is round."""

    x: float
    y: float
    wide: float
    high: float
    is_round: bool

    def find_rim(self, x: float, y: float, more: float = 0.0) -> tuple[float, float]:
        """The point of the rim, or a little outside, in the direction of a place."""
        dx, dy = x - self.x, y - self.y
        length = hypot(dx, dy) or 1.0
        if self.is_round:
            reach = 1 / hypot(dx / self.wide, dy / self.high) if (dx or dy) else 0.0
        else:
            reach = min(self.wide / abs(dx) if dx else 1e9, self.high / abs(dy) if dy else 1e9)
        share = reach + more / length
        return self.x + dx * share, self.y + dy * share

    def covers(self, x: float, y: float, more: float = 0.0) -> bool:
        """Whether a place lies inside, or within a margin."""
        if self.is_round:
            return hypot((x - self.x) / (self.wide + more), (y - self.y) / (self.high + more)) < 1
        return abs(x - self.x) < self.wide + more and abs(y - self.y) < self.high + more


def measure_half_width(node: Node) -> float:
    """Half of the width of a node, which is as wide as its name.

    >>> measure_half_width(Node("X", "2", True)), measure_half_width(Node("Socioeconomic_01", "", True)) > 70
    (24.0, True)
    """
    letters = max(min(len(node.name), LONGEST), 0.8 * len(node.note))
    # round nodes have less room above and below the middle
    return max(HALF, LETTER * letters / 2 + ROOM + (0 if node.observed else 4))


def list_plates(graph: Graph) -> dict[str, list[str]]:
    """The alike children of which there are very many, each group by its first member."""
    parents: dict[str, list[str]] = {node.name: [] for node in graph.nodes}
    for one, other in graph.edges:
        parents[other].append(one)
    busy = {name for pair in (*graph.lines, *graph.arcs, *graph.labels) for name in pair} | {
        one for one, _ in graph.edges
    }
    alike: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for node in graph.nodes:
        if node.observed and parents[node.name] and node.name not in busy:
            alike.setdefault((tuple(sorted(parents[node.name])), node.note), []).append(node.name)
    return {members[0]: members for members in alike.values() if len(members) >= LEAST_ON_PLATE}


def name_plate(members: Sequence[str]) -> str:
    """What stands on the one node in place of many."""
    return f"{members[0]} … {members[-1]}"


def fold_plates(graph: Graph) -> Graph:
    """The graph with one node in place of very many alike children.

    >>> nodes = (Node("H", "2", False), *(Node(f"X{n}", "2", True) for n in range(1, 21)))
    >>> folded = fold_plates(Graph(nodes, tuple(("H", node.name) for node in nodes[1:])))
    >>> [node.name for node in folded.nodes], folded.edges
    (['H', 'X1 … X20'], (('H', 'X1 … X20'),))
    """
    plates = list_plates(graph)
    gone = {name for members in plates.values() for name in members[1:]}
    if not plates:
        return graph
    called = {first: name_plate(members) for first, members in plates.items()}

    def rename(name: str) -> str:
        return called.get(name, name)

    nodes = tuple(
        Node(
            rename(node.name),
            f"{len(plates[node.name])} × {node.note}" if node.name in plates else node.note,
            node.observed,
        )
        for node in graph.nodes
        if node.name not in gone
    )
    edges = tuple((one, rename(other)) for one, other in graph.edges if other not in gone)
    frames = tuple(tuple(rename(name) for name in members if name not in gone) for members in graph.frames)
    return graph._replace(nodes=nodes, edges=edges, frames=frames)


def partition_into_layers(graph: Graph) -> Layers:
    """The nodes in layers, each below its parents, ordered so that edges are short; a cycle stands in one layer.

    >>> from algdim.models.notation import parse
    >>> from algdim.plots.networkdrawing import get_model_graph
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
    layers: Layers = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for name in names:
        layers[depth[name]].append(name)
    return sort_layers([layer for layer in layers if layer], graph.neighbours())


def sort_layers(layers: Layers, neighbours: Mapping[str, set[str]]) -> Layers:
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


def find_chain(graph: Graph) -> list[str] | None:
    """The nodes of a chain from left to right, where all others are leaves that hang on one of them; ``None`` if it is none.

    >>> from algdim.models.notation import parse
    >>> from algdim.plots.networkdrawing import get_model_graph
    >>> find_chain(get_model_graph(parse("Z1 -> Z2 -> Z3; Z1 -> X1; Z2 -> X2; Z3 -> X3; hidden Z1, Z2, Z3")))
    ['Z1', 'Z2', 'Z3']
    """
    if graph.lines or graph.arcs:
        return None
    parents: dict[str, list[str]] = {node.name: [] for node in graph.nodes}
    children: dict[str, list[str]] = {node.name: [] for node in graph.nodes}
    for one, other in graph.edges:
        parents[other].append(one)
        children[one].append(other)
    hidden = {node.name for node in graph.nodes if not node.observed}
    # of a chain with emissions the hidden nodes are the chain; else all nodes are
    for backbone in ([name for name in parents if name in hidden], list(parents)):
        inside = set(backbone)
        roots = [name for name in backbone if not parents[name]]
        if len(backbone) < PAIR or len(roots) != 1:
            continue
        if len(backbone) < CHAIN and any(len(set(children[name]) - inside) < PAIR for name in backbone):
            continue
        order = [roots[0]]
        while len(after := [name for name in children[order[-1]] if name in inside]) == 1 and after[0] not in order:
            order.append(after[0])
        rest = [name for name in parents if name not in inside]
        hangs = all(len(parents[name]) == 1 and not children[name] for name in rest)
        single = all(len(parents[name]) == 1 for name in order[1:])
        if len(order) == len(backbone) and hangs and single:
            return order
    return None


def find_backbone(graph: Graph) -> list[str] | None:
    """Hidden nodes from left to right, causes first, where each observed one hangs on one of them and layers would mix both; ``None`` elsewhere.

    >>> from algdim.models.notation import parse
    >>> from algdim.plots.networkdrawing import get_model_graph
    >>> find_backbone(
    ...     get_model_graph(parse("gaussian: F -> A, B; G -> C, D; H -> E, I; F -> G, H; G -> H; hidden F, G, H"))
    ... )
    ['F', 'G', 'H']
    """
    hidden = [node.name for node in graph.nodes if not node.observed]
    parents: dict[str, list[str]] = {node.name: [] for node in graph.nodes}
    for one, other in graph.edges:
        parents[other].append(one)
    between = [(one, other) for one, other in graph.edges if other in hidden]
    hangs = all(
        len(parents[node.name]) == 1 and parents[node.name][0] in hidden for node in graph.nodes if node.observed
    )
    is_forest = all(len(parents[name]) < 2 for name in hidden)
    inside = all(one in hidden for one, _ in between)
    components = find_strong_components(hidden, between) if inside else []
    if graph.lines or not hangs or is_forest or not inside or max(map(len, components), default=0) > 1:
        return None
    return [name for members in components for name in members]


def place_nodes(graph: Graph) -> dict[str, Box]:
    """The box of each node."""
    if len(graph.nodes) > MOST_NODES:
        raise LimitError(f"the graph has {len(graph.nodes)} nodes; at most {MOST_NODES} are drawn")
    wide = {node.name: measure_half_width(node) for node in graph.nodes}
    rounded = {node.name: not node.observed for node in graph.nodes}
    chain = find_chain(graph) or find_backbone(graph)
    slices = find_slices(graph) if chain is None else None
    low, high = ON_CIRCLE
    if chain is not None:
        places = place_chain(graph, chain, wide)
    elif slices is not None:
        places = place_slices(slices, wide)
    elif graph.lines and not graph.edges and low <= len(graph.nodes) <= high:
        places = place_on_circle([node.name for node in graph.nodes], wide)
    else:
        labelled = Counter(pair[1] for pair in graph.edges if pair in graph.labels)
        step = STEP_Y * (CROWDED if max(labelled.values(), default=0) > 1 else 1)
        places = place_in_layers(partition_into_layers(graph), wide, step, graph.neighbours())
    return {
        name: Box(x, y, wide[name], HALF if rounded[name] or wide[name] <= HALF else HALF - 3, rounded[name])
        for name, (x, y) in places.items()
    }


def find_slices(graph: Graph) -> list[Layers] | None:
    """The slices of a chain in time, each in rows that are the same in all of them; ``None`` of other graphs.

    >>> from algdim.models.notation import parse
    >>> from algdim.plots.networkdrawing import get_model_graph
    >>> found = find_slices(get_model_graph(parse("dynamic 3: prev.H, A -> H -> X; hidden H")))
    >>> found[1]
    [['A_2'], ['H_2'], ['X_2']]
    """
    parts = {node.name: SLICE.fullmatch(node.name) for node in graph.nodes}
    if graph.lines or graph.arcs or not graph.edges:
        return None
    stems, moments = {}, {}
    for name, part in parts.items():
        if part is None:
            return None
        stems[name], moments[name] = part[1], int(part[2])
    first, last = min(moments.values()), max(moments.values())
    steps = [(one, other, moments[other] - moments[one]) for one, other in graph.edges]
    if last - first + 1 < CHAIN or not all(step in (0, 1) for *_, step in steps):
        return None
    if not any(step and stems[one] == stems[other] for one, other, step in steps):
        return None
    within = {(stems[one], stems[other]) for one, other, step in steps if not step}
    rows: dict[str, int] = {}
    for members in find_strong_components(list(dict.fromkeys(stems.values())), list(within)):
        if len(members) > 1:
            return None
        above = [rows[one] for one, other in within if other == members[0]]
        rows[members[0]] = max(above, default=-1) + 1
    # a root stands just above what it leads to
    for stem in [one for one in rows if not any(other == one for _, other in within)]:
        rows[stem] = max(0, min((rows[other] for one, other in within if one == stem), default=1) - 1)
    names = [node.name for node in graph.nodes]
    return [
        [
            [name for name in names if moments[name] == moment and rows[stems[name]] == row]
            for row in range(max(rows.values()) + 1)
        ]
        for moment in range(first, last + 1)
    ]


def place_slices(slices: Sequence[Layers], wide: Mapping[str, float]) -> dict[str, tuple[float, float]]:
    """One slice to the right of the other."""
    found, x = {}, 0.0
    for layers in slices:
        widths = [sum(2 * wide[name] for name in row) + GAP_X / 2 * max(0, len(row) - 1) for row in layers]
        for number, (row, width) in enumerate(zip(layers, widths, strict=True)):
            left = x + (max(widths) - width) / 2
            for name in row:
                found[name] = (left + wide[name], STEP_Y * number)
                left += 2 * wide[name] + GAP_X / 2
        x += max(widths) + 1.5 * GAP_X
    return found


def place_in_layers(
    layers: Layers, wide: Mapping[str, float], step: float, neighbours: Mapping[str, set[str]]
) -> dict[str, tuple[float, float]]:
    """Rows one below the other, or columns from left to right where there are many with few nodes each."""
    most = max(map(len, layers), default=0)
    is_long = len(layers) >= max(CHAIN, 2 * most)
    # to the right it is the height of a node that takes room in its column
    room = dict.fromkeys(wide, (STEP_Y - GAP_X) / 2) if is_long else wide
    rows = [place_in_row(layer, room) for layer in layers]
    widest = max(range(len(rows)), key=lambda number: len(rows[number]), default=0)
    for numbers, side in ((range(widest - 1, -1, -1), 1), (range(widest + 1, len(rows)), -1)):
        for number in numbers:
            rows[number] = centre_row(layers[number], rows[number], rows[number + side], neighbours)
    found, y = dict[str, tuple[float, float]](), 0.0
    if not is_long:
        for number, row in enumerate(rows):
            above = rows[number - 1] if number else {}
            spans = [abs(row[name] - above[one]) for name in row for one in neighbours[name] if one in above]
            # a flat edge to a row would run through the corners of other nodes there
            y += min(max(step, max(spans, default=0.0) * STEEP), step * CROWDED) if number else 0.0
            found |= {name: (x, y) for name, x in row.items()}
        return found
    x = 0.0
    for row in rows:
        reach = max(wide[name] for name in row)
        found |= {name: (x + reach, y) for name, y in row.items()}
        x += 2 * reach + 1.5 * GAP_X
    return found


def choose_gap(layer: Sequence[str]) -> float:
    """Between the nodes of a row: less where there are many."""
    return GAP_X if len(layer) * 2 * HALF < 1400 else GAP_X / 2


def place_in_row(layer: Sequence[str], wide: Mapping[str, float]) -> dict[str, float]:
    """One next to the other, the middle of the row at 0."""
    gap = choose_gap(layer)
    x = -(sum(2 * wide[name] for name in layer) + gap * (len(layer) - 1)) / 2
    found = {}
    for name in layer:
        found[name] = x + wide[name]
        x += 2 * wide[name] + gap
    return found


def centre_row(
    layer: Sequence[str],
    row: Mapping[str, float],
    other: Mapping[str, float],
    neighbours: Mapping[str, set[str]],
) -> dict[str, float]:
    """Each node as near as can be to the middle of its neighbours in another row, with at least the room between that the row has, in the same order.

    >>> near = {"F": {"A", "B"}, "G": {"C", "D"}}
    >>> centre_row(["F", "G"], {"F": -42, "G": 42}, {"A": -126, "B": -42, "C": 42, "D": 126}, near)
    {'F': -84.0, 'G': 84.0}
    """
    wanted = {}
    for name in layer:
        near = [other[one] for one in neighbours[name] if one in other]
        wanted[name] = (min(near) + max(near)) / 2 if near else row[name]
    # without the room that a row takes at least, the places only have to increase: means of those that do not
    blocks: list[list[float]] = []
    for name in layer:
        blocks.append([wanted[name] - row[name]])
        while len(blocks) > 1 and sum(blocks[-2]) * len(blocks[-1]) >= sum(blocks[-1]) * len(blocks[-2]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    shifts = [sum(block) / len(block) for block in blocks for _ in block]
    return {name: row[name] + shift for name, shift in zip(layer, shifts, strict=True)}


def place_chain(graph: Graph, chain: Sequence[str], wide: Mapping[str, float]) -> dict[str, tuple[float, float]]:
    """The chain in a row, what hangs on each of its nodes below."""
    inside = set(chain)
    hanging = {name: [other for one, other in graph.edges if one == name and other not in inside] for name in chain}
    found, x = {}, 0.0
    for name in chain:
        below = hanging[name]
        width = sum(2 * wide[one] for one in below) + GAP_X / 2 * max(0, len(below) - 1)
        reach = max(wide[name], width / 2)
        found[name] = (x + reach, 0.0)
        left = x + reach - width / 2
        for one in below:
            found[one] = (left + wide[one], STEP_Y)
            left += 2 * wide[one] + GAP_X / 2
        x += 2 * reach + 1.2 * GAP_X
    return found


def place_on_circle(names: Sequence[str], wide: Mapping[str, float]) -> dict[str, tuple[float, float]]:
    """The nodes around, the first on top."""
    radius = max(80.0, (max(wide.values()) + GAP_X / 2) * len(names) / pi * (1.15 if len(names) > 3 else 1.3))
    return {
        name: (radius * sin(2 * pi * number / len(names)), -radius * cos(2 * pi * number / len(names)))
        for number, name in enumerate(names)
    }
