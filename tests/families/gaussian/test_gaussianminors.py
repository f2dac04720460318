"""Minors by trek separation: known codimensions, and never below the rank."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from amount import daily
from brute_gaussian import coordinates_at, parameters
from suites.random_gaussians import factor_model, gaussian_model

import algdim
from algdim import dimension
from algdim.families.gaussian.map import get_gaussian_map
from algdim.families.gaussian.minors import bound_by_minors, find_constant_pairs
from algdim.families.gaussian.model import Gaussian, GaussianVariable
from algdim.families.gaussian.search import GaussianSetting
from algdim.families.gaussian.treks import build_doubled_graph


def minors(model, lower=0):
    """Return the bound for a model."""
    return bound_by_minors(GaussianSetting(get_gaussian_map(model), lower))


def test_naive_bayes():
    """GHM96 §7: four items leave 12 of 14, by two independent tetrads."""
    assert 12 == minors(factor_model(1, 4, means=True)).value


def test_w():
    """The W structure has 11 of 14 dimensions, because three covariances vanish."""
    found = minors(algdim.model("gaussian: A -> C <- H -> D <- B; hidden H"))

    assert 11 == found.value
    assert [["A", "D"], ["A", "B"], ["C", "B"]] == found.evidence["zeros"]


@pytest.mark.parametrize("items", range(4, 11))
def test_one_factor(items):
    """Tetrads alone prove 2m dimensions of the covariances of one factor's items."""
    assert 2 * items == minors(factor_model(1, items)).value


@pytest.mark.parametrize("items", range(6, 11))
def test_two_factors(items):
    """Sextads alone prove the dimension of two factors from six items on; of five items nothing is known to them."""
    assert 3 * items - 1 == minors(factor_model(2, items)).value
    assert minors(factor_model(2, 5)) is None


def test_cycles_and_bidirected_edges():
    """Two variables in a cycle, joined with a third by one edge only: the partial covariance across that edge."""
    names = tuple(map(GaussianVariable, "ABCD"))
    cycle = Gaussian(names, (("A", "B"), ("B", "C"), ("C", "B"), ("C", "D")), (), means=False)

    assert dimension(cycle).dimension <= minors(cycle).value < 10


def test_a_fixed_mean_is_one_equation():
    """Intercepts fixed to 0 border Σ by μ: with only the factor's mean free, the means are proportional to loadings."""
    items = factor_model(1, 4, means=True)
    fixed = tuple((("m", f"X{number}"), Fraction(0)) for number in range(1, 5))
    model = Gaussian(items.variables, items.edges, fixed=fixed)
    report = dimension(model)

    assert (9, True) == (report.dimension, report.exact)
    assert any("1" in matrix["columns"] + matrix["rows"] for matrix in minors(model).evidence["minors"])


def test_constants():
    """A variance that is fixed is a coordinate without freedom."""
    model = Gaussian((GaussianVariable("A"), GaussianVariable("B")), fixed=((("v", "A"), Fraction(2)),))
    found = minors(model)

    assert 3 == found.value
    assert [["A", "A"]] == found.evidence["constants"]
    assert [["A", "B"]] == found.evidence["zeros"]


@pytest.mark.parametrize("start", daily(range(0, 300, 50), 1))
def test_never_below_the_rank(start):
    """On random models of every kind the bound is no less than the rank; a fifth of them at least have one."""
    bounds = {seed: minors(gaussian_model(seed)) for seed in range(start, start + 50)}
    bounds = {seed: bound for seed, bound in bounds.items() if bound is not None}

    assert len(bounds) >= 10
    for seed, bound in bounds.items():
        assert bound.value >= dimension(gaussian_model(seed), bounds="counting,ambient,chance").dimension, seed


def test_large_models_are_left_alone():
    """With very many coordinates nothing is tried; with many, only what vanishes is counted."""
    assert minors(factor_model(1, 400)) is None
    assert minors(factor_model(2, 120)) is None


@pytest.mark.parametrize("seed", range(40))
def test_constant_covariances_and_means(seed):
    """Where no fixed entry is 0, those found constant are those without derivatives, and those without treks are 0."""
    model, draw = gaussian_model(seed, most=5, cycles=False), random.Random(seed)
    fixed = tuple((entry, Fraction(draw.randint(900, 999) if entry[0] == "v" else 7)) for entry, _ in model.fixed)
    model = Gaussian(model.variables, model.edges, model.bidirected, model.means, fixed, model.equal)
    gmap, graph = get_gaussian_map(model), build_doubled_graph(model)
    point = {name: Fraction(draw.randint(1, 10**6), draw.randint(1, 10**6)) for name in parameters(model)}
    observed = [number for number, variable in enumerate(model.variables) if variable.observed]
    pairs = [(one, other) for k, one in enumerate(observed) for other in observed[k:]]
    pairs += [(one, len(model.variables)) for one in observed] if model.means else []
    moments = dict(zip(pairs, coordinates_at(model, point), strict=True))

    assert {pair for pair, moment in moments.items() if not any(moment.slopes.values())} == {
        *find_constant_pairs(gmap, graph, gmap.value_of)
    }
    assert {pair for pair, moment in moments.items() if not moment.value} == {*find_constant_pairs(gmap, graph, {})}
