"""A Gaussian map at points: Σ and μ by one solution of the equations, and the derivatives of functionals of them.

A functional is uᵀΣv + wᵀμ, with u, v, w on the observed variables. Put p = Tu, q = Tv, s = Tw (u, v, w extended by
zeros). From dT = T dB T the derivatives are

    by b_ij:  (Σv)_i p_j + (Σu)_i q_j + μ_i s_j,      by ω_ii:  p_i q_i,
    by ω_ij:  p_i q_j + p_j q_i,                       by m_j:   s_j.

Without cycles T is found by substitution, without division; with cycles by the inverses of the strongly connected
components. A point where I − B has no inverse raises `SingularError`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Arithmetic, Array, Residues, invert_matrix, run_starts
from algdim.families.discrete.functionals import draw_functionals, make_unit_vectors
from algdim.families.gaussian.map import GaussianMap
from algdim.figures import format_integer
from algdim.maps import Functionals
from algdim.memory import OR_PROBES, check_memory

BYTES_PER_COORDINATE = 16


@dataclass(frozen=True, slots=True, eq=False)
class UnitFunctionals:
    """The coordinates themselves: first the covariances of pairs of observed places, then the means."""

    size: int
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    means: int
    advice: str

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.first) + self.means

    def vectors(self, arithmetic: Arithmetic, start: int, stop: int) -> list[Array]:
        """u, v and, if there are means, w of functionals start … stop − 1, as arrays of observed × functionals."""
        pairs = len(self.first)
        blocks = []
        for places in (self.first, self.second):
            block = np.zeros((self.size, stop - start), dtype=np.int64)
            block[:, : max(0, pairs - start)] = make_unit_vectors(self.size, places[start:stop])
            blocks.append(block)
        if self.means:
            block = np.zeros((self.size, stop - start), dtype=np.int64)
            chosen = np.arange(max(start, pairs), stop)
            block[chosen - pairs, chosen - start] = 1
            blocks.append(block)
        return [arithmetic.elements(block) for block in blocks]


@dataclass(frozen=True, slots=True, eq=False)
class EntryPlaces:
    """Where the free entries of one kind stand: the two variables, and the places of the entries among all free ones."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A strongly connected component with its children and parents outside."""

    members: NDArray[np.intp]
    children: NDArray[np.intp]
    parents: NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class StructuralEquations:
    """A Gaussian map that is ready to be evaluated."""

    gmap: GaussianMap
    blocks: tuple[Block, ...]
    free: Mapping[str, EntryPlaces]
    order: NDArray[np.intp]
    """The free entries, kind by kind, ordered by parameter."""
    starts: NDArray[np.intp]
    """Where the entries of each parameter begin in this order."""

    @property
    def numbers_per_functional(self) -> int:
        """How many numbers are held for one functional."""
        return 8 * len(self.gmap.model.variables) + 4 * len(self.order)

    @property
    def largest(self) -> int:
        """The size of the largest array on the way, per functional."""
        return max(len(self.gmap.model.variables), len(self.order))

    def all_coordinates(self, max_memory: int | None = None, advice: str = OR_PROBES) -> Functionals:
        """Every covariance and every mean."""
        count = len(self.gmap.observed)
        what = f"there are {format_integer(self.gmap.coordinate_count)} covariances and means"
        needed = self.gmap.coordinate_count * BYTES_PER_COORDINATE
        check_memory(needed, max_memory, what, advice)
        first, second = np.triu_indices(count)
        return UnitFunctionals(count, first, second, self.gmap.means, advice)

    def random_functionals(self, count: int, prime: int, seed: int | str, *labels: int | str) -> Functionals:
        """As many probes as asked for, drawn from the seed and labels; per probe u, v and, if there are means, w."""
        sizes = [len(self.gmap.observed)] * (3 if self.gmap.means else 2)
        return draw_functionals(sizes, count, prime, seed, *labels)

    def at(self, arithmetic: Arithmetic, point: Array) -> EquationsAt:
        """Prepare for one point."""
        system = evaluate_system(self, arithmetic, point)
        observed = np.array(self.gmap.observed, dtype=np.intp)
        units = np.zeros((len(self.gmap.model.variables), len(observed)), dtype=np.int64)
        units[observed, np.arange(len(observed))] = 1
        paths = system.solve(arithmetic.elements(units))
        covariance = system.solve_transposed(system.times_errors(paths))
        mean = system.solve_transposed(system.intercepts[:, None])[:, 0] if self.gmap.means else None
        return EquationsAt(self, arithmetic, paths, covariance, mean)


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """B, Ω and m at a point, and the solution of equations in I − B."""

    arithmetic: Arithmetic
    blocks: tuple[Block, ...]
    coefficients: Array
    inverses: tuple[Array | None, ...]
    variances: Array
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]]
    covariances: Array
    intercepts: Array

    def solve(self, right: Array) -> Array:
        """The t with (I − B)t = right: children first."""
        result = right.copy()
        for block, inverted in zip(reversed(self.blocks), reversed(self.inverses), strict=True):
            weights = self.coefficients[np.ix_(block.members, block.children)]
            self.fill(result, block.members, block.children, weights, inverted)
        return result

    def solve_transposed(self, right: Array) -> Array:
        """The t with (I − B)ᵀt = right: parents first."""
        result = right.copy()
        for block, inverted in zip(self.blocks, self.inverses, strict=True):
            weights = self.coefficients[np.ix_(block.parents, block.members)].T
            turned = None if inverted is None else inverted.T
            self.fill(result, block.members, block.parents, weights, turned)
        return result

    def fill(
        self, result: Array, rows: NDArray[np.intp], known: NDArray[np.intp], weights: Array, inverted: Array | None
    ) -> None:
        """Solve for the rows of one component from rows that are solved."""
        found = result[rows]
        if len(known):
            found = self.arithmetic.add(found, self.arithmetic.matmul(weights, result[known]))
        result[rows] = found if inverted is None else self.arithmetic.matmul(inverted, found)

    def times_errors(self, right: Array) -> Array:
        """Ω times a matrix."""
        result = self.arithmetic.multiply(self.variances[:, None], right)
        for number, (one, other) in enumerate(zip(*self.pairs, strict=True)):
            factor = self.covariances[number : number + 1]  # an array, because FLINT's polynomials are sequences
            for row, from_row in ((one, other), (other, one)):
                result[row] = self.arithmetic.add(result[row], self.arithmetic.multiply(factor, right[from_row]))
        return result


