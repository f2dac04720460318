"""The map of a linear Gaussian model: from coefficients, variances, covariances, intercepts to Σ and μ of the observed.

With X = BᵀX + m + ε, b_ij the coefficient of the edge i → j and Ω the covariance of the errors, and T = (I − B)⁻¹:

    Σ = Tᵀ Ω T,   μ = Tᵀ m   (GHM96 §7; the entries are the sums over treks).

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
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import inf, log2
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algdim.errors import LimitError
from algdim.exact.arithmetic import Arithmetic, Array, prime_field
from algdim.exact.draws import residues, stream
from algdim.exact.inverses import inverse
from algdim.figures import big
from algdim.maps.functionals import Functionals, unit_vectors
from algdim.memory import ALLOW_MORE, OR_PROBES, check_memory
from algdim.models.gaussian import Entry, Gaussian, entry_text
from algdim.models.gaussiancycles import model_components

MOST_VARIABLES = 5000
"""Of a model: its coefficients are held as a matrix."""

BYTES_PER_COORDINATE = 16


@dataclass(frozen=True, eq=False)
class GaussianMap:
    """The parameters and coordinates of a Gaussian model.

    Coordinates are the covariances of the observed variables, the upper triangle row by row, then their means.
    """

    model: Gaussian
    parameters: tuple[str, ...]
    number_of: Mapping[Entry, int]
    """The parameter that an entry is; fixed entries are none."""
    value_of: Mapping[Entry, Fraction]
    """The values of the fixed entries."""
    components: tuple[tuple[int, ...], ...]
    """The strongly connected components of the directed part, by the variables' places, parents first."""

    kept: ClassVar[None] = None
    given: ClassVar[tuple[int, ...]] = ()
    coordinates_are: ClassVar[str] = "coordinates"
    functional_degree: ClassVar[int] = 2

    @cached_property
    def place(self) -> dict[str, int]:
        """The place of each variable."""
        return {variable.name: number for number, variable in enumerate(self.model.variables)}

    @cached_property
    def observed(self) -> tuple[int, ...]:
        """The places of the observed variables."""
        return tuple(number for number, variable in enumerate(self.model.variables) if variable.observed)

    @property
    def covariances(self) -> int:
        """The number of observed variances and covariances."""
        count = len(self.observed)
        return count * (count + 1) // 2

    @property
    def means(self) -> int:
        """The number of observed means that are coordinates."""
        return len(self.observed) if self.model.means else 0

    @property
    def coordinate_count(self) -> int:
        """The number of coordinates."""
        return self.covariances + self.means

    @property
    def complete(self) -> int:
        """The dimension of the saturated model: every covariance matrix and every mean."""
        return self.coordinate_count

    @property
    def is_polynomial(self) -> bool:
        """Whether there is no directed cycle; otherwise coordinates are quotients of polynomials."""
        return all(len(component) == 1 for component in self.components)

    def coordinates(self) -> list[str]:
        """The names of all coordinates."""
        names = [variable.name for variable in self.model.observed]
        pairs = [f"cov({one},{other})" for number, one in enumerate(names) for other in names[number:]]
        return pairs + [f"mean({name})" for name in names[: self.means]]

    def denominators(self) -> list[int]:
        """The denominators of the fixed entries."""
        return [value.denominator for value in self.value_of.values()]

    def entry_values(self, arithmetic: Arithmetic, point: Array, entries: Sequence[Entry]) -> Array:
        """The values of entries at a point."""
        fixed = list(self.value_of)
        place = {entry: len(self.parameters) + number for number, entry in enumerate(fixed)}
        numbers = [self.number_of[entry] if entry in self.number_of else place[entry] for entry in entries]
        values = np.empty(len(fixed), dtype=object)
        values[:] = [self.value_of[entry] for entry in fixed]
        together = np.concatenate([point, arithmetic.elements(values)]) if fixed else point
        return together[np.array(numbers, dtype=np.intp)]

    def degree_and_log_size(self) -> tuple[int, float]:
        """The degree of the coordinates and log₂ of the sum of their absolute coefficients, denominators cleared.

        With cycles these are the numbers to be put in their places in lemma "chance", see `rational_size`.
        """
        return polynomial_size(self) if self.is_polynomial else rational_size(self)

    def share_with_value(self, choices: int) -> float:
        """At least this share of the points, each coordinate uniform among so many values, have an invertible I − B.

        det(I − B) is a polynomial whose degree is at most the number of variables on cycles, and not zero, for at zero it
        is 1 (if no coefficient on a cycle is fixed; otherwise `rational_size` says that nothing is claimed).
        """
        return max(0.0, 1 - sum(len(members) for members in self.components if len(members) > 1) / choices)


