"""The chance of error of a rank at given weights, against lemma "exponentials" computed by hand."""

from __future__ import annotations

from fractions import Fraction
from math import isclose, log2

import pytest

import algdim
from algdim.exact.primes import count_primes
from algdim.families.discrete.bounds import weights
from algdim.families.discrete.bounds.weights import compute_error
from algdim.families.discrete.map import get_param_map
from algdim.readers.parameters import read_parameters


@pytest.mark.parametrize("greatest", [7, 1 << 48, 1 << 52])
def test_the_chance_follows_the_formula(greatest):
    """(ε₁ + ε₂) / s′ with b = 61; of the rows 1 + A, 1 + A and 1 + AB the degrees add up to 1 + 1 + 2."""
    pmap, rank = get_param_map(algdim.model("sigmoid: A -> B")), 2
    degree, log_size = pmap.degree_and_log_size()
    # over the denominator 6 the numerators are 3, 14 and 6, which have 4 bits at most; one prime may divide 6
    point = [Fraction(1, 2), Fraction(-7, 3), Fraction(1)]
    first = (rank + 1) * (log2(degree) + log_size + 4 * degree) / (60 * (count_primes(61) - 1))
    second = 2 * greatest * (rank + 1) * degree / 2**60
    expected = (first + second) / (1 - 4 * greatest / 2**60)

    assert expected < 1
    assert isclose(expected, compute_error(pmap, point, greatest, rank), rel_tol=1e-12)


def test_weights_that_are_too_large_say_nothing():
    """Every residue may then make a denominator zero."""
    assert 1.0 == compute_error(get_param_map(algdim.model("sigmoid: A -> B")), [Fraction(1)] * 3, 1 << 58, 2)


def test_both_draws_count(monkeypatch):
    """The chance is that of one draw, with A = B = 1 for each weight and the greatest weight over the common denominator, twice."""
    asked = []

    def noted(pmap, plain, greatest, rank):
        asked.append((plain, greatest, rank))
        return 0.125

    monkeypatch.setattr(weights, "compute_error", noted)
    numbers = {"H": {"a": "1/2"}, "A": {"a": 1, "b": {"H": "-2/3"}}, "B": {"a": 0, "b": {"H": "1/6"}}}
    found = algdim.dimension("sigmoid: H -> A, B; hidden H", bounds="ambient,chance", at=numbers).at

    assert [([1] * 5, 6, 3)] == asked
    assert found.error is None  # the dimension is 3, by counting cells
    assert (3, 0.125**2) == weights.rank_at_weights(
        get_param_map(algdim.model("sigmoid: H -> A, B; hidden H")),
        lambda e: read_parameters(numbers, algdim.model("sigmoid: H -> A, B; hidden H"), e),
        0,
        None,
    )[:2]
