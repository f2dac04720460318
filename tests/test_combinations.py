"""Sums and products of parameters: what is read off from residues, and what is known of their derivatives."""

from __future__ import annotations

from itertools import product
from math import log2

import pytest

from algdim.identifiability.combinations import PRODUCT, SUM, Combination, small_integers

PRIME = 10007


@pytest.mark.parametrize("kind", [SUM, PRODUCT])
def test_size(kind):
    """A sum has constant derivatives; those of a product lack one factor once they are cleared of denominators."""
    of = ((0, 1), (2, -2), (3, 1))

    assert (1 if kind == SUM else 3, log2(1 + 2 + 1)) == Combination(kind, of).size


@pytest.mark.parametrize("value", range(1, PRIME, 97))
def test_only_small_integers_are_read(value):
    """1 beside a residue stands for two small integers, the one times the residue being the other, or for nothing."""
    small = [(b, a) for a, b in product(range(-12, 13), range(1, 13)) if (b * value - a) % PRIME == 0]
    found = small_integers([1, value], PRIME)

    assert (min(small) if small else None) == found
    assert (None if found is None else (0, *found)) == small_integers([0, 1, value], PRIME)
