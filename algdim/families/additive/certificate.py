"""Certificates of additive models."""

from __future__ import annotations

from typing import Any

from algdim.analysis import Analysis, Prepared
from algdim.certificate.exporting import check_exact, rank_node
from algdim.families.contract import Certifying
from algdim.models.modelfile import to_dict

Node = dict[str, Any]


def additive_sides(_claim: Node, _claimed: Any, analysis: Analysis) -> tuple[Node, Node]:
    """The evidence for both bounds of an additive model; the format counts cumulants order by order, and has no probes."""
    pmap: Any = analysis.prepared.pmap
    finding = analysis.finding
    check_exact(finding, analysis.model)
    node = rank_node(finding, pmap, finding.lower)

    def place(row: int) -> int:
        cell, order = divmod(row - pmap.tables, pmap.order)
        return row if row < pmap.tables else pmap.tables + order * pmap.configurations + cell

    order = sorted(range(len(node["rows"])), key=lambda k: place(node["rows"][k]))
    lower = node | {"rows": [place(node["rows"][k]) for k in order]}
    return lower, {"kind": finding.upper.kind, "value": finding.upper.value}


def counts_of_additive(prepared: Prepared, claimed: Any) -> tuple[int, int | None]:
    """The numbers of parameters and of coordinates; with mixtures the saturated model has no finite dimension."""
    del claimed
    pmap: Any = prepared.pmap
    return len(pmap.parameters), None if pmap.is_mixed else pmap.complete


CERTIFYING = Certifying(lambda prepared: to_dict(prepared.model), counts_of_additive, additive_sides, method="table")
