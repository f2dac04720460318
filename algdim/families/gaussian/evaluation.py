"""A Gaussian map at points: Σ and μ by one solution of the equations.

A functional is uᵀΣv + wᵀμ, with u, v, w on the observed variables. Put p = Tu, q = Tv, s = Tw (u, v, w extended by zeros);
then it is the sum of ω_ij p_i q_j over the entries of Ω, and of m_j s_j. By p = Tu it is differentiated from dT = T dB T: with g
the derivatives by p, those by b_ij are (Tᵀg)_i p_j.

Without cycles T is found by substitution, without division; with cycles by the inverses of the strongly connected
components. A point where I − B has no inverse raises `SingularError`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Arithmetic, Array, Residues, invert_matrix
from algdim.exact.tape import FormulaAt, Places, Tape, TapeNode
from algdim.families.discrete.functionals import draw_functionals, make_unit_vectors
from algdim.families.gaussian.map import GaussianMap
from algdim.figures import format_integer
from algdim.maps import Functionals
from algdim.memory import OR_PROBES, check_memory

BYTES_PER_COORDINATE = 16


def list_moments(gmap: GaussianMap, advice: str) -> Functionals:
    """The coordinates themselves: first the covariances of pairs of observed places, then the means."""
    size, (first, second), means = len(gmap.observed_places), gmap.pairs, gmap.means
    pairs = len(first)

    def make_vectors(arithmetic: Arithmetic, start: int, stop: int) -> list[Array]:
        """u, v and, if there are means, w, as arrays of observed × functionals."""
        blocks = []
        for places in (first, second):
            block = np.zeros((size, stop - start), dtype=np.int64)
            block[:, : max(0, pairs - start)] = make_unit_vectors(size, places[start:stop])
            blocks.append(block)
        if means:
            block = np.zeros((size, stop - start), dtype=np.int64)
            chosen = np.arange(max(start, pairs), stop)
            block[chosen - pairs, chosen - start] = 1
            blocks.append(block)
        return [arithmetic.elements(block) for block in blocks]

    return Functionals(pairs + means, make_vectors, advice)


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A strongly connected component with its children outside."""

    members: NDArray[np.intp]
    children: NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class StructuralEquations:
    """A Gaussian map that is ready to be evaluated."""

    gmap: GaussianMap
    blocks: tuple[Block, ...]
    tails: Places
    heads: Places
    ends: Places
    """The tail of each edge among the variables that are one."""
    with_edges: NDArray[np.intp]
    """Those variables."""
    first: Places
    """The errors' variances, then each covariance twice: of which error with which."""
    second: Places
    coefficients: Places
    """Which parameter each coefficient is, each entry of Ω in that order, each intercept; fixed and linear ones stand behind all parameters."""
    errors: Places
    intercepts: Places

    @property
    def numbers_per_functional(self) -> int:
        return 12 * (len(self.gmap.model.variables) + len(self.gmap.rows))

    @property
    def largest(self) -> int:
        return max(len(self.gmap.model.variables), len(self.gmap.rows))

    def all_coordinates(self, max_memory: int | None = None, advice: str = OR_PROBES) -> Functionals:
        """Every covariance and every mean."""
        what = f"there are {format_integer(self.gmap.coordinate_count)} covariances and means"
        needed = self.gmap.coordinate_count * BYTES_PER_COORDINATE
        check_memory(needed, max_memory, what, advice)
        return list_moments(self.gmap, advice)

    def random_functionals(self, count: int, prime: int, seed: int | str, *labels: int | str) -> Functionals:
        """As many probes as asked for, drawn from the seed and labels; per probe u, v and, if there are means, w."""
        sizes = [len(self.gmap.observed_places)] * (3 if self.gmap.means else 2)
        return draw_functionals(sizes, count, prime, seed, *labels)

    def at(self, arithmetic: Arithmetic, point: Array) -> FormulaAt:
        tape = Tape(arithmetic, point)
        entries = self.gmap.write_entries(tape)
        coefficients, errors, intercepts = (entries[some] for some in (self.coefficients, self.errors, self.intercepts))
        effects = self.compute_total_effects(arithmetic, coefficients.value[:, 0])
        seen, back = effects[:, self.gmap.observed_places], np.ascontiguousarray(effects[:, self.with_edges].T)

        def solve(right: Array) -> TapeNode:
            """The t with (I − B)t = right, which stands for the observed variables."""

            def differentiate(above: Array) -> Array:
                ends = arithmetic.matmul(back, above)[self.ends.rows]
                return arithmetic.multiply(ends, found.value[self.heads.rows])

            found = tape.step((len(effects),), lambda: arithmetic.matmul(seen, right), (coefficients, differentiate))
            return found

        def write(vectors: Sequence[Array]) -> TapeNode:
            u, v, *w = map(solve, vectors)
            total = (errors * (u[self.first] * v[self.second])).total()
            return total + (intercepts * w[0]).total() if w else total

        return FormulaAt(tape, write)

    def compute_total_effects(self, arithmetic: Arithmetic, coefficients: Array) -> Array:
        """T = (I − B)⁻¹, children first."""
        count = len(self.gmap.model.variables)
        effects = arithmetic.elements(np.eye(count, dtype=np.int64))
        matrix = arithmetic.elements(np.zeros((count, count), dtype=np.int64))
        matrix[self.tails.places, self.heads.places] = coefficients
        for block in reversed(self.blocks):
            members, children = block.members, block.children
            found = effects[members]
            if len(children):
                weights = matrix[np.ix_(members, children)]
                found = arithmetic.add(found, arithmetic.matmul(weights, effects[children]))
            if len(members) > 1:
                found = arithmetic.matmul(invert_block(arithmetic, matrix[np.ix_(members, members)]), found)
            effects[members] = found
        return effects


