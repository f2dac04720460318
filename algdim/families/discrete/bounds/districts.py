"""The dimension by districts (lemma "districts" in proofs/lemmas.md).

Kernels multiply to the observed distribution, so their dimensions add up to an upper bound. The sum is the dimension
itself under two conditions: districts have no parameter in common, and a kernel's entry is dropped if every observed
cell that contains it is the zero polynomial. Districts with a common parameter are joined first; which entries to drop
is found exactly, by asking which sums of products of positive entries have a term at all.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from algdim.families.contract import Part
from algdim.families.discrete.bounds.zeros import has_zeros, support
from algdim.families.discrete.districts import districts, kernel, overlapping
from algdim.families.discrete.map import ParamMap, param_map
from algdim.families.discrete.model import Network
from algdim.figures import counted
from algdim.maps.functionals import marginal_cells

MOST_CELLS = 1 << 16
"""Kernels with more cells are not searched for entries that vanish; the model is then taken as a whole."""


def split(model: Network, whole: ParamMap, ties: Network) -> tuple[Part, ...]:
    """The parts whose dimensions add up to the model's: one per district, or per group of districts that share."""
    found = districts(model)
    if len(found) == 1:
        return (Part(whole),)
    maps = [param_map(kernel(model, members), ties) for members in found]
    groups = overlapping([pmap.parameters for pmap in maps])
    joined = [len(group) > 1 for group in groups]
    maps = [
        maps[group[0]] if len(group) == 1 else param_map(kernel(model, chain(*(found[i] for i in group))), ties)
        for group in groups
    ]
    if len(maps) == 1:
        return (Part(whole),)
    notes = ["districts that share parameters" if is_joined else "" for is_joined in joined]
    if not has_zeros(whole):
        return tuple(Part(pmap, note) for pmap, note in zip(maps, notes, strict=True))
    if any(pmap.cells > MOST_CELLS for pmap in maps):
        return (Part(whole, "not split: some entries are zero and a kernel is too large to search"),)
    kept = [extending(pmap, whole) for pmap in maps]
    if any(
        is_joined and not nothing_lost(pmap, cells) for pmap, cells, is_joined in zip(maps, kept, joined, strict=True)
    ):
        return (Part(whole, "not split: districts share parameters and entries of their kernels vanish"),)
    return tuple(restricted(pmap, cells, note) for pmap, cells, note in zip(maps, kept, notes, strict=True))


def extending(pmap: ParamMap, whole: ParamMap) -> NDArray[np.intp]:
    """The cells of a kernel that extend to an observed cell of the whole model which is not identically zero."""
    axis = {variable.name: number for number, variable in enumerate(whole.model.variables)}
    axes = [axis[variable.name] for variable in pmap.model.observed]
    return np.flatnonzero(support(whole, marginal_cells(whole, axes)))


def nothing_lost(pmap: ParamMap, cells: NDArray[np.intp]) -> bool:
    """Whether all cells of the kernel are kept."""
    return len(cells) == pmap.cells


def restricted(pmap: ParamMap, cells: NDArray[np.intp], note: str) -> Part:
    """The kernel with the cells that extend."""
    if nothing_lost(pmap, cells):
        return Part(pmap, note)
    lost = pmap.cells - len(cells)
    return Part(
        replace(pmap, kept=cells), f"left out: {counted(lost, 'entry')} of the kernel, zero or in no observed cell"
    )
