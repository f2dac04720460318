"""Which effects are those of a log-linear model: positive ones."""

from __future__ import annotations

from algdim.families.contract import Domain
from algdim.maps.domains import is_positive

DOMAIN = Domain(
    lambda _, point, strictly, margin: all(is_positive(value, strictly, margin) for value in point),
    lambda pmap: frozenset(range(len(pmap.parameters))),
    states=lambda model: [variable.states for variable in model.variables],
)
