"""Which latent class models of a format have the expected dimension, proved from a few small ranks.

A format is a list of groups of items, each group with one free table; with groups of one item it is that of an array, with one
group that of a symmetric one. The closures of these models are, in projective space, the secants of Segre-Veronese varieties.

With few classes the parameters are independent, with many the model is saturated, and what holds for a number of classes holds
for fewer, or for more. So two numbers settle a format, mostly two that follow each other (lemma "splitting"). A format is
split: the states of a group of one item into two parts, the classes among these. What the classes of one part leave in the
other are spaces of one group's directions alone, `partial` below. Halves are split again, and what is small is a rank modulo a
prime, of integers drawn from a seed. A failed search proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, islice, product, takewhile
from math import comb, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.ranks import rank_mod
from algdim.families.discrete.bounds.secants import (
    compute_group_dimension,
    compute_symmetric_dimension,
    find_defective_format,
)

PRIME = 8_388_593
SMALL = 60
"""Formats with at most this many cells are ranked at once; larger ones are split first."""
LARGE = 1000
"""Parts with at most this many cells are ranked if no splitting is found."""
LARGEST = 4000
"""The same of whole formats, which are fewer."""
MOST_TRIED = 14
"""Splittings of one format that are tried."""
MOST_PARTS = 4
"""Sizes of the first part that are tried, the nearest to one half first."""
WIDTH = 3
"""Shares of one half of a number that are tried, the nearest to one half first."""

Integers = NDArray[np.int64]


class ItemGroup(NamedTuple):
    """Items of one table, and how many spaces there are of directions in this table alone."""

    states: int
    items: int
    partial: int = 0

    @property
    def cells(self) -> int:
        """How many cells of these items differ."""
        return comb(self.states + self.items - 1, self.items)


Groups = tuple[ItemGroup, ...]


@dataclass(slots=True)
class Search:
    """What has been found out about formats, and how much was computed for it."""

    seed: int = 0
    small: int = SMALL
    large: int = LARGE
    largest: int = LARGEST
    known: dict[tuple[Groups, int], bool] = field(default_factory=dict)
    ranks: int = 0
    splittings: int = 0


@dataclass(frozen=True, slots=True)
class Secants:
    """What is proved of a format.

    Up to ``independent`` classes the dimension is the number of parameters, from ``full`` classes on the model is saturated.
    The numbers of classes between them are defective or open.
    """

    groups: Groups
    independent: int
    full: int

    @property
    def between(self) -> range:
        """The numbers of classes of which nothing was proved."""
        return range(self.independent + 1, self.full)


def count_cells(groups: Sequence[ItemGroup]) -> int:
    """How many cells differ."""
    return prod(group.cells for group in groups)


def count_directions(groups: Sequence[ItemGroup], classes: int) -> int:
    """The dimension that is expected of the sum of all spaces: those of the classes, and partial ones.

    >>> (
    ...     count_directions([ItemGroup(2, 1), ItemGroup(3, 2)], 4),
    ...     count_directions([ItemGroup(2, 1, 5), ItemGroup(3, 2)], 4),
    ... )
    (16, 26)
    """
    each = 1 + sum(group.states - 1 for group in groups)
    return classes * each + sum(group.states * group.partial for group in groups)


def find_secants(search: Search, groups: Sequence[ItemGroup]) -> Secants:
    """The greatest number of classes that is proved independent, and the least that is proved full.

    >>> find_secants(Search(), (ItemGroup(2, 1), ItemGroup(2, 1), ItemGroup(3, 1), ItemGroup(3, 1))).between
    range(5, 6)
    """
    kept = tuple(sorted(group for group in groups if group.states > 1))
    cells, each = count_cells(kept), count_directions(kept, 1)
    largest = find_unbalanced(kept)
    if largest is not None:
        rest = cells // largest
        return Secants(kept, rest - (each - largest), min(largest, rest))
    independent, full = cells // each, -(-cells // each)
    while not is_settled(search, kept, independent):
        independent -= 1
    while full < cells and not is_settled(search, kept, full):  # as many products as cells span everything
        full += 1
    return Secants(kept, independent, full)


def is_settled(search: Search, groups: Groups, classes: int) -> bool:
    """Whether splitting proves the expected dimension, or else the rank of the whole format, if its size allows."""
    if is_expected(search, groups, classes):
        return True
    cells = count_cells(groups)
    return (
        search.large < cells <= search.largest
        and decide_without_rank(groups, classes) is None
        and has_expected_rank(search, groups, classes)
    )


def find_unbalanced(groups: Sequence[ItemGroup]) -> int | None:
    """The states of an item that has so many that lemma "splitting" (g) gives all dimensions; ``None`` if there is none.

    >>> find_unbalanced([ItemGroup(2, 2), ItemGroup(5, 1)]), find_unbalanced([ItemGroup(2, 2), ItemGroup(2, 2)])
    (5, None)
    """
    cells, each = count_cells(groups), count_directions(groups, 1)
    for group in groups:
        others = each - group.states
        if group.items == 1 and others and group.states >= cells // group.states - others:
            return group.states
    return None


def is_expected(search: Search, groups: Groups, classes: int) -> bool:
    """Whether it is proved that the spaces have the dimension expected: independent, or as large as all cells.

    ``groups`` are in order and have more than one state. A number of classes is 0 or more.
    """
    key = groups, classes
    if key not in search.known:
        decided = decide_without_rank(groups, classes)
        search.known[key] = try_to_prove(search, groups, classes) if decided is None else decided
    return search.known[key]


def decide_without_rank(groups: Groups, classes: int) -> bool | None:
    """What is known without a rank; ``None`` where nothing is."""
    cells, expected = count_cells(groups), count_directions(groups, classes)
    if expected <= 1 or not groups:
        return True
    if len(groups) == 1:
        one = groups[0]
        # directions in the only table are those of a class
        count = classes + one.partial
        return one.items == 1 or compute_symmetric_dimension(count, *one[:2]) == min(count * one.states, cells) - 1
    if len(groups) == 2 and groups[0].items == groups[1].items == 1:
        (rows, _, left), (columns, _, right) = groups
        lacking = max(0, rows - classes - right) * max(0, columns - classes - left)
        return cells - lacking == min(expected, cells)
    if any(group.partial for group in groups):
        return None
    if all(group.items == 1 for group in groups):
        less = find_defective_format(classes, tuple(group.states for group in groups))
        if less is not None and less.at_most < min(expected, cells) - 1:
            return False
    known = compute_group_dimension(classes, [group[:2] for group in groups])
    return None if known is None else known[0] == min(expected, cells) - 1


def try_to_prove(search: Search, groups: Groups, classes: int) -> bool:
    """A rank of a small format; otherwise both parts of a splitting, or a rank if no splitting is found."""
    if count_cells(groups) <= search.small:
        return has_expected_rank(search, groups, classes)
    for halves in islice(iterate_splittings(groups, classes), MOST_TRIED):
        if all(is_part_expected(search, half, count, groups, classes) for half, count in halves):
            search.splittings += 1
            return True
    return count_cells(groups) <= search.large and has_expected_rank(search, groups, classes)


def is_part_expected(search: Search, part: Sequence[ItemGroup], classes: int, whole: Groups, of_whole: int) -> bool:
    """Whether the part is independent if the whole is to be, or full if that is; groups of one state are left out."""
    kept = tuple(sorted(group for group in part if group.states > 1))
    lines = sum(group.partial for group in part if group.states == 1)
    spare = count_cells(kept) - count_directions(kept, classes) - lines
    are_to_be_independent = count_directions(whole, of_whole) <= count_cells(whole)
    return (spare >= 0 if are_to_be_independent else spare <= 0) and is_expected(search, kept, classes)


Half = tuple[list[ItemGroup], int]


def iterate_splittings(groups: Groups, classes: int) -> Iterator[tuple[Half, Half]]:
    """Splittings by lemma "splitting" (c) whose parts have room enough, or directions enough."""
    cells = count_cells(groups)
    spare = cells - count_directions(groups, classes)
    singles = sorted((i for i, group in enumerate(groups) if group.items == 1), key=lambda i: -groups[i].states)
    for split in singles:
        states, _, partial = groups[split]
        rest = [i for i in range(len(groups)) if i != split]
        others = sum(groups[i].states - 1 for i in rest)
        sizes = sorted(range(1, states // 2 + 1), reverse=True)[:MOST_PARTS] + ([1] if states > 2 * MOST_PARTS else [])
        for size in sizes:
            shares = [choose_near(groups[i].partial * size / states, 0, groups[i].partial) for i in rest]
            for share in product(*shares):
                # the room that the first part has without the classes' other directions
                room = size * (cells // states - partial - classes)
                room -= sum(count * groups[i].states for count, i in zip(share, rest, strict=True))
                least, most = sorted((room - spare, room))
                for first in choose_near(classes * size / states, -(-least // others), min(most // others, classes)):
                    one, other = list(groups), list(groups)
                    one[split] = ItemGroup(size, 1, partial + classes - first)
                    other[split] = ItemGroup(states - size, 1, partial + first)
                    for count, i in zip(share, rest, strict=True):
                        one[i] = groups[i]._replace(partial=count)
                        other[i] = groups[i]._replace(partial=groups[i].partial - count)
                    yield (one, first), (other, classes - first)


def choose_near(wanted: float, least: int, most: int) -> list[int]:
    """Some whole numbers in a range, those nearest to what is wanted first.

    >>> choose_near(2.4, 0, 9), choose_near(7, 0, 3), choose_near(2, 4, 3)
    ([2, 3, 1], [3, 2, 1], [])
    """
    least = max(least, 0)
    middle = min(max(round(wanted), least), most)
    near = range(max(middle - WIDTH, least), min(middle + WIDTH, most) + 1)
    return sorted(near, key=lambda number: abs(number - wanted))[:WIDTH]


def has_expected_rank(search: Search, groups: Groups, classes: int) -> bool:
    """Whether the spaces at drawn points have the expected dimension modulo a prime, which proves it of general ones."""
    search.ranks += 1
    rows = draw_directions(search.seed, groups, classes)
    return len(rank_mod(rows, PRIME).rows) == min(count_directions(groups, classes), count_cells(groups))


def draw_directions(seed: int, groups: Groups, classes: int) -> Integers:
    """Vectors that span all spaces, at points drawn from the seed, as residues."""
    blocks = []
    counts = [(classes, tuple(range(len(groups))))] + [(group.partial, (i,)) for i, group in enumerate(groups)]
    for number, (count, places) in enumerate(counts):
        if count:
            source = open_stream(seed, "format", number, *(part for group in groups for part in group), classes)
            drawn = draw_residues(source, PRIME, count * sum(group.states for group in groups))
            ends = np.cumsum([group.states for group in groups])[:-1]
            points = np.split(drawn.reshape(count, -1), ends, axis=1)
            blocks += [find_tangents(groups, points, place) for place in places]
    return np.concatenate(blocks)


def find_tangents(groups: Groups, points: Sequence[Integers], place: int) -> Integers:
    """The derivatives of products of powers by the vector of one group, a row for each entry of each point's vector."""
    count = len(points[0])
    found = np.ones((count, 1, 1), dtype=np.int64)
    for i, (group, vectors) in enumerate(zip(groups, points, strict=True)):
        factor = (
            differentiate_powers(vectors, group.items) if i == place else raise_vectors(vectors, group.items)[:, None]
        )
        found = found[:, :, None, :, None] * factor[:, None, :, None, :] % PRIME
        found = found.reshape(count, found.shape[1] * found.shape[2], -1)
    return found.reshape(-1, found.shape[2])


