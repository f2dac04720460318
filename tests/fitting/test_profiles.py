"""Fits of latent profiles: densities written out, monotone EM, every form of the matrices."""

import json
from math import exp, log, pi

import numpy as np
import pytest

import algdim
from algdim import InputError
from algdim.fitting.em import draw_starts
from algdim.fitting.maximization import Prior
from algdim.fitting.problems import make_problem

FORMS = ["", "; covariances equal", "; covariances full", "; covariances full, equal"]


def data_of(seed=1, count=300):
    """Two classes, two continuous items, one categorical."""
    random = np.random.default_rng(seed)
    label = random.random(count) < 0.4
    x = np.where(label, 3.0, 0.0) + random.normal(size=count)
    y = np.where(label, -1.0, 2.0) + 2 * random.normal(size=count) + 0.5 * x
    c = np.where(random.random(count) < 0.8, label, random.integers(0, 3, count)).astype(int)
    return {"X": x.tolist(), "Y": y.tolist(), "C": c.tolist()}, label


def model_of(form, classes=2):
    """The text of the model."""
    return f"latent-profile: H -> X, Y, C; hidden H; states H={classes}, C=3{form}"


@pytest.mark.parametrize("form", FORMS)
def test_the_likelihood_is_the_mixture_s(form):
    """Case by case, the density written out with the parameters as they are printed."""
    data, _ = data_of(count=20)
    found = algdim.fit(data, model_of(form), starts=2, iterations=4)
    p = found.parameters
    end = (lambda h: "") if "equal" in form else (lambda h: f"|H={h}")
    total = 0.0
    for x, y, c in zip(data["X"], data["Y"], data["C"], strict=True):
        density = 0.0
        for h in (0, 1):
            weight = p["P(H=0)"] if h == 0 else 1 - p["P(H=0)"]
            off = p[f"c(X<->Y{end(h)})"] if "full" in form else 0.0
            matrix = np.array([[p[f"v(X{end(h)})"], off], [off, p[f"v(Y{end(h)})"]]])
            rest = np.array([x - p[f"m(X|H={h})"], y - p[f"m(Y|H={h})"]])
            chances = [p[f"P(C=0|H={h})"], p[f"P(C=1|H={h})"]]
            chances.append(1 - sum(chances))
            normal = exp(-0.5 * rest @ np.linalg.inv(matrix) @ rest) / (2 * pi * np.linalg.det(matrix) ** 0.5)
            density += weight * chances[c] * normal
        total += log(density)

    assert total == pytest.approx(found.loglik, abs=1e-8)


@pytest.mark.parametrize("form", FORMS)
def test_em_is_monotone(form):
    """No step lowers the likelihood, with too many classes too."""
    data, _ = data_of(count=60)
    what = make_problem(data, model_of(form, 4), Prior())
    climbers = draw_starts(what, 2, 5)
    for _ in range(30):
        climbers = what.step(what.evaluator(5), climbers)

        assert (climbers.gain >= -1e-9).all()


def test_one_class_has_the_moments_of_the_data():
    """Means, variances with N in the denominator, shares of the states."""
    data, _ = data_of()
    found = algdim.fit(data, model_of("; covariances full", 1)).parameters
    x, y = np.array(data["X"]), np.array(data["Y"])

    assert [x.mean(), y.mean()] == pytest.approx([found["m(X|H=0)"], found["m(Y|H=0)"]])
    assert np.cov(x, y, bias=True)[[0, 1, 0], [0, 1, 1]] == pytest.approx(
        [found["v(X|H=0)"], found["v(Y|H=0)"], found["c(X<->Y|H=0)"]]
    )
    assert data["C"].count(1) / 300 == pytest.approx(found["P(C=1|H=0)"])


def test_the_classes_are_found():
    """Better than the truth, and the means are near it."""
    data, label = data_of()
    found = algdim.fit(data, model_of("; covariances full"))
    means = sorted([found.parameters["m(X|H=0)"], found.parameters["m(X|H=1)"]])
    x = np.array(data["X"])

    assert found.stopping.converged
    assert [x[~label].mean(), x[label].mean()] == pytest.approx(means, abs=0.4)


def test_a_fit_is_a_parameter_file(tmp_path):
    """Read again it has the same likelihood."""
    data, _ = data_of()
    found = algdim.fit(data, model_of("; covariances full"), iterations=5, starts=2)
    path = tmp_path / "fit.json"
    path.write_text(json.dumps(found.to_dict()), encoding="utf-8")

    assert found.loglik == pytest.approx(algdim.fit_at(data, model_of("; covariances full"), path).loglik)


def test_a_class_cannot_shrink_to_a_point():
    """The likelihood would be infinite; the variance stays at the floor, and the record says so."""
    data = {"X": [0.0, 0.0, 0.0, 0.0, 0.0, 5.0, 7.0, 9.0]}
    found = algdim.fit(data, "latent-profile: H -> X; hidden H; states H=2")

    assert np.isfinite(found.loglik)
    assert found.boundary


def test_constant_items_and_wrong_matrices_are_refused():
    """What does not vary has no scale; a matrix that is not positive definite is no covariance."""
    with pytest.raises(InputError, match="X is the same in all cases"):
        algdim.fit({"X": [1.0, 1.0]}, "latent-profile: H -> X; hidden H")
    at = {"P(H=0)": 0.5, "m(X|H=0)": 0, "m(X|H=1)": 1, "v(X|H=0)": 1, "v(X|H=1)": -1}
    with pytest.raises(InputError, match="positive definite"):
        algdim.fit_at({"X": [1.0, 2.0]}, "latent-profile: H -> X; hidden H", at)
