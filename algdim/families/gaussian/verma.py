"""Verma-type equations of Gaussian models: coefficients of regressions in kernels that vanish (lemma "linear kernels").

The *kernel* of a set S of observed variables is the distribution of the X_S when the equations of all others are put out
of force and their variables set to numbers, the *inputs*. A graph without directed cycles says how kernels come from Σ
one after the other: the kernel of a district D of S consists of the regressions of its members in order, each on the
members of its district before it and on the parents of all these, with independent errors; and variables without children
in the rest are summed out. In the kernel of S nothing depends on an input that is no parent of S, although it is
computed from regressions in which that input may stand: an equation between the entries of Σ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from algdim.families.gaussian.treks import DoubledGraph
from algdim.models.graphs import (
    Bits,
    MixedGraph,
    collect_parents,
    find_district,
    find_markov_blanket,
    iterate_positions,
    order_topologically,
)

MOST_TERMS = 8
"""An equation of more products of regression coefficients is written by its kernels only."""

Jet = NDArray[np.int64]
"""A value modulo a prime and its derivatives."""


@dataclass(frozen=True, slots=True)
class KernelStep:
    """Regressions in a kernel, a variable and what it is regressed on, which give a new kernel, and what is kept of it."""

    regressions: tuple[tuple[int, tuple[int, ...]], ...]
    kept: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class KernelEquation:
    """What vanishes in the kernel that the steps end in; variables by their places.

    If ``cause`` is an input, its effect on ``response``; if it is random, the partial covariance of the two given others.
    """

    steps: tuple[KernelStep, ...]
    response: int
    cause: int
    given: tuple[int, ...] = ()

    @property
    def is_effect(self) -> bool:
        """Whether the cause is an input of the last kernel."""
        return self.cause not in self.steps[-1].kept

    @property
    def variables(self) -> tuple[int, ...]:
        """All variables that occur."""
        first = self.steps[0].regressions
        return tuple(sorted({v for vertex, given in first for v in (vertex, *given)}))

    @property
    def work(self) -> int:
        """About how many multiplications an evaluation takes."""
        sizes = [len(given) + 1 for step in self.steps for _, given in step.regressions] + [len(self.given)]
        return sum(size**3 for size in sizes) + sum(len(step.regressions) ** 3 for step in self.steps)


def project_gaussian(graph: DoubledGraph, names: Sequence[str], observed: Sequence[int]) -> MixedGraph:
    """The latent projection of a graph without directed cycles; entries fixed to 0 are no edges.

    >>> from algdim.models.notation import parse
    >>> from algdim.families.gaussian.treks import build_doubled_graph
    >>> verma = build_doubled_graph(parse("gaussian: A -> B -> C -> D; U -> B, D; hidden U"))
    >>> found = project_gaussian(verma, verma.names, [0, 1, 2, 3])
    >>> found.directed_edges, found.bidirected_edges
    ([['A', 'B'], ['B', 'C'], ['C', 'D']], [['B', 'D']])
    """
    count = graph.count
    seen = sum(1 << place for place in observed)
    number = {place: index for index, place in enumerate(observed)}
    side = (1 << count) - 1
    parents, errors = [], []
    for place in observed:
        found, reached, waiting = 0, 1 << place, [place]
        while waiting:
            above = graph.arcs[waiting.pop() + count] >> count & side
            found |= above & seen
            waiting += iterate_positions(above & ~seen & ~reached)
            reached |= above & ~seen
        parents.append(sum(1 << number[parent] for parent in iterate_positions(found)))
        # the errors that reach the variable, and those that are correlated with one of them
        errors.append((reached, join_sets(graph.arcs[source + count] & side for source in iterate_positions(reached))))
    siblings = [
        sum(1 << other for other, (mine, _) in enumerate(errors) if other != index and mine & reach)
        for index, (_, reach) in enumerate(errors)
    ]
    return MixedGraph(tuple(names[place] for place in observed), tuple(parents), tuple(siblings))


def join_sets(sets: Iterator[Bits]) -> Bits:
    """The union of sets."""
    result = 0
    for one in sets:
        result |= one
    return result


def find_ancestors_within(graph: MixedGraph, inside: Bits, some: Bits) -> Bits:
    """Some vertices and their ancestors in the graph on a set."""
    found = some
    while (grown := found | collect_parents(graph, found) & inside) != found:
        found = grown
    return found


def find_topological_places(graph: MixedGraph) -> tuple[int, ...]:
    """The place of each vertex in an order in which parents come first."""
    order = order_topologically(graph)
    return tuple(order.index(vertex) for vertex in range(len(order)))


def find_kernel_equation(graph: MixedGraph, places: Sequence[int], one: int, other: int) -> KernelEquation | None:
    """The equation of two vertices without an edge between them, if they are separated in a kernel but not in Σ.

    Go to the district of the later one, and sum out what is no ancestor, until the earlier one is no parent of the rest.
    If nothing is left to be summed out before, the two cannot be told from neighbours.
    """
    cause, response = (one, other) if places[one] < places[other] else (other, one)
    inside = find_ancestors_within(graph, graph.everything, 1 << cause | 1 << response)
    steps: list[KernelStep] = []
    is_input = False
    while True:
        district = find_district(graph, response, inside)
        if steps and not (is_input or (district | collect_parents(graph, district)) >> cause & 1):
            given = find_district_blanket(graph, places, district, response) & inside
            return KernelEquation(tuple(steps), response, cause, tuple(iterate_positions(given)))
        carried = 1 << cause if is_input else 0
        regressions = tuple(
            (vertex, tuple(iterate_positions(find_district_blanket(graph, places, district, vertex) | carried)))
            for vertex in sorted(iterate_positions(district), key=places.__getitem__)
        )
        ends = 1 << response | district & 1 << cause
        kept = find_ancestors_within(graph, district, ends)
        steps.append(KernelStep(regressions, tuple(iterate_positions(kept))))
        is_input = is_input or (any(cause in given for _, given in regressions) and not kept >> cause & 1)
        if not (kept | collect_parents(graph, kept)) >> cause & 1:
            return KernelEquation(tuple(steps), response, cause) if is_input else None
        if kept == inside:
            return None
        inside = kept


def find_district_blanket(graph: MixedGraph, places: Sequence[int], district: Bits, vertex: int) -> Bits:
    """The members of a vertex's district among those before it, and the parents of these and of the vertex."""
    before = sum(1 << v for v in iterate_positions(district) if places[v] <= places[vertex])
    return find_markov_blanket(graph, vertex, before)


