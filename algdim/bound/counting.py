"""Upper bounds that only count: parameters, and coordinates (DESIGN: U1 and U2)."""

from __future__ import annotations

from algdim.bound.bounds import UPPER, Bound
from algdim.figures import big
from algdim.maps.factors import ParamMap


def counting(pmap: ParamMap) -> Bound:
    """The dimension is at most the number of parameters."""
    count = len(pmap.parameters)
    return Bound(count, UPPER, "counting", f"{big(count)} parameters")


def ambient(pmap: ParamMap) -> Bound:
    """The dimension is at most that of the saturated model."""
    if pmap.given:
        reason = f"{big(pmap.cells)} conditional probabilities, those of each condition sum to 1"
    else:
        reason = f"{big(pmap.cells)} cells, which sum to 1"
    return Bound(pmap.complete, UPPER, "ambient", reason)
