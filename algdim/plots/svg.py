"""Lines and points in a frame with linear or logarithmic axes, as the text of an SVG file.

The file has no fonts, scripts or colours of its own beyond a palette that is told apart without colour vision, and the
same data give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, isfinite, log10

from algdim.errors import InputError

WIDTH, HEIGHT = 720, 440
LEFT, TOP, BOTTOM = 72, 40, 56
LEGEND, LETTER = 150, 7
"""The least width of the legend, and the width that a letter of a name is given."""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c8c8c")
"""Okabe and Ito's palette, the series in order; those beyond it begin anew, dashed and hollow."""
RADIUS = 3.5
MOST_TICKS = 8
STEPS = (1, 2, 5)
FONT = "Helvetica, Arial, sans-serif"
"""Fonts of about the same width; that of `sans-serif` alone is much wider on some systems."""
OF_THE_PAGE = re.compile(r"var\(--\w+, (#\w+)\)")


@dataclass(frozen=True, slots=True)
class Series:
    """Named points, in order; joined by a line if asked for."""

    name: str
    points: tuple[tuple[float, float], ...]
    joined: bool = True


@dataclass(frozen=True, slots=True)
class Axis:
    """What is along an axis, and whether its scale is logarithmic."""

    label: str
    logarithmic: bool = False

    def places(self, values: Sequence[float]) -> list[float]:
        """The values as they lie along the axis, before they are scaled to the frame."""
        if self.logarithmic and min(values) <= 0:
            raise InputError(f"{min(values):g} is on the logarithmic axis {self.label!r}; only positive numbers can be")
        return [log10(value) if self.logarithmic else value for value in values]

    def ticks(self, low: float, high: float) -> list[tuple[float, str]]:
        """Places and texts of the ticks between two places."""
        if not self.logarithmic:
            step = nice_step((high - low) / MOST_TICKS)
            return [(number * step, f"{number * step:g}") for number in range(ceil(low / step), floor(high / step) + 1)]
        every = max(1, ceil((high - low) / MOST_TICKS))
        return [(float(power), power_text(power)) for power in range(ceil(low), floor(high) + 1) if power % every == 0]


def nice_step(least: float) -> float:
    """The least of 1, 2, 5 times a power of ten that is not smaller.

    >>> nice_step(0.3), nice_step(12)
    (0.5, 20.0)
    """
    power = 10.0 ** floor(log10(least))
    return next((step * power for step in STEPS if step * power >= least), 10 * power)


def power_text(power: int) -> str:
    """A power of ten as people write it.

    >>> power_text(-2), power_text(3), power_text(12)
    ('0.01', '1000', '10^12')
    """
    return f"{10.0**power:g}" if -4 <= power <= 4 else f"10^{power}"


def plot(title: str, x: Axis, y: Axis, series: Sequence[Series]) -> str:
    """The text of an SVG file; series without points are left out.

    >>> plot("title", Axis("n", logarithmic=True), Axis("s"), [Series("ours", ((1, 2), (10, 3)))]).count("<circle")
    2
    """
    shown = [one for one in series if one.points]
    if not shown:
        raise InputError(f"there is nothing to be seen in the plot {title!r}; give a series with points")
    if any(not isfinite(value) for one in shown for point in one.points for value in point):
        raise InputError(f"a number in the plot {title!r} is not finite; leave it out")
    across = x.places([point[0] for one in shown for point in one.points])
    upward = y.places([point[1] for one in shown for point in one.points])
    (left, right), (low, high) = widened(across, x), widened(upward, y)
    edge = WIDTH - max(LEGEND, 36 + LETTER * max(len(one.name) for one in shown))
    inner_width, inner_height = edge - LEFT, HEIGHT - TOP - BOTTOM

    def at_x(place: float) -> float:
        return LEFT + inner_width * (place - left) / (right - left)

    def at_y(place: float) -> float:
        return TOP + inner_height * (high - place) / (high - low)

    middle = LEFT + inner_width / 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        text(middle, 22, title, anchor="middle", size=15),
        text(middle, HEIGHT - 14, x.label, anchor="middle"),
        text(0, 0, y.label, anchor="middle", turned=(18, TOP + inner_height / 2)),
    ]
    for place, label in x.ticks(left, right):
        parts += [line(at_x(place), TOP, at_x(place), HEIGHT - BOTTOM), text(at_x(place), HEIGHT - BOTTOM + 18, label)]
    for place, label in y.ticks(low, high):
        parts += [line(LEFT, at_y(place), edge, at_y(place)), text(LEFT - 6, at_y(place) + 4, label, "end")]
    parts.append(
        f'<rect x="{LEFT}" y="{TOP}" width="{inner_width}" height="{inner_height}" fill="none" stroke="#444"/>'
    )
    for number, one in enumerate(shown):
        places = zip(x.places([p[0] for p in one.points]), y.places([p[1] for p in one.points]), strict=True)
        parts += drawn_series(one, number, [(at_x(a), at_y(b)) for a, b in places], edge)
    return "\n".join([*parts, "</svg>", ""])


