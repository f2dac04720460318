"""Vector fields along which a sum over one hidden variable does not change (lemma "symmetry" in proofs/lemmas.md).

Let the factors that contain a hidden H fall into two *sides*, each a chain of tables in which every table has all
variables of the one before it among its parents. The left side begins with H's own table M, so that its product U is
any distribution of its variables and H; the right side T consists of children of H. A root with two children is a
left side of M and one child. With g = E_il − E_ii, the changes dU = Ug and dT = −gT leave Σ_h U·T as it is, and they
come from the changes

    dM[l] = M[i],  dM[i] = −M[i]
    dN[l] = u[i] / u[l] · (N[i] − N[l])      for a child N on the left, u the product of the tables before it,
    dN[i] = t[l] / t[i] · (N[i] − N[l])      for a child N on the right, t the product of the tables before it.

The field may act at one state of the parents that H and the first child on the right have in common, and be zero
elsewhere. Tables that are not moved must not tell i from l. None of this is taken on trust: `is_identity` multiplies
it out with polynomials over ℚ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, pairwise, permutations
from math import prod
from typing import Any

import numpy as np

from algdim.bound.searches import Directions
from algdim.exact.arithmetic import Array
from algdim.exact.polynomials import make_polynomials
from algdim.families.discrete.bounds.directions import Point, list_parameter_numbers
from algdim.families.discrete.bounds.equalcells import list_entry_texts

Axes = tuple[int, ...]
Reduce = Callable[[Array], Array]

MOST_CHILDREN = 6
"""A hidden variable with more children that may move is left alone: its sides are found by trying all divisions."""

MOST_AXES = 10
"""Identities with more axes than these, after `join_axes`, are not multiplied out, and the field is not used."""

MOST_NUMBERS = 1 << 20
"""Fields that together have more values than these are left out."""


@dataclass(frozen=True, slots=True)
class FactorShapes:
    """The factors that contain a hidden axis: their axes, the table's own variable last, and which may be moved."""

    hidden: int
    factors: tuple[Axes, ...]
    movable: tuple[bool, ...]

    @property
    def open_axes(self) -> Axes:
        """All axes but the hidden one."""
        return tuple(sorted({axis for axes in self.factors for axis in axes} - {self.hidden}))

    @property
    def own(self) -> int | None:
        """The hidden variable's own table, if it may be moved."""
        return next((n for n, axes in enumerate(self.factors) if axes[-1] == self.hidden and self.movable[n]), None)

    def others(self, number: int) -> frozenset[int]:
        """The axes of a factor without the hidden one."""
        return frozenset(self.factors[number]) - {self.hidden}

    def parents(self, number: int) -> frozenset[int]:
        """The axes of a factor that are parents, without the hidden one."""
        return frozenset(self.factors[number][:-1]) - {self.hidden}


@dataclass(frozen=True, slots=True)
class Sides:
    """A division of the movable factors into two chains, and the axes on whose states a field may depend."""

    left: Axes
    right: Axes
    common: Axes


@dataclass(frozen=True, slots=True)
class Change:
    """The derivatives of a factor's entries at one hidden state, as fractions; axes as `take_slice` lays them out."""

    factor: int
    state: int
    numerator: Array
    denominator: Array


def iterate_sides(shape: FactorShapes) -> Iterator[Sides]:
    """Every division of the movable factors into two sides that are chains.

    >>> list(iterate_sides(FactorShapes(0, ((0,), (0, 1), (0, 2)), (True, True, True))))
    [Sides(left=(0, 1), right=(2,), common=()), Sides(left=(0, 2), right=(1,), common=())]
    """
    own = shape.own
    children = [number for number, movable in enumerate(shape.movable) if movable and number != own]
    if own is None or len(children) > MOST_CHILDREN or len(shape.open_axes) > MOST_AXES:
        return
    children.sort(key=lambda number: len(shape.factors[number]))
    for size in range(len(children)):
        for chosen in combinations(children, size):
            left, right = (own, *chosen), tuple(number for number in children if number not in chosen)
            if is_chain(shape, left) and is_chain(shape, right):
                yield make_sides(shape, left, right)


def make_sides(shape: FactorShapes, left: Axes, right: Axes) -> Sides:
    """The division with these factors on the left, the hidden variable's own first, and on the right."""
    return Sides(left, right, tuple(sorted(shape.others(left[0]) & shape.parents(right[0]))))


def is_chain(shape: FactorShapes, numbers: Axes) -> bool:
    """Whether each table has all variables of the one before it among its parents."""
    return all(shape.others(one) <= shape.parents(other) for one, other in pairwise(numbers))


