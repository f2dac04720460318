"""Verma-type equations as text and in LaTeX.

`P(B|A)` is a conditional probability, `Σ_B` a sum over the states of B. `Q[C,D] = Σ_B …` names a function of C, D and other
variables, a distribution of C and D for each of their states, and `Q[C,D](D|C)` its conditional distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from algdim.explanation.printing import format_names_latex
from algdim.families.discrete.equations.kernels import Verma, VermaKernel, iterate_conditionals
from algdim.models.graphs import Bits


@dataclass(frozen=True, slots=True)
class Style:
    """How an equation is written: what joins factors, the bar of a condition, a sum, a quotient, a word, a name."""

    times: str
    bar: str
    total: str
    quotient: str
    word: str
    name: Callable[[str], str]

    def probability(self, head: str, vertex: str, given: Sequence[str]) -> str:
        """A conditional probability."""
        condition = f"{self.bar}{self.names(given)}" if given else ""
        return f"{head}({self.name(vertex)}{condition})"

    def names(self, names: Sequence[str]) -> str:
        """Names in a row."""
        return ",".join(map(self.name, names))


PLAIN = Style(" ", "|", "Σ_{} {}", "[{}] / [{}]", "{}", str)
LATEX = Style(
    r"\,",
    r"\mid ",
    r"\sum_{{{}}} {}",
    r"\frac{{{}}}{{{}}}",
    r"\text{{{}}}",
    format_names_latex,
)


def format_verma_latex(found: Verma) -> str:
    r"""The equation in LaTeX.

    >>> from algdim.families.discrete.equations.verma import find_verma_equations
    >>> from algdim.models.notation import parse
    >>> from algdim.models.graphs import project_hidden_variables
    >>> graph = project_hidden_variables(parse("A -> B -> C -> D; U -> B, D; hidden U"))
    >>> print(format_verma_latex(find_verma_equations(graph).equations[0]))
    \sum_{B} P(B\mid A)\,P(D\mid A,B,C)\text{ does not depend on }A
    """
    return format_verma(found, LATEX)


def format_verma(found: Verma, style: Style = PLAIN) -> str:
    """The equation in one line; what Q stands for comes last."""
    graph = found.graph
    factors = list_kernel_factors(found, found.source, style)
    if found.vertex is None:
        formula = format_sum(found, found.summed, factors, style)
    else:
        formula = format_quotient(found, factors, style)
    spare = style.names(graph.names_of(found.independent_of))
    definitions = [
        f"{name_kernel(found, kernel, style)} = "
        + format_sum(found, kernel.summed, list_kernel_factors(found, kernel.source, style), style)
        for kernel in found.source.chain()
        if kernel.source
    ]
    where = style.word.format(", where ") + "; ".join(definitions) if definitions else ""
    return f"{formula}{style.word.format(' does not depend on ')}{spare}{where}"


@dataclass(frozen=True, slots=True)
class ConditionalFactor:
    """A conditional probability: of which vertex, the sum of which variables it is a function of, written out."""

    vertex: int
    involved: Bits
    text: str


def format_quotient(found: Verma, factors: Sequence[ConditionalFactor], style: Style) -> str:
    """The sum over the sum without the vertex's factor, where factors cancel or sum to 1 without them."""
    above = [one for one in factors if one.involved & found.summed or one.vertex == found.vertex]
    below, summed = [one for one in above if one.vertex != found.vertex], found.summed
    while last := [
        one
        for one in below
        if summed >> one.vertex & 1 and not any(x.involved >> one.vertex & 1 for x in below if x != one)
    ]:
        below.remove(last[0])
        summed &= ~(1 << last[0].vertex)
    over = format_sum(found, found.summed, above, style)
    return style.quotient.format(over, format_sum(found, summed, below, style)) if below else over


def format_sum(found: Verma, summed: Bits, factors: Sequence[ConditionalFactor], style: Style) -> str:
    """A sum of products."""
    total = style.times.join(one.text for one in factors)
    names = found.graph.names_of(summed)
    if not names:
        return total
    return style.total.format(
        f"{{{style.names(names)}}}" if len(names) > 1 and style is PLAIN else style.names(names), total
    )


def name_kernel(found: Verma, kernel: VermaKernel, style: Style) -> str:
    """The sum that a kernel is a part of, by name."""
    return f"Q[{style.names(found.graph.names_of(kernel.rest))}]"


def list_kernel_factors(found: Verma, kernel: VermaKernel, style: Style) -> list[ConditionalFactor]:
    """The conditional distributions whose product is a kernel, in order."""
    graph = found.graph
    if kernel.source is None:
        return [
            ConditionalFactor(
                one.vertex,
                one.given | 1 << one.vertex,
                style.probability("P", graph.names[one.vertex], graph.names_of(one.given)),
            )
            for one in iterate_conditionals(graph, found.order, kernel.inside)
        ]
    factors, earlier = [], 0
    for vertex in found.order:
        if kernel.inside >> vertex & 1:
            name, given = name_kernel(found, kernel, style), earlier & kernel.rest
            text = style.probability(name, graph.names[vertex], graph.names_of(given))
            factors.append(ConditionalFactor(vertex, given | 1 << vertex, text))
        earlier |= 1 << vertex
    return factors
