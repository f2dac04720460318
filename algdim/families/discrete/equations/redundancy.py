"""Which equations say something new: their gradients at a random point of the nested Markov model, modulo a prime.

On the graph of an ancestral set all variables are made binary. If the gradients of an equation lie in the span of those
of the independences and of the equations taken before, it is left out. That it is taken proves that it is no identity
and does not follow from the gradients of the others; that it is left out is chance only with a negligible probability,
and no statement that is printed rests on it. For larger sets it is only seen to that the equation fails at a random table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

import numpy as np
from numpy.typing import NDArray

from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.ranks import rank_mod
from algdim.families.discrete.equations.independences import Independence, list_local_independences
from algdim.families.discrete.equations.kernels import (
    Tangents,
    Verma,
    build_subgraph,
    convert_mask,
    find_varying_axes,
)
from algdim.models.graphs import Bits, MixedGraph, find_ancestors, find_heads, iterate_positions, order_topologically

PRIME = (1 << 31) - 1
MOST_OBSERVED = 8
"""On ancestral sets with more members gradients are not compared."""
MOST_LATENT = 12
"""Nor on those with more edges ↔."""
MOST_HEADS = 1024
MOST_VARIABLES = 12
"""An equation on such a set with more variables is left out."""
MOST_AXES = 30


@dataclass(slots=True)
class Chooser:
    """Equations are offered one after the other; those that add to the rank are kept."""

    graph: MixedGraph
    order: tuple[int, ...]
    seed: int | str
    points: dict[Bits, NestedPoint] = field(default_factory=dict)
    taken: list[Verma] = field(default_factory=list)
    too_large: int = 0
    """Equations that are left out because they have too many variables."""

    def adds(self, equation: Verma) -> bool:
        """Whether an equation says something beyond independences and those taken before."""
        inside = find_ancestors(self.graph, equation.root)
        graph = build_subgraph(self.graph, inside)
        if inside.bit_count() > MOST_OBSERVED or len(graph.bidirected_edges) > MOST_LATENT:
            return self.says_something(equation, inside)
        if inside not in self.points:
            self.points[inside] = draw_nested_point(graph, self.seed)
            for known in self.taken:
                if not find_ancestors(self.graph, known.root) & ~inside:
                    self.points[inside].add(differentiate_equation(self.points[inside].tangents, known.within(inside)))
        point = self.points[inside]
        if point.is_full or not point.add(differentiate_equation(point.tangents, equation.within(inside))):
            return False
        for other, place in self.points.items():
            if other != inside and not inside & ~other:
                place.add(differentiate_equation(place.tangents, equation.within(other)))
        self.taken.append(equation)
        return True

    def says_something(self, equation: Verma, inside: Bits) -> bool:
        """Whether an equation fails at a random table of its variables; if they are too many, count it."""
        if equation.variables.bit_count() > MOST_VARIABLES or inside.bit_count() > MOST_AXES:
            self.too_large += 1
            return False
        shape = [1 + (equation.variables >> v & 1) for v in iterate_positions(inside)]
        drawn = draw_residues(open_stream(self.seed, "saturated"), PRIME, prod(shape)).reshape(shape)
        tangents = Tangents(drawn, np.zeros((*shape, 0), dtype=np.int64), PRIME)
        value = equation.within(inside).value_at(tangents).value
        return bool(compute_differences(value[..., None], convert_mask(equation.independent_of, inside)).any())


@dataclass(slots=True)
class NestedPoint:
    """A point of the nested Markov model, with the span of gradients of equations there."""

    tangents: Tangents
    rows: NDArray[np.int64]
    codimension: int | None
    """Of the nested Markov model, if its heads are not too many."""

    @property
    def is_full(self) -> bool:
        """Whether nothing can be added."""
        return len(self.rows) == self.codimension

    def add(self, new: NDArray[np.int64]) -> bool:
        """Add gradients, and say whether the span has grown."""
        stacked = np.concatenate([self.rows, new])
        rank = rank_mod(stacked, PRIME)
        grown = rank.value > len(self.rows)
        self.rows = stacked[list(rank.rows)]
        return grown


def draw_nested_point(graph: MixedGraph, seed: int | str) -> NestedPoint:
    """A random point, and there the gradients of the independences."""
    order = order_topologically(graph)
    tangents = make_tangents(draw_network_table(graph, seed))
    found = find_heads(graph, MOST_HEADS)
    dimension = None if found is None else sum(1 << head.tail.bit_count() for head in found)
    cells = 1 << len(graph.names)
    point = NestedPoint(
        tangents, np.zeros((0, cells), dtype=np.int64), None if dimension is None else cells - 1 - dimension
    )
    for statement in list_local_independences(graph, order, graph.everything)[0]:
        point.add(differentiate_independence(tangents, statement))
    return point


def draw_network_table(graph: MixedGraph, seed: int | str) -> NDArray[np.int64]:
    """The table modulo the prime of a random network with a binary hidden variable for each edge ↔."""
    count, edges = len(graph.names), list_bidirected_edges(graph)
    axes = count + len(edges)
    table = np.ones((1,) * axes, dtype=np.int64)
    tables = [(count + number, 0) for number in range(len(edges))]
    for vertex in range(count):
        hidden = sum(1 << (count + number) for number, edge in enumerate(edges) if edge >> vertex & 1)
        tables.append((vertex, graph.parents[vertex] | hidden))
    for number, (axis, parents) in enumerate(tables):
        shape = [2 if parents >> place & 1 else 1 for place in range(axes)]
        drawn = draw_residues(open_stream(seed, "verma", number), PRIME, 1 << parents.bit_count()).reshape(shape)
        table = table * np.concatenate([drawn, (1 - drawn) % PRIME], axis=axis) % PRIME
    hidden_axes = tuple(range(count, axes))
    return np.asarray(table.sum(hidden_axes) % PRIME)


def list_bidirected_edges(graph: MixedGraph) -> list[Bits]:
    """The edges ↔ as pairs."""
    return [1 << v | 1 << w for w, mask in enumerate(graph.siblings) for v in iterate_positions(mask) if v < w]


def make_tangents(table: NDArray[np.int64]) -> Tangents:
    """A table with its cells as directions."""
    return Tangents(table, np.eye(table.size, dtype=np.int64).reshape(*table.shape, table.size), PRIME)


def differentiate_independence(tangents: Tangents, statement: Independence) -> NDArray[np.int64]:
    """The gradients of P(a | b, c) − P(a | b′, c)."""
    everything = (1 << tangents.value.ndim) - 1
    joint = tangents.sum_over(everything & ~(statement.one | statement.other | statement.given))
    return compute_differences((joint / joint.sum_over(statement.one)).along, statement.other)


def differentiate_equation(tangents: Tangents, equation: Verma) -> NDArray[np.int64]:
    """The gradients of the differences that an equation says are zero."""
    return compute_differences(equation.value_at(tangents).along, equation.independent_of)


def compute_differences(along: NDArray[np.int64], over: Bits) -> NDArray[np.int64]:
    """What is subtracted from the values at the first states of some variables, a row for each cell."""
    first = along
    for axis in find_varying_axes(along, over):
        first = np.take(first, [0], axis)
    return ((along - first) % PRIME).reshape(-1, along.shape[-1])
