"""Cheeseman and Stutz's score of sums, maxima and n-th largest ones of Poisson or normal variables (MH97 Eq. 6), with conjugate priors.

The completed data are known by the expected counts n of each row of a mechanism and the expected sums s, t of X and X².
With μ and v the mean and the variance of the effect over the number of mechanisms (of a maximum, or the n-th largest,
the mean and the variance themselves), a rate has the gamma prior of shape α
with mean μ; a mean m and a variance have the normal-gamma prior: 1/variance is gamma of shape α and rate α v, and m given
it is normal about μ with 1/α times the variance. Rows of tables have Dirichlet(α). Factors of the complete data that do
not depend on parameters, as 1/x! of a Poisson variable, cancel from the score.
"""

from __future__ import annotations

from math import lgamma, log, pi

import numpy as np

from algdim.errors import InputError
from algdim.families.additive.likelihood import AdditiveLikelihood
from algdim.families.contract import Scoring
from algdim.fitting.likelihood import Numbers
from algdim.fitting.maximization import DIRICHLET
from algdim.fitting.record import Fit
from algdim.scores.dirichlet import integrate_dirichlet
from algdim.scores.scoringcontext import Material


def compute_sums_score(found: Fit, alpha: float) -> float:
    """Log p(D′) − log p(D′|θ) + log p(D|θ), with d′ = d."""
    family = AdditiveLikelihood(found.model, found.sample)
    tables = family.tables(found.parameters)
    _, expected = family.take_expectation(tables)
    count, total = len(family.layout.variables), found.loglik
    for table, counts in zip(tables[:count], expected[:count], strict=True):
        total += integrate_dirichlet(counts[0], alpha) - float(
            (counts[0] * np.log(np.where(counts[0] > 0, table[0], 1.0))).sum()
        )
    owners = found.model.owners
    for owner, table, sums in zip(owners, tables[count:], expected[count:], strict=True):
        center, scale = (
            float(one) / (1 if found.model.is_order_statistic else owners.count(owner))
            for one in (family.sample.mean[owner], family.sample.variances[owner])
        )
        for row, line in zip(table[0], sums[0], strict=True):
            if found.model.is_poisson:
                total += integrate_poisson(line, alpha, alpha / max(center, 1e-12)) - float(
                    line[1] * log(row[0]) - line[0] * row[0]
                )
            else:
                total += integrate_normal(line, alpha, center, alpha * scale) - evaluate_normal_likelihood(line, row)
    return total


def integrate_poisson(sums: Numbers, shape: float, rate: float) -> float:
    """Log ∫ λ^s e^(−nλ) of a gamma density.

    >>> round(integrate_poisson(np.array([0.0, 0.0]), 2.0, 3.0), 12)
    0.0
    """
    n, s = float(sums[0]), float(sums[1])
    return shape * log(rate) - lgamma(shape) + lgamma(shape + s) - (shape + s) * log(rate + n)


def integrate_normal(sums: Numbers, alpha: float, center: float, rate: float) -> float:
    """Log of the integral of the normal likelihood with these sums over a normal-gamma density."""
    n, s, t = (float(value) for value in sums)
    weight, shape = alpha + n, alpha + n / 2
    mean = (alpha * center + s) / weight
    after = rate + (t + alpha * center**2 - weight * mean**2) / 2
    known = alpha * log(rate) - lgamma(alpha) + 0.5 * log(alpha)
    return known + lgamma(shape) - shape * log(after) - 0.5 * log(weight) - n / 2 * log(2 * pi)


def evaluate_normal_likelihood(sums: Numbers, row: Numbers) -> float:
    """The normal likelihood with these sums at a mean and a variance."""
    n, s, t = (float(value) for value in sums)
    mean, variance = float(row[0]), float(row[1])
    return -n / 2 * log(2 * pi * variance) - (t - 2 * mean * s + n * mean**2) / (2 * variance)


def compute_completed_score(of: Material) -> float:
    """CS with conjugate priors (MH97 Eq. 6)."""
    if of.prior.kind != DIRICHLET:
        raise InputError("cs of sums takes an exponent alpha of conjugate priors; give --alpha 1, say")
    return compute_sums_score(of.fit, of.prior.amount)


SCORING = Scoring(
    score_completed=compute_completed_score,
    takes_prior=lambda prior: bool(prior.kind == DIRICHLET),
    why_no_prior="of priors the scores of sums take alpha, the exponent of conjugate ones; leave ess out",
)
