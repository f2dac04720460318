"""Draws docs/house.svg from the stages of tests/project/test_layers.py and the registry of families: `python docs/_site/house.py`."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from textwrap import wrap
from typing import Any

ROOT = Path(__file__).parents[2]

WORDS = {
    "exact": "numbers, elimination, draws",
    "models": "the notation, files, graphs",
    "readers": "files of other programs",
    "maps": "what is known of any map",
    "jacobian": "values and derivatives of a map at a point",
    "rank": "the rank there: a lower bound",
    "bound": "upper bounds, and the strategy that tries them in order",
    "analysis": "a model reduced, in parts, with both bounds of each",
    "report": "the dimension, with its reasons",
    "reports": "several models",
    "fitting": "data, likelihood, EM, samples",
    "certificate": "proofs as files",
    "identifiability": "what data determine",
    "scores": "BIC and its kin",
    "tables": "many models in rows",
    "plots": "pictures",
    "explanation": "explain, compare, equations",
    "writers": "models for other programs",
    "checking": "claims of tables, judged",
    "selection": "a model chosen by data",
    "sweeping": "thousands of models, and their store",
    "studio": "a page on which models are drawn",
    "cli": "the commands",
    "pytesting": "the plugin of pytest",
}
"""What stands below the name of a part. The parts of the first stage have one box, and no words."""

COMMON = "what all use"
FAMILIES = "families"
PAPERS = "algdim_papers"
CHECKER = "proofs/check.py"

LEFT, RIGHT, WIDTH = 540, 210, 810
SIDE, GAP, HEIGHT = 20, 8, 42
LONGEST = 80
"""Of a line of names in the box of the first stage."""


def box(place: tuple[float, float, float, float], title: str, *lines: str, colour: str = "#eef3fb") -> list[str]:
    """A rectangle (x, y, width, height) with a title and lines below it."""
    x, y, width, height = place
    middle, first = x + width / 2, y + height / 2 - 8 * len(lines) + 5
    return [
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6" fill="{colour}" stroke="#0059a3"/>',
        f'<text x="{middle:g}" y="{first:g}" font-size="13" font-weight="bold">{title}</text>',
        *(
            f'<text x="{middle:g}" y="{first + 16 * number:g}" font-size="11">{line}</text>'
            for number, line in enumerate(lines, 1)
        ),
    ]


def row(parts: list[str], y: float) -> list[str]:
    """The parts of one stage beside each other."""
    width = (LEFT - (len(parts) - 1) * GAP) / len(parts)
    return [
        text
        for number, part in enumerate(parts)
        for text in box((SIDE + number * (width + GAP), y, width, HEIGHT), part, WORDS[part])
    ]


def folders(entries: Any, top: float, bottom: float) -> list[str]:
    """The families: the registry and the contract, and below them a box for each folder."""
    x, head = SIDE + LEFT + SIDE, 62
    drawn = box((x, top, RIGHT, bottom - top), "", colour="#fbf6e9")
    height = (bottom - top - head) / len(entries) - GAP
    for y, size, text in (
        (20, 13, FAMILIES),
        (38, 11, "one contract, one registry;"),
        (53, 11, "folders loaded by name"),
    ):
        weight = ' font-weight="bold"' if text == FAMILIES else ""
        drawn.append(f'<text x="{x + RIGHT / 2:g}" y="{top + y:g}" font-size="{size}"{weight}>{text}</text>')
    for number, entry in enumerate(entries):
        place = (x + GAP, top + head + number * (height + GAP), RIGHT - 2 * GAP, height)
        names = [] if entry.families == (entry.folder,) else [", ".join(entry.families)]
        drawn += box(place, entry.folder, *names, colour="#fff")
    return drawn


def house(stages: tuple[tuple[str, ...], ...], entries: Any) -> str:
    """The picture: each part imports only from those above it, and finds families in the registry."""
    inner = [[part for part in stage if not part.startswith(("_", f"{PAPERS}."))] for stage in stages]
    first, *rest = [stage for stage in inner if stage]
    y: float = GAP
    names = wrap(", ".join(part for part in first if part != FAMILIES), LONGEST)
    drawn = box((SIDE, y, LEFT, 30 + 16 * len(names)), COMMON, *names)
    y += 30 + 16 * len(names) + GAP
    for stage in rest:
        drawn += row(stage, y)
        y += HEIGHT + GAP
    drawn += folders(entries, GAP, y - GAP)
    papers = [[part.removeprefix(f"{PAPERS}.") for part in stage if part.startswith(PAPERS)] for stage in stages]
    order = " ‹ ".join(", ".join(stage) for stage in papers if stage)
    y += GAP
    drawn += box((SIDE, y, LEFT, HEIGHT), f"{PAPERS}, next door", order, colour="#eef7ee")
    drawn += box((SIDE + LEFT + SIDE, y, RIGHT, HEIGHT), CHECKER, "imports nothing of algdim", colour="#f7eeee")
    height = y + HEIGHT + GAP
    size = f'viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" height="{height:g}" role="img"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" text-anchor="middle" fill="#222">',
            "<title>The parts of algdim; each imports only from those above it; families are loaded by name</title>",
            f'<rect width="{WIDTH}" height="{height:g}" fill="#fff"/>',
            *drawn,
            "</svg>",
            "",
        ]
    )


def drawn_from_the_code() -> str:
    """The picture of the house as it is."""
    from algdim.families import ENTRIES

    return house(runpy.run_path(str(ROOT / "tests" / "project" / "test_layers.py"))["STAGES"], ENTRIES)


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]  # beside the tests stands what they share
    (ROOT / "docs" / "house.svg").write_text(drawn_from_the_code(), encoding="utf-8")
