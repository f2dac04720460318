"""Blocks as HTML: for the pages of `algdim explain`, and small tables, trees and figures for notebooks."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from html import escape

from algdim.display.blocks import (
    Block,
    FormulaBlock,
    Listing,
    MatrixBlock,
    OutlineNode,
    Paragraph,
    Picture,
    TableBlock,
    TreeBlock,
)
from algdim.figures import format_count
from algdim.wholefiles import write_text


def render_block(block: Block) -> str:
    """One block."""
    match block:
        case Paragraph(text):
            return f"<p>{format_mathematics(text)}</p>"
        case FormulaBlock(lines):
            return render_formulas([text for text, _ in lines])
        case Listing(lines):
            return f"<pre>{escape(chr(10).join(lines))}</pre>"
        case TableBlock():
            return render_table(block)
        case TreeBlock():
            return render_tree(block)
        case MatrixBlock():
            return render_matrix(block)
        case Picture(svg, _, caption):
            said = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
            return f'<figure><div class="wide">{scale_picture(svg)}</div>{said}</figure>'


def render_table(table: TableBlock) -> str:
    """A table; without names of columns each row begins with its own.

    >>> render_table(TableBlock((), (("df", "<2>"),)))
    '<div class="wide"><table><tbody><tr><th>df</th><td>&lt;2&gt;</td></tr></tbody></table></div>'
    """
    head = "".join(f"<th>{format_mathematics(name)}</th>" for name in table.columns)
    body = ""
    for number, row in enumerate(table.rows):
        tags = ["td" if table.columns or place else "th" for place in range(len(row))]
        cells = "".join(f"<{tag}>{format_mathematics(cell)}</{tag}>" for tag, cell in zip(tags, row, strict=True))
        body += f'<tr class="bold">{cells}</tr>' if number in table.bold else f"<tr>{cells}</tr>"
    caption = f"<caption>{format_mathematics(table.caption)}</caption>" if table.caption else ""
    head = f"<thead><tr>{head}</tr></thead>" if head else ""
    return f'<div class="wide"><table>{caption}{head}<tbody>{body}</tbody></table></div>'


def render_tree(tree: TreeBlock) -> str:
    """A tree as lists in lists, which can be folded."""
    inside = f"<summary>{format_mathematics(tree.root.text)}</summary>{render_branches(tree.root.because)}"
    return f"<details{' open' if tree.is_open else ''}>{inside}</details>"


def render_branches(nodes: Sequence[OutlineNode]) -> str:
    """What stands below a node."""
    lines = (f"<li>{format_mathematics(node.text)}{render_branches(node.because)}</li>" for node in nodes)
    return f"<ul>{''.join(lines)}</ul>" if nodes else ""


def render_formulas(texts: Sequence[str]) -> str:
    """Equations, broken after products if need be; where some have several lines, all keep their layout."""
    if any("\n" in text for text in texts):
        return f"<pre>{format_mathematics(chr(10).join(texts))}</pre>"
    lines = "".join(f"<p>{format_mathematics(text).replace('·', '·<wbr>')}</p>" for text in texts)
    return f'<div class="formulas">{lines}</div>'


def scale_picture(svg: str) -> str:
    """A picture that grows with the letters of the page.

    >>> scale_picture('<svg width="32" height="16">')
    '<svg style="width:2em">'
    """
    return SIZE.sub(lambda match: f' style="width:{float(match[1]) / LETTER:g}em"', svg, count=1)


def render_matrix(matrix: MatrixBlock) -> str:
    """A matrix with brackets; pivots are coloured and bold, zeros pale."""
    head = ""
    if matrix.columns:
        cells = "".join(f"<th><span>{format_mathematics(name)}</span></th>" for name in matrix.columns)
        head = f"<thead><tr>{cells}</tr></thead>"
    rows = []
    for i, row in enumerate(matrix.entries):
        cells = ""
        for j, value in enumerate(row):
            kind = ' class="pivot"' if (i, j) in matrix.pivots else ' class="zero"' if value == "0" else ""
            cells += f"<td{kind}>{format_mathematics(value)}</td>"
        rows.append(f"<tr>{cells}</tr>")
    return f'<div class="wide"><table class="matrix">{head}<tbody>{"".join(rows)}</tbody></table></div>'


LETTER = 16
"""Pixels of a letter for which pictures are made."""
SIZE = re.compile(r' width="([\d.]+)" height="[\d.]+"')
INDEX = re.compile(r"(?<![A-Za-z0-9.])([A-Za-z])(\d{1,3})(?![\w.^])")
POWER = re.compile(r"\^(\d+)")


def format_mathematics(text: str) -> str:
    """Text with the numbers of variables lowered and exponents raised.

    >>> format_mathematics("P(X1=0)^2 < 1")
    'P(X<sub>1</sub>=0)<sup>2</sup> &lt; 1'
    """
    return POWER.sub(r"<sup>\1</sup>", INDEX.sub(r"\1<sub>\2</sub>", escape(text, quote=False)))


def remove_namespace(text: str) -> str:
    """SVG inside HTML needs no namespace, and a page without addresses is seen to need no network."""
    return text.replace(' xmlns="http://www.w3.org/2000/svg"', "")


STYLE = """\
.algdim-result { --ink: var(--jp-content-font-color1, #1c1e22); --paper: var(--jp-layout-color0, #ffffff);
  --shade: var(--jp-layout-color3, #c9ccd3); }
.algdim-result table { border-collapse: collapse; margin: .3em 0; font-variant-numeric: tabular-nums; }
.algdim-result caption { text-align: left; caption-side: top; padding: .2em 0; }
.algdim-result th, .algdim-result td { text-align: left; vertical-align: top; padding: .12em .9em .12em 0; }
.algdim-result tr.bold td { font-weight: 700; }
.algdim-result figure { margin: .4em 0; }
.algdim-result svg { height: auto; max-width: 100%; }
.algdim-result ul { margin: 0; padding-left: 1.4em; }
.algdim-result .wide { overflow-x: auto; }"""
"""Colours are those of the notebook, where it has some."""


def render_result(blocks: Iterable[Block]) -> str:
    """A few blocks for a notebook.

    >>> "<script>" in render_result([Paragraph("<script>")])
    False
    """
    shown = "\n".join(map(render_block, blocks))
    return remove_namespace(f'<style>\n{STYLE}\n</style>\n<div class="algdim-result">\n{shown}\n</div>')


class Drawing(str):
    """The text of an SVG file, which a notebook shows as the picture."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Drawing({format_count(len(self), 'character')} of SVG)"

    def _repr_svg_(self) -> str:
        """The picture."""
        return str(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file: completely or not at all."""
        write_text(path, str(self))
