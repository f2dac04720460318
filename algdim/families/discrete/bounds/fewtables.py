"""Directions that a Jacobian of polynomials takes to zero and that move one table or two (lemma "normal forms" (e) in proofs/lemmas.md).

Elimination in all columns of a Jacobian soon has too many terms. What is missing in its kernel often moves two tables alone: one of them
takes off again what the other one does. So the kernel is looked at at a point first, table by table and pair by pair, and elimination is made in
the few columns that do. A table may move equally in all states of some parent; then there are fewer columns still. Rows and columns are divided
by what their entries have in common, and taken apart where they share nothing; often no more different rows are left than the rank at the
point. If the rank of these columns is that at the point, each direction there is the value of a vector of quotients of polynomials.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce as fold
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.errors import LimitError
from algdim.exact.arithmetic import Array
from algdim.exact.draws import draw_integers, open_stream
from algdim.exact.flint import reduce_residues
from algdim.exact.polynomials import (
    TermWork,
    divide_by_content,
    eliminate_primitive_rows,
    evaluate_mod,
    find_kernel_by_primitive_rows,
    make_primitive,
    multiply_by_vector,
)
from algdim.exact.ranks import rank_mod
from algdim.families.discrete.bounds.directions import compute_right_kernel, list_parameter_numbers
from algdim.families.discrete.districts import group_overlapping_sets
from algdim.families.discrete.map import ParamMap
from algdim.limits import has_time, has_work

MOST_COLUMNS = 256
"""Of the tables that are looked at together."""
MOST_PAIRS = 120
"""Pairs of tables, and ways in which they may move, whose kernels are looked at."""
ORDERS = 4
"""Orders of the columns, in each of which a kernel has another reduced basis."""
MOST_TERMS = 1 << 14
"""Of one vector."""

Residue = NDArray[np.int64]
Vector = dict[int, Any]
"""Polynomials by parameter."""


@dataclass(frozen=True, slots=True, eq=False)
class TableMoves:
    """Ways in which one table may move, each by the parameters that change equally; ``along`` has the parents in whose states they all do."""

    axis: int
    along: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class KernelAtPoint:
    """The Jacobian at a point modulo a prime, and the directions that are known to be in its kernel."""

    jacobian: Residue
    prime: int
    known: Residue

    @property
    def rank(self) -> int:
        """The rank of what is known."""
        return self.rank_with(self.known[:0])

    def find_new(self, moves: Sequence[tuple[int, ...]]) -> Residue:
        """The directions of these moves in the kernel, if they add to those known, as rows of all parameters; else none."""
        columns = np.stack([self.jacobian[:, list(move)].sum(axis=1) for move in moves], axis=1) % self.prime
        _, kernel = compute_right_kernel(np.ascontiguousarray(columns), self.prime)
        found = np.zeros((len(kernel), self.jacobian.shape[1]), dtype=np.int64)
        for place, move in enumerate(moves):
            found[:, list(move)] = kernel[:, place, np.newaxis]
        return found if len(found) and self.rank_with(found) > self.rank else found[:0]

    def rank_with(self, more: Residue) -> int:
        """The rank of what is known and of more."""
        both = np.vstack([self.known, more])
        return rank_mod(np.ascontiguousarray(both), self.prime).value if len(both) else 0

    def add(self, more: Residue) -> KernelAtPoint:
        """The same with more that is known."""
        return KernelAtPoint(self.jacobian, self.prime, np.vstack([self.known, more]))


def list_table_moves(pmap: ParamMap) -> dict[int, list[TableMoves]]:
    """For each table how it may move, freely first, then equally in all states of one parent. All tables are free."""
    found: dict[int, list[TableMoves]] = {}
    for factor in pmap.factors:
        *parents, own = factor.axes
        numbers = list_parameter_numbers(pmap, factor.array)[..., :-1]
        if not numbers.size:
            continue
        for along in [(), *((axis,) for axis in parents if pmap.sizes[axis] > 1)]:
            summed = tuple(parents.index(axis) for axis in along)
            first = np.moveaxis(numbers, summed, range(len(summed))).reshape(
                int(np.prod([numbers.shape[place] for place in summed], dtype=np.int64)), -1
            )
            moves = tuple(tuple(column) for column in first.T.tolist())
            found.setdefault(own, []).append(TableMoves(own, along, moves))
    return found


def choose_moves(pmap: ParamMap, at: KernelAtPoint, needed: int) -> list[list[tuple[int, ...]]] | None:
    """Moves of a table or of two, in whose columns the kernel at a point has so many directions in addition to those known; nothing if they have fewer."""
    tables, chosen, rank = list_table_moves(pmap), list[list[tuple[int, ...]]](), at.rank
    looked = 0
    for names in [(one,) for one in tables] + list(combinations(tables, 2)):
        if needed <= 0:
            break
        freely = [move for name in names for move in tables[name][0].moves]
        if len(freely) > MOST_COLUMNS:
            continue
        wanted = at.rank_with(at.find_new(freely)) - rank
        for ways in sorted(
            product(*map(tables.__getitem__, names)), key=lambda one: sum(len(way.moves) for way in one)
        ):
            if wanted <= 0:
                break
            looked += 1
            if looked > MOST_PAIRS or not (has_work() and has_time()):
                return None
            moves = [move for way in ways for move in way.moves]
            new = at.find_new(moves)
            if len(new):
                at, chosen = at.add(new), [*chosen, moves]
                gained = at.rank - rank
                rank, wanted, needed = rank + gained, wanted - gained, needed - gained
    return chosen if needed <= 0 else None


class FewColumns(NamedTuple):
    """Rows of polynomials, by move, that are all different, divided by what their entries have in common and what those of a column have."""

    rows: list[dict[int, Any]]
    places: list[int]
    common: Mapping[int, Any]


def iterate_groups(matrix: Array, moves: Sequence[tuple[int, ...]]) -> Iterator[FewColumns]:
    """The columns of some moves, in groups that share no row."""
    columns: dict[int, list[Any]] = {}
    common: dict[int, Any] = {}
    for place, move in enumerate(moves):
        column = matrix[:, list(move)].sum(axis=1).tolist()
        entries = sorted((entry for entry in column if entry != 0), key=len)
        common[place] = fold(lambda one, other: one.gcd(other), entries) if entries else matrix.flat[0] * 0 + 1
        columns[place] = [entry / common[place] for entry in column]
    rows = [
        {place: column[number] for place, column in columns.items() if column[number] != 0}
        for number in range(len(matrix))
    ]
    distinct = drop_proportional_rows(rows)
    for group in group_overlapping_sets([[*row] for row in distinct]):
        inside = [distinct[number] for number in group]
        yield FewColumns(inside, sorted({place for row in inside for place in row}), common)


def narrow_rows(rows: Sequence[Mapping[int, Any]], support: frozenset[int]) -> list[dict[int, Any]]:
    """The different rows of some columns, divided by what their entries have in common."""
    return drop_proportional_rows([{place: row[place] for place in row if place in support} for row in rows])


def drop_proportional_rows(rows: Iterable[Mapping[int, Any]]) -> list[dict[int, Any]]:
    """One of rows that are multiples of each other, divided by what its entries have in common."""
    found: dict[str, dict[int, Any]] = {}
    for row in rows:
        if row:
            divided = divide_by_content(dict(row))
            leading = next(iter(divided.values())).coeffs()[0]
            monic = {place: entry / leading for place, entry in divided.items()}
            found.setdefault(str(monic), monic)
    return list(found.values())


def find_directions(
    matrix: Array, at: KernelAtPoint, several: Sequence[Sequence[tuple[int, ...]]], most: int
) -> Residue:
    """Directions in the kernel at a point of the columns of several lists of moves, where elimination proves their rank; fewer where that takes too much work.

    If the rank at the point is that of the polynomials, each direction is the value of a vector of quotients of polynomials.
    """
    work, found = TermWork(most), [at.known[:0]]
    for moves in several:
        for group in iterate_groups(matrix, moves):
            for support in choose_supports(at, moves, group.places):
                new = at.find_new([moves[place] for place in sorted(support)])
                if not len(new):
                    continue
                rank = len(support) - len(new)
                rows = narrow_rows(group.rows, support)
                try:
                    if len(rows) <= rank or len(eliminate_primitive_rows(rows, work)) <= rank:
                        found.append(new)
                except LimitError:
                    continue
    return np.vstack(found)


def find_vectors(
    matrix: Array, at: KernelAtPoint, several: Sequence[Sequence[tuple[int, ...]]], most: int
) -> list[Vector]:
    """The same as vectors of polynomials."""
    work, found = TermWork(most), list[Vector]()
    for moves in several:
        for group in iterate_groups(matrix, moves):
            for support in choose_supports(at, moves, group.places):
                narrow, one = narrow_rows(group.rows, support), matrix.flat[0] * 0 + 1
                try:
                    for vector in find_kernel_by_primitive_rows(narrow, sorted(support), one, work):
                        if any(multiply_by_vector(row, vector, work) != 0 for row in narrow):
                            raise RuntimeError("elimination has found a vector that is not in the kernel")
                        found.append(spread_vector(vector, moves, group.common, work))
                except LimitError:
                    continue
    return found


def choose_supports(
    at: KernelAtPoint, moves: Sequence[tuple[int, ...]], places: Sequence[int]
) -> Iterable[frozenset[int]]:
    """Sets of columns, as small as some orders of the columns make them, so that vectors of the kernel at a point with these supports span it."""
    columns = np.stack([at.jacobian[:, list(moves[place])].sum(axis=1) for place in places], axis=1) % at.prime
    _, kernel = compute_right_kernel(np.ascontiguousarray(columns), at.prime)
    rows = list[Residue]()
    for number in range(ORDERS if len(kernel) else 0):
        draws = draw_integers(open_stream(0, "few tables", number), 0, 1 << 40, len(places))
        order = sorted(range(len(places)), key=lambda place: (draws[place], place))
        _, reduced = reduce_residues(np.ascontiguousarray(kernel[:, order]), at.prime)
        back = np.zeros_like(reduced)
        back[:, order] = reduced
        rows += list(back)
    rows.sort(key=np.count_nonzero)
    chosen = rank_mod(np.array(rows).T.copy(), at.prime).columns if rows else ()
    supports = [np.flatnonzero(rows[number]).tolist() for number in chosen]
    return dict.fromkeys(frozenset(places[place] for place in support) for support in supports)


def spread_vector(
    vector: Mapping[int, Any], moves: Sequence[tuple[int, ...]], common: Mapping[int, Any], work: TermWork
) -> Vector:
    """A vector of moves whose columns were divided as one of all parameters, without denominators."""
    multiple: Any = None
    for place in vector:
        factor = common[place]
        multiple = factor if multiple is None else multiple * (factor / multiple.gcd(factor))
    found: dict[int, Any] = {}
    for place, entry in vector.items():
        factor = multiple / common[place]
        work.spend({place: entry}, factor)
        for parameter in moves[place]:
            found[parameter] = found[parameter] + entry * factor if parameter in found else entry * factor
    if sum(map(len, found.values())) > MOST_TERMS:
        raise LimitError(f"a vector of polynomials has more than {MOST_TERMS} terms")
    return make_primitive({place: entry for place, entry in found.items() if entry != 0})


def evaluate_vectors(vectors: Sequence[Vector], point: Sequence[int], at: KernelAtPoint) -> Residue:
    """The values of vectors of polynomials at a point, as rows of all parameters."""
    found = np.zeros((len(vectors), at.jacobian.shape[1]), dtype=np.int64)
    for row, vector in zip(found, vectors, strict=True):
        for parameter, entry in vector.items():
            row[parameter] = evaluate_mod(entry, point, at.prime)
    return found
