"""Lines and points in a frame with linear or logarithmic axes, as the text of an SVG file.

The file has no fonts, scripts or colours of its own beyond a palette that is told apart without colour vision, and the
same data give the same bytes. The same plots are figures of matplotlib, an extra, for those who want another form or
change them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, isfinite, log10
from typing import Any

from algdim.errors import InputError

WIDTH, INNER_HEIGHT = 520, 280
"""A picture as wide as a column of print; on a telephone its letters are still those of a footnote."""
LEFT, RIGHT, TOP, BOTTOM = 80, 30, 34, 52
SIZE, TITLE_SIZE = 14, 16
LETTER = 0.56
"""The mean width of a letter for one of its size."""
ROW, SAMPLE = 20, 32
"""The height of a row of the legend, and the width of the line before a name."""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c8c8c")
"""Okabe and Ito's palette, the series in order; those beyond it begin anew, hollow."""
DASHES = ("", "7 3", "2 3", "10 3 2 3", "4 4", "12 3 2 3 2 3")
"""The lines, in order: they are told apart without any colour."""
RADIUS = 3.5
ASIDE = 4.0
"""How far series with error bars stand beside each other, so that no bar hides another."""
MOST_TICKS = 7
STEPS = (1, 2, 5)
FONT = "Helvetica, Arial, sans-serif"
"""Fonts of about the same width; that of `sans-serif` alone is much wider on some systems."""
OF_THE_PAGE = re.compile(r"var\(--\w+, (#\w+)\)")
FINE, MIDDLE = 2.5, 4.0
"""Powers of ten: over fewer of them a logarithmic axis has 1, 2, 5 of each, or 1 and 3."""


@dataclass(frozen=True, slots=True)
class Series:
    """Named points, in order; joined by a line if asked for; with a standard error each, or none."""

    name: str
    points: tuple[tuple[float, float], ...]
    joined: bool = True
    errors: tuple[float, ...] = ()

    @property
    def bars(self) -> list[tuple[float, float]]:
        """The ends of the error bars."""
        return [(y - error, y + error) for (_, y), error in zip(self.points, self.errors, strict=bool(self.errors))]


@dataclass(frozen=True, slots=True)
class Axis:
    """What is along an axis, whether its scale is logarithmic, and whether only whole numbers are on it."""

    label: str
    logarithmic: bool = False
    whole: bool = False

    def places(self, values: Sequence[float]) -> list[float]:
        """The values as they lie along the axis, before they are scaled to the frame."""
        if self.logarithmic and min(values) <= 0:
            raise InputError(f"{min(values):g} is on the logarithmic axis {self.label!r}; only positive numbers can be")
        return [log10(value) if self.logarithmic else value for value in values]

    def ticks(self, low: float, high: float) -> list[tuple[float, str]]:
        """Places and texts of the ticks between two places."""
        if not self.logarithmic:
            step = choose_tick_step((high - low) / MOST_TICKS)
            step = max(step, 1.0) if self.whole else step
            return [(n * step, format_tick(n * step)) for n in range(ceil(low / step), floor(high / step) + 1)]
        within = STEPS if high - low < FINE else (1, 3) if high - low < MIDDLE else (1,)
        every = max(1, ceil((high - low) / MOST_TICKS))
        powers = [power for power in range(floor(low), floor(high) + 1) if power % every == 0]
        found = [(log10(digit) + power, format_tick(digit * 10.0**power)) for power in powers for digit in within]
        return [(place, label) for place, label in found if low <= place <= high]


def choose_tick_step(least: float) -> float:
    """The least of 1, 2, 5 times a power of ten that is not smaller.

    >>> choose_tick_step(0.3), choose_tick_step(12)
    (0.5, 20.0)
    """
    power = 10.0 ** floor(log10(least))
    return next((step * power for step in STEPS if step * power >= least), 10 * power)


def format_tick(value: float) -> str:
    """A number at a tick as people write it.

    >>> [format_tick(value) for value in (0.01, 1000.0, 30000.0, -20.0, 1e12, 3e-5)]
    ['0.01', '1000', '30 000', '−20', '10¹²', '3·10⁻⁵']
    """
    if value == 0 or 1e-4 <= abs(value) < 1e6:
        text = f"{value:,.0f}".replace(",", " ") if abs(value) >= 10_000 else f"{value:g}"
        return text.replace("-", "−")
    digits, power = f"{value:.0e}".split("e")
    raised = f"10{str(int(power)).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"
    return raised if digits == "1" else f"{digits}·{raised}".replace("-", "−")


