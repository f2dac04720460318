"""Fractions from their residues: found wherever there is a small one, and the only one."""

from __future__ import annotations

from fractions import Fraction
from math import gcd, isqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algdim.exact.rationals import find_small_fraction

PRIME = 8388593
SMALL = isqrt(PRIME // 2)


@given(st.fractions(min_value=-SMALL, max_value=SMALL, max_denominator=40))
def test_small_fractions_come_back(fraction):
    """A fraction with small numerator and denominator is found from its residue, also from one below zero."""
    fraction = Fraction(fraction.numerator % SMALL, fraction.denominator)
    residue = fraction.numerator * pow(fraction.denominator, -1, PRIME)

    assert fraction == find_small_fraction(residue, PRIME)
    assert fraction == find_small_fraction(residue % PRIME - PRIME, PRIME)
    assert -fraction == find_small_fraction(-residue, PRIME)


@pytest.mark.parametrize("prime", [5, 7, 101, 211])
def test_all_residues_of_a_small_prime(prime):
    """Trying all fractions says the same of every residue: there is the one that is found, or none."""
    most = isqrt(prime // 2)
    known = {}
    for below in range(1, most + 1):
        for above in range(-most, most + 1):
            if gcd(above, below) == 1:
                residue = above * pow(below, -1, prime) % prime

                assert residue not in known
                known[residue] = Fraction(above, below)

    assert [known.get(residue) for residue in range(prime)] == [find_small_fraction(n, prime) for n in range(prime)]