def rename_vertices(equation: KernelEquation, observed: Sequence[int]) -> KernelEquation:
    """The equation with the places of variables in the model for vertices of the projection."""
    steps = tuple(
        KernelStep(
            tuple((observed[v], tuple(observed[u] for u in given)) for v, given in step.regressions),
            tuple(observed[v] for v in step.kept),
        )
        for step in equation.steps
    )
    given = tuple(observed[v] for v in equation.given)
    return KernelEquation(steps, observed[equation.response], observed[equation.cause], given)


@dataclass(frozen=True, slots=True)
class JetField:
    """Arithmetic of values with derivatives modulo a prime below 2^31."""

    prime: int

    def times(self, one: Jet, other: Jet) -> Jet:
        """The product and its derivatives."""
        result = (one[0] * other % self.prime + other[0] * one % self.prime) % self.prime
        result[0] = one[0] * other[0] % self.prime
        return np.asarray(result, dtype=np.int64)

    def inverse(self, one: Jet) -> Jet:
        """The inverse; raise ZeroDivisionError if the value is zero."""
        if not one[0]:
            raise ZeroDivisionError
        value = pow(int(one[0]), -1, self.prime)
        result = -(value * value % self.prime) * one % self.prime
        result[0] = value
        return np.asarray(result, dtype=np.int64)

    def less(self, one: Jet, factor: Jet, other: Jet) -> Jet:
        """``one − factor · other``."""
        return np.asarray((one - self.times(factor, other)) % self.prime, dtype=np.int64)

    def plus(self, one: Jet, factor: Jet, other: Jet) -> Jet:
        """``one + factor · other``."""
        return np.asarray((one + self.times(factor, other)) % self.prime, dtype=np.int64)

    def solve(self, matrix: list[list[Jet]], right: list[Jet]) -> list[Jet]:
        """Solve a symmetric system by elimination in order; raise ZeroDivisionError at a principal minor of zero."""
        rows = [[*row, end] for row, end in zip(matrix, right, strict=True)]
        size = len(rows)
        for place in range(size):
            scale = self.inverse(rows[place][place])
            rows[place][place:] = [self.times(scale, entry) for entry in rows[place][place:]]
            for below in range(place + 1, size):
                factor = rows[below][place]
                rows[below][place:] = [
                    self.less(entry, factor, above)
                    for entry, above in zip(rows[below][place:], rows[place][place:], strict=True)
                ]
        found = [row[size] for row in rows]
        for place in reversed(range(size)):
            for above in range(place):
                found[above] = self.less(found[above], rows[above][place], found[place])
        return found


