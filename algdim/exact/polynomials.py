"""Polynomials over the rationals (FLINT's), and the rank of a matrix of them by fraction-free elimination."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from algdim.errors import LimitError
from algdim.exact.arithmetic import Array, Objects

WORK = 10
MOST_TERMS = 20_000_000
"""A product of two polynomials is refused if it could have more terms (both numbers of terms multiplied)."""


def polynomials(count: int) -> tuple[Objects, Array]:
    """The polynomials in so many variables, and the variables themselves.

    >>> arithmetic, (x, y) = polynomials(2)
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


def generic_rank(
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
    while (place := shortest_entry(rows, columns)) is not None:
        number, column = place
        pivot = rows.pop(number)
        columns.remove(column)
        pivot_rows.append(number)
        pivot_columns.append(column)
        for row in rows.values():
            work += eliminate(row, pivot, column, columns, previous, most_terms)
            if work > WORK * most_terms:
                raise LimitError(
                    f"symbolic elimination needs more than {WORK * most_terms} products of terms; use another method"
                )
        previous = pivot[column]
    return tuple(pivot_rows), tuple(pivot_columns)


def shortest_entry(rows: dict[int, list[Any]], columns: Sequence[int]) -> tuple[int, int] | None:
    """The place of a nonzero entry with the fewest terms."""
    lengths = (
        (len(row[column]), number, column) for number, row in rows.items() for column in columns if row[column] != 0
    )
    best = min(lengths, default=None)
    return None if best is None else (best[1], best[2])


def eliminate(row: list[Any], pivot: list[Any], column: int, columns: Sequence[int], previous: Any, most: int) -> int:
    """Replace a row by pivot · row − entry · pivot row, divided by the previous pivot; return the work done."""
    work = 0
    entry, leading = row[column], pivot[column]
    for other in columns:
        terms = max(len(row[other]) * len(leading), len(entry) * len(pivot[other]))
        work += terms
        if terms > most:
            raise LimitError(
                f"symbolic elimination needs products of {len(row[other])} and {len(leading)} terms; "
                f"at most {most} products of terms are allowed; use another method"
            )
        value = row[other] * leading - entry * pivot[other]
        row[other] = value if previous is None or value == 0 else value / previous
    return work
