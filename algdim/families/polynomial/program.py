"""Formulas compiled to a straight-line program, bounded in size before anything is multiplied out, and run at points.

Every subexpression is there once, as a step that uses earlier nodes: sums with coefficients, products of two, and reciprocals.
The nodes are the parameters, then the steps. How large numbers and polynomials can be is told step by step.

Made ready, the steps stand in levels: what is on a level needs only lower ones and is computed at once, in any arithmetic.
Derivatives are taken backwards: the derivative of a functional by a node is the sum over the nodes that use it, each times the
derivative of that one step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from math import comb, lcm, log2
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.errors import LimitError
from algdim.exact.arithmetic import Arithmetic, Array, SingularError, add_weighted_runs, invert_number
from algdim.families.discrete.functionals import draw_functionals
from algdim.families.discrete.locals.table import convert_to_array
from algdim.families.polynomial.expressions import Formula, NamedParameter, Number, Power, Product, Quotient, Sum
from algdim.figures import format_count
from algdim.maps import Functionals
from algdim.memory import OR_PROBES, check_memory

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


def build_straight_line(parameters: Sequence[str], formulas: Iterable[Formula]) -> StraightLine:
    """Compile formulas of some parameters.

    >>> from algdim.families.polynomial.expressions import parse_formula
    >>> found = build_straight_line(["a", "b"], map(parse_formula, ["a*b", "(a*b)^2"]))
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
            self.formulas[formula] = self.make_node(formula)
        return self.formulas[formula]

    def make_node(self, formula: Formula) -> int:
        """The node of a formula that is met for the first time."""
        match formula:
            case NamedParameter(name):
                return self.number_of[name]
            case Number() | Sum():
                return self.node(self.make_weighted_sum(formula))
            case Product((Number(), *_)):
                return self.node(self.make_weighted_sum(formula))
            case Product(factors):
                return self.multiply_nodes([self.formula(factor) for factor in factors])
            case Power(base, exponent):
                return self.raise_to_power(self.formula(base), exponent)
            case Quotient(above, below):
                inverted = self.node(Step(INVERT, (self.formula(below),)))
                return inverted if isinstance(above, Number) else self.multiply_nodes([self.formula(above), inverted])
        raise TypeError(formula)

    def make_weighted_sum(self, formula: Formula) -> Step:
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

    def multiply_nodes(self, nodes: list[int]) -> int:
        """The product of nodes."""
        nodes = sorted(nodes)
        result = nodes[0]
        for node in nodes[1:]:
            result = self.node(Step(MULTIPLY, (result, node)))
        return result

    def raise_to_power(self, node: int, exponent: int) -> int:
        """A power by repeated squaring."""
        if exponent == 1:
            return node
        half = self.raise_to_power(node, exponent // 2)
        square = self.node(Step(MULTIPLY, (half, half)))
        return self.node(Step(MULTIPLY, (square, node))) if exponent % 2 else square


MOST_DEGREE = 10_000

MOST_TERMS = 1 << 17
"""Of all coordinates multiplied out, estimated from above; with more terms they are not."""


class Size(NamedTuple):
    """Bounds for a node as a quotient of polynomials with integer coefficients: degree and log₂ ‖·‖ of both.

    A polynomial has ``log_above`` for its coefficients multiplied by ``cleared``, and no ``log_below``.
    """

    degree: int
    log_above: float
    log_below: float
    is_polynomial: bool
    cleared: int = 1
    """The least known integer that makes the coefficients of a polynomial integers."""


def bound_node_sizes(line: StraightLine) -> tuple[Size, ...]:
    """The sizes of all nodes.

    >>> from algdim.families.polynomial.program import build_straight_line
    >>> from algdim.families.polynomial.expressions import parse_formula
    >>> bound_node_sizes(build_straight_line(["a"], [parse_formula("a^3/(1 + a)")]))[-1].degree
    4
    """
    sizes = [Size(1, 0.0, 0.0, True)] * line.parameters
    for step in line.steps:
        sizes.append(bound_node_size(step, [sizes[node] for node in step.uses]))
        if sizes[-1].degree > MOST_DEGREE:
            raise LimitError(f"a formula has a degree above {MOST_DEGREE}, its denominators taken together")
    return tuple(sizes)


def bound_node_size(step: Step, uses: Sequence[Size]) -> Size:
    """The size of a node from those of the nodes that it uses."""
    if step.operation == ONE:
        return Size(0, 0.0, 0.0, True)
    if step.operation == INVERT:
        (size,) = uses
        return Size(size.degree, size.log_below + log2(size.cleared), size.log_above, False)
    if step.operation == MULTIPLY:
        return bound_product_size(*uses)
    return bound_sum_size(step.coefficients, uses)


def bound_product_size(one: Size, other: Size) -> Size:
    """The size of a product of two."""
    degree, log_above = one.degree + other.degree, one.log_above + other.log_above
    if one.is_polynomial and other.is_polynomial:
        return Size(degree, log_above, 0.0, True, one.cleared * other.cleared)
    return Size(degree, log_above, sum(size.log_below + log2(size.cleared) for size in (one, other)), False)


def bound_sum_size(coefficients: Sequence[Fraction], uses: Sequence[Size]) -> Size:
    """The size of a sum with coefficients; quotients are brought to the product of their denominators."""
    pairs = list(zip(coefficients, uses, strict=True))
    cleared = lcm(1, *(value.denominator * size.cleared for value, size in pairs))
    quotients = [size for size in uses if not size.is_polynomial]
    degree = max((size.degree for size in uses if size.is_polynomial), default=0)
    if not quotients:
        logs = [
            size.log_above + log2(abs(value.numerator) * (cleared // (value.denominator * size.cleared)))
            for value, size in pairs
        ]
        return Size(degree, compute_log_sum(logs), 0.0, True, cleared)
    below = log2(cleared) + sum(size.log_below for size in quotients)
    logs = [size.log_above + log2(abs(value.numerator)) + below - size.log_below for value, size in pairs]
    return Size(degree + sum(size.degree for size in quotients), compute_log_sum(logs), below, False)


def compute_log_sum(logs: Sequence[float]) -> float:
    """log₂ of the sum of numbers given by their logarithms, at least 0.

    >>> compute_log_sum([3.0, 3.0]), compute_log_sum([-5.0])
    (4.0, 0.0)
    """
    greatest = max(logs, default=0.0)
    return max(0.0, greatest + log2(sum(2.0 ** (log - greatest) for log in logs) if logs else 1.0))


def bound_terms(size: Size, parameters: int) -> int:
    """How many terms above and below there can be; more than `MOST_TERMS` stands for more."""
    if size.degree > MOST_TERMS:
        return MOST_TERMS + 1
    few = min(parameters, size.degree)
    # the number of monomials of this degree is only computed where it is quick, and otherwise above the limit
    dense = comb(parameters + size.degree, few) if few < 20 else MOST_TERMS + 1
    logs = [size.log_above] if size.is_polynomial else [size.log_above, size.log_below]
    return sum(min(dense, int(2 ** min(log, 40)) + 1, MOST_TERMS + 1) for log in logs)


BYTES_PER_COORDINATE = 16


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """Nodes that are computed at once: sums with the terms of all, one after the other, products, reciprocals."""

    adds: NDArray[np.intp]
    terms: NDArray[np.intp]
    coefficients: Array
    starts: NDArray[np.intp]
    products: NDArray[np.intp]
    left: NDArray[np.intp]
    right: NDArray[np.intp]
    inverses: NDArray[np.intp]
    inverted: NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Backward:
    """The nodes of one level, and the uses of them, ordered by node."""

    nodes: NDArray[np.intp]
    uses: NDArray[np.intp]
    starts: NDArray[np.intp]


def list_coordinates(count: int, advice: str) -> Functionals:
    """The coordinates themselves, by their numbers: as unit vectors they would be as many numbers squared."""

    def make_vectors(arithmetic: Arithmetic, start: int, stop: int) -> list[Array]:
        del arithmetic
        return [np.arange(start, stop)]

    return Functionals(count, make_vectors, advice)


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A map that is ready to be evaluated; the coordinates are its last nodes, one each."""

    coordinates: int
    """How many coordinates there are."""
    count: int
    """How many nodes there are, the coordinates among them."""
    ones: NDArray[np.intp]
    levels: tuple[Level, ...]
    backward: tuple[Backward, ...]
    users: NDArray[np.intp]
    """For each use of a node the node that uses it; of sums the coefficient, of products the other factor."""
    coefficients: Array
    others: NDArray[np.intp]
    in_products: NDArray[np.bool_]
    in_reciprocals: NDArray[np.bool_]

    @property
    def numbers_per_functional(self) -> int:
        return 2 * self.count + len(self.users)

    @property
    def largest(self) -> int:
        return max(self.count, len(self.users))

    def all_coordinates(self, max_memory: int | None = None, advice: str = OR_PROBES) -> Functionals:
        count = self.coordinates
        check_memory(count * BYTES_PER_COORDINATE, max_memory, f"there are {format_count(count, 'coordinate')}", advice)
        return list_coordinates(count, advice)

    def random_functionals(self, count: int, prime: int, seed: int | str, *labels: int | str) -> Functionals:
        """Random linear combinations of all coordinates."""
        return draw_functionals([self.coordinates], count, prime, seed, *labels)

    def forward(self, arithmetic: Arithmetic, point: Array) -> Array:
        """The values of all nodes."""
        zero, one = (arithmetic.elements(np.array([value])) for value in (0, 1))
        values = np.empty(self.count, dtype=zero.dtype)
        values[:] = zero
        values[: len(point)] = point
        values[self.ones] = one
        for level in self.levels:
            if len(level.adds):
                terms = values[level.terms][:, None]
                values[level.adds] = add_weighted_runs(
                    arithmetic, terms, np.arange(len(terms)), arithmetic.elements(level.coefficients), level.starts
                )[:, 0]
            if len(level.products):
                values[level.products] = arithmetic.multiply(values[level.left], values[level.right])
            for node, inverted in zip(level.inverses, level.inverted, strict=True):
                if values[inverted] == 0:
                    raise SingularError("the map divides by zero at this point")
                values[node] = invert_number(arithmetic, values[inverted])[0]
        return values

    def at(self, arithmetic: Arithmetic, point: Array) -> ProgramAt:
        """Prepare for one point: the values, and the derivative of every step by what it uses."""
        values = self.forward(arithmetic, point)
        partial = arithmetic.elements(self.coefficients)
        partial[self.in_products] = values[self.others[self.in_products]]
        if self.in_reciprocals.any():
            found = values[self.users[self.in_reciprocals]]
            minus = arithmetic.elements(np.array([-1]))
            partial[self.in_reciprocals] = arithmetic.multiply(arithmetic.multiply(found, found), minus)
        return ProgramAt(self, arithmetic, values, partial)


@dataclass(frozen=True, slots=True, eq=False)
class ProgramAt:
    """A map at a point; functionals are numbers of coordinates, in one row, or weights, coordinates × functionals."""

    program: Program
    arithmetic: Arithmetic
    values_of_nodes: Array
    partial: Array = field(repr=False)

    def values(self, vectors: Sequence[Array]) -> Array:
        (weights,) = vectors
        coordinates = self.values_of_nodes[self.program.count - self.program.coordinates :]
        found: Array = (
            coordinates[weights] if weights.ndim == 1 else self.arithmetic.matmul(weights.T, coordinates[:, None])[:, 0]
        )
        return found

    def derivatives(self, vectors: Sequence[Array], into: Array) -> None:
        program, (weights,) = self.program, vectors
        total = np.empty((program.count, weights.shape[-1]), dtype=into.dtype)
        total[:] = self.arithmetic.elements(np.array([0]))
        first = program.count - program.coordinates
        if weights.ndim == 1:
            total[first + weights, np.arange(len(weights))] = self.arithmetic.elements(np.array([1]))[0]
        else:
            total[first:] = weights
        for level in program.backward:
            total[level.nodes] = add_weighted_runs(
                self.arithmetic, total, program.users[level.uses], self.partial[level.uses], level.starts
            )
        into[:] = total[: into.shape[1]].T


def build_program(line: StraightLine) -> Program:
    """Put steps into levels, forwards and backwards; on the last level every coordinate is copied to a node of its own.

    >>> from algdim.exact.arithmetic import Residues
    >>> from algdim.families.polynomial.program import build_straight_line
    >>> from algdim.families.polynomial.expressions import parse_formula
    >>> program = build_program(build_straight_line(["a", "b"], [parse_formula("(a + b)^2")]))
    >>> field = Residues(101)
    >>> int(program.forward(field, field.elements(np.array([2, 3])))[-1])
    25
    """
    parameters = line.parameters
    copies = [Step(ADD, (node,), (Fraction(1),)) for node in line.outputs]
    steps = dict(enumerate([*line.steps, *copies], parameters))
    depth = [0] * parameters
    for step in line.steps:
        depth.append(1 + max((depth[node] for node in step.uses), default=-1))
    depth += [1 + max(depth, default=0)] * len(copies)
    at_depth: dict[int, list[int]] = {}
    for node in steps:
        at_depth.setdefault(depth[node], []).append(node)
    uses = [use for node, step in steps.items() for use in list_uses(node, step)]
    return Program(
        len(copies),
        parameters + len(steps),
        make_node_array(node for node, step in steps.items() if step.operation == ONE),
        tuple(build_level({node: steps[node] for node in at_depth[level]}) for level in sorted(at_depth)),
        build_backward_levels(make_node_array(use.used for use in uses), depth),
        make_node_array(use.user for use in uses),
        convert_to_array([use.coefficient for use in uses]),
        make_node_array(use.other for use in uses),
        np.array([use.operation == MULTIPLY for use in uses], dtype=np.bool_),
        np.array([use.operation == INVERT for use in uses], dtype=np.bool_),
    )


class Use(NamedTuple):
    """A node that is used by another one: in a sum with a coefficient, in a product with the other factor."""

    operation: str
    user: int
    used: int
    coefficient: Fraction = Fraction(0)
    other: int = 0


def list_uses(user: int, step: Step) -> list[Use]:
    """The uses of nodes in one step."""
    if step.operation == ADD:
        pairs = zip(step.uses, step.coefficients, strict=True)
        return [Use(ADD, user, node, coefficient) for node, coefficient in pairs]
    if step.operation == MULTIPLY:
        left, right = step.uses
        return [Use(MULTIPLY, user, left, other=right), Use(MULTIPLY, user, right, other=left)]
    return [Use(INVERT, user, node) for node in step.uses]


def build_level(steps: Mapping[int, Step]) -> Level:
    """The steps of one level by operation."""
    # an empty sum is zero, as all values are before the first level
    sums, products, reciprocals = (
        {node: step for node, step in steps.items() if step.operation == operation and step.uses}
        for operation in (ADD, MULTIPLY, INVERT)
    )
    lengths = [len(step.uses) for step in sums.values()]
    return Level(
        make_node_array(sums),
        make_node_array(node for step in sums.values() for node in step.uses),
        convert_to_array([value for step in sums.values() for value in step.coefficients]),
        make_node_array(accumulate(lengths[:-1], initial=0) if lengths else ()),
        make_node_array(products),
        make_node_array(step.uses[0] for step in products.values()),
        make_node_array(step.uses[1] for step in products.values()),
        make_node_array(reciprocals),
        make_node_array(step.uses[0] for step in reciprocals.values()),
    )


def make_node_array(found: Iterable[int]) -> NDArray[np.intp]:
    """Numbers of nodes as an array."""
    return np.array([*found], dtype=np.intp)


def build_backward_levels(used: NDArray[np.intp], depth: Sequence[int]) -> tuple[Backward, ...]:
    """The nodes that are used, level by level from above, with their uses."""
    order = np.argsort(used, kind="stable")
    nodes, starts = np.unique(used[order], return_index=True)
    uses_of_node = np.split(order, starts[1:])
    at_depth: dict[int, list[int]] = {}
    for place, node in enumerate(nodes.tolist()):
        at_depth.setdefault(depth[node], []).append(place)
    found = []
    for level in sorted(at_depth, reverse=True):
        uses = [uses_of_node[place] for place in at_depth[level]]
        begins = make_node_array(accumulate((len(one) for one in uses[:-1]), initial=0))
        found.append(Backward(nodes[at_depth[level]], np.concatenate(uses), begins))
    return tuple(found)
