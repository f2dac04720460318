"""Polynomial fields that move few parameters around a few hidden variables (lemma "symmetry" in proofs/lemmas.md).

The kernel of a local map at a point may hold vectors that no proof of the map's rank covers. Those that are zero at almost all
parameters are told apart from the others by these zeros: up to a factor there is one for its set of parameters, so
its entries are quotients of polynomials, in the few other parameters on which they depend. They are interpolated, and
multiplied out: what counts is the identity of polynomials over ℚ alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.bound.interpolation import LINE_POINTS, PRIME, Vector, find_degrees, interpolate
from algdim.bound.searches import Directions
from algdim.exact.arithmetic import Array, Residues
from algdim.exact.draws import draw_integers, draw_residues, open_stream
from algdim.exact.flint import reduce_residues
from algdim.exact.polynomials import make_polynomials
from algdim.families.discrete.bounds.directions import (
    Known,
    Point,
    compute_right_kernel,
    find_movable_factors,
    list_parameter_numbers,
    rank_of,
)
from algdim.families.discrete.bounds.polynomialfields import PolynomialField, evaluate_field
from algdim.families.discrete.functionals import select_all_cells
from algdim.families.discrete.map import ParamMap
from algdim.jacobian import evaluate_jacobian
from algdim.limits import count_work, has_time, has_work

MOST_MOVED = 8
"""Parameters that a field moves."""
MOST_DEGREE = 8
MOST_SEEN = 16
"""Parameters on which its entries depend."""
MOST_TRIED, MOST_IDLE = 40, 8
"""Vectors that are interpolated, in all and in a row without a field."""
WORK_OF_A_FIELD = 1 << 29
"""What it takes to interpolate one, in multiplications: counted of the work that searches share."""
MOST_MISSING = 12
"""If more directions than these are missing, the search is not begun: fields are of use only if there are enough."""
MOST_ENTRIES = 1 << 15
"""Of the Jacobian of a local map."""
MOST_STATES = 1 << 12
"""Cells of a local map times states of its hidden variables: so many products are multiplied out."""
ORDERS = 6
"""Orders of the parameters, in each of which the kernel has another reduced basis."""

FEW = "few parameters"
"""The type of evidence."""

Places = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Circuit:
    """Parameters of a local map one vector of whose kernel moves them and no others, with what `interpolate` asks for.

    The other coordinates of all points are those of one point, except for the parameters ``seen``.
    """

    pmap: ParamMap
    moved: Places
    seen: Places
    through: NDArray[np.int64]

    @property
    def count(self) -> int:
        """How many parameters the entries depend on."""
        return len(self.seen)

    @property
    def field(self) -> Residues:
        """The arithmetic of the points."""
        return Residues(PRIME)

    @property
    def base(self) -> NDArray[np.int64]:
        """A point."""
        return self.through[list(self.seen)]

    def draw(self, *labels: str | int) -> NDArray[np.int64]:
        """A random point."""
        return draw_residues(open_stream(0, "circuit", *labels), PRIME, self.count)

    def entries(self, vector: Vector, point: NDArray[np.int64]) -> list[int] | None:
        """The vector at a point, its first entry 1; nothing where the point is special."""
        del vector
        whole = self.through.copy()
        whole[list(self.seen)] = point
        return compute_vector(self.pmap, self.moved, whole)


def compute_vector(pmap: ParamMap, moved: Places, point: NDArray[np.int64]) -> list[int] | None:
    """The one vector of the kernel that moves these parameters only, its first entry 1; nothing if there is none or more."""
    _, kernel = compute_right_kernel(compute_jacobian(pmap, PRIME, point)[:, list(moved)], PRIME)
    if len(kernel) != 1 or not kernel[0, 0]:
        return None
    return [int(entry) for entry in kernel[0] * pow(int(kernel[0, 0]), -1, PRIME) % PRIME]


def compute_jacobian(pmap: ParamMap, prime: int, point: NDArray[np.int64]) -> Array:
    """The Jacobian of a map at a point modulo a prime."""
    field = Residues(prime)
    return evaluate_jacobian(pmap, field, field.elements(point), select_all_cells(pmap))


class Circuits:
    """Searches local maps for fields that move few parameters; maps are given one after the other."""

    def __init__(self, point: Point, lower: int) -> None:
        self.point, self.lower = point, lower
        self.numbers = {name: number for number, name in enumerate(point.pmap.parameters)}
        self.tried = self.idle = 0

    @property
    def is_over(self) -> bool:
        """Whether nothing more is tried."""
        return self.tried >= MOST_TRIED or self.idle >= MOST_IDLE or not (has_work() and has_time())

    def of(self, pmap: ParamMap, hidden: frozenset[str], known: Sequence[Known]) -> Known | None:
        """The fields of one local map that add to those known; nothing if there is none."""
        states = prod(pmap.sizes)
        if not 0 < pmap.parameter_count * pmap.cells <= MOST_ENTRIES or states > MOST_STATES or self.is_over:
            return None
        prime, every = self.point.prime, [one.directions for one in known]
        rank = rank_of(every, prime)
        missing = len(self.point.values) - rank - self.lower
        if not 0 < missing <= MOST_MISSING:
            return None
        parameters = np.array([self.numbers[name] for name in pmap.parameters], dtype=np.intp)
        here = self.point.values[parameters]
        _, kernel = compute_right_kernel(compute_jacobian(pmap, prime, here), prime)
        missing = min(missing, len(kernel) - rank_of([one.directions for one in known if one.hidden <= hidden], prime))
        fields: list[PolynomialField] = []
        rows: list[list[int]] = []
        for moved, row in iterate_sparse_vectors(kernel, prime) if missing else ():
            if self.is_over or len(fields) >= missing:
                break
            with_row, text = [*rows, row], "+".join(sorted(hidden))
            if rank_of([*every, Directions(parameters, np.array(with_row), text, {})], prime) == rank + len(rows):
                continue
            self.tried, self.idle = self.tried + 1, self.idle + 1
            count_work(WORK_OF_A_FIELD)
            found = find_field(pmap, moved)
            if found is None:
                continue
            # what counts is the rank of the fields that are verified, not of the vectors that they were made from
            with_row[-1] = evaluate_field(found, here.tolist(), prime)
            if rank_of([*every, Directions(parameters, np.array(with_row), text, {})], prime) == rank + len(with_row):
                fields, rows, self.idle = [*fields, found], with_row, 0
        return Known(hidden, make_directions(pmap, parameters, rows, hidden, fields)) if fields else None


def make_directions(
    pmap: ParamMap,
    parameters: NDArray[np.intp],
    rows: Sequence[Sequence[int]],
    hidden: frozenset[str],
    fields: Sequence[PolynomialField],
) -> Directions:
    """Values of fields at the point; the evidence has, by the name of a moved parameter, coefficients and factors."""
    names = pmap.parameters
    listed = [
        {
            names[k]: [[str(number), [names[j] for j in factors]] for factors, number in terms]
            for k, terms in field.terms
        }
        for field in fields
    ]
    evidence = {"type": FEW, "hidden": sorted(hidden), "fields": listed}
    return Directions(parameters, np.array(rows, dtype=np.int64), "+".join(sorted(hidden)), evidence)


def iterate_sparse_vectors(kernel: NDArray[np.int64], prime: int) -> Iterator[tuple[Places, list[int]]]:
    """Vectors of a kernel that move few parameters, each set of these once, those with the fewest first."""
    width, found = kernel.shape[1], dict[Places, list[int]]()
    for number in range(ORDERS):
        draws = draw_integers(open_stream(0, "circuit", "order", number), 0, 1 << 40, width)
        order = sorted(range(width), key=lambda place: (draws[place], place))
        rank, reduced = reduce_residues(np.ascontiguousarray(kernel[:, order]), prime)
        rows = np.zeros((rank, width), dtype=np.int64)
        rows[:, order] = reduced[:rank]
        for row in rows[np.count_nonzero(rows, axis=1) <= MOST_MOVED]:
            found.setdefault(tuple(np.flatnonzero(row).tolist()), row.tolist())
    yield from sorted(found.items(), key=lambda one: (len(one[0]), one[0]))


def find_field(pmap: ParamMap, moved: Places) -> PolynomialField | None:
    """The polynomial field that moves these parameters of a map, multiplied out; nothing if none is found."""
    through = draw_residues(open_stream(0, "circuit", "point"), PRIME, pmap.parameter_count)
    here = compute_vector(pmap, moved, through)
    if here is None:
        return None
    other = draw_residues(open_stream(0, "circuit", "other"), PRIME, pmap.parameter_count)
    seen: list[int] = []
    waiting = [range(pmap.parameter_count)]
    while waiting:  # by halves, since most parameters do not matter
        part = waiting.pop()
        if compute_vector(pmap, moved, replace_coordinates(through, other, part)) == here:
            continue
        if len(part) > 1:
            waiting += [part[len(part) // 2 :], part[: len(part) // 2]]
        elif len(seen) == MOST_SEEN:
            return None
        else:
            seen.append(part[0])
    circuit = Circuit(pmap, moved, tuple(seen), through)
    vector = Vector((), 0, tuple(range(len(moved))), ())
    places = [(circuit.base + step * circuit.draw("line")) % PRIME for step in range(LINE_POINTS)]
    values = [circuit.entries(vector, place) for place in places]
    if any(one is None for one in values):
        return None
    degrees = find_degrees(np.array(values, dtype=np.int64)[:, 1:])
    if degrees is None or max(degrees) > MOST_DEGREE:
        return None
    terms = interpolate(circuit, Vector((), 0, vector.support, degrees))
    if terms is None:
        return None
    field = PolynomialField(
        tuple(
            (moved[place], tuple((list_factors(powers, seen), number) for powers, number in one))
            for place, one in terms.items()
        )
    )
    return field if is_identity(pmap, field) else None


def replace_coordinates(point: NDArray[np.int64], other: NDArray[np.int64], places: Sequence[int]) -> NDArray[np.int64]:
    """A point with some coordinates of another one."""
    found = point.copy()
    found[list(places)] = other[list(places)]
    return found


def list_factors(powers: Sequence[int], seen: Sequence[int]) -> Places:
    """The parameters whose product a monomial is, with repetition."""
    return tuple(place for place, power in zip(seen, powers, strict=True) for _ in range(power))


def is_identity(pmap: ParamMap, field: PolynomialField) -> bool:
    """Whether no cell of a map changes along a field that moves free tables: an identity of polynomials over ℚ.

    A derivative is a sum over the moved tables of products of all others with the change of this one.
    """
    arithmetic, variables = make_polynomials(pmap.parameter_count)
    zero = arithmetic.convert(Fraction(0))
    slopes: Mapping[int, Any] = {
        parameter: sum(
            (product_of([arithmetic.convert(number), *(variables[k] for k in factors)]) for factors, number in terms),
            zero,
        )
        for parameter, terms in field.terms
    }
    movable = find_movable_factors(pmap)
    tables = [
        np.asarray(pmap.arrays[factor.array].values(arithmetic, variables), dtype=object) for factor in pmap.factors
    ]
    hidden = tuple(axis for axis in range(len(pmap.sizes)) if axis not in pmap.observed)
    total: Any = 0
    left = {parameter for parameter, _ in field.terms}
    for number, factor in enumerate(pmap.factors):
        if not movable[number]:
            continue
        numbers = list_parameter_numbers(pmap, factor.array)
        if left.isdisjoint(numbers.ravel().tolist()):
            continue
        left.difference_update(numbers.ravel().tolist())
        change = np.full(numbers.shape, None, dtype=object)
        for place, parameter in np.ndenumerate(numbers):
            change[place] = slopes.get(int(parameter), zero)
        change[..., -1] = -change[..., :-1].sum(axis=-1)
        term: Any = spread(pmap, change, factor.axes)
        for other, table in enumerate(tables):
            if other != number:
                term = term * spread(pmap, table, pmap.factors[other].axes)
        total = total + term
    if left:  # a parameter of a table that is not free
        return False
    return not np.any(np.asarray(total.sum(axis=hidden)) != 0)


def spread(pmap: ParamMap, table: Array, axes: Places) -> Any:
    """A table with one axis for every axis of the map, of length 1 where it does not have it."""
    order = sorted(range(len(axes)), key=axes.__getitem__)
    return table.transpose(order).reshape([pmap.sizes[axis] if axis in axes else 1 for axis in range(len(pmap.sizes))])


def product_of(factors: Sequence[Any]) -> Any:
    """The product of polynomials, of which there is one at least."""
    result = factors[0]
    for factor in factors[1:]:
        result = result * factor
    return result
