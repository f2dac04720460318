"""Polynomial fields that move one table alone, around its hidden parents (lemma "symmetry" in proofs/lemmas.md).

The sum over hidden variables is linear in the table of a variable: for each state of its other parents a matrix takes the table there,
with a column for each state of the hidden parents and a row for each state of all else that is left open. Its entries are
polynomials in the other tables. What it takes to zero is a change of the table that nobody sees. The matrix is small, so
that its kernel is found by elimination.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.bound.searches import Directions
from algdim.errors import LimitError
from algdim.exact.arithmetic import Array
from algdim.exact.polynomials import TermWork, find_kernel_by_primitive_rows, make_polynomials, multiply_by_vector
from algdim.exact.ranks import rank_mod
from algdim.families.discrete.bounds.circuits import make_directions, spread
from algdim.families.discrete.bounds.directions import (
    Known,
    Point,
    compute_right_kernel,
    find_movable_factors,
    list_parameter_numbers,
    rank_of,
)
from algdim.families.discrete.bounds.polynomialfields import PolynomialField, evaluate_field
from algdim.families.discrete.map import ParamMap
from algdim.limits import has_time

MOST_STATES = 1 << 13
"""Cells of a local map times states of its hidden variables."""
MOST_COLUMNS = 64
MOST_TRIED = 20
"""Tables whose fields are looked for by elimination."""
MOST_WORK = 1 << 18
"""Products of terms in one elimination: less than half a second's worth."""
MOST_TERMS = 1 << 15
"""Of all fields of one table."""

Moves = list[dict[int, Any]]
"""By parameter its derivative along each field."""


class MovedTable(NamedTuple):
    """A free table of a local map by its factor, its hidden parents, and the parents that are left open."""

    factor: int
    hidden: tuple[int, ...]
    open: tuple[int, ...]


class TableFields:
    """Searches local maps for fields that move one table; maps are given one after the other."""

    def __init__(self, point: Point, lower: int) -> None:
        self.point, self.lower = point, lower
        self.numbers = {name: number for number, name in enumerate(point.pmap.parameters)}
        self.tried = 0

    def of(self, pmap: ParamMap, hidden: frozenset[str], known: Sequence[Known]) -> Iterator[Known]:
        """The fields of one local map that add to those known, table by table."""
        if not pmap.parameter_count or prod(pmap.sizes) > MOST_STATES:
            return
        prime, every = self.point.prime, [one.directions for one in known]
        rank, parameters = rank_of(every, prime), np.array([self.numbers[name] for name in pmap.parameters])
        local = Point(pmap, prime, self.point.label, self.point.values[parameters])
        for table in list_tables(pmap):
            if self.tried >= MOST_TRIED or len(self.point.values) - rank <= self.lower or not has_time():
                return
            if not len(select_new(find_rows(local, table), parameters, every, prime)):
                continue
            self.tried += 1
            fields = find_fields(pmap, table)
            rows = np.array([evaluate_field(one, local.values.tolist(), prime) for one in fields], dtype=np.int64)
            new = select_new(rows, parameters, every, prime)
            if len(new):
                found = make_directions(pmap, parameters, rows[new].tolist(), hidden, [fields[place] for place in new])
                every, rank = [*every, found], rank + len(new)
                yield Known(hidden, found)


def list_tables(pmap: ParamMap) -> list[MovedTable]:
    """The tables with hidden parents of variables that are left open; none if some table is not free."""
    found: list[MovedTable] = []
    for number, factor in enumerate(pmap.factors if all(find_movable_factors(pmap)) else ()):
        *parents, own = factor.axes
        hidden = tuple(axis for axis in parents if axis not in pmap.observed)
        if hidden and own in pmap.observed and prod(pmap.sizes[h] for h in hidden) <= MOST_COLUMNS:
            found.append(MovedTable(number, hidden, tuple(axis for axis in parents if axis in pmap.observed)))
    return found


def sum_products(
    pmap: ParamMap, table: MovedTable, arrays: Mapping[int, Array], reduce: Callable[[Array], Array]
) -> Array:
    """The products of all other tables, summed over hidden variables that are no parents: axes of open parents, rows, columns.

    An open parent that no other table has as an argument has an axis of length 1.
    """
    total: Any = np.ones((1,) * len(pmap.sizes), dtype=np.int64)
    for number, array in arrays.items():
        total = reduce(total * spread(pmap, array, pmap.factors[number].axes))
    summed = tuple(axis for axis in range(len(pmap.sizes)) if axis not in (*pmap.observed, *table.hidden))
    total = reduce(np.asarray(total.sum(axis=summed, keepdims=True)))
    whole = np.broadcast_to(total, [pmap.sizes[v] if v in table.hidden else n for v, n in enumerate(total.shape)])
    rest = [axis for axis in range(len(pmap.sizes)) if axis not in (*table.hidden, *table.open)]
    shape = [whole.shape[axis] for axis in table.open]
    columns = prod(pmap.sizes[axis] for axis in table.hidden)
    return whole.transpose([*table.open, *rest, *table.hidden]).reshape(*shape, -1, columns)


