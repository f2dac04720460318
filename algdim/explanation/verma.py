"""Verma-type equations: what a network with hidden variables implies beyond conditional independences.

The kernel Q[R] of a district R of the latent projection is a function of R and its parents. Sum a member of R without
children in R out of it: the result is the product of the kernels of the districts of the rest, each a function of its members and their
parents alone, although the sum depends, as it is computed, on all parents of R (lemma "nested": the nested Markov
property). Where such a district is no district of an ancestral set, this is no conditional independence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from algdim.explanation.printing import name_latex
from algdim.models.mixedgraph import MixedGraph
from algdim.models.network import Network
from algdim.models.projection import districts_within, latent_projection, parents_of_set
from algdim.models.separation import positions

MOST_KERNELS = 500


@dataclass(frozen=True, slots=True)
class Step:
    """From the kernel of ``source`` (0 for the observed table) by summing ``summed`` out, the kernel of ``target``."""

    source: int
    summed: int
    target: int


@dataclass(frozen=True, slots=True)
class Verma:
    """The kernel that the steps end in does not depend on some variables, although it is computed from them."""

    graph: MixedGraph
    steps: tuple[Step, ...]
    independent_of: int


def verma_equations(model: Network) -> tuple[Verma, ...]:
    """The Verma-type equations of a network, each kernel once.

    >>> from algdim.models.notation import parse
    >>> [verma_text(one) for one in verma_equations(parse("A -> B -> C -> D; U -> B, D; hidden U"))]
    ['Σ_B P(B|A) P(D|A,B,C) does not depend on A']
    """
    graph = latent_projection(model)
    order = topological(graph)
    return tuple(found_in(graph, order))


def found_in(graph: MixedGraph, order: tuple[int, ...]) -> Iterator[Verma]:
    """Go down from every district by summing members out."""
    waiting: list[tuple[Step, ...]] = [
        (Step(0, 0, district),) for district in districts_within(graph, graph.everything)
    ]
    known = {steps[-1].target for steps in waiting}
    told: set[tuple[int, int]] = set()
    while waiting and len(known) <= MOST_KERNELS:
        steps = waiting.pop(0)
        source = steps[-1].target
        parents = parents_of_set(graph, source)
        for vertex in positions(source & ~parents):
            rest = source & ~(1 << vertex)
            for target in districts_within(graph, rest):
                longer = (*steps, Step(source, 1 << vertex, target))
                seen = before(order, target) & rest | parents & ~source
                spare = seen & ~target & ~parents_of_set(graph, target)
                if spare and not is_ancestral_district(graph, target) and (target, spare) not in told:
                    told.add((target, spare))
                    yield Verma(graph, longer, spare)
                if target not in known:
                    known.add(target)
                    waiting.append(longer)


def is_ancestral_district(graph: MixedGraph, inside: int) -> bool:
    """Whether a set is a district of the graph on its ancestors."""
    ancestors = inside
    while (grown := ancestors | parents_of_set(graph, ancestors)) != ancestors:
        ancestors = grown
    return inside in districts_within(graph, ancestors)


def topological(graph: MixedGraph) -> tuple[int, ...]:
    """The vertices, parents first."""
    order: list[int] = []
    placed = 0
    while len(order) < len(graph.names):
        vertex = next(v for v in positions(graph.everything & ~placed) if not graph.parents[v] & ~placed)
        order.append(vertex)
        placed |= 1 << vertex
    return tuple(order)


def before(order: tuple[int, ...], inside: int) -> int:
    """A set and all vertices before its last one."""
    last = max(order.index(vertex) for vertex in positions(inside))
    return sum(1 << vertex for vertex in order[: last + 1])


@dataclass(frozen=True, slots=True)
class Style:
    """How an equation is written: what joins factors, the bar of a condition, a sum, a kernel's name, a word, a name."""

    times: str
    bar: str
    total: str
    word: str
    name: Callable[[str], str]

    def probability(self, head: str, vertex: str, given: Sequence[str]) -> str:
        """A conditional probability."""
        condition = f"{self.bar}{self.names(given)}" if given else ""
        return f"{head}({self.name(vertex)}{condition})"

    def names(self, names: Sequence[str]) -> str:
        """Names in a row."""
        return ",".join(map(self.name, names))


PLAIN = Style(" ", "|", "Σ_{} {}", "{}", str)
LATEX = Style(r"\,", r"\mid ", r"\sum_{{{}}} {}", r"\text{{{}}}", lambda name: name_latex(f"v({name})")[3:-1])


def verma_latex(found: Verma) -> str:
    r"""The equation in LaTeX.

    >>> from algdim.models.notation import parse
    >>> print(verma_latex(verma_equations(parse("A -> B -> C -> D; U -> B, D; hidden U"))[0]))
    \sum_{B} P(B\mid A)\,P(D\mid A,B,C)\text{ does not depend on }A
    """
    return verma_text(found, LATEX)


def verma_text(found: Verma, style: Style = PLAIN) -> str:
    """The equation in one line: definitions of kernels where there are several steps, then what does not depend on what."""
    graph, order = found.graph, topological(found.graph)
    formula = factors_text(graph, order, found.steps[0].target, style)
    definitions = []
    for number, step in enumerate(found.steps[1:]):
        rest = step.source & ~step.summed
        summed = style.total.format(style.name(graph.names_of(step.summed)[0]), formula)
        if number + 2 < len(found.steps) or step.target != rest:
            name = f"Q[{style.names(graph.names_of(rest))}]"
            definitions.append(f"{name} = {summed}")
            parts = conditionals(graph, order, rest, step.target, name, style)
            formula = name if step.target == rest else style.times.join(parts)
        else:
            formula = summed
    spare = style.names(graph.names_of(found.independent_of))
    end = f"{formula}{style.word.format(' does not depend on ')}{spare}"
    return f"{end}{style.word.format(', where ')}{'; '.join(definitions)}" if definitions else end


def factors_text(graph: MixedGraph, order: tuple[int, ...], district: int, style: Style) -> str:
    """The kernel of a district as a product of conditional probabilities, each given its Markov blanket."""
    texts = []
    earlier = 0
    for vertex in order:
        earlier |= 1 << vertex
        if district >> vertex & 1:
            # ancestors of the members are enough, and of those the vertex's own district with its parents
            part = next(one for one in districts_within(graph, earlier) if one >> vertex & 1)
            given = (part | parents_of_set(graph, part)) & earlier & ~(1 << vertex)
            texts.append(style.probability("P", graph.names[vertex], graph.names_of(given)))
    return style.times.join(texts)


def conditionals(
    graph: MixedGraph, order: tuple[int, ...], rest: int, target: int, name: str, style: Style
) -> list[str]:
    """The conditional probabilities of a kernel that make up the kernel of one of its districts."""
    texts = []
    for vertex in order:
        if target >> vertex & 1:
            given = graph.names_of(before(order, 1 << vertex) & rest & ~(1 << vertex))
            texts.append(style.probability(name, graph.names[vertex], given))
    return texts
