"""Parameters and the distribution that they make, as two rows of bars: the left ones move along a fibre, the right ones do not."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from algdim.plots.svg import render_picture

NAME, TRACK, NUMBER, ROW, TOP = 196, 230, 74, 18, 30
"""Widths of the three columns, height of a row, and where rows begin."""
LETTER, LONGEST = 7.3, 40
"""The width of a letter of a name, and the letters of one that is shown; longer ones make the first column wider."""
BLUE, GREEN = "#0072b2", "#009e73"


class Bars(NamedTuple):
    """Numbers by name, the range of each where it moves, and the ends of the common scale."""

    title: str
    names: Sequence[str]
    values: Sequence[float]
    ranges: Sequence[tuple[float, float]]
    low: float
    high: float
    colour: str
    key: str
    """By which scripts find them."""
    digits: int = 3

    @property
    def name(self) -> float:
        """The width of the names."""
        return max(NAME, LETTER * min(LONGEST, max(map(len, self.names), default=0)) + 12)

    @property
    def width(self) -> float:
        """Of the picture."""
        return self.name + TRACK + NUMBER

    def place(self, value: float) -> float:
        """Where a value is, from left to right."""
        return self.name + TRACK * (value - self.low) / ((self.high - self.low) or 1.0)

    @property
    def height(self) -> float:
        """Of the picture."""
        return TOP + ROW * len(self.names) + 8.0


def shorten(title: str) -> str:
    """A title that fits above the bars.

    >>> shorten("weights, means and covariances of the normal distributions")
    'weights, means and covariances …'
    """
    most = int((TRACK + NUMBER) / (1.15 * LETTER))
    return (
        title if len(title) <= most else f"{title[:most].rpartition(' ')[0].removesuffix(' of').removesuffix(' the')} …"
    )


def draw_bars(bars: Bars) -> list[str]:
    """The parts of one panel.

    >>> drawn = "".join(draw_bars(Bars("parameters", ["a"], [0.5], [(0.25, 0.75)], 0, 1, BLUE, "p")))
    >>> 'class="range"' in drawn, ">0.500<" in drawn
    (True, True)
    """
    zero = bars.place(max(bars.low, min(0.0, bars.high)))
    parts = [
        f'<text x="{bars.name:g}" y="16" text-anchor="start" font-size="14" font-weight="bold">{escape(shorten(bars.title))}</text>',
        f'<path d="M{zero:.1f} {TOP - 4}v{ROW * len(bars.names) + 6}" stroke="var(--pale, #666)" stroke-width="1"/>',
    ]
    for number, (name, value, (low, high)) in enumerate(zip(bars.names, bars.values, bars.ranges, strict=True)):
        y = TOP + ROW * number
        short = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
        end = bars.place(value)
        left, width = min(zero, end), abs(end - zero)
        parts.append(
            f'<g class="row" data-key="{bars.key}{number}"><title>{escape(name)}</title>'
            f'<text x="{bars.name - 8:g}" y="{y + 11.5}" text-anchor="end" font-size="12">{escape(short)}</text>'
            f'<rect class="range" x="{bars.place(low):.1f}" y="{y}" width="{bars.place(high) - bars.place(low):.1f}" height="13" '
            f'fill="{bars.colour}" opacity=".22"/>'
            f'<rect class="value" x="{left:.2f}" y="{y + 3}" width="{width:.2f}" height="7" fill="{bars.colour}"/>'
            f'<text class="number" x="{bars.width - 4:g}" y="{y + 11.5}" text-anchor="end" font-size="11.5">{value:.{bars.digits}f}</text></g>'
        )
    return parts


def draw_panel(bars: Bars) -> str:
    """One panel as a picture."""
    return render_picture(bars.width, bars.height, bars.title, draw_bars(bars))


def draw_fibre(left: Bars, right: Bars) -> str:
    """Both panels next to each other."""
    parts = [*draw_bars(left), f'<g transform="translate({left.width + 20:g} 0)">', *draw_bars(right), "</g>"]
    title = "Different parameters, the same distribution: the pale ranges are those of one fibre"
    return render_picture(left.width + right.width + 20, max(left.height, right.height), title, parts)
