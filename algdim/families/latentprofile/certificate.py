"""Certificates of latent-profile models."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from algdim.analysis import Analysis, Prepared
from algdim.certificate.exporting import check_exact, rank_node
from algdim.families.contract import Certifying
from algdim.families.latentprofile.model import LatentProfile
from algdim.models.modelfile import to_dict

Node = dict[str, Any]


def profile_sides(_claim: Node, _claimed: Any, analysis: Analysis) -> tuple[Node, Node]:
    """The evidence for both bounds of a latent-profile model: nothing but the parameters bounds its distributions."""
    finding = analysis.finding
    check_exact(finding, analysis.model)
    return rank_node(finding, analysis.prepared.pmap, finding.lower), {
        "kind": finding.upper.kind,
        "value": finding.upper.value,
    }


def counts_of_profile(prepared: Prepared, claimed: Any) -> tuple[int, int | None]:
    """The number of parameters; the saturated model has no finite dimension."""
    del claimed
    return len(prepared.whole_map.parameters), None


CERTIFYING = Certifying(
    lambda prepared: to_dict(replace(cast("LatentProfile", prepared.model), order=None)),
    counts_of_profile,
    profile_sides,
)
