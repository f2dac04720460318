"""Treks, trek separation and separating sets in the graph of a linear Gaussian model; cycles and bidirected edges are allowed.

A trek from i to j is a directed path from a source to i and one from a source to j; both have the same source, or their
sources are joined by a bidirected edge. In the *doubled graph* every variable v has a second copy v′. An edge i → j
gives the arcs j′ → i′ and i → j, every error variance v_i the arc i′ → i, and every error covariance ω_ij the arcs
i′ → j and j′ → i. The treks from i to j are the paths from i′ to j. If a set C of vertices of the doubled graph meets
all paths from A′ to B, the matrix of covariances between A and B has rank at most |C|, whatever the numbers on the
edges (lemma "treks"). Which sets of observed variables separate, the same graph tells (lemma "separating sets").

With intercepts, a vertex 1 stands beside the variables, with the arcs i′ → 1 and 1′ → i for every intercept m_i: the
paths from i′ to 1 carry the mean of i. Entries that are fixed to 0 have no arcs.

Sets of vertices are integers: bit v for the variable v, bit n + v for its copy v′, and bits 2n, 2n + 1 for 1 and 1′.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from algdim.errors import InputError, LimitError, join_names
from algdim.families.gaussian.model import Gaussian, has_cycle
from algdim.models.graphs import Bits, iterate_positions

MOST_TREKS = 10_000


@dataclass(frozen=True, slots=True)
class DoubledGraph:
    """The doubled graph: for each vertex the vertices to which an arc leads, and those to which one leads that is not fixed."""

    names: tuple[str, ...]
    arcs: tuple[Bits, ...]
    free: tuple[Bits, ...]

    @property
    def count(self) -> int:
        """The number of variables."""
        return len(self.names)

    @property
    def constant(self) -> Bits:
        """The vertex 1."""
        return 1 << 2 * self.count

    def number(self, name: str) -> int:
        """The number of a variable.

        >>> from algdim.families.gaussian.model import GaussianVariable
        >>> build_doubled_graph(Gaussian((GaussianVariable("X"), GaussianVariable("Y")))).number("Y")
        1
        """
        if name not in self.names:
            raise InputError(f"there is no variable {name}; known are {join_names(self.names)}")
        return self.names.index(name)

    def bits(self, names: Iterable[str]) -> Bits:
        """The set of these variables."""
        return sum(1 << self.number(name) for name in dict.fromkeys(names))

    def copies(self, vertices: Bits) -> Bits:
        """The copies of some variables, and 1′ for 1."""
        variables = vertices & ((1 << self.count) - 1)
        return variables << self.count | (vertices & self.constant) << 1

    def find_reached(self, sources: Bits, avoiding: Bits = 0) -> Bits:
        """All vertices to which a path leads that begins in the sources and meets none to be avoided."""
        found = frontier = sources & ~avoiding
        while frontier:
            below = 0
            for vertex in iterate_positions(frontier):
                below |= self.arcs[vertex]
            frontier = below & ~avoiding & ~found
            found |= frontier
        return found

    def not_met(self, avoiding: Bits, source: int) -> Bits:
        """The variables, and 1, to which no path leads from the copy of a variable that avoids some vertices."""
        side = (1 << self.count) - 1 | self.constant
        return side & ~self.find_reached(self.copies(1 << source), avoiding)

    def reaching(self, target: int) -> Bits:
        """All vertices from which a path leads to one."""
        found, grown = 0, 1 << target
        while grown != found:
            found = grown
            for vertex, arcs in enumerate(self.arcs):
                if arcs & found:
                    grown |= 1 << vertex
        return found

    def smallest_cut(self, one: Bits, other: Bits) -> Bits:
        """A smallest set of vertices that meets all paths from the copies of one set of variables to another."""
        return find_minimum_vertex_cut(self.arcs, self.copies(one), other)


@dataclass(frozen=True, slots=True)
class TrekSeparation:
    """The least number of vertices that meet all treks between two sets, and such vertices on either side.

    A trek meets ``left`` on its path to the first set, ``right`` on its path to the second.
    """

    number: int
    left: tuple[str, ...]
    right: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trek:
    """Two directed paths, each from its source to its end; the sources are one variable, or bidirected neighbours."""

    left: tuple[str, ...]
    right: tuple[str, ...]

    def __str__(self) -> str:
        """The trek as a line of arrows.

        >>> print(Trek(("F", "X"), ("F", "Y")), Trek(("X",), ("Y", "Z")), sep="; ")
        X <- F -> Y; X <-> Y -> Z
        """
        up = " <- ".join(reversed(self.left))
        if self.left[0] == self.right[0]:
            return " -> ".join((up, *self.right[1:]))
        return f"{up} <-> {' -> '.join(self.right)}"


def build_doubled_graph(model: Gaussian) -> DoubledGraph:
    """The doubled graph of a model, without arcs for entries that are fixed to 0."""
    number = {variable.name: index for index, variable in enumerate(model.variables)}
    count = len(number)
    fixed = dict(model.fixed)
    arcs, free = [0] * (2 * count + 2), [0] * (2 * count + 2)
    for entry in model.entries:
        if fixed.get(entry) == 0:
            continue
        kind, *names = entry
        if kind == "b":
            parent, child = (number[name] for name in names)
            joined = [(child + count, parent + count), (parent, child)]
        elif kind == "m":
            joined = [(number[names[0]] + count, 2 * count), (2 * count + 1, number[names[0]])]
        else:
            one, other = number[names[0]], number[names[-1]]
            joined = [(one + count, other), (other + count, one)]
        for start, end in joined:
            arcs[start] |= 1 << end
            if entry not in fixed:
                free[start] |= 1 << end
    return DoubledGraph(tuple(number), tuple(arcs), tuple(free))


def find_trek_separation(model: Gaussian, one: Iterable[str], other: Iterable[str]) -> TrekSeparation:
    """The trek separation of two sets of variables, which may overlap.

    >>> from algdim.families.gaussian.model import GaussianVariable
    >>> names = [GaussianVariable("F", False), *map(GaussianVariable, "ABCD")]
    >>> find_trek_separation(Gaussian(tuple(names), tuple(("F", name) for name in "ABCD")), "AB", "CD")
    TrekSeparation(number=1, left=('F',), right=())
    """
    graph = build_doubled_graph(model)
    cut = graph.smallest_cut(graph.bits(one), graph.bits(other))
    return describe_cut(graph, cut)


def describe_cut(graph: DoubledGraph, cut: Bits) -> TrekSeparation:
    """The names of the vertices of a cut."""
    names = [*graph.names, *graph.names, "1", "1"]
    left = [v for v in iterate_positions(cut) if graph.count <= v < 2 * graph.count or v > 2 * graph.count]
    right = [v for v in iterate_positions(cut) if v not in left]
    return TrekSeparation(cut.bit_count(), tuple(names[v] for v in left), tuple(names[v] for v in right))


def list_treks(model: Gaussian, one: str, other: str, most: int = MOST_TREKS) -> tuple[Trek, ...]:
    """All treks between two variables of a model without cycles; the covariance is the sum of their products.

    >>> from algdim.families.gaussian.model import GaussianVariable
    >>> model = Gaussian(tuple(map(GaussianVariable, "ABC")), (("A", "B"), ("B", "C")), (("A", "C"),))
    >>> [str(trek) for trek in list_treks(model, "A", "C")]
    ['A -> B -> C', 'A <-> C']
    """
    graph = build_doubled_graph(model)
    start, goal, count = graph.number(one), graph.number(other), graph.count
    if has_cycle(model):
        raise InputError("the graph has a cycle, so that there are treks without end; a graph without cycles is needed")
    useful = graph.reaching(goal) & ((1 << 2 * count) - 1)
    found: list[Trek] = []
    for path in iterate_paths(graph, start + count, goal, useful):
        if len(found) == most:
            raise LimitError(f"there are more than {most} treks between {one} and {other}; allow more")
        left = [graph.names[v - count] for v in path if v >= count]
        found.append(Trek(tuple(reversed(left)), tuple(graph.names[v] for v in path if v < count)))
    return tuple(found)


def iterate_paths(graph: DoubledGraph, start: int, goal: int, useful: Bits) -> Iterator[list[int]]:
    """The paths of a graph without cycles, in order of their vertices."""
    if not useful >> start & 1:
        return
    path = [start]
    waiting = [iter(iterate_positions(graph.arcs[start] & useful))]
    while waiting:
        vertex = next(waiting[-1], None)
        if vertex is None:
            waiting.pop()
            path.pop()
            continue
        path.append(vertex)
        if vertex == goal:
            yield list(path)
            path.pop()
        else:
            waiting.append(iter(iterate_positions(graph.arcs[vertex] & useful)))


def find_minimum_vertex_cut(arcs: Sequence[Bits], sources: Bits, sinks: Bits) -> Bits:
    """A smallest set of vertices, sources and sinks included, that meets all paths; the one nearest to the sources.

    By Menger's theorem it has as many members as there are paths without a common vertex. These are found one after the
    other (Ford, Fulkerson).

    >>> find_minimum_vertex_cut([0b100, 0b100, 0b11000, 0, 0], 0b00011, 0b11000)
    4
    """
    before: dict[int, int] = {}  # the vertex before each that is used; −1 before a source
    while True:
        inside, outside = find_way(arcs, sources, sinks, before)
        if outside >= 0:
            return sum(1 << vertex for vertex in before if inside >> vertex & 1 and not outside >> vertex & 1)


def find_way(arcs: Sequence[Bits], sources: Bits, sinks: Bits, before: dict[int, int]) -> tuple[Bits, Bits]:
    """Add one path to those without a common vertex, if that can be done: then the answer is (0, −1).

    Otherwise the vertices that can be entered, and those that can be left. Every vertex has an entrance and an exit; a
    used one can be passed against its path only, from the exit to the entrance, and from there to the exit before it.
    """
    came: dict[tuple[int, bool], tuple[int, bool] | None] = {}
    waiting: list[tuple[int, bool]] = []

    def visit(place: tuple[int, bool], origin: tuple[int, bool] | None) -> None:
        if place not in came:
            came[place] = origin
            waiting.append(place)

    for source in iterate_positions(sources):
        visit((source, False), None)
    for place in waiting:  # grows while it is read
        vertex, is_exit = place
        if is_exit:
            if sinks >> vertex & 1:
                enter(came, place, before)
                return 0, -1
            if vertex in before:
                visit((vertex, False), place)
            for follower in iterate_positions(arcs[vertex]):
                visit((follower, False), place)
        elif vertex not in before:
            visit((vertex, True), place)
        elif before[vertex] >= 0:
            visit((before[vertex], True), place)
    inside, outside = (sum(1 << vertex for vertex, is_exit in came if is_exit == side) for side in (False, True))
    return inside, outside


def enter(came: dict[tuple[int, bool], tuple[int, bool] | None], end: tuple[int, bool], before: dict[int, int]) -> None:
    """Change the paths in use by the way that was found."""
    way = [end]
    while (origin := came[way[-1]]) is not None:
        way.append(origin)
    way.reverse()
    new: dict[int, int] = {}
    dropped: set[int] = set()
    if not way[0][1]:
        new[way[0][0]] = -1
    for (one, one_exit), (other, other_exit) in pairwise(way):
        if one == other:
            if one_exit:
                dropped.add(one)
        elif one_exit and not other_exit:
            new[other] = one
    for vertex in dropped:
        before.pop(vertex, None)
    before.update(new)


class SeparatingSets:
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
            for each in iterate_positions(frontier):
                grown |= self.parents[each]
            frontier = grown & ~found
            found |= frontier
        return found

    def between(self, one: int, other: int) -> Bits | None:
        """A separating set of which no member can be left out; the smaller of the ones nearest to either variable."""
        inside = self.ancestors[one] | self.ancestors[other]
        near = self.neighbours(inside)
        allowed = inside & self.observed & ~(1 << one) & ~(1 << other)
        if self.find_connected(near, one, allowed) >> other & 1:
            return None
        found = []
        for start, end in ((one, other), (other, one)):
            first = self.border(near, start, allowed)
            found.append(self.border(near, end, first))
        return min(found, key=lambda some: (some.bit_count(), some))

    def neighbours(self, inside: Bits) -> dict[int, Bits]:
        """The undirected graph on an ancestral set: each district with its parents is complete."""
        near: dict[int, Bits] = dict.fromkeys(iterate_positions(inside), 0)
        left = inside
        while left:
            district = frontier = left & -left
            while frontier:
                grown = 0
                for vertex in iterate_positions(frontier):
                    grown |= self.errors[vertex]
                frontier = grown & inside & ~district
                district |= frontier
            left &= ~district
            together = district
            for vertex in iterate_positions(district):
                together |= self.parents[vertex]
            for vertex in iterate_positions(together):
                near[vertex] |= together
                self.visits += 1
        return near

    def find_connected(self, near: dict[int, Bits], start: int, without: Bits) -> Bits:
        """What paths that avoid a set lead to."""
        found = frontier = 1 << start
        while frontier:
            grown = 0
            for vertex in iterate_positions(frontier):
                grown |= near[vertex]
                self.visits += 1
            frontier = grown & ~found & ~without
            found |= frontier
        return found

    def border(self, near: dict[int, Bits], start: int, separating: Bits) -> Bits:
        """The members of a separating set that are neighbours of what is connected with a variable."""
        grown = 0
        for vertex in iterate_positions(self.find_connected(near, start, separating)):
            grown |= near[vertex]
        return grown & separating
