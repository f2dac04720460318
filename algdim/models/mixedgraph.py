"""Mixed graphs by bits: directed edges and bidirected ones between the same vertices.

Separation in mixed graphs (m-separation), by bits; in the latent projection it is d-separation of the observed variables.

Z separates A from B exactly if it cuts all paths between them in the *augmented graph* of the ancestors of A, B and Z:
an undirected graph in which every district of these ancestors, together with its parents, is a clique.

The latent projection of a network: what remains of its graph when the hidden variables are left out.

An acyclic directed mixed graph has an edge v → w where a directed path leads from v to w through hidden variables only,
and v ↔ w where a hidden variable has such paths to both. On it: districts, intrinsic sets, recursive heads and tails,
as in Richardson, Evans, Robins, Shpitser ("Nested Markov properties for acyclic directed mixed graphs",
arXiv:1701.06686) and Evans, Richardson ("Smooth, identifiable supermodels of discrete DAG models with latent
variables", arXiv:1511.06813). Sets of vertices are bit masks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from algdim.families.discrete.model import Network
from algdim.models.separation import Bits, positions


@dataclass(frozen=True, slots=True)
class MixedGraph:
    """A mixed graph: for each vertex the set of its parents, and of its neighbours by bidirected edges."""

    names: tuple[str, ...]
    parents: tuple[Bits, ...]
    siblings: tuple[Bits, ...]

    @property
    def everything(self) -> Bits:
        """The set of all vertices."""
        return (1 << len(self.names)) - 1

    def children(self) -> list[Bits]:
        """The children of each vertex.

        >>> MixedGraph(("A", "B"), (0, 0b01), (0, 0)).children()
        [2, 0]
        """
        found = [0] * len(self.names)
        for vertex, mask in enumerate(self.parents):
            for parent in positions(mask):
                found[parent] |= 1 << vertex
        return found

    def names_of(self, mask: Bits) -> list[str]:
        """The names of a set's members."""
        return [self.names[vertex] for vertex in positions(mask)]

    @property
    def directed(self) -> list[list[str]]:
        """The edges v → w."""
        return [
            [self.names[v], name] for name, mask in zip(self.names, self.parents, strict=True) for v in positions(mask)
        ]

    @property
    def bidirected(self) -> list[list[str]]:
        """The edges v ↔ w, each once."""
        pairs = [(v, w) for w, mask in enumerate(self.siblings) for v in positions(mask) if v < w]
        return [[self.names[v], self.names[w]] for v, w in pairs]


def ancestors_of(graph: MixedGraph, inside: Bits) -> Bits:
    """A set with all its ancestors.

    >>> ancestors_of(MixedGraph(("A", "B", "C"), (0, 0b001, 0b010), (0, 0, 0)), 0b010)
    3
    """
    found, new = inside, inside
    while new:
        new = parents_of_set(graph, new) & ~found
        found |= new
    return found


def without_descendants(graph: MixedGraph, order: Sequence[int], inside: Bits, left_out: Bits) -> Bits:
    """What remains of an ancestral set if some members and their descendants are left out; the order has parents first."""
    gone = left_out
    for vertex in order:
        if graph.parents[vertex] & gone:
            gone |= 1 << vertex
    return inside & ~gone


def cliques_of(graph: MixedGraph, ancestral: Bits) -> list[Bits]:
    """The cliques of the augmented graph of an ancestral set."""
    return [district | parents_of_set(graph, district) for district in districts_within(graph, ancestral)]


def reached(cliques: Sequence[Bits], source: Bits, given: Bits) -> Bits:
    """All vertices that a path from the source leads to whose inner vertices are not given, the ends included."""
    found = source
    left = list(cliques)
    while True:
        active = found & ~given
        touched = [clique for clique in left if clique & active]
        if not touched:
            return found
        left = [clique for clique in left if not clique & active]
        for clique in touched:
            found |= clique


def is_separated(graph: MixedGraph, one: Bits, other: Bits, given: Bits) -> bool:
    """Whether ``given`` separates two disjoint sets.

    >>> verma = MixedGraph(("A", "B", "C", "D"), (0, 0b0001, 0b0010, 0b0100), (0, 0b1000, 0, 0b0010))
    >>> is_separated(verma, 0b0001, 0b0100, 0b0010), is_separated(verma, 0b0001, 0b1000, 0b0110)
    (True, False)
    """
    cliques = cliques_of(graph, ancestors_of(graph, one | other | given))
    return not reached(cliques, one, given) & other


def smallest_separator(graph: MixedGraph, one: int, other: int) -> Bits | None:
    """A set that separates two vertices, of which no member can be left out; ``None`` if no set separates them.

    If any set does, the other ancestors of the two do. Of these, those remain that paths lead to from both sides.

    >>> square = MixedGraph(("A", "B", "C", "D"), (0, 0b0001, 0b0001, 0b0110), (0, 0, 0, 0))
    >>> square.names_of(smallest_separator(square, 0, 3))
    ['B', 'C']
    """
    ends = 1 << one | 1 << other
    ancestral = ancestors_of(graph, ends)
    cliques = cliques_of(graph, ancestral)
    near = reached(cliques, 1 << one, ancestral & ~ends)
    if near >> other & 1:
        return None
    near &= ~ends
    return near & reached(cliques, 1 << other, near)


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
