r"""Tables as they stand in Markdown and in LaTeX: cells as plain text, each row with its line. Nothing is executed.

Of LaTeX the usual tabular environments are read, and in their cells what papers write of models and numbers: `$2{:}2^8$` is
`2:2^8`, `$A \to C \leftarrow H$` is `A -> C <- H`. What is not understood is an error, never a guess.

Heads may take several rows, with cells over several columns and rows; a row of one cell over all columns is a title. A cell over
several columns or rows stands in each of them. The mark of a footnote stays in its cell behind `MARK`: behind a number it says
nothing, in a model it may be a part of a name. A cell that is not understood says why behind `UNREAD`, which is an error where the
cell counts.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape

from algdim.checking.braces import CONTROL, find_closing, read_argument, skip_arguments
from algdim.checking.macros import expand_macros
from algdim.errors import InputError, LimitError

MOST_CELLS = 100_000


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
    """A table: its heads and its rows; ``columns`` are the names that a comment gives its columns, in order.

    ``titles`` are rows of one cell over all columns, such as the name of a group of models.
    """

    heads: MarkupRow
    rows: tuple[MarkupRow, ...]
    columns: tuple[str, ...] | None = None
    titles: tuple[MarkupRow, ...] = ()


@dataclass(frozen=True, slots=True)
class MarkedRow:
    """A row as it stands in a source: its cells, those under a cell over several columns, and the rules before it.

    ``down`` has, of each cell over several rows, its column and how many rows it takes.
    """

    row: MarkupRow
    covered: frozenset[int]
    down: tuple[tuple[int, int], ...]
    rules: frozenset[str]

    @property
    def is_title(self) -> bool:
        """Whether it is one cell over all columns."""
        return bool(self.covered) and len(self.covered) == len(self.row.cells) - 1


BEGIN = re.compile(
    r"\\begin\s*\{(tabular\*?|tabularx|tabulary|longtable|xltabular|supertabular|tabu|tblr|longtblr|NiceTabular|array)\}"
)
WITH_WIDTH = ("tabular*", "tabularx", "tabulary", "xltabular")
UNPRINTED = re.compile(
    r"\\begin\s*\{(comment|verbatim\*?|lstlisting|filecontents\*?)\}.*?\\end\s*\{\1\}"
    r"|\\iffalse(?![A-Za-z]).*?\\fi(?![A-Za-z])|\\end\s*\{document\}.*",
    re.DOTALL,
)
"""Of which nothing is set, or as code."""
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
WORD = re.compile(r"\\([A-Za-z]+)")
BELOW_HEADS = {"midrule", "hline", "specialrule"}
OF_PAGES = {"endfirsthead", "endhead", "endfoot", "endlastfoot"}
"""Rows above these are repeated on every page of a long table."""


def read_latex_tables(text: str) -> Iterator[Sheet]:
    """The tables of a LaTeX source, with the comments `% algdim: model, dimension, -` that name their columns."""
    said = [(text.count("\n", 0, found.start()) + 1, found[1]) for found in DIRECTIVE.finditer(text)]
    plain = expand_macros(blank_unprinted(text))
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
        before, after = bisect_right(ends, position) + 1, bisect_right(ends, closing) + 1
        mine = [words for place, words in said if before <= place <= after]
        columns = tuple(word.strip() for word in mine[-1].split(",")) if mine else None
        position = closing
        if rows:
            yield build_sheet(rows, columns)


def blank_unprinted(text: str) -> str:
    """A source with blanks for what is not set: comments, code, and what stands behind the document."""
    plain = COMMENT.sub(lambda found: found[1] + " " * (len(found[0]) - len(found[1])), text.replace(MARK, "?"))
    return UNPRINTED.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), plain)


OTHER_FILE = re.compile(
    r"\\(?:input|include|subfile|csvautotabular|pgfplotstabletypeset)\*?\s*(?:\[[^\]]*\])?\{([^{}]{1,200})\}"
)


def list_other_files(text: str) -> list[str]:
    r"""The files that a source takes text from, which are not read with it.

    >>> list_other_files("\\input{tables/one} % \\input{two}")
    ['tables/one']
    """
    return [found[1] for found in OTHER_FILE.finditer(blank_unprinted(text))]


def build_sheet(rows: Sequence[MarkedRow], columns: tuple[str, ...] | None) -> Sheet:
    """A table of its rows: the heads, which may take several rows, the titles, and what cells over several rows say below."""
    parts: list[list[MarkedRow]] = [[]]
    for one in rows:
        if parts[-1] and one.rules & OF_PAGES:
            parts.append([])
        parts[-1].append(one)
    body = [*parts[-1]]
    if len(parts) > 1:  # a long table says what its heads are; what stands below them is repeated at the foot of pages
        heads = parts[0]
    else:
        first = body[0]
        goes_on = first.covered or first.down or not all(first.row.cells)
        tall = max((rows for _, rows in first.down), default=1)  # as far as the heads go where no rule ends them
        rule = (
            next((number for number, one in enumerate(body) if number and one.rules & BELOW_HEADS), tall)
            if goes_on
            else 1
        )
        further = next((number for number in range(1, rule) if has_values(body[number].row)), rule)
        heads, body = body[:further], body[further:]
    titles = tuple(one.row for one in body if one.is_title)
    filled = spread_down([one for one in body if not one.is_title])
    return Sheet(merge_heads([one.row for one in heads if not one.is_title]), tuple(filled), columns, titles)


def has_values(row: MarkupRow) -> bool:
    """Whether a row below the first is no row of heads: a cell is a number or an answer."""
    return any(VALUE.fullmatch(drop_marks(cell)) for cell in row.cells)


VALUE = re.compile(r"[≤≥<>=]*\s*[-+−]?\d[\d.,\s–…-]*|yes|no|true|false", re.IGNORECASE)


def merge_heads(rows: Sequence[MarkupRow]) -> MarkupRow:
    """The heads of the columns: of several rows the lowest word of each column."""
    if not rows:
        return MarkupRow(0, ())
    width = max(len(row.cells) for row in rows)
    padded = [row.cells + ("",) * (width - len(row.cells)) for row in rows]
    return MarkupRow(
        rows[0].line, tuple(next((cell for cell in reversed(of) if cell), "") for of in zip(*padded, strict=True))
    )


def spread_down(rows: Sequence[MarkedRow]) -> Iterator[MarkupRow]:
    """The rows with the cells that stand over several of them in each."""
    above: dict[int, tuple[str, int]] = {}
    for one in rows:
        cells = [*one.row.cells]
        for column, (text, left) in [*above.items()]:
            if column < len(cells) and cells[column]:
                raise InputError(
                    f"{one.row.place}: a cell is written below one over several rows, {text[:40]!r}; {ADVICE}"
                )
            if column < len(cells):
                cells[column] = text
            above = (
                {**above, column: (text, left - 1)} if left > 1 else {key: above[key] for key in above if key != column}
            )
        above |= {column: (cells[column], count - 1) for column, count in one.down if count > 1}
        yield replace(one.row, cells=tuple(cells))


def read_latex_rows(text: str, start: int, end: int, ends: Sequence[int]) -> Iterator[MarkedRow]:
    """The rows between two positions of a source; rules and empty rows are left out."""
    cells: list[str] = []
    begun = position = first = start
    depth = count = 0
    rules: set[str] = set()

    def end_row() -> Iterator[MarkedRow]:
        words = [*cells, text[begun:position]]
        rules.update(found[1] for rule in RULES.finditer(text[first:position]) if (found := WORD.match(rule[0])))
        # the line on which the first word of the row stands
        blank = RULES.sub(lambda rule: " " * len(rule[0]), text[first:position])
        line = bisect_right(ends, first + len(blank) - len(blank.lstrip())) + 1
        spans = read_spans([RULES.sub(" ", word) for word in words], f"line {line}")
        if any(text for text, _, _ in spans):
            yield make_marked_row(spans, line, frozenset(rules))
            rules.clear()

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


Span = tuple[str, int, int]
"""A cell, and how many columns and rows it takes."""

OVER_COLUMNS = re.compile(r"\s*\\multicolumn\s*\{\s*(\d{1,3})\s*\}\s*")
SET_CELL = re.compile(r"\s*\\SetCell\s*(?:\[([^\]]*)\]\s*)?(?=\{)")
"""Of tabularray: the cells that it covers stand behind it, empty."""
OVER_ROWS = re.compile(r"\s*\\multirow\s*(?:\[[^\]]*\]\s*)?\{\s*(\d{1,3})\s*\}\s*(?:\[[^\]]*\]\s*)?")
UNREAD = "\ue001"
"""Stands before the reason why a cell was not understood."""


def read_spans(words: Sequence[str], place: str) -> list[Span]:
    """The cells of a row as plain text."""
    found: list[Span] = []
    left = 0
    for word in words:
        if left and not word.strip():
            left -= 1
            continue
        if over := SET_CELL.match(word):
            sizes = {
                key.strip(): value for key, _, value in (part.partition("=") for part in (over[1] or "").split(","))
            }
            across, down = (int(sizes.get(key, "1")) if sizes.get(key, "1").isdecimal() else 1 for key in "cr")
            _, after = read_argument(word, over.end(), place)
            found.append((read_cell_text(word[after:], place), across, down))
            left = across - 1
            continue
        found.append(read_span(word, place))
    return found


def read_cell_text(text: str, place: str) -> str:
    """A cell as plain text, or why it is none."""
    try:
        return read_latex_cell(text, place)
    except InputError as error:
        return f"{UNREAD}{error}"


def require_read(cell: str) -> str:
    """A cell that counts; an error if it was not understood."""
    if UNREAD in cell:
        raise InputError(cell.partition(UNREAD)[2])
    return cell


def read_span(word: str, place: str) -> Span:
    """A cell as plain text, which may be one over several columns, or rows, or both."""
    across = down = 1
    if over := OVER_COLUMNS.match(word):
        across, (_, after) = int(over[1]), read_argument(word, over.end(), place)
        inner, after = read_argument(word, after, place)
        word = inner + word[after:]
    if over := OVER_ROWS.match(word):
        down, (_, after) = int(over[1]), read_argument(word, over.end(), place)
        if after < len(word) and word[after] == "[":
            after = word.find("]", after) + 1 or len(word)
        inner, after = read_argument(word, after, place)
        word = inner + word[after:]
    return read_cell_text(word, place), across, down


def make_marked_row(found: Sequence[Span], line: int, rules: frozenset[str]) -> MarkedRow:
    """A row, in which a cell over several columns stands in each of them."""
    cells: list[str] = []
    covered: list[int] = []
    down: list[tuple[int, int]] = []
    for text, across, rows in found:
        down += [(len(cells), rows)] if rows > 1 else []
        covered += range(len(cells) + 1, len(cells) + across)
        cells += [text] * max(1, across)
    if len(cells) > MOST_CELLS:
        raise LimitError(f"line {line}: the table has more than {MOST_CELLS} cells, which is the limit")
    return MarkedRow(MarkupRow(line, tuple(cells)), frozenset(covered), tuple(down), rules)


MARK = "\ue000"
"""Stands on both sides of what is raised above the line and is no exponent."""
MARKS = re.compile(r"[*†‡§¶]{1,4}|[a-h](?:,?[a-h]){0,2}")
THIN = "\u2009"
"""A thin space, which separates thousands, or words."""
AT_ENDS = re.compile(rf"^(?:{MARK}[^{MARK}]*{MARK}\s*)+|(?:\s*{MARK}[^{MARK}]*{MARK})+$")
SUBSCRIPT = re.compile(r"(?:\s|\$)*(?:[A-Za-z]|\\(?:mathrm|text|mathit|mathbf|textrm)\b)")


def drop_marks(text: str) -> str:
    """A cell without the marks of footnotes before and behind it.

    >>> drop_marks(read_latex_cell(r"13$^{*}$", "")), drop_marks(read_latex_cell(r"13$^{b}$14", ""))
    ('13', '13\ue000b\ue00014')
    """
    return AT_ENDS.sub("", text).strip()


def mark_raised(inner: str, place: str) -> str:
    """What stands above the line: an exponent, the mark of a footnote, or an error.

    >>> mark_raised("8", ""), mark_raised("*", "") == MARK + "*" + MARK
    ('^8', True)
    """
    plain = drop_marks(inner).replace(" ", "")
    if plain.isdecimal():
        return f"^{plain}"
    if not plain or MARKS.fullmatch(plain):
        return plain and MARK + plain + MARK
    raise InputError(
        f"{place}: the exponent {inner[:40]!r} is not understood; an integer is expected, or the mark of a footnote"
    )


ARROWS = {
    **dict.fromkeys(("to", "rightarrow", "longrightarrow", "textrightarrow"), " -> "),
    **dict.fromkeys(("gets", "leftarrow", "longleftarrow", "textleftarrow"), " <- "),
    **dict.fromkeys(("leftrightarrow", "longleftrightarrow", "textleftrightarrow"), " <-> "),
}
SIGNS = {
    **ARROWS,
    **dict.fromkeys(("le", "leq", "leqslant"), " ≤ "),
    **dict.fromkeys(("ge", "geq", "geqslant"), " ≥ "),
    **dict.fromkeys(("!", "/", "relax", "centering", "null", "strut", "protect", "allowbreak", "raggedright"), ""),
    **dict.fromkeys((";", ":", " ", ">", "quad", "qquad", "space", "newline", "par", "hfill", "\\"), " "),
    ",": THIN,
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
    **dict.fromkeys(("ldots", "dots", "dotsc", "cdots", "textellipsis"), "…"),
    "vdots": "⋮",
    **dict.fromkeys(("ast", "star"), "*"),
    **dict.fromkeys(("dagger", "dag", "textdagger"), "†"),
    **dict.fromkeys(("ddagger", "ddag", "textdaggerdbl"), "‡"),
    **dict.fromkeys(("S", "textsection"), "§"),
    **dict.fromkeys(("P", "textparagraph"), "¶"),
    "textendash": "–",
    "textemdash": "—",
    "log": "log ",
    "ell": "ℓ",
    "dim": "dim",
    "max": "max",
    "min": "min",
    **dict.fromkeys(("bfseries", "itshape", "ttfamily", "rmfamily", "sffamily", "normalfont", "bf", "it", "tt"), ""),
    **dict.fromkeys(("small", "footnotesize", "scriptsize", "tiny", "normalsize", "boldmath", "displaystyle"), ""),
    **dict.fromkeys(("left", "right", "bigl", "bigr", "tablenum", "Bold"), ""),
}
"""What control sequences without an argument mean."""

KEPT = set(
    "textbf textit textrm textsf texttt textup textnormal emph mathbf mathit mathrm mathsf mathtt mathcal boldsymbol bm text "
    "mbox hbox makebox fbox framebox ensuremath operatorname underline num tablenum makecell thead shortstack rothead rotcell "
    "model".split()
)
"""Whose argument is what counts."""

DROPPED = set(
    "tnote footnote footnotemark footnotetext cite citep citet label ref eqref cellcolor color "
    "hspace vspace phantom hphantom vphantom caption".split()
)
"""Whose argument says nothing about the cell."""

SECOND = {
    **dict.fromkeys(("textcolor", "colorbox", "rotatebox", "hyperlink", "href", "parbox"), 2),
    "rule": 0,
}
"""With two arguments, of which the second is what counts, or none."""

AROUND = {"sideways": 0, "turn": 1, "rotate": 1, "center": 0, "math": 0, "small": 0, "footnotesize": 0}
"""Environments around the text of a cell, and how many arguments they have."""

DINGBATS = {**dict.fromkeys(("51", "52"), "yes"), **dict.fromkeys(("53", "54", "55", "56"), "no")}

REFUSED = {
    "multicolumn": "a cell over several columns",
    "multirow": "a cell over several rows",
    "input": "another file",
    "include": "another file",
}
ADVICE = "write the cell without it, or put the table into a CSV file (`algdim check --template csv`)"


def read_latex_cell(text: str, place: str) -> str:
    r"""A cell as plain text.

    >>> read_latex_cell(r"$2{:}2^{8}$", ""), read_latex_cell(r"$A \to C \leftarrow H_1$; hidden $H_1$", "")
    ('2:2^8', 'A -> C <- H1; hidden H1')
    >>> read_latex_cell(r"\textbf{13}", ""), read_latex_cell(r"1\,234", ""), read_latex_cell("---", "")
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
            inner = read_latex_cell(raised, place)
            if sign == "_" and SUBSCRIPT.match(text, position):
                inner += " "  # `X_1X_2` is not the name X1X2
            pieces.append(inner if sign == "_" else mark_raised(inner, place))
            continue
        if sign == "}":
            raise InputError(f"{place}: a brace is closed that was not opened")
        pieces.append("" if sign == "$" else " " if sign in "~\n\t" else sign)
        position += 1
    joined = re.sub(rf"(?<=\d){THIN}(?=\d{{3}}(?!\d))", "", "".join(pieces))
    return re.sub(r"\s+([;,:])", r"\1", " ".join(joined.split()))


