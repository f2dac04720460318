r"""Tables as they stand in Markdown and in LaTeX: cells as plain text, each row with its line. Nothing is executed.

Of LaTeX the usual tabular environments are read, and in their cells what papers write of models and numbers: `$2{:}2^8$` is
`2:2^8`, `$A \to C \leftarrow H$` is `A -> C <- H`. What is not understood is an error, never a guess.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape

from algdim.errors import InputError, LimitError

MOST_CELLS = 100_000
MOST_DEPTH = 50
"""Of braces in braces."""


@dataclass(frozen=True, slots=True)
class MarkupRow:
    """The cells of one row, and its line."""

    line: int
    cells: tuple[str, ...]

    @property
    def place(self) -> str:
        """Where it stands, for a message."""
        return f"line {self.line}"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table: its heads and its rows; ``columns`` are the names that a comment gives its columns, in order."""

    heads: MarkupRow
    rows: tuple[MarkupRow, ...]
    columns: tuple[str, ...] | None = None


BEGIN = re.compile(r"\\begin\s*\{(tabular\*?|tabularx|tabulary|longtable|array)\}")
WITH_WIDTH = ("tabular*", "tabularx", "tabulary")
DIRECTIVE = re.compile(r"^[ \t]*%+[ \t]*algdim:(.*)$", re.MULTILINE)
COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*")
ROW_END = re.compile(r"\\\\\*?(?:[ \t]*\[[^\]\n]*\])?|\\tabularnewline(?![A-Za-z])")
RULES = re.compile(
    r"\\(?:toprule|midrule|bottomrule|hline|morecmidrules|endhead|endfirsthead|endfoot|endlastfoot|pagebreak|nopagebreak)"
    r"(?![A-Za-z])(?:\[[^\]]*\])?"
    r"|\\(?:cmidrule|cline|addlinespace)(?![A-Za-z])(?:\([^)]*\)|\[[^\]]*\])*(?:\{[^{}]*\})?"
    r"|\\(?:rowcolor|noalign)(?![A-Za-z])(?:\[[^\]]*\])?\{[^{}]*\}"
    r"|\\specialrule\{[^{}]*\}\{[^{}]*\}\{[^{}]*\}"
)


def read_latex_tables(text: str) -> Iterator[Sheet]:
    """The tables of a LaTeX source, with the comments `% algdim: model, dimension, -` that name their columns."""
    said = [(found.start(), found[1]) for found in DIRECTIVE.finditer(text)]
    plain = COMMENT.sub(lambda found: found[1] + " " * (len(found[0]) - len(found[1])), text)
    ends = [found.start() for found in re.finditer("\n", plain)]
    position = 0
    while found := BEGIN.search(plain, position):
        line = bisect_right(ends, found.start()) + 1
        closing = plain.find(f"\\end{{{found[1]}}}", found.end())
        if closing < 0:
            raise InputError(f"line {line}: \\begin{{{found[1]}}} without \\end{{{found[1]}}}")
        if inner := BEGIN.search(plain, found.end(), closing):
            inside = bisect_right(ends, inner.start()) + 1
            raise InputError(f"line {inside}: a table inside a cell is not read; take the inner table out")
        start = skip_arguments(plain, found.end(), 2 if found[1] in WITH_WIDTH else 1, line)
        rows = [*read_latex_rows(plain, start, closing, ends)]
        mine = [words for place, words in said if position <= place < closing]
        columns = tuple(word.strip() for word in mine[-1].split(",")) if mine else None
        position = closing
        if rows:
            yield Sheet(rows[0], tuple(rows[1:]), columns)


def skip_arguments(text: str, start: int, count: int, line: int) -> int:
    """The position after this many arguments in braces, and those in brackets before them."""
    for _ in range(count):
        while start < len(text) and text[start] in " \t\n[":
            start = text.find("]", start) + 1 or len(text) if text[start] == "[" else start + 1
        if start >= len(text) or text[start] != "{":
            raise InputError(f"line {line}: the columns of the table are expected in braces")
        start = find_closing(text, start, f"line {line}") + 1
    return start


