"""Polynomial fields along which no coordinate changes, found by interpolation, for small maps (lemma "symmetry").

A vector of the kernel of the Jacobian that is 1 at one parameter and 0 at others has quotients of polynomials as entries. On a
line they are quotients of polynomials in one variable, read off from a few points modulo a prime; cleared of their denominators
they tell the degree of each entry, and along the axes its degree in each parameter. The coefficients of polynomials of these
degrees follow by linear algebra from the kernel at random points, and are read as rational numbers. Only what the Jacobian
turns to zero, multiplied out over the rational numbers, is used: no step before that has to be right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import UPPER, Bound, prove_bound
from algdim.errors import LimitError
from algdim.exact.arithmetic import Residues
from algdim.exact.draws import draw_integers, draw_residues, open_stream
from algdim.exact.flint import find_pivots, reduce_residues
from algdim.exact.polynomials import make_polynomials
from algdim.exact.ranks import compute_kernel, rank_mod
from algdim.exact.rationals import find_small_fraction
from algdim.figures import format_count
from algdim.jacobian import compute_symbolic_jacobian, evaluate_jacobian, make_evaluator
from algdim.limits import check_time
from algdim.maps import Map

KIND = "symbolic"
"""The search that this is a part of."""
PRIME = 8388593
"""The largest below 2^23; any would do."""
MOST_UNKNOWNS = 800
"""Coefficients that are found together."""
MOST_MONOMIALS = 1000
"""Of one entry, among which are its terms."""
MOST_PARAMETERS = 30
MOST_ENTRIES = 2000
"""Of the Jacobian."""
MOST_TERMS = 1 << 21
"""Of the polynomials of a Jacobian, in all."""
MOST_PRODUCTS = 1 << 21
"""Of terms, in one row of a Jacobian and a field: each takes some hundred bytes."""
ORDERS = 8
"""Orders of the parameters; each has other normalised vectors."""
LINE_POINTS, AXIS_POINTS = 28, 14
"""More than twice the degrees that are found."""
SPARE = 12
MOST_TRIED = 24
"""Normalised vectors that are interpolated."""

Residue = NDArray[np.int64]
PolynomialTerms = Mapping[int, Sequence[tuple[tuple[int, ...], Fraction]]]
"""Of each parameter that moves the powers of its derivative's terms, with their coefficients."""


class Vector(NamedTuple):
    """A normalised vector of the kernel: the order of the parameters, the place of the 1 in it, and where it is not zero."""

    order: tuple[int, ...]
    free: int
    support: tuple[int, ...]
    """Parameters, the one with the 1 first."""
    degrees: tuple[int, ...]
    """Of the entries, cleared of denominators."""


class Sampled(Protocol):
    """What the entries of normalised vectors are taken from."""

    @property
    def count(self) -> int:
        """How many coordinates a point has."""

    @property
    def field(self) -> Residues:
        """The arithmetic of the points."""

    @property
    def base(self) -> Residue:
        """A point."""

    def draw(self, *labels: str | int) -> Residue:
        """A random point."""

    def entries(self, vector: Vector, point: Residue) -> list[int] | None:
        """The entries of a vector at a point, on its support; nothing where the point is special."""


class ReducedJacobians:
    """Jacobians at points modulo a prime, each made once, and their reduced forms."""

    def __init__(self, pmap: Map) -> None:
        self.pmap, self.evaluator, self.count = pmap, make_evaluator(pmap), len(pmap.parameters)
        self.field = Residues(PRIME)
        self.base, self.line = (self.draw("base"), self.draw("line"))
        self.known: dict[bytes, Residue] = {}

    def draw(self, *labels: str | int) -> Residue:
        """A random point."""
        return draw_residues(open_stream(0, "interpolation", *labels), PRIME, self.count)

    def jacobian(self, point: Residue) -> Residue:
        """The Jacobian at a point."""
        key = point.tobytes()
        if key not in self.known:
            check_time()
            at = self.field.elements(point)
            found = evaluate_jacobian(
                self.pmap, self.field, at, self.evaluator.all_coordinates(), evaluator=self.evaluator
            )
            self.known[key] = np.remainder(found, PRIME).astype(np.int64)
        return self.known[key]

    def reduce(self, point: Residue, order: Sequence[int]) -> tuple[tuple[int, ...], Residue]:
        """The pivots of the reduced form with the columns in an order, and its rows."""
        rank, reduced = reduce_residues(self.jacobian(point)[:, order], PRIME)
        return find_pivots(rank, reduced), reduced[:rank]

    def entries(self, vector: Vector, point: Residue) -> list[int] | None:
        """The entries of a vector at a point, on its support; nothing where the point is special."""
        pivots, rows = self.reduce(point, vector.order)
        if vector.free in pivots:
            return None
        at = {vector.order[pivot]: -int(row[vector.free]) % PRIME for pivot, row in zip(pivots, rows, strict=True)}
        return [1, *(at.get(parameter, 0) for parameter in vector.support[1:])]


