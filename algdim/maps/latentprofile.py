"""The map of a mixture of normals: from weights, means, covariances and tables to moments up to an order.

A coordinate is E[∏ X_i^a_i · 1(C = c)], with a of total degree at most the order and c a cell of the categorical items:

    Σ_h  P(H=h) · ∏ P(C_l=c_l|h) · M_a(h),      M_a(h) = E[∏ X_i^a_i | h].

The moments of a normal distribution follow from Isserlis' recursion, M_(b+e_i) = μ_i M_b + Σ_j b_j σ_ij M_(b−e_j), and
their derivatives are moments again:

    by μ_i:  a_i M_(a−e_i),      by σ_ii:  a_i (a_i − 1)/2 · M_(a−2e_i),      by σ_ij:  a_i a_j M_(a−e_i−e_j).

All moments of a normal distribution exist, so the coordinates are functions of the distribution: a rank of their Jacobian
is a lower bound for the dimension of the family of distributions, whatever the order. From above they only bound their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, log2, prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algdim.errors import LimitError
from algdim.exact.arithmetic import RESIDUE_BITS, Arithmetic, Array, prime_field
from algdim.exact.draws import residues, stream
from algdim.exact.primes import draw_prime
from algdim.exact.ranks import rank_mod
from algdim.figures import big, counted
from algdim.maps.functionals import Functionals
from algdim.memory import ALLOW_MORE, OR_PROBES, check_memory
from algdim.models.latentprofile import MOST_ORDER, LatentProfile

MOST_MOMENTS = 50_000
"""Of one map; all of them are evaluated."""

MOST_POWERS = 1 << 24
"""Moments times continuous items: the exponents are held as a matrix."""

MOST_PARAMETERS = 100_000

MOST_SEARCHED = 5000
"""With more parameters no order is searched for."""

BYTES_PER_COORDINATE = 16

LEAST_BLOCK = 1024


@dataclass(frozen=True, slots=True, eq=False)
class Monomials:
    """All products of powers of some items up to an order, by degree; a last row stands for none."""

    powers: NDArray[np.int64]
    """The exponents, monomials × items; the last row is zero."""
    down: NDArray[np.intp]
    """The place of the monomial with one power of an item less; that of the last row where there is none."""
    starts: tuple[int, ...]
    """Where each degree begins, and where the last one ends."""

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.powers) - 1


def monomials(items: int, order: int) -> Monomials:
    """List the monomials.

    >>> monomials(2, 2).powers[:-1].tolist()
    [[0, 0], [1, 0], [0, 1], [2, 0], [1, 1], [0, 2]]
    """
    levels = [list(combinations_with_replacement(range(items), degree)) for degree in range(order + 1)]
    place = {factors: number for number, factors in enumerate(factors for level in levels for factors in level)}
    powers = np.zeros((len(place) + 1, items), dtype=np.int64)
    down = np.full((len(place) + 1, items), len(place), dtype=np.intp)
    for factors, number in place.items():
        for at, item in enumerate(factors):
            powers[number, item] += 1
            down[number, item] = place[factors[:at] + factors[at + 1 :]]
    return Monomials(powers, down, tuple(np.cumsum([0, *map(len, levels)]).tolist()))


@dataclass(frozen=True, eq=False)
class MomentMap:
    """The parameters and coordinates of a latent-profile model.

    Parameters are the weights of all classes but the last, then item by item the means, the variances and the covariances
    by class, then the tables without their last states. Coordinates are ordered by degree, the cell fastest; without
    categorical items the moment 1 is left out.
    """

    model: LatentProfile
    order: int
    parameters: tuple[str, ...]

    functional_degree: ClassVar[int] = 1
    is_polynomial: ClassVar[bool] = True

    @property
    def coordinates_are(self) -> str:
        """What the coordinates are."""
        return f"moments up to order {self.order}"

    @property
    def kept(self) -> NDArray[np.intp]:
        """The moments up to the order; a distribution has infinitely many."""
        return np.arange(self.coordinate_count)

    @property
    def cells(self) -> int:
        """The number of cells of the categorical items; 1 without them."""
        return cells_of(self.model)

    @property
    def first(self) -> int:
        """The number of moments that are constant and left out."""
        return int(not self.model.categorical)

    @property
    def coordinate_count(self) -> int:
        """The number of moments."""
        return moment_count(self.model, self.order)

    @property
    def complete(self) -> int:
        """The dimension of all moments up to the order of all distributions: the probabilities of the cells sum to 1."""
        return self.coordinate_count + self.first - 1

    @cached_property
    def monomials(self) -> Monomials:
        """The products of powers of the continuous items."""
        return monomials(len(self.model.continuous), self.order)

    @cached_property
    def states(self) -> NDArray[np.intp]:
        """The states of the categorical items in each cell, cells × items."""
        sizes = tuple(item.states or 0 for item in self.model.categorical)
        if not sizes:
            return np.zeros((1, 0), dtype=np.intp)
        return np.stack(np.unravel_index(np.arange(self.cells), sizes), axis=1)

    def coordinates(self) -> list[str]:
        """The names of all moments."""
        continuous = [item.name for item in self.model.continuous]
        categorical = [item.name for item in self.model.categorical]
        names = []
        for powers in self.monomials.powers[:-1].tolist():
            factors = [
                name if power == 1 else f"{name}^{power}"
                for name, power in zip(continuous, powers, strict=True)
                if power
            ]
            for states in self.states.tolist():
                cell = ",".join(f"{name}={state}" for name, state in zip(categorical, states, strict=True))
                names.append(f"E({'·'.join([*factors, f'1({cell})'] if cell else factors)})")
        return names[self.first :]

    def denominators(self) -> list[int]:
        """There are no fixed numbers."""
        return []

    def degree_and_log_size(self) -> tuple[int, float]:
        """The degree of the coordinates and log₂ of the sum of their absolute coefficients.

        With 1 for every mean, variance and covariance a moment of degree n is at most E(1 + Z)^n, Z standard normal: 1, 1,
        2, 4, 10, … The last weight, and the last entry of each table's row, is 1 minus the others.
        """
        model = self.model
        sums = [1, 1]
        while len(sums) <= self.order:
            sums.append(sums[-1] + (len(sums) - 1) * sums[-2])
        size = (2 * model.classes - 1) * prod(item.states or 1 for item in model.categorical) * sums[self.order]
        return self.order + len(model.categorical) + (model.classes > 1), log2(size)

    def share_with_value(self, choices: int) -> float:
        """All points have a value."""
        del choices
        return 1.0


def cells_of(model: LatentProfile) -> int:
    """The number of cells of the categorical items."""
    return prod(item.states or 1 for item in model.categorical)


def moment_count(model: LatentProfile, order: int) -> int:
    """The number of moments up to an order that are coordinates.

    >>> from algdim.models.latentprofile import ProfileVariable
    >>> moment_count(LatentProfile("H", 2, (ProfileVariable("X"), ProfileVariable("Y"))), 3)
    9
    """
    items = len(model.continuous)
    return cells_of(model) * comb(items + order, order) - (not model.categorical)


def parameter_count(model: LatentProfile) -> int:
    """The number of parameters: weights, means, matrices, tables."""
    items, classes = len(model.continuous), model.classes
    matrix = comb(items + 1, 2) if model.full else items
    tables = sum((item.states or 1) - 1 for item in model.categorical)
    return classes - 1 + classes * (items + tables) + matrix * (1 if model.equal else classes)


def parameters_of(model: LatentProfile) -> tuple[str, ...]:
    """The names of the parameters, in order."""
    label, classes = model.label, range(model.classes)
    names = [item.name for item in model.continuous]
    matrix = [f"v({name}" for name in names]
    if model.full:
        matrix += [f"c({one}<->{other}" for one, other in combinations(names, 2)]
    ends = [")"] if model.equal else [f"|{label}={number})" for number in classes]
    return (
        *(f"P({label}={number})" for number in classes[:-1]),
        *(f"m({name}|{label}={number})" for name in names for number in classes),
        *(f"{entry}{end}" for entry in matrix for end in ends),
        *(
            f"P({item.name}={state}|{label}={number})"
            for item in model.categorical
            for number in classes
            for state in range((item.states or 1) - 1)
        ),
    )


def moment_map(model: LatentProfile) -> MomentMap:
    """The map of a model to its moments up to the order that it states, or else that is found.

    >>> from algdim.models.latentprofile import ProfileVariable
    >>> found = moment_map(LatentProfile("H", 2, (ProfileVariable("X"),)))
    >>> found.parameters
    ('P(H=0)', 'm(X|H=0)', 'm(X|H=1)', 'v(X|H=0)', 'v(X|H=1)')
    >>> found.order
    5
    """
    count = parameter_count(model)
    if count > MOST_PARAMETERS:
        raise LimitError(f"the model has {big(count)} parameters; at most {MOST_PARAMETERS} are allowed")
    if model.order is not None:
        check_moments(model, model.order)
        return MomentMap(model, model.order, parameters_of(model))
    return least_order(model)


def too_many(model: LatentProfile, order: int) -> str:
    """Why there are too many moments up to an order; nothing if there are not."""
    count, items = moment_count(model, order), len(model.continuous)
    if count > MOST_MOMENTS or comb(items + order, order) * items > MOST_POWERS:
        return (
            f"there are {big(count)} moments of {counted(items, 'continuous item')} up to order {order}; at most "
            f"{MOST_MOMENTS} moments are allowed, and {MOST_POWERS} exponents"
        )
    return ""


def check_moments(model: LatentProfile, order: int) -> None:
    """Refuse too many moments."""
    reason = too_many(model, order)
    if reason:
        raise LimitError(f"{reason}; take a smaller order or a smaller model")


def least_order(model: LatentProfile) -> MomentMap:
    """The map to the moments up to the least order at which they have, at a drawn point, the rank of all parameters.

    Prime and point are always the same ones, so that the order belongs to the model and not to a seed.
    """
    check_moments(model, 1)
    parameters = parameters_of(model)
    shown = counted(len(parameters), "parameter")
    if len(parameters) > MOST_SEARCHED:
        raise LimitError(
            f"the model has {shown}; with more than {MOST_SEARCHED} no order of moments is searched for; "
            "state one, as in 'moments 3', to have the dimension of these moments"
        )
    prime = draw_prime(stream(0, "order", "prime"), RESIDUE_BITS)
    point = residues(stream(0, "order", "point"), prime, len(parameters))
    order, reason = 0, ""
    while not reason:
        order += 1
        candidate = MomentMap(model, order, parameters)
        if candidate.complete >= len(parameters) and has_full_rank(candidate, prime, point):
            return candidate
        reason = too_many(model, order + 1) if order < MOST_ORDER else f"at most order {MOST_ORDER} is allowed"
    raise LimitError(
        f"the moments up to order {order} do not show all {shown}, and {reason}; "
        f"state an order, as in 'moments {order}', to have the dimension of these moments"
    )


def has_full_rank(pmap: MomentMap, prime: int, point: Array) -> bool:
    """Whether the Jacobian at a point has as many independent rows as there are parameters, some rows at a time."""
    arithmetic, width = prime_field(prime), len(pmap.parameters)
    at_point = Moments(pmap).at(arithmetic, arithmetic.elements(point))
    basis = arithmetic.elements(np.zeros((0, width), dtype=np.int64))
    block = max(2 * width, LEAST_BLOCK)
    for start in range(0, pmap.coordinate_count, block):
        stop = min(start + block, pmap.coordinate_count)
        rows = arithmetic.elements(np.zeros((stop - start, width), dtype=np.int64))
        at_point.derivatives([np.arange(start, stop)], rows)
        matrix = np.vstack([basis, rows])
        rank = rank_mod(matrix, prime)
        if rank.value == width:
            return True
        basis = matrix[list(rank.rows)]
    return False


@dataclass(frozen=True, slots=True, eq=False)
class AllMoments:
    """The moments themselves."""

    count: int
    advice: str = ALLOW_MORE

    def vectors(self, arithmetic: Arithmetic, start: int, stop: int) -> list[Array]:  # noqa: ARG002 (as of all functionals)
        """The places of the moments."""
        return [np.arange(start, stop)]


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
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
        check_memory(count * BYTES_PER_COORDINATE, max_memory, f"there are {counted(count, 'moment')}", advice)
        return AllMoments(count)

    def at(self, arithmetic: Arithmetic, point: Array) -> MomentsAt:
        """Prepare for one point."""
        pmap, model = self.pmap, self.pmap.model
        layout = Layout(model)
        minus, one = arithmetic.elements(np.array([-1])), arithmetic.elements(np.array([1]))

        def closed(free: Array) -> Array:
            """Rows of probabilities, and a last one that is 1 minus the others."""
            if not len(free):
                return np.broadcast_to(one, (1, *free.shape[1:]))
            total = arithmetic.segment_sums(free, np.zeros(1, dtype=np.intp))
            return np.concatenate([free, arithmetic.add(one, arithmetic.multiply(minus, total))])

        weights = closed(point[layout.weights][:, None])[:, 0]
        tables = [closed(point[places].T) for places in layout.tables]
        moments = normal_moments(arithmetic, pmap.monomials, point[layout.means], matrix_at(model, layout, point))
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


def matrix_at(model: LatentProfile, layout: Layout, point: Array) -> Matrix:
    """The covariance matrices of the classes at a point."""
    items, classes = len(model.continuous), model.classes
    found = {(item, item): point[layout.variances[item]] for item in range(items)}
    if model.full:
        for number, (one, other) in enumerate(combinations(range(items), 2)):
            found[one, other] = found[other, one] = point[layout.pairs[number]]
    return {pair: np.broadcast_to(values, (classes,)) for pair, values in found.items()}


def normal_moments(arithmetic: Arithmetic, listed: Monomials, means: Array, matrix: Matrix) -> Array:
    """The moments of normal distributions, monomials × classes, and a last row of zeros; degree by degree."""
    items, classes = means.shape
    zero, one = arithmetic.elements(np.array([0])), arithmetic.elements(np.array([1]))
    result = np.empty((listed.count + 1, classes), dtype=means.dtype)
    result[:] = zero
    result[0] = one
    leading = np.argmax(listed.powers > 0, axis=1)
    for start, stop in zip(listed.starts[1:-1], listed.starts[2:], strict=True):
        # the leading item of the monomials of one degree only grows, so each item's are a run
        for item, run in runs(leading[start:stop], start):
            below = listed.down[run, item]
            found = arithmetic.multiply(means[item], result[below])
            for other in range(items):
                power = listed.powers[below, other]
                if (item, other) in matrix and power.any():
                    factor = arithmetic.multiply(arithmetic.elements(power)[:, None], matrix[item, other])
                    found = arithmetic.add(found, arithmetic.multiply(factor, result[listed.down[below, other]]))
            result[run] = found
    return result


def runs(leading: NDArray[np.intp], start: int) -> list[tuple[int, slice]]:
    """The runs of equal numbers, with their places."""
    edges = np.flatnonzero(np.r_[True, leading[1:] != leading[:-1], True]).tolist()
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
        monomial, cell = self.placed(vectors[0])
        return self.sums(self.times(self.weights, self.cell_chances(cell), self.moments[monomial]))

    def derivatives(self, vectors: Sequence[Array], into: Array) -> None:
        """Write the derivatives of a batch of functionals into the rows of a matrix of zeros."""
        elements, listed = self.arithmetic.elements, self.pmap.monomials
        monomial, cell = self.placed(vectors[0])
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

    def placed(self, places: Array) -> tuple[Array, Array]:
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


def moments_of(pmap: Any) -> Moments:
    """Make a moment map ready to be evaluated."""
    return Moments(pmap)
