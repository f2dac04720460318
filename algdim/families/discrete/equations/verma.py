"""Verma-type equations: what a network with hidden variables implies beyond conditional independences.

Let v be the last vertex of a set S in an order with parents first, let the kernel Q[S] be known from the observed table, and sum
members T out of it that have no children in the rest. In the sum v is, given the rest, a function of its own district
and the parents of this district, although the sum depends, as it is computed, on more (lemma "kernels"). Where the
district is one of an ancestral set, independences imply this already, and it is not listed.

What is listed is chosen by rank: an equation whose gradients lie, at a random point of the nested Markov model with
binary variables, in the span of those of the independences and of the equations before it, is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from algdim.families.discrete.equations.independences import iterate_blankets
from algdim.families.discrete.equations.kernels import Verma, VermaKernel
from algdim.families.discrete.equations.redundancy import Chooser
from algdim.limits import has_time
from algdim.models.graphs import (
    Bits,
    MixedGraph,
    collect_parents,
    find_ancestors,
    find_district,
    iterate_positions,
    order_topologically,
)

MOST_SUMS = 2000
"""Sums of kernels that are looked at; there can be exponentially many."""
MOST_OBSERVED = 100
"""In larger graphs no equations are looked for."""


@dataclass(frozen=True, slots=True)
class VermaFound:
    """The equations, and whether the search came to its end."""

    equations: tuple[Verma, ...]
    is_complete: bool
    too_large: int = 0
    """Equations that are left out because they have too many variables."""


def find_verma_equations(graph: MixedGraph, seed: int | str = 0) -> VermaFound:
    """The Verma-type equations of the latent projection of a network.

    >>> from algdim.models.notation import parse
    >>> from algdim.models.graphs import project_hidden_variables
    >>> graph = project_hidden_variables(parse("A -> B -> C -> D; U -> B, D; hidden U"))
    >>> [
    ...     (graph.names_of(one.summed), graph.names_of(one.independent_of))
    ...     for one in find_verma_equations(graph).equations
    ... ]
    [(['B'], ['A'])]
    """
    if not any(graph.siblings):
        return VermaFound((), is_complete=True)
    if len(graph.names) > MOST_OBSERVED:
        return VermaFound((), is_complete=False)
    attempts = []
    for order in dict.fromkeys((order_topologically(graph), order_sources_first(graph))):
        attempts.append(search_in_order(graph, order, seed))
        if not (attempts[-1].equations or attempts[-1].too_large) or not attempts[-1].is_complete:
            break  # another order leads to as many, with other formulas
    return min(
        attempts,
        key=lambda found: (not found.is_complete, found.too_large, list(map(measure_complexity, found.equations))),
    )


def search_in_order(graph: MixedGraph, order: tuple[int, ...], seed: int | str) -> VermaFound:
    """The equations in one order of the vertices; any order with parents first leads to a complete list."""
    search = KernelSearch(graph, order)
    found = [one for vertex in order for one in search.below(vertex)]
    chooser = Chooser(graph, order, seed)
    chosen: list[Verma] = []
    for one in sorted(found, key=measure_complexity):
        if not has_time():
            search.stopped = True
            break
        chosen += [one] if chooser.adds(one) else []
    return VermaFound(tuple(chosen), not search.stopped, chooser.too_large)


def order_sources_first(graph: MixedGraph) -> tuple[int, ...]:
    """An order with parents first: by the number of ancestors, then of descendants, which makes short formulas."""
    above = [find_ancestors(graph, 1 << vertex) for vertex in range(len(graph.names))]
    below = [sum(mask >> vertex & 1 for mask in above) for vertex in range(len(graph.names))]
    return tuple(sorted(range(len(graph.names)), key=lambda vertex: (above[vertex].bit_count(), below[vertex], vertex)))


def measure_complexity(one: Verma) -> tuple[int, ...]:
    """How long the formula is: simple ones are listed first, and others only if these do not imply them."""
    return (
        len(one.source.chain()),
        one.vertex is not None,
        find_ancestors(one.graph, one.root).bit_count(),
        one.variables.bit_count(),
        -one.independent_of.bit_count(),
    )


@dataclass(slots=True)
class KernelSearch:
    """The search for kernels in which a vertex is the last one."""

    graph: MixedGraph
    order: tuple[int, ...]
    sums: int = 0
    stopped: bool = False

    def below(self, vertex: int) -> Iterator[Verma]:
        """The equations for the conditional distribution of a vertex, from its districts in ancestral sets down."""
        earlier = sum(1 << v for v in self.order[: self.order.index(vertex) + 1])
        ancestral = []
        for _, district in iterate_blankets(self.graph, self.order, vertex, earlier):
            self.sums += 1
            if self.sums > MOST_SUMS or not has_time():
                self.stopped = True
                return
            ancestral.append(district)
        known = set(ancestral)
        waiting = [VermaKernel(district) for district in sorted(ancestral, key=lambda one: (one.bit_count(), one))]
        told: set[tuple[Bits, Bits]] = set()
        while waiting:
            source = waiting.pop(0)
            for summed, target in self.sums_of(source, vertex, set(ancestral)):
                one = self.equation(source, summed, target, vertex)
                # what no path leads back from could have been left out of the margin: independences say all
                leads_back = find_ancestors(self.graph, one.rest) & summed
                if one.independent_of and leads_back and (target, one.independent_of) not in told:
                    told.add((target, one.independent_of))
                    yield one
                if target not in known and target != one.rest:
                    known.add(target)
                    waiting.append(VermaKernel(target, source, summed))

    def sums_of(self, source: VermaKernel, vertex: int, ancestral: set[Bits]) -> Iterator[tuple[Bits, Bits]]:
        """What can be summed out of a kernel, with the district of the vertex in the rest; no more once the rest splits."""
        waiting, seen = [0], {0}
        while waiting:
            summed = waiting.pop(0)
            rest = source.inside & ~summed
            for member in iterate_positions(rest & ~collect_parents(self.graph, rest) & ~(1 << vertex)):
                larger = summed | 1 << member
                if larger in seen:
                    continue
                seen.add(larger)
                self.sums += 1
                if self.sums > MOST_SUMS or not has_time():
                    self.stopped = True
                    return
                target = find_district(self.graph, vertex, source.inside & ~larger)
                yield larger, target
                if target == source.inside & ~larger and target not in ancestral:
                    waiting.append(larger)

    def equation(self, source: VermaKernel, summed: Bits, target: Bits, vertex: int) -> Verma:
        """What a sum does not depend on, itself if possible, otherwise the distribution of the vertex given the rest."""
        parents = collect_parents(self.graph, source.inside)
        spare = (source.inside | parents) & ~summed & ~target & ~collect_parents(self.graph, target)
        one = Verma(self.graph, self.order, source, summed, None, spare)
        if spare & (one.rest | collect_parents(self.graph, one.rest)):
            return replace(one, vertex=vertex)
        return one
