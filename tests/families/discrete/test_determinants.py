"""Determinants of slices: products on the model, forms that vanish on tangents, dimensions by definition."""

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
from algdim.families.discrete.bounds.determinantforms import bound_by_determinants
from algdim.families.discrete.bounds.determinants import (
    TableAxes,
    compute_cofactors,
    compute_determinants,
    iterate_determinants,
)
from algdim.families.discrete.bounds.equations import start
from algdim.families.discrete.bounds.search import make_closed_setting
from algdim.families.discrete.map import get_param_map
from algdim.models.notation import parse

CASES = {
    "X1 -> H2; X2, H2 -> X3; X2 -> X4; H1 -> X1, X4; H1, H2 -> X2; hidden H2, H1": 14,
    "C -> A; H -> C, A, D; G -> D, B; D -> B; C -> G; hidden G, H": 14,
}
"""Networks with the dimension that determinants prove: those of X3 and X4 are f(x1)·g(x2), H1 and H2 the chain between; in the second those of A and B, for C and D."""
CHAIN = "H1 -> H4, X4; X2 -> H2, H4; H2 -> X4; X1, H2, X4 -> X5; H4, X4, X5 -> X6; hidden H1, H2, H4; given X1, X2"
"""H2, H1 and H4 are a chain between X1, which is conditioned on, and X6."""
SMALL = Kind((4, 7), (2, 3), 0.35, 0.45, 128)


@pytest.mark.parametrize("text", CASES)
def test_dimensions_that_a_determinant_proves(text):
    """Proved, as by definition; the other equations leave one dimension more."""
    report = algdim.dimension(text, bounds="counting,ambient,determinants")

    assert (CASES[text], True) == (report.dimension, report.exact)
    assert CASES[text] == brute.dimension(parse(text))
    assert "determinants" in report.upper.trust.lemmas
    assert CASES[text] < algdim.dimension(text, bounds="counting,ambient,grids").upper.value


def test_a_chain_of_three():
    """det P(X6, X5 = x5, X4 = x4 | X1, X2 = x2), rows X1, is f(x4, x5)·g(x2): for 2 states by 4 three equations."""
    setting, _ = make_closed_setting(get_param_map(parse(CHAIN)), 1, 0)
    chains = {found.chain for found in iterate_determinants(TableAxes(setting.pmap))}
    collector = start(setting)
    whole = [found for found in iterate_determinants(TableAxes(setting.pmap)) if found.blocks.sizes == (2, 2, 2, 4)]

    assert {("H2", "H1", "H4")} == {tuple(chain) for chain in chains}
    assert whole
    assert collector.add(whole[0])
    assert 3 == len(collector.basis)


def test_determinants_and_cofactors_are_those_of_matrices():
    """Of integers, of up to four rows; an entry times its derivative adds up to the determinant in each row."""
    source = np.random.default_rng(5)
    for size in (1, 2, 3, 4):
        matrices = source.integers(0, 9, (size, size, 6))
        expected = [round(np.linalg.det(matrices[:, :, place])) % 1009 for place in range(6)]
        assert expected == compute_determinants(matrices, 1009).tolist()
        cofactors = compute_cofactors(matrices, 1009)
        for row in range(size):
            assert expected == ((matrices[row] * cofactors[row]).sum(axis=0) % 1009).tolist()


def draw_networks(count, seed=0):
    """Random networks in which there are such determinants, with their settings and these."""
    source, found = random.Random(seed), 0
    while found < count:
        model = draw(source, SMALL)
        if len(model.hidden) == 0 or len(model.observed) < 3:
            continue
        setting, _ = make_closed_setting(get_param_map(model), 1, 0)
        listed = list(iterate_determinants(TableAxes(setting.pmap)))
        if listed and setting.pmap.cells <= SMALL.cells:
            found += 1
            yield model, setting, listed


@pytest.mark.drawn
def test_forms_vanish_on_tangents_and_no_rank_is_greater():
    """Of random networks: the determinants are a matrix of rank one, and its derivatives are equations."""
    source = random.Random(1)
    networks = drawn(list(draw_networks(60)), 10)

    assert sum(
        count_vanishing_forms(setting, source.sample(listed, min(6, len(listed)))) for _, setting, listed in networks
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
