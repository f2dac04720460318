"""Flattenings: matrices whose rank the hidden variables between two groups of observed ones bound.

If S and C separate A from B, S hidden and C observed, then for each state c the matrix P(a, b, C=c), all other observed
variables summed over, has rank at most the number of states s with P(s, c) not identically zero (lemma "matrices of
bounded rank"). Without S it has rank one: the conditional independences. The graph decides which sets are separated.

States of observed variables without parents enter the distribution through the tables of their children alone, and linearly: a
table whose rows sum to 1 has no more than one dimension beside its free entries. So where such states are the rows, the rank is
at most the product of these numbers (lemma "spans"), which may be less than the number of states of hidden variables between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations
from math import isqrt, prod
from operator import and_, or_
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import Bound
from algdim.exact.arithmetic import Array
from algdim.families.discrete.bounds.equations import (
    Axes,
    Blocks,
    Collector,
    Matrix,
    find_equal_cells,
    is_worth_it,
    make_equation_bound,
    start,
)
from algdim.families.discrete.bounds.search import Setting, TableAtPoint, find_support, has_zeros
from algdim.families.discrete.functionals import select_marginal_cells
from algdim.figures import format_count
from algdim.limits import has_time
from algdim.maps import plan_once
from algdim.models.graphs import Bits, DirectedGraph, build_directed_graph, iterate_positions
from algdim.trust import Trust, proved_by

MOST_IDLE = 150
"""After this many flattenings in a row that gave nothing new the search ends."""
MOST_SEPARATORS = 2000
"""Pairs of a hidden and an observed separating set that are looked at."""
MOST_SIDES = 8
"""Up to this many variables may be left out of a flattening; of more, all are used."""
MOST_COMPONENTS = 10
"""Groups of this many components are divided in every way; of more, only the first ones are."""
MOST_ROOTS = 6
MOST_GIVEN = 3
"""Roots of which subsets are rows, and further variables conditioned on."""


def bound_by_flattenings(setting: Setting) -> Bound | None:
    """The bound by conditional independences and flattenings, or ``None`` if there are none (or far too many cells)."""
    equal = find_equal_cells(setting)
    if not is_worth_it(setting, equal):
        return None
    collector = start(setting, equal)
    add_flattenings(collector, lambda: Separators(setting))
    return make_equation_bound(collector, "flattenings")


def add_flattenings(collector: Collector, separators: Callable[[], Separators]) -> None:
    """Add the forms of flattenings, those first that give most, until enough are found; then of those that tables bound."""
    if not collector.is_done:
        pmap = collector.setting.pmap
        collector.add_all(plan_once(pmap, "flattenings", lambda: list_candidates(separators())), MOST_IDLE)
    if not collector.is_done:
        collector.add_all(plan_once(collector.setting.pmap, "spans", lambda: list_spans(separators())), MOST_IDLE)


class Separator(NamedTuple):
    """Hidden and observed variables given which components of the others are independent.

    ``counts`` are the numbers of states of the hidden ones that are possible, by state of the observed ones.
    ``links`` joins each observed variable outside with those that are not independent of it.
    """

    hidden: Bits
    given: Bits
    counts: tuple[int, ...]
    links: dict[int, Bits]

    def neighbours(self, variables: Bits) -> Bits:
        """The observed variables that depend on one of these."""
        found = 0
        for index in iterate_positions(variables):
            found |= self.links[index]
        return found

    def components(self, variables: Bits) -> list[Bits]:
        """The parts of a set that are independent of each other."""
        found = []
        while variables:
            part, grown = 0, variables & -variables
            while grown != part:
                part, grown = grown, (grown | self.neighbours(grown)) & variables
            found.append(part)
            variables &= ~part
        return found


def list_separators_once(setting: Setting) -> Callable[[], Separators]:
    """What lists all separators when it is asked for the first time: mostly all that follows from them is known already."""
    listed = list[Separators]()

    def list_separators() -> Separators:
        if not listed:
            listed.append(Separators(setting))
        return listed[0]

    return list_separators


class Separators:
    """All separators of a model that may be of use, weak conditions first, few hidden states first."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.graph: DirectedGraph = build_directed_graph(setting.pmap.model)
        self.sizes = tuple(variable.states for variable in setting.pmap.model.variables)
        self.observed: Bits = sum(1 << axis for axis in setting.pmap.observed)
        self.place = {axis: number for number, axis in enumerate(setting.pmap.observed)}
        self.zeros = has_zeros(setting.pmap)
        self.known: dict[Bits, dict[int, Bits]] = {}
        self.sets: dict[int, list[Bits]] = {}
        self.stopped = False
        self.found = list(self.all())

    def size(self, variables: Bits) -> int:
        """The number of joint states."""
        return prod(map(self.sizes.__getitem__, iterate_positions(variables)))

    def axes(self, variables: Bits) -> Axes:
        """The axes of the observed table."""
        return tuple(map(self.place.__getitem__, iterate_positions(variables)))

    def links(self, separating: Bits) -> dict[int, Bits]:
        """For each observed variable outside a set, those that the set does not separate from it."""
        if separating not in self.known:
            outside = self.observed & ~separating
            self.known[separating] = {
                index: self.graph.find_connected(1 << index, separating) & outside
                for index in iterate_positions(outside)
            }
        return self.known[separating]

    def all(self) -> Iterator[Separator]:
        """The separators that leave at least two components somewhere."""
        observed = list(iterate_positions(self.observed))
        seen = 0
        for count in range(len(observed) - 1):
            for chosen in combinations(observed, count):
                given = sum(map((1).__lshift__, chosen))
                for hidden in self.hidden_sets(given):
                    seen += 1
                    if seen > MOST_SEPARATORS or not has_time():
                        self.stopped = True
                        return
                    links = self.links(given | hidden)
                    outside = self.observed & ~given
                    if outside & ~reduce(and_, links.values()):
                        yield Separator(hidden, given, self.counts(hidden, given), links)

    def hidden_sets(self, given: Bits) -> list[Bits]:
        """Sets of hidden variables with few enough joint states that a matrix can have a greater rank, fewest first."""
        side = max(1, isqrt(self.size(self.observed & ~given)))
        # impossible states do not count
        most = side * side if self.zeros else 2 * side
        if most in self.sets:
            return self.sets[most]
        found = [0]
        for index, variable in enumerate(self.setting.pmap.model.variables):
            if not variable.observed:
                larger = [known | 1 << index for known in found]
                found += [new for new in larger if self.size(new) < most]
                if len(found) > MOST_SEPARATORS:
                    self.stopped = True
                    break
        self.sets[most] = sorted(found, key=lambda hidden: (self.size(hidden), hidden.bit_count(), hidden))
        return self.sets[most]

    def counts(self, hidden: Bits, given: Bits) -> tuple[int, ...]:
        """How many states of the hidden variables are possible, by state of the observed ones."""
        if not self.zeros or not hidden:
            return (self.size(hidden),) * self.size(given)
        possible = self.possible(hidden | given)
        axes = list(iterate_positions(hidden | given))
        order = [axes.index(index) for index in (*iterate_positions(given), *iterate_positions(hidden))]
        table = possible.transpose(order).reshape(self.size(given), self.size(hidden))
        return tuple(table.sum(axis=1).tolist())

    def possible(self, variables: Bits) -> NDArray[np.bool_]:
        """Which joint states of some variables, hidden ones too, are not identically impossible."""
        pmap = replace(self.setting.pmap, observed=tuple(iterate_positions(variables | self.observed)))
        axes = tuple(iterate_positions(variables))
        return find_support(pmap, select_marginal_cells(pmap, axes)).reshape([self.sizes[axis] for axis in axes])


