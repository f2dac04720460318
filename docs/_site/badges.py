"""Draws docs/badges.svg from pyproject.toml, the version and the certificates: `python docs/_site/badges.py`."""

from __future__ import annotations

import re
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[2]

HEIGHT, GAP, PAD, LETTER = 20, 6, 7, 6.4
"""The size of a badge, and about the width of a letter."""


def read_facts() -> list[tuple[str, str]]:
    """What the badges say: each is read from the source, so none needs a network or can be out of date."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = settings["project"]
    [version] = re.findall(r'"(\d+\.\d+\.\d+\w*)"', (ROOT / "algdim" / "about.py").read_text(encoding="utf-8"))
    return [
        ("version", version),
        ("python", project["requires-python"].replace(">=", "≥ ")),
        ("licence", project["license"]),
        ("mypy", "strict" if settings["tool"]["mypy"]["strict"] else "not strict"),
        ("certificates", str(len(list((ROOT / "proofs" / "certificates").glob("*.json"))))),
    ]


def draw_badges(facts: list[tuple[str, str]]) -> str:
    """The badges in one picture, side by side."""
    drawn, x = [], 0.0
    for name, value in facts:
        left, right = (round(2 * PAD + LETTER * len(text)) for text in (name, value))
        for start, width, text, colour in ((x, left, name, "#555"), (x + left, right, value, "#0059a3")):
            drawn.append(
                f'<rect x="{start:g}" width="{width}" height="{HEIGHT}" fill="{colour}"/>'
                f'<text x="{start + width / 2:g}" y="14">{escape(text)}</text>'
            )
        x += left + right + GAP
    width = x - GAP
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {HEIGHT}" width="{width:g}" height="{HEIGHT}" '
        'role="img" font-family="Helvetica, Arial, sans-serif" font-size="11" text-anchor="middle" fill="#fff">'
    )
    return "\n".join(
        [
            head,
            f"<title>{escape('; '.join(f'{name} {value}' for name, value in facts))}</title>",
            *drawn,
            "</svg>",
            "",
        ]
    )


if __name__ == "__main__":
    (ROOT / "docs" / "badges.svg").write_text(draw_badges(read_facts()), encoding="utf-8")
