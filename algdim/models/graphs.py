"""Graphs: d-separation in networks, strongly connected components, mixed graphs and latent projections.

Sets of variables are integers: bit i stands for the i-th variable of the model, so that thousands of questions cost
little. If A and B are separated by Z, they are independent given Z for all tables of the variables, whatever their
entries; nothing is said of the converse.

A mixed graph has directed edges and bidirected ones between the same vertices. Z separates A from B in it (m-separation)
exactly if it cuts all paths between them in the *augmented graph* of the ancestors of A, B and Z: an undirected graph in
which every district of these ancestors, together with its parents, is a clique.

The latent projection of a network is what remains of its graph when the hidden variables are left out: an edge v → w
where a directed path leads from v to w through hidden variables only, and v ↔ w where a hidden variable has such paths
to both. In it m-separation is d-separation of the observed variables. Its districts, intrinsic sets, recursive heads and
tails are those of Richardson, Evans, Robins, Shpitser ("Nested Markov properties for acyclic directed mixed graphs",
arXiv:1701.06686) and Evans, Richardson ("Smooth, identifiable supermodels of discrete DAG models with latent variables",
arXiv:1511.06813).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from algdim.errors import InputError, listed
from algdim.families.discrete.model import Network

Bits = int
"""A set of variables: bit i for the i-th variable of the model."""


@dataclass(frozen=True, slots=True)
class Graph:
    """The graph of a network: for each variable its parents, its children, and its ancestors with itself."""

    names: tuple[str, ...]
    parents: tuple[Bits, ...]
    children: tuple[Bits, ...]
    ancestors: tuple[Bits, ...]

    def bits(self, names: Iterable[str]) -> Bits:
        """The set of these variables.

        >>> from algdim.models.notation import parse
        >>> graph_of(parse("A -> B -> C")).bits(["A", "C"])
        5
        """
        number = {name: index for index, name in enumerate(self.names)}
        found = 0
        for name in names:
            if name not in number:
                raise InputError(f"there is no variable {name}; known are {listed(self.names)}")
            found |= 1 << number[name]
        return found

    def members(self, variables: Bits) -> tuple[str, ...]:
        """The names of a set's variables, in the model's order."""
        return tuple(self.names[index] for index in positions(variables))

    def connected(self, source: Bits, given: Bits) -> Bits:
        """All variables outside ``given`` that an active path joins to one of ``source``, these included.

        A path is active given Z if each of its inner variables at which two arrows meet is in Z or has a descendant
        there, and no other one is in Z.
        """
        ancestral = 0
        for index in positions(given):
            ancestral |= self.ancestors[index]
        rising, falling = source & ~given, 0  # the path comes from a child (or begins), from a parent
        upward, downward = 0, 0
        while rising or falling:
            upward, downward = upward | rising, downward | falling
            above, below = 0, 0
            for index in positions(rising & ~given):
                above |= self.parents[index]
                below |= self.children[index]
            for index in positions(falling & ~given):
                below |= self.children[index]
            for index in positions(falling & ancestral):
                above |= self.parents[index]
            rising, falling = above & ~upward, below & ~downward
        return (upward | downward) & ~given

    def separated(self, one: Bits, other: Bits, given: Bits) -> bool:
        """Whether ``given`` separates two disjoint sets."""
        return not self.connected(one, given) & other


def graph_of(model: Network) -> Graph:
    """The graph of a network."""
    names = tuple(variable.name for variable in model.variables)
    number = {name: index for index, name in enumerate(names)}
    parents = [sum(1 << number[parent] for parent in variable.parents) for variable in model.variables]
    children = [0] * len(names)
    for index, above in enumerate(parents):
        for parent in positions(above):
            children[parent] |= 1 << index
    return Graph(names, tuple(parents), tuple(children), tuple(closures(parents)))


def closures(parents: list[Bits]) -> list[Bits]:
    """For each variable its ancestors and itself."""
    found = [0] * len(parents)
    for start in range(len(parents)):
        path = [start]
        while path:
            missing = [index for index in positions(parents[path[-1]]) if not found[index]]
            if missing and not found[path[-1]]:
                path.extend(missing)
                continue
            index = path.pop()
            if not found[index]:
                found[index] = 1 << index
                for parent in positions(parents[index]):
                    found[index] |= found[parent]
    return found


def positions(variables: Bits) -> Iterator[int]:
    """The places of the ones, from the lowest.

    >>> list(positions(0b1101))
    [0, 2, 3]
    """
    while variables:
        lowest = variables & -variables
        yield lowest.bit_length() - 1
        variables ^= lowest


def separated(model: Network, one: Iterable[str], other: Iterable[str], given: Iterable[str] = ()) -> bool:
    """Whether ``given`` separates two disjoint sets of variables in the model's graph.

    >>> from algdim.models.notation import parse
    >>> model = parse("A -> C <- B; C -> D")
    >>> separated(model, ["A"], ["B"]), separated(model, ["A"], ["B"], ["D"])
    (True, False)
    """
    graph = graph_of(model)
    a, b, z = graph.bits(one), graph.bits(other), graph.bits(given)
    if a & b or a & z or b & z:
        twice = graph.members((a & b) | (a & z) | (b & z))
        raise InputError(f"{listed(twice)} stands in two of the three sets; they are disjoint")
    return graph.separated(a, b, z)


def neighbours(names: Iterable[str], edges: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """To each name the names at the ends of its edges."""
    found: dict[str, list[str]] = {name: [] for name in names}
    for start, end in edges:
        found[start].append(end)
    return found


def finished(starts: Iterable[str], following: Mapping[str, Sequence[str]], seen: set[str]) -> list[str]:
    """What is reached from the starts and not yet seen, in the order in which a depth-first search leaves it."""
    left: list[str] = []
    for start in starts:
        if start in seen:
            continue
        seen.add(start)
        path = [(start, iter(following[start]))]
        while path:
            name, rest = path[-1]
            step = next((other for other in rest if other not in seen), None)
            if step is None:
                left.append(name)
                path.pop()
            else:
                seen.add(step)
                path.append((step, iter(following[step])))
    return left


def strong_components(names: Sequence[str], edges: Sequence[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """The strongly connected components, parents before children; one name each if there is no cycle.

    >>> strong_components(["A", "B", "C"], [("C", "A"), ("A", "B"), ("B", "A")])
    (('C',), ('A', 'B'))
    """
    place = {name: number for number, name in enumerate(names)}
    order = reversed(finished(names, neighbours(names, edges), set()))
    back = neighbours(names, [(end, start) for start, end in edges])
    seen: set[str] = set()
    found = [finished([name], back, seen) for name in order]
    return tuple(tuple(sorted(group, key=place.__getitem__)) for group in found if group)


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
