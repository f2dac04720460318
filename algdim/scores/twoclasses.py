"""The exact marginal likelihood of two classes with binary items, for hundreds of cases.

What a completion contributes depends only on how many cases the first class has, and how many of them show state 1 of each
item. The number of completions with these counts is a polynomial product over the patterns, taken in one dense array.
"""

from __future__ import annotations

from math import lgamma, log, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, LimitError
from algdim.figures import big
from algdim.fitting.likelihood import Numbers
from algdim.fitting.samples import Sample
from algdim.scores.dirichlet import log_gamma

MOST_STATES = 30_000_000
"""Of counts at once."""
MOST_CASES = 1000
"""Beyond them 2^(−N) is no number of the machine."""


def two_class_log_marginal(sample: Sample, alpha: float = 1.0) -> float:
    """Log p(D) of the ordered sample under `2:2^n` with Dirichlet(alpha) on every row.

    >>> from math import exp
    >>> sample = Sample(("X1", "X2"), (("0", "1"),) * 2, np.array([[0, 0], [1, 1]]), np.ones(2))
    >>> round(17 * exp(-two_class_log_marginal(sample)), 6)
    432.0
    """
    if any(len(states) != 2 for states in sample.states) or (sample.patterns < 0).any():
        raise InputError("the items are not all binary, or entries are missing; complete binary data are expected")
    if sample.size > MOST_CASES or not (sample.counts == sample.counts.round()).all():
        raise LimitError(f"{sample.size:g} cases; whole counts of up to {MOST_CASES} cases are counted out")
    ones = (sample.counts @ sample.patterns).astype(np.int64)
    shape = (int(sample.size) + 1, *(int(total) + 1 for total in ones))
    if prod(shape) > MOST_STATES:
        raise LimitError(f"the classes can share the cases in {big(prod(shape))} ways; up to {big(MOST_STATES)} fit")
    ways = ways_of(sample, shape)
    size, axes = int(sample.size), range(len(ones))
    first = np.arange(size + 1)
    logs = [log_beta([first, size - first], alpha)]
    for axis in axes:
        inside = np.arange(int(ones[axis]) + 1)
        outside = int(ones[axis]) - inside
        possible = (inside <= first[:, None]) & (outside <= size - first[:, None])
        rest = np.maximum(first[:, None] - inside, 0), np.maximum(size - first[:, None] - outside, 0)
        both = log_beta([inside[None], rest[0]], alpha) + log_beta([outside[None], rest[1]], alpha)
        spread = [1] * len(ones)
        spread[axis] = len(inside)
        logs.append(np.where(possible, both, -np.inf).reshape(-1, *spread))
    total = logs[0].reshape(-1, *[1] * len(ones))
    for each in logs[1:]:
        total = total + each
    with np.errstate(divide="ignore"):
        total = total + np.log(ways)
    most = float(total.max())
    return most + float(np.log(np.exp(total - most).sum())) + size * log(2)


def ways_of(sample: Sample, shape: tuple[int, ...]) -> Numbers:
    """How many completions have which counts, over 2^N."""
    ways = np.zeros(shape)
    ways[(0,) * len(shape)] = 1.0
    top = np.zeros(len(shape), dtype=np.int64)  # nothing is beyond it yet
    for pattern, count in zip(sample.patterns, sample.counts.astype(np.int64), strict=True):
        move = np.array([1, *pattern])
        part = ways[tuple(slice(0, int(end) + 1) for end in top)].copy()
        more = np.zeros(tuple(int(end) + 1 for end in top + count * move))
        chances = np.exp(log_choose(int(count)) - count * log(2))
        for number, chance in enumerate(chances):
            start = number * move
            more[tuple(slice(int(a), int(a + b) + 1) for a, b in zip(start, top, strict=True))] += chance * part
        top = top + count * move
        ways[tuple(slice(0, int(end) + 1) for end in top)] = more
    return ways


def log_choose(total: int) -> Numbers:
    """The logarithms of the binomial coefficients."""
    orders = log_gamma(np.arange(1, total + 2, dtype=np.float64))
    return np.asarray(orders[-1] - orders - orders[::-1])


def log_beta(counts: list[NDArray[Any]], alpha: float) -> Numbers:
    """Log of the probability of a sequence with these two counts, under Dirichlet(alpha)."""
    first, second = counts
    found = log_gamma(first + alpha) + log_gamma(second + alpha) - log_gamma(first + second + 2 * alpha)
    return np.asarray(found + lgamma(2 * alpha) - 2 * lgamma(alpha))
