"""Where a discrete model misses the data: the pairs of items that it does not explain."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.model import Network
from algdim.fitting.likelihood import make_likelihood_evaluator
from algdim.fitting.record import Fit, convert_to_arrays
from algdim.fitting.residuals import Residual
from algdim.fitting.samples import MISSING, Sample

Numbers = NDArray[np.float64]


def compare_pairs(model: Network, found: Fit) -> list[Residual]:
    """The residuals of all pairs of observed variables on which nothing is conditioned."""
    sample = found.sample
    place = {name: number for number, name in enumerate(sample.names)}
    called = dict(zip(sample.names, sample.titles, strict=False))
    residuals = []
    for one, other in combinations([one for one in model.observed if one.name not in model.given], 2):
        names = [*model.given, one.name, other.name]
        codes = sample.patterns[:, [place[name] for name in names]]
        kept = (codes != MISSING).all(axis=1)
        counts = np.zeros((one.states, other.states))
        np.add.at(counts, (codes[kept, -2], codes[kept, -1]), sample.counts[kept])
        expected = expect_pair(model, found, names, codes[kept], sample.counts[kept])
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = np.where(expected > 0, (counts - expected) ** 2 / expected, np.where(counts > 0, np.inf, 0.0))
        value = float(terms.sum()) / ((one.states - 1) * (other.states - 1))
        residuals.append(Residual(called.get(one.name, one.name), called.get(other.name, other.name), value))
    return residuals


def expect_pair(model: Network, found: Fit, names: list[str], codes: NDArray[np.int64], counts: Numbers) -> Numbers:
    """The counts that the model expects of two variables, the last of the names, given the others."""
    shown = replace(model, variables=tuple(replace(one, observed=one.name in names) for one in model.variables))
    states = [shown.states[name] for name in names]
    given, rows = np.unique(codes[:, :-2], axis=0, return_inverse=True)
    cells = np.indices(states[-2:]).reshape(2, -1).T
    listed = np.concatenate([np.repeat(given, len(cells), axis=0), np.tile(cells, (len(given), 1))], axis=1)
    order = [one.name for one in shown.observed]
    patterns = listed[:, [names.index(name) for name in order]]
    whole = Sample(
        tuple(order), tuple((None,) * shown.states[name] for name in order), patterns, np.ones(len(patterns))
    )
    pmap = get_param_map(shown)
    logs = make_likelihood_evaluator(pmap, whole, 1).log_values(convert_to_arrays(pmap, found.parameters))[0]
    chances = np.exp(logs).reshape(len(given), *states[-2:])
    weights = np.bincount(rows.ravel(), weights=counts, minlength=len(given))
    return np.asarray(np.einsum("g,gij->ij", weights, chances))
