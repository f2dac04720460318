"""G², X² and their tails."""

from math import exp, factorial, log

import numpy as np
import pytest
from amount import in_turn

import algdim
from algdim.scores.goodness import compute_upper_tail

# the usual table of the χ² distribution: freedom, upper tail, quantile
TABLE = [(1, 0.05, 3.841), (3, 0.01, 11.345), (10, 0.05, 18.307), (30, 0.95, 18.493), (100, 0.99, 70.065)]


@pytest.mark.parametrize(("dof", "tail", "quantile"), TABLE)
def test_the_tails_are_those_of_the_tables(dof, tail, quantile):
    """The quantiles that every textbook prints have their tails."""
    assert tail == pytest.approx(compute_upper_tail(quantile, dof), abs=1e-4)


@pytest.mark.parametrize("half", [1, 2, 7, 40, 300])
@pytest.mark.parametrize("share", [0.3, 0.9, 1.0, 1.1, 2.0])
def test_even_freedom_has_a_finite_sum(half, share):
    """For 2m degrees of freedom the tail is a Poisson variable's chance to stay below m."""
    mean = half * share
    wanted = sum(exp(k * log(mean) - mean - log(factorial(k))) for k in range(half))

    assert wanted == pytest.approx(compute_upper_tail(2 * mean, 2 * half), rel=1e-9, abs=1e-12)


def test_independence_in_a_table():
    """For two independent variables the statistics are those of the contingency table, with (r − 1)(c − 1) degrees."""
    counts = {(0, 0): 20, (0, 1): 5, (1, 0): 10, (1, 1): 15}
    data = {"A": [a for a, _ in counts], "B": [b for _, b in counts], "count": list(counts.values())}
    found = algdim.score(data, "states A=2, B=2", score="bic").goodness
    rows = {a: sum(n for cell, n in counts.items() if cell[0] == a) for a in (0, 1)}
    columns = {b: sum(n for cell, n in counts.items() if cell[1] == b) for b in (0, 1)}
    expected = {(a, b): rows[a] * columns[b] / 50 for a, b in counts}

    assert 1 == found.dof
    assert sum((n - expected[cell]) ** 2 / expected[cell] for cell, n in counts.items()) == pytest.approx(found.x2)
    assert 2 * sum(n * log(n / expected[cell]) for cell, n in counts.items()) == pytest.approx(found.g2)


def test_the_freedom_is_that_of_the_dimension():
    """3:2,2,2,2 has 13 dimensions in 15 (GHM96 §6), so that 2 degrees are left and not 1."""
    data = [[k >> bit & 1 for bit in range(4)] for k in range(16)]
    found = algdim.score(data, "3:2,2,2,2", score="bic").goodness

    assert 2 == found.dof


def test_conditions_do_not_count():
    """With a variable that is conditioned on, a cell is compared with the cases of its condition."""
    data = {"A": [0, 0, 1, 1], "B": [0, 1, 0, 1], "count": [6, 2, 1, 3]}
    found = algdim.score(data, "A -> B; given A", score="bic").goodness

    assert 0 == found.dof
    assert (0, 0) == pytest.approx((found.g2, found.x2), abs=1e-9)
    assert found.g2_p is None


PAIRS = {"A": [1.0, 2.5, 0.5, 4.0, 3.0, 2.0], "B": [2.0, 1.0, 0.0, 5.5, 1.0, 3.0]}


@pytest.mark.parametrize("means", ["", "; means off"])
def test_independence_of_normal_variables(means):
    """The likelihood-ratio statistic of A ⊥ B is −N log(1 − r²), with one degree of freedom (any textbook)."""
    r = np.corrcoef(PAIRS["A"], PAIRS["B"])[0, 1]
    found = algdim.score(PAIRS, f"gaussian: A, B{means}", score="bic").goodness

    assert -6 * log(1 - r**2) == pytest.approx(found.g2)
    assert (1, None, None) == (found.dof, found.x2, found.x2_p)
    assert compute_upper_tail(found.g2, 1) == pytest.approx(found.g2_p)
    assert f"G² = {found.g2:.8g} (p = {found.g2_p:.4g})   df = 1" in str(
        algdim.score(PAIRS, "gaussian: A, B", score="bic")
    )


