"""Feature selection: inputs that tell of the class are found, others are left out."""

import numpy as np
import pytest
from amount import daily, in_turn

import algdim
from algdim import InputError

RANDOM = np.random.default_rng(3)
X = RANDOM.integers(0, 2, size=(500, 4))
Y = (RANDOM.random(500) < 1 / (1 + np.exp(0.5 - 2 * X[:, 0] + 1.5 * X[:, 2]))).astype(int)
DATA = {**{f"X{k}": X[:, k] for k in range(4)}, "Y": Y}


@in_turn(2)
@pytest.mark.parametrize("by", daily(["bic+", "laplace"], 1))
def test_the_inputs_that_matter_are_chosen(by):
    """The class depends on X0 and X2."""
    found = algdim.select(DATA, label="Y", by=by, score=by, alpha=1.0)

    assert ("X0", "X2") == found.best.fit.model.given
    assert 3 == found.best.report.dimension
    assert not found.candidates[0].fit.model.given


def test_a_class_that_is_no_column_is_refused():
    """The columns are named."""
    with pytest.raises(InputError, match="there are X0, X1, X2, X3, Y"):
        algdim.select(DATA, label="Z", by="bic+")