def evaluate_system(equations: StructuralEquations, arithmetic: Arithmetic, point: Array) -> System:
    """B, Ω and m at a point."""
    gmap, model = equations.gmap, equations.gmap.model
    count = len(model.variables)

    def values(kind: str) -> Array:
        return gmap.entry_values(arithmetic, point, [entry for entry in model.entries if entry[0] == kind])

    zero = arithmetic.elements(np.zeros(1, dtype=np.int64))
    coefficients = np.empty((count, count), dtype=zero.dtype)
    coefficients[:] = zero
    tails, heads = find_pair_places(gmap, model.edges)
    coefficients[tails, heads] = values("b")
    return System(
        arithmetic,
        equations.blocks,
        coefficients,
        tuple(invert_block(arithmetic, coefficients, block.members) for block in equations.blocks),
        values("v"),
        find_pair_places(gmap, model.bidirected),
        values("c"),
        values("m") if model.means else np.repeat(zero, count),
    )


def invert_block(arithmetic: Arithmetic, coefficients: Array, members: NDArray[np.intp]) -> Array | None:
    """The inverse of I − B on a component; ``None`` stands for that of a single variable, which is 1."""
    if len(members) == 1:
        return None
    minus_one = arithmetic.elements(np.array([-1]))
    negative = arithmetic.multiply(coefficients[np.ix_(members, members)], minus_one)
    return invert_matrix(
        arithmetic, arithmetic.add(arithmetic.elements(np.eye(len(members), dtype=np.int64)), negative)
    )


