"""What a search for an upper bound starts from: a model without conditions, its map, and the rank to be met.

The cells of a table as well: which vanish identically, and how many dimensions all others have together. A cell vanishes
(lemma "districts" (e)) if its sum of products has no term at all, which is found without numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import UPPER, Bound, choose_least, derive_bound, prove_bound
from algdim.bound.counting import COUNTED, Complete, bound_by_counting, make_saturated
from algdim.bound.searches import SearchSetting
from algdim.errors import LimitError, join_names
from algdim.exact.arithmetic import Booleans, Residues, get_residues
from algdim.families.discrete.contraction import evaluate_cells
from algdim.families.discrete.functionals import select_all_cells
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.families.discrete.model import Network
from algdim.figures import format_count, format_integer
from algdim.jacobian import evaluate_functionals, make_evaluator, make_inner_point
from algdim.limits import has_work
from algdim.maps import Functionals, find_once, plan_once
from algdim.rank import draw_point, try_drawn_points

Setting = SearchSetting[ParamMap]
"""The map is of a closed model: nothing is conditioned on."""


def make_closed_setting(
    pmap: ParamMap, lower: int, seed: int | str, labels: tuple[int | str, ...] = ()
) -> tuple[Setting, int]:
    """The setting of a kernel: what it is conditioned on becomes free roots; also by how much that adds dimensions.

    Lemma "districts" (d): the dimension of the closed model is that of the kernel plus r − 1 for each such root.
    """
    if pmap.kept_coordinates is not None:
        raise ValueError("a kernel with cells left out has no closed model")
    if not pmap.given:
        return SearchSetting(pmap, lower, seed, labels), 0
    closed = find_once(pmap, "closed", lambda: get_param_map(replace(pmap.model, given=())))
    extra = sum(pmap.sizes[axis] - 1 for axis in pmap.given)
    return SearchSetting(closed, lower + extra, seed, labels, extra), extra


def make_setting(pmap: ParamMap, lower: int, seed: int | str, labels: tuple[int | str, ...]) -> Setting:
    """What searches for bounds of a map start from."""
    return make_closed_setting(pmap, lower, seed, labels)[0]


def derive_kernel_bound(bound: Bound, setting: Setting, pmap: ParamMap) -> Bound:
    """The bound of a kernel from that of its closed model."""
    extra = setting.roots
    if extra == 0:
        return bound
    count = "counts as a root with a free table" if len(pmap.model.given) == 1 else "count as roots with free tables"
    own = f"{bound.value} − {extra}: {join_names(pmap.model.given)} {count}, of {format_count(extra, 'parameter')}"
    evidence = {**bound.evidence, "roots": extra}
    reason = f"{own}; {bound.reason}"
    return derive_bound([bound], bound.value - extra, bound.side, bound.kind, reason, "districts", evidence, own)


def bound_network(
    network: Network,
    rank: int,
    searches: Iterable[Callable[[Setting], Bound | None]],
    seed: int | str,
    labels: tuple[int | str, ...],
) -> Bound | None:
    """A proved bound of a network's dimension, by counting or by searches in their order: the first that is its rank, else the least."""
    pmap = get_param_map(network)
    best = choose_least([bound_by_counting(pmap), bound_by_ambient(pmap)])
    inner, _ = make_closed_setting(pmap, rank, seed, labels)
    for search in searches:
        if (best is not None and best.value <= rank) or not has_work():
            break
        found = search(inner)
        best = choose_least([best, None if found is None else derive_kernel_bound(found, inner, pmap)])
    return best


def has_only_tables(pmap: ParamMap) -> bool:
    """Whether there are no rules, whose chains would stand in the way."""
    return all(variable.local.kind == "table" for variable in pmap.model.variables)


class TableAtPoint(NamedTuple):
    """The observed table at a point modulo a prime, as balanced residues, with how point and prime were drawn."""

    prime: int
    point: str
    table: NDArray[np.float64]

    @property
    def field(self) -> Residues:
        """The arithmetic of the table."""
        return get_residues(self.prime)


def draw_table(setting: Setting) -> TableAtPoint:
    """Evaluate all cells at the point of the first rank, modulo its prime. Lemma "equations" holds modulo every prime."""
    return try_drawn_points(setting.labels, lambda labels: evaluate_table(setting, (*labels, 0)))


def evaluate_table(setting: Setting, labels: tuple[int | str, ...]) -> TableAtPoint:
    """The table at the point and modulo the prime that the labels give."""
    prime, _, point = draw_point(setting.pmap, setting.seed, labels)
    return TableAtPoint(prime, "|".join(map(str, labels)), evaluate_cells(setting.pmap, get_residues(prime), point))


