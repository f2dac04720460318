"""Sums and products of parameters: what is read off from residues, and what is known of their derivatives."""

from __future__ import annotations

import random
from itertools import product
from math import gcd, log2, prod

import numpy as np
import pytest

from algdim.identifiability.combinations import PRODUCT, SUM, Combination, find_small_integers

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
    found = find_small_integers([1, value], PRIME)

    assert (min(small) if small else None) == found
    assert (None if found is None else (0, *found)) == find_small_integers([0, 1, value], PRIME)


@pytest.mark.parametrize("vector", [(0, -1, 2), (-3, 4, 0), (-5,), (0, 7, -2), (6, -4)])
def test_the_first_number_is_positive(vector):
    """Whichever of its numbers is made 1 or -1, a vector gives one primitive vector, whose first number other than 0 is positive."""
    first = next(value for value in vector if value)
    factor = (1 if first > 0 else -1) * gcd(*vector)
    expected = tuple(value // factor for value in vector)
    for one, sign in product(filter(None, vector), (1, -1)):
        scale = sign * pow(one, -1, PRIME)

        assert expected == find_small_integers([scale * value % PRIME for value in vector], PRIME)


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_gradient_of_a_product(count):
    """The logarithm's derivatives, times the product of those that occur: no denominator is left."""
    draw = random.Random(count)
    places = draw.sample(range(7), count)
    of = tuple((place, draw.choice([-3, -1, 2, 5])) for place in places)
    point = [draw.randrange(1, PRIME) for _ in range(7)]
    whole = prod(point[place] for place in places)
    expected = [dict(of).get(place, 0) * whole * pow(point[place], -1, PRIME) % PRIME for place in range(7)]

    assert expected == Combination(PRODUCT, of).gradient(np.array(point), PRIME).tolist()
    assert [dict(of).get(place, 0) % PRIME for place in range(7)] == Combination(SUM, of).gradient(
        np.array(point), PRIME
    ).tolist()
