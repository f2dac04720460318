"""The curvature of the log-likelihood: second derivatives by the entries of the tables, all states of a row among them.

A pattern's probability is linear in every factor. So with one factor replaced by a unit array its gradient by the other
factors is a column of second derivatives, exactly: as many contractions as there are entries, and no differences are taken.

For a latent class model's posterior, in free coordinates, no contraction is needed. With rᵤ the probability of class u given a
case and f the factor that an item's state adds to it, all first and second derivatives of log p are products of them; second ones
of the same row vanish, p being linear in it. That is one matrix product of the scores and one small one for each class.
"""

from __future__ import annotations

from math import prod

import numpy as np

from algdim.errors import LimitError
from algdim.exact.arithmetic import Floats
from algdim.families.discrete.bounds.pairwise import find_latent_class
from algdim.families.discrete.contraction import compute_gradients, evaluate
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.map import ParamMap
from algdim.families.discrete.model import Network
from algdim.figures import format_integer
from algdim.fitting.likelihood import LikelihoodEvaluator, Numbers, Tables, make_likelihood_evaluator
from algdim.fitting.samples import MISSING, Sample
from algdim.memory import ALLOW_MORE, check_memory
from algdim.scores.dirichlet import Priors

MOST_ENTRIES = 3000
"""Of all tables: their Hessian is a dense matrix."""
COPIES = 9
"""Of it that exist at once: parts of the sum, in other coordinates, and what a decomposition takes."""


def check_curvature_memory(entries: int, patterns: int) -> None:
    """Refuse a dense matrix of second derivatives before it is allocated."""
    check_memory(
        (COPIES * entries + 3 * patterns) * entries * 8,
        None,
        f"the Hessian has {format_integer(entries)} rows and columns",
        ALLOW_MORE,
    )


def compute_hessian(pmap: ParamMap, sample: Sample, tables: Tables) -> Numbers:
    """The Hessian of the log-likelihood at one point; the entries of all arrays are numbered in a row."""
    starts = np.cumsum([0, *(prod(entries.shape) for entries in pmap.arrays)])
    if starts[-1] > MOST_ENTRIES:
        raise LimitError(
            f"the tables have {format_integer(int(starts[-1]))} entries; second derivatives are taken of up to {format_integer(MOST_ENTRIES)}"
        )
    check_curvature_memory(int(starts[-1]), 0)  # the patterns come in chunks
    live = [number for number, factor in enumerate(pmap.factors) if not pmap.arrays[factor.array].is_constant]
    most = max((prod(pmap.arrays[pmap.factors[number].array].shape) for number in live), default=1)
    at = make_likelihood_evaluator(pmap, sample, most)
    places = [slice(starts[factor.array], starts[factor.array + 1]) for factor in pmap.factors]
    total = -compute_outer_products(at, tables, int(starts[-1]))
    for number in live:
        for other, block in compute_second_derivatives(at, tables, number):
            total[places[number], places[other]] += block
    return total


def compute_outer_products(at: LikelihoodEvaluator, tables: Tables, entries: int) -> Numbers:
    """Σ N s sᵀ, s being the gradient of log p of a pattern."""
    one = at.select_restarts(1)
    factors = one.factors(tables)
    starts = np.cumsum([0, *(prod(array.shape) for array in at.pmap.arrays)])
    total = np.zeros((entries, entries))
    for chunk in at.chunks:
        values, tape = evaluate(one.plan, Floats(), factors, chunk.vectors)
        scores = np.zeros((entries, len(chunk.counts)))
        for factor, gradient in zip(at.pmap.factors, compute_gradients(one.plan, Floats(), tape), strict=True):
            if gradient is not None:
                scores[starts[factor.array] : starts[factor.array + 1]] += gradient.reshape(-1, len(chunk.counts))
        scores /= values.reshape(-1)
        total += (scores * chunk.counts) @ scores.T
    return total


def compute_second_derivatives(at: LikelihoodEvaluator, tables: Tables, number: int) -> list[tuple[int, Numbers]]:
    """Σ N/p · ∂²p by the entries of one factor (rows) and of each other one (columns)."""
    shape = at.pmap.arrays[at.pmap.factors[number].array].shape
    size = prod(shape)
    several, one = at.select_restarts(size), at.select_restarts(1)
    repeated = [np.broadcast_to(table, (size, *table.shape[1:])) for table in tables]
    operands = several.factors(repeated)
    operands[number] = np.eye(size).reshape(size, *shape)
    blocks: dict[int, Numbers] = {}
    for chunk in at.chunks:
        values, _ = evaluate(one.plan, Floats(), one.factors(tables), chunk.vectors)
        _, tape = evaluate(several.plan, Floats(), operands, chunk.vectors)
        weights = np.broadcast_to(chunk.counts / values.reshape(1, -1), tape[-1].shape)
        for other, gradient in enumerate(compute_gradients(several.plan, Floats(), tape, weights)):
            if gradient is not None and other != number:
                blocks[other] = blocks.get(other, 0.0) + gradient.reshape(size, -1)
    return list(blocks.items())


