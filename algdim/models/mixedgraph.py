"""Mixed graphs by bits: directed edges and bidirected ones between the same vertices."""

from __future__ import annotations

from dataclasses import dataclass

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
