"""Scores of conditional Gaussian networks: Cheeseman and Stutz's (CH96 Eq. 13) and Laplace's approximation, with conjugate priors.

Rows of tables have Dirichlet(α). The coefficients β of the regressions that have one variance v are, given v, normal around the means of
the data and zeros, with the precision matrix αΛ₀/v, Λ₀ being that of one case with the means and the variances of the data and no
covariances; 1/v is gamma of shape α and rate αs², s² the variance of the data, 1 of a latent variable. So α counts prior cases, and units
do not matter. Completed data are known by the expected sums of products of 1, parents and child in each regression.
"""

from __future__ import annotations

from math import lgamma, log, pi

import numpy as np

from algdim.errors import InputError
from algdim.families.conditionalgaussian.likelihood import MixedFamily
from algdim.families.contract import Scoring
from algdim.fitting.likelihood import Numbers, Tables
from algdim.fitting.maximization import DIRICHLET, PROBABILITY
from algdim.fitting.record import Fit
from algdim.scores.dirichlet import integrate_dirichlet
from algdim.scores.laplace import check_summit, integrate_gaussian
from algdim.scores.scoringcontext import Material

STEP = 1e-5
"""Of a difference of gradients, as a part of the parameter's own scale."""


def make_family(of: Material, found: Fit) -> MixedFamily:
    """The data with the prior."""
    if of.prior.kind != DIRICHLET:
        raise InputError(
            "of networks with Gaussian variables this takes an exponent alpha of conjugate priors; give --alpha 1, say"
        )
    return MixedFamily(found.model, found.sample, of.prior)


def compute_completed_score(of: Material) -> float:
    """Log p(D′) − log p(D′|θ) + log p(D|θ); with nothing hidden that is the marginal likelihood."""
    family = make_family(of, of.fit)
    tables = family.tables(of.fit.parameters)
    _, (*counts, moments) = family.take_expectation(tables)
    total = of.fit.loglik
    for table, found in zip(tables, counts, strict=False):
        logs = np.log(np.where(found[0] > 0, table[0], 1.0))
        total += integrate_dirichlet(found[0], of.prior.amount) - float((found[0] * logs).sum())
    return total + integrate_regressions(family, moments) - evaluate_regressions(family, tables, moments)


def evaluate_regressions(family: MixedFamily, tables: Tables, moments: Numbers) -> float:
    """The log-likelihood of completed data in all regressions."""
    beta, variances = tables[-2:]
    weights = family.get_weights(variances)
    left, held = family.equations.measure_residuals(moments, beta)
    return -0.5 * float((held * np.log(2 * pi / weights) + left * weights).sum())


def integrate_regressions(family: MixedFamily, moments: Numbers) -> float:
    """The log of its integral over the prior, block by block: of the regressions that have one variance."""
    alpha, layout, connected = family.prior.amount, family.layout, family.equations.blocks
    weights = np.ones((1, len(layout.regressions)))
    matrix, right, squares = family.collect_normal_equations(moments, weights)
    before, center = family.collect_prior(weights)
    known, start = alpha * before, alpha * center
    after, end = known + matrix, start + right
    gain = (start * connected.solve(known, start) - end * connected.solve(after, end))[0]
    logs = (connected.compute_log_determinants(known) - connected.compute_log_determinants(after))[0]
    sizes = family.equations.measure_residuals(moments, np.zeros((1, len(layout.places[0]))))[1][0]
    total = 0.5 * float(logs.sum())
    for numbers, places in family.blocks:
        size = float(sizes[list(numbers)].sum())
        left = float(squares[0, list(numbers)].sum()) + float(gain[list(places)].sum())
        one = layout.regressions[numbers[0]]
        if one.variance < 0:
            total -= 0.5 * (size * log(2 * pi * one.fixed_variance) + left / one.fixed_variance)
            continue
        rate, shape = alpha * float(family.units[1][family.order[one.name]]), alpha + size / 2
        total += (
            alpha * log(rate) - lgamma(alpha) + lgamma(shape) - shape * log(rate + left / 2) - size / 2 * log(2 * pi)
        )
    return float(total)


