"""Scores of completed data: MLED, Cheeseman and Stutz's score, and the variational bound that it begins.

The data are completed by the expected counts at some parameters; what the completed data D′ would tell is known in closed
form. For any parameters and any prior MLED ≤ CS ≤ variational ≤ log p(D), where "variational" began at the same counts:
CS is the bound E_q log p(D, Z)/q(Z) ≤ log p(D) of the distribution q of the hidden states Z at these parameters, with the
expectation of log p(D, Z|θ) taken inside the integral, and the variational bound is the best of that form.
"""

from __future__ import annotations

from math import log

import numpy as np

from algdim.errors import LimitError
from algdim.fitting.likelihood import Evaluator, Tables
from algdim.fitting.maximization import even_tables
from algdim.scores.dirichlet import Priors

LEAST_GAIN = 1e-9
MOST_STEPS = 20_000


def mled(priors: Priors, expected: Tables) -> float:
    """CH96 Eq. 12: log p(D′), the marginal likelihood of the expected data."""
    return float(priors.log_marginal(expected)[0])


def cs(priors: Priors, tables: Tables, expected: Tables, loglik: float) -> float:
    """KZ02 §2.3, CH96 Eq. 13 with d′ = d: log p(D′) − log p(D′|θ) + log p(D|θ)."""
    return mled(priors, expected) - float(priors.log_likelihood(tables, expected)[0]) + loglik


def refunded(score: float, standard: int, effective: int, size: float) -> float:
    """KZ02 §2.3, CH96 Eq. 13 with d′ = ds and d = de: the score plus (ds − de)/2 · log N, which turns CS into CS+.

    >>> refunded(-100.0, 14, 13, 1.0)
    -100.0
    """
    return score + (standard - effective) / 2 * log(size)


def variational(priors: Priors, at: Evaluator, expected: Tables) -> float:
    """The bound of variational Bayes, raised from the given expected counts until a step gains next to nothing.

    The tables of a step are exp E log θ under the Dirichlet posterior of the counts; their rows add up to less than 1.
    The bound is CS's formula at these tables.
    """
    best, tables = -np.inf, [table[None] for table in even_tables(priors.pmap)]
    for _ in range(MOST_STEPS):
        for table in priors.tables:
            mean = table.geometric_mean(expected[table.number])
            tables[table.number] = mean.reshape(tables[table.number].shape)
        logliks, expected = at.expected(tables)
        value = cs(priors, tables, expected, float(logliks[0]))
        if value - best <= LEAST_GAIN:
            return max(value, best)
        best = value
    raise LimitError(f"the variational bound still rises after {MOST_STEPS} steps; it is at {best:.6f}")
