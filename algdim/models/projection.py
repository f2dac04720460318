"""The latent projection of a network: what remains of its graph when the hidden variables are left out.

An acyclic directed mixed graph has an edge v → w where a directed path leads from v to w through hidden variables only,
and v ↔ w where a hidden variable has such paths to both. On it: districts, intrinsic sets, recursive heads and tails,
as in Richardson, Evans, Robins, Shpitser ("Nested Markov properties for acyclic directed mixed graphs",
arXiv:1701.06686) and Evans, Richardson ("Smooth, identifiable supermodels of discrete DAG models with latent
variables", arXiv:1511.06813). Sets of vertices are bit masks.
"""

from __future__ import annotations

from dataclasses import dataclass

from algdim.families.discrete.model import Network
from algdim.models.mixedgraph import MixedGraph
from algdim.models.separation import positions


@dataclass(frozen=True, slots=True)
class Head:
    """An intrinsic set with its recursive head and tail."""

    intrinsic: int
    head: int
    tail: int


def latent_projection(model: Network) -> MixedGraph:
    """Project the hidden variables out; one with a single state carries nothing and is passed over.

    >>> from algdim.models.notation import parse
    >>> verma = latent_projection(parse("A -> B -> C -> D; U -> B, D; hidden U"))
    >>> verma.directed, verma.bidirected
    ([['A', 'B'], ['B', 'C'], ['C', 'D']], [['B', 'D']])
    """
    by_name = {variable.name: variable for variable in model.variables}
    number = {variable.name: index for index, variable in enumerate(model.observed)}
    parents = [0] * len(number)
    sources: dict[str, int] = {}
    for name, index in number.items():
        seen, waiting = {name}, [name]
        while waiting:
            for parent in by_name[waiting.pop()].parents:
                if parent in number:
                    parents[index] |= 1 << number[parent]
                elif parent not in seen and by_name[parent].states > 1:
                    seen.add(parent)
                    waiting.append(parent)
                    sources[parent] = sources.get(parent, 0) | 1 << index
    siblings = [0] * len(number)
    for mask in sources.values():
        for index in positions(mask):
            siblings[index] |= mask & ~(1 << index)
    return MixedGraph(tuple(number), tuple(parents), tuple(siblings))


def districts_within(graph: MixedGraph, inside: int) -> list[int]:
    """The components by ↔ of the graph on a set of vertices."""
    found: list[int] = []
    while inside:
        component = frontier = inside & -inside
        while frontier:
            reached = 0
            for vertex in positions(frontier):
                reached |= graph.siblings[vertex]
            frontier = reached & inside & ~component
            component |= frontier
        found.append(component)
        inside &= ~component
    return found


def district_of(graph: MixedGraph, vertex: int, inside: int) -> int:
    """The district of a vertex in the graph on a set."""
    return next(district for district in districts_within(graph, inside) if district >> vertex & 1)


def markov_blanket(graph: MixedGraph, vertex: int, inside: int) -> int:
    """The district of a vertex in the graph on a set, with the parents of the district, the vertex left out."""
    district = district_of(graph, vertex, inside)
    return (district | parents_of_set(graph, district)) & ~(1 << vertex)


def topological(graph: MixedGraph) -> tuple[int, ...]:
    """The vertices, parents first."""
    order: list[int] = []
    placed = 0
    while len(order) < len(graph.names):
        vertex = next(v for v in positions(graph.everything & ~placed) if not graph.parents[v] & ~placed)
        order.append(vertex)
        placed |= 1 << vertex
    return tuple(order)


def parents_of_set(graph: MixedGraph, inside: int) -> int:
    """All parents of a set's members."""
    found = 0
    for vertex in positions(inside):
        found |= graph.parents[vertex]
    return found


def heads(graph: MixedGraph, most: int) -> tuple[Head, ...] | None:
    """All intrinsic sets with their recursive heads and tails; ``None`` if there are more than ``most``.

    A set is intrinsic if it is a district of a graph that fixing vertices one by one leads to. A vertex can be fixed if
    none of its descendants is in its district. In a district S by itself these are the vertices without children in
    S, its recursive head; so every intrinsic set is reached from the districts of the graph by leaving out a member of
    the head and splitting into districts again: fixing outside the district changes nothing in it, and what can be
    fixed in the whole graph can be fixed in the district. The tail consists of the parents of S. Distinct intrinsic
    sets have distinct heads, as S is what fixing all that can be fixed outside its head leaves.

    >>> chain = MixedGraph(("A", "B", "C"), (0, 0, 0), (0b010, 0b101, 0b010))
    >>> [chain.names_of(found.head) for found in heads(chain, 10)]
    [['A', 'B', 'C'], ['B', 'C'], ['B'], ['C'], ['A'], ['A', 'B']]
    """
    waiting = districts_within(graph, graph.everything)[::-1]
    known = set(waiting)
    found: list[Head] = []
    while waiting:
        if len(known) > most:
            return None
        inside = waiting.pop()
        parents = parents_of_set(graph, inside)
        head = inside & ~parents
        found.append(Head(inside, head, parents))
        for vertex in reversed(list(positions(head))):
            for district in districts_within(graph, inside & ~(1 << vertex)):
                if district not in known:
                    known.add(district)
                    waiting.append(district)
    return tuple(found)
