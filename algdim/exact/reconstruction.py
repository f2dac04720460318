"""Fractions from their residues."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt


def small_fraction(residue: int, prime: int) -> Fraction | None:
    """The fraction with numerator and denominator up to √(p/2) that a residue stands for, if there is one.

    There are never two: it is found among the remainders of Euclid's algorithm.

    >>> small_fraction(pow(2, -1, 101), 101), small_fraction(100, 101)
    (Fraction(1, 2), Fraction(-1, 1))
    """
    most = isqrt(prime // 2)
    before, now, s, t = prime, residue % prime, 0, 1
    while now > most:
        quotient = before // now
        before, now, s, t = now, before - quotient * now, t, s - quotient * t
    return Fraction(now, t) if abs(t) <= most else None
