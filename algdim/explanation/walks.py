"""Curves of parameters with the same coordinates, followed in floating point to both ends of the parameter space.

From the point shown a walk goes in a direction of the Jacobian's kernel; after every step Newton's method, with the least
change, returns to the coordinates that the point had. Where the family knows a rational curve, that one is followed, in
fractions. A walk proves nothing: it is a picture of what the proof says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from algdim.display.results import Compact
from algdim.exact.arithmetic import Floats, SingularError
from algdim.explanation.equivalentparameters import MOST_CURVES, Fibre, find_exact_curves, has_same_coordinates
from algdim.explanation.samplepoint import Standing
from algdim.families import load_domain
from algdim.families.contract import Curve
from algdim.identifiability.points import is_inside
from algdim.jacobian import Evaluator, evaluate_functionals, evaluate_jacobian, make_evaluator
from algdim.maps import Map

STEPS = 40
"""Of a walk in each of both directions, at most."""
STEP, SHORTEST = 0.02, 0.0005
"""The length of a step, in proportion to the size of the point, and of the last ones before an end."""
CORRECTIONS = 8
CLOSE = 2e-15
"""In proportion to the largest coordinate: there Newton's method ends."""
KEPT = 1e-12
"""How far coordinates may be off on a walk that is shown, in proportion."""
MOST_WALKS = 4
MOST_PARAMETERS, MOST_WORK = 150, 16_000_000
"""Of a model that is walked through, and entries of Jacobians on all walks."""
GRAIN = 10**9
"""Whether a point is inside is asked of one with so many decimals."""
FARTHEST, MOST_TIMES = Fraction(4), 3
"""Of an exact curve, which may have no end; and how many times as large as the point it becomes."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Walk(Compact):
    """Points with the same coordinates, one after the other; where the walk began; what it is called."""

    name: str
    points: Numbers
    values: Numbers
    """The coordinates at each of the points, in floating point."""
    start: int
    exact: bool
    """Whether the points are those of a curve of which is known that it keeps the coordinates."""

    @property
    def movements(self) -> Numbers:
        """How far each parameter moves."""
        return np.asarray(np.ptp(self.points, axis=0))

    @property
    def off(self) -> float:
        """The largest change of a coordinate, in proportion to the largest of them if that is more than 1."""
        return float(np.max(np.abs(self.values - self.values[self.start])) / max(1.0, np.max(np.abs(self.values))))


@dataclass(frozen=True, eq=False)
class FloatMap:
    """A map with its values and its Jacobian in floating point."""

    pmap: Map

    @cached_property
    def evaluator(self) -> Evaluator:
        """The map made ready, once."""
        return make_evaluator(self.pmap)

    def find_values(self, point: Numbers) -> Numbers:
        """The coordinates."""
        evaluator = self.evaluator
        return np.asarray(
            evaluate_functionals(self.pmap, Floats(), point, evaluator.all_coordinates(), evaluator=evaluator)
        )

    def find_jacobian(self, point: Numbers) -> Numbers:
        """The derivatives."""
        evaluator = self.evaluator
        return np.asarray(
            evaluate_jacobian(self.pmap, Floats(), point, evaluator.all_coordinates(), evaluator=evaluator)
        )


def find_walks(standing: Standing, fibre: Fibre | None) -> tuple[Walk, ...]:
    """The curve of which the family knows, and walks along the kernel: in each of them another parameter moves most.

    >>> from algdim.explanation.samplepoint import evaluate_at_random_point
    >>> from algdim.maps import map_of
    >>> from algdim.models.notation import parse
    >>> (walk,) = find_walks(evaluate_at_random_point(map_of(parse("3:2,2,2,2"))), None)
    >>> walk.off < 1e-12, float(max(walk.movements)) > 0.4
    (True, True)
    """
    width = len(standing.point)
    size = standing.pmap.coordinate_count * width * 2 * STEPS * CORRECTIONS
    free = width - standing.rank
    if not free or width > MOST_PARAMETERS or size > MOST_WORK or not standing.inside:
        return ()
    found: list[Walk] = []
    if fibre is not None and fibre.exact:
        found += follow_exact_curve(standing, fibre.along)
    found += walk_along_kernel(standing, min(free, MOST_WALKS - len(found), MOST_WORK // size))
    return tuple(found)


def walk_along_kernel(standing: Standing, most: int) -> Iterator[Walk]:
    """Walks whose first steps move another parameter each as fast as possible."""
    start, inside = np.array(standing.point, dtype=np.float64), FloatMap(standing.pmap)
    with np.errstate(all="ignore"):
        target = inside.find_values(start)
        kernel = find_kernel(inside.find_jacobian(start), standing.rank)
        for number in choose_movers(kernel, most):
            direction = kernel @ kernel[number]
            ways = [walk_one_way(standing, start, target, sign * direction) for sign in (-1.0, 1.0)]
            points = np.array([*reversed(ways[0]), start, *ways[1]])
            values = np.array([inside.find_values(point) for point in points])
            name = f"{standing.pmap.parameters[number]} moves fastest"
            walk = Walk(name, points, values, len(ways[0]), exact=False)
            if len(points) > 2 and walk.off < KEPT:
                yield walk


def find_kernel(jacobian: Numbers, rank: int) -> Numbers:
    """An orthonormal basis of the kernel, one vector in each column."""
    _, _, rows = np.linalg.svd(jacobian, full_matrices=True)
    return np.asarray(rows[rank:].T)


def choose_movers(kernel: Numbers, most: int) -> list[int]:
    """The parameters that move most along the kernel, each among directions that keep those before in place.

    >>> choose_movers(np.array([[0.0, 0.6], [1.0, 0.0], [0.0, 0.8]]), 2)
    [1, 2]
    """
    rest = kernel.copy()
    found: list[int] = []
    for _ in range(most):
        lengths = np.linalg.norm(rest, axis=1)
        number = int(np.argmax(lengths))
        if lengths[number] < 1e-9:
            break
        found.append(number)
        unit = rest[number] / lengths[number]
        rest = rest - np.outer(rest @ unit, unit)
    return found


def walk_one_way(standing: Standing, start: Numbers, target: Numbers, direction: Numbers) -> list[Numbers]:
    """Steps until the end of the parameter space, the last ones shorter."""
    inside, rank = FloatMap(standing.pmap), standing.rank
    point, way = start, direction / np.linalg.norm(direction)
    found: list[Numbers] = []
    length = STEP * max(1.0, float(np.max(np.abs(start))))
    least = length * SHORTEST / STEP
    while len(found) < STEPS and length >= least:
        new = return_to_coordinates(inside, rank, point + length * way, target)
        if new is None or not is_allowed(standing, new) or np.linalg.norm(new - point) > 3 * length:
            length /= 2
            continue
        kernel = find_kernel(inside.find_jacobian(new), rank)
        ahead = kernel @ (kernel.T @ way)
        size = float(np.linalg.norm(ahead))
        if not size > 0.5:  # the curve has a corner, or the rank falls
            length /= 2
            continue
        found.append(new)
        point, way = new, ahead / size
    return found


def return_to_coordinates(inside: FloatMap, rank: int, point: Numbers, target: Numbers) -> Numbers | None:
    """Newton's method with the least change; ``None`` where it does not arrive."""
    scale, best = max(1.0, float(np.max(np.abs(target)))), np.inf
    for _ in range(CORRECTIONS):
        off = target - inside.find_values(point)
        error = float(np.max(np.abs(off))) / scale
        if not np.isfinite(error) or error > 1e3:
            return None
        if error < CLOSE or (error < KEPT / 100 and error >= best):
            return point
        best = min(best, error)
        left, sizes, right = np.linalg.svd(inside.find_jacobian(point), full_matrices=False)
        if sizes[rank - 1] < 1e-9 * sizes[0]:
            return None
        point = point + right[:rank].T @ ((left[:, :rank].T @ off) / sizes[:rank])
    return point if best < KEPT / 10 else None


