"""Printing a table of texts: for a terminal, in Markdown, LaTeX, HTML and Typst, as comma-separated values.

In LaTeX what means something there is escaped, what its fonts lack is written as mathematics; how wide columns are,
`latexlayout` decides.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from html import escape
from typing import Any, NamedTuple

STAR = "*"


class Text(NamedTuple):
    """What stands in a cell: the value, whether it is bold, the marks of its footnotes, and whether it is a model's notation."""

    value: str
    bold: bool = False
    marks: str = ""
    is_model: bool = False


Rows = Sequence[Sequence[Text]]

FORMULA = re.compile(r"[=+\-@\t\r\n].", re.DOTALL)
"""Where a spreadsheet begins to compute."""
NUMBER = re.compile(r"[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?")
TAG = re.compile(r"<(?=[A-Za-z/!?])")
"""Where Markdown hands over to HTML."""
LINE_END = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")

TYPST_SPECIAL = re.compile(r"([\\#*_`$<>@~/\[\]=+-])")


def format_aligned_lines(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    numeric: Sequence[bool],
    between: str,
    width: int | None = None,
    kept: int = 1,
) -> list[str]:
    r"""Lines whose cells stand in line: numbers right, words left.

    Columns for which there is no room within the width stand in a further table below, behind the first ones, which are kept.

    >>> print(
    ...     *format_aligned_lines(["model", "df", "BIC"], [["2:2", "1", "9.5"]], (False, True, True), "  ", 10),
    ...     sep="\n",
    ... )
    model  df
    2:2     1
    <BLANKLINE>
    model  BIC
    2:2    9.5
    """
    table = [list(columns), *rows]
    widths = [max(len(row[place]) for row in table) for place in range(len(columns))]
    lines: list[str] = []
    for places in split_columns(widths, len(between), width, kept):
        lines += [""] * bool(lines)
        lines += [
            between.join(
                row[place].rjust(widths[place]) if numeric[place] else row[place].ljust(widths[place])
                for place in places
            ).rstrip()
            for row in table
        ]
    return lines


def split_columns(widths: Sequence[int], gap: int, width: int | None, kept: int) -> list[list[int]]:
    """The columns of each of the tables, the first ones in all of them.

    >>> split_columns([5, 2, 3, 4], 2, 12, 1), split_columns([5, 2], 2, None, 1)
    ([[0, 1], [0, 2], [0, 3]], [[0, 1]])
    """
    first = list(range(min(kept, len(widths))))
    room = sum(widths[place] + gap for place in first) - gap
    blocks: list[list[int]] = [[*first]]
    used = room
    for place in range(len(first), len(widths)):
        if width is not None and len(blocks[-1]) > len(first) and used + gap + widths[place] > width:
            blocks.append([*first])
            used = room
        blocks[-1].append(place)
        used += gap + widths[place]
    return blocks


def render_text(
    caption: str,
    columns: Sequence[str],
    rows: Rows,
    numeric: Sequence[bool],
    below: Sequence[str],
    width: int | None = None,
) -> str:
    """A table for a terminal: columns in line, a star after what is bold, footnote marks after it.

    >>> print(render_text("", ("model", "de"), [[Text("2:2"), Text("1", True)]], (False, True), ()))
    model  de
    2:2     1*
    """
    marked = [
        [(cell.value, (STAR if cell.bold else "") + (f" {cell.marks}" if cell.marks else "")) for cell in row]
        for row in rows
    ]
    tails = [max((len(row[place][1]) for row in marked), default=0) or 1 for place in range(len(columns))]
    cells = [[value + tail.ljust(width) for (value, tail), width in zip(row, tails, strict=True)] for row in marked]
    heads = [head + " " * width for head, width in zip(columns, tails, strict=True)]
    lines = format_aligned_lines(heads, cells, numeric, " ", width)
    return "\n".join([*([caption, ""] if caption else []), *lines, *(["", *below] if below else [])])


