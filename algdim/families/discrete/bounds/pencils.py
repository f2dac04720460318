"""Determinants of pencils of matrices that a condition changes by factors alone (lemma "pencils" in proofs/lemmas.md).

Let G separate A, and H separate B, from all else, all four with n joint states. For every state y the table of A and B is a
square matrix, U·K(y)·Vᵀ with the tables of A given G and of B given H as U and V. Where a condition D has to do with U and V but
not with K, det Σ z(y) T(y), a form of degree n in z, is the same for all states of D up to a factor.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb, factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Array, Residues
from algdim.families.discrete.bounds.equations import Blocks, Matrix
from algdim.families.discrete.bounds.flattenings import Separators, format_blocks
from algdim.families.discrete.bounds.search import TableAtPoint
from algdim.models.graphs import Bits, iterate_positions

MOST_STATES = 4
"""Of the hidden variable on each side."""
MOST_TERMS = 1000
"""Products of which the determinants of one pencil are sums."""

Term = tuple[int, tuple[int, ...], tuple[int, ...], int]
"""A sign, the column for each row, the matrix for each row, the number of the monomial."""


@dataclass(frozen=True, slots=True)
class Pencil:
    """Blocks A, B, Y and D for all states of what else is conditioned on; the hidden variables G and H."""

    blocks: Blocks
    hidden: tuple[str, str]

    def matrices(self, table: TableAtPoint) -> Iterator[tuple[tuple[int, ...], Matrix]]:
        """One for each state of C at which some determinant is not zero."""
        for state in self.blocks.conditions:
            inner = np.remainder(self.blocks.join_blocks(table.table, state, table.field), table.prime)
            matrix = PencilMatrix(self, state, inner.astype(np.int64), table.field)
            if matrix.values.any():
                yield state, matrix

    def make_evidence(self, names: Sequence[str]) -> dict[str, Any]:
        """The sets."""
        *blocks, more = ([names[axis] for axis in block] for block in self.blocks.blocks)
        given = [names[axis] for axis in self.blocks.fixed]
        return {"type": "pencil", "blocks": blocks, "C": given, "D": more, "G": [self.hidden[0]], "H": [self.hidden[1]]}

    def text(self, names: Sequence[str]) -> str:
        """The sets."""
        return f"determinants of pencils {format_blocks(self.blocks, names)}"


@dataclass(frozen=True)
class PencilMatrix:
    """The coefficients, one row for each state of D; ``inner`` has the axes A, B, Y and D."""

    pencil: Pencil
    state: tuple[int, ...]
    inner: NDArray[np.int64]
    field: Residues
    rank = 1

    @cached_property
    def values(self) -> Array:
        prime, (size, _, letters, rows) = self.field.prime, self.inner.shape
        found = np.zeros((rows, comb(size + letters - 1, size)), dtype=np.int64)
        for term in list_terms(size, letters):
            found[:, term[3]] += term[0] * self.multiply(term, -1)
        return self.field.elements(found % prime)

    def multiply(self, term: Term, left_out: int) -> NDArray[np.int64]:
        """The product of a term without its sign and without one of its factors, for each state of D."""
        _, columns, places, _ = term
        result = np.ones(self.inner.shape[3], dtype=np.int64)
        for row, (column, place) in enumerate(zip(columns, places, strict=True)):
            if row != left_out:
                result = result * self.inner[row, column, place] % self.field.prime
        return result

    def pulled_back(self, left: Array, right: Array) -> Array:
        """The derivatives at the point of the ℓᵀMr."""
        prime, (size, _, letters, _) = self.field.prime, self.inner.shape
        lefts, rights = (np.remainder(side, prime).astype(np.int64) for side in (left, right))
        gradients = np.zeros((len(lefts), *self.inner.shape), dtype=np.int64)
        for term in list_terms(size, letters):
            sign, columns, places, number = term
            weights = sign * lefts * rights[:, number, None] % prime
            for row, (column, place) in enumerate(zip(columns, places, strict=True)):
                gradients[:, row, column, place] += weights * self.multiply(term, row) % prime
        return self.pencil.blocks.pulled_back(self.field.elements(gradients % prime), self.state)


@lru_cache(1 << 6)
def list_terms(size: int, letters: int) -> list[Term]:
    """The terms of det Σ z(y) T(y).

    >>> list_terms(2, 1)
    [(1, (0, 1), (0, 0), 0), (-1, (1, 0), (0, 0), 0)]
    """
    monomials = {one: number for number, one in enumerate(combinations_with_replacement(range(letters), size))}
    signs = {
        columns: (-1) ** sum(one > other for one, other in combinations(columns, 2))
        for columns in permutations(range(size))
    }
    return [
        (sign, columns, places, monomials[tuple(sorted(places))])
        for columns, sign in signs.items()
        for places in product(range(letters), repeat=size)
    ]


def iterate_pencils(separators: Separators) -> Iterator[Pencil]:
    """The pencils of two hidden variables with a common observed child, given observed parents of what is around them."""
    model, graph = separators.setting.pmap.model, separators.graph
    number = {variable.name: index for index, variable in enumerate(model.variables)}
    parents = [sum(1 << number[name] for name in variable.parents) for variable in model.variables]
    near = [
        above | sum(1 << child for child, mine in enumerate(parents) if mine >> v & 1)
        for v, above in enumerate(parents)
    ]
    hidden = [v for v, one in enumerate(model.variables) if not one.observed and 1 < one.states <= MOST_STATES]
    for g, h in combinations(hidden, 2):
        size = separators.sizes[g]
        both = [v for v in iterate_positions(separators.observed) if parents[v] >> g & parents[v] >> h & 1]
        if separators.sizes[h] != size:
            continue
        sides = [
            [v for v in iterate_positions(near[one] & separators.observed) if separators.sizes[v] == size]
            for one in (g, h)
        ]
        for y, a, b in product(both, *sides):
            if len({y, a, b}) < 3 or factorial(size) * separators.sizes[y] ** size > MOST_TERMS:
                continue
            around = parents[g] | parents[h] | parents[y] | parents[a] | parents[b]
            given = around & separators.observed & ~(1 << y | 1 << a | 1 << b)
            apart = [
                not graph.find_connected(1 << one, given | 1 << mine) & (1 << other | 1 << y | 1 << further)
                for one, mine, other, further in ((a, g, b, h), (b, h, a, g))
            ]
            if all(apart):
                for free in list_free_conditions(separators, (g, h, y), given, parents[y]):
                    blocks = tuple(separators.axes(one) for one in (1 << a, 1 << b, 1 << y, free))
                    names = model.variables[g].name, model.variables[h].name
                    yield Pencil(Blocks(separators.setting.pmap.shape, blocks, separators.axes(given & ~free)), names)


def list_free_conditions(separators: Separators, inner: tuple[int, int, int], given: Bits, parents: Bits) -> list[Bits]:
    """Parts of what is conditioned on that the inner table does not depend on: the most, and each variable alone."""
    g, h, y = inner
    connected = separators.graph.find_connected
    wanted = dict.fromkeys([given & ~parents, *(1 << v for v in iterate_positions(given))])

    def is_free(free: Bits) -> bool:
        apart = not connected(1 << g, given) & 1 << h
        by_child = apart and not connected(1 << y, given & ~free | 1 << g | 1 << h) & free
        return by_child or not any(connected(1 << v, given & ~free) & free for v in inner)

    return [free for free in wanted if free and is_free(free)]
