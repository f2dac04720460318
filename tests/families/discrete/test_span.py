"""The bound by the span of a mixture: never below the dimension, and linear invariants counted in print."""

from __future__ import annotations

import brute
import pytest
from amount import SELDOM, some
from families import FAMILIES
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import algdim
from algdim.families.discrete.bounds.search import make_setting
from algdim.families.discrete.bounds.span import bound_by_span, iterate_mixtures
from algdim.families.discrete.map import get_param_map
from algdim.models.notation import parse

KINDS = {
    one.name: one
    for one in FAMILIES
    if one.name in ("free tables", "shared tables", "equal entries", "mixed", "phylogenies", "items from one table")
}


@settings(max_examples=some(60), deadline=None, suppress_health_check=SELDOM)
@given(st.sampled_from(sorted(KINDS)), st.integers(0, 10**6))
def test_never_below_the_dimension(kind, seed):
    """Whatever the rank that is hoped for."""
    model = KINDS[kind].model(seed)
    dimension = brute.dimension(model)
    bound = bound_by_span(make_setting(get_param_map(model), dimension, 0, ()))
    assume(bound is not None)

    assert dimension == bound.value


def fibonacci(number):
    """With F(0) = F(1) = 1."""
    one, other = 1, 1
    for _ in range(number):
        one, other = other, one + other
    return one


@pytest.mark.parametrize(
    ("text", "leaves"),
    [
        ("phylo JC69: (A,B,C); classes 2", 3),
        ("phylo JC69: ((A,B),(C,D)); classes 3", 4),
        pytest.param("phylo JC69: ((A,B),C,(D,E)); classes 5", 5, marks=pytest.mark.slow),
    ],
)
def test_linear_invariants_of_jukes_and_cantor(text, leaves):
    """Distributions on a binary tree with n leaves span F(2n - 2) dimensions (Steel and Fu 1995)."""
    report = algdim.dimension(text, bounds="counting,span,chance")

    assert (fibonacci(2 * leaves - 2) - 1, True) == (report.dimension, report.exact)
    assert ("mixture span",) == report.upper.trust.lemmas


@pytest.mark.slow
def test_linear_invariants_of_kimura():
    """On a quartet two more than the 36 classes of equal cells have (Lake 1987)."""
    report = algdim.dimension("phylo K2P: ((A,B),(C,D)); classes 4")

    assert (36 - 2 - 1, True) == (report.dimension, report.exact)


def test_classes_that_look_alike():
    """One grid serves them; a class with a tree of its own has another one, and so have sites that do not change."""
    for text, points in (
        ("phylo JC69: ((A,B),(C,D)); classes 3", 2**5),
        ("phylo JC69: ((A,B),(C,D)); ((A,C),(B,D))", 2 * 2**6),  # and an edge of the other tree
        ("phylo JC69: (A,B,C); classes 2; invariable", 2**3 + 1),
    ):
        assert points == min(mixture.points for mixture in iterate_mixtures(get_param_map(parse(text))))


def test_nothing_is_said_of_conditions():
    """Conditional probabilities have other sums."""
    pmap = get_param_map(parse("Z -> A; H -> A, B; hidden H; given Z"))

    assert bound_by_span(make_setting(pmap, 1, 0, ())) is None
