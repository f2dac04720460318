"""How maps given by formulas are compared: by their coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from algdim.explanation.refuting import by_forms
from algdim.families.contract import Comparing
from algdim.families.polynomial.model import Polynomial


def in_order(model: Polynomial, names: Sequence[str]) -> Polynomial:
    """A model with its coordinates in this order."""
    known = {coordinate.name: coordinate for coordinate in model.coordinates}
    return replace(model, coordinates=tuple(known[name] for name in names))


COMPARING = Comparing(
    observed=lambda model: {coordinate.name: None for coordinate in model.coordinates},
    differ="the first model has the coordinates {}, the second {}; maps to the same coordinates are compared",
    ordered=in_order,
    refutations=by_forms,
)