@dataclass(frozen=True, slots=True)
class Axes:
    """Where a value lies in the picture."""

    left: float
    right: float
    low: float
    high: float
    top: float

    def x(self, place: float) -> float:
        """Across."""
        return LEFT + (WIDTH - LEFT - RIGHT) * (place - self.left) / (self.right - self.left)

    def y(self, place: float) -> float:
        """Downward."""
        return self.top + INNER_HEIGHT * (self.high - place) / (self.high - self.low)

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.top + INNER_HEIGHT


def plot(title: str, x: Axis, y: Axis, series: Sequence[Series], note: str = "") -> str:
    """The text of an SVG file; series without points are left out. A note stands below the title.

    >>> plot("title", Axis("n", logarithmic=True), Axis("s"), [Series("ours", ((1, 2), (10, 3)))]).count("<circle")
    2
    """
    shown = [one for one in series if one.points]
    if not shown:
        raise InputError(f"there is nothing to be seen in the plot {title!r}; give a series with points")
    if any(not isfinite(value) for one in shown for pair in (*one.points, *one.bars) for value in pair):
        raise InputError(f"a number in the plot {title!r} is not finite; leave it out")
    names, end = draw_legend(shown, TOP + (ROW if note else 0))
    across = x.places([point[0] for one in shown for point in one.points])
    upward = y.places([point[1] for one in shown for point in one.points])
    ends = [value for one in shown for bar in one.bars for value in bar if value > 0 or not y.logarithmic]
    frame = Axes(*extend_axis_ends(across, x), *extend_axis_ends([*upward, *(y.places(ends) if ends else [])], y), end)
    height = frame.bottom + BOTTOM
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts = [
        *start_picture(WIDTH, height),
        draw_text(WIDTH / 2, 22, title, size=choose_title_size(title)),
        *([draw_text(WIDTH / 2, 42, note)] if note else []),
        draw_text(middle, height - 12, x.label),
        draw_text(0, 0, y.label, turned=(15, frame.top + INNER_HEIGHT / 2)),
        *draw_grid(frame, x, y),
        *names,
    ]
    apart = ASIDE if any(one.errors for one in shown) else 0.0
    for number, one in enumerate(shown):
        parts += draw_series(one, choose_look(number), frame, (x, y), aside=apart * (number - (len(shown) - 1) / 2))
    return "\n".join([*parts, "</svg>", ""])


def start_picture(width: float, height: float) -> list[str]:
    """The beginning of a picture of this size, on white."""
    size = f'width="{width:g}" height="{height:g}"'
    return [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width:g} {height:g}" '
            f'font-family="{FONT}" font-size="{SIZE}">'
        ),
        f'<rect {size} fill="white"/>',
    ]


def choose_title_size(title: str) -> int:
    """The size of letters at which a title fits."""
    return max(10, min(TITLE_SIZE, floor((WIDTH - 8) / (LETTER * max(1, len(title))))))


@dataclass(frozen=True, slots=True)
class Look:
    """What a series looks like: the attributes of its points and of its line."""

    points: str
    line: str


def choose_look(number: int) -> Look:
    """The look of a series by its number."""
    colour = COLOURS[number % len(COLOURS)]
    dashes = DASHES[number % len(DASHES)]
    inside = "white" if number >= len(COLOURS) else colour
    return Look(
        f'fill="{inside}" stroke="{colour}"',
        f'fill="none" stroke="{colour}" stroke-width="1.8"' + (f' stroke-dasharray="{dashes}"' if dashes else ""),
    )


def draw_legend(shown: Sequence[Series], top: float) -> tuple[list[str], float]:
    """The names in rows, a piece of line and a square before each; and where the frame may begin."""
    parts: list[str] = []
    left, below = float(LEFT), top + 10.0
    for number, one in enumerate(shown):
        width = SAMPLE + 6 + LETTER * SIZE * len(one.name)
        if left + width > WIDTH and left > LEFT:
            left, below = float(LEFT), below + ROW
        its = choose_look(number)
        left = max(4.0, min(left, WIDTH - width))
        if one.joined:
            parts.append(f'<path d="M{left:.1f} {below - 5:g}h{SAMPLE - 4}" {its.line}/>')
        parts.append(f'<rect x="{left + SAMPLE / 2 - 6:.1f}" y="{below - 9:g}" width="8" height="8" {its.points}/>')
        parts.append(draw_text(left + SAMPLE + 2, below, one.name, "start"))
        left += width + 14
    return parts, below + 12


