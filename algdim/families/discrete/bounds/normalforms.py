"""Normal forms: a rank that is proved where some parameters have constants (lemma "normal forms" in proofs/lemmas.md).

Some vector fields change the distribution by a linear map that does not depend on the parameters, up to a factor: those
that mix the states of an observed variable without children, those that give states of observed variables weights, and
those along which nothing changes. The rank of the Jacobian is constant along each of them. So parameters that they move
independently at a point can be given constants: what is left is a map of few parameters, whose Jacobian is small enough for
elimination over the polynomials, the more so as sums of cells are taken in place of cells and columns left out that
symmetries make superfluous.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import UPPER, Bound, prove_bound
from algdim.bound.searches import Directions
from algdim.errors import LimitError
from algdim.exact.arithmetic import Array, Residues
from algdim.exact.draws import describe_draw, draw_residues, format_point_label, open_stream
from algdim.exact.polynomials import TermWork, find_kernel_by_primitive_rows, make_polynomials, multiply_by_vector
from algdim.exact.ranks import rank_mod
from algdim.families.discrete.bounds.circuits import compute_jacobian
from algdim.families.discrete.bounds.directions import (
    Known,
    Point,
    compute_right_kernel,
    find_movable_factors,
    list_parameter_numbers,
)
from algdim.families.discrete.bounds.fewtables import (
    KernelAtPoint,
    choose_moves,
    evaluate_vectors,
    find_directions,
    find_vectors,
)
from algdim.families.discrete.bounds.search import Setting
from algdim.families.discrete.bounds.symmetry import NORMAL_FORM, find_hidden_axes, iterate_plain_sources
from algdim.families.discrete.functionals import list_marginal_cells
from algdim.families.discrete.map import ParamMap
from algdim.figures import format_count, format_integer
from algdim.jacobian import evaluate_jacobian
from algdim.limits import count_work
from algdim.maps import Functionals
from algdim.rank import find_usable_prime

KIND = NORMAL_FORM
LEMMA = "normal forms"

MOST_PARAMETERS = 256
MOST_LEFT = 64
"""Parameters of a normal form."""
MOST_ENTRIES = 1 << 17
"""Of the Jacobian."""
MOST_STATES = 1 << 14
"""Cells times states of the hidden variables: so many products are multiplied out."""
MOST_WORK = 1 << 19
"""Products of terms in the elimination: a second's worth."""
LITTLE_WORK = 1 << 17
"""The same where a normal form is one attempt among several."""
WORK_OF_A_TERM = 1 << 14
"""What a product of terms takes, in multiplications of numbers: counted of the work that searches share."""
SMALL = (2, 3, -1, 5, -2, 7, 4, -3, 6)
"""Constants of parameters that are not entries of a variable without children, one after the other."""

Residue = NDArray[np.int64]
Pick = Callable[[int, int], list[int]]
"""Which of so many rows of a table are to be unit vectors, as many as there are states."""


@dataclass(frozen=True, slots=True, eq=False)
class FreeTable:
    """The table of a variable that is not conditioned on: its axes, its own last, the entries at a point, and their parameters."""

    axes: tuple[int, ...]
    entries: Residue
    numbers: NDArray[np.intp]


def list_free_tables(point: Point) -> dict[int, FreeTable]:
    """The free tables by the axis of their variable."""
    pmap, movable = point.pmap, find_movable_factors(point.pmap)
    return {
        factor.axes[-1]: FreeTable(factor.axes, point.array(factor.array), list_parameter_numbers(pmap, factor.array))
        for number, factor in enumerate(pmap.factors)
        if movable[number]
    }


def list_equivariant_fields(point: Point) -> Residue:
    """The values of the fields that mix states and of those that give weights, as rows."""
    tables = list_free_tables(point)
    rows = [*iterate_mixing_fields(point, tables), *iterate_weighting_fields(point, tables)]
    return np.array(rows, dtype=np.int64).reshape(len(rows), point.pmap.parameter_count)


