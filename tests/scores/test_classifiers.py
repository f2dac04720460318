"""Laplace's approximation for classifiers: its derivatives, its value against an integral, tables as a special case."""

from math import lgamma, log, pi

import numpy as np
import pytest

import algdim
from algdim import InputError
from algdim.families.discrete.locals.curves import collect_curves
from algdim.families.discrete.locals.sigmoid import SigmoidCurve
from algdim.families.discrete.map import get_param_map
from algdim.fitting.problems import convert_to_network
from algdim.scores.classifiers import Posterior, compute_maximum_contribution, compute_variable_laplace, trigamma

TEXTS = [
    "classifier Y: Y -> A, B",
    "classifier Y: A -> Y -> B, C; A -> C; states Y=3, B=3",
    "classifier Y: Y -> A, B; A -> B; states A=3",
]


def posterior_of(text, seed=0):
    """The posterior of one classifier with random counts, and its dimension."""
    network = convert_to_network(algdim.model(text))
    (found,) = collect_curves(get_param_map(network))
    curve = found.curve
    counts = np.random.default_rng(seed).poisson(12, size=int(np.prod(curve.shape))).astype(float)
    return Posterior(curve, counts, 4.0), curve.dimension()


@pytest.mark.parametrize("text", TEXTS)
def test_gradient_and_hessian_agree_with_differences(text):
    """By every weight, at a point that is no maximum."""
    posterior, _ = posterior_of(text)
    weights = np.random.default_rng(1).normal(size=posterior.curve.size)
    exact, slope = posterior.curvature(weights), posterior.gradient(weights)
    for number in range(len(weights)):
        move = 1e-5 * np.eye(len(weights))[number]
        change = posterior.value(weights + move) - posterior.value(weights - move)
        changed = posterior.gradient(weights + move) - posterior.gradient(weights - move)

        assert slope[number] == pytest.approx(change / 2e-5, abs=1e-4)
        assert exact[number] == pytest.approx(-changed / 2e-5, abs=1e-4)


@pytest.mark.parametrize("text", TEXTS)
def test_every_start_that_arrives_is_at_one_maximum(text):
    """In a linear space of log-odds the posterior is concave: the sum over maxima has one summand (HM97 Theorem 1)."""
    posterior, dimension = posterior_of(text)
    weights, arrived = posterior.climb_to_maximum(np.zeros(posterior.curve.size))

    assert arrived
    assert np.zeros(posterior.curve.size) == pytest.approx(posterior.gradient(weights), abs=1e-3)
    assert compute_maximum_contribution(posterior, weights, dimension) == pytest.approx(
        compute_variable_laplace(posterior, dimension), abs=1e-5
    )


def test_the_value_is_near_the_integral():
    """Naive Bayes with one binary input: two directions, integrated on a grid of log-odds."""
    counts = np.array([[30.0, 12.0], [9.0, 25.0]])
    network = convert_to_network(algdim.model("classifier Y: Y -> A"))
    (found,) = collect_curves(get_param_map(network))
    curve = found.curve
    variance = 3.0
    found = compute_variable_laplace(Posterior(curve, counts.ravel(), variance), 2)
    grid = np.linspace(-6, 6, 1201)  # the coordinate of a row of two, (1, −1)/√2
    rows = []
    for row in counts:
        odds = grid * 2**0.5
        likelihood = -row[0] * np.log1p(np.exp(-odds)) - row[1] * np.log1p(np.exp(odds))
        density = np.exp(likelihood - grid**2 / (2 * variance)) / (2 * pi * variance) ** 0.5
        rows.append(log(density.sum() * (grid[1] - grid[0])))

    assert sum(rows) == pytest.approx(found, abs=0.05)


def test_a_full_table_has_nearly_its_exact_marginal_likelihood():
    """The normal prior has the covariances of the logarithms of a Dirichlet variable; with many cases they agree."""
    data = {"A": [0, 0, 1, 1], "Y": [0, 1, 0, 1], "count": [400, 250, 180, 370]}
    laplace = algdim.score(data, "classifier Y: A -> Y", score="laplace", alpha=2.0).values["laplace"]
    exact = 0.0
    for row in ((400, 250), (180, 370)):
        exact += lgamma(4) - lgamma(4 + sum(row)) + sum(lgamma(2 + n) - lgamma(2) for n in row)

    assert exact == pytest.approx(laplace, abs=0.2)


