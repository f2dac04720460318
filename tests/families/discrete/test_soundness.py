"""No bound is ever below the rank, whatever hypothesis a model breaks: every bound by name, models of every kind."""

from dataclasses import replace

import pytest
from amount import daily, in_turn
from suites.mixed_networks import mixed_network
from suites.random_gaussians import gaussian_model
from suites.random_networks import networks
from test_flattenings import setting_of
from test_gaussianminors import minors
from test_gaussiansymmetry import symmetry

import algdim
from algdim.bound.strategy import KNOWN
from algdim.families.discrete.bounds.containing import bound_by_nested_model
from algdim.families.discrete.bounds.flattenings import bound_by_flattenings
from algdim.families.discrete.bounds.koszul import bound_by_koszul

WHOLE = "counting,ambient,chance"
NAMES = [name for name in KNOWN if name not in {"ambient", "districts", "chance"}]


def check_seed(seed):
    """Every bound on one random network, alone beside ambient, with districts and without."""
    model = mixed_network(seed)
    rank = algdim.dimension(model, method="table", bounds=WHOLE).dimension
    for name in NAMES:
        for bounds in (f"{name},ambient", f"{name},ambient,districts"):
            report = algdim.dimension(model, bounds=bounds)

            assert report.lower.value <= rank <= report.upper.value, (seed, bounds, model)
            assert report.lower.is_proved
            assert report.upper.is_proved
    report = algdim.dimension(model)

    assert rank == report.dimension
    assert rank <= report.upper.value


@pytest.mark.parametrize("block", daily(range(8), 1))
def test_no_bound_is_below_the_rank(block):
    """Deterministic nodes, fixed zeros, shared tables and irregular structures, all at once."""
    for seed in range(5 * block, 5 * (block + 1)):
        check_seed(seed)


@in_turn(3)
@pytest.mark.parametrize(
    ("search", "least"), daily([(bound_by_flattenings, 55), (bound_by_koszul, 55), (bound_by_nested_model, 48)], 1)
)
def test_searches_find_a_bound_as_often_as_before(search, least):
    """Of sixty networks drawn once and for all; a search that finds nothing is never below the rank either."""
    found = [search(setting_of(model)) for model in networks(60, seed=7) if not model.given]

    assert least <= sum(bound is not None for bound in found)


@in_turn(3)
@pytest.mark.parametrize(
    ("search", "sums", "least"), [(minors, False, 23), (symmetry, False, 47), (minors, True, 23), (symmetry, True, 46)]
)
def test_gaussian_searches_find_a_bound_as_often_as_before(search, sums, least):
    """The same of sixty Gaussian models, with sums and without; one sum fixes the only scale of its model."""
    models = [gaussian_model(seed) for seed in range(60)]

    assert least <= sum(search(model if sums else replace(model, linear=())) is not None for model in models)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_no_bound_is_below_the_rank_on_a_thousand_networks(block):
    """The same on 1,000 networks."""
    for seed in range(1000 + 50 * block, 1000 + 50 * (block + 1)):
        check_seed(seed)
