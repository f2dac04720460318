"""Certificates of maps given by formulas; evidence about them and log-linear models: fields of polynomials, sums of monomials."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

from algdim.analysis import Analysis, Prepared
from algdim.bound.bounds import Bound
from algdim.bound.strategy import Finding
from algdim.bound.symbolic import MOST_COORDINATE_TERMS, MOST_TERMS
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
from algdim.exact.arithmetic import Residues
from algdim.exact.draws import Stream, draw_residues
from algdim.exact.polynomials import find_generic_kernel
from algdim.families.contract import Certifying, JsonNode
from algdim.families.loglinear.model import LogLinear
from algdim.families.polynomial.bounds import BlockMonomials, find_monomial_sums, iterate_flattenings
from algdim.families.polynomial.expressions import (
    Formula,
    NamedParameter,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    format_formula,
)
from algdim.families.polynomial.map import PolynomialMap
from algdim.families.polynomial.model import Polynomial
from algdim.jacobian import compute_symbolic_jacobian, evaluate_functionals, make_evaluator
from algdim.maps import Map


def write_formula(value: Formula) -> Any:
    """A formula as certificates have it.

    >>> from algdim.families.polynomial.expressions import parse_formula
    >>> write_formula(parse_formula("a*b^2 - 1/3"))
    {'sum': [{'product': ['a', {'power': ['b', 2]}]}, '-1/3']}
    """
    match value:
        case Number() | NamedParameter():
            return format_formula(value)
        case Sum(terms):
            return {"sum": [write_formula(term) for term in terms]}
        case Product(factors):
            return {"product": [write_formula(factor) for factor in factors]}
        case Power(base, exponent):
            return {"power": [write_formula(base), exponent]}
        case Quotient(above, below):
            return {"quotient": [write_formula(above), write_formula(below)]}
    raise TypeError(value)


def encode_polynomial(model: Polynomial) -> JsonNode:
    """Parameters, and coordinates with their formulas."""
    coordinates = [{"name": one.name, "formula": write_formula(one.formula)} for one in model.coordinates]
    return {"family": model.family, "parameters": list(model.parameters), "coordinates": coordinates}


def encode_loglinear(model: LogLinear) -> JsonNode:
    """Variables, and the effects one by one."""
    variables = [{"name": v.name, "states": v.states, "observed": v.observed} for v in model.variables]
    return {"family": model.family, "variables": variables, "effects": [list(effect) for effect in model.effects]}


def write_fields(bound: Bound) -> JsonNode:
    """Fields as formulas, from their texts."""
    found = bound.evidence
    fields = [{name: write_sum(text) for name, text in field.items()} for field in found["fields"]]
    return {"kind": "symmetry", "value": bound.value, "prime": found["prime"], "point": found["point"]} | {
        "fields": fields
    }


def write_sum(text: str) -> Any:
    """The derivative of a parameter along a field, from its text.

    >>> write_sum("a + (-1)·a·b")
    {'sum': [{'product': ['a']}, {'product': ['-1', 'a', 'b']}]}
    """
    terms = [[part[1:-1] if part.startswith("(") else part for part in term.split("·")] for term in text.split(" + ")]
    return {"sum": [{"product": term} for term in terms]}


def write_kernel_fields(pmap: Map, names: Sequence[str]) -> list[JsonNode]:
    """A basis of the fields along which no coordinate changes, as formulas in the names of the parameters."""
    kernel = find_generic_kernel(
        compute_symbolic_jacobian(pmap, make_evaluator(pmap), MOST_COORDINATE_TERMS), MOST_TERMS
    )
    return [{names[k]: write_polynomial(x, names) for k, x in one.items()} for one in kernel]


def write_field(field: Mapping[str, Any], names: Sequence[str]) -> JsonNode:
    """A field that was found by interpolation, as formulas."""
    return {names[int(parameter)]: write_terms(terms, names) for parameter, terms in field.items()}


def write_polynomial(value: Any, names: Sequence[str]) -> Any:
    """A polynomial as a formula."""
    return write_terms(value.terms(), names)


def write_terms(given: Iterable[tuple[Sequence[int], Any]], names: Sequence[str]) -> Any:
    """Powers and coefficients as a formula."""
    terms: list[Any] = []
    for powers, coefficient in given:
        used = [(names[k], int(power)) for k, power in enumerate(powers) if power]
        factors = [name if power == 1 else {"power": [name, power]} for name, power in used]
        terms.append({"product": [str(coefficient), *factors]})
    return {"sum": terms}


def list_sum_coordinates(pmap: PolynomialMap, sums: BlockMonomials) -> Coordinates:
    """Sums of monomials, in matrices divided by their coefficients in the first block."""
    first = [row[0] for row in sums.coefficients]

    def values(prime: int, point: str) -> Forms:
        field = Residues(prime)
        drawn = field.elements(draw_residues(Stream(point), prime, len(pmap.parameters)))
        return reduce_to_positive(
            evaluate_functionals(pmap, field, drawn, make_evaluator(pmap).all_coordinates()), prime
        )

    def matrix(item: Mapping[str, Any], prime: int) -> LinearForms:
        numbers = np.array(item["rows"], dtype=np.int64)
        scales = [one.denominator * pow(one.numerator, -1, prime) % prime for one in first]
        rows, columns = np.indices(numbers.shape)
        return build_terms(numbers.shape, rows, columns, numbers, np.array(scales, dtype=np.int64)[numbers])

    return Coordinates(pmap.coordinate_count, (), values, matrix)


def write_monomial_matrices(pmap: PolynomialMap, bound: Bound, seed: int | str) -> JsonNode:
    """Matrices of coordinates that are sums of monomials."""
    sums, found = find_monomial_sums(pmap), bound.evidence
    assert sums is not None, "the bound rests on them"  # noqa: S101
    point = f"algdim 1|{seed}|point|{found['point']}"
    coordinates = list_sum_coordinates(pmap, sums)
    needed = coordinates.count - bound.value
    node = write_equations(
        coordinates, found["prime"], point, [], iterate_flattening_items(sums, pmap.parameters), needed
    )
    return {"kind": "equations", "value": bound.value, **node}


def iterate_flattening_items(sums: BlockMonomials, names: tuple[str, ...]) -> Iterator[Mapping[str, Any]]:
    """The blocks of parameters, and the numbers of coordinates in each flattening."""
    columns = list(zip(*sums.exponents, strict=True))
    used = [[any(powers) for powers in zip(*column, strict=True)] for column in columns]
    blocks = [[name for name, is_used in zip(names, row, strict=True) if is_used] for row in used]
    for flattening in iterate_flattenings(sums):
        if min(flattening.entries.shape) > sums.blocks:
            yield {"blocks": blocks, "rows": flattening.entries.tolist()}


def write_polynomial_bounds(_claim: JsonNode, _claimed: Any, analysis: Analysis) -> tuple[JsonNode, JsonNode]:
    """The evidence for both bounds of a map given by formulas."""
    model, finding = analysis.model, analysis.finding
    pmap = cast("PolynomialMap", analysis.prepared.pmap)
    check_exact(finding, model)
    bound = finding.upper
    upper = (
        write_upper_bound(pmap, finding)
        if bound.kind != "flattenings"
        else write_monomial_matrices(pmap, bound, analysis.effort.seed)
    )
    if upper is None:
        raise make_proof_error(model, bound)
    return write_rank(finding, pmap, finding.lower), upper


def write_upper_bound(pmap: Map, finding: Finding) -> JsonNode | None:
    """An upper bound of a map given by formulas; ``None`` if it has no form."""
    bound = finding.upper
    if bound.kind == "symmetry":
        return write_fields(bound)
    if bound.kind == "symbolic":
        best = choose_best_draw(finding)
        try:
            fields = write_kernel_fields(pmap, pmap.parameters)
        except LimitError:
            return None
        return {"kind": "symmetry", "value": bound.value, "prime": best.prime, "point": best.streams[0]} | {
            "fields": fields
        }
    return {"kind": bound.kind, "value": bound.value} if bound.kind in ("counting", "ambient") else None


def count_parameters_and_hull(prepared: Prepared, claimed: checker.Formulas) -> tuple[int, int | None]:
    """The number of parameters and the dimension of the affine hull, which the checker alone knows if algdim has too many terms."""
    pmap = cast("PolynomialMap", prepared.whole_map)
    hull = pmap.multiplied_hull
    return len(pmap.parameters), claimed.complete if hull is None else hull


CERTIFYING = Certifying(
    lambda prepared: encode_polynomial(cast("Polynomial", prepared.model)),
    write_polynomial_bounds,
    count_parameters_and_hull,
)
