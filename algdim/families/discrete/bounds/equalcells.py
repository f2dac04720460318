"""Counting the cells that differ, where observed variables can be exchanged (lemma "equal cells" in proofs/lemmas.md).

Items with one table and the same parents can be exchanged: p(x₁, x₂, …) = p(x₂, x₁, …) identically. So a cell is known by how
many of them are in which state, and the dimension is less than the number of such cells.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from math import comb, prod
from typing import cast

import numpy as np

from algdim.bound.bounds import UPPER, Bound, prove_bound
from algdim.errors import join_names
from algdim.families.discrete.locals.contract import Affine, Entries
from algdim.families.discrete.map import ParamMap
from algdim.figures import format_integer

EQUAL_CELLS = "equal-cells"
MOST_SHOWN = 6


def bound_by_equal_cells(pmap: ParamMap) -> Bound | None:
    """The number of cells that differ less one; ``None`` if all may, or if cells are left out or conditioned on."""
    if pmap.kept is not None or pmap.given:
        return None
    groups = find_exchangeable_variables(pmap)
    if all(len(group) == 1 for group in groups):
        return None
    differing = prod(comb(len(group) + pmap.sizes[group[0]] - 1, len(group)) for group in groups)
    several = [
        join_names((pmap.model.variables[axis].name for axis in group), most=MOST_SHOWN)
        for group in groups
        if len(group) > 1
    ]
    reason = (
        f"{join_names(several, most=MOST_SHOWN, separator='; ')} are exchangeable: {format_integer(differing)} of "
        f"{format_integer(pmap.cells)} cells are distinct, and their weighted sum is 1"
    )
    return prove_bound(differing - 1, UPPER, EQUAL_CELLS, reason, "equal cells")


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
        groups[pmap.sizes[axis], frozenset(found.items())].append(axis)
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
