"""The search behind `algdim identify`: verdicts, groups and what is determined, from points and from polynomials."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from algdim.bound.chance import LEAST
from algdim.errors import LimitError, listed
from algdim.exact.arithmetic import Floats
from algdim.exact.flint import rank_by_flint
from algdim.exact.polynomials import generic_kernel, polynomials
from algdim.identifiability.combinations import MOST_PLACES, SPARE, Combination, combinations_of
from algdim.identifiability.groups import Direction, Group, components, fixings_of, supports_of
from algdim.identifiability.record import Determined, Verdict
from algdim.identifiability.rowspaces import Points, Seen, enough_points, error_at, moving
from algdim.jacobian import jacobian_at, symbolic_jacobian
from algdim.maps.anymap import Map, map_of
from algdim.models.pruning import without_irrelevant
from algdim.rank import SYMBOLIC_ENTRIES, SYMBOLIC_TERMS, thousandths
from algdim.report import Report

KERNEL_TERMS = 30_000
"""A kernel is written out in polynomials up to products of so many terms."""
KERNEL_PARAMETERS = 40
MOST_NUMBERS = 2_000_000
"""Coordinates and rounded directions are computed where the whole Jacobian has no more entries than these."""
MOST_TERMS_SHOWN = 12
"""Directions with more terms are given as numbers at a point."""
MOST_ROUNDED = 20
"""Of groups with more directions these are not computed as numbers."""
RANK_CHECK = 1e-9


class Search:
    """What is found at drawn points, and by polynomials where these are few."""

    def __init__(self, pmap: Map, report: Report, points: Points) -> None:
        self.pmap, self.report, self.points = pmap, report, points
        self.dimension = report.dimension
        self.seen = enough_points(points, self.dimension)
        self.full = [one for one in self.seen if one.rank == self.dimension]
        if not self.full:
            best = max(one.rank for one in self.seen)
            raise LimitError(
                f"at {len(self.seen)} points drawn the Jacobian had rank {best}, not the dimension {self.dimension}; take another --seed"
            )
        self.kernel = self.polynomial_kernel()
        self.moves = moving(self.seen, self.dimension)

    def polynomial_kernel(self) -> list[dict[int, Any]] | None:
        """The kernel as polynomials; ``None`` where that would be too much, or the map shows not the whole distribution."""
        pmap = self.pmap
        large = (
            len(pmap.parameters) > KERNEL_PARAMETERS or pmap.coordinate_count * len(pmap.parameters) > SYMBOLIC_ENTRIES
        )
        if large or self.report.moments is not None:
            return None
        try:
            matrix = symbolic_jacobian(pmap, self.points.task.evaluator, SYMBOLIC_TERMS, self.points.task.max_memory)
            kernel = generic_kernel(matrix, KERNEL_TERMS)
        except LimitError:
            return None
        if len(pmap.parameters) - len(kernel) != self.dimension:
            raise RuntimeError(
                f"the kernel has {len(kernel)} dimensions and the rank is {self.dimension}: a bug in algdim, please report the model"
            )
        return kernel

    @property
    def error_of_moves(self) -> float | None:
        """The chance that a parameter which moves at a point of full rank is identifiable after all."""
        upper = self.report.upper
        if self.kernel is not None or (upper.is_proved and upper.value == self.dimension):
            return None
        return 1.0 if upper.error is None or upper.value != self.dimension else upper.error

    def verdicts(self) -> tuple[Verdict, ...]:
        """For every parameter whether it is identifiable."""
        stays = None if self.kernel is not None else max(LEAST, error_at(self.pmap, self.seen, self.dimension - 1))
        proved = frozenset(self.districts())
        moves = self.error_of_moves
        found = []
        for place, name in enumerate(self.pmap.parameters):
            if self.moves[place]:
                found.append(Verdict(name, None if moves is not None and moves >= 1 else False, moves))
            else:
                error = None if name in proved else stays
                found.append(Verdict(name, None if error is not None and error >= 1 else True, error))
        return tuple(found)

    def districts(self) -> Iterator[str]:
        """The parameters of districts that have as many dimensions as parameters: each is identifiable, proved.

        So are all parameters of a model that has as many once hidden variables that cannot matter are removed.
        """
        known = set(self.pmap.parameters)
        model = self.report.model
        relevant = map_of(without_irrelevant(model)[0], model).parameters
        if self.report.lower.is_proved and self.dimension == len(relevant):
            yield from known.intersection(relevant)
        for part in self.report.parts:
            if part.lower.is_proved and part.dimension == part.standard:
                yield from known.intersection(map_of(part.model, self.report.model).parameters)

    def group_places(self) -> list[tuple[int, ...]]:
        """The parameters of each group."""
        if self.kernel is not None:
            return components([tuple(vector) for vector in self.kernel])
        return components(supports_of(self.seen, self.dimension))

    def groups(self) -> tuple[Group, ...]:
        """The groups with their directions and sets to fix, checked together at a further point.

        None where the dimension may be greater: what moves at a point of this rank may be determined.
        """
        error = self.error_of_moves
        if error is not None and error >= 1:
            return ()
        one = self.full[0]
        found = []
        chosen: list[int] = []
        for places in self.group_places():
            rows = one.kernel[:, places]
            rows = rows[rows.any(axis=1)]
            sets, all_listed = fixings_of(rows, one.prime)
            chosen.extend(places[place] for place in sets[0])
            names = [self.pmap.parameters[place] for place in places]
            fixings = tuple(tuple(names[place] for place in members) for members in sets)
            found.append(
                Group(tuple(names), len(rows), tuple(self.directions(places, rows)), fixings, all_listed, error)
            )
        self.check_fixing(chosen)
        return tuple(found)

    def check_fixing(self, chosen: Sequence[int]) -> None:
        """Raise unless fixing the parameters chosen leaves as many dimensions as parameters, at a point of its own."""
        rest = [place for place in range(len(self.pmap.parameters)) if place not in set(chosen)]
        tried = [self.points.at(len(self.seen)), *self.full]
        if len(rest) != self.dimension or all(one.rank_of(rest) != len(rest) for one in tried):
            raise RuntimeError(
                f"fixing {listed(self.pmap.parameters[place] for place in chosen)} leaves something to move: a bug in algdim, "
                "please report the model"
            )

    def directions(self, places: tuple[int, ...], rows: Any) -> Iterator[Direction]:
        """How a group moves: by formulas where the kernel is known as polynomials, else by numbers at a point."""
        names = self.pmap.parameters
        mine = [vector for vector in self.kernel or () if set(vector) <= set(places)]
        if mine and all(len(value) <= MOST_TERMS_SHOWN for vector in mine for value in vector.values()):
            for vector in mine:
                yield Direction({names[place]: written(value, names) for place, value in vector.items()})
            return
        yield from self.rounded(places, len(rows))

    def rounded(self, places: tuple[int, ...], freedom: int) -> Iterator[Direction]:
        """The directions of a group as numbers at a point, if there are not too many coordinates."""
        pmap, task = self.pmap, self.points.task
        if freedom > MOST_ROUNDED or pmap.coordinate_count * len(pmap.parameters) > MOST_NUMBERS:
            return
        point = np.array([float(value) for value in thousandths(task, 0)])
        coordinates = task.evaluator.all_coordinates(task.max_memory)
        try:
            matrix = jacobian_at(pmap, Floats(), point, coordinates, evaluator=task.evaluator)
        except (ZeroDivisionError, np.linalg.LinAlgError):
            return
        mine = matrix[:, list(places)]
        _, values, vectors = np.linalg.svd(mine, full_matrices=True)
        rank = len(places) - freedom
        if len(values) > rank and values[rank] > RANK_CHECK * values[0]:
            return
        where = {pmap.parameters[place]: float(point[place]) for place in places}
        for vector in reduced_rows(vectors[rank:]):
            moved = {pmap.parameters[place]: float(value) for place, value in zip(places, vector, strict=True) if value}
            yield Direction(moved, where)

    def basis(self) -> tuple[Determined, ...]:
        """Independent functions that are determined: parameters, sums and products, then coordinates."""
        names = self.pmap.parameters
        one = next((one for one in self.full if one.point.all()), self.full[0])
        verdicts = {verdict.parameter: verdict for verdict in self.verdicts()}
        kept = [place for place, name in enumerate(names) if verdicts[name].identifiable]
        found = [Determined(names[place], "parameter", verdicts[names[place]].error) for place in kept]
        rows = [np.eye(1, len(names), place, dtype=np.int64)[0] for place in kept]
        for combination, error in self.combinations():
            new = combination.gradient(one.point, one.prime)
            if independent([*rows, new], one.prime):
                rows.append(new)
                found.append(Determined(combination.text(names), combination.kind, error))
        missing = self.dimension - len(rows)
        if missing and self.pmap.coordinate_count * len(names) <= MOST_NUMBERS and one.draw.method == "table":
            texts = self.pmap.coordinates() if self.pmap.kept is None else []
            order = np.vstack([*rows, np.remainder(one.matrix, one.prime).astype(np.int64)])
            numbers = first_independent(order, one.prime)[len(rows) :] if texts else ()
            found.extend(Determined(texts[number - len(rows)], "coordinate") for number in numbers)
        return tuple(found)

    def combinations(self) -> Iterator[tuple[Combination, float | None]]:
        """Sums and products of the parameters of each group that are determined, and the chance that they are not."""
        places = [group for group in self.group_places() if 1 < len(group) <= MOST_PLACES]
        if not places:
            return
        unknowns = [] if self.kernel is None else list(polynomials(len(self.pmap.parameters))[1])
        searched = list(self.of_one_prime(max(map(len, places))))
        for group in places if len(searched) > SPARE else ():
            for combination in combinations_of(group, searched):
                if self.kernel is not None:
                    if all(combination.is_constant_along(vector, unknowns) for vector in self.kernel):
                        yield combination, None
                    continue
                used = [one for one in self.seen if one.point.all()]
                determined = all(
                    not (one.kernel @ combination.gradient(one.point, one.prime) % one.prime).any()
                    for one in used
                    if one.rank == self.dimension
                )
                degree, log_size = self.pmap.degree_and_log_size()
                own_degree, own_size = combination.size
                size = max(degree, own_degree), max(log_size, own_size)
                error = max(LEAST, error_at(self.pmap, used, self.dimension, size))
                if determined and error < 1:
                    yield combination, error

    def of_one_prime(self, width: int) -> Iterator[Seen]:
        """Points modulo one prime, until more of them say nothing new of sums and products."""
        first = self.points.at(len(self.seen) + 1)
        freedom = max(1, len(self.pmap.parameters) - self.dimension)
        for number in range(2 + width // freedom + SPARE):
            one = first if number == 0 else self.points.at(len(self.seen) + 1 + number, first.prime)
            if one.rank == self.dimension and one.point.all():
                yield one


def independent(rows: Sequence[Any], prime: int) -> bool:
    """Whether rows are independent modulo a prime."""
    return len(first_independent(np.array(rows), prime)) == len(rows)


def first_independent(rows: Any, prime: int) -> tuple[int, ...]:
    """The first independent rows."""
    return rank_by_flint(np.ascontiguousarray(rows), prime).rows


def reduced_rows(vectors: Any) -> Any:
    """A basis of the same space in reduced form, the greatest entry of each row 1; what is nearly zero is zero."""
    rows = np.array(vectors)
    free: list[int] = []
    for number in range(len(rows)):
        rest = np.abs(rows[number])
        rest[free] = 0
        column = int(rest.argmax())
        free.append(column)
        rows[number] /= rows[number, column]
        for other in range(len(rows)):
            if other != number:
                rows[other] -= rows[other, column] * rows[number]
    rows[np.abs(rows) < RANK_CHECK] = 0
    return rows / np.abs(rows).max(axis=1, keepdims=True)


def written(polynomial: Any, names: Sequence[str]) -> str:
    """A polynomial in the parameters' names, in factors."""
    content, factors = polynomial.factor()
    pieces = [factor_text(str(factor), names) + (f"^{power}" if power > 1 else "") for factor, power in factors]
    number = str(content)
    sign = "−" if number.startswith("-") else ""
    number = number.removeprefix("-")
    return sign + "·".join([*([number] if number != "1" or not pieces else []), *pieces])


def factor_text(text: str, names: Sequence[str]) -> str:
    """A factor with the parameters' names."""
    named = re.sub(r"\bt(\d+)\b", lambda match: names[int(match[1])], text.replace("*", "·").replace(" - ", " − "))
    return f"({named})" if " " in text else named
