"""The parts into which a likelihood falls where every case shows what they have in common.

Given the shown variables log p of a case is a sum over parts: tables are in one part if a variable that is hidden, or missing
in some case, is in both. A part is contracted for its own patterns, which are few; a part whose variables are all shown is
one table, of which the cases count the entries once for all.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from algdim.families.discrete.building import Factor
from algdim.families.discrete.map import ParamMap
from algdim.fitting.samples import MISSING, Sample, compressed

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """An array of which every case shows an entry: those that occur, and how often."""

    array: int
    entries: NDArray[np.intp]
    counts: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """The arrays whose counts do not depend on parameters."""

    arrays: tuple[Counted, ...]

    def loglik(self, tables: list[Numbers]) -> Numbers:
        """What they add to the log-likelihood at every restart."""
        total = np.zeros(len(tables[0]))
        with np.errstate(divide="ignore"):
            for one in self.arrays:
                total += np.log(tables[one.array].reshape(len(total), -1)[:, one.entries]) @ one.counts
        return total

    def add_to(self, totals: list[Numbers], tables: list[Numbers]) -> None:
        """Add their counts to expected ones, but for entries that are 0: what cannot occur has none."""
        for one in self.arrays:
            flat = totals[one.array].reshape(len(totals[one.array]), -1)  # a view: they are contiguous
            possible = tables[one.array].reshape(flat.shape)[:, one.entries] > 0
            flat[:, one.entries] += possible * one.counts


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """What is counted once for all, and the parts that are contracted: some factors with the cases of their variables."""

    shown: Shown
    contracted: tuple[tuple[ParamMap, Sample], ...]


def parts_of(pmap: ParamMap, sample: Sample) -> Parts | None:
    """The parts of a likelihood; nothing if there is one only."""
    columns = {axis: column for column, axis in enumerate(pmap.observed)}
    complete = {axis for axis, column in columns.items() if (sample.patterns[:, column] != MISSING).all()}
    groups = with_cases(joined(pmap.factors, complete), columns.keys())
    if len(groups) < 2:
        return None
    shown, contracted = [], []
    for group in groups:
        axes = {axis for factor in group for axis in factor.axes}
        if axes <= complete and len(group) == 1:
            (factor,) = group
            shape = tuple(pmap.sizes[axis] for axis in factor.axes)
            cells = tuple(sample.patterns[:, columns[axis]] for axis in factor.axes)
            found = np.bincount(np.ravel_multi_index(cells, shape), sample.counts).astype(np.float64)
            entries = np.flatnonzero(found)
            shown.append(Counted(factor.array, entries, found[entries]))
            continue
        own = tuple(axis for axis in pmap.observed if axis in axes)
        part = replace(pmap, factors=group, observed=own, given=tuple(axis for axis in pmap.given if axis in axes))
        contracted.append((part, cases_of(sample, [columns[axis] for axis in own])))
    return Parts(Shown(tuple(shown)), tuple(contracted))


def joined(factors: Sequence[Factor], complete: set[int]) -> list[tuple[Factor, ...]]:
    """The factors in groups that have no axis in common but complete ones."""
    groups: list[tuple[set[int], list[Factor]]] = []
    for factor in factors:
        axes, members = set(factor.axes) - complete, [factor]
        apart = []
        for other, found in groups:
            if axes & other:
                axes |= other
                members = [*found, *members]
            else:
                apart.append((other, found))
        groups = [*apart, (axes, members)]
    return [tuple(members) for _, members in groups]


def with_cases(groups: list[tuple[Factor, ...]], observed: Collection[int]) -> list[tuple[Factor, ...]]:
    """The same, those that no case says anything of joined to one that has cases."""
    some = [group for group in groups if any(axis in observed for factor in group for axis in factor.axes)]
    silent = [factor for group in groups if group not in some for factor in group]
    return [(*silent, *some[0]), *some[1:]] if some and silent else some or groups


def cases_of(sample: Sample, columns: Sequence[int]) -> Sample:
    """The cases as some columns show them."""
    patterns, counts = compressed(sample.patterns[:, columns], sample.counts)
    names = tuple(sample.names[column] for column in columns)
    return Sample(names, tuple(sample.states[column] for column in columns), patterns, counts)
