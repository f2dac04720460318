"""Certificates of classifiers."""

from __future__ import annotations

from typing import Any, cast

from algdim.analysis import Analysis
from algdim.bound.bounds import Bound
from algdim.certificate.exporting import check_exact, counts_of, rank_node
from algdim.families.classifier.family import LINEAR
from algdim.families.classifier.model import Classifier
from algdim.families.contract import Certifying
from algdim.families.discrete.describing import described_classifier

Node = dict[str, Any]


def classifier_sides(_claim: Node, _claimed: Any, analysis: Analysis) -> tuple[Node, Node]:
    """The evidence for both bounds of a classifier."""
    model, finding = cast("Classifier", analysis.model), analysis.finding
    check_exact(finding, model)
    is_linear = finding.lower.kind == LINEAR
    lower = (
        class_bound(model, finding.lower) if is_linear else rank_node(finding, analysis.prepared.pmap, finding.lower)
    )
    return lower, class_bound(model, finding.upper)


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
    lambda prepared: described_classifier(cast("Classifier", prepared.model)),
    counts_of,
    classifier_sides,
)
