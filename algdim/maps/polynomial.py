"""The user's own map: formulas compiled to one straight-line program, run and differentiated in any arithmetic.

Equal subexpressions are computed once. The program has sums, products of two and reciprocals, in levels: what is on a level
needs only lower ones and is computed at once. Derivatives are taken backwards: the derivative of a functional by a node is
the sum over the nodes that use it, each times the derivative of that one step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import comb, lcm, log2
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.errors import LimitError
from algdim.exact.arithmetic import RESIDUE_BITS, Arithmetic, Array, Residues, weighted_sums
from algdim.exact.draws import residues, stream
from algdim.exact.inverses import SingularError, reciprocal
from algdim.exact.polynomials import polynomials
from algdim.exact.primes import count_primes, draw_prime
from algdim.exact.ranks import rank_mod, rank_rational
from algdim.figures import counted
from algdim.maps.functionals import Functionals
from algdim.memory import ALLOW_MORE, OR_PROBES, check_memory
from algdim.models.expressions import Formula, Number, Parameter, Power, Product, Quotient, Sum
from algdim.models.polynomial import Polynomial

MOST_DEGREE = 10_000
MOST_STEPS = 1_000_000

MOST_TERMS = 1 << 17
"""Of all coordinates multiplied out, estimated from above; with more terms they are not."""

MOST_EXPONENTS = 1 << 25
"""Of all terms; each has one for every parameter."""

MOST_PRODUCTS = 20_000_000
"""Of terms, for the rows D·∂N − N·∂D of quotients."""

MOST_ENTRIES = 1_000_000
"""Of a matrix of coefficients of which the rank is taken over ℚ."""

BYTES_PER_COORDINATE = 16

SPARE_POINTS = 4

MOST_EVALUATED = 3000
"""With more coordinates no rank of their values is taken."""

ADD, MULTIPLY, INVERT, ONE = "add", "multiply", "invert", "one"


class Step(NamedTuple):
    """What a node is made of: an operation, the nodes that it uses, and for sums their coefficients."""

    operation: str
    uses: tuple[int, ...]
    coefficients: tuple[Fraction, ...] = ()


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
            case Parameter(name):
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


@dataclass(frozen=True, eq=False)
class PolynomialMap:
    """The parameters and coordinates of the user's map; nodes are the parameters, then the steps, then the coordinates."""

    model: Polynomial
    steps: tuple[Step, ...]
    sizes: tuple[Size, ...]
    """Of all nodes."""
    outputs: tuple[int, ...]
    """The nodes of the coordinates."""

    kept: ClassVar[None] = None
    given: ClassVar[tuple[int, ...]] = ()
    coordinates_are: ClassVar[str] = "coordinates"
    functional_degree: ClassVar[int] = 1

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return self.model.parameters

    @property
    def coordinate_count(self) -> int:
        """The number of coordinates."""
        return len(self.outputs)

    def coordinates(self) -> list[str]:
        """The names of the coordinates."""
        return [coordinate.name for coordinate in self.model.coordinates]

    @property
    def is_polynomial(self) -> bool:
        """Whether nothing is divided by but numbers."""
        return all(step.operation != INVERT for step in self.steps)

    def denominators(self) -> list[int]:
        """The denominators of the coefficients."""
        return [value.denominator for step in self.steps for value in step.coefficients]

    def degree_and_log_size(self) -> tuple[int, float]:
        """The degree and log₂ size of the coordinates; with quotients what lemma "chance" takes in their places.

        For N/D the rows D·∂N − N·∂D have entries of degree at most 2δ − 1, and ‖·‖ at most 2δ ‖N‖ ‖D‖ in sum.
        """
        sizes = [self.sizes[node] for node in self.outputs]
        degree = max(size.degree for size in sizes)
        log_size = max(size.log_above + size.log_below for size in sizes)
        return (degree, log_size) if self.is_polynomial else (2 * degree, log_size)

    def share_with_value(self, choices: int) -> float:
        """At least this share of primes and points have a value: nothing that is divided by vanishes there.

        Each of these is a quotient of polynomials. If that above is not zero modulo the prime it vanishes at a share of at
        most degree / choices of the points; and it is zero modulo at most log₂‖·‖ / (b − 1) primes of b bits.
        """
        bits = max(3, choices.bit_length())
        unused = sum(log2(denominator) for denominator in frozenset(self.denominators())) / (bits - 1)
        primes, lost = count_primes(bits) - unused, 0.0
        if primes <= 0:
            return 0.0
        for step in self.steps:
            if step.operation == INVERT:
                size = self.sizes[step.uses[0]]
                lost += size.degree / choices + size.log_above / ((bits - 1) * primes)
        return max(0.0, 1 - lost)

    @property
    def terms(self) -> int:
        """At most so many terms do the coordinates have, multiplied out; more than `MOST_TERMS` if they are not to be."""
        width = len(self.parameters)
        count = sum(term_bound(self.sizes[node], width) for node in self.outputs)
        return count if count * width <= MOST_EXPONENTS else MOST_TERMS + 1

    @cached_property
    def hull(self) -> tuple[int, str]:
        """The dimension of the affine hull of the coordinates, and why it is not proved; empty if it is.

        It is the rank of the coordinates multiplied out, over a common denominator; if there are too many terms, of their
        values at random points, which is a lower bound, and proved if it is the number of coordinates.
        """
        count = self.coordinate_count
        found = coefficient_rank(expanded(self)) if self.terms <= MOST_TERMS else None
        if found is not None:
            return found, ""
        too_large = "the coordinates have too many terms to be multiplied out"
        if count > MOST_EVALUATED:
            return count, f"complete is the number of coordinates: {too_large}"
        value = value_rank(self)
        return value, "" if value == count else f"complete is a rank at random points: {too_large}"

    @property
    def complete(self) -> int:
        """The dimension of the affine hull of the coordinates."""
        return self.hull[0]