def gaussian_map(model: Gaussian) -> GaussianMap:
    """Number the parameters of a model: its entries in order, fixed ones left out, equal ones once under their name.

    >>> from algdim.models.gaussian import GaussianVariable
    >>> gaussian_map(Gaussian((GaussianVariable("A"), GaussianVariable("B")), (("A", "B"),))).parameters
    ('b(A->B)', 'v(A)', 'v(B)', 'm(A)', 'm(B)')
    """
    if len(model.variables) > MOST_VARIABLES:
        raise LimitError(f"the model has {len(model.variables)} variables; at most {MOST_VARIABLES} are allowed")
    fixed, labels = dict(model.fixed), dict(model.equal)
    numbers: dict[str, int] = {}
    number_of = {
        # an entry's text holds parentheses, a label does not: they cannot be taken for one another
        entry: numbers.setdefault(labels.get(entry) or entry_text(entry), len(numbers))
        for entry in model.entries
        if entry not in fixed
    }
    place = {variable.name: number for number, variable in enumerate(model.variables)}
    components = tuple(tuple(place[name] for name in members) for members in model_components(model))
    return GaussianMap(model, tuple(numbers), number_of, fixed, components)


def polynomial_size(gmap: GaussianMap) -> tuple[int, float]:
    """Degree and log₂ size without cycles.

    Put 1 for every free entry and |value| for every fixed one. The paths into j then sum to s_j = 1 + Σ_i |b_ij| s_i, and
    Σ_kl T_ki |ω_kl| T_lj ≤ w s_i s_j, Σ_k T_ki |m_k| ≤ w s_i, with w the greatest of 1 and of the numbers put for ω and m.
    A trek has each coefficient at most twice, one entry of Ω, and at most twice as many coefficients as the longest path.
    """
    model = gmap.model
    size = {entry: abs(gmap.value_of.get(entry, Fraction(1))) for entry in model.entries}
    into: dict[str, list[tuple[str, Fraction]]] = {variable.name: [] for variable in model.variables}
    for parent, child in model.edges:
        into[child].append((parent, size["b", parent, child]))
    sums: dict[str, Fraction] = {}
    longest: dict[str, int] = {}
    for (number,) in gmap.components:
        name = model.variables[number].name
        sums[name] = 1 + sum((weight * sums[parent] for parent, weight in into[name]), Fraction(0))
        longest[name] = max((1 + longest[parent] for parent, weight in into[name] if weight), default=0)
    names = [variable.name for variable in model.observed]
    greatest = max([Fraction(1), *(value for entry, value in size.items() if entry[0] != "b")])
    cleared = sum(log2(value.denominator) * (2 if entry[0] == "b" else 1) for entry, value in gmap.value_of.items())
    log_size = log_of(greatest) + 2 * max(log_of(sums[name]) for name in names) + cleared
    return 2 * max(longest[name] for name in names) + 1, log_size


def rational_size(gmap: GaussianMap) -> tuple[int, float]:
    """What lemma "chance" needs where there are cycles, in the places of degree and log₂ size.

    With n variables and D = det(I − B), D·T is the adjugate. A minor of I − B is a signed sum of products of entries
    from different rows, so the sums of absolute coefficients of D and of every entry of the adjugate are at most
    R = ∏_i (1 + Σ_j |b_ij|). Hence D²Σ_ij has size at most R² Σ_kl |ω_kl| and degree at most 2(n − 1) + 1, D²μ_i size
    R² Σ_k |m_k|, D² size R² and degree at most 2n. The lemma takes 2δ − 1 for δ − 1 and 2δ H_N H_D for δH: the same as
    taking 2δ for the degree and H_N H_D for the size. With a fixed coefficient on a cycle nothing is claimed, because
    I − B may then be singular at every point modulo some primes.
    """
    model = gmap.model
    block = {number: at for at, members in enumerate(gmap.components) for number in members}
    for entry, value in gmap.value_of.items():
        if entry[0] == "b" and value and block[gmap.place[entry[1]]] == block[gmap.place[entry[2]]]:
            return 4 * len(model.variables), inf
    size = {entry: abs(gmap.value_of.get(entry, Fraction(1))) for entry in model.entries}
    rows = {variable.name: Fraction(1) for variable in model.variables}
    for entry, value in size.items():
        if entry[0] == "b":
            rows[entry[1]] += value
    errors = sum(
        (value * (2 if entry[0] == "c" else 1) for entry, value in size.items() if entry[0] in "vc"), Fraction(0)
    )
    intercepts = sum((value for entry, value in size.items() if entry[0] == "m"), Fraction(0))
    # numerator and denominator have R² each; every fixed entry is cleared as often as it can occur in either
    twice = 4 * sum(log_of(value) for value in rows.values())
    cleared = sum(4 * log2(value.denominator) for value in gmap.value_of.values())
    return 4 * len(model.variables), twice + log_of(max(errors, intercepts, Fraction(1))) + cleared


def log_of(value: Fraction) -> float:
    """log₂ of a positive fraction of any size."""
    return log2(value.numerator) - log2(value.denominator)


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
            block[:, : max(0, pairs - start)] = unit_vectors(self.size, places[start:stop])
            blocks.append(block)
        if self.means:
            block = np.zeros((self.size, stop - start), dtype=np.int64)
            chosen = np.arange(max(start, pairs), stop)
            block[chosen - pairs, chosen - start] = 1
            blocks.append(block)
        return [arithmetic.elements(block) for block in blocks]


