"""Determinants of pencils: proportional on the model, forms that vanish on tangents, dimensions by definition, certificates."""

from __future__ import annotations

import random
from graphlib import TopologicalSorter
from itertools import permutations
from math import inf

import brute
import numpy as np
import pytest
from amount import drawn
from vanishing import count_vanishing_forms

import algdim
from algdim.families.discrete.bounds.flattenings import Separators
from algdim.families.discrete.bounds.grids import bound_by_grids
from algdim.families.discrete.bounds.pencils import iterate_pencils, list_terms
from algdim.families.discrete.bounds.search import make_closed_setting
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.model import Network, Variable
from algdim.models.notation import parse

CASES = {
    "A, D -> G; B, D -> H; G, H -> Y; hidden G, H; given A, B, D": 7,
    "A, D -> G; B, D -> H; G, H -> Y; hidden G, H; states Y=3; given A, B, D": 12,
    "A, D -> G; B, D -> H; G, H -> Y; hidden G, H; states A=3, B=3, G=3, H=3; given A, B, D": 17,
    "C, A, D -> G; B, D -> H; C, G, H -> Y; hidden G, H; given A, B, C, D": 14,
    "G -> H; G, H -> Y; G, D -> A; H, D -> B; hidden G, H; given D": 11,
}
"""Networks with the dimension that only this proves."""


@pytest.mark.parametrize("text", CASES)
def test_dimensions_that_need_a_pencil(text):
    """Proved, as by definition, with a certificate; flattenings alone leave more open."""
    report = algdim.dimension(text, bounds="counting,ambient,grids,districts")

    assert (CASES[text], True) == (report.dimension, report.exact)
    assert CASES[text] == brute.dimension(parse(text))
    assert "pencils" in report.upper.trust.lemmas
    assert CASES[text] < algdim.dimension(text, bounds="counting,ambient,koszul,districts").upper.value
    assert algdim.verify(algdim.prove(text))


def test_a_district_of_a_wide_network():
    """34 of 36: 1ᵀF⁻¹1 does not depend on X5, for both states of X1."""
    text = """X1, X3, X5 -> H1; X2, X5 -> H2; X1, H1, H2 -> X7; hidden H1, H2; states X1=2, X2=3, X3=3, X5=2, H1=3, H2=3;
    given X1, X2, X3, X5"""

    assert (34, True) == (algdim.dimension(text).dimension, algdim.dimension(text).exact)


def test_terms_are_those_of_determinants():
    """At numbers: the coefficients add up to the determinant of the sum of the matrices."""
    source = np.random.default_rng(3)
    matrices = source.integers(-5, 6, (3, 3, 3))  # rows, columns, letters
    total = sum(
        sign * np.prod([matrices[row, columns[row], places[row]] for row in range(3)])
        for sign, columns, places, _ in list_terms(3, 3)
    )

    assert total == round(np.linalg.det(matrices.sum(axis=2)))
    assert 6 * 27 == len(list_terms(3, 3))
    assert 10 == 1 + max(number for *_, number in list_terms(3, 3))
    assert {columns for _, columns, _, _ in list_terms(3, 1)} == set(permutations(range(3)))


def draw_network(source):
    """Two hidden variables with a common child, an observed neighbour each, and conditions of all kinds."""
    parents = {name: [] for name in "DCABGHYZ"}
    sizes = dict.fromkeys(parents, 2) | {"Y": source.choice([2, 3]), "D": source.choice([2, 3])}
    if source.random() < 0.2:
        sizes |= dict.fromkeys("ABGH", 3) | {"Y": 2, "D": 2, "C": 2}
    for one, hidden in ("AG", "BH"):
        above, below = source.choice([(one, hidden), (hidden, one)])
        parents[below].append(above)
        for more in "DC":
            if source.random() < 0.5:
                parents[source.choice([one, hidden])].append(more)
    parents["Y"] += ["G", "H", *(name for name in "CDZ" if source.random() < 0.2)]
    parents["H"] += ["G"] * (source.random() < 0.3)
    parents["Z"] += [name for name in "ABGHC" if source.random() < 0.2]
    order = list(TopologicalSorter({name: set(above) for name, above in parents.items()}).static_order())
    used = [name for name in order if parents[name] or any(name in above for above in parents.values())]
    return Network(tuple(Variable(v, sizes[v], v not in "GH", tuple(dict.fromkeys(parents[v]))) for v in used))


def draw_networks(count):
    """Such networks in which there are pencils, closed, with their settings and these."""
    source, found = random.Random(21), 0
    while found < count:
        model = draw_network(source)
        pmap = get_param_map(model)
        setting, _ = make_closed_setting(pmap, 1, 0)
        pencils = list(iterate_pencils(Separators(setting)))
        if pencils and pmap.cells <= 300:
            found += 1
            yield model, setting, pencils


@pytest.mark.drawn
def test_forms_vanish_on_tangents_and_no_rank_is_greater():
    """Of random networks: the coefficients of all states of D are proportional, and their derivatives are equations."""
    networks = drawn(list(draw_networks(60)), 8)

    assert sum(count_vanishing_forms(setting, pencils[:4]) for _, setting, pencils in networks)


@pytest.mark.slow
def test_bounds_are_no_smaller_than_the_dimension():
    """Of random networks with pencils, with all equations that are found for one dimension less."""
    met = 0
    for model, setting, _ in draw_networks(200):
        if setting.pmap.cells > 128:
            continue
        rank = brute.dimension(model)
        bound = bound_by_grids(make_closed_setting(get_param_map(model), rank - 1, 0)[0])
        assert rank <= (inf if bound is None else bound.value), model
        met += bound is not None and "pencils" in bound.trust.lemmas
    assert met > 5