def invert_block(arithmetic: Arithmetic, coefficients: Array) -> Array:
    """The inverse of I − B on a component."""
    negative = arithmetic.multiply(coefficients, arithmetic.elements(np.array([-1])))
    return invert_matrix(
        arithmetic, arithmetic.add(arithmetic.elements(np.eye(len(coefficients), dtype=np.int64)), negative)
    )


def build_structural_equations(gmap: GaussianMap) -> StructuralEquations:
    """Make a Gaussian map ready to be evaluated."""
    model, every = gmap.model, np.arange(len(gmap.model.variables))
    tails, heads = find_pair_places(gmap, model.edges)
    with_edges, ends = np.unique(tails, return_inverse=True)
    one, other = find_pair_places(gmap, model.bidirected)
    numbers = {kind: [gmap.rows[entry] for entry in model.entries if entry[0] == kind] for kind in "bvcm"}
    return StructuralEquations(
        gmap,
        tuple(list_blocks(gmap)),
        Places(tails),
        Places(heads),
        Places(ends),
        with_edges,
        Places(np.concatenate([every, one, other])),
        Places(np.concatenate([every, other, one])),
        Places(np.array(numbers["b"], dtype=np.intp)),
        Places(np.array(numbers["v"] + 2 * numbers["c"], dtype=np.intp)),
        Places(np.array(numbers["m"], dtype=np.intp)),
    )


def find_pair_places(gmap: GaussianMap, pairs: Sequence[tuple[str, ...]]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The places of the first and of the last variable of each pair."""
    first, last = ([gmap.place[pair[end]] for pair in pairs] for end in (0, -1))
    return np.array(first, dtype=np.intp), np.array(last, dtype=np.intp)


def list_blocks(gmap: GaussianMap) -> list[Block]:
    """The components with their children outside."""
    children: dict[int, list[int]] = {number: [] for number in range(len(gmap.model.variables))}
    for parent, child in gmap.model.edges:
        children[gmap.place[parent]].append(gmap.place[child])
    return [
        Block(
            np.array(members, dtype=np.intp),
            np.array(sorted({end for start in members for end in children[start]} - {*members}), dtype=np.intp),
        )
        for members in gmap.components
    ]


def evaluate_covariance(gmap: GaussianMap, prime: int, point: Array) -> tuple[Array, Array]:
    """Σ and μ of all variables, latent ones included, modulo a prime at a point given by integers.

    The residues are balanced. The means are zero if the model has none. A point without value raises `SingularError`.
    """
    field, equations = Residues(prime), build_structural_equations(gmap)
    tape = Tape(field, field.elements(np.asarray(point)))
    entries = gmap.write_entries(tape).value[:, 0]
    effects = equations.compute_total_effects(field, entries[equations.coefficients.rows])
    errors = np.zeros(effects.shape)
    errors[equations.first.places, equations.second.places] = entries[equations.errors.rows]
    mean = field.matmul(entries[equations.intercepts.rows], effects) if gmap.model.means else np.zeros(len(effects))
    return field.matmul(effects.T, field.matmul(errors, effects)), mean
