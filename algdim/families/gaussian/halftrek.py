"""The half-trek criterion: whether Σ determines all coefficients and error covariances of a mixed graph; and a bound by it.

Foygel, Draisma, Drton, "Half-trek criterion for generic identifiability of linear structural equation models", Ann.
Statist. 40 (2012) 1682–1713, arXiv:1107.5552. All variables are observed and all entries free; cycles are allowed.

A *half-trek* from v to w is a directed path from v to w, or a bidirected edge v <-> u followed by a directed path from u
to w. A set Y *satisfies the criterion for v* if it has as many members as v has parents, contains neither v nor a
bidirected neighbour of v, and half-treks lead from its members to the parents, one to each, such that no two have a
variable in common on the same side (the left side is the first variable alone, the right side the directed path).

- *Identifiable* (Theorem 1): the variables can be put in an order in which each has such a set, whose members reached by
  half-treks from v come before v. Σ then determines all entries as rational functions, generically.
- *Infinite-to-one* (Theorem 2): every choice of such sets Y_v has a pair with v in Y_w and w in Y_v. Generically, then,
  infinitely many points have the same Σ.

Otherwise the criterion is inconclusive. Both are found by flows (Theorems 6 and 7).

Whatever it decides, half-treks bound the dimension (lemma "half-trek"). What the model lacks, an entry of Ω for a pair of
variables, is an equation for the coefficients; each pair can be used once, for the coefficients into one of its two variables,
and only by way of half-treks. The dimension is at most the number of variances, covariances and means, and of coefficients that
can be reached so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from algdim.bound.bounds import UPPER, Bound, prove_bound
from algdim.errors import InputError, join_names
from algdim.families.gaussian.map import GaussianMap
from algdim.families.gaussian.model import Gaussian, format_entry
from algdim.families.gaussian.search import GaussianSetting
from algdim.families.gaussian.treks import find_minimum_vertex_cut
from algdim.figures import format_count
from algdim.models.graphs import Bits, MixedGraph, iterate_positions
from algdim.trust import Trust, proved_by

IDENTIFIABLE, INFINITE, UNDECIDED = "identifiable", "infinite-to-one", "undecided"


@dataclass(frozen=True, slots=True)
class HalfTrek:
    """The verdict; for an identifiable graph the order in which the variables' coefficients are found, and their sets.

    For an infinite one, how many of the coefficients half-treks reach at once.
    """

    verdict: str
    order: tuple[str, ...] = ()
    sets: tuple[tuple[str, tuple[str, ...]], ...] = ()
    reached: tuple[int, int] = (0, 0)

    @property
    def trust(self) -> Trust | None:
        """Trust in the verdict; ``None`` where nothing is decided."""
        if self.verdict == IDENTIFIABLE:
            sets = "; ".join(f"{name} from {', '.join(members)}" for name, members in self.sets if members)
            return proved_by("half-trek", f"in the order {', '.join(self.order)}: {sets}")
        if self.verdict == INFINITE:
            reached, count = self.reached
            return proved_by("half-trek", f"half-treks reach {reached} of {format_count(count, 'coefficient')} at once")
        return None


def build_mixed_graph(model: Gaussian) -> MixedGraph:
    """The graph of a model in which everything is observed and nothing fixed or held equal."""
    if model.hidden:
        raise InputError(
            f"the half-trek criterion is about models without latent variables; latent are {join_names(v.name for v in model.hidden)}"
        )
    special = [entry for entry, _ in (*model.fixed, *model.equal, *model.linear) if entry[0] != "m"]
    if special:
        raise InputError(
            f"the half-trek criterion is about free entries; fixed or held equal are {join_names(map(format_entry, special))}"
        )
    number = {variable.name: index for index, variable in enumerate(model.variables)}
    parents, siblings = ([0] * len(number) for _ in range(2))
    for parent, child in model.edges:
        parents[number[child]] |= 1 << number[parent]
    for one, other in model.bidirected:
        siblings[number[one]] |= 1 << number[other]
        siblings[number[other]] |= 1 << number[one]
    return MixedGraph(tuple(number), tuple(parents), tuple(siblings))


def build_half_trek_arcs(graph: MixedGraph) -> list[Bits]:
    """The arcs that make half-treks of paths: from the copies n + v to the vertices, and along the directed edges."""
    return [*graph.children(), *(siblings | 1 << vertex for vertex, siblings in enumerate(graph.siblings))]


def find_half_trek_ends(graph: MixedGraph, children: Sequence[Bits], vertex: int) -> Bits:
    """The vertices at which a half-trek from a vertex ends that has an edge."""
    found = frontier = children[vertex] | graph.siblings[vertex]
    while frontier:
        below = 0
        for member in iterate_positions(frontier):
            below |= children[member]
        frontier = below & ~found
        found |= frontier
    return found


def apply_half_trek_criterion(model: Gaussian) -> HalfTrek:
    """What the half-trek criterion says of a model.

    >>> from algdim.families.gaussian.model import GaussianVariable
    >>> a, b, c = map(GaussianVariable, "ABC")
    >>> apply_half_trek_criterion(Gaussian((a, b, c), (("A", "B"), ("B", "C")), (("B", "C"),))).verdict
    'identifiable'
    >>> apply_half_trek_criterion(Gaussian((a, b), (("A", "B"),), (("A", "B"),))).verdict
    'infinite-to-one'
    """
    return apply_half_trek_to_graph(build_mixed_graph(model))


def apply_half_trek_to_graph(graph: MixedGraph) -> HalfTrek:
    """What the half-trek criterion says of a mixed graph.

    >>> apply_half_trek_to_graph(MixedGraph(("A", "B"), (0, 0b01), (0b10, 0b01))).verdict
    'infinite-to-one'
    """
    found = solve_by_flows(graph)
    if len(found) == len(graph.names):
        return HalfTrek(
            IDENTIFIABLE,
            tuple(graph.names[vertex] for vertex in found),
            tuple(
                (graph.names[v], tuple(graph.names[w] for w in iterate_positions(members)))
                for v, members in found.items()
            ),
        )
    reached, count = count_reached_coefficients(graph), sum(parents.bit_count() for parents in graph.parents)
    return HalfTrek(INFINITE, reached=(reached, count)) if reached < count else HalfTrek(UNDECIDED)


def solve_by_flows(graph: MixedGraph) -> dict[int, Bits]:
    """The vertices whose coefficients can be found, in order, each with a set from which that is done."""
    arcs, count = build_half_trek_arcs(graph), len(graph.names)
    found: dict[int, Bits] = {vertex: 0 for vertex in range(count) if not graph.parents[vertex]}
    children = graph.children()
    reachable = [find_half_trek_ends(graph, children, vertex) for vertex in range(count)]
    grown = True
    while grown:
        grown = False
        solved = sum(1 << vertex for vertex in found)
        for vertex in iterate_positions(graph.everything & ~solved):
            allowed = (solved | ~reachable[vertex]) & graph.everything & ~graph.siblings[vertex] & ~(1 << vertex)
            chosen = find_linked_vertices(arcs, allowed, graph.parents[vertex], count)
            if chosen is not None:
                found[vertex] = chosen
                grown = True
    return found


def find_linked_vertices(arcs: list[Bits], allowed: Bits, parents: Bits, count: int) -> Bits | None:
    """Some of the allowed vertices from which half-treks lead to all parents, none in vain; ``None`` if there are none."""
    wanted = parents.bit_count()

    def number(sources: Bits) -> int:
        return find_minimum_vertex_cut(arcs, sources << count, parents).bit_count()

    if number(allowed) < wanted:
        return None
    chosen = allowed
    for vertex in iterate_positions(allowed):
        if chosen.bit_count() > wanted and number(chosen & ~(1 << vertex)) == wanted:
            chosen &= ~(1 << vertex)
    return chosen


def count_reached_coefficients(graph: MixedGraph) -> int:
    """For how many directed edges at once there are half-treks, to their starts and in the set of their ends: one flow.

    Every pair of vertices without a bidirected edge can be used once, by one of the two for the set of the other.

    >>> count_reached_coefficients(MixedGraph(("A", "B"), (0, 0b01), (0b10, 0b01)))
    0
    """
    count = len(graph.names)
    pairs = [(v, w) for v, w in combinations(range(count), 2) if not graph.siblings[v] >> w & 1]
    half = build_half_trek_arcs(graph)
    arcs = [0] * (2 * count * count + len(pairs))
    sinks = 0
    for vertex in range(count):
        offset = 2 * count * vertex
        for place, targets in enumerate(half):
            arcs[offset + place] = targets << offset
        sinks |= graph.parents[vertex] << offset
    sources = 0
    for number, (v, w) in enumerate(pairs):
        place = 2 * count * count + number
        arcs[place] = 1 << 2 * count * v + count + w | 1 << 2 * count * w + count + v
        sources |= 1 << place
    return find_minimum_vertex_cut(arcs, sources, sinks).bit_count()


MOST_VARIABLES = 60
"""Variables up to which the half-trek criterion is asked."""
HALF_TREK = "half-trek"


def is_about_half_treks(gmap: GaussianMap) -> bool:
    """Whether the half-trek criterion is about a model: edges, nothing latent, no entry fixed or held equal but means."""
    model = gmap.model
    special = (entry for entry, _ in (*model.fixed, *model.equal, *model.linear))
    return bool(model.edges) and not model.hidden and all(entry[0] == "m" for entry in special)


def bound_by_half_treks(setting: GaussianSetting) -> Bound | None:
    """The upper bound, where it is below the number of parameters."""
    gmap = setting.pmap
    model = gmap.model
    if not is_about_half_treks(gmap) or len(model.variables) > MOST_VARIABLES:
        return None
    reached = count_reached_coefficients(build_mixed_graph(model))
    rest = len(model.variables) * (2 if model.means else 1) + len(model.bidirected)
    if reached == len(model.edges):
        return None
    what = (
        "error variances, error covariances and intercepts" if model.means else "error variances and error covariances"
    )
    reason = (
        f"half-treks reach {reached} of {format_count(len(model.edges), 'coefficient')} at once; with {rest} {what}"
    )
    evidence = {"reached": reached, "coefficients": len(model.edges)}
    return prove_bound(rest + reached, UPPER, HALF_TREK, reason, "half-trek", evidence=evidence)
