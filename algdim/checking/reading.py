"""Claims from a file: TOML, CSV, or the tables of a Markdown or LaTeX text; every claim knows its line."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from algdim.checking.claims import (
    COUNTS,
    MOST_CLAIMS,
    MOST_SIGNS,
    NEEDED,
    NOTHING,
    QUANTITIES,
    Claim,
    Printed,
    find_quantity,
    is_printed_number,
    make_plain,
    parse_printed,
    parse_quantity,
)
from algdim.checking.markup import (
    MARK,
    MOST_CELLS,
    UNREAD,
    MarkupRow,
    Sheet,
    drop_marks,
    list_other_files,
    read_latex_tables,
    read_markdown_tables,
    require_read,
)
from algdim.errors import InputError, LimitError, join_names
from algdim.models.values import check_keys, require_mapping
from algdim.readers.files import parse_toml, read_text
from algdim.readers.formats import find_known_suffix
from algdim.tables.listing import Listed

ROLES: Mapping[str, str] = {
    "model": "lc model, structure, network, notation, graph, dag",
    "label": "name, id, no.",
    "quantity": "number, what",
    "printed": "claim, claimed, value, in print, printed value",
    "in": "nested in, larger model, larger",
    "at": "point",
    "data": "data file",
    "place": "where, source, cited",
    "note": "notes, remark, comment, statement",
}
"""What a column can be besides a quantity, with other names for it."""

ROLE_OF = {make_plain(word): role for role, others in ROLES.items() for word in (role, *others.split(", "))}
SKIP = "-"
"""The name of a column that is left out."""

FILE_KEYS = ("title", "paper", "words", "claim")
CLAIM_KEYS = ("model", "quantity", "printed", "label", "in", "at", "data", "place", "note")
MORE_KEYS = ("id", "statement", "verdict", "means", "for", "lemma", "lemmas", "check", "arguments")
"""What the claims of algdim_papers have besides: a name, a sentence, the recorded verdict, and what their own engine does."""
CASES = re.compile(r"n = ([0-9]{1,4})…([0-9]{1,4})")
FORMULA = re.compile(r"([0-9]{1,9}) \+ ([0-9]{1,9})n")
MOST_CASES = 200
PLACE_OF_N = "{n}"
SUFFIXES = {
    ".toml": "TOML",
    ".csv": "CSV",
    ".md": "Markdown",
    ".markdown": "Markdown",
    ".tex": "LaTeX",
    ".latex": "LaTeX",
}


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of a file, and what of it was not read."""

    source: str
    claims: tuple[Claim, ...]
    notes: tuple[str, ...] = ()

    @property
    def files(self) -> list[str]:
        """The files on which the verdicts depend: that of the claims, and those that claims name."""
        named = [path for one in self.claims for path in (one.source.text, one.other) if find_known_suffix(path)]
        given = [path for one in self.claims for path in (one.at, one.data) if path]
        return list(dict.fromkeys([self.source, *named, *given]))


def read_claims(path: str, columns: Sequence[str] | None = None) -> Claims:
    """Read the claims of a file; ``columns`` name those of its tables in order, where their heads do not."""
    file = Path(path)
    form = SUFFIXES.get(file.suffix.lower())
    if form is None:
        raise InputError(f"{path}: claims are read from files that end in {join_names(SUFFIXES)}")
    text = read_text(file)
    folder = file.parent
    notes: list[str] = []
    if form == "TOML":
        if columns is not None:
            raise InputError(f"{path}: columns are those of tables; a TOML file has keys")
        claims = read_toml_claims(text, folder, notes)
    else:
        sheets = {"CSV": read_csv_sheets, "Markdown": read_markdown_tables, "LaTeX": read_latex_tables}[form](text)
        claims = read_sheets(sheets, folder, columns, notes)
        if form == "LaTeX":
            notes += [f"not read: the file {name}, from which the source takes text" for name in list_other_files(text)]
    found: list[Claim] = []
    for claim in claims:
        found.append(claim)
        if len(found) > MOST_CLAIMS:
            raise LimitError(f"there are more than {MOST_CLAIMS} claims, which is the limit")
    if not found:
        why = f": {'; '.join(notes)}" if notes else ""
        raise InputError(
            f"there are no claims{why}; a table has a column `model` and columns named after quantities: {join_names(QUANTITIES, most=30)}"
        )
    return Claims(path, tuple(found), tuple(notes))


