"""Product functionals on the observed table: its cells, and random probes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np

from algdim.exact.arithmetic import Arithmetic, Array
from algdim.exact.draws import residues, stream
from algdim.maps.factors import ParamMap


class Functionals(Protocol):
    """A finite list of product functionals."""

    @property
    def count(self) -> int:
        """How many there are."""

    def vectors(self, arithmetic: Arithmetic, start: int, stop: int) -> list[Array]:
        """For each observed axis the vectors of functionals start … stop − 1, as an array of states × functionals."""


@dataclass(frozen=True, slots=True)
class Cells:
    """All cells of the observed table, the first variable slowest."""

    shape: tuple[int, ...]
    count: int

    def vectors(self, arithmetic: Arithmetic, start: int, stop: int) -> list[Array]:
        """Unit vectors."""
        states = np.unravel_index(np.arange(start, stop), self.shape)
        return [
            arithmetic.elements((np.arange(size)[:, None] == state[None, :]).astype(np.int64))
            for size, state in zip(self.shape, states, strict=True)
        ]


@dataclass(frozen=True, slots=True, eq=False)
class Probes:
    """Random product functionals; entry (functional, axis, state) is uniform on the residues of the prime."""

    shape: tuple[int, ...]
    count: int
    numbers: Array

    def vectors(self, arithmetic: Arithmetic, start: int, stop: int) -> list[Array]:
        """The drawn vectors."""
        block = self.numbers[start:stop]
        bounds = np.cumsum([0, *self.shape])
        return [arithmetic.elements(np.ascontiguousarray(block[:, a:b].T)) for a, b in pairwise(bounds)]


def all_cells(pmap: ParamMap) -> Cells:
    """Every cell of the map's observed table."""
    return Cells(pmap.shape, pmap.cells)


def random_probes(pmap: ParamMap, count: int, prime: int, seed: int | str, *labels: int | str) -> Probes:
    """As many probes as asked for, drawn from the seed and labels."""
    width = sum(pmap.shape)
    numbers = residues(stream(seed, "probes", *labels), prime, count * width).reshape(count, width)
    return Probes(pmap.shape, count, numbers)
