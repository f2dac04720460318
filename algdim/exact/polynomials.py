"""Polynomials over the rationals (FLINT's), and the rank of a matrix of them by fraction-free elimination."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd, lcm
from typing import Any

import numpy as np

from algdim.errors import LimitError
from algdim.exact.arithmetic import Array, Objects
from algdim.figures import format_integer
from algdim.limits import check_time
from algdim.memory import ALLOW_MORE, check_memory

WORK = 10
MOST_TERMS = 20_000_000
"""A product of two polynomials is refused if it could have more terms (both numbers of terms multiplied)."""


def make_polynomials(count: int) -> tuple[Objects, Array]:
    """The polynomials in this many variables, and the variables themselves.

    >>> arithmetic, (x, y) = make_polynomials(2)
    >>> str(x * x - 2 * y)
    't0^2 - 2*t1'
    """
    from flint import Ordering, fmpq, fmpq_mpoly_ctx

    context = fmpq_mpoly_ctx.get([f"t{number}" for number in range(count)], Ordering.lex)

    def convert(value: Any) -> Any:
        return context.constant(fmpq(value.numerator, value.denominator))

    variables = np.empty(count, dtype=object)
    variables[:] = context.gens()
    return Objects(convert=convert), variables


def find_generic_rank(
    matrix: Sequence[Sequence[Any]], most_terms: int = MOST_TERMS
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The rows and columns of a largest minor that is not the zero polynomial (Bareiss's elimination).

    The pivot is the entry with the fewest terms. Every entry after k steps is a (k+1)-minor of the matrix, so all
    remaining entries vanish exactly when the rank is k.
    """
    rows = {number: list(row) for number, row in enumerate(matrix)}
    columns = list(range(len(matrix[0]))) if rows else []
    pivot_rows: list[int] = []
    pivot_columns: list[int] = []
    previous: Any = None
    work = 0
    held = Held(sum(len(entry) for row in matrix for entry in row))
    while (place := find_shortest_entry(rows, columns)) is not None:
        number, column = place
        pivot = rows.pop(number)
        columns.remove(column)
        pivot_rows.append(number)
        pivot_columns.append(column)
        for row in rows.values():
            work += eliminate(row, pivot, column, columns, previous, most_terms, held)
            if work > WORK * most_terms:
                raise LimitError(
                    f"symbolic elimination needs more than {WORK * most_terms} products of terms; use another method"
                )
        previous = pivot[column]
    return tuple(pivot_rows), tuple(pivot_columns)


def find_shortest_entry(rows: dict[int, list[Any]], columns: Sequence[int]) -> tuple[int, int] | None:
    """The place of a nonzero entry with the fewest terms."""
    lengths = (
        (len(row[column]), number, column) for number, row in rows.items() for column in columns if row[column] != 0
    )
    best = min(lengths, default=None)
    return None if best is None else (best[1], best[2])


TERM_BYTES = 64
"""Of a term of a polynomial: its coefficient and exponents, and what FLINT keeps in reserve."""


@dataclass(slots=True)
class Held:
    """How many terms all polynomials of an elimination have."""

    terms: int

    def check(self, more: int) -> None:
        """Raise if so many more do not fit into memory."""
        check_memory(
            TERM_BYTES * (self.terms + more),
            None,
            f"symbolic elimination has polynomials of {format_integer(self.terms + more)} terms",
            ALLOW_MORE,
        )


def eliminate(
    row: list[Any], pivot: list[Any], column: int, columns: Sequence[int], previous: Any, most: int, held: Held
) -> int:
    """Replace a row by pivot · row − entry · pivot row, divided by the previous pivot; return the work done."""
    work = 0
    entry, leading = row[column], pivot[column]
    for other in columns:
        check_time()
        terms = max(len(row[other]) * len(leading), len(entry) * len(pivot[other]))
        work += terms
        if terms > most:
            raise LimitError(
                f"symbolic elimination needs products of {len(row[other])} and {len(leading)} terms; "
                f"at most {most} products of terms are allowed; use another method"
            )
        held.check(2 * terms)
        value, before = row[other] * leading - entry * pivot[other], len(row[other])
        row[other] = value if previous is None or value == 0 else value / previous
        held.terms += len(row[other]) - before
    return work