def read_csv_sheets(text: str) -> Iterator[Sheet]:
    """The table of a CSV file, whose separators are commas, semicolons or tabulators."""
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text), strict=True, delimiter=separator)
    rows: list[MarkupRow] = []
    line, count = 1, 0
    try:
        for cells in reader:
            count += len(cells)
            if count > MOST_CELLS:
                raise LimitError(f"the table has more than {MOST_CELLS} cells, which is the limit")
            if any(cell.strip() for cell in cells):
                rows.append(MarkupRow(line, tuple(cell.strip() for cell in cells)))
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"line {reader.line_num}: not valid CSV: {error}") from None
    if rows:
        yield Sheet(rows[0], tuple(rows[1:]))


def read_sheets(
    sheets: Iterable[Sheet], folder: Path, columns: Sequence[str] | None, notes: list[str]
) -> Iterator[Claim]:
    """The claims of several tables; those without a column of models are noted and left out."""
    number = 0
    for sheet in sheets:
        named = columns or sheet.columns
        heads = tuple(map(drop_marks, sheet.heads.cells if named is None else named))
        titles = [f"not read: {row.place}, {show_cell(row.cells[0])[:60]!r} over all columns" for row in sheet.titles]
        if named is None and is_turned(sheet):
            notes += titles
            for row, roles in turn_sheet(sheet):
                for claim in read_row(row, roles, folder, number):
                    number += 1
                    yield claim
            continue
        if named is None and not any(ROLE_OF.get(make_plain(head)) == "model" for head in heads):
            shown = join_names(map(show_cell, heads), most=6)
            notes.append(f"not read: the table at {sheet.heads.place}, which has no column `model` ({shown})")
            continue
        notes += titles
        place = sheet.heads.place if named is None else f"the columns of the table at {sheet.heads.place}"
        heads, pattern = split_pattern(tuple(map(require_read, heads)))
        roles = parse_heads(heads, place)
        if len(roles) != len(sheet.heads.cells):
            raise InputError(
                f"{place}: {len(roles)} names for {len(sheet.heads.cells)} columns; name each, or {SKIP} to leave one out"
            )
        # where a comment or an option names the columns, a table may have no heads
        is_claim = named is not None and any(
            role in (*QUANTITIES, "printed") and is_printed_number(cell)
            for role, cell in zip(roles, sheet.heads.cells, strict=True)
        )
        for row in (sheet.heads, *sheet.rows) if is_claim else sheet.rows:
            for claim in read_row(fill_pattern(row, roles, pattern), roles, folder, number):
                number += 1
                yield claim


def show_cell(cell: str) -> str:
    """A cell for a note."""
    return "?" if UNREAD in cell else cell


PATTERN = re.compile(r"model\s+(.*\{\}.*)")