def find_closing(text: str, start: int, place: str) -> int:
    """The place of the brace that closes the one at a place."""
    depth = 0
    position = start
    while position < len(text):
        sign = text[position]
        if sign == "\\":
            position += 1
        elif sign in "{}":
            depth += 1 if sign == "{" else -1
            if depth == 0:
                return position
            if depth > MOST_DEPTH:
                raise LimitError(f"{place}: braces are nested more than {MOST_DEPTH} deep")
        position += 1
    raise InputError(f"{place}: a brace is not closed")


def read_latex_rows(text: str, start: int, end: int, ends: Sequence[int]) -> Iterator[MarkupRow]:
    """The rows between two positions of a source; rules and empty rows are left out."""
    cells: list[str] = []
    begun = position = first = start
    depth = count = 0

    def end_row() -> Iterator[MarkupRow]:
        words = [*cells, text[begun:position]]
        rest = RULES.sub(lambda rule: "\n" * rule[0].count("\n"), "&".join(words))
        if rest.strip():
            # the line on which the first word of the row stands
            blank = RULES.sub(lambda rule: " " * len(rule[0]), text[first:position])
            line = bisect_right(ends, first + len(blank) - len(blank.lstrip())) + 1
            plain = [RULES.sub(" ", word) for word in words]
            yield MarkupRow(line, tuple(read_latex_cell(word, f"line {line}") for word in plain))

    while position < end:
        if broken := ROW_END.match(text, position) if depth == 0 else None:
            yield from end_row()
            cells, begun, position = [], broken.end(), broken.end()
            first = begun
            continue
        sign = text[position]
        if sign == "\\":
            position += 2
            continue
        depth += (sign == "{") - (sign == "}")
        if sign == "&" and depth == 0:
            cells.append(text[begun:position])
            begun = position + 1
            count += 1
            if count > MOST_CELLS:
                raise LimitError(f"the table has more than {MOST_CELLS} cells, which is the limit")
        position += 1
    position = end
    yield from end_row()


ARROWS = {
    **dict.fromkeys(("to", "rightarrow", "longrightarrow", "textrightarrow"), " -> "),
    **dict.fromkeys(("gets", "leftarrow", "longleftarrow", "textleftarrow"), " <- "),
    **dict.fromkeys(("leftrightarrow", "longleftrightarrow", "textleftrightarrow"), " <-> "),
}
SIGNS = {
    **ARROWS,
    **dict.fromkeys(("le", "leq", "leqslant"), " ≤ "),
    **dict.fromkeys(("ge", "geq", "geqslant"), " ≥ "),
    **dict.fromkeys(
        (",", "!", "/", "relax", "centering", "hfill", "null", "strut", "protect", "allowbreak", "raggedright"), ""
    ),
    **dict.fromkeys((";", ":", " ", ">", "quad", "qquad", "space", "newline", "par"), " "),
    **{sign: sign for sign in "%&#_$"},
    **dict.fromkeys(("{", "lbrace"), "{"),
    **dict.fromkeys(("}", "rbrace"), "}"),
    **dict.fromkeys(("mid", "vert"), "|"),
    **dict.fromkeys(("checkmark", "cmark"), "yes"),
    "colon": ":",
    "xmark": "no",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "textasciicircum": "^",
    "textunderscore": "_",
    "textendash": "–",
    "textemdash": "—",
    "max": "max",
    "min": "min",
    **dict.fromkeys(("bfseries", "itshape", "ttfamily", "rmfamily", "sffamily", "normalfont", "bf", "it", "tt"), ""),
    **dict.fromkeys(("small", "footnotesize", "scriptsize", "tiny", "normalsize", "boldmath", "displaystyle"), ""),
    **dict.fromkeys(("left", "right", "bigl", "bigr", "tablenum", "Bold"), ""),
}
"""What control sequences without an argument mean."""

