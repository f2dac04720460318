"""The equations that the graph of a discrete network implies: independences, flattenings, Verma-type equations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from algdim.bound.bounds import Bound
from algdim.bound.equations import is_worth_it
from algdim.bound.flattenings import Flattening, Separators, candidates, flattenings
from algdim.bound.setting import Setting
from algdim.bound.zeros import possible_cells
from algdim.errors import InputError
from algdim.explanation.verma import Verma, verma_equations
from algdim.figures import big
from algdim.maps.factors import param_map
from algdim.models.network import Network

MOST_LISTED_CELLS = 1 << 20
"""Of the observed table; of larger ones independences and flattenings are left out."""


@dataclass(frozen=True, slots=True)
class DiscreteFound:
    """The equations of a network, and what independences and flattenings prove together at a point."""

    names: tuple[str, ...]
    complete: int
    flattenings: tuple[Flattening, ...]
    verma: tuple[Verma, ...]
    bound: Bound | None
    tried: bool
    """Whether the bound was looked for; if not, there are too many cells."""
    notes: tuple[str, ...] = ()
    """What was left out."""
    zeros: int = 0
    """Cells that are zero at all parameters: equations too, which the bound counts."""


def discrete_equations(model: Network, seed: int | str) -> DiscreteFound:
    """All independences and flattenings that no larger one contains, and the Verma-type equations."""
    if model.given:
        raise InputError("equations are listed for models in which nothing is conditioned on; leave `given` out")
    pmap = param_map(model)
    setting = Setting(model, pmap, 0, seed, ("constraints",))
    names = tuple(variable.name for variable in model.observed)
    if pmap.cells > MOST_LISTED_CELLS:
        note = (
            f"independences and flattenings are left out: there are {big(pmap.cells)} cells, at most "
            f"{MOST_LISTED_CELLS} are looked at"
        )
        return DiscreteFound(names, pmap.complete, (), verma_equations(model), None, False, (note,))
    found = tuple(candidates(Separators(setting)))
    bound = flattenings(setting)
    possible = possible_cells(pmap)
    zeros = 0 if possible is None else int((~possible).sum())
    return DiscreteFound(names, pmap.complete, found, verma_equations(model), bound, is_worth_it(setting), (), zeros)


def is_independence(flattening: Flattening) -> bool:
    """Whether a flattening has rank one because nothing hidden lies between."""
    return not flattening.hidden and set(flattening.counts) == {1}


def ranks_of(flattening: Flattening) -> list[tuple[int, tuple[tuple[int, ...], ...]]]:
    """The greatest ranks that say something, each with the states of the condition in which it holds.

    A rank that is the smaller side of the matrix, as every matrix of that size has at most, says nothing.
    """
    found: dict[int, list[tuple[int, ...]]] = {}
    for state, count in zip(flattening.blocks.conditions, flattening.counts, strict=True):
        if count < min(flattening.blocks.sizes):
            found.setdefault(count, []).append(state)
    return [(count, tuple(states)) for count, states in sorted(found.items())]


def sets_of(flattening: Flattening, names: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """The two blocks and what is conditioned on, by name."""
    one, other = flattening.blocks.blocks
    return [names[i] for i in one], [names[i] for i in other], [names[i] for i in flattening.blocks.fixed]
