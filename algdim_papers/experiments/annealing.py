"""Log p(D) of a latent class model by sequential Monte Carlo: particles from the prior, the cases taken in one after another.

As many cases are taken in at once as leave half of the particles' weight alive; then particles are drawn anew and moved by
steps of Gibbs sampling (classes of the cases given the parameters, parameters given the classes), which keep the posterior.
How far a step goes depends on the particles, which costs a bias of about 1 in 100 with hundreds of them and vanishes with more. Starting from the prior, particles of all labellings come along.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from algdim.fitting.likelihood import Numbers
from algdim.fitting.samples import Sample

LEAST_ALIVE = 0.5
SWEEPS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Particles:
    """Points of the parameter space: log weights of the classes, log rows of every item stacked."""

    weights: Numbers
    """Particle × class."""
    rows: Numbers
    """Particle × (item, state) × class."""

    def log_joint(self, shown: Numbers) -> Numbers:
        """Log of the probability of each pattern with each class: particle × pattern × class."""
        return np.asarray(self.weights[:, None, :] + shown @ self.rows)

    def take(self, chosen: Numbers) -> Particles:
        """Some of them."""
        return Particles(self.weights[chosen], self.rows[chosen])


@dataclass(frozen=True, slots=True, eq=False)
class Sampler:
    """Classes, items' sizes, the exponent of all rows, the patterns as indicators of (item, state)."""

    classes: int
    sizes: tuple[int, ...]
    alpha: float
    shown: Numbers
    random: np.random.Generator

    def drawn(self, weights: Numbers, rows: Numbers) -> Particles:
        """Particles from Dirichlet distributions with these exponents."""
        with np.errstate(divide="ignore"):
            logs = [np.log(normalise_weights(self.random.standard_gamma(weights), 1))]
            for start, size in zip(np.cumsum([0, *self.sizes]), self.sizes, strict=False):
                logs.append(np.log(normalise_weights(self.random.standard_gamma(rows[:, start : start + size]), 1)))
        tiny = np.log(1e-300)
        return Particles(np.maximum(logs[0], tiny), np.maximum(np.concatenate(logs[1:], axis=1), tiny))

    def prior(self, count: int) -> Particles:
        """Particles from the prior."""
        return self.drawn(
            np.full((count, self.classes), self.alpha), np.full((count, sum(self.sizes), self.classes), self.alpha)
        )

    def moved(self, particles: Particles, counts: Numbers) -> Particles:
        """One sweep of Gibbs sampling given this many cases of each pattern."""
        return self.drawn(*self.completed(particles, counts))

    def completed(self, particles: Particles, counts: Numbers) -> tuple[Numbers, Numbers]:
        """Classes drawn for this many cases of each pattern: the exponents that the posterior of the parameters then has."""
        present = counts > 0
        shown, whole = self.shown[present], counts[present].astype(np.int64)
        joint = particles.log_joint(shown)
        chances = np.exp(joint - joint.max(axis=2, keepdims=True))
        chances /= chances.sum(axis=2, keepdims=True)
        # multinomial draws, one class after the other from what is left
        left = np.broadcast_to(whole, chances.shape[:2]).copy()
        rest = np.ones(chances.shape[:2])
        given = np.zeros(chances.shape)
        for label in range(self.classes - 1):
            share = np.clip(chances[..., label] / np.maximum(rest, 1e-300), 0.0, 1.0)
            given[..., label] = self.random.binomial(left, share)
            left -= given[..., label].astype(np.int64)
            rest -= chances[..., label]
        given[..., -1] = left
        totals = given.sum(axis=1)
        return self.alpha + totals, self.alpha + np.swapaxes(shown, 0, 1) @ given


def normalise_weights(values: Numbers, axis: int) -> Numbers:
    """Numbers that add up to 1 along an axis."""
    return np.asarray(values / np.maximum(values.sum(axis=axis, keepdims=True), 1e-300))


def estimate_log_marginals(
    sample: Sample,
    classes: int,
    alpha: float,
    random: np.random.Generator,
    *,
    particles: int = 400,
    stops: Sequence[int] = (),
) -> list[float]:
    """Log p of the first cases, for each stop, and of all at the end; the cases in a random order."""
    sizes = tuple(map(len, sample.states))
    sampler = Sampler(classes, sizes, alpha, make_indicators(sample, sizes), random)
    order = random.permutation(np.repeat(np.arange(len(sample.counts)), sample.counts.astype(np.int64)))
    ends = [stop for stop in sorted(stops) if stop < len(order)] + [len(order)]
    now, alive = sampler.prior(particles), np.zeros(particles)
    counts, taken, total, found = np.zeros(len(sample.counts)), 0, 0.0, []
    while ends:
        logs = compute_pattern_logs(sampler, now)
        step = count_next_cases(logs, alive, order[taken : ends[0]])
        more = np.bincount(order[taken : taken + step], minlength=len(counts)).astype(np.float64)
        alive = alive + logs @ more
        taken, counts = taken + step, counts + more
        if taken == ends[0]:
            found.append(total + compute_log_mean(alive))
            ends.pop(0)
        if taken < len(order) and (compute_effective_number(alive) < LEAST_ALIVE * particles * 1.1 or taken != ends[0]):
            total += compute_log_mean(alive)
            now = now.take(select_particles(alive, random))
            alive = np.zeros(particles)
            for _ in range(SWEEPS):
                now = sampler.moved(now, counts)
    return found


def compute_pattern_logs(sampler: Sampler, particles: Particles) -> Numbers:
    """Log p of each pattern (columns) at each particle (rows)."""
    joint = particles.log_joint(sampler.shown)
    most = joint.max(axis=2)
    return np.asarray(most + np.log(np.exp(joint - most[..., None]).sum(axis=2)))


def count_next_cases(logs: Numbers, alive: Numbers, order: Numbers) -> int:
    """How many of the next cases leave enough weight alive; at least one."""
    low, high = 1, len(order)
    while low < high:
        middle = (low + high + 1) // 2
        more = np.bincount(order[:middle], minlength=logs.shape[1])
        if compute_effective_number(alive + logs @ more) >= LEAST_ALIVE * len(alive):
            low = middle
        else:
            high = middle - 1
    return low


def compute_effective_number(alive: Numbers) -> float:
    """The effective number of particles at these log weights."""
    weights = np.exp(alive - alive.max())
    return float(weights.sum() ** 2 / (weights**2).sum())


def compute_log_mean(alive: Numbers) -> float:
    """The logarithm of the mean weight."""
    most = float(alive.max())
    return most + log(float(np.exp(alive - most).mean()))


def select_particles(alive: Numbers, random: np.random.Generator) -> Numbers:
    """Which particles go on: systematic resampling."""
    weights = np.exp(alive - alive.max())
    places = (random.random() + np.arange(len(alive))) / len(alive)
    return np.minimum(np.searchsorted(np.cumsum(weights) / weights.sum(), places), len(alive) - 1)


def make_indicators(sample: Sample, sizes: Sequence[int]) -> Numbers:
    """Pattern × (item, state): whether the pattern shows the state."""
    return np.concatenate(
        [np.equal.outer(sample.patterns[:, item], np.arange(size)) for item, size in enumerate(sizes)], axis=1
    ).astype(np.float64)
