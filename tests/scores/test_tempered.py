"""WBIC by Hamiltonian Monte Carlo, beside integrals that are known."""

from math import log

import numpy as np
import pytest
from amount import daily, in_turn

import algdim
from algdim import InputError
from algdim.families.discrete.map import get_param_map
from algdim.fitting.samples import read_sample
from algdim.scores.dirichlet import digamma, make_priors
from algdim.scores.marginal import compute_two_class_marginal
from algdim.scores.scores import choose_prior
from algdim.scores.tempered import estimate_wbic


def estimate(data, text, *, alpha=1.0, **options):
    """The estimate of a model on data."""
    model = algdim.model(text)
    return estimate_wbic(
        make_priors(get_param_map(model), choose_prior(alpha, None)), read_sample(data, model), **options
    )


@in_turn(2)
@pytest.mark.parametrize("alpha", daily([0.5, 1.0], 1))
def test_a_single_table_is_known_in_closed_form(alpha):
    """The tempered posterior of one row is a Dirichlet distribution, whose mean logarithms are digamma functions."""
    counts = np.array([30.0, 8.0, 2.0])
    found = estimate({"A": [0, 1, 2], "count": counts}, "states A=3", alpha=alpha, kept=200)
    exponents = alpha + counts / log(40)
    wanted = float(counts @ (digamma(exponents) - digamma(exponents.sum(keepdims=True))))

    assert wanted == pytest.approx(found.value, abs=5 * found.error)
    assert 0 < found.error < 0.1


@in_turn(3)
def test_the_same_seed_gives_the_same_estimate():
    """Chains are drawn from a stream of the seed."""
    data = {"A": [0, 1, 1, 1]}
    one, again, other = (estimate(data, "states A=2", kept=5, seed=seed) for seed in (1, 1, 2))

    assert one == again
    assert one != other


@pytest.mark.slow
@pytest.mark.parametrize("cells", [[1] * 8, [3, 3, 1, 1, 1, 1, 3, 3]])
def test_it_agrees_with_draws_from_the_prior(cells):
    """With too many classes: the mean by weighted draws from the prior, which is nearer to log p(D) than BIC."""
    patterns, counts = np.indices((2, 2, 2)).reshape(3, -1), 5 * np.array(cells)
    data = {**{f"X{k + 1}": patterns[k] for k in range(3)}, "count": counts}
    exact = compute_two_class_marginal(read_sample(data, algdim.model("2:2^3")))
    found = estimate(data, "2:2^3")
    random = np.random.default_rng(5)
    weight, chances = random.random((400_000, 1)), random.random((2, 400_000, 3, 1))
    classes = np.where(patterns == 1, chances, 1 - chances).prod(axis=2)
    logliks = np.log(weight * classes[0] + (1 - weight) * classes[1]) @ counts
    weights = np.exp((logliks - logliks.max()) / log(counts.sum()))
    wanted = float(weights @ logliks / weights.sum())

    assert wanted == pytest.approx(found.value, abs=4 * found.error + 0.05)
    bic = algdim.score(data, "2:2^3", score="bic+").values["bic+"]
    assert abs(found.value - exact) < abs(bic - exact)


def test_what_has_no_free_rows_is_refused():
    """Fixed entries and tiny samples are named."""
    with pytest.raises(InputError, match="fixed or equal"):
        estimate({"A": [0, 1, 2]}, "states A=3; fix P(A=2) = 1/2")
    with pytest.raises(InputError, match="at least 3 cases"):
        estimate({"A": [0, 1]}, "states A=2")


def test_all_leaves_it_out():
    """It takes seconds, so it has to be asked for by name."""
    assert "wbic" not in algdim.score({"A": [0, 1, 1]}, "states A=2").values
