"""Certificates of maps given by formulas."""

from __future__ import annotations

from typing import Any, cast

from algdim.analysis import Analysis, Prepared
from algdim.bound.strategy import Finding
from algdim.certificate import checker
from algdim.certificate.exporting import best_draw, check_exact, not_covered, rank_node
from algdim.errors import LimitError
from algdim.families.contract import Certifying
from algdim.families.polynomial.evidence import (
    described_polynomial,
    fields_node,
    kernel_fields,
    monomials_node,
)
from algdim.families.polynomial.map import PolynomialMap
from algdim.families.polynomial.model import Polynomial
from algdim.maps.anymap import Map

Node = dict[str, Any]


def polynomial_sides(_claim: Node, _claimed: Any, analysis: Analysis) -> tuple[Node, Node]:
    """The evidence for both bounds of a map given by formulas."""
    model, finding = analysis.model, analysis.finding
    pmap = cast("PolynomialMap", analysis.prepared.pmap)
    check_exact(finding, model)
    bound = finding.upper
    upper = (
        formula_bound(pmap, finding)
        if bound.kind != "flattenings"
        else monomials_node(pmap, bound, analysis.effort.seed)
    )
    if upper is None:
        raise not_covered(model, bound)
    return rank_node(finding, pmap, finding.lower), upper


def formula_bound(pmap: Map, finding: Finding) -> Node | None:
    """An upper bound of a map given by formulas; ``None`` if it has no form."""
    bound = finding.upper
    if bound.kind == "symmetry":
        return fields_node(bound)
    if bound.kind == "symbolic":
        best = best_draw(finding)
        try:
            fields = kernel_fields(pmap, pmap.parameters)
        except LimitError:
            return None
        return {"kind": "symmetry", "value": bound.value, "prime": best.prime, "point": best.streams[0]} | {
            "fields": fields
        }
    return {"kind": bound.kind, "value": bound.value} if bound.kind in ("counting", "ambient") else None


def counts_of_formulas(prepared: Prepared, claimed: checker.Formulas) -> tuple[int, int | None]:
    """The number of parameters and the dimension of the affine hull, which the checker alone knows if algdim has too many terms."""
    pmap = cast("PolynomialMap", prepared.whole_map)
    hull = pmap.multiplied_hull
    return len(pmap.parameters), claimed.complete if hull is None else hull


CERTIFYING = Certifying(
    lambda prepared: described_polynomial(cast("Polynomial", prepared.model)),
    counts_of_formulas,
    polynomial_sides,
)
