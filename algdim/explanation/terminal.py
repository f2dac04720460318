"""An explanation as text for a terminal, in colour where that is asked for."""

from __future__ import annotations

from collections.abc import Iterator

from algdim.explanation.document import Block, Document, Formulas, Listing, Matrix, Paragraph, Picture, Rows
from algdim.explanation.printing import matrix_text

BOLD, PIVOT, PLAIN = "\x1b[1m", "\x1b[1;33m", "\x1b[0m"


def terminal(document: Document, *, colour: bool = False) -> str:
    """The sections one below the other, pivots in brackets.

    >>> from algdim.explanation.document import Section
    >>> print(terminal(Document("2:2", "", (Section("Parameters", (Paragraph("3 of them."),)),))))
    2:2
    <BLANKLINE>
    Parameters
      3 of them.
    """
    lines = [bold(document.title, colour), *([document.lead] if document.lead else [])]
    for section in document.sections:
        lines += ["", bold(section.title, colour)]
        lines += [f"  {line}".rstrip() for block in section.blocks for line in block_lines(block, colour)]
    return "\n".join(lines)


def bold(text: str, colour: bool) -> str:
    """A heading."""
    return f"{BOLD}{text}{PLAIN}" if colour else text


def block_lines(block: Block, colour: bool) -> Iterator[str]:
    """The lines of one block."""
    match block:
        case Paragraph(text):
            yield text
        case Formulas(lines):
            yield from (line for text, _ in lines for line in text.split("\n"))
        case Listing(lines) | Picture(lines=lines):
            yield from lines
        case Rows(columns, rows):
            widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
            for row in (columns, *rows):
                yield "   ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        case Matrix(entries, _, pivots):
            text = matrix_text(entries, sorted(pivots))
            if colour:
                text = text.replace("[1]", f"{PIVOT}[1]{PLAIN}")
            yield from text.splitlines()
