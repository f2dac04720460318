"""Certificates of log-linear models."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

from algdim.bound.strategy import Effort, Finding, examine
from algdim.certificate.exporting import check_exact, counts_of, not_covered, rank_node
from algdim.families.contract import Certifying
from algdim.families.discrete.certificate import class_exporter
from algdim.families.loglinear.map import loglinear_map
from algdim.families.loglinear.model import LogLinear, connected
from algdim.families.polynomial.certificate import formula_bound
from algdim.families.polynomial.evidence import (
    described_loglinear,
)
from algdim.models.anymodel import without_irrelevant
from algdim.rank import choose

Node = dict[str, Any]


def loglinear_sides(_claim: Node, _claimed: Any, model: LogLinear, effort: Effort) -> tuple[Node, Node]:
    """The evidence for both bounds of a log-linear model."""
    smaller, _ = without_irrelevant(model)
    lmap = loglinear_map(smaller)
    finding = examine(lmap, replace(effort, method=choose(lmap)))  # the format has ranks alone for lower bounds
    check_exact(finding, smaller)
    upper = (
        formula_bound(lmap, finding) if finding.upper.kind != "containing" else in_class_model(smaller, finding, effort)
    )
    if upper is None:
        raise not_covered(smaller, finding.upper)
    return rank_node(finding, lmap, finding.lower), upper


def in_class_model(model: LogLinear, finding: Finding, effort: Effort) -> Node | None:
    """The latent class model that contains a log-linear one, with a bound of its own."""
    states = model.states
    blocks = connected(tuple(variable.name for variable in model.observed), model.interactions)
    shape = [prod(v.states for v in model.hidden), *(prod(states[name] for name in block) for block in blocks)]
    upper = class_exporter(shape, effort).upper()
    node = {
        "kind": "latent-class",
        "value": upper["value"],
        "blocks": [list(block) for block in blocks],
        "upper": upper,
    }
    return node if node["value"] == finding.upper.value else None


CERTIFYING = Certifying(
    described_loglinear,
    lambda one, _: counts_of(loglinear_map(one)),
    loglinear_sides,
    lambda _: ("log-linear", "formulas"),
)
