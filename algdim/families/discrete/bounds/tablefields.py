"""Polynomial fields that move one table alone, around its hidden parents (lemma "symmetry" in proofs/lemmas.md).

The sum over hidden variables is linear in the table of a variable: for each state of its other parents a matrix takes the table there,
with a column for each state of the hidden parents and a row for each state of all else that is left open. Its entries are
polynomials in the other tables. What it takes to zero is a change of the table that nobody sees. The matrix is small, so
that its kernel is found by elimination. A vector of it that depends on one hidden parent alone also gives weights to the states of
that parent, in its own table, which the table takes off again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
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
)
from algdim.families.discrete.bounds.polynomialfields import PolynomialField, evaluate_field
from algdim.families.discrete.map import ParamMap
from algdim.limits import has_time, has_work

MOST_STATES = 1 << 13
"""Joint states of the arguments of all other tables, for which products are multiplied out."""
MOST_ENTRIES = 1 << 22
"""Of the matrix of all fields of one table."""
MOST_COLUMNS = 64
MOST_WORK, MOST_IN_ALL = 1 << 19, 1 << 21
"""Products of terms in one elimination, half a second's worth, and in all."""
MOST_TERMS = 1 << 14
"""Of all different vectors of one table."""

Moves = list[dict[int, Any]]
"""By parameter its derivative along each field."""
Terms = tuple[tuple[tuple[int, ...], Fraction], ...]
"""The monomials of a polynomial, as parameters with repetition, with their coefficients."""


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
        self.spent = 0

    def of(self, pmap: ParamMap, hidden: frozenset[str], known: Sequence[Known], rank: int) -> Iterator[Known]:
        """The fields of one local map that add to those known, which have this rank, table by table."""
        if not pmap.parameter_count:
            return
        prime, every = self.point.prime, [one.directions for one in known]
        parameters = np.array([self.numbers[name] for name in pmap.parameters])
        local = Point(pmap, prime, self.point.label, self.point.values[parameters])
        tables = list_tables(pmap)
        # one rank for all tables, as most local maps have nothing new
        drawn = [one for table in tables for one in (find_rows(local, table), *iterate_weight_rows(local, table))]
        if not (drawn and select_new(np.vstack(drawn), parameters, every, prime)):
            return
        for table, search in product(tables, (self.find_of_table, self.find_of_weights)):
            if len(self.point.values) - rank <= self.lower or not (has_work() and has_time()):
                return
            select = partial(select_new, parameters=parameters, every=every, prime=prime)
            fields = search(local, table, select)
            rows = evaluate_fields(local, fields)
            new = select(rows)
            if len(new):
                firsts, repeated = join_repeated([fields[place] for place in new])
                found = make_directions(pmap, parameters, rows[new].tolist(), hidden, firsts)
                names = [[[pmap.parameters[n] for n in moved] for moved in more] for more in repeated]
                found = found._replace(evidence={**found.evidence, "repeated": names})
                every, rank = [*every, found], rank + len(new)
                yield Known(hidden, found)

    def find_of_table(
        self, local: Point, table: MovedTable, select: Callable[[NDArray[np.int64]], list[int]]
    ) -> list[PolynomialField]:
        """The fields that move one table; none where they are known at the point or elimination takes too much work."""
        if not select(find_rows(local, table)):
            return []
        matrices, used, work = multiply_others(local.pmap, table), list_used(local.pmap, table), self.make_work()
        try:
            kernels = {state: find_kernel(matrices[state], work) for state in np.ndindex(*matrices.shape[:-2])}
        except LimitError:
            return []
        finally:
            self.spent += work.most - work.left
        return make_table_fields(local.pmap, table, matrices.shape[:-2], kernels, used)

    def find_of_weights(
        self, local: Point, table: MovedTable, select: Callable[[NDArray[np.int64]], list[int]]
    ) -> list[PolynomialField]:
        """The fields that give weights to the states of a hidden parent, in its own table, and take them off in this one."""
        pmap, found = local.pmap, list[PolynomialField]()
        for own, rows in zip(list_own_tables(pmap, table), iterate_weight_rows(local, table), strict=True):
            if not select(rows):
                continue
            work, used, weighted = self.make_work(), list_used(pmap, table), list_weighted(pmap, table, own)
            try:
                kernel = find_kernel(sum_columns(pmap, table, own, multiply_others(pmap, table)), work)
            except LimitError:
                continue
            finally:
                self.spent += work.most - work.left
            if len(weighted) * sum(len(entry) for vector in kernel for entry in vector.values()) <= MOST_TERMS:
                found += [make_weights(weighted, {h: list_terms(e, used) for h, e in v.items()}) for v in kernel]
        return found

    def make_work(self) -> TermWork:
        """As much work as is left, and no more than for one elimination."""
        return TermWork(max(0, min(MOST_WORK, MOST_IN_ALL - self.spent)))