@dataclass(frozen=True, slots=True)
class Flattening:
    """The matrices P(a, b, C=c): rows and columns are two blocks of axes."""

    blocks: Blocks
    hidden: tuple[str, ...]
    counts: tuple[int, ...]

    @property
    def forms(self) -> int:
        """How many forms it has at most."""
        rows, columns = self.blocks.sizes
        return sum([max(0, rows - count) * max(0, columns - count) for count in self.counts])

    def matrices(self, table: TableAtPoint) -> Iterator[tuple[tuple[int, ...], Matrix]]:
        for state, count in zip(self.blocks.conditions, self.counts, strict=True):
            if min(self.blocks.sizes) > count:
                yield state, FlatMatrix(self.blocks, state, count, table)

    def sets(self, names: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
        """The two blocks and what is conditioned on, by name."""
        rows, columns = ([names[axis] for axis in block] for block in self.blocks.blocks)
        return rows, columns, [names[axis] for axis in self.blocks.fixed]

    def make_evidence(self, names: Sequence[str]) -> dict[str, Any]:
        rows, columns, given = self.sets(names)
        evidence: dict[str, Any] = {"type": "flattening", "A": rows, "B": columns, "C": given, "S": list(self.hidden)}
        return evidence | {"rank": rank_or_ranks(self.counts), "size": list(self.blocks.sizes)}

    def text(self, names: Sequence[str]) -> str:
        rows, columns = self.blocks.sizes
        return f"flattening {format_blocks(self.blocks, names)} ({rows}×{columns}, {rank_text(self.counts)})"


class BoundedRank(NamedTuple):
    """The greatest rank of a flattening on the model in some states of what is conditioned on, or in all."""

    flattening: Flattening
    rank: int
    states: tuple[tuple[int, ...], ...]
    trust: Trust

    @property
    def is_everywhere(self) -> bool:
        """Whether it is the same in all states."""
        return len(self.states) == len(self.flattening.counts)


class FlatMatrix(NamedTuple):
    """One matrix P(a, b, C=c)."""

    blocks: Blocks
    state: tuple[int, ...]
    rank: int
    table: TableAtPoint

    @property
    def values(self) -> Array:
        return self.blocks.join_blocks(self.table.table, self.state, self.table.field)

    def pulled_back(self, left: Array, right: Array) -> Array:
        """The forms ℓ⊗r."""
        return self.blocks.pulled_back(self.table.field.multiply(left[:, :, None], right[:, None, :]), self.state)


def rank_or_ranks(counts: Sequence[int]) -> int | list[int]:
    """The rank, or one for each state of the variables conditioned on where they differ.

    >>> rank_or_ranks([2, 2]), rank_or_ranks([1, 2])
    (2, [1, 2])
    """
    return counts[0] if len(set(counts)) == 1 else list(counts)


def rank_text(counts: Sequence[int]) -> str:
    """The ranks for people.

    >>> rank_text([2, 2]), rank_text([1, 2])
    ('rank 2', 'rank 1 to 2')
    """
    low, high = min(counts), max(counts)
    return f"rank {low}" if low == high else f"rank {low} to {high}"


def format_blocks(blocks: Blocks, names: Sequence[str]) -> str:
    """The blocks for people.

    >>> format_blocks(Blocks((2, 2, 2, 2), ((0, 2), (1,)), (3,)), "ABCD")
    'A,C|B given D'
    """
    text = "|".join([",".join([names[axis] for axis in block]) for block in blocks.blocks])
    return f"{text} given {','.join(names[axis] for axis in blocks.fixed)}" if blocks.fixed else text


def list_candidates(separators: Separators) -> list[Flattening]:
    """All flattenings that no other one makes idle: whole tables first, those with conditions, then margins."""
    best: dict[tuple[Bits, Bits, Bits], Separator] = {}
    for separator in separators.found:
        outside = separators.observed & ~separator.given
        for one, other in iterate_sides(separator, outside):
            key = (one, other, separator.given)
            known = best.get(key)
            if known is None or sum(separator.counts) < sum(known.counts):
                best[key] = separator
    found: list[tuple[tuple[Any, ...], Flattening]] = []
    for (one, other, given), separator in best.items():
        if is_idle(separators, separator, one, other):
            continue
        blocks = Blocks(
            separators.setting.pmap.shape, (separators.axes(one), separators.axes(other)), separators.axes(given)
        )
        flattening = Flattening(blocks, separators.graph.members(separator.hidden), separator.counts)
        if flattening.forms:
            is_margin = one | other | given != separators.observed
            found.append(((is_margin, given != 0, -flattening.forms, given, one, other), flattening))
    return [flattening for _, flattening in sorted(found, key=lambda pair: pair[0])]


def bound_ranks(flattening: Flattening, names: Sequence[str]) -> list[BoundedRank]:
    """The greatest ranks of a candidate that say something.

    A rank that is the smaller side of the matrix, as every matrix of that size has at most, says nothing. Rank 0 says
    that cells are zero at all parameters; these are counted.
    """
    found: dict[int, list[tuple[int, ...]]] = {}
    for state, count in zip(flattening.blocks.conditions, flattening.counts, strict=True):
        if 0 < count < min(flattening.blocks.sizes):
            found.setdefault(count, []).append(state)
    return [
        BoundedRank(flattening, count, tuple(states), compute_rank_trust(flattening, count, names))
        for count, states in sorted(found.items())
    ]


def compute_rank_trust(flattening: Flattening, count: int, names: Sequence[str]) -> Trust:
    """Trust in the rank of a candidate in the states of the condition in which this many states of the hidden ones are possible."""
    one, other, given = flattening.sets(names)
    apart = (
        f"{', '.join([*flattening.hidden, *given]) or 'the empty set'} separates {','.join(one)} from {','.join(other)}"
    )
    most = (
        f"; at most {format_count(count, 'state')} of {', '.join(flattening.hidden)} possible"
        if flattening.hidden
        else ""
    )
    return proved_by("matrices of bounded rank", f"{apart}{most}")


def is_search_complete(separators: Separators) -> bool:
    """Whether the candidates are all that there are: no limit ended the search."""
    if separators.stopped:
        return False
    outside = [(separators.observed & ~separator.given).bit_count() for separator in separators.found]
    return all(count <= MOST_SIDES for count in outside)


def iterate_sides(separator: Separator, outside: Bits) -> Iterator[tuple[Bits, Bits]]:
    """The pairs of independent sets that cannot be enlarged, the one with the lowest variable first."""
    if outside.bit_count() > MOST_SIDES:
        yield from iterate_halves(separator.components(outside))
        return
    # the neighbours of each subset: those of its lowest variable, and those of the rest
    seen, reached, subset = set(), {0: 0}, 0
    while subset != outside:
        subset = (subset - outside) & outside
        rest = subset & (subset - 1)
        reached[subset] = reached[rest] | separator.links[(subset ^ rest).bit_length() - 1]
    for one, near in reached.items():
        other = outside & ~one & ~near
        if not one or not other:
            continue
        larger = outside & ~other & ~reached[other]
        pair = (larger, other) if larger & -larger < other & -other else (other, larger)
        if pair not in seen:
            seen.add(pair)
            yield pair


def iterate_halves(components: Sequence[Bits]) -> Iterator[tuple[Bits, Bits]]:
    """The ways to divide components into two groups; of very many only those that divide the first ones."""
    first = components[0]
    everything = reduce(or_, components)
    inner, rest = components[1 : MOST_COMPONENTS + 1], components[MOST_COMPONENTS + 1 :]
    for number in range(1 << len(inner)):
        one = reduce(or_, (part for place, part in enumerate(inner) if number >> place & 1), first)
        # components beyond the limit alternate between the two sides
        one |= reduce(or_, rest[::2], 0)
        if one != everything:
            yield one, everything & ~one


def iterate_subsets(variables: Bits) -> Iterator[Bits]:
    """All subsets.

    >>> list(iterate_subsets(0b101))
    [0, 1, 4, 5]
    """
    subset = 0
    while True:
        yield subset
        if subset == variables:
            return
        subset = (subset - variables) & variables


def is_idle(separators: Separators, separator: Separator, one: Bits, other: Bits) -> bool:
    """Whether a variable conditioned on can as well stand in a block: the larger matrix has these as submatrices."""
    if separators.zeros:
        return False
    for index in iterate_positions(separator.given):
        bit = 1 << index
        links = separators.links((separator.given | separator.hidden) & ~bit)
        joint = reduce(or_, map(links.__getitem__, iterate_positions(one)), 0)
        if joint & other:
            continue
        if not links[index] & other or not links[index] & one:
            return True
    return False


@dataclass(frozen=True, slots=True)
class Span(Flattening):
    """The matrices P(a, b, C=c) of roots a; ``hidden`` are the variables whose tables these enter, hidden or not."""

    def make_evidence(self, names: Sequence[str]) -> dict[str, Any]:
        rows, columns, given = self.sets(names)
        evidence: dict[str, Any] = {"type": "span", "A": rows, "B": columns, "C": given, "through": list(self.hidden)}
        return evidence | {"rank": rank_or_ranks(self.counts), "size": list(self.blocks.sizes)}

    def text(self, names: Sequence[str]) -> str:
        rows, columns = self.blocks.sizes
        return f"span of {format_blocks(self.blocks, names)} ({rows}×{columns}, {rank_text(self.counts)})"


def list_spans(separators: Separators) -> list[Span]:
    """The matrices whose rank the tables bound, those first that give most."""
    found = list(iterate_spans(separators))
    return sorted(found, key=lambda one: -one.forms)


def iterate_spans(separators: Separators) -> Iterator[Span]:
    """Those of all sets of roots, and of roots and their children's observed parents conditioned on."""
    model = separators.setting.pmap.model
    roots = [v for v, variable in enumerate(model.variables) if variable.observed and not variable.parents][:MOST_ROOTS]
    number = {variable.name: v for v, variable in enumerate(model.variables)}
    for count in range(1, len(roots) + 1):
        for rows in combinations(roots, count):
            names = {model.variables[v].name for v in rows}
            touched = [variable for variable in model.variables if names & {*variable.parents}]
            beside = {number[parent] for variable in touched for parent in variable.parents}
            beside |= {number[variable.name] for variable in touched}
            optional = sorted(v for v in beside if model.variables[v].observed and v not in rows)
            for given_count in range(min(len(optional), MOST_GIVEN) + 1):
                for given in combinations(optional, given_count):
                    candidate = make_span(separators, rows, given)
                    if candidate is not None:
                        yield candidate


def make_span(separators: Separators, rows: tuple[int, ...], given: tuple[int, ...]) -> Span | None:
    """The matrices of some rows and conditions, if the bound is less than both sides."""
    model = separators.setting.pmap.model
    fixed = {model.variables[v].name for v in (*rows, *given)}
    conditioned = {model.variables[v].name for v in given}
    names = {model.variables[v].name for v in rows}
    bound, through = 1, []
    for variable in model.variables:
        if not names & {*variable.parents}:
            continue
        through.append(variable.name)
        others = prod(model.states[parent] for parent in variable.parents if parent not in fixed)
        bound *= others if variable.name in conditioned else others * (variable.states - 1) + 1
    used = sum(1 << v for v in (*rows, *given))
    sets = (sum(1 << v for v in rows), separators.observed & ~used, sum(1 << v for v in given))
    blocks = Blocks(
        separators.setting.pmap.shape, (separators.axes(sets[0]), separators.axes(sets[1])), separators.axes(sets[2])
    )
    if bound >= min(blocks.sizes):
        return None
    return Span(blocks, tuple(through), (bound,) * len(blocks.conditions))
