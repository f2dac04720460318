"""What a search for an upper bound starts from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import algdim
from algdim.families.discrete.bounds.search import make_closed_setting
from algdim.families.discrete.map import get_param_map


def test_conditions_become_free_roots():
    """What is given adds its own dimensions, r − 1 each: to the parameters, to the saturated model, and to the rank to be met."""
    pmap = get_param_map(algdim.model("A, B -> H -> X; hidden H; given A, B; states A=3, B=2, X=4"))
    setting, extra = make_closed_setting(pmap, 5, 0)

    assert 2 + 1 == extra
    assert () == setting.pmap.model.given
    assert (5 + extra, len(pmap.parameters) + extra) == (setting.lower, len(setting.pmap.parameters))
    assert (3 * 2 * 4 - 1, 3 * 2 * 4 - 1 - 8) == (setting.pmap.complete, setting.needed_codimension)


def test_a_model_without_conditions_stays():
    """Nothing is added."""
    pmap = get_param_map(algdim.model("2:2,2"))
    setting, extra = make_closed_setting(pmap, 3, 0)

    assert (pmap, 3, 0) == (setting.pmap, setting.lower, extra)


def test_kernels_with_cells_left_out_are_refused():
    """Their entries do not sum to one, so that no closed model has them."""
    pmap = replace(get_param_map(algdim.model("A -> B; given A")), kept_coordinates=np.array([0, 1]))

    with pytest.raises(ValueError, match="no closed model"):
        make_closed_setting(pmap, 0, 0)