def bound_by_interpolation(pmap: Map, value: int) -> Bound | None:
    """The number of parameters less that of independent polynomial fields, if that meets a rank; nothing for larger maps."""
    count, entries = pmap.parameter_count, pmap.parameter_count * pmap.coordinate_count
    if (
        count > MOST_PARAMETERS
        or entries > MOST_ENTRIES
        or not value < count
        or not getattr(pmap, "is_polynomial", True)
    ):
        return None
    try:
        fields = find_fields(pmap, count - value)
    except LimitError:  # the Jacobian is too large to be multiplied out
        return None
    if len(fields) < count - value:
        return None
    degree = max(sum(powers) for one in fields for terms in one.values() for powers, _ in terms)
    what = f"{format_count(len(fields), 'field')} of polynomials of degree at most {degree}, found by interpolation, along which no coordinate changes"
    listed = [
        {
            str(parameter): [[list(powers), str(coefficient)] for powers, coefficient in terms]
            for parameter, terms in one.items()
        }
        for one in fields
    ]
    evidence = {"type": "interpolated fields", "fields": listed}
    return prove_bound(value, UPPER, KIND, f"{count} − {len(fields)}; {what}", "symmetry", evidence=evidence)


def find_fields(pmap: Map, wanted: int) -> list[PolynomialTerms]:
    """Polynomial fields with a Jacobian of zero along them, independent at a point, at most as many as wanted."""
    points = ReducedJacobians(pmap)
    jacobian: Any = None
    found: list[PolynomialTerms] = []
    values: list[Residue] = []
    tried = 0
    for vector in sorted(iterate_vectors(points), key=lambda one: (sum(one.degrees), one.support)):
        entries = points.entries(vector, points.base)
        if entries is None:
            continue
        value = np.zeros(points.count, dtype=np.int64)
        value[list(vector.support)] = entries
        if rank_mod(np.array([*values, value]), PRIME).value == len(values):
            continue
        tried += 1
        terms = interpolate(points, vector)
        if terms is not None:
            if jacobian is None:
                jacobian = compute_symbolic_jacobian(pmap, points.evaluator, 1 << 60, most_in_all=MOST_TERMS)
            # what counts is the rank of the fields that are verified, not of the vectors that they were made from
            at = evaluate_field(terms, points.base)
            if is_tangent(jacobian, terms, points.count) and rank_mod(np.array([*values, at]), PRIME).value > len(
                values
            ):
                found.append(terms)
                values.append(at)
        if len(found) == wanted or tried == MOST_TRIED:
            break
    return found


def iterate_vectors(points: ReducedJacobians) -> Iterator[Vector]:
    """Normalised vectors of the kernel, for several orders of the parameters, with the degrees that they have on a line."""
    places = [(points.base + step * points.line) % PRIME for step in range(LINE_POINTS)]
    for number in range(ORDERS):
        draws = draw_integers(open_stream(0, "interpolation", "order", number), 0, 1 << 40, points.count)
        order = tuple(sorted(range(points.count), key=lambda place: (draws[place], place)))
        reduced = [points.reduce(place, order) for place in places]
        pivots = reduced[0][0]
        if any(other != pivots for other, _ in reduced):
            continue
        for free in sorted(set(range(points.count)) - set(pivots)):
            table = np.array([rows[:, free] for _, rows in reduced])
            moved = [place for place in range(len(pivots)) if table[:, place].any()]
            degrees = find_degrees(table[:, moved])
            if degrees is not None:
                support = (order[free], *(order[pivots[place]] for place in moved))
                yield Vector(order, free, support, degrees)


