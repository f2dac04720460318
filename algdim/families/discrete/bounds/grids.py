"""Forms on grids: inner tables of rank one as zeros of quadratic forms (lemma "grids" in proofs/lemmas.md).

Let G separate A, and H separate B, from all else, and let Z1 and Z2 be independent given both. Contract the table along A and
B by vectors α and β. Dual to the rows P(a | g) and P(b | h) there are vectors at which what is left is the table of Z1 and Z2
given g and h, up to a factor, and so of rank one: a 2-minor of the contracted table, a form of degree 2 in α and in β, vanishes
on a grid of as many points as G and H have states. So the matrices of its coefficients are not of full rank.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, combinations_with_replacement, islice
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import Bound
from algdim.bound.searches import FormBasis
from algdim.exact.arithmetic import Array, Residues
from algdim.exact.ranks import rank_mod
from algdim.families.discrete.bounds.equations import (
    Blocks,
    Collector,
    Matrix,
    Used,
    find_equal_cells,
    is_worth_it,
    make_equation_bound,
    start,
)
from algdim.families.discrete.bounds.flattenings import (
    Separators,
    add_flattenings,
    format_blocks,
    list_separators_once,
)
from algdim.families.discrete.bounds.search import Setting, TableAtPoint
from algdim.limits import has_time, mark_first_searches_made
from algdim.maps import find_once
from algdim.models.graphs import Bits, iterate_positions

MOST_STATES = 6
"""Of the hidden variables on one side."""
MOST_SIZE = 400
"""Rows and columns of a matrix."""
MOST_PAIRS = 300
"""Pairs of hidden sets, with each set of variables conditioned on, that are looked at."""
MOST_GIVEN = 2
MOST_MINORS = 100
MOST_LISTS = 60
"""Minors of one pair of blocks, and lists of them."""
MOST_IDLE = 60
"""After this many in a row that gave nothing new the search ends."""

Minor = tuple[int, int, int, int]
"""Two states of the one inner block and two of the other."""


def bound_by_grids(setting: Setting) -> Bound | None:
    """The bound by flattenings, and, if these do not suffice, Koszul flattenings and forms on grids beside them."""
    found = collect_forms(setting)
    return None if found is None else make_form_bound(*found)


def make_form_bound(collector: Collector, kind: str) -> Bound | None:
    """The bound that all forms give, under the name of the last search that added to them."""
    return make_equation_bound(collector, kind)


def collect_forms(setting: Setting) -> tuple[Collector, str] | None:
    """All forms that are found, and the last search that added to them; nothing where equations are too large. Made once."""
    labels = ("forms", setting.lower, setting.seed, setting.labels)
    found = find_once(setting.pmap, labels, partial(find_forms, setting))
    if found is None:
        return None
    return Collector(setting, found.equal, found.at, found.basis, found.used), found.kind


class FormsFound(NamedTuple):
    """What a collector has in the end, without the map, which is forgotten with what was found of it."""

    equal: NDArray[np.intp] | None
    at: TableAtPoint
    basis: FormBasis
    used: list[Used]
    kind: str


def find_forms(setting: Setting) -> FormsFound | None:
    """Flattenings, Koszul flattenings, grids and pencils one after the other, until there are as many forms as are needed."""
    equal = find_equal_cells(setting)
    if not is_worth_it(setting, equal):
        return None
    collector, separators = start(setting, equal), list_separators_once(setting)
    add_flattenings(collector, separators)
    flat = len(collector.used)
    if not collector.is_done:
        from algdim.families.discrete.bounds.koszul import add_koszul

        add_koszul(collector, separators)
    mark_first_searches_made()
    before = len(collector.used)
    if not collector.is_done:
        collector.add_all(islice(iterate_grids(separators()), MOST_PAIRS), MOST_IDLE)
    if not collector.is_done:
        from algdim.families.discrete.bounds.pencils import iterate_pencils

        collector.add_all(islice(iterate_pencils(separators()), MOST_PAIRS), MOST_IDLE)
    kind = "grids" if len(collector.used) > before else "koszul" if before > flat else "flattenings"
    return FormsFound(equal, collector.at, collector.basis, collector.used, kind)


class MinorGrid(NamedTuple):
    """The coefficients of some minors, for all states of what is conditioned on.

    The blocks are A, B and the two inner ones; ``counts`` are the possible states of both hidden sets. ``together``: the rows are the monomials
    in both vectors and the columns the minors; otherwise the columns are the monomials in the second one, for each minor.
    """

    blocks: Blocks
    hidden: tuple[tuple[str, ...], tuple[str, ...]]
    counts: tuple[tuple[int, int], ...]
    minors: tuple[Minor, ...]
    together: bool

    def matrices(self, table: TableAtPoint) -> Iterator[tuple[tuple[int, ...], Matrix]]:
        """One for each state c at which A and B tell the states apart."""
        for state, counts in zip(self.blocks.conditions, self.counts, strict=True):
            rank = bound_grid_rank(counts, len(self.minors), together=self.together)
            if rank is None:
                continue
            inner = np.remainder(self.blocks.join_blocks(table.table, state, table.field), table.prime).astype(np.int64)
            sides = inner.reshape(len(inner), -1), np.moveaxis(inner, 1, 0).reshape(inner.shape[1], -1)
            if all(rank_mod(side, table.prime).value == count for side, count in zip(sides, counts, strict=True)):
                yield state, GridMatrix(self, state, rank, inner, table.field)

    def make_evidence(self, names: Sequence[str]) -> dict[str, Any]:
        """The sets, the minors and the ranks."""
        blocks = [[names[axis] for axis in block] for block in self.blocks.blocks]
        given = [names[axis] for axis in self.blocks.fixed]
        sets: dict[str, Any] = {"blocks": blocks, "C": given, "G": list(self.hidden[0]), "H": list(self.hidden[1])}
        return {"type": "grid", **sets, "minors": [list(one) for one in self.minors], "together": self.together}

    def text(self, names: Sequence[str]) -> str:
        """The sets and the grid."""
        sides = "×".join(str(count) for count in self.counts[0])
        return f"forms on a {sides} grid {format_blocks(self.blocks, names)}"


def bound_grid_rank(counts: Sequence[int], minors: int, *, together: bool) -> int | None:
    """What the rank does not exceed; ``None`` where that says nothing.

    >>> bound_grid_rank((2, 2), 1, together=False), bound_grid_rank((2, 2), 9, together=True)
    (2, 5)
    >>> bound_grid_rank((3, 3), 1, together=False)
    """
    one, other = (comb(count + 1, 2) for count in counts)
    if together:
        rank = one * other - counts[0] * counts[1]
        return rank if 0 < rank < minors else None
    rank = one - counts[0] + minors * (other - counts[1])
    return rank if 0 < rank < min(one, minors * other) else None


class GridMatrix(NamedTuple):
    """One matrix of coefficients; ``inner`` is the table with the four blocks as axes."""

    grid: MinorGrid
    state: tuple[int, ...]
    rank: int
    inner: NDArray[np.int64]
    field: Residues

    @property
    def values(self) -> Array:
        prime = self.field.prime
        columns = []
        for i, k, j, m in self.grid.minors:
            a, b, c, d = (self.inner[:, :, x, y] for x, y in ((i, j), (k, m), (i, m), (k, j)))
            forms = (np.multiply.outer(a, b) - np.multiply.outer(c, d)) % prime  # axes i₁, j₁, i₂, j₂
            columns.append(add_up_orders(forms.transpose(0, 2, 1, 3)) % prime)
        found = np.stack(columns, axis=-1)
        rows = found.shape[0] * (found.shape[1] if self.grid.together else 1)
        return self.field.elements(found.reshape(rows, -1))

    def pulled_back(self, left: Array, right: Array) -> Array:
        """The derivatives at the point of the ℓᵀMr."""
        prime, (u, v) = self.field.prime, self.inner.shape[:2]
        one, other = comb(u + 1, 2), comb(v + 1, 2)
        lefts, rights = (np.remainder(side, prime).astype(np.int64) for side in (left, right))
        gradients = np.zeros((len(lefts), *self.inner.shape), dtype=np.int64)
        for number, (i, k, j, m) in enumerate(self.grid.minors):
            if self.grid.together:
                weights = lefts.reshape(-1, one, other) * rights[:, number, None, None] % prime
            else:
                part = rights.reshape(-1, other, len(self.grid.minors))[:, :, number]
                weights = lefts[:, :, None] * part[:, None, :] % prime
            whole = weights[:, number_pairs(u)[:, :, None, None], number_pairs(v)[None, None]]  # axes i₁, i₂, j₁, j₂
            for place, other_place, sign in (
                ((i, j), (k, m), 1),
                ((k, m), (i, j), 1),
                ((i, m), (k, j), -1),
                ((k, j), (i, m), -1),
            ):
                times = self.inner[:, :, other_place[0], other_place[1]]
                products = (whole * times[None, None, :, None, :] % prime).sum(axis=(2, 4))
                gradients[:, :, :, place[0], place[1]] += sign * products
        return self.grid.blocks.pulled_back(self.field.elements(gradients % prime), self.state)


def number_pairs(size: int) -> NDArray[np.intp]:
    """For two numbers the place of their pair, in either order, among all.

    >>> number_pairs(2).tolist()
    [[0, 1], [1, 2]]
    """
    found = np.zeros((size, size), dtype=np.intp)
    for number, (one, other) in enumerate(combinations_with_replacement(range(size), 2)):
        found[one, other] = found[other, one] = number
    return found


def add_up_orders(forms: NDArray[np.int64]) -> NDArray[np.int64]:
    """The coefficients of the monomials: sums over both orders of their two factors, in both vectors."""
    (u, v), (first, second) = forms.shape[::2], (number_pairs(size) for size in forms.shape[::2])
    found = np.zeros((comb(u + 1, 2), comb(v + 1, 2)), dtype=np.int64)
    np.add.at(found, (first[:, :, None, None], second[None, None]), forms)
    return found


def iterate_grids(separators: Separators) -> Iterator[MinorGrid]:
    """The grids of all pairs of small hidden sets, without conditions first; the second set may be empty."""
    graph, model = separators.graph, separators.setting.pmap.model
    hidden = [1 << index for index, variable in enumerate(model.variables) if not variable.observed]
    hidden = [one for one in hidden if 1 < separators.size(one) <= MOST_STATES]
    observed = list(iterate_positions(separators.observed))
    for count in range(MOST_GIVEN + 1):
        for chosen in combinations(observed, count):
            given = sum(map((1).__lshift__, chosen))
            outside = separators.observed & ~given
            for one, other in [*combinations(hidden, 2), *((one, 0) for one in hidden)]:
                if not has_time():
                    return
                first = find_told_apart(graph, outside, one | given, other)
                second = find_told_apart(graph, outside & ~first, other | given, one) if other else 0
                rest = outside & ~first & ~second
                if not first or (other and not second) or rest & (rest - 1) == 0:
                    continue
                if is_joined(graph, first, one | given, second | rest | other):
                    continue
                if other and is_joined(graph, second, other | given, first | rest | one):
                    continue
                yield from list_grids(separators, (first, second, rest), (one, other), given)


def find_told_apart(graph: Any, outside: Bits, separating: Bits, others: Bits) -> Bits:
    """The variables that a hidden set and what is conditioned on separate from another hidden set; with none, those alone in their parts."""
    found = 0
    for index in iterate_positions(outside):
        reached = graph.find_connected(1 << index, separating)
        apart = not reached & others if others else not reached & outside & ~(1 << index)
        found |= (1 << index) if apart else 0
    if others == 0 and found:
        return found & -found  # of items that the class separates one; the others are inside
    return found


def is_joined(graph: Any, some: Bits, separating: Bits, others: Bits) -> bool:
    """Whether a variable of one set is not separated from one of another."""
    return any(graph.find_connected(1 << index, separating) & others for index in iterate_positions(some))


def list_grids(
    separators: Separators, sets: tuple[Bits, Bits, Bits], hidden: tuple[Bits, Bits], given: Bits
) -> Iterator[MinorGrid]:
    """The matrices of the two outer blocks and the ways to divide the rest."""
    first, second, rest = sets
    links = separators.links(hidden[0] | hidden[1] | given)
    parts = []
    while rest:
        part, grown = 0, rest & -rest
        while grown != part:
            part = grown
            for index in iterate_positions(part):
                grown |= links[index] & sets[2]
        parts.append(part)
        rest &= ~part
    counts = tuple(zip(separators.counts(hidden[0], given), separators.counts(hidden[1], given), strict=True))
    names = separators.graph.members(hidden[0]), separators.graph.members(hidden[1])
    for number in range(min(1 << max(0, len(parts) - 1), 16) - 1 if len(parts) > 1 else 0):
        inner = parts[0] | sum(part for k, part in enumerate(parts[1:]) if number >> k & 1)
        axes = (first, second, inner, sets[2] & ~inner)
        blocks = Blocks(
            separators.setting.pmap.shape, tuple(separators.axes(one) for one in axes), separators.axes(given)
        )
        sizes = blocks.sizes
        monomials = comb(sizes[0] + 1, 2), comb(sizes[1] + 1, 2)
        if max(monomials) > MOST_SIZE or comb(sizes[2], 2) * comb(sizes[3], 2) > MOST_MINORS:
            continue
        minors = [
            (i, k, j, m) for i, k in combinations(range(sizes[2]), 2) for j, m in combinations(range(sizes[3]), 2)
        ]
        for count in (1, 2):
            if any(bound_grid_rank(pair, count, together=False) for pair in counts):
                for some in islice(combinations(minors, count), MOST_LISTS):
                    yield MinorGrid(blocks, names, counts, some, together=False)
        is_small = monomials[0] * monomials[1] <= MOST_SIZE
        if is_small and any(bound_grid_rank(pair, len(minors), together=True) for pair in counts):
            yield MinorGrid(blocks, names, counts, tuple(minors), together=True)