KEPT = set(
    "textbf textit textrm textsf texttt textup textnormal emph mathbf mathit mathrm mathsf mathtt mathcal boldsymbol bm text "
    "mbox hbox ensuremath operatorname underline num makecell model".split()
)
"""Whose argument is what counts."""

DROPPED = set(
    "textsuperscript tnote footnote footnotemark footnotetext cite citep citet label ref eqref cellcolor color textcolor "
    "hspace vspace rule phantom caption hyperlink".split()
)
"""Whose argument says nothing about the cell."""

REFUSED = {
    "multicolumn": "a cell over several columns",
    "multirow": "a cell over several rows",
    "input": "another file",
    "include": "another file",
}
CONTROL = re.compile(r"\\([A-Za-z]+\*?|.)", re.DOTALL)
ADVICE = "write the cell without it, or put the table into a CSV file (`algdim check --template csv`)"


def read_latex_cell(text: str, place: str) -> str:
    r"""A cell as plain text.

    >>> read_latex_cell(r"$2{:}2^{8}$", ""), read_latex_cell(r"$A \to C \leftarrow H_1$; hidden $H_1$", "")
    ('2:2^8', 'A -> C <- H1; hidden H1')
    >>> read_latex_cell(r"\textbf{13}$^{*}$", ""), read_latex_cell(r"1\,234", ""), read_latex_cell("---", "")
    ('13', '1234', '---')
    """
    pieces: list[str] = []
    position = 0
    while position < len(text):
        sign = text[position]
        if sign == "\\":
            more, position = read_control(text, position, place)
            pieces.append(more)
            continue
        if sign == "{":
            closing = find_closing(text, position, place)
            pieces.append(read_latex_cell(text[position + 1 : closing], place))
            position = closing + 1
            continue
        if sign in "^_":
            raised, position = read_argument(text, position + 1, place)
            inner = (
                "" if raised.strip() in {"\\ast", "\\dagger", "\\ddagger", "\\star"} else read_latex_cell(raised, place)
            )
            # a letter or a star above is the mark of a footnote, a number below belongs to the name
            pieces.append(inner if sign == "_" else f"^{inner}" if inner.isdigit() else "")
            if sign == "^" and inner and not inner.isdigit() and not re.fullmatch(r"[a-z*†‡§¶,]{1,3}", inner):
                raise InputError(f"{place}: the exponent {inner[:40]!r} is not understood; an integer is expected")
            continue
        if sign == "}":
            raise InputError(f"{place}: a brace is closed that was not opened")
        pieces.append("" if sign == "$" else " " if sign in "~\n\t" else sign)
        position += 1
    joined = " ".join("".join(pieces).split())
    return re.sub(r"\s+([;,:])", r"\1", joined)


def read_control(text: str, position: int, place: str) -> tuple[str, int]:
    """What a control sequence means, and the position after it and its arguments."""
    found = CONTROL.match(text, position)
    if found is None:
        raise InputError(f"{place}: a backslash at the end of a cell")
    name, position = found[1].removesuffix("*"), found.end()
    if name == "multicolumn":
        count, after = read_argument(text, position, place)
        if count.strip() == "1":
            _, after = read_argument(text, after, place)
            inner, after = read_argument(text, after, place)
            return read_latex_cell(inner, place), after
    if name in REFUSED:
        raise InputError(
            f"{place}: \\{name} ({REFUSED[name]}) is not read: every row needs a cell for every column; {ADVICE}"
        )
    if name in {"(", ")"}:
        return "", position
    if name in KEPT or name in DROPPED:
        while position < len(text) and text[position] == "[":
            position = text.find("]", position) + 1 or len(text)
        if name == "footnotemark":
            return "", position
        inner, position = read_argument(text, position, place)
        if name == "textcolor":
            shown, position = read_argument(text, position, place)
            return read_latex_cell(shown, place), position
        return (read_latex_cell(inner, place) if name in KEPT else ""), position
    if name not in SIGNS:
        raise InputError(f"{place}: \\{name[:40]} is not understood; {ADVICE}")
    return SIGNS[name], position


