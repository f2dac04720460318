"""Primes: a proved test, a uniform draw, and a proved lower bound for how many there are to draw from."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import floor, gcd, prod

from algdim.errors import InputError
from algdim.exact.draws import Stream, iterate_integers

WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
PRODUCT = prod(WITNESSES)
TEST_LIMIT = 318665857834031151167461
"""The least composite that passes for all `WITNESSES` (Sorenson and Webster 2015, Math. Comp. 86, 985-1003)."""

FEW_WITNESSES, FEW_LIMIT = (2, 3, 5), 25326001
"""The same of these three (Pomerance, Selfridge and Wagstaff 1980, Math. Comp. 35, 1003-1026)."""

MOST_BITS = 64

COUNTS = (
    1,
    2,
    2,
    5,
    7,
    13,
    23,
    43,
    75,
    137,
    255,
    464,
    872,
    1612,
    3030,
    5709,
    10749,
    20390,
    38635,
    73586,
    140336,
    268216,
)
"""Primes between 2^(b-1) and 2^b for b = 2, 3, …, 23: the differences of OEIS A007053."""


def is_prime(number: int) -> bool:
    """Whether the number is prime, proved: Miller-Rabin with bases that no composite below `TEST_LIMIT` passes.

    >>> [n for n in range(20) if is_prime(n)]
    [2, 3, 5, 7, 11, 13, 17, 19]
    """
    if number >= TEST_LIMIT:
        raise InputError(f"primality of {number} is asked; numbers below {TEST_LIMIT} are allowed")
    if number < 2 or gcd(number, PRODUCT) > 1:
        return number in WITNESSES
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    witnesses = FEW_WITNESSES if number < FEW_LIMIT else WITNESSES
    for witness in witnesses:  # noqa: SIM110 - a generator takes longer than a power
        if not is_probable_prime(number, odd, twos, witness):
            return False
    return True


def is_probable_prime(number: int, odd: int, twos: int, witness: int) -> bool:
    """Whether a number = 1 + odd·2^twos is a strong probable prime to the base ``witness``."""
    power = pow(witness, odd, number)
    if power in (1, number - 1):
        return True
    for _ in range(twos - 1):
        power = power * power % number
        if power == number - 1:
            return True
    return False


@lru_cache(1 << 10)
def draw_prime(source: Stream, bits: int) -> int:
    """A prime uniform among all between 2^(bits − 1) and 2^bits: the first prime among uniform integers from the stream.

    >>> from algdim.exact.draws import open_stream
    >>> draw_prime(open_stream(0), 23)
    7360579
    """
    check_bits(bits)
    least = 1 << (bits - 1)
    for number in iterate_integers(source, least, 2 * least - 1):
        if (gcd(number, PRODUCT) == 1 or number in WITNESSES) and number > least and is_prime(number):
            return number
    raise AssertionError  # the integers do not end


def count_primes(bits: int) -> int:
    """A proved lower bound for the number of primes strictly between 2^(bits − 1) and 2^bits, exact up to 23 bits.

    Beyond, pi(2x) − pi(x) > 3x/(5 ln x) for x ≥ 20.5 (Rosser and Schoenfeld 1962, Corollary 3 of Theorem 2, (3.9)).

    >>> count_primes(5), count_primes(23)
    (5, 268216)
    """
    check_bits(bits)
    if bits - 2 < len(COUNTS):
        return COUNTS[bits - 2]
    # ln 2 < 0.6931471806, so that the quotient is below the true one
    bound = Fraction(3 * (1 << (bits - 1)), 5 * (bits - 1)) / Fraction(6931471806, 10**10)
    return floor(bound) + 1


def check_bits(bits: int) -> None:
    """Raise unless there are primes of this many bits and they can be drawn."""
    if not 2 <= bits <= MOST_BITS:
        raise InputError(f"primes of {bits} bits are asked; 2 to {MOST_BITS} bits are allowed")
