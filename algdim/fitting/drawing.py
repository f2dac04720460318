"""Draws of cases: uniform, normal and Poisson numbers, and states by the rows of a table; each label has its own stream.

Numbers for random starts: each start has a stream of its own, so that more starts have the same first ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError
from algdim.exact.draws import stream, words

Numbers = NDArray[np.float64]
States = NDArray[np.int64]

GREATEST_RATE = 1e5


def uniforms(seed: int | str, label: str, count: int) -> Numbers:
    """Uniform numbers from 0 on, below 1: 53 bits, so that the number below 1 is exact."""
    return np.asarray((words(stream(seed, "simulate", label), count, 64) >> np.uint64(11)).astype(np.float64) / 2.0**53)


def normals(seed: int | str, label: str, count: int) -> Numbers:
    """Standard normal numbers, by Box and Muller."""
    drawn = uniforms(seed, label, 2 * count)
    return np.asarray(np.sqrt(-2 * np.log1p(-drawn[:count])) * np.cos(2 * np.pi * drawn[count:]))


def poissons(seed: int | str, label: str, rates: Numbers) -> States:
    """Poisson numbers with these rates, by going up from 0 until the distribution function is passed."""
    if (rates > GREATEST_RATE).any():
        raise InputError(f"a rate is {rates.max():g}; up to {GREATEST_RATE:g} are drawn")
    left = uniforms(seed, label, len(rates))
    # in logarithms, as e^−rate may be 0
    logs, value = -rates, np.zeros(len(rates), dtype=np.int64)
    open_ = np.ones(len(rates), dtype=np.bool_)
    last = int(rates.max(initial=0.0) + 40 * np.sqrt(rates.max(initial=0.0)) + 60)
    for k in range(1, last):
        left = left - np.exp(logs)
        open_ &= left >= 0
        if not open_.any():
            break
        value[open_] = k
        with np.errstate(divide="ignore"):
            logs = logs + np.log(rates) - np.log(k)
    return value


def states_by_rows(rows: Numbers, row: NDArray[np.intp] | States, uniform: Numbers) -> States:
    """The state of each case by its row of a table; a state of probability 0 is never drawn."""
    bounds = np.cumsum(rows, axis=1)
    bounds[:, -1] = 1.0
    state = np.zeros(len(uniform), dtype=np.int64)
    for below in bounds[:, :-1].T:
        state += uniform >= below[row]
    last_possible = rows.shape[1] - 1 - np.argmax(rows[:, ::-1] > 0, axis=1)
    return np.asarray(np.minimum(state, last_possible[row]))


def root_of(matrix: NDArray[np.float64], what: str) -> NDArray[np.float64]:
    """A symmetric root of a covariance matrix."""
    values, vectors = np.linalg.eigh(matrix)
    if values.min() < -1e-9 * max(1.0, float(values.max())):
        raise InputError(f"{what} are no covariance matrix: it has the eigenvalue {values.min():.4g}, none is negative")
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)


def rows_of(rows: list[list[float]], name: str) -> NDArray[np.float64]:
    """The rows of a table whose last entries are what is left."""
    found = np.array([[*row, 1 - sum(row)] for row in rows])
    if (found < -1e-9).any():
        raise InputError(f"{name}: the entries of a row are from 0 to 1 and add up to 1")
    return np.asarray(np.maximum(found, 0.0), dtype=np.float64)


SUMMANDS = 12
"""So many uniform numbers less 6 are about standard normal."""


def uniform(seed: int | str, numbers: range, size: int) -> Numbers:
    """Start × number: uniform between 0 and 1, both excluded."""
    drawn = np.array([words(stream(seed, "start", number), size, 32) for number in numbers])
    return np.asarray((drawn + 0.5) / 2.0**32).reshape(len(numbers), size)


def normal(drawn: Numbers) -> Numbers:
    """About standard normal numbers from twelve times as many uniform ones."""
    return np.asarray(drawn.reshape(len(drawn), SUMMANDS, -1).sum(axis=1) - SUMMANDS / 2)
