"""For which states a Verma-type equation is stated: those for which no denominator in it is identically zero.

At parameters that are all positive but for the entries that are fixed to zero, a sum of cells is positive exactly if a cell in it is
possible. So it is decided by signs alone where a formula is defined at all these parameters, and there the lemma
"kernels" holds. Elsewhere it may be false: P(D | A, B, C) says nothing where P(A, B, C) = 0 whatever the parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from algdim.errors import AlgdimError, join_names
from algdim.families.discrete.bounds.search import find_support, has_zeros
from algdim.families.discrete.equations.kernels import Signs, Verma
from algdim.families.discrete.functionals import select_marginal_cells
from algdim.families.discrete.map import ParamMap
from algdim.models.graphs import find_ancestors, iterate_positions
from algdim.trust import Trust, proved_by

MOST_CELLS = 1 << 16
"""Of the variables in a formula; of larger ones it is not known which are possible."""
MOST_AXES = 30
MOST_STATES = 4
"""States that are named in a sentence; the JSON has all."""


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


@dataclass(frozen=True, slots=True)
class Stated:
    """A Verma-type equation, and the states for which it holds."""

    equation: Verma
    where: Where
    trust: Trust


@dataclass(frozen=True, slots=True)
class AllStated:
    """The equations of a list that hold for some states, and how many there are of others."""

    equations: tuple[Stated, ...]
    nowhere: int = 0
    """Equations in which a denominator is identically zero for all states."""
    unknown: int = 0
    """Equations of which it is not known where they are defined."""


def collect_stated_equations(pmap: ParamMap, equations: Sequence[Verma]) -> AllStated:
    """The equations of the graph with the states for which the table may be put into them."""
    if not has_zeros(pmap):
        return AllStated(tuple(make_stated_equation(one, ALWAYS) for one in equations))
    places = [(one, find_defined_states(pmap, one)) for one in equations]
    return AllStated(
        tuple(make_stated_equation(one, where) for one, where in places if where is not None and not where.nowhere),
        sum(where is not None and where.nowhere for _, where in places),
        sum(where is None for _, where in places),
    )


def make_stated_equation(equation: Verma, where: Where) -> Stated:
    """An equation of the graph, for states at which no denominator in it is identically zero."""
    names = equation.graph.names_of(equation.root)
    facts = f"Q[{','.join(names)}] of the latent projection; no denominator is identically zero"
    if where.variables:
        facts += f" for {format_states([equation.graph.names[place] for place in where.variables], where.states)}"
    return Stated(equation, where, proved_by("kernels", facts))


def format_states(names: Sequence[str], states: Sequence[Sequence[int]]) -> str:
    """Joint states by name, the first ones.

    >>> format_states(["C", "E1"], [(0, 1), (1, 1)])
    'C=0,E1=1 or C=1,E1=1'
    """
    return join_names([format_state(names, state) for state in states], most=MOST_STATES, separator=" or ")


def format_state(names: Sequence[str], state: Sequence[int]) -> str:
    """One joint state."""
    return ",".join(f"{name}={value}" for name, value in zip(names, state, strict=True))


def find_defined_states(pmap: ParamMap, equation: Verma) -> Where | None:
    """The states of the arguments for which the formula is defined at all states that are compared; ``None`` if not known."""
    axes = [pmap.observed[place] for place in iterate_positions(equation.variables)]
    inside = find_ancestors(equation.graph, equation.root)
    cells = 1
    for axis in axes:
        cells *= pmap.sizes[axis]
    if cells > MOST_CELLS or inside.bit_count() > MOST_AXES:
        return None
    try:
        possible = find_support(pmap, select_marginal_cells(pmap, axes))
    except AlgdimError:  # too much memory for the other variables of a large network
        return None
    members = list(iterate_positions(inside))
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
