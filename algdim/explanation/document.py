"""A document: sections of sentences, formulas, tables, matrices and pictures, and its forms.

It becomes text for a terminal, in colour where that is asked for; Markdown, with formulas as mathematics between dollar
signs and pictures inside the file; and a LaTeX document that stands by itself. The page is another matter: `lecture/`.
"""

from __future__ import annotations

import re
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
from algdim.explanation.printing import format_matrix
from algdim.tables.rendering import encode_for_latex

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
                    rf"\boxed{{{format_markdown_number(value)}}}" if (i, j) in pivots else format_markdown_number(value)
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


def format_markdown_number(text: str) -> str:
    r"""An entry of a matrix in mathematics.

    >>> format_markdown_number("-3/4"), format_markdown_number("…")
    ('-\\tfrac{3}{4}', '\\cdots')
    """
    if text == "…":
        return r"\cdots"
    if "/" not in text:
        return text
    sign, over, under = ("-" if text.startswith("-") else ""), *text.removeprefix("-").split("/")
    return rf"{sign}\tfrac{{{over}}}{{{under}}}"


PREAMBLE = r"""\documentclass[11pt,a4paper]{article}
\usepackage{fontspec} % compile with lualatex or xelatex
\usepackage{amsmath,amssymb,booktabs,xcolor,graphicx,fvextra}
\usepackage{tikz}
\usepackage[margin=2.2cm]{geometry}
\setmonofont{DejaVu Sans Mono}[Scale=0.8]
\allowdisplaybreaks
\setcounter{MaxMatrixCols}{64}
\newcommand{\formula}[1]{\par\smallskip{\raggedright\hangindent=2em\noindent$#1$\par}}
\newcommand{\pivot}[1]{\colorbox{orange!45}{$#1$}}
"""

WIDE_LATEX = 60
"""Matrices with more letters in a row are shrunk to the width of the line."""


def render_latex(document: Document) -> str:
    """The whole document, from preamble to end."""
    parts = [PREAMBLE, rf"\title{{{encode_for_latex(document.title)}}}", r"\date{}", r"\begin{document}", r"\maketitle"]
    parts += [encode_for_latex(document.lead)] if document.lead else []
    for section in document.sections:
        parts.append(rf"\section{{{encode_for_latex(section.title)}}}")
        parts += [render_latex_block(block) for block in section.blocks]
    return "\n\n".join([*parts, r"\end{document}"])


def make_breakable(latex: str) -> str:
    r"""A formula that may be broken between factors and inside parentheses.

    >>> make_breakable(r"p &= a \left(1 - b\right) c")
    'p = a (1 - b) \\allowbreak c'
    """
    plain = latex.replace("&", "").replace(r"\left(", "(").replace(r"\right)", ")")
    return re.sub(r"\) (?=[A-Za-z(\\])", r") \\allowbreak ", plain)


def render_latex_block(block: Block) -> str:
    """One block."""
    match block:
        case Paragraph(text):
            return encode_for_latex(text)
        case FormulaBlock(lines):
            return "\n".join(rf"\formula{{{make_breakable(latex)}}}" for _, latex in lines)
        case Listing(lines):
            return "\n".join([r"\begin{Verbatim}[fontsize=\footnotesize,breaklines=true]", *lines, r"\end{Verbatim}"])
        case TreeBlock(root):
            return render_latex_block(Listing(tuple(draw_tree(root))))
        case TableBlock(columns, rows):
            body = [" & ".join(map(encode_for_latex, row)) + r" \\" for row in rows]
            return "\n".join(
                [
                    rf"\begin{{center}}\small\begin{{tabular}}{{{'l' * len(columns)}}}\toprule",
                    " & ".join(map(encode_for_latex, columns)) + r" \\ \midrule",
                    *body,
                    r"\bottomrule\end{tabular}\end{center}",
                ]
            )
        case MatrixBlock(entries, _, pivots):
            rows_ = [
                [
                    rf"\pivot{{{format_markdown_number(value)}}}" if (i, j) in pivots else format_markdown_number(value)
                    for j, value in enumerate(row)
                ]
                for i, row in enumerate(entries)
            ]
            inside = "\\begin{pmatrix}\n" + " \\\\\n".join(" & ".join(row) for row in rows_) + "\n\\end{pmatrix}"
            wide = sum(max(map(len, column)) for column in zip(*entries, strict=True)) > WIDE_LATEX
            return (
                rf"\begin{{center}}\resizebox{{\linewidth}}{{!}}{{${inside}$}}\end{{center}}"
                if wide
                else rf"\[{inside}\]"
            )
        case Picture(_, lines, caption, tikz):
            if tikz:
                return rf"\begin{{center}}{tikz}\\ {encode_for_latex(caption)}\end{{center}}"
            return "\n".join(
                [
                    r"\begin{Verbatim}[fontsize=\footnotesize,breaklines=true]",
                    *lines,
                    r"\end{Verbatim}",
                    encode_for_latex(caption),
                ]
            )