def list_tables(pmap: ParamMap) -> list[MovedTable]:
    """The tables with hidden parents of variables that are left open; none if some table is not free."""
    found: list[MovedTable] = []
    for number, factor in enumerate(pmap.factors if all(find_movable_factors(pmap)) else ()):
        *parents, own = factor.axes
        hidden = tuple(axis for axis in parents if axis not in pmap.observed)
        others = {axis for other in pmap.factors if other != factor for axis in other.axes}
        is_small = prod(pmap.sizes[axis] for axis in others) <= MOST_STATES
        if hidden and own in pmap.observed and is_small and prod(pmap.sizes[h] for h in hidden) <= MOST_COLUMNS:
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


def multiply_at_point(local: Point, table: MovedTable) -> NDArray[np.int64]:
    """The sums of products of all other tables at a point."""
    others = {n: local.array(factor.array) for n, factor in enumerate(local.pmap.factors) if n != table.factor}
    return np.asarray(sum_products(local.pmap, table, others, lambda array: array % local.prime))


def find_rows(local: Point, table: MovedTable) -> NDArray[np.int64]:
    """The directions at a point that move one table and that nobody sees there; none where these are very many."""
    pmap, matrices = local.pmap, multiply_at_point(local, table)
    shape = matrices.shape[:-2]
    kernels = {
        state: [dict(enumerate(row)) for row in compute_right_kernel(matrices[state], local.prime)[1].tolist()]
        for state in np.ndindex(*shape)
    }
    moves = list_moves(pmap, table, shape, kernels)
    if len(moves) * pmap.parameter_count > MOST_ENTRIES:
        return np.zeros((0, pmap.parameter_count), dtype=np.int64)
    rows = np.zeros((len(moves), pmap.parameter_count), dtype=np.int64)
    for row, move in zip(rows, moves, strict=True):
        row[list(move)] = list(move.values())
    return rows


def iterate_weight_rows(local: Point, table: MovedTable) -> Iterator[NDArray[np.int64]]:
    """The directions at a point that give weights to the states of a hidden parent, for each with a table of its own."""
    pmap, prime = local.pmap, local.prime
    here = multiply_at_point(local, table)
    for own in list_own_tables(pmap, table):
        _, vectors = compute_right_kernel(sum_columns(pmap, table, own, here) % prime, prime)
        rows = np.zeros((len(vectors), pmap.parameter_count), dtype=np.int64)
        for state, sign, parameter in list_weighted(pmap, table, own):
            rows[:, parameter] = sign * vectors[:, state] * local.values[parameter] % prime
        yield rows


def list_used(pmap: ParamMap, table: MovedTable) -> list[int]:
    """The parameters of all other tables."""
    others = (factor for n, factor in enumerate(pmap.factors) if n != table.factor)
    return sorted({int(n) for factor in others for n in list_parameter_numbers(pmap, factor.array).flat} - {-1})


def multiply_others(pmap: ParamMap, table: MovedTable) -> Array:
    """The sums of products of all other tables, as polynomials in their parameters."""
    used = list_used(pmap, table)
    arithmetic, variables = make_polynomials(len(used))
    values = np.empty(pmap.parameter_count, dtype=object)
    for number in range(pmap.parameter_count):  # those of the table itself are not looked at
        values[number] = arithmetic.convert(Fraction(0))
    values[used] = variables
    others = [n for n in range(len(pmap.factors)) if n != table.factor]
    arrays = {n: np.asarray(pmap.arrays[pmap.factors[n].array].values(arithmetic, values)) for n in others}
    return sum_products(pmap, table, arrays, lambda array: array)


