"""Which latent class models of a format have the expected dimension, proved from a few small ranks.

A format is a list of groups of items, each group with one free table; with groups of one item it is that of an array, with one
group that of a symmetric one. The closures of these models are, in projective space, the secants of Segre-Veronese varieties.

With few classes the parameters are independent, with many the model is saturated, and what holds for a number of classes holds
for fewer, or for more. So two numbers settle a format, mostly two that follow each other (lemma "splitting"). A format is split
in one of two ways. The states of a group of one item are split into blocks, the classes among these; what the classes of one
block leave in the others are spaces of one group's directions alone, `partial` below. Of a group of several items some points
are put on a hyperplane of its vectors; what they leave in the format of one item less are products. Parts are split again, most
of them into whole formats of fewer groups, and what is small is a rank modulo a prime. A failed search proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise, permutations, product, takewhile
from typing import NamedTuple

import numpy as np

from algdim.families.discrete.bounds.doublepoints import find_double_points, is_defective
from algdim.families.discrete.bounds.secants import (
    compute_group_dimension,
    compute_symmetric_dimension,
    find_defective_format,
)
from algdim.families.discrete.bounds.tangents import (
    Groups,
    Integers,
    ItemGroup,
    compute_rank,
    count_cells,
    count_directions,
    estimate_work,
    list_block_sizes,
)

SMALL = 400
"""Formats and parts with at most this many cells are ranked at once; larger ones are split."""
QUICK = 3 * 10**7
"""Multiplications of a rank that takes no longer than to look for splittings: parts with less are ranked at once, whatever their size."""
LARGEST = 15_000
"""Whole formats with at most this many cells are ranked if no splitting is found."""
MOST_WORK = 5 * 10**11
"""Multiplications of one rank."""
MOST_TRIED = 8
"""Splittings of one format that are tried."""
WIDTH = 3
"""Shares of one part of a number that are tried, the nearest to its size first."""
MOST_BLOCKS = 6
"""Least sizes of blocks that are tried."""


@dataclass(slots=True)
class Search:
    """What has been found out about formats, and how much was computed for it."""

    seed: int = 0
    small: int = SMALL
    quick: int = QUICK
    largest: int = LARGEST
    most_work: int = MOST_WORK
    parts: dict[tuple[Groups, int], bool] = field(default_factory=dict)
    """Which parts with directions in single tables were proved to be as expected."""
    formats: dict[Groups, Secants] = field(default_factory=dict)
    least: dict[Groups, tuple[int, ...]] = field(default_factory=dict)
    """Proved lower bounds of the dimensions for the numbers of classes between those two of a format."""
    ranks: int = 0
    work: int = 0
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


class SecantProblem(NamedTuple):
    """A format with a number of classes, and with general products in addition."""

    groups: Groups
    classes: int
    lines: int = 0

    @property
    def spare(self) -> int:
        """How many cells more than directions there are; fewer if it is negative."""
        return count_cells(self.groups) - count_directions(self.groups, self.classes) - self.lines


def make_part(groups: Sequence[ItemGroup], classes: int, lines: int = 0) -> SecantProblem:
    """Groups in order; of those with one state, whose spaces are lines, only these are kept."""
    kept = tuple(sorted(group for group in groups if group.states > 1))
    return SecantProblem(kept, classes, lines + sum(group.partial for group in groups if group.states == 1))


def find_secants(search: Search, groups: Sequence[ItemGroup]) -> Secants:
    """The greatest number of classes that is proved independent, and the least that is proved full.

    >>> find_secants(Search(), (ItemGroup(2, 1), ItemGroup(2, 1), ItemGroup(3, 1), ItemGroup(3, 1))).between
    range(5, 6)
    """
    kept = tuple(sorted(group for group in groups if group.states > 1))
    return search.formats[kept] if kept in search.formats else add_secants(search, search_secants(search, kept))


def search_secants(search: Search, groups: Groups) -> Secants:
    """The same of groups that are in order, by a formula or by proofs."""
    cells, each = count_cells(groups), count_directions(groups, 1)
    largest = find_unbalanced(groups)
    if largest is not None:
        rest = cells // largest
        return Secants(groups, rest - (each - largest), min(largest, rest))
    independent, full = cells // each, -(-cells // each)
    while not is_settled(search, groups, independent):
        independent -= 1
    while full < cells and not is_settled(search, groups, full):  # as many products as cells span everything
        full += 1
    return Secants(groups, independent, full)


def add_secants(search: Search, found: Secants) -> Secants:
    """Keep what is proved of a format, with lower bounds of the dimensions between its two numbers."""
    groups, cells = found.groups, count_cells(found.groups)
    search.formats[groups] = found
    if found.between:
        known = found.independent * count_directions(groups, 1)
        search.least[groups] = tuple(max(known, cells - bound_lacking(search, groups, one)) for one in found.between)
    return found


def bound_dimension(search: Search, groups: Groups, classes: int) -> tuple[int, int]:
    """The least and the greatest dimension that are proved of a format without partial directions; a rank is taken if they differ.

    >>> bound_dimension(Search(), (ItemGroup(2, 1), ItemGroup(2, 10), ItemGroup(3, 1)), 13)
    (64, 64)
    """
    cells, directions = count_cells(groups), count_directions(groups, classes)
    least, most = cells - bound_lacking(search, groups, classes), min(directions, cells)
    if groups in search.least and classes in (between := search.formats[groups].between):
        least = max(least, search.least[groups][between.index(classes)])
    for size in (0, *list_block_sizes(groups, classes), None):
        if least < most and size != 0 and estimate_work(groups, classes, size) <= search.most_work:
            least = max(least, compute_rank(search.seed, groups, classes, size))
        if least < most and least:
            most = min(most, cells - find_double_points(search.seed, groups, classes, cells - least).rank)
    return least, most


def is_settled(search: Search, groups: Groups, classes: int) -> bool:
    """Whether a format without partial directions is proved to be as expected."""
    decided = decide_without_rank(groups, classes)
    if decided is not None:
        return decided
    if not any(group.partial for group in groups):
        if bound_lacking(search, groups, classes) == max(0, SecantProblem(groups, classes).spare):
            return True
        if is_defective(search.seed, groups, classes):
            return False
    if is_split(search, groups, classes):
        return True
    return count_cells(groups) <= search.largest and has_expected_rank(search, groups, classes)


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

    ``groups`` are in order and have more than one state. A number of classes is 0 or more. Without directions in single tables
    the format is settled; otherwise small parts are ranked.
    """
    decided = decide_without_rank(groups, classes)
    if decided is not None:
        return decided
    if not any(group.partial for group in groups):
        found = find_secants(search, groups)
        return classes not in found.between
    key = groups, classes
    if key not in search.parts:
        is_small = count_cells(groups) <= search.small or estimate_work(groups, classes) <= search.quick
        search.parts[key] = (has_expected_rank if is_small else is_split)(search, groups, classes)
    return search.parts[key]


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
    if len(groups) == 2 and any(one.states == 2 and other.items == 1 for one, other in permutations(groups)):
        return True
    if all(group.items == 1 for group in groups):
        less = find_defective_format(classes, tuple(group.states for group in groups))
        if less is not None and less.at_most < min(expected, cells) - 1:
            return False
    known = compute_group_dimension(classes, [group[:2] for group in groups])
    return None if known is None else known[0] == min(expected, cells) - 1


