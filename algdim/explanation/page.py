"""An explanation as one HTML page that needs nothing else: no network, and no JavaScript but for playing with points.

The page is complete as it stands. A script, where it may run, folds the steps and computes the rank at points that the
reader chooses, with exact fractions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files

from algdim.explanation.document import Block, Document, Formulas, Listing, Matrix, Paragraph, Picture, Rows, Section

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


def page(document: Document) -> str:
    """The whole page.

    >>> "://" in page(Document("2:2", "", ()))
    False
    """
    style, script = (files("algdim.explanation").joinpath(name).read_text("utf-8") for name in ("page.css", "page.js"))
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>{escape(document.title)}</title>",
        f"<style>\n{style}</style>",
        "</head>",
        "<body>",
        *body(document),
        "</body>",
        "</html>",
        "",
    ]
    if document.play is not None:
        # no text of a model may end the element
        data = json.dumps(document.play, ensure_ascii=False).replace("<", "\\u003c")
        parts.insert(-3, f'<script type="application/json" id="play-data">{data}</script>')
    parts.insert(-3, f"<script>\n{script}</script>")
    return without_namespace("\n".join(parts))


def without_namespace(text: str) -> str:
    """SVG inside HTML needs no namespace, and a page without addresses is seen to need no network."""
    return text.replace(' xmlns="http://www.w3.org/2000/svg"', "")


def fragment(document: Document) -> str:
    """The explanation for a notebook: the same without script."""
    # nested, so that nothing outside is touched
    style = files("algdim.explanation").joinpath("page.css").read_text("utf-8").replace(":root", "&")
    shown = "\n".join(body(document))
    return without_namespace(f'<style>\n.algdim {{\n{style}}}\n</style>\n<div class="algdim">\n{shown}\n</div>')


def body(document: Document) -> list[str]:
    """What stands in the page."""
    lead = [f'<p class="lead">{escape(document.lead)}</p>'] if document.lead else []
    header = ["<header>", f"<h1>{mathematics(document.title)}</h1>", *lead, "</header>"]
    steps = [part for number, section in enumerate(document.sections, 1) for part in step(section, number)]
    return [*header, '<nav id="tools" hidden></nav>', "<main>", *steps, "</main>"]


def step(section: Section, number: int) -> list[str]:
    """A section that can be folded; open unless a script closes it."""
    place = '<div id="play" hidden></div>' if section.key == "reduced" else ""
    return [
        f'<details open id="step-{section.key or number}">',
        f"<summary><h2><span>{number}</span> {escape(section.title)}</h2></summary>",
        *(block_html(block) for block in section.blocks),
        place,
        "</details>",
    ]


def block_html(block: Block) -> str:
    """One block."""
    match block:
        case Paragraph(text):
            return f"<p>{mathematics(text)}</p>"
        case Formulas(lines):
            return formulas_html([text for text, _ in lines])
        case Listing(lines):
            return f"<pre>{escape(chr(10).join(lines))}</pre>"
        case Rows(columns, rows):
            head = "".join(f"<th>{mathematics(name)}</th>" for name in columns)
            body_ = "".join(f"<tr>{''.join(f'<td>{mathematics(cell)}</td>' for cell in row)}</tr>" for row in rows)
            return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body_}</tbody></table></div>'
        case Matrix():
            return matrix_html(block)
        case Picture(svg, _, caption):
            return f'<figure><div class="wide">{scaled(svg)}</div><figcaption>{escape(caption)}</figcaption></figure>'


def formulas_html(texts: Sequence[str]) -> str:
    """Equations, broken after products if need be; where some have several lines, all keep their layout."""
    if any("\n" in text for text in texts):
        return f"<pre>{mathematics(chr(10).join(texts))}</pre>"
    lines = "".join(f"<p>{mathematics(text).replace('·', '·<wbr>')}</p>" for text in texts)
    return f'<div class="formulas">{lines}</div>'


def scaled(svg: str) -> str:
    """A picture that grows with the letters of the page.

    >>> scaled('<svg width="32" height="16">')
    '<svg style="width:2em">'
    """
    return SIZE.sub(lambda match: f' style="width:{float(match[1]) / LETTER:g}em"', svg, count=1)


def matrix_html(matrix: Matrix) -> str:
    """A matrix with brackets; pivots are coloured and bold, zeros pale."""
    head = ""
    if matrix.columns:
        cells = "".join(f"<th><span>{mathematics(name)}</span></th>" for name in matrix.columns)
        head = f"<thead><tr>{cells}</tr></thead>"
    rows = []
    for i, row in enumerate(matrix.entries):
        cells = ""
        for j, value in enumerate(row):
            kind = ' class="pivot"' if (i, j) in matrix.pivots else ' class="zero"' if value == "0" else ""
            cells += f"<td{kind}>{mathematics(value)}</td>"
        rows.append(f"<tr>{cells}</tr>")
    return f'<div class="wide"><table class="matrix">{head}<tbody>{"".join(rows)}</tbody></table></div>'


LETTER = 16
"""Pixels of a letter for which pictures are made."""
SIZE = re.compile(r' width="([\d.]+)" height="[\d.]+"')
INDEX = re.compile(r"(?<![A-Za-z0-9.])([A-Za-z])(\d{1,3})(?![\w.^])")
POWER = re.compile(r"\^(\d+)")


def mathematics(text: str) -> str:
    """Text with the numbers of variables lowered and exponents raised.

    >>> mathematics("P(X1=0)^2 < 1")
    'P(X<sub>1</sub>=0)<sup>2</sup> &lt; 1'
    """
    return POWER.sub(r"<sup>\1</sup>", INDEX.sub(r"\1<sub>\2</sub>", escape(text, quote=False)))
