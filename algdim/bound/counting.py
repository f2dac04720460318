"""The upper bound that only counts parameters (lemma "counting and ambient" in proofs/lemmas.md).

The dimension of the saturated model, which a report calls ``complete``, and its status.
"""

from __future__ import annotations

from typing import NamedTuple

from algdim.bound.bounds import UPPER, Bound, prove_bound
from algdim.exact.arithmetic import Booleans
from algdim.figures import format_count, format_plural_count
from algdim.jacobian import evaluate_jacobian, make_evaluator, make_inner_point
from algdim.maps import Map
from algdim.trust import Trust, proved_by

COUNTED = "counting and ambient"


def bound_by_counting(pmap: Map) -> Bound:
    """The dimension is at most the number of parameters, those that occur if coordinates are left out."""
    if pmap.kept_coordinates is None:
        return bound_by_count(pmap.parameter_count)
    count = count_occurring(pmap)
    return prove_bound(
        count,
        UPPER,
        "counting",
        f"{format_count(count, 'parameter')} in the entries that are kept",
        COUNTED,
        "districts",
    )


def bound_by_count(count: int) -> Bound:
    """The bound that so many parameters give."""
    return prove_bound(count, UPPER, "counting", format_count(count, "parameter"), COUNTED)


def count_occurring(pmap: Map) -> int:
    """How many parameters occur in the coordinates."""
    evaluator = make_evaluator(pmap)
    matrix = evaluate_jacobian(
        pmap, Booleans(), make_inner_point(pmap), evaluator.all_coordinates(), evaluator=evaluator
    )
    return int(matrix.any(axis=0).sum())


class Complete(NamedTuple):
    """The dimension of the saturated model, trust in it, and what is to be said where it is not proved."""

    value: int
    trust: Trust
    note: str = ""


def compute_saturated_dimension(pmap: Map, seed: int | str) -> Complete:
    """The dimension of the saturated model of a map."""
    del seed
    return make_saturated(pmap.complete, format_plural_count(pmap.coordinate_count, pmap.coordinates_are))


def make_saturated(value: int, counted_are: str) -> Complete:
    """The dimension of a saturated model by what is counted in it."""
    return Complete(value, proved_by("degrees of freedom", f"the saturated model: {counted_are}"))
