"""All cells of the observed table at once, for models in which they are not too many."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from algdim.errors import InputError, LimitError
from algdim.families.discrete.map import ParamMap, param_map
from algdim.figures import big
from algdim.fitting.likelihood import Numbers, Tables, evaluator
from algdim.fitting.record import Fit, arrays_of
from algdim.fitting.samples import Sample

MOST_CELLS = 1 << 16


def probabilities(pmap: ParamMap, tables: Tables) -> Sample:
    """All cells as patterns, the first variable slowest, their probabilities as counts; with conditions, under each."""
    if pmap.cells > MOST_CELLS:
        raise LimitError(
            f"the observed table has {big(pmap.cells)} cells; up to {big(MOST_CELLS)} are gone through one by one"
        )
    patterns = np.indices(pmap.shape).reshape(len(pmap.shape), pmap.cells).T
    names = tuple(variable.name for variable in pmap.model.observed)
    states = tuple(tuple(map(str, range(size))) for size in pmap.shape)
    every = Sample(names, states, patterns, np.ones(pmap.cells))
    return replace(every, counts=np.exp(evaluator(pmap, every, 1).log_values(tables)[0]))


def divergence(first: Fit, second: Fit | Numbers) -> float:
    """The Kullback-Leibler divergence Σ p log(p / q) of a fit from another one, or from a table of probabilities.

    Both are distributions of the same observed variables in the same order. It is infinite where q is 0 and p is not.
    """
    p = distribution(first)
    q = distribution(second) if isinstance(second, Fit) else np.asarray(second, dtype=np.float64)
    if p.shape != q.shape:
        raise InputError(f"the distributions have the shapes {p.shape} and {q.shape}; equal ones are expected")
    if not isinstance(second, Fit) and not ((q >= 0).all() and abs(q.sum() - 1) < 1e-9):
        raise InputError("the table is no distribution; entries from 0 on that add up to 1 are expected")
    with np.errstate(divide="ignore"):
        ratios = np.log(p[p > 0]) - np.log(q[p > 0])
    return float((p[p > 0] * ratios).sum())


def distribution(of: Fit) -> Numbers:
    """The distribution of a fit, an axis for each observed variable."""
    if of.model.given:
        raise InputError("a model with conditions has no distribution of its own")
    pmap = param_map(of.model)
    return probabilities(pmap, arrays_of(pmap, of.parameters)).counts.reshape(pmap.shape)
