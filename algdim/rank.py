"""The rank of the Jacobian at points drawn from a seed, by any of the methods.

Choosing a method is one function (`choose`), running it another (`draw`). Each method makes one `Draw`: a rank at one
point, which is a proved lower bound for the dimension (lemma "lower bound" in proofs/lemmas.md). `symbolic` is the
exception that proves both sides, `float` the one that proves neither.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from algdim.display.results import Compact
from algdim.errors import InputError, LimitError, describe_closest_word
from algdim.exact.arithmetic import (
    RESIDUE_BITS,
    Arithmetic,
    Array,
    Objects,
    SingularError,
    convert_drawn,
    get_residues,
    make_rationals,
)
from algdim.exact.draws import Stream, compute_fingerprint, draw_integers, draw_residues, open_stream
from algdim.exact.elimination import Rank, Reduced
from algdim.exact.primes import draw_prime
from algdim.exact.ranks import rank_mod, rank_rational
from algdim.figures import format_integer, format_plural_count
from algdim.jacobian import (
    COPIES,
    PRODUCTS,
    AtPoint,
    Evaluator,
    check_size,
    compute_symbolic_jacobian,
    evaluate_derivatives,
    evaluate_jacobian,
    evaluate_values,
    is_probed,
    make_evaluator,
    needs_factorised_functionals,
)
from algdim.limits import telling
from algdim.maps import Functionals, Map, find_once
from algdim.memory import ALLOW_MORE, OR_PROBES, check_memory

SPARE_PROBES = 16
THOUSAND = 1000
SYMBOLIC_ENTRIES = 4000
SYMBOLIC_TERMS = 1 << 16
RATIONAL_BITS = 61
MOST_PRIMES = 100
MOST_POINTS = 100
LEAST_BLOCK = 1024
NUMBER_BYTES = 8
FEW_PARAMETERS = 100
"""Up to so many, the rows beyond as many are a good part of all, and the rank of all of them takes little time."""
KEPT_PARAMETERS = 400
"""Up to so many, the point and the rows that show a rank are kept for further questions."""
FLOAT_DIGITS = 30
FLOAT_TOLERANCE = 1e-15
PROVES_LOWER, PROVES_BOTH, PROVES_NOTHING = "lower", "both", "nothing"
WITHOUT_POINT = {PROVES_BOTH: " over the rational functions", PROVES_NOTHING: " at a point in floating point"}


@dataclass(frozen=True, slots=True, repr=False)
class Draw(Compact):
    """The rank at one point.

    ``choices`` is the number of values among which each coordinate of the point was drawn. ``prime_bits`` is set if
    the prime was drawn among all primes of that length. ``count`` is the number of functionals, coordinates or probes.
    ``streams`` are the texts of the streams: the point's and, if there are any, the probes'; none of a generic point.
    ``jacobian`` has the rows that show a rank modulo the prime, where they are kept.
    """

    method: str
    rank: Rank
    seed: int | str
    number: int
    point: str
    proves: str = PROVES_LOWER
    prime: int | None = None
    prime_bits: int | None = None
    choices: int | None = None
    functionals: str = "cells"
    count: int = 0
    note: str = ""
    streams: tuple[str, ...] = ()
    jacobian: Array | None = field(default=None, repr=False, compare=False)

    @property
    def place(self) -> str:
        """Where the rank was taken, in words; which point it is and which prime, `drawn_at` tells."""
        exact = " at an exact point" if self.prime else " at a rational point"
        where = exact if self.proves == PROVES_LOWER else WITHOUT_POINT[self.proves]
        return f"{where}, {format_plural_count(self.count, self.functionals)}"

    @property
    def drawn_at(self) -> str:
        """The point and the prime; empty where there is no point."""
        if self.proves == PROVES_BOTH:
            return ""
        over = f" mod {self.prime}" if self.prime else "" if self.proves == PROVES_NOTHING else " over ℚ"
        return f"point {self.point}…{over}"

    @property
    def drawn_from(self) -> str:
        """The same with the texts of the streams, from which it can be drawn again; empty where nothing was drawn."""
        if not self.streams:
            return ""
        point, *others = (f'"{text}"' for text in self.streams)
        over = f" mod {self.prime}" if self.prime else " over ℚ"
        probes = f" drawn from {' and '.join(others)}" if others else ""
        return f"at the point drawn from {point}{over}, {format_plural_count(self.count, self.functionals)}{probes}"


class Task(NamedTuple):
    """What a method needs: the map made ready, the seed and its use, the limit of memory, a proved upper bound."""

    pmap: Map
    evaluator: Evaluator
    seed: int | str = 0
    labels: tuple[int | str, ...] = ()
    max_memory: int | None = None
    stop_at: int | None = None

    @property
    def parameters(self) -> int:
        """The number of parameters."""
        return self.pmap.parameter_count


Method = Callable[[Task, int], Draw]


def choose(pmap: Map) -> str:
    """The fastest exact method: all coordinates where they are few (or some are left out), otherwise functionals of all.

    These are probes, or products where one probe would cost much and the map has functionals that factorise.
    """
    if pmap.kept_coordinates is not None or pmap.coordinate_count <= pmap.parameter_count + SPARE_PROBES:
        return "table"
    return PRODUCTS if needs_factorised_functionals(pmap) else "probes"


def draw(task: Task, method: str, number: int = 0) -> Draw:
    """Run one method once; the number tells apart the draws of one seed."""
    if method not in METHODS:
        raise InputError(
            f"there is no method {method!r}{describe_closest_word(method, METHODS)}; known are auto, {', '.join(METHODS)}"
        )
    count = count_probes(task) if sees_by_probes(task, method) else task.pmap.coordinate_count
    stop_at = None if count <= choose_block_height(task, count) else task.stop_at  # of no matter where all is one block
    with telling(partial(describe_rows, task, count, "the rank", f" by the method {method}")):
        return find_once(
            task.pmap,
            ("draw", method, number, task.seed, task.labels, task.max_memory, stop_at, count),
            lambda: try_drawn_points(task.labels, lambda labels: METHODS[method](take_labels(task, labels), number)),
        )


def describe_rows(task: Task, count: int, what: str, how: str = "") -> str:
    """What is done with a Jacobian of so many rows."""
    return f"{what} of the Jacobian{how}, {format_integer(count)} × {format_integer(task.parameters)}"


def take_labels(task: Task, labels: Labels) -> Task:
    """The same task with other labels."""
    return task if labels is task.labels else task._replace(labels=labels)


def count_probes(task: Task) -> int:
    """A few more than there can be dimensions, as far as that is proved."""
    bounds = (task.parameters, task.pmap.complete, task.stop_at)
    return min(bound for bound in bounds if bound is not None) + SPARE_PROBES


def sees_by_probes(task: Task, method: str) -> bool:
    """Whether a method takes functionals of all coordinates at once, as many as there are parameters and a few more."""
    return method in ("probes", PRODUCTS) and task.pmap.kept_coordinates is None and is_probed(task.evaluator)


Result = TypeVar("Result")
Labels = tuple[int | str, ...]


def try_drawn_points(labels: Labels, run: Callable[[Labels], Result]) -> Result:
    """Run with the labels, and with others as long as the map has no value at the point that these give."""
    for attempt in range(MOST_POINTS):
        try:
            return run((*labels, "again", attempt) if attempt else labels)
        except SingularError:
            continue
    raise LimitError(
        f"{MOST_POINTS} points were drawn and the map has a value at none of them, because a denominator is zero or I − B "
        "singular; are coefficients on a cycle fixed so that their product is 1?"
    )


def draw_modular_rank(task: Task, number: int, method: str, functionals_for: Callable[[int], Functionals]) -> Draw:
    """The rank modulo a drawn prime at a drawn point, against the functionals given."""
    prime, source, point = draw_point(task.pmap, task.seed, (*task.labels, number))
    functionals = functionals_for(prime)
    used = USES[method]
    rank, rows = rank_in_blocks(task, prime, point, functionals)
    return Draw(
        method=method,
        rank=rank,
        seed=task.seed,
        number=number,
        point=compute_fingerprint(source),
        prime=prime,
        prime_bits=RESIDUE_BITS,
        choices=prime,
        functionals=task.pmap.coordinates_are if method == "table" else method,
        count=functionals.count,
        streams=(source.text, *[open_stream(task.seed, use, *task.labels, number).text for use in used[1:]]),
        jacobian=rows,
    )


class DrawnPoint(NamedTuple):
    """A drawn prime, a point modulo it, which is only read, and the stream from which its coordinates are drawn."""

    prime: int
    source: Stream
    values: Array


def draw_point(pmap: Map, seed: int | str, labels: Labels) -> DrawnPoint:
    """The prime and the point of a seed and its use, drawn once where there are few parameters."""

    def draw_now() -> DrawnPoint:
        prime, source = find_usable_prime(pmap, seed, *labels), open_stream(seed, "point", *labels)
        values = convert_drawn(get_residues(prime), draw_residues(source, prime, pmap.parameter_count))
        values.flags.writeable = False
        return DrawnPoint(prime, source, values)

    if pmap.parameter_count > KEPT_PARAMETERS:
        return draw_now()
    return find_once(pmap, ("point", seed, labels), draw_now)


def choose_block_height(task: Task, count: int) -> int:
    """Of how many rows the rank is taken at a time."""
    width = max(1, task.parameters)
    whole = 2 * width + SPARE_PROBES
    # a block is copied together with the basis, unless it is the only one
    block = max(whole if count <= whole else width // 2, LEAST_BLOCK)
    if task.max_memory is not None:
        fits = task.max_memory // (COPIES * NUMBER_BYTES * width) - width
        block = block if block <= fits else max(width + SPARE_PROBES, fits)  # too large a block is refused below
    return block


def split_into_blocks(task: Task, count: int) -> list[range]:
    """The rows that are taken at a time: of few parameters first as many rows, which mostly are enough, where all are needed."""
    block = choose_block_height(task, count)
    are_enough = task.parameters <= FEW_PARAMETERS and task.parameters + SPARE_PROBES == count <= block
    bounds = [0, task.parameters, count] if are_enough else [*range(0, count, block), count]
    return [range(start, stop) for start, stop in pairwise(bounds) if start < stop]


def rank_in_blocks(task: Task, prime: int, point: Array, functionals: Functionals) -> tuple[Rank, Array | None]:
    """The rank of the Jacobian, some rows at a time beside a basis of those before, until it meets a proved bound.

    No more than three matrices with as many rows as parameters exist at once, however many functionals there are. Also the
    rows that show the rank, where they are kept.
    """
    arithmetic = get_residues(prime)
    is_kept, count = task.parameters <= KEPT_PARAMETERS, functionals.count
    basis, found = None, Rank(0, (), ())
    for rows in split_into_blocks(task, count):
        with telling(partial(describe_rows, task, count, f"rows {rows.start} to {rows.stop}")):
            matrix = evaluate_jacobian(
                task.pmap,
                arithmetic,
                point,
                functionals,
                evaluator=task.evaluator,
                rows=rows,
                max_memory=task.max_memory,
            )
        numbers = None if basis is None else [*found.rows, *rows]
        matrix = matrix if basis is None else np.vstack([basis, matrix])
        basis = None
        # not stopped at the bound: a rank above it would show that the bound is wrong
        is_last = rows.stop == count
        with telling(partial(describe_rows, task, count, f"the rank of {len(matrix)} rows")):
            rank = rank_mod(matrix, prime, overwrite=is_last and not is_kept, computed=True)
        chosen = rank.rows if numbers is None else tuple([numbers[row] for row in rank.rows])
        found = Rank(rank.value, chosen, rank.columns)
        is_full = found.value == task.parameters
        if is_last or is_full or (task.stop_at is not None and found.value >= task.stop_at):
            return found, take_rows(matrix, rank.rows) if is_kept else None
        basis = take_rows(matrix, rank.rows)
    return found, basis


def take_rows(matrix: Array, rows: Sequence[int]) -> Array:
    """Some rows of a matrix, in their order, which may be all."""
    return matrix if len(rows) == len(matrix) else matrix[list(rows)]


def find_usable_prime(pmap: Map, seed: int | str, *labels: int | str) -> int:
    """The first drawn prime that divides no denominator of a fixed entry."""
    denominators = pmap.denominators()
    for attempt in range(MOST_PRIMES):
        prime = draw_prime(open_stream(seed, "prime", *labels, attempt), RESIDUE_BITS)
        if all(denominator % prime for denominator in denominators):
            return prime
    raise LimitError(
        f"{MOST_PRIMES} primes of {RESIDUE_BITS} bits were drawn and each divides a denominator of the model; use the method rational"
    )


def draw_table(task: Task, number: int) -> Draw:
    """All coordinates over GF(p)."""
    return draw_modular_rank(task, number, "table", lambda _: task.evaluator.all_coordinates(task.max_memory))


USES: Mapping[str, tuple[str, ...]] = {
    "table": ("point",),
    "probes": ("point", "probes"),
    PRODUCTS: ("point", "probes", "choices"),
}
"""What is drawn from streams of their own, by method."""


def draw_probes(task: Task, number: int, method: str = "probes") -> Draw:
    """Random functionals over GF(p), a few more than there can be dimensions; they see all coordinates at once."""
    evaluator = task.evaluator
    if task.pmap.kept_coordinates is not None or not is_probed(evaluator):
        return draw_table(task, number)
    count = count_probes(task)
    labels = (*task.labels, number)
    # before any probe is drawn
    what = f"the Jacobian has {format_integer(count)} rows and {format_integer(task.parameters)} columns"
    check_memory(COPIES * NUMBER_BYTES * count * task.parameters, task.max_memory, what, ALLOW_MORE)
    return draw_modular_rank(
        task, number, method, lambda prime: evaluator.random_functionals(count, prime, task.seed, *labels)
    )


def draw_products(task: Task, number: int) -> Draw:
    """Random functionals that factorise, where the map has any; otherwise probes."""
    return draw_probes(task, number, PRODUCTS if getattr(task.evaluator, "factorises", False) else "probes")


def draw_rational(task: Task, number: int) -> Draw:
    """All coordinates over ℚ at a point with integer coordinates below 2^61."""
    source = open_stream(task.seed, "point", *task.labels, number)
    point = draw_integers(source, 0, (1 << RATIONAL_BITS) - 1, task.parameters)
    rank = rank_rational(compute_rational_jacobian(task.pmap, [Fraction(value) for value in point], task.max_memory))
    return Draw(
        "rational",
        rank,
        task.seed,
        number,
        compute_fingerprint(source),
        choices=1 << RATIONAL_BITS,
        functionals=task.pmap.coordinates_are,
        count=task.pmap.coordinate_count,
        streams=(source.text,),
    )


class RationalMap:
    """A map over ℚ, made ready once for the values and Jacobians of all coordinates at many points."""

    def __init__(self, pmap: Map, max_memory: int | None = None, advice: str = OR_PROBES) -> None:
        self.pmap, self.arithmetic, self.evaluator = pmap, make_rationals(), make_evaluator(pmap)
        self.coordinates = self.evaluator.all_coordinates(max_memory, advice)
        self.rows, self.max_memory = range(self.coordinates.count), max_memory

    def elements(self, numbers: Sequence[Fraction]) -> Array:
        """Fractions as numbers of the arithmetic."""
        return self.arithmetic.elements(make_object_array(numbers))

    def at(self, point: Array) -> RationalPoint:
        """Prepare for one point, given by its elements; `SingularError` where the map has no value."""
        return RationalPoint(self, self.evaluator.at(self.arithmetic, point))


class RationalPoint(NamedTuple):
    """A map over ℚ at a point."""

    of: RationalMap
    at: AtPoint

    def values(self) -> Array:
        """The coordinates."""
        return evaluate_values(self.of.evaluator, self.at, self.of.arithmetic, self.of.coordinates)

    def jacobian(self) -> Array:
        """The Jacobian of all coordinates."""
        one = self.of
        check_size(one.pmap, one.arithmetic, one.evaluator, one.coordinates, len(one.rows), one.max_memory)
        return evaluate_derivatives(one.pmap, one.evaluator, self.at, one.arithmetic, one.coordinates, one.rows)


def compute_rational_jacobian(
    pmap: Map, point: Sequence[Fraction], max_memory: int | None = None, advice: str = OR_PROBES
) -> Array:
    """The Jacobian of all coordinates over ℚ."""
    exact = RationalMap(pmap, max_memory, advice)
    return exact.at(exact.elements(point)).jacobian()


MOST_FLOATS = 1 << 23
"""Entries of a matrix whose singular values are looked at."""
NEARLY_SMALLER = 1e-6
"""Below this share of the first singular value the last one hardly tells the rank from a smaller one."""


def measure_weakest_value(matrix: Array, rank: int) -> float | None:
    """The last singular value that a rank leaves over the first, in floating point; ``None`` where they are not taken.

    Rows and columns may have units of their own: the greater share is returned, of the matrix as it is and of one whose rows
    and columns have the length 1.
    """
    if not rank or matrix.size > MOST_FLOATS:
        return None
    try:
        plain = np.array(matrix.tolist(), dtype=np.float64)
    except OverflowError:
        return None
    shares = []
    for one in (plain, normalise_columns(normalise_columns(plain.T).T)):
        values = np.linalg.svd(one, compute_uv=False)
        shares.append(float(values[rank - 1] / values[0]) if values[0] else 0.0)
    return max(shares)


def normalise_columns(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """The matrix with columns of length 1, but for those that are zero."""
    lengths = np.linalg.norm(matrix, axis=0)
    return np.asarray(matrix / np.where(lengths > 0, lengths, 1.0))


def warn_nearly_smaller(share: float | None, rank: int) -> str:
    """A warning where a rank at given parameters is next to a smaller one.

    >>> warn_nearly_smaller(3e-9, 7), warn_nearly_smaller(0.2, 7)
    ('WARNING: singular value 7 of 7 is 3e-09 of the first (numerical): a point with a smaller rank is near, as where classes are equal', '')
    """
    if share is None or share >= NEARLY_SMALLER:
        return ""
    return (
        f"WARNING: singular value {rank} of {rank} is {share:.0e} of the first (numerical): a point with a smaller rank is near, "
        "as where classes are equal"
    )


def make_object_array(values: Sequence[Fraction]) -> Array:
    """Fractions in an object array."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def draw_thousandths(task: Task, number: int) -> list[Fraction]:
    """GHM96 §5's random point: each coordinate a random integer from 1 to 999, divided by 1000."""
    source = open_stream(task.seed, "point", *task.labels, number)
    return [Fraction(value, THOUSAND) for value in draw_integers(source, 1, THOUSAND - 1, task.parameters)]


