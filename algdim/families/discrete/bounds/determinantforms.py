"""Determinants of sums of slices, as forms in letters that stand for the states of some variables (lemma "determinants" in proofs/lemmas.md).

Where the table of two variables, for each state of the others, is a product of square matrices, let some of the others enter one of these
matrices alone. Weighted sums of the slices over their states are products of the same kind, so that the determinant is a
form in the weights, times what the other matrices give. Its coefficients are proportional for all states of what does not enter there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from itertools import chain as join_lists
from itertools import combinations, islice, product
from math import comb, factorial, prod
from operator import or_
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import Bound
from algdim.exact.arithmetic import Array, Residues
from algdim.families.discrete.bounds.determinants import (
    KIND,
    MOST_CONDITIONS,
    MOST_MINORS,
    MOST_PAIRS,
    MOST_STATES,
    Determinants,
    TableAxes,
    count_links,
    find_chain,
    group_factors,
    is_link,
    iterate_determinants,
    iterate_pairs,
    join_bits,
)
from algdim.families.discrete.bounds.equations import Blocks, Matrix, make_equation_bound
from algdim.families.discrete.bounds.grids import collect_forms
from algdim.families.discrete.bounds.pencils import list_terms
from algdim.families.discrete.bounds.search import Setting, has_only_tables
from algdim.limits import has_time
from algdim.models.graphs import Bits, iterate_positions

MOST_LISTED, MOST_IDLE = 300, 60
"""Lists of minors, and of forms, that are looked at, and how many in a row may give nothing new."""
MOST_TERMS = 1200
"""Products of which the coefficients of one determinant are sums."""
MOST_ENTRIES = 1 << 14
"""Of the table that is met, times monomials."""
MOST_CHAIN = 4
"""Variables of a chain, of which each subset is tried."""

Group = tuple[Bits, Bits]
"""The links that a function stands between, and which of the others are its arguments."""


def bound_by_determinants(setting: Setting) -> Bound | None:
    """The bound by determinants and by all equations that were found before; nothing where these suffice or determinants give nothing new."""
    if not setting.pmap.model.hidden or not has_only_tables(setting.pmap):
        return None
    known = collect_forms(setting)
    if known is None or known[0].is_done:
        return None
    collector, before = known[0], len(known[0].used)
    # what was found is kept for other searches
    collector.basis, collector.used = copy(collector.basis), list(collector.used)
    for iterate in (iterate_determinants, iterate_determinant_forms):
        collector.add_all(islice(iterate(TableAxes(setting.pmap)), MOST_LISTED), MOST_IDLE)
    return make_equation_bound(collector, KIND) if len(collector.used) > before else None


@dataclass(frozen=True)
class DeterminantForms(Determinants):
    """Blocks: rows and columns of the determinant; letters and states of one side; letters and states of the other side."""

    type = "determinant forms"

    def make_matrix(self, state: tuple[int, ...], inner: NDArray[np.int64], field: Residues) -> Matrix:
        """The coefficients of one state."""
        return FormMatrix(self, state, inner, field)

    def text(self, names: Sequence[str]) -> str:
        """The sets."""
        return f"forms by {Determinants.text(self, names)}"


@dataclass(frozen=True)
class FormMatrix:
    """The coefficients: monomials and states of one side by those of the other; ``inner`` has the six blocks as axes."""

    forms: DeterminantForms
    state: tuple[int, ...]
    inner: NDArray[np.int64]
    field: Residues
    rank = 1

    @cached_property
    def monomials(self) -> tuple[int, int]:
        """How many each side has."""
        size, _, one, _, other, _ = self.inner.shape
        return comb(one + size - 1, size), comb(other + size - 1, size)

    @cached_property
    def values(self) -> Array:
        size, _, one, rows, other, columns = self.inner.shape
        found = np.zeros((self.monomials[0], rows, self.monomials[1], columns), dtype=np.int64)
        for term in list_double_terms(size, one, other):
            found[term.monomials[0], :, term.monomials[1]] += term.sign * self.multiply(term, -1)
        return self.field.elements((found % self.field.prime).reshape(self.monomials[0] * rows, -1))

    def multiply(self, term: DoubleTerm, left_out: int) -> NDArray[np.int64]:
        """The product of a term without its sign and without one of its factors, for the states of both sides."""
        result = np.ones((self.inner.shape[3], self.inner.shape[5]), dtype=np.int64)
        for row, (column, one, other) in enumerate(term.places):
            if row != left_out:
                result = result * self.inner[row, column, one, :, other] % self.field.prime
        return result

    def pulled_back(self, left: Array, right: Array) -> Array:
        """The derivatives at the point of the ℓᵀMr."""
        prime, (size, _, one, rows, other, columns) = self.field.prime, self.inner.shape
        lefts, rights = (np.remainder(side, prime).astype(np.int64) for side in (left, right))
        lefts = lefts.reshape(-1, self.monomials[0], rows, 1)
        rights = rights.reshape(-1, self.monomials[1], 1, columns)
        gradients = np.zeros((len(lefts), *self.inner.shape), dtype=np.int64)
        for term in list_double_terms(size, one, other):
            weights = term.sign * lefts[:, term.monomials[0]] * rights[:, term.monomials[1]] % prime
            for row, (column, first, second) in enumerate(term.places):
                gradients[:, row, column, first, :, second] += weights * self.multiply(term, row) % prime
        blocks = self.forms.blocks
        whole = np.zeros((len(lefts), *blocks.sizes), dtype=np.int64)
        index = np.ix_(range(len(lefts)), self.forms.rows, self.forms.columns, *map(range, blocks.sizes[2:]))
        whole[index] = gradients % prime
        return blocks.pulled_back(self.field.elements(whole), self.state)


class DoubleTerm(NamedTuple):
    """A sign, for each row its column and the letters of both sides, the numbers of both monomials."""

    sign: int
    places: tuple[tuple[int, int, int], ...]
    monomials: tuple[int, int]


@lru_cache(1 << 6)
def list_double_terms(size: int, one: int, other: int) -> list[DoubleTerm]:
    """The terms of det Σ y(i) z(j) T(i, j).

    >>> [(term.sign, term.places, term.monomials) for term in list_double_terms(2, 1, 1)]
    [(1, ((0, 0, 0), (1, 0, 0)), (0, 0)), (-1, ((1, 0, 0), (0, 0, 0)), (0, 0))]
    """
    found = []
    for (sign, columns, firsts, first), (_, again, seconds, second) in product(
        list_terms(size, one), list_terms(size, other)
    ):
        if columns == again:
            found.append(DoubleTerm(sign, tuple(zip(columns, firsts, seconds, strict=True)), (first, second)))
    return found


def iterate_determinant_forms(table: TableAxes) -> Iterator[DeterminantForms]:
    """Those of all pairs of observed blocks with a chain between them, the whole table first, then its margins."""
    seen: set[tuple[Any, ...]] = set()
    for factors, kept, one, other in islice(iterate_pairs(table), MOST_PAIRS):
        others, ends = kept & ~one & ~other, (one, other)
        if not has_time():
            return
        for chain, groups in list_chains(table, factors, others, ends):
            for found in list_forms(table, groups, others, ends, chain):
                key = (found.blocks.blocks, found.blocks.fixed, found.rows, found.columns)
                if key not in seen:
                    seen.add(key)
                    yield found


def list_chains(
    table: TableAxes, factors: Mapping[int, Bits], others: Bits, ends: tuple[Bits, Bits]
) -> list[tuple[list[int], list[Group]]]:
    """The variables between two ends, or some of them, as chains, with the groups of tables of each."""
    between = find_chain([scope & ~others for scope in factors.values()], ends)
    size = min((table.sizes[v] for v in between), default=0)
    if not 1 < size <= MOST_STATES or size > min(map(table.size, ends)):
        return []
    if any(end.bit_count() > 1 and max(table.sizes[v] for v in iterate_positions(end)) >= size for end in ends):
        return []  # one of its variables alone does
    between = [v for v in between if table.sizes[v] == size][:MOST_CHAIN]
    found = []
    for chain in join_lists.from_iterable(combinations(between, count) for count in range(len(between), 0, -1)):
        groups = group_factors(factors, others, join_bits(chain) | ends[0] | ends[1], ends)
        if all(is_link(one, chain, ends) for one, _ in groups):
            found.append((list(chain), groups))
    return found


class FormSide(NamedTuple):
    """Variables that are letters or states, what is an argument of some group of theirs, and the groups if these are letters."""

    variables: Bits
    near: Bits
    groups: frozenset[int]

    @property
    def letters(self) -> Bits:
        """The variables, if they are letters."""
        return self.variables if self.groups else 0


def list_sides(groups: Sequence[Group], others: Bits, chain: Sequence[int], ends: tuple[Bits, Bits]) -> list[FormSide]:
    """Each variable as states; the variables that enter at one group alone, made of all in which one of them is, as letters."""
    found = []
    for v in iterate_positions(others):
        mine = frozenset(n for n, (_, arguments) in enumerate(groups) if arguments >> v & 1)
        found.append(FormSide(1 << v, join_sets(groups[n][1] for n in mine), frozenset()))
        between = join_sets(groups[n][0] for n in mine)
        if not mine or not is_link(between, chain, ends):
            continue
        if count_links(between, ends) > 1:  # what stands between the same two links is a factor of the same matrix
            mine |= {n for n, (one, _) in enumerate(groups) if one == between}
        near = join_sets(groups[n][1] for n in mine)
        rest = join_sets(arguments for n, (_, arguments) in enumerate(groups) if n not in mine)
        found += [FormSide(letters, near, mine) for letters in dict.fromkeys([near & ~rest & others, 1 << v])]
    return list(dict.fromkeys(found))


def join_sets(sets: Iterable[Bits]) -> Bits:
    """The union."""
    return reduce(or_, sets, 0)


def list_forms(
    table: TableAxes, groups: Sequence[Group], others: Bits, ends: tuple[Bits, Bits], chain: Sequence[int]
) -> list[DeterminantForms]:
    """The forms by one chain, with letters on one side or on both."""
    size, sides, found = table.sizes[chain[0]], list_sides(groups, others, chain, ends), []
    names = tuple(table.pmap.model.variables[v].name for v in chain)
    for one in sides:
        apart, given = others & ~one.near, one.near & ~one.variables
        if not apart or table.size(given) > MOST_CONDITIONS:
            continue
        nothing = FormSide(0, 0, frozenset())
        for other in (nothing, *(side for side in sides if side.letters)):
            if not (one.letters or other.letters) or other.letters & ~apart:
                continue
            if other.near & one.variables or one.groups & other.groups:
                continue
            letters = [table.size(side.letters) for side in (one, other)]
            if factorial(size) * prod(letters) ** size > MOST_TERMS:
                continue
            inner = one.letters, one.variables & ~one.letters, other.letters, apart & ~other.letters
            blocks = Blocks(table.pmap.shape, tuple(map(table.axes, (*ends, *inner))), table.axes(given))
            if (
                prod(blocks.sizes) * comb(letters[0] + size - 1, size) * comb(letters[1] + size - 1, size)
                > MOST_ENTRIES
            ):
                continue
            states = (islice(combinations(range(table.size(end)), size), MOST_MINORS) for end in ends)
            found += [DeterminantForms(blocks, rows, columns, names) for rows, columns in product(*states)]
    return found
