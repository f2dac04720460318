"""The kernel of the Jacobian of sums: translations of parameters from one summand to another (lemma "shifts" in proofs/lemmas.md).

They are all of it, of mixtures too, so that no elimination over polynomials is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm

import numpy as np

from algdim.exact.flint import reduce_rows_by_flint
from algdim.families.additive.map import AdditiveMap, MechanismRows
from algdim.figures import format_count
from algdim.trust import Trust, proved_by

MOST_ENTRIES = 1 << 18
"""Of the design matrix of one effect."""

Shift = Mapping[int, int]
"""By how much parameters change, by number."""


def find_shifts(pmap: AdditiveMap) -> tuple[tuple[Shift, ...], Trust] | None:
    """A basis of the translations, each with a parameter that no other one moves, and why the kernel has no more; nothing of what is ordered."""
    if pmap.model.is_order_statistic:
        return None
    found: list[Shift] = []
    for effect in range(len(pmap.model.effects)):
        rows = [row for row in pmap.rows if row.effect == effect]
        if pmap.configurations * sum(row.count for row in rows) > MOST_ENTRIES:
            return None
        functions = find_functions_of_sum_zero(rows, pmap.sizes)
        found += [shift for values in functions for shift in move_components(rows, values)]
    if len(found) != pmap.redundant_shifts:
        raise RuntimeError(
            f"{len(found)} shifts were found, and there are {pmap.redundant_shifts}: a bug in algdim, please report the model"
        )
    facts = f"the kernel of the Jacobian has {format_count(len(found), 'dimension')}: constant vectors that shift numbers between summands"
    return tuple(found), proved_by("shifts", facts)


def find_functions_of_sum_zero(rows: Sequence[MechanismRows], sizes: Sequence[int]) -> Iterator[list[int]]:
    """A basis of the functions of the causes of single mechanisms, one behind the other, whose sum is zero."""
    states = np.indices(sizes).reshape(len(sizes), -1)
    designs = []
    for row in rows:
        places = np.zeros(states.shape[1], dtype=np.intp)
        for axis in row.axes:
            places = places * sizes[axis] + states[axis]
        designs.append(np.eye(row.count, dtype=np.int64)[places])
    design = np.hstack(designs)
    reduced = reduce_rows_by_flint(np.unique(design, axis=0).tolist())
    known = [column for _, column in reduced.pivots]
    for free in sorted({*range(design.shape[1])} - {*known}):
        values = [Fraction(0)] * design.shape[1]
        values[free] = Fraction(1)
        for line, column in reduced.pivots:
            values[column] = -reduced.matrix[line][free]
        first = next(filter(None, values))
        # the first of them grows
        scale = lcm(*(value.denominator for value in values)) * (1 if first > 0 else -1)
        yield [int(value * scale) for value in values]


def move_components(rows: Sequence[MechanismRows], values: Sequence[int]) -> Iterator[Shift]:
    """The same for the numbers of all components, for each letter by itself."""
    for letter in range(rows[0].components.shape[2]):
        places = [cell for row in rows for cell in row.components[:, :, letter].tolist()]
        yield {number: value for value, cell in zip(values, places, strict=True) if value for number in cell}