def evaluate_kernel(
    equation: KernelEquation, covariance: Sequence[Sequence[int]], prime: int, *, slopes: bool = True
) -> tuple[int, list[tuple[tuple[int, int], int]]]:
    """The value modulo a prime and its derivatives by pairs; raise ZeroDivisionError where a principal minor is zero."""
    members = equation.variables
    pairs = [(i, j) for number, i in enumerate(members) for j in members[number:]] if slopes else []
    covariances: dict[tuple[int, int], Jet] = {}
    slope = {pair: number for number, pair in enumerate(pairs, 1)}
    for number, i in enumerate(members):
        for j in members[number:]:
            jet = np.zeros(len(pairs) + 1, dtype=np.int64)
            jet[0] = covariance[i][j] % prime
            if slopes:
                jet[slope[i, j]] = 1
            covariances[i, j] = covariances[j, i] = jet
    field, effects = JetField(prime), dict[tuple[int, int], Jet]()
    zero = np.zeros(len(pairs) + 1, dtype=np.int64)
    for step in equation.steps:
        effects, covariances = compute_next_kernel(field, step, effects, covariances, zero)
    if equation.is_effect:
        result = effects.get((equation.response, equation.cause), zero)
    else:
        slopes_given = field.solve(
            [[covariances[u, w] for w in equation.given] for u in equation.given],
            [covariances[u, equation.cause] for u in equation.given],
        )
        result = covariances[equation.response, equation.cause]
        for u, factor in zip(equation.given, slopes_given, strict=True):
            result = field.less(result, factor, covariances[u, equation.response])
    return int(result[0]), [(pair, int(result[number])) for pair, number in slope.items() if result[number]]


def compute_next_kernel(
    field: JetField,
    step: KernelStep,
    effects: Mapping[tuple[int, int], Jet],
    covariances: Mapping[tuple[int, int], Jet],
    zero: Jet,
) -> tuple[dict[tuple[int, int], Jet], dict[tuple[int, int], Jet]]:
    """The next kernel: the effects of its inputs, and the covariances of its members."""
    one = zero.copy()
    one[0] = 1
    after: dict[tuple[int, int], Jet] = {}
    joint: dict[tuple[int, int], Jet] = {}
    done: list[int] = []
    for vertex, given in step.regressions:
        random = [u for u in given if (u, u) in covariances]
        slopes = field.solve(
            [[covariances[u, w] for w in random] for u in random], [covariances[u, vertex] for u in random]
        )
        coefficients = dict(zip(random, slopes, strict=True))
        variance = covariances[vertex, vertex]
        for u in random:
            variance = field.less(variance, coefficients[u], covariances[u, vertex])
        for u in given:
            if u not in coefficients:
                effect = effects.get((vertex, u), zero)
                for w in random:
                    effect = field.less(effect, coefficients[w], effects.get((w, u), zero))
                coefficients[u] = effect
        inside = [u for u in given if u in done]
        total: dict[int, Jet] = {}
        for u in given:
            if u not in done:
                total[u] = coefficients[u]
        for u in inside:
            for (member, source), effect in after.items():
                if member == u:
                    total[source] = field.plus(total.get(source, zero), coefficients[u], effect)
        for source, effect in total.items():
            after[vertex, source] = effect
        for w in [*done, vertex]:
            value = zero if w != vertex else variance
            for u in inside:
                value = field.plus(value, coefficients[u], joint[u, w])
            joint[vertex, w] = joint[w, vertex] = value
        done.append(vertex)
    kept = set(step.kept)
    return (
        {(v, u): effect for (v, u), effect in after.items() if v in kept},
        {(v, w): value for (v, w), value in joint.items() if v in kept and w in kept},
    )


def list_path_products(equation: KernelEquation) -> list[tuple[tuple[int, int, tuple[int, ...]], ...]]:
    """The equation as a sum of products of coefficients (response, cause, others given), where there is one step only.

    The effect of an input is the sum over the paths from it along the regressions. Nothing where there are more steps or
    more than a few products.
    """
    if len(equation.steps) > 1 or not equation.is_effect:
        return []
    given = dict(equation.steps[0].regressions)
    found: list[tuple[tuple[int, int, tuple[int, ...]], ...]] = []
    waiting: list[tuple[tuple[int, int, tuple[int, ...]], ...]] = [()]
    looked = 0
    while waiting:
        looked += 1
        path = waiting.pop(0)
        if len(found) > MOST_TERMS or looked > MOST_TERMS**3:
            return []
        vertex = path[-1][1] if path else equation.response
        if vertex == equation.cause:
            found.append(path)
            continue
        for parent in given.get(vertex, ()):
            if parent == equation.cause or parent in given:
                rest = tuple(u for u in given[vertex] if u != parent)
                waiting.append((*path, (vertex, parent, rest)))
    return sorted(found, key=len)
