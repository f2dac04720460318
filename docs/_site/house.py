"""Draws docs/house.svg, the picture of the parts, from the stages of tests/test_layers.py: `python docs/_site/house.py`."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]

WORDS = {
    "errors": "what all use",
    "exact": "numbers, elimination, draws",
    "models": "records, notation, files",
    "readers": "files of other programs",
    "maps": "parameters to coordinates",
    "jacobian": "values and derivatives at a point",
    "rank": "the rank there",
    "bound": "upper bounds, strategy",
    "report": "dimension, with reasons",
    "fitting": "likelihood, EM",
    "certificate": "what is done with it",
    "tables": "what is shown",
    "writers": "to other programs",
    "selection": "choosing by data",
    "sweeping": "many models",
    "cli": "the commands",
    "algdim_papers": "next door: what the papers print, judged and run again",
}
"""What stands below the names of a box, by its first part."""

APART = ("exact", "readers")
"""Stages whose parts have boxes of their own."""

NEXT_DOOR = "algdim_papers"
"""The papers' package has one box, the last."""

WIDTH, HEIGHT, GAP, SIDE = 720, 46, 12, 20


def house(stages: tuple[tuple[str, ...], ...]) -> str:
    """The picture: each part imports only from those above it."""
    boxes, y = [], GAP
    for stage in (*stages, (NEXT_DOOR,)):
        parts = [part for part in stage if not part.startswith(("_", f"{NEXT_DOOR}."))]
        groups = [[part] for part in parts] if parts[:1] and parts[0] in APART else [parts]
        if not parts:
            continue
        width = (WIDTH - 2 * SIDE - (len(groups) - 1) * SIDE) / len(groups)
        for number, group in enumerate(groups):
            x = SIDE + number * (width + SIDE)
            middle = x + width / 2
            boxes.append(
                f'<rect x="{x:g}" y="{y}" width="{width:g}" height="{HEIGHT}" rx="6" fill="#eef3fb" stroke="#0059a3"/>'
                f'<text x="{middle:g}" y="{y + 19}" font-size="14" font-weight="bold">{", ".join(group)}</text>'
                f'<text x="{middle:g}" y="{y + 36}" font-size="12">{WORDS.get(group[0], "")}</text>'
            )
        y += HEIGHT + GAP
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}" role="img" '
    style = 'font-family="sans-serif" text-anchor="middle" fill="#222">'
    title = "<title>The parts of algdim; each imports only from those above it</title>"
    return "\n".join(
        [f"{head}{style}", title, f'<rect width="{WIDTH}" height="{y}" fill="#fff"/>', *boxes, "</svg>", ""]
    )


if __name__ == "__main__":
    drawn = house(runpy.run_path(str(ROOT / "tests" / "test_layers.py"))["STAGES"])
    (ROOT / "docs" / "house.svg").write_text(drawn, encoding="utf-8")
