"""How well a fit agrees with the data: G², X² and their p-value with the degrees of freedom that the dimension leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, lgamma, log, pi, prod
from typing import ClassVar

import numpy as np

from algdim.display.results import Plain
from algdim.errors import InputError
from algdim.families.discrete.model import Network
from algdim.figures import format_integer
from algdim.fitting.likelihood import Numbers
from algdim.fitting.mixedsamples import MixedSample, MomentsOfPattern
from algdim.fitting.samples import Sample, format_case_count

MOST_FREEDOM = 10**7

LEAST_TAIL = 1e-300
"""Smaller probabilities are not told apart in floating point."""

ROUNDING = 1e-12
"""Of the numbers that a statistic is the difference of: less is printed as 0."""

LEAST_GAIN = 1e-9
"""EM for the saturated normal distribution ends where a step gains no more."""

FEW = 5
"""Fewer cases for each cell, and the χ² distribution says little of the statistics."""


@dataclass(frozen=True, slots=True)
class Goodness(Plain):
    """Both statistics and their upper tails under a χ² distribution; ``dof`` is complete − structural zeros − effective."""

    _json: ClassVar[str] = "g2 x2 df=dof g2_p x2_p cells caution"

    g2: float
    x2: float | None
    """``None`` of models of covariances, which have no cells."""
    dof: int
    g2_p: float | None
    x2_p: float | None
    cases: float | None = None
    cells: int | None = None
    """That are possible, in all conditions that occur; ``None`` of models that have no cells."""

    @property
    def caution(self) -> str:
        """What to think of the p-values where cases are few for this many cells; empty if they are not."""
        if self.cells is None or self.cases is None or self.cases >= FEW * self.cells:
            return ""
        cells = f"{format_case_count(self.cases)} in {format_integer(self.cells)} cells"
        return f"sparse: {cells}, fewer than {FEW} a cell on average; the χ² approximation of G² and X² is unreliable"

    def __str__(self) -> str:
        """One line, and one with a caution if there is need of it."""

        def tail(p: float | None) -> str:
            if p is None:
                return ""
            return f" (p < {LEAST_TAIL:.0e})" if p < LEAST_TAIL else f" (p = {p:.4g})"

        pearson = "" if self.x2 is None else f"X² = {self.x2:.8g}{tail(self.x2_p)}   "
        caution = f"\n{self.caution}" if self.caution else ""
        return f"G² = {self.g2:.8g}{tail(self.g2_p)}   {pearson}df = {format_integer(self.dof)}{caution}"


def measure_goodness(
    model: Network, sample: Sample, log_values: Numbers, complete: int, dimension: int, zeros: int = 0
) -> Goodness:
    """Compare the patterns with their probabilities; with conditions, with those under the conditions that occur.

    ``zeros`` is the number of cells that are structural zeros: they leave no freedom.
    """
    if sample.has_missing:
        raise InputError("entries are missing; G² and X² compare complete rows")
    given = [number for number, variable in enumerate(model.observed) if variable.name in model.given]
    conditions, which = np.unique(sample.patterns[:, given], axis=0, return_inverse=True)
    sizes = np.bincount(which.ravel(), sample.counts)[which.ravel()]
    per_condition = complete // prod(model.observed[number].states for number in given)
    if len(conditions) * per_condition != complete:
        raise InputError("not every condition occurs in the data; the degrees of freedom are not known")
    some = sample.counts > 0
    counts, expected = sample.counts[some], sizes[some] * np.exp(log_values[some])
    g2 = float(2 * (counts * (np.log(counts) - np.log(sizes[some]) - log_values[some])).sum())
    # cells that do not occur have N·p each: together what the others lack
    x2 = float((counts**2 / expected).sum() - sample.size)
    loglik = float((counts * log_values[some]).sum())
    g2, x2 = drop_rounding(g2, loglik), drop_rounding(x2, sample.size)
    dof = complete - zeros - dimension
    g2_p, x2_p = (compute_upper_tail(value, dof) if 0 < dof <= MOST_FREEDOM else None for value in (g2, x2))
    return Goodness(g2, x2, dof, g2_p, x2_p, cases=sample.size, cells=complete - zeros + len(conditions))


def measure_covariance_goodness(sample: MixedSample, loglik: float, dof: int) -> Goodness:
    """Twice what the log-likelihood lacks of that of all normal distributions, at the data's own covariances."""
    g2 = drop_rounding(2 * (compute_saturated_normal(sample) - loglik), loglik)
    return Goodness(g2, None, dof, compute_upper_tail(g2, dof) if 0 < dof <= MOST_FREEDOM else None, None)


