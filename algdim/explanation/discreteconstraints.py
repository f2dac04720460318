"""The equations that the graph of a discrete network implies: independences, flattenings, Verma-type equations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from algdim.bound.bounds import Bound
from algdim.bound.flattenings import Flattening, Separators, candidates, flattenings
from algdim.bound.setting import Setting
from algdim.errors import InputError
from algdim.explanation.verma import Verma, verma_equations
from algdim.maps.factors import param_map
from algdim.models.network import Network

MOST_HIDDEN_CELLS = 1 << 20


@dataclass(frozen=True, slots=True)
class DiscreteFound:
    """The equations of a network, and what independences and flattenings prove together at a point."""

    names: tuple[str, ...]
    complete: int
    flattenings: tuple[Flattening, ...]
    verma: tuple[Verma, ...]
    bound: Bound | None


def discrete_equations(model: Network, seed: int | str) -> DiscreteFound:
    """All independences and flattenings that no larger one contains, and the Verma-type equations."""
    if model.given:
        raise InputError("equations are listed for models in which nothing is conditioned on; leave `given` out")
    pmap = param_map(model)
    setting = Setting(model, pmap, 0, seed, ("constraints",))
    names = tuple(variable.name for variable in model.observed)
    found = tuple(candidates(Separators(setting))) if pmap.cells <= MOST_HIDDEN_CELLS else ()
    return DiscreteFound(names, pmap.complete, found, verma_equations(model), flattenings(setting))


def is_independence(flattening: Flattening) -> bool:
    """Whether a flattening has rank one because nothing hidden lies between."""
    return not flattening.hidden and set(flattening.counts) == {1}


def sets_of(flattening: Flattening, names: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """The two blocks and what is conditioned on, by name."""
    one, other = flattening.blocks.blocks
    return [names[i] for i in one], [names[i] for i in other], [names[i] for i in flattening.blocks.fixed]