def iterate_mixing_fields(point: Point, tables: Mapping[int, FreeTable]) -> Iterator[Residue]:
    """For an observed variable without children, a joint state of its observed parents, and states i and j: dP(i) = P(j), dP(j) = −P(j)."""
    pmap = point.pmap
    parents = {axis for factor in pmap.factors for axis in factor.axes[:-1]}
    for axis, table in tables.items():
        if axis not in pmap.observed or axis in parents:
            continue
        for state in iterate_observed_states(pmap, table.axes[:-1]):
            rows = table.entries[state]
            for one, other in permutations(range(pmap.sizes[axis]), 2):
                change = np.zeros_like(table.entries)
                change[(*state, ..., one)] = rows[..., other]
                change[(*state, ..., other)] = -rows[..., other]
                yield collect_changes(point, {axis: change}, tables)


def iterate_observed_states(pmap: ParamMap, axes: Sequence[int]) -> Iterator[tuple[Any, ...]]:
    """Each joint state of the observed ones of some axes, as an index; the others are taken whole."""
    ranges = [range(pmap.sizes[axis]) if axis in pmap.observed else [slice(None)] for axis in axes]
    yield from product(*ranges)


def iterate_weighting_fields(point: Point, tables: Mapping[int, FreeTable]) -> Iterator[Residue]:
    """For an observed variable and a joint state of it and its observed parents: the cells with this state get a weight.

    A table P becomes P·(e − g), g the sum of P·e over the variable's states, a function of its parents; g is the next e, in the
    table of that parent which has all the others for parents. Where there is none, there is no field.
    """
    pmap, prime = point.pmap, point.prime
    for axis in tables:
        chain = find_chain(pmap, axis, tables) if axis in pmap.observed else None
        if chain is None:
            continue
        first = tables[axis]
        for state in iterate_observed_states(pmap, first.axes):
            weight = np.zeros_like(first.entries)
            weight[state] = 1
            changes: dict[int, Residue] = {}
            for place, one in enumerate(chain):
                table = tables[one]
                mean = (table.entries * weight % prime).sum(axis=-1) % prime
                changes[one] = table.entries * ((weight - mean[..., np.newaxis]) % prime) % prime
                if place + 1 < len(chain):
                    weight = spread_over(mean, table.axes[:-1], tables[chain[place + 1]])
            yield collect_changes(point, changes, tables)


def find_chain(pmap: ParamMap, axis: int, tables: Mapping[int, FreeTable]) -> list[int] | None:
    """The variables whose tables take the weights of one, in order; nothing if one of the tables is not free or has too few parents."""
    chain = [axis]
    while True:
        scope = set(tables[chain[-1]].axes[:-1])
        if scope <= set(pmap.given):
            return chain
        following = [one for one in scope if one in tables and scope <= set(tables[one].axes)]
        if not following:
            return None
        chain.append(following[0])


def spread_over(values: Residue, axes: Sequence[int], table: FreeTable) -> Residue:
    """An array with some axes as one with those of a table, which are more."""
    order = sorted(range(len(axes)), key=lambda place: table.axes.index(axes[place]))
    shape = [size if axis in axes else 1 for axis, size in zip(table.axes, table.entries.shape, strict=True)]
    return np.broadcast_to(values.transpose(order).reshape(shape), table.entries.shape)


def collect_changes(point: Point, changes: Mapping[int, Residue], tables: Mapping[int, FreeTable]) -> Residue:
    """Changes of tables as one of the parameters."""
    row = np.zeros(point.pmap.parameter_count, dtype=np.int64)
    for axis, change in changes.items():
        numbers = tables[axis].numbers
        row[numbers[numbers >= 0]] = change[numbers >= 0] % point.prime
    return row


@dataclass(frozen=True, slots=True, eq=False)
class NormalForm:
    """Parameters with constants, a point at which all have them, and the symmetries known there."""

    point: Point
    constants: Mapping[int, int]
    known: tuple[Directions, ...]

    @property
    def left(self) -> list[int]:
        """The parameters that have no constants."""
        return [number for number in range(self.point.pmap.parameter_count) if number not in self.constants]


