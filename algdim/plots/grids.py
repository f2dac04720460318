"""Pictures of what bounds a dimension from above: a matrix as a sum of matrices of rank one, heads that are counted, arrows of directions."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil
from typing import Any

from algdim.plots.heatmap import NEGATIVE, POSITIVE, choose_shade
from algdim.plots.svg import COLOURS, render_picture

GAP, TOP, LETTER = 34, 34, 6.6
"""Between grids, above them, and the width of a small letter."""
MOST_WRITTEN = 4
"""Rows and columns of a grid in which the numbers are written."""


def draw_grid_sum(
    whole: Sequence[Sequence[Any]], parts: Sequence[tuple[str, Sequence[Sequence[Any]]]], title: str, head: str
) -> str:
    """A grid, and the grids whose sum it is.

    >>> drawn = draw_grid_sum([[2, 2], [2, 2]], [("a", [[1, 1], [1, 1]]), ("b", [[1, 1], [1, 1]])], "sum", "M")
    >>> drawn.count('class="grid"'), drawn.count(">+<"), drawn.count(">=<")
    (3, 1, 1)
    """
    rows, columns = len(whole), len(whole[0])
    written = max(rows, columns) <= MOST_WRITTEN
    size = 36 if written else 20 if max(rows, columns) <= 9 and len(parts) < 4 else 12
    grids = [(head, whole), *parts]
    if len(parts) == 1:  # a matrix of rank one is a column times a row
        column, row = split_product(parts[0][1])
        grids = [(head, whole), ("column", column), ("row", row)]
    x, drawn = 8.0, []
    for number, (name, matrix) in enumerate(grids):
        width = len(matrix[0]) * size
        aside = max(0.0, (LETTER * len(name) - width) / 2)
        if number:
            sign = "=" if number == 1 else "·" if len(parts) == 1 else "+"
            drawn.append(f'<text x="{x + GAP / 2:g}" y="{TOP + rows * size / 2 + 7:g}" font-size="20">{sign}</text>')
            x += GAP
        x += aside
        largest = float(max((abs(value) for row in matrix for value in row), default=0) or 1)
        if number and len(parts) > 1:
            largest = float(max((abs(value) for row in whole for value in row), default=0) or 1)
        drawn.append(
            f'<text x="{x + width / 2:g}" y="{TOP - 12:g}" font-size="12.5">{escape(name)}</text><g class="grid">'
            + "".join(draw_grid_cells(matrix, x, size, largest, written=written))
            + "</g>"
        )
        x += width + aside
    return render_picture(x + 10, TOP + rows * size + 10, title, drawn)


def split_product(matrix: Sequence[Sequence[Any]]) -> tuple[list[list[Any]], list[list[Any]]]:
    """A column and a row whose product is a matrix of rank one.

    >>> split_product([[2, 4], [3, 6]])
    ([[2], [3]], [[1.0, 2.0]])
    """
    i, j = next((i, j) for i, row in enumerate(matrix) for j, value in enumerate(row) if value)
    return [[row[j]] for row in matrix], [[value / matrix[i][j] for value in matrix[i]]]


def draw_grid_cells(
    matrix: Sequence[Sequence[Any]], left: float, size: float, largest: float, *, written: bool
) -> list[str]:
    """The squares of one grid, with their numbers if they are large."""
    parts = []
    for i, row in enumerate(matrix):
        for j, value in enumerate(row):
            shade = choose_shade(min(1.0, float(abs(value)) / largest)) if value else 0
            x, y = left + size * j, TOP + size * i
            parts.append(
                f'<rect x="{x:g}" y="{y:g}" width="{size}" height="{size}" fill="{POSITIVE if value > 0 else NEGATIVE}" '
                f'fill-opacity="{0.85 * shade:.2f}" stroke="var(--pale, #666)" stroke-width=".6"/>'
            )
            if written:
                text = f"{float(value):.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{float(value):.2f}"
                parts.append(f'<text x="{x + size / 2:g}" y="{y + size / 2 + 4:g}" font-size="10.5">{text}</text>')
    return parts


CELL = 26


def draw_equal_cells(numbers: Sequence[Sequence[int]], rows: str, columns: str, title: str) -> str:
    """A table in which cells that are always equal have the same number and the same colour.

    >>> draw_equal_cells([[1, 2], [2, 3]], "A", "B", "t").count("<rect")
    4
    """
    height, width, largest = len(numbers), len(numbers[0]), max(map(max, numbers))
    left = 14 + LETTER * len(rows)
    parts = [
        f'<text x="{left + CELL * width / 2:g}" y="20" font-size="12.5">{escape(columns)}</text>',
        f'<text x="{left - 8:g}" y="{TOP + CELL * height / 2 + 4:g}" text-anchor="end" font-size="12.5">{escape(rows)}</text>',
    ]
    for i, row in enumerate(numbers):
        for j, number in enumerate(row):
            x, y = left + CELL * j, TOP + CELL * i
            share = 0.12 + 0.5 * ((number * GOLDEN) % 1)
            colour = COLOURS[number % (len(COLOURS) - 2)]
            parts.append(
                f'<rect x="{x:g}" y="{y:g}" width="{CELL}" height="{CELL}" fill="{colour}" fill-opacity="{share:.2f}" stroke="var(--pale, #666)" '
                f'stroke-width=".6"/><text x="{x + CELL / 2:g}" y="{y + CELL / 2 + 4:g}" font-size="{11 if largest < 100 else 9}">{number}</text>'
            )
    return render_picture(
        max(left + CELL * width + 10, LETTER * len(columns) + left), TOP + CELL * height + 10, title, parts
    )


GOLDEN = 0.618
"""Shades of successive numbers differ."""
HEAD, IN_ROW, MOST_HEADS, MOST_NAMED = 15, 24, 480, 12


def draw_heads(owners: Sequence[str], title: str, others: int = 0) -> str:
    """One dot for each of what is counted, with the colour of what it belongs to; empty ones for what is not reached.

    >>> draw_heads(["H", "X1", "X1"], "parameters").count("<title>X1")
    2
    """
    shown = owners[:MOST_HEADS]
    names = list(dict.fromkeys(shown))
    # a colour says something where each has its own, next to its name
    several = len(COLOURS) - 2 if 1 < len(names) <= MOST_NAMED else 1
    colours = {name: COLOURS[number % several] for number, name in enumerate(names)}
    parts = [
        f'<circle cx="{12 + HEAD * (number % IN_ROW):g}" cy="{12 + HEAD * (number // IN_ROW):g}" r="5.5" fill="{colours[name]}"><title>{escape(name)}</title></circle>'
        for number, name in enumerate(shown)
    ]
    parts += [
        f'<circle cx="{12 + HEAD * (number % IN_ROW):g}" cy="{12 + HEAD * (number // IN_ROW):g}" r="5" fill="none" stroke="var(--pale, #666)"/>'
        for number in range(len(shown), min(len(shown) + others, MOST_HEADS))
    ]
    height = 12.0 + HEAD * ceil(min(len(shown) + others, MOST_HEADS) / IN_ROW) + 8
    x, y = 8.0, height + 6
    if several > 1:
        for name in names:
            length = 22 + LETTER * 1.1 * len(name)
            if x + length > HEAD * IN_ROW:
                x, y = 8.0, y + 18
            parts.append(
                f'<circle cx="{x + 5:g}" cy="{y:g}" r="4.5" fill="{colours[name]}"/><text x="{x + 13:g}" y="{y + 4:g}" text-anchor="start" font-size="12">{escape(name)}</text>'
            )
            x += length
        y += 14
    return render_picture(HEAD * IN_ROW + 12, y, title, parts)


NAME, HALF, ROW, MOST_ARROWS = 190, 110, 20, 26


def draw_arrows(names: Sequence[str], direction: Sequence[float], title: str) -> str:
    """A direction: an arrow for each parameter that it moves, to the right where it grows.

    >>> draw_arrows(["a", "b"], [1.0, -0.5], "t").count('class="arrow"')
    2
    """
    moving = [number for number, value in enumerate(direction) if value]
    shown = sorted(sorted(moving, key=lambda number: -abs(direction[number]))[:MOST_ARROWS])
    largest = max((abs(direction[number]) for number in shown), default=1.0)
    zero = NAME + HALF
    parts = [f'<path d="M{zero} 6V{12 + ROW * len(shown)}" stroke="var(--pale, #666)"/>']
    for place, number in enumerate(shown):
        y = 18 + ROW * place
        end = zero + HALF * direction[number] / largest
        colour = POSITIVE if direction[number] > 0 else NEGATIVE
        tip = 5 if direction[number] > 0 else -5
        parts.append(
            f'<text x="{NAME - 8}" y="{y + 4}" text-anchor="end" font-size="12">{escape(names[number])}</text>'
            f'<path class="arrow" d="M{zero} {y}H{end:.1f}m{-tip} -4l{tip} 4l{-tip} 4" fill="none" stroke="{colour}" stroke-width="2.2"/>'
        )
    return render_picture(NAME + 2 * HALF + 16, 20 + ROW * len(shown), title, parts)
