"""Sigmoid variables and classifiers in fits: exact gradients, Newton's maximum, EM and scoring, files."""

import json
from itertools import product
from math import prod

import numpy as np
import pytest
from amount import some
from hypothesis import given, settings
from hypothesis import strategies as st
from test_likelihood import problem, random_sample

import algdim
from algdim import InputError
from algdim.families.discrete.locals import curves
from algdim.families.discrete.locals.curves import (
    collect_curves,
    compute_gain,
    compute_log_slopes,
    compute_probabilities,
    optimise_weights,
    read_off,
)
from algdim.families.discrete.map import get_param_map
from algdim.fitting.em import draw_starts
from algdim.fitting.maximization import Prior, make_even_tables
from algdim.fitting.problems import convert_to_network
from algdim.fitting.record import STATES
from algdim.fitting.scoring import make_coordinate_shares
from algdim.models.anymodel import convert_model_to_dictionary, read_model_dictionary

SIGMOID = "sigmoid: H1, H2 -> X1, X2, X3; hidden H1, H2"
CLASSIFIER = "H -> A, B; A, B, C -> Y; hidden H; states Y=3, B=3; classifier Y {Y -> A, B; A, Y -> C; states Y=3, B=3}"
MIXED = "H -> A, B; A -> C; B, C -> D; hidden H; states H=3"
MODELS = [SIGMOID, CLASSIFIER, "classifier Y: Y -> A, B; A -> B"]


def with_sigmoid(text, *names):
    """The model with some of its variables sigmoid, the others with tables."""
    shown = convert_model_to_dictionary(algdim.model(text))
    shown["local"] = {**shown.get("local", {}), **{name: {"type": "sigmoid"} for name in names}}
    return read_model_dictionary(shown)


ALL = [
    *(convert_to_network(algdim.model(text)) for text in MODELS),
    with_sigmoid(MIXED, "D"),
]


@pytest.fixture(params=range(len(ALL)))
def network(request):
    """One of the models, as a network."""
    return ALL[request.param]


def test_slopes_and_gains_agree_with_differences(network):
    """The derivatives of Σ n log p by the weights."""
    random = np.random.default_rng(3)
    for curve in (one.curve for one in collect_curves(get_param_map(network))):
        weights = random.normal(size=(2, curve.size))
        counts = random.exponential(size=(2, int(np.prod(curve.shape))))
        slopes = curve.slopes(weights)
        p = compute_probabilities(curve, weights)
        totals = np.repeat(counts.reshape(2, -1, curve.shape[-1]).sum(axis=-1), curve.shape[-1], axis=1)
        exact = np.einsum("rc,rcw->rw", counts - totals * p, slopes)
        for number in range(curve.size):
            move = 1e-6 * np.eye(curve.size)[number]
            change = compute_gain(curve, counts, weights + move) - compute_gain(curve, counts, weights - move)
            assert exact[:, number] == pytest.approx(change / 2e-6, abs=1e-4)
        assert (
            compute_gain(curve, counts, optimise_weights(curve, counts, weights))
            >= compute_gain(curve, counts, weights)
        ).all()
        assert p[0] == pytest.approx(compute_probabilities(curve, read_off(curve, p[0]))[0], abs=1e-6)


@settings(max_examples=some(10))
@given(st.integers(0, 2**32), st.booleans(), st.integers(0, len(ALL) - 1))
def test_em_is_monotone(seed, with_prior, which):
    """No step lowers the objective."""
    network = ALL[which]
    what = problem(get_param_map(network), random_sample(network, seed), Prior("alpha", 1.5) if with_prior else Prior())
    climbers = draw_starts(what, seed, 3)
    at = what.evaluator(3)
    for _ in range(8):
        climbers = what.step(at, climbers)

        assert (climbers.gain >= -1e-9 * (1 + np.abs(climbers.objective))).all()


def test_the_gradient_of_scoring_agrees_with_differences(network):
    """All coordinates, shares and weights, in the likelihood of what is observed."""
    what = problem(get_param_map(network), random_sample(network, 5), Prior())
    family = what.family
    shares = make_coordinate_shares(family.pmap, family.maximizer, make_even_tables(family.pmap), 1000)
    start = draw_starts(what, 1, 2)
    values, slopes = shares.of(start.tables), shares.slopes(start.tables)
    slope = shares.gradient(slopes, values, shares.entries(start.expected)[:, :, None])[:, :, 0]
    move = 1e-6 * np.random.default_rng(1).normal(size=slope.shape)
    ends = [what.at(shares.move_shares(values, sign * move, start.tables)).objective for sign in (1, -1)]

    assert 2 * (slope * move).sum(axis=1) == pytest.approx(ends[0] - ends[1], rel=1e-4, abs=1e-8)


