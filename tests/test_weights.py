"""The chance of error of a rank at given weights, against lemma "exponentials" computed by hand."""

from __future__ import annotations

from fractions import Fraction
from math import isclose, log2

import pytest

from algdim.exact.primes import count_primes
from algdim.families.discrete.bounds.weights import error_of
from algdim.families.discrete.map import param_map
from algdim.models.notation import parse


@pytest.mark.parametrize("greatest", [7, 1 << 48, 1 << 52])
def test_the_chance_follows_the_formula(greatest):
    """(ε₁ + ε₂) / s′ with b = 61; of the rows 1 + A, 1 + A and 1 + AB the degrees add up to 1 + 1 + 2."""
    pmap, rank = param_map(parse("sigmoid: A -> B")), 2
    degree, log_size = pmap.degree_and_log_size()
    # over the denominator 6 the numerators are 3, 14 and 6, which have 4 bits at most; one prime may divide 6
    point = [Fraction(1, 2), Fraction(-7, 3), Fraction(1)]
    first = (rank + 1) * (log2(degree) + log_size + 4 * degree) / (60 * (count_primes(61) - 1))
    second = 2 * greatest * (rank + 1) * degree / 2**60
    expected = (first + second) / (1 - 4 * greatest / 2**60)

    assert expected < 1
    assert isclose(expected, error_of(pmap, point, greatest, rank), rel_tol=1e-12)


def test_weights_that_are_too_large_say_nothing():
    """Every residue may then make a denominator zero."""
    assert 1.0 == error_of(param_map(parse("sigmoid: A -> B")), [Fraction(1)] * 3, 1 << 58, 2)
