"""The Jacobian at drawn points, its kernel, and what these say of each parameter (lemma "parameters" in proofs/lemmas.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from algdim.bound.chance import compute_draw_error
from algdim.errors import join_names
from algdim.exact.arithmetic import RESIDUE_BITS, Array, Residues
from algdim.exact.draws import Stream, compute_fingerprint, describe_draw, draw_residues, open_stream
from algdim.exact.elimination import Rank
from algdim.exact.ranks import compute_kernel, rank_mod
from algdim.figures import format_integer
from algdim.jacobian import PRODUCTS, Probed, evaluate_jacobian, make_method_evaluator
from algdim.maps import Map
from algdim.memory import ALLOW_MORE, check_memory, choose_memory_limit
from algdim.rank import SPARE_PROBES, Draw, Labels, Task, choose, find_usable_prime, try_drawn_points
from algdim.report import Report
from algdim.trust import PROBABLE, PROVED, Trust, proved_by, trust_in_all

SURE = 1e-9
"""No further point is drawn once the chances of error of all parameters together are below this."""

MOST_DRAWS = 12

MOST_PARAMETERS = 400
MOST_NUMBERS = 1 << 23
"""Where parameters, or the numbers on the way, are more, the dimension is told without the parameters that are lost."""
NAMES_SHOWN = 8


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The Jacobian at one drawn point modulo a prime: its rank, and a basis of its kernel as rows of residues."""

    draw: Draw
    prime: int
    point: NDArray[np.int64]
    matrix: Array
    kernel: NDArray[np.int64]

    @property
    def rank(self) -> int:
        """The rank."""
        return self.draw.rank.value

    @property
    def where(self) -> str:
        """The rank and where it was seen."""
        return f"{self.at}, where it has rank {self.rank}"

    @property
    def at(self) -> str:
        """Where it was seen, by what it can be drawn again from."""
        return describe_draw(self.draw.streams[0], self.prime)

    def rank_of(self, columns: Sequence[int]) -> int:
        """The rank of some of the columns: that of the model with all other parameters fixed."""
        return rank_mod(np.ascontiguousarray(self.matrix[:, list(columns)]), self.prime).value


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """What draws the points of a map, each from labels of its own."""

    task: Task
    method: str

    def at(self, number: int, prime: int | None = None) -> Seen:
        """The Jacobian at the point of a number, modulo the prime given or one drawn for it."""
        return try_drawn_points(
            self.task.labels, lambda labels: self.drawn(replace(self.task, labels=labels), number, prime)
        )

    def drawn(self, task: Task, number: int, given: int | None) -> Seen:
        """The same, if the map has a value there."""
        labels: Labels = (*task.labels, number)
        prime = given or find_usable_prime(task.pmap, task.seed, *labels)
        source = open_stream(task.seed, "point", *labels)
        seen = self.seen(task, number, prime, draw_residues(source, prime, task.parameters), source)
        return seen if given else replace(seen, draw=replace(seen.draw, prime_bits=RESIDUE_BITS))

    def given(self, number: int, point: Sequence[Fraction]) -> Seen:
        """The Jacobian at a point that is given, modulo a prime drawn for the number."""
        prime = find_usable_prime(self.task.pmap, self.task.seed, *self.task.labels, number)
        values = [value.numerator * pow(value.denominator, -1, prime) % prime for value in point]
        return self.seen(self.task, number, prime, np.array(values, dtype=np.int64), None)

    def seen(self, task: Task, number: int, prime: int, values: NDArray[np.int64], source: Stream | None) -> Seen:
        """The Jacobian at a point modulo a prime."""
        field = Residues(prime)
        if self.method == "table" or not isinstance(task.evaluator, Probed):
            functionals = task.evaluator.all_coordinates(task.max_memory)
            seen_by = task.pmap.coordinates_are
        else:
            count = min(task.parameters, task.pmap.complete) + SPARE_PROBES
            functionals = task.evaluator.random_functionals(count, prime, task.seed, *task.labels, number)
            seen_by = self.method
        matrix = evaluate_jacobian(
            task.pmap, field, field.elements(values), functionals, evaluator=task.evaluator, max_memory=task.max_memory
        )
        rank = rank_mod(matrix, prime) if matrix.size else Rank(0, (), ())
        rest = matrix.shape[1] - rank.value
        what = (
            f"the kernel of the Jacobian has {format_integer(rest)} rows and {format_integer(matrix.shape[1])} columns"
        )
        # those of the points before stay; a new one is found, reduced and made whole, and questions about it take copies
        check_memory(8 * (number + 7) * rest * matrix.shape[1], task.max_memory, what, ALLOW_MORE)
        kernel = np.remainder(compute_kernel(matrix, rank, prime), prime).astype(np.int64)
        draw = Draw(
            self.method,
            rank,
            task.seed,
            number,
            "" if source is None else compute_fingerprint(source),
            prime=prime,
            choices=prime,
            functionals=seen_by,
            count=functionals.count,
            streams=() if source is None else (source.text,),
        )
        return Seen(draw, prime, values, matrix, kernel)


