"""Certificates for tests: accepted ones of every kind of evidence, and the refused ones made of them.

Run as a program it writes the corpora in tests/corpora/certificates/, each file with the reason that is expected.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path

import algdim
from algdim import prove
from algdim.analysis import Prepared
from algdim.bound.strategy import Effort, choose_bounds
from algdim.certificate import checker
from algdim.certificate.exporting import certify_effort
from algdim.certificate.verifying import write_json
from algdim.families import find_certifying
from algdim.families.discrete.map import get_param_map
from algdim.families.polynomial.certificate import write_kernel_fields

FOLDER = Path(__file__).parent / "corpora" / "certificates"

COPY = "A -> B; fix P(B=0|A=0)=1, P(B=0|A=1)=0; A, B -> C"
TURNING = """H1 -> H2 -> H3; H1 -> X1; H2 -> X2; H3 -> X3; hidden H1, H2, H3; states H1=3, H2=3, H3=3; share x: X1, X2, X3;
fix P(H1=0)=1/3, P(H1=1)=1/3, P(H1=2)=1/3; equal a = P(H2=0|H1=0), P(H2=1|H1=1), P(H2=2|H1=2), P(H3=0|H2=0), P(H3=1|H2=1), P(H3=2|H2=2);
equal b = P(H2=1|H1=0), P(H2=2|H1=1), P(H2=0|H1=2), P(H3=1|H2=0), P(H3=2|H2=1), P(H3=0|H2=2);
equal c = P(H2=2|H1=0), P(H2=0|H1=1), P(H2=1|H1=2), P(H3=2|H2=0), P(H3=0|H2=1), P(H3=1|H2=2)"""
"""A chain that is in equilibrium, and turns one way round."""
OF_THREE_STATES = "H_1 -> H_2; H_1 -> X_1; H_2 -> X_2; hidden H_1, H_2; states H_1=3, H_2=3; share x: X_1, X_2"
MODELS = {
    "rank-cells": "2:2^3",
    "rank-probes": "2:2^6",
    "entries": "X1, X2 -> Y; given X1, X2",
    "districts": "A -> C <- H -> D <- B; hidden H",
    "districts-kept": COPY,
    "districts-shared": "A -> B -> C; share s: B, C",
    "flattening": "3:2^4",
    "koszul": "4:3^3",
    "grid": "H1 -> X1, X2, X3; H2 -> X2, X3, X4; hidden H1, H2",
    "pencil": "A, D -> G; B, D -> H; G, H -> Y; hidden G, H; given A, B, D",
    "pencil-dependent": "G -> H; G, H -> Y; G, D -> A; H, D -> B; hidden G, H; given D",
    "pencil-given": "C, A, D -> G; B, D -> H; C, G, H -> Y; hidden G, H; given A, B, C, D",
    "span": "H1, X1 -> H2; H1, H2 -> H3; X3, H3 -> X4; H2 -> X5; hidden H1, H2, H3; states X1=9, H2=3, X5=4; given X1, X3",
    "grid-of-three": "H1 -> X1, X2, X3; H2 -> X2, X3, X4; hidden H1, H2; states X1=3",
    "common": "hmm: states 3, items 4, length 2, homogeneous",
    "chain": "hmm: states 3, items 2, length 3, homogeneous, stationary, reversible",
    "chain-words": "hmm: states 3, items 2, length 4, homogeneous, stationary, reversible",
    "chain-fields": "hmm: states 4, items 3, length 3, homogeneous",
    "chain-weighted": "hmm: states 5, items 2,2, length 3, homogeneous, stationary, reversible",
    "chain-turning": TURNING,
    "chain-varying": "hmm: states 2, items 2, length 3, invariant",
    "chain-fork": "H_2 -> H_1, H_3; H_1 -> X_1; H_2 -> X_2; H_3 -> X_3; hidden H_1, H_2, H_3; share x: X_1, X_2, X_3; share h: H_1, H_3",
    "chain-start": f"{OF_THREE_STATES}; fix P(H_1=0)=0",
    "chain-tied": f"{OF_THREE_STATES}; equal a = P(H_1=0), P(H_2=0|H_1=0)",
    "chain-equal": f"{OF_THREE_STATES}; equal a = P(H_2=1|H_1=0), P(H_2=0|H_1=0)",
    "latent-tree-of-two": "G -> H; G -> A, B; H -> C, D; hidden G, H; share s: A, B",
    "exchangeable": "H -> A, B, C, D; hidden H; states H=3; share s: A, B; share t: C, D",
    "exchangeable-given": "Z, H -> A, B; hidden H; states H=4; given Z; share s: A, B",
    "pairwise": "2:3,3",
    "trees": "5(2,3(2,2),3(2,2))",
    "trees-table": "H -> X; hidden H",
    "closed": "A -> H -> X, Y; hidden H; states H=9",
    "kruskal": "16:2^64",
    "fixed": "H -> X, Y, Z; hidden H; fix P(X=0|H=0)=1/3, P(Y=0|H=1)=0",
    "names": "H -> X, Y; hidden H; equal a = P(X=0|H=0), P(Y=0|H=1)",
    "ties": "A -> X; states A=3; equal a = P(A=0); equal b = P(A=1); equal c = P(A=2), P(X=0|A=0)",
    "ties-districts": "A -> X; states A=3; equal a = P(A=0), P(A=2); equal b = P(A=1)",
    "shared-across": "A -> H -> X; A -> B; hidden H; share s: X, B",
    "irrelevant": "O -> X; hidden X",
    "symmetry-child": "H -> X -> Y; hidden H",
    "two-tables": "A, H -> B; B, H -> C; H -> D; hidden H",
    "shared-items": "H -> X, Y, Z; hidden H; share s: Y, Z",
    "fixed-parent": "H -> X -> Y; hidden H; fix P(H=0)=1/3",
    "shared-parent": "A -> B -> C; E -> D; share s: A, E",
    "sigmoid": "sigmoid: H1, H2 -> X1, X2, X3, X4; hidden H1, H2",
    "sigmoid-containing": "sigmoid: T -> H1, H2 -> X1, X2, X3, X4, X5; hidden T, H1, H2",
    "sigmoid-tree": "sigmoid: G -> A, B, H; H -> C, D; hidden G, H",
    "sigmoid-entries": "sigmoid: A, B -> C; states A=2",
    "sigmoid-shared": "A, H -> X, Y, Z; hidden H; states A=3, H=3; sigmoid X, Y, Z; share s: X, Y",
    "sigmoid-given": "A, B, H -> X, Y; hidden H; given A, B; sigmoid X, Y, H",
    "multinomial": "A, H -> X, Y; hidden H; states A=3, X=3; multinomial X, Y",
    "adjacent": "A, H -> X, Y; hidden H; states X=4, Y=3; adjacent X, Y",
    "cumulative": "A, H -> X, Y; hidden H; states X=4, Y=3; cumulative X, Y",
    "logit-shared": "H -> X, Y, Z; hidden H; states H=3, X=3, Y=3, Z=3; cumulative X, Y, Z; share s: X, Y",
    "logit-free": "H -> X, Y, Z; hidden H; states X=3; multinomial X; adjacent Y; cumulative Z",
    "logit-entries": "A, B -> C; states A=3, B=3, C=3; given A, B; cumulative C",
    "logit-wide": "A -> X1..X3; hidden A; states A=4; cumulative X1..X3",
    "rasch": "H, A -> X, Y; hidden H; states H=3, X=3; rasch X, Y",
    "rasch-districts": "A -> X, Y; B -> X; C -> D; states A=3; rasch X, Y",
    "sum-scores": "H -> X1..X4; hidden H; states H=5; rasch X1..X4",
    "gaussian-minors": "gaussian: F -> A, B, C, D; hidden F",
    "gaussian-minors-two": "gaussian: F, G -> X1, X2, X3, X4, X5, X6; hidden F, G; means off",
    "gaussian-constants": "gaussian: A -> C <- H -> D <- B; hidden H",
    "gaussian-constants-fixed": "gaussian: A -> B; B <-> C; D -> C; E -> A; fix b(A->B)=-1/2, b(E->A)=2, v(A)=1, v(E)=1",
    "gaussian-border": "gaussian: F -> A, B, C; hidden F; fix m(A)=0, m(B)=0, m(C)=0",
    "gaussian-moves": "gaussian: F, G -> A, B, C, D, E; hidden F, G; means off",
    "gaussian-moves-equal": "gaussian: F -> A, B; hidden F; equal l = b(F->A), b(F->B); equal e = v(A), v(B); means off",
    "gaussian-counting": "gaussian: A -> B -> C -> A; D; fix v(D)=1",
    "gaussian-ambient": "gaussian: F -> X, Y; F -> G; hidden F, G; means off",
    "gaussian-probes": "gaussian: F -> X1, X2, X3, X4, X5, X6, X7, X8; hidden F; fix v(F)=1",
    "gaussian-cycle": "gaussian: A -> B -> A; C -> A; A <-> B",
    "additive": "poisson: {A,B},{B} -> E; A -> B; states A=3; leak",
    "additive-counting": "normal: {A} -> E",
    "additive-counting-rates": "poisson: {A} -> E",
    "additive-normal": "normal: {A},{} -> E",
    "additive-mixture": "normal: {A,H},{B} -> E; hidden H; A -> H",
    "several-rates": "poisson: {A,H},{B} -> E; {H},{B},{} -> F; A -> H; hidden H; states H=3",
    "several-normal": "normal: {A},{B} -> E; {A,B} -> F; states A=3",
    "several-hidden": "poisson: {H,G} -> E; {H} -> F; hidden H, G",
    "several-in-one": "normal: {H},{A,H} -> E; H -> A; H -> X; hidden H",
    "several-all": "poisson: {A,H,G} -> E; hidden H, G",
    "greatest-rates": "max-poisson: {A,B},{B} -> E; A -> B; states A=3; leak",
    "greatest-normal": "max-normal: {A,H},{B} -> E; hidden H; A -> H",
    "ordered-rates": "at-least-poisson 2: {A},{B,H},{} -> E; hidden H; states H=3",
    "ordered-normal": "at-least-normal 3: {A},{B},{} -> E",
    "classifier": "classifier Y: Y -> A, B; A -> B",
    "classifier-counting": "classifier Y: states Y=3",
    "classifier-tables": "classifier Y: Y, X1 -> X2; states Y=4",
    "classifier-linear": "classifier Y: Y -> A, B, C; states Y=3, A=3",
    "classifier-shared": "classifier Y: Y -> A, B; A -> B; share s: Y",
    "classifier-fixed": "classifier Y: Y -> A, B; states A=3; fix P(A=0|Y=0)=1/3",
    "classifier-probes": "classifier Y: Y -> A, B, C, D; A -> B -> C -> D; states A=3, B=3, C=3, D=3",
    "embedded": "H -> X1, X2, X3; X1, X2, X3 -> Y; hidden H; classifier Y {Y -> X1, X2, X3}",
    "embedded-whole": "X1, X2 -> Y; classifier Y {Y -> X2; Y -> X1; states Y=3}; states Y=3; share q: X1, X2",
    "loglinear": "loglinear: {A,B},{B,C},{A,C}; states A=3",
    "loglinear-ambient": "loglinear: {A,H}; hidden H",
    "loglinear-class": "loglinear: {X1,H},{X2,H}; hidden H; states X1=3, X2=3",
    "loglinear-summed-out": "loglinear: {A,B,H},{A,C},{G,H}; hidden G, H",
    "loglinear-irrelevant": "loglinear: {A,B},{H}; hidden H",
    "loglinear-boltzmann": "loglinear: {A,H},{B,H},{C,H},{D,H},{E,H},{F,H}; hidden H",
    "polynomial": "polynomial: parameters a, b, c; coordinates a*b, b*c, a/c",
    "polynomial-ambient": "polynomial: parameters a, b; coordinates a + b, 2*a + 2*b + 1, (a - 1/3)^2/(1 + b)",
    "polynomial-counting": "polynomial: parameters a, b; coordinates a/(1 + b), b/(a + 1), a^3*b - 1/2",
    "polynomial-fields": "polynomial: parameters a, b, c, d; coordinates x = (a - b)^2, y = (b - c)^2*d, z = (a - c)^2*(1 + d)",
    "polynomial-sums": "polynomial: parameters a, b, c, d, e, f; coordinates a^2 + d^2, a*b + d*e, a*c + d*f, b^2 + e^2, b*c + e*f, c^2 + f^2",
    "mechanisms-max": "max: {A,B},{B,C} -> E; states E=3",
    "mechanisms-parity": "parity: {A},{B},{C} -> E",
    "mechanisms-all": "at-least 2: {A,B},{B,C} -> E",
    "mechanisms-two": "parity: {A},{B},{C} -> E, F, G; hidden C",
    "profile": "latent-profile: H -> X; hidden H",
    "profile-items": "latent-profile: H -> X, C, Y, D; hidden H; states H=3, C=3, D=2; covariances full, equal",
}
FORCED = {
    "districts-zeros": (COPY, [name for name in choose_bounds("auto") if name != "districts"]),
    "nested": ("A -> B -> C -> D; U -> B, D; hidden U; states U=9", ["nested"]),
    "nested-given": ("A -> B -> C -> D; U -> B, D; hidden U; states U=9", ["counting", "districts", "nested"]),
    "pairwise-blocks": ("2:3,3", ["pairwise"]),
    "pairwise-items": ("3:2,2,4", ["pairwise"]),
    "secants": ("5:2^5", ["binary-items"]),
    "secants-two": ("2:3,3", ["settimi-smith"]),
    "secants-symmetric": (
        "H -> A, B, C; hidden H; states H=7, A=5, B=5, C=5; share s: A, B, C",
        ["symmetric-items"],
    ),
    "secants-matrices": ("H -> A, B; hidden H; states A=3, B=3; share s: A, B", ["symmetric-items"]),
    "gaussian-fields": ("gaussian: F -> X1, X2, X3, X4; hidden F", ["counting", "ambient", "symbolic"]),
    "secants-groups": ("3:2^2*,2^2*", ["symmetric-items"]),
    "secants-two-and-group": ("5:2,2,2^4*", ["symmetric-items"]),
    "secants-large-groups": ("3:2^3*,3^3*", ["symmetric-items"]),
    "along": ("H -> A, B; hidden H; share s: A, B", ["symbolic"]),
    "differences": ("X -> H -> Y; hidden H; states X=3, Y=3; given X", ["counting", "ambient", "differences"]),
    "differences-root": ("X -> H -> Y; hidden H; states X=3, Y=3", ["counting", "ambient", "differences"]),
    "differences-given": (
        "H, X -> Y; H, A -> Z; hidden H; states H=3, X=3; given X, A",
        ["counting", "ambient", "differences"],
    ),
    "parts": ("H -> G, A; H, G -> B; H -> C; hidden H, G; states G=4, A=3, B=4", ["counting", "ambient", "parts"]),
    "parts-given": ("A, B, H -> X; A, H -> Y; hidden H; states H=4; given A, B", ["counting", "ambient", "parts"]),
    "fewer-states": ("H -> A, B; A -> C; hidden H; states B=4, C=4", ["ambient", "fewer-states"]),
    "fewer-states-root": ("X, H -> Y; H -> Z; hidden H; states X=4, Z=4", ["ambient", "fewer-states"]),
    "fewer-states-given": (
        "X, H -> Y; H -> Z; hidden H; states X=3, Z=4; given X",
        ["ambient", "fewer-states"],
    ),
    "determinants": (
        "C -> A; H -> C, A, D; G -> D, B; D -> B; C -> G; hidden G, H",
        ["counting", "grids", "determinants"],
    ),
    "determinants-margin": (
        "C -> A; H -> C, A, D; G -> D, B; D -> B; C -> G; A, B, C, D -> Z; hidden G, H",
        ["counting", "grids", "determinants"],
    ),
    "determinants-joined": (
        "A -> C; A, C -> G -> H; A, H, B -> D; G, B -> E; hidden G, H; states H=3, E=3; given A, B",
        ["counting", "grids", "determinants"],
    ),
    "determinants-forms": (
        "A, H, C -> D; B -> H, K; G -> K, C; H -> C; K, C, D -> E; hidden G, H, K; given A, B",
        ["counting", "grids", "determinants"],
    ),
    "determinants-three": (
        "A -> G; A, G -> B; A -> C; G -> D; A, G -> H; D, H -> E; hidden G, H; states G=3, B=3, H=3, E=3",
        ["counting", "grids", "determinants"],
    ),
    "determinants-pair": (
        "A -> G; H -> B; G -> C; H, C -> D; A, H, B -> E; hidden G, H; states H=3, D=3; given A",
        ["counting", "grids", "determinants"],
    ),
    "normal-form": ("2:2,2", ["counting", "normal-form"]),
    "normal-form-given": ("A -> H -> X -> Y; H -> Y; hidden H; given A", ["counting", "normal-form"]),
    "normal-form-kernel": ("H1 -> X1, X2, X3; H2 -> X2, X3, X4; hidden H1, H2", ["counting", "normal-form"]),
}
"""Models, and the bounds that alone are tried."""

RULES = {
    "max": {"type": "max"},
    "sum": {"type": "sum"},
    "parity": {"type": "parity"},
    "at-least": {"type": "at-least", "n": 2},
}


def with_rule(rule, parents=3):
    """A model in which Y is a rule of hidden variables, each with an observed parent."""
    names = range(1, parents + 1)
    states = parents + 1 if rule["type"] == "sum" else 2
    return {
        "variables": [
            *({"name": f"A{k}"} for k in names),
            *({"name": f"H{k}", "observed": False} for k in names),
            {"name": "Y", "states": states},
        ],
        "edges": [*([f"A{k}", f"H{k}"] for k in names), *([f"H{k}", "Y"] for k in names)],
        "local": {"Y": rule},
    }


def accepted():
    """Certificates of every kind, by name."""
    found = {name: prove(model).data for name, model in MODELS.items()}
    found |= {name: forced(*pair) for name, pair in FORCED.items()}
    steps = [{"widened": "H", "parents": ["A"]}, {"hidden": "H", "children": ["X", "Y"]}]
    counted = {"kind": "counting", "value": 6}
    averaged = {"kind": "containing", "value": 6, "averaged": steps, "upper": counted}
    found["supermodel"] = changed(prove("A, H -> X, Y; hidden H; given A").data, {UPPER: averaged})
    steps = [{"reversed": "H", "child": "A"}, {"hidden": "H", "children": ["Y"]}]
    averaged = {"kind": "containing", "value": 5, "averaged": steps}
    found["reversed"] = changed(prove("H -> A; H, A, B -> Y; hidden H; given B").data, {UPPER: averaged})
    found["secants"] = changed(found["secants"], {LOWER: {"kind": "secants", "value": 29}})
    found["secants-two"] = changed(found["secants-two"], {LOWER: {"kind": "secants", "value": 7}})
    fields = write_kernel_fields(get_param_map(algdim.model("2:2,2")), [f"p{k}" for k in range(5)])
    local = {"kind": "symmetry", "value": 5, "prime": 8388593, "point": "algdim 1|0|point"}
    local["fields"] = [{"hidden": ["H"], "along": field} for field in fields]
    found["along-local"] = changed(prove("H -> X1, X2; X2 -> Y; hidden H").data, {UPPER: local})
    # what is conditioned on is not in the margin: the sums of the cells with each condition are no sums of those of the margin
    rank_one = [{"blocks": [["X2"], ["Y"]], "C": ["X1", "B"], "S": [], "state": [x, b]} for x in (0, 1) for b in (0, 1)]
    rank_one = [one | {"pairs": [[0, 0]]} for one in rank_one]
    rank_one += [{"blocks": [["B"], ["X1", "X2"]], "C": [], "S": [], "state": [], "pairs": [[0, 0], [0, 1], [0, 2]]}]
    margin = {**NO_MATRIX, "value": 7, "constants": [], "matrices": rank_one, "margin": ["X1", "X2"]}
    margin |= {"upper": {"kind": "ambient", "value": 3}}
    found["given-outside-margin"] = changed(prove("H -> X1, X2; X1, B -> Y; hidden H; given B").data, {UPPER: margin})
    found["normal-form-along"] = changed(
        found["along-local"],
        {UPPER: {**local, "kind": "normal-form", "constants": {"p1": "1", "p2": "0"}, "kernel": []}},
    )
    found["normal-form-fixed"] = changed(found["fixed"], {UPPER: {**CONSTANTS, "constants": {"p3": "1", "p4": "0"}}})
    linear = {"kind": "class-tables", "value": found["classifier-linear"]["claim"]["dimension"], "tables": []}
    found["classifier-open"] = changed(found["classifier-linear"], {LOWER: linear})
    found |= {f"rule-{name}": prove(with_rule(rule)).data for name, rule in RULES.items() if name != "parity"}
    found["rule-parity"] = prove("A, B, C -> Y; parity Y").data
    found["parity-chain"] = prove("A, B, C -> H; parity H; H -> X; hidden H").data
    steps = [{"hidden": "H", "children": ["C", "B"]}]
    chain = prove("A -> B <- H -> C; hidden H; states H=4").data
    found["containing"] = changed(chain, {"evidence.upper": {"kind": "containing", "value": 6, "averaged": steps}})
    found["classifier-counting"] = changed(found["classifier-counting"], {"evidence.upper.kind": "counting"})
    found["reduced"] = prove("9(2,2)").data
    kernel = [{"hidden": ["H"], "upper": {"kind": "ambient", "value": 2}}]
    symmetric = {"kind": "symmetry", "value": 3, "prime": 8388593, "point": "algdim 1|0|point", "fields": kernel}
    found["symmetry"] = changed(prove("A -> H -> X; hidden H").data, {"evidence.upper": symmetric})
    scaled = {"kind": "symmetry", "value": 1, "prime": 8388593, "point": "algdim 1|0|point"}
    a, h, both = "t(A=1)", "t(H=1)", "t(A=1,H=1)"
    one, other = {"sum": ["1", {"product": [h, both]}]}, {"sum": ["1", h]}
    scaled["fields"] = [
        {a: {"product": ["-1", a, h]}, both: one},
        {a: {"product": [a, {"sum": ["1", {"product": ["-1", both]}]}]}, h: {"product": [one, other]}},
    ]
    found["loglinear-symmetry"] = changed(found["loglinear-ambient"], {"evidence.upper": scaled})
    projection = [[1, 0, 0], [0, 1, 0], [1, 1, -2]]
    found["projection"] = changed(found["koszul"], {"evidence.upper.matrices.0.projection": projection})
    return found


def forced(model, bounds):
    """A certificate by these bounds alone."""
    prepared = Prepared(algdim.model(model))
    effort = Effort("auto", tuple(bounds), 0, 1 << 30, minors=checker.MOST_RANK)
    return certify_effort(prepared, find_certifying(prepared.model.family), effort).data


def changed(data, changes):
    """A copy with some values replaced, each named by its path; the value ... takes the key out."""
    result = copy.deepcopy(data)
    for path, value in changes.items():
        *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
        place = result
        for part in way:
            place = place[part]
        if value is ...:
            del place[last]
        else:
            place[last] = copy.deepcopy(value)
    return result


LOWER, UPPER = "evidence.lower", "evidence.upper"
DETERMINANTS = f"{UPPER}.matrices.0"
I, U = 1, 2  # invalid, unreadable

CLAIM = [
    (f"{name}-{word}", base, {f"claim.{name}": value}, I, reason)
    for base, numbers in (
        ("flattening", (13, 14, 15)),
        ("districts", (9, 11, 15)),
        ("koszul", (25, 27, 26)),
        ("gaussian-minors", (12, 14, 14)),
        ("gaussian-constants", (11, 14, 14)),
        ("gaussian-moves", (14, 17, 15)),
    )
    for name, number, reason in zip(
        ("dimension", "standard", "complete"),
        numbers,
        ("claimed is the dimension", "parameters, not", "saturated"),
        strict=True,
    )
    for word, value in ((f"{base}-more", number + 1), (f"{base}-less", number - 1))
]
"""Every number of the claim, off by one: name, base, changes, exit code, a part of the reason."""

FORM = [
    ("format", "pairwise", {"format": "algdim certificate 1"}, U, "the format is"),
    ("format-number", "pairwise", {"format": 1}, U, "the format is"),
    ("unknown-key", "pairwise", {"note": "true"}, U, "unknown key 'note'"),
    ("unknown-key-in-claim", "pairwise", {"claim.defect": 1}, U, "unknown key 'defect'"),
    ("unknown-key-in-evidence", "pairwise", {"evidence.middle": {}}, U, "unknown key 'middle'"),
    ("unknown-key-in-node", "pairwise", {f"{UPPER}.right": ["X2"]}, U, "unknown key 'right'"),
    ("no-dimension", "pairwise", {"claim.dimension": ...}, U, "dimension is missing"),
    ("no-lower", "pairwise", {LOWER: ...}, U, "lower is missing"),
    ("dimension-text", "pairwise", {"claim.dimension": "7"}, U, "not an integer"),
    ("dimension-negative", "pairwise", {"claim.dimension": -7}, U, "not an integer"),
    ("standard-true", "rank-cells", {"claim.standard": True}, U, "not an integer"),
    ("kind-unknown", "pairwise", {f"{UPPER}.kind": "hearsay"}, U, "unknown kind"),
    ("kind-chance", "pairwise", {f"{UPPER}.kind": "chance"}, U, "unknown kind"),
    ("kind-of-the-other-side", "pairwise", {f"{LOWER}.kind": "counting"}, U, "unknown kind"),
    ("kind-list", "pairwise", {f"{UPPER}.kind": ["pairwise"]}, U, "unknown kind"),
    ("family", "pairwise", {"claim.model.family": "weibull"}, U, "a family that is not known"),
    ("family-of-another-form", "pairwise", {"claim.model.family": "gaussian"}, U, "edges is missing"),
    ("model-key", "pairwise", {"claim.model.bidirected": []}, U, "unknown key 'bidirected'"),
    ("variable-key", "pairwise", {"claim.model.variables.0.label": "x"}, U, "unknown key 'label'"),
    ("variable-twice", "pairwise", {"claim.model.variables.1.name": "H"}, U, "occurs twice"),
    ("name", "pairwise", {"claim.model.variables.0.name": "H 1"}, U, "cannot be a name"),
    ("states", "pairwise", {"claim.model.variables.1.states": 1}, U, "too few states"),
    ("states-text", "pairwise", {"claim.model.variables.1.states": "3"}, U, "not an integer"),
    ("states-huge", "pairwise", {"claim.model.variables.1.states": 10**9}, U, "too many states"),
    (
        "table-huge",
        "pairwise",
        {"claim.model.variables.0.states": 9999, "claim.model.variables.1.states": 9999},
        U,
        "entries; at most",
    ),
    ("observed", "pairwise", {"claim.model.variables.0.observed": 0}, U, "not true or false"),
    ("all-hidden", "irrelevant", {"claim.model.variables.0.observed": False}, U, "no variable is observed"),
    ("given-empty", "entries", {"claim.model.given": []}, U, "given is empty"),
    ("given-all", "entries", {"claim.model.given": ["X1", "X2", "Y"]}, U, "without parents, not all"),
    ("given-hidden", "pairwise", {"claim.model.given": ["H"]}, U, "without parents, not all"),
    ("stream", "rank-cells", {f"{LOWER}.point": "0|point|0"}, U, "begins with"),
    ("stream-number", "rank-cells", {f"{LOWER}.point": 0}, U, "text"),
    ("rows-order", "rank-cells", {f"{LOWER}.rows": [1, 0, 2, 3, 4, 5, 6]}, U, "must be increasing"),
    ("rows-text", "rank-cells", {f"{LOWER}.rows": "0123456"}, U, "not a list"),
    ("row-beyond", "rank-cells", {f"{LOWER}.rows": [0, 1, 2, 3, 4, 5, 8]}, U, "rows: 8 is not below 8"),
    (
        "columns-beyond",
        "rank-cells",
        {f"{LOWER}.columns": [0, 1, 2, 3, 4, 5, 7]},
        U,
        "columns: 7 is not below 7",
    ),
    ("names-order", "kruskal", {f"{LOWER}.blocks.0": ["X2", "X1"]}, U, "order"),
    ("step-key", "containing", {f"{UPPER}.averaged.0.order": []}, U, "unknown key 'order'"),
]
"""What is not in the format."""


def deep(levels):
    """A formula within formulas."""
    return {"sum": [deep(levels - 1)]} if levels else "a"


def table(name, *rows):
    """A change: one table written out."""
    return {f"claim.model.tables.{name}": [list(row) for row in rows]}


HALF = {"1": "1", "P(X=0|H=1)": "-1"}
MODEL = [
    ("parents-unknown", "pairwise", {"claim.model.variables.1.parents": ["G"]}, U, "unknown or repeated parents"),
    ("parents-twice", "pairwise", {"claim.model.variables.1.parents": ["H", "H"]}, U, "unknown or repeated parents"),
    ("parents-missing", "pairwise", {"claim.model.variables.1.parents": ...}, U, "parents is missing"),
    ("parents-cycle", "pairwise", {"claim.model.variables.0.parents": ["X1"]}, U, "a cycle"),
    ("edges", "pairwise", {"claim.model.edges": []}, U, "unknown key 'edges'"),
    ("tables-empty", "pairwise", {"claim.model.tables": {}}, U, "empty"),
    ("tables-of-nobody", "pairwise", {"claim.model.tables": {"Z": [["1"]]}}, U, "a table that no variable has"),
    ("table-name", "pairwise", {"claim.model.variables.1.table": "H"}, U, "the name of a variable outside"),
    ("table-rows", "fixed", table("X", ["1/3", "2/3"]), U, "has not 2 rows of 2 entries"),
    ("table-not-lowest", "fixed", table("X", ["2/6", "2/3"], ["1", "0"]), U, "lowest terms"),
    ("table-decimal", "fixed", table("X", ["0.5", "0.5"], ["1", "0"]), U, "not a fraction"),
    ("table-number", "fixed", table("X", [1, 0], ["1", "0"]), U, "text"),
    ("table-negative", "fixed", table("X", ["-1/3", "4/3"], ["1", "0"]), U, "not positive"),
    ("table-sum", "fixed", table("X", ["1/3", "1/3"], ["1", "0"]), U, "do not sum to 1"),
    ("table-sum-of-names", "fixed", table("X", ["1/3", "2/3"], [HALF, HALF]), U, "do not sum to 1"),
    ("table-empty-entry", "fixed", table("X", ["1/3", "2/3"], [{}, "1"]), U, "empty"),
    (
        "table-name-without-value",
        "fixed",
        table("X", ["1/3", "2/3"], [{"a": "1"}, {"1": "1", "a": "-1"}]),
        U,
        "no value",
    ),
    ("names-unused", "fixed", {"claim.model.names.a": "1/2"}, U, "does not occur in a table"),
    ("names-of-one", "fixed", {"claim.model.names.1": "1/2"}, U, "a table that no variable has"),
    ("names-vanishing", "fixed", {"claim.model.names": {"P(X=0|H=1)": "0", "P(Y=0|H=0)": "1/2"}}, U, "not positive"),
    ("names-outside", "fixed", {"claim.model.names": {"P(X=0|H=1)": "1", "P(Y=0|H=0)": "1/2"}}, U, "not positive"),
    ("share-shape", "districts-shared", {"claim.model.variables.2.states": 3}, U, "two shapes"),
    ("table-another-number", "fixed", table("X", ["1/3", "2/3"], ["1/3", "2/3"]), U, "does not occur"),
    ("matrix-key", "flattening", {f"{UPPER}.matrices.0.rank": 1}, U, "unknown key 'rank'"),
    ("matrix-state", "flattening", {f"{UPPER}.matrices.0.state": [0]}, U, "not a state of C"),
    ("matrix-blocks", "koszul", {f"{UPPER}.matrices.0.order": ...}, U, "two blocks, or three with an order"),
    ("pairs-form", "flattening", {f"{UPPER}.matrices.0.pairs": [3, 3]}, U, "pairs is not a list"),
    ("projection-form", "projection", {f"{UPPER}.matrices.0.projection": [[1, 0, 0], [0, 1]]}, U, "rows of 3 integers"),
    ("field-key", "symmetry", {f"{UPPER}.fields.0.rank": 2}, U, "unknown key 'rank'"),
]
"""Models and matrices that are not in the format."""

KERNEL_FORM = "normal-form-kernel"
KERNEL = {"kind": "symmetry", "value": 3, "prime": 8388593, "point": "algdim 1|0|point"}
CONSTANTS = {**KERNEL, "kind": "normal-form", "value": 5, "fields": [], "kernel": []}
OF_FIELDS = {"hidden": ["H_1", "H_2", "H_3"], "times": [["X_1"], ["X_2"], ["X_3"]]}
OF_TWO = {"hidden": ["H_1", "H_2"], "times": [["X_1"], ["X_2"]]}
NO_MATRIX = {"kind": "equations", "value": 5, "prime": 8388593, "point": "algdim 1|0|x", "matrices": []}
MINOR = {"kind": "rank", "value": 3, "prime": 8388593, "point": "algdim 1|0|x", "rows": [0, 1, 2], "columns": [0, 1, 2]}
STAR = [["F", f"X{k}"] for k in range(1, 5)]

KINDS = [
    (
        "gaussian-fields-other",
        "gaussian-fields",
        {f"{UPPER}.fields.0.v(F)": {"product": ["-1", "v(F)"]}},
        I,
        "a coordinate changes along a field",
    ),
    (
        "gaussian-fields-less",
        "gaussian-fields",
        {f"{UPPER}.fields.1.m(X1)": ...},
        I,
        "a coordinate changes along a field",
    ),
    ("gaussian-fields-one", "gaussian-fields", {f"{UPPER}.fields.1": ...}, I, "symmetry shows 13, not 12"),
    (
        "gaussian-fields-fixed",
        "gaussian-fields",
        {"claim.model.fixed": {"v(F)": "1"}, "claim.standard": 13},
        U,
        "a field that moves what is no parameter",
    ),
    (
        "gaussian-fields-cycle",
        "gaussian-fields",
        {"claim.model.edges": [*STAR, ["X1", "F"]], "claim.standard": 15},
        U,
        "cycle",
    ),
    (
        "gaussian-fields-quotient",
        "gaussian-fields",
        {f"{UPPER}.fields.0.v(F)": {"quotient": ["v(F)", "m(F)"]}},
        U,
        "a field with a quotient",
    ),
    (
        "gaussian-fields-errors",
        "gaussian-fields",
        {"claim.model.bidirected": [["X1", "X2"]], "claim.standard": 15, "claim.dimension": 12},
        I,
        "symmetry shows 13, not 12",
    ),
    (
        "summed-out-value",
        "loglinear-summed-out",
        {"claim.dimension": 4, f"{UPPER}.value": 4, f"{UPPER}.upper.value": 4},
        I,
        "counting shows 5, not 4",
    ),
    (
        "summed-out-twice",
        "loglinear-summed-out",
        {f"{UPPER}.hidden": ["G", "H", "G"]},
        I,
        "G is not a hidden variable that is left",
    ),
    (
        "summed-out-observed",
        "loglinear-summed-out",
        {f"{UPPER}.hidden": ["G", "H", "C"]},
        I,
        "C is not a hidden variable",
    ),
    ("summed-out-unknown", "loglinear-summed-out", {f"{UPPER}.hidden": ["Z"]}, I, "Z is not a hidden variable"),
    (
        "summed-out-too-early",
        "loglinear-summed-out",
        {f"{UPPER}.hidden": ["H", "G"]},
        I,
        "H is in several interactions",
    ),
    ("summed-out-less", "loglinear-summed-out", {f"{UPPER}.hidden": ["G"]}, I, "counting shows 9, not 5"),
    ("summed-out-gap", "loglinear-summed-out", {"claim.model.effects.5": ..., "claim.standard": 10}, I, "not all sets"),
    ("summed-out-key", "loglinear-summed-out", {f"{UPPER}.effects": []}, U, "unknown key 'effects'"),
    (
        "summed-out-network",
        "secants",
        {UPPER: {"kind": "one-interaction", "value": 29, "hidden": ["H"], "upper": {"kind": "counting", "value": 5}}},
        U,
        "unknown kind",
    ),
    (
        "copy-claims-5",
        "districts-kept",
        {
            "claim.dimension": 5,
            f"{LOWER}.value": 5,
            f"{LOWER}.parts.2.value": 4,
            f"{LOWER}.parts.2.rows": [0, 2, 4, 6],
            f"{LOWER}.parts.2.columns": [0, 1, 2, 3],
            UPPER: {"kind": "counting", "value": 5},
        },
        I,
        "the minor of 4 rows vanishes",
    ),
    (
        "copy-claims-5-by-ranks",
        "districts-zeros",
        {
            "claim.dimension": 5,
            f"{LOWER}.rows": [0, 1, 6, 7, 2],
            f"{LOWER}.columns": [0, 1, 2, 3, 4],
            f"{LOWER}.value": 5,
            UPPER: {"kind": "counting", "value": 5},
        },
        U,
        "2 after 7",
    ),
    (
        "districts-of-ties",
        "ties-districts",
        {
            f"{LOWER}.parts.0.value": 2,
            f"{LOWER}.value": 4,
            f"{UPPER}.parts.0.value": 2,
            f"{UPPER}.value": 4,
        },
        I,
        "shows",
    ),
    ("constants-of-a-possible-cell", "districts-zeros", {f"{UPPER}.constants": [1, 2, 3, 4]}, I, "not constant"),
    ("constants-twice", "districts-zeros", {f"{UPPER}.constants": [2, 2, 4, 5]}, I, "occurs twice"),
    ("constants-beyond", "districts-zeros", {f"{UPPER}.constants": [2, 3, 4, 8]}, U, "8 is not below 8"),
    ("constants-missing", "districts-zeros", {f"{UPPER}.constants": [2, 3, 4]}, I, "equations shows 4, not 3"),
    ("equations-of-nothing", "districts-zeros", {UPPER: {**NO_MATRIX, "constants": []}}, I, "equations shows 7, not 5"),
    (
        "exchangeable-other-tables",
        "exchangeable",
        {f"{UPPER}.exchangeable": [["A", "C"], ["B", "D"]]},
        I,
        "A and C are not exchangeable",
    ),
    ("common-one", "common", {f"{UPPER}.matrices.0.common": [["X_1"]]}, U, "groups of observed variables"),
    ("common-twice", "common", {f"{UPPER}.matrices.0.common": [["X_1"], ["X_1"]]}, U, "groups of observed variables"),
    ("common-empty", "common", {f"{UPPER}.matrices.0.common": [[], []]}, U, "groups of observed variables"),
    ("common-hidden", "common", {f"{UPPER}.matrices.0.common": [["X_1"], ["H_2"]]}, U, "groups of observed variables"),
    ("common-key", "common", {f"{UPPER}.matrices.0.S": ["H_1"]}, U, "unknown key"),
    ("common-pair", "common", {f"{UPPER}.matrices.0.pairs": [[1, 0]]}, I, "does not name"),
    (
        "common-of-free-tables",
        "flattening",
        {f"{UPPER}.matrices": [{"common": [["X1"], ["X2"]], "pairs": []}]},
        I,
        "groups whose tables differ",
    ),
    (
        "common-other-sizes",
        "common",
        {f"{UPPER}.matrices.0.common": [["X_1", "X_2"], []]},
        I,
        "observed, or none",
    ),
    (
        "common-roots",
        "shared-parent",
        {UPPER: {**NO_MATRIX, "constants": [], "matrices": [{"common": [["A"], ["E"]], "pairs": []}]}},
        I,
        "observed, or none",
    ),
    (
        "common-with-children",
        "chain-fields",
        {UPPER: {**NO_MATRIX, "constants": [], "matrices": [{"common": [["X_1"], ["X_2"]], "pairs": [[0, 0]]}]}},
        I,
        "the evidence needs 4",
    ),
    ("chain-order", "chain", {f"{UPPER}.matrices.0.hidden": ["H_1", "H_3", "H_2"]}, I, "other tables, or parents"),
    ("chain-backwards", "chain", {f"{UPPER}.matrices.0.hidden": 3 * ["H_1"]}, U, "hidden variables, each once"),
    (
        "chain-observed",
        "chain",
        {f"{UPPER}.matrices.0.hidden": ["H_1", "X_2", "H_3"]},
        U,
        "hidden variables, each once",
    ),
    (
        "chain-shorter",
        "chain",
        {f"{UPPER}.matrices.0.hidden": ["H_1", "H_2"], f"{UPPER}.matrices.0.times": [["X_1"], ["X_2"]]},
        I,
        "not all that is observed",
    ),
    ("chain-times", "chain", {f"{UPPER}.matrices.0.times": [["X_1"], ["X_2"]]}, U, "for each time"),
    ("chain-words-and-reversed", "chain", {f"{UPPER}.matrices.0.words": 1}, U, "not both"),
    ("chain-neither", "chain", {f"{UPPER}.matrices.0.reversed": ...}, U, "not both"),
    ("chain-word-length", "chain-words", {f"{UPPER}.matrices.0.words": 4}, U, "words of some of the times"),
    ("chain-pair", "chain", {f"{UPPER}.matrices.0.pairs": [[1, 0]]}, I, "does not name"),
    ("chain-fewer-pairs", "chain", {f"{UPPER}.matrices.0.pairs": [[0, 0]]}, I, "equations shows"),
    ("chain-turning-reversed", "chain-turning", {f"{UPPER}.matrices.0.reversed": True}, I, "not reversible"),
    (
        "chain-not-stationary",
        "chain-fields",
        {UPPER: {**NO_MATRIX, "constants": [], "matrices": [{**OF_FIELDS, "reversed": False, "pairs": []}]}},
        I,
        "not stationary",
    ),
    (
        "chain-other-items",
        "latent-tree-of-two",
        {
            UPPER: {
                **NO_MATRIX,
                "constants": [],
                "matrices": [
                    {"hidden": ["G", "H"], "times": [["A", "B"], ["C", "D"]], "words": 1, "pairs": []},
                ],
            }
        },
        I,
        "other tables, or parents",
    ),
    (
        "chain-moves-that-differ",
        "chain-varying",
        {UPPER: {**NO_MATRIX, "constants": [], "matrices": [{**OF_FIELDS, "words": 1, "pairs": []}]}},
        I,
        "moves that are not the same",
    ),
    (
        "chain-fields-of-moves-that-differ",
        "chain-varying",
        {UPPER: {**KERNEL, "fields": [OF_FIELDS]}},
        I,
        "moves that differ",
    ),
    (
        "chain-from-the-middle",
        "chain-fork",
        {UPPER: {**NO_MATRIX, "constants": [], "matrices": [{**OF_FIELDS, "words": 1, "pairs": []}]}},
        I,
        "not those of a chain",
    ),
    ("chain-fields-value", "chain-fields", {f"{UPPER}.value": 21}, I, "symmetry shows 22, not 21"),
    ("chain-fields-key", "chain-fields", {f"{UPPER}.fields.0.words": 1}, U, "unknown key"),
    (
        "chain-fields-of-four",
        "chain-words",
        {
            UPPER: {
                **KERNEL,
                "fields": [{"hidden": [f"H_{k}" for k in "1234"], "times": [[f"X_{k}"] for k in "1234"]}],
            }
        },
        I,
        "more than three times",
    ),
    (
        "chain-fields-of-few-states",
        "common",
        {UPPER: {**KERNEL, "fields": [{"hidden": ["H_1", "H_2"], "times": [["X_1"], ["X_2"]]}]}},
        I,
        "the rank of all its columns",
    ),
    (
        "chain-fields-turning",
        "chain-turning",
        {UPPER: {**KERNEL, "fields": [{"hidden": ["H1", "H2", "H3"], "times": [["X1"], ["X2"], ["X3"]]}]}},
        I,
        "not its parameter times the start",
    ),
    ("chain-fields-without-start", "chain-start", {UPPER: {**KERNEL, "fields": [OF_TWO]}}, I, "does not start"),
    ("chain-fields-elsewhere", "chain-tied", {UPPER: {**KERNEL, "fields": [OF_TWO]}}, I, "that occurs elsewhere"),
    ("chain-fields-twice", "chain-equal", {UPPER: {**KERNEL, "fields": [OF_TWO]}}, I, "two entries of a move"),
    ("span-through", "span", {f"{UPPER}.matrices.0.through": ["H2", "H3"]}, I, "not the children"),
    ("span-through-none", "span", {f"{UPPER}.matrices.0.through": []}, I, "not the children"),
    ("span-rows", "span", {f"{UPPER}.matrices.0.blocks": [["X5"], ["X1", "X3", "X4"]]}, I, "with parents"),
    ("span-overlap", "span", {f"{UPPER}.matrices.0.blocks": [["X1"], ["X1", "X4"]]}, I, "overlap"),
    ("span-rank", "span", {f"{UPPER}.matrices.0.blocks": [["X1"], ["X5"]]}, I, "the evidence needs 5"),
    ("span-and-separation", "span", {f"{UPPER}.matrices.0.S": ["H2"]}, U, "unknown key"),
    ("span-of-three", "span", {f"{UPPER}.matrices.0.order": 1}, U, "unknown key"),
    ("pencil-two-blocks", "pencil", {f"{UPPER}.matrices.0.blocks": [["A"], ["B"]]}, U, "three blocks"),
    ("pencil-of-one-variable", "pencil", {f"{UPPER}.matrices.0.D": []}, I, "overlap or are empty"),
    (
        "pencil-overlap",
        "pencil",
        {f"{UPPER}.matrices.0.C": ["D"], f"{UPPER}.matrices.0.state": [0]},
        I,
        "overlap or are empty",
    ),
    ("pencil-same-hidden", "pencil", {f"{UPPER}.matrices.0.H": ["G"]}, I, "in common"),
    (
        "pencil-other-side",
        "pencil",
        {f"{UPPER}.matrices.0.G": ["H"], f"{UPPER}.matrices.0.H": ["G"]},
        I,
        "are not separated",
    ),
    (
        "pencil-not-square",
        "pencil",
        {f"{UPPER}.matrices.0.H": ["G", "H"], f"{UPPER}.matrices.0.G": ["G"]},
        I,
        "in common",
    ),
    (
        "pencil-larger",
        "pencil",
        {f"{UPPER}.matrices.0.blocks": [["A"], ["D", "B"], ["Y"]], f"{UPPER}.matrices.0.D": ["D"]},
        I,
        "overlap",
    ),
    ("pencil-pair", "pencil", {f"{UPPER}.matrices.0.pairs": [[0, 7]]}, I, "does not name"),
    ("pencil-state", "pencil", {f"{UPPER}.matrices.0.state": [0]}, U, "not a state"),
    ("pencil-key", "pencil", {f"{UPPER}.matrices.0.order": 1}, U, "unknown key"),
    ("pencil-hidden-block", "pencil", {f"{UPPER}.matrices.0.blocks": [["A"], ["B"], ["H"]]}, U, "a block"),
    ("pencil-missing", "pencil", {f"{UPPER}.matrices": []}, I, "equations shows"),
    (
        "pencil-twice",
        "pencil",
        {"claim.dimension": 6, f"{UPPER}.value": 6, f"{UPPER}.matrices.0.pairs": [[0, 0], [0, 0]]},
        I,
        "equations shows",
    ),
    ("determinants-other-way", "determinants", {f"{DETERMINANTS}.chain": ["G", "H"]}, I, "otherwise than as a chain"),
    ("determinants-one-of-two", "determinants", {f"{DETERMINANTS}.chain": ["H"]}, I, "a function of ['C'] and ['D']"),
    ("determinants-no-chain", "determinants", {f"{DETERMINANTS}.chain": []}, I, "the chain is empty"),
    ("determinants-twice", "determinants", {f"{DETERMINANTS}.chain": ["H", "H"]}, I, "not of different variables"),
    ("determinants-of-a-block", "determinants", {f"{DETERMINANTS}.chain": ["H", "C"]}, I, "that are summed out"),
    ("determinants-unknown", "determinants", {f"{DETERMINANTS}.chain": ["H", "Z"]}, I, "that are summed out"),
    ("determinants-chain", "determinants", {f"{DETERMINANTS}.chain": "H"}, U, "not a list"),
    (
        "determinants-ends",
        "determinants",
        {f"{DETERMINANTS}.blocks": [["C"], ["B"], ["A"], ["D"]]},
        I,
        "otherwise than as a chain",
    ),
    (
        "determinants-overlap",
        "determinants",
        {f"{DETERMINANTS}.blocks": [["A"], ["B"], ["C"], ["C"]]},
        I,
        "overlap or are empty",
    ),
    ("determinants-empty", "determinants", {f"{DETERMINANTS}.blocks": [["A"], ["B"], ["C"], []]}, I, "or are empty"),
    ("determinants-blocks", "determinants", {f"{DETERMINANTS}.blocks": [["A"], ["B"], ["C"]]}, U, "four blocks"),
    ("determinants-one-row", "determinants", {f"{DETERMINANTS}.rows": [0]}, I, "as many rows and columns"),
    ("determinants-row-twice", "determinants", {f"{DETERMINANTS}.rows": [0, 0]}, I, "occurs twice"),
    ("determinants-row-order", "determinants", {f"{DETERMINANTS}.columns": [1, 0]}, U, "must be increasing"),
    ("determinants-row-beyond", "determinants", {f"{DETERMINANTS}.columns": [0, 2]}, U, "2 is not below 2"),
    ("determinants-state", "determinants", {f"{DETERMINANTS}.state": [0]}, U, "not a state"),
    ("determinants-pair-beyond", "determinants", {f"{DETERMINANTS}.pairs": [[0, 1]]}, I, "does not name"),
    ("determinants-key", "determinants", {f"{DETERMINANTS}.S": ["H"]}, U, "unknown key"),
    ("determinants-missing", "determinants", {f"{UPPER}.matrices": []}, I, "equations shows 15, not 14"),
    ("determinants-value", "determinants", {f"{UPPER}.value": 13}, I, "equations shows 14, not 13"),
    ("determinants-gaussian", "gaussian-minors", {f"{UPPER}.matrices.0.chain": ["F"]}, U, "unknown key"),
    (
        "determinants-of-both",
        "determinants-joined",
        {f"{DETERMINANTS}.blocks": [["D"], ["E"], ["A"], ["C"]], f"{DETERMINANTS}.C": ["B"]},
        I,
        "a function of ['A'] and ['C']",
    ),
    (
        "determinants-summed-out",  # of B, which is conditioned on and an argument of two tables
        "determinants-joined",
        {f"{DETERMINANTS}.blocks": [["D"], ["E"], ["A"], ["C"]], f"{DETERMINANTS}.C": [], f"{DETERMINANTS}.state": []},
        I,
        "otherwise than as a chain",
    ),
    (
        "determinants-two-tables",  # A and C are in two tables between the same two of the chain, which are multiplied entry by entry
        "two-tables",
        {
            UPPER: {
                **NO_MATRIX,
                "constants": [],
                "matrices": [
                    {
                        "blocks": [["B"], ["D"], ["A"], ["C"]],
                        "C": [],
                        "chain": ["H"],
                        "state": [],
                        "rows": [0, 1],
                        "columns": [0, 1],
                        "pairs": [[0, 0]],
                    }
                ],
            }
        },
        I,
        "a function of ['A'] and ['C']",
    ),
    (
        "determinants-larger",
        "determinants-joined",
        {f"{DETERMINANTS}.chain": ["H"]},
        I,
        "a function of ['C'] and ['B']",
    ),
    (
        "determinants-sizes",
        "determinants-three",
        {f"{DETERMINANTS}.chain": ["G", "H"], f"{DETERMINANTS}.rows": [0, 1]},
        I,
        "as many rows",
    ),
    ("determinants-no-letters", "determinants-forms", {f"{DETERMINANTS}.blocks.4": []}, I, "overlap or are empty"),
    (
        "determinants-letters-of-both",
        "determinants-forms",
        {f"{DETERMINANTS}.blocks": [["A"], ["E"], ["D"], [], [], ["B"]]},
        I,
        "otherwise than as a chain",
    ),
    (
        "determinants-letters-overlap",
        "determinants-forms",
        {f"{DETERMINANTS}.blocks": [["A"], ["E"], ["B"], [], ["B"], ["D"]]},
        I,
        "overlap or are empty",
    ),
    (
        "determinants-states-as-letters",
        "determinants-forms",
        {f"{DETERMINANTS}.blocks": [["A"], ["E"], ["B"], [], ["D"], []]},
        I,
        "otherwise than as a chain",
    ),
    ("determinants-five-blocks", "determinants-forms", {f"{DETERMINANTS}.blocks.5": ...}, U, "four blocks, or six"),
    ("determinants-half", "determinants-pair", {f"{DETERMINANTS}.blocks.1": ["A"]}, U, "3 is not below 2"),
    (
        "pencil-of-what-matters",
        "pencil-given",
        {f"{UPPER}.matrices.0.C": ["D"], f"{UPPER}.matrices.0.D": ["C"]},
        I,
        "the inner table may depend on",
    ),
    (
        "pencil-sizes",
        "pencil-given",
        {
            f"{UPPER}.matrices.0.blocks": [["A", "D"], ["B"], ["Y"]],
            f"{UPPER}.matrices.0.C": [],
            f"{UPPER}.matrices.0.D": ["C"],
            f"{UPPER}.matrices.0.state": [],
        },
        I,
        "not square",
    ),
    ("grid-not-separating", "grid", {f"{UPPER}.matrices.0.G": ["H2"], f"{UPPER}.matrices.0.H": ["H1"]}, I, "separated"),
    ("grid-one-hidden", "grid", {f"{UPPER}.matrices.0.H": []}, I, "empty"),
    ("grid-twice", "grid", {f"{UPPER}.matrices.0.H": ["H1"]}, I, "in common"),
    ("grid-blocks", "grid", {f"{UPPER}.matrices.0.blocks": [["X1"], ["X4"], ["X2"], ["X2"]]}, I, "overlap"),
    ("grid-inner", "grid", {f"{UPPER}.matrices.0.blocks": [["X2"], ["X4"], ["X1"], ["X3"]]}, I, "separated"),
    ("grid-three-blocks", "grid", {f"{UPPER}.matrices.0.blocks": [["X1"], ["X2"], ["X3"]]}, U, "four blocks"),
    ("grid-minors", "grid", {f"{UPPER}.matrices.0.minors": [[0, 1, 1, 1]]}, U, "minors"),
    ("grid-same-minor", "grid", {f"{UPPER}.matrices.0.minors": [[0, 1, 0, 1], [0, 1, 0, 1]]}, U, "minors"),
    ("grid-no-minors", "grid", {f"{UPPER}.matrices.0.minors": []}, U, "minors"),
    ("grid-together", "grid", {f"{UPPER}.matrices.0.together": True}, I, "the evidence needs 5"),
    ("grid-pair", "grid", {f"{UPPER}.matrices.0.pairs": [[0, 1]]}, I, "does not name"),
    ("grid-state", "grid", {f"{UPPER}.matrices.0.state": [0]}, U, "not a state"),
    ("grid-gaussian", "gaussian-minors", {f"{UPPER}.matrices.0.minors": [[0, 1, 0, 1]]}, U, "unknown key"),
    ("supermodel-observed-first", "supermodel", {f"{UPPER}.averaged.0.parents": ["X"]}, I, "among its ancestors"),
    ("supermodel-itself", "supermodel", {f"{UPPER}.averaged.0.parents": ["H"]}, I, "among its ancestors"),
    ("supermodel-of-a-condition", "supermodel", {f"{UPPER}.averaged.0.widened": "A"}, I, "conditioned on"),
    ("supermodel-unknown", "supermodel", {f"{UPPER}.averaged.0.parents": ["Z"]}, U, "not in order"),
    ("supermodel-both", "supermodel", {f"{UPPER}.averaged.0.hidden": "H"}, U, "unknown key"),
    ("supermodel-number", "supermodel", {f"{UPPER}.averaged.0": 7}, U, "not an object"),
    ("supermodel-without", "supermodel", {f"{UPPER}.averaged": []}, I, "shows"),
    ("supermodel-value", "supermodel", {f"{UPPER}.upper.value": 3}, I, "shows"),
    *(
        (
            f"supermodel-table-{number}",
            "shared-items",
            {
                "claim.model.variables.2.table": table,
                "claim.model.variables.3.table": table,
                "claim.dimension": 3,
                LOWER: MINOR,
                UPPER: {
                    "kind": "containing",
                    "value": 3,
                    "averaged": [{"widened": "X", "parents": []}],
                    "upper": {"kind": "counting", "value": 3},
                },
            },
            I,
            "counting shows 5, not 3",
        )
        for number, table in enumerate(("s", "X free", "('X', 'free')"))
    ),
    ("reversed-no-parent", "reversed", {f"{UPPER}.averaged.0.child": "B"}, I, "H is not a parent of B"),
    ("reversed-not-there", "reversed", {f"{UPPER}.averaged.0.child": "Z"}, I, "H is not a parent of Z"),
    ("reversed-two-ways", "reversed", {f"{UPPER}.averaged.0.child": "Y"}, I, "an ancestor of Y in another way"),
    ("reversed-twice", "reversed", {f"{UPPER}.averaged.1": {"reversed": "H", "child": "A"}}, I, "not a parent of A"),
    ("reversed-of-a-condition", "reversed", {f"{UPPER}.averaged.0": {"reversed": "B", "child": "Y"}}, I, "conditioned"),
    (
        "reversed-gone",
        "reversed",
        {f"{UPPER}.averaged": [{"hidden": "H", "children": ["A", "Y"]}, {"reversed": "H", "child": "Y"}]},
        I,
        "or not left",
    ),
    ("reversed-both", "reversed", {f"{UPPER}.averaged.0.hidden": "H"}, U, "unknown key"),
    ("reversed-children", "reversed", {f"{UPPER}.averaged.0.child": ["A"]}, U, "not a short printable text"),
    (
        "reversed-without",
        "reversed",
        {f"{UPPER}.averaged": [{"hidden": "H", "children": ["A", "Y"]}], f"{UPPER}.value": 4},
        I,
        "shows 5, not 4",
    ),
    ("parts-value", "parts", {"claim.dimension": 12, f"{UPPER}.value": 12}, I, "parts shows 13, not 12"),
    ("parts-less", "parts", {f"{UPPER}.of.1.upper.value": 2}, I, "ambient shows 3, not 2"),
    ("parts-no-slice", "parts", {f"{UPPER}.of.1.slices": []}, I, "ambient shows 6, not 3"),
    ("parts-another-slice", "parts", {f"{UPPER}.of.1.slices": ["A"]}, U, "unknown, repeated or not in order"),
    ("parts-slice-twice", "parts", {f"{UPPER}.of.1.slices": ["H", "H"]}, U, "unknown, repeated or not in order"),
    ("parts-slice-of-nothing", "parts", {f"{UPPER}.of.0.slices": ["H"]}, U, "unknown, repeated or not in order"),
    ("parts-nothing-observed", "parts", {f"{UPPER}.observed": []}, I, "evidence for 4 parts; there are 1"),
    ("parts-all-observed", "parts", {f"{UPPER}.observed": ["H", "G"]}, I, "evidence for 4 parts; there are 5"),
    ("parts-other-observed", "parts", {f"{UPPER}.observed": ["G"]}, I, "evidence for 4 parts; there are 1"),
    ("parts-observed-already", "parts", {f"{UPPER}.observed": ["H", "A"]}, U, "observed: names that are unknown"),
    ("parts-observed-twice", "parts", {f"{UPPER}.observed": ["H", "H"]}, U, "observed: names that are unknown"),
    ("parts-one-state", "parts", {"claim.model.variables.0.states": 1, "claim.standard": 18}, I, "with one state"),
    ("parts-fewer", "parts", {f"{UPPER}.of": []}, I, "evidence for 0 parts"),
    ("parts-key", "parts", {f"{UPPER}.parts": []}, U, "unknown key 'parts'"),
    ("parts-of-key", "parts", {f"{UPPER}.of.0.times": 2}, U, "unknown key 'times'"),
    ("parts-no-slices", "parts", {f"{UPPER}.of.0.slices": ...}, U, "the key slices is missing"),
    (
        "parts-lower",
        "parts",
        {LOWER: {"kind": "parts", "value": 13, "observed": [], "of": []}},
        U,
        "unknown kind for a lower bound",
    ),
    ("parts-given-value", "parts-given", {"claim.dimension": 9, f"{UPPER}.value": 9}, I, "parts shows 10, not 9"),
    ("parts-given-other", "parts-given", {f"{UPPER}.of.0.slices": ["B"]}, I, "containing shows 6, not 5"),
    ("parts-given-all", "parts-given", {f"{UPPER}.of.0.slices": ["A", "B"]}, I, "containing shows"),
    ("parts-given-order", "parts-given", {f"{UPPER}.of.0.slices": ["B", "A"]}, U, "not in order"),
    ("parts-given-observed", "parts-given", {f"{UPPER}.observed": ["H"]}, I, "evidence for 1 parts; there are 3"),
    ("fewer-value", "fewer-states", {"claim.dimension": 12, f"{UPPER}.value": 12}, I, "fewer-states shows 13, not 12"),
    ("fewer-upper", "fewer-states", {f"{UPPER}.upper.value": 4}, I, "containing shows 5, not 4"),
    ("fewer-lower-more", "fewer-states", {f"{UPPER}.steps.1.lower.value": 4}, I, "are no minor of 4 rows"),
    (
        "fewer-lower-less",
        "fewer-states",
        {f"{UPPER}.steps.1.lower.{key}": value for key, value in (("value", 2), ("rows", [0, 1]), ("columns", [0, 1]))},
        I,
        "fewer-states shows 19, not 13",
    ),
    (
        "fewer-lower-above",
        "fewer-states",
        {f"{UPPER}.steps.1.lower": {"kind": "ambient", "value": 3}},
        U,
        "unknown kind for a lower bound",
    ),
    ("fewer-lower-of-another", "fewer-states", {f"{UPPER}.steps.1.variable": "B"}, I, "B does not get fewer states"),
    ("fewer-more-states", "fewer-states", {f"{UPPER}.steps.1.states": 3}, I, "vanishes modulo"),
    ("fewer-all-states", "fewer-states", {f"{UPPER}.steps.0.states": 4}, I, "B does not get fewer states"),
    ("fewer-one-state", "fewer-states", {f"{UPPER}.steps.0.states": 1}, I, "B does not get fewer states"),
    ("fewer-no-states", "fewer-states", {f"{UPPER}.steps.0.states": -1}, U, "not an integer from 0"),
    ("fewer-unknown", "fewer-states", {f"{UPPER}.steps.0.variable": "Z"}, I, "Z does not get fewer states"),
    (
        "fewer-hidden",
        "fewer-states",
        {"claim.model.variables.0.states": 4, "claim.standard": 25, f"{UPPER}.steps.0.variable": "H"},
        I,
        "H is not conditioned on",
    ),
    (
        "fewer-no-end",
        "fewer-states",
        {
            "claim.model.variables.1.states": 3,
            "claim.standard": 20,
            "claim.complete": 47,
            f"{UPPER}.steps.0.variable": "A",
        },
        I,
        "A is not conditioned on, and has children",
    ),
    (
        "fewer-other-order",
        "fewer-states",
        {f"{UPPER}.steps.0.variable": "C", f"{UPPER}.steps.1.variable": "B"},
        I,
        "vanishes",
    ),
    ("fewer-no-steps", "fewer-states", {f"{UPPER}.steps": []}, I, "containing shows 13, not 5"),
    (
        "fewer-nothing-left",
        "fewer-states",
        {"claim.model.variables.1.observed": False, "claim.model.variables.3.observed": False, "claim.complete": 3},
        I,
        "nothing else is shown",
    ),
    (
        "fewer-shared",
        "fewer-states",
        {"claim.model.variables.2.table": "s", "claim.model.variables.3.table": "s", "claim.standard": 9},
        I,
        "a table of B or of a child is not its own",
    ),
    (
        "fewer-fixed",
        "fewer-states",
        {"claim.model.tables": {"B": [["1/4"] * 4] * 2}, "claim.standard": 9},
        I,
        "is not its own",
    ),
    ("fewer-steps", "fewer-states", {f"{UPPER}.steps": {}}, U, "is not a list"),
    ("fewer-key", "fewer-states", {f"{UPPER}.steps.0.kept": 2}, U, "unknown key 'kept'"),
    ("fewer-no-upper", "fewer-states", {f"{UPPER}.upper": ...}, U, "the key upper is missing"),
    (
        "fewer-below",
        "fewer-states",
        {LOWER: {"kind": "fewer-states", "value": 13, "steps": [], "upper": {}}},
        U,
        "unknown kind for a lower bound",
    ),
    (
        "fewer-roots-forgotten",
        "fewer-states-root",
        {"claim.dimension": 13, f"{UPPER}.value": 13},
        I,
        "fewer-states shows 16, not 13",
    ),
    (
        "fewer-given-roots",
        "fewer-states-given",
        {"claim.model.given": ..., "claim.standard": 15, "claim.complete": 23},
        I,
        "fewer-states shows 13, not 11",
    ),
    (
        "fewer-fixed-child",
        "fewer-states-given",
        {"claim.model.tables": {"Y": [["1/3", "2/3"]] * 6}, "claim.standard": 7},
        I,
        "a table of X or of a child is not its own",
    ),
    ("differences-value", "differences", {"claim.dimension": 4, f"{UPPER}.value": 4}, I, "differences shows 5, not 4"),
    ("differences-less", "differences", {f"{UPPER}.parts.1.value": 1}, I, "counting shows 2, not 1"),
    ("differences-one-part", "differences", {f"{UPPER}.parts": []}, U, "two parts"),
    ("differences-hidden", "differences", {f"{UPPER}.variable": "H"}, I, "no free observed root"),
    ("differences-no-root", "differences", {f"{UPPER}.variable": "Y"}, I, "no free observed root"),
    ("differences-unknown", "differences", {f"{UPPER}.variable": "Z"}, I, "no free observed root"),
    (
        "differences-lower",
        "differences",
        {LOWER: {"kind": "differences", "value": 5}},
        U,
        "unknown kind for a lower bound",
    ),
    ("differences-reduced-twice", "differences", {f"{UPPER}.reduced": ["H", "H"]}, I, "H is not all that changes"),
    ("differences-reduced-first", "differences", {f"{UPPER}.reduced": ["Y"]}, I, "Y is not all that changes"),
    ("differences-reduced-on", "differences", {f"{UPPER}.reduced": ["H", "Y", "Y"]}, I, "Y is not all that changes"),
    ("differences-not-reduced", "differences", {f"{UPPER}.reduced": ["H"]}, I, "counting shows 3, not 2"),
    ("differences-order", "differences", {f"{UPPER}.order": ["Y"]}, I, "the order does not have"),
    ("differences-order-gone", "differences", {f"{UPPER}.order": ["H", "Y", "X"]}, I, "the order does not have"),
    ("differences-order-twice", "differences", {f"{UPPER}.order": ["Y", "X", "X"]}, I, "the order does not have"),
    (
        "differences-parents",
        "differences-given",
        {f"{UPPER}.order": ["X", "A", "Z", "H"]},
        I,
        "stands before one of its parents",
    ),
    ("differences-nothing", "differences-given", {f"{UPPER}.variable": "H"}, I, "no free observed root"),
    ("differences-of-a-parent", "differences-given", {f"{UPPER}.reduced": ["H"]}, I, "H is not all that changes"),
    ("differences-other", "differences-given", {f"{UPPER}.variable": "A"}, I, "Y is not all that changes"),
    ("given-outside-margin-less", "given-outside-margin", {f"{UPPER}.matrices.4.pairs.2": ...}, I, "equations shows 8"),
    (
        "normal-form-value",
        KERNEL_FORM,
        {"claim.dimension": 12, f"{UPPER}.value": 12},
        I,
        "normal-form shows 13, not 12",
    ),
    ("normal-form-without", KERNEL_FORM, {f"{UPPER}.kernel": []}, I, "normal-form shows 14, not 13"),
    ("normal-form-zero", KERNEL_FORM, {f"{UPPER}.kernel.0": {"p0": {"sum": []}}}, I, "normal-form shows 14, not 13"),
    ("normal-form-nothing", "normal-form", {f"{UPPER}.fields": []}, I, "normal-form shows 5, not 3"),
    (
        "normal-form-coefficient",
        KERNEL_FORM,
        {f"{UPPER}.kernel.0.p2.sum.0.product.0": "3"},
        I,
        "a cell changes along a vector",
    ),
    ("normal-form-entry", KERNEL_FORM, {f"{UPPER}.kernel.0.p2": ...}, I, "a cell changes along a vector"),
    ("normal-form-moved", KERNEL_FORM, {f"{UPPER}.kernel.0.p4": "1"}, I, "a cell changes along a vector"),
    ("normal-form-other", KERNEL_FORM, {f"{UPPER}.constants.p11": "1/3"}, I, "a cell changes along a vector"),
    ("normal-form-fewer", KERNEL_FORM, {f"{UPPER}.constants.p11": ...}, I, "a cell changes along a vector"),
    ("normal-form-state", KERNEL_FORM, {f"{UPPER}.constants.p1": "0"}, I, "not moved independently"),
    ("normal-form-more", KERNEL_FORM, {f"{UPPER}.constants.p5": "1/2"}, I, "not moved independently"),
    ("normal-form-constant", KERNEL_FORM, {f"{UPPER}.kernel.0.p2": "p1"}, U, "is not a fraction"),
    ("normal-form-unknown", KERNEL_FORM, {f"{UPPER}.kernel.0.p14": "1"}, U, "moves what is no parameter"),
    ("normal-form-quotient", KERNEL_FORM, {f"{UPPER}.kernel.0.p2": {"quotient": ["1", "p5"]}}, U, "with a quotient"),
    ("normal-form-vector", KERNEL_FORM, {f"{UPPER}.kernel.0": {}}, U, "a field is empty"),
    ("normal-form-vectors", KERNEL_FORM, {f"{UPPER}.kernel": {}}, U, "normal-form.kernel is not a list"),
    ("normal-form-name", KERNEL_FORM, {f"{UPPER}.constants.p14": "1"}, U, "a constant of what is no parameter"),
    ("normal-form-number", KERNEL_FORM, {f"{UPPER}.constants.p1": 1}, U, "not a short printable text"),
    ("normal-form-terms", KERNEL_FORM, {f"{UPPER}.constants.p0": "4/2"}, U, "not in lowest terms"),
    ("normal-form-empty", KERNEL_FORM, {f"{UPPER}.constants": {}}, U, "normal-form.constants is empty"),
    ("normal-form-no-kernel", KERNEL_FORM, {f"{UPPER}.kernel": ...}, U, "the key kernel is missing"),
    ("normal-form-key", KERNEL_FORM, {f"{UPPER}.rank": 13}, U, "unknown key 'rank'"),
    ("normal-form-prime", KERNEL_FORM, {f"{UPPER}.prime": 561}, I, "not a prime"),
    ("normal-form-divides", KERNEL_FORM, {f"{UPPER}.constants.p0": "1/5637041"}, I, "divides the denominator"),
    ("normal-form-point", KERNEL_FORM, {f"{UPPER}.point": "point"}, U, "begins with"),
    (
        "normal-form-lower",
        "normal-form",
        {LOWER: {**CONSTANTS, "value": 3, "constants": {"p1": "1"}}},
        U,
        "unknown kind for a lower bound",
    ),
    ("normal-form-field", "normal-form", {f"{UPPER}.fields.0.upper.value": 2}, I, "ambient shows 3, not 2"),
    (
        "normal-form-no-field",
        "normal-form-along",
        {f"{UPPER}.fields.0.along": {"p1": "1"}},
        I,
        "a coordinate changes along a field",
    ),
    # along what is a field only where parameters have constants, they cannot be given any
    (
        "normal-form-kernel-as-field",
        "normal-form-along",
        {f"{UPPER}.constants": {"p0": "0"}, f"{UPPER}.fields": [], f"{UPPER}.kernel": [{"p1": "1"}, {"p3": "1"}]},
        I,
        "not moved independently",
    ),
    ("normal-form-given-value", "normal-form-given", {f"{UPPER}.value": 5}, I, "normal-form shows 6, not 5"),
    # weights of C have no table that takes them: nothing moves H
    (
        "normal-form-chain",
        "districts",
        {UPPER: {**CONSTANTS, "constants": {"p5": "1/2"}}},
        I,
        "not moved independently",
    ),
    # X has a child: its states are not mixed, and all weights together move one of its rows
    (
        "normal-form-child",
        "symmetry-child",
        {UPPER: {**CONSTANTS, "constants": {"p1": "1/3", "p2": "2/3"}}},
        I,
        "not moved independently",
    ),
    # no weights are taken by tables that are fixed, or shared
    *(
        (
            f"normal-form-{base}",
            base,
            {UPPER: {**CONSTANTS, "constants": {name: "1/2"}}},
            I,
            "not moved independently",
        )
        for base, name in (("fixed-parent", "p0"), ("shared-parent", "p1"))
    ),
    # tables that are shared, or not free, are not moved
    (
        "normal-form-shared",
        "exchangeable",
        {UPPER: {**CONSTANTS, "constants": {"p2": "1"}}},
        I,
        "not moved independently",
    ),
    ("normal-form-table", "fixed", {UPPER: {**CONSTANTS, "constants": {"p1": "1/2"}}}, I, "not moved independently"),
    (
        "normal-form-sigmoid",
        "sigmoid-shared",
        {UPPER: {**CONSTANTS, "constants": {"p0": "1/2"}}},
        I,
        "an entry that is a quotient",
    ),
    ("exchangeable-all", "exchangeable", {f"{UPPER}.exchangeable": [["A", "B", "C", "D"]]}, I, "not exchangeable"),
    ("exchangeable-overlap", "exchangeable", {f"{UPPER}.exchangeable": [["A", "B"], ["A", "B"]]}, I, "overlap"),
    ("exchangeable-one", "exchangeable", {f"{UPPER}.exchangeable": [["A"], ["C", "D"]]}, U, "exchangeable"),
    ("exchangeable-none", "exchangeable", {f"{UPPER}.exchangeable": []}, U, "exchangeable"),
    ("exchangeable-hidden", "exchangeable", {f"{UPPER}.exchangeable": [["A", "H"]]}, U, "exchangeable"),
    ("exchangeable-missing", "exchangeable", {f"{UPPER}.exchangeable": [["A", "B"]]}, I, "equations shows"),
    ("exchangeable-condition", "exchangeable-given", {f"{UPPER}.exchangeable": [["Z", "A"]]}, I, "conditioned on"),
    ("exchangeable-of-free-tables", "flattening", {f"{UPPER}.exchangeable": [["X1", "X2"]]}, I, "not exchangeable"),
    ("exchangeable-gaussian", "gaussian-minors", {f"{UPPER}.exchangeable": [["A", "B"]]}, U, "exchangeable"),
    (
        "secants-half-symmetric",
        "exchangeable",
        {
            "claim.model.variables.1.states": 3,
            "claim.model.variables.2.states": 3,
            "claim.standard": 11,
            "claim.complete": 35,
            UPPER: {"kind": "secants", "value": 7},
        },
        I,
        "no latent class model with free tables",
    ),
    (
        "equations-twice",
        "flattening",
        {"claim.dimension": 12, f"{UPPER}.value": 12, f"{UPPER}.matrices.0.pairs": [[0, 0], [0, 0]]},
        I,
        "equations shows",
    ),
    ("equations-pair", "flattening", {f"{UPPER}.matrices.0.pairs": [[0, 3]]}, I, "the pair [0, 3] does not name"),
    ("equations-pair-of-three", "flattening", {f"{UPPER}.matrices.0.pairs": [[0, 0, 0]]}, I, "does not name"),
    ("flattening-not-separating", "flattening", {f"{UPPER}.matrices.0.S": []}, I, "are not separated"),
    (
        "flattening-overlap",
        "flattening",
        {f"{UPPER}.matrices.0.blocks": [["X1", "X2"], ["X2", "X3"]]},
        I,
        "overlap",
    ),
    ("flattening-empty", "flattening", {f"{UPPER}.matrices.0.blocks.0": []}, I, "empty"),
    ("flattening-order", "flattening", {f"{UPPER}.matrices.0.blocks.0": ["X2", "X1"]}, U, "not in order"),
    ("flattening-low-rank", "flattening", {f"{UPPER}.prime": 2}, I, "at the point"),
    ("koszul-order", "koszul", {f"{UPPER}.matrices.0.order": 2}, I, "order 2"),
    ("koszul-not-separating", "koszul", {f"{UPPER}.matrices.0.S": []}, I, "are not separated"),
    ("koszul-projection", "projection", {f"{UPPER}.matrices.0.projection.2": [1, 1, 0]}, I, "at the point"),
    ("symmetry-field", "symmetry", {f"{UPPER}.fields.0.upper.value": 1}, I, "ambient shows 2, not 1"),
    ("symmetry-twice", "symmetry", {f"{UPPER}.fields": []}, I, "symmetry shows 5, not 3"),
    (
        "symmetry-weak",
        "symmetry",
        {f"{UPPER}.fields.0.upper": {"kind": "counting", "value": 4}},
        I,
        "a local map has rank 2 at the point; the evidence needs 4",
    ),
    (
        "symmetry-shared",
        "shared-across",
        {f"{UPPER}": {**KERNEL, "fields": [{"hidden": ["H"], "upper": {"kind": "ambient", "value": 2}}]}},
        I,
        "occur elsewhere",
    ),
    ("trees-spliced", "reduced", {f"{UPPER}.value": 2, "claim.dimension": 2}, I, "trees shows 3, not 2"),
    ("nested-value", "nested", {f"{UPPER}.value": 10}, I, "nested shows 11, not 10"),
    ("nested-key", "nested", {f"{UPPER}.heads": []}, U, "unknown key 'heads'"),
    ("nested-on-the-other-side", "nested", {f"{LOWER}.kind": "nested"}, U, "unknown kind"),
    (
        "nested-one-state",
        "nested",
        {"claim.model.variables.4.states": 1, "claim.standard": 7},
        I,
        "nested shows 7, not 11",
    ),
    (
        "nested-one-more-child",
        "nested",
        {"claim.model.variables.2.parents": ["B", "U"], "claim.standard": 63},
        I,
        "nested shows 15, not 11",
    ),
    ("nested-observed", "nested", {"claim.model.variables.4.observed": True}, I, "saturated"),
    ("nested-given", "nested-given", {f"{UPPER}.parts.1.value": 7}, I, "nested shows 8, not 7"),
    ("pairwise-kind-value", "pairwise-blocks", {f"{UPPER}.value": 6}, I, "pairwise shows 7, not 6"),
    ("pairwise-one-block", "pairwise-blocks", {f"{UPPER}.blocks": [["X1", "X2"]]}, I, "not two blocks of all"),
    ("pairwise-missing", "pairwise-items", {f"{UPPER}.blocks.0": ["X1"]}, I, "not two blocks of all"),
    ("pairwise-overlap", "pairwise-items", {f"{UPPER}.blocks.1": ["X2", "X3"]}, I, "empty or overlap"),
    ("pairwise-others", "pairwise-items", {f"{UPPER}.blocks": [["X1"], ["X2", "X3"]]}, I, "pairwise shows 15, not 14"),
    ("pairwise-empty", "pairwise-blocks", {f"{UPPER}.blocks": [["X1", "X2"], []]}, I, "empty or overlap"),
    ("pairwise-order", "pairwise-items", {f"{UPPER}.blocks.0": ["X2", "X1"]}, U, "not in order"),
    ("pairwise-hidden-block", "pairwise-blocks", {f"{UPPER}.blocks": [["H"], ["X1", "X2"]]}, U, "unknown, repeated"),
    ("pairwise-not-separated", "pairwise-blocks", {f"{UPPER}.S": []}, I, "are not separated by"),
    ("pairwise-observed-separator", "pairwise-items", {f"{UPPER}.S": ["X1"]}, U, "unknown, repeated"),
    ("pairwise-kind-key", "pairwise-blocks", {f"{UPPER}.C": []}, U, "unknown key 'C'"),
    ("secants-value", "secants", {f"{UPPER}.value": 30}, I, "secants shows 29, not 30"),
    (
        "secants-both-values",
        "secants",
        {"claim.dimension": 28, f"{LOWER}.value": 28, f"{UPPER}.value": 28},
        I,
        "shows 29",
    ),
    (
        "secants-exception",
        "flattening",
        {"claim.dimension": 14, f"{UPPER}": {"kind": "secants", "value": 14}},
        I,
        "shows 13, not 14",
    ),
    (
        "secants-groups-value",
        "secants-groups",
        {"claim.dimension": 8, f"{UPPER}.value": 8},
        I,
        "secants shows 7, not 8",
    ),
    (
        "secants-groups-more-classes",
        "secants-groups",
        {"claim.model.variables.0.states": 4, "claim.standard": 11, "claim.dimension": 7},
        I,
        "secants shows 8, not 7",
    ),
    (
        "secants-groups-fixed",
        "secants-groups",
        {"claim.model.tables": {"X1": [["1/2", "1/2"]] * 3}, "claim.standard": 5},
        I,
        "the model is no latent class model with free tables",
    ),
    (
        "secants-groups-of-two",
        "secants-large-groups",
        {"claim.model.variables.3.table": ..., "claim.standard": 14, "claim.complete": 215},
        I,
        "the model is no latent class model with free tables",
    ),
    ("secants-items", "koszul", {UPPER: {"kind": "secants", "value": 26}}, I, "whose dimension is known"),
    (
        "secants-one-item-of-three",
        "secants",
        {"claim.model.variables.3.states": 3, "claim.standard": 34, "claim.complete": 47},
        I,
        "whose dimension is known",
    ),
    (
        "secants-shared",
        "secants",
        {"claim.model.variables.3.table": "s", "claim.model.variables.4.table": "s", "claim.standard": 24},
        I,
        "secants shows 23, not 29",
    ),
    ("secants-tree", "trees", {UPPER: {"kind": "secants", "value": 23}}, I, "no latent class model"),
    ("secants-fixed", "fixed", {UPPER: {"kind": "secants", "value": 7}}, I, "no latent class model"),
    ("secants-two-items", "secants-two", {f"{LOWER}.value": 8}, I, "secants shows 7, not 8"),
    ("secants-key", "secants", {f"{UPPER}.theorem": "x"}, U, "unknown key 'theorem'"),
    (
        "districts-kept-value",
        "districts-kept",
        {f"{UPPER}.parts.2.value": 1, f"{UPPER}.value": 2},
        I,
        "counting shows 2, not 1",
    ),
    ("districts-kept-row", "districts-kept", {f"{LOWER}.parts.2.rows": [0, 2]}, I, "vanishes"),
    ("districts-kept-kind", "districts-kept", {f"{LOWER}.parts.2": {"kind": "entries", "value": 2}}, U, "unknown kind"),
    (
        "districts-kept-ambient",
        "districts-kept",
        {f"{UPPER}.parts.2": {"kind": "ambient", "value": 1}},
        I,
        "ambient shows 2, not 1",
    ),
    ("along-value", "along", {f"{UPPER}.value": 1}, I, "symmetry shows 2, not 1"),
    ("along-field", "along", {f"{UPPER}.fields.0.along": {"p0": "1"}}, I, "a coordinate changes"),
    ("along-unknown", "along", {f"{UPPER}.fields.0.along": {"p3": "1"}}, U, "moves what is no parameter"),
    (
        "along-and-bound",
        "along",
        {f"{UPPER}.fields.0.upper": {"kind": "counting", "value": 3}},
        U,
        "along formulas or has a bound",
    ),
    ("along-nothing", "along", {f"{UPPER}.fields.0": {}}, U, "along formulas or has a bound"),
    ("along-empty", "along", {f"{UPPER}.fields.0.along": {}}, U, "empty"),
    (
        "along-quotient",
        "along",
        {f"{UPPER}.fields.0.along": {"p0": {"quotient": ["1", "p1"]}}},
        U,
        "a field with a quotient",
    ),
    ("along-hidden", "along-local", {f"{UPPER}.fields.0.hidden": ["X1"]}, U, "unknown, repeated"),
    ("along-elsewhere", "along", {f"{UPPER}.fields.0.hidden": []}, I, "a field that moves others"),
    ("along-another", "along-local", {f"{UPPER}.fields.0.along": {"p0": "1"}}, I, "a coordinate changes"),
    ("along-outside", "along-local", {f"{UPPER}.fields.0.along": {"p6": "1"}}, I, "a field that moves others"),
    (
        "along-sigmoid",
        "sigmoid-containing",
        {UPPER: {**KERNEL, "fields": [{"along": {"p0": "1"}}]}},
        I,
        "an entry that is a quotient",
    ),
    ("binary-items", "flattening", {UPPER: {"kind": "binary-items", "value": 13}}, U, "unknown kind"),
]
"""Evidence for discrete networks that does not show what it claims."""

EVIDENCE = [
    ("rank-value", "rank-cells", {f"{LOWER}.value": 6}, I, "no minor of 6 rows"),
    ("rank-prime-composite", "rank-cells", {f"{LOWER}.prime": 8388593 * 3}, I, "not a prime"),
    ("rank-prime-carmichael", "rank-cells", {f"{LOWER}.prime": 561}, I, "not a prime"),
    ("rank-prime-strong", "rank-cells", {f"{LOWER}.prime": 3215031751}, I, "not a prime"),
    ("rank-prime-one", "rank-cells", {f"{LOWER}.prime": 1}, I, "not a prime"),
    ("rank-prime-small", "rank-cells", {f"{LOWER}.prime": 2}, I, "vanishes modulo 2"),
    ("rank-prime-divides", "fixed", {f"{LOWER}.prime": 3}, I, "the prime 3 divides the denominator"),
    ("rank-rows-too-few", "rank-cells", {f"{LOWER}.rows": [0, 1, 2, 3, 4, 5]}, I, "no minor"),
    ("rank-row-twice", "rank-cells", {f"{LOWER}.rows": [0, 1, 2, 3, 4, 5, 5]}, I, "occurs twice"),
    ("rank-probe-twice", "rank-probes", {f"{LOWER}.rows": [*range(12), 11]}, I, "occurs twice"),
    ("rank-column-twice", "rank-cells", {f"{LOWER}.columns": [0, 1, 2, 3, 4, 5, 5]}, I, "occurs twice"),
    (
        "rank-singular",
        "districts",
        {
            LOWER: {
                "kind": "rank",
                "value": 10,
                "prime": 8388593,
                "point": "algdim 1|0|point|0",
                "rows": [*range(10)],
                "columns": [*range(10)],
            }
        },
        I,
        "vanishes",
    ),
    ("entries-of-a-hidden-model", "rank-cells", {LOWER: {"kind": "entries", "value": 7}}, I, "single observed table"),
    ("entries-value", "entries", {f"{LOWER}.value": 5}, I, "entries shows 4, not 5"),
    (
        "districts-of-one",
        "rank-cells",
        {LOWER: {"kind": "districts", "value": 7, "parts": [{"kind": "entries", "value": 7}]}},
        I,
        "one district",
    ),
    ("districts-parts", "districts", {f"{LOWER}.parts.2": ...}, I, "evidence for 2 parts; the model has 3"),
    ("districts-value", "districts", {f"{LOWER}.value": 10}, I, "districts shows 9, not 10"),
    (
        "districts-shared",
        "districts-shared",
        {
            LOWER: {
                "kind": "districts",
                "value": 5,
                "parts": [
                    {"kind": "entries", "value": 1},
                    {"kind": "entries", "value": 2},
                    {"kind": "entries", "value": 2},
                ],
            },
        },
        I,
        "evidence for 3 parts; the model has 2",
    ),
    ("counting-value", "rank-cells", {f"{UPPER}.value": 8}, I, "counting shows 7, not 8"),
    ("ambient-value", "rank-cells", {UPPER: {"kind": "ambient", "value": 8}}, I, "ambient shows 7, not 8"),
    ("ambient-too-weak", "flattening", {UPPER: {"kind": "ambient", "value": 15}}, I, "the upper bound is 15"),
    ("equations-prime", "flattening", {f"{UPPER}.prime": 15}, I, "not a prime"),
    ("equations-value", "flattening", {f"{UPPER}.value": 12}, I, "equations shows 13, not 12"),
    ("trees-value", "trees", {f"{UPPER}.value": 24}, I, "trees shows 23, not 24"),
    ("trees-parts", "trees", {f"{UPPER}.parts": []}, I, "evidence for 0 parts"),
    (
        "trees-no-parts",
        "trees-table",
        {f"{UPPER}.parts": [{"kind": "ambient", "value": 1}]},
        I,
        "no hidden variable is left",
    ),
    ("trees-no-tree", "districts", {UPPER: {"kind": "trees", "value": 9, "parts": []}}, I, "no latent tree"),
    ("trees-fixed-tables", "fixed", {UPPER: {"kind": "trees", "value": 5, "parts": []}}, I, "no latent tree"),
    ("kruskal-ranks", "kruskal", {f"{LOWER}.ranks": [16, 16, 1]}, I, "is less than 2"),
    ("kruskal-block", "kruskal", {f"{LOWER}.blocks.0": ["X1"]}, I, "does not show 16 independent classes"),
    ("kruskal-overlap", "kruskal", {f"{LOWER}.blocks": [["X1", "X2", "X3", "X4"]] * 3}, I, "without common items"),
    ("kruskal-prime", "kruskal", {f"{LOWER}.prime": 9}, I, "not a prime"),
    ("kruskal-value", "kruskal", {f"{LOWER}.value": 1040}, I, "kruskal shows 1039, not 1040"),
    (
        "kruskal-fixed-tables",
        "fixed",
        {
            LOWER: {
                "kind": "kruskal",
                "value": 5,
                "prime": 8388593,
                "point": "algdim 1|0|a",
                "probes": "algdim 1|0|b",
                "blocks": [["X"], ["Y"], ["Z"]],
                "ranks": [2, 2, 2],
            }
        },
        I,
        "free tables",
    ),
    ("containing-order", "containing", {f"{UPPER}.averaged.0.children": ["B", "C"]}, I, "containing shows 7, not 6"),
    ("containing-children", "containing", {f"{UPPER}.averaged.0.children": ["B"]}, I, "not the children"),
    ("containing-observed", "containing", {f"{UPPER}.averaged.0.hidden": "A"}, I, "not a hidden variable"),
    (
        "containing-ancestor",
        "containing",
        {
            "claim.model.variables.3.parents": ["H", "B"],
            "claim.standard": 20,
            "claim.complete": 7,
            UPPER: {"kind": "containing", "value": 6, "averaged": [{"hidden": "H", "children": ["C", "B"]}]},
        },
        I,
        "before one of its ancestors",
    ),
    ("symmetry-value", "symmetry", {f"{UPPER}.value": 2, "claim.dimension": 2}, I, "symmetry shows 3, not 2"),
    ("symmetry-prime", "symmetry", {f"{UPPER}.prime": 10}, I, "not a prime"),
]
"""What is in the format, but not true or not shown."""


def scale(h, **changes):
    """The scale of a latent variable, with one move changed."""
    move = {"of": [h, h], "coefficient": "1", "factor": []}
    return [{"move": "equation", **move}, {"move": "substitution", **move, **changes}]


MOVES = [
    ("gaussian-moves-twice", {f"{UPPER}.fields": [scale("F"), scale("F"), scale("F")]}, I, "symmetry shows 16, not 14"),
    ("gaussian-moves-observed", {f"{UPPER}.fields": [scale("A")]}, I, "A is not a latent variable"),
    ("gaussian-moves-missing", {f"{UPPER}.fields": [scale("F", of=["F", "G"])]}, I, "is fixed or missing"),
    (
        "gaussian-moves-fixed",
        {"claim.model.fixed": {"v(F)": "1"}, "claim.standard": 16},
        I,
        "is fixed or missing",
    ),
    (
        "gaussian-moves-unequal",
        {"claim.model.equal": {"v(F)": "l", "v(A)": "l"}, "claim.standard": 16, f"{UPPER}.fields": [scale("F")]},
        I,
        "not as its equals",
    ),
    ("gaussian-moves-unknown", {f"{UPPER}.fields": [scale("F", move="turn")]}, U, "an unknown move"),
    ("gaussian-moves-of", {f"{UPPER}.fields": [scale("F", of=["F"])]}, U, "an unknown move"),
    ("gaussian-moves-factor", {f"{UPPER}.fields": [scale("F", factor=["v(H)"])]}, I, "no parameter of the model"),
    ("gaussian-moves-coefficient", {f"{UPPER}.fields": [scale("F", coefficient="2/4")]}, U, "lowest terms"),
    ("gaussian-moves-key", {f"{UPPER}.fields": [scale("F", sign=1)]}, U, "unknown key 'sign'"),
]
"""Fields of the factor model with two factors."""

GAUSSIAN = [
    *((name, "gaussian-moves", changes, code, reason) for name, changes, code, reason in MOVES),
    ("gaussian-minors-pair", "gaussian-minors", {f"{UPPER}.matrices.0.pairs": [[0, 5]]}, I, "does not name"),
    (
        "gaussian-minors-twice",
        "gaussian-minors",
        {"claim.dimension": 11, f"{UPPER}.value": 11, f"{UPPER}.matrices.0.pairs": [[0, 0], [0, 0]]},
        I,
        "equations shows",
    ),
    ("gaussian-key", "gaussian-minors", {"claim.model.given": ["A"]}, U, "unknown key 'given'"),
    ("gaussian-no-means", "gaussian-minors", {"claim.model.means": ...}, U, "means is missing"),
    ("gaussian-means", "gaussian-minors", {"claim.model.means": 1}, U, "means is not true or false"),
    ("gaussian-variable", "gaussian-minors", {"claim.model.variables.0.name": "A"}, U, "occurs twice"),
    ("gaussian-edge", "gaussian-minors", {"claim.model.edges.0": ["F", "F"]}, U, "no edge"),
    ("gaussian-edge-twice", "gaussian-minors", {"claim.model.edges.0": ["F", "B"]}, U, "occurs twice"),
    ("gaussian-bidirected", "gaussian-cycle", {"claim.model.bidirected": [["A", "B"], ["B", "A"]]}, U, "occurs twice"),
    ("gaussian-bidirected-empty", "gaussian-cycle", {"claim.model.bidirected": []}, U, "is empty"),
    ("gaussian-fixed-empty", "gaussian-counting", {"claim.model.fixed": {}}, U, "is empty"),
    ("gaussian-fixed-entry", "gaussian-counting", {"claim.model.fixed": {"v( D)": "1"}}, U, "in the form"),
    ("gaussian-fixed-lowest", "gaussian-counting", {"claim.model.fixed": {"v(D)": "2/2"}}, U, "lowest terms"),
    ("gaussian-fixed-zero", "gaussian-counting", {"claim.model.fixed": {"m(D)": "-0"}}, U, "lowest terms"),
    ("gaussian-fixed-number", "gaussian-counting", {"claim.model.fixed": {"v(D)": 1}}, U, "text"),
    ("gaussian-fixed-negative", "gaussian-counting", {"claim.model.fixed": {"v(D)": "-1"}}, U, "negative"),
    ("gaussian-equal-kinds", "gaussian-counting", {"claim.model.equal": {"v(A)": "l", "m(A)": "l"}}, U, "another kind"),
    ("gaussian-equal-fixed", "gaussian-counting", {"claim.model.equal": {"v(D)": "l"}}, U, "fixed and named"),
    ("gaussian-kind", "gaussian-minors", {f"{UPPER}.kind": "containing"}, U, "unknown kind"),
    ("gaussian-rank-prime", "gaussian-minors", {f"{LOWER}.prime": 8388593 * 3}, I, "not a prime"),
    ("gaussian-rank-value", "gaussian-minors", {f"{LOWER}.value": 13}, I, "no minor of 13 rows"),
    ("gaussian-rank-row", "gaussian-minors", {f"{LOWER}.rows.11": 14}, U, "rows: 14 is not below 14"),
    ("gaussian-rank-twice", "gaussian-minors", {f"{LOWER}.rows.11": 12}, I, "occurs twice"),
    ("gaussian-rank-columns", "gaussian-minors", {f"{LOWER}.columns": [*range(2, 14)]}, I, "vanishes"),
    ("gaussian-rank-probe-twice", "gaussian-probes", {f"{LOWER}.rows": [*range(23), 22]}, I, "occurs twice"),
    ("gaussian-rank-probes", "gaussian-probes", {f"{LOWER}.probes": ...}, I, "vanishes"),
    ("gaussian-rank-prime-divides", "gaussian-constants-fixed", {f"{LOWER}.prime": 2}, I, "divides the denominator"),
    (
        "gaussian-rank-singular",
        "gaussian-cycle",
        {
            "claim.model.fixed": {"b(A->B)": "2", "b(B->A)": "1/2"},
            "claim.standard": 8,
            "claim.dimension": 8,
            UPPER: {"kind": "counting", "value": 8},
            f"{LOWER}.value": 8,
            f"{LOWER}.rows": [*range(8)],
            f"{LOWER}.columns": [*range(8)],
        },
        I,
        "has no inverse at the point",
    ),
    ("gaussian-counting-value", "gaussian-counting", {f"{UPPER}.value": 9}, I, "counting shows 10, not 9"),
    ("gaussian-ambient-value", "gaussian-ambient", {f"{UPPER}.value": 2}, I, "ambient shows 3, not 2"),
    ("gaussian-ambient-weak", "gaussian-minors", {UPPER: {"kind": "ambient", "value": 14}}, I, "the upper bound is 14"),
    ("gaussian-minors-value", "gaussian-minors", {f"{UPPER}.value": 11}, I, "equations shows 12, not 11"),
    ("gaussian-minors-prime", "gaussian-minors", {f"{UPPER}.prime": 15}, I, "not a prime"),
    ("gaussian-minors-cut", "gaussian-minors", {f"{UPPER}.matrices.0.right": []}, I, "not all treks"),
    ("gaussian-minors-side", "gaussian-minors", {f"{UPPER}.matrices.0.right": ["A"]}, I, "not all treks"),
    ("gaussian-minors-other", "gaussian-constants", {f"{UPPER}.constants": [0]}, I, "not constant"),
    ("gaussian-minors-variance", "gaussian-constants", {f"{UPPER}.constants": [2, 3, 3]}, I, "occurs twice"),
    ("gaussian-minors-overlap", "gaussian-minors", {f"{UPPER}.matrices.0.rows": ["A", "B"]}, I, "not all treks"),
    ("gaussian-minors-rank", "gaussian-minors", {f"{UPPER}.matrices.0.left": ["F"]}, I, "the evidence needs 2"),
    ("gaussian-minors-empty", "gaussian-minors", {f"{UPPER}.matrices.0.rows": []}, I, "without rows or columns"),
    ("gaussian-minors-latent", "gaussian-minors", {f"{UPPER}.matrices.0.rows": ["F", "A"]}, U, "unknown, repeated"),
    ("gaussian-minors-key", "gaussian-minors", {f"{UPPER}.matrices.0.rank": 1}, U, "unknown key 'rank'"),
    ("gaussian-moves-value", "gaussian-moves", {f"{UPPER}.value": 13}, I, "symmetry shows 14, not 13"),
    ("gaussian-moves-prime", "gaussian-moves", {f"{UPPER}.prime": 9}, I, "not a prime"),
]
"""Gaussian models: what is not in the format, not true or not shown."""


PROFILE = [
    ("profile-dimension", "profile", {"claim.dimension": 4}, I, "claimed is the dimension 4"),
    ("profile-standard", "profile", {"claim.standard": 4}, I, "5 parameters, not 4"),
    ("profile-complete", "profile", {"claim.complete": 5}, I, "saturated"),
    ("complete-null", "pairwise", {"claim.complete": None}, I, "saturated"),
    ("profile-one-class", "profile", {"claim.model.variables.0.states": 1}, I, "2 parameters, not 5"),
    ("profile-no-class", "profile", {"claim.model.variables.0.states": 0}, U, "too few states"),
    (
        "profile-too-large",
        "profile-items",
        {"claim.model.variables.0.states": 10000, "claim.model.variables.2.states": 40},
        U,
        "more than 300000 parameters",
    ),
    ("profile-class-without-states", "profile", {"claim.model.variables.0.states": ...}, U, "a class without states"),
    (
        "profile-two-classes",
        "profile",
        {"claim.model.variables.1.observed": False},
        U,
        "the first variable alone",
    ),
    ("profile-observed", "profile", {"claim.model.variables.0.observed": True}, U, "the first variable alone"),
    (
        "profile-observed-number",
        "profile",
        {"claim.model.variables.1.observed": 1},
        U,
        "not true or false",
    ),
    ("profile-no-item", "profile", {"claim.model.variables": []}, U, "the first variable alone"),
    ("profile-twice", "profile", {"claim.model.variables.1.name": "H"}, U, "occurs twice"),
    ("profile-categorical", "profile", {"claim.model.variables.1.states": 3}, U, "no continuous item"),
    ("profile-state", "profile-items", {"claim.model.variables.2.states": 1}, U, "too few states"),
    ("profile-huge", "profile", {"claim.model.variables.0.states": 10_001}, U, "too many"),
    ("profile-moments", "profile", {"claim.model.moments": 5}, U, "unknown key 'moments'"),
    ("profile-edges", "profile", {"claim.model.edges": []}, U, "unknown key 'edges'"),
    ("profile-covariances", "profile", {"claim.model.covariances": {}}, U, "covariances is empty"),
    (
        "profile-covariances-null",
        "profile",
        {"claim.model.covariances": None},
        U,
        "null instead of an omitted key",
    ),
    ("profile-covariances-false", "profile", {"claim.model.covariances": {"full": False}}, U, "not true"),
    ("profile-covariances-one", "profile", {"claim.model.covariances": {"equal": 1}}, U, "not true"),
    ("profile-covariances-equal", "profile", {"claim.model.covariances": {"equal": True}}, I, "4 parameters, not 5"),
    ("profile-rank-prime", "profile", {f"{LOWER}.prime": 8388593 * 3}, I, "not a prime"),
    ("profile-rank-value", "profile", {f"{LOWER}.value": 6}, I, "no minor of 6 rows"),
    ("profile-rank-row-twice", "profile", {f"{LOWER}.rows": [0, 1, 2, 3, 3]}, I, "occurs twice"),
    (
        "profile-rank-column",
        "profile",
        {f"{LOWER}.columns": [0, 1, 2, 3, 5]},
        U,
        "columns: 5 is not below 5",
    ),
    ("profile-rank-row", "profile", {f"{LOWER}.rows": [0, 1, 2, 3, 100]}, U, "of an order above 100"),
    ("profile-rank-probes", "profile", {f"{LOWER}.probes": "algdim 1|0|probes"}, U, "no probes"),
    (
        "profile-rank-vanishes",
        "profile-items",
        {f"{LOWER}.rows": [*range(20)]},
        I,
        "vanishes modulo",
    ),
    ("profile-counting-value", "profile", {f"{UPPER}.value": 4}, I, "counting shows 5, not 4"),
    ("profile-ambient", "profile", {f"{UPPER}.kind": "ambient"}, U, "unknown kind"),
]
"""Latent-profile models: the same."""

ADDITIVE = [
    ("additive-dimension", "additive", {"claim.dimension": 12}, I, "claimed is the dimension 12"),
    ("additive-standard", "additive", {"claim.standard": 13}, I, "14 parameters, not 13"),
    ("additive-complete", "additive", {"claim.complete": 10}, I, "saturated"),
    ("additive-mixture-complete", "additive-mixture", {"claim.complete": 14}, I, "saturated"),
    ("additive-states", "additive", {"claim.model.variables.0.states": 2}, I, "parameters, not 14"),
    ("additive-one-state", "additive", {"claim.model.variables.0.states": 1}, U, "too few states"),
    ("additive-counting-value", "additive-counting", {f"{UPPER}.value": 4}, I, "counting shows 5, not 4"),
    ("additive-counting-rates-value", "additive-counting-rates", {f"{UPPER}.value": 2}, I, "counting shows 3, not 2"),
    ("additive-normal-value", "additive-normal", {f"{UPPER}.value": 6}, I, "shifts shows 5, not 6"),
    ("additive-normal-rank", "additive-normal", {f"{LOWER}.value": 6}, I, "no minor of 6 rows"),
    ("additive-family", "additive", {"claim.model.family": "normal"}, I, "parameters, not 14"),
    ("additive-effect", "additive", {"claim.model.effect": "A"}, U, "is the effect"),
    ("additive-no-mechanism", "additive", {"claim.model.mechanisms": []}, U, "not inside one mechanism"),
    ("additive-cause", "additive", {"claim.model.mechanisms.0": ["A", "C"]}, U, "a mechanism that is none"),
    ("additive-cause-twice", "additive", {"claim.model.mechanisms.0": ["A", "A"]}, U, "a mechanism that is none"),
    ("additive-edge-back", "additive", {"claim.model.edges": [["A", "B"], ["B", "A"]]}, U, "cycle"),
    ("additive-edge-twice", "additive", {"claim.model.edges": [["A", "B"], ["A", "B"]]}, U, "occurs twice"),
    (
        "additive-mixture-twice",
        "additive-mixture",
        {"claim.model.mechanisms.1": ["B", "H"]},
        U,
        "not inside one mechanism",
    ),
    (
        "additive-mixture-outside",
        "additive-mixture",
        {"claim.model.edges": [["B", "H"]]},
        U,
        "a mechanism that is none",
    ),
    ("additive-mixture-cause", "additive-mixture", {"claim.model.edges": [["H", "A"]]}, U, "depends on a hidden"),
    ("additive-key", "additive", {"claim.model.leak": True}, U, "unknown key 'leak'"),
    ("additive-rank-probes", "additive", {f"{LOWER}.probes": "algdim 1|0|probes"}, U, "no probes"),
    ("additive-rank-value", "additive", {f"{LOWER}.value": 12}, I, "no minor of 12 rows"),
    ("additive-rank-order", "additive-mixture", {f"{LOWER}.rows.13": 2 + 401}, U, "is not below"),
    ("additive-rank-prime", "additive", {f"{LOWER}.prime": 8388593 * 3}, I, "not a prime"),
    ("additive-shifts-value", "additive", {f"{UPPER}.value": 12}, I, "shifts shows 11, not 12"),
    ("additive-shifts-counting", "additive", {f"{UPPER}.kind": "counting"}, I, "counting shows 14, not 11"),
    ("additive-shifts-ambient", "additive", {f"{UPPER}.kind": "ambient"}, U, "unknown kind"),
    ("several-dimension", "several-rates", {"claim.dimension": 18}, I, "claimed is the dimension 18"),
    ("several-standard", "several-rates", {"claim.standard": 18}, I, "20 parameters, not 18"),
    ("several-complete", "several-rates", {"claim.complete": 11}, I, "saturated"),
    ("several-lower", "several-rates", {f"{LOWER}.value": 16}, I, "shifts shows 17, not 16"),
    ("several-upper", "several-rates", {f"{UPPER}.value": 18}, I, "shifts shows 17, not 18"),
    ("several-counting", "several-rates", {f"{UPPER}.kind": "counting"}, I, "counting shows 20, not 17"),
    ("several-rank", "several-rates", {f"{LOWER}.kind": "rank"}, U, "unknown kind"),
    ("several-maxima", "several-rates", {"claim.model.family": "max-poisson"}, U, "several effects that are no sums"),
    ("several-same", "several-rates", {"claim.model.effects.1.name": "E"}, U, "occurs twice or is a variable"),
    ("several-variable", "several-rates", {"claim.model.effects.1.name": "A"}, U, "occurs twice or is a variable"),
    ("several-none", "several-rates", {"claim.model.effects": []}, U, "or none"),
    ("several-no-mechanism", "several-rates", {"claim.model.effects.1.mechanisms": []}, U, "an effect without"),
    (
        "several-twice",
        "several-rates",
        {"claim.model.effects.1.mechanisms.0": ["H", "H"]},
        U,
        "a mechanism that is none",
    ),
    ("several-unknown", "several-rates", {"claim.model.effects.1.mechanisms.0": ["E"]}, U, "a mechanism that is none"),
    ("several-cycle", "several-rates", {"claim.model.edges": [["A", "H"], ["H", "A"]]}, U, "cycle"),
    ("several-key", "several-rates", {"claim.model.least": 2}, U, "unknown key 'least'"),
    ("several-normal-complete", "several-normal", {"claim.complete": 11}, I, "saturated"),
    ("several-normal-law", "several-normal", {"claim.model.family": "poisson"}, I, "parameters, not 25"),
    ("several-normal-lower", "several-normal", {f"{LOWER}.value": 22}, I, "shifts shows 23, not 22"),
    ("several-hidden-counting", "several-hidden", {f"{UPPER}.value": 7}, I, "counting shows 8, not 7"),
    ("several-hidden-complete", "several-hidden", {"claim.complete": 2}, I, "saturated"),
    (
        "several-many",
        "several-all",
        {"claim.model.variables.0.states": 10000, "claim.model.variables.1.states": 10000},
        U,
        "more than 300000 parameters",
    ),
    ("several-in-one-lower", "several-in-one", {f"{LOWER}.value": 14}, I, "shifts shows 13, not 14"),
    ("several-outside", "several-all", {"claim.model.effects.0.mechanisms": [["A", "H"]]}, U, "is in no mechanism"),
    ("several-all-counting", "several-all", {f"{UPPER}.value": 12}, I, "counting shows 11, not 12"),
    ("several-all-lower", "several-all", {f"{LOWER}.value": 12}, I, "shifts shows 11, not 12"),
    ("additive-shifts-lower", "additive", {f"{LOWER}": {"kind": "shifts", "value": 10}}, I, "shifts shows 11, not 10"),
    ("greatest-dimension", "greatest-rates", {"claim.dimension": 13}, I, "claimed is the dimension 13"),
    ("greatest-complete", "greatest-rates", {"claim.complete": 11}, I, "saturated"),
    ("greatest-lower", "greatest-rates", {f"{LOWER}.value": 13}, I, "order-statistics shows 14, not 13"),
    ("greatest-counting", "greatest-rates", {f"{UPPER}.value": 13}, I, "counting shows 14, not 13"),
    ("greatest-as-sum", "greatest-rates", {"claim.model.family": "poisson"}, I, "saturated"),
    ("greatest-shifts", "greatest-rates", {f"{UPPER}.kind": "shifts"}, U, "unknown kind"),
    ("greatest-least", "greatest-rates", {"claim.model.least": 1}, U, "no number of the mechanisms"),
    ("greatest-law", "greatest-normal", {"claim.model.family": "max-poisson"}, I, "parameters, not 16"),
    ("greatest-normal-lower", "greatest-normal", {f"{LOWER}.value": 15}, I, "order-statistics shows 16, not 15"),
    ("greatest-normal-counting", "greatest-normal", {f"{UPPER}.value": 15}, I, "counting shows 16, not 15"),
    ("greatest-cause", "greatest-normal", {"claim.model.edges": [["H", "A"]]}, U, "depends on a hidden"),
    ("ordered-lower", "ordered-rates", {f"{LOWER}.value": 12}, I, "order-statistics shows 13, not 12"),
    ("ordered-counting", "ordered-rates", {f"{UPPER}.value": 12}, I, "counting shows 13, not 12"),
    (
        "ordered-no-least",
        "ordered-rates",
        {"claim.model.least": None},
        U,
        "unknown key 'least', or null",
    ),
    ("ordered-one", "ordered-rates", {"claim.model.least": 1}, U, "no number of the mechanisms"),
    ("ordered-too-many", "ordered-rates", {"claim.model.least": 4}, U, "no number of the mechanisms"),
    ("ordered-as-greatest", "ordered-rates", {"claim.model.family": "max-poisson"}, U, "no number of the mechanisms"),
    ("ordered-normal-lower", "ordered-normal", {f"{LOWER}.value": 11}, I, "order-statistics shows 12, not 11"),
    ("ordered-normal-counting", "ordered-normal", {f"{UPPER}.value": 11}, I, "counting shows 12, not 11"),
    ("ordered-rank", "ordered-normal", {f"{LOWER}.kind": "rank"}, U, "unknown kind"),
    ("ordered-sum", "additive", {f"{LOWER}": {"kind": "order-statistics", "value": 11}}, U, "unknown kind"),
    ("shifts-discrete", "pairwise", {f"{UPPER}.kind": "shifts"}, U, "unknown kind"),
]
"""Additive models: the same."""


def rule_without_condition():
    """A tree whose decomposition without reduction gives 8; the true dimension is 7."""
    data = prove("3(2,2,3(2))").data
    parts = [{"kind": "ambient", "value": 11}, {"kind": "ambient", "value": 5}]
    node = {"kind": "trees", "value": 8, "parts": parts}
    return changed(data, {"claim.dimension": 8, LOWER: node, UPPER: node})


TABLES = "claim.model.tables"
SIGMOID = [
    ("sigmoid-word", "sigmoid", {f"{TABLES}.X1": "Sigmoid"}, U, "not a list"),
    ("sigmoid-rows", "sigmoid", {f"{TABLES}.X1": ["sigmoid"]}, U, "not a list"),
    ("sigmoid-of-nobody", "sigmoid", {f"{TABLES}.X9": "sigmoid"}, U, "a table that no variable has"),
    ("sigmoid-states", "sigmoid", {"claim.model.variables.2.states": 3}, U, "a sigmoid table has two states"),
    ("sigmoid-free", "sigmoid", {f"{TABLES}.X1": ...}, I, "15 parameters, not 14"),
    ("sigmoid-names", "sigmoid", {"claim.model.names": {"a": "1/2"}}, U, "does not occur in a table"),
    ("sigmoid-dimension", "sigmoid", {"claim.dimension": 15}, I, "claimed is the dimension 15"),
    ("sigmoid-vanishing", "sigmoid", {f"{LOWER}.prime": 2}, I, "vanishes at the point"),
    ("sigmoid-entries-more", "sigmoid-entries", {f"{LOWER}.parts.2.value": 4}, I, "entries shows 3, not 4"),
    ("sigmoid-entries-less", "sigmoid-entries", {f"{LOWER}.parts.2.value": 2}, I, "entries shows 3, not 2"),
    (
        "sigmoid-tree-of-others",
        "sigmoid",
        {UPPER: {"kind": "trees", "value": 14, "parts": []}},
        I,
        "no latent tree with free tables",
    ),
    ("sigmoid-shared-shape", "sigmoid-shared", {"claim.model.variables.2.parents": ["A"]}, U, "two shapes"),
    (
        "sigmoid-kept",
        "sigmoid-containing",
        {f"{UPPER}.averaged": [{"hidden": "T", "children": ["H1", "H2"]}], f"{UPPER}.value": 17},
        I,
        "containing shows 18, not 17",
    ),
    ("multinomial-fewer", "multinomial", {f"{TABLES}.X": "adjacent"}, I, "10 parameters, not 12"),
    ("multinomial-more", "adjacent", {f"{TABLES}.X": "multinomial"}, I, "parameters, not"),
    ("multinomial-vanishing", "multinomial", {f"{LOWER}.parts.1.prime": 3}, I, "vanishes"),
    ("multinomial-states", "multinomial", {f"{TABLES}.A": "sigmoid"}, U, "a sigmoid table has two states"),
    ("adjacent-dimension", "adjacent", {"claim.dimension": 14}, I, "claimed is the dimension 14"),
    ("cumulative-word", "cumulative", {f"{TABLES}.X": "proportional"}, U, "not a list"),
    ("cumulative-vanishing", "cumulative", {f"{LOWER}.parts.1.prime": 2}, I, "vanishes"),
    (
        "logit-kruskal",
        "logit-wide",
        {UPPER: {"kind": "secants", "value": 7}},
        I,
        "no latent class model with free tables",
    ),
    ("logit-entries-more", "logit-entries", {f"{LOWER}.value": 5}, I, "shows 4, not 5"),
    (
        "rasch-shared",
        "sum-scores",
        {
            "claim.model.variables.1.table": "s",
            "claim.model.variables.2.table": "s",
            f"{TABLES}.s": "rasch",
            f"{TABLES}.X1": ...,
            f"{TABLES}.X2": ...,
        },
        U,
        "two shapes",
    ),
    ("rasch-levels", "rasch", {f"{TABLES}.X": "adjacent"}, I, "parameters, not"),
    ("rasch-alone", "rasch-districts", {"claim.model.variables.1.parents": []}, I, "parameters, not"),
    ("sum-scores-less", "sum-scores", {UPPER: {"kind": "sum-scores", "value": 6}}, I, "sum-scores shows 7, not 6"),
    ("sum-scores-of-others", "sum-scores", {f"{TABLES}.X1": "cumulative", "claim.standard": 12}, I, "parameters, not"),
    ("sum-scores-one-free", "sum-scores", {f"{TABLES}.X1": ..., "claim.standard": 16}, I, "not the rasch children"),
]
"""Tables of log-odds: the same."""

VARIABLES = "claim.model.variables"
FIVE = {"kind": "counting", "value": 5}
CLASSIFIER = [
    ("classifier-dimension", "classifier", {"claim.dimension": 5}, I, "claimed is the dimension 5"),
    ("classifier-standard", "classifier", {"claim.standard": 6}, I, "7 parameters, not 6"),
    ("classifier-complete", "classifier", {"claim.complete": 5}, I, "saturated"),
    ("classifier-class", "classifier", {"claim.model.class": "Z"}, U, "the class is no variable"),
    ("classifier-another-class", "classifier-tables", {"claim.model.class": "X1"}, I, "saturated"),
    ("classifier-no-class", "classifier", {"claim.model.class": ...}, U, "the key class is missing"),
    ("classifier-hidden", "classifier", {f"{VARIABLES}.1.observed": False}, U, "not all variables are observed"),
    ("classifier-given", "classifier", {"claim.model.given": ["Y"]}, U, "not all variables are observed"),
    ("classifier-zero", "classifier", {"claim.model.tables": {"Y": [["1", "0"]]}}, U, "an entry that is 0"),
    ("classifier-sigmoid", "classifier", {"claim.model.tables": {"A": "sigmoid"}}, U, "not written as rows"),
    ("classifier-rank-value", "classifier", {f"{LOWER}.value": 5}, I, "no minor of 5 rows"),
    ("classifier-rank-row", "classifier", {f"{LOWER}.rows": [0, 1, 2, 4]}, U, "4 is not below 4"),
    ("classifier-rank-twice", "classifier-probes", {f"{LOWER}.rows.1": 0}, I, "occurs twice"),
    (
        "classifier-rank-vanishes",
        "classifier-tables",
        {f"{LOWER}.columns": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11]},
        I,
        "vanishes modulo",
    ),
    ("classifier-rank-zero", "classifier", {f"{LOWER}.prime": 2}, I, "vanishes at the point"),
    ("classifier-ambient", "classifier", {f"{UPPER}.value": 5}, I, "ambient shows 4, not 5"),
    ("classifier-counting", "classifier", {UPPER: {"kind": "counting", "value": 4}}, I, "counting shows 7, not 4"),
    ("classifier-tables-more", "classifier-tables", {f"{UPPER}.value": 12}, I, "class-tables shows 11, not 12"),
    ("classifier-tables-less", "classifier-tables", {f"{UPPER}.value": 10}, I, "class-tables shows 11, not 10"),
    ("classifier-tables-none", "classifier-tables", {f"{UPPER}.tables": []}, I, "class-tables shows 12, not 11"),
    ("classifier-tables-all", "classifier-tables", {f"{UPPER}.tables": ["Y"]}, I, "class-tables shows 15, not 11"),
    (
        "classifier-tables-without",
        "classifier-tables",
        {f"{UPPER}.tables": ["X1"]},
        U,
        "unknown, repeated or not in order",
    ),
    ("classifier-tables-twice", "classifier-tables", {f"{UPPER}.tables": ["X2", "X2"]}, U, "unknown, repeated"),
    ("classifier-entries", "classifier", {f"{LOWER}": {"kind": "entries", "value": 4}}, U, "unknown kind"),
    (
        "embedded-inputs",
        "embedded",
        {f"{TABLES}.Y.variables": [{"name": "Y", "states": 2, "observed": True, "parents": []}]},
        U,
        "are not the variable and its parents",
    ),
    ("embedded-states", "embedded", {f"{TABLES}.Y.variables.1.states": 3}, U, "are not the variable and its parents"),
    ("embedded-class", "embedded", {f"{TABLES}.Y.class": "X1"}, U, "are not the variable and its parents"),
    (
        "embedded-family",
        "embedded",
        {f"{TABLES}.Y.family": "discrete"},
        U,
        "neither rows nor log-odds nor a classifier",
    ),
    ("embedded-shared", "embedded", {f"{VARIABLES}.0.table": "Y"}, U, "two shapes"),
    ("embedded-nested", "embedded", {f"{TABLES}.Y.tables": {"Y": {"family": "classifier"}}}, U, "not written as rows"),
    ("embedded-parameters", "embedded", {"claim.standard": 12}, I, "14 parameters, not 12"),
    ("embedded-value", "embedded", {f"{UPPER}.parts.1.value": 3}, I, "classifiers shows 4, not 3"),
    ("embedded-inner", "embedded", {f"{UPPER}.parts.1.of.0.upper.value": 3}, I, "class-tables shows 4, not 3"),
    ("embedded-of", "embedded", {f"{UPPER}.parts.1.of.0.name": "X1"}, I, "X1 has no classifier"),
    ("embedded-of-nobody", "embedded", {f"{UPPER}.parts.1.of.0.name": "Z"}, U, "unknown, repeated"),
    (
        "embedded-as-entries",
        "embedded",
        {f"{LOWER}.parts.1": {"kind": "entries", "value": 7}},
        I,
        "entries shows 0, not 7",
    ),
]
"""Classifiers, alone and in the place of a table: the same."""

FORMULA = "claim.model.coordinates.0.formula"
FORMULAS = [
    ("loglinear-dimension", "loglinear", {"claim.dimension": 10}, I, "claimed is the dimension 10"),
    ("loglinear-standard", "loglinear", {"claim.standard": 8}, I, "9 parameters, not 8"),
    ("loglinear-complete", "loglinear", {"claim.complete": 10}, I, "saturated"),
    ("loglinear-effect", "loglinear", {"claim.model.effects.0": ["D"]}, U, "unknown, repeated or not in order"),
    ("loglinear-effect-twice", "loglinear", {"claim.model.effects.1": ["A"]}, U, "empty or occurs twice"),
    ("loglinear-effect-empty", "loglinear", {"claim.model.effects.0": []}, U, "empty or occurs twice"),
    ("loglinear-parents", "loglinear", {f"{VARIABLES}.0.parents": []}, U, "unknown key 'parents'"),
    ("loglinear-all-hidden", "loglinear-ambient", {f"{VARIABLES}.0.observed": False}, U, "no variable is observed"),
    ("loglinear-one-state", "loglinear", {f"{VARIABLES}.0.states": 1}, U, "too few states"),
    ("loglinear-rank-value", "loglinear", {f"{LOWER}.value": 10}, I, "no minor of 10 rows"),
    ("loglinear-rank-vanishes", "loglinear-class", {f"{LOWER}.prime": 2}, I, "vanishes"),
    ("loglinear-counting", "loglinear", {f"{UPPER}.value": 8}, I, "counting shows 9, not 8"),
    ("loglinear-ambient-value", "loglinear-ambient", {f"{UPPER}.value": 2}, I, "ambient shows 1, not 2"),
    ("loglinear-blocks", "loglinear-class", {f"{UPPER}.blocks": [["X1"]]}, I, "no partition"),
    ("loglinear-blocks-twice", "loglinear-class", {f"{UPPER}.blocks": [["X1"], ["X1"], ["X2"]]}, I, "no partition"),
    (
        "loglinear-blocks-joined",
        "loglinear",
        {UPPER: {"kind": "latent-class", "value": 9, "blocks": [["A"], ["B"], ["C"]], "upper": FIVE}},
        I,
        "joins two blocks",
    ),
    ("class-tables-lower-value", "classifier-open", {f"{LOWER}.value": 11}, I, "class-tables shows 10, not 11"),
    ("class-tables-lower-counted", "classifier-open", {f"{LOWER}.tables": ["Y"]}, I, "not shown to be a lower bound"),
    (
        "class-tables-lower-not-full",
        "classifier-tables",
        {"claim.dimension": 12, LOWER: {"kind": "class-tables", "value": 12, "tables": []}},
        I,
        "claimed is the dimension 12",
    ),
    (
        "class-tables-lower-small-child",
        "classifier-tables",
        {LOWER: {"kind": "class-tables", "value": 11, "tables": []}},
        I,
        "not shown to be a lower bound",
    ),
    (
        "class-tables-lower-shared",
        "classifier-open",
        {f"{VARIABLES}.2.table": "s", f"{VARIABLES}.3.table": "s", "claim.standard": 11},
        I,
        "not shown to be a lower bound",
    ),
    (
        "class-tables-lower-fixed",
        "classifier-fixed",
        {LOWER: {"kind": "class-tables", "value": 3, "tables": []}},
        I,
        "not shown to be a lower bound",
    ),
    ("loglinear-class-value", "loglinear-class", {f"{UPPER}.value": 6}, I, "latent-class shows 7, not 6"),
    ("loglinear-symmetry-value", "loglinear-symmetry", {f"{UPPER}.value": 0}, I, "symmetry shows 1, not 0"),
    (
        "loglinear-symmetry-field",
        "loglinear-symmetry",
        {f"{UPPER}.fields.0": {"t(A=1)": "1"}},
        I,
        "a coordinate changes",
    ),
    ("polynomial-dimension", "polynomial", {"claim.dimension": 3}, I, "claimed is the dimension 3"),
    ("polynomial-standard", "polynomial", {"claim.standard": 2}, I, "3 parameters, not 2"),
    ("polynomial-complete", "polynomial-ambient", {"claim.complete": 3}, I, "saturated"),
    ("polynomial-complete-less", "polynomial-sums", {"claim.complete": 5}, I, "saturated"),
    ("polynomial-name", "polynomial", {"claim.model.parameters.0": "b"}, U, "occurs twice"),
    ("polynomial-unknown", "polynomial", {FORMULA: "d"}, U, "not a fraction"),
    ("polynomial-decimal", "polynomial", {FORMULA: "0.5"}, U, "not a fraction"),
    ("polynomial-number", "polynomial", {FORMULA: 2}, U, "not an object"),
    ("polynomial-two-words", "polynomial", {FORMULA: {"sum": ["a"], "product": ["b"]}}, U, "no formula"),
    ("polynomial-no-word", "polynomial", {FORMULA: {}}, U, "no formula"),
    ("polynomial-quotient", "polynomial", {FORMULA: {"quotient": ["a", "b", "c"]}}, U, "no formula"),
    (
        "polynomial-by-zero",
        "polynomial",
        {FORMULA: {"quotient": ["a", {"sum": ["b", {"product": ["-1", "b"]}]}]}},
        U,
        "a quotient by zero",
    ),
    ("polynomial-exponent", "polynomial", {FORMULA: {"power": ["a", 1001]}}, U, "an exponent above 1000"),
    ("polynomial-exponent-negative", "polynomial", {FORMULA: {"power": ["a", -1]}}, U, "not an integer from 0"),
    ("polynomial-coordinate-twice", "polynomial", {"claim.model.coordinates.0.name": "f2"}, U, "occurs twice"),
    ("polynomial-no-coordinate", "polynomial", {"claim.model.coordinates": []}, U, "no coordinate"),
    (
        "polynomial-power",
        "polynomial",
        {FORMULA: {"power": [{"power": [{"sum": ["a", "b", "c", "1"]}, 100]}, 100]}},
        U,
        "more than 250000000 steps",
    ),
    ("polynomial-rank-value", "polynomial", {f"{LOWER}.value": 3}, I, "no minor of 3 rows"),
    ("polynomial-rank-vanishes", "polynomial-fields", {f"{LOWER}.prime": 2}, I, "vanishes"),
    (
        "polynomial-ambient-value",
        "polynomial-ambient",
        {f"{UPPER}": {"kind": "ambient", "value": 3}},
        I,
        "ambient shows 2, not 3",
    ),
    ("polynomial-counting-value", "polynomial-counting", {f"{UPPER}.value": 3}, I, "counting shows 2, not 3"),
    ("polynomial-symmetry-value", "polynomial", {f"{UPPER}.value": 1}, I, "symmetry shows 2, not 1"),
    (
        "polynomial-symmetry-two",
        "polynomial",
        {f"{UPPER}.value": 1, f"{UPPER}.fields": [{"a": "a", "b": {"product": ["-1", "b"]}, "c": "c"}] * 2},
        I,
        "symmetry shows 2, not 1",
    ),
    (
        "polynomial-field",
        "polynomial",
        {f"{UPPER}.fields.0": {"a": "a", "b": "b", "c": "c"}},
        I,
        "a coordinate changes along",
    ),
    ("polynomial-field-at-the-point", "polynomial", {f"{UPPER}.fields.0": {"a": "1"}}, I, "a coordinate changes along"),
    ("polynomial-field-unknown", "polynomial", {f"{UPPER}.fields.0": {"d": "1"}}, U, "moves what is no parameter"),
    (
        "polynomial-field-quotient",
        "polynomial",
        {f"{UPPER}.fields.0": {"a": {"quotient": ["1", "b"]}}},
        U,
        "a field with a quotient",
    ),
    ("polynomial-sums-value", "polynomial-sums", {f"{UPPER}.value": 4}, I, "equations shows 5, not 4"),
    (
        "polynomial-sums-blocks",
        "polynomial-sums",
        {f"{UPPER}.matrices.0.blocks": [["a", "b", "c", "d", "e", "f"]]},
        I,
        "not one term of the first block",
    ),
    ("polynomial-sums-no-blocks", "polynomial-sums", {f"{UPPER}.matrices.0.blocks": []}, U, "not of one length"),
    (
        "polynomial-sums-overlap",
        "polynomial-sums",
        {f"{UPPER}.matrices.0.blocks": [["a", "b", "c"], ["c", "d", "e", "f"]]},
        I,
        "blocks that overlap",
    ),
    (
        "polynomial-sums-missing",
        "polynomial-sums",
        {f"{UPPER}.matrices.0.blocks": [["a", "b", "c"], ["d", "e"]]},
        I,
        "a term that is not of one block",
    ),
    ("polynomial-sums-rows", "polynomial-sums", {f"{UPPER}.matrices.0.rows.1": [3, 1, 4]}, I, "not the rank 1"),
    ("polynomial-sums-row", "polynomial-sums", {f"{UPPER}.matrices.0.rows.1": [1, 3]}, U, "not of one length"),
    (
        "polynomial-sums-number",
        "polynomial-sums",
        {f"{UPPER}.matrices.0.rows.1": [1, 3, 6]},
        U,
        "beyond the coordinates",
    ),
    ("polynomial-sums-constants", "polynomial-sums", {f"{UPPER}.constants": [0]}, I, "not constant"),
    ("polynomial-sums-pairs", "polynomial-sums", {f"{UPPER}.matrices.0.pairs": [[0, 1]]}, I, "does not name"),
    ("polynomial-deep", "polynomial", {FORMULA: deep(160)}, U, "150 deep"),
]
"""Log-linear models and maps given by formulas: the same."""

EFFECT = f"{UPPER}.parts.3.effects.0"
MECHANISMS = [
    ("mechanisms-value", "mechanisms-max", {f"{UPPER}.parts.3.value": 11}, I, "mechanisms shows 12, not 11"),
    ("mechanisms-value-less", "mechanisms-parity", {f"{UPPER}.parts.3.value": 3}, I, "mechanisms shows 4, not 3"),
    ("mechanisms-level", "mechanisms-max", {f"{EFFECT}.levels.0": [0, 1, 0]}, I, "is no product over the parents"),
    (
        "mechanisms-one-level",
        "mechanisms-max",
        {f"{EFFECT}.levels": [[1, 1, 0]]},
        I,
        "do not tell the states of E apart",
    ),
    ("mechanisms-level-short", "mechanisms-max", {f"{EFFECT}.levels.0": [1, 0]}, U, "has not 3 numbers"),
    ("mechanisms-twice", "mechanisms-max", {f"{EFFECT}.mechanisms": ["E.1", "E.1"]}, U, "unknown, repeated"),
    ("mechanisms-observed", "mechanisms-max", {f"{EFFECT}.mechanisms": ["A"]}, U, "unknown, repeated"),
    ("mechanisms-fewer", "mechanisms-max", {f"{EFFECT}.mechanisms": ["E.1"]}, I, "mechanisms shows 16, not 12"),
    ("mechanisms-effect", "mechanisms-max", {f"{EFFECT}.effect": "A"}, I, "has not these mechanisms"),
    ("mechanisms-no-effect", "mechanisms-max", {f"{EFFECT}.effect": "G"}, I, "no G"),
    (
        "mechanisms-two-effects",
        "mechanisms-max",
        {
            f"{UPPER}.parts.3.effects": [
                {"effect": "E", "functions": [], "mechanisms": ["E.1", "E.2"], "levels": [[1, 0, 0], [1, 1, 0]]}
            ]
            * 2
        },
        I,
        "a mechanism of two effects",
    ),
    (
        "mechanisms-functions",
        "mechanisms-parity",
        {f"{UPPER}.parts.3.effects.0.functions": []},
        I,
        "has not these mechanisms",
    ),
    (
        "mechanisms-tables",
        "mechanisms-parity",
        {
            f"{UPPER}.parts.3.effects.0.functions": ["E.1", "E.2_"],
            f"{UPPER}.parts.3.effects.0.mechanisms": ["E.2", "E.3"],
        },
        I,
        "is not a function of its parents",
    ),
]
"""Causal interaction models: the same."""

RAW = [
    ("trailing-text", lambda text: text + "{}", "not JSON"),
    ("key-twice", lambda text: text.replace('"claim":', '"claim": {}, "claim":', 1), "key occurs twice"),
    ("float", lambda text: text.replace('"dimension": 7', '"dimension": 7.0'), "not an integer"),
    ("exponent", lambda text: text.replace('"dimension": 7', '"dimension": 7e0'), "not an integer"),
    ("nan", lambda text: text.replace('"dimension": 7', '"dimension": NaN'), "not an integer"),
    ("negative-zero", lambda text: text.replace('"dimension": 7', '"dimension": -0'), "negative zero"),
    ("leading-zero", lambda text: text.replace('"dimension": 7', '"dimension": 07'), "not JSON"),
    ("digits", lambda text: text.replace('"dimension": 7', f'"dimension": {"7" * 4001}'), "too many digits"),
    ("byte-order-mark", lambda text: "\ufeff" + text, "not JSON"),
    ("cut", lambda text: text[: len(text) // 2], "not JSON"),
    ("empty", lambda _: "", "not JSON"),
    ("list", lambda text: f"[{text}]", "not an object"),
    ("deep", lambda _: "[" * 100_000, "nested too deeply"),
]
"""Texts: name, what is done to the certificate "pairwise", a part of the reason."""


def refused(bases):
    """All refused certificates: name, text, exit code, a part of the reason."""
    for name, base, changes, code, reason in (
        *CLAIM,
        *FORM,
        *MODEL,
        *EVIDENCE,
        *KINDS,
        *GAUSSIAN,
        *PROFILE,
        *ADDITIVE,
        *SIGMOID,
        *CLASSIFIER,
        *FORMULAS,
        *MECHANISMS,
    ):
        yield name, write_json(changed(bases[base], changes)) + "\n", code, reason
    yield "trees-condition", write_json(rule_without_condition()) + "\n", I, "evidence for 2 parts"
    for name, change, reason in RAW:
        yield name, change(write_json(bases["pairwise"]) + "\n"), U, reason


BY_HAND = ("interpolated-", "margin", "mixed-")
"""What the names of files begin with that no program has written."""


def main():
    """Write the corpora; what was written by hand stays, with its reasons."""
    bases = accepted()
    known = json.loads((FOLDER / "reasons.json").read_text(encoding="utf-8"))
    for folder in ("accepted", "rejected", "unreadable"):
        (FOLDER / folder).mkdir(parents=True, exist_ok=True)
        for file in (FOLDER / folder).iterdir():
            if not file.name.startswith(BY_HAND):
                file.unlink()
    reasons = {}
    for name, data in bases.items():
        (FOLDER / "accepted" / f"{name}.json").write_text(write_json(data) + "\n", encoding="utf-8")
    for name, text, code, reason in refused(bases):
        folder = ("rejected", "unreadable")[code - 1]
        reasons[f"{folder}/{name}.json"] = reason
        (FOLDER / folder / f"{name}.json").write_text(text, encoding="utf-8")
    reasons |= {key: reason for key, reason in known.items() if key.partition("/")[2].startswith(BY_HAND)}
    (FOLDER / "reasons.json").write_text(json.dumps(reasons, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