def bound_by_normal_form(setting: Setting, most: int = MOST_WORK) -> Bound | None:
    """The rank of the Jacobian on a normal form; nothing where it is too large, takes more work or does not show the rank at its point."""
    pmap = setting.pmap
    if not is_small(pmap) or setting.lower >= pmap.parameter_count:
        return None
    for pick in (pick_first, pick_ends):
        form = choose_normal_form(setting, pick)
        if form is None or len(form.left) > MOST_LEFT:
            continue
        if (
            rank_mod(compute_jacobian(pmap, form.point.prime, form.point.values), form.point.prime).value
            < setting.lower
        ):
            continue  # the constants are no general ones
        rank = find_rank(form, setting.lower, most)
        return None if rank is None else make_normal_form_bound(setting, form, rank)
    return None


def is_small(pmap: ParamMap) -> bool:
    """Whether all tables are free, some variable is hidden, and the map small."""
    count = pmap.parameter_count
    return (
        bool(pmap.model.hidden)
        and count <= MOST_PARAMETERS
        and count * pmap.cells <= MOST_ENTRIES
        and prod(pmap.sizes) <= MOST_STATES
        and all(find_movable_factors(pmap))
    )


def pick_first(rows: int, states: int) -> list[int]:
    """The first rows of a table.

    >>> pick_first(4, 2)
    [0, 1]
    """
    del rows
    return list(range(states))