def read_control(text: str, position: int, place: str) -> tuple[str, int]:
    """What a control sequence means, and the position after it and its arguments."""
    found = CONTROL.match(text, position)
    if found is None:
        raise InputError(f"{place}: a backslash at the end of a cell")
    name, position = found[1].removesuffix("*"), found.end()
    if name in REFUSED:
        raise InputError(f"{place}: \\{name} ({REFUSED[name]}) is not read here; {ADVICE}")
    if name in {"(", ")"}:
        return "", position
    if name in KEPT or name in DROPPED:
        while position < len(text) and text[position] == "[":
            position = text.find("]", position) + 1 or len(text)
        if name == "footnotemark":
            return "", position
        inner, position = read_argument(text, position, place)
        return (read_latex_cell(inner, place) if name in KEPT else ""), position
    if name in {"textsuperscript", "textsubscript"}:
        inner, position = read_argument(text, position, place)
        shown = read_latex_cell(inner, place)
        return (mark_raised(shown, place) if name == "textsuperscript" else shown), position
    if name == "numrange":
        least, position = read_argument(text, position, place)
        most, position = read_argument(text, position, place)
        return f"{read_latex_cell(least, place)}–{read_latex_cell(most, place)}", position
    if name == "ding":
        inner, position = read_argument(text, position, place)
        if inner not in DINGBATS:
            raise InputError(f"{place}: \\ding{{{inner[:40]}}} is not understood; {ADVICE}")
        return DINGBATS[inner], position
    if name in SECOND:
        while position < len(text) and text[position] == "[":
            position = text.find("]", position) + 1 or len(text)
        _, position = read_argument(text, position, place)
        shown, position = read_argument(text, position, place)
        return (read_latex_cell(shown, place) if SECOND[name] else ""), position
    if name in {"begin", "end"}:
        inner, position = read_argument(text, position, place)
        if inner not in AROUND:
            raise InputError(f"{place}: \\{name}{{{inner[:40]}}} is not understood; {ADVICE}")
        for _ in range(AROUND[inner] if name == "begin" else 0):
            _, position = read_argument(text, position, place)
        return " ", position
    if name not in SIGNS:
        raise InputError(f"{place}: \\{name[:40]} is not understood; {ADVICE}")
    return SIGNS[name], position


