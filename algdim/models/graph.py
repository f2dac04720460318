"""The graph of a model of any family, as it is drawn."""

from __future__ import annotations

from dataclasses import dataclass

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Node:
    """A variable: what stands below its name, and whether it is observed."""

    name: str
    note: str
    observed: bool


@dataclass(frozen=True, slots=True)
class Graph:
    """What is drawn of a model: nodes, edges with arrows, edges without, arcs between correlated errors, frames."""

    nodes: tuple[Node, ...]
    edges: Pairs = ()
    lines: Pairs = ()
    arcs: Pairs = ()
    frames: tuple[tuple[str, ...], ...] = ()

    def is_above(self, one: str, other: str) -> bool:
        """Whether an arc is drawn above its ends, because edges leave them below."""
        return any(start in (one, other) for start, _ in self.edges)

    def neighbours(self) -> dict[str, set[str]]:
        """The nodes at the other ends of the edges at each node."""
        found: dict[str, set[str]] = {node.name: set() for node in self.nodes}
        for one, other in (*self.edges, *self.lines):
            found[one].add(other)
            found[other].add(one)
        return found