def term_bound(size: Size, parameters: int) -> int:
    """How many terms above and below there can be; more than `MOST_TERMS` stands for more."""
    if size.degree > MOST_TERMS:
        return MOST_TERMS + 1
    dense = (
        comb(parameters + size.degree, min(parameters, size.degree))
        if min(parameters, size.degree) < 20
        else MOST_TERMS + 1
    )
    logs = [size.log_above] if size.is_polynomial else [size.log_above, size.log_below]
    return sum(min(dense, int(2 ** min(log, 40)) + 1, MOST_TERMS + 1) for log in logs)


def polynomial_map(model: Polynomial) -> PolynomialMap:
    """Compile the formulas of a model.

    >>> from algdim.models.notation import parse
    >>> pmap = polynomial_map(parse("polynomial: parameters a, b; coordinates a*b, (a*b)^2, 3*a*b - 1"))
    >>> len(pmap.steps), pmap.complete
    (4, 2)
    """
    compiler = Compiler(model.parameters)
    outputs = tuple(compiler.formula(coordinate.formula) for coordinate in model.coordinates)
    sizes = [Size(1, 0.0, 0.0, True)] * len(model.parameters)
    for step in compiler.steps:
        sizes.append(size_of(step, [sizes[node] for node in step.uses]))
        if sizes[-1].degree > MOST_DEGREE:
            raise LimitError(f"a formula has a degree above {MOST_DEGREE}, its denominators taken together")
    return PolynomialMap(model, tuple(compiler.steps), tuple(sizes), outputs)


