"""Evidence about Gaussian models: minors of the Jacobian, constants and trek separation, moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from algdim.bound.bounds import Bound
from algdim.bound.strategy import Finding
from algdim.certificate import checker
from algdim.exact.ranks import rank_mod
from algdim.maps.gaussian import GaussianMap

Node = dict[str, Any]

LEAST_BATCH = 64


def drawn(evidence: Mapping[str, Any]) -> Node:
    """The prime and the text of the point's stream."""
    return {"prime": evidence["prime"], "point": f"algdim 1|{evidence['seed']}|point|{evidence['point']}"}


def plain(gmap: GaussianMap, bound: Bound, finding: Finding) -> Node:  # noqa: ARG001
    """Evidence that the checker needs nothing for."""
    return {"kind": bound.kind, "value": bound.value}


def minors(gmap: GaussianMap, bound: Bound, finding: Finding) -> Node:
    """Constant coordinates, and matrices with pairs of a row and a column, as many as are needed."""
    evidence = bound.evidence
    model = model_of(gmap)
    numbers = model.coordinates
    named = [*evidence.get("zeros", ()), *evidence.get("constants", ())]
    constants = sorted(numbers[one, other] for one, other in named)
    if "minors" in evidence:
        at = drawn(evidence)
    else:  # constants need no point, but the format has one
        best = finding.draws[0]
        at = {"prime": best.prime, "point": best.streams[0]}
    node = {"kind": "minors", "value": bound.value, **at, "constants": constants}
    needed = gmap.complete - bound.value - len(constants)
    return node | {"matrices": with_pairs(model, evidence.get("minors", ()), node, needed)}


def with_pairs(model: checker.Gaussian, matrices: Any, node: Node, needed: int) -> list[Node]:
    """The matrices with the pairs that give independent gradients."""
    if not matrices:
        return []
    prime, budget, pairs = node["prime"], checker.Budget(), list(model.coordinates)
    arcs = checker.trek_arcs(model, free=False)
    numbers = checker.both_orders({pair: k for k, pair in enumerate(pairs) if k not in set(node["constants"])})
    at = checker.moments(model, checker.values_of(model, node["point"], prime), prime, budget)
    basis = np.zeros((0, len(pairs)), dtype=np.int64)
    found: list[Node] = []
    chosen: list[tuple[int, list[int]]] = []  # the number of a matrix, and a pair
    for number, told in enumerate(matrices):
        matrix = {key: list(told[key]) for key in ("rows", "columns", "left", "right")}
        found.append(matrix)
        every = pairs_of(model, matrix, at, prime)
        step = max(needed, LEAST_BATCH)
        for start in range(0, len(every), step):
            some = every[start : start + step]
            forms = list(checker.trek_forms(model, arcs, {**matrix, "pairs": some}, numbers, at, prime, budget))
            padded = np.zeros((len(forms), len(pairs)), dtype=np.int64)
            padded[:, : len(forms[0])] = forms
            together = np.vstack([basis, padded])
            named = [*chosen, *((number, pair) for pair in some)]
            rows = list(rank_mod(together, prime).rows)[:needed]
            chosen, basis = [named[row] for row in rows], together[rows]
            if len(basis) == needed:
                break
        if len(basis) == needed:
            break
    with_own = ({**matrix, "pairs": sorted(pair for k, pair in chosen if k == n)} for n, matrix in enumerate(found))
    return [matrix for matrix in with_own if matrix["pairs"]]


def pairs_of(model: checker.Gaussian, matrix: Node, at: checker.Moments, prime: int) -> list[list[int]]:
    """All pairs of a row and a column that depend on those before them."""
    cut, budget = len(matrix["left"]) + len(matrix["right"]), checker.Budget()
    square = [[checker.moment(at, model, a, b) for b in matrix["columns"]] for a in matrix["rows"]]
    turned = [list(column) for column in zip(*square, strict=True)]
    above, beside = (checker.kernel_of(lines, cut, prime, budget) for lines in (square, turned))
    return [[row, column] for row in above for column in beside]


def moves(gmap: GaussianMap, bound: Bound, finding: Finding) -> Node:  # noqa: ARG001
    """Fields as combinations of moves."""
    fields = [[without_none(move) for move in field] for field in bound.evidence["fields"]]
    return {"kind": "moves", "value": bound.value, **drawn(bound.evidence), "fields": fields}


def without_none(move: Mapping[str, Any]) -> Node:
    """A move without the factor 1."""
    return {key: value for key, value in move.items() if value is not None}


def model_of(gmap: GaussianMap) -> checker.Gaussian:
    """The checker's model of a map."""
    from algdim.models.gaussianfile import gaussian_dict

    model: checker.Gaussian = checker.read_gaussian(gaussian_dict(gmap.model))
    return model


Writer = Callable[[GaussianMap, Bound, Finding], Node]

UPPER: Mapping[str, Writer] = {"counting": plain, "ambient": plain, "minors": minors, "symmetry": moves}
"""By the kinds of bounds of Gaussian models."""
