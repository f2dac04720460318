"""Divergence between fits."""

from math import inf, log

import numpy as np
import pytest

import algdim
from algdim import InputError, LimitError, divergence
from algdim.families.discrete.map import get_param_map
from algdim.scores.information import compute_cell_probabilities, compute_distribution

DATA = {"A": [0, 1, 0, 1], "B": [0, 0, 1, 1], "count": [4, 1, 2, 3]}


def test_the_divergence_from_independence_is_the_mutual_information():
    """Between the saturated fit and that of independence it is G² / 2N."""
    whole, parts = algdim.fit(DATA, "A -> B"), algdim.fit(DATA, "states A=2, B=2")
    score = algdim.score(DATA, "states A=2, B=2", score="bic")

    assert np.array([[4, 2], [1, 3]]) / 10 == pytest.approx(compute_distribution(whole))
    assert score.goodness.g2 / 20 == pytest.approx(divergence(whole, parts))
    assert 0 == pytest.approx(divergence(parts, parts), abs=1e-12)


def test_a_table_may_stand_for_a_fit():
    """Where the table has a 0 that the fit has not, the divergence is infinite."""
    fit = algdim.fit({"A": [0, 1]}, "states A=2")

    assert 0.5 * log(0.5 / 0.25) + 0.5 * log(0.5 / 0.75) == pytest.approx(divergence(fit, np.array([0.25, 0.75])))
    assert inf == divergence(fit, np.array([0.0, 1.0]))


@pytest.mark.parametrize(("table", "message"), [([0.2, 0.2], "no distribution"), ([0.2, 0.3, 0.5], "shapes")])
def test_other_tables_are_refused(table, message):
    """A table of another shape or sum is an error."""
    with pytest.raises(InputError, match=message):
        divergence(algdim.fit({"A": [0, 1]}, "states A=2"), np.array(table))


def test_conditions_have_no_distribution():
    """Where something is given there is one for each condition."""
    with pytest.raises(InputError, match="has no distribution of its own"):
        compute_distribution(algdim.fit(DATA, "A -> B; given A"))


def test_too_many_cells_are_refused():
    """Nothing is built before the number of cells is known."""
    with pytest.raises(LimitError, match=r"2\^60 cells"):
        compute_cell_probabilities(get_param_map(algdim.model("2:2^60")), [])