MOST_CELLS = 1 << 20
"""Zeros are looked for in tables with no more cells."""
MOST_STEPS = 1 << 30
"""Of cells times numbers that each needs, where a bound is all that is wanted: about a second."""


def find_support(pmap: ParamMap, functionals: Functionals | None = None) -> NDArray[np.bool_]:
    """Which cells, or sums of cells, are not identically zero: those that are positive at inner parameters."""
    if functionals is None and pmap.kept_coordinates is None:
        return evaluate_cells(pmap, Booleans(), make_inner_point(pmap)).ravel()
    return evaluate_functionals(pmap, Booleans(), make_inner_point(pmap), functionals or select_all_cells(pmap))


def has_zeros(pmap: ParamMap) -> bool:
    """Whether an entry of an array is identically zero."""
    return plan_once(pmap, "zeros", lambda: pmap.arrays.have_zeros(make_inner_point(pmap)))


def find_possible_cells(pmap: ParamMap) -> NDArray[np.bool_] | None:
    """Which cells are not structural zeros; ``None`` if all are possible. Raise where there are too many to be looked at."""
    if not has_zeros(pmap):
        return None
    if pmap.cells > MOST_CELLS:
        raise LimitError(
            f"the table has {format_integer(pmap.cells)} cells, of which some may be impossible; these are looked for up to {format_integer(MOST_CELLS)}"
        )
    return find_support(pmap)


def count_impossible_cells(pmap: ParamMap) -> int:
    """How many cells are found to vanish identically; none are looked for where that is much work."""
    if not has_zeros(pmap) or pmap.cells > MOST_CELLS:
        return 0
    if pmap.cells * make_evaluator(pmap).numbers_per_functional > MOST_STEPS:
        return 0
    return int(np.count_nonzero(~find_support(pmap)))


def count_full_conditions(pmap: ParamMap, cells: NDArray[np.intp]) -> int:
    """How many conditions have all their nonzero cells among those kept, so that these sum to 1."""
    full = find_support(replace(pmap, kept_coordinates=None)).reshape(pmap.shape)
    kept = np.zeros(pmap.cells, dtype=np.bool_)
    kept[cells] = True
    axes = tuple(number for number, axis in enumerate(pmap.observed) if axis not in pmap.given)
    lost = (full & ~kept.reshape(pmap.shape)).any(axis=axes)
    return int(np.size(lost) - np.count_nonzero(lost))


def bound_by_ambient(pmap: ParamMap) -> Bound:
    """The dimension is at most that of the saturated model, and that of one with the same impossible cells."""
    if pmap.kept_coordinates is not None:
        sums = count_full_conditions(pmap, pmap.kept_coordinates)
        reason = (
            f"{format_count(len(pmap.kept_coordinates), 'entry')} kept, {format_count(sums, 'sum')} of them equal to 1"
        )
        return prove_bound(len(pmap.kept_coordinates) - sums, UPPER, "ambient", reason, COUNTED, "districts")
    zeros = count_impossible_cells(pmap)
    if not zeros:
        return bound_by_cells(pmap.cells, pmap.complete, is_conditional=bool(pmap.given))
    what, sums_are = CONDITIONAL if pmap.given else ("cells", "the others sum")
    reason = f"{format_integer(pmap.cells)} {what}, {format_integer(zeros)} of them impossible; {sums_are} to 1"
    evidence = {"impossible": zeros}
    return prove_bound(pmap.complete - zeros, UPPER, "ambient", reason, COUNTED, "districts", evidence=evidence)


CONDITIONAL = "conditional probabilities", "those of each condition sum"


def bound_by_cells(cells: int, complete: int, *, is_conditional: bool) -> Bound:
    """The bound that a table of so many cells gives, in which none is impossible."""
    what, sums_are = CONDITIONAL if is_conditional else ("cells", "which sum")
    return prove_bound(complete, UPPER, "ambient", f"{format_integer(cells)} {what}, {sums_are} to 1", COUNTED)


def compute_saturated_dimension(pmap: Any, seed: int | str) -> Complete:
    """The dimension of all tables, one for each condition."""
    del seed
    conditions = pmap.cells - pmap.complete
    sums = (
        "which sum to 1" if conditions == 1 else f"which sum to 1 under each of {format_integer(conditions)} conditions"
    )
    return make_saturated(
        pmap.complete, f"{format_count(pmap.cells, 'cell')}, {sums}: {format_integer(pmap.complete)} are free"
    )
