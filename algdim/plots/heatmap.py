"""A matrix in pictures: as a heat map, its columns grouped by variables, and by its singular values on the way to a special point."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby
from math import log10
from typing import Any

from algdim.errors import LimitError
from algdim.plots.svg import render_picture

MOST_CELLS, MOST_NAMED_ROWS = 40_000, 40
SIZES = ((16, 26), (30, 20), (60, 13), (120, 8), (10**9, 4))
"""With up to so many columns a cell is so wide."""
LETTER = 6.9
SHADES = ((0.09, 0.30), (0.3, 0.52), (0.6, 0.76), (1.01, 1.0))
"""Entries up to this share of the largest are drawn with this opacity."""
POSITIVE, NEGATIVE = "#d55e00", "#0072b2"


def draw_heatmap(
    matrix: Sequence[Sequence[Any]], rows: Sequence[str], owners: Sequence[str], pivots: Sequence[int]
) -> str:
    """The matrix, its columns grouped by what they belong to; columns without a pivot are marked above.

    >>> drawn = draw_heatmap([[1, -2], [0, 1]], ["a", "b"], ["X", "X"], [0])
    >>> drawn.count('class="entries'), "rank 1" in drawn
    (2, True)
    """
    if len(rows) * len(owners) > MOST_CELLS:
        raise LimitError(f"the matrix has {len(rows)} × {len(owners)} entries; at most {MOST_CELLS} are drawn")
    size = next(width for most, width in SIZES if max(len(owners), len(rows) // 2) <= most)
    named = len(rows) <= MOST_NAMED_ROWS and size >= 8
    left = 10 + (LETTER * max(map(len, rows), default=0) if named else 0)
    groups = [(owner, len(list(some))) for owner, some in groupby(owners)]
    turned = any(LETTER * 1.1 * len(owner) > size * count for owner, count in groups)
    top = 30 + (LETTER * 1.1 * max((len(owner) for owner, _ in groups), default=0) if turned else 14)
    high = size if len(rows) <= 40 else max(3, size * 2 // 3)
    width, height = left + size * len(owners) + 14, top + high * len(rows) + 12
    parts = [
        f'<rect x="{left:g}" y="{top:g}" width="{size * len(owners)}" height="{high * len(rows)}" fill="var(--paper, #fff)" stroke="var(--ink, #222)"/>'
    ]
    parts += draw_cells(matrix, left, top, (size, high))
    parts += draw_owners(groups, left, top, size, turned=turned)
    free = [j for j in range(len(owners)) if j not in set(pivots)]
    parts += [
        f'<path class="free" d="M{left + size * j + size / 2:g} {top - 2:g}l-4 -7h8z" fill="#009e73"/>' for j in free
    ]
    if named:
        parts += [
            f'<text x="{left - 5:g}" y="{top + high * (i + 0.5) + 4:g}" text-anchor="end" font-size="11">{escape(name)}</text>'
            for i, name in enumerate(rows)
        ]
    title = f"Jacobian, {len(rows)} × {len(owners)}, rank {len(pivots)}"
    return render_picture(width, height, title, parts)


def draw_cells(matrix: Sequence[Sequence[Any]], left: float, top: float, size: tuple[float, float]) -> list[str]:
    """One path for all entries of the same sign and shade."""
    wide, high = size
    largest = max((abs(value) for row in matrix for value in row), default=0) or 1
    shapes: dict[tuple[str, float], list[str]] = {}
    for i, row in enumerate(matrix):
        for j, value in enumerate(row):
            if value:
                shade = choose_shade(float(abs(value) / largest))
                corner = f"M{left + wide * j + 0.5:g} {top + high * i + 0.5:g}h{wide - 1:g}v{high - 1:g}h{1 - wide:g}z"
                shapes.setdefault((POSITIVE if value > 0 else NEGATIVE, shade), []).append(corner)
    return [
        f'<path class="entries" d="{"".join(corners)}" fill="{colour}" opacity="{shade:g}"/>'
        for (colour, shade), corners in shapes.items()
    ]


def choose_shade(share: float) -> float:
    """The opacity of an entry by its share of the largest; small ones are told by their order of magnitude.

    >>> choose_shade(1.0), choose_shade(0.5), choose_shade(0.001)
    (1.0, 0.76, 0.17)
    """
    if share < 0.02:
        return 0.17 if log10(share) > -6 else 0.12
    return next(shade for most, shade in SHADES if share <= most)


def draw_owners(groups: Sequence[tuple[str, int]], left: float, top: float, size: float, *, turned: bool) -> list[str]:
    """A bracket above the columns of each owner, with its name."""
    parts, column, last = [], 0, float("-inf")
    for owner, count in groups:
        start, end = left + size * column + 1.5, left + size * (column + count) - 1.5
        y, middle = top - 11, (left + size * (column + count / 2))
        parts.append(
            f'<path d="M{start:g} {y:g}v-4H{end:g}v4" fill="none" stroke="var(--pale, #666)" stroke-width="1.2"/>'
        )
        where = (
            f'transform="translate({middle + 4:g} {y - 8:g}) rotate(-90)" text-anchor="start"'
            if turned
            else f'x="{middle:g}" y="{y - 8:g}"'
        )
        # turned names that are nearer than their height are left out
        if not turned or middle - last >= 12:
            parts.append(f'<text {where} font-size="12">{escape(owner)}</text>')
            last = middle
        column += count
    return parts


WIDE, HIGH, MARGIN, LOWEST = 600, 190, 58, 1e-9
"""Of the picture of singular values; smaller ones are drawn at the bottom."""
MOST_CURVES = 60


def choose_curves(rank: int) -> list[int]:
    """All curves, or some of many, from the first to the last.

    >>> choose_curves(3), len(choose_curves(121)), choose_curves(121)[-1]
    ([0, 1, 2], 60, 120)
    """
    if rank <= MOST_CURVES:
        return list(range(rank))
    return [round(number * (rank - 1) / (MOST_CURVES - 1)) for number in range(MOST_CURVES)]


def draw_singular_values(values: Any, rank: int, rank_there: int, name: str) -> str:
    """Curves on a logarithmic scale, from a point on the left to a special one on the right; those that fall are orange.

    >>> draw_singular_values([[2.0, 1.0], [2.0, 0.0]], 2, 1, "alike").count('class="singular')
    2
    """
    top = max((float(value) for row in values for value in row if value == value), default=1.0) or 1.0  # noqa: PLR0124 (not a number)
    height = HIGH - MARGIN - 10

    def place(number: int, value: float) -> str:
        share = min(1.0, max(0.0, log10(max(value / top, LOWEST)) / log10(LOWEST)))
        return f"{MARGIN + (WIDE - MARGIN - 130) * number / (len(values) - 1):.1f} {12 + height * share:.1f}"

    parts = [
        f'<path d="M{MARGIN} 8V{16 + height}H{WIDE - 130}" fill="none" stroke="var(--ink, #222)"/>',
        *(
            f'<text x="{MARGIN - 6}" y="{16 + height * k / 9:.1f}" text-anchor="end" font-size="11">10{"⁰⁻"[k > 0]}{"" if k == 0 else "⁰¹²³⁴⁵⁶⁷⁸⁹"[k]}</text>'
            for k in (0, 3, 6, 9)
        ),
        f'<text x="{MARGIN}" y="{height + 34}" text-anchor="start" font-size="12">this point: rank {rank}</text>',
        f'<text x="{WIDE - 130}" y="{height + 34}" text-anchor="end" font-size="12">{escape(name)}: rank {rank_there}</text>',
    ]
    for curve in choose_curves(rank):
        corners = [place(number, float(row[curve])) for number, row in enumerate(values) if row[curve] == row[curve]]
        falls = curve >= rank_there
        parts.append(
            f'<path class="singular{" falls" if falls else ""}" d="M{"L".join(corners)}" fill="none" '
            f'stroke="{POSITIVE if falls else NEGATIVE}" stroke-width="1.6" opacity="{0.9 if falls else 0.6}"/>'
        )
    parts += [
        f'<text x="{WIDE - 124}" y="24" text-anchor="start" font-size="12" fill="{NEGATIVE}">{rank_there} stay</text>',
        f'<text x="{WIDE - 124}" y="{12 + height}" text-anchor="start" font-size="12" fill="{POSITIVE}">{rank - rank_there} fall to zero</text>',
    ]
    return render_picture(WIDE, HIGH, "Singular values of the Jacobian, in proportion to the largest", parts)
