"""A document: sections of sentences, formulas, tables, matrices and pictures, and its forms.

It becomes text for a terminal, in colour where that is asked for, and Markdown, with formulas as mathematics between dollar
signs and pictures inside the file. The LaTeX document and the page are other matters: `latexdocument`, `lecture/`.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator

from algdim.display.blocks import (
    Block,
    Document,
    FormulaBlock,
    Listing,
    MatrixBlock,
    Paragraph,
    Picture,
    TableBlock,
    TreeBlock,
    draw_tree,
)
from algdim.explanation.latexdocument import format_latex_number
from algdim.explanation.printing import format_matrix

BOLD, PIVOT, PLAIN = "\x1b[1m", "\x1b[1;33m", "\x1b[0m"


def render_terminal(document: Document, *, colour: bool = False) -> str:
    """The sections one below the other, pivots in brackets.

    >>> from algdim.display.blocks import Section
    >>> print(render_terminal(Document("2:2", "", (Section("Parameters", (Paragraph("3 of them."),)),))))
    2:2
    <BLANKLINE>
    Parameters
      3 of them.
    """
    lines = [format_bold(document.title, colour), *([document.lead] if document.lead else [])]
    for section in document.sections:
        lines += ["", format_bold(section.title, colour)]
        lines += [f"  {line}".rstrip() for block in section.blocks for line in render_terminal_block(block, colour)]
    return "\n".join(lines)


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
        case TableBlock(columns, rows):
            widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
            for row in (columns, *rows):
                yield "   ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        case MatrixBlock(entries, _, pivots):
            text = format_matrix(entries, sorted(pivots))
            if colour:
                text = text.replace("[1]", f"{PIVOT}[1]{PLAIN}")
            yield from text.splitlines()


def render_markdown(document: Document) -> str:
    """The sections under headings.

    >>> print(render_markdown(Document("2:2", "a lead", ())))
    # 2:2
    <BLANKLINE>
    a lead
    """
    parts = [f"# {escape_markdown(document.title)}"]
    parts += [escape_markdown(document.lead)] if document.lead else []
    for section in document.sections:
        parts.append(f"## {escape_markdown(section.title)}")
        parts += [render_markdown_block(block) for block in section.blocks]
    return "\n\n".join(parts)


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
        case TableBlock(columns, rows):
            head = [columns, tuple("---" for _ in columns)]
            body = [tuple(map(escape_markdown, row)) for row in rows]
            return "\n".join(f"| {' | '.join(row)} |" for row in (*head, *body))
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
