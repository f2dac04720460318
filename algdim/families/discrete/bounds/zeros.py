"""The cells of a table: which vanish identically, and how many dimensions all others have together.

A cell vanishes (lemma "districts" (e)) if its sum of products has no term at all, which is found without numbers.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import UPPER, Bound, proved_bound
from algdim.bound.counting import COUNTED, Complete, saturated_by
from algdim.errors import LimitError
from algdim.exact.arithmetic import Booleans
from algdim.families.discrete.map import ParamMap
from algdim.figures import big, counted
from algdim.jacobian import evaluator_of, inner_point, values_at
from algdim.maps.functionals import Functionals, all_cells

MOST_CELLS = 1 << 20
"""Zeros are looked for in tables with no more cells."""
MOST_STEPS = 1 << 30
"""Of cells times numbers that each needs, where a bound is all that is wanted: about a second."""


def support(pmap: ParamMap, functionals: Functionals | None = None) -> NDArray[np.bool_]:
    """Which cells, or sums of cells, are not identically zero: those that are positive at inner parameters."""
    return values_at(pmap, Booleans(), inner_point(pmap), functionals or all_cells(pmap))


def has_zeros(pmap: ParamMap) -> bool:
    """Whether an entry of an array is identically zero."""
    point = inner_point(pmap)
    return not all(entries.values(Booleans(), point).all() for entries in pmap.arrays)


def possible_cells(pmap: ParamMap) -> NDArray[np.bool_] | None:
    """Which cells are not structural zeros; ``None`` if all are possible. Raise where there are too many to be looked at."""
    if not has_zeros(pmap):
        return None
    if pmap.cells > MOST_CELLS:
        raise LimitError(
            f"the table has {big(pmap.cells)} cells, of which some may be impossible; these are looked for up to {big(MOST_CELLS)}"
        )
    return support(pmap)


def impossible_cells(pmap: ParamMap) -> int:
    """How many cells are found to vanish identically; none are looked for where that is much work."""
    if not has_zeros(pmap) or pmap.cells > MOST_CELLS:
        return 0
    if pmap.cells * evaluator_of(pmap).numbers_per_functional > MOST_STEPS:
        return 0
    return int(np.count_nonzero(~support(pmap)))


def sums_to_one(pmap: ParamMap, cells: NDArray[np.intp]) -> int:
    """How many conditions have all their nonzero cells among those kept, so that these sum to 1."""
    full = support(replace(pmap, kept=None)).reshape(pmap.shape)
    kept = np.zeros(pmap.cells, dtype=np.bool_)
    kept[cells] = True
    axes = tuple(number for number, axis in enumerate(pmap.observed) if axis not in pmap.given)
    lost = (full & ~kept.reshape(pmap.shape)).any(axis=axes)
    return int(np.size(lost) - np.count_nonzero(lost))


def ambient(pmap: ParamMap) -> Bound:
    """The dimension is at most that of the saturated model, and that of one with the same impossible cells."""
    if pmap.kept is not None:
        sums = sums_to_one(pmap, pmap.kept)
        reason = f"{counted(len(pmap.kept), 'entry')} kept, {counted(sums, 'sum')} of them equal to 1"
        return proved_bound(len(pmap.kept) - sums, UPPER, "ambient", reason, COUNTED, "districts")
    zeros = impossible_cells(pmap)
    what, sums_are = (
        ("conditional probabilities", "those of each condition sum")
        if pmap.given
        else ("cells", "which sum" if not zeros else "the others sum")
    )
    if not zeros:
        return proved_bound(pmap.complete, UPPER, "ambient", f"{big(pmap.cells)} {what}, {sums_are} to 1", COUNTED)
    reason = f"{big(pmap.cells)} {what}, {big(zeros)} of them impossible; {sums_are} to 1"
    evidence = {"impossible": zeros}
    return proved_bound(pmap.complete - zeros, UPPER, "ambient", reason, COUNTED, "districts", evidence=evidence)


def saturated_tables(pmap: Any, seed: int | str) -> Complete:
    """The dimension of all tables, one for each condition."""
    del seed
    conditions = pmap.cells - pmap.complete
    sums = "which sum to 1" if conditions == 1 else f"which sum to 1 under each of {big(conditions)} conditions"
    return saturated_by(pmap.complete, f"{counted(pmap.cells, 'cell')}, {sums}: {big(pmap.complete)} are free")