def list_moves(
    pmap: ParamMap,
    table: MovedTable,
    shape: Sequence[int],
    kernels: Mapping[tuple[int, ...], Sequence[Mapping[int, Any]]],
) -> Moves:
    """Vectors of the columns as changes of the table, in each of its states but the last and each state of its open parents.

    The kernels are by states of the open parents, of which only those matter whose axis in ``shape`` is not of length 1.
    """
    axes, array = pmap.factors[table.factor].axes, pmap.factors[table.factor].array
    order = [axes.index(axis) for axis in (*table.open, *table.hidden, axes[-1])]
    numbers = list_parameter_numbers(pmap, array).transpose(order)
    moves: Moves = []
    for state in np.ndindex(*(pmap.sizes[axis] for axis in table.open)):
        mine = numbers[state].reshape(-1, pmap.sizes[axes[-1]])[:, :-1]
        vectors = kernels[tuple(one % length for one, length in zip(state, shape, strict=True))]
        moves += [
            {int(column[place]): entry for place, entry in vector.items()} for vector in vectors for column in mine.T
        ]
    return moves


def find_rows(local: Point, table: MovedTable) -> NDArray[np.int64]:
    """The directions at a point that move one table and that nobody sees there."""
    pmap, prime = local.pmap, local.prime
    others = {n: local.array(factor.array) for n, factor in enumerate(pmap.factors) if n != table.factor}
    matrices = sum_products(pmap, table, others, lambda array: array % prime)
    shape = matrices.shape[:-2]
    kernels = {
        state: [dict(enumerate(row)) for row in compute_right_kernel(matrices[state], prime)[1].tolist()]
        for state in np.ndindex(*shape)
    }
    moves = list_moves(pmap, table, shape, kernels)
    rows = np.zeros((len(moves), pmap.parameter_count), dtype=np.int64)
    for row, move in zip(rows, moves, strict=True):
        row[list(move)] = list(move.values())
    return rows


def find_fields(pmap: ParamMap, table: MovedTable) -> list[PolynomialField]:
    """The fields that move one table, by elimination; none if that takes too much work."""
    others = [n for n in range(len(pmap.factors)) if n != table.factor]
    used = sorted(
        {int(n) for other in others for n in list_parameter_numbers(pmap, pmap.factors[other].array).flat} - {-1}
    )
    arithmetic, variables = make_polynomials(len(used))
    values = np.empty(pmap.parameter_count, dtype=object)
    for number in range(pmap.parameter_count):  # those of the table itself are not looked at
        values[number] = arithmetic.convert(Fraction(0))
    values[used] = variables
    arrays = {n: np.asarray(pmap.arrays[pmap.factors[n].array].values(arithmetic, values)) for n in others}
    matrices = sum_products(pmap, table, arrays, lambda array: array)
    shape, work = matrices.shape[:-2], TermWork(MOST_WORK)
    one = arithmetic.convert(Fraction(1))
    try:
        kernels = {state: find_kernel(matrices[state], one, work) for state in np.ndindex(*shape)}
    except LimitError:
        return []
    moves = list_moves(pmap, table, shape, kernels)
    if sum(len(entry) for move in moves for entry in move.values()) > MOST_TERMS:
        return []
    return [
        PolynomialField(tuple((parameter, list_terms(entry, used)) for parameter, entry in sorted(move.items())))
        for move in moves
    ]


def find_kernel(matrix: Array, one: Any, work: TermWork) -> list[dict[int, Any]]:
    """The vectors of polynomials that a matrix of polynomials takes to zero."""
    distinct = {str(row): row for row in matrix.tolist()}
    rows = [{place: entry for place, entry in enumerate(row) if entry != 0} for row in distinct.values()]
    found = find_kernel_by_primitive_rows(rows, range(matrix.shape[1]), one, work)
    if any(multiply_by_vector(row, vector, work) != 0 for row in rows for vector in found):
        raise RuntimeError("elimination has found a vector that is not in the kernel")
    return found


def list_terms(polynomial: Any, used: Sequence[int]) -> tuple[tuple[tuple[int, ...], Fraction], ...]:
    """The monomials of a polynomial with their coefficients."""
    return tuple(
        (
            tuple(used[place] for place, power in enumerate(powers) for _ in range(int(power))),
            Fraction(int(number.p), int(number.q)),
        )
        for powers, number in polynomial.to_dict().items()
    )


def select_new(
    rows: NDArray[np.int64], parameters: NDArray[np.intp], every: Sequence[Directions], prime: int
) -> list[int]:
    """Which rows are independent of all before them and of the directions that are known."""
    if not len(rows):
        return []
    mine = [one for one in every if np.isin(one.parameters, parameters).any()]
    place = {
        int(number): column
        for column, number in enumerate(np.unique(np.concatenate([parameters, *(one.parameters for one in mine)])))
    }
    known = sum(len(one.matrix) for one in mine)
    matrix = np.zeros((len(place), known + len(rows)), dtype=np.int64)
    start = 0
    for one in (*mine, Directions(parameters, rows, "", {})):
        stop = start + len(one.matrix)
        matrix[[place[int(number)] for number in one.parameters], start:stop] = np.asarray(one.matrix).T
        start = stop
    return [column - known for column in rank_mod(matrix, prime).columns if column >= known]
