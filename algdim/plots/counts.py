"""The three numbers of a model as bars: parameters, dimension, and the dimension of the saturated model."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from algdim.figures import format_count, format_integer
from algdim.plots.svg import render_picture

WIDTH, HEIGHT, LEFT, BAR, ROW, SPARE = 560, 176, 100, 26, 44, 120
"""Of the picture; where bars begin, how high they are, how far apart; the room on the right for numbers."""
BLUE, ORANGE, GREEN = "#0072b2", "#d55e00", "#009e73"
MOST_TIMES = 40
"""A bar that is so many times as long as the dimension's is broken."""


class CountBars(NamedTuple):
    """What is drawn; what of it is not a number is ``None``."""

    parameters: int
    dimension: int
    saturated: int | None
    df: int | None
    upper: int
    """The dimension is at most this."""


def draw_counts(counts: CountBars) -> str:
    """Three bars with a common scale; the gap to the saturated model is the degrees of freedom.

    >>> drawn = draw_counts(CountBars(14, 13, 15, 2, 13))
    >>> drawn.count('class="bar'), "df 2" in drawn, "1 redundant" in drawn
    (3, True, True)
    """
    longest = max(counts.parameters, counts.dimension, counts.saturated or 0, 1)
    most = min(longest, MOST_TIMES * max(counts.dimension, counts.parameters // 8, 1))
    scale = (WIDTH - LEFT - SPARE) / most
    parts: list[str] = []
    known = f"{counts.dimension}" if counts.upper == counts.dimension else f"{counts.dimension} to {counts.upper}"
    rows = (
        ("parameters", counts.parameters, BLUE, format_integer(counts.parameters)),
        ("dimension", counts.dimension, ORANGE, known),
        ("saturated", counts.saturated, GREEN, format_integer(counts.saturated)),
    )
    for number, (name, value, colour, text) in enumerate(rows):
        y = 16.0 + ROW * number
        parts.append(f'<text x="{LEFT - 10}" y="{y + BAR * 0.68:g}" text-anchor="end" font-size="15">{name}</text>')
        if value is None:
            parts.append(
                f'<text x="{LEFT}" y="{y + BAR * 0.68:g}" text-anchor="start" font-size="14">not finite</text>'
            )
            continue
        length = scale * min(value, most)
        parts.append(
            f'<rect class="bar" x="{LEFT}" y="{y:g}" width="{length:.1f}" height="{BAR}" rx="3" fill="{colour}"/>'
        )
        if value > most:
            x = LEFT + 0.8 * length
            parts.append(f'<path d="M{x:.1f} {y - 3:g}l-8 {BAR + 6}h10l8 -{BAR + 6}z" fill="var(--paper, #fff)"/>')
        parts += draw_number(text, LEFT + length, y + BAR * 0.68)
    if counts.df is not None and counts.saturated is not None and counts.df > 0:
        parts += draw_gap(counts, scale, most)
    if counts.parameters > counts.dimension:
        start, end = LEFT + scale * counts.dimension, LEFT + scale * min(counts.parameters, most)
        y = 16.0 + BAR + 4
        about = "" if counts.upper == counts.dimension else "at most "
        parts.append(
            f'<path d="M{start:.1f} {y:g}v5H{end:.1f}v-5" fill="none" stroke="{BLUE}" stroke-width="1.5"/>'
            + draw_note(f"{about}{format_integer(counts.parameters - counts.dimension)} redundant", end + 8, y + 8)
        )
    title = f"{format_count(counts.parameters, 'parameter')}, dimension {known}, saturated {format_integer(counts.saturated)}"
    return render_picture(WIDTH, HEIGHT, title, parts)


def draw_number(text: str, end: float, y: float) -> list[str]:
    """The number behind a bar, or inside of it where there is no room behind."""
    if end + 8.2 * len(text) + 8 < WIDTH:
        return [
            f'<text x="{end + 8:.1f}" y="{y:g}" text-anchor="start" font-size="15" font-weight="bold">{escape(text)}</text>'
        ]
    return [
        f'<text x="{end - 8:.1f}" y="{y:g}" text-anchor="end" font-size="15" font-weight="bold" fill="#fff">{escape(text)}</text>'
    ]


def draw_note(text: str, x: float, y: float) -> str:
    """A small text to the right of a bracket."""
    return f'<text x="{x:.1f}" y="{y:g}" text-anchor="start" font-size="12.5">{escape(text)}</text>'


def draw_gap(counts: CountBars, scale: float, most: float) -> list[str]:
    """The bracket from the dimension to the saturated model."""
    start, end = LEFT + scale * counts.dimension, LEFT + scale * min(counts.saturated or 0, most)
    y = 16.0 + 2 * ROW + BAR + 5
    text = f"df {format_integer(counts.df)}"
    width = 8.0 * len(text)
    x = min(max((start + end) / 2, LEFT + width / 2), WIDTH - width / 2 - 4)
    return [
        f'<path d="M{start:.1f} {16 + ROW:g}V{y + 5:g}" stroke="var(--ink, #222)" stroke-dasharray="3 3" fill="none" opacity=".6"/>',
        f'<path d="M{start:.1f} {y:g}v6H{end:.1f}v-6" fill="none" stroke="var(--ink, #222)" stroke-width="1.5"/>',
        f'<text x="{x:.1f}" y="{y + 24:g}" font-size="14" font-weight="bold">{escape(text)}</text>',
    ]
