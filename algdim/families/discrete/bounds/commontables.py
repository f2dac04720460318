"""Equations of models in which several variables have one table (lemmas "common tables" and "chains" in proofs/lemmas.md).

Two groups of observed variables, each with the same tables given hidden variables of its own, depend on these alike: the
flattening of the one group against all else and that of the other have their columns in one space, of no more dimensions than
there are joint states of the hidden variables of one group. So the rank of both matrices, side by side, is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import Bound
from algdim.families.discrete.bounds.chains import JoinedMatrix, find_chain, list_chain_equations
from algdim.families.discrete.bounds.equalcells import number_arrays
from algdim.families.discrete.bounds.equations import (
    MOST_CELLS,
    Axes,
    Matrix,
    find_equal_cells,
    is_worth_it,
    make_equation_bound,
    start,
)
from algdim.families.discrete.bounds.flattenings import Separators, add_flattenings
from algdim.families.discrete.bounds.search import Setting, TableAtPoint
from algdim.families.discrete.map import ParamMap
from algdim.maps import plan_once

KIND = "common-tables"
MOST_ENTRIES = 1 << 20
"""Of matrices side by side."""
MOST_IDLE = 20
"""After this many in a row that gave nothing new the search ends."""


def bound_by_common_tables(setting: Setting) -> Bound | None:
    """The bound by matrices side by side and by chains, with flattenings; nothing where no tables are common."""
    pmap = setting.pmap
    joined = plan_once(pmap, "joined", lambda: list_joined(pmap))
    chain = find_chain(pmap)
    differences, words = ([], []) if chain is None else list_chain_equations(pmap, chain)
    if not joined and not differences and not words:
        return None
    equal = find_equal_cells(setting)
    if not is_worth_it(setting, equal):
        return None
    collector = start(setting, equal)
    for one in differences:
        one.add_to(collector)
    collector.add_all([*joined, *words], MOST_IDLE)
    if not collector.used:
        return None
    add_flattenings(collector, lambda: Separators(setting))
    return make_equation_bound(collector, KIND)


@dataclass(frozen=True)
class Joined:
    """Matrices side by side: rows are the joint states of each of several groups of axes, columns those of all others."""

    shape: tuple[int, ...]
    groups: tuple[Axes, ...]
    rank: int

    @cached_property
    def parts(self) -> list[NDArray[np.intp]]:
        """The cells of each matrix, with an axis of length 1 for what is summed over."""
        cells = np.arange(prod(self.shape), dtype=np.intp).reshape(self.shape)
        others = [[axis for axis in range(len(self.shape)) if axis not in group] for group in self.groups]
        return [
            cells.transpose(*group, *rest).reshape(self.rows, -1, 1)
            for group, rest in zip(self.groups, others, strict=True)
        ]

    @property
    def rows(self) -> int:
        """The number of joint states of a group."""
        return prod(self.shape[axis] for axis in self.groups[0])

    def matrices(self, table: TableAtPoint) -> Iterator[tuple[tuple[int, ...], Matrix]]:
        """The one matrix."""
        yield (), JoinedMatrix(self.parts, self.rank, table)

    def make_evidence(self, names: Sequence[str]) -> dict[str, Any]:
        """The groups."""
        return {"type": "common", "common": [[names[axis] for axis in group] for group in self.groups]}

    def text(self, names: Sequence[str]) -> str:
        """The groups and the size."""
        groups = "; ".join(",".join(names[axis] for axis in group) for group in self.groups)
        columns = len(self.groups) * prod(self.shape) // self.rows
        return f"flattenings of {groups} side by side ({self.rows}×{columns}, rank {self.rank})"


def list_joined(pmap: ParamMap) -> list[Joined]:
    """Groups of observed variables without children that have the same tables in the same way, given hidden variables.

    >>> from algdim.families.discrete.map import get_param_map
    >>> from algdim.models.notation import parse
    >>> [one.groups for one in list_joined(get_param_map(parse("hmm: states 3, items 4, length 2, homogeneous")))]
    [((0,), (1,))]
    """
    if pmap.kept_coordinates is not None or pmap.cells > MOST_CELLS:
        return []
    arrays = number_arrays(pmap.arrays)
    place = {axis: number for number, axis in enumerate(pmap.observed)}
    found: dict[Axes, list[tuple[int, int]]] = {}  # by parents, tables and axes
    for axis in pmap.observed:
        uses = [factor for factor in pmap.factors if axis in factor.axes]
        if len(uses) != 1 or axis in pmap.given or uses[0].axes[-1] != axis:
            continue
        parents = uses[0].axes[:-1]
        if parents and not set(parents) & {*pmap.observed}:
            found.setdefault(parents, []).append((arrays[uses[0].array], axis))
    alike: dict[tuple[Any, ...], list[tuple[Axes, Axes]]] = {}
    for parents, items in found.items():
        items.sort()
        several = [items] if len(items) == 1 else [items, *([one] for one in items)]
        for chosen in several:
            sizes = tuple(pmap.sizes[axis] for axis in parents)
            key = (*sizes, None, *(table for table, _ in chosen))
            alike.setdefault(key, []).append((parents, tuple(place[axis] for _, axis in chosen)))
    joined = []
    for groups in alike.values():
        rank = prod(pmap.sizes[axis] for axis in groups[0][0])
        one = Joined(pmap.shape, tuple(axes for _, axes in groups), rank)
        entries = len(groups) * pmap.cells
        if len(groups) > 1 and rank < one.rows and entries <= MOST_ENTRIES and len({p for p, _ in groups}) > 1:
            joined.append(one)
    return joined
