"""What a maximum of Poisson or normal mechanism variables shows of them: numbers that add up over mechanisms (lemma "maxima").

The distribution function of the greatest of independent variables is the product of theirs, so logarithms add up.

Of Poisson variables these are log P(E ≤ n), n = 0, 1, …. With T_n(λ) = Σ_{k≤n} n!/k! λ^k that of one is log T_n − log n! − λ, and
its derivative is −λ^n / T_n: rational, so that a rank needs no logarithm.

Of normal variables they are coefficients of the left tail. Towards e = −∞, log P(X ≤ e) of a normal variable X has the
asymptotic expansion −(e − μ)²/2v − log((μ − e)/√v) − ½ log 2π + ℓ(v/(e − μ)²), ℓ(u) = log(1 − u + 3u² − 15u³ + …). The
coefficient of e^−n, times n, is τ_n = μ^n + Σ_k d_k C(n, 2k) v^k μ^{n−2k} with d_k = 2k ℓ_k, integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb, factorial, log2

import numpy as np

from algdim.exact.arithmetic import Array, Floats, Lengths, Objects, invert_numbers
from algdim.exact.tape import FIRST, TapeNode, combine, stack


@cache
def list_tail_numbers(count: int) -> tuple[int, ...]:
    """The numbers d_0 = 1, d_1, …: 2k times the coefficients of log(1 − u + 3u² − 15u³ + …).

    >>> list_tail_numbers(4)
    (1, -2, 10, -74, 706)
    """
    series, found = [1], [0]
    for k in range(1, count + 1):
        series.append(-(2 * k - 1) * series[-1])
        found.append(k * series[k] - sum(found[i] * series[k - i] for i in range(1, k)))
    return (1, *(2 * number for number in found[1:]))


def compute_left_tails(numbers: Sequence[TapeNode], order: int) -> TapeNode:
    """The numbers τ_1, τ_2, … of normal variables, of which mean and variance are given; orders × variables."""
    mean, variance = numbers
    means, variances = [mean], [variance]
    for _ in range(1, order):
        means.append(means[-1] * mean)
    for _ in range(1, order // 2):
        variances.append(variances[-1] * variance)
    integers = list_tail_numbers(order // 2)
    found = []
    for n in range(1, order + 1):
        terms = [(1, means[n - 1])]
        for k in range(1, n // 2 + 1):
            rest = variances[k - 1] if n == 2 * k else variances[k - 1] * means[n - 2 * k - 1]
            terms.append((integers[k] * comb(n, 2 * k), rest))
        found.append(combine(terms))
    return stack(found)


def measure_left_tail(order: int) -> tuple[int, float]:
    """Degree and log₂ of the sum of absolute coefficients, for τ_1, …, τ_order of one variable.

    >>> measure_left_tail(2)
    (2, 1.584962500721156)
    """
    numbers = list_tail_numbers(order // 2)
    sizes = (sum(abs(numbers[k]) * comb(n, 2 * k) for k in range(n // 2 + 1)) for n in range(1, order + 1))
    return order, log2(max(sizes))


def compute_log_cumulatives(rate: TapeNode, order: int) -> TapeNode:
    """The numbers log P(X ≤ n), n = 0, 1, …, of Poisson variables, orders × variables."""
    tape, f = rate.tape, rate.tape.arithmetic

    @cache
    def expand() -> tuple[Array, Array]:
        """The powers λ^n and the numbers T_n = n T_{n−1} + λ^n."""
        powers = [np.broadcast_to(tape.one, rate.value.shape)]
        sums = list(powers)
        for n in range(1, order):
            powers.append(f.multiply(powers[-1], rate.value))
            sums.append(f.add(f.multiply(f.elements(np.array([n])), sums[-1]), powers[-1]))
        return np.stack(powers), np.stack(sums)

    def compute() -> Array:
        if not isinstance(f, Objects | Floats | Lengths) or f.log is None:
            raise TypeError("logarithms of distribution functions have values only in numbers that have logarithms")
        factorials = f.elements(np.array([factorial(n) for n in range(order)], dtype=object))
        logs = f.add(f.log(expand()[1]), f.multiply(tape.minus, f.log(factorials)[:, None, None]))
        return f.add(logs, f.multiply(tape.minus, rate.value))

    def take_back(above: Array) -> Array:
        powers, sums = expand()
        slopes = f.multiply(tape.minus, f.multiply(powers, invert_numbers(f, sums)))
        return np.asarray(f.segment_sums(f.multiply(above, slopes), FIRST)[0])

    return tape.step((order, *rate.shape), compute, (rate, take_back))


def count_denominators(order: int) -> tuple[int, float]:
    """Degree and log₂ of the sum of coefficients of the product of T_0, …, T_{order−1} of one variable.

    >>> count_denominators(3)
    (3, 3.321928094887362)
    """
    sizes = [sum(factorial(n) // factorial(k) for k in range(n + 1)) for n in range(order)]
    return order * (order - 1) // 2, sum(map(log2, sizes))