def split_pattern(heads: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """The names of columns, of which one may be a pattern for models, as where the cells are numbers of classes.

    >>> split_pattern(("model {}:2^4", "dimension")), split_pattern(("model", "df"))
    ((('model', 'dimension'), '{}:2^4'), (('model', 'df'), ''))
    """
    found = [match[1] for head in heads if (match := PATTERN.fullmatch(head))]
    return tuple("model" if PATTERN.fullmatch(head) else head for head in heads), found[0] if found else ""


def fill_pattern(row: MarkupRow, roles: Sequence[str], pattern: str) -> MarkupRow:
    """A row whose model is a number, with the model."""
    if not pattern or len(row.cells) != len(roles):
        return row
    place = roles.index("model")
    size = drop_marks(require_read(row.cells[place]))
    if not re.fullmatch(r"[0-9]{1,6}", size):
        raise InputError(f"{row.place}: {size[:60]!r} stands where `model {pattern}` takes an integer")
    return replace(row, cells=(*row.cells[:place], pattern.replace("{}", size), *row.cells[place + 1 :]))


def is_turned(sheet: Sheet) -> bool:
    """Whether a table has its quantities in rows, and a model at the head of every other column."""
    first, *others = map(drop_marks, sheet.heads.cells)
    is_corner = not first or ROLE_OF.get(make_plain(first)) in {"model", "quantity"}
    if not is_corner or not others or any(ROLE_OF.get(make_plain(head)) or find_quantity(head) for head in others):
        return False
    return all(others) and any(find_quantity(drop_marks(row.cells[0])) for row in sheet.rows)


def turn_sheet(sheet: Sheet) -> Iterator[tuple[MarkupRow, tuple[str, ...]]]:
    """The claims of such a table as rows of two cells, a model and a value, with what the two are."""
    models = sheet.heads.cells[1:]
    for row in sheet.rows:
        name = drop_marks(require_read(row.cells[0]))
        quantity = find_quantity(name)
        if quantity is None:
            raise InputError(
                f"{row.place}: the row {name[:60]!r} is not known; known are the quantities {join_names(QUANTITIES, most=30)}"
            )
        if len(row.cells) != len(sheet.heads.cells):
            raise InputError(f"{row.place} has {len(row.cells)} cells; the table has {len(sheet.heads.cells)} columns")
        for model, cell in zip(models, row.cells[1:], strict=True):
            yield replace(row, cells=(model, cell)), ("model", quantity)


def parse_heads(heads: Sequence[str], place: str) -> tuple[str, ...]:
    """What each column is: a role, a quantity, or nothing that is wanted."""
    roles = [SKIP if head.strip() == SKIP else ROLE_OF.get(make_plain(head)) or find_quantity(head) for head in heads]
    for head, role in zip(heads, roles, strict=True):
        if role is None:
            raise InputError(
                f"{place}: the column {head[:60]!r} is not known; known are {join_names(ROLES)} and the quantities "
                f"{join_names(QUANTITIES, most=30)}; name the columns in order to leave some out, as in `--columns model,{SKIP},dimension`"
            )
    found = tuple(role or SKIP for role in roles)
    for role in found:
        if role != SKIP and found.count(role) > 1:
            raise InputError(f"{place}: two columns are {role}; name the columns in order, one of them {SKIP}")
    if "model" not in found:
        raise InputError(f"{place}: there is no column `model`")
    wide = [role for role in found if role in QUANTITIES]
    if "printed" in found and wide:
        raise InputError(
            f"{place}: `printed` and columns named after quantities ({join_names(wide)}) exclude each other"
        )
    if "quantity" in found and "printed" not in found:
        raise InputError(f"{place}: a column `quantity` needs a column `printed`")
    if "printed" not in found and not wide:
        raise InputError(f"{place}: nothing is claimed: no column is `printed` or a quantity, such as dimension or df")
    return found


def read_row(row: MarkupRow, roles: Sequence[str], folder: Path, number: int) -> Iterator[Claim]:
    """The claims of one row: one, or one of each quantity that has a column."""
    if len(row.cells) != len(roles):
        raise InputError(
            f"{row.place} has {len(row.cells)} cells; the table has {len(roles)} columns (quote a model with commas)"
        )
    cells = {
        role: read_model_cell(require_read(cell), row.place)
        if role in {"model", "in"}
        else drop_marks(require_read(cell))
        for role, cell in zip(roles, row.cells, strict=True)
        if role != SKIP
    }
    for role, cell in cells.items():
        if len(cell) > MOST_SIGNS:
            raise LimitError(f"{row.place}: {role} has {len(cell)} characters; at most {MOST_SIGNS} are read")
    if not cells["model"]:
        raise InputError(f"{row.place}: the column `model` is empty; every row names its model")
    if "printed" in cells:
        if cells["printed"].lower() in NOTHING:
            return
        quantity = parse_quantity(cells.get("quantity") or "dimension", row.place)
        printed = {quantity: cells["printed"]}
    else:
        printed = {role: cells[role] for role in roles if role in QUANTITIES}
    yield from make_claims(cells, printed, folder, row.place, number)


def read_model_cell(cell: str, place: str) -> str:
    """A model without the mark of a footnote behind it; a mark at a name may be a part of it."""
    plain = drop_marks(cell)
    behind = cell[len(plain) :] if cell.startswith(plain) else ""
    if (
        MARK in plain
        or not cell.startswith(plain)
        or (behind and re.search(r"[A-Za-z]|[A-Za-z_][\w.]*$", plain + "|" + behind))
    ):
        shown = cell.replace(MARK, "")
        raise InputError(
            f"{place}: what is raised in the model {shown[:60]!r} may be a part of a name, or an exponent; an integer is read, "
            "and the mark of a footnote is written \\tnote{a}, or in another cell"
        )
    return FROM_TO.sub(join_range, plain)


FROM_TO = re.compile(r"\b([A-Za-z]{1,20})([0-9]{1,6}), *(?:…|\.{3}), *([A-Za-z]{1,20})([0-9]{1,6})\b")


def join_range(found: re.Match[str]) -> str:
    """`X1, …, X4` as the notation has it; names that differ in more than the number stay as they are.

    >>> FROM_TO.sub(join_range, "H -> X1, …, X4"), FROM_TO.sub(join_range, "H -> X1, …, Y4")
    ('H -> X1..X4', 'H -> X1, …, Y4')
    """
    return f"{found[1]}{found[2]}..{found[3]}{found[4]}" if found[1] == found[3] else found[0]


Meanings = Mapping[str, int | str]
"""Of a quantity, what its printed word stands for: an integer or another quantity."""


def make_claims(
    cells: Mapping[str, str],
    printed: Mapping[str, str],
    folder: Path,
    place: str,
    number: int,
    meanings: Meanings | None = None,
) -> Iterator[Claim]:
    """A claim for each quantity that is printed; files are looked for beside the file of the claims."""
    known = meanings or {}
    model = find_beside(cells["model"], folder)
    source = Listed(cells.get("label") or cells["model"], model, place)
    wanted = {
        quantity: found
        for quantity, text in printed.items()
        if (found := parse_word(text, known[quantity]) if quantity in known else parse_printed(text, quantity, place))
    }
    for key, use in (("in", "other"), ("at", "at"), ("data", "data")):
        if wanted and cells.get(key) and not any(NEEDED.get(quantity, ("",))[0] == use for quantity in wanted):
            takers = [quantity for quantity, needed in NEEDED.items() if needed[0] == use]
            raise InputError(
                f"{place}: {key} belongs to claims about {join_names(takers)}, not about {join_names(wanted)}"
            )
    for quantity, found in wanted.items():
        number += 1
        yield Claim(
            number,
            source,
            quantity,
            found,
            other=find_beside(cells.get("in", ""), folder) if quantity == "nested" else "",
            at=str(folder / cells["at"]) if cells.get("at") and NEEDED.get(quantity, ("",))[0] == "at" else "",
            data=str(folder / cells["data"]) if cells.get("data") and NEEDED.get(quantity, ("",))[0] == "data" else "",
            cited=cells.get("place", ""),
            note=cells.get("note", ""),
            same_as=meaning if isinstance(meaning := known.get(quantity), str) else "",
        )


def parse_word(text: str, meaning: int | str) -> Printed:
    """A printed word that stands for an integer, or for another quantity, whose value is found later."""
    return Printed(text, Fraction(meaning if isinstance(meaning, int) else 0))


def find_beside(text: str, folder: Path) -> str:
    """The path of a model's file, which is relative to the file of the claims; other texts as they are."""
    return str(folder / text) if text and find_known_suffix(text) else text


def read_toml_claims(text: str, folder: Path, notes: list[str]) -> Iterator[Claim]:
    """The claims of a TOML file: tables [[claim]], whose `printed` is one value or a table of several."""
    data = parse_toml(text)
    check_keys(data, FILE_KEYS, "the file")
    for key in ("title", "paper"):
        if not isinstance(data.get(key, ""), str):
            raise InputError(f"{key}: a text is expected")
    words = require_mapping(data.get("words", {}), "words")
    tables = data.get("claim")
    if not isinstance(tables, list) or not tables:
        raise InputError("there is no claim; each begins with a line [[claim]]")
    lines = [found + 1 for found, line in enumerate(text.splitlines()) if re.match(r"\s*\[\[\s*claim\s*\]\]", line)]
    number = 0
    for place_in_list, item in enumerate(tables):
        # an inline list has no lines of its own
        place = f"line {lines[place_in_list]}" if len(lines) == len(tables) else f"claim[{place_in_list}]"
        entry = require_mapping(item, place)
        check_keys(entry, (*CLAIM_KEYS, *MORE_KEYS), place)
        if reason := describe_own_work(entry):
            notes.append(f"not read: {place}, {str(entry.get('id', ''))[:60]}: {reason}")
            continue
        if "for" in entry:
            notes.append(f"{place}: a claim for all n, of which {entry['for']!s:.40} are computed and no others")
        for case in list_cases(entry, place):
            for claim in read_entry(case, folder, place, number, words):
                number += 1
                yield claim


def describe_own_work(entry: Mapping[str, Any]) -> str:
    """Why a claim is none about a quantity of a model; empty if it is one."""
    if "check" in entry:
        return "a formula or a sentence, which `algdim reproduce` checks"
    return "no model, so that nothing can be computed" if "model" not in entry and "verdict" in entry else ""


def list_cases(entry: Mapping[str, Any], place: str) -> Iterator[Mapping[str, Any]]:
    """The claim itself, or of one for all n its cases, each with a model and a number.

    >>> claim = {"model": "2:2^{n}", "printed": "1 + 2n", "for": "n = 3…4"}
    >>> [(case["model"], case["printed"]) for case in list_cases(claim, "line 1")]
    [('2:2^3', 7), ('2:2^4', 9)]
    """
    if "for" not in entry:
        yield entry
        return
    found, formula = CASES.fullmatch(str(entry["for"])), FORMULA.fullmatch(str(entry.get("printed", "")))
    cases = range(int(found[1]), int(found[2]) + 1) if found else range(0)
    model = entry.get("model")
    if formula is None or not 1 <= len(cases) <= MOST_CASES or not isinstance(model, str) or PLACE_OF_N not in model:
        raise InputError(
            f"{place}: a claim for all n has a model with {PLACE_OF_N}, a formula such as 1 + 2n as printed, and for = "
            f"'n = 3…40' with at most {MOST_CASES} cases"
        )
    for n in cases:
        value = int(formula[1]) + int(formula[2]) * n
        yield {**entry, "model": model.replace(PLACE_OF_N, str(n)), "printed": value, "label": f"n = {n}"}


def read_given_claims(entries: Iterable[Mapping[str, Any]]) -> Claims:
    """Claims that are given as dictionaries with the keys of a TOML file; paths are relative to the working directory."""
    if isinstance(entries, Mapping) or not isinstance(entries, Iterable):
        raise InputError("claims are expected as the path of a file, or as a list of dictionaries")
    found: list[Claim] = []
    for place_in_list, item in enumerate(entries):
        place = f"claims[{place_in_list}]"
        entry = require_mapping(item, place)
        check_keys(entry, CLAIM_KEYS, place)
        found += read_entry(entry, Path(), place, len(found))
        if len(found) > MOST_CLAIMS:
            raise LimitError(f"there are more than {MOST_CLAIMS} claims, which is the limit")
    if not found:
        raise InputError("there are no claims; each is a dictionary such as {'model': '3:2,2,2,2', 'printed': 13}")
    return Claims("claims", tuple(found))


def read_entry(
    entry: Mapping[str, Any], folder: Path, place: str, number: int, words: Mapping[str, Any] | None = None
) -> Iterator[Claim]:
    """The claims of one table [[claim]]; ``words`` say what printed words stand for."""
    for key in ("model", "printed"):
        if key not in entry:
            raise InputError(f"{place}: {key} is missing; a claim has a model, what is printed, and a quantity")
    cells = {key: entry[key] for key in CLAIM_KEYS if key in entry and key != "printed"}
    for key, value in {"id": entry.get("id", "-"), "statement": entry.get("statement", "-"), **cells}.items():
        if not isinstance(value, str) or not value.strip() or len(value) > MOST_SIGNS:
            raise InputError(f"{place}: {key} is not a text of at most {MOST_SIGNS} characters")
    cells = {"label": entry.get("id", cells["model"]), "note": entry.get("statement", ""), **cells}
    printed = entry["printed"]
    if isinstance(printed, dict):
        if "quantity" in entry or "means" in entry:
            raise InputError(f"{place}: quantity and a table of printed values exclude each other; give one of them")
        values = {parse_quantity(name, place): format_printed(value, place) for name, value in printed.items()}
    else:
        values = {parse_quantity(cells.get("quantity", "dimension"), place): format_printed(printed, place)}
    known = words or {}
    said = {quantity: entry.get("means", known.get(text)) for quantity, text in values.items()}
    for quantity, meaning in said.items():
        # a number stands for itself: with another meaning 13 would be refuted by 13
        if meaning is not None and is_value(values[quantity], quantity, place):
            raise InputError(f"{place}: a meaning is for printed words only, not for {values[quantity][:60]!r}")
    meanings = {quantity: parse_meaning(meaning, place) for quantity, meaning in said.items() if meaning is not None}
    found = [*make_claims(cells, values, folder, place, number, meanings)]
    if not found:
        raise InputError(f"{place}: printed is empty; leave the claim out")
    yield from found


def is_value(text: str, quantity: str, place: str) -> bool:
    """Whether a printed text is a value of the quantity by itself, or claims nothing, so that it has no other meaning."""
    try:
        parse_printed(text, quantity, place)
    except InputError:
        return False
    return True


def parse_meaning(meaning: object, place: str) -> int | str:
    """What a printed word stands for."""
    if isinstance(meaning, int) and not isinstance(meaning, bool):
        return meaning
    if not isinstance(meaning, str) or find_quantity(meaning) not in COUNTS:
        raise InputError(f"{place}: a printed word stands for an integer or one of {join_names(COUNTS, most=30)}")
    return parse_quantity(meaning, place)


def format_printed(value: object, place: str) -> str:
    """A printed value as text; true and false are yes and no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (dict, list)) or len(text := str(value)) > MOST_SIGNS:
        raise InputError(f"{place}: printed is an integer, a number, true or false, or a text such as '≤ 13'")
    return text


TEMPLATES = {
    "csv": """\
label,model,quantity,printed,in,place
three classes,"3:2,2,2,2",dimension,14,,Table 1
three classes,"3:2,2,2,2",df,1,,Table 1
W,A -> C <- H -> D <- B; hidden H,dimension,9,,Section 5
two classes,"2:2,2,2,2",nested,yes,"3:2,2,2,2",Section 2
""",
    "toml": """\
title = "The claims of my paper"

[[claim]]
place = "Table 1"
label = "three classes"
model = "3:2,2,2,2"
printed = { parameters = 14, dimension = 14, df = 1 }

[[claim]]
place = "Section 5"
model = "A -> C <- H -> D <- B; hidden H"
quantity = "dimension"
printed = 9

[[claim]]
place = "Section 2"
model = "2:2,2,2,2"
in = "3:2,2,2,2"
quantity = "nested"
printed = true
""",
    "markdown": """\
| label | model | parameters | dimension | df |
|:---|:---|---:|---:|---:|
| three classes | 3:2,2,2,2 | 14 | 14 | 1 |
| W | A -> C <- H -> D <- B; hidden H | 11 | 9 | 6 |
""",
    "latex": r"""% algdim: label, model, parameters, dimension, -
\begin{tabular}{llrrr}
\toprule
Name & Model & $d_s$ & $d_e$ & time \\
\midrule
three classes & $3{:}2,2,2,2$ & 14 & 14 & 0.1 \\
W & $A \to C \leftarrow H \to D \leftarrow B$; hidden $H$ & 11 & 9 & 0.1 \\
\bottomrule
\end{tabular}
""",
}
"""Files with claims, some of them wrong, as they are to be written."""
