"""The family "classifier": the conditional distribution of a class given inputs (HM97 §2)."""

from __future__ import annotations

from algdim.families.contract import Verifying

VERIFYING = Verifying(lambda _: ("classifier",), {"class-tables": ("interactions", "classifier")})
