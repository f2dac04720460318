"""Likelihood and expected counts of latent class models with many items, as products of matrices.

Log p(x, class) is linear in the logarithms of the entries that the case shows. So all patterns take one matrix product, and
their expected counts another one, where the contraction multiplies patterns item by item.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from algdim.bound.pairwise import latent_class
from algdim.fitting.samples import MISSING, Sample
from algdim.maps.factors import ParamMap
from algdim.models.tables import FREE

Numbers = NDArray[np.float64]

FEWEST_ITEMS = 8
"""Below it the contraction of all restarts at once is as fast."""


@dataclass(frozen=True, slots=True, eq=False)
class Mixture:
    """A sample and the places of a latent class model's tables among the arrays of its map."""

    root: int
    items: tuple[int, ...]
    shown: Numbers
    """Pattern × (item, state): whether the pattern shows the state."""
    absent: Numbers
    """Pattern × (item, state): whether the item is missing; of no patterns if none is."""
    counts: Numbers

    def expected(self, tables: list[Numbers]) -> tuple[Numbers, list[Numbers]] | None:
        """The log-likelihood at every restart and the expected counts; nothing if an entry is 0, which has no logarithm."""
        if any((table <= 0).any() for table in tables):
            return None
        restarts, classes = len(tables[0]), tables[self.root][0].size
        logliks, totals = np.empty(restarts), [np.empty_like(table) for table in tables]
        ends = np.cumsum([tables[item][0].size // classes for item in self.items])[:-1]
        for number in range(restarts):
            rows = np.concatenate([tables[item][number].reshape(classes, -1) for item in self.items], axis=1)
            joint = self.shown @ np.log(rows).T
            joint += np.log(tables[self.root][number].reshape(-1))
            most = joint.max(axis=1, keepdims=True)
            np.exp(joint - most, out=joint)
            sums = joint.sum(axis=1)
            logliks[number] = (np.log(sums) + most[:, 0]) @ self.counts
            joint *= (self.counts / sums)[:, None]
            totals[self.root][number] = joint.sum(axis=0).reshape(totals[self.root][number].shape)
            found = joint.T @ self.shown
            if len(self.absent):
                found += (joint.T @ self.absent) * rows  # a missing entry is completed in proportion to its row
            pieces = np.split(found, ends, axis=1)
            for item, piece in zip(self.items, pieces, strict=True):
                totals[item][number] = piece.reshape(totals[item][number].shape)
        return logliks, totals


def mixture_of(pmap: ParamMap, sample: Sample) -> Mixture | None:
    """The sample made ready for a latent class model with free tables and many items; nothing for other models."""
    model = pmap.model
    if latent_class(model) is None or len(model.observed) < FEWEST_ITEMS:
        return None
    if any(variable.local != FREE for variable in model.variables):
        return None
    places = {owner: number for number, owner in enumerate(pmap.owners)}
    shown = [
        np.equal.outer(states, np.arange(variable.states))
        for variable, states in zip(model.observed, sample.patterns.T, strict=True)
    ]
    absent = [
        np.repeat((states == MISSING)[:, None], variable.states, axis=1)
        for variable, states in zip(model.observed, sample.patterns.T, strict=True)
    ]
    return Mixture(
        places[model.hidden[0].name],
        tuple(places[variable.name] for variable in model.observed),
        np.concatenate(shown, axis=1).astype(np.float64),
        np.concatenate(absent, axis=1).astype(np.float64) if sample.has_missing else np.empty((0, 0)),
        sample.counts,
    )
