"""Mechanisms that another one absorbs: against the dimension by definition, and against the distributions themselves."""

from __future__ import annotations

from unittest import mock

import brute
import pytest
from amount import in_turn, some
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import algdim
from algdim.families.discrete import family
from algdim.families.discrete.bounds.absorbing import absorb_mechanisms
from algdim.identifiability.rowspaces import find_lost_parameters
from algdim.models.notation import parse, to_text


@st.composite
def models(draw):
    """Draw a maximum of some mechanisms of some causes, one of which may be hidden."""
    causes = ["A", "B", "C"][: draw(st.integers(1, 3))]
    sets = draw(st.lists(st.sets(st.sampled_from(causes), max_size=2), min_size=1, max_size=3))
    sets = [*sets, {*causes} - {cause for one in sets for cause in one} or {causes[0]}]
    states = ", ".join(f"E.{number}={draw(st.integers(2, 3))}" for number, _ in enumerate(sets, 1))
    hidden = draw(st.sampled_from(["", f"; hidden {causes[0]}"]))
    shown = ",".join("{" + ",".join(sorted(one)) + "}" for one in sets)
    return f"max: {shown} -> E; states {states}{hidden}"


@in_turn(3)
@settings(max_examples=some(20), deadline=None)
@given(models())
def test_the_dimension_stays(text):
    """By definition, of the model and of the smaller one; the report says so whether or not it takes the short way."""
    model = parse(text)
    found = absorb_mechanisms(model)
    assume(found is not None)
    known = brute.dimension(model)

    assert brute.dimension(found[0]) == known
    with mock.patch.object(family, "SHORTCUT_PARAMETERS", 0):
        short = algdim.dimension(model)
    assert (known, known) == (short.dimension, algdim.dimension(model).dimension)


@settings(max_examples=some(8), deadline=None)
@given(models())
def test_parameters_that_are_lost_are_those_of_the_whole_model(text):
    """The smaller model has others; which parameters are not identified does not depend on the way."""
    usual = find_lost_parameters(algdim.dimension(text))
    with mock.patch.object(family, "SHORTCUT_PARAMETERS", 0):
        short = find_lost_parameters(algdim.dimension(text))

    assert (usual and usual.names) == (short and short.names)


@pytest.mark.parametrize(
    ("text", "smaller"),
    [
        ("max: {A,B},{A,B},{A} -> E", "A, B -> E"),
        ("max: {A},{B} -> E", None),
        ("max: {A,B},{B,C},{B} -> E", "max: {A,B},{B,C} -> E"),
        ("max: {A,B},{A} -> E; states E.1=2, E.2=3", None),
        ("max: {A,B},{A} -> E; states E.1=3, E.2=2", "A, B -> E; states E=3"),
        ("sum: {A},{A} -> E", None),
        ("noisy-or: {A},{A} -> E", None),
        ("A -> X, Y; X, Y -> E; max E; Y -> F; hidden X, Y", None),
        ("A -> X, Y; X, Y -> E; max E; hidden X", None),
        ("A -> X, Y; X, Y -> E; max E; hidden X, Y; share s: X, Y", None),
        ("A -> X, Y; X, Y, Z -> E; max E; hidden X, Y, Z; fix P(Z=0)=1/2", None),
    ],
)
def test_what_is_absorbed(text, smaller):
    """Free hidden mechanisms that nothing else depends on, with causes that another one has too and no more states."""
    found = absorb_mechanisms(parse(text))

    assert smaller == (None if found is None else to_text(found[0]))


def test_a_large_one_needs_no_rank():
    """Its table is free; the report does not say that its parameters are entries."""
    causes = ",".join(f"C{number}" for number in range(1, 10))
    report = algdim.dimension(f"max: {{{causes}}},{{{causes}}},{{C1}} -> E")

    assert (2**9 + 9, True, ()) == (report.dimension, report.exact, report.draws)
    assert "absorbed mechanisms" in report.trust.lemmas
    assert "absorbed-mechanisms" in report.method
    assert report.redundant == 512 + 2


def test_the_rank_of_what_is_left_can_be_drawn_again():
    """The report has the prime and the stream of the draw."""
    with mock.patch.object(family, "SHORTCUT_PARAMETERS", 0):
        report = algdim.dimension("max: {A,B},{B,C},{B} -> E")

    assert report.draws
    assert "absorbed-mechanisms" in report.method
