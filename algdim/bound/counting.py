"""The upper bound that only counts parameters (lemma "counting and ambient" in proofs/lemmas.md).

The dimension of the saturated model, which a report calls ``complete``, and how far it is known.
"""

from __future__ import annotations

from dataclasses import dataclass

from algdim.bound.bounds import UPPER, Bound, proved_bound
from algdim.exact.arithmetic import Booleans
from algdim.figures import counted, of_many
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


def saturated_by(value: int, counted_are: str) -> Complete:
    """The dimension of a saturated model by what is counted in it."""
    return Complete(value, proved_by("degrees of freedom", f"the saturated model: {counted_are}"))
