"""Evaluate a map at a readable random point: coordinates k/1000, exact values, the Jacobian, its reduced form.

And points at which the rank may be smaller: what is conditioned on tells nothing, coefficients are zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from algdim.display.results import Compact
from algdim.errors import LimitError
from algdim.exact.draws import Stream, compute_fingerprint, draw_integers, open_stream
from algdim.exact.elimination import Reduced, convert_to_fractions
from algdim.exact.flint import reduce_rows_by_flint
from algdim.families import load_domain, load_explaining
from algdim.figures import format_integer
from algdim.identifiability.points import is_inside
from algdim.maps import Map
from algdim.rank import THOUSAND, RationalMap, try_drawn_points

MOST_ENTRIES = 6000
"""Larger Jacobians are not reduced for being shown."""
MOST_DRAWN = 60
"""This many points are drawn until one is that of a distribution."""
MOST_HALVED = 5
"""So often covariances are halved for that."""

Matrix = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Standing(Compact):
    """A point, its name, the coordinates there (none where they are logarithms), the Jacobian and its reduced form."""

    pmap: Map
    point: tuple[Fraction, ...]
    label: str
    values: tuple[Fraction, ...]
    jacobian: Matrix
    reduced: Reduced
    inside: bool
    """Whether there is a distribution with these parameters."""
    left_out: int = 0
    """How many coordinates are left out, since there are very many."""

    @property
    def rank(self) -> int:
        """The rank there."""
        return len(self.reduced.pivots)

    def to_dict(self) -> dict[str, Any]:
        """The form of --json: exact numbers as text."""
        return {
            "label": self.label,
            "parameters": dict(zip(self.pmap.parameters, map(str, self.point), strict=True)),
            "rank": self.rank,
            "pivots": [self.pmap.parameters[column] for _, column in self.reduced.pivots],
            "reduced": [[str(value) for value in row] for row in self.reduced.matrix],
        }

    def kernel(self) -> Matrix:
        """A basis of the directions in which no coordinate changes to first order, one for each column without pivot.

        >>> from algdim.maps import map_of
        >>> from algdim.models.notation import parse
        >>> len(evaluate_at_random_point(map_of(parse("2:2,2"))).kernel())
        2
        """
        pivots, matrix = {column: row for row, column in self.reduced.pivots}, self.reduced.matrix
        width = len(self.point)
        free = [column for column in range(width) if column not in pivots]
        return tuple(
            tuple([-matrix[pivots[j]][column] if j in pivots else Fraction(int(j == column)) for j in range(width)])
            for column in free
        )


def find_largest_thousandth(model: Any) -> int:
    """The largest number of thousandths with which every free row of a model is one of probabilities."""
    found = load_domain(model.family).list_states
    states = [] if found is None else found(model)
    return max(1, (THOUSAND - 1) // (max([2, *states]) - 1))


def find_covariances(pmap: Map) -> frozenset[int]:
    """The parameters that are covariances of errors, or of items inside classes.

    >>> from algdim.maps import map_of
    >>> from algdim.models.notation import parse
    >>> pmap = map_of(parse("gaussian: A <-> B; B <-> C; equal e = c(A<->B), c(B<->C); means off"))
    >>> [pmap.parameters[number] for number in find_covariances(pmap)]
    ['e']
    """
    found = load_domain(pmap.model.family).find_covariances
    return frozenset() if found is None else found(pmap)


def draw_thousandths(pmap: Map, source: Stream, halvings: int = 0) -> list[Fraction]:
    """A point with coordinates k/1000 at which free rows are probabilities, its covariances halved so often."""
    numbers = draw_integers(source, 1, find_largest_thousandth(pmap.model), len(pmap.parameters))
    times, covariances = min(halvings, MOST_HALVED), find_covariances(pmap)
    return [
        Fraction(max(1, int(k) >> times) if number in covariances else int(k), THOUSAND)
        for number, k in enumerate(numbers)
    ]


def evaluate_at_random_point(pmap: Map, seed: int | str = 0, most_entries: int = MOST_ENTRIES) -> Standing:
    """A random point at which free rows are probabilities: each coordinate k/1000, at most 1/(states − 1).

    Where that alone does not make it a distribution's, points are drawn until one is, with smaller and smaller covariances.

    >>> from algdim.maps import map_of
    >>> from algdim.models.notation import parse
    >>> evaluate_at_random_point(map_of(parse("3:2,2,2,2"))).rank
    13
    """
    width = len(pmap.parameters)
    if pmap.coordinate_count * width > most_entries:
        raise LimitError(
            f"the Jacobian has {format_integer(pmap.coordinate_count)} × {format_integer(width)} entries; at most {most_entries} are reduced to be shown"
        )

    def draw_inside(labels: tuple[int | str, ...]) -> Standing:
        for attempt in range(MOST_DRAWN):
            source = open_stream(seed, "point", "explain", *labels, *(("inside", attempt) if attempt else ()))
            point = draw_thousandths(pmap, source, attempt)
            if is_inside(pmap, point):
                break
        return evaluate_at_point(pmap, point, compute_fingerprint(source))

    return try_drawn_points((), draw_inside)


def evaluate_at_point(pmap: Map, point: Sequence[Fraction], label: str) -> Standing:
    """The map at a given point."""
    exact = RationalMap(pmap)
    there = exact.at(exact.elements(point))
    matrix = there.jacobian().tolist()
    has_values = load_explaining(pmap.model.family).has_rational_values(pmap)
    return Standing(
        pmap,
        tuple(point),
        label,
        tuple(convert_to_fractions(there.values())) if has_values else (),
        tuple([tuple(convert_to_fractions(row)) for row in matrix]),
        reduce_rows_by_flint(matrix),
        is_inside(pmap, point),
    )


def compute_coordinate_values(pmap: Map, point: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The coordinates at a point, exactly; nothing where they are not rational at rational points."""
    if not load_explaining(pmap.model.family).has_rational_values(pmap):
        return ()
    exact = RationalMap(pmap)
    return tuple(convert_to_fractions(exact.at(exact.elements(point)).values()))