def logistic(design, y, steps=50):
    """Newton's method for logistic regression, written out."""
    w = np.zeros(design.shape[1])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-design @ w))
        w += np.linalg.solve(design.T @ ((p * (1 - p))[:, None] * design), design.T @ (y - p))
    return w


def regression_data(seed=0, size=400):
    """Two causes, one with three states, and an effect."""
    random = np.random.default_rng(seed)
    a, b = random.integers(0, 2, size), random.integers(0, 3, size)
    y = (random.random(size) < 1 / (1 + np.exp(0.5 - a + 0.7 * b))).astype(int)
    return a, b, y


def test_complete_data_are_logistic_regression():
    """The weights of a sigmoid variable without hidden parents."""
    a, b, y = regression_data()
    found = algdim.fit({"A": a, "B": b, "Y": y}, with_sigmoid("A, B -> Y; states B=3", "Y"))
    weights = logistic(np.stack([np.ones(len(a)), a, b], axis=1), y)

    assert weights == pytest.approx(
        [found.parameters["Y"]["a"], found.parameters["Y"]["b"]["A"], found.parameters["Y"]["b"]["B"]], abs=1e-5
    )
    assert found.stopping.converged


def test_a_classifier_is_the_regression_of_its_class():
    """HM97 Eq. 6: naive Bayes in binary inputs has log-odds that are linear in them."""
    a, b, y = regression_data(1)
    b = np.minimum(b, 1)
    found = algdim.fit({"A": a, "B": b, "Y": y}, "classifier Y: Y -> A, B")
    design = np.stack([np.ones(len(a)), a, b], axis=1)
    p = 1 / (1 + np.exp(-design @ logistic(design, y)))

    assert np.log(np.where(y == 1, p, 1 - p)).sum() == pytest.approx(found.loglik, abs=1e-6)


def test_parameters_can_be_saved_and_read(network, tmp_path):
    """A fit's JSON is a parameter file: the same likelihood, and data can be drawn from a network without conditions."""
    sample = random_sample(network, 2, missing=False)
    columns = {name: sample.patterns[:, k] for k, name in enumerate(sample.names)}
    found = algdim.fit({**columns, "count": sample.counts}, network, starts=2, iterations=15)
    path = tmp_path / "fit.json"
    path.write_text(json.dumps(found.to_dict()), encoding="utf-8")

    again = algdim.fit_at({**columns, "count": sample.counts}, network, path)
    assert found.loglik == pytest.approx(again.loglik, abs=1e-6)
    resumed = algdim.fit({**columns, "count": sample.counts}, network, resume=found, iterations=5)
    assert resumed.loglik >= found.loglik - 1e-9
    if not network.given:
        assert 5 == len(algdim.simulate(network, path, 5))


def test_a_prior_has_its_mode_inside():
    """Without a prior separated data have no maximum; with one the probabilities of a row are what counts and α give."""
    data = {"A": [0, 1], "Y": [0, 1], "count": [3, 3]}
    found = algdim.fit(data, with_sigmoid("A -> Y", "Y"), prior="alpha=2", coordinates="softmax")
    odds = [found.parameters["Y"]["a"] + state * found.parameters["Y"]["b"]["A"] for state in (0, 1)]

    assert [np.log(2 / 5), np.log(5 / 2)] == pytest.approx(odds, abs=1e-4)


def test_shared_weights_are_one():
    """Two variables of one share have one set of weights, from the data of both."""
    a, b, y = regression_data(2)
    b = np.minimum(b, 1)
    model = with_sigmoid("A -> B; A -> Y", "B", "Y")
    data = convert_model_to_dictionary(model)
    data["local"] = {name: {"type": "sigmoid", "share": "s"} for name in ("B", "Y")}
    found = algdim.fit({"A": a, "B": b, "Y": y}, data)
    weights = logistic(np.stack([np.ones(2 * len(a)), np.tile(a, 2)], axis=1), np.concatenate([b, y]))

    assert weights == pytest.approx([found.parameters["s"]["a"], found.parameters["s"]["b"]["pa1"]], abs=1e-5)


def test_sigmoid_networks_with_hidden_causes_converge():
    """GHM96 §8's first network: the truth is not better than the fit, and scoring arrives."""
    text = "sigmoid: H1, H2 -> X1, X2, X3, X4; hidden H1, H2"
    truth = {"H1": {"a": 0.3}, "H2": {"a": -0.5}}
    truth |= {f"X{k}": {"a": -1.0, "b": {"H1": 1.5 * (k % 2) + 0.5, "H2": 2 - 0.4 * k}} for k in range(1, 5)}
    data = algdim.simulate(text, truth, 1000, seed=1)
    found = algdim.fit(data, text, starts=3)

    assert found.stopping.converged
    assert found.loglik > algdim.fit_at(data, text, truth).loglik


