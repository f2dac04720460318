"""Certificates of additive models."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from algdim.bound.strategy import Effort, examine
from algdim.certificate.exporting import check_exact, rank_node
from algdim.families.additive.map import additive_map
from algdim.families.additive.model import Additive
from algdim.families.contract import Certifying
from algdim.models.modelfile import to_dict

Node = dict[str, Any]


def additive_sides(_claim: Node, _claimed: Any, model: Additive, effort: Effort) -> tuple[Node, Node]:
    """The evidence for both bounds of an additive model; the format counts cumulants order by order, and has no probes."""
    pmap = additive_map(model)
    finding = examine(pmap, replace(effort, method="table"))
    check_exact(finding, model)
    node = rank_node(finding, pmap, finding.lower)

    def place(row: int) -> int:
        cell, order = divmod(row - pmap.tables, pmap.order)
        return row if row < pmap.tables else pmap.tables + order * pmap.configurations + cell

    order = sorted(range(len(node["rows"])), key=lambda k: place(node["rows"][k]))
    lower = node | {"rows": [place(node["rows"][k]) for k in order]}
    return lower, {"kind": finding.upper.kind, "value": finding.upper.value}


def counts_of_additive(model: Additive) -> tuple[int, int | None]:
    """The numbers of parameters and of coordinates; with mixtures the saturated model has no finite dimension."""
    pmap = additive_map(model)
    return len(pmap.parameters), None if pmap.is_mixed else pmap.complete


CERTIFYING = Certifying(to_dict, lambda one, _: counts_of_additive(one), additive_sides, lambda _: ("shifts",))
