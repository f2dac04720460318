"""The family "polynomial": maps that the user writes as formulas."""

from __future__ import annotations

from algdim.families.contract import Verifying

VERIFYING = Verifying(lambda _: ("formulas",), {"equations": ("equations", "sums of monomials")})
