"""Which parameters are those of a distribution of a discrete network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import rationals
from algdim.families.contract import Domain
from algdim.families.discrete.locals.entries import Affine
from algdim.families.discrete.locals.sigmoid import SigmoidEntries
from algdim.families.discrete.map import ParamMap
from algdim.maps import is_positive
from algdim.rank import objects

Numbers = NDArray[np.intp]


def is_inside(pmap: ParamMap, point: Sequence[Fraction], strictly: bool, margin: Fraction) -> bool:
    """Whether no entry of a table is negative, ``strictly`` none that is free is at the end of its range."""
    return all(is_positive(value, is_free and strictly, margin) for value, is_free in table_entries(pmap, point))


def not_negative(pmap: ParamMap) -> frozenset[int]:
    """The parameters that a parameter file has as entries of tables."""
    return pmap.readable


def table_entries(pmap: ParamMap, point: Sequence[Fraction]) -> Iterator[tuple[Fraction, bool]]:
    """The entries of all tables, and whether they depend on parameters."""
    elements = rationals().elements(objects(list(point)))
    for entries in pmap.arrays:
        moving = set() if entries.is_constant else set(entries.derivative(rationals(), elements).entry.tolist())
        for number, value in enumerate(entries.values(rationals(), elements).flat):
            yield value, number in moving


def alike(pmap: ParamMap) -> Iterator[Numbers]:
    """The parameters that are the same in all rows of a table if its conditions make no difference."""
    for _, entries in pmap.keyed():
        if isinstance(entries, Affine):
            for state in range(entries.shape[-1]):
                in_column = [n for n, entry in entries.entry_of.items() if entry % entries.shape[-1] == state]
                yield np.array(in_column, dtype=np.intp)


def neutral(pmap: ParamMap) -> Iterator[int]:
    """The weights of sigmoid variables that are e^0 if their parents make no difference."""
    for _, entries in pmap.keyed():
        if isinstance(entries, SigmoidEntries):
            yield from range(entries.first + 1, entries.first + 1 + len(entries.rows))


DOMAIN = Domain(
    is_inside,
    not_negative,
    alike=alike,
    neutral=neutral,
    states=lambda model: [v.states for v in model.variables],
    keeps_signs=False,
)
