"""Simulated data: reproducible, in the right proportions, possible, and fit for fitting."""

import numpy as np
import pytest

import algdim
from algdim import InputError, LimitError

CLASSES = {"H": [["1/4", "3/4"]], "X1": [[1, 0], ["1/2", "1/2"]], "X2": [["1/10", "9/10"], ["4/5", "1/5"]]}


def test_the_seed_decides_the_cases():
    """The same seed, the same cases; the first of many are not those of few drawn anew, but another seed differs."""
    first, again, other = (algdim.simulate("2:2,2", CLASSES, 50, seed=seed).to_dict() for seed in (1, 1, 2))

    assert first == again
    assert first["columns"] != other["columns"]


def test_proportions_are_those_of_the_model():
    """P(X1=1) = 3/8, P(X2=0) = 1/40 + 3/5, and P(X1=1, X2=0) = 3/10: within five standard deviations."""
    drawn = algdim.simulate("2:2,2", CLASSES, 40_000)
    spread = 5 * 0.5 / 200

    assert 3 / 8 == pytest.approx(np.mean(drawn["X1"]), abs=spread)
    assert 0.625 == pytest.approx(np.mean(drawn["X2"] == 0), abs=spread)
    assert 0.3 == pytest.approx(np.mean(drawn["X1"] * (1 - drawn["X2"])), abs=spread)


@pytest.mark.parametrize(
    ("rule", "states", "expected"), [("max", 2, max), ("sum", 3, lambda a, b: a + b), ("parity", 2, lambda a, b: a ^ b)]
)
def test_deterministic_nodes_follow_their_rule(rule, states, expected):
    """The child is the function of its parents."""
    model = algdim.model(
        {
            "variables": [{"name": "A"}, {"name": "B"}, {"name": "C", "states": states}],
            "edges": [["A", "C"], ["B", "C"]],
            "local": {"C": {"type": rule}},
        }
    )
    drawn = algdim.simulate(model, {"A": [[0.5, 0.5]], "B": [[0.3, 0.7]]}, 200)

    assert [expected(a, b) for a, b in zip(drawn["A"], drawn["B"], strict=True)] == drawn["C"].tolist()


def test_what_is_simulated_can_be_fitted():
    """The fit of many cases comes near the parameters, and its record simulates again."""
    found = algdim.fit(algdim.simulate("A -> B", {"A": [[0.3, 0.7]], "B": [[0.5, 0.5], [0.1, 0.9]]}, 10_000), "A -> B")

    assert 0.3 == pytest.approx(found.parameters["A"][0][0], abs=0.03)
    assert 100 == len(algdim.simulate("A -> B", found.to_dict(), 100))


def test_impossible_states_are_never_drawn():
    """A state of probability 0 does not occur, whatever rounding does."""
    drawn = algdim.simulate("states A=4", {"A": [[0.0, 0.7, 0.3, 0.0]]}, 5000)

    assert {1, 2} == set(drawn["A"].tolist())


def test_csv_lines():
    """A line of names, then a line for each case."""
    assert "A,B\n1,0\n1,0" == str(algdim.simulate("A -> B", {"A": [[0, 1]], "B": [[0, 1], [1, 0]]}, 2))


@pytest.mark.parametrize(
    ("model", "n", "error", "message"),
    [
        ("A -> B; given A", 5, InputError, "conditions on A"),
        ("A -> B", 0, InputError, "0 cases"),
        ("A -> B", 10**9, LimitError, "draws; at most"),
        ("polynomial: parameters t; coordinates t", 5, InputError, "family polynomial are not simulated"),
    ],
)
def test_refusals(model, n, error, message):
    """The message says what is allowed."""
    with pytest.raises(error, match=message):
        algdim.simulate(model, {}, n)
