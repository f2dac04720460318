"""A function of two numbers as shades in a square, as the text of an SVG file."""

from __future__ import annotations

from collections.abc import Callable

from algdim.plots.svg import BOTTOM, HEIGHT, LEFT, TOP, text

STEPS = 60
SIDE = HEIGHT - TOP - BOTTOM
SHADES = 12


def surface(title: str, x: str, y: str, height: Callable[[float, float], float], scale: str) -> str:
    """The text of an SVG file: the unit square, light where the function is 0, dark where it is 1 or more.

    >>> surface("title", "a", "b", lambda a, b: a * b, "height").count("<rect")
    3613
    """
    cell, width = SIDE / STEPS, LEFT + SIDE + 190
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{HEIGHT}" fill="white"/>',
        text(LEFT + SIDE / 2, 22, title, size=15),
        text(LEFT + SIDE / 2, HEIGHT - 14, x),
        text(0, 0, y, turned=(28, TOP + SIDE / 2)),
    ]
    for row in range(STEPS):
        for column in range(STEPS):
            value = height((column + 0.5) / STEPS, (row + 0.5) / STEPS)
            left, above = LEFT + column * cell, TOP + SIDE - (row + 1) * cell
            parts.append(rectangle(left, above, cell + 0.3, cell + 0.3, shade(value)))
    for tick in range(6):
        place = tick / 5
        parts.append(text(LEFT + place * SIDE, HEIGHT - BOTTOM + 18, f"{place:g}"))
        parts.append(text(LEFT - 6, TOP + SIDE * (1 - place) + 4, f"{place:g}", "end"))
    for step in range(SHADES):
        value = step / (SHADES - 1)
        above = TOP + 20 + (SHADES - 1 - step) * 14
        parts.append(rectangle(LEFT + SIDE + 20, above, 16, 14, shade(value)))
        if step in (0, SHADES - 1):
            parts.append(text(LEFT + SIDE + 42, above + 11, f"{value:g}", "start"))
    parts.append(text(LEFT + SIDE + 20, TOP + 12, scale, "start"))
    return "\n".join([*parts, "</svg>", ""])


def shade(value: float) -> str:
    """White at 0, a dark blue at 1."""
    share = min(1.0, max(0.0, value))
    return "#" + "".join(f"{round(255 + share * (end - 255)):02x}" for end in (0, 60, 120))


def rectangle(left: float, above: float, width: float, height: float, colour: str) -> str:
    """A filled rectangle."""
    return f'<rect x="{left:.2f}" y="{above:.2f}" width="{width:.2f}" height="{height:.2f}" fill="{colour}"/>'