def make_special_points(pmap: Map, point: Sequence[Fraction]) -> dict[str, list[Fraction]]:
    """Points made of this one, by what is special about them.

    >>> from algdim.maps import map_of
    >>> from algdim.models.notation import parse
    >>> pmap = map_of(parse("gaussian: A -> B; C -> D; equal e = b(A->B), b(C->D); means off"))
    >>> [str(x) for x in make_special_points(pmap, [Fraction(1, 2)] * 5)["coefficients zero"]]
    ['0', '1/2', '1/2', '1/2', '1/2']
    """
    alike = remove_row_differences(pmap, point)
    found = {"all rows alike": alike} if alike != list(point) else {}
    domain = load_domain(pmap.model.family)
    coefficients = frozenset[int]() if domain.find_coefficients is None else domain.find_coefficients(pmap)
    if coefficients:
        found["coefficients zero"] = [Fraction(0) if n in coefficients else value for n, value in enumerate(point)]
    return found


def remove_row_differences(pmap: Map, point: Sequence[Fraction]) -> list[Fraction]:
    """The point with the parameters of a row in all other rows of its table, and neutral parameters at 1."""
    found, same = list(point), {number: {number} for number in range(len(point))}
    domain = load_domain(pmap.model.family)
    for group in () if domain.iterate_alike is None else domain.iterate_alike(pmap):
        # a parameter can stand in several tables
        together = set().union(*(same[int(number)] for number in group.flat))
        same.update(dict.fromkeys(together, together))
    for number, together in same.items():
        found[number] = point[min(together)]
    for number in () if domain.iterate_neutral is None else domain.iterate_neutral(pmap):
        found[number] = Fraction(1)
    return found
