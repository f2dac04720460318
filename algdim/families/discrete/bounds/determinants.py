"""Determinants of slices that are products of smaller determinants (lemma "determinants" in proofs/lemmas.md).

For each state of the other observed variables the table of two of them, rows and columns, is a product of square matrices wherever
hidden variables with n states lie between the two like the links of a chain. So an n-minor is a product of functions, one for each
link, of those of the other variables that enter there. Two variables that enter at no common link then are as if independent: the matrix
of these minors has rank one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice, product
from math import prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Array, Residues
from algdim.families.discrete.bounds.equations import Blocks, Matrix
from algdim.families.discrete.bounds.flattenings import format_blocks
from algdim.families.discrete.bounds.search import TableAtPoint
from algdim.families.discrete.map import ParamMap
from algdim.limits import has_time
from algdim.models.graphs import Bits, find_reachable, iterate_positions

KIND = "determinants"
MOST_STATES = 4
"""Rows of a determinant."""
MOST_SUMMED = 24
"""Sets of variables summed out that are tried."""
MOST_MINORS = 3
"""Of one slice with more rows or columns."""
MOST_CONDITIONS = 256
"""States of what two variables are conditioned on."""
MOST_PAIRS = 1000
"""Pairs of blocks that are looked at."""


class TableAxes:
    """The observed variables of a map as sets, how many joint states these have, which axes of the table they are."""

    def __init__(self, pmap: ParamMap) -> None:
        self.pmap, self.sizes = pmap, pmap.sizes
        self.observed: Bits = join_bits(pmap.observed)
        self.place = {axis: number for number, axis in enumerate(pmap.observed)}

    def size(self, variables: Bits) -> int:
        """The number of joint states."""
        return prod(map(self.sizes.__getitem__, iterate_positions(variables)))

    def axes(self, variables: Bits) -> tuple[int, ...]:
        """The axes of the observed table."""
        return tuple(map(self.place.__getitem__, iterate_positions(variables)))


@dataclass(frozen=True)
class Determinants:
    """Minors of the table of two blocks, with rows and columns: one block of others by another, for each state of the rest that matters."""

    type: ClassVar[str] = "determinants"
    """Of the evidence."""
    blocks: Blocks
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    chain: tuple[str, ...]

    def matrices(self, table: TableAtPoint) -> Iterator[tuple[tuple[int, ...], Matrix]]:
        """One for each state of what is fixed at which some minor is not zero."""
        for state in self.blocks.conditions:
            whole = np.remainder(self.blocks.join_blocks(table.table, state, table.field), table.prime)
            inner = whole.astype(np.int64)[np.ix_(self.rows, self.columns)]
            matrix = self.make_matrix(state, inner, table.field)
            if matrix.values.any():
                yield state, matrix

    def make_matrix(self, state: tuple[int, ...], inner: NDArray[np.int64], field: Residues) -> Matrix:
        """The minors of one state, from the table of all blocks."""
        return DeterminantMatrix(self, state, inner, field)

    def make_evidence(self, names: Sequence[str]) -> dict[str, Any]:
        """The sets, which states are rows and columns, and the hidden variables between."""
        blocks = [[names[axis] for axis in block] for block in self.blocks.blocks]
        given = [names[axis] for axis in self.blocks.fixed]
        minors = {"rows": list(self.rows), "columns": list(self.columns)}
        return {"type": self.type, "blocks": blocks, "C": given, "chain": list(self.chain), **minors}

    def text(self, names: Sequence[str]) -> str:
        """The sets."""
        return f"{len(self.rows)} × {len(self.columns)} determinants {format_blocks(self.blocks, names)}"


@dataclass(frozen=True)
class DeterminantMatrix:
    """The minors, rows and columns of which are joint states of two blocks; ``inner`` has the axes of a minor first."""

    determinants: Determinants
    state: tuple[int, ...]
    inner: NDArray[np.int64]
    field: Residues
    rank = 1

    @cached_property
    def values(self) -> Array:
        return self.field.elements(compute_determinants(self.inner, self.field.prime))

    def pulled_back(self, left: Array, right: Array) -> Array:
        """The derivatives at the point of the ℓᵀMr."""
        prime = self.field.prime
        lefts, rights = (np.remainder(side, prime).astype(np.int64) for side in (left, right))
        weights = lefts[:, :, None] * rights[:, None, :] % prime
        cofactors = compute_cofactors(self.inner, prime)
        shape = self.determinants.blocks.sizes
        gradients = np.zeros((len(lefts), *shape), dtype=np.int64)
        for i, row in enumerate(self.determinants.rows):
            for j, column in enumerate(self.determinants.columns):
                gradients[:, row, column] = weights * cofactors[i, j] % prime
        return self.determinants.blocks.pulled_back(self.field.elements(gradients), self.state)


def compute_determinants(matrices: NDArray[np.int64], prime: int) -> NDArray[np.int64]:
    """The determinants modulo a prime of square matrices, whose two axes come first.

    >>> compute_determinants(np.array([[[1], [2]], [[3], [4]]]), 101).tolist()
    [99]
    """
    if not len(matrices):
        return np.ones(matrices.shape[2:], dtype=np.int64)
    found = np.zeros(matrices.shape[2:], dtype=np.int64)
    for column in range(len(matrices)):
        minor = compute_determinants(np.delete(matrices[1:], column, axis=1), prime)
        found += (-1) ** column * (matrices[0, column] * minor % prime)
    return found % prime


def compute_cofactors(matrices: NDArray[np.int64], prime: int) -> NDArray[np.int64]:
    """The derivatives of the determinants by the entries."""
    found = np.zeros_like(matrices)
    for i, j in np.ndindex(*matrices.shape[:2]):
        minor = np.delete(np.delete(matrices, i, axis=0), j, axis=1)
        found[i, j] = (-1) ** (i + j) * compute_determinants(minor, prime) % prime
    return found


def iterate_determinants(table: TableAxes) -> Iterator[Determinants]:
    """Those of all pairs of observed blocks with a chain between them, the whole table first, then its margins."""
    seen: set[tuple[Any, ...]] = set()
    for factors, kept, one, other in islice(iterate_pairs(table), MOST_PAIRS):
        if not has_time():
            return
        for found in list_determinants_of_pair(table, factors, kept, (one, other)):
            key = (found.blocks.blocks, found.blocks.fixed, found.rows, found.columns)
            if key not in seen:
                seen.add(key)
                yield found


def iterate_pairs(table: TableAxes) -> Iterator[tuple[Mapping[int, Bits], Bits, Bits, Bits]]:
    """The tables that matter where some variables are observed, these variables, and two blocks of them: variables, or two where one has too few states."""
    scopes = list_scopes(table)
    hidden = {table.sizes[v] for v in scopes if not table.observed >> v & 1}
    for kept in islice(iterate_kept(table.observed, scopes), MOST_SUMMED):
        factors, single = drop_what_sums_to_one(scopes, kept), list(iterate_positions(kept))
        double = [
            join_bits(pair)
            for pair in combinations(single, 2)
            if any(
                max(table.sizes[v] for v in pair) < n <= min(table.size(join_bits(pair)), MOST_STATES) for n in hidden
            )
        ]
        for one, other in combinations([*(1 << v for v in single), *double], 2):
            if not one & other:
                yield factors, kept, one, other


def join_bits(variables: Iterable[int]) -> Bits:
    """Several variables as one set."""
    return sum(1 << v for v in variables)


def list_scopes(table: TableAxes) -> dict[int, Bits]:
    """For each variable the arguments of its table: its parents and itself."""
    model = table.pmap.model
    number = {variable.name: index for index, variable in enumerate(model.variables)}
    return {
        index: join_bits([index, *(number[name] for name in variable.parents)])
        for index, variable in enumerate(model.variables)
    }


def iterate_kept(observed: Bits, scopes: Mapping[int, Bits]) -> Iterator[Bits]:
    """The observed variables, then without one or more of them of which nothing that is left descends."""
    waiting, seen = [observed], {observed}
    for kept in waiting:
        yield kept
        left = set(drop_what_sums_to_one(scopes, kept))
        for v in iterate_positions(kept):
            smaller = kept & ~(1 << v)
            is_last = not any(other != v and scopes[other] >> v & 1 for other in left)
            if is_last and smaller not in seen and smaller.bit_count() > 3:
                seen.add(smaller)
                waiting.append(smaller)


def drop_what_sums_to_one(scopes: Mapping[int, Bits], kept: Bits) -> dict[int, Bits]:
    """The tables without those of variables that are summed out and are arguments of no other table."""
    found = dict(scopes)
    while True:
        last = [
            v for v in found if not kept >> v & 1 and not any(u != v and scope >> v & 1 for u, scope in found.items())
        ]
        if not last:
            return found
        for v in last:
            del found[v]


def list_determinants_of_pair(
    table: TableAxes, factors: Mapping[int, Bits], kept: Bits, ends: tuple[Bits, Bits]
) -> list[Determinants]:
    """The minors of one pair of blocks, each variable among the others against those that it shares no link with."""
    others = kept & ~ends[0] & ~ends[1]
    links = [scope & ~others for scope in factors.values()]
    chain = find_chain(links, ends)
    sizes = [table.sizes[v] for v in chain]
    size = min(sizes, default=0)
    sides = tuple(table.size(end) for end in ends)
    if not 1 < size <= MOST_STATES or size > min(sides):
        return []
    if any(end.bit_count() > 1 and max(table.sizes[v] for v in iterate_positions(end)) >= size for end in ends):
        return []  # one of its variables alone does
    chain = [v for v in chain if table.sizes[v] == size]
    groups = group_factors(factors, others, join_bits(chain) | ends[0] | ends[1], ends)
    if not all(is_link(between, chain, ends) for between, _ in groups):
        return []
    near = dict.fromkeys(iterate_positions(others), 0)
    for _, arguments in groups:
        for v in iterate_positions(arguments):
            near[v] |= arguments
    names = tuple(table.pmap.model.variables[v].name for v in chain)
    found = []
    for v, around in near.items():
        apart, given = others & ~around & ~(1 << v), around & ~(1 << v)
        if not apart or table.size(given) > MOST_CONDITIONS:
            continue
        blocks = Blocks(
            table.pmap.shape,
            tuple(table.axes(one) for one in (*ends, 1 << v, apart)),
            table.axes(given),
        )
        states = (islice(combinations(range(side), size), MOST_MINORS) for side in sides)
        found += [Determinants(blocks, rows, columns, names) for rows, columns in product(*states)]
    return found


def find_chain(links: Sequence[Bits], ends: tuple[Bits, Bits]) -> list[int]:
    """The variables each of which separates one end from the other, in order from the first end; nothing if they are not connected."""
    inside = 0
    for link in links:
        inside |= link
    if not find_reachable(links, ends[0], 0) & ends[1]:
        return []
    cuts = [
        v
        for v in iterate_positions(inside & ~ends[0] & ~ends[1])
        if not find_reachable(links, ends[0], 1 << v) & ends[1]
    ]
    return sorted(cuts, key=lambda v: find_reachable(links, ends[0], 1 << v).bit_count())


def group_factors(
    factors: Mapping[int, Bits], others: Bits, chain: Bits, ends: tuple[Bits, Bits]
) -> list[tuple[Bits, Bits]]:
    """For each function of which a minor is the product the links that it stands between, and which of the others are its arguments.

    Tables are in one function if a hidden variable outside the chain is an argument of both, or if both stand between the same two links.
    """
    groups: list[tuple[Bits, Bits, Bits]] = []  # hidden variables inside, links, arguments
    for scope in factors.values():
        inside, between, arguments = scope & ~others & ~chain, scope & chain, scope & others
        for end in ends:
            between |= end if between & end else 0
        while True:
            joined = [
                one for one in groups if one[0] & inside or (count_links(between, ends) > 1 and one[1] == between)
            ]
            if not joined:
                break
            for one in joined:
                groups.remove(one)
                inside, between, arguments = inside | one[0], between | one[1], arguments | one[2]
        groups.append((inside, between, arguments))
    return [(between, arguments) for _, between, arguments in groups]


def count_links(between: Bits, ends: tuple[Bits, Bits]) -> int:
    """How many links these are, an end counting as one."""
    return sum(bool(between & end) for end in ends) + (between & ~ends[0] & ~ends[1]).bit_count()


def is_link(between: Bits, chain: Sequence[int], ends: tuple[Bits, Bits]) -> bool:
    """Whether these are at most two neighbours in the chain from end to end."""
    order = [ends[0], *(1 << v for v in chain), ends[1]]
    places = [place for place, one in enumerate(order) if one & between]
    return len(places) < 2 or (len(places) == 2 and places[1] == places[0] + 1)
