"""Which parameters are those of a distribution of a classifier: of its tables."""

from __future__ import annotations

from algdim.families.contract import Domain
from algdim.families.discrete.domain import DOMAIN as TABLES

assert TABLES.alike is not None and TABLES.neutral is not None  # noqa: S101, PT018
ALIKE, NEUTRAL = TABLES.alike, TABLES.neutral

DOMAIN = Domain(
    lambda cmap, point, strictly, margin: TABLES.is_inside(cmap.tables, point, strictly, margin),
    lambda cmap: TABLES.not_negative(cmap.tables),
    alike=lambda cmap: ALIKE(cmap.tables),
    neutral=lambda cmap: NEUTRAL(cmap.tables),
    states=lambda model: [variable.states for variable in model.variables],
)