def reduce_drawn_jacobian(task: Task, number: int) -> Reduced:
    """GHM96 §5's RowReduce: the reduced row echelon form of the Jacobian at a random point."""
    from algdim.exact.flint import estimate_reduced_rows, reduce_rows_by_flint

    rows = compute_rational_jacobian(task.pmap, draw_thousandths(task, number), task.max_memory).tolist()
    what = f"the reduced matrix of {format_integer(len(rows))} × {format_integer(task.parameters)} fractions"
    check_memory(
        estimate_reduced_rows(rows), task.max_memory, what, f"{ALLOW_MORE} or use a method that works modulo primes"
    )
    return reduce_rows_by_flint(rows)


def reduce_first_jacobian(pmap: Map, seed: int | str, max_memory: int | None) -> Reduced:
    """The matrix that the first draw of the method `rowreduce` reduces to."""
    task = Task(pmap, make_evaluator(pmap), seed, max_memory=max_memory)
    return try_drawn_points(task.labels, lambda labels: reduce_drawn_jacobian(task._replace(labels=labels), 0))


def draw_rowreduce(task: Task, number: int) -> Draw:
    """The papers' own method, once: exact row reduction at a point with coordinates k/1000."""
    source = open_stream(task.seed, "point", *task.labels, number)
    return Draw(
        method="rowreduce",
        rank=reduce_drawn_jacobian(task, number).rank,
        seed=task.seed,
        number=number,
        point=compute_fingerprint(source),
        choices=THOUSAND - 1,
        functionals=task.pmap.coordinates_are,
        count=task.pmap.coordinate_count,
        streams=(source.text,),
    )


