"""The family "conditional-gaussian": discrete and Gaussian variables in one network, hidden ones of both kinds."""

from __future__ import annotations

from algdim.families.contract import Verifying

VERIFYING = Verifying(lambda _: ("conditional Gaussian",))