def is_split(search: Search, groups: Groups, classes: int) -> bool:
    """Whether all parts of some splitting are as expected; a small format is not split."""
    if count_cells(groups) <= search.small:
        return False
    for prove in islice(iterate_splittings(SecantProblem(groups, classes)), MOST_TRIED):
        if prove(search):
            search.splittings += 1
            return True
    return False


def has_expected_rank(search: Search, groups: Groups, classes: int) -> bool:
    """Whether the spaces at drawn points have the expected dimension modulo a prime, which proves it of general ones."""
    expected = min(count_directions(groups, classes), count_cells(groups))
    sizes = list_block_sizes(groups, classes) if count_cells(groups) > search.small else []
    for size in [*sizes, None]:
        work = estimate_work(groups, classes, size)
        if work > search.most_work:
            continue
        search.ranks += 1
        search.work += work
        if compute_rank(search.seed, groups, classes, size) == expected:
            return True
    return False


Proof = Callable[[Search], bool]
"""Tries to prove the parts of a splitting."""


def iterate_splittings(part: SecantProblem) -> Iterator[Proof]:
    """Splittings whose parts have room enough, or directions enough; those into small blocks first."""
    singles = sorted(
        (i for i, group in enumerate(part.groups) if group.items == 1), key=lambda i: -part.groups[i].states
    )
    seen = set()
    for size in range(1, MOST_BLOCKS + 1):
        for place in singles:
            blocks = find_blocks(part, place, size)
            if blocks is not None and (key := frozenset(blocks)) not in seen:
                seen.add(key)
                yield make_block_proof(blocks)
    for place, group in enumerate(part.groups):
        if group.items > 1:
            for cut in iterate_cuts(part, place):
                yield cut.prove


