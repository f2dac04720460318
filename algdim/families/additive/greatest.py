"""The distribution of the greatest of independent Poisson or normal variables, and what it says of each of them.

With F_j and f_j the distribution function and the density, or probability, of X_j, the density of the greatest at e is
Σ_j f_j(e) ∏_{i≠j} F_i(e) for normal variables. For Poisson variables equal values count once: in the product F_i(e − 1) stands
for the variables before j. Given that the greatest is e, X_j is e itself or, below e, has its own distribution cut off there.
Everything is computed in logarithms, as far out both F and f are 0 in the numbers of a computer.
"""

from __future__ import annotations

from math import erfc, lgamma, log, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from algdim.errors import LimitError
from algdim.figures import format_integer
from algdim.fitting.likelihood import Numbers

Index = NDArray[np.intp]

FAR = -8.0
"""Below this many standard deviations the distribution function is taken from its asymptotic expansion."""
MOST_VALUES = 20_000_000
"""Starts times rows times values of Poisson variables."""

take_erfc = np.frompyfunc(erfc, 1, 1)


def compute_log_normal_cumulative(x: Numbers) -> Numbers:
    """Log of the standard normal distribution function, with an error below 1e-9 of its value everywhere.

    >>> [round(value, 6) for value in compute_log_normal_cumulative(np.array([0.0, 1.0, -9.0, -40.0])).tolist()]
    [-0.693147, -0.172754, -43.628149, -804.608442]
    """
    near = np.log(np.asarray(take_erfc(-np.maximum(x, FAR) / sqrt(2)), dtype=np.float64) / 2)
    far = np.minimum(x, FAR)
    u, series, term = 1 / far**2, np.ones_like(far), np.ones_like(far)
    for k in range(1, 13):
        term = -(2 * k - 1) * u * term
        series = series + term
    tail = -(far**2) / 2 - np.log(-far) - log(2 * pi) / 2 + np.log(series)
    return np.asarray(np.where(x < FAR, tail, near))


def describe_normal_maximum(effect: Numbers, parts: list[Numbers]) -> tuple[Numbers, list[list[Numbers]]]:
    """Log density of the effect, and E(X_j | e) and E(X_j² | e) of each variable, of which means and variances are given."""
    below, ratios = [], []
    for mean, variance in parts:
        x = (effect - mean) / np.sqrt(variance)
        below.append(compute_log_normal_cumulative(x))
        ratios.append(np.exp(-0.5 * (x**2 + np.log(2 * pi * variance)) - below[-1]))
    total = sum(ratios[1:], ratios[0])
    logs = sum(below[1:], below[0]) + np.log(total)
    moments = []
    for (mean, variance), ratio in zip(parts, ratios, strict=True):
        is_greatest = ratio / total
        first, second = mean - variance * ratio, mean**2 + variance - variance * ratio * (mean + effect)
        moments.append(
            [
                is_greatest * effect + (1 - is_greatest) * first,
                is_greatest * effect**2 + (1 - is_greatest) * second,
            ]
        )
    return logs, moments


def describe_poisson_maximum(
    effect: Numbers, rates: list[Numbers], rows: tuple[Index, ...]
) -> tuple[Numbers, list[list[Numbers]]]:
    """Log probability of the effect, and E(X_j | e) of each variable, of which the rates are given, restart × row."""
    values = effect.astype(np.intp)
    most = int(values.max())
    if (count := (most + 1) * sum(rate.size for rate in rates)) > MOST_VALUES:
        raise LimitError(
            f"values up to {format_integer(most)} of Poisson variables take {format_integer(count)} numbers at once; "
            f"at most {format_integer(MOST_VALUES)} are allowed; take fewer starts"
        )
    grid = np.arange(most + 1)
    factorials = np.array([lgamma(value + 1) for value in grid.tolist()])
    here, to_here, before, before_that, taken = [], [], [], [], []
    for rate, row in zip(rates, rows, strict=True):
        single = grid * np.log(rate)[:, :, None] - rate[:, :, None] - factorials
        empty = np.full((*rate.shape, 2), -np.inf)
        below = np.concatenate([empty, np.logaddexp.accumulate(single, axis=2)], axis=2)
        here.append(single[:, row, values[0]])
        to_here.append(below[:, row, values[0] + 2])
        before.append(below[:, row, values[0] + 1])
        before_that.append(below[:, row, values[0]])
        taken.append(np.log(rate)[:, row])
    count = len(rates)

    def take_greatest(chosen: list[int]) -> Numbers:
        """Log of the chance that the greatest of some variables is e: the first that is e stands after smaller ones."""
        found = np.full(here[0].shape, -np.inf)
        for j in chosen:
            rest = sum((before[i] if i < j else to_here[i] for i in chosen if i != j), np.zeros(here[0].shape))
            found = np.logaddexp(found, here[j] + rest)
        return found

    logs, moments = take_greatest(list(range(count))), []
    for j in range(count):
        others = [i for i in range(count) if i != j]
        is_greatest = np.exp(here[j] + sum((to_here[i] for i in others), np.zeros(here[0].shape)) - logs)
        smaller = np.exp(take_greatest(others) + taken[j] + before_that[j] - logs)
        moments.append([effect * is_greatest + smaller])
    return logs, moments
