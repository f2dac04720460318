"""The family "loglinear": hierarchical log-linear models with hidden variables."""

from __future__ import annotations

from algdim.families.contract import Verifying

VERIFYING = Verifying(lambda _: ("log-linear", "formulas"))
