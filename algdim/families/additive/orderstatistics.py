"""The distribution of the n-th largest of independent Poisson or normal variables, and what it says of each of them.

The n-th largest is e if fewer than n variables are above e, and at least n at or above it. So every variable is below e, at e, or above
it, and what counts is how many are: the chances of all numbers are added up variable by variable. Of normal variables one is at e, with
its density. Given that X_j is below or above e, it has its own distribution cut off there. Everything is computed in logarithms, as far out
both density and distribution function are 0 in the numbers of a computer.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, lgamma, log, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from algdim.errors import LimitError
from algdim.figures import format_integer
from algdim.fitting.likelihood import Numbers

Index = NDArray[np.intp]
Sides = Sequence[Numbers]
"""The logarithms of the chances that a variable is below, at, or above the effect."""

FAR = -8.0
"""Below this many standard deviations the distribution function is taken from its asymptotic expansion."""
MOST_VALUES = 20_000_000
"""Starts times rows times values of Poisson variables."""
BEYOND = 12.0
"""So many standard deviations beyond the mean, and some, a Poisson variable has no values that count."""

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


def add_up_orders(parts: Sequence[Sides], place: int, given: tuple[int, int] = (0, 0), *, once: bool) -> Numbers:
    """Log of the chance that the place-th largest is e, ``given`` that so many further ones are above it and at it.

    ``once``: one variable at most is at e, and has its density there. A state of the sum are the numbers of variables above, and of
    those at or above, e; more than ``place`` of the latter are as good as that many.

    >>> half = [np.log(np.array([chance])) for chance in (0.5, 0.25, 0.25)]
    >>> [round(float(np.exp(add_up_orders([half, half], place, once=False))[0]), 4) for place in (1, 2)]
    [0.3125, 0.1875]
    """
    above, at = given
    chances: dict[tuple[int, int], Numbers | float] = {(above, min(place, above + at)): 0.0}
    if above >= place:
        return np.asarray(-np.inf)
    for below, here, over in parts:
        found: dict[tuple[int, int], Numbers | float] = {}
        for (many, reached), value in chances.items():
            steps = [((many, reached), below), ((many + 1, min(place, reached + 1)), over)]
            if not (once and reached > many):
                steps.append(((many, min(place, reached + 1)), here))
            for state, log_chance in steps:
                if state[0] < place:
                    more = value + log_chance
                    found[state] = np.logaddexp(found[state], more) if state in found else more
        chances = found
    wanted = [value for (_, reached), value in chances.items() if reached >= place]
    return np.asarray(np.logaddexp.reduce(np.broadcast_arrays(*wanted)) if wanted else -np.inf)


def describe_order(
    parts: Sequence[Sides], means: Sequence[Sequence[Sides]], place: int, *, once: bool
) -> tuple[Numbers, list[list[Numbers]]]:
    """Log density of the effect, and E(X_j | e) and further moments, given those of X_j below, at and above e."""
    logs, moments = add_up_orders(parts, place, once=once), []
    for j, (own, of_sides) in enumerate(zip(parts, means, strict=True)):
        others = [part for i, part in enumerate(parts) if i != j]
        ways = [add_up_orders(others, place, given, once=once) for given in ((0, 0), (0, 1), (1, 0))]
        shares = [np.exp(chance + way - logs) for chance, way in zip(own, ways, strict=True)]
        moments.append(
            [sum((s * m for s, m in zip(shares[1:], one[1:], strict=True)), shares[0] * one[0]) for one in of_sides]
        )
    return logs, moments


def describe_normal_order(
    effect: Numbers, parts: Sequence[Sequence[Numbers]], place: int
) -> tuple[Numbers, list[list[Numbers]]]:
    """Log density of the effect, and E(X_j | e) and E(X_j² | e) of each variable, of which means and variances are given."""
    sides, means = [], []
    for mean, variance in parts:
        x = (effect - mean) / np.sqrt(variance)
        here = -0.5 * (x**2 + np.log(2 * pi * variance))
        below, above = compute_log_normal_cumulative(x), compute_log_normal_cumulative(-x)
        left, right = np.exp(here - below), np.exp(here - above)
        sides.append([below, here, above])
        first = [mean - variance * left, effect, mean + variance * right]
        square = mean**2 + variance
        second = [
            square - variance * left * (mean + effect),
            effect**2,
            square + variance * right * (mean + effect),
        ]
        means.append([first, second])
    return describe_order(sides, means, place, once=True)


def describe_poisson_order(
    effect: Numbers, rates: Sequence[Numbers], rows: Sequence[Index], place: int
) -> tuple[Numbers, list[list[Numbers]]]:
    """Log probability of the effect, and E(X_j | e) of each variable, of which the rates are given, restart × row."""
    values = effect.astype(np.intp)
    greatest = max(float(rate.max()) for rate in rates)
    most = max(int(values.max()), int(greatest + BEYOND * sqrt(greatest))) + 60
    if (count := (most + 1) * sum(rate.size for rate in rates)) > MOST_VALUES:
        raise LimitError(
            f"values up to {format_integer(most)} of Poisson variables take {format_integer(count)} numbers at once; "
            f"at most {format_integer(MOST_VALUES)} are allowed; take fewer starts"
        )
    grid = np.arange(most + 1)
    factorials = np.array([lgamma(value + 1) for value in grid.tolist()])
    sides, means = [], []
    for rate, row in zip(rates, rows, strict=True):
        single = grid * np.log(rate)[:, :, None] - rate[:, :, None] - factorials
        empty = np.full((*rate.shape, 2), -np.inf)
        below = np.concatenate([empty, np.logaddexp.accumulate(single, axis=2)], axis=2)  # at e: P(X < e − 1)
        above = np.concatenate(
            [np.logaddexp.accumulate(single[:, :, ::-1], axis=2)[:, :, ::-1], empty], axis=2
        )  # P(X ≥ e)
        own = [below[:, row, values[0] + 1], single[:, row, values[0]], above[:, row, values[0] + 1]]
        log_rate = np.log(rate)[:, row]
        cut = [below[:, row, values[0]], None, above[:, row, values[0]]]
        with np.errstate(invalid="ignore"):
            left, right = (np.exp(log_rate + cut[side] - own[side]) for side in (0, 2))
        sides.append(own)
        means.append([[np.where(np.isfinite(own[0]), left, 0.0), effect, right]])
    return describe_order(sides, means, place, once=False)
