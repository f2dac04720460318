"""Laplace's approximation for networks with classifiers or sigmoid variables, from complete data (HM97 Eq. 8).

The likelihood is a product over the variables, so the Hessian has a block for each. A table's marginal likelihood is known in
closed form. Of a variable with weights let ℓ be the logarithms of its probabilities, up to a constant in each row, so that
they add up to 0 there. The prior of ℓ is normal, with mean 0, in the directions in which the model moves it: of each of the
d directions the variance τ² = ψ′(α) · rows · (states − 1) / d. So in a row of a full table, d = rows · (states − 1), ℓ has
the covariance matrix that the Dirichlet distribution with exponents α gives it, and with fewer directions the same on average.

Where several maxima of the posterior are found, their contributions are added up (HM97 §5).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, pi

import numpy as np

from algdim.errors import InputError, join_names
from algdim.families.discrete.locals.curves import (
    Curve,
    collect_curves,
    compute_log_shares,
    compute_log_slopes,
    compute_probabilities,
)
from algdim.families.discrete.map import ParamMap
from algdim.fitting.likelihood import Numbers
from algdim.fitting.maximization import Prior
from algdim.fitting.samples import Sample
from algdim.fitting.simulating import SUMMANDS, convert_to_normals, draw_start_uniforms
from algdim.scores.dirichlet import make_priors

STARTS = 12
MOST_STEPS = 400
CONVERGED = 1e-10
DISTINCT = 1e-3
"""Maxima whose log-probabilities differ by less are one."""
LOST = 1e-7
"""A direction whose singular value is smaller, as a part of the greatest, is none."""
AFTER_FAILURE, AFTER_SUCCESS = 8.0, 0.2
LONGEST = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """The posterior of one variable's weights: Σ n log p − ‖ℓ‖² / 2τ², but for a constant."""

    curve: Curve
    counts: Numbers
    variance: float

    @property
    def states(self) -> int:
        """The states of the variable."""
        return self.curve.shape[-1]

    def levels(self, weights: Numbers) -> Numbers:
        """ℓ of one point."""
        logits = self.curve.logits(weights[None]).reshape(-1, self.states)
        return np.asarray((logits - logits.mean(axis=1, keepdims=True)).ravel())

    def slopes(self, weights: Numbers) -> Numbers:
        """The derivatives of ℓ, cell × weight."""
        even = np.full((1, len(self.counts)), 1.0 / self.states)
        return np.asarray(compute_log_slopes(self.curve.slopes(weights[None]), even, self.states)[0])

    def loglik(self, weights: Numbers) -> float:
        """Σ n log p."""
        logits = self.curve.logits(weights[None]).reshape(-1, self.states)
        return float((self.counts * compute_log_shares(logits).ravel()).sum())

    def value(self, weights: Numbers) -> float:
        """The log posterior but for its constant."""
        levels = self.levels(weights)
        return self.loglik(weights) - float(levels @ levels) / (2 * self.variance)

    def by_level(self, weights: Numbers) -> Numbers:
        """Its gradient by ℓ."""
        p = compute_probabilities(self.curve, weights[None])[0]
        totals = np.repeat(self.counts.reshape(-1, self.states).sum(axis=1), self.states)
        return np.asarray(self.counts - totals * p - self.levels(weights) / self.variance)

    def gradient(self, weights: Numbers) -> Numbers:
        """Its gradient by the weights."""
        return np.asarray(self.slopes(weights).T @ self.by_level(weights))

    def information(self, weights: Numbers) -> Numbers:
        """Minus its Hessian by the weights, were ℓ linear in them."""
        p = compute_probabilities(self.curve, weights[None])
        inner = compute_log_slopes(self.curve.slopes(weights[None]), p, self.states)[0]
        totals = np.repeat(self.counts.reshape(-1, self.states).sum(axis=1), self.states)
        slopes = self.slopes(weights)
        return np.asarray((inner * (totals * p[0])[:, None]).T @ inner + slopes.T @ slopes / self.variance)

    def curvature(self, weights: Numbers) -> Numbers:
        """Minus its Hessian by the weights."""
        return self.information(weights) - self.curve.bend(weights, self.by_level(weights))

    def climb_to_maximum(self, weights: Numbers) -> tuple[Numbers, bool]:
        """The maximum that damped scoring reaches, and whether it arrived."""
        value, damping = self.value(weights), 1e-2
        for _ in range(MOST_STEPS):
            known, slope = self.information(weights), self.gradient(weights)
            diagonal = np.diag(known)
            system = known + np.diag(damping * diagonal + 1e-9 * diagonal.max() + 1e-12)
            move = np.linalg.solve(system, slope)
            move *= min(1.0, LONGEST / max(float(np.abs(move).max()), 1e-300))
            found = self.value(weights + move)
            if found >= value:
                weights, value, damping = weights + move, found, max(damping * AFTER_SUCCESS, 1e-9)
            else:
                damping *= AFTER_FAILURE
            if float(slope @ move) < CONVERGED:
                return weights, True
        return weights, False


