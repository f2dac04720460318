"""A point modulo a prime, and directions at it in which the parameters can move: the values of vector fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.bound.searches import Directions
from algdim.exact.arithmetic import Array, Residues
from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.ranks import compute_kernel, rank_mod
from algdim.families.discrete.bounds.search import Setting
from algdim.families.discrete.districts import group_overlapping_sets
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.map import ParamMap
from algdim.families.discrete.model import Network
from algdim.rank import find_usable_prime, try_drawn_points

MOST_IN_BLOCK = 1 << 23
"""Directions are left out of a block of overlapping ones when its matrix would have more entries than these."""


@dataclass(frozen=True, slots=True)
class Point:
    """A prime and a point: the parameters, and the arrays of the map where they have been asked for."""

    pmap: ParamMap
    prime: int
    label: str
    values: NDArray[np.int64]
    known: dict[int, Array] = field(default_factory=dict)

    def array(self, number: int) -> Array:
        """The entries of one array at the point, as residues 0 … p − 1."""
        if number not in self.known:
            arithmetic = Residues(self.prime)
            entries = self.pmap.arrays[number].values(arithmetic, arithmetic.elements(self.values))
            self.known[number] = np.remainder(entries, self.prime).astype(np.int64)
        return self.known[number]


def draw_point(setting: Setting) -> Point:
    """The point of a setting at which symmetries are evaluated; its prime divides no denominator."""
    prime = find_usable_prime(setting.pmap, setting.seed, *setting.labels, "symmetry")

    def draw_with(labels: tuple[int | str, ...]) -> Point:
        values = draw_residues(open_stream(setting.seed, "point", *labels), prime, len(setting.pmap.parameters))
        point = Point(setting.pmap, prime, "|".join(str(label) for label in labels), values)
        if not setting.pmap.is_polynomial:  # raises if a denominator is zero, of an entry or of a derivative
            arithmetic = Residues(prime)
            for number, entries in enumerate(setting.pmap.arrays):
                point.array(number)
                entries.derivative(arithmetic, arithmetic.elements(values))
        return point

    return try_drawn_points((*setting.labels, "symmetry", 0), draw_with)


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """Directions and the hidden variables around which they were found."""

    hidden: frozenset[str]
    directions: Directions


def find_movable_factors(pmap: ParamMap) -> tuple[bool, ...]:
    """For each factor whether it is a table of free entries that no other factor uses."""
    free = {
        variable.name
        for variable in pmap.model.variables
        if isinstance(variable.local, Table) and variable.local.is_free
    }
    return tuple(pmap.owners[factor.array] in free for factor in pmap.factors)


def list_parameter_numbers(pmap: ParamMap, array: int) -> NDArray[np.intp]:
    """The parameter that each entry of a free table is, −1 at the last entries of the rows."""
    entries = pmap.arrays[array]
    *outer, states = entries.shape
    rows = int(np.prod(outer, dtype=np.int64))
    used = entries.derivative(Residues(3), np.zeros(0)).parameter  # numbered in a row, row by row
    first = int(used.min()) if len(used) else 0
    numbers = np.full((rows, states), -1, dtype=np.intp)
    numbers[:, :-1] = first + np.arange(rows * (states - 1)).reshape(rows, states - 1)
    return numbers.reshape(entries.shape)


def compute_right_kernel(matrix: Array, prime: int) -> tuple[int, NDArray[np.int64]]:
    """The rank of a matrix modulo a prime below 2^23, and a basis of its right kernel, as rows of residues."""
    rank = rank_mod(matrix, prime)
    basis = compute_kernel(Residues(prime).elements(matrix), rank, prime)
    return rank.value, np.remainder(basis, prime).astype(np.int64)


def rank_of(found: Sequence[Directions], prime: int) -> int:
    """The rank of all directions together, block by block: directions that change no parameter in common add up."""
    return sum(rank_mod(matrix, prime).value for matrix in iterate_blocks(found))


def iterate_blocks(found: Sequence[Directions]) -> Iterator[NDArray[np.int64]]:
    """The matrices of groups of directions that overlap. Those that make a matrix too large are left out."""
    used = [directions for directions in found if directions.matrix.size]
    for group in group_overlapping_sets([directions.parameters.tolist() for directions in used]):
        parameters = np.unique(np.concatenate([used[number].parameters for number in group]))
        rows: list[NDArray[np.int64]] = []
        for directions in (used[number] for number in group):
            if (sum(map(len, rows)) + len(directions.matrix)) * len(parameters) > MOST_IN_BLOCK:
                break
            row = np.zeros((len(directions.matrix), len(parameters)), dtype=np.int64)
            row[:, np.searchsorted(parameters, directions.parameters)] = directions.matrix
            rows.append(row)
        if rows:
            yield np.vstack(rows)


def compute_shape_key(model: Network) -> Any:
    """What models have in common that differ in names only."""
    number = {variable.name: index for index, variable in enumerate(model.variables)}
    return tuple(
        (v.states, v.observed, tuple(number[parent] for parent in v.parents), v.local, v.name in model.given)
        for v in model.variables
    )