ENTRY_WORK = 40
"""What an entry costs in elimination by primitive rows beside its products of terms, as so many of these."""


class TermWork:
    """Counts products of terms, up to a limit."""

    def __init__(self, most: int) -> None:
        self.most, self.left = most, most

    def spend(self, row: dict[int, Any], factor: Any) -> None:
        """A row times a polynomial. `LimitError` where that is too much."""
        self.left -= sum(map(len, row.values())) * len(factor) + ENTRY_WORK * len(row)
        if self.left < 0:
            raise LimitError(f"elimination needs more than {self.most} products of terms")


def eliminate_primitive_rows(rows: Sequence[dict[int, Any]], work: TermWork) -> list[tuple[int, Any, dict[int, Any]]]:
    """The steps of the elimination: a column, its entry in the pivot row, and the others of this row. They are as many as the rank."""
    left = {number: dict(row) for number, row in enumerate(rows) if row}
    steps: list[tuple[int, Any, dict[int, Any]]] = []
    while left:
        check_time()
        number, column = find_cheapest_pivot(left)
        pivot_row = left.pop(number)
        pivot = pivot_row.pop(column)
        steps.append((column, pivot, pivot_row))
        for other in [other for other, row in left.items() if column in row]:
            row = left.pop(other)
            entry = row.pop(column)
            factor = pivot.gcd(entry)
            over, under = entry / factor, pivot / factor
            work.spend(row, under)
            work.spend(pivot_row, over)
            found = {place: one * under for place, one in row.items()}
            for place, value in pivot_row.items():
                found[place] = found[place] - value * over if place in found else -(value * over)
            found = {place: value for place, value in found.items() if value != 0}
            if found:
                left[other] = divide_by_content(found)
    return steps


def find_kernel_by_primitive_rows(
    rows: Sequence[dict[int, Any]], columns: Sequence[int], one: Any, work: TermWork
) -> list[dict[int, Any]]:
    """A basis of the vectors of polynomials that a matrix of polynomials takes to zero, over their quotients.

    Entries that are not zero are given by column. Rows are divided by the common factor of their entries after each step, which keeps sparse
    ones short; the pivot is the one that seems to cost the least.

    >>> _, (x, y) = make_polynomials(2)
    >>> rows = [{0: x * y, 1: x * x}, {0: y * y, 1: x * y}, {}]
    >>> found = find_kernel_by_primitive_rows(rows, [0, 1, 2], x**0, TermWork(1000))
    >>> [{place: str(value) for place, value in vector.items()} for vector in found]
    [{1: 't1', 0: '-t0'}, {2: '1'}]
    """
    steps = eliminate_primitive_rows(rows, work)
    return [
        solve_backwards(column, steps, one, work)
        for column in columns
        if column not in {pivot_column for pivot_column, _, _ in steps}
    ]


def solve_backwards(
    free: int, steps: Sequence[tuple[int, Any, dict[int, Any]]], one: Any, work: TermWork
) -> dict[int, Any]:
    """The vector that is not zero at one column without a pivot, and zero at all others of these."""
    vector = {free: one}
    for column, pivot, row in reversed(steps):
        check_time()
        value = multiply_by_vector(row, vector, work)
        if value != 0:
            factor = pivot.gcd(value)
            work.spend(vector, pivot / factor)
            vector = {place: entry * (pivot / factor) for place, entry in vector.items()}
            vector[column] = -(value / factor)
    return divide_by_content(vector)


def multiply_by_vector(row: dict[int, Any], vector: dict[int, Any], work: TermWork) -> Any:
    """The product of a row and a vector."""
    total: Any = 0
    for place, entry in row.items():
        if place in vector:
            work.spend({place: entry}, vector[place])
            total = entry * vector[place] + total
    return total


