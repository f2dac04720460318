"""The chance that independent draws all missed the dimension (lemma "chance" in proofs/lemmas.md).

If the dimension were at least r + 1, one draw would show rank r or less with probability at most ε₁ + ε₂ + ε₃: an
unlucky prime, an unlucky point, unlucky probes. Draws with their own primes, points and probes are independent, so the
chances multiply. Nothing is claimed about a prime that was not drawn.

Where the map is rational, prime and point are drawn again until the map has a value. Given that, the chance of an
unlucky prime or point is at most ε₁ + ε₂ divided by the share of points with a value; the probes are independent of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, isinf, lgamma, log, log2

from algdim.bound.bounds import UPPER, Bound
from algdim.exact.primes import count_primes
from algdim.jacobian import PRODUCTS
from algdim.maps import Map
from algdim.rank import Draw
from algdim.trust import probable

ENOUGH = 2.0**-60
"""Further draws are not made once the chance of error is below this."""

LEAST = 1e-300
"""Chances are printed as at least this, so that none is rounded to zero."""


def bound_by_chance(pmap: Map, draws: Sequence[Draw], value: int) -> Bound | None:
    """The upper bound that the draws give by chance, ``None`` where they say nothing."""
    error = max(LEAST, compute_error(pmap, draws, value))
    if error >= 1:
        return None
    times = "one draw" if len(draws) == 1 else f"{len(draws)} independent draws"
    what = "prime, point and probes" if any(draw.functionals == "probes" for draw in draws) else "prime and point"
    what = what if draws[0].prime else "the point"
    reason = f"no greater rank in {times} of {what}"
    return Bound(value, UPPER, "chance", reason, probable(error), {"draws": len(draws)})


def compute_error(pmap: Map, draws: Sequence[Draw], value: int) -> float:
    """The chance that all draws show at most this rank although the dimension is greater."""
    size = pmap.degree_and_log_size()
    error = 1.0
    for draw in draws:
        error *= min(1.0, compute_draw_error(pmap, draw, value, size))
    return error


def compute_draw_error(pmap: Map, draw: Draw, value: int, size: tuple[int, float]) -> float:
    """ε₁ + ε₂ + ε₃ of one draw, for the rank ``value`` and the degree and log₂ of the size of the coordinates."""
    if draw.choices is None or draw.functionals == PRODUCTS:
        return 1.0  # the lemma is about uniform vectors, not about functionals that factorise
    degree, log_size = size
    if isinf(log_size):
        return 1.0
    share = pmap.share_with_value(draw.choices)
    if share <= 0:
        return 1.0
    error = (value + 1) * max(0, degree - 1) / draw.choices / share
    if draw.prime is not None:
        if draw.prime_bits is None:
            return 1.0
        unused = count_excluded_primes(pmap, draw.prime_bits)
        error += compute_prime_error(value, log_size + log2(max(1, degree)), draw.prime_bits, unused) / share
        if draw.functionals == "probes":
            error += compute_probe_error(pmap.functional_degree, draw.count, value, draw.prime)
    return error


def count_excluded_primes(pmap: Map, bits: int) -> float:
    """At most how many primes of this many bits divide a denominator of the model, and so are not used."""
    return sum(log2(denominator) for denominator in frozenset(pmap.denominators())) / (bits - 1)


def compute_prime_error(value: int, log_size: float, bits: int, unused: float) -> float:
    """ε₁: the chance that a prime, drawn among those of so many bits that are used, divides all greater minors."""
    primes = count_primes(bits) - unused
    return (value + 1) * log_size / ((bits - 1) * primes) if primes > 0 else 1.0


def compute_probe_error(degree: int, probes: int, value: int, prime: int) -> float:
    """ε₃: the chance that random probes miss a rank greater than ``value``.

    >>> round(compute_probe_error(1, 1, 0, 101) * 101, 9), compute_probe_error(1, 10, 10, 101)
    (1.0, 1.0)
    """
    if value < 0:
        return 0.0  # no rank is negative
    spare = probes - value
    if spare <= 0:
        return 1.0
    log_binomial = lgamma(probes + 1) - lgamma(value + 1) - lgamma(spare + 1)
    exponent = log_binomial + spare * (log(max(1, degree)) - log(prime))
    return exp(min(0.0, exponent))