BARS = re.compile(r"(?<!\\)\|")
RULE = re.compile(r"\s*:?-+:?\s*")
TAGS = re.compile(r"</?(?:b|i|em|strong|code|u|span|small)(?:\s[^<>]*)?/?>|\[\^[^\]\s]{1,40}\]", re.IGNORECASE)
"""Of type, and the marks of footnotes."""
BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
RAISED = re.compile(r"<sup>(.*?)</sup>", re.IGNORECASE)
LOWERED = re.compile(r"<sub>(.*?)</sub>", re.IGNORECASE)
BEHIND = re.compile(rf"(?:\s*{MARK}[^{MARK}]*{MARK})+$")
ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
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
    ...     drop_marks(read_markdown_cell(" **13**<sup>a</sup> ", "")),
    ...     read_markdown_cell(r"`A -> B`", ""),
    ...     read_markdown_cell(r"$2{:}2^8$", ""),
    ... )
    ('13', 'A -> B', '2:2^8')
    """
    raised = RAISED.sub(lambda found: mark_raised(found[1], place), text.replace(MARK, "?").replace("\\|", "|"))
    plain = unescape(TAGS.sub("", BREAK.sub(" ", LOWERED.sub(r"\1", raised))))
    pieces = re.split(r"(?<!\\)\$", plain)
    if len(pieces) % 2 == 0:
        raise InputError(f"{place}: a dollar sign is not closed; the sign itself is written \\$")
    shown = [
        read_latex_cell(f"${piece}$".replace("&", "\\&").replace("#", "\\#"), place)
        if number % 2
        else ESCAPED.sub(r"\1", piece)
        for number, piece in enumerate(pieces)
    ]
    joined = " ".join("".join(shown).split())
    plain = joined[: len(joined) - len(marks[0])] if (marks := BEHIND.search(joined)) else joined
    for mark in ("**", "__", "`", "*", "_"):
        if len(plain) > 2 * len(mark) and plain.startswith(mark) and plain.endswith(mark):
            plain = plain.removeprefix(mark).removesuffix(mark).strip()
    return plain + joined[len(joined) - len(marks[0]) :] if marks else plain
