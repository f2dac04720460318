"""Where log-odds are linear in a variable, its states are scored as its labels say, also where some of them do not occur."""

from __future__ import annotations

import numpy as np
import pytest

import algdim


def fit_logistic(values, answers):
    """The log-likelihood and the slope of logistic regression, by Newton's method."""
    design, weights = np.column_stack([np.ones(len(values)), values]), np.zeros(2)
    for _ in range(60):
        chances = 1 / (1 + np.exp(-design @ weights))
        information = (design * (chances * (1 - chances))[:, None]).T @ design
        weights = weights + np.linalg.solve(information, design.T @ (answers - chances))
    return float(np.sum(answers * np.log(chances) + (1 - answers) * np.log(1 - chances))), weights[1]


@pytest.mark.parametrize("labels", [(1, 2, 4), (0, 1, 3), (2, 3, 4), (1, 4)])
@pytest.mark.parametrize("kind", ["multinomial", "sigmoid"])
def test_a_covariate_of_which_a_value_does_not_occur(labels, kind):
    """It is scored by its value, not by its rank; by logistic regression."""
    source = np.random.default_rng(3)
    values = source.choice(labels, 400)
    answers = (source.random(400) < 1 / (1 + np.exp(2 - 0.9 * values))).astype(int)
    data = {"Z": values.tolist(), "X": answers.tolist()}
    found = algdim.fit(data, f"Z -> X; states Z=4; given Z; {kind} X", identify=False)
    loglik, slope = fit_logistic(values, answers)

    assert loglik == pytest.approx(found.loglik, abs=1e-6)
    assert slope == pytest.approx(np.ravel(found.parameters["X"]["b"]["Z"])[0], abs=1e-4)
    assert not any("scored" in note for note in found.sample.notes)


def test_latent_class_regression_with_a_gap():
    """poLCA's coding, 1 to the greatest: a script's covariate with 1, 2 and 4 has four states."""
    source = np.random.default_rng(1)
    values = source.choice((1, 2, 4), 300)
    classes = source.random(300) < 1 / (1 + np.exp(3 - values))
    data = {name: np.where(source.random(300) < 0.1, 1 - classes, classes) + 1 for name in "ABC"}
    data = {name: column.tolist() for name, column in data.items()} | {"Z": values.tolist()}
    found = algdim.fit(data, "cbind(A, B, C) ~ Z", format="polca:nclass=2", identify=False)

    assert ("1", "2", None, "4") == found.sample.states[found.sample.names.index("Z")]
    assert 0.6 < abs(found.parameters["H"]["b"]["Z"][0]) < 1.6


@pytest.mark.parametrize("labels", [("low", "mid", "top"), ("1", "2", "4"), ("0.5", "1", "10")])
def test_scores_that_labels_do_not_say_are_noted(labels):
    """The order of words is that of the alphabet, and numbers that are not equally spaced are ranks."""
    data = {"Z": [*labels, labels[0]], "X": [0, 1, 1, 0]}
    found = algdim.fit(data, "Z -> X; states Z=3; given Z; sigmoid X", identify=False)

    assert any(note.startswith("Z is scored by the order of its labels") for note in found.sample.notes)
    tables = algdim.fit(data, "Z -> X; states Z=3; given Z", identify=False)
    assert not any("scored" in note for note in tables.sample.notes)
