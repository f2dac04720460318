"""Laplace's approximation of the marginal likelihood (CH96 Eq. 8), in two systems of coordinates.

In free coordinates the parameters are probabilities, the last of a row being 1 minus the others. In the softmax basis they
are log-odds against the last, in which the Dirichlet density has the exponents α instead of α − 1 (MH97 footnote 2); relabelling
hidden states gives as many equal maxima, whose logarithm is added there.

Where the effective dimension is below the number of parameters, the posterior stays wide along a surface however many cases
there are, and the approximation means nothing even though a prior makes its Hessian positive definite.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import lgamma, log, pi

import numpy as np

from algdim.errors import InputError
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.model import Network, Variable
from algdim.fitting.likelihood import Numbers, Tables
from algdim.fitting.samples import Sample
from algdim.scores.curvature import (
    compute_entry_directions,
    compute_hessian,
    compute_mixture_curvature,
    compute_mixture_gradient,
    is_mixture,
)
from algdim.scores.dirichlet import Priors

MOST_GAIN = 0.01
"""What a step of Newton's method may gain in the log posterior at a maximum that an algorithm found, or that was rounded."""


class NoSummitError(InputError):
    """The parameters are no maximum of the posterior."""


def compute_laplace(
    priors: Priors, sample: Sample, tables: Tables, loglik: float, expected: Tables | None = None
) -> float:
    """CH96 Eq. 8 in free coordinates: log p(D|θ) + log p(θ) + d/2 · log 2π − ½ log |A|, A minus the Hessian of both.

    With the expected counts at θ it is checked that the gradient is 0 there.
    """
    check_inside(priors, tables)
    log_prior = sum(table.log_density(table.of_leaves(tables[table.number])) for table in priors.tables)
    mixture = is_mixture(priors.pmap.model)
    second = compute_mixture_curvature(priors, sample, tables) if mixture else compute_curvature(priors, sample, tables)
    height = integrate_gaussian(loglik + log_prior, second)
    if expected is not None:
        of = compute_mixture_gradient if mixture else compute_gradient
        check_summit(of(priors, tables, expected), second)
    return height


def compute_gradient(priors: Priors, tables: Tables, expected: Tables) -> Numbers:
    """The gradient of log p(D|θ) + log p(θ) in free coordinates; a count over its entry is the derivative by the entry."""
    first = [
        np.divide(counts, entries, out=np.zeros(entries.shape), where=entries > 0).ravel()
        for entries, counts in zip(tables, expected, strict=True)
    ]
    for table in priors.tables:
        values = table.of_leaves(tables[table.number])
        leaf, state = np.nonzero(table.free)
        places = table.first[leaf] * table.free.shape[1] + state
        first[table.number][places] += (table.alpha[table.free] - 1) / values[table.free]
    return np.asarray(compute_entry_directions(priors.pmap).T @ np.concatenate(first))


def compute_curvature(priors: Priors, sample: Sample, tables: Tables) -> Numbers:
    """Minus the Hessian of log p(D|θ) + log p(θ) in free coordinates."""
    starts = np.cumsum([0, *(table.size for table in tables)])
    second = compute_hessian(priors.pmap, sample, tables)
    for table in priors.tables:
        values = table.of_leaves(tables[table.number])
        leaf, state = np.nonzero(table.free)
        places = starts[table.number] + table.first[leaf] * table.free.shape[1] + state
        second[places, places] -= (table.alpha[table.free] - 1) / values[table.free] ** 2
    moved = compute_entry_directions(priors.pmap)
    return np.asarray(-moved.T @ second @ moved)