def pick_ends(rows: int, states: int) -> list[int]:
    """Rows of a table from the first to the last.

    >>> pick_ends(4, 2)
    [0, 3]
    """
    return [place * (rows - 1) // (states - 1) for place in range(states)]


def choose_normal_form(setting: Setting, pick: Pick) -> NormalForm | None:
    """Constants for parameters that the fields move independently: rows of unit vectors for variables without children, small numbers for others.

    Which parameters these are is seen at one point with all symmetries, proved or not; at the next one, where they have their constants, those
    stay that fields move independently which are proved.
    """
    pmap, count = setting.pmap, setting.pmap.parameter_count
    prime = find_usable_prime(pmap, setting.seed, *setting.labels, KIND)
    label = "|".join(str(one) for one in (*setting.labels, KIND, 0))
    values = draw_residues(open_stream(setting.seed, "point", *setting.labels, KIND, 0), prime, count).astype(np.int64)
    units = choose_unit_rows(Point(pmap, prime, label, values), pick)
    first = Point(pmap, prime, label, set_constants(values, units, prime))
    _, kernel = compute_right_kernel(compute_jacobian(pmap, prime, first.values), prime)
    order = [*units, *(number for number in range(count) if number not in units)]
    moved = find_independent_columns(np.vstack([list_equivariant_fields(first), kernel]), order, prime)
    constants = {number: units[number] for number in moved if number in units}
    others = [number for number in moved if number not in units]
    constants |= {number: SMALL[place % len(SMALL)] for place, number in enumerate(others)}
    point = Point(pmap, prime, label, set_constants(values, constants, prime))
    known = find_known(setting, point)
    fields = np.vstack([list_equivariant_fields(point), collect_directions(known, count)])
    kept = find_independent_columns(fields, [number for number in order if number in constants], prime)
    return NormalForm(point, {number: constants[number] for number in kept}, tuple(known)) if kept else None


def choose_unit_rows(point: Point, pick: Pick) -> dict[int, int]:
    """Constants for as many rows of the table of a variable without children as it has states, at each state of its observed parents."""
    pmap = point.pmap
    parents = {axis for factor in pmap.factors for axis in factor.axes[:-1]}
    found: dict[int, int] = {}
    for axis, table in list_free_tables(point).items():
        states = pmap.sizes[axis]
        if axis not in pmap.observed or axis in parents:
            continue
        for state in iterate_observed_states(pmap, table.axes[:-1]):
            rows = table.numbers[state].reshape(-1, states)
            if len(rows) >= states > 1:
                for place, row in enumerate(pick(len(rows), states)):
                    found |= {int(rows[row, one]): int(one == place) for one in range(states - 1)}
    return found


def set_constants(values: Residue, constants: Mapping[int, int], prime: int) -> Residue:
    """A point at which some parameters have constants."""
    found = values.copy()
    for number, constant in constants.items():
        found[number] = constant % prime
    return found


def find_independent_columns(fields: Residue, order: Sequence[int], prime: int) -> list[int]:
    """Parameters that fields move independently, the first ones of an order."""
    if not len(fields) or not order:
        return []
    matrix = np.ascontiguousarray(np.remainder(fields, prime)[:, order])
    return [order[column] for column in rank_mod(matrix, prime).columns]


def find_known(setting: Setting, point: Point) -> list[Directions]:
    """The values of the fields along which nothing changes."""
    known: list[Known] = []
    for source in iterate_plain_sources(setting, point, find_hidden_axes(setting)):
        known += source(known)
    return [one.directions for one in known]


def collect_directions(known: Sequence[Directions], count: int) -> Residue:
    """Directions as one matrix with a column for each parameter."""
    rows = [np.zeros((0, count), dtype=np.int64)]
    for directions in known:
        row = np.zeros((len(directions.matrix), count), dtype=np.int64)
        row[:, directions.parameters] = directions.matrix
        rows.append(row)
    return np.vstack(rows)


def find_rank(form: NormalForm, lower: int, most: int = MOST_WORK) -> int | None:
    """A bound of the rank of the Jacobian on a normal form that is meant to be this one; nothing if that takes too much work."""
    pmap, sums = form.point.pmap, list_sums_of_cells(form.point.pmap)
    at = find_kernel_at_point(form.point, collect_directions(form.known, pmap.parameter_count), sums)
    chosen = choose_moves(pmap, at, pmap.parameter_count - lower - at.rank)
    count_work(most * WORK_OF_A_TERM)
    matrix, _ = evaluate_polynomials(pmap, form.constants, sums)
    if chosen is not None:
        rank = pmap.parameter_count - at.rank_with(find_directions(matrix, at, chosen, most))
        if rank <= lower:
            return rank
    found = eliminate_columns(matrix, at, most)
    return None if found is None else found.rank


def find_kernel_at_point(point: Point, fields: Residue, sums: Functionals) -> KernelAtPoint:
    """The Jacobian of sums of cells at a point, with fields along which nothing changes."""
    field = Residues(point.prime)
    jacobian = evaluate_jacobian(point.pmap, field, field.elements(point.values), sums)
    residues = np.remainder(jacobian, point.prime).astype(np.int64)
    return KernelAtPoint(residues, point.prime, np.remainder(fields, point.prime))


class PolynomialKernel(NamedTuple):
    """Vectors of polynomials, in the parameters that have no constants, that the Jacobian with constants takes to zero, and the rank that they prove."""

    rank: int
    vectors: list[dict[int, Any]]


def find_kernel(
    point: Point, constants: Mapping[int, int], fields: Residue, lower: int, most: int = MOST_WORK
) -> PolynomialKernel | None:
    """The kernel where parameters have constants, but for fields along which nothing changes; nothing if that takes too much work.

    Vectors that move one table or two come first, if these and the fields suffice for the rank to be met.
    """
    pmap, sums = point.pmap, list_sums_of_cells(point.pmap)
    at = find_kernel_at_point(point, fields, sums)
    chosen = choose_moves(pmap, at, pmap.parameter_count - lower - at.rank)
    matrix, left = evaluate_polynomials(pmap, constants, sums)
    if chosen is not None:
        vectors = find_vectors(matrix, at, chosen, most)
        values = evaluate_vectors(vectors, [int(point.values[number]) for number in left], at)
        rank = pmap.parameter_count - at.rank_with(values)
        if rank <= lower:
            return PolynomialKernel(rank, vectors)
    return eliminate_columns(matrix, at, most)


def evaluate_polynomials(pmap: ParamMap, constants: Mapping[int, int], sums: Functionals) -> tuple[Array, list[int]]:
    """The Jacobian of polynomials in the parameters that have no constants, and these."""
    left = [number for number in range(pmap.parameter_count) if number not in constants]
    arithmetic, variables = make_polynomials(len(left))
    values = np.empty(pmap.parameter_count, dtype=object)
    for number, constant in constants.items():
        values[number] = arithmetic.convert(Fraction(constant))
    values[left] = variables
    return evaluate_jacobian(pmap, arithmetic, values, sums), left


def eliminate_columns(matrix: Array, at: KernelAtPoint, most: int) -> PolynomialKernel | None:
    """The kernel by elimination in all columns but those that fields make superfluous: a basis of the vectors that are zero there."""
    prime, every = at.prime, range(matrix.shape[1])
    # fields along which nothing changes make as many columns combinations of the others
    longest = sorted(every, key=lambda number: -sum(len(entry) for entry in matrix[:, number]))
    superfluous = set(find_independent_columns(at.known, longest, prime))
    columns = [number for number in every if number not in superfluous]
    rows = [{number: row[number] for number in columns if row[number] != 0} for row in matrix.tolist()]
    shortest = sorted(range(len(rows)), key=lambda number: sum(map(len, rows[number].values())))
    independent = find_independent_columns(at.jacobian[:, columns].T, shortest, prime)
    work = TermWork(most)
    try:
        kernel = find_kernel_by_primitive_rows(
            [rows[number] for number in independent], columns, matrix.flat[0] * 0 + 1, work
        )
        # what the rows that are independent at the point take to zero, all others have to take to zero, too
        if any(multiply_by_vector(row, vector, work) != 0 for vector in kernel for row in rows):
            return None
    except LimitError:
        return None
    return PolynomialKernel(len(columns) - len(kernel), kernel)


def list_sums_of_cells(pmap: ParamMap) -> Functionals:
    """As many sums of cells as there are cells: a variable at its last state is summed over if all that descend from it are.

    Each is a cell plus cells before it, so they are a basis of the functionals; tables of what is summed over drop out.
    """
    descendants: dict[int, set[int]] = {}
    children: dict[int, set[int]] = {axis: set() for axis in range(len(pmap.sizes))}
    for factor in pmap.factors:
        for parent in factor.axes[:-1]:
            children[parent].add(factor.axes[-1])

    def find_descendants(axis: int) -> set[int]:
        """The observed ones."""
        if axis not in descendants:
            found = set(children[axis])
            for child in children[axis]:
                found |= find_descendants(child)
            descendants[axis] = found
        return descendants[axis]

    places = {axis: place for place, axis in enumerate(pmap.observed)}
    last_first = sorted(places, key=lambda axis: len(find_descendants(axis)))
    rows = []
    for states in np.ndindex(*pmap.shape):
        row = list(states)
        for axis in last_first:
            below = [places[one] for one in find_descendants(axis) if one in places]
            if row[places[axis]] == pmap.sizes[axis] - 1 and all(row[place] < 0 for place in below):
                row[places[axis]] = -1
        rows.append(row)
    return list_marginal_cells(pmap.shape, np.array(rows))


def make_normal_form_bound(setting: Setting, form: NormalForm, rank: int) -> Bound:
    """What the rank on a normal form proves."""
    count, point = form.point.pmap.parameter_count, form.point
    what = f"{format_count(len(form.constants), 'parameter')} made constant by mixing states, weights and symmetries, rank {format_integer(rank)} by elimination in the other {format_integer(count - len(form.constants))}"
    names = point.pmap.parameters
    evidence = {
        "prime": point.prime,
        "point": point.label,
        "constants": {names[number]: str(constant) for number, constant in sorted(form.constants.items())},
        "rank": rank,
        "fields": [directions.evidence for directions in form.known],
    }
    at = describe_draw(format_point_label(setting.seed, point.label), point.prime)
    return prove_bound(rank, UPPER, KIND, what, LEMMA, "symmetry", evidence=evidence, at=at)
