"""For which states a Verma-type equation is stated: those for which no denominator in it is identically zero.

At parameters that are all positive but for the entries that are fixed to zero, a sum of cells is positive exactly if a cell in it is
possible. So it is decided by signs alone where a formula is defined at all these parameters, and there the lemma
"kernels" holds. Elsewhere it may be false: P(D | A, B, C) says nothing where P(A, B, C) = 0 whatever the parameters.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algdim.errors import AlgdimError
from algdim.explanation.kernels import Signs, Verma
from algdim.families.discrete.bounds.zeros import support
from algdim.families.discrete.map import ParamMap
from algdim.maps.functionals import marginal_cells
from algdim.models.mixedgraph import ancestors_of
from algdim.models.separation import positions

MOST_CELLS = 1 << 16
"""Of the variables in a formula; of larger ones it is not known which are possible."""
MOST_AXES = 30


@dataclass(frozen=True, slots=True)
class Where:
    """Variables by number, and those of their joint states for which an equation holds; nothing stands for always."""

    variables: tuple[int, ...] = ()
    states: tuple[tuple[int, ...], ...] = ((),)

    @property
    def nowhere(self) -> bool:
        """Whether it is stated for no state."""
        return not self.states


ALWAYS = Where()


def where_stated(pmap: ParamMap, equation: Verma) -> Where | None:
    """The states of the arguments for which the formula is defined at all states that are compared; ``None`` if not known."""
    axes = [pmap.observed[place] for place in positions(equation.variables)]
    inside = ancestors_of(equation.graph, equation.root)
    cells = 1
    for axis in axes:
        cells *= pmap.sizes[axis]
    if cells > MOST_CELLS or inside.bit_count() > MOST_AXES:
        return None
    try:
        possible = support(pmap, marginal_cells(pmap, axes))
    except AlgdimError:  # too much memory for the other variables of a large network
        return None
    members = list(positions(inside))
    shape = [pmap.shape[v] if equation.variables >> v & 1 else 1 for v in members]
    table = possible.reshape(shape)
    signs = equation.within(inside).value_at(Signs(table, np.ones_like(table)))
    spare = tuple(place for place, v in enumerate(members) if equation.independent_of >> v & 1)
    defined = signs.defined.all(axis=spare, keepdims=True)
    for axis in range(defined.ndim):
        if (defined == np.take(defined, [0], axis)).all():
            defined = np.take(defined, [0], axis)
    kept = [axis for axis in range(defined.ndim) if defined.shape[axis] > 1]
    states = np.argwhere(defined)[:, kept]
    return Where(tuple(members[axis] for axis in kept), tuple(tuple(int(x) for x in state) for state in states))
