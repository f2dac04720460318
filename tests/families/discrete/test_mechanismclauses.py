"""Causal interaction models in the notation: what braces mean, and what is printed."""

from __future__ import annotations

import brute_mechanisms
import pytest
from amount import some
from brute_mechanisms import Interaction
from hypothesis import given, settings
from hypothesis import strategies as st

import algdim
from algdim import InputError
from algdim.families.discrete.clauses import format_clauses
from algdim.models.notation import to_text

FORMS = [
    ("max: {A,B},{C} -> E", "states A=2, B=2, C=2; A, B -> E.1; C -> E.2; E.1, E.2 -> E; hidden E.1, E.2; max E"),
    ("max: {A},{} -> E", "states A=2, E.1=2, E.2=2, E=2; A -> E.1; E.1, E.2 -> E; hidden E.1, E.2; max E"),
    (
        "noisy-or: {A,B} -> E",
        "A, B -> E.1 -> E; hidden E.1; max E; fix P(E.1=0|A=0,B=0)=1, P(E.1=1|A=0,B=0)=0",
    ),
    (
        "noisy-max: {A} -> E; states E=3",
        "A -> E.1 -> E; hidden E.1; states E.1=3; max E; fix P(E.1=0|A=0)=1, P(E.1=1|A=0)=0, P(E.1=2|A=0)=0",
    ),
    (
        "sum: {A},{B} -> E; states E.2=3",
        "states A=2, B=2, E.1=2, E.2=3, E=4; A -> E.1; B -> E.2; E.1, E.2 -> E; hidden E.1, E.2; sum E",
    ),
    (
        "parity: {A},{B} -> E; given A, B",
        "states A=2, B=2, E.1=2, E.2=2, E=2; A -> E.1; B -> E.2; E.1, E.2 -> E; hidden E.1, E.2; given A, B; parity E",
    ),
    (
        "max: {H} -> E, F; H <- A; hidden H",
        "states H=2, E.1=2, E=2, F.1=2, F=2, A=2; A -> H -> E.1, F.1; E.1 -> E; F.1 -> F; hidden H, E.1, F.1; max E, F",
    ),
    (
        "max: {A,B},{C} -> E; {A},{B} -> E.1; sum E.1; states E.2=3",
        (
            "states A=2, B=2, C=2, E.1.1=2, E.1.2=2, E.1=3, E.2=3, E=3; A -> E.1.1; B -> E.1.2; E.1.1, E.1.2 -> E.1; "
            "C -> E.2; E.1, E.2 -> E; hidden E.1, E.1.1, E.1.2, E.2; max E; sum E.1"
        ),
    ),
    (
        "max: {A,B},{C} -> E; A -> X -> E.1; B -> E.1; hidden X",
        (
            "states A=2, B=2, C=2, E.1=2, E.2=2, E=2, X=2; A -> X; X, B -> E.1; C -> E.2; E.1, E.2 -> E; "
            "hidden E.1, E.2, X; max E"
        ),
    ),
]


@pytest.mark.parametrize(("text", "plain"), FORMS, ids=[text for text, _ in FORMS])
def test_mechanisms_are_hidden_variables_and_a_function_of_them(text, plain):
    """A causal interaction model is the network that its clauses without braces describe."""
    assert algdim.model(plain) == algdim.model(text)


@pytest.mark.parametrize(
    "text",
    [
        "max: {C1},{C2},{C3} -> E",
        "max: {C1,C2},{C1,C3},{C2,C3} -> E",
        "noisy-or: {A},{B},{} -> E",
        "noisy-or: {H1},{H2},{} -> E1, E2, E3; hidden H1, H2",
        "noisy-max: {A},{B} -> E; states E=3, E.2=2",
        "sum: {A},{B,C} -> E; states A=3",
        "at-least 2: {A},{B},{C} -> E; A -> B; E -> F",
        "max: {A,B},{C} -> E; {A},{B} -> E.1; parity E.1",
        "parity: {A},{B} -> E; given A, B",
        "max: {A},{} -> E; share x: E.1; equal q = P(A=0), P(E.2=1)",
    ],
)
def test_what_is_printed_in_one_form_only(text):
    """These are printed as they are written."""
    assert text == to_text(algdim.model(text))


def test_the_clause_leak_is_one_more_mechanism_of_every_effect():
    """A leak is a mechanism without causes; effects inside mechanisms get none."""
    assert algdim.model("noisy-or: {A},{} -> E, F") == algdim.model("noisy-or: {A} -> E, F; leak")
    nested = algdim.model("max: {A,B},{} -> E; {A},{B} -> E.1")

    assert nested == algdim.model("max: {A,B} -> E; {A},{B} -> E.1; leak")


@st.composite
def interactions(draw):
    """Small causal interaction models."""
    rule = draw(st.sampled_from(["max", "sum", "parity", "at-least"]))
    causes = tuple(draw(st.lists(st.integers(2, 3), min_size=1, max_size=3)))
    several = rule in ("max", "sum")
    mechanism = st.tuples(
        st.lists(st.sampled_from(range(len(causes))), max_size=3, unique=True).map(tuple),
        st.integers(2, 3) if several else st.just(2),
    )
    mechanisms = tuple(draw(st.lists(mechanism, min_size=1, max_size=3)))
    noisy = rule == "max" and draw(st.booleans()) and any(inside for inside, _ in mechanisms)
    return Interaction(causes, mechanisms, rule, draw(st.integers(1, len(mechanisms))), noisy)


@given(interactions())
def test_round_trip(model):
    """A causal interaction model is read back from its text, and from its text without braces."""
    network = algdim.model(model.text)

    assert network == algdim.model(to_text(network))
    assert network == algdim.model(format_clauses(network))


@given(interactions())
@settings(max_examples=some(60))
def test_dimension_by_the_formulas(model):
    """The dimension is that of the table written down from MH97's formulas."""
    expected, standard = brute_mechanisms.dimension(model)
    report = algdim.dimension(model.text)

    assert (expected, standard) == (report.dimension, report.standard)
    assert report.upper.value >= expected


@pytest.mark.parametrize("number", ["3", "0", "9" * 5000])
def test_a_mechanism_that_there_is_not(number):
    """An edge to a mechanism variable of any number is refused at its place."""
    with pytest.raises(InputError, match=r"E\.1"):
        algdim.model(f"max: {{A}},{{B}} -> E; E.1 -> E.{number}; H -> E.{number}")
