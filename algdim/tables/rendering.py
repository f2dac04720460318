"""Printing a table of texts: for a terminal, in Markdown, in LaTeX, as comma-separated values."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

Rows = Sequence[Sequence[tuple[str, bool]]]
"""Rows of texts, each with whether it is bold."""

STAR = "*"
LATEX_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "≠": r"$\neq$",
        "−": r"$-$",
        "×": r"$\times$",
    }
)


def text(caption: str, columns: Sequence[str], rows: Rows, numeric: Sequence[bool], notes: Sequence[str]) -> str:
    """A table for a terminal: columns in line, a star after what is bold.

    >>> print(text("", ("model", "de"), [[("2:2", False), ("1", True)]], (False, True), ()))
    model  de
    2:2     1*
    """
    starred = [[f"{value}{STAR if bold else ' '}" for value, bold in row] for row in rows]
    padded = [[f"{head} " for head in columns], *starred]
    widths = [max(len(row[place]) for row in padded) for place in range(len(columns))]
    lines = [
        " ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ).rstrip()
        for row in padded
    ]
    return "\n".join([*([caption, ""] if caption else []), *lines, *(["", *notes] if notes else [])])


def markdown(columns: Sequence[str], rows: Rows, numeric: Sequence[bool]) -> str:
    r"""A table in Markdown.

    >>> print(markdown(("a|b",), [[("x", True)]], (False,)))
    | a\|b |
    |:---|
    | **x** |
    """
    cells = [[f"**{piped(value)}**" if bold else piped(value) for value, bold in row] for row in rows]
    rule = "|" + "|".join("---:" if right else ":---" for right in numeric) + "|"
    head, *body = (f"| {' | '.join(row)} |" for row in ([piped(column) for column in columns], *cells))
    return "\n".join([head, rule, *body])


def latex(name: str, caption: str, columns: Sequence[str], rows: Rows, numeric: Sequence[bool]) -> str:
    r"""A table environment for the package booktabs.

    >>> print(latex("t", "", ("a_b",), [[("1", True)]], (True,)).splitlines()[6])
    \textbf{1} \\
    """
    body = [
        " & ".join(rf"\textbf{{{escaped(value)}}}" if bold else escaped(value) for value, bold in row) for row in rows
    ]
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\begin{{tabular}}{{{''.join('r' if right else 'l' for right in numeric)}}}",
        r"\toprule",
        rf"{' & '.join(escaped(column) for column in columns)} \\",
        r"\midrule",
        *(rf"{row} \\" for row in body),
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{escaped(caption)}}}",
        rf"\label{{tab:{name}}}",
        r"\end{table}",
    ]
    return "\n".join(lines)


def csv_text(columns: Sequence[str], rows: Rows) -> str:
    r"""Comma-separated values; a value with a comma is quoted.

    >>> csv_text(("model", "de"), [[("2:2,2", False), ("3", True)]])
    'model,de\n"2:2,2",3'
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([value for value, _ in row] for row in rows)
    return out.getvalue().rstrip("\n")


def piped(value: str) -> str:
    """A value that may stand between the bars of Markdown."""
    return value.replace("|", r"\|")


def escaped(value: str) -> str:
    r"""A value for LaTeX.

    >>> escaped("2^5_1")
    '2\\textasciicircum{}5\\_1'
    """
    return value.translate(LATEX_SPECIAL)
