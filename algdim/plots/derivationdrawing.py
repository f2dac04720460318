"""The derivation of a dimension as a picture: the answer on top, below each statement what it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from textwrap import wrap

from algdim.errors import LimitError
from algdim.plots.svg import picture
from algdim.report import Reason, Report

MOST_BOXES = 200
COLUMNS = 74
LINE, PAD, GAP, INDENT = 17, 9, 12, 30
LETTER = 7.2
WIDE = "   "
"""Between the model and its numbers in a report's first line: in a picture a new line, and wider spaces."""
COLOURS = {"at least": "#0072b2", "at most": "#d55e00"}


def derivation_svg(report: Report) -> str:
    """The tree of reasons as boxes, lower bounds blue and upper ones orange.

    >>> from algdim.report import dimension
    >>> derivation_svg(dimension("2:2,2")).count("<rect")
    3
    """
    boxes = list(boxes_of(report.derivation, 0, ""))
    if len(boxes) > MOST_BOXES:
        raise LimitError(f"the derivation has {len(boxes)} statements; at most {MOST_BOXES} are drawn")
    parts, y = [], 10.0
    open_at: dict[int, float] = {}
    right = 0.0
    for depth, colour, lines in boxes:
        x = 10.0 + INDENT * depth
        width, height = LETTER * max(map(len, lines)) + 2 * PAD, LINE * len(lines) + 2 * PAD - 4
        if depth:
            knee = x - INDENT + 14
            parts.append(
                f'<path d="M{knee:g} {open_at[depth - 1]:g}V{y + height / 2:g}H{x:g}" fill="none" stroke="var(--ink, #222)" opacity=".6"/>'
            )
        parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:.0f}" height="{height:g}" rx="6" fill="var(--paper, #fff)" stroke="{colour}" stroke-width="1.6"/>'
        )
        weight = "" if depth else ' font-weight="bold"'
        parts += [
            f'<text x="{x + PAD:g}" y="{y + PAD + 10 + LINE * number:g}" text-anchor="start" font-size="13"{weight}>'
            f"{escape(line)}</text>"
            for number, line in enumerate(lines)
        ]
        open_at[depth] = y + height
        right = max(right, x + width)
        y += height + GAP
    return picture(right + 10, y, report.derivation.text, parts)


def boxes_of(reason: Reason, depth: int, colour: str) -> Iterator[tuple[int, str, list[str]]]:
    """The statements in order: how deep, which colour, wrapped lines."""
    colour = next((shade for start, shade in COLOURS.items() if reason.text.startswith(start)), colour)
    model, _, facts = reason.text.partition(WIDE)
    parts = (model.replace(" − ", "\u00a0−\u00a0"), facts.replace(WIDE, "\u2003"))
    lines = [line for part in parts for line in wrap(part, COLUMNS - 4 * depth)]
    yield depth, colour or "var(--ink, #222)", lines or [""]
    for child in reason.because:
        yield from boxes_of(child, depth + 1, colour)
