"""No bound is ever below the rank, whatever hypothesis a model breaks: every bound by name, models of every kind."""

import pytest
from suites.mixed_networks import mixed_network

import algdim
from algdim.bound.strategy import KNOWN

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


@pytest.mark.parametrize("block", range(8))
def test_no_bound_is_below_the_rank(block):
    """Deterministic nodes, fixed zeros, shared tables and irregular structures, all at once."""
    for seed in range(5 * block, 5 * (block + 1)):
        check_seed(seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_no_bound_is_below_the_rank_on_a_thousand_networks(block):
    """The same on 1,000 networks."""
    for seed in range(1000 + 50 * block, 1000 + 50 * (block + 1)):
        check_seed(seed)