def compute_variable_laplace(posterior: Posterior, dimension: int, seed: int | str = 0) -> float:
    """HM97 Eq. 8 for one variable: the logarithm of the sum over the distinct maxima found."""
    drawn = convert_to_normals(draw_start_uniforms(seed, range(STARTS), SUMMANDS * posterior.curve.size))
    maxima: list[Numbers] = []
    values: list[float] = []
    reason = (
        "scoring did not arrive at a maximum inside; the data may ask for probabilities that the model only comes near"
    )
    for begin in (np.zeros(posterior.curve.size), *drawn):
        weights, arrived = posterior.climb_to_maximum(begin)
        levels = posterior.levels(weights)
        if not arrived or any(np.abs(levels - other).max() < DISTINCT for other in maxima):
            continue
        try:
            values.append(compute_maximum_contribution(posterior, weights, dimension))
        except InputError as error:
            reason = str(error)
            continue
        maxima.append(levels)
    if not values:
        raise InputError(reason)
    most = max(values)
    return most + log(sum(np.exp(value - most) for value in values))


def compute_maximum_contribution(posterior: Posterior, weights: Numbers, dimension: int) -> float:
    """What one maximum contributes, in orthonormal coordinates of the directions in which ℓ moves."""
    _, lengths, directions = np.linalg.svd(posterior.slopes(weights), full_matrices=False)
    rank = int((lengths > LOST * lengths[0]).sum())
    if rank != dimension:
        raise InputError(
            f"at a maximum the log-odds move in {rank} directions and in general in {dimension}; the maximum lies at a singular point"
        )
    basis = directions[:rank].T / lengths[:rank]
    curvature = basis.T @ posterior.curvature(weights) @ basis
    signs, determinant = np.linalg.slogdet(curvature)
    if signs <= 0 or not (np.linalg.eigvalsh(curvature) > 0).all():
        raise InputError("the Hessian is not negative definite where scoring stopped; it is no maximum inside")
    return float(
        posterior.value(weights)
        - rank / 2 * log(2 * pi * posterior.variance)
        + rank / 2 * log(2 * pi)
        - determinant / 2
    )


def compute_network_laplace(
    pmap: ParamMap, sample: Sample, expected: list[Numbers], prior: Prior, seed: int | str
) -> float:
    """The sum over the variables: tables in closed form, the others by HM97 Eq. 8."""
    if pmap.model.hidden or sample.has_missing:
        raise InputError(
            "Laplace's approximation for variables with weights takes complete data and no hidden variables"
        )
    total = float(make_priors(pmap, prior).log_marginal(expected)[0])
    for one in collect_curves(pmap):
        if len(one.numbers) > 1:
            raise InputError(
                f"{join_names(one.owners)} have the levels of their parents in common; the priors of HM97 Eq. 8 are those of one variable"
            )
        (number,), curve = one.numbers, one.curve
        size = curve.dimension()
        rows = int(np.prod(curve.shape[:-1]))
        alpha = float(prior.alpha(curve.shape).flat[0])
        variance = trigamma(alpha) * rows * (curve.shape[-1] - 1) / size
        counts = expected[number].reshape(-1)
        total += compute_variable_laplace(Posterior(curve, counts, variance), size, seed)
    return total


def trigamma(value: float) -> float:
    """The second derivative of log Γ: the variance of the logarithm of a gamma variable.

    >>> round(trigamma(1.0), 12), round(trigamma(0.5), 12)
    (1.644934066848, 4.934802200545)
    """
    total = 0.0
    while value < 20:
        total += 1 / value**2
        value += 1
    inverse = 1 / value**2
    series = 1 / 6 - inverse * (1 / 30 - inverse * (1 / 42 - inverse * (1 / 30 - inverse * 5 / 66)))
    return total + 1 / value + inverse / 2 + inverse / value * series
