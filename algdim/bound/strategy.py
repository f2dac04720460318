"""Which upper bounds are tried, in which order: cheap ones first. Each can be forced by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from algdim.bound.bounds import Bound
from algdim.bound.counting import ambient, counting
from algdim.bound.pairwise import pairwise
from algdim.errors import InputError
from algdim.maps.factors import ParamMap

CHANCE = "chance"

BOUNDS: Mapping[str, Callable[[ParamMap], Bound | None]] = {
    "counting": counting,
    "ambient": ambient,
    "pairwise": lambda pmap: pairwise(pmap.model),
}


def chosen(names: str) -> tuple[str, ...]:
    """The bounds that a text such as "counting,ambient" names; "auto" means all.

    >>> chosen("auto")
    ('counting', 'ambient', 'pairwise', 'chance')
    """
    known = (*BOUNDS, CHANCE)
    if names == "auto":
        return known
    wanted = tuple(name.strip() for name in names.split(","))
    for name in wanted:
        if name not in known:
            raise InputError(f"there is no bound {name!r}; known are auto, {', '.join(known)}")
    return wanted


def upper_bounds(pmap: ParamMap, names: Sequence[str]) -> list[Bound]:
    """The upper bounds that need no point, as far as they apply."""
    found = (BOUNDS[name](pmap) for name in names if name in BOUNDS)
    return [bound for bound in found if bound is not None]