def draw_symbolic(task: Task, number: int) -> Draw:
    """The rank over the field of rational functions, by fraction-free elimination: exact, for small models."""
    from algdim.exact.polynomials import find_generic_rank

    entries = task.pmap.coordinate_count * task.parameters
    if entries > SYMBOLIC_ENTRIES:
        raise LimitError(
            f"the symbolic Jacobian has {task.pmap.coordinate_count} × {task.parameters} entries; at most {SYMBOLIC_ENTRIES} "
            "are allowed; use another method"
        )
    rows, columns = find_generic_rank(
        compute_symbolic_jacobian(task.pmap, task.evaluator, SYMBOLIC_TERMS, task.max_memory)
    )
    rank = Rank(len(rows), rows, columns)
    return Draw(
        method="symbolic",
        rank=rank,
        seed=task.seed,
        number=number,
        point="generic",
        proves=PROVES_BOTH,
        functionals=task.pmap.coordinates_are,
        count=task.pmap.coordinate_count,
    )


def draw_float(task: Task, number: int) -> Draw:
    """Thirty digits and a tolerance, as KZ02 §2.4 did: for comparison, it proves nothing."""
    import gmpy2

    with gmpy2.context(gmpy2.get_context(), precision=int(FLOAT_DIGITS * 3.33)):
        arithmetic: Arithmetic = Objects(convert=lambda value: gmpy2.mpfr(gmpy2.mpq(value)))
        point = arithmetic.elements(make_object_array(draw_thousandths(task, number)))
        coordinates = task.evaluator.all_coordinates(task.max_memory)
        matrix = evaluate_jacobian(
            task.pmap, arithmetic, point, coordinates, evaluator=task.evaluator, max_memory=task.max_memory
        )
        rank, last, first = compute_float_rank(matrix)
    note = f"pivots below {FLOAT_TOLERANCE:g} of the largest count as zero; last counted {last:.1e}, first not counted {first:.1e}"
    return Draw(
        method="float",
        rank=rank,
        seed=task.seed,
        number=number,
        point=compute_fingerprint(open_stream(task.seed, "point", *task.labels, number)),
        proves=PROVES_NOTHING,
        functionals=task.pmap.coordinates_are,
        count=task.pmap.coordinate_count,
        note=note,
    )


