"""Kernels of the latent projection: how they are computed from the observed table, in any arithmetic.

The kernel Q[S] of a set S of observed variables is the distribution of S if all other observed variables are set: a
function of S and its parents. That of a district of an ancestral set is a product of conditional probabilities; from
Q[S] one gets by sums Q[S ∖ T], where no member of T has a child in S ∖ T, and from this by quotients the kernels of
its districts (lemma "kernels").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from algdim.models.graphs import (
    Bits,
    MixedGraph,
    collect_parents,
    find_ancestors,
    find_markov_blanket,
    iterate_positions,
)


@dataclass(frozen=True, slots=True)
class VermaKernel:
    """Q[inside], from the margin of its ancestors, or from the kernel of ``source`` by summing ``summed`` out of it."""

    inside: Bits
    source: VermaKernel | None = None
    summed: Bits = 0

    @property
    def rest(self) -> Bits:
        """What is left of the source: a union of districts, of which ``inside`` is one."""
        return self.source.inside & ~self.summed if self.source else self.inside

    def chain(self) -> tuple[VermaKernel, ...]:
        """The kernels on the way, itself last."""
        return (*(self.source.chain() if self.source else ()), self)


@dataclass(frozen=True, slots=True)
class Conditional:
    """P(vertex | given)."""

    vertex: int
    given: Bits


def iterate_conditionals(graph: MixedGraph, order: Sequence[int], district: Bits) -> Iterator[Conditional]:
    """The factors of the kernel of a district of its ancestors: each member given its Markov blanket among them."""
    ancestors = find_ancestors(graph, district)
    earlier = 0
    for vertex in order:
        if ancestors >> vertex & 1:
            earlier |= 1 << vertex
            if district >> vertex & 1:
                yield Conditional(vertex, find_markov_blanket(graph, vertex, earlier))


class KernelTable(Protocol):
    """A function of some variables: an array with an axis for each vertex of the graph, of length 1 where it is constant."""

    def __mul__(self, other: Self) -> Self:
        """The product."""

    def __truediv__(self, other: Self) -> Self:
        """The quotient."""

    def sum_over(self, over: Bits) -> Self:
        """The sum over the states of some vertices."""


T = TypeVar("T", bound=KernelTable)


def compute_factors(table: T, graph: MixedGraph, order: Sequence[int], kernel: VermaKernel) -> dict[int, T]:
    """The conditional distributions of the members of a kernel, in order; their product is the kernel."""
    everything = graph.everything
    if kernel.source is None:
        found = {}
        for one in iterate_conditionals(graph, order, kernel.inside):
            joint = table.sum_over(everything & ~one.given & ~(1 << one.vertex))
            found[one.vertex] = joint / joint.sum_over(1 << one.vertex)
        return found
    total = compute_kernel_sum(table, graph, order, kernel)
    later, found = kernel.rest, {}
    for vertex in order:
        if kernel.rest >> vertex & 1:
            later &= ~(1 << vertex)
            if kernel.inside >> vertex & 1:
                upto = total.sum_over(later)
                found[vertex] = upto / upto.sum_over(1 << vertex)
    return found


def compute_kernel_sum(table: T, graph: MixedGraph, order: Sequence[int], kernel: VermaKernel) -> T:
    """Q[rest], the sum that the kernel comes from."""
    if kernel.source is None:
        return multiply_factors(compute_factors(table, graph, order, kernel))
    return multiply_factors(compute_factors(table, graph, order, kernel.source)).sum_over(kernel.summed)


def multiply_factors(factors: dict[int, T]) -> T:
    """The product of all."""
    return reduce(lambda one, other: one * other, factors.values())


def find_varying_axes(array: NDArray[np.generic], over: Bits) -> tuple[int, ...]:
    """The axes of some vertices along which an array is not constant."""
    return tuple(axis for axis in iterate_positions(over) if array.shape[axis] > 1)


@dataclass(frozen=True, slots=True, eq=False)
class Signs:
    """Where a formula is positive, and where it is defined: where no denominator in it is zero, at inner parameters."""

    positive: NDArray[np.bool_]
    defined: NDArray[np.bool_]

    def __mul__(self, other: Self) -> Self:
        """The product; 0 times what is not defined is not defined."""
        return type(self)(self.positive & other.positive, self.defined & other.defined)

    def __truediv__(self, other: Self) -> Self:
        return type(self)(self.positive & other.positive, self.defined & other.defined & other.positive)

    def sum_over(self, over: Bits) -> Self:
        """The sum, of numbers none of which is negative."""
        positive = np.logical_or.reduce(self.positive, find_varying_axes(self.positive, over), keepdims=True)
        defined = np.logical_and.reduce(self.defined, find_varying_axes(self.defined, over), keepdims=True)
        return type(self)(np.asarray(positive), np.asarray(defined))


@dataclass(frozen=True, slots=True, eq=False)
class Tangents:
    """Numbers modulo a prime below 2³¹ with their derivatives along some directions, in a last axis."""

    value: NDArray[np.int64]
    along: NDArray[np.int64]
    prime: int

    def __mul__(self, other: Self) -> Self:
        along = (self.value[..., None] * other.along + other.value[..., None] * self.along % self.prime) % self.prime
        return type(self)(self.value * other.value % self.prime, along, self.prime)

    def __truediv__(self, other: Self) -> Self:
        """The quotient; a denominator that is 0 raises."""
        if not other.value.all():
            raise ZeroDivisionError("a denominator is 0 modulo the prime")
        inverse = compute_powers(other.value, self.prime - 2, self.prime)
        value = self.value * inverse % self.prime
        along = (self.along - value[..., None] * other.along % self.prime) % self.prime
        return type(self)(value, along * inverse[..., None] % self.prime, self.prime)

    def sum_over(self, over: Bits) -> Self:
        value = self.value.sum(find_varying_axes(self.value, over), keepdims=True) % self.prime
        wide = tuple(axis for axis in iterate_positions(over) if self.along.shape[axis] > 1)
        return type(self)(value, self.along.sum(wide, keepdims=True) % self.prime, self.prime)


def compute_powers(base: NDArray[np.int64], exponent: int, prime: int) -> NDArray[np.int64]:
    """The powers of numbers modulo a prime below 2³¹.

    >>> compute_powers(np.array([3, 5]), 5, 7).tolist()
    [5, 3]
    """
    result = np.ones_like(base)
    while exponent:
        if exponent & 1:
            result = result * base % prime
        base = base * base % prime
        exponent >>= 1
    return result


@dataclass(frozen=True, slots=True)
class Verma:
    """An equation: of the kernel ``source``, ``summed`` is summed out; the result does not depend on ``independent_of``.

    With ``vertex`` it is the distribution of this member given the others that does not.
    """

    graph: MixedGraph
    order: tuple[int, ...]
    source: VermaKernel
    summed: Bits
    vertex: int | None
    independent_of: Bits

    @property
    def rest(self) -> Bits:
        """The members that are left."""
        return self.source.inside & ~self.summed

    @property
    def root(self) -> Bits:
        """The district of its ancestors that the computation begins with."""
        return self.source.chain()[0].inside

    @property
    def variables(self) -> Bits:
        """All variables that occur in the formula."""
        return self.root | collect_parents(self.graph, self.root)

    @property
    def arguments(self) -> Bits:
        """The variables that the formula is a function of, as it is computed, without those that it does not depend on."""
        gone = reduce(lambda found, kernel: found | kernel.summed, self.source.chain(), self.summed)
        return self.variables & ~gone & ~self.independent_of

    def value_at(self, table: T) -> T:
        """The formula."""
        total = multiply_factors(compute_factors(table, self.graph, self.order, self.source)).sum_over(self.summed)
        return total if self.vertex is None else total / total.sum_over(1 << self.vertex)

    def within(self, inside: Bits) -> Verma:
        """The same on the graph of an ancestral set, the vertices numbered anew."""
        order = tuple(convert_mask(1 << v, inside).bit_length() - 1 for v in self.order if inside >> v & 1)
        vertex = None if self.vertex is None else convert_mask(1 << self.vertex, inside).bit_length() - 1
        return Verma(
            build_subgraph(self.graph, inside),
            order,
            convert_kernel(self.source, inside),
            convert_mask(self.summed, inside),
            vertex,
            convert_mask(self.independent_of, inside),
        )


def convert_mask(mask: Bits, inside: Bits) -> Bits:
    """A subset of a set as a bit mask over the members of the set.

    >>> bin(convert_mask(0b10010, 0b11010))
    '0b101'
    """
    return sum(1 << place for place, vertex in enumerate(iterate_positions(inside)) if mask >> vertex & 1)


def convert_kernel(kernel: VermaKernel, inside: Bits) -> VermaKernel:
    """A kernel of the graph on a set."""
    source = convert_kernel(kernel.source, inside) if kernel.source else None
    return VermaKernel(convert_mask(kernel.inside, inside), source, convert_mask(kernel.summed, inside))


def build_subgraph(graph: MixedGraph, inside: Bits) -> MixedGraph:
    """The graph on a set, its vertices numbered anew."""
    members = list(iterate_positions(inside))
    return MixedGraph(
        tuple(graph.names[v] for v in members),
        tuple(convert_mask(graph.parents[v], inside) for v in members),
        tuple(convert_mask(graph.siblings[v], inside) for v in members),
    )
