"""The family "gaussian": linear structural equations with correlated errors, latent variables and cycles (GHM96 §7)."""

from __future__ import annotations

from typing import Any

from algdim.families.contract import Verifying


def list_claim_lemmas(model: dict[str, Any]) -> tuple[str, ...]:
    """What is needed of the model that a certificate describes: that latent variables which act on nothing observed do not matter."""
    from algdim.certificate import checker

    into: dict[str, list[str]] = {}
    for start, end in model.get("edges", ()):
        into.setdefault(end, []).append(start)
    seen = checker.reached(into, (one["name"] for one in model["variables"] if one["observed"]))
    return () if all(one["name"] in seen for one in model["variables"]) else ("irrelevant latent variables",)


VERIFYING = Verifying(list_claim_lemmas, {"equations": ("equations", "treks"), "symmetry": ("symmetry", "moves")})
