"""A moment map at points: the moments of the classes, degree by degree, and the derivatives, which are moments again.

The moments of a normal distribution follow from Isserlis' recursion, M_(b+e_i) = μ_i M_b + Σ_j b_j σ_ij M_(b−e_j), and
their derivatives are:

    by μ_i:  a_i M_(a−e_i),      by σ_ii:  a_i (a_i − 1)/2 · M_(a−2e_i),      by σ_ij:  a_i a_j M_(a−e_i−e_j).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Arithmetic, Array, run_starts
from algdim.families.latentprofile.map import MomentMap, Monomials
from algdim.families.latentprofile.model import LatentProfile
from algdim.figures import format_count
from algdim.maps import Functionals
from algdim.memory import ALLOW_MORE, OR_PROBES, check_memory

BYTES_PER_COORDINATE = 16


@dataclass(frozen=True, slots=True, eq=False)
class AllMoments:
    """The moments themselves."""

    count: int
    advice: str = ALLOW_MORE

    def vectors(self, arithmetic: Arithmetic, start: int, stop: int) -> list[Array]:  # noqa: ARG002 (as of all functionals)
        """The places of the moments."""
        return [np.arange(start, stop)]


@dataclass(frozen=True, slots=True, eq=False)
class MomentEvaluator:
    """A moment map that is ready to be evaluated."""

    pmap: MomentMap

    @property
    def numbers_per_functional(self) -> int:
        """How many numbers are held for one functional."""
        return 2 * len(self.pmap.parameters) + 8 * self.pmap.model.classes

    @property
    def largest(self) -> int:
        """The size of the largest array on the way, per functional."""
        return self.pmap.monomials.count * self.pmap.model.classes

    def all_coordinates(self, max_memory: int | None = None, advice: str = OR_PROBES) -> Functionals:
        """Every moment up to the order."""
        count = self.pmap.coordinate_count
        check_memory(count * BYTES_PER_COORDINATE, max_memory, f"there are {format_count(count, 'moment')}", advice)
        return AllMoments(count)

    def at(self, arithmetic: Arithmetic, point: Array) -> MomentsAt:
        """Prepare for one point."""
        pmap, model = self.pmap, self.pmap.model
        layout = Layout(model)
        minus, one = arithmetic.elements(np.array([-1])), arithmetic.elements(np.array([1]))

        def complete_rows(free: Array) -> Array:
            """Rows of probabilities, and a last one that is 1 minus the others."""
            if not len(free):
                return np.broadcast_to(one, (1, *free.shape[1:]))
            total = arithmetic.segment_sums(free, np.zeros(1, dtype=np.intp))
            return np.concatenate([free, arithmetic.add(one, arithmetic.multiply(minus, total))])

        weights = complete_rows(point[layout.weights][:, None])[:, 0]
        tables = [complete_rows(point[places].T) for places in layout.tables]
        moments = compute_normal_moments(
            arithmetic, pmap.monomials, point[layout.means], evaluate_covariance_matrices(model, layout, point)
        )
        return MomentsAt(pmap, arithmetic, layout, weights, tables, moments)


class Layout:
    """Where the parameters of each kind stand: arrays of places, the class last (of tables first)."""

    __slots__ = ("means", "pairs", "tables", "variances", "weights")

    def __init__(self, model: LatentProfile) -> None:
        items, classes = len(model.continuous), model.classes
        kinds = 1 if model.equal else classes
        pairs = comb(items, 2) if model.full else 0
        bounds = np.cumsum([0, classes - 1, items * classes, items * kinds, pairs * kinds]).tolist()
        self.weights: NDArray[np.intp] = np.arange(bounds[0], bounds[1])
        self.means: NDArray[np.intp] = np.arange(bounds[1], bounds[2]).reshape(items, classes)
        self.variances: NDArray[np.intp] = np.arange(bounds[2], bounds[3]).reshape(items, kinds)
        self.pairs: NDArray[np.intp] = np.arange(bounds[3], bounds[4]).reshape(pairs, kinds)
        self.tables: list[NDArray[np.intp]] = []
        start = bounds[4]
        for item in model.categorical:
            free = (item.states or 1) - 1
            self.tables.append(np.arange(start, start + classes * free).reshape(classes, free))
            start += classes * free


Matrix = dict[tuple[int, int], Array]
"""The covariances of the classes by pair of items (both orders), as far as they are not zero."""


def evaluate_covariance_matrices(model: LatentProfile, layout: Layout, point: Array) -> Matrix:
    """The covariance matrices of the classes at a point."""
    items, classes = len(model.continuous), model.classes
    found = {(item, item): point[layout.variances[item]] for item in range(items)}
    if model.full:
        for number, (one, other) in enumerate(combinations(range(items), 2)):
            found[one, other] = found[other, one] = point[layout.pairs[number]]
    return {pair: np.broadcast_to(values, (classes,)) for pair, values in found.items()}


def compute_normal_moments(arithmetic: Arithmetic, listed: Monomials, means: Array, matrix: Matrix) -> Array:
    """The moments of normal distributions, monomials × classes, and a last row of zeros; degree by degree."""
    items, classes = means.shape
    zero, one = arithmetic.elements(np.array([0])), arithmetic.elements(np.array([1]))
    result = np.empty((listed.count + 1, classes), dtype=means.dtype)
    result[:] = zero
    result[0] = one
    leading = np.argmax(listed.powers > 0, axis=1)
    for start, stop in zip(listed.starts[1:-1], listed.starts[2:], strict=True):
        # the leading item of the monomials of one degree only grows, so each item's are a run
        for item, run in find_runs(leading[start:stop], start):
            below = listed.down[run, item]
            found = arithmetic.multiply(means[item], result[below])
            for other in range(items):
                power = listed.powers[below, other]
                if (item, other) in matrix and power.any():
                    factor = arithmetic.multiply(arithmetic.elements(power)[:, None], matrix[item, other])
                    found = arithmetic.add(found, arithmetic.multiply(factor, result[listed.down[below, other]]))
            result[run] = found
    return result


def find_runs(leading: NDArray[np.intp], start: int) -> list[tuple[int, slice]]:
    """The runs of equal numbers, with their places."""
    edges = [*run_starts(leading).tolist(), len(leading)]
    return [(int(leading[a]), slice(start + a, start + b)) for a, b in pairwise(edges)]


@dataclass(frozen=True, slots=True, eq=False)
class MomentsAt:
    """A moment map at a point: weights, tables (states × classes) and the moments of the classes."""

    pmap: MomentMap
    arithmetic: Arithmetic
    layout: Layout
    weights: Array
    tables: Sequence[Array]
    moments: Array

    def values(self, vectors: Sequence[Array]) -> Array:
        """The values of a batch of functionals."""
        monomial, cell = self.place_moments(vectors[0])
        return self.sums(self.times(self.weights, self.cell_chances(cell), self.moments[monomial]))

    def derivatives(self, vectors: Sequence[Array], into: Array) -> None:
        """Write the derivatives of a batch of functionals into the rows of a matrix of zeros."""
        elements, listed = self.arithmetic.elements, self.pmap.monomials
        monomial, cell = self.place_moments(vectors[0])
        chances, moments, minus = self.cell_chances(cell), self.moments[monomial], elements(np.array([-1]))
        each = self.times(chances, moments)
        if len(self.layout.weights):
            into[:, self.layout.weights] = self.arithmetic.add(each[:, :-1], self.times(minus, each[:, -1:]))
        joint = self.times(self.weights, chances)
        powers = listed.powers[monomial]
        for item, columns in enumerate(self.layout.means):
            lower = listed.down[monomial, item]
            into[:, columns] = self.times(joint, elements(powers[:, item])[:, None], self.moments[lower])
            half = powers[:, item] * (powers[:, item] - 1) // 2
            lower = listed.down[lower, item]
            self.write_matrix(into, self.layout.variances[item], joint, half, lower)
        for columns, (one, other) in zip(self.layout.pairs, combinations(range(powers.shape[1]), 2), strict=False):
            lower = listed.down[listed.down[monomial, one], other]
            self.write_matrix(into, columns, joint, powers[:, one] * powers[:, other], lower)
        for number, columns in enumerate(self.layout.tables):
            rest = self.times(self.weights, self.cell_chances(cell, number), moments)
            state, last = self.pmap.states[cell, number], columns.shape[1]
            for free in range(last):
                sign = elements((state == free).astype(np.int64) - (state == last))[:, None]
                into[:, columns[:, free]] = self.times(rest, sign)

    def place_moments(self, places: Array) -> tuple[Array, Array]:
        """The monomial and the cell of each coordinate."""
        monomial, cell = np.divmod(places + self.pmap.first, self.pmap.cells)
        return monomial, cell

    def times(self, *factors: Array) -> Array:
        """The product of arrays, entry by entry."""
        result = factors[0]
        for factor in factors[1:]:
            result = self.arithmetic.multiply(result, factor)
        return result

    def sums(self, block: Array) -> Array:
        """The sums over the classes, the last axis."""
        total: Array = self.arithmetic.segment_sums(np.ascontiguousarray(block.T), np.zeros(1, dtype=np.intp))[0]
        return total

    def cell_chances(self, cell: Array, but: int | None = None) -> Array:
        """P(cell | class), coordinates × classes, one item left out if it is named."""
        one = self.arithmetic.elements(np.array([1]))
        states = self.pmap.states[cell]
        chances = [table[states[:, number]] for number, table in enumerate(self.tables) if number != but]
        return self.times(np.broadcast_to(one, (len(cell), len(self.weights))), *chances)

    def write_matrix(
        self, into: Array, columns: NDArray[np.intp], joint: Array, powers: NDArray[np.int64], lower: NDArray[np.intp]
    ) -> None:
        """Write the derivatives by one entry of the covariance matrices; that of all classes is one parameter."""
        found = self.times(joint, self.arithmetic.elements(powers)[:, None], self.moments[lower])
        into[:, columns] = self.sums(found)[:, None] if self.pmap.model.equal else found
