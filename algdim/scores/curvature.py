"""Second derivatives of the log-likelihood by the entries of the tables, all states of a row among them.

A pattern's probability is linear in every factor. So with one factor replaced by a unit array its gradient by the other
factors is a column of second derivatives, exactly: as many contractions as there are entries, and no differences are taken.
"""

from __future__ import annotations

from math import prod

import numpy as np

from algdim.errors import LimitError
from algdim.exact.arithmetic import Floats
from algdim.families.discrete.contraction import evaluate, gradients
from algdim.families.discrete.map import ParamMap
from algdim.figures import big
from algdim.fitting.likelihood import Evaluator, Numbers, Tables, evaluator
from algdim.fitting.samples import Sample

MOST_ENTRIES = 3000
"""Of all tables: their Hessian is a dense matrix."""


def hessian(pmap: ParamMap, sample: Sample, tables: Tables) -> Numbers:
    """The Hessian of the log-likelihood at one point; the entries of all arrays are numbered in a row."""
    starts = np.cumsum([0, *(prod(entries.shape) for entries in pmap.arrays)])
    if starts[-1] > MOST_ENTRIES:
        raise LimitError(
            f"the tables have {big(int(starts[-1]))} entries; second derivatives are taken of up to {big(MOST_ENTRIES)}"
        )
    live = [number for number, factor in enumerate(pmap.factors) if not pmap.arrays[factor.array].is_constant]
    most = max((prod(pmap.arrays[pmap.factors[number].array].shape) for number in live), default=1)
    at = evaluator(pmap, sample, most)
    places = [slice(starts[factor.array], starts[factor.array + 1]) for factor in pmap.factors]
    total = -outer_products(at, tables, int(starts[-1]))
    for number in live:
        for other, block in second_derivatives(at, tables, number):
            total[places[number], places[other]] += block
    return total


def outer_products(at: Evaluator, tables: Tables, entries: int) -> Numbers:
    """Σ N s sᵀ, s being the gradient of log p of a pattern."""
    one = at.narrowed(1)
    factors = one.factors(tables)
    starts = np.cumsum([0, *(prod(array.shape) for array in at.pmap.arrays)])
    total = np.zeros((entries, entries))
    for chunk in at.chunks:
        values, tape = evaluate(one.plan, Floats(), factors, chunk.vectors)
        scores = np.zeros((entries, len(chunk.counts)))
        for factor, gradient in zip(at.pmap.factors, gradients(one.plan, Floats(), tape), strict=True):
            if gradient is not None:
                scores[starts[factor.array] : starts[factor.array + 1]] += gradient.reshape(-1, len(chunk.counts))
        scores /= values.reshape(-1)
        total += (scores * chunk.counts) @ scores.T
    return total


def second_derivatives(at: Evaluator, tables: Tables, number: int) -> list[tuple[int, Numbers]]:
    """Σ N/p · ∂²p by the entries of one factor (rows) and of each other one (columns)."""
    shape = at.pmap.arrays[at.pmap.factors[number].array].shape
    size = prod(shape)
    several, one = at.narrowed(size), at.narrowed(1)
    repeated = [np.broadcast_to(table, (size, *table.shape[1:])) for table in tables]
    operands = several.factors(repeated)
    operands[number] = np.eye(size).reshape(size, *shape)
    blocks: dict[int, Numbers] = {}
    for chunk in at.chunks:
        values, _ = evaluate(one.plan, Floats(), one.factors(tables), chunk.vectors)
        _, tape = evaluate(several.plan, Floats(), operands, chunk.vectors)
        weights = np.broadcast_to(chunk.counts / values.reshape(1, -1), tape[-1].shape)
        for other, gradient in enumerate(gradients(several.plan, Floats(), tape, weights)):
            if gradient is not None and other != number:
                blocks[other] = blocks.get(other, 0.0) + gradient.reshape(size, -1)
    return list(blocks.items())


def directions(pmap: ParamMap) -> Numbers:
    """How the entries (rows) move with the map's parameters (columns): the tables are affine in them."""
    count = len(pmap.parameters)
    at_zero = values_at(pmap, np.zeros(count))
    return np.array([values_at(pmap, unit) - at_zero for unit in np.eye(count)]).reshape(count, len(at_zero)).T


def values_at(pmap: ParamMap, point: Numbers) -> Numbers:
    """All entries at a point, in a row."""
    return np.concatenate([np.asarray(entries.values(Floats(), point)).ravel() for entries in pmap.arrays])
