"""Points at which the rank may be smaller: that they are what they are called, whatever parameters are called."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

import algdim
from algdim.exact.arithmetic import make_rationals
from algdim.explanation.samplepoint import evaluate_at_point, evaluate_at_random_point, make_special_points
from algdim.maps import map_of
from algdim.rank import make_object_array

ALIKE, ZERO = "all rows alike", "coefficients zero"


def special(text):
    """The map, the point that is drawn, and the special ones."""
    standing = evaluate_at_random_point(map_of(algdim.model(text)))
    return standing.pmap, standing.point, make_special_points(standing.pmap, standing.point)


@pytest.mark.parametrize(
    "text",
    [
        "3:2,2,2,2",
        "A -> B -> C; U -> B, C; hidden U; states B=3",
        "Z0 -> X0, Z1; Z1 -> X1; hidden Z0, Z1; share x: X0, X1",
        "classifier Y: Y -> X1, X2; X1 -> X2; states Y=3",
        "latent-profile: H -> X, Y, C; hidden H; states H=2, C=3; covariances full",
        "latent-profile: H -> X, Y; hidden H; states H=3; covariances full, equal",
        "poisson: {A,H},{B} -> E; A -> B; hidden H; states A=2, H=3",
        "normal: {A},{B} -> E",
    ],
)
def test_what_differs_only_in_the_condition_is_set_equal(text):
    """Where no entry has a name of its own, names say what differs only behind the bar."""
    pmap, point, found = special(text)
    first = {}
    alike = [
        first.setdefault(re.sub(r"\|[^)]*", "", name), value)
        for name, value in zip(pmap.parameters, point, strict=True)
    ]

    assert alike != list(point)
    assert {ALIKE: alike} == found


@pytest.mark.parametrize(
    "text",
    [
        "3:2,2,2,2",
        "H -> X1, X2, X3; hidden H; equal a = P(X1=0|H=0), P(X2=0|H=1)",
        "H -> X1, X2; hidden H; equal a = P(X1=0|H=0), P(X2=0|H=1); equal b = P(X1=0|H=1), P(X2=0|H=0)",
        "sigmoid: H -> X1, X2, X3; hidden H",
        "A, B -> C; sigmoid C; C -> D",
    ],
)
def test_all_rows_of_every_table_are_the_same(text):
    """At the point where all rows of a table are alike, equal entries and sigmoid variables among them."""
    pmap, _, found = special(text)
    point = make_rationals().elements(make_object_array(found[ALIKE]))

    for entries in pmap.arrays:
        rows = entries.values(make_rationals(), point).reshape(-1, entries.shape[-1])
        assert (rows == rows[0]).all()


def test_the_rank_falls():
    """Of a latent class model, and of one factor whose loadings have a name."""
    pmap, _, found = special("3:2,2,2,2")
    assert 13 > evaluate_at_point(pmap, found[ALIKE], "").rank

    pmap, point, found = special("gaussian: F -> X1, X2, X3, X4; hidden F; means off; equal v = b(F->X1), b(F->X2)")
    assert [ZERO] == list(found)
    assert evaluate_at_point(pmap, point, "").rank > evaluate_at_point(pmap, found[ZERO], "").rank
    zero = {name for name, value in zip(pmap.parameters, found[ZERO], strict=True) if value == Fraction(0)}
    assert {"v", "b(F->X3)", "b(F->X4)"} == zero
