"""Fits of many samples at once: each is the fit of its sample alone."""

import numpy as np
import pytest
from amount import daily

from algdim import fit, model
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.stacks import fit_stack
from algdim.fitting.em import Tolerance
from algdim.fitting.maximization import DIRICHLET, Prior
from algdim.fitting.searching import EM, STAGED

TOLERANCE = Tolerance(1e-7, iterations=3000)


def draw_tables_of_counts(shape: tuple[int, ...], sizes: tuple[int, ...]) -> np.ndarray:
    """Counts of all cells for each size, many of them 0 in the first."""
    random = np.random.default_rng(3)
    cells = int(np.prod(shape))
    return np.array([random.multinomial(size, random.dirichlet(np.ones(cells))) for size in sizes], dtype=np.float64)


def fit_alone(text: str, counts: np.ndarray, seed: int, **options: object) -> object:
    """The fit of one sample by the public function."""
    network = model(text)
    names = [variable.name for variable in network.observed]
    cells = np.indices([variable.states for variable in network.observed]).reshape(len(names), -1)
    shown = counts > 0
    data = {name: states[shown].tolist() for name, states in zip(names, cells, strict=True)}
    return fit({**data, "count": counts[shown].tolist()}, network, seed=seed, identify=False, **options)


@pytest.mark.parametrize(
    "text", daily(["2:2,2,2", "2:2,3", "max: {A,B},{B} -> E", "A -> B; H -> A, B; hidden H; states B=3"], 1)
)
def test_posterior_modes_are_those_of_each_sample(text: str) -> None:
    """The same starts, the same climb: the same log-likelihood and parameters."""
    pmap = get_param_map(model(text))
    stack, seeds = draw_tables_of_counts(pmap.shape, (12, 100, 1000, 20)), [0, 1, 0, 7]
    found = fit_stack(pmap, stack, seeds, Prior(DIRICHLET, 1.1), TOLERANCE, STAGED, EM)
    for number, (counts, seed) in enumerate(zip(stack, seeds, strict=True)):
        one = fit_alone(text, counts, seed, prior="alpha=1.1", starts=STAGED, method=EM, absolute=1e-7, iterations=3000)
        assert found.logliks[number] == pytest.approx(one.loglik, abs=1e-8)
        for owner, table, expected in zip(pmap.owners, found.tables, found.expected, strict=True):
            if owner in one.parameters:
                assert np.allclose(table[number].ravel(), np.ravel(one.parameters[owner]), atol=1e-8)
                assert np.allclose(expected[number].ravel(), np.ravel(one.expected[owner]), atol=1e-5)


@pytest.mark.parametrize("text", daily(["2:2,2,2,2", "3:2,2,2,2", "max: {A,B},{B} -> E"], 1))
def test_greatest_likelihoods_are_those_of_each_sample(text: str) -> None:
    """By scoring, from few starts to many, whichever of them end first."""
    pmap = get_param_map(model(text))
    stack = draw_tables_of_counts(pmap.shape, (30, 5000, 400))
    found = fit_stack(pmap, stack, [0, 1, 2], Prior(), TOLERANCE)
    for number, counts in enumerate(stack):
        one = fit_alone(text, counts, number, absolute=1e-7)
        assert found.logliks[number] == pytest.approx(one.loglik, abs=1e-4)


def test_what_is_impossible_in_one_sample_may_occur_in_another() -> None:
    """A cell without cases has probability 0 at the estimates of its sample, which the sums over cells leave out."""
    pmap = get_param_map(model("A -> B"))
    stack = np.array([[3.0, 0.0, 0.0, 2.0], [1.0, 1.0, 1.0, 1.0]])
    found = fit_stack(pmap, stack, [0, 0], Prior(), TOLERANCE)
    assert found.logliks == pytest.approx([3 * np.log(0.6) + 2 * np.log(0.4), 4 * np.log(0.25)])
