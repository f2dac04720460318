from __future__ import annotations

import math
from collections import Counter

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algdim import InputError
from algdim.exact.draws import open_stream
from algdim.exact.primes import TEST_LIMIT, count_primes, draw_prime, is_prime


def sieve(limit: int) -> np.ndarray:
    """Eratosthenes: whether each number below the limit is prime."""
    prime = np.ones(limit, dtype=bool)
    prime[:2] = False
    for number in range(2, math.isqrt(limit) + 1):
        if prime[number]:
            prime[number * number :: number] = False
    return prime


def test_small_primes_are_those_of_the_sieve() -> None:
    """Below 20,000 the test agrees with the sieve of Eratosthenes."""
    assert np.flatnonzero(sieve(20_000)).tolist() == [number for number in range(-5, 20_000) if is_prime(number)]


@given(st.one_of(st.integers(0, 2**64), st.integers(0, TEST_LIMIT - 1)))
def test_large_numbers_agree_with_flint(number: int) -> None:
    """The test agrees with FLINT's proved one."""
    assert bool(flint.fmpz(number).is_prime()) == is_prime(number)


@pytest.mark.parametrize(
    "number",
    [561, 2047, 1373653, 1530787, 6787327, 25326001, 3215031751, 3474749660383, 341550071728321, 3825123056546413051],
)
def test_strong_pseudoprimes_are_composite(number: int) -> None:
    """The least composites that pass for the first few bases do not pass for all of ours."""
    assert not is_prime(number)


def test_numbers_beyond_the_proof_are_refused() -> None:
    """Where the bases prove nothing, there is no answer."""
    with pytest.raises(InputError):
        is_prime(TEST_LIMIT)


@pytest.mark.parametrize("bits", range(2, 24))
def test_the_counts_up_to_23_bits_are_exact(bits: int) -> None:
    """The tabulated numbers of primes are those of the sieve."""
    assert int(sieve(1 << bits)[(1 << (bits - 1)) + 1 :].sum()) == count_primes(bits)


def test_the_bound_for_more_bits_is_below_the_count() -> None:
    """At 24 bits the bound is below the sieve's count, and above half of it."""
    count = int(sieve(1 << 24)[1 << 23 :].sum())

    assert count / 2 < count_primes(24) < count


def test_the_bound_at_61_bits_is_below_the_printed_count() -> None:
    """OEIS A007053 prints the numbers of primes below 2^60 and 2^61."""
    assert count_primes(61) < 55890484045084135 - 28423094496953330


def test_drawn_primes_are_uniform() -> None:
    """All 13 primes of 7 bits come about equally often."""
    counts = Counter(draw_prime(open_stream(seed), 7) for seed in range(1300))

    assert [67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113, 127] == sorted(counts)
    assert all(50 < times < 150 for times in counts.values())


@given(st.integers(), st.integers(2, 64))
def test_a_drawn_prime_has_its_bits(seed: int, bits: int) -> None:
    """A drawn prime is prime and has as many bits as were asked for."""
    prime = draw_prime(open_stream(seed, "prime"), bits)

    assert bits == prime.bit_length()
    assert flint.fmpz(prime).is_prime()


@pytest.mark.parametrize("bits", [-1, 0, 1, 65])
def test_impossible_bit_lengths_are_refused(bits: int) -> None:
    """There is no prime of one bit, and none is drawn above 64."""
    with pytest.raises(InputError):
        draw_prime(open_stream(0), bits)
    with pytest.raises(InputError):
        count_primes(bits)
