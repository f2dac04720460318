"""Coordinates in which nothing is bound: every entry is a constant times shares, and the shares of a group sum to 1.

A free row is a group. Of tied entries (`algdim.fitting.maximization`) the classes of an equation are a group, and so are
the free entries of a row, which part their block. Classes that stand in several equations have no such coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from algdim.fitting.likelihood import Numbers, Tables
from algdim.fitting.maximization import Index, Maximizer, tables_of
from algdim.maps.factors import ParamMap

TINY = 1e-200
"""Instead of a share of 0, whose logarithm would be infinite."""


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """The coordinates of one map; entries are numbered through all arrays."""

    constant: Numbers
    uses: Numbers
    """Entry × share: whether the share is a factor of the entry."""
    reads: Numbers
    """Entry × share: the share, but for a constant of its group, as a sum of entries."""
    group: Index

    @property
    def together(self) -> Numbers:
        """Share × share: whether they are of one group."""
        return np.asarray(self.group[:, None] == self.group[None, :], dtype=np.float64)

    def of(self, tables: Tables) -> Numbers:
        """The shares at the tables of every restart."""
        raw = flattened(tables) @ self.reads
        totals = raw @ self.together
        lengths = self.together.sum(axis=0)
        return np.where(totals > 0, raw / np.where(totals > 0, totals, 1.0), 1.0 / lengths)

    def tables(self, shares: Numbers, like: Tables) -> Tables:
        """The tables at given shares."""
        flat = self.constant * np.exp(np.log(np.maximum(shares, TINY)) @ self.uses.T)
        ends = np.cumsum([table[0].size for table in like])[:-1]
        pieces = np.split(flat, ends, axis=1)
        return [piece.reshape(len(flat), *table.shape[1:]) for piece, table in zip(pieces, like, strict=True)]


def flattened(tables: Tables) -> Numbers:
    """All entries of every restart in a row."""
    return np.concatenate([table.reshape(len(table), -1) for table in tables], axis=1)


def shares_of(pmap: ParamMap, rise: Maximizer, even: Tables, most: int) -> Shares | None:
    """The coordinates of a map; nothing where there are none, or more than ``most``."""
    ties = rise.ties
    if ties is not None and ties.components:
        return None
    offsets = np.cumsum([0, *(prod(entries.shape) for entries in pmap.arrays)])
    constant = np.concatenate([table.ravel() for table in even])
    factors: list[tuple[int, int]] = []
    read: list[tuple[int, int]] = []
    group: list[int] = []
    groups = 0
    for number in rise.plain:
        states = tables_of(pmap)[number].states
        entries = range(int(offsets[number]), int(offsets[number + 1])) if states > 1 else range(0)
        if len(group) + len(entries) > most:
            return None
        for place, entry in enumerate(entries):
            constant[entry] = 1.0
            factors.append((entry, len(group)))
            read.append((entry, len(group)))
            group.append(groups + place // states)
        groups += len(entries) // states
    if ties is not None:
        where = np.concatenate([np.arange(offsets[number], offsets[number + 1]) for number in ties.tables])
        if len(group) + len(where) > most:
            return None
        sizes = np.bincount(ties.equation, minlength=len(ties.rest))
        of_class: dict[int, int] = {}
        for kind, equation in enumerate(ties.equation):
            if sizes[equation] > 1:
                of_class[kind] = len(group)
                group.append(groups + int(equation))
        groups += len(ties.rest)
        seen: dict[int, int] = {}
        for place, entry in enumerate(where.tolist()):
            kind, row = int(ties.kind[place]), int(ties.row[place])
            if kind < 0:
                constant[entry] = ties.fixed[place]
                continue
            constant[entry] = ties.rest[ties.equation[kind]] / ties.times[kind]
            here = row if row >= 0 else -1 - place
            if kind in of_class:
                factors.append((entry, of_class[kind]))
                if seen.setdefault(kind, here) == here:  # one row or one entry shows what the class has
                    read.extend([(entry, of_class[kind])] * int(ties.times[kind]))
            if row >= 0:
                factors.append((entry, len(group)))
                read.append((entry, len(group)))
                group.append(groups + row)
    uses, reads = np.zeros((len(constant), len(group))), np.zeros((len(constant), len(group)))
    np.add.at(uses, tuple(np.array(factors, dtype=np.intp).reshape(-1, 2).T), 1.0)
    np.add.at(reads, tuple(np.array(read, dtype=np.intp).reshape(-1, 2).T), 1.0)
    return Shares(constant, uses, reads, np.array(group, dtype=np.intp))
