"""A document in LaTeX that pdflatex, xelatex and lualatex compile, and in which nothing is wider than its line.

Every sign is written in LaTeX's own commands, so no font has to have it; long words may end a line behind signs, matrices and
drawings that do not fit are shrunk, and trees are indented lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from algdim.display.blocks import (
    Block,
    FormulaBlock,
    Listing,
    MatrixBlock,
    OutlineNode,
    Paragraph,
    Picture,
    Section,
    TableBlock,
    TreeBlock,
)
from algdim.display.latexlayout import encode_breakable

PREAMBLE = r"""\documentclass[11pt,a4paper]{article}
\usepackage{amsmath,amssymb,array,booktabs,longtable,xcolor,graphicx}
\usepackage{tikz}
\usepackage[margin=2.2cm]{geometry}
\allowdisplaybreaks
\sloppy\emergencystretch=4em
\setcounter{MaxMatrixCols}{64}
\newsavebox{\fitted}
\newcommand{\fit}[1]{\par\medskip{\centering\sbox{\fitted}{#1}%
  \ifdim\wd\fitted>\linewidth\sbox{\fitted}{\resizebox{\linewidth}{!}{\usebox{\fitted}}}\fi
  \ifdim\dimexpr\ht\fitted+\dp\fitted\relax>.8\textheight\sbox{\fitted}{\resizebox{!}{.8\textheight}{\usebox{\fitted}}}\fi
  \usebox{\fitted}\par}\medskip}
\newcommand{\fitfrac}[2]{\sbox{\fitted}{$\frac{#1}{#2}$}%
  \ifdim\wd\fitted>.9\linewidth\resizebox{.9\linewidth}{!}{\usebox{\fitted}}\else\usebox{\fitted}\fi}
\newcommand{\formula}[1]{\par\smallskip{\raggedright\hangindent=2em\noindent$#1$\par}}
\newcommand{\indented}[2]{{\raggedright\small\leftskip=#1em\hangindent=1.5em\noindent #2\par}}
\newcommand{\pivot}[1]{\colorbox{orange!45}{$#1$}}
"""

FITS = 84
"""Letters of a table's row in small print; of wider tables the long columns are broken."""
LEAST = 12
"""Letters that a column has at least."""


def render_latex(title: str, lead: str, sections: Sequence[Section]) -> str:
    """The whole document, from preamble to end."""
    parts = [PREAMBLE, rf"\title{{{encode_breakable(title)}}}", r"\date{}", r"\begin{document}", r"\maketitle"]
    parts += [encode_breakable(lead)] if lead else []
    for section in sections:
        parts += [rf"\section{{{encode_breakable(section.title)}}}"] if section.title else []
        parts += [render_latex_block(block) for block in section.blocks]
    return "\n\n".join([*parts, r"\end{document}"])


def make_breakable(latex: str) -> str:
    r"""A formula that may be broken between factors and inside parentheses; a fraction that is too wide is shrunk.

    >>> make_breakable(r"p &= a \left(1 - b\right) c")
    'p = a (1 - b) \\allowbreak c'
    """
    plain = latex.replace("&", "").replace(r"\left(", "(").replace(r"\right)", ")").replace(r"\frac{", r"\fitfrac{")
    return re.sub(r"\) (?=[A-Za-z(\\])", r") \\allowbreak ", plain)


def render_latex_block(block: Block) -> str:
    """One block."""
    match block:
        case Paragraph(text):
            return encode_breakable(text)
        case FormulaBlock(lines):
            return "\n".join(rf"\formula{{{make_breakable(latex)}}}" for _, latex in lines)
        case Listing(lines):
            return "\n".join(indent(line) for line in lines)
        case TreeBlock(root):
            return "\n".join(list_branches(root, 0))
        case TableBlock(columns, rows, caption):
            above = f"{encode_breakable(caption)}\n\n" if caption else ""
            return above + tabulate(columns or ("",) * len(rows[0]), rows)
        case MatrixBlock(entries, _, pivots):
            return rf"\fit{{${draw_matrix(entries, pivots)}$}}"
        case Picture(_, lines, caption, tikz):
            drawn = rf"\fit{{{tikz}}}" if tikz else render_latex_block(Listing(tuple(lines)))
            return "\n\n".join([drawn, f"{{\\small\n{encode_breakable(caption)}\n}}"])


def indent(line: str) -> str:
    r"""A line of text with what it is indented by.

    >>> indent("  └─ rank ≤ 3")
    '\\indented{1.5}{rank $\\leq$ 3}'
    """
    rest = line.lstrip(" │├└─")
    return rf"\indented{{{(len(line) - len(rest)) * 0.3:.2g}}}{{{encode_breakable(rest)}}}"


def list_branches(node: OutlineNode, depth: int) -> Iterator[str]:
    """A tree, a line for each node."""
    yield rf"\indented{{{1.5 * depth:g}}}{{{encode_breakable(node.text)}}}"
    for branch in node.because:
        yield from list_branches(branch, depth + 1)


def tabulate(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; where it is too wide its long columns are broken, and it may go over pages."""
    widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    places = ["l"] * len(widths)
    if sum(widths) > FITS:
        short = [width for width in widths if width <= FITS / len(widths)]
        room = FITS - sum(short)
        long = [width for width in widths if width > FITS / len(widths)]
        for number, width in enumerate(widths):
            if width > FITS / len(widths):
                part = max(LEAST, room * width / sum(long)) / FITS * 0.86
                places[number] = rf">{{\raggedright\arraybackslash}}p{{{part:.3f}\linewidth}}"
    head = " & ".join(map(encode_breakable, columns))
    body = [" & ".join(map(encode_breakable, row)) + r" \\" for row in rows]
    return "\n".join(
        [
            rf"{{\small\begin{{longtable}}{{{''.join(places)}}}\toprule",
            *([rf"{head} \\ \midrule\endhead"] if any(columns) else []),
            *body,
            r"\bottomrule\end{longtable}}",
        ]
    )


def draw_matrix(entries: Sequence[Sequence[str]], pivots: frozenset[tuple[int, int]]) -> str:
    """A matrix with its pivots marked."""
    rows = [
        [
            rf"\pivot{{{format_latex_number(value)}}}" if (i, j) in pivots else format_latex_number(value)
            for j, value in enumerate(row)
        ]
        for i, row in enumerate(entries)
    ]
    return "\\begin{pmatrix}\n" + " \\\\\n".join(" & ".join(row) for row in rows) + "\n\\end{pmatrix}"


def format_latex_number(text: str) -> str:
    r"""An entry of a matrix in mathematics.

    >>> format_latex_number("-3/4"), format_latex_number("…")
    ('-\\tfrac{3}{4}', '\\cdots')
    """
    if text == "…":
        return r"\cdots"
    if "/" not in text:
        return text
    sign, over, under = ("-" if text.startswith("-") else ""), *text.removeprefix("-").split("/")
    return rf"{sign}\tfrac{{{over}}}{{{under}}}"