def compute_float_rank(matrix: Array) -> tuple[Rank, float, float]:
    """Elimination with complete pivoting; also the last pivot counted and the first not counted, relative to the first."""
    work = matrix.copy()
    rows, columns = list(range(work.shape[0])), list(range(work.shape[1]))
    pivots: list[tuple[int, int]] = []
    largest, last, rest = 0.0, 1.0, 0.0
    while rows and columns:
        block = np.abs(work[np.ix_(rows, columns)]).astype(np.float64)
        i, j = np.unravel_index(int(block.argmax()), block.shape)
        largest = largest or float(block[i, j])
        rest = float(block[i, j]) / largest if largest else 0.0
        if rest <= FLOAT_TOLERANCE:
            break
        last = rest
        row, column = rows.pop(i), columns.pop(j)
        pivots.append((row, column))
        factors = work[rows, column] / work[row, column]
        work[np.ix_(rows, columns)] -= factors[:, None] * work[row, columns][None, :]
        rest = 0.0
    chosen = Rank(len(pivots), tuple(row for row, _ in pivots), tuple(column for _, column in pivots))
    return chosen, last, rest


METHODS: Mapping[str, Method] = {
    "table": draw_table,
    "probes": draw_probes,
    PRODUCTS: draw_products,
    "rational": draw_rational,
    "rowreduce": draw_rowreduce,
    "symbolic": draw_symbolic,
    "float": draw_float,
}
