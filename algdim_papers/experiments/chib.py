"""Log p(D) of a latent class model by Chib's method (1995): log p(D|θ) + log p(θ) − log p(θ|D) at one point θ.

The density of the posterior there is a mean over a chain of Gibbs sampling, of what it is given the classes of the cases; and
over all relabellings of the classes, since a chain may stay with one of them. Where the model is too large a few sweeps carry
the mean, and the chain may never make them.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from algdim.fitting.likelihood import Numbers
from algdim.fitting.samples import Sample
from algdim.scores.dirichlet import log_gamma
from algdim_papers.experiments.annealing import (
    Particles,
    Sampler,
    compute_log_mean,
    compute_pattern_logs,
    make_indicators,
)

WARM_UP = 200
"""Sweeps that are left out."""


def estimate_by_chib(
    sample: Sample, classes: int, alpha: float, random: np.random.Generator, *, sweeps: int = 2000
) -> float:
    """The estimate, at the point of the chain where the posterior is greatest."""
    sizes = tuple(map(len, sample.states))
    sampler = Sampler(classes, sizes, alpha, make_indicators(sample, sizes), random)
    here, best, greatest = sampler.prior(1), sampler.prior(1), -np.inf
    weights, rows = [], []
    for sweep in range(WARM_UP + sweeps):
        exponents = sampler.completed(here, sample.counts)
        here = sampler.drawn(*exponents)
        if sweep >= WARM_UP:
            weights.append(exponents[0][0])
            rows.append(exponents[1][0])
            value = compute_log_posterior(sampler, here, sample.counts)
            if value > greatest:
                best, greatest = here, value
    orders = [list(order) for order in permutations(range(classes))]
    logs = [
        compute_log_density(best, np.array(weights)[:, order], np.array(rows)[:, :, order], sizes) for order in orders
    ]
    return greatest - compute_log_mean(np.concatenate(logs))


def compute_log_posterior(sampler: Sampler, here: Particles, counts: Numbers) -> float:
    """Log p(D|θ) + log p(θ)."""
    shape = (1, sum(sampler.sizes), sampler.classes)
    prior = compute_log_density(
        here, np.full((1, sampler.classes), sampler.alpha), np.full(shape, sampler.alpha), sampler.sizes
    )
    return float(compute_pattern_logs(sampler, here)[0] @ counts + prior[0])


def compute_log_density(at: Particles, weights: Numbers, rows: Numbers, sizes: tuple[int, ...]) -> Numbers:
    """The log densities at one point of Dirichlet distributions, one for each row of exponents."""
    total = evaluate_dirichlet(at.weights[0], weights)
    for start, size in zip(np.cumsum([0, *sizes]), sizes, strict=False):
        part = slice(start, start + size)
        total = total + evaluate_dirichlet(at.rows[0, part].T, np.swapaxes(rows[:, part], 1, 2)).sum(axis=1)
    return total


def evaluate_dirichlet(logs: Numbers, exponents: Numbers) -> Numbers:
    """The log density of Dirichlet distributions along the last axis."""
    normal = log_gamma(exponents.sum(axis=-1)) - log_gamma(exponents).sum(axis=-1)
    return np.asarray(normal + ((exponents - 1) * logs).sum(axis=-1), dtype=np.float64)
