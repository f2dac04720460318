"""The family "loglinear": hierarchical log-linear models with hidden variables."""

from __future__ import annotations

from algdim.families.contract import Verifying
from algdim.families.discrete import RESTS_ON

VERIFYING = Verifying(
    lambda _: ("log-linear", "formulas"),
    {
        **RESTS_ON,
        "latent-class": ("containing", "log-linear"),
        "one-interaction": ("one interaction",),
    },  # that of a latent class model, a network, stands inside
)
