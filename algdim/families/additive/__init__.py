"""The families "poisson" and "normal": effects that are sums of independent mechanism variables (MH97 §3.2)."""

from __future__ import annotations

from algdim.families.contract import Verifying

VERIFYING = Verifying(lambda _: ("shifts",), {"shifts": ("shifts",)})
