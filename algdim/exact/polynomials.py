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
    common = None
    for value in vector.values():
        check_time()
        common = value if common is None else common.gcd(value)
    divided = {place: value / common for place, value in vector.items()}
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
