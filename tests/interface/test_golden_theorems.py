"""Dimensions that follow from theorems in print, class by class."""

from collections import Counter

import pytest
from amount import daily
from golden_numbers import golden

import algdim

THEOREMS = golden("theorems")
LEAST = 10


@pytest.mark.parametrize("number", daily(THEOREMS, 12), ids=lambda number: number["model"])
def test_what_theorems_say_is_proved(number):
    """The number of the formula, with proof."""
    report = algdim.dimension(number["model"])

    assert (number["dimension"], True) == (report.dimension, report.exact)


def test_each_class_has_ten_different_models():
    """And no model occurs twice."""
    models = [number["model"] for number in THEOREMS]

    assert len(models) == len(set(models))
    assert min(Counter(number["class"] for number in THEOREMS).values()) >= LEAST