def take_slice(shape: FactorShapes, array: Array, factor: int, state: int) -> Array:
    """A factor at one hidden state, with one axis for every open axis (of length 1 where the factor has none)."""
    axes = shape.factors[factor]
    taken = np.take(array, [state], axis=axes.index(shape.hidden))
    sizes = dict(zip(axes, taken.shape, strict=True))
    order = [axes.index(axis) for axis in (shape.hidden, *shape.open_axes) if axis in sizes]
    return taken.transpose(order).reshape([sizes.get(axis, 1) for axis in shape.open_axes])


def put_in_table(shape: FactorShapes, array: Array, factor: int, sizes: Mapping[int, int]) -> Array:
    """Bring an array laid out as `take_slice` does back into the order of the factor's axes, the hidden one left out."""
    left = [axis for axis in shape.factors[factor] if axis != shape.hidden]
    full = np.broadcast_to(array, [sizes[axis] if axis in left else 1 for axis in shape.open_axes])
    squeezed = full.reshape([sizes[axis] for axis in sorted(left)])
    return squeezed.transpose([sorted(left).index(axis) for axis in left])


def build_field(
    shape: FactorShapes,
    sides: Sides,
    arrays: Mapping[int, Array],
    pair: tuple[int, int],
    where: Array,
    reduce: Reduce,
) -> list[Change]:
    """The field for the pair (i, l); ``where`` is 1 at the states of the common axes where it acts and 0 elsewhere."""
    i, l = pair
    own = sides.left[0]
    moved = reduce(take_slice(shape, arrays[own], own, i) * where)
    one = moved.ravel()[:1].reshape((1,) * moved.ndim) * 0 + 1
    found = [Change(own, l, moved, one), Change(own, i, reduce(-moved), one)]
    before = (take_slice(shape, arrays[own], own, i), take_slice(shape, arrays[own], own, l))
    for factors, start, source, target in ((sides.left[1:], before, i, l), (sides.right, (one, one), l, i)):
        over, under = start
        for number in factors:
            at_i, at_l = (take_slice(shape, arrays[number], number, state) for state in pair)
            numerator = reduce(reduce(over * reduce(at_i - at_l)) * where)
            found.append(Change(number, target, numerator, under))
            over = reduce(over * take_slice(shape, arrays[number], number, source))
            under = reduce(under * take_slice(shape, arrays[number], number, target))
    return found


def is_identity(shape: FactorShapes, sides: Sides) -> bool:
    """Whether the field leaves the sum over the hidden axis and all row sums as they are: an identity of polynomials.

    The sum in one cell contains entries at this cell's states only, and only the terms of two hidden states change, so
    two states on every axis are as good as any number. Entries of tables that are not moved are one unknown for both
    hidden states.
    """
    sizes = dict.fromkeys((*shape.open_axes, shape.hidden), 2)
    arrays = make_unknowns(shape, sizes)
    where = make_indicator(shape, sides.common, (0,) * len(sides.common), sizes)
    changes = build_field(shape, sides, arrays, (0, 1), where, lambda array: array)
    return (
        all(is_within_table(shape, change) for change in changes)
        and has_constant_row_sums(shape, changes)
        and not (differentiate_hidden_sum(shape, sizes, arrays, changes) != 0).any()
    )


def is_within_table(shape: FactorShapes, change: Change) -> bool:
    """Whether the derivatives depend on no other axes than the factor's own."""
    return all(
        axis in shape.factors[change.factor] or length == 1
        for array in (change.numerator, change.denominator)
        for axis, length in zip(shape.open_axes, array.shape, strict=True)
    )


def make_unknowns(shape: FactorShapes, sizes: Mapping[int, int]) -> dict[int, Array]:
    """One variable per entry of each factor; the last entry of a child's row, if it may be moved, is 1 − the others."""
    _, variables = make_polynomials(sum(prod(sizes[axis] for axis in axes) for axes in shape.factors))
    arrays: dict[int, Array] = {}
    start = 0
    for number, axes in enumerate(shape.factors):
        mine = [sizes[axis] if shape.movable[number] or axis != shape.hidden else 1 for axis in axes]
        array = variables[start : start + prod(mine)].reshape(mine)
        start += prod(mine)
        if shape.movable[number] and axes[-1] != shape.hidden:
            array[..., -1] = 1 - array[..., :-1].sum(axis=-1)
        arrays[number] = np.broadcast_to(array, [sizes[axis] for axis in axes])
    return arrays


def make_indicator(shape: FactorShapes, axes: Axes, states: Axes, sizes: Mapping[int, int]) -> Array:
    """An array laid out as `take_slice` does, 1 at the states given and 0 elsewhere."""
    result = np.zeros([sizes[axis] if axis in axes else 1 for axis in shape.open_axes], dtype=np.int64)
    chosen = dict(zip(axes, states, strict=True))
    result[tuple(chosen.get(axis, 0) for axis in shape.open_axes)] = 1
    return result