def compute_saturated_normal(sample: MixedSample) -> float:
    """The greatest log-likelihood of any normal distributions, one for each group; of what is shown, where values are missing."""
    total, start = 0.0, 0
    for _, width in sample.groups or (("", len(sample.continuous)),):
        here = [
            one._replace(columns=one.columns - start)
            for one in sample.pattern_moments
            if start <= one.columns[0] < start + width
        ]
        total += climb_normal(here, width)
        start += width
    return total


def climb_normal(shown: Sequence[MomentsOfPattern], width: int) -> float:
    """The greatest log-likelihood of normal distributions, by EM where values are missing."""
    sizes = np.zeros(width)
    mean, spread = np.zeros(width), np.zeros(width)
    for one in shown:
        sizes[one.columns] += one.size
        mean[one.columns] += one.size * one.mean
        spread[one.columns] += one.size * (one.covariance.diagonal() + one.mean**2)
    mean = mean / sizes
    covariance = np.diag(spread / sizes - mean**2)
    total, before, step = -inf, -inf, 0
    while step < 2 or total - before > LEAST_GAIN:
        before, total = total, 0.0
        first, second = np.zeros(width), np.zeros((width, width))
        for one in shown:
            seen = one.columns
            here = covariance[np.ix_(seen, seen)]
            slopes = np.linalg.solve(here, covariance[seen])
            rest = one.mean - mean[seen]
            square = one.covariance + np.outer(rest, rest)
            total -= (
                one.size
                / 2
                * (len(seen) * log(2 * pi) + np.linalg.slogdet(here)[1] + np.linalg.solve(here, square).trace())
            )
            middle = mean + rest @ slopes
            left = covariance - covariance[:, seen] @ slopes
            first += one.size * middle
            second += one.size * (left + slopes.T @ one.covariance @ slopes + np.outer(middle, middle))
        mean = first / sum(one.size for one in shown)
        covariance = second / sum(one.size for one in shown) - np.outer(mean, mean)
        step += 1
    return float(total)


def drop_rounding(value: float, size: float) -> float:
    """A difference of numbers of a size; 0 where it is their rounding.

    >>> drop_rounding(-2.27e-13, -1200.0), drop_rounding(0.001, -1200.0)
    (0.0, 0.001)
    """
    return 0.0 if abs(value) <= ROUNDING * abs(size) else value


def compute_upper_tail(value: float, dof: int) -> float:
    """The probability that a χ² variable exceeds the value.

    >>> round(compute_upper_tail(3.841458820694124, 1), 12), compute_upper_tail(-1e-9, 3)
    (0.05, 1.0)
    """
    a, x = dof / 2, value / 2
    if x <= 0:
        return 1.0
    front = exp(a * log(x) - x - lgamma(a))
    return 1.0 - front * compute_gamma_series(a, x) if x < a + 1 else front * compute_gamma_fraction(a, x)


def compute_gamma_series(a: float, x: float) -> float:
    """The lower incomplete gamma function over x^a e^−x: Σ xⁿ / (a (a+1) … (a+n))."""
    term = total = 1 / a
    while term > total * 1e-17:
        a += 1
        term *= x / a
        total += term
    return total


def compute_gamma_fraction(a: float, x: float) -> float:
    """The upper incomplete gamma function over x^a e^−x, for x ≥ a + 1: Legendre's continued fraction, by Lentz's method."""
    b = x + 1 - a
    c, d = 1e300, 1 / b
    result, number = d, 0
    change = 0.0
    while abs(change - 1) > 1e-14:
        number += 1
        factor = number * (a - number)
        b += 2
        d = 1 / (b + factor * d)
        c = b + factor / c
        change = c * d
        result *= change
    return result
