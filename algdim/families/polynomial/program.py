"""A straight-line program made ready: run and differentiated at points, in any arithmetic.

The steps are put into levels: what is on a level needs only lower ones and is computed at once. Derivatives are taken
backwards: the derivative of a functional by a node is the sum over the nodes that use it, each times the derivative of
that one step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Arithmetic, Array, SingularError, reciprocal, weighted_sums
from algdim.families.discrete.functionals import Functionals, drawn, unit_vectors
from algdim.families.discrete.locals.table import numbers
from algdim.families.polynomial.steps import ADD, INVERT, MULTIPLY, ONE, Step, StraightLine
from algdim.figures import counted
from algdim.memory import OR_PROBES, check_memory

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


@dataclass(frozen=True, slots=True, eq=False)
class AllCoordinates:
    """The coordinates themselves."""

    count: int
    advice: str

    def vectors(self, arithmetic: Arithmetic, start: int, stop: int) -> list[Array]:
        """Unit vectors, coordinates × functionals."""
        return [arithmetic.elements(unit_vectors(self.count, np.arange(start, stop)))]


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
        """How many numbers are held for one functional."""
        return 2 * self.count + len(self.users)

    @property
    def largest(self) -> int:
        """The size of the largest array on the way, per functional."""
        return max(self.count, len(self.users))

    def all_coordinates(self, max_memory: int | None = None, advice: str = OR_PROBES) -> Functionals:
        """Every coordinate."""
        count = self.coordinates
        check_memory(count * BYTES_PER_COORDINATE, max_memory, f"there are {counted(count, 'coordinate')}", advice)
        return AllCoordinates(count, advice)

    def random_functionals(self, count: int, prime: int, seed: int | str, *labels: int | str) -> Functionals:
        """Random linear combinations of all coordinates."""
        return drawn([self.coordinates], count, prime, seed, *labels)

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
        partial[self.in_products] = values[self.others[self.in_products]]
        if self.in_reciprocals.any():
            found = values[self.users[self.in_reciprocals]]
            minus = arithmetic.elements(np.array([-1]))
            partial[self.in_reciprocals] = arithmetic.multiply(arithmetic.multiply(found, found), minus)
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
                self.arithmetic, total, program.users[level.uses], self.partial[level.uses], level.starts
            )
        into[:] = total[: into.shape[1]].T


def program_of(line: StraightLine) -> Program:
    """Put steps into levels, forwards and backwards; on the last level every coordinate is copied to a node of its own.

    >>> from algdim.exact.arithmetic import Residues
    >>> from algdim.families.polynomial.steps import straight_line
    >>> from algdim.families.polynomial.expressions import formula_from_text
    >>> program = program_of(straight_line(["a", "b"], [formula_from_text("(a + b)^2")]))
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
    uses = [use for node, step in steps.items() for use in uses_of(node, step)]
    return Program(
        len(copies),
        parameters + len(steps),
        places(node for node, step in steps.items() if step.operation == ONE),
        tuple(level_of({node: steps[node] for node in at_depth[level]}) for level in sorted(at_depth)),
        backward_of(places(use.used for use in uses), depth),
        places(use.user for use in uses),
        numbers([use.coefficient for use in uses]),
        places(use.other for use in uses),
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


def uses_of(user: int, step: Step) -> list[Use]:
    """The uses of nodes in one step."""
    if step.operation == ADD:
        pairs = zip(step.uses, step.coefficients, strict=True)
        return [Use(ADD, user, node, coefficient) for node, coefficient in pairs]
    if step.operation == MULTIPLY:
        left, right = step.uses
        return [Use(MULTIPLY, user, left, other=right), Use(MULTIPLY, user, right, other=left)]
    return [Use(INVERT, user, node) for node in step.uses]


def level_of(steps: Mapping[int, Step]) -> Level:
    """The steps of one level by operation."""
    # an empty sum is zero, as all values are before the first level
    sums, products, reciprocals = (
        {node: step for node, step in steps.items() if step.operation == operation and step.uses}
        for operation in (ADD, MULTIPLY, INVERT)
    )
    lengths = [len(step.uses) for step in sums.values()]
    return Level(
        places(sums),
        places(node for step in sums.values() for node in step.uses),
        numbers([value for step in sums.values() for value in step.coefficients]),
        places(accumulate(lengths[:-1], initial=0) if lengths else ()),
        places(products),
        places(step.uses[0] for step in products.values()),
        places(step.uses[1] for step in products.values()),
        places(reciprocals),
        places(step.uses[0] for step in reciprocals.values()),
    )


def places(found: Iterable[int]) -> NDArray[np.intp]:
    """Numbers of nodes as an array."""
    return np.array([*found], dtype=np.intp)


def backward_of(used: NDArray[np.intp], depth: Sequence[int]) -> tuple[Backward, ...]:
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
        begins = places(accumulate((len(one) for one in uses[:-1]), initial=0))
        found.append(Backward(nodes[at_depth[level]], np.concatenate(uses), begins))
    return tuple(found)
