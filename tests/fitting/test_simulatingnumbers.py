"""Data drawn from continuous families: their moments, and that fits find the parameters again."""

import json

import numpy as np
import pytest

import algdim
from algdim import InputError
from algdim.cli import main
from algdim.fitting.simulating import draw_poissons

CYCLE = "gaussian: A -> B -> C -> A; A <-> B"
AT_CYCLE = {
    "coefficients": {"A->B": 0.5, "B->C": -0.4, "C->A": 0.3},
    "variances": {"A": 1, "B": 2, "C": 0.5},
    "covariances": {"A<->B": 0.6},
    "means": {"A": 1, "B": 0, "C": -2},
}
PROFILE = "latent-profile: H -> X, Y, C; hidden H; covariances full; states C=2"
AT_PROFILE = {
    "P(H=0)": 0.3, "m(X|H=0)": -2, "m(X|H=1)": 2, "m(Y|H=0)": 0, "m(Y|H=1)": 1, "v(X|H=0)": 1, "v(X|H=1)": 2,
    "v(Y|H=0)": 1, "v(Y|H=1)": 3, "c(X<->Y|H=0)": 0.5, "c(X<->Y|H=1)": -1, "P(C=0|H=0)": 0.9, "P(C=0|H=1)": 0.2,
}  # fmt: skip
SUM = "poisson: {A,H},{A} -> E; hidden H"
AT_SUM = {
    "P(A=0)": 0.4, "P(H=0)": 0.25, "l(E.1|A=0,H=0)": 1, "l(E.1|A=0,H=1)": 8, "l(E.1|A=1,H=0)": 3,
    "l(E.1|A=1,H=1)": 5, "l(E.2|A=0)": 0.5, "l(E.2|A=1)": 2,
}  # fmt: skip


def test_gaussian_data_have_the_model_s_moments():
    """Σ = (I − B)⁻ᵀ Ω (I − B)⁻¹ with a cycle and a correlated error."""
    data = algdim.simulate(CYCLE, AT_CYCLE, 200_000)
    values = np.array([data[name] for name in "ABC"])
    inverse = np.linalg.inv(np.array([[1, -0.5, 0], [0, 1, 0.4], [-0.3, 0, 1]]))
    omega = np.array([[1, 0.6, 0], [0.6, 2, 0], [0, 0, 0.5]])

    assert inverse.T @ omega @ inverse == pytest.approx(np.cov(values), abs=0.03)
    assert np.array([1, 0, -2]) @ inverse == pytest.approx(values.mean(axis=1), abs=0.02)


def test_profiles_have_the_mixture_s_moments():
    """Means of the items, and of a product within a state."""
    data = algdim.simulate(PROFILE, AT_PROFILE, 200_000)

    assert 0.3 * -2 + 0.7 * 2 == pytest.approx(data["X"].mean(), abs=0.02)
    assert 0.3 * 0.9 + 0.7 * 0.2 == pytest.approx((data["C"] == 0).mean(), abs=0.01)
    assert 0.3 * 0.5 + 0.7 * (-1 + 2) == pytest.approx((data["X"] * data["Y"]).mean(), abs=0.03)


def test_sums_have_the_rates_of_their_mechanisms():
    """The mean and the variance of E given A: a mixture of two Poisson variables, and one."""
    data = algdim.simulate(SUM, AT_SUM, 200_000)
    effect = data["E"][data["A"] == 0]

    assert 0.25 * 1 + 0.75 * 8 + 0.5 == pytest.approx(effect.mean(), abs=0.05)
    assert 6.75 + 0.25 * 0.75 * 49 == pytest.approx(effect.var(), abs=0.3)


@pytest.mark.parametrize(("text", "at"), [(CYCLE, AT_CYCLE), (PROFILE, AT_PROFILE), (SUM, AT_SUM)])
def test_what_is_drawn_can_be_fitted(text, at, tmp_path, capsys):
    """The fit is no worse than the truth; the command prints data that it reads again."""
    path, table = tmp_path / "at.json", tmp_path / "data.csv"
    path.write_text(json.dumps(at), encoding="utf-8")

    assert 0 == main(["simulate", text, "--at", str(path), "-n", "400", "--seed", "3"])
    table.write_text(capsys.readouterr().out, encoding="utf-8")
    assert algdim.fit(table, text).loglik >= algdim.fit_at(table, text, path).loglik


@pytest.mark.parametrize("rate", [0.0, 0.3, 4.0, 900.0])
def test_poisson_numbers_have_mean_and_variance(rate):
    """Both are the rate."""
    drawn = draw_poissons(1, "x", np.full(20_000, rate))

    assert rate == pytest.approx(drawn.mean(), rel=0.03, abs=1e-9)
    assert rate == pytest.approx(drawn.var(), rel=0.05, abs=1e-9)


def test_parameters_that_are_no_distribution_are_refused():
    """A matrix that is no covariance, and a row that adds up to more than 1."""
    wrong = {**AT_CYCLE, "covariances": {"A<->B": 9}}
    with pytest.raises(InputError, match="no covariance matrix"):
        algdim.simulate(CYCLE, wrong, 5)
    with pytest.raises(InputError, match="from 0 to 1"):
        algdim.simulate(PROFILE, {**AT_PROFILE, "P(H=0)": 1.5}, 5)
