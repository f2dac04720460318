"""The page as a whole: its steps in one file, with a strict policy, and the scripts that make it move."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from typing import Any

from algdim.display.html import format_mathematics, remove_namespace

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
SCRIPTS = ("numbers.js", "fibre.js", "jacobian.js", "exact.js", "point.js", "copy.js", "steps.js")
"""In this order."""


DEFINED = re.compile(r"<defs>.*?</defs>", re.DOTALL)

ARROW = re.compile("&lt;-&gt;|-&gt;|&lt;-")


@dataclass(frozen=True, slots=True, eq=False)
class LectureStep:
    """One step: its key in addresses, its title, what is in it, and what the scripts need."""

    key: str
    title: str
    parts: tuple[str, ...]
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Lecture:
    """All steps, below a title in words and the text of the model."""

    title: str
    lead: str
    steps: tuple[LectureStep, ...]

    @property
    def data(self) -> dict[str, Any]:
        """What the scripts need, by step."""
        return {step.key: dict(step.data) for step in self.steps if step.data}


def read_asset(name: str) -> str:
    """A style or script of the page."""
    return files("algdim.explanation.lecture").joinpath(name).read_text("utf-8")


def render_page(lecture: Lecture) -> str:
    """The whole page.

    >>> "://" in render_page(Lecture("2:2", "", ()))
    False
    """
    # no text of a model may end the element
    data = json.dumps(lecture.data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>{escape(lecture.title)}</title>",
        f"<style>\n{read_asset('page.css')}</style>",
        "</head>",
        "<body>",
        *render_body(lecture),
        f'<script type="application/json" id="page-data">{data}</script>',
        *(f"<script>\n{read_asset(name)}</script>" for name in SCRIPTS),
        "</body>",
        "</html>",
        "",
    ]
    return remove_namespace("\n".join(parts))


def render_fragment(lecture: Lecture) -> str:
    """The page for a notebook: the same without scripts."""
    # nested, so that nothing outside is touched
    style = read_asset("page.css").replace(":root", "&")
    shown = "\n".join(render_body(lecture))
    return remove_namespace(f'<style>\n.algdim {{\n{style}}}\n</style>\n<div class="algdim">\n{shown}\n</div>')


def render_body(lecture: Lecture) -> list[str]:
    """The title and the steps."""
    lead = f'<p class="lead">{escape(lecture.lead)}</p>' if lecture.lead else ""
    header = f"<header><h1>{format_mathematics(lecture.title)}</h1>{lead}</header>"
    steps = [part for number, step in enumerate(lecture.steps, 1) for part in render_step(step, number)]
    return [number_markers("\n".join([header, '<nav id="tools" hidden></nav>', "<main>", *steps, "</main>"]))]


def number_markers(body: str) -> str:
    """Each picture with markers of its own, and without those that it does not use: a page has every id once.

    >>> number_markers('<svg><defs><marker id="tip"></marker></defs><g/></svg>')
    '<svg><g/></svg>'
    """
    first, *pictures = body.split("<svg")
    found = [first]
    for number, picture in enumerate(pictures):
        inside, end, after = picture.partition("</svg>")
        if "url(#" not in inside:
            inside = DEFINED.sub("", inside)
        else:
            for name in ("tip", "tail"):
                inside = inside.replace(f'id="{name}"', f'id="{name}-{number}"').replace(
                    f"#{name})", f"#{name}-{number})"
                )
        found.append(f"<svg{inside}{end}{after}")
    return "".join(found)


def render_step(step: LectureStep, number: int) -> list[str]:
    """A section with its number."""
    return [
        f'<section class="step" id="step-{step.key}">',
        f"<h2><span>{number}</span> {format_mathematics(step.title)}</h2>",
        *step.parts,
        "</section>",
    ]


def write_paragraph(text: str, kind: str = "") -> str:
    """A paragraph of plain text; names of variables have their numbers lowered."""
    return f"<p{f' class={chr(34)}{kind}{chr(34)}' if kind else ''}>{format_mathematics(text)}</p>"


def write_figure(svg: str, caption: str = "", kind: str = "") -> str:
    """A picture that is never wider than the page."""
    below = f"<figcaption>{format_mathematics(caption)}</figcaption>" if caption else ""
    return f'<figure{f" class={chr(34)}{kind}{chr(34)}" if kind else ""}><div class="wide">{svg}</div>{below}</figure>'


def keep_arrows(text: str) -> str:
    """A text of the page in which no line is broken inside an arrow.

    >>> keep_arrows("A -&gt; B")
    'A <span class="whole">-&gt;</span> B'
    """
    return ARROW.sub(r'<span class="whole">\g<0></span>', text)


def write_folded(title: str, parts: Sequence[str]) -> str:
    """What is closed at first, and open in print."""
    inside = "\n".join(part for part in parts if part)
    return f"<details><summary>{format_mathematics(title)}</summary>\n{inside}</details>"
