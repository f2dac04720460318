"""Effects that are sums (MH97 §3.2) or maxima, or the n-th largest, of independent Poisson or normal mechanism variables."""

from __future__ import annotations

from algdim.families.contract import Verifying

SUMS = ("poisson", "normal")

VERIFYING = Verifying(
    lambda model: ("shifts" if model.get("family") in SUMS else "order statistics",),
    {"shifts": ("shifts",), "order-statistics": ("order statistics",)},
)
