"""Different parameters with the same distribution: a curve through a point along which no coordinate changes.

Where a symmetry is known its curve is rational and followed exactly: the curves that the family knows (``CURVES``), and
straight lines. Elsewhere a step along a direction of the Jacobian's kernel is corrected by Newton's method and rounded to
12 digits. Nothing is believed: the coordinates of every point shown are computed again, exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from algdim.display.results import Compact
from algdim.exact.arithmetic import Array, SingularError
from algdim.exact.flint import solve_integers
from algdim.explanation.samplepoint import Standing, compute_coordinate_values
from algdim.families import find_curves, load_domain
from algdim.families.contract import Curve
from algdim.identifiability.points import is_inside
from algdim.rank import RationalMap, make_object_array

DIGITS = 12
WORKING = 40
"""Digits during Newton's method."""
MOST_STEPS = 12
ENOUGH = Fraction(1, 10**30)
STEPS = tuple(Fraction(*pair) for pair in ((1, 4), (-1, 4), (1, 8), (-1, 8), (1, 20), (-1, 20), (1, 100), (-1, 100)))
SMALL_STEPS = tuple(Fraction(*pair) for pair in ((1, 20), (-1, 20), (1, 100), (-1, 100), (1, 1000)))
MOST_DIRECTIONS = 12
"""This many directions of the kernel are followed by Newton's method, those that move few parameters first."""
MOST_CURVES = 400
"""This many symmetries are tried."""

Parameters = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Fibre(Compact):
    """Points with the same coordinates, the first of them given; how far the others' coordinates are off, exactly."""

    points: tuple[Parameters, ...]
    steps: tuple[Fraction, ...]
    exact: bool
    along: str
    difference: Fraction
    """The largest difference between coordinates at the points as they are shown; 0 if exact."""

    def to_dict(self, parameters: Sequence[str]) -> dict[str, Any]:
        """The form of --json: exact numbers as text."""
        return {
            "along": self.along,
            "exact": self.exact,
            "difference": float(self.difference),
            "steps": [str(step) for step in self.steps],
            "points": [dict(zip(parameters, map(str, point), strict=True)) for point in self.points],
        }

    def find_changing(self) -> list[int]:
        """The parameters that are not the same at all points."""
        first, *others = self.points
        return [number for number, value in enumerate(first) if any(point[number] != value for point in others)]


def find_fibre(standing: Standing) -> Fibre | None:
    """A family through a point whose rank is less than the number of parameters; ``None`` if none was found.

    >>> from algdim.explanation.samplepoint import evaluate_at_random_point
    >>> from algdim.maps import map_of
    >>> from algdim.models.notation import parse
    >>> find_fibre(evaluate_at_random_point(map_of(parse("2:2,2")))).along
    'the states 0 and 1 of H mixed by G = 1 + t(E[0,1] − E[0,0]): the tables of H, X1 times G, G⁻¹ times the table of X2'
    >>> find_fibre(evaluate_at_random_point(map_of(parse("3:2,2,2,2")))).exact
    False
    """
    if not standing.values or not standing.inside or standing.rank == len(standing.point):
        return None
    return find_exact_fibre(standing) or search_numerically(standing)


def find_exact_fibre(standing: Standing) -> Fibre | None:
    """A family on a rational curve."""
    if not standing.values or not standing.inside:
        return None
    for along, curve in islice(find_exact_curves(standing), MOST_CURVES):
        found = try_curve(standing, along, curve)
        if found is not None:
            return found
    return None


def find_exact_curves(standing: Standing) -> Iterator[tuple[str, Curve]]:
    """The exact curves that may be there."""
    known = find_curves(standing.pmap.model.family)
    if known is not None:
        yield from known(standing.pmap, standing.point)
    for direction in standing.kernel():
        yield "a straight line", partial(move_along, standing.point, scale_direction(direction))


def scale_direction(direction: Sequence[Fraction]) -> list[Fraction]:
    """A direction whose largest entry is 1 or −1."""
    largest = max(map(abs, direction))
    return [value / largest for value in direction]


def move_along(point: Sequence[Fraction], direction: Sequence[Fraction], t: Fraction) -> list[Fraction]:
    """A step along a direction."""
    return [x + t * y for x, y in zip(point, direction, strict=True)]


