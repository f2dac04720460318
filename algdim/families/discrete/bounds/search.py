"""What a search for an upper bound starts from: a model without conditions, its map, and the rank to be met."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import Bound, resting_on
from algdim.errors import listed
from algdim.exact.arithmetic import Residues
from algdim.exact.draws import residues, stream
from algdim.families.discrete.map import ParamMap, param_map
from algdim.families.discrete.model import Network
from algdim.figures import counted
from algdim.jacobian import values_at
from algdim.maps.functionals import all_cells
from algdim.rank import at_some_point, usable_prime


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """A closed model (nothing conditioned on), its map, the rank that a bound has to meet, and the seed."""

    model: Network
    pmap: ParamMap
    lower: int
    seed: int | str = 0
    labels: tuple[int | str, ...] = ()
    roots: int = 0
    """By how much the dimension is greater than that of the kernel, of which the closed model has free roots."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the observed table."""
        return self.pmap.shape

    @property
    def needed(self) -> int:
        """The codimension that proves the rank to be the dimension."""
        return self.pmap.complete - self.lower


CLOSED: WeakKeyDictionary[ParamMap, ParamMap] = WeakKeyDictionary()
"""The map of each kernel that is in use, with what it is conditioned on as free roots."""


def closed(pmap: ParamMap, lower: int, seed: int | str, labels: tuple[int | str, ...] = ()) -> tuple[Setting, int]:
    """The setting of a kernel: what it is conditioned on becomes free roots; also by how much that adds dimensions.

    Lemma "districts" (d): the dimension of the closed model is that of the kernel plus r − 1 for each such root.
    """
    if pmap.kept is not None:
        raise ValueError("a kernel with cells left out has no closed model")
    if not pmap.given:
        return Setting(pmap.model, pmap, lower, seed, labels), 0
    if pmap not in CLOSED:
        CLOSED[pmap] = param_map(replace(pmap.model, given=()))
    extra = sum(pmap.sizes[axis] - 1 for axis in pmap.given)
    return Setting(CLOSED[pmap].model, CLOSED[pmap], lower + extra, seed, labels, extra), extra


def setting_of(pmap: ParamMap, lower: int, seed: int | str, labels: tuple[int | str, ...]) -> Setting:
    """What searches for bounds of a map start from."""
    return closed(pmap, lower, seed, labels)[0]


def of_kernel(bound: Bound, setting: Setting, pmap: ParamMap) -> Bound:
    """The bound of a kernel from that of its closed model."""
    extra = setting.roots
    if extra == 0:
        return bound
    roots = listed(pmap.model.given)
    own = f"{bound.value} − {extra}: {roots} count as roots with free tables, of {counted(extra, 'parameter')}"
    evidence = {**bound.evidence, "roots": extra}
    reason = f"{own}; {bound.reason}"
    return resting_on([bound], bound.value - extra, bound.side, bound.kind, reason, "districts", evidence, own)


@dataclass(frozen=True, slots=True, eq=False)
class TableAtPoint:
    """The observed table at a point modulo a prime, as balanced residues, with how point and prime were drawn."""

    prime: int
    point: str
    table: NDArray[np.float64]

    @property
    def field(self) -> Residues:
        """The arithmetic of the table."""
        return Residues(self.prime)


def table_at_point(setting: Setting) -> TableAtPoint:
    """Draw a prime and a point and evaluate all cells. Lemma "equations" holds modulo every prime."""
    return at_some_point((*setting.labels, "equations", 0), partial(table_at, setting))


def table_at(setting: Setting, labels: tuple[int | str, ...]) -> TableAtPoint:
    """The table at the point and modulo the prime that the labels give."""
    prime = usable_prime(setting.pmap, setting.seed, *labels)
    field = Residues(prime)
    point = field.elements(residues(stream(setting.seed, "point", *labels), prime, len(setting.pmap.parameters)))
    values = values_at(setting.pmap, field, point, all_cells(setting.pmap))
    return TableAtPoint(prime, "|".join(str(label) for label in labels), values.reshape(setting.shape))