def is_allowed(standing: Standing, point: Numbers) -> bool:
    """Whether a point is that of a distribution, and no sign has changed where signs are kept."""
    if not np.all(np.isfinite(point)) or np.max(np.abs(point)) > 1e3:
        return False
    signs = not load_domain(standing.pmap.model.family).keeps_signs or bool(
        np.all((point > 0) == (np.array(standing.point, dtype=np.float64) > 0))
    )
    return signs and is_in_domain(standing.pmap, [Fraction(round(value * GRAIN), GRAIN) for value in point.tolist()])


def is_in_domain(pmap: Map, point: Sequence[Fraction]) -> bool:
    """Whether a point is that of a distribution; a quotient may have no value there."""
    try:
        return is_inside(pmap, point)
    except SingularError:
        return False


def follow_exact_curve(standing: Standing, along: str) -> Iterator[Walk]:
    """The rational curve of that name, from end to end."""
    curve = next(
        (one for name, one in islice(find_exact_curves(standing), MOST_CURVES) if name == along),
        None,
    )
    if curve is None:
        return
    ends = [find_end(standing, curve, sign) for sign in (-1, 1)]
    exact: list[Sequence[Fraction]] = []
    start = 0
    for number in range(-STEPS // 2, STEPS // 2 + 1):
        t = ends[number > 0] * abs(Fraction(2 * number, STEPS))
        values = take_point(curve, t)
        if values is None or not is_possible_there(standing, values) or not has_same_coordinates(standing, values):
            continue
        if number == 0:
            start = len(exact)
        exact.append(values)
    points = np.array([[float(value) for value in point] for point in exact])
    if len(points) < 3:
        return
    inside = FloatMap(standing.pmap)
    walk = Walk(along, points, np.array([inside.find_values(point) for point in points]), start, exact=True)
    if walk.off < KEPT:
        yield walk


def take_point(curve: Curve, t: Fraction) -> Sequence[Fraction] | None:
    """The point of a curve, where it has one."""
    try:
        return curve(t)
    except ZeroDivisionError:
        return None


def is_possible_there(standing: Standing, point: Sequence[Fraction]) -> bool:
    """As `is_allowed`, of fractions."""
    signs = not load_domain(standing.pmap.model.family).keeps_signs or all(
        (new > 0) == (old > 0) for new, old in zip(point, standing.point, strict=True)
    )
    return signs and is_in_domain(standing.pmap, point)


def find_end(standing: Standing, curve: Curve, sign: int) -> Fraction:
    """How far a curve stays inside, in one direction: found by halving."""
    most = MOST_TIMES * max(Fraction(1), *map(abs, standing.point))

    def is_allowed(t: Fraction) -> bool:
        values = take_point(curve, t)
        return values is not None and max(map(abs, values)) < most and is_possible_there(standing, values)

    low, high = Fraction(0), FARTHEST * sign
    if is_allowed(high) and is_allowed(high / 2):
        return high
    for _ in range(10):
        middle = (low + high) / 2
        low, high = (middle, high) if is_allowed(middle) else (low, middle)
    return low
