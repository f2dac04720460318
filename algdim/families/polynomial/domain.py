"""Which parameters are allowed in a map given by formulas: all."""

from __future__ import annotations

from algdim.families.contract import Domain

DOMAIN = Domain(lambda pmap, point, strictly, margin: True, lambda pmap: frozenset())  # noqa: ARG005
