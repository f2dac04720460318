"""Where a Jacobian is not zero, and which rows and columns show its rank, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from algdim.errors import LimitError
from algdim.exact.elimination import Rank
from algdim.plots.svg import picture

CELL = 13
MOST_CELLS = 40_000
LABELS = 64
"""With more rows or columns than these, names are left out."""
LETTER = 6.2
FREE = "#0072b2"
PIVOT = "#d55e00"


def jacobian_svg(matrix: Sequence[Sequence[Any]], rank: Rank, rows: Sequence[str], columns: Sequence[str]) -> str:
    """A square for each entry that is not zero; those in a row and a column of the minor that shows the rank stand out.

    >>> jacobian_svg([[1, 0], [2, 0]], Rank(1, (0,), (0,)), ["a", "b"], ["x", "y"]).count('class="entry')
    2
    """
    if len(rows) * len(columns) > MOST_CELLS:
        raise LimitError(f"the matrix has {len(rows)} × {len(columns)} entries; at most {MOST_CELLS} are drawn")
    named = max(len(rows), len(columns)) <= LABELS
    left = 12 + (LETTER * max(map(len, rows), default=0) if named else 0)
    top = 12 + (LETTER * max(map(len, columns), default=0) if named else 0)
    width, height = left + CELL * len(columns) + 12, top + CELL * len(rows) + 12
    chosen_rows, chosen = set(rank.rows), set(rank.columns)
    parts = [
        f'<rect x="{left:g}" y="{top:g}" width="{CELL * len(columns)}" height="{CELL * len(rows)}" fill="none" stroke="var(--ink, #222)"/>'
    ]
    for i, row in enumerate(matrix):
        for j, value in enumerate(row):
            if value != 0:
                minor = i in chosen_rows and j in chosen
                parts.append(
                    f'<rect class="entry{" minor" if minor else ""}" x="{left + CELL * j + 1:g}" y="{top + CELL * i + 1:g}" width="{CELL - 2}" '
                    f'height="{CELL - 2}" fill="{PIVOT if minor else FREE}" opacity="{1 if minor else 0.45}"/>'
                )
    if named:
        parts += [label(left - 5, top + CELL * (i + 0.75), name, i in chosen_rows) for i, name in enumerate(rows)]
        parts += [
            label(left + CELL * (j + 0.75), top - 5, name, j in chosen, turned=True) for j, name in enumerate(columns)
        ]
    title = f"Jacobian, {len(rows)} × {len(columns)}, rank {rank.value}; the minor that shows it is orange"
    return picture(width, height, title, parts)


def label(x: float, y: float, name: str, chosen: bool, *, turned: bool = False) -> str:
    """A row's name on the left, or a column's turned on top; bold if it is one of the minor."""
    where = (
        f'transform="translate({x:g} {y:g}) rotate(-90)" text-anchor="start"'
        if turned
        else f'x="{x:g}" y="{y:g}" text-anchor="end"'
    )
    weight = ' font-weight="bold"' if chosen else ""
    return f'<text {where} font-size="10"{weight}>{escape(name)}</text>'
