"""A statement is proved only by a lemma that is on the page."""

from __future__ import annotations

import ast
from contextlib import suppress
from pathlib import Path

import pytest
from test_lemmas import NAMES

import algdim
from algdim.bound.strategy import KNOWN
from algdim.trust import BOUNDS_ONLY, IN_FLOATS, PROBABLE, PROVED, Trust, probable, proved_by, trust_in_all

ROOT = Path(__file__).parents[1]
LEMMAS_BEGIN = {"proved_by": 0, "proved_bound": 4, "resting_on": 5}
"""The functions that make proved statements, and the first argument that is a lemma."""


def lemmas_given(tree):
    """The lemma names that are written out where something is proved."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (name := getattr(node.func, "id", "")) in LEMMAS_BEGIN:
            first = LEMMAS_BEGIN[name]
            given = [*node.args[:1], *node.args[2:]] if name == "proved_by" else node.args[first:]
            yield from (argument.value for argument in given if isinstance(argument, ast.Constant))


def test_lemmas_that_prove_exist():
    """Every lemma that is named where a statement is proved stands on the page."""
    given = {name for file in ROOT.glob("algdim/**/*.py") for name in lemmas_given(ast.parse(file.read_text("utf-8")))}
    assert set() == given - NAMES


def test_only_one_module_makes_proved_trust():
    """``Trust(PROVED, …)`` stands in its own module; everybody else names a lemma."""
    places = [
        f"{file}:{node.lineno}"
        for file in ROOT.glob("algdim/**/*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Trust" and file.name != "trust.py"
    ]
    assert [] == places


@pytest.mark.parametrize(
    "arguments",
    [
        {"status": PROVED},
        {"status": PROVED, "lemmas": ("chance",)},
        {"status": PROVED, "facts": "a fact"},
        {"status": PROVED, "lemmas": ("chance",), "facts": "a fact", "error": 0.1},
        {"status": PROBABLE},
        {"status": PROBABLE, "error": 0.1, "lemmas": ("chance",)},
        {"status": "certain"},
    ],
)
def test_trust_without_grounds_is_refused(arguments):
    """Neither a proof without lemma and facts nor a probability without its number can be made."""
    with pytest.raises(ValueError, match=r"statement"):
        Trust(**arguments)


def test_the_weakest_of_several_counts():
    """One drawn statement makes the whole list drawn, and the probabilities of error add up."""
    proof = proved_by("tree rule", "the edge A — B")

    assert proof == trust_in_all([proof])
    assert probable(0.75) == trust_in_all([probable(0.5), proof, probable(0.25)])
    assert probable(0.5) == trust_in_all([probable(0.25), probable(0.25)])
    assert BOUNDS_ONLY == trust_in_all([probable(0.5), BOUNDS_ONLY])
    assert IN_FLOATS == trust_in_all([BOUNDS_ONLY, IN_FLOATS, proof])


@pytest.mark.parametrize(
    "text",
    [
        "3:2,2,2,2",
        "A -> B -> C -> D; U -> B, D; hidden U; max C",
        "5(2,3(2,2),3(2,2))",
        "gaussian: F -> A, B, C, D; hidden F; means off",
        "latent-profile: H -> X1, X2, X3; hidden H",
        "poisson: {A},{B} -> E",
        "classifier Y: Y -> X1, X2",
        "loglinear: {A,B}, {B,C}",
        "polynomial: parameters a, b; coordinates a*b, a*b^2",
        "max: {C1},{C2} -> E",
        "sigmoid: A, B -> C",
        "A -> C <- H -> D <- B; hidden H; given A",
    ],
)
def test_lemmas_of_reports_exist(text):
    """What a report of each family rests on stands on the page, in the parts too."""
    report = algdim.dimension(text)
    for one in (report, *report.parts):
        for bound in (one.lower, one.upper):
            assert bound.is_proved == bool(bound.trust.lemmas)
            assert set(bound.trust.lemmas) <= NAMES


@pytest.mark.parametrize(
    "text",
    [
        "3:2,2,2,2",
        "4:3,3,3",
        "2:2^5",
        "A -> B -> C -> D; U -> B, D; hidden U; max C",
        "5(2,3(2,2),3(2,2))",
        "A -> C <- H -> D <- B; hidden H",
        "gaussian: F -> A, B, C, D; hidden F; means off",
        "gaussian: A -> B -> C; A <-> C; fix b(A->B)=1",
        "latent-profile: H -> X1, X2, X3; hidden H",
        "poisson: {A},{B} -> E",
        "classifier Y: Y -> X1, X2; states Y=3",
        "loglinear: {A,H}, {B,H}, {C,H}; hidden H",
        "polynomial: parameters a, b; coordinates a*b, a*b^2",
        "polynomial: parameters a, b; coordinates a + b, 2*a + 2*b",
        "max: {C1,C2},{C3} -> E",
        "sigmoid: A, B -> C",
        "2(2,2(2,2),2(2,2))",
        "2:2,2,2",
    ],
)
def test_every_bound_alone_rests_on_lemmas_of_the_page(text):
    """A bound that is asked for by name has this name, or is one of those that are always there, and its lemmas exist."""
    bounds = []
    for name in KNOWN:
        with suppress(algdim.InputError):  # this bound says nothing of this model
            report = algdim.dimension(text, bounds=name)
            bounds += [report.lower, report.upper]

    assert {bound.kind for bound in bounds} <= {*KNOWN, "rank", "entries"}
    assert {name for bound in bounds for name in bound.trust.lemmas} <= NAMES
    assert all(bound.is_proved == bool(bound.trust.lemmas) for bound in bounds)
    assert not any(bound.reason in NAMES for bound in bounds)


def lemmas_in(value):
    """All names of lemmas in a document, and what facts are given beside them."""
    if isinstance(value, list):
        for inner in value:
            yield from lemmas_in(inner)
    if isinstance(value, dict):
        yield from ((name, value.get("facts")) for name in value.get("lemmas", ()))
        for inner in value.values():
            yield from lemmas_in(inner)


@pytest.mark.parametrize(
    "text",
    [
        "A -> B",
        "2:2,2",
        "3:2,2,2,2",
        "4:2,2,2,2",
        "A -> C <- H -> D <- B; hidden H",
        "A -> B -> C; H -> C, D; hidden H",
        "A -> B, C; hidden A; max C",
        "gaussian: F -> A, B, C, D; hidden F",
        "gaussian: F -> A, B; G -> F; hidden F, G",
        "latent-profile: H -> X1, X2; hidden H",
        "poisson: {A},{B} -> E",
        "classifier Y: Y -> X1, X2",
        "loglinear: {A,H}, {B,H}; hidden H",
        "polynomial: parameters a, b, c; coordinates a*b, a*b^2, c + 1",
    ],
)
def test_lemmas_of_identifications_exist(text):
    """What is said of parameters, groups, functions, units and solutions rests on lemmas of the page, and on facts."""
    found = [*lemmas_in(algdim.identify(text).to_dict())]

    assert {name for name, _ in found} <= NAMES
    assert not any(facts in NAMES for _, facts in found)
