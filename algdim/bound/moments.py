"""Upper bounds of moment maps, and what each of them is a bound of.

The parameters bound the dimension of the family of distributions. How many moments there are up to an order, and a rank of
them that was not exceeded, bound the dimension of these moments only.
"""

from __future__ import annotations

from algdim.bound.bounds import UPPER, Bound
from algdim.figures import big, counted
from algdim.maps.latentprofile import MomentMap


def parameters_bound(pmap: MomentMap) -> Bound:
    """The dimension of the family, and of any moments, is at most the number of parameters."""
    count = len(pmap.parameters)
    return Bound(count, UPPER, "counting", counted(count, "parameter"))


def moments_bound(pmap: MomentMap) -> Bound:
    """The dimension of the moments is at most their number."""
    sums = ", those of degree 0 sum to 1" if pmap.model.categorical else ""
    reason = f"{big(pmap.coordinate_count)} moments{sums}{scope(pmap)}"
    return Bound(pmap.complete, UPPER, "ambient", reason, evidence={"order": pmap.order})


def scope(pmap: MomentMap) -> str:
    """What must be added to the reason of a bound that looks at the moments only."""
    return f"; of the moments up to order {pmap.order} alone, not of the family of distributions"


def proved_of_the_family(pmap: MomentMap, lower: Bound) -> str:
    """What a report says first: which moments were taken, and what is proved of the family of distributions."""
    count = len(pmap.parameters)
    how = "" if pmap.model.order is not None else f", the least order found to show all {counted(count, 'parameter')}"
    taken = f"taken are the moments up to order {pmap.order}{how}"
    if not lower.is_proved:
        return f"{taken}; of the family of distributions it is proved that the dimension is at most {count}"
    if lower.value == count:
        return f"{taken}; moments are functions of the distribution, so the dimension is that of the family of distributions"
    return (
        f"{taken}; moments are functions of the distribution, so the family of distributions has dimension at least "
        f"{lower.value} and at most {count}; nothing else is proved of it, the rest is said of these moments alone"
    )
