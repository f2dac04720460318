"""Bounds that only count."""

from dataclasses import replace

import brute
import numpy as np
import pytest
from hypothesis import assume, given, settings
from strategies import networks
from suites.agreement import is_small

from algdim.bound.counting import ambient, counting
from algdim.maps.factors import param_map
from algdim.models.notation import parse
from algdim.models.pruning import without_irrelevant


@settings(max_examples=60)
@given(networks(max_variables=4, max_states=3, max_table=40))
def test_both_are_upper_bounds(model):
    """The dimension never exceeds the number of parameters nor that of the saturated model."""
    assume(is_small(model))
    pmap = param_map(without_irrelevant(model)[0])

    assert brute.dimension(model) <= counting(pmap).value <= brute.standard(model)
    assert brute.dimension(model) <= ambient(pmap).value <= brute.complete(model)


@pytest.mark.parametrize(
    ("text", "standard", "complete"),
    [
        ("5(2,3(2,2),3(2,2))", 41, 31),
        ("2:2^60", 121, 2**60 - 1),
        ("A -> H -> B; hidden H; given A; states A=3, B=4", 3 * 1 + 2 * 3, 3 * 3),
    ],
)
def test_the_counts(text, standard, complete):
    """KZ02 §4 prints 41 for its tree; cells less one, per condition."""
    pmap = param_map(parse(text))

    assert (standard, "upper", True) == (counting(pmap).value, counting(pmap).side, counting(pmap).is_proved)
    assert (complete, "upper", True) == (ambient(pmap).value, ambient(pmap).side, ambient(pmap).is_proved)


def test_conditions_whose_cells_are_kept_sum_to_one():
    """Of the four conditions two are kept whole, one in part; the kept cell of the last is its only one that is not zero."""
    pmap = replace(param_map(parse("A, B -> C; given A, B; fix P(C=0|A=1,B=1)=1")), kept=np.array([0, 1, 2, 3, 4, 6]))

    assert 6 - 3 == ambient(pmap).value


def test_reasons_are_readable():
    """Singular and plural, powers, conditions."""
    assert "1 parameter" == counting(param_map(parse("states A=2"))).reason
    assert "2^60 cells, which sum to 1" == ambient(param_map(parse("2:2^60"))).reason
    assert "conditional probabilities" in ambient(param_map(parse("A -> B; given A"))).reason
