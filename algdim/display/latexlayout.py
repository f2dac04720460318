"""A table in LaTeX that fits the page: models as mathematics, long texts in columns of fixed width, empty columns left out.

Nothing but booktabs is needed, and longtable where a table is broken over pages; so a table compiles in a document of two lines,
whatever the compiler. Widths are estimated from the number of characters, always a little too wide.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

from algdim.display.rendering import Rows, Text, encode_for_latex, format_aligned_lines, label_of

LONG = 40
"""A table of more rows is broken over pages."""
PAGE = 46
"""Lines of a part of a table that is broken into floats, as two columns need it."""
MOST_FLOATS = 8
"""Parts of a table that wait for a page together; LaTeX ends in an error beyond some twenty."""

LINE, NARROW_LINE = 345, 229
"""Points of a line of article on A4 paper, and of one of its two columns."""
WIDE, SMALL = 5.6, 4.7
"""Points of a character at most, on average of a cell: in the usual letters, and in those of footnotes."""
GAP, SMALL_GAP = 12, 7
"""Points between columns."""
SHORT = 13
"""Texts of so many characters are not broken."""
LEAST, MOST = 9, 44
"""Characters by which the width of a column with long texts is measured."""

SYMBOLS = {
    "dimension": "$d_e$",
    "parameters": "$d_s$",
    "standard": "$d_s$",
    "saturated": "$d_c$",
    "complete": "$d_c$",
    "pairwise_bound": "$d_p$",
    "best_bound": "$d_b$",
    "redundant": "$r$",
}
"""Heads where there is no room for words; a line below the table says what they are."""

WORDS = frozenset(
    "hidden states given fix equal share means off moments max min sum noisy or parity at least classifier sigmoid poisson normal "
    "gaussian latent profile loglinear polynomial parameters coordinates".split()
)
"""Words of the notation, which are no variables."""
TOKEN = re.compile(r"<->|->|<-|…|[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z]+)*|\d+|\s+|.", re.DOTALL)
ARROWS = {"->": r" \to ", "<-": r" \leftarrow ", "<->": r" \leftrightarrow "}
IN_MATHEMATICS = {
    ":": "{:}",
    "{": r"\{",
    "}": r"\}",
    "^": "^",
    **{sign: sign for sign in "()=|+-*/!<>."},
}
NOTATION = re.compile(r"->|<-|[:({]")
COMMA = r",\allowbreak "
UNBROKEN = 16
"""Notation of so many characters is not broken."""
NAME = re.compile(r"([A-Za-z]+)(\d*)")


def encode_model_for_latex(text: str) -> str:
    r"""A model's notation as mathematics, its words upright.

    >>> encode_model_for_latex("2:2^10"), encode_model_for_latex("A -> C <- H1; hidden H1")
    ('$2{:}2^{10}$', '$A \\to C \\leftarrow H_{1}$; hidden $H_{1}$')
    """
    if not NOTATION.search(text):
        return encode_for_latex(text)  # the name of a model, or of its file
    pieces: list[str] = []
    inside: list[str] = []

    def close() -> None:
        found = "".join(inside).strip()
        inside.clear()
        if found:
            pieces.append(f"${found.removesuffix(chr(92) + 'allowbreak').strip()}$")

    signs = TOKEN.findall(text)
    for place, sign in enumerate(signs):
        if sign in ARROWS:
            inside.append(ARROWS[sign])
        elif sign == ";" or (sign[0].isalpha() and is_word(sign)) or sign == "…":
            close()
            is_apart = place > 0 and signs[place - 1].isspace() and not (pieces and pieces[-1].endswith(" "))
            pieces.append((" " if is_apart and pieces and sign != ";" else "") + encode_for_latex(sign))
        elif sign.isspace():
            # behind a comma and at the end of mathematics a line may end
            if inside and inside[-1] in {COMMA, ","}:
                inside[-1] = ""
                close()
                pieces.append(", ")
            elif inside and place + 1 < len(signs) and signs[place - 1].isalnum() and signs[place + 1].isalnum():
                inside.append(r"\; ")
            elif not inside and pieces and not pieces[-1].endswith(" "):
                pieces.append(" ")
        elif sign[0].isalpha():
            inside.append(encode_variable(sign))
        elif sign.isdigit():
            inside.append(f"{{{sign}}}" if inside and inside[-1] == "^" and len(sign) > 1 else sign)
        elif sign == ":" and (signs[place + 1 : place + 2] == [" "] or not inside):
            close()
            pieces.append(":")
        elif sign == ",":
            inside.append(COMMA if len(text) > UNBROKEN else ",")
        elif sign in IN_MATHEMATICS:
            inside.append(IN_MATHEMATICS[sign])
        else:
            return encode_for_latex(text)  # no notation that is known
    close()
    return "".join(pieces)


def is_word(token: str) -> bool:
    """Whether letters are a word of the notation, of several words with hyphens each."""
    return all(part in WORDS for part in token.split("-"))


def encode_variable(name: str) -> str:
    r"""A variable in mathematics.

    >>> encode_variable("X12"), encode_variable("age"), encode_variable("a_b")
    ('X_{12}', '\\mathrm{age}', '\\mathrm{a\\_b}')
    """
    found = NAME.fullmatch(name)
    if found is None:
        escaped = name.replace("_", r"\_")
        return rf"\mathrm{{{escaped}}}"
    letters = found[1] if len(found[1]) == 1 else rf"\mathrm{{{found[1]}}}"
    return f"{letters}_{{{found[2]}}}" if found[2] else letters


def encode_breakable(text: str) -> str:
    r"""A text whose long words may end a line behind signs.

    >>> encode_breakable("{C1,C2},{C1,C3}"), encode_breakable("short, text")
    ('\\{C1,\\allowbreak{}C2\\},\\allowbreak{}\\{C1,\\allowbreak{}C3\\}', 'short, text')
    """
    return " ".join(
        r"\allowbreak{}".join(map(encode_for_latex, PART.findall(word)))
        if len(word) > SHORT
        else encode_for_latex(word)
        for word in text.split(" ")
    )


@dataclass(frozen=True, slots=True)
class PageLayout:
    """How wide each column is: the letters of the preamble, the points of those whose texts are broken, None of the others."""

    places: str
    widths: tuple[float | None, ...]
    is_small: bool
    has_symbols: bool
    points: float
    """The width of all."""

    def align(self, columns: Sequence[str | None]) -> PageLayout:
        """The same with other columns for some, those of numbers."""
        if not any(columns):
            return self
        usual = PLACE.findall(self.places)
        places = "".join(other or letter for letter, other in zip(usual, columns, strict=True))
        return replace(self, places=places)

    def count_lines(self, row: Sequence[Text]) -> int:
        """How many lines a row takes, at most."""
        return max(
            (
                ceil(1.25 * measure_text(cell) * SMALL / width) if width is not None else 1
                for cell, width in zip(row, self.widths, strict=True)
            ),
            default=1,
        )


def measure_text(cell: Text) -> int:
    """The characters of a cell."""
    return len(cell.value) + len(cell.marks)


def find_longest_piece(text: str) -> int:
    """The characters of the longest part of a text that is not broken.

    >>> find_longest_piece("confirmed-in-the-only-reading"), find_longest_piece("{C1,C2},{C1,C3} -> E")
    (10, 4)
    """
    return max((len(piece) for piece in PIECE.findall(text)), default=0)


PLACE = re.compile(r"[lr]|p\{[^}]*\}")
MEASURED = re.compile(r"([−-]?)(\d+)(?:\.(\d+))?(?: ± (\d+(?:\.\d+)?))?")
"""A number of a cell, perhaps with its error."""

SIGNS = ",;:)=/_.>−·^|]"
"""Behind these a line may end."""
PIECE = re.compile(rf"[^\s{re.escape(SIGNS)}-]*[{re.escape(SIGNS)}-]*")
PART = re.compile(rf"[^{re.escape(SIGNS)}]*[{re.escape(SIGNS)}]+|[^{re.escape(SIGNS)}]+")


def choose_layout(heads: Sequence[str], rows: Rows, numeric: Sequence[bool]) -> PageLayout:
    """The usual layout if it fits; else small letters, symbols for heads, and columns of fixed width for long texts."""
    columns = range(len(heads))
    inner = [max((measure_text(row[place]) for row in rows), default=0) for place in columns]
    lengths = [max(len(head), length) for head, length in zip(heads, inner, strict=True)]
    usual = "".join("r" if right else "l" for right in numeric)
    unbroken: tuple[float | None, ...] = (None,) * len(heads)
    points = sum(lengths) * WIDE + GAP * len(heads)
    if points <= LINE:
        return PageLayout(usual, unbroken, False, False, points)
    points = sum(lengths) * SMALL + SMALL_GAP * len(heads)
    if points <= LINE:
        return PageLayout(usual, unbroken, True, False, points)
    shown = [6 if head in SYMBOLS else find_longest_piece(head) for head in heads]
    fixed = [length <= SHORT and head <= SHORT for length, head in zip(inner, shown, strict=True)]
    names = [
        len(head) if keeps and head not in SYMBOLS else one
        for head, keeps, one in zip(heads, fixed, shown, strict=True)
    ]
    taken = sum(max(one, head) * SMALL for one, head, keeps in zip(inner, names, fixed, strict=True) if keeps)
    # each column has room for its longest piece, the rest is shared by the lengths
    least = [
        0.0 if fixed[place] else SMALL * max([shown[place], *(find_longest_piece(row[place].value) for row in rows)])
        for place in columns
    ]
    weights = [0 if keeps else min(max(length, LEAST), MOST) for length, keeps in zip(inner, fixed, strict=True)]
    available = max(0.0, LINE - taken - SMALL_GAP * len(heads))
    squeezed = min(1.0, available / (sum(least) or 1))
    room, total = max(0.0, available - sum(least)), sum(weights) or 1
    widths = tuple(
        None if keeps else max(one * squeezed + room * weight / total, SMALL)
        for keeps, one, weight in zip(fixed, least, weights, strict=True)
    )
    places = "".join(
        letter if width is None else f"p{{{int(1000 * width / LINE) / 1000:.3f}\\linewidth}}"
        for letter, width in zip(usual, widths, strict=True)
    )
    return PageLayout(places, widths, True, True, LINE)


def split_into_parts(rows: Rows, layout: PageLayout) -> list[range]:
    """The rows of each float, of which a page has room for so many lines."""
    parts, first, lines = [], 0, 0
    for number, row in enumerate(rows):
        more = layout.count_lines(row)
        if number > first and lines + more > PAGE:
            parts.append(range(first, number))
            first, lines = number, 0
        lines += more
    return [*parts, range(first, len(rows))]


def leave_out_empty(
    heads: Sequence[str], rows: Rows, numeric: Sequence[bool], empty: str
) -> tuple[list[str], list[list[Text]], list[bool]]:
    """The columns in which something stands; all of them in a table without rows."""
    kept = [
        place
        for place in range(len(heads))
        if not rows or any(row[place].value != empty or row[place].marks for row in rows)
    ]
    return [heads[k] for k in kept], [[row[k] for k in kept] for row in rows], [numeric[k] for k in kept]


def render_latex(
    name: str,
    caption: str,
    columns: Sequence[str],
    rows: Rows,
    numeric: Sequence[bool],
    below: Sequence[str] = (),
    *,
    in_two_columns: bool = False,
    with_siunitx: bool = False,
) -> str:
    r"""A table for the package booktabs, its source in line; a long one for the package longtable too.

    With siunitx columns of numbers are aligned at their points. In a document of two columns a wide table spans both, and a long one, which longtable does not set there, becomes several.

    >>> print(render_latex("t", "", ("a_b",), [[Text("1", True)]], (True,)).splitlines()[6])
    \textbf{1} \\
    """
    heads, kept, right = leave_out_empty(columns, rows, numeric, "—")
    layout = choose_layout(heads, kept, right)
    aligned = [
        format_number_column([row[place] for row in kept]) if with_siunitx and right[place] and width is None else None
        for place, width in enumerate(layout.widths)
    ]
    layout = layout.align(aligned)
    symbols = [head for head in heads if layout.has_symbols and head in SYMBOLS]
    key = (
        [", ".join(f"{SYMBOLS[head]} {encode_for_latex(head.replace('_', ' '))}" for head in symbols)]
        if symbols
        else []
    )
    notes = " ".join(f"{line}\\par" for line in [*key, *map(encode_breakable, below)])
    broken = [width is not None for width in layout.widths]
    head, *body = format_aligned_lines(
        [
            f"{{{encode_head(head, layout, is_broken)}}}" if column else encode_head(head, layout, is_broken)
            for head, is_broken, column in zip(heads, broken, aligned, strict=True)
        ],
        [
            [
                encode_number(cell) if column else encode_cell(cell, is_broken)
                for cell, is_broken, column in zip(row, broken, aligned, strict=True)
            ]
            for row in kept
        ],
        [right and not is_broken for right, is_broken in zip(right, broken, strict=True)],
        " & ",
    )
    end = r"\tabularnewline" if any(broken) else r"\\"
    size = rf"\footnotesize\setlength{{\tabcolsep}}{{{SMALL_GAP / 2:g}pt}}"
    small = rf"{{\footnotesize\raggedright {notes}}}"
    label, said = f"tab:{label_of(name)}", encode_breakable(caption)
    ruled = [r"\toprule", f"{head} {end}", r"\midrule"]
    lines = [f"{row} {end}" for row in body]
    is_long = len(lines) > LONG or sum(map(layout.count_lines, kept)) > PAGE
    if is_long and not in_two_columns:
        opening = [rf"\begin{{longtable}}{{{layout.places}}}", rf"\caption{{{said}}}\label{{{label}}} \\"]
        table = [*opening, *ruled, r"\endhead", r"\bottomrule", r"\endfoot", *lines, r"\end{longtable}"]
        group = ["{" + size, *table, "}"] if layout.is_small else table
        return "\n".join([*group, *([small] if below or key else [])])
    parts = split_into_parts(kept, layout) if in_two_columns else [range(len(lines))]
    environment = "table*" if in_two_columns and layout.points > NARROW_LINE else "table"
    found: list[str] = []
    for number, part in enumerate(parts, 1):
        of = f" (part {number} of {len(parts)})" if len(parts) > 1 else ""
        is_last = number == len(parts)
        found += [
            rf"\begin{{{environment}}}",
            r"\centering" + (size if layout.is_small else ""),
            rf"\begin{{tabular}}{{{layout.places}}}",
            *ruled,
            *(lines[row] for row in part),
            r"\bottomrule",
            r"\end{tabular}",
            *([r"\par\smallskip", small] if (below or key) and is_last else []),
            rf"\caption{{{said}{of}}}" + (rf"\label{{{label}}}" if is_last else ""),
            rf"\end{{{environment}}}",
            *([r"\clearpage"] if number % MOST_FLOATS == 0 else []),
        ]
    return "\n".join(found)


def format_number_column(cells: Sequence[Text]) -> str | None:
    r"""The column of siunitx for these cells; None if none of them is a number that it aligns.

    >>> format_number_column([Text("13"), Text("-0.25 ± 0.10"), Text("—")])
    'S[table-format=-2.2(2),separate-uncertainty]'
    """
    found = [one for cell in cells if (one := MEASURED.fullmatch(cell.value))]
    if not found:
        return None
    sign = "-" if any(one[1] for one in found) else ""
    whole, part = max(len(one[2]) for one in found), max(len(one[3] or "") for one in found)
    # the digits of an error are counted from the last place of the number
    digits = max((len(one[4].replace(".", "").lstrip("0")) for one in found if one[4]), default=0)
    error = f"({digits})" if digits else ""
    inner = f"{sign}{whole}" + (f".{part}" if part else "")
    return f"S[table-format={inner}{error}{',separate-uncertainty' if error else ''}]"


def encode_number(cell: Text) -> str:
    r"""A cell of a column that siunitx aligns; what is no plain number stands in the middle.

    >>> encode_number(Text("-0.25 ± 0.10")), encode_number(Text("13", True)), encode_number(Text("—"))
    ('-0.25 \\pm 0.10', '{\\textbf{13}}', '{---}')
    """
    if cell.bold or cell.marks or not MEASURED.fullmatch(cell.value):
        return f"{{{encode_cell(cell, False)}}}" if cell.value else ""
    return cell.value.replace("−", "-").replace("±", r"\pm")


def encode_head(head: str, layout: PageLayout, is_broken: bool) -> str:
    """The head of a column, a symbol where there is no room."""
    if layout.has_symbols and head in SYMBOLS:
        return SYMBOLS[head]
    return rf"\raggedright {encode_breakable(head)}" if is_broken else encode_for_latex(head)


def encode_cell(cell: Text, is_broken: bool) -> str:
    """A cell: a model as mathematics, bold and marks as they are; broken texts are ragged."""
    encode = encode_breakable if is_broken else encode_for_latex
    value = encode_model_for_latex(cell.value) if cell.is_model else encode(cell.value)
    bold = rf"\textbf{{{value}}}" if cell.bold else value
    shown = rf"{bold}\textsuperscript{{{cell.marks}}}" if cell.marks else bold
    return rf"\raggedright {shown}" if is_broken else shown