def draw_grid(frame: Axes, x: Axis, y: Axis) -> list[str]:
    """The ticks, their lines, and the frame."""
    edge, parts = WIDTH - RIGHT, []
    for place, label in x.ticks(frame.left, frame.right):
        at = frame.x(place)
        parts += [draw_line(at, frame.top, at, frame.bottom), draw_text(at, frame.bottom + 18, label)]
    for place, label in y.ticks(frame.low, frame.high):
        at = frame.y(place)
        parts += [draw_line(LEFT, at, edge, at), draw_text(LEFT - 6, at + 5, label, "end")]
    size = f'width="{edge - LEFT}" height="{INNER_HEIGHT}"'
    return [*parts, f'<rect x="{LEFT}" y="{frame.top:g}" {size} fill="none" stroke="#444"/>']


def draw_series(one: Series, its: Look, frame: Axes, axes: tuple[Axis, Axis], aside: float) -> list[str]:
    """A series: its line, its error bars, its points."""
    x, y = axes
    places = zip(x.places([p[0] for p in one.points]), y.places([p[1] for p in one.points]), strict=True)
    corners = [(frame.x(a) + aside, frame.y(b)) for a, b in places]
    parts = []
    if one.joined:
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
        parts.append(f'<polyline points="{path}" {its.line}/>')
    for (a, _), (low, high) in zip(corners, one.bars, strict=False):
        # a bar that reaches zero or less on a logarithmic axis reaches its lower edge
        below = frame.bottom if y.logarithmic and low <= 0 else frame.y(y.places([low])[0])
        ends = f"M{a - 2:.1f} {frame.y(y.places([high])[0]):.1f}h4m-2 0V{below:.1f}m-2 0h4"
        parts.append(f'<path class="error" d="{ends}" fill="none" {its.points.partition(" ")[2]}/>')
    return parts + [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{RADIUS}" {its.points}/>' for a, b in corners]


def extend_axis_ends(places: Sequence[float], axis: Axis) -> tuple[float, float]:
    """The ends of an axis: with some room beside the outermost places; a linear axis of positive numbers begins at 0."""
    low, high = min(places), max(places)
    if not axis.logarithmic and not axis.whole and low > 0:
        low = 0.0
    room = 0.04 * (high - low) or 0.5
    return low if low == 0 and not axis.logarithmic and not axis.whole else low - room, high + room


def draw_line(x1: float, y1: float, x2: float, y2: float) -> str:
    """A line of the grid."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#ddd"/>'


def draw_text(
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


def render_picture(width: float, height: float, title: str, parts: Sequence[str]) -> str:
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


def convert_to_standalone(drawn: str) -> str:
    """A picture with its own colours in the place of a page's, which many programs cannot look up, and on white.

    >>> convert_to_standalone('<svg><title>t</title><rect fill="var(--shade, #ccc)"/></svg>')
    '<svg><title>t</title><rect width="100%" height="100%" fill="#fff"/><rect fill="#ccc"/></svg>'
    """
    return OF_THE_PAGE.sub(r"\1", drawn).replace(
        "</title>", '</title><rect width="100%" height="100%" fill="#fff"/>', 1
    )


FIGURE_FORMS = ("pdf", "png")
"""What files such a figure is written to."""


def make_matplotlib_figure(title: str, x: Axis, y: Axis, series: Sequence[Series]) -> Any:
    """The figure that `algdim.plots.svg.plot` draws, as one of matplotlib; series without points are left out."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError(
            "figures need matplotlib: python3 -m pip install 'algdim[plots]'; .svg needs nothing"
        ) from None
    drawn = Figure(figsize=(7.2, 4.4), layout="constrained")
    axes = drawn.add_subplot(
        title=title,
        xlabel=x.label,
        ylabel=y.label,
        xscale="log" if x.logarithmic else "linear",
        yscale="log" if y.logarithmic else "linear",
    )
    for number, one in enumerate(series):
        if one.points:
            style = ("--" if number >= len(COLOURS) else "-") if one.joined else ""
            across, upward = zip(*one.points, strict=True)
            axes.plot(
                across, upward, style, marker="o", markersize=4, color=COLOURS[number % len(COLOURS)], label=one.name
            )
    axes.grid(color="#dddddd")
    drawn.legend(loc="outside right upper", frameon=False)
    return drawn