@dataclass(frozen=True, slots=True, eq=False)
class RandomFunctionals:
    """Random uᵀΣv + wᵀμ; a row of numbers holds u, v and, if there are means, w."""

    size: int
    count: int
    numbers: Array
    advice: str = ALLOW_MORE

    def vectors(self, arithmetic: Arithmetic, start: int, stop: int) -> list[Array]:
        """The drawn vectors."""
        block = self.numbers[start:stop]
        bounds = range(0, block.shape[1] + 1, self.size)
        return [arithmetic.elements(np.ascontiguousarray(block[:, a:b].T)) for a, b in pairwise(bounds)]


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
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
    free: Mapping[str, Entries]
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
        what = f"there are {big(self.gmap.coordinate_count)} covariances and means"
        needed = self.gmap.coordinate_count * BYTES_PER_COORDINATE
        check_memory(needed, max_memory, what, advice)
        first, second = np.triu_indices(count)
        return UnitFunctionals(count, first, second, self.gmap.means, advice)

    def random_functionals(self, count: int, prime: int, seed: int | str, *labels: int | str) -> Functionals:
        """As many probes as asked for, drawn from the seed and labels; per probe u, v and, if there are means, w."""
        size = len(self.gmap.observed)
        width = size * (3 if self.gmap.means else 2)
        numbers = residues(stream(seed, "probes", *labels), prime, count * width).reshape(count, width)
        return RandomFunctionals(size, count, numbers)

    def at(self, arithmetic: Arithmetic, point: Array) -> EquationsAt:
        """Prepare for one point."""
        system = system_at(self, arithmetic, point)
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


def system_at(equations: StructuralEquations, arithmetic: Arithmetic, point: Array) -> System:
    """B, Ω and m at a point."""
    gmap, model = equations.gmap, equations.gmap.model
    count = len(model.variables)

    def values(kind: str) -> Array:
        return gmap.entry_values(arithmetic, point, [entry for entry in model.entries if entry[0] == kind])

    zero = arithmetic.elements(np.zeros(1, dtype=np.int64))
    coefficients = np.empty((count, count), dtype=zero.dtype)
    coefficients[:] = zero
    tails, heads = places(gmap, model.edges)
    coefficients[tails, heads] = values("b")
    return System(
        arithmetic,
        equations.blocks,
        coefficients,
        tuple(block_inverse(arithmetic, coefficients, block.members) for block in equations.blocks),
        values("v"),
        places(gmap, model.bidirected),
        values("c"),
        values("m") if model.means else np.repeat(zero, count),
    )


def block_inverse(arithmetic: Arithmetic, coefficients: Array, members: NDArray[np.intp]) -> Array | None:
    """The inverse of I − B on a component; ``None`` stands for that of a single variable, which is 1."""
    if len(members) == 1:
        return None
    minus_one = arithmetic.elements(np.array([-1]))
    negative = arithmetic.multiply(coefficients[np.ix_(members, members)], minus_one)
    return inverse(arithmetic, arithmetic.add(arithmetic.elements(np.eye(len(members), dtype=np.int64)), negative))


def places(gmap: GaussianMap, pairs: Sequence[tuple[str, ...]]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
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
        elif not np.array_equal(order, np.arange(len(order))):
            block = block[order]
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


def structural_equations(gmap: GaussianMap) -> StructuralEquations:
    """Make a Gaussian map ready to be evaluated."""
    free = [entry for entry in gmap.model.entries if entry in gmap.number_of]
    numbers = np.array([gmap.number_of[entry] for entry in free], dtype=np.intp)
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    return StructuralEquations(
        gmap,
        tuple(blocks_of(gmap)),
        {kind: Entries(*places(gmap, [entry[1:] for entry in free if entry[0] == kind])) for kind in "bvcm"},
        order,
        np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if len(ordered) else ordered,
    )


def blocks_of(gmap: GaussianMap) -> list[Block]:
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


def covariance_at(gmap: GaussianMap, prime: int, point: Array) -> tuple[Array, Array]:
    """Σ and μ of all variables, latent ones included, modulo a prime at a point given by integers.

    The residues are those of `prime_field(prime)`: balanced float64 below 2^23, otherwise int64. The means are zero if
    the model has none. A point without value raises `SingularError`.
    """
    arithmetic = prime_field(prime)
    system = system_at(structural_equations(gmap), arithmetic, arithmetic.elements(np.asarray(point)))
    paths = system.solve(arithmetic.elements(np.eye(len(gmap.model.variables), dtype=np.int64)))
    mean = system.solve_transposed(system.intercepts[:, None])[:, 0]
    return system.solve_transposed(system.times_errors(paths)), mean


def point_of(gmap: GaussianMap, values: Mapping[Entry, Any]) -> list[Any]:
    """The parameters of which the entries have these values; equal entries are taken at their first."""
    found: dict[int, Any] = {}
    for entry, number in gmap.number_of.items():
        found.setdefault(number, values[entry])
    return [found[number] for number in range(len(gmap.parameters))]
