"""Upper bounds that only count: parameters, and coordinates (lemma "counting and ambient" in proofs/lemmas.md).

The dimension of the saturated model, which a report calls ``complete``, and how far it is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from algdim.bound.bounds import UPPER, Bound, proved_bound
from algdim.exact.arithmetic import Booleans
from algdim.families.discrete.bounds.search import impossible_cells, sums_to_one
from algdim.families.discrete.map import ParamMap
from algdim.figures import big, counted, of_many
from algdim.jacobian import evaluator_of, inner_point, jacobian_at
from algdim.maps import Map
from algdim.trust import Trust, proved_by

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


@dataclass(frozen=True, slots=True)
class Complete:
    """The dimension of the saturated model, trust in it, and what is to be said where it is not proved."""

    value: int
    trust: Trust
    note: str = ""


def saturated_dimension(pmap: Map, seed: int | str) -> Complete:
    """The dimension of the saturated model of a map."""
    del seed
    return saturated_by(pmap.complete, of_many(pmap.coordinate_count, pmap.coordinates_are))


def saturated_tables(pmap: Any, seed: int | str) -> Complete:
    """The dimension of all tables, one for each condition."""
    del seed
    conditions = pmap.cells - pmap.complete
    sums = "which sum to 1" if conditions == 1 else f"which sum to 1 under each of {big(conditions)} conditions"
    return saturated_by(pmap.complete, f"{counted(pmap.cells, 'cell')}, {sums}: {big(pmap.complete)} are free")


def saturated_by(value: int, counted_are: str) -> Complete:
    """The dimension of a saturated model by what is counted in it."""
    return Complete(value, proved_by("degrees of freedom", f"the saturated model: {counted_are}"))
