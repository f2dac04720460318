"""Balanced residues in float64: integers of at most about p/2 in absolute value, so that products add up exactly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def reduce(values: NDArray[np.float64], prime: int) -> NDArray[np.float64]:
    """Reduce exact integers to balanced residues, in place.

    Before it is rounded the quotient has a relative error below 2^-52, so that for a sum below 2^53 the residue is at
    most p/2 + 2 in absolute value; a multiple of p becomes 0.
    """
    quotient = np.asarray(values * (1.0 / prime))
    np.rint(quotient, out=quotient)
    quotient *= prime
    values -= quotient
    return values


def most_terms(prime: int) -> int:
    """How many products of balanced residues can be added to one, with every sum exact and its quotient good."""
    largest = prime // 2 + 2
    # sums of so few are far below 2^53 for small primes, where an error of 2 would be too much
    return min(4096, ((1 << 53) - 2 * prime) // largest**2)
