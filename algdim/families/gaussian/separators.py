"""Separating sets of observed variables in mixed graphs with latent variables, cycles allowed (lemma "separating sets")."""

from __future__ import annotations

from algdim.families.gaussian.treks import DoubledGraph
from algdim.models.graphs import Bits, positions


class Separators:
    """Sets of observed variables that separate two others in a mixed graph, cycles allowed.

    A set within the ancestors of two variables separates them exactly if it does so in the undirected graph on these
    ancestors in which each district with its parents is joined completely. If any set of observed variables separates
    them, all their observed ancestors together do.
    """

    def __init__(self, graph: DoubledGraph, observed: Bits) -> None:
        count = graph.count
        side = (1 << count) - 1
        self.observed = observed
        self.parents = [arcs >> count & side for arcs in graph.arcs[count : 2 * count]]
        self.errors = [arcs & side for arcs in graph.arcs[count : 2 * count]]
        self.ancestors = [self.above(vertex) for vertex in range(count)]
        self.visits = 0

    def above(self, vertex: int) -> Bits:
        """A variable and its ancestors."""
        found = frontier = 1 << vertex
        while frontier:
            grown = 0
            for each in positions(frontier):
                grown |= self.parents[each]
            frontier = grown & ~found
            found |= frontier
        return found

    def between(self, one: int, other: int) -> Bits | None:
        """A separating set of which no member can be left out; the smaller of the ones nearest to either variable."""
        inside = self.ancestors[one] | self.ancestors[other]
        near = self.neighbours(inside)
        allowed = inside & self.observed & ~(1 << one) & ~(1 << other)
        if self.connected(near, one, allowed) >> other & 1:
            return None
        found = []
        for start, end in ((one, other), (other, one)):
            first = self.border(near, start, allowed)
            found.append(self.border(near, end, first))
        return min(found, key=lambda some: (some.bit_count(), some))

    def neighbours(self, inside: Bits) -> dict[int, Bits]:
        """The undirected graph on an ancestral set: each district with its parents is complete."""
        near: dict[int, Bits] = dict.fromkeys(positions(inside), 0)
        left = inside
        while left:
            district = frontier = left & -left
            while frontier:
                grown = 0
                for vertex in positions(frontier):
                    grown |= self.errors[vertex]
                frontier = grown & inside & ~district
                district |= frontier
            left &= ~district
            together = district
            for vertex in positions(district):
                together |= self.parents[vertex]
            for vertex in positions(together):
                near[vertex] |= together
                self.visits += 1
        return near

    def connected(self, near: dict[int, Bits], start: int, without: Bits) -> Bits:
        """What paths that avoid a set lead to."""
        found = frontier = 1 << start
        while frontier:
            grown = 0
            for vertex in positions(frontier):
                grown |= near[vertex]
                self.visits += 1
            frontier = grown & ~found & ~without
            found |= frontier
        return found

    def border(self, near: dict[int, Bits], start: int, separating: Bits) -> Bits:
        """The members of a separating set that are neighbours of what is connected with a variable."""
        grown = 0
        for vertex in positions(self.connected(near, start, separating)):
            grown |= near[vertex]
        return grown & separating
