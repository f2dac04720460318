"""Fits: reproducible, complete records, strategies, refusals."""

import json

import numpy as np
import pytest

import algdim
from algdim.errors import InputError

RANDOM = np.random.default_rng(5).integers(0, 2, size=(200, 4))


@pytest.mark.parametrize("starts", ["staged", "auto", 3])
def test_the_seed_decides_everything(starts):
    """Two fits of one seed are the same to the last bit, but for the time."""
    first, second = (algdim.fit(RANDOM, "2:2^4", starts=starts, seed=4).to_dict() for _ in range(2))
    del first["seconds"], second["seconds"]

    assert json.dumps(first) == json.dumps(second)


def test_the_record_agrees_with_itself():
    """The parameters of the record have its log-likelihood and its expected counts, which add up to N."""
    found = algdim.fit(RANDOM, "2:2^4", starts=5)
    again = algdim.fit_at(RANDOM, "2:2^4", {name: [list(row) for row in t] for name, t in found.parameters.items()})

    assert found.loglik == pytest.approx(again.loglik, abs=1e-9)
    assert 200 == pytest.approx(np.sum(found.expected["X3"]))
    assert np.array(found.expected["X3"]) == pytest.approx(np.array(again.expected["X3"]), abs=1e-6)
    assert found.stopping.converged
    assert "given" == again.stopping.reason
    assert found.spread[0] == found.objective


def test_iterations_run_out():
    """A fit that is cut short says so."""
    found = algdim.fit(RANDOM, "2:2^4", starts=2, iterations=3)

    assert "iterations" == found.stopping.reason
    assert "NOT converged" in str(found)


def test_impossible_data_are_refused():
    """A pattern of probability 0 at every start is the model's fault or the data's."""
    with pytest.raises(InputError, match=r"A=1.*probability is 0"):
        algdim.fit({"A": [0, 1]}, "states A=2; fix P(A=1) = 0")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"starts": 0}, "starts: 0"),
        ({"starts": "many"}, "auto, staged"),
        ({"prior": "flat"}, "ml, alpha=A"),
        ({"prior": "alpha=-1"}, "positive"),
        ({"coordinates": "natural"}, "probability, softmax"),
    ],
)
def test_unknown_options_are_answered_with_the_known(options, message):
    """The message lists what is allowed."""
    with pytest.raises(InputError, match=message):
        algdim.fit(RANDOM, "2:2^4", **options)


def test_other_families_are_refused_by_name():
    """What is not fitted is named."""
    with pytest.raises(InputError, match="family gaussian"):
        algdim.fit(RANDOM, "gaussian: F -> X1, X2, X3, X4; hidden F")