def make_point_source(pmap: Map, seed: int | str, max_memory: int | None) -> Points:
    """What draws the points of a map, with coordinates or probes, whichever are fewer."""
    method = choose(pmap)
    evaluator = make_method_evaluator(pmap, method)
    if method == PRODUCTS and not isinstance(evaluator, Probed):
        method = "table"
    return Points(Task(pmap, evaluator, seed, ("identify",), max_memory), method)


def draw_enough_points(points: Points, dimension: int) -> tuple[Seen, ...]:
    """This many points that a parameter which is seen to be determined at all of them is, but for a small chance."""
    pmap, found, error = points.task.pmap, [points.at(0)], 1.0
    size = pmap.degree_and_log_size()
    while True:
        error *= min(1.0, compute_draw_error(pmap, found[-1].draw, dimension - 1, size))
        best = max(seen.rank for seen in found)
        settled = best >= dimension and (error * len(pmap.parameters) < SURE or (error >= 1 and len(found) > 1))
        if settled or len(found) == MOST_DRAWS:
            return tuple(found)
        found.append(points.at(len(found)))


def compute_rank_error(pmap: Map, seen: Sequence[Seen], value: int, size: tuple[int, float] | None = None) -> float:
    """The chance that all points show at most this rank of a matrix whose rank is greater (lemma "chance")."""
    bounds = pmap.degree_and_log_size() if size is None else size
    error = 1.0
    for one in seen:
        error *= min(1.0, compute_draw_error(pmap, one.draw, value, bounds))
    return error


def compute_pair_error(pmap: Map, seen: Sequence[Seen], dimension: int) -> float:
    """The chance that two parameters which move together are joined by no point's kernel (lemma "drawn lists").

    Two minors of the size of the dimension must vanish at none of the points for that.
    """
    size, error = pmap.degree_and_log_size(), 1.0
    for one in seen:
        error *= min(1.0, 2 * compute_draw_error(pmap, one.draw, dimension - 1, size))
    return error


def find_moving_parameters(seen: Sequence[Seen], dimension: int) -> NDArray[np.bool_]:
    """For each parameter whether some kernel vector at a point of full rank changes it."""
    found = np.zeros(seen[0].matrix.shape[1], dtype=np.bool_)
    for one in seen:
        if one.rank == dimension:
            found |= one.kernel.any(axis=0)
    return found


@dataclass(frozen=True, slots=True)
class Lost:
    """Parameters that are not identifiable, of so many in all, and trust that none of them is."""

    names: tuple[str, ...]
    count: int
    trust: Trust

    def __str__(self) -> str:
        """One sentence.

        >>> from algdim.report import dimension
        >>> print(find_lost_parameters(dimension("gaussian: X -> Y; X <-> Y; means off")))
        not identifiable (proved): 3 of 4 parameters: b(X->Y), v(Y), c(X<->Y)
        """
        word = f"not identifiable ({self.trust})"
        if len(self.names) == self.count:
            return f"{word}: {'the only parameter' if self.count == 1 else f'all {self.count} parameters'}"
        return f"{word}: {len(self.names)} of {self.count} parameters: {join_names(self.names, most=NAMES_SHOWN)}"


def find_lost_parameters(report: Report, max_memory: int | str | None = None) -> Lost | None:
    """The parameters that a kernel vector at one drawn point changes; ``None`` where there are none, or that is not cheap to find.

    If the dimension is right, none of these is identifiable (lemma "parameters"); `algdim identify` looks for all.

    >>> from algdim.report import dimension
    >>> find_lost_parameters(dimension("gaussian: X -> Y; X <-> Y; means off")).names
    ('b(X->Y)', 'v(Y)', 'c(X<->Y)')
    """
    if not report.redundant or report.standard > MOST_PARAMETERS or report.moments is not None:
        return None
    if report.trust.status not in (PROVED, PROBABLE) or report.trust.says_nothing:
        return None  # what moves at a point of this rank may be determined
    pmap = report.prepared.whole_map
    points = make_point_source(pmap, report.seed, choose_memory_limit(max_memory))
    rows = min(pmap.coordinate_count, len(pmap.parameters) + SPARE_PROBES)
    if points.method == PRODUCTS or points.task.evaluator.numbers_per_functional * rows > MOST_NUMBERS:
        return None
    seen = points.at(0)
    if seen.rank != report.dimension:
        return None
    names = tuple(pmap.parameters[place] for place in np.flatnonzero(seen.kernel.any(axis=0)))
    # that the rank is the dimension, so that these are lost, is known as far as the dimension is
    facts = f"a vector of the kernel of the Jacobian changes each of them {seen.where}"
    return Lost(names, len(pmap.parameters), trust_in_all([proved_by("parameters", facts), report.trust]))
