"""Formulas compiled to one straight-line program: every subexpression once, as a step that uses earlier nodes.

There are sums with coefficients, products of two, and reciprocals. The nodes are the parameters, then the steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from algdim.errors import LimitError
from algdim.families.polynomial.expressions import Formula, NamedParameter, Number, Power, Product, Quotient, Sum

MOST_STEPS = 1_000_000

ADD, MULTIPLY, INVERT, ONE = "add", "multiply", "invert", "one"


class Step(NamedTuple):
    """What a node is made of: an operation, the nodes that it uses, and for sums their coefficients."""

    operation: str
    uses: tuple[int, ...]
    coefficients: tuple[Fraction, ...] = ()


@dataclass(frozen=True, slots=True)
class StraightLine:
    """Steps in an order in which they can be made, and the nodes of the coordinates."""

    parameters: int
    steps: tuple[Step, ...]
    outputs: tuple[int, ...]


def straight_line(parameters: Sequence[str], formulas: Iterable[Formula]) -> StraightLine:
    """Compile formulas of some parameters.

    >>> from algdim.families.polynomial.expressions import formula_from_text
    >>> found = straight_line(["a", "b"], map(formula_from_text, ["a*b", "(a*b)^2"]))
    >>> [(step.operation, step.uses) for step in found.steps], found.outputs
    ([('multiply', (0, 1)), ('multiply', (2, 2))], (2, 3))
    """
    compiler = Compiler(parameters)
    outputs = tuple(compiler.formula(formula) for formula in formulas)
    return StraightLine(len(parameters), tuple(compiler.steps), outputs)


class Compiler:
    """Makes the program; a step that is there already is used again."""

    def __init__(self, parameters: Sequence[str]) -> None:
        self.number_of = {name: place for place, name in enumerate(parameters)}
        self.steps: list[Step] = []
        self.known: dict[Step, int] = {}
        self.first = len(parameters)
        self.formulas: dict[Formula, int] = {}

    def node(self, step: Step) -> int:
        """The node of a step."""
        if step not in self.known:
            if len(self.steps) >= MOST_STEPS:
                raise LimitError(f"the formulas need more than {MOST_STEPS} operations")
            self.known[step] = self.first + len(self.steps)
            self.steps.append(step)
        return self.known[step]

    def formula(self, formula: Formula) -> int:
        """The node of a formula."""
        if formula not in self.formulas:
            self.formulas[formula] = self.made(formula)
        return self.formulas[formula]

    def made(self, formula: Formula) -> int:
        """The node of a formula that is met for the first time."""
        match formula:
            case NamedParameter(name):
                return self.number_of[name]
            case Number() | Sum():
                return self.node(self.weighted(formula))
            case Product((Number(), *_)):
                return self.node(self.weighted(formula))
            case Product(factors):
                return self.multiplied([self.formula(factor) for factor in factors])
            case Power(base, exponent):
                return self.raised(self.formula(base), exponent)
            case Quotient(above, below):
                inverted = self.node(Step(INVERT, (self.formula(below),)))
                return inverted if isinstance(above, Number) else self.multiplied([self.formula(above), inverted])
        raise TypeError(formula)

    def weighted(self, formula: Formula) -> Step:
        """A formula as a sum of nodes with coefficients."""
        found: dict[int, Fraction] = {}
        for term in formula.terms if isinstance(formula, Sum) else (formula,):
            coefficient, inner = Fraction(1), term
            if isinstance(term, Number):
                coefficient, node = term.value, self.node(Step(ONE, ()))
            else:
                if isinstance(term, Product) and isinstance(term.factors[0], Number):
                    coefficient, rest = term.factors[0].value, term.factors[1:]
                    inner = rest[0] if len(rest) == 1 else Product(rest)
                node = self.formula(inner)
            found[node] = found.get(node, Fraction(0)) + coefficient
        pairs = sorted((node, value) for node, value in found.items() if value)
        return Step(ADD, tuple(node for node, _ in pairs), tuple(value for _, value in pairs))

    def multiplied(self, nodes: list[int]) -> int:
        """The product of nodes."""
        nodes = sorted(nodes)
        result = nodes[0]
        for node in nodes[1:]:
            result = self.node(Step(MULTIPLY, (result, node)))
        return result

    def raised(self, node: int, exponent: int) -> int:
        """A power by repeated squaring."""
        if exponent == 1:
            return node
        half = self.raised(node, exponent // 2)
        square = self.node(Step(MULTIPLY, (half, half)))
        return self.node(Step(MULTIPLY, (square, node))) if exponent % 2 else square
