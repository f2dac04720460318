"""Determinants of sums of slices: forms that are products on the model, equations that vanish on tangents, dimensions by definition."""

from __future__ import annotations

import random
from math import inf

import brute
import numpy as np
import pytest
from amount import drawn
from suites.random_networks import Kind, draw
from vanishing import count_vanishing_forms

import algdim
from algdim.families.discrete.bounds.determinantforms import (
    bound_by_determinants,
    iterate_determinant_forms,
    list_double_terms,
)
from algdim.families.discrete.bounds.determinants import TableAxes, iterate_determinants
from algdim.families.discrete.bounds.equations import start
from algdim.families.discrete.bounds.search import make_closed_setting
from algdim.families.discrete.map import get_param_map
from algdim.models.notation import parse

CHAIN = "H1 -> H4, X4; X2 -> H2, H4; H2 -> X4; X1, H2, X4 -> X5; H4, X4, X5 -> X6; hidden H1, H2, H4; given X1, X2"
"""The table of X1 and X6 is A(x4, x5)·W(x2, x4)·B(x4, x5). So for each x4 the form det Σ z(x2) T(x2, x4, x5) is the same for both x5 up to a factor."""
CASES = {
    CHAIN: 21,
    CHAIN.replace("X4 -> X5", "X4, X3 -> X5").replace("X5 -> X6", "X5, X3 -> X6").replace("X1, X2", "X1, X2, X3"): 37,
}
SMALL = Kind((4, 7), (2, 3), 0.4, 0.4, 128)


@pytest.mark.parametrize("text", CASES)
def test_dimensions_that_forms_prove(text):
    """Proved, as by definition; determinants without letters leave more open."""
    report = algdim.dimension(text, bounds="counting,ambient,determinants,districts")
    setting, extra = make_closed_setting(get_param_map(parse(text)), 1, 0)
    collector = start(setting)
    collector.add_all(iterate_determinants(TableAxes(setting.pmap)), 60)
    alone = len(collector.basis)
    collector.add_all(iterate_determinant_forms(TableAxes(setting.pmap)), 60)

    assert (CASES[text], True) == (report.dimension, report.exact)
    assert CASES[text] == brute.dimension(parse(text))
    assert "determinants" in report.upper.trust.lemmas
    assert alone + 2 <= len(collector.basis) <= setting.pmap.complete - extra - CASES[text]


@pytest.mark.parametrize("text", CASES)
def test_forms_have_certificates(text):
    """With letters for the states of X2; what was accepted rests on the lemma."""
    certificate = algdim.prove(text)
    upper = certificate.data["evidence"]["upper"]
    matrices = [one for node in upper.get("parts", [upper]) for one in node.get("matrices", ())]

    assert CASES[text] == certificate.dimension
    assert 6 in {len(one["blocks"]) for one in matrices if "chain" in one}
    assert "determinants" in algdim.verify(certificate).to_dict()["lemmas"]


def test_a_network_of_sixteen_variables():
    """The district of rank 101 of a binary network."""
    text = """X1, X3, H2 -> H3; X2 -> H2; H1, X2 -> H4; H1, H2 -> X4; X1, X3, H2, X4 -> X5; X3, H4, X4, X5 -> X6; H1, H3, X4, X5 -> H7;
    H1, X1, X3, H3, H4, H7 -> X7; hidden H1, H2, H3, H4, H7; given X1, X2, X3"""

    assert (101, True) == (algdim.dimension(text).dimension, algdim.dimension(text).exact)


def test_terms_are_those_of_determinants():
    """At numbers: the coefficients, times the letters, add up to the determinant of the sum of the matrices."""
    source = np.random.default_rng(3)
    for size, one, other in ((2, 2, 3), (3, 2, 1), (2, 1, 1)):
        tables = source.integers(-5, 6, (size, size, one, other))
        left, right = source.integers(-3, 4, one), source.integers(-3, 4, other)
        whole = np.einsum("ijab,a,b", tables, left, right)
        total = sum(
            term.sign * np.prod([tables[i, j, a, b] * left[a] * right[b] for i, (j, a, b) in enumerate(term.places)])
            for term in list_double_terms(size, one, other)
        )

        assert total == round(np.linalg.det(whole))


def draw_networks(count, seed=0):
    """Random networks in which there are such forms, with their settings and these."""
    source, found = random.Random(seed), 0
    while found < count:
        model = draw(source, SMALL)
        if len(model.hidden) == 0 or len(model.observed) < 3:
            continue
        setting, _ = make_closed_setting(get_param_map(model), 1, 0)
        listed = list(iterate_determinant_forms(TableAxes(setting.pmap))) if setting.pmap.cells <= SMALL.cells else []
        if listed:
            found += 1
            yield model, setting, listed


@pytest.mark.drawn
def test_forms_vanish_on_tangents_and_no_rank_is_greater():
    """Of random networks: the coefficients are a matrix of rank one, and its derivatives are equations."""
    source = random.Random(1)
    networks = drawn(list(draw_networks(40)), 8)

    assert sum(
        count_vanishing_forms(setting, source.sample(listed, min(4, len(listed)))) for _, setting, listed in networks
    )


@pytest.mark.slow
def test_bounds_are_no_smaller_than_the_dimension():
    """Of random networks, with all equations that are found for one dimension less."""
    met = 0
    for model, _, _ in draw_networks(150, 2):
        rank = brute.dimension(model)
        bound = bound_by_determinants(make_closed_setting(get_param_map(model), max(0, rank - 1), 0)[0])
        assert rank <= (inf if bound is None else bound.value), model
        met += bound is not None
    assert met > 5