def render_markdown(
    caption: str, columns: Sequence[str], rows: Rows, numeric: Sequence[bool], below: Sequence[str] = ()
) -> str:
    r"""A table in Markdown, its caption above.

    >>> print(render_markdown("", ("a|b",), [[Text("x", True, "a")]], (False,)))
    | a\|b |
    |:---|
    | **x** <sup>a</sup> |
    """

    def render_cell(cell: Text) -> str:
        bold = f"**{encode_for_markdown(cell.value)}**" if cell.bold else encode_for_markdown(cell.value)
        return f"{bold} <sup>{cell.marks}</sup>" if cell.marks else bold

    rule = "|" + "|".join("---:" if right else ":---" for right in numeric) + "|"
    head, *body = (
        f"| {' | '.join(row)} |"
        for row in ([encode_for_markdown(c) for c in columns], *([render_cell(c) for c in row] for row in rows))
    )
    above = [LINE_END.sub(" ", TAG.sub("&lt;", caption)), ""] if caption else []
    return "\n".join(
        [*above, head, rule, *body, *(["", *(f"{encode_for_markdown(line)}  " for line in below)] if below else [])]
    )


def render_html(
    caption: str, columns: Sequence[str], rows: Rows, numeric: Sequence[bool], below: Sequence[str] = ()
) -> str:
    """A table in HTML that needs no style sheet.

    >>> render_html("", ("a<b",), [[Text("1", True, "a")]], (True,)).splitlines()[2]
    '<tbody><tr><td style="text-align:right"><b>1</b><sup>a</sup></td></tr></tbody>'
    """
    sides = ["right" if right else "left" for right in numeric]

    def cells(tag: str, inner: Sequence[str]) -> str:
        return "".join(
            f'<{tag} style="text-align:{side}">{cell}</{tag}>' for cell, side in zip(inner, sides, strict=True)
        )

    def render_cell(cell: Text) -> str:
        bold = f"<b>{escape(cell.value)}</b>" if cell.bold else escape(cell.value)
        return f"{bold}<sup>{cell.marks}</sup>" if cell.marks else bold

    body = "\n".join(f"<tr>{cells('td', [render_cell(cell) for cell in row])}</tr>" for row in rows)
    lines = [
        f"<table>{f'<caption>{escape(caption)}</caption>' if caption else ''}",
        f"<thead><tr>{cells('th', [escape(column) for column in columns])}</tr></thead>",
        f"<tbody>{body}</tbody>",
        "</table>",
        *(f"<p><small>{escape(line)}</small></p>" for line in below),
    ]
    return "\n".join(lines)


def render_typst(
    name: str, caption: str, columns: Sequence[str], rows: Rows, numeric: Sequence[bool], below: Sequence[str] = ()
) -> str:
    r"""A figure with a table in Typst.

    >>> print(render_typst("t", "", ("a_b",), [[Text("1", True)]], (True,)).splitlines()[3])
        [a\_b],
    """

    def render_cell(cell: Text) -> str:
        bold = f"#strong[{encode_for_typst(cell.value)}]" if cell.bold else encode_for_typst(cell.value)
        return f"[{bold}#super[{cell.marks}]]" if cell.marks else f"[{bold}]"

    body = [f"    {', '.join(render_cell(cell) for cell in row)}," for row in rows]
    notes = [encode_for_typst(line) for line in below]
    lines = [
        "#figure(",
        f"  caption: [{encode_for_typst(caption)}],",
        f"  table(columns: {len(columns)}, align: ({''.join('right, ' if right else 'left, ' for right in numeric)}),",
        f"    {', '.join(f'[{encode_for_typst(column)}]' for column in columns)},",
        *body,
        "  ),",
        f") <tab:{label_of(name)}>",
        *(rf"#text(size: .8em)[{line}] \ " for line in notes),
    ]
    return "\n".join(line.rstrip() for line in lines)