def find_pair_places(gmap: GaussianMap, pairs: Sequence[tuple[str, ...]]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The places of the first and of the last variable of each pair."""
    first = np.array([gmap.place[pair[0]] for pair in pairs], dtype=np.intp)
    return first, np.array([gmap.place[pair[-1]] for pair in pairs], dtype=np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class EquationsAt:
    """A Gaussian map at a point: T and Σ, all variables by the observed ones, and μ of all variables."""

    equations: StructuralEquations
    arithmetic: Arithmetic
    paths: Array
    covariance: Array
    mean: Array | None

    def values(self, vectors: Sequence[Array]) -> Array:
        """The values of a batch of functionals."""
        observed = np.array(self.equations.gmap.observed, dtype=np.intp)
        u, v, *w = vectors
        image = self.arithmetic.matmul(self.covariance[observed], v)
        found = self.sums(self.arithmetic.multiply(u, image))
        if w and self.mean is not None:
            found = self.arithmetic.add(found, self.sums(self.arithmetic.multiply(w[0], self.mean[observed][:, None])))
        return found

    def sums(self, block: Array) -> Array:
        """The sums of the columns."""
        total: Array = self.arithmetic.segment_sums(block, np.zeros(1, dtype=np.intp))[0]
        return total

    def derivatives(self, vectors: Sequence[Array], into: Array) -> None:
        """Write the derivatives of a batch of functionals into the rows of a matrix of zeros."""
        order, starts = self.equations.order, self.equations.starts
        if not len(order):
            return
        block = np.concatenate(self.by_entry(vectors))
        if len(starts) < len(order):
            block = self.arithmetic.segment_sums(block[order], starts)
        into[:] = block.T

    def by_entry(self, vectors: Sequence[Array]) -> list[Array]:
        """The derivatives by the free entries, one row per entry, kind by kind."""
        add, multiply, matmul = self.arithmetic.add, self.arithmetic.multiply, self.arithmetic.matmul
        free = self.equations.free
        u, v, *w = vectors
        p, q = matmul(self.paths, u), matmul(self.paths, v)
        b, c = free["b"], free["c"]
        found = []
        if len(b.first):
            along = multiply(matmul(self.covariance, v)[b.first], p[b.second])
            along = add(along, multiply(matmul(self.covariance, u)[b.first], q[b.second]))
            if w and self.mean is not None:
                s = matmul(self.paths, w[0])
                along = add(along, multiply(self.mean[b.first][:, None], s[b.second]))
            found.append(along)
        found.append(multiply(p[free["v"].first], q[free["v"].first]))
        if len(c.first):
            found.append(add(multiply(p[c.first], q[c.second]), multiply(p[c.second], q[c.first])))
        if w and len(free["m"].first):
            found.append(matmul(self.paths[free["m"].first], w[0]))
        return found


def build_structural_equations(gmap: GaussianMap) -> StructuralEquations:
    """Make a Gaussian map ready to be evaluated."""
    free = [entry for entry in gmap.model.entries if entry in gmap.number_of]
    numbers = np.array([gmap.number_of[entry] for entry in free], dtype=np.intp)
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    return StructuralEquations(
        gmap,
        tuple(list_blocks(gmap)),
        {
            kind: EntryPlaces(*find_pair_places(gmap, [entry[1:] for entry in free if entry[0] == kind]))
            for kind in "bvcm"
        },
        order,
        run_starts(ordered),
    )


def list_blocks(gmap: GaussianMap) -> list[Block]:
    """The components with their children and parents outside."""
    children: dict[int, list[int]] = {number: [] for number in range(len(gmap.model.variables))}
    parents: dict[int, list[int]] = {number: [] for number in children}
    for parent, child in gmap.model.edges:
        children[gmap.place[parent]].append(gmap.place[child])
        parents[gmap.place[child]].append(gmap.place[parent])

    def outside(members: tuple[int, ...], edges: Mapping[int, list[int]]) -> NDArray[np.intp]:
        return np.array(sorted({end for start in members for end in edges[start]} - {*members}), dtype=np.intp)

    return [
        Block(np.array(members, dtype=np.intp), outside(members, children), outside(members, parents))
        for members in gmap.components
    ]


def evaluate_covariance(gmap: GaussianMap, prime: int, point: Array) -> tuple[Array, Array]:
    """Σ and μ of all variables, latent ones included, modulo a prime at a point given by integers.

    The residues are balanced. The means are zero if the model has none. A point without value raises `SingularError`.
    """
    arithmetic = Residues(prime)
    system = evaluate_system(build_structural_equations(gmap), arithmetic, arithmetic.elements(np.asarray(point)))
    paths = system.solve(arithmetic.elements(np.eye(len(gmap.model.variables), dtype=np.int64)))
    mean = system.solve_transposed(system.intercepts[:, None])[:, 0]
    return system.solve_transposed(system.times_errors(paths)), mean
