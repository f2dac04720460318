"""Counting the cells that differ, where variables or states can be exchanged (lemma "equal cells" in proofs/lemmas.md).

Items with one table and the same parents can be exchanged: p(x₁, x₂, …) = p(x₂, x₁, …) identically. So a cell is known by how
many of them are in which state. States can be exchanged where all tables stay the same if all variables exchange them, as the
nucleotides in models of evolution. The dimension is less than the number of cells that differ.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise, permutations, product
from math import comb, prod
from typing import cast

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import UPPER, Bound, prove_bound
from algdim.errors import join_names
from algdim.exact.arithmetic import Array
from algdim.families.discrete.locals.contract import Affine, Entries, convert_to_fractions
from algdim.families.discrete.map import ParamMap
from algdim.figures import format_integer
from algdim.maps import plan_once

EQUAL_CELLS, EQUAL_STATES = "equal-cells", "equal-states"
MOST_SHOWN = 6
MOST_CELLS = 1 << 16
"""In larger tables no exchanges of states are looked for, as the cells are gone through."""
MOST_STATES = 4
"""Exchanges of more states are not tried one by one."""


def bound_by_equal_cells(pmap: ParamMap) -> Bound | None:
    """The number of cells that differ, less the conditions under which they sum to 1; ``None`` if all may, or if some are left out."""
    if pmap.kept_coordinates is not None:
        return None
    groups = plan_once(pmap, "exchangeable", lambda: find_exchangeable_variables(pmap))
    if all(len(group) == 1 for group in groups):
        return None
    differing = prod(comb(len(group) + pmap.sizes[group[0]] - 1, len(group)) for group in groups)
    several = [join_names(names, most=MOST_SHOWN) for names in list_exchangeable_names(pmap)]
    conditions = pmap.cells - pmap.complete
    sums = "their weighted sum is 1" if conditions == 1 else f"{format_integer(conditions)} weighted sums are 1"
    reason = (
        f"{join_names(several, most=MOST_SHOWN, separator='; ')} are exchangeable: {format_integer(differing)} of "
        f"{format_integer(pmap.cells)} cells are distinct, and {sums}"
    )
    lemma = "distinct cells" if pmap.given else "equal cells"
    return prove_bound(differing - conditions, UPPER, EQUAL_CELLS, reason, lemma)


def bound_by_equal_states(pmap: ParamMap) -> Bound | None:
    """The number of cells that differ where all variables can exchange states, less one; ``None`` if they cannot."""
    equal = number_exchanged_cells(pmap)
    if equal is None:
        return None
    differing, moves = int(equal.max()) + 1, find_state_exchanges(pmap)
    reason = (
        f"{len(moves) + 1} permutations of the states of all variables change no table: {format_integer(differing)} of "
        f"{format_integer(pmap.cells)} cells are distinct, and their weighted sum is 1"
    )
    return prove_bound(differing - 1, UPPER, EQUAL_STATES, reason, "equal cells")


def number_equal_cells(pmap: ParamMap) -> NDArray[np.intp] | None:
    """For each cell the number of its class, classes being numbered by their first cells; ``None`` if no variables are exchangeable."""
    groups = [group for group in find_exchangeable_variables(pmap) if len(group) > 1]
    if not groups:
        return None
    states = np.indices(pmap.shape).reshape(len(pmap.shape), -1)
    for group in groups:
        places = [pmap.observed.index(axis) for axis in group]
        states[places] = np.sort(states[places], axis=0)
    first = np.ravel_multi_index(tuple(states), pmap.shape)
    return np.unique(first, return_inverse=True)[1].reshape(-1)


def list_exchangeable_names(pmap: ParamMap) -> list[list[str]]:
    """The groups of several exchangeable variables, by name."""
    groups = find_exchangeable_variables(pmap)
    return [[pmap.model.variables[axis].name for axis in group] for group in groups if len(group) > 1]


def find_exchangeable_variables(pmap: ParamMap) -> list[tuple[int, ...]]:
    """The observed axes in groups of which any two can be transposed: they stand in the same places of the same arrays, with the same others.

    >>> from algdim.families.discrete.map import get_param_map
    >>> from algdim.models.notation import parse
    >>> find_exchangeable_variables(get_param_map(parse("H -> A, B, C; hidden H; share s: A, C")))
    [(1, 3), (2,)]
    """
    arrays = number_arrays(pmap.arrays)
    places: dict[int, Counter[Hashable]] = {axis: Counter() for axis in pmap.observed}
    for factor in pmap.factors:
        for axis in factor.axes:
            if axis in places:
                others = tuple(-1 if other == axis else other for other in factor.axes)
                places[axis][arrays[factor.array], others] += 1
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for axis, found in places.items():
        alone = axis if axis in pmap.given else -1
        groups[pmap.sizes[axis], frozenset(found.items()), alone].append(axis)
    return [tuple(group) for group in groups.values()]


def number_arrays(arrays: Sequence[Entries]) -> list[int]:
    """For each array the number of the first one that has the same functions of the same parameters as entries."""
    found: list[int] = []
    like: dict[Hashable, list[int]] = defaultdict(list)
    for number, entries in enumerate(arrays):
        if not isinstance(entries, Affine):
            found.append(number)
            continue
        fixed = tuple(entries.constants.flat) if entries.is_constant else int(entries.parameter[0])
        before = like[entries.shape, len(entries.entry), fixed]
        same = (other for other in before if is_same(cast("Affine", arrays[other]), entries))
        found.append(next(same, number))
        if found[-1] == number:
            before.append(number)
    return found


def is_same(one: Affine, other: Affine) -> bool:
    """Whether two arrays with as many terms have the same entries, written in the same way."""
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("constants", "entry", "parameter", "coefficient")
    )


Exchange = Mapping[int, tuple[int, ...]]
"""For axes the new numbers of their states; axes that are not named keep theirs."""


def list_entry_texts(entries: Entries) -> Array | None:
    """The entries of a table as texts, which are equal if the entries are the same function of the parameters.

    ``None`` for entries that are not affine in the parameters.
    """
    if not isinstance(entries, Affine):
        return None
    terms: list[dict[int, Fraction]] = [{} for _ in entries.constants]
    coefficients = convert_to_fractions(entries.coefficient)
    for entry, parameter, coefficient in zip(
        entries.entry.tolist(), entries.parameter.tolist(), coefficients, strict=True
    ):
        terms[entry][parameter] = terms[entry].get(parameter, Fraction(0)) + coefficient
    found = np.empty(len(terms), dtype=object)
    found[:] = [
        f"{constant} {sorted((number, str(x)) for number, x in one.items() if x)}"
        for constant, one in zip(convert_to_fractions(entries.constants), terms, strict=True)
    ]
    return found.reshape(entries.shape)


def has_equal_arrays(pmap: ParamMap) -> bool:
    """Whether an array stands in two places, or two are equal, as where variables have one table."""
    arrays = number_arrays(pmap.arrays)
    return len({arrays[factor.array] for factor in pmap.factors}) < len(pmap.factors)


def has_state_exchanges(pmap: ParamMap) -> bool:
    """Whether states can be exchanged; in larger tables that is not looked for."""
    return pmap.cells <= MOST_CELLS and bool(find_state_exchanges(pmap))


def find_state_exchanges(pmap: ParamMap) -> list[Exchange]:
    """Permutations of the states of all observed variables of one size, and of hidden ones, that leave all tables as they are.

    A free table of an observed variable is changed by all of them, so mostly there is nothing to be tried.

    >>> from algdim.families.discrete.map import get_param_map
    >>> from algdim.models.notation import parse
    >>> len(find_state_exchanges(get_param_map(parse("phylo JC69: (A,B)"))))
    23
    """
    sizes = {pmap.sizes[axis] for axis in pmap.observed}
    if min(sizes) > MOST_STATES or pmap.given or pmap.kept_coordinates is not None:
        return []
    return plan_once(pmap, "exchanges", lambda: list(iterate_state_exchanges(pmap)))


def iterate_state_exchanges(pmap: ParamMap) -> Iterator[Exchange]:
    """The same, as they are found; nothing where entries are not affine in the parameters."""
    if not all(isinstance(entries, Affine) for entries in pmap.arrays):
        return
    tables = [cache(partial(list_entry_texts, entries)) for entries in pmap.arrays]
    for size in sorted({pmap.sizes[axis] for axis in pmap.observed}):
        for order in list(permutations(range(size)))[1:] if size <= MOST_STATES else ():
            exchange = extend_exchange(pmap, tables, size, order)
            if exchange is not None:
                yield exchange


def extend_exchange(
    pmap: ParamMap, tables: Sequence[Callable[[], Array | None]], size: int, order: tuple[int, ...]
) -> Exchange | None:
    """An exchange on the observed axes of a size, extended to hidden ones, which follow it or stay; ``None`` if there is none."""
    same = tuple(range(size))
    chosen = {axis: order for axis in pmap.observed if pmap.sizes[axis] == size}
    open_axes = {axis for axis, states in enumerate(pmap.sizes) if states == size and axis not in pmap.observed}
    waiting = [factor for factor in pmap.factors if any(axis in chosen or axis in open_axes for axis in factor.axes)]
    while waiting:
        left = []
        for factor in waiting:
            free = [axis for axis in factor.axes if axis in open_axes]
            fitting = [
                dict(zip(free, moves, strict=True))
                for moves in product((order, same), repeat=len(free))
                if is_kept(
                    cast("Array", tables[factor.array]()),
                    factor.axes,
                    {**chosen, **dict(zip(free, moves, strict=True))},
                )
            ]
            if not fitting:
                return None
            if len(fitting) == 1:
                chosen.update(fitting[0])
                open_axes.difference_update(free)
            elif free:
                left.append(factor)
        if len(left) == len(waiting):
            return None  # not decided by single factors
        waiting = left
    return chosen


def is_kept(table: Array, axes: Sequence[int], exchange: Exchange) -> bool:
    """Whether a table is the same after its axes have exchanged their states."""
    order = [exchange.get(axis, tuple(range(states))) for axis, states in zip(axes, table.shape, strict=True)]
    return bool((table[np.ix_(*order)] == table).all())


def number_exchanged_cells(pmap: ParamMap) -> NDArray[np.intp] | None:
    """As `number_equal_cells`, where exchanges of states and of variables make cells equal; ``None`` if no states can be exchanged."""
    moves = find_state_exchanges(pmap) if pmap.cells <= MOST_CELLS else []
    if not moves:
        return None
    numbers = np.arange(pmap.cells, dtype=np.intp).reshape(pmap.shape)
    place = {axis: number for number, axis in enumerate(pmap.observed)}
    images = [
        numbers[np.ix_(*(move.get(axis, tuple(range(pmap.sizes[axis]))) for axis in pmap.observed))].ravel()
        for move in moves
    ]
    for group in find_exchangeable_variables(pmap):
        for one, other in pairwise(group):
            images.append(numbers.swapaxes(place[one], place[other]).ravel())
    labels, before = numbers.ravel().copy(), None
    while before is None or (labels != before).any():
        before = labels.copy()
        for image in images:
            least = np.minimum(labels, labels[image])
            np.minimum.at(least, image, labels)
            labels = least
    return np.unique(labels, return_inverse=True)[1].reshape(-1)
