"""Upper bounds that only count: parameters, and coordinates (lemma "counting and ambient" in proofs/lemmas.md)."""

from __future__ import annotations

from algdim.bound.bounds import UPPER, Bound, proved_bound
from algdim.exact.arithmetic import Booleans
from algdim.families.discrete.bounds.zeros import impossible_cells, sums_to_one
from algdim.families.discrete.map import ParamMap
from algdim.figures import big, counted
from algdim.jacobian import evaluator_of, inner_point, jacobian_at
from algdim.maps.anymap import Map

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


def occurring(pmap: Map) -> int:
    """How many parameters occur in the coordinates."""
    evaluator = evaluator_of(pmap)
    matrix = jacobian_at(pmap, Booleans(), inner_point(pmap), evaluator.all_coordinates(), evaluator=evaluator)
    return int(matrix.any(axis=0).sum())