def has_constant_row_sums(shape: FactorShapes, changes: list[Change]) -> bool:
    """Whether the derivatives of every row add up to zero."""
    own: Any = 0
    for change in changes:
        variable = shape.factors[change.factor][-1]
        if variable == shape.hidden:
            if any(value != 1 for value in change.denominator.flat):
                return False
            own = own + change.numerator
        else:
            position = shape.open_axes.index(variable)
            if (
                change.denominator.shape[position] != 1
                or (change.numerator.sum(axis=position, keepdims=True) != 0).any()
            ):
                return False
    return not np.any(own != 0)


def differentiate_hidden_sum(
    shape: FactorShapes, sizes: Mapping[int, int], arrays: Mapping[int, Array], changes: list[Change]
) -> Array:
    """The derivative of the sum over the hidden axis, cell by cell, times the product of all denominators."""
    total = np.zeros([sizes[axis] for axis in shape.open_axes], dtype=object)
    for change in changes:
        term = change.numerator
        for other in changes:
            term = term if other is change else term * other.denominator
        for number in range(len(shape.factors)):
            if number != change.factor:
                term = term * take_slice(shape, arrays[number], number, change.state)
        total = total + term
    return total


@lru_cache(maxsize=4096)
def list_proved_sides(shape: FactorShapes) -> tuple[Sides, ...]:
    """The divisions into two sides whose fields have been multiplied out, of the shape with fewer axes."""
    smaller = join_axes(shape)
    found = [sides for sides in iterate_sides(smaller) if is_identity(smaller, sides)]
    return tuple(make_sides(shape, sides.left, sides.right) for sides in found)


def join_axes(shape: FactorShapes) -> FactorShapes:
    """The same with one axis in place of several that are parents in the same factors, whose joint states are its states.

    >>> join_axes(FactorShapes(0, ((3, 0), (0, 1), (3, 4, 5, 0, 2)), (True, True, True))).factors
    ((3, 0), (0, 1), (3, 4, 0, 2))
    """
    own = {axes[-1] for axes in shape.factors} | {shape.hidden}
    kept: dict[frozenset[int], int] = {}
    for axis in shape.open_axes:
        if axis not in own:
            kept.setdefault(frozenset(n for n, axes in enumerate(shape.factors) if axis in axes), axis)
    left = own | set(kept.values())
    factors = tuple(tuple(axis for axis in axes if axis in left) for axes in shape.factors)
    return replace(shape, factors=factors)


def iterate_two_sided_fields(
    point: Point, hidden: int, around: Sequence[int], movable: Sequence[bool]
) -> Iterator[Directions]:
    """The values of the fields that act on two sides of a hidden axis; ``around`` are the factors that have this axis."""
    place = find_place(point, hidden, around, movable)
    for sides in list_proved_sides(place.shape):
        for states in np.ndindex(*(place.sizes[axis] for axis in sides.common)):
            pairs = find_alike_states(place, dict(zip(sides.common, states, strict=True)))
            if 0 < len(pairs) * place.entries <= MOST_NUMBERS:
                yield compute_directions(place, sides, states, pairs)


@dataclass(frozen=True, slots=True)
class Place:
    """A hidden axis of a map: its factors by number, their shape, what its axes are called and how long they are."""

    point: Point
    around: Axes
    shape: FactorShapes
    names: tuple[str, ...]
    sizes: Mapping[int, int]

    @property
    def entries(self) -> int:
        """How many entries the factors have that can be moved."""
        return sum(
            prod(self.sizes[axis] for axis in axes)
            for axes, movable in zip(self.shape.factors, self.shape.movable, strict=True)
            if movable
        )

    def array_number(self, factor: int) -> int:
        """Which array of the map a factor uses."""
        return self.point.pmap.factors[self.around[factor]].array


def find_place(point: Point, hidden: int, around: Sequence[int], movable: Sequence[bool]) -> Place:
    """The surroundings of a hidden axis, with axes numbered in order of first use so that equal shapes are equal."""
    pmap = point.pmap
    numbers: dict[int, int] = {}
    factors = tuple(tuple(numbers.setdefault(axis, len(numbers)) for axis in pmap.factors[n].axes) for n in around)
    shape = FactorShapes(numbers[hidden], factors, tuple(movable[n] for n in around))
    variables = pmap.model.variables
    names = tuple(variables[axis].name if axis < len(variables) else f"axis {axis}" for axis in numbers)
    return Place(point, tuple(around), shape, names, {new: pmap.sizes[old] for old, new in numbers.items()})


def find_alike_states(place: Place, where: Mapping[int, int]) -> list[tuple[int, int]]:
    """The ordered pairs of hidden states on which all tables that stay agree, at some common states."""
    return [pair for group in group_alike_states(place, where) for pair in permutations(group, 2)]


