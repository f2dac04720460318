"""A moment map at points: the moments of the classes, degree by degree, and the derivatives, which are moments again.

The moments of a normal distribution follow from Isserlis' recursion, M_(b+e_i) = μ_i M_b + Σ_j b_j σ_ij M_(b−e_j), and
their derivatives are:

    by μ_i:  a_i M_(a−e_i),      by σ_ii:  a_i (a_i − 1)/2 · M_(a−2e_i),      by σ_ij:  a_i a_j M_(a−e_i−e_j).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Arithmetic, Array, run_starts
from algdim.exact.tape import FIRST, FormulaAt, Rows, Tape, TapeNode
from algdim.families.latentprofile.map import Layout, MomentMap, Monomials
from algdim.families.latentprofile.model import LatentProfile
from algdim.figures import format_count
from algdim.maps import Functionals
from algdim.memory import OR_PROBES, check_memory

BYTES_PER_COORDINATE = 16


def list_moments(count: int) -> Functionals:
    """The moments themselves, by their places."""
    return Functionals(count, lambda arithmetic, start, stop: [np.arange(start, stop)])  # noqa: ARG005 (as of all functionals)


@dataclass(frozen=True, slots=True, eq=False)
class MomentEvaluator:
    """A moment map that is ready to be evaluated."""

    pmap: MomentMap

    @property
    def numbers_per_functional(self) -> int:
        return 6 * len(self.pmap.parameters) + 8 * self.pmap.model.classes

    @property
    def largest(self) -> int:
        return self.pmap.monomials.count * self.pmap.model.classes

    def all_coordinates(self, max_memory: int | None = None, advice: str = OR_PROBES) -> Functionals:
        """Every moment up to the order."""
        count = self.pmap.coordinate_count
        check_memory(count * BYTES_PER_COORDINATE, max_memory, f"there are {format_count(count, 'moment')}", advice)
        return list_moments(count)

    def at(self, arithmetic: Arithmetic, point: Array) -> FormulaAt:
        pmap, layout, tape = self.pmap, self.pmap.layout, Tape(arithmetic, point)
        weights = tape.point[layout.take_weights].complete()
        tables = [tape.point[places].complete() for places in layout.take_tables]
        matrix = evaluate_covariance_matrices(pmap.model, layout, point)
        moments = compute_normal_moments(arithmetic, pmap.monomials, point[layout.means], matrix)

        factors, lower = pmap.derivatives
        factors = arithmetic.elements(factors)

        def write(vectors: Sequence[Array]) -> TapeNode:
            monomial, cell = np.divmod(vectors[0] + pmap.first, pmap.cells)

            def take_back(above: Array) -> Rows:
                slopes = arithmetic.multiply(
                    factors[:, None, monomial], moments.T[:, lower[:, monomial]].swapaxes(0, 1)
                )
                found = arithmetic.multiply(slopes, above)
                means, matrix = found[: len(layout.means)], found[len(layout.means) :]
                if pmap.model.equal:
                    matrix = arithmetic.segment_sums(matrix.swapaxes(0, 1), FIRST)
                rows = np.concatenate([block.reshape(-1, len(monomial)) for block in (means, matrix)])
                return Rows(len(point), slice(len(layout.weights), len(layout.weights) + len(rows)), rows)

            found = tape.step((pmap.model.classes,), lambda: moments[monomial].T, (tape.point, take_back))
            if len(layout.weights):
                found = weights * found
            for table, states in zip(tables, pmap.states[cell].T, strict=True):
                found = found * table.choose(states)
            return found.total()

        return FormulaAt(tape, write)


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
