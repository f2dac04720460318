"""Dirichlet priors: the logarithm of Γ. What they say of data is compared with brute force in `test_scores.py`."""

from math import lgamma

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algdim.scores.dirichlet import log_gamma


@given(st.one_of(st.floats(1e-300, 1e300), st.floats(0.01, 100.0), st.floats(1e5, 1e7)))
def test_log_gamma_is_that_of_the_standard_library(value):
    """Whatever the size, to rounding."""
    assert lgamma(value) == pytest.approx(float(log_gamma(np.array(value))), rel=1e-13, abs=1e-13)
