"""The dimension of the saturated model, which a report calls ``complete``, and how far it is known."""

from __future__ import annotations

from dataclasses import dataclass

from algdim.figures import big
from algdim.maps.anymap import Map
from algdim.trust import Trust, proved_by


@dataclass(frozen=True, slots=True)
class Complete:
    """The dimension of the saturated model, trust in it, and what is to be said where it is not proved."""

    value: int
    trust: Trust
    note: str = ""


def saturated_dimension(pmap: Map, seed: int | str) -> Complete:
    """The dimension of the saturated model of a map."""
    del seed
    facts = f"the coordinates are {big(pmap.coordinate_count)} {pmap.coordinates_are}, of which {big(pmap.complete)} are free"
    return Complete(pmap.complete, proved_by("degrees of freedom", facts))
