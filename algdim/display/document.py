"""A document: sections of sentences, formulas, tables, matrices and pictures, and its forms.

It becomes text for a terminal, in colour where that is asked for, Markdown, with formulas as mathematics between dollar signs
and pictures inside the file, a LaTeX document (`latexdocument`) and HTML (`html`).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from algdim.display.blocks import (
    Block,
    FormulaBlock,
    Listing,
    MatrixBlock,
    Paragraph,
    Picture,
    Section,
    TableBlock,
    TreeBlock,
    draw_tree,
)
from algdim.display.html import render_result
from algdim.display.latexdocument import format_latex_number, render_latex
from algdim.display.rendering import format_aligned_lines

BOLD, PIVOT, PLAIN = "\x1b[1m", "\x1b[1;33m", "\x1b[0m"


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A title, a leading sentence and sections, which become text, Markdown, LaTeX or HTML."""

    title: str
    lead: str
    sections: tuple[Section, ...]

    def text(self, *, colour: bool = False) -> str:
        """The sections one below the other, pivots in brackets.

        >>> print(Document("2:2", "", (Section("Parameters", (Paragraph("3 of them."),)),)).text())
        2:2
        <BLANKLINE>
        Parameters
          3 of them.
        """
        lines = [format_bold(self.title, colour), *([self.lead] if self.lead else [])]
        for section in self.sections:
            lines += ["", *([format_bold(section.title, colour)] if section.title else [])]
            lines += [f"  {line}".rstrip() for block in section.blocks for line in render_terminal_block(block, colour)]
        return "\n".join(lines)

    def markdown(self) -> str:
        """The sections under headings.

        >>> print(Document("2:2", "a lead", ()).markdown())
        # 2:2
        <BLANKLINE>
        a lead
        """
        parts = [f"# {escape_markdown(self.title)}", *([escape_markdown(self.lead)] if self.lead else [])]
        for section in self.sections:
            parts += [f"## {escape_markdown(section.title)}"] if section.title else []
            parts += [render_markdown_block(block) for block in section.blocks]
        return "\n\n".join(parts)

    def latex(self) -> str:
        """A LaTeX document."""
        return render_latex(self.title, self.lead, self.sections)

    def html(self) -> str:
        """A part of a page, with its style."""
        said = [Paragraph(text) for text in (self.title, self.lead) if text]
        parts = ((*([Paragraph(one.title)] if one.title else []), *one.blocks) for one in self.sections)
        return render_result([*said, *chain.from_iterable(parts)])


def format_bold(text: str, colour: bool) -> str:
    """A heading."""
    return f"{BOLD}{text}{PLAIN}" if colour else text


def render_terminal_block(block: Block, colour: bool) -> Iterator[str]:
    """The lines of one block."""
    match block:
        case Paragraph(text):
            yield text
        case FormulaBlock(lines):
            yield from (line for text, _ in lines for line in text.split("\n"))
        case Listing(lines) | Picture(lines=lines):
            yield from lines
        case TreeBlock(root):
            yield from draw_tree(root)
        case TableBlock(columns, rows, caption):
            yield from [caption] if caption else []
            yield from align_rows((columns, *rows) if columns else rows)
        case MatrixBlock(entries, _, pivots):
            text = format_matrix(entries, sorted(pivots))
            if colour:
                text = text.replace("[1]", f"{PIVOT}[1]{PLAIN}")
            yield from text.splitlines()


def escape_markdown(text: str) -> str:
    """Text in one line in which no sign starts a form of Markdown."""
    text = " ".join(text.splitlines())
    for sign in "\\`*_[]<|":
        text = text.replace(sign, f"\\{sign}")
    return text


def render_markdown_block(block: Block) -> str:
    """One block."""
    match block:
        case Paragraph(text):
            return escape_markdown(text)
        case FormulaBlock(lines):
            return "$$\n\\begin{aligned}\n" + " \\\\\n".join(latex for _, latex in lines) + "\n\\end{aligned}\n$$"
        case Listing(lines):
            return "\n".join(["```text", *lines, "```"])
        case TreeBlock(root):
            return render_markdown_block(Listing(tuple(draw_tree(root))))
        case TableBlock(columns, rows, caption):
            width = len(rows[0] if rows else columns)
            head = [columns or ("",) * width, ("---",) * width]
            body = [tuple(map(escape_markdown, row)) for row in rows]
            above = f"{escape_markdown(caption)}\n\n" if caption else ""
            return above + "\n".join(f"| {' | '.join(row)} |" for row in (*head, *body))
        case MatrixBlock(entries, _, pivots):
            rows_ = [
                [
                    rf"\boxed{{{format_latex_number(value)}}}" if (i, j) in pivots else format_latex_number(value)
                    for j, value in enumerate(row)
                ]
                for i, row in enumerate(entries)
            ]
            inside = " \\\\\n".join(" & ".join(row) for row in rows_)
            return f"$$\n\\begin{{pmatrix}}\n{inside}\n\\end{{pmatrix}}\n$$"
        case Picture(svg, lines, caption):
            inside = b64encode(svg.encode()).decode()
            return "\n".join(
                [f"![{escape_markdown(caption)}](data:image/svg+xml;base64,{inside})", "", "```text", *lines, "```"]
            )


def align_rows(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of words in line."""
    first, *rest = rows
    return format_aligned_lines(first, rest, [False] * len(first), "   ")


def format_matrix(matrix: Sequence[Sequence[Any]], pivots: Sequence[tuple[int, int]] = ()) -> str:
    """A matrix in aligned columns, pivots in brackets.

    >>> print(format_matrix([[1, 0], [0, 10]], [(0, 0)]))
    [1]   0
     0   10
    """
    marked = set(pivots)
    texts = [
        [f"[{value}]" if (i, j) in marked else f" {value} " for j, value in enumerate(row)]
        for i, row in enumerate(matrix)
    ]
    widths = [max(len(row[j]) for row in texts) for j in range(len(texts[0]))] if texts else []
    return "\n".join(
        " ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in texts
    )