def try_curve(standing: Standing, along: str, curve: Curve) -> Fibre | None:
    """Two more points of a curve with the same coordinates, inside the parameter space if the first one is."""
    for step in STEPS:
        points = [standing.point]
        for t in (step, 2 * step):
            try:
                values = curve(t)
            except ZeroDivisionError:
                values = None
            if values is None or not is_possible(standing, values):
                break
            points.append(tuple(values))
        if (
            len(points) == 3
            and len(set(points)) == 3
            and all(has_same_coordinates(standing, point) for point in points[1:])
        ):
            return Fibre(tuple(points), (Fraction(0), step, 2 * step), True, along, Fraction(0))
    return None


def has_same_coordinates(standing: Standing, point: Sequence[Fraction]) -> bool:
    """Whether a point has exactly the same coordinates."""
    try:
        return compute_coordinate_values(standing.pmap, point) == standing.values
    except SingularError:
        return False


def is_possible(standing: Standing, point: Sequence[Fraction]) -> bool:
    """Whether a point is that of a distribution too, and no parameter changed its sign, where signs are kept.

    A quotient may have no value there.
    """
    pmap = standing.pmap
    signs = not load_domain(pmap.model.family).keeps_signs or all(
        (new > 0) == (old > 0) for new, old in zip(point, standing.point, strict=True)
    )
    try:
        return signs and is_inside(pmap, point)
    except SingularError:
        return False


def search_numerically(standing: Standing) -> Fibre | None:
    """Two more points by Newton's method from steps along a direction of the kernel, rounded to 12 digits."""
    directions = sorted(standing.kernel(), key=lambda v: sum([x != 0 for x in v]))
    exact = RationalMap(standing.pmap)
    for direction in directions[:MOST_DIRECTIONS]:
        for step in SMALL_STEPS:
            points = [standing.point]
            for t in (step, 2 * step):
                found = solve_by_newton(standing, exact, move_along(standing.point, scale_direction(direction), t))
                if found is None:
                    break
                shown = tuple([Fraction(value, 10**DIGITS) for value in scale_up(found, DIGITS)])
                if shown in points or not is_possible(standing, shown):
                    break
                points.append(shown)
            if len(points) == 3:
                off = max(measure_difference(standing, point) for point in points[1:])
                if off < Fraction(1, 10 ** (DIGITS - 2)):
                    along = "a direction of the kernel, corrected by Newton's method"
                    return Fibre(tuple(points), (Fraction(0), step, 2 * step), False, along, off)
    return None


def measure_difference(standing: Standing, point: Sequence[Fraction]) -> Fraction:
    """The largest difference between the coordinates at a point and those given, exactly."""
    return max(
        abs(a - b) for a, b in zip(compute_coordinate_values(standing.pmap, point), standing.values, strict=True)
    )


def solve_by_newton(standing: Standing, exact: RationalMap, start: Sequence[Fraction]) -> Array | None:
    """A point with the coordinates given to 30 digits, from a start nearby; only the pivots' parameters are changed."""
    rows, columns = list(standing.reduced.rows), [column for _, column in standing.reduced.pivots]
    given, point = exact.elements(standing.values), cut_decimals(start)
    for _ in range(MOST_STEPS):
        try:
            there = exact.at(point)
            off = there.values() - given
            largest = max(abs(off[rows]))
            if largest < ENOUGH:
                return point if max(abs(off)) < ENOUGH * 10**6 else None
            if largest > 10:
                return None
            # rounded first: Newton's method mends what is lost
            matrix = scale_up(there.jacobian()[np.ix_(rows, columns)].ravel(), WORKING)
            change = solve_integers(matrix, scale_up(off[rows], WORKING))
        except (SingularError, ZeroDivisionError):
            return None
        point[columns] = cut_decimals(point[columns] - exact.elements(change))
    return None


def scale_up(values: Iterable[Any], digits: int) -> list[int]:
    """Exact numbers times a power of ten, as the nearest integers; halves go to the even neighbour.

    >>> scale_up([Fraction(2, 3), Fraction(1, 20000)], 4)
    [6667, 0]
    """
    scale = 10**digits
    return list(map(int, [round(value * scale) for value in values]))  # those of gmpy2 are numbers of its own


def cut_decimals(values: Iterable[Any]) -> Array:
    """Exact numbers rounded to as many decimals as Newton's method works with."""
    from gmpy2 import mpq

    one = 10**WORKING
    return make_object_array([mpq(value, one) for value in scale_up(values, WORKING)])
