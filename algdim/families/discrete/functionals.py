"""Product functionals on the observed table: its cells, and random probes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import prod

import numpy as np

from algdim.exact.arithmetic import Arithmetic, Array
from algdim.exact.draws import draw_residues, open_stream
from algdim.families.discrete.map import ParamMap
from algdim.figures import format_integer
from algdim.memory import ALLOW_MORE, OR_PROBES, check_memory

BYTES_PER_CELL = 8


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Cells of the observed table, by number, the first variable slowest; on axes not ``kept`` they are summed over.

    The advice says what to do if they are too many.
    """

    shape: tuple[int, ...]
    kept: tuple[bool, ...]
    numbers: Array | range
    """A range where they are all: nobody knows yet whether there is memory for what is made of them."""
    advice: str = ALLOW_MORE

    @property
    def count(self) -> int:
        """How many cells there are."""
        return len(self.numbers)

    def vectors(self, arithmetic: Arithmetic, start: int, stop: int) -> list[Array]:
        """Unit vectors, and vectors of ones on the axes that are summed over."""
        inner = tuple(size for size, kept in zip(self.shape, self.kept, strict=True) if kept)
        states = iter(np.unravel_index(self.numbers[start:stop], inner))
        found = [
            make_unit_vectors(size, next(states)) if kept else np.ones((size, stop - start), dtype=np.int64)
            for size, kept in zip(self.shape, self.kept, strict=True)
        ]
        return split_rows(arithmetic.elements(np.concatenate(found)), list(accumulate(self.shape, initial=0)))


def make_unit_vectors(size: int, states: Array) -> Array:
    """One column per state, with a one at it."""
    return np.equal.outer(np.arange(size), states).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """Random product functionals; row k concatenates the vectors of functional k, cut at the bounds."""

    bounds: tuple[int, ...]
    numbers: Array
    advice: str = ALLOW_MORE

    @property
    def count(self) -> int:
        return len(self.numbers)

    def vectors(self, arithmetic: Arithmetic, start: int, stop: int) -> list[Array]:
        """One array for each vector, numbers × functionals."""
        return split_functionals(arithmetic, self.numbers[start:stop], self.bounds)


def split_functionals(arithmetic: Arithmetic, numbers: Array, bounds: Sequence[int]) -> list[Array]:
    """Functionals, one per row, cut into their vectors."""
    first, last = bounds[0], bounds[-1]
    turned = arithmetic.elements(np.ascontiguousarray(numbers[:, first:last].T))
    return split_rows(turned, [bound - first for bound in bounds])


def split_rows(numbers: Array, bounds: Sequence[int]) -> list[Array]:
    """The rows between one bound and the next."""
    return [numbers[a:b] for a, b in pairwise(bounds)]


def draw_functionals(sizes: Sequence[int], count: int, prime: int, seed: int | str, *labels: int | str) -> Drawn:
    """Functionals whose numbers are uniform on the residues of the prime, drawn from the seed and labels."""
    bounds = tuple(accumulate(sizes, initial=0))
    return Drawn(bounds, draw_functional_numbers(bounds[-1], count, prime, seed, *labels))


def draw_functional_numbers(width: int, count: int, prime: int, seed: int | str, *labels: int | str) -> Array:
    """The numbers of such functionals, one functional in a row."""
    return draw_residues(open_stream(seed, "probes", *labels), prime, count * width).reshape(count, width)


def select_all_cells(pmap: ParamMap, max_memory: int | None = None, advice: str = OR_PROBES) -> Cells:
    """Every coordinate of the map: all cells of the observed table, or those that the map keeps.

    The advice is for refusals: probes are no help where the cells themselves are asked for.
    """
    if pmap.kept_coordinates is not None:
        return Cells(pmap.shape, (True,) * len(pmap.shape), pmap.kept_coordinates)
    what = f"the observed table has {format_integer(pmap.cells)} cells"
    check_memory(pmap.cells * BYTES_PER_CELL, max_memory, what, advice)
    return Cells(pmap.shape, (True,) * len(pmap.shape), range(pmap.cells), advice)


def select_marginal_cells(pmap: ParamMap, axes: Sequence[int]) -> Cells:
    """The cells of the marginal table on some observed axes."""
    kept = tuple(axis in axes for axis in pmap.observed)
    size = prod(pmap.sizes[axis] for axis in axes)
    return Cells(pmap.shape, kept, range(size))


def draw_probes(pmap: ParamMap, count: int, prime: int, seed: int | str, *labels: int | str) -> Drawn:
    """As many probes as asked for, drawn from the seed and labels: a vector for each observed variable."""
    return draw_functionals(pmap.shape, count, prime, seed, *labels)