def find_degrees(values: Residue) -> tuple[int, ...] | None:
    """The degrees of 1 and of quotients of polynomials, given at 0, 1, 2, …, cleared of their common denominator."""
    from flint import nmod_poly

    if not values.shape[1]:
        return (0,)
    quotients = [read_quotient(column.tolist()) for column in values.T]
    common = nmod_poly([1], PRIME)
    for quotient in quotients:
        if quotient is None:
            return None
        common = common * (quotient[1] // common.gcd(quotient[1]))
    least = int(common.degree())
    return (least, *(int(max(top.degree(), 0)) + least - int(bottom.degree()) for top, bottom in quotients))  # type: ignore[misc]


def read_quotient(values: Sequence[int]) -> tuple[Any, Any] | None:
    """The quotient of polynomials of the least degrees with values at 0, 1, 2, …; nothing if it has as many coefficients as values."""
    from flint import nmod_poly

    known, modulus = nmod_poly([0], PRIME), nmod_poly([1], PRIME)
    for place, value in enumerate(values):
        step = (value - int(known(place))) * pow(int(modulus(place)), -1, PRIME) % PRIME
        known, modulus = known + modulus * step, modulus * nmod_poly([-place % PRIME, 1], PRIME)
    above, below = (modulus, known), (nmod_poly([0], PRIME), nmod_poly([1], PRIME))
    best: tuple[int, Any, Any] | None = None
    while True:
        size = max(int(above[1].degree()), 0) + int(below[1].degree())
        if best is None or size < best[0]:
            best = (size, above[1], below[1])
        if above[1].degree() < 0:
            break
        quotient = above[0] // above[1]
        above = (above[1], above[0] - quotient * above[1])
        below = (below[1], below[0] - quotient * below[1])
    return best[1:] if best[0] < len(values) - 3 else None


def interpolate(points: Sampled, vector: Vector) -> PolynomialTerms | None:
    """The polynomials of a vector, cleared of denominators; nothing if they have too many terms or cannot be read.

    The entries with the fewest terms are found together, until only one solution is left; the others follow one by one.
    """
    if len(vector.support) == 1:  # nothing depends on the parameter
        return {vector.support[0]: [((0,) * points.count, Fraction(1))]}
    boxes = find_boxes(points, vector)
    if boxes is None:
        return None
    exponents: list[Residue] = []
    for box, degree in zip(boxes, vector.degrees, strict=True):
        powers = list_powers(box, degree)
        if powers is None:
            return None
        exponents.append(np.array(powers, dtype=np.int64).reshape(len(powers), points.count))
    order = sorted(range(len(exponents)), key=lambda place: len(exponents[place]))
    first, *others = order
    samples = EntrySamples(points, vector)
    for together in range(1, len(order)):
        chosen = order[: together + 1]
        sizes = [len(exponents[place]) for place in chosen]
        starts = np.cumsum([0, *sizes])
        if starts[-1] > MOST_UNKNOWNS:
            return None
        entries, at = samples.take(-(-int(starts[-1]) // together) + SPARE)
        monomials = [evaluate_monomials(exponents[place], at) for place in chosen]
        system = np.zeros((together * len(at), starts[-1]), dtype=np.int64)
        for number in range(1, together + 1):
            rows = slice((number - 1) * len(at), number * len(at))
            system[rows, : starts[1]] = -entries[:, [chosen[number]]] * monomials[0] % PRIME
            system[rows, starts[number] : starts[number + 1]] = entries[:, [first]] * monomials[number] % PRIME
        kernel = solve(points, system)
        if len(kernel) == 1:
            break
    else:
        return None
    known = {place: kernel[0, starts[n] : starts[n + 1]] for n, place in enumerate(chosen)}
    for place in others[together:]:
        size = len(exponents[place])
        entries, at = samples.take(size + SPARE)
        value = evaluate_monomials(exponents[first], at) @ known[first] % PRIME * entries[:, place] % PRIME
        left = evaluate_monomials(exponents[place], at) * entries[:, [first]] % PRIME
        kernel = solve(points, np.column_stack([left, -value % PRIME]))
        if len(kernel) != 1 or not kernel[0, -1]:
            return None
        known[place] = kernel[0, :-1] * pow(int(kernel[0, -1]), -1, PRIME) % PRIME
    return read_terms([known[place] for place in range(len(order))], vector, exponents)


def solve(points: Sampled, system: Residue) -> Residue:
    """A basis of what a matrix turns to zero, as rows."""
    kernel = compute_kernel(points.field.elements(system), rank_mod(system, PRIME), PRIME)
    return np.remainder(kernel, PRIME).astype(np.int64)


class EntrySamples:
    """Entries of a vector at random points, each taken once."""

    def __init__(self, points: Sampled, vector: Vector) -> None:
        self.points, self.vector = points, vector
        self.entries: list[list[int]] = []
        self.at: list[Residue] = []
        self.drawn = 0

    def take(self, count: int) -> tuple[Residue, Residue]:
        """The entries at this many points, and the points."""
        while len(self.at) < count:
            point = self.points.draw("sample", self.drawn)
            self.drawn += 1
            entries = self.points.entries(self.vector, point)
            if entries is not None:
                self.entries.append(entries)
                self.at.append(point)
        return np.array(self.entries[:count], dtype=np.int64), np.array(self.at[:count], dtype=np.int64)


def find_boxes(points: Sampled, vector: Vector) -> list[list[int]] | None:
    """Of each entry of a vector the degree in each parameter."""
    boxes: list[list[int]] = [[] for _ in vector.support]
    for axis in range(points.count):
        step = np.zeros(points.count, dtype=np.int64)
        step[axis] = 1
        table = [points.entries(vector, (points.base + number * step) % PRIME) for number in range(AXIS_POINTS)]
        if any(entries is None for entries in table):
            return None
        degrees = find_degrees(np.array(table, dtype=np.int64)[:, 1:])
        if degrees is None:
            return None
        for box, degree in zip(boxes, degrees, strict=True):
            box.append(degree)
    return boxes


def list_powers(box: Sequence[int], degree: int) -> list[tuple[int, ...]] | None:
    """The powers of the monomials in a box up to a degree; nothing if there are too many.

    >>> list_powers([1, 0, 1], 1)
    [(0, 0, 0), (0, 0, 1), (1, 0, 0)]
    """
    found: list[tuple[int, ...]] = [()]
    for most in box:
        found = [(*one, power) for one in found for power in range(min(most, degree - sum(one)) + 1)]
        if len(found) > MOST_MONOMIALS:
            return None
    return found


def evaluate_monomials(exponents: Residue, at: Residue) -> Residue:
    """Monomials, as columns, at points, as rows, modulo the prime."""
    result = np.ones((len(at), len(exponents)), dtype=np.int64)
    for axis, values in enumerate(at.T):
        powers = [np.ones(len(at), dtype=np.int64)]
        for _ in range(int(exponents[:, axis].max(initial=0))):
            powers.append(powers[-1] * values % PRIME)
        if len(powers) > 1:
            result = result * np.array(powers)[exponents[:, axis]].T % PRIME
    return result


def evaluate_field(terms: PolynomialTerms, point: Residue) -> Residue:
    """A field at a point, modulo the prime."""
    result = np.zeros(len(point), dtype=np.int64)
    for parameter, one in terms.items():
        monomials = evaluate_monomials(np.array([powers for powers, _ in one], dtype=np.int64), point[np.newaxis])[0]
        factors = [number.numerator * pow(number.denominator, -1, PRIME) % PRIME for _, number in one]
        result[parameter] = sum(int(x) * factor for x, factor in zip(monomials, factors, strict=True)) % PRIME
    return result


def read_terms(values: Sequence[Residue], vector: Vector, exponents: Sequence[Residue]) -> PolynomialTerms | None:
    """The rational coefficients that residues stand for, divided by the first that is not zero, if they are all simple."""
    every = np.concatenate(values)
    scale = pow(int(every[np.flatnonzero(every)[0]]), -1, PRIME)
    found: dict[int, list[tuple[tuple[int, ...], Fraction]]] = {}
    for parameter, residues, powers in zip(vector.support, values, exponents, strict=True):
        for number in np.flatnonzero(residues).tolist():
            fraction = find_small_fraction(int(residues[number]) * scale % PRIME, PRIME)
            if fraction is None:
                return None
            found.setdefault(parameter, []).append((tuple(powers[number].tolist()), fraction))
    return found


def is_tangent(jacobian: Sequence[Sequence[Any]], terms: PolynomialTerms, count: int) -> bool:
    """Whether a Jacobian of polynomials times a field is zero: an identity over the rational numbers.

    `LimitError` where the products would have very many terms.
    """
    values = {parameter: make_polynomial(one, count) for parameter, one in terms.items()}
    for row in jacobian:
        check_time()
        products = sum(len(row[parameter]) * len(value) for parameter, value in values.items())
        if products > MOST_PRODUCTS:
            raise LimitError(f"{products} products of terms; at most {MOST_PRODUCTS} are made")
        if sum(row[parameter] * value for parameter, value in values.items()):
            return False
    return True


def make_polynomial(terms: Sequence[tuple[tuple[int, ...], Fraction]], count: int) -> Any:
    """A polynomial from its terms."""
    arithmetic, variables = make_polynomials(count)
    total: Any = arithmetic.convert(Fraction(0))
    for powers, coefficient in terms:
        term = arithmetic.convert(coefficient)
        for variable, power in zip(variables, powers, strict=True):
            if power:
                term *= variable**power
        total += term
    return total
