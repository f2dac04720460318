"""The conditional independences that the graph of a network implies, so few that they imply all others; and pair by pair.

They are read off the latent projection, so that neither the number of states nor that of cells matters. By the lemma
"ordered Markov property" every separation follows from these: for each vertex v, in an order with parents first, and
each ancestral set of v and vertices before it, v is independent of the rest of this set given its Markov blanket
there, that is, its district in the set and the parents of the district. Each of them is then made as large as the
graph allows, and those that a larger one contains are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from algdim.limits import has_time
from algdim.models.graphs import (
    Bits,
    MixedGraph,
    collect_parents,
    find_ancestors,
    find_district,
    find_minimal_separator,
    is_separated,
    iterate_positions,
    order_topologically,
    remove_descendants,
)
from algdim.trust import Trust, proved_by

MOST_OBSERVED = 100
"""In larger graphs no independences are looked for."""
MOST_BLANKETS = 2000
"""Districts of vertices in ancestral sets that are looked at; there can be exponentially many."""


@dataclass(frozen=True, slots=True)
class Independence:
    """Two sets of observed variables that are independent given a third, bit masks; the first has the lowest variable."""

    one: Bits
    other: Bits
    given: Bits
    trust: Trust

    def implies(self, weaker: Independence) -> bool:
        """Whether another one follows by leaving variables out and by conditioning on some of them."""
        if self.given & ~weaker.given or weaker.given & ~(self.one | self.other | self.given):
            return False
        return any(
            not weaker.one & ~one and not weaker.other & ~other
            for one, other in ((self.one, self.other), (self.other, self.one))
        )


def make_independence(graph: MixedGraph, one: Bits, other: Bits, given: Bits) -> Independence:
    """The statement that two sets which the graph separates are independent, its sides in order."""
    if one & -one > other & -other:
        one, other = other, one
    left, right, between = (",".join(graph.names_of(side)) for side in (one, other, given))
    facts = f"{between or 'the empty set'} separates {left} from {right} in the latent projection"
    return Independence(one, other, given, proved_by("matrices of bounded rank", facts))


@dataclass(frozen=True, slots=True)
class Independences:
    """A list that implies all separations of the graph, unless the search ended early; and the separated pairs."""

    graph: MixedGraph
    basis: tuple[Independence, ...]
    pairs: tuple[Independence, ...]
    rest: Trust | None
    """That the graph implies no independence that the list does not imply; ``None`` if the search ended early."""

    @property
    def is_complete(self) -> bool:
        """Whether the search came to its end."""
        return self.rest is not None


def find_independences(graph: MixedGraph) -> Independences:
    """The independences of a mixed graph.

    >>> from algdim.models.notation import parse
    >>> from algdim.models.graphs import project_hidden_variables
    >>> graph = project_hidden_variables(parse("A -> C <- H -> D <- B; hidden H"))
    >>> [
    ...     (graph.names_of(x.one), graph.names_of(x.other), graph.names_of(x.given))
    ...     for x in find_independences(graph).basis
    ... ]
    [(['A'], ['D', 'B'], []), (['A', 'C'], ['B'], [])]
    """
    if len(graph.names) > MOST_OBSERVED:
        return Independences(graph, (), (), None)
    local, is_complete = list_local_independences(graph, order_topologically(graph), graph.everything)
    facts = f"the Markov blankets, in ancestral sets of the latent projection, of {', '.join(graph.names)}"
    rest = proved_by("ordered Markov property", facts) if is_complete else None
    return Independences(graph, tuple(reduce_to_normal_form(graph, local)), tuple(iterate_separated_pairs(graph)), rest)


def list_local_independences(graph: MixedGraph, order: Sequence[int], inside: Bits) -> tuple[list[Independence], bool]:
    """The ordered Markov property of the graph on an ancestral set, and whether all of it is there."""
    found: list[Independence] = []
    looked, earlier = 0, 0
    for vertex in order:
        if not inside >> vertex & 1:
            continue
        earlier |= 1 << vertex
        for ancestral, district in iterate_blankets(graph, order, vertex, earlier):
            looked += 1
            if looked > MOST_BLANKETS or not has_time():
                return found, False
            blanket = (district | collect_parents(graph, district)) & ~(1 << vertex)
            if rest := ancestral & ~blanket & ~(1 << vertex):
                found.append(make_independence(graph, 1 << vertex, rest, blanket))
    return found, True


def iterate_blankets(
    graph: MixedGraph, order: Sequence[int], vertex: int, earlier: Bits
) -> Iterator[tuple[Bits, Bits]]:
    """The districts of a vertex in the ancestral sets among itself and those before it, each with the largest such set."""
    kept = find_ancestors(graph, 1 << vertex)
    waiting = [find_district(graph, vertex, earlier)]
    known = set(waiting)
    while waiting:
        district = waiting.pop(0)
        siblings = 0
        for member in iterate_positions(district):
            siblings |= graph.siblings[member]
        largest = remove_descendants(graph, order, earlier, siblings & earlier & ~district)
        yield largest, district
        for member in iterate_positions(district & ~kept):
            smaller = find_district(graph, vertex, remove_descendants(graph, order, largest, 1 << member))
            if smaller not in known:
                known.add(smaller)
                waiting.append(smaller)


def reduce_to_normal_form(graph: MixedGraph, local: Sequence[Independence]) -> list[Independence]:
    """Statements as large as the graph allows that imply these ones, none without need, weak conditions first."""
    large: list[Independence] = []
    for statement in local:
        if not any(known.implies(statement) for known in large):
            large.append(extend_independence(graph, statement))
    needed: list[Independence] = []
    for number, statement in enumerate(large):
        others = [*needed, *large[number + 1 :]]
        implied = [weaker for weaker in local if statement.implies(weaker)]
        if not all(any(other.implies(weaker) for other in others) for weaker in implied):
            needed.append(statement)
    return sorted(needed, key=lambda one: (one.given.bit_count(), one.given, one.one, one.other))


def extend_independence(graph: MixedGraph, statement: Independence) -> Independence:
    """The statement with variables that are given, then others, put to one of the sides where they can stand."""
    one, other, given = statement.one, statement.other, statement.given
    for vertex in iterate_positions(given):
        rest = given & ~(1 << vertex)
        if is_separated(graph, one | 1 << vertex, other, rest):
            one, given = one | 1 << vertex, rest
        elif is_separated(graph, one, other | 1 << vertex, rest):
            other, given = other | 1 << vertex, rest
    for vertex in iterate_positions(graph.everything & ~(one | other | given)):
        if is_separated(graph, one | 1 << vertex, other, given):
            one |= 1 << vertex
        elif is_separated(graph, one, other | 1 << vertex, given):
            other |= 1 << vertex
    return make_independence(graph, one, other, given)


def iterate_separated_pairs(graph: MixedGraph) -> Iterator[Independence]:
    """For every pair that some set separates, one such set of which no member can be left out."""
    for other in range(len(graph.names)):
        for one in range(other):
            if not has_time():
                return
            given = find_minimal_separator(graph, one, other)
            if given is not None:
                yield make_independence(graph, 1 << one, 1 << other, given)
