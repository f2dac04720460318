"""Mixed graphs by bits: directed edges and bidirected ones between the same vertices.

Separation in mixed graphs (m-separation), by bits; in the latent projection it is d-separation of the observed variables.

Z separates A from B exactly if it cuts all paths between them in the *augmented graph* of the ancestors of A, B and Z:
an undirected graph in which every district of these ancestors, together with its parents, is a clique.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from algdim.models.projection import districts_within, parents_of_set
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