def render_csv(columns: Sequence[str], rows: Sequence[Sequence[Any]], *, formulas: bool = False) -> str:
    r"""Comma-separated values; a value with a comma is quoted.

    A text that a spreadsheet would compute has an apostrophe before it, unless formulas are to stay.

    >>> render_csv(("model", "de"), [["2:2,2", 3], ["=1+1", -3]])
    'model,de\n"2:2,2",3\n\'=1+1,-3'
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    written: Callable[[Any], Any] = (
        encode_for_csv if formulas else lambda value: encode_for_csv(encode_for_spreadsheet(value))
    )
    writer.writerows([written(value) for value in row] for row in (columns, *rows))
    return out.getvalue().rstrip("\n")


def encode_for_csv(value: Any) -> Any:
    """A cell without a sign for which the library puts no quotes, and which ends a line all the same."""
    return value.replace("\r\n", "\n").replace("\r", "\n") if isinstance(value, str) else value


def encode_for_spreadsheet(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula.

    >>> encode_for_spreadsheet("@SUM(A1)"), encode_for_spreadsheet("-0.5"), encode_for_spreadsheet("2:2")
    ("'@SUM(A1)", '-0.5', '2:2')
    """
    return f"'{value}" if isinstance(value, str) and FORMULA.match(value) and not NUMBER.fullmatch(value) else value


def encode_for_markdown(value: str) -> str:
    r"""A value that may stand between the bars of Markdown.

    >>> print(encode_for_markdown("A <-> B|C\n<b>"))
    A <-> B\|C<br>&lt;b>
    """
    return LINE_END.sub("<br>", TAG.sub("&lt;", value)).replace("|", r"\|")


def encode_for_typst(value: str) -> str:
    r"""A value for Typst.

    >>> encode_for_typst("a_1 <- b")
    'a\\_1 \\<\\- b'
    """
    return TYPST_SPECIAL.sub(r"\\\1", value)


GREEK = {
    "αβγδεζηθικλμνξπρστυχψω": (
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon chi psi omega"
    ),
    "ΓΔΘΛΞΠΦΨΩ": "Gamma Delta Theta Lambda Xi Pi Phi Psi Omega",
}
"""Letters and their names."""

SIGNS = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"${sign}$" for sign in "<>|"},
    **{
        letter: rf"$\{name}$"
        for letters, names in GREEK.items()
        for letter, name in zip(letters, names.split(), strict=True)
    },
    **{sign: f"$^{digit}$" for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    **{sign: f"$_{digit}$" for digit, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")},
    "φ": r"$\varphi$",
    "Σ": r"$\sum$",
    "∏": r"$\prod$",
    "⁻¹": "$^{-1}$",
    "½": r"$\frac12$",
    "x̄": r"$\bar x$",
    "ȳ": r"$\bar y$",
    "θ̂": r"$\hat\theta$",
    "θ̃": r"$\tilde\theta$",
    "Φ̂": r"$\hat\Phi$",
    "∪": r"$\cup$",
    "∩": r"$\cap$",
    "≡": r"$\equiv$",
    "√": r"$\surd$",
    "∂": r"$\partial$",
    "≠": r"$\neq$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≈": r"$\approx$",
    "∝": r"$\propto$",
    "→": r"$\to$",
    "←": r"$\leftarrow$",
    "↔": r"$\leftrightarrow$",
    "⊥": r"$\perp$",
    "∈": r"$\in$",
    "∞": r"$\infty$",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "ℚ": r"$\mathbf{Q}$",
    "ℝ": r"$\mathbf{R}$",
    "…": r"\dots{}",
    "—": "---",
    "“": "``",
    "”": "''",
    "§": r"\S{}",
}
PATTERN = re.compile("|".join(map(re.escape, sorted(SIGNS, key=len, reverse=True))))
"""Signs that are written otherwise in LaTeX; a letter with its accent before the letter."""


def encode_for_latex(value: str) -> str:
    r"""A text for LaTeX.

    >>> encode_for_latex("2^5_1 ≤ β₂")
    '2\\textasciicircum{}5\\_1 $\\leq$ $\\beta$$_2$'
    """
    return PATTERN.sub(lambda sign: SIGNS[sign[0]], value)


def label_of(name: str) -> str:
    """A name that can be a label in LaTeX and in Typst: all but letters, digits, ``_``, ``.`` and ``-`` becomes ``-``.

    >>> label_of("my table#1_b")
    'my-table-1_b'
    """
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", name)