def find_cheapest_pivot(rows: dict[int, dict[int, Any]]) -> tuple[int, int]:
    """The place, by row and column, from which elimination makes the fewest terms, as far as a glance tells."""
    used: dict[int, int] = {}
    for row in rows.values():
        for column in row:
            used[column] = used.get(column, 0) + 1
    best: tuple[int, int, int] | None = None
    for number, row in rows.items():
        terms = sum(len(entry) for entry in row.values())
        for column, entry in row.items():
            cost = (used[column] - 1) * (50 * (len(entry) - 1) + terms * len(entry))
            if best is None or (cost, number, column) < best:
                best = (cost, number, column)
    assert best is not None, "no row is empty"  # noqa: S101
    return best[1:]


def divide_by_content(row: dict[int, Any]) -> dict[int, Any]:
    """A row divided by a common factor of its entries."""
    common: Any = None
    for entry in sorted(row.values(), key=len):
        check_time()
        common = entry if common is None else common.gcd(entry)
        if common.total_degree() == 0:
            return row
    return {column: entry / common for column, entry in row.items()}


def find_generic_kernel(matrix: Sequence[Sequence[Any]], most_terms: int = MOST_TERMS) -> list[dict[int, Any]]:
    """A basis of the vectors of rational functions that a matrix of polynomials takes to zero, cleared to polynomials.

    Fraction-free elimination above and below each pivot; each vector, given by its entries that are not zero, is divided
    by their common factor.

    >>> _, (x, y) = make_polynomials(2)
    >>> [
    ...     {place: str(value) for place, value in vector.items()}
    ...     for vector in find_generic_kernel([[x * y, x * x, 0 * x]])
    ... ]
    [{0: '-t0', 1: 't1'}, {2: '1'}]
    """
    width = len(matrix[0]) if matrix else 0
    numbers, pivots = find_generic_rank(matrix, most_terms)
    rows = [list(matrix[number]) for number in numbers]
    free = [column for column in range(width) if column not in pivots]
    previous: Any = None
    work = 0
    held = Held(sum(len(entry) for row in rows for entry in row))
    for place, column in enumerate(pivots):
        rest = [*free, *pivots[place + 1 :]]
        for other, row in enumerate(rows):
            if other != place:
                work += eliminate(row, rows[place], column, rest, previous, most_terms, held)
            if work > WORK * most_terms:
                raise LimitError(f"a symbolic kernel needs more than {WORK * most_terms} products of terms")
        previous = rows[place][column]
    found = []
    for column in free:
        vector = {pivot: -rows[place][column] for place, pivot in enumerate(pivots) if rows[place][column] != 0}
        zero = next((entry * 0 for row in matrix for entry in row), 0)
        vector[column] = zero + 1 if previous is None or not vector else previous
        found.append(make_primitive(dict(sorted(vector.items()))))
    return found


def make_primitive(vector: dict[int, Any]) -> dict[int, Any]:
    """A vector of polynomials divided by their greatest common factor, and made integral."""
    divided = divide_by_content(vector)
    coefficients = [coefficient for value in divided.values() for coefficient in value.coeffs()]
    over, under = gcd(*(int(one.p) for one in coefficients)), lcm(*(int(one.q) for one in coefficients))
    return {place: value * under / over for place, value in divided.items()}


def evaluate_mod(polynomial: Any, point: Sequence[int], prime: int) -> int:
    """The value of a polynomial at a point, modulo a prime that divides no denominator of its coefficients.

    >>> _, (x, y) = make_polynomials(2)
    >>> evaluate_mod(x * x - 2 * y, [3, 1], 5)
    2
    """
    total = 0
    for exponents, coefficient in polynomial.to_dict().items():
        term = int(coefficient.p) * pow(int(coefficient.q), -1, prime) % prime
        for place, exponent in enumerate(exponents):
            if exponent:
                term = term * pow(point[place], int(exponent), prime) % prime
        total += term
    return total % prime