def make_table_fields(
    pmap: ParamMap,
    table: MovedTable,
    shape: Sequence[int],
    kernels: Mapping[tuple[int, ...], Sequence[Mapping[int, Any]]],
    used: Sequence[int],
) -> list[PolynomialField]:
    """The fields of vectors of polynomials; none where these are long or very many."""
    if sum(len(entry) for kernel in kernels.values() for vector in kernel for entry in vector.values()) > MOST_TERMS:
        return []
    listed = {
        state: [{place: list_terms(entry, used) for place, entry in vector.items()} for vector in kernel]
        for state, kernel in kernels.items()
    }
    return [PolynomialField(tuple(move.items())) for move in list_moves(pmap, table, shape, listed)]


def list_own_tables(pmap: ParamMap, table: MovedTable) -> list[int]:
    """The hidden parents' own tables, by their factors, where none of their parents is summed over."""
    return [
        n
        for n, factor in enumerate(pmap.factors)
        if factor.axes[-1] in table.hidden and all(axis in pmap.observed for axis in factor.axes[:-1])
    ]


def sum_columns(pmap: ParamMap, table: MovedTable, own: int, matrices: Array) -> Array:
    """One matrix for all states of the open parents, with a column for each state of one hidden parent, whatever those of the others."""
    place = table.hidden.index(pmap.factors[own].axes[-1])
    sizes = [pmap.sizes[axis] for axis in table.hidden]
    whole = np.moveaxis(matrices.reshape(-1, *sizes), place + 1, -1)
    return np.asarray(whole.sum(axis=tuple(range(1, len(sizes)))))


def list_weighted(pmap: ParamMap, table: MovedTable, own: int) -> list[tuple[int, int, int]]:
    """The parameters of a hidden parent's own table and of the table, with its state, 1 for the one and −1 for the other."""
    found, hidden = [], pmap.factors[own].axes[-1]
    for number, sign in ((own, 1), (table.factor, -1)):
        factor = pmap.factors[number]
        numbers = np.moveaxis(list_parameter_numbers(pmap, factor.array), factor.axes.index(hidden), 0)
        found += [(h, sign, int(n)) for h, several in enumerate(numbers) for n in several.flat if n >= 0]
    return found


def make_weights(weighted: Sequence[tuple[int, int, int]], vector: Mapping[int, Terms]) -> PolynomialField:
    """The field dP(h | …) = v(h) P(h | …) and dN(y | h, …) = −v(h) N(y | h, …), in all states but the last."""
    return PolynomialField(
        tuple(
            (parameter, tuple(((*factors, parameter), sign * number) for factors, number in vector[state]))
            for state, sign, parameter in weighted
            if state in vector
        )
    )


def evaluate_fields(local: Point, fields: Sequence[PolynomialField]) -> NDArray[np.int64]:
    """The fields at the point, as rows; what several of them have in common is evaluated once."""
    rows, known = np.zeros((len(fields), local.pmap.parameter_count), dtype=np.int64), dict[int, int]()
    values = local.values.tolist()
    for row, field in zip(rows, fields, strict=True):
        for parameter, terms in field.terms:
            if id(terms) not in known:
                known[id(terms)] = evaluate_field(PolynomialField(((0, terms),)), values, local.prime)[0]
            row[parameter] = known[id(terms)]
    return rows


def join_repeated(fields: Sequence[PolynomialField]) -> tuple[list[PolynomialField], list[list[list[int]]]]:
    """The first of those with the same entries, and the parameters that each of the others moves."""
    firsts: dict[tuple[int, ...], PolynomialField] = {}
    repeated: dict[tuple[int, ...], list[list[int]]] = {}
    for field in fields:
        entries = tuple(id(terms) for _, terms in field.terms)
        if firsts.setdefault(entries, field) is field:
            repeated[entries] = []
        else:
            repeated[entries].append([parameter for parameter, _ in field.terms])
    return list(firsts.values()), list(repeated.values())


def find_kernel(matrix: Array, work: TermWork) -> list[dict[int, Any]]:
    """The vectors of polynomials that a matrix of polynomials takes to zero."""
    distinct = {str(row): row for row in matrix.tolist()}
    rows = [{place: entry for place, entry in enumerate(row) if entry != 0} for row in distinct.values()]
    one = matrix.flat[0] * 0 + 1
    found = find_kernel_by_primitive_rows(rows, range(matrix.shape[1]), one, work)
    if any(multiply_by_vector(row, vector, work) != 0 for row in rows for vector in found):
        raise RuntimeError("elimination has found a vector that is not in the kernel")
    return found


def list_terms(polynomial: Any, used: Sequence[int]) -> Terms:
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