def group_alike_states(place: Place, where: Mapping[int, int]) -> list[list[int]]:
    """The hidden states, those together on which all tables that stay agree; none if one of these is not affine."""
    shape = place.shape
    stay = [k for k in range(len(shape.factors)) if not shape.movable[k]]
    tables = {k: list_entry_texts(place.point.pmap.arrays[place.array_number(k)]) for k in stay}
    groups: dict[str, list[int]] = {}
    for state in range(place.sizes[shape.hidden]):
        at = {shape.hidden: state, **where}
        parts = []
        for k, table in tables.items():
            if table is None:
                return []
            parts.append(table[tuple(at.get(axis, slice(None)) for axis in shape.factors[k])])
        groups.setdefault(repr([np.asarray(part, dtype=object).tolist() for part in parts]), []).append(state)
    return list(groups.values())


def iterate_exchanged_states(
    point: Point, hidden: int, around: Sequence[int], movable: Sequence[bool]
) -> Iterator[Directions]:
    """The values of the fields that move probability between states of a hidden axis which no other table tells apart.

    Only the hidden variable's own table changes, in one row at a time, so the sum stays as it is without a computation.
    """
    place = find_place(point, hidden, around, movable)
    own, shape = place.shape.own, place.shape
    if own is None or sum(shape.movable) != 1:
        return
    numbers = list_parameter_numbers(point.pmap, place.array_number(own))
    rows = np.moveaxis(numbers, shape.factors[own].index(shape.hidden), -1).reshape(-1, place.sizes[shape.hidden])
    pairs = [pair for group in group_alike_states(place, {}) for pair in pairwise(group)]
    parameters = np.unique(rows[rows >= 0])
    if not pairs or len(pairs) * len(rows) * len(parameters) > MOST_NUMBERS:
        return
    column = {int(number): place for place, number in enumerate(parameters)}
    matrix = np.zeros((len(pairs) * len(rows), len(parameters)), dtype=np.int64)
    fields = [(row[i], row[j]) for row in rows.tolist() for i, j in pairs]
    for line, (one, other) in enumerate(fields):
        for number, change in ((one, 1), (other, point.prime - 1)):
            if number >= 0:
                matrix[line, column[number]] = change
    name = place.names[shape.hidden]
    evidence = {"type": "exchanged states", "hidden": name, "pairs": [list(pair) for pair in pairs]}
    yield Directions(parameters, matrix, name, evidence)


def compute_directions(place: Place, sides: Sides, states: Axes, pairs: Sequence[tuple[int, int]]) -> Directions:
    """The values of the fields of all pairs of hidden states at some common states."""
    numbers = {k: list_parameter_numbers(place.point.pmap, place.array_number(k)) for k in (*sides.left, *sides.right)}
    where = make_indicator(place.shape, sides.common, states, place.sizes)
    rows = [evaluate_field(place, sides, pair, where) for pair in pairs]
    free = {k: number >= 0 for k, number in numbers.items()}
    matrix = np.array([np.concatenate([row[k][free[k]] for k in numbers]) for row in rows])
    parameters = np.concatenate([number[free[k]] for k, number in numbers.items()])
    used = matrix.any(axis=0)
    hidden = place.names[place.shape.hidden]
    common = {place.names[axis]: state for axis, state in zip(sides.common, states, strict=True)}
    left, right = ([place.names[place.shape.factors[k][-1]] for k in side] for side in (sides.left, sides.right))
    evidence: dict[str, Any] = {"type": "two sides", "hidden": hidden, "left": left, "right": right}
    evidence |= {"at": common} if common else {}
    evidence |= {"pairs": [list(pair) for pair in pairs]}
    return Directions(parameters[used], matrix[:, used], hidden, evidence)


def evaluate_field(place: Place, sides: Sides, pair: tuple[int, int], where: Array) -> dict[int, Array]:
    """The derivatives of all entries of the factors that change, at the point; zero if a denominator vanishes there."""
    shape, prime = place.shape, place.point.prime
    arrays = {k: place.point.array(place.array_number(k)) for k in (*sides.left, *sides.right)}
    found = {k: np.zeros_like(array) for k, array in arrays.items()}
    changes = build_field(shape, sides, arrays, pair, where, lambda array: array % prime)
    if any((change.denominator == 0).any() for change in changes):
        return found
    for change in changes:
        inverse = [pow(value, -1, prime) for value in change.denominator.ravel().tolist()]
        quotient = change.numerator * np.array(inverse).reshape(change.denominator.shape) % prime
        part = tuple(change.state if axis == shape.hidden else slice(None) for axis in shape.factors[change.factor])
        found[change.factor][part] = put_in_table(shape, quotient, change.factor, place.sizes)
    return found
