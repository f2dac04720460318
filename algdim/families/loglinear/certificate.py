"""Certificates of log-linear models."""

from __future__ import annotations

from math import prod
from typing import Any, cast

from algdim.analysis import Analysis
from algdim.bound.strategy import Effort, Finding
from algdim.certificate.exporting import check_exact, counts_of, not_covered, rank_node
from algdim.families.contract import Certifying
from algdim.families.discrete.certificate import class_exporter
from algdim.families.loglinear.model import LogLinear, connected
from algdim.families.polynomial.certificate import formula_bound
from algdim.families.polynomial.evidence import (
    described_loglinear,
)

Node = dict[str, Any]


def loglinear_sides(_claim: Node, _claimed: Any, analysis: Analysis) -> tuple[Node, Node]:
    """The evidence for both bounds of a log-linear model."""
    smaller, lmap, finding = analysis.prepared.reduction.smaller, analysis.prepared.pmap, analysis.finding
    check_exact(finding, smaller)
    upper = (
        formula_bound(lmap, finding)
        if finding.upper.kind != "containing"
        else in_class_model(smaller, finding, analysis.effort)
    )
    if upper is None:
        raise not_covered(smaller, finding.upper)
    return rank_node(finding, lmap, finding.lower), upper


def in_class_model(model: LogLinear, finding: Finding, effort: Effort) -> Node | None:
    """The latent class model that contains a log-linear one, with a bound of its own."""
    states = model.states
    blocks = connected(tuple(variable.name for variable in model.observed), model.interactions)
    shape = [prod(v.states for v in model.hidden), *(prod(states[name] for name in block) for block in blocks)]
    upper = class_exporter(shape, effort).upper()  # a model of its own, of which the search keeps the bound alone
    node = {
        "kind": "latent-class",
        "value": upper["value"],
        "blocks": [list(block) for block in blocks],
        "upper": upper,
    }
    return node if node["value"] == finding.upper.value else None


CERTIFYING = Certifying(
    lambda prepared: described_loglinear(cast("LogLinear", prepared.model)),
    counts_of,
    loglinear_sides,
)
