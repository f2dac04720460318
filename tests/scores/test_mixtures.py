"""Latent class models by products of matrices, beside the contraction."""

from dataclasses import replace

import numpy as np
import pytest

import algdim
from algdim.families.discrete.map import get_param_map
from algdim.fitting.likelihood import make_likelihood_evaluator
from algdim.fitting.maximization import Prior, make_even_tables, make_maximizer
from algdim.fitting.samples import MISSING, Sample
from algdim.fitting.scoring import compute_information, make_coordinate_shares
from algdim.scores.curvature import compute_mixture_curvature, is_mixture
from algdim.scores.dirichlet import make_priors
from algdim.scores.laplace import compute_curvature


def drawn(text, cases, restarts, seed):
    """A map, a sample with missing entries, and random tables."""
    pmap, random = get_param_map(algdim.model(text)), np.random.default_rng(seed)
    sizes = pmap.shape
    patterns = np.stack([random.integers(MISSING, size, cases) for size in sizes], axis=1)
    names = tuple(variable.name for variable in pmap.model.observed)
    states = tuple(tuple(map(str, range(size))) for size in sizes)
    sample = Sample(names, states, patterns, random.integers(1, 4, cases).astype(float))
    tables = [random.dirichlet(np.ones(a.shape[-1]), size=(restarts, *a.shape[:-1])) for a in pmap.arrays]
    return pmap, sample, tables


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("3:2,2", True),
        ("X1 <- H -> X2; hidden H", False),  # the class is not the first variable
        ("H -> X1, X2; hidden H; share t: X1, X2", False),
        ("H -> X1 -> X2; hidden H", False),
        ("A -> B", False),
    ],
)
def test_which_models_are_mixtures(text, is_one):
    """The second derivatives of others are not those of the formula."""
    assert is_one == is_mixture(algdim.model(text))


@pytest.mark.parametrize("text", ["3:2^8", "1:2^9", "2:3,2^7,4", "X1 <- H -> X2, X3, X4, X5, X6, X7, X8; hidden H"])
def test_expected_counts_agree_with_the_contraction(text):
    """Log-likelihood and expected counts of several restarts, missing entries included."""
    pmap, sample, tables = drawn(text, 30, 3, 1)
    at = make_likelihood_evaluator(pmap, sample, 3)
    loglik, counts = at.take_expectation(tables)
    other, wanted = replace(at, mixture=None).take_expectation(tables)

    assert at.mixture is not None
    assert other == pytest.approx(loglik, rel=1e-12)
    for one, two in zip(counts, wanted, strict=True):
        assert two == pytest.approx(one, abs=1e-10)


@pytest.mark.parametrize("text", ["3:2^8", "1:2^9", "2:3,2^7,4", "X1 <- H -> X2, X3, X4, X5, X6, X7, X8; hidden H"])
def test_information_agrees_with_the_contraction(text):
    """The products of the patterns' gradients, at several restarts."""
    pmap, sample, tables = drawn(text, 30, 3, 4)
    at = make_likelihood_evaluator(pmap, sample, 3)
    shares = make_coordinate_shares(pmap, make_maximizer(pmap, Prior()), make_even_tables(pmap), 600)
    found = compute_information(at, shares, tables)

    assert compute_information(replace(at, mixture=None), shares, tables) == pytest.approx(found, abs=1e-9)


def test_restarts_in_blocks_are_those_at_once(monkeypatch):
    """Nothing depends on how many restarts are taken together."""
    pmap, sample, tables = drawn("3:2^8", 30, 5, 5)
    at = make_likelihood_evaluator(pmap, sample, 5)
    loglik, counts = at.take_expectation(tables)
    monkeypatch.setattr("algdim.fitting.likelihood.MOST_NUMBERS", 2 * 30 * 3)
    other, others = at.take_expectation(tables)

    assert loglik == pytest.approx(other, rel=1e-14)
    for one, two in zip(counts, others, strict=True):
        assert one == pytest.approx(two, rel=1e-12)


def test_a_vanishing_entry_goes_the_long_way():
    """An entry 0 has no logarithm; the contraction takes it."""
    pmap, sample, tables = drawn("2:2^8", 10, 1, 2)
    place = pmap.owners.index("X3")
    tables[place][0, 0] = [0.0, 1.0]
    at = make_likelihood_evaluator(pmap, sample, 1)

    assert at.mixture.take_expectation(tables) is None
    assert at.mixture.sum_score_products(tables, np.arange(1)) is None
    assert np.isfinite(at.take_expectation(tables)[0]).all()


@pytest.mark.parametrize("text", ["3:2,3,4", "2:2,2", "1:3,2", "4:2^5"])
def test_curvature_agrees_with_the_hessian(text):
    """The eigenvalues do not depend on the order of the coordinates."""
    pmap, sample, tables = drawn(text, 20, 1, 3)
    priors = make_priors(pmap, Prior("alpha", 1.7))
    wanted = np.linalg.eigvalsh(compute_curvature(priors, sample, tables))

    assert wanted == pytest.approx(np.linalg.eigvalsh(compute_mixture_curvature(priors, sample, tables)), abs=1e-8)
