"""Normal equations of connected coefficients: against one dense matrix, and what they cost."""

from __future__ import annotations

import numpy as np
import pytest

import algdim
from algdim.errors import LimitError
from algdim.families.conditionalgaussian.layout import MixedLayout
from algdim.families.conditionalgaussian.likelihood import prepare_fit
from algdim.families.conditionalgaussian.normalequations import NormalEquations
from algdim.fitting.maximization import Prior
from algdim.memory import allow

MODELS = [
    "D, F -> X, Y; X -> Y; states D=3; hidden D, F; fix m(F)=0, v(F)=1",
    "D, F -> X, Y; X -> Y; states D=3; hidden D, F; common intercepts",  # every slope of X is connected to its one intercept
    "D, F -> X, Y; states D=2; hidden F; equal l = b(F->X), b(F->Y)",
    "D -> X, Y; X -> Y; states D=3; common variances; equal a = m(X), m(Y)",
]


def solve_densely(layout, moments, weights):
    """Regression by regression, into one matrix."""
    count, order = len(layout.places[0]), {name: k for k, name in enumerate(layout.model.gaussian, 1)}
    matrix, right = np.zeros((count, count)), np.zeros(count)
    for number, one in enumerate(layout.regressions):
        own = [0, *(order[parent] for parent in one.parents), order[one.name]]
        found = sum(
            moments[k][np.ix_(own, own)]
            for k, at in enumerate(layout.switch_states)
            if all(at[name] == state for name, state in one.at)
        )
        fixed = np.array([*(-value for value in one.fixed), 1.0])
        for i, place in enumerate(one.places):
            if place >= 0:
                right[place] += weights[number] * (found @ fixed)[i]
                for j, other in enumerate(one.places):
                    if other >= 0:
                        matrix[place, other] += weights[number] * found[i, j]
    return matrix, right


@pytest.mark.parametrize("text", MODELS)
def test_blocks_solve_what_one_matrix_does(text):
    """Entries, solutions, products and determinants, for coefficients that are free, fixed, common and equal."""
    layout = MixedLayout(algdim.model(f"conditional-gaussian: {text}"))
    equations, random = NormalEquations(layout), np.random.default_rng(5)
    width = len(layout.model.gaussian) + 1
    halves = random.normal(size=(2, len(layout.switch_states), width, 2 * width))
    moments = halves @ halves.swapaxes(2, 3)
    weights = random.uniform(0.5, 2, size=(2, len(layout.regressions)))
    matrix, right, _ = equations.collect([one.select(moments) for one in layout.by_variable], weights)
    found, logs = equations.blocks.solve(matrix, right), equations.blocks.compute_log_determinants(matrix).sum(axis=1)

    for restart in range(2):
        dense, known = solve_densely(layout, moments[restart], weights[restart])
        assert right[restart] == pytest.approx(known)
        assert dense @ found[restart] == pytest.approx(known)
        assert logs[restart] == pytest.approx(np.linalg.slogdet(dense)[1])
        assert matrix[restart, equations.blocks.diagonal] == pytest.approx(np.diag(dense))
    assert equations.blocks.multiply(matrix, found) == pytest.approx(right)


def test_free_coefficients_are_solved_regression_by_regression():
    """Nine variables with three parents in sixteen states: 144 systems of four, no matrix of 594 coefficients."""
    layout = MixedLayout(
        algdim.model("conditional-gaussian: D1..D4, F1..F3 -> X1..X9; states D1..D4=2; common variances")
    )
    blocks = NormalEquations(layout).blocks

    assert (3 + 144 * 4, 144 + 3) == (len(blocks.of), len(blocks.sizes))
    assert blocks.entries == 3 + 144 * 16


def test_starts_that_do_not_fit_into_memory_are_refused():
    """Before the first step, by the size of the normal distributions and of what connects their coefficients."""
    model = algdim.model("conditional-gaussian: D, F -> X1..X4; states D=200; hidden D, F; common intercepts")
    data = {f"X{k}": [0.1 * k, 1.0, 2.5, k] for k in range(1, 5)}
    family = prepare_fit(model, data, Prior(), missing=False, states=None)
    with allow(None, "20M"), pytest.raises(LimitError, match="192 starts with"):
        family.evaluator(192)
    with allow(None, "1G"):
        assert family.evaluator(1) is family
