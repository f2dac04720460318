"""The normal equations of a conditional Gaussian network, those of connected coefficients together.

Coefficients are connected if a regression has both. The matrix of all normal equations has an entry for two coefficients only where they
are connected, and the sets of connected ones are mostly small: those of one regression, unless some are common. So it is kept as one row
of the entries of its blocks, and solved block by block.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from algdim.families.conditionalgaussian.layout import Index, MixedLayout
from algdim.fitting.likelihood import Numbers, add_at_places
from algdim.models.graphs import find_blocks


@dataclass(frozen=True, eq=False)
class CoefficientBlocks:
    """The sets of connected coefficients, and where the entries of their matrices stand in one row: block by block, row by row."""

    of: Index
    """The block of each coefficient."""

    @cached_property
    def sizes(self) -> Index:
        """How many coefficients each block has."""
        return np.bincount(self.of)

    @cached_property
    def firsts(self) -> Index:
        """Where the entries of each block begin."""
        return np.cumsum(self.sizes**2) - self.sizes**2

    @cached_property
    def rows(self) -> Index:
        """The row of each coefficient in its block."""
        order = np.argsort(self.of, kind="stable")
        found = np.empty(len(order), dtype=np.intp)
        found[order] = np.arange(len(order)) - np.repeat(np.cumsum(self.sizes) - self.sizes, self.sizes)
        return found

    @property
    def entries(self) -> int:
        """Of all blocks."""
        return int((self.sizes**2).sum())

    @property
    def diagonal(self) -> Index:
        """The places of the entries on the diagonals, coefficient by coefficient."""
        return self.place(self.rows, self.rows, self.of)

    def place(self, row: Index, column: Index, block: Index) -> Index:
        """The places of entries."""
        return np.asarray(self.firsts[block] + row * self.sizes[block] + column)

    def place_products(self, places: Index) -> Index:
        """Set × coefficient × coefficient: the places of the entries for pairs of coefficients, each set in one block."""
        rows, block = self.rows[places], self.of[places]
        return self.place(rows[:, :, None], rows[:, None, :], block[:, :, None])

    @cached_property
    def by_size(self) -> tuple[tuple[Index, Index, Index], ...]:
        """Blocks of one size: their numbers, block × coefficient, and block × row × column, the place of the entry."""
        members = defaultdict[int, list[NDArray[np.intp]]](list)
        ordered = np.split(np.argsort(self.of, kind="stable"), np.cumsum(self.sizes)[:-1])
        for coefficients in ordered if len(self.of) else ():
            members[len(coefficients)].append(coefficients)
        found = []
        for some in members.values():
            coefficients = np.array(some)
            found.append((self.of[coefficients[:, 0]], coefficients, self.place_products(coefficients)))
        return tuple(found)

    def solve(self, matrix: Numbers, right: Numbers) -> Numbers:
        """Restart × coefficient: the solutions of all equations."""
        found = np.empty_like(right)
        for _, coefficients, entries in self.by_size:
            found[:, coefficients] = np.linalg.solve(matrix[:, entries], right[:, coefficients, None])[..., 0]
        return found

    def multiply(self, matrix: Numbers, vector: Numbers) -> Numbers:
        """Restart × coefficient: the products with a vector."""
        found = np.empty_like(vector)
        for _, coefficients, entries in self.by_size:
            found[:, coefficients] = (matrix[:, entries] @ vector[:, coefficients, None])[..., 0]
        return found

    def compute_log_determinants(self, matrix: Numbers) -> Numbers:
        """Restart × block."""
        found = np.zeros((len(matrix), len(self.sizes)))
        for numbers, _, entries in self.by_size:
            found[:, numbers] = np.linalg.slogdet(matrix[:, entries])[1]
        return found


@dataclass(frozen=True, eq=False)
class NormalEquations:
    """Those of all regressions of a network."""

    layout: MixedLayout

    @cached_property
    def blocks(self) -> CoefficientBlocks:
        """The connected coefficients."""
        count = len(self.layout.places[0])
        together = (some for one in self.layout.by_variable for some in one.places.tolist() if some)
        found = np.empty(count, dtype=np.intp)
        for number, members in enumerate(find_blocks(range(count), together)):
            found[list(members)] = number
        return CoefficientBlocks(found)

    @cached_property
    def products(self) -> tuple[Index, ...]:
        """For each variable regression × coefficient × coefficient: where the entries of its matrix stand."""
        return tuple(self.blocks.place_products(one.places) for one in self.layout.by_variable)

    def collect(self, moments: Sequence[Numbers], weights: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Λ, as `CoefficientBlocks` has it, and h, added up with the weights of all regressions; the squares that fixed numbers leave of each.

        The moments of each variable are restart × regression × sums of products, as `Regressions` selects them.
        """
        count = len(self.layout.places[0])
        matrix, right = np.zeros((len(weights), self.blocks.entries)), np.zeros((len(weights), count))
        squares = np.zeros(weights.shape)
        for one, products, found in zip(self.layout.by_variable, self.products, moments, strict=True):
            rest, weight = found @ one.left, weights[:, one.numbers]
            squares[:, one.numbers] = rest @ one.left
            matrix += add_at_places(
                found[:, :, one.free[:, None], one.free] * weight[:, :, None, None], products, matrix.shape[1]
            )
            right += add_at_places(rest[:, :, one.free] * weight[:, :, None], one.places, count)
        return matrix, right, squares

    def measure_residuals(self, moments: Numbers, beta: Numbers) -> tuple[Numbers, Numbers]:
        """Restart × regression: the sums of squares of residuals, and the counts of cases."""
        shape = (len(beta), len(self.layout.regressions))
        left, held = np.zeros(shape), np.zeros(shape)
        for one in self.layout.by_variable:
            found, away = one.select(moments), one.make_residual(beta)
            left[:, one.numbers] = np.einsum("rki,rkij,rkj->rk", away, found, away)
            held[:, one.numbers] = found[:, :, 0, 0]
        return left, held
