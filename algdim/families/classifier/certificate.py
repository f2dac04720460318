"""Certificates of classifiers."""

from __future__ import annotations

from typing import Any

from algdim.bound.bounds import Bound
from algdim.bound.strategy import Effort, by_rank, examine
from algdim.certificate import checker
from algdim.certificate.exporting import check_exact, counts_of, rank_node
from algdim.families.classifier.family import LINEAR
from algdim.families.classifier.map import classifier_map
from algdim.families.classifier.model import Classifier
from algdim.families.contract import Certifying
from algdim.families.discrete.describing import described_classifier

Node = dict[str, Any]


def classifier_sides(_claim: Node, _claimed: Any, model: Classifier, effort: Effort) -> tuple[Node, Node]:
    """The evidence for both bounds of a classifier."""
    cmap = classifier_map(model)
    finding = examine(cmap, effort)
    check_exact(finding, model)
    if finding.lower.kind == LINEAR and finding.lower.value > checker.MOST_RANK:
        return class_bound(model, finding.lower), class_bound(model, finding.upper)
    if finding.lower.kind == LINEAR:
        finding = by_rank(cmap, effort, (), finding.upper)
        check_exact(finding, model)
    return rank_node(finding, cmap, finding.lower), class_bound(model, finding.upper)


def class_bound(model: Classifier, bound: Bound) -> Node:
    """A bound of a classifier: the tables whose parameters are counted, none for the linear map alone."""
    node = {"kind": bound.kind, "value": bound.value}
    if bound.kind not in (LINEAR, "class-tables"):
        return node
    counted = bound.evidence.get("tables", ())
    owners = {variable.name: variable.local.share or variable.name for variable in model.variables}
    factors = {factor.owner for factor in model.factors}
    names = [name for name, owner in owners.items() if name in factors and owner in counted]
    return node | {"kind": "class-tables", "tables": names}


CERTIFYING = Certifying(
    described_classifier, lambda one, _: counts_of(classifier_map(one)), classifier_sides, lambda _: ("classifier",)
)