def compute_laplace_softmax(priors: Priors, sample: Sample, tables: Tables, expected: Tables, loglik: float) -> float:
    """The same in the softmax basis, with the logarithm of the number of relabellings (log k! for k classes)."""
    check_inside(priors, tables)
    flat = np.concatenate([table.ravel() for table in tables])
    starts = np.cumsum([0, *(table.size for table in tables)])
    # the derivatives of the expected counts by the logarithms of the entries
    counts = np.concatenate([table.ravel() for table in expected])
    slopes = flat[:, None] * compute_hessian(priors.pmap, sample, tables) * flat + np.diag(counts)
    columns: list[Numbers] = []
    curved: list[Numbers] = []
    slope: list[Numbers] = []
    log_prior = 0.0
    for table in priors.tables:
        values = table.of_leaves(tables[table.number])
        found = table.by_leaves(expected[table.number])[0]
        log_prior += table.log_density(values, softmax=True)
        for leaf, free in enumerate(table.free):
            states = np.flatnonzero(free)
            if len(states) > 1:
                shares = values[leaf, states] / table.rest[leaf]
                block = np.zeros((len(flat), len(states) - 1))
                for row in np.flatnonzero(table.leaf == leaf):
                    places = starts[table.number] + row * len(free) + states
                    block[places] = np.eye(len(states), len(states) - 1) - shares[:-1]
                columns.append(block)
                weight = found[leaf, states].sum() + table.alpha[leaf].sum()
                slope.append((found[leaf, states] + table.alpha[leaf, states] - weight * shares)[:-1])
                curved.append(weight * (np.diag(shares[:-1]) - np.outer(shares[:-1], shares[:-1])))
    moved = np.concatenate([np.zeros((len(flat), 0)), *columns], axis=1)
    second = -moved.T @ slopes @ moved
    first = 0
    for block in curved:
        part = slice(first, first := first + len(block))
        second[part, part] += block
    height = integrate_gaussian(loglik + log_prior, second) + compute_log_relabellings(priors.pmap.model)
    check_summit(np.concatenate([np.zeros(0), *slope]), second)
    return height


def check_summit(slope: Numbers, curvature: Numbers) -> None:
    """Raise where a step of Newton's method would gain more than rounding and the end of a climb leave; no unit matters to it."""
    gain = float(slope @ np.linalg.solve(curvature, slope)) / 2 if len(slope) else 0.0
    if not gain <= MOST_GAIN:
        raise NoSummitError(
            f"the gradient at these parameters is not 0 (a step of Newton's method would gain {gain:.3g} in the log posterior): "
            "they are no maximum of the posterior"
        )


def integrate_gaussian(height: float, curvature: Numbers) -> float:
    """The logarithm of the integral of a Gaussian bump: its height, its dimension, its curvature."""
    try:
        diagonal = np.diag(np.linalg.cholesky(curvature))
    except np.linalg.LinAlgError:
        raise NoSummitError(
            "the Hessian at these parameters is not negative definite: they are no maximum of the posterior, or it is flat there"
        ) from None
    return height + len(curvature) / 2 * log(2 * pi) - float(np.log(diagonal).sum())


def check_inside(priors: Priors, tables: Tables) -> None:
    """Raise if an entry that is not fixed is 0."""
    for table in priors.tables:
        values = table.of_leaves(tables[table.number])
        if (values[table.free] <= 0).any():
            raise InputError(
                f"the table {priors.pmap.owners[table.number]} has an entry 0; Laplace's approximation needs a maximum inside"
            )


def compute_log_relabellings(model: Network) -> float:
    """The logarithm of how many ways there are to relabel hidden states without changing the form of the model.

    >>> from algdim.models.notation import parse
    >>> round(compute_log_relabellings(parse("3:2,2,2")), 6) == round(log(6), 6)
    True
    """
    return sum(lgamma(variable.states + 1) for variable in iterate_relabelled_variables(model))


def iterate_relabelled_variables(model: Network) -> Iterator[Variable]:
    """The hidden variables whose own table and children's are free and their own."""
    for variable in model.hidden:
        family = [variable, *(child for child in model.variables if variable.name in child.parents)]
        if all(one.local == FREE for one in family):
            yield variable
