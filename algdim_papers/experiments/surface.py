"""A function of two numbers as shades in a square, as the text of an SVG file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from algdim.plots.svg import BOTTOM, INNER_HEIGHT, LEFT, TITLE_SIZE, draw_text, start_picture

STEPS = 60
SIDE, TOP = INNER_HEIGHT, 36
SHADES = 12


def draw_surface(title: str, x: str, y: str, height: Callable[[float, float], float], scale: str) -> str:
    """The text of an SVG file: the unit square, white where the function is 0, dark where it is 1 or more, in steps.

    >>> draw_surface("title", "a", "b", lambda a, b: 1.0, "height").count("<rect")
    74
    """
    width, whole = LEFT + SIDE + 162, TOP + SIDE + BOTTOM
    parts = [
        *start_picture(width, whole),
        draw_text(width / 2, 22, title, size=TITLE_SIZE),
        draw_text(LEFT + SIDE / 2, whole - 12, x),
        draw_text(0, 0, y, turned=(34, TOP + SIDE / 2)),
    ]
    cell = SIDE / STEPS
    for row in range(STEPS):
        for start, end, step in list_runs(
            [choose_shade(height((k + 0.5) / STEPS, (row + 0.5) / STEPS)) for k in range(STEPS)]
        ):
            above = TOP + SIDE - (row + 1) * cell
            parts.append(
                draw_rectangle(LEFT + start * cell, above, (end - start) * cell, cell + 0.2, choose_colour(step))
            )
    parts.append(f'<rect x="{LEFT}" y="{TOP}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#444"/>')
    for tick in range(6):
        place = tick / 5
        parts.append(draw_text(LEFT + place * SIDE, TOP + SIDE + 18, f"{place:g}"))
        parts.append(draw_text(LEFT - 6, TOP + SIDE * (1 - place) + 5, f"{place:g}", "end"))
    for step in range(SHADES):
        above = TOP + 24 + (SHADES - 1 - step) * 14
        parts.append(draw_rectangle(LEFT + SIDE + 20, above, 16, 14, choose_colour(step)))
        if step in (0, SHADES - 1):
            parts.append(draw_text(LEFT + SIDE + 42, above + 12, f"{step / (SHADES - 1):g}", "start"))
    parts.append(draw_text(LEFT + SIDE + 20, TOP + 12, scale, "start"))
    return "\n".join([*parts, "</svg>", ""])


def choose_shade(value: float) -> int:
    """Which of the shades a value has."""
    return round(min(1.0, max(0.0, value)) * (SHADES - 1))


def list_runs(steps: Sequence[int]) -> list[tuple[int, int, int]]:
    """Where the same shade begins and ends; white is left out.

    >>> list_runs([0, 2, 2, 1])
    [(1, 3, 2), (3, 4, 1)]
    """
    found, start = [], 0
    for shade, same in groupby(steps):
        end = start + len(list(same))
        if shade:
            found.append((start, end, shade))
        start = end
    return found


def choose_colour(step: int) -> str:
    """White at 0, a dark blue at the last."""
    share = step / (SHADES - 1)
    return "#" + "".join(f"{round(255 + share * (end - 255)):02x}" for end in (0, 60, 120))


def draw_rectangle(left: float, above: float, width: float, height: float, colour: str) -> str:
    """A filled rectangle."""
    return f'<rect x="{left:.2f}" y="{above:.2f}" width="{width:.2f}" height="{height:.2f}" fill="{colour}"/>'