def compute_log_prior(family: MixedFamily, tables: Tables) -> float:
    """The log prior density of probabilities, coefficients and variances."""
    alpha, layout = family.prior.amount, family.layout
    total = float(family.penalty(tables)[0])
    for _, rows, states in layout.tables:
        total += rows * (lgamma(states * alpha) - states * lgamma(alpha))
    known = alpha * family.collect_prior(np.ones((1, len(layout.regressions))))[0]
    total += 0.5 * float(family.equations.blocks.compute_log_determinants(known).sum())
    for numbers, places in family.blocks:
        one = layout.regressions[numbers[0]]
        total -= len(places) / 2 * log(2 * pi)
        if one.variance < 0:
            total -= len(places) / 2 * log(one.fixed_variance)
        else:
            total += alpha * log(alpha * float(family.units[1][family.order[one.name]])) - lgamma(alpha)
    return total


def compute_gradient(family: MixedFamily, tables: Tables) -> Numbers:
    """The gradient of the log posterior: entries of tables but the last of each row, coefficients, variances."""
    _, (*counts, moments) = family.take_expectation(tables)
    alpha, (beta, variances) = family.prior.amount, tables[-2:]
    found = []
    for table, count in zip(tables, counts, strict=False):
        slopes = (count[0] + alpha - 1) / table[0]
        found.append((slopes[:, :-1] - slopes[:, -1:]).ravel())
    weights = family.get_weights(variances)
    matrix, right, _ = family.collect_normal_equations(moments, weights)
    known, center = family.collect_prior(weights)
    found.append((right + alpha * center - family.equations.blocks.multiply(matrix + alpha * known, beta))[0])
    left, held = family.add_prior_residuals(beta, *family.measure_residuals(moments, beta), alpha)
    found.append(((left / variances - held) / (2 * variances))[0])
    return np.concatenate(found)


def convert_to_point(tables: Tables) -> Numbers:
    """The same coordinates of one restart as one row."""
    return np.concatenate([*(table[0][:, :-1].ravel() for table in tables[:-2]), tables[-2][0], tables[-1][0]])


def convert_to_tables(family: MixedFamily, point: Numbers) -> Tables:
    """The arrays of a point."""
    found: Tables = []
    first = 0
    for _, rows, states in family.layout.tables:
        part = point[first : (first := first + rows * (states - 1))].reshape(rows, states - 1)
        found.append(np.column_stack([part, 1 - part.sum(axis=1)])[None])
    count = len(family.layout.places[0])
    return [*found, point[None, first : first + count], point[None, first + count :]]


def compute_laplace(of: Material) -> float:
    """Laplace's approximation at the mode of the posterior (CH96 Eq. 8); the Hessian is a difference of exact gradients."""
    make_family(of, of.fit)
    found = of.mode(PROBABILITY)
    family = make_family(of, found)
    tables = family.tables(found.parameters)
    point = convert_to_point(tables)
    entries = sum(rows * (states - 1) for _, rows, states in family.layout.tables)
    if ((point[:entries] <= 0) | (point[:entries] >= 1)).any() or found.boundary:
        raise InputError(
            "a probability is 0, or a variance is at its floor; Laplace's approximation needs a maximum inside"
        )
    scale = np.sqrt(family.units[1].max())
    steps = STEP * np.where(
        np.arange(len(point)) < entries, np.minimum(point, 1 - point), np.maximum(np.abs(point), STEP * scale)
    )
    rows = []
    for number, step in enumerate(steps):
        moved = np.zeros(len(point))
        moved[number] = step
        ends = [compute_gradient(family, convert_to_tables(family, point + sign * moved)) for sign in (1, -1)]
        rows.append((ends[0] - ends[1]) / (2 * step))
    curvature = -np.array(rows).reshape(len(point), len(point))
    curvature = (curvature + curvature.T) / 2
    height = integrate_gaussian(found.loglik + compute_log_prior(family, tables), curvature)
    check_summit(compute_gradient(family, tables), curvature)
    return height


SCORING = Scoring(
    score_completed=compute_completed_score,
    score_laplace=compute_laplace,
    takes_prior=lambda prior: bool(prior.kind == DIRICHLET),
    why_no_prior="of priors the scores of networks with Gaussian variables take alpha, the number of prior cases; leave ess out",
)
