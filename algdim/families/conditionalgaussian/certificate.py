"""Certificates of conditional Gaussian networks: the network, a minor, and fields of polynomials along which nothing changes."""

from __future__ import annotations

from typing import Any

from algdim.analysis import Analysis, Prepared
from algdim.certificate.exporting import check_exact, choose_best_draw, make_proof_error, write_rank
from algdim.errors import LimitError
from algdim.families.conditionalgaussian.family import compute_saturated
from algdim.families.conditionalgaussian.reading import list_variables_and_edges
from algdim.families.contract import Certifying, JsonNode
from algdim.families.gaussian.model import format_entry
from algdim.families.polynomial.certificate import write_fields, write_kernel_fields


def encode_network(prepared: Prepared) -> JsonNode:
    """The variables, the edges, and which numbers are tied."""
    model: Any = prepared.model
    found: JsonNode = list_variables_and_edges(model)
    if model.common:
        found["common"] = [format_entry(entry) for entry in model.entries if entry in model.common]
    if model.fixed:
        found["fixed"] = {format_entry(entry): str(value) for entry, value in model.fixed}
    if model.equal:
        found["equal"] = {format_entry(entry): label for entry, label in model.equal}
    return found


def encode_mixture_bounds(_claim: JsonNode, _claimed: Any, analysis: Analysis) -> tuple[JsonNode, JsonNode]:
    """The evidence for both bounds: where the parameters are too many, all fields in the kernel of the Jacobian."""
    pmap: Any = analysis.prepared.pmap
    finding, bound = analysis.finding, analysis.finding.upper
    check_exact(finding, analysis.model)
    lower = write_rank(finding, pmap, finding.lower)
    if bound.value == len(pmap.parameters):
        return lower, {"kind": "counting", "value": bound.value}
    if bound.kind == "symmetry":
        return lower, write_fields(bound)
    best = choose_best_draw(finding)
    try:
        fields = write_kernel_fields(pmap, pmap.parameters)
    except LimitError:
        raise make_proof_error(analysis.model, bound) from None
    point = {"prime": best.prime, "point": best.streams[0]}
    return lower, {"kind": "symmetry", "value": bound.value, **point, "fields": fields}


def count_network_parameters(prepared: Prepared, claimed: Any) -> tuple[int, int | None]:
    """The parameters, and the dimension of the saturated model, if there is one."""
    del claimed
    pmap: Any = prepared.whole_map
    saturated = compute_saturated(pmap, 0)
    return len(pmap.parameters), None if saturated is None else saturated.value


CERTIFYING = Certifying(encode_network, encode_mixture_bounds, count_network_parameters)
