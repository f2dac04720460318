"""The Jacobian at drawn points, its kernel, and what these say of each parameter (lemma "parameters" in proofs/lemmas.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.analysis import PartFound, name_district
from algdim.bound.chance import compute_draw_error
from algdim.bound.strategy import ENTRIES, RANK
from algdim.errors import join_names
from algdim.exact.arithmetic import RESIDUE_BITS, Array, Residues
from algdim.exact.draws import Stream, compute_fingerprint, describe_draw, draw_residues, open_stream
from algdim.exact.elimination import Rank
from algdim.exact.ranks import invert_minor, rank_mod
from algdim.families import load_identifying
from algdim.families.contract import make_part
from algdim.figures import format_integer
from algdim.jacobian import PRODUCTS, evaluate_jacobian, is_probed, make_method_evaluator
from algdim.limits import telling
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
FIXING_SHOWN = 4


class KernelBasis(NamedTuple):
    """A basis of the kernel of a matrix modulo a prime, with one vector for each of its columns that is not in a greatest minor.

    The vector of the column ``rest[k]`` has 1 there, ``coefficients[k]`` at the columns of the minor, and 0 elsewhere. So a kernel
    with almost as many vectors as columns takes no more memory than the matrix.
    """

    columns: NDArray[np.intp]
    rest: NDArray[np.intp]
    coefficients: NDArray[np.int64]
    width: int

    def __len__(self) -> int:
        """How many vectors there are."""
        return len(self.rest)

    @property
    def moved_columns(self) -> NDArray[np.bool_]:
        """For each column whether a vector changes it."""
        found = np.zeros(self.width, dtype=np.bool_)
        found[self.rest] = True
        found[self.columns] = self.coefficients.any(axis=0)
        return found

    def components(self) -> list[tuple[int, ...]]:
        """The columns in groups, two of which are joined if a vector is zero at neither; those that no vector changes are in none.

        Each vector takes the least number of those that it meets at a column, until nothing changes: with the numbers in an
        array, as the vectors may have millions of entries.
        """
        meets, none = self.coefficients != 0, len(self.rest)
        own = np.arange(none)
        while True:
            met = np.min(np.where(meets, own[:, None], none), axis=0, initial=none)
            least = np.minimum(own, np.min(np.where(meets, met, none), axis=1, initial=none))
            least = least[least]
            if (least == own).all():
                break
            own = least
        found: dict[int, list[int]] = {}
        for column, number in zip((*self.rest, *self.columns), (*own.tolist(), *met.tolist()), strict=True):
            if number < none:
                found.setdefault(number, []).append(int(column))
        return sorted(tuple(sorted(one)) for one in found.values())

    def times(self, slopes: NDArray[np.int64], prime: int) -> NDArray[np.int64]:
        """The product of each vector with another one."""
        return np.asarray((slopes[self.rest] + self.coefficients @ slopes[self.columns]) % prime)

    def within(self, places: Sequence[int]) -> KernelBasis:
        """The vectors of columns among these, by their numbers there; those of a group are zero outside of it."""
        number = np.full(self.width, -1, dtype=np.intp)
        number[list(places)] = np.arange(len(places))
        mine, others = number[self.columns] >= 0, number[self.rest] >= 0
        # compared with the whole matrix, most groups are small
        return KernelBasis(
            number[self.columns[mine]], number[self.rest[others]], self.coefficients[np.ix_(others, mine)], len(places)
        )

    def at(self, places: Sequence[int]) -> NDArray[np.int64]:
        """What all vectors have at these columns, a row for each that has something there."""
        number = np.full(self.width, -1, dtype=np.intp)
        number[list(places)] = np.arange(len(places))
        mine, others = number[self.columns] >= 0, number[self.rest] >= 0
        rows = np.flatnonzero(others | self.coefficients[:, mine].any(axis=1))
        found = np.zeros((len(rows), len(places)), dtype=np.int64)
        found[:, number[self.columns[mine]]] = self.coefficients[np.ix_(rows, mine)]
        inside = others[rows]
        found[np.flatnonzero(inside), number[self.rest[rows[inside]]]] = 1
        return found


def compute_kernel_basis(matrix: Array, rank: Rank, prime: int) -> KernelBasis:
    """The basis that goes with the minor of a rank.

    >>> basis = compute_kernel_basis(np.array([[1.0, 2.0, 0.0]]), Rank(1, (0,), (0,)), 101)
    >>> basis.columns.tolist(), basis.rest.tolist(), basis.coefficients.tolist()
    ([0], [1, 2], [[99], [0]])
    """
    width = matrix.shape[1]
    rest = np.delete(np.arange(width), list(rank.columns))
    coefficients = np.zeros((len(rest), rank.value), dtype=np.int64)
    if rank.value and len(rest):
        others = matrix[list(rank.rows)][:, rest]
        solved = Residues(prime).matmul(invert_minor(matrix, rank, prime), others)
        coefficients[:] = np.remainder(-solved, prime).T
    return KernelBasis(np.array(rank.columns, dtype=np.intp), rest, coefficients, width)


class Seen(NamedTuple):
    """The Jacobian at one drawn point modulo a prime: its rank, and a basis of its kernel."""

    draw: Draw
    prime: int
    point: NDArray[np.int64]
    matrix: Array
    kernel: KernelBasis

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


class Points(NamedTuple):
    """What draws the points of a map, each from labels of its own."""

    task: Task
    method: str

    def at(self, number: int, prime: int | None = None) -> Seen:
        """The Jacobian at the point of a number, modulo the prime given or one drawn for it."""
        return try_drawn_points(
            self.task.labels, lambda labels: self.draw_point(self.task._replace(labels=labels), number, prime)
        )

    def draw_point(self, task: Task, number: int, given: int | None) -> Seen:
        """The same, if the map has a value there."""
        labels: Labels = (*task.labels, number)
        prime = given or find_usable_prime(task.pmap, task.seed, *labels)
        source = open_stream(task.seed, "point", *labels)
        seen = self.evaluate_point(task, number, prime, draw_residues(source, prime, task.parameters), source)
        return seen if given else seen._replace(draw=replace(seen.draw, prime_bits=RESIDUE_BITS))

    def take_point(self, number: int, point: Sequence[Fraction]) -> Seen:
        """The Jacobian at a point that is given, modulo a prime drawn for the number."""
        prime = find_usable_prime(self.task.pmap, self.task.seed, *self.task.labels, number)
        values = [value.numerator * pow(value.denominator, -1, prime) % prime for value in point]
        return self.evaluate_point(self.task, number, prime, np.array(values, dtype=np.int64), None)

    def evaluate_point(
        self, task: Task, number: int, prime: int, values: NDArray[np.int64], source: Stream | None
    ) -> Seen:
        """The Jacobian at a point modulo a prime."""
        field = Residues(prime)
        if self.method == "table" or not is_probed(task.evaluator):
            functionals = task.evaluator.all_coordinates(task.max_memory)
            seen_by = task.pmap.coordinates_are
        else:
            count = min(task.parameters, task.pmap.complete) + SPARE_PROBES
            functionals = task.evaluator.random_functionals(count, prime, task.seed, *task.labels, number)
            seen_by = self.method
        size = f"{format_integer(functionals.count)} × {format_integer(task.parameters)}"
        with telling(f"the Jacobian at a point, {size}"):
            matrix = evaluate_jacobian(
                task.pmap,
                field,
                field.elements(values),
                functionals,
                evaluator=task.evaluator,
                max_memory=task.max_memory,
            )
            rank = rank_mod(matrix, prime) if matrix.size else Rank(0, (), ())
        rest = matrix.shape[1] - rank.value
        what = (
            f"the kernel of the Jacobian has {format_integer(rest)} rows and {format_integer(matrix.shape[1])} columns"
        )
        # those of the points before stay; a new one takes an inverse and copies, and so do questions about it
        kept = (number + 1) * (matrix.nbytes + 8 * rank.value * rest)
        copies = 8 * rank.value * (6 * rank.value + 9 * matrix.shape[1])
        check_memory(kept + copies, task.max_memory, what, ALLOW_MORE)
        with telling(what):
            kernel = compute_kernel_basis(matrix, rank, prime)
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
    if method == PRODUCTS and not is_probed(evaluator):
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
            found |= one.kernel.moved_columns
    return found


def find_first_fixing_set(kernel: KernelBasis, prime: int) -> tuple[int, ...]:
    """The first columns on which the vectors are independent: all but the last ones that are independent in the matrix."""
    rows = make_row_space(kernel)
    last = rank_mod(np.ascontiguousarray(rows[:, ::-1]), prime).columns
    return tuple(sorted(set(range(kernel.width)).difference(kernel.width - 1 - column for column in last)))


def make_row_space(kernel: KernelBasis) -> NDArray[np.float64]:
    """A basis of what is orthogonal to the vectors, as many rows as the matrix has: fewer, where there are many vectors."""
    rows = np.zeros((len(kernel.columns), kernel.width))
    rows[np.arange(len(kernel.columns)), kernel.columns] = 1
    rows[:, kernel.rest] = -kernel.coefficients.T
    return rows


@dataclass(frozen=True, slots=True)
class Lost:
    """Parameters that are not identifiable, of so many in all, and trust that none of them is.

    Once those of ``fixing`` are fixed, all others are locally identifiable; where ``any_one`` holds it may be any other one.
    """

    names: tuple[str, ...]
    count: int
    trust: Trust
    fixing: tuple[str, ...] = ()
    any_one: bool = False

    @property
    def advice(self) -> str:
        """What to fix, in one sentence.

        >>> from algdim.report import dimension
        >>> find_lost_parameters(dimension("3:2,2,2,2")).advice
        'Fixing any one of them, at almost any value, makes the others locally identified.'
        """
        if not self.fixing:
            return ""
        if len(self.fixing) == self.count:
            return ""
        if self.any_one:
            which = "it, at almost any value," if len(self.names) == 1 else "any one of them, at almost any value,"
        elif len(self.fixing) == len(self.names):
            which = "them, at almost any values,"
        else:
            which = (
                f"{len(self.fixing)} of them, e.g. {join_names(self.fixing, most=FIXING_SHOWN)}, at almost any values,"
            )
        return f"Fixing {which} makes the others locally identified."

    def __str__(self) -> str:
        """One sentence.

        >>> from algdim.report import dimension
        >>> print(find_lost_parameters(dimension("gaussian: X -> Y; X <-> Y; means off")))
        not identified (proved): 3 of 4 parameters: b(X->Y), v(Y), c(X<->Y)
        """
        word = f"not identified ({self.trust})"
        if len(self.names) == self.count:
            return f"{word}: {'the only parameter' if self.count == 1 else f'all {self.count} parameters'}"
        return f"{word}: {len(self.names)} of {self.count} parameters: {join_names(self.names, most=NAMES_SHOWN)}"


def find_lost_parameters(report: Report, max_memory: int | str | None = None) -> Lost | None:
    """The parameters that a kernel vector at one drawn point changes; ``None`` where there are none, or that is not cheap to find.

    If the dimension is right, none of these is identifiable (lemma "parameters"); `algdim identify` looks for all. The points
    are those of the dimension, part by part; one more is drawn only where it needed none, or had other parameters.

    >>> from algdim.report import dimension
    >>> find_lost_parameters(dimension("gaussian: X -> Y; X <-> Y; means off")).names
    ('b(X->Y)', 'v(Y)', 'c(X<->Y)')
    """
    if not report.redundant or report.standard > MOST_PARAMETERS:
        return None
    # the kernel of moments contains that of the distributions; where it has the dimension of these, it is the same
    if report.moments is not None and not report.exact:
        return None
    if report.trust.status not in (PROVED, PROBABLE) or report.trust.says_nothing:
        return None  # what moves at a point of this rank may be determined
    find_doubt = load_identifying(report.model.family).find_doubt
    if find_doubt is not None and find_doubt(report.model):
        return None
    pmap = report.preparation.whole_map
    moved = find_moved_at_ranks(report) or find_moved_at_new_point(pmap, report, max_memory)
    if moved is None:
        return None
    names = tuple(name for name in pmap.parameters if name in moved.names)
    # that the ranks are the dimensions, so that these are lost, is known as far as the dimension is
    trust = trust_in_all([proved_by("parameters", moved.facts), report.trust])
    fixing = tuple(name for name in pmap.parameters if name in moved.fixing)
    return Lost(names, len(pmap.parameters), trust, fixing, report.redundant == 1)


class Moved(NamedTuple):
    """Parameters that can be changed while nothing observed changes to first order, and what shows that."""

    names: frozenset[str]
    facts: str
    fixing: frozenset[str]
    """No vector of the kernel but 0 is 0 in all of these: once they are fixed, nothing is left that moves."""


def find_moved_at_ranks(report: Report) -> Moved | None:
    """What the kernels at the points of the dimension change; ``None`` where a part has no such point."""
    analysis = report.analysis
    if analysis is None or analysis.prepared.reduction.simplified:
        return None
    prepared, names, fixing, facts = analysis.prepared, set[str](), set[str](), list[str]()
    for part in analysis.parts or (PartFound(make_part(prepared.pmap), analysis.finding, 0.0),):
        finding = part.finding
        if finding.method == ENTRIES:
            continue  # each of its parameters is a coordinate
        # other lower bounds are not from a rank of this map
        best = max(finding.draws, key=lambda draw: draw.rank.value) if finding.lower.kind == RANK else None
        if best is None or best.jacobian is None or best.prime is None:
            return None
        minor = Rank(best.rank.value, tuple(range(best.rank.value)), best.rank.columns)
        kernel = compute_kernel_basis(best.jacobian, minor, best.prime)
        changed = kernel.moved_columns
        if changed.any():
            names.update(part.part.pmap.parameters[place] for place in np.flatnonzero(changed))
            fixing.update(part.part.pmap.parameters[place] for place in find_first_fixing_set(kernel, best.prime))
            of = f" of district {name_district(part.part.model)}" if analysis.parts else ""
            which = "each of its parameters among them" if of else "each of them"
            where = f"{describe_draw(best.streams[0], best.prime)}, where it has rank {best.rank.value}"
            facts.append(f"a vector of the kernel of the Jacobian{of} changes {which} {where}")
    outside = set(prepared.whole_map.parameters).difference(prepared.pmap.parameters)
    if outside:
        facts.append(f"nothing observed depends on the parameters of {join_names(prepared.reduction.removed)}")
    if not names.issubset(prepared.whole_map.parameters):
        return None
    return Moved(frozenset(names | outside), "; ".join(facts), frozenset(fixing | outside))


def find_moved_at_new_point(pmap: Map, report: Report, max_memory: int | str | None) -> Moved | None:
    """What the kernel of the whole Jacobian at a point of its own changes; ``None`` where that is much work."""
    points = make_point_source(pmap, report.seed, choose_memory_limit(max_memory))
    rows = min(pmap.coordinate_count, len(pmap.parameters) + SPARE_PROBES)
    if points.method == PRODUCTS or points.task.evaluator.numbers_per_functional * rows > MOST_NUMBERS:
        return None
    seen = points.at(0)
    if seen.rank != report.dimension:
        return None
    names = frozenset(pmap.parameters[place] for place in np.flatnonzero(seen.kernel.moved_columns))
    facts = f"a vector of the kernel of the Jacobian changes each of them {seen.where}"
    fixing = (pmap.parameters[place] for place in find_first_fixing_set(seen.kernel, seen.prime))
    return Moved(names, facts, frozenset(fixing))
