"""Evidence about Gaussian models: minors of the Jacobian, constants and trek separation, moves, fields of polynomials."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, cast

import numpy as np

from algdim.analysis import Analysis
from algdim.bound.bounds import Bound
from algdim.bound.strategy import Finding
from algdim.certificate import checker
from algdim.certificate.equations import (
    Coordinates,
    Forms,
    LinearForms,
    build_terms,
    reduce_to_positive,
    write_equations,
)
from algdim.certificate.exporting import check_exact, choose_best_draw, make_proof_error, write_rank
from algdim.errors import LimitError
from algdim.exact.draws import Stream, draw_residues
from algdim.families.contract import Certifying, JsonNode
from algdim.families.gaussian.evaluation import evaluate_covariance
from algdim.families.gaussian.map import GaussianMap
from algdim.families.gaussian.minors import map_coordinate_numbers
from algdim.families.gaussian.model import Entry, format_entry
from algdim.families.polynomial.certificate import write_field, write_kernel_fields
from algdim.models.anymodel import convert_model_to_dictionary


def write_draw(evidence: Mapping[str, Any]) -> JsonNode:
    """The prime and the text of the point's stream."""
    return {"prime": evidence["prime"], "point": f"algdim 1|{evidence['seed']}|point|{evidence['point']}"}


def list_covariance_coordinates(gmap: GaussianMap) -> Coordinates:
    """Covariances row by row, then means, which stand in the row of 1."""
    order = [*(variable.name for variable in gmap.model.variables), "1"]
    known = map_coordinate_numbers(gmap)
    pairs = {number: pair for pair, number in known.items()}

    def values(prime: int, point: str) -> Forms:
        covariance, mean = evaluate_covariance(gmap, prime, draw_residues(Stream(point), prime, len(gmap.parameters)))
        bordered = np.column_stack([covariance, mean])
        one, other = np.array([sorted(pairs[number]) for number in range(gmap.coordinate_count)], dtype=np.intp).T
        return reduce_to_positive(bordered[one, other], prime)

    def matrix(item: Mapping[str, Any], prime: int) -> LinearForms:
        del prime  # the weights are 1
        places = [(order.index(one), order.index(other)) for one in item["rows"] for other in item["columns"]]
        width = len(item["columns"])
        terms = [(*divmod(k, width), known[place]) for k, place in enumerate(places) if place in known]
        rows, columns, numbers = np.array(terms, dtype=np.int64).reshape(-1, 3).T
        return build_terms((len(item["rows"]), width), rows, columns, numbers, np.ones_like(rows))

    return Coordinates(gmap.coordinate_count, (), values, matrix)


def write_plain_bound(gmap: GaussianMap, bound: Bound, finding: Finding) -> JsonNode:  # noqa: ARG001
    """Evidence that the checker needs nothing for."""
    return {"kind": bound.kind, "value": bound.value}


def write_minors(gmap: GaussianMap, bound: Bound, finding: Finding) -> JsonNode:
    """Constant coordinates, and matrices with pairs of kernel vectors, as many as are needed."""
    evidence = bound.evidence
    order, numbers = [*(variable.name for variable in gmap.model.variables), "1"], map_coordinate_numbers(gmap)
    named = [*evidence.get("zeros", ()), *evidence.get("constants", ())]
    constants = sorted(numbers[order.index(one), order.index(other)] for one, other in named)
    if "minors" in evidence:
        at = write_draw(evidence)
    else:  # constants need no point, but the format has one
        best = finding.draws[0]
        at = {"prime": best.prime, "point": best.streams[0]}
    names = ("rows", "columns", "left", "right")
    items = ({key: list(told[key]) for key in names} for told in evidence.get("minors", ()))
    coordinates = list_covariance_coordinates(gmap)
    node = write_equations(coordinates, at["prime"], at["point"], constants, items, gmap.complete - bound.value)
    return {"kind": "equations", "value": bound.value, **node}


def write_symmetry(gmap: GaussianMap, bound: Bound, finding: Finding) -> JsonNode:  # noqa: ARG001 (finding)
    """Fields as sums of moves."""
    entries = {format_entry(entry): entry for entry in gmap.model.entries}
    fields = [
        [part for move in field for part in write_move(gmap, entries, move)] for field in bound.evidence["fields"]
    ]
    return {"kind": "symmetry", "value": bound.value, **write_draw(bound.evidence), "fields": fields}


def write_move(gmap: GaussianMap, entries: Mapping[str, Entry], move: Mapping[str, Any]) -> list[JsonNode]:
    """A move as the format has it: factors are parameters, and both sides of an equation are two moves."""
    kinds = ["equation", "substitution"] if move["move"] == "both" else [move["move"]]
    of = [*move["of"], "1"] if move["move"] == "mean" else list(move["of"])
    number, factor = Fraction(move["coefficient"]), []
    if move.get("factor") is not None:
        entry = entries[move["factor"]]
        if entry in gmap.number_of:
            factor = [gmap.parameters[gmap.number_of[entry]]]
        else:
            number *= gmap.value_of[entry]
    return [{"move": kind, "of": of, "coefficient": str(number), "factor": factor} for kind in kinds]


def write_symbolic(gmap: GaussianMap, bound: Bound, finding: Finding) -> JsonNode:
    """The kernel of the Jacobian, as fields of polynomials."""
    best = choose_best_draw(finding)
    names, known = list(gmap.parameters), bound.evidence.get("fields")
    try:
        fields = write_kernel_fields(gmap, names) if known is None else [write_field(one, names) for one in known]
    except LimitError:
        raise make_proof_error(gmap.model, bound) from None
    return {
        "kind": "symmetry",
        "value": bound.value,
        "prime": best.prime,
        "point": best.streams[0],
        "fields": fields,
    }


Writer = Callable[[GaussianMap, Bound, Finding], JsonNode]

UPPER: Mapping[str, Writer] = {
    "counting": write_plain_bound,
    "ambient": write_plain_bound,
    "minors": write_minors,
    "symmetry": write_symmetry,
    "symbolic": write_symbolic,
}
"""By the kinds of bounds of Gaussian models."""


def write_gaussian_bounds(_claim: JsonNode, claimed: Any, analysis: Analysis) -> tuple[JsonNode, JsonNode]:
    """The evidence for both bounds of a Gaussian model."""
    smaller, finding = analysis.prepared.reduction.smaller, analysis.finding
    gmap = cast("GaussianMap", analysis.prepared.pmap)
    check_exact(finding, smaller)
    if finding.upper.kind not in UPPER:
        raise make_proof_error(smaller, finding.upper)
    upper = UPPER[finding.upper.kind](gmap, finding.upper, finding)
    if finding.upper.kind == "symbolic":
        try:
            checker.Check().bound("upper", claimed.relevant(), upper)
        except checker.Refused:  # a cycle, or polynomials that are too large
            raise make_proof_error(smaller, finding.upper) from None
    return write_rank(finding, gmap, finding.lower), upper


CERTIFYING = Certifying(
    lambda prepared: convert_model_to_dictionary(prepared.model),
    write_gaussian_bounds,
)