def make_block_proof(blocks: Sequence[SecantProblem]) -> Proof:
    """All different blocks, the smallest first; they have room enough, or directions enough, so that the expected dimension decides."""
    ordered = sorted(set(blocks), key=lambda one: count_cells(one.groups))
    return lambda search: all(is_expected(search, block.groups, block.classes) for block in ordered)


def find_blocks(part: SecantProblem, place: int, size: int) -> list[SecantProblem] | None:
    """Lemma "splitting" (c): blocks of the states of a group of one item, ``None`` if some would have too few cells or directions.

    Blocks are at least this large. Where there are directions in other groups, all have this size but perhaps the last.

    >>> two, three, four = ItemGroup(2, 1), ItemGroup(3, 1), ItemGroup(4, 1)
    >>> [(block.groups, block.classes) for block in find_blocks(SecantProblem((two, three, four), 4), 2, 1)][:1]
    [((ItemGroup(states=2, items=1, partial=0), ItemGroup(states=3, items=1, partial=0)), 1)]
    """
    groups, classes = part.groups, part.classes
    states, _, partial = groups[place]
    rest = groups[:place] + groups[place + 1 :]
    others = sum(group.states - 1 for group in rest)
    # what one state has for the classes with its unit vector, and for directions in other groups
    room = count_cells(rest) - classes - partial
    is_full = part.spare < 0
    if size > states // 2:
        return None
    if not any(group.partial for group in rest):
        shares = share_out_classes(states, size, room, others, classes, is_full=is_full)
        if shares is None:
            return None
        found = [(block, count, (0,) * len(rest)) for block, count in shares]
    else:
        shared = share_out_all(rest, states, size, room, classes, is_full=is_full)
        if shared is None:
            return None
        found = shared
    blocks = [
        make_part(
            [group._replace(partial=count) for group, count in zip(rest, share, strict=True)]
            + [ItemGroup(block, 1, partial + classes - count)],
            count,
        )
        for block, count, share in found
    ]
    fit = all(block.spare <= 0 if is_full else block.spare >= 0 for block in blocks)
    return blocks if fit else None