def test_variables_add_up():
    """HM97 Eq. 8: the block of each variable; tables have their closed form."""
    random = np.random.default_rng(2)
    a, b = random.integers(0, 2, 300), random.integers(0, 2, 300)
    y = (random.random(300) < 1 / (1 + np.exp(0.3 - a + b))).astype(int)
    data = {"A": a, "B": b, "Y": y}
    whole = algdim.score(data, "A, B -> Y; classifier Y {Y -> A, B}", score="laplace,bic+", alpha=1.0)
    part = algdim.score(data, "classifier Y: Y -> A, B", score="laplace,bic+", alpha=1.0)
    rest = algdim.score({"A": a, "B": b}, "states A=2, B=2", score="exact,bic+", alpha=1.0)

    assert part.values["laplace"] + rest.values["exact"] == pytest.approx(whole.values["laplace"], abs=1e-6)
    assert part.values["bic+"] + rest.values["bic+"] == pytest.approx(whole.values["bic+"], abs=1e-6)


class Bent:
    """Two rows of a binary variable with the log-odds w and w² − 1: one weight, a curved image, two equal maxima."""

    shape, size = (2, 2), 1

    def logits(self, weights):
        w = weights[:, 0]
        zero = np.zeros_like(w)
        return np.stack([zero, w, zero, w**2 - 1], axis=1)

    def slopes(self, weights):
        w = weights[:, 0]
        zero, one = np.zeros_like(w), np.ones_like(w)
        return np.stack([zero, one, zero, 2 * w], axis=1)[:, :, None]

    def bend(self, weights, by_cell):
        return np.array([[2.0 * by_cell[3]]])


def test_distinct_maxima_are_added_up():
    """HM97 §5: two symmetric maxima contribute twice what one does."""
    posterior = Posterior(Bent(), np.array([20.0, 20.0, 5.0, 60.0]), 50.0)
    weights, arrived = posterior.climb_to_maximum(np.array([1.0]))

    assert arrived
    assert compute_maximum_contribution(posterior, weights, 1) + log(2) == pytest.approx(
        compute_variable_laplace(posterior, 1), abs=1e-6
    )


def test_hidden_variables_and_singular_points_are_refused():
    """Eq. 8 is for complete data; where log-odds move in fewer directions there is no peak."""
    data = {"A": [0, 1, 1, 0], "B": [0, 1, 0, 1]}
    found = algdim.score(data, "sigmoid: H -> A, B; hidden H", score="laplace", alpha=1.0)
    curve = SigmoidCurve((2, 2), ("A",))

    assert "complete data" in found.reasons["laplace"]
    with pytest.raises(InputError, match="2 directions and in general in 1"):
        compute_variable_laplace(Posterior(curve, np.ones(4), 1.0), 1)


def test_other_families_have_penalties_only():
    """BIC to Draper+ take the likelihood and the dimension; the others give their reason, of which a missing prior may be one."""
    data = {"A": [1.0, 2.5, 3.0, 4.0], "B": [2.0, 1.0, 4.0, 5.5]}
    profile = algdim.score(data, "latent-profile: H -> A, B; hidden H")
    found = algdim.score(data, "gaussian: A -> B")

    for one in (profile, found):
        assert {"bic", "bic+", "draper", "draper+"} <= set(one.values)
        assert not {"cs", "laplace", "exact"} & set(one.values)
    assert "family latent-profile" in profile.reasons["cs"]
    assert "cs of Gaussian networks takes a number of prior cases; give --alpha 1" in found.reasons["cs"]
    assert (5, True) == (found.report.dimension, "gaussian" in str(found))


def test_trigamma_is_the_variance_of_a_logarithm():
    """The recurrence ψ′(x) = ψ′(x + 1) + 1/x²."""
    for value in (0.01, 0.7, 3.0, 40.0):
        assert trigamma(value) == pytest.approx(trigamma(value + 1) + value**-2, rel=1e-12)


def test_given_parameters_are_no_maximum():
    """With --at there is the reason, for the score looks for the maxima itself."""
    data = {"A": [0, 1, 1, 0], "Y": [0, 1, 0, 1]}
    at = {"Y": {"Y": [[0.5, 0.5]], "A": [[0.4, 0.6], [0.7, 0.3]]}}
    found = algdim.score(data, "classifier Y: Y -> A", at=at, score="laplace,bic+", alpha=1.0)

    assert "--at" in found.reasons["laplace"]
    assert {"bic+"} == set(found.values)
