"""Which parameters are those of a distribution of a classifier: of its tables."""

from __future__ import annotations

from algdim.families.contract import Domain
from algdim.families.discrete.domain import alike, is_inside, neutral, not_negative

DOMAIN = Domain(
    lambda cmap, point, strictly, margin: is_inside(cmap.tables, point, strictly, margin),
    lambda cmap: not_negative(cmap.tables),
    alike=lambda cmap: alike(cmap.tables),
    neutral=lambda cmap: neutral(cmap.tables),
    states=lambda model: [variable.states for variable in model.variables],
)