def test_classifiers_with_bound_tables_are_refused():
    """Shared, fixed and named entries inside a classifier."""
    with pytest.raises(InputError, match="classifiers with free tables"):
        algdim.fit({"A": [0, 1], "Y": [0, 1]}, "A -> Y; classifier Y {Y -> A; fix P(A=0|Y=0) = 1/2}")


def test_scores_of_tables_are_refused_for_weights():
    """BIC and its kin have values; marginal likelihoods of tables have none."""
    rows = list(product((0, 1), repeat=3)) * 3 + [(0, 0, 0)]
    found = algdim.score(rows, "sigmoid: A, B -> C")

    assert {"bic", "bic+", "draper", "draper+"} <= set(found.values)
    assert "weights and no table" in found.reasons["cs"]
    assert "tables" in found.information_reason


def test_probabilities_near_the_boundary_are_listed():
    """Separated data drive the weights of a sigmoid variable away; the record says which probabilities are at the end."""
    found = algdim.fit({"A": [0, 1], "Y": [0, 1], "count": [30, 30]}, with_sigmoid("A -> Y", "Y"))

    assert {"Y row 1 state 0", "Y row 1 state 1", "Y row 2 state 0", "Y row 2 state 1"} == {
        one.name for one in found.boundary
    }


def test_restarts_are_improved_in_portions(monkeypatch):
    """The same as all at once, for restarts know nothing of each other."""
    (found,) = collect_curves(get_param_map(algdim.model("A, B -> X; sigmoid X; states A=4, B=3")))
    curve = found.curve
    draw, cells = np.random.default_rng(0), prod(curve.shape)
    counts, weights = draw.random((7, cells)), draw.normal(size=(7, curve.size))
    together = optimise_weights(curve, counts, weights, 6)
    monkeypatch.setattr(curves, "SLOPES_AT_ONCE", 2 * cells * curve.size)
    seen = []
    monkeypatch.setattr(curves, "compute_log_slopes", lambda *a: seen.append(len(a[0])) or compute_log_slopes(*a))

    assert np.allclose(together, optimise_weights(curve, counts, weights, 6), rtol=1e-9)
    assert max(seen) == 2


@pytest.mark.parametrize("kind", ["multinomial", "adjacent", "cumulative"])
def test_weights_of_several_log_odds_are_printed(kind):
    """Constants in one line, and what each parent adds."""
    data = {"A": [0, 0, 0, 1, 1, 1, 0, 1], "B": [0, 1, 2, 0, 1, 2, 2, 0]}
    lines = str(algdim.fit(data, f"A -> B; states B=3; {kind} B", starts=1)).splitlines()

    shown = lines[lines.index("  B") + 1 :][:3]
    numbers = [len(line.split()) - 1 for line in shown]
    assert ["a", "b", "A"] == [line.split()[0] for line in shown]
    assert [2, 0, 2 if kind == "multinomial" else 1] == numbers


@pytest.mark.parametrize("clause", ["rasch X1..X5", "multinomial X1..X5", ""])
def test_two_states_with_equal_rows_are_warned_about(clause):
    """Where fewer classes have the same distribution: items of two classes, fitted with three, of which two start equal."""
    text = f"H -> X1..X5; hidden H; states H=3; {clause}".rstrip("; ")
    tables = {"H": [[0.5, 0.3, 0.2]], **{f"X{k}": [[0.8, 0.2], [0.3, 0.7], [0.3, 0.7]] for k in range(1, 6)}}
    counts = algdim.simulate("H -> X1..X5; hidden H; states H=3", tables, 500, seed=1).columns
    if clause:
        kind = "t" if "rasch" in clause else "b"
        step = [1.0, 1.0] if kind == "t" else [0.0]
        tables |= {f"X{k}": {"a": [-0.5], kind: {"H": step}} for k in range(1, 6)}
    at = algdim.fit_at(counts, text, tables)
    same = [one for one in at.boundary if one.kind == STATES]

    assert [0.0] * (2 if "multinomial" in clause else 1) == [one.value for one in same]
    assert "difference of the rows of H=1 and H=2 < 1/N" in str(at) or "multinomial" in clause
    assert "WARNING: difference of the rows of H=" in str(at)
    assert "fewer states give the same distribution" in str(at)


@pytest.mark.parametrize(
    "text", ["H -> X1..X5; hidden H; states H=3", "diagnosis DINA: items 10, 01, 11, 10, 01; attributes A, B"]
)
def test_states_that_differ_are_not_warned_about(text):
    """Nor patterns of attributes, which items hold equal by the model itself."""
    draw = np.random.default_rng(0)
    data = {f"X{k}": draw.integers(0, 2, 60).tolist() for k in range(1, 6)}
    parameters = algdim.fit(data, text, starts=1, iterations=1, seed=1).parameters
    found = algdim.fit_at(data, text, parameters)

    assert not [one for one in found.boundary if one.kind == STATES]
    assert "fewer states" not in str(found)
