"""WBIC (Watanabe 2013): the mean log-likelihood under the posterior at the temperature log N, by Hamiltonian Monte Carlo.

It approximates log p(D) with the right learning coefficient whatever the model. Rows are softmax of independent log-gamma
variables, whose shares have the Dirichlet distribution of the prior, and the expected counts of EM are the gradient.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from algdim.errors import InputError
from algdim.exact.draws import open_stream
from algdim.fitting.likelihood import LikelihoodEvaluator, Numbers, Tables, make_likelihood_evaluator
from algdim.fitting.maximization import make_even_tables
from algdim.fitting.samples import Sample
from algdim.scores.dirichlet import Priors

CHAINS = 32
WARM_UP, KEPT = 300, 700
MOST_STEPS = 15
"""Of one trajectory; their number is drawn, so that no period is met."""
ACCEPTED = 0.75
"""The rate of acceptance that the size of the steps aims at."""
SMALLEST = -60.0
"""Logarithm of the least weight: what is below it is 0 in effect."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over chains and its standard error."""

    value: float
    error: float


@dataclass(frozen=True, slots=True, eq=False)
class Tempered:
    """The posterior with its likelihood to the power of an inverse temperature, at several points at once."""

    priors: Priors
    at: LikelihoodEvaluator
    inverse: float

    def split(self, points: Numbers) -> dict[int, Numbers]:
        """The log-gamma variables of each table: point × row × state."""
        sizes = [table.alpha.size for table in self.priors.tables]
        pieces = np.split(points, np.cumsum(sizes)[:-1], axis=1)
        return {
            table.number: piece.reshape(len(points), *table.alpha.shape)
            for table, piece in zip(self.priors.tables, pieces, strict=True)
        }

    def tables(self, points: Numbers) -> Tables:
        """The tables at the points."""
        found: Tables = [
            np.broadcast_to(table, (len(points), *table.shape)) for table in make_even_tables(self.priors.pmap)
        ]
        for number, weights in self.split(points).items():
            shares = np.exp(weights - weights.max(axis=2, keepdims=True))
            found[number] = (shares / shares.sum(axis=2, keepdims=True)).reshape(found[number].shape)
        return found

    def log_density(self, points: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """The log density but for a constant, its gradient, and the log-likelihood."""
        tables = self.tables(points)
        loglik, counts = self.at.take_expectation(tables)
        density, gradients = self.inverse * loglik, []
        for table in self.priors.tables:
            weights = self.split(points)[table.number]
            found = counts[table.number].reshape(weights.shape)
            shares = tables[table.number].reshape(weights.shape)
            sizes = np.exp(weights)
            density = density + (table.alpha * weights - sizes).sum(axis=(1, 2))
            slope = self.inverse * (found - found.sum(axis=2, keepdims=True) * shares) + table.alpha - sizes
            gradients.append(slope.reshape(len(points), -1))
        return density, np.concatenate(gradients, axis=1), loglik


def estimate_wbic(
    priors: Priors, sample: Sample, *, seed: int | str = 0, kept: int = KEPT, chains: int = CHAINS
) -> Estimate:
    """The mean of log p(D|θ) over the posterior at the inverse temperature 1/log N, with its Monte Carlo error."""
    if any(len(table.alpha) < len(table.leaf) or not table.free.all() for table in priors.tables):
        raise InputError("wbic is for tables of free rows; some entries are fixed or equal")
    if sample.size < 3:
        raise InputError(f"wbic needs at least 3 cases, for a temperature above 1; there are {sample.size:g}")
    what = Tempered(priors, make_likelihood_evaluator(priors.pmap, sample, chains), 1 / log(sample.size))
    return sample_chains(what, chains, kept, np.random.default_rng(int.from_bytes(open_stream(seed, "wbic").key)))


def sample_chains(what: Tempered, chains: int, kept: int, random: np.random.Generator) -> Estimate:
    """The mean log-likelihood over the chains."""
    alphas = np.concatenate([table.alpha.ravel() for table in what.priors.tables])
    points = np.maximum(np.log(np.maximum(random.gamma(alphas + 1, size=(chains, len(alphas))), 1e-300)), SMALLEST)
    density, gradient, loglik = what.log_density(points)
    step, totals = 0.1, np.zeros(chains)
    for number in range(WARM_UP + kept):
        momentum = random.standard_normal(points.shape)
        energy = density - (momentum**2).sum(axis=1) / 2
        new, slope = points, gradient
        for _ in range(int(random.integers(1, MOST_STEPS + 1))):
            momentum = momentum + step / 2 * slope
            new = new + step * momentum
            new_density, slope, new_loglik = what.log_density(new)
            momentum = momentum + step / 2 * slope
        with np.errstate(over="ignore", invalid="ignore"):
            chance = np.exp(np.minimum(new_density - (momentum**2).sum(axis=1) / 2 - energy, 0.0))
        chance = np.where(np.isfinite(chance), chance, 0.0)
        taken = random.random(chains) < chance
        points, gradient = np.where(taken[:, None], new, points), np.where(taken[:, None], slope, gradient)
        density, loglik = np.where(taken, new_density, density), np.where(taken, new_loglik, loglik)
        if number < WARM_UP:
            step *= float(np.exp(0.1 * (chance.mean() - ACCEPTED)))
        else:
            totals += loglik
    means = totals / kept
    return Estimate(float(means.mean()), float(means.std(ddof=1)) / sqrt(chains))
