"""Koszul flattenings: larger matrices made of three independent blocks, which see more than flattenings.

Let X, Y, Z be mutually independent given S and C, S hidden and C observed, and let T be the array P(x, y, z, C=c), other
observed variables summed over, X having m states. For 1 ≤ a ≤ m − 2 the matrix with entry (−1)^#{j ∈ I: j < i} T[i, y, z]
in row (I ∪ {i}, z) and column (I, y), I running over the a-subsets of the states of X, has rank at most C(m − 1, a) times
the number of possible states of S (lemma "matrices of bounded rank"). X may first be multiplied by an integer matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import combinations
from math import comb
from operator import or_
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import Bound
from algdim.exact.arithmetic import Array
from algdim.exact.draws import draw_integers, open_stream
from algdim.families.discrete.bounds.equalcells import EQUAL_STATES, bound_by_equal_states, number_exchanged_cells
from algdim.families.discrete.bounds.equations import (
    Blocks,
    Collector,
    Matrix,
    find_equal_cells,
    is_worth_it,
    make_equation_bound,
    start,
)
from algdim.families.discrete.bounds.flattenings import (
    MOST_SIDES,
    Separator,
    Separators,
    add_flattenings,
    format_blocks,
    iterate_subsets,
    list_separators_once,
    rank_or_ranks,
    rank_text,
)
from algdim.families.discrete.bounds.search import Setting, TableAtPoint
from algdim.limits import mark_first_searches_made
from algdim.maps import plan_once
from algdim.models.graphs import Bits, iterate_positions

MOST_SIZE = 400
"""Matrices have at most this many rows and columns."""
MOST_MARGINS = 2
"""At most this many variables are summed over."""
MOST_PARTS = 8
"""Of more independent components than these, several are kept together."""
MOST_IDLE = 60
"""After this many in a row that gave nothing new the search ends."""
MOST_GROUPINGS = 300
"""Groupings into three blocks that are looked at."""
MOST_PROJECTIONS = 8
"""How often the same block is multiplied by another matrix."""


def bound_by_koszul(setting: Setting) -> Bound | None:
    """The bound by flattenings and, if these do not suffice, Koszul flattenings beside them."""
    equal = find_equal_cells(setting)
    if not is_worth_it(setting, equal):
        return None
    collector = start(setting, equal)
    separators = list_separators_once(setting)
    add_flattenings(collector, separators)
    mark_first_searches_made()
    before = len(collector.used)
    add_koszul(collector, separators)
    return make_equation_bound(collector, "koszul" if len(collector.used) > before else "flattenings")


def bound_by_equal_states_and_minors(setting: Setting) -> Bound | None:
    """The number of cells that differ where all variables can exchange states, and flattenings of both kinds among them."""
    equal = number_exchanged_cells(setting.pmap)
    if equal is None or not is_worth_it(setting, equal):
        return bound_by_equal_states(setting.pmap)
    collector = start(setting, equal)
    separators = list_separators_once(setting)
    add_flattenings(collector, separators)
    add_koszul(collector, separators)
    return make_equation_bound(collector, EQUAL_STATES)


def add_koszul(collector: Collector, separators: Callable[[], Separators]) -> None:
    """Add the forms of Koszul flattenings until enough are found."""
    if not collector.is_done:
        found = plan_once(collector.setting.pmap, "koszul", lambda: list_candidates(separators()))
        collector.add_all(iterate_with_projections(collector, found), MOST_IDLE)


def iterate_with_projections(collector: Collector, found: Iterable[Koszul]) -> Iterator[Koszul]:
    """After one that was projected and of use, the same with other matrices."""
    for candidate in found:
        for number in range(MOST_PROJECTIONS if candidate.is_projected else 1):
            before = collector.basis.missing
            yield candidate._replace(seed=collector.setting.seed, number=number)
            if collector.basis.missing == before:
                break


class Koszul(NamedTuple):
    """The Koszul flattenings of three blocks, the first contracted, of one order, for all states c.

    ``dimension`` is the number of states of the first block, or less if it is multiplied by matrix ``number`` first.
    """

    blocks: Blocks
    hidden: tuple[str, ...]
    counts: tuple[int, ...]
    order: int
    dimension: int
    seed: int | str
    number: int = 0

    @property
    def is_projected(self) -> bool:
        """Whether the first block is multiplied by a matrix."""
        return self.dimension < self.blocks.sizes[0]

    @property
    def projection(self) -> NDArray[np.int64]:
        """That matrix, drawn from the seed."""
        rows, columns = self.dimension, self.blocks.sizes[0]
        if not self.is_projected:
            return np.eye(rows, dtype=np.int64)
        source = open_stream(self.seed, "projection", rows, columns, self.number)
        return np.array(draw_integers(source, -9, 9, rows * columns), dtype=np.int64).reshape(rows, columns)

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        _, y, z = self.blocks.sizes
        return comb(self.dimension, self.order + 1) * z, comb(self.dimension, self.order) * y

    @property
    def ranks(self) -> tuple[int, ...]:
        """The bound of the rank on the model, for all states c."""
        return tuple(comb(self.dimension - 1, self.order) * count for count in self.counts)

    @property
    def forms(self) -> int:
        """How many forms there are at most."""
        rows, columns = self.size
        return sum(max(0, rows - rank) * max(0, columns - rank) for rank in self.ranks)

    def matrices(self, table: TableAtPoint) -> Iterator[tuple[tuple[int, ...], Matrix]]:
        for state, rank in zip(self.blocks.conditions, self.ranks, strict=True):
            if min(self.size) > rank:
                yield state, KoszulMatrix(self, state, rank, table)

    def make_evidence(self, names: Sequence[str]) -> dict[str, Any]:
        """The blocks, the first one contracted, the order, the ranks, and the matrix if there is one."""
        blocks = [[names[axis] for axis in block] for block in self.blocks.blocks]
        evidence: dict[str, Any] = {"type": "koszul", "blocks": blocks, "contracted": blocks[0], "order": self.order}
        evidence |= {"C": [names[axis] for axis in self.blocks.fixed], "S": list(self.hidden)}
        evidence |= {"rank": rank_or_ranks(self.ranks), "size": list(self.size)}
        return evidence | ({"projection": self.projection.tolist()} if self.is_projected else {})

    def text(self, names: Sequence[str]) -> str:
        """The blocks, the size and the rank."""
        rows, columns = self.size
        onto = f", the first block projected to {self.dimension} dimensions" if self.is_projected else ""
        order = f", order {self.order}" if self.dimension > 3 else ""
        return (
            f"Koszul flattening {format_blocks(self.blocks, names)} "
            f"({rows}×{columns}, {rank_text(self.ranks)}{order}{onto})"
        )


class KoszulMatrix(NamedTuple):
    """One Koszul flattening, of the table with C=c."""

    koszul: Koszul
    state: tuple[int, ...]
    rank: int
    table: TableAtPoint

    @property
    def values(self) -> Array:
        array = self.koszul.blocks.join_blocks(self.table.table, self.state, self.table.field)
        _, y, z = self.koszul.blocks.sizes
        slices = self.project(array.reshape(len(array), -1)).reshape(-1, y, z).transpose(0, 2, 1)
        pattern = compute_block_pattern(self.koszul.dimension, self.koszul.order)
        matrix = np.zeros((pattern.height, z, pattern.width, y))
        matrix[pattern.rows, :, pattern.columns] = pattern.signs[:, None, None] * slices[pattern.indices]
        return matrix.reshape(pattern.height * z, pattern.width * y)

    def project(self, slices: Array, *, back: bool = False) -> Array:
        """Slices multiplied by the matrix of the first block, or forms of the product pulled back by it."""
        if not self.koszul.is_projected:
            return slices
        matrix = self.table.field.elements(self.koszul.projection)
        return self.table.field.matmul(matrix.T if back else matrix, slices)

    def pulled_back(self, left: Array, right: Array) -> Array:
        """The forms ℓᵀM(·)r."""
        field, count = self.table.field, len(left)
        _, y, z = self.koszul.blocks.sizes
        pattern = compute_block_pattern(self.koszul.dimension, self.koszul.order)
        left = left.reshape(count, pattern.height, z)[:, pattern.rows] * pattern.signs[:, None]
        right = right.reshape(count, pattern.width, y)[:, pattern.columns]
        # each index stands in equally many places, over which the products are summed
        dimension = self.koszul.dimension
        by_index = right.reshape(count, dimension, -1, y).transpose(0, 1, 3, 2), left.reshape(count, dimension, -1, z)
        forms = self.project(field.matmul(*by_index).reshape(count, dimension, y * z), back=True)
        return self.koszul.blocks.pulled_back(forms, self.state)


class BlockPattern(NamedTuple):
    """How many rows and columns of blocks there are, and where the slices of the array stand, index by index."""

    height: int
    width: int
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    indices: NDArray[np.intp]
    signs: NDArray[np.float64]


@lru_cache(1 << 6)
def compute_block_pattern(dimension: int, order: int) -> BlockPattern:
    """Where the slices of the array stand.

    >>> pattern = compute_block_pattern(3, 1)
    >>> list(zip(pattern.rows.tolist(), pattern.columns.tolist(), pattern.indices.tolist(), pattern.signs.tolist()))
    [(0, 1, 0, 1.0), (1, 2, 0, 1.0), (0, 0, 1, -1.0), (2, 2, 1, 1.0), (1, 0, 2, -1.0), (2, 1, 2, -1.0)]
    """
    larger = {chosen: row for row, chosen in enumerate(combinations(range(dimension), order + 1))}
    smaller = list(combinations(range(dimension), order))
    terms = [
        (index, larger[tuple(sorted((*chosen, index)))], column, (-1) ** sum(j < index for j in chosen))
        for index in range(dimension)
        for column, chosen in enumerate(smaller)
        if index not in chosen
    ]
    indices, rows, columns, signs = np.array(terms, dtype=np.intp).T
    return BlockPattern(len(larger), len(smaller), rows, columns, indices, signs.astype(np.float64))


def list_candidates(separators: Separators) -> list[Koszul]:
    """All Koszul flattenings of which a form can be expected, whole tables first, small matrices first."""
    best: dict[tuple[frozenset[Bits], Bits], Separator] = {}
    for separator in separators.found:
        for blocks in iterate_groupings(separator, separators.observed & ~separator.given):
            if len(best) > MOST_GROUPINGS:
                break
            known = best.get((blocks, separator.given))
            if known is None or sum(separator.counts) < sum(known.counts):
                best[blocks, separator.given] = separator
    found: list[tuple[tuple[Any, ...], Koszul]] = []
    for (blocks, given), separator in best.items():
        is_margin = reduce(or_, blocks) | given != separators.observed
        for one, *others in iterate_arrangements(sorted(blocks)):
            for candidate in iterate_orders(separators, separator, (one, *others)):
                rows, columns = candidate.size
                key = (
                    is_margin,
                    given != 0,
                    candidate.is_projected,
                    rows * columns,
                    -candidate.forms,
                    given,
                    one,
                    candidate.order,
                )
                found.append((key, candidate))
    return [candidate for _, candidate in sorted(found, key=lambda pair: pair[0])]


def iterate_arrangements(blocks: Sequence[Bits]) -> Iterator[tuple[Bits, ...]]:
    """Each block first once; the order of the two others is irrelevant, it exchanges a and m − 1 − a."""
    for place, one in enumerate(blocks):
        yield one, *blocks[:place], *blocks[place + 1 :]


def iterate_orders(separators: Separators, separator: Separator, blocks: tuple[Bits, ...]) -> Iterator[Koszul]:
    """The dimensions and orders for which the rank is below both sides of a matrix that is not too large."""
    arranged = Blocks(
        separators.setting.pmap.shape,
        tuple(separators.axes(block) for block in blocks),
        separators.axes(separator.given),
    )
    hidden = separators.graph.members(separator.hidden)
    most = arranged.sizes[0]
    # an odd dimension m with order (m − 1)/2 allows most states
    for dimension in sorted({most, *range(3, most, 2)} & set(range(3, 10))):
        for order in range(1, dimension - 1):
            candidate = Koszul(arranged, hidden, separator.counts, order, dimension, separators.setting.seed)
            if max(candidate.size) <= MOST_SIZE and candidate.forms:
                yield candidate


def iterate_groupings(separator: Separator, outside: Bits) -> Iterator[frozenset[Bits]]:
    """The ways to make three blocks, independent of each other, of the variables outside or of most of them."""
    seen = set()
    for margin in list_margins(outside):
        used = outside & ~margin
        components = separator.components(used)
        if len(components) < 3 or any(
            len([part for part in components if part & separator.links[index]]) < 2
            for index in iterate_positions(margin)
        ):
            continue  # a variable that depends on one component only is better kept
        for blocks in iterate_thirds(join_components(components)):
            if blocks not in seen:
                seen.add(blocks)
                yield blocks


def list_margins(outside: Bits) -> list[Bits]:
    """Sets of variables to be summed over, small ones first."""
    if outside.bit_count() > MOST_SIDES:
        return [0]
    found = [margin for margin in iterate_subsets(outside) if margin.bit_count() <= MOST_MARGINS]
    return sorted(found, key=lambda margin: (margin.bit_count(), margin))


def join_components(components: Sequence[Bits]) -> list[Bits]:
    """At most this many parts as can be grouped in all ways."""
    return [reduce(or_, components[place::MOST_PARTS]) for place in range(min(MOST_PARTS, len(components)))]


def iterate_thirds(parts: Sequence[Bits]) -> Iterator[frozenset[Bits]]:
    """The ways to group parts into three blocks.

    >>> [sorted(blocks) for blocks in iterate_thirds([1, 2, 4, 8])][:3]
    [[2, 4, 9], [3, 4, 8], [1, 4, 10]]
    """
    first, second, *rest = parts
    for number in range(3 ** (len(parts) - 2)):
        for together in (True, False):
            blocks = [first | second, 0, 0] if together else [first, second, 0]
            digits = number
            for part in rest:
                digits, place = divmod(digits, 3)
                blocks[place] |= part
            if all(blocks):
                yield frozenset(blocks)
