"""Certificates of latent-profile models."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from algdim.bound.strategy import Effort, examine
from algdim.certificate.exporting import check_exact, rank_node
from algdim.families.contract import Certifying
from algdim.families.latentprofile.model import LatentProfile
from algdim.families.latentprofile.order import moment_map
from algdim.models.modelfile import to_dict

Node = dict[str, Any]


def profile_sides(_claim: Node, _claimed: Any, model: LatentProfile, effort: Effort) -> tuple[Node, Node]:
    """The evidence for both bounds of a latent-profile model: nothing but the parameters bounds its distributions."""
    pmap = moment_map(model)
    finding = examine(pmap, effort)
    check_exact(finding, model)
    return rank_node(finding, pmap, finding.lower), {"kind": finding.upper.kind, "value": finding.upper.value}


def counts_of_profile(model: LatentProfile) -> tuple[int, int | None]:
    """The number of parameters; the saturated model has no finite dimension."""
    return len(moment_map(model).parameters), None


CERTIFYING = Certifying(
    lambda one: to_dict(replace(one, order=None)),
    lambda one, _: counts_of_profile(one),
    profile_sides,
    lambda _: ("moments",),
)
