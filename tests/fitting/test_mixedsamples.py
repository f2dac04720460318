"""Data with continuous columns."""

import numpy as np
import pytest

from algdim import InputError
from algdim.fitting.mixedsamples import read_mixed

DATA = {"X": [1.5, 2.0, 1.5, 1.5], "C": ["b", "a", "b", "a"], "count": [1, 2, 3, 4]}


def test_equal_cases_are_taken_together():
    """1.5 with b stands 1 + 3 times; mean and covariance weigh the counts."""
    found = read_mixed(DATA, ["X"], [("C", 2)])
    values = np.repeat([1.5, 2.0, 1.5, 1.5], [1, 2, 3, 4])

    assert 10 == found.size
    assert 3 == len(found.counts)
    assert values.mean() == pytest.approx(found.mean[0])
    assert values.var() == pytest.approx(found.covariance[0, 0])
    assert ("a", "b") == found.states[0]


def test_columns_without_names_follow_the_order_of_the_model():
    """A plain array, in the order of the model's items."""
    found = read_mixed([[0, 1.5], [1, 2.5]], ["X"], [("C", 2)], ["C", "X"])

    assert [1.5, 2.5] == found.values[:, 0].tolist()


@pytest.mark.parametrize("value", ["x", "inf", None])
def test_what_is_no_number_is_refused(value):
    """The row and the column are named."""
    with pytest.raises(InputError, match="row 2, column X"):
        read_mixed({"X": [1, value]}, ["X"])
