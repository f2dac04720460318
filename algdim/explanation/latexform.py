"""An explanation as a LaTeX document that stands by itself."""

from __future__ import annotations

import re

from algdim.explanation.document import Block, Document, Formulas, Listing, Matrix, Paragraph, Picture, Rows
from algdim.explanation.markdown import number
from algdim.tables.latexsigns import escaped

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

WIDE = 60
"""Matrices with more letters in a row are shrunk to the width of the line."""


def latex_document(document: Document) -> str:
    """The whole document, from preamble to end."""
    parts = [PREAMBLE, rf"\title{{{escaped(document.title)}}}", r"\date{}", r"\begin{document}", r"\maketitle"]
    parts += [escaped(document.lead)] if document.lead else []
    for section in document.sections:
        parts.append(rf"\section{{{escaped(section.title)}}}")
        parts += [block_text(block) for block in section.blocks]
    return "\n\n".join([*parts, r"\end{document}"])


def breakable(latex: str) -> str:
    r"""A formula that may be broken between factors and inside parentheses.

    >>> breakable(r"p &= a \left(1 - b\right) c")
    'p = a (1 - b) \\allowbreak c'
    """
    plain = latex.replace("&", "").replace(r"\left(", "(").replace(r"\right)", ")")
    return re.sub(r"\) (?=[A-Za-z(\\])", r") \\allowbreak ", plain)


def block_text(block: Block) -> str:
    """One block."""
    match block:
        case Paragraph(text):
            return escaped(text)
        case Formulas(lines):
            return "\n".join(rf"\formula{{{breakable(latex)}}}" for _, latex in lines)
        case Listing(lines):
            return "\n".join([r"\begin{Verbatim}[fontsize=\footnotesize,breaklines=true]", *lines, r"\end{Verbatim}"])
        case Rows(columns, rows):
            body = [" & ".join(map(escaped, row)) + r" \\" for row in rows]
            return "\n".join(
                [
                    rf"\begin{{center}}\small\begin{{tabular}}{{{'l' * len(columns)}}}\toprule",
                    " & ".join(map(escaped, columns)) + r" \\ \midrule",
                    *body,
                    r"\bottomrule\end{tabular}\end{center}",
                ]
            )
        case Matrix(entries, _, pivots):
            rows_ = [
                [rf"\pivot{{{number(value)}}}" if (i, j) in pivots else number(value) for j, value in enumerate(row)]
                for i, row in enumerate(entries)
            ]
            inside = "\\begin{pmatrix}\n" + " \\\\\n".join(" & ".join(row) for row in rows_) + "\n\\end{pmatrix}"
            wide = sum(max(map(len, column)) for column in zip(*entries, strict=True)) > WIDE
            return (
                rf"\begin{{center}}\resizebox{{\linewidth}}{{!}}{{${inside}$}}\end{{center}}"
                if wide
                else rf"\[{inside}\]"
            )
        case Picture(_, lines, caption, tikz):
            if tikz:
                return rf"\begin{{center}}{tikz}\\ {escaped(caption)}\end{{center}}"
            return "\n".join(
                [
                    r"\begin{Verbatim}[fontsize=\footnotesize,breaklines=true]",
                    *lines,
                    r"\end{Verbatim}",
                    escaped(caption),
                ]
            )
