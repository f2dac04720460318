"""Upper bounds that only count: parameters, and coordinates (lemma "counting and ambient" in proofs/lemmas.md)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import UPPER, Bound, proved_bound
from algdim.exact.arithmetic import Booleans
from algdim.figures import big, counted
from algdim.jacobian import evaluator_of, inner_point, jacobian_at, values_at
from algdim.maps.anymap import Map
from algdim.maps.factors import ParamMap
from algdim.maps.functionals import Functionals, all_cells
from algdim.maps.gaussian import GaussianMap

COUNTED = "counting and ambient"


def counting(pmap: Map) -> Bound:
    """The dimension is at most the number of parameters, those that occur if coordinates are left out."""
    if pmap.kept is None:
        count = len(pmap.parameters)
        return proved_bound(count, UPPER, "counting", counted(count, "parameter"), COUNTED)
    count = occurring(pmap)
    return proved_bound(
        count, UPPER, "counting", f"{counted(count, 'parameter')} in the entries that are kept", COUNTED, "districts"
    )


def ambient(pmap: ParamMap) -> Bound:
    """The dimension is at most that of the saturated model."""
    if pmap.kept is not None:
        sums = sums_to_one(pmap, pmap.kept)
        reason = f"{counted(len(pmap.kept), 'entry')} kept, {counted(sums, 'sum')} of them equal to 1"
        return proved_bound(len(pmap.kept) - sums, UPPER, "ambient", reason, COUNTED, "districts")
    if pmap.given:
        reason = f"{big(pmap.cells)} conditional probabilities, those of each condition sum to 1"
    else:
        reason = f"{big(pmap.cells)} cells, which sum to 1"
    return proved_bound(pmap.complete, UPPER, "ambient", reason, COUNTED)


def saturated(gmap: GaussianMap) -> Bound:
    """The dimension of a Gaussian model is at most the number of covariances and means."""
    means = f", {counted(gmap.means, 'mean')}" if gmap.means else ""
    return proved_bound(
        gmap.complete, UPPER, "ambient", f"{counted(gmap.covariances, 'variance')} and covariances{means}", COUNTED
    )


def support(pmap: ParamMap, functionals: Functionals | None = None) -> NDArray[np.bool_]:
    """Which cells, or sums of cells, are not identically zero: those that are positive at inner parameters."""
    return values_at(pmap, Booleans(), inner_point(pmap), functionals or all_cells(pmap))


def occurring(pmap: Map) -> int:
    """How many parameters occur in the coordinates."""
    evaluator = evaluator_of(pmap)
    matrix = jacobian_at(pmap, Booleans(), inner_point(pmap), evaluator.all_coordinates(), evaluator=evaluator)
    return int(matrix.any(axis=0).sum())


def sums_to_one(pmap: ParamMap, cells: NDArray[np.intp]) -> int:
    """How many conditions have all their nonzero cells among those kept, so that these sum to 1."""
    full = support(replace(pmap, kept=None)).reshape(pmap.shape)
    kept = np.zeros(pmap.cells, dtype=np.bool_)
    kept[cells] = True
    axes = tuple(number for number, axis in enumerate(pmap.observed) if axis not in pmap.given)
    lost = (full & ~kept.reshape(pmap.shape)).any(axis=axes)
    return int(np.size(lost) - np.count_nonzero(lost))