def test_a_saturated_normal_model_leaves_nothing():
    """Its likelihood is the greatest: G² is 0, and there is no p-value for 0 degrees."""
    found = algdim.score(PAIRS, "gaussian: A -> B", score="bic").goodness

    assert 0 == pytest.approx(found.g2, abs=1e-8)
    assert (0, None) == (found.dof, found.g2_p)


def test_redundant_parameters_give_degrees_back():
    """One factor behind two items has five parameters for three covariances: counting leaves −2, the dimension 0."""
    text = "gaussian: F -> X1, X2; hidden F; means off"
    data = {"X1": PAIRS["A"], "X2": PAIRS["B"]}
    found = algdim.score(data, text, score="bic")

    assert found.report.complete - found.report.standard == -2
    assert 0 == found.goodness.dof


@pytest.mark.parametrize(
    ("data", "text", "options", "reason"),
    [
        ({"A": [0, None], "B": [0, 1]}, "A -> B", {"missing": True}, "entries are missing"),
        ({"A": ["0", "0"], "B": [0, 1]}, "A -> B; given A", {}, "not every condition"),
    ],
)
def test_where_nothing_can_be_compared_the_reason_stands(data, text, options, reason):
    """Without statistics there is a sentence instead."""
    found = algdim.score(data, text, score="bic", **options)

    assert found.goodness is None
    assert reason in found.goodness_reason
    assert reason in str(found)


@in_turn(2)
def test_sparse_tables_are_named():
    """118 cases in 128 cells: the p-value stands there, and that it says little; of 5 cases a cell nothing is said."""
    rng = np.random.default_rng(1)
    some = {f"X{item}": rng.integers(0, 2, 118).tolist() for item in range(1, 8)}
    found = algdim.score(some, "2:2^7", score="bic")

    assert (128, 112) == (found.goodness.cells, found.goodness.dof)
    assert "sparse: 118 cases in 128 cells, fewer than 5 a cell" in str(found)
    assert found.to_dict()["goodness"]["caution"].startswith("sparse: ")
    many = {**{name: values[:10] for name, values in some.items() if name < "X4"}, "count": [4] * 10}
    assert "" == algdim.score(many, "1:2,2,2", score="bic").goodness.caution
    given = algdim.score({"A": [0, 1], "B": [0, 1], "count": [9, 9]}, "A -> B; given A", score="bic").goodness
    assert (4, "18 cases in 4 cells") == (given.cells, given.caution.partition(": ")[2].partition(",")[0])
    chosen = algdim.select(some, classes="1..2", score="bic", by="bic")
    assert any("sparse: 118 cases" in note for note in chosen.table().notes)


def test_rounding_is_printed_as_0():
    """A saturated model leaves nothing, not −2e-13."""
    data = {"A": [0, 0, 0, 1, 1, 1], "B": [0, 1, 2, 0, 1, 2], "count": [313, 271, 97, 771, 153, 89]}
    found = algdim.score(data, "states A=2, B=3; A -> B", score="bic").goodness

    assert (0.0, 0.0) == (found.g2, found.x2)
    assert "G² = 0   X² = 0   df = 0" == str(found)


def test_a_tail_beyond_floats_is_not_called_0():
    """A probability is printed as below the least that is told apart."""
    data = {"A": [0, 0, 1, 1], "B": [0, 1, 0, 1], "count": [5000, 10, 10, 5000]}

    assert "(p < 1e-300)" in str(algdim.score(data, "states A=2, B=2", score="bic").goodness)
    assert "p = 0" not in str(algdim.score(data, "states A=2, B=2", score="bic"))
