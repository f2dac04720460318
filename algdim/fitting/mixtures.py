"""Likelihood and expected counts of latent class models with many items, as products of matrices.

Log p(x, class) is linear in the logarithms of the entries that the case shows. So all patterns take one matrix product, and
their expected counts another one, where the contraction multiplies patterns item by item.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from algdim.families.discrete.bounds.pairwise import latent_class
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.map import ParamMap
from algdim.fitting.samples import MISSING, Sample

Numbers = NDArray[np.float64]

FEWEST_ITEMS = 8
"""Below it the contraction of all restarts at once is as fast."""
MOST_NUMBERS = 1 << 20
"""Of chances of classes at once, if it is more than one restart's."""


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
        if not is_positive(tables):
            return None
        restarts, classes = len(tables[0]), tables[self.root][0].size
        logliks, totals = np.empty(restarts), [np.empty_like(table) for table in tables]
        block = max(1, MOST_NUMBERS // (len(self.counts) * classes))
        for start in range(0, restarts, block):
            some = slice(start, start + block)
            rows = self.rows([table[some] for table in tables])
            joint, logs = self.posteriors(rows, tables[self.root][some])
            logliks[some] = logs @ self.counts
            joint *= self.counts[:, None]
            totals[self.root][some] = joint.sum(axis=1).reshape(totals[self.root][some].shape)
            turned = joint.transpose(0, 2, 1)
            found = turned @ self.shown
            if len(self.absent):
                found += (turned @ self.absent) * rows  # a missing entry is completed in proportion to its row
            for item, piece in zip(self.items, np.split(found, self.ends(tables), axis=2), strict=True):
                totals[item][some] = piece.reshape(totals[item][some].shape)
        return logliks, totals

    def by_pattern(self, tables: list[Numbers], patterns: slice) -> list[Numbers] | None:
        """Restart × entry × pattern of each table: the expected count in one case; nothing if an entry is 0."""
        if not is_positive(tables):
            return None
        part = replace(
            self,
            shown=self.shown[patterns],
            absent=self.absent[patterns] if len(self.absent) else self.absent,
            counts=self.counts[patterns],
        )
        rows = part.rows(tables)
        joint, _ = part.posteriors(rows, tables[self.root])
        turned = joint.transpose(0, 2, 1)
        found = turned[:, :, None, :] * part.shown.T
        if len(part.absent):
            found += turned[:, :, None, :] * part.absent.T * rows[:, :, :, None]
        totals = list(tables)
        totals[self.root] = turned
        for item, piece in zip(self.items, np.split(found, self.ends(tables), axis=2), strict=True):
            totals[item] = piece.reshape(len(piece), -1, piece.shape[3])
        return totals

    def rows(self, tables: list[Numbers]) -> Numbers:
        """Restart × class × (item, state): the tables of all items side by side."""
        restarts, classes = len(tables[self.root]), tables[self.root][0].size
        return np.concatenate([tables[item].reshape(restarts, classes, -1) for item in self.items], axis=2)

    def ends(self, tables: list[Numbers]) -> Numbers:
        """Where one item's columns end and the next one's begin."""
        classes = tables[self.root][0].size
        return np.cumsum([tables[item][0].size // classes for item in self.items])[:-1]

    def posteriors(self, rows: Numbers, root: Numbers) -> tuple[Numbers, Numbers]:
        """Restart × pattern × class: the chance of each class; and log p of every pattern at every restart."""
        joint = self.shown @ np.log(rows).transpose(0, 2, 1)
        joint += np.log(root.reshape(len(root), 1, -1))
        most = joint.max(axis=2, keepdims=True)
        np.exp(joint - most, out=joint)
        sums = joint.sum(axis=2, keepdims=True)
        joint /= sums
        return joint, (np.log(sums) + most)[:, :, 0]


def is_positive(tables: list[Numbers]) -> bool:
    """Whether every entry has a logarithm."""
    return all((table > 0).all() for table in tables)


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