def size_of(step: Step, uses: Sequence[Size]) -> Size:
    """The size of a node from those of the nodes that it uses."""
    if step.operation == ONE:
        return Size(0, 0.0, 0.0, True)
    if step.operation == INVERT:
        (size,) = uses
        return Size(size.degree, size.log_below + log2(size.cleared), size.log_above, False)
    if step.operation == MULTIPLY:
        one, other = uses
        degree = one.degree + other.degree
        if one.is_polynomial and other.is_polynomial:
            return Size(degree, one.log_above + other.log_above, 0.0, True, one.cleared * other.cleared)
        below = sum(size.log_below + log2(size.cleared) for size in uses)
        return Size(degree, one.log_above + other.log_above, below, False)
    cleared = lcm(1, *(value.denominator * size.cleared for value, size in zip(step.coefficients, uses, strict=True)))
    if all(size.is_polynomial for size in uses):
        logs = [
            size.log_above + log2(abs(value.numerator) * (cleared // (value.denominator * size.cleared)))
            for value, size in zip(step.coefficients, uses, strict=True)
        ]
        return Size(max((size.degree for size in uses), default=0), log_of_sum(logs), 0.0, True, cleared)
    quotients = [size for size in uses if not size.is_polynomial]
    below = log2(cleared) + sum(size.log_below for size in quotients)
    logs = [
        size.log_above + log2(abs(value.numerator)) + below - size.log_below
        for value, size in zip(step.coefficients, uses, strict=True)
    ]
    degree = sum(size.degree for size in quotients) + max(
        (size.degree for size in uses if size.is_polynomial), default=0
    )
    return Size(degree, log_of_sum(logs), below, False)


def log_of_sum(logs: Sequence[float]) -> float:
    """log₂ of the sum of numbers given by their logarithms, at least 0."""
    greatest = max(logs, default=0.0)
    return max(0.0, greatest + log2(sum(2.0 ** (log - greatest) for log in logs) if logs else 1.0))


Pair = tuple[Any, Any]
"""A polynomial and what it is divided by."""


def expanded(pmap: PolynomialMap) -> list[Pair]:
    """The coordinates multiplied out, as pairs of FLINT's polynomials."""
    arithmetic, variables = polynomials(len(pmap.parameters))
    one = arithmetic.convert(Fraction(1))
    nodes: list[Pair] = [(variable, one) for variable in variables]
    for step in pmap.steps:
        nodes.append(expanded_step(step, [nodes[node] for node in step.uses], one, arithmetic.convert))
    return [nodes[node] for node in pmap.outputs]


def expanded_step(step: Step, uses: Sequence[Pair], one: Any, convert: Any) -> Pair:
    """One step multiplied out."""
    if step.operation == ONE:
        return one, one
    if step.operation == INVERT:
        return uses[0][1], uses[0][0]
    if step.operation == MULTIPLY:
        return lowest(uses[0][0] * uses[1][0], uses[0][1] * uses[1][1], one)
    above, below = convert(Fraction(0)), one
    for coefficient, (upper, lower) in zip(step.coefficients, uses, strict=True):
        factor = convert(coefficient)
        if lower == below:
            above = above + factor * upper
        else:
            above, below = lowest(above * lower + factor * upper * below, below * lower, one)
    return above, below


def lowest(above: Any, below: Any, one: Any) -> Pair:
    """A quotient in lowest terms."""
    if below == one:
        return above, below
    common = above.gcd(below)
    return (above, below) if common == one else (above / common, below / common)


def polynomial_jacobian(pmap: PolynomialMap) -> list[list[Any]]:
    """The Jacobian multiplied out; the row of a quotient N/D is multiplied by D², which leaves D·∂N − N·∂D."""
    if pmap.terms > MOST_TERMS:
        raise LimitError(
            f"multiplied out, the coordinates may have more than {MOST_TERMS} terms; take a method with numbers"
        )
    columns, pairs = range(len(pmap.parameters)), expanded(pmap)
    work = sum(len(above) * len(below) for above, below in pairs) * len(columns)
    if work > MOST_PRODUCTS:
        raise LimitError(
            f"multiplied out, the Jacobian needs {work} products of terms; at most {MOST_PRODUCTS} are allowed; "
            "take a method with numbers"
        )
    return [
        [above.derivative(column) * below - above * below.derivative(column) for column in columns]
        for above, below in pairs
    ]


def coefficient_rank(pairs: Sequence[Pair]) -> int | None:
    """The dimension of the affine hull: the rank of the polynomials over a common denominator, and of this, less one.

    ``None`` if the matrix of coefficients is too large.
    """
    common = pairs[0][1]
    for _, below in pairs[1:]:
        if below != common:
            common = common * below / common.gcd(below)
    rows = [dict((above * (common / below)).to_dict()) for above, below in pairs]
    rows.append(dict(common.to_dict()))
    rank, rest = peeled(rows)
    columns = {monomial: place for place, monomial in enumerate(dict.fromkeys(key for row in rest for key in row))}
    if len(rest) * len(columns) > MOST_ENTRIES:
        return None
    matrix = [[Fraction(0)] * len(columns) for _ in rest]
    for dense, row in zip(matrix, rest, strict=True):
        for monomial, value in row.items():
            dense[columns[monomial]] = Fraction(int(value.p), int(value.q))
    return rank + (rank_rational(matrix).value if columns else 0) - 1


def peeled(rows: Sequence[dict[Any, Any]]) -> tuple[int, list[dict[Any, Any]]]:
    """Take out rows with a monomial of their own, as long as there are any: how many, and the others."""
    users: dict[Any, set[int]] = {}
    for number, row in enumerate(rows):
        for monomial in row:
            users.setdefault(monomial, set()).add(number)
    alive = set(range(len(rows)))
    waiting = [monomial for monomial, numbers in users.items() if len(numbers) == 1]
    taken = 0
    while waiting:
        numbers = users[waiting.pop()]
        if len(numbers) != 1:
            continue
        (number,) = numbers
        taken += 1
        alive.discard(number)
        for monomial in rows[number]:
            users[monomial].discard(number)
            if len(users[monomial]) == 1:
                waiting.append(monomial)
    return taken, [rows[number] for number in sorted(alive) if rows[number]]


def value_rank(pmap: PolynomialMap) -> int:
    """The rank of the values of the coordinates and of 1 at random points modulo a prime, less one."""
    prime = draw_prime(stream(0, "hull", "prime"), RESIDUE_BITS)
    program, arithmetic = program_of(pmap), Residues(prime)
    count = pmap.coordinate_count + 1 + SPARE_POINTS
    rows: list[Array] = []
    for number in range(2 * count):
        if len(rows) == count:
            break
        point = arithmetic.elements(residues(stream(0, "hull", number), prime, len(pmap.parameters)))
        try:
            values = program.forward(arithmetic, point)
        except SingularError:
            continue
        one = arithmetic.elements(np.ones(1, dtype=np.int64))
        rows.append(np.concatenate([values[len(values) - pmap.coordinate_count :], one]))
    return rank_mod(np.stack(rows), prime).value - 1 if rows else 0


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """Nodes that are computed at once."""

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
    edges: NDArray[np.intp]
    starts: NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class SomeCoordinates:
    """The coordinates themselves, or random linear combinations of them with the numbers given, combinations × coordinates."""

    width: int
    count: int
    numbers: Array | None = None
    advice: str = ALLOW_MORE

    def vectors(self, arithmetic: Arithmetic, start: int, stop: int) -> list[Array]:
        """The coefficients, coordinates × combinations."""
        if self.numbers is not None:
            return [arithmetic.elements(np.ascontiguousarray(self.numbers[start:stop].T))]
        return [arithmetic.elements(np.equal.outer(np.arange(self.width), np.arange(start, stop)).astype(np.int64))]


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A map that is ready to be evaluated; the coordinates are its last nodes, one each."""

    pmap: PolynomialMap
    count: int
    ones: NDArray[np.intp]
    levels: tuple[Level, ...]
    backward: tuple[Backward, ...]
    user: NDArray[np.intp]
    """For each use of a node: the node that uses it, the node itself, and of products the other factor."""
    used: NDArray[np.intp]
    other: NDArray[np.intp]
    coefficients: Array
    kinds: NDArray[np.int8]
    """Whether the use is in a sum (0), a product (1) or a reciprocal (2)."""

    @property
    def numbers_per_functional(self) -> int:
        """How many numbers are held for one functional."""
        return 2 * self.count + len(self.user)

    @property
    def largest(self) -> int:
        """The size of the largest array on the way, per functional."""
        return max(self.count, len(self.user))

    def all_coordinates(self, max_memory: int | None = None, advice: str = OR_PROBES) -> Functionals:
        """Every coordinate."""
        count = self.pmap.coordinate_count
        check_memory(count * BYTES_PER_COORDINATE, max_memory, f"there are {counted(count, 'coordinate')}", advice)
        return SomeCoordinates(count, count, advice=advice)

    def random_functionals(self, count: int, prime: int, seed: int | str, *labels: int | str) -> Functionals:
        """Random linear combinations of all coordinates."""
        width = self.pmap.coordinate_count
        numbers = residues(stream(seed, "probes", *labels), prime, count * width).reshape(count, width)
        return SomeCoordinates(width, count, numbers)

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
                values[level.adds] = weighted_sums(
                    arithmetic, terms, np.arange(len(terms)), arithmetic.elements(level.coefficients), level.starts
                )[:, 0]
            if len(level.products):
                values[level.products] = arithmetic.multiply(values[level.left], values[level.right])
            for node, inverted in zip(level.inverses, level.inverted, strict=True):
                if values[inverted] == 0:
                    raise SingularError("the map divides by zero at this point")
                values[node] = reciprocal(arithmetic, values[inverted])[0]
        return values

    def at(self, arithmetic: Arithmetic, point: Array) -> ProgramAt:
        """Prepare for one point: the values, and the derivative of every step by what it uses."""
        values = self.forward(arithmetic, point)
        partial = arithmetic.elements(self.coefficients)
        product, inverse = self.kinds == 1, self.kinds == 2
        partial[product] = values[self.other[product]]
        if inverse.any():
            found = values[self.user[inverse]]
            minus = arithmetic.elements(np.array([-1]))
            partial[inverse] = arithmetic.multiply(arithmetic.multiply(found, found), minus)
        return ProgramAt(self, arithmetic, values, partial)


@dataclass(frozen=True, slots=True, eq=False)
class ProgramAt:
    """A map at a point."""

    program: Program
    arithmetic: Arithmetic
    values_of_nodes: Array
    partial: Array = field(repr=False)

    def values(self, vectors: Sequence[Array]) -> Array:
        """The values of a batch of functionals."""
        coordinates = self.values_of_nodes[len(self.values_of_nodes) - len(vectors[0]) :]
        found: Array = self.arithmetic.matmul(vectors[0].T, coordinates[:, None])[:, 0]
        return found

    def derivatives(self, vectors: Sequence[Array], into: Array) -> None:
        """Write the derivatives of a batch of functionals into the rows of a matrix of zeros."""
        program, (weights,) = self.program, vectors
        total = np.empty((program.count, weights.shape[1]), dtype=into.dtype)
        total[:] = self.arithmetic.elements(np.array([0]))
        total[program.count - len(weights) :] = weights
        for level in program.backward:
            total[level.nodes] = weighted_sums(
                self.arithmetic, total, program.user[level.edges], self.partial[level.edges], level.starts
            )
        into[:] = total[: into.shape[1]].T


def program_of(pmap: PolynomialMap) -> Program:
    """Put the steps of a map into levels, forwards and backwards."""
    parameters = len(pmap.parameters)
    copies = [Step(ADD, (node,), (Fraction(1),)) for node in pmap.outputs]
    steps = [*pmap.steps, *copies]
    depth = [0] * parameters
    for step in pmap.steps:
        depth.append(1 + max((depth[node] for node in step.uses), default=-1))
    depth += [1 + max(depth, default=0)] * len(copies)
    at_depth: dict[int, list[int]] = {}
    edges: list[tuple[int, int, int, Fraction, int]] = []
    for number, step in enumerate(steps, parameters):
        at_depth.setdefault(depth[number], []).append(number)
        edges.extend(uses_of(number, step))
    levels = tuple(level_of(at_depth[level], steps, parameters) for level in sorted(at_depth))
    ones = np.array([n for n, step in enumerate(steps, parameters) if step.operation == ONE], dtype=np.intp)
    used = np.array([edge[1] for edge in edges], dtype=np.intp)
    return Program(
        pmap,
        parameters + len(steps),
        ones,
        levels,
        backward_of(used, depth),
        np.array([edge[0] for edge in edges], dtype=np.intp),
        used,
        np.array([edge[2] for edge in edges], dtype=np.intp),
        numbers([edge[3] for edge in edges]),
        np.array([edge[4] for edge in edges], dtype=np.int8),
    )


def uses_of(number: int, step: Step) -> list[tuple[int, int, int, Fraction, int]]:
    """The uses of nodes in one step: user, node used, the other factor, coefficient, kind."""
    nothing = Fraction(0)
    if step.operation == ADD:
        return [(number, node, 0, value, 0) for node, value in zip(step.uses, step.coefficients, strict=True)]
    if step.operation == MULTIPLY:
        left, right = step.uses
        return [(number, left, right, nothing, 1), (number, right, left, nothing, 1)]
    return [(number, node, 0, nothing, 2) for node in step.uses]


def level_of(nodes: Sequence[int], steps: Sequence[Step], parameters: int) -> Level:
    """The nodes of one level by operation."""
    kinds: dict[str, list[int]] = {ADD: [], MULTIPLY: [], INVERT: [], ONE: []}
    for node in nodes:
        step = steps[node - parameters]
        if step.uses:  # an empty sum is zero
            kinds[step.operation].append(node)
    adds = [steps[node - parameters] for node in kinds[ADD]]
    products = [steps[node - parameters].uses for node in kinds[MULTIPLY]]

    def places(found: Sequence[int]) -> NDArray[np.intp]:
        return np.array(found, dtype=np.intp)

    return Level(
        places(kinds[ADD]),
        places([node for step in adds for node in step.uses]),
        numbers([value for step in adds for value in step.coefficients]),
        places([0, *np.cumsum([len(step.uses) for step in adds]).tolist()][: len(adds)]),
        places(kinds[MULTIPLY]),
        places([left for left, _ in products]),
        places([right for _, right in products]),
        places(kinds[INVERT]),
        places([steps[node - parameters].uses[0] for node in kinds[INVERT]]),
    )


def backward_of(used: NDArray[np.intp], depth: Sequence[int]) -> tuple[Backward, ...]:
    """The nodes that are used, level by level from above, with their uses."""
    order = np.argsort(used, kind="stable")
    nodes, starts = np.unique(used[order], return_index=True)
    stops = np.append(starts[1:], len(order))
    by_depth: dict[int, list[int]] = {}
    for place, node in enumerate(nodes.tolist()):
        by_depth.setdefault(depth[node], []).append(place)
    found = []
    for level in sorted(by_depth, reverse=True):
        places = by_depth[level]
        lengths = [int(stops[place] - starts[place]) for place in places]
        found.append(
            Backward(
                nodes[places],
                np.concatenate([order[starts[place] : stops[place]] for place in places]),
                np.array([0, *np.cumsum(lengths).tolist()][:-1], dtype=np.intp),
            )
        )
    return tuple(found)


def numbers(values: Sequence[Fraction]) -> Array:
    """Exact numbers as an array: int64 where they fit."""
    if all(value.denominator == 1 and abs(value.numerator) < 1 << 62 for value in values):
        return np.array([int(value) for value in values], dtype=np.int64)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