def read_argument(text: str, position: int, place: str) -> tuple[str, int]:
    """The next argument, in braces or one sign, and the position after it."""
    while position < len(text) and text[position].isspace():
        position += 1
    if position >= len(text):
        raise InputError(f"{place}: an argument is missing at the end of a cell")
    if text[position] == "{":
        closing = find_closing(text, position, place)
        return text[position + 1 : closing], closing + 1
    if text[position] == "\\" and (found := CONTROL.match(text, position)):
        return found[0], found.end()
    return text[position], position + 1


BARS = re.compile(r"(?<!\\)\|")
RULE = re.compile(r"\s*:?-+:?\s*")
TAGS = re.compile(r"<sup>.*?</sup>|</?(?:b|i|em|strong|code|br)\s*/?>", re.IGNORECASE)
FENCE = re.compile(r"\s*(```|~~~)")


def read_markdown_tables(text: str) -> Iterator[Sheet]:
    """The tables of a Markdown text: a line of heads, a line of rules, and rows; those in fenced blocks are code."""
    lines = text.splitlines()
    fenced = False
    said: tuple[str, ...] | None = None
    number = count = 0
    while number < len(lines):
        if FENCE.match(lines[number]):
            fenced = not fenced
        directive = re.fullmatch(r"\s*<!--\s*algdim:(.*?)-->\s*", lines[number])
        if directive is not None:
            said = tuple(word.strip() for word in directive[1].split(","))
        after = lines[number + 1] if number + 1 < len(lines) else ""
        if fenced or "|" not in lines[number] or "|" not in after or not all(map(RULE.fullmatch, split_bars(after))):
            number += 1
            continue
        heads = read_markdown_row(lines[number], number + 1)
        number += 2
        rows: list[MarkupRow] = []
        while number < len(lines) and "|" in lines[number]:
            rows.append(read_markdown_row(lines[number], number + 1))
            count += len(rows[-1].cells)
            if count > MOST_CELLS:
                raise LimitError(f"the tables have more than {MOST_CELLS} cells, which is the limit")
            number += 1
        yield Sheet(heads, tuple(rows), said)
        said = None


def split_bars(line: str) -> list[str]:
    r"""The pieces of a line between bars.

    >>> split_bars(r"| a | b\|c |"), split_bars("a | b")
    ([' a ', ' b\\|c '], ['a ', ' b'])
    """
    inner = line.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return BARS.split(inner)


def read_markdown_row(line: str, number: int) -> MarkupRow:
    """The cells of one line."""
    return MarkupRow(number, tuple(read_markdown_cell(cell, f"line {number}") for cell in split_bars(line)))


def read_markdown_cell(text: str, place: str) -> str:
    r"""A cell as plain text; what stands between dollar signs is read as LaTeX.

    >>> (
    ...     read_markdown_cell(" **13**<sup>a</sup> ", ""),
    ...     read_markdown_cell(r"`A -> B`", ""),
    ...     read_markdown_cell(r"$2{:}2^8$", ""),
    ... )
    ('13', 'A -> B', '2:2^8')
    """
    plain = unescape(TAGS.sub("", text.replace("\\|", "|"))).strip()
    if "$" in plain or "\\" in plain:
        return read_latex_cell(plain.replace("&", "\\&").replace("#", "\\#"), place)
    for mark in ("**", "__", "`", "*", "_"):
        if len(plain) > 2 * len(mark) and plain.startswith(mark) and plain.endswith(mark):
            plain = plain.removeprefix(mark).removesuffix(mark).strip()
    return plain
