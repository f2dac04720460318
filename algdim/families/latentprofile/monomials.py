"""Products of powers of some items, by degree."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Monomials:
    """All products of powers of some items up to an order, by degree; a last row stands for none."""

    powers: NDArray[np.int64]
    """The exponents, monomials × items; the last row is zero."""
    down: NDArray[np.intp]
    """The place of the monomial with one power of an item less; that of the last row where there is none."""
    starts: tuple[int, ...]
    """Where each degree begins, and where the last one ends."""

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.powers) - 1


def monomials(items: int, order: int) -> Monomials:
    """List the monomials.

    >>> monomials(2, 2).powers[:-1].tolist()
    [[0, 0], [1, 0], [0, 1], [2, 0], [1, 1], [0, 2]]
    """
    levels = [list(combinations_with_replacement(range(items), degree)) for degree in range(order + 1)]
    place = {factors: number for number, factors in enumerate(factors for level in levels for factors in level)}
    powers = np.zeros((len(place) + 1, items), dtype=np.int64)
    down = np.full((len(place) + 1, items), len(place), dtype=np.intp)
    for factors, number in place.items():
        for at, item in enumerate(factors):
            powers[number, item] += 1
            down[number, item] = place[factors[:at] + factors[at + 1 :]]
    return Monomials(powers, down, tuple(np.cumsum([0, *map(len, levels)]).tolist()))