def drawn_series(one: Series, number: int, corners: Sequence[tuple[float, float]], edge: float) -> list[str]:
    """A series with its line in the legend, right of the edge; when colours come again, lines are dashed, points empty."""
    colour, again = COLOURS[number % len(COLOURS)], number >= len(COLOURS)
    dashes, inside = (' stroke-dasharray="5 3"', "white") if again else ("", colour)
    ink = f'fill="{inside}" stroke="{colour}"'
    path = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
    joined = f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"{dashes}/>'
    below = TOP + 12 + 20 * number
    return [
        *([joined] if one.joined else []),
        *(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{RADIUS}" {ink}/>' for a, b in corners),
        f'<rect x="{edge + 14}" y="{below - 8}" width="8" height="8" {ink}/>',
        text(edge + 28, below, one.name, "start"),
    ]


def widened(places: Sequence[float], axis: Axis) -> tuple[float, float]:
    """The ends of an axis: with some room beside the outermost places; a linear axis of positive numbers begins at 0."""
    low, high = min(places), max(places)
    if not axis.logarithmic and low > 0:
        low = 0.0
    room = 0.04 * (high - low) or 0.5
    return low if low == 0 and not axis.logarithmic else low - room, high + room


def line(x1: float, y1: float, x2: float, y2: float) -> str:
    """A line of the grid."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#ddd"/>'


def text(
    x: float,
    y: float,
    content: str,
    anchor: str = "middle",
    *,
    size: int | None = None,
    turned: tuple[float, float] | None = None,
) -> str:
    """A text at a place, or turned upward around one."""
    where = (
        f'x="{x:.1f}" y="{y:.1f}"' if turned is None else f'transform="translate({turned[0]} {turned[1]}) rotate(-90)"'
    )
    large = "" if size is None else f' font-size="{size}"'
    return f'<text {where} text-anchor="{anchor}"{large}>{escape(content)}</text>'


def picture(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    """A picture without axes: it takes its colours from the page it stands in (--ink, --paper, --shade), or has its own."""
    return "\n".join(
        [
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
                f'role="img" font-family="{FONT}" text-anchor="middle" fill="var(--ink, #222)">'
            ),
            f"<title>{escape(title)}</title>",
            (
                '<defs><marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="8" markerHeight="8" '
                'orient="auto"><path d="M0 0L8 4L0 8z" fill="var(--ink, #222)"/></marker>'
                '<marker id="tail" viewBox="0 0 8 8" refX="2" refY="4" markerWidth="8" markerHeight="8" '
                'orient="auto"><path d="M8 0L0 4L8 8z" fill="var(--ink, #222)"/></marker></defs>'
            ),
            *parts,
            "</svg>",
            "",
        ]
    )


def by_itself(drawn: str) -> str:
    """A picture with its own colours in the place of a page's, which many programs cannot look up, and on white.

    >>> by_itself('<svg><title>t</title><rect fill="var(--shade, #ccc)"/></svg>')
    '<svg><title>t</title><rect width="100%" height="100%" fill="#fff"/><rect fill="#ccc"/></svg>'
    """
    return OF_THE_PAGE.sub(r"\1", drawn).replace(
        "</title>", '</title><rect width="100%" height="100%" fill="#fff"/>', 1
    )
