"""Effects that are sums (MH97 §3.2) or maxima of independent Poisson or normal mechanism variables."""

from __future__ import annotations

from algdim.families.contract import Verifying

VERIFYING = Verifying(lambda _: ("shifts",), {"shifts": ("shifts",)})