def list_monomials(states: int, items: int) -> Integers:
    """The monomials, as the indices of their factors in order."""
    return np.array(list(combinations_with_replacement(range(states), items)), dtype=np.int64).reshape(-1, items)


def raise_vectors(vectors: Integers, items: int) -> Integers:
    """The values of all monomials of a degree, a row for each vector."""
    found = np.ones((len(vectors), 1), dtype=np.int64)
    for indices in list_monomials(vectors.shape[1], items).T:
        found = found * vectors[:, indices] % PRIME
    return found


def differentiate_powers(vectors: Integers, items: int) -> Integers:
    """Their derivatives by the entries of the vector, which are the second axis."""
    monomials = list_monomials(vectors.shape[1], items)
    found = np.zeros((*vectors.shape, len(monomials)), dtype=np.int64)
    for factor in range(items):
        others = np.ones((len(vectors), len(monomials)), dtype=np.int64)
        for other in range(items):
            if other != factor:
                others = others * vectors[:, monomials[:, other]] % PRIME
        found[:, monomials[:, factor], np.arange(len(monomials))] += others
    return found % PRIME


def list_formats(most_cells: int, *, is_shared: bool) -> list[Groups]:
    """All formats of two groups or more up to this many cells: arrays of three items or more, or formats with a shared table.

    >>> [[group[:2] for group in one] for one in list_formats(9, is_shared=True)]
    [[(2, 1), (2, 2)], [(2, 1), (2, 3)], [(2, 2), (2, 2)], [(2, 2), (3, 1)]]
    >>> len(list_formats(16, is_shared=False))
    4
    """
    parts: list[ItemGroup] = []
    for items in range(1, most_cells if is_shared else 2):
        # another group has two cells or more, and cells grow with states
        sizes = (ItemGroup(states, items) for states in range(2, most_cells + 1))
        parts += takewhile(lambda part: 2 * part.cells <= most_cells, sizes)
    parts.sort(key=lambda part: (part.cells, part))
    found: list[Groups] = []

    def extend(first: int, cells: int, chosen: Groups) -> None:
        for place in range(first, len(parts)):
            if cells * parts[place].cells > most_cells:
                break
            more = (*chosen, parts[place])
            is_wanted = len(more) > 1 and any(part.items > 1 for part in more) if is_shared else len(more) > 2
            if is_wanted:
                found.append(tuple(sorted(more)))
            extend(place, cells * parts[place].cells, more)

    extend(0, 1, ())
    return sorted(found, key=lambda one: (count_cells(one), one))
