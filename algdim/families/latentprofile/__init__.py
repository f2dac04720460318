"""The family "latent-profile": finite mixtures of normal distributions, with categorical items beside continuous ones."""

from __future__ import annotations

from algdim.families.contract import Verifying

VERIFYING = Verifying(lambda _: ("moments",))