def share_out_classes(
    states: int, least: int, room: int, others: int, classes: int, *, is_full: bool
) -> list[tuple[int, int]] | None:
    """Blocks of at least so many states with their numbers of classes, the largest as small as possible; ``None`` if one is needed.

    A block of b states has room for ⌊b · room / others⌋ classes, and is full with as many, rounded up.

    >>> share_out_classes(5, 1, 8, 5, 7, is_full=False), share_out_classes(4, 1, 8, 5, 8, is_full=True)
    ([(2, 3), (2, 3), (1, 1)], [(1, 2), (1, 2), (1, 2), (1, 2)])
    """
    sign = -1 if is_full else 1
    if room < 0:
        return [(1, 0)] * (states - 1) + [(1, classes)] if is_full and least == 1 else None
    # with the sign, in both cases a sum that is to be large
    best = [0] + [-(states + 1) * (room + classes + 1)] * states
    last = [0] * (states + 1)
    for size in range(least, states):
        value = sign * size * room // others
        for total in range(size, states + 1):
            if best[total - size] + value > best[total]:
                best[total], last[total] = best[total - size] + value, size
        if best[states] >= sign * classes:
            break
    else:
        return None
    blocks, total, left = [], states, classes
    while total:
        size = last[total]
        blocks.append((size, sign * (sign * size * room // others)))
        total, left = total - size, left - blocks[-1][1]
    # independent blocks may have fewer classes than they have room for, full ones more; the largest first
    for place in sorted(range(len(blocks)), key=lambda i: -blocks[i][0]):
        size, count = blocks[place]
        change = max(left, -count)
        blocks[place] = size, count + change
        left -= change
    return blocks


Block = tuple[int, int, tuple[int, ...]]


def share_out_all(
    rest: Groups, states: int, size: int, room: int, classes: int, *, is_full: bool
) -> list[Block] | None:
    """Blocks of one size with classes and directions in other groups, in proportion as far as there is room, or need.

    Directions in the group with the fewest states fill what the others leave.
    """
    others = sum(group.states - 1 for group in rest)
    filler = min((i for i, group in enumerate(rest) if group.partial), key=lambda i: rest[i].states)
    ends = [*range(0, states, size), states]
    counts = share_evenly(classes, ends)
    shares = [share_evenly(group.partial, ends) for group in rest]
    sign = -1 if is_full else 1
    limits = []
    for block, (begin, end) in enumerate(pairwise(ends)):
        spare = (end - begin) * room - counts[block] * others
        spare -= sum(rest[i].states * share[block] for i, share in enumerate(shares) if i != filler)
        # at most so many, or at least
        limits.append(sign * (sign * spare // rest[filler].states))
    if any(limit < 0 for limit in limits):
        if not is_full:
            return None
        limits = [max(limit, 0) for limit in limits]
    given = [sign * min(sign * share, sign * limit) for share, limit in zip(shares[filler], limits, strict=True)]
    left = rest[filler].partial - sum(given)
    for block, limit in enumerate(limits):
        change = sign * min(sign * left, sign * (limit - given[block]))
        given[block] += change
        left -= change
    if left:
        return None
    shares[filler] = given
    return [
        (end - begin, counts[block], tuple(share[block] for share in shares))
        for block, (begin, end) in enumerate(pairwise(ends))
    ]


def share_evenly(number: int, ends: Sequence[int]) -> list[int]:
    """Shares of a number for intervals, nearly in proportion.

    >>> share_evenly(5, [0, 2, 4, 6])
    [1, 2, 2]
    """
    return [number * end // ends[-1] - number * begin // ends[-1] for begin, end in pairwise(ends)]


@dataclass(frozen=True, slots=True)
class HyperplaneCut:
    """Lemma "splitting" (h): some points are on a hyperplane of the vectors of a group of several items.

    These points are points of the ``trace``, where the group has one state less, and lines of the ``residue``, where it has
    one item less; ``second`` has two items less.
    """

    trace: SecantProblem
    residue: SecantProblem
    second: SecantProblem
    lines: int
    is_full: bool

    def prove(self, search: Search) -> bool:
        """Whether both parts are proved to be independent, or both full."""
        parts = self.second, self.residue, self.trace
        return all(is_expected(search, part.groups, part.classes) for part in parts)

    @property
    def fits(self) -> bool:
        """Whether it is enough that all parts have the expected dimension."""
        left, last = max(0, self.residue.spare), max(0, self.second.spare)
        if self.is_full:
            return self.trace.spare <= 0 and last == 0 and self.lines >= left
        return self.trace.spare >= 0 and self.residue.spare >= 0 and self.lines <= left - last


def iterate_cuts(part: SecantProblem, place: int) -> Iterator[HyperplaneCut]:
    """Cuts with shares of classes and directions that are nearly in proportion to the cells."""
    groups, classes, spare = part.groups, part.classes, part.spare
    states, items, _ = groups[place]
    rest = groups[:place] + groups[place + 1 :]
    trace_cells = count_cells((ItemGroup(states - 1, items), *rest))
    each = states - 1 + sum(group.states - 1 for group in rest)
    ratio = trace_cells / count_cells(groups)
    shares = [choose_near(group.partial * ratio, 0, group.partial) for group in groups]
    for share in product(*shares):
        taken = [group._replace(partial=count) for group, count in zip(groups, share, strict=True)]
        left = [group._replace(partial=group.partial - count) for group, count in zip(groups, share, strict=True)]
        on_trace = [*taken[:place], taken[place]._replace(states=states - 1), *taken[place + 1 :]]
        room = trace_cells - count_directions(on_trace, 0)
        least, most = sorted((room - spare, room))
        for first in choose_near(classes * ratio, -(-least // each), min(most // each, classes)):
            other = classes - first
            cut = HyperplaneCut(
                trace=make_part(on_trace, first),
                residue=make_part(lower_degree(left, place), other),
                second=make_part(lower_degree(lower_degree(left, place), place), other),
                lines=first + share[place],
                is_full=spare < 0,
            )
            if cut.fits:
                yield cut


def lower_degree(groups: Sequence[ItemGroup], place: int) -> list[ItemGroup]:
    """One item less in a group; without items it has one state."""
    states, items, partial = groups[place]
    lower = ItemGroup(states, items - 1, partial) if items > 1 else ItemGroup(1, 1, partial)
    return [*groups[:place], lower, *groups[place + 1 :]]


def bound_lacking(search: Search, groups: Groups, classes: int) -> int:
    """What the spaces of a format lack of all cells at most, by lemma "splitting" (h) from formats that are settled; no others are asked.

    >>> groups = ItemGroup(2, 3), ItemGroup(3, 2)
    >>> before, search = Search(), Search()
    >>> [find_secants(search, (ItemGroup(2, items), groups[1])).full for items in (1, 2)]
    [3, 6]
    >>> bound_lacking(before, groups, 5), bound_lacking(search, groups, 5)
    (24, 5)
    """
    best = count_cells(groups)
    on_trace = np.arange(classes + 1)
    for place, group in enumerate(groups):
        if group.items == 1:
            continue
        once, twice = lower_degree(groups, place), lower_degree(lower_degree(groups, place), place)
        trace = [*groups[:place], group._replace(states=group.states - 1), *groups[place + 1 :]]
        parts = [tuple(sorted(one for one in part if one.states > 1)) for part in (trace, once, twice)]
        on, off, second = (
            look_up_lacking(search, part, numbers)
            for part, numbers in zip(parts, (on_trace, classes - on_trace, classes - on_trace), strict=True)
        )
        if on is not None and off is not None and second is not None:
            best = min(best, int((on + second + np.maximum(0, off - second - on_trace)).min()))
    return best


def look_up_lacking(search: Search, groups: Groups, classes: Integers) -> Integers | None:
    """What the spaces of a format lack at most for several numbers of classes; ``None`` if the format is not settled.

    >>> look_up_lacking(Search(), (ItemGroup(3, 2),), np.arange(4)).tolist()
    [6, 3, 1, 0]
    """
    cells = count_cells(groups)
    if not groups:
        return np.where(classes > 0, 0, 1)
    if len(groups) == 1:
        states, items, _ = groups[0]
        if items == 1:
            return np.maximum(0, cells - classes * cells)
        dimensions = [compute_symmetric_dimension(one, states, items) + 1 for one in range(cells + 1)]
        return cells - np.array(dimensions)[np.minimum(classes, cells)]
    if len(groups) == 2 and groups[0].items == groups[1].items == 1:
        rows, columns = groups[0].states, groups[1].states
        return np.maximum(0, rows - classes) * np.maximum(0, columns - classes)
    each, largest = count_directions(groups, 1), find_unbalanced(groups)
    expected = np.maximum(0, cells - classes * each)
    if largest is not None:
        rest = cells // largest
        kept = np.minimum(classes, min(largest, rest))
        return np.where(kept <= rest - (each - largest), cells - kept * each, cells - kept * (largest + rest - kept))
    found = search.formats.get(groups)
    if found is None:
        return None
    for number, least in zip(found.between, search.least.get(groups, ()), strict=False):
        expected[classes == number] = cells - least
    return expected if groups in search.least or not found.between else None


def choose_near(wanted: float, least: int, most: int) -> list[int]:
    """Some whole numbers in a range, those nearest to what is wanted first.

    >>> choose_near(2.4, 0, 9), choose_near(7, 0, 3), choose_near(2, 4, 3)
    ([2, 3, 1], [3, 2, 1], [])
    """
    least = max(least, 0)
    middle = min(max(round(wanted), least), most)
    near = range(max(middle - WIDTH, least), min(middle + WIDTH, most) + 1)
    return sorted(near, key=lambda number: abs(number - wanted))[:WIDTH]


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