def compute_entry_directions(pmap: ParamMap) -> Numbers:
    """How the entries (rows) move with the map's parameters (columns): the tables are affine in them."""
    count = len(pmap.parameters)
    at_zero = evaluate_entries(pmap, np.zeros(count))
    return np.array([evaluate_entries(pmap, unit) - at_zero for unit in np.eye(count)]).reshape(count, len(at_zero)).T


def evaluate_entries(pmap: ParamMap, point: Numbers) -> Numbers:
    """All entries at a point, in a row."""
    return np.concatenate([np.asarray(entries.values(Floats(), point)).ravel() for entries in pmap.arrays])


def is_mixture(model: Network) -> bool:
    """Whether a model is a latent class model of free tables, its class variable first."""
    free = all(variable.local == FREE for variable in model.variables)
    return free and find_latent_class(model) is not None and not model.variables[0].observed


def compute_mixture_curvature(priors: Priors, sample: Sample, tables: Tables) -> Numbers:
    """Minus the Hessian of log p(D|θ) + log p(θ): the free entries of the class weights, then class by class of the items."""
    weights, rows = group_by_variable(priors.pmap, tables)
    classes, counts = len(weights), sample.counts
    check_curvature_memory(len(weights) + sum(row.size for row in rows), len(sample.patterns))
    with np.errstate(divide="ignore"):
        logs = np.log(weights) + sum(
            evaluate_log_factor(row, states) for row, states in zip(rows, sample.patterns.T, strict=True)
        )
    most = logs.max(axis=1, keepdims=True)
    shares = np.exp(logs - most)
    shares /= shares.sum(axis=1, keepdims=True)  # pattern × class: r
    by_weight = shares / weights
    slopes = [
        np.concatenate(
            [evaluate_log_slope(row[label], states) for row, states in zip(rows, sample.patterns.T, strict=True)],
            axis=1,
        )
        for label in range(classes)
    ]
    width, first = slopes[0].shape[1], classes - 1
    scores = np.concatenate(
        [by_weight[:, :-1] - by_weight[:, -1:], *(shares[:, [label]] * slopes[label] for label in range(classes))],
        axis=1,
    )
    result = (scores * counts[:, None]).T @ scores
    items = np.repeat(np.arange(len(rows)), [row.shape[1] - 1 for row in rows])
    apart = items[:, None] != items[None, :]
    for label in range(classes):
        part = slice(first + label * width, first + (label + 1) * width)
        result[part, part] -= apart * ((slopes[label] * (counts * shares[:, label])[:, None]).T @ slopes[label])
        mixed = slopes[label].T @ (counts * by_weight[:, label])
        which, sign = (label, 1.0) if label < classes - 1 else (slice(0, first), -1.0)
        result[which, part] -= sign * mixed
        result[part, which] -= sign * (mixed if label < classes - 1 else mixed[:, None])
    place = 0
    for values, alpha in order_prior_rows(priors, weights, rows):
        free = slice(place, place := place + len(values) - 1)
        result[free, free] += np.diag((alpha[:-1] - 1) / values[:-1] ** 2) + (alpha[-1] - 1) / values[-1] ** 2
    return np.asarray(result)


def compute_mixture_gradient(priors: Priors, tables: Tables, expected: Tables) -> Numbers:
    """The gradient of log p(D|θ) + log p(θ) in the same coordinates, from the expected counts there."""
    values = order_prior_rows(priors, *group_by_variable(priors.pmap, tables))
    counts = order_prior_rows(priors, *group_by_variable(priors.pmap, expected))
    slopes = [(n + alpha - 1) / row for (row, alpha), (n, _) in zip(values, counts, strict=True)]
    return np.concatenate([slope[:-1] - slope[-1] for slope in slopes])


def group_by_variable(pmap: ParamMap, tables: Tables) -> tuple[Numbers, list[Numbers]]:
    """The weights of the classes, and for each item class × state."""
    found = dict(zip(pmap.owners, tables, strict=True))
    weights, *rows = (found[variable.name][0] for variable in pmap.model.variables)
    return weights.reshape(-1), [row.reshape(weights.size, -1) for row in rows]


def evaluate_log_factor(row: Numbers, states: Numbers) -> Numbers:
    """Pattern × class: the logarithm of what an item's state adds, nothing if it is missing."""
    return np.where(states[:, None] == MISSING, 0.0, np.log(row).T[states])


def evaluate_log_slope(row: Numbers, states: Numbers) -> Numbers:
    """Pattern × free state: the derivative of the logarithm of an item's factor by the entries of one row."""
    last = len(row) - 1
    inside = np.equal.outer(states, np.arange(last)) / row[:-1]
    return np.asarray(inside - (states == last)[:, None] / row[-1])


def order_prior_rows(priors: Priors, weights: Numbers, rows: list[Numbers]) -> list[tuple[Numbers, Numbers]]:
    """The rows in the order of the coordinates, with the exponents of their priors."""
    found = {priors.pmap.owners[table.number]: table.alpha for table in priors.tables}
    names = [variable.name for variable in priors.pmap.model.variables]
    pairs = [(weights, found[names[0]].reshape(-1))]
    for label in range(len(weights)):
        pairs += [(row[label], found[name][label]) for name, row in zip(names[1:], rows, strict=True)]
    return pairs
