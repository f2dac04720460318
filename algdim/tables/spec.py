"""A user-defined table: a TOML file that lists models, columns and rules, or a CSV file with a column of models.

```toml
caption = "Latent class models"
columns = ["model", "standard", "dimension", "status"]
models = ["3:2,2,2,2", {model = "4:3,3,3", label = "four classes"}]

[heads]
dimension = "de"

[[bold]]
column = "dimension"
when = "dimension < best_bound"

[[footnote]]
column = "dimension"
when = "not exact"
text = "not proved"
```

What can stand in a column are the quantities of a report, by name. `table` is the entry point to all tables: those of the
literature, which stand next door, and those that a file describes.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from algdim.about import VERSION
from algdim.arguments import check_arguments
from algdim.errors import AlgdimError, InputError, describe_closest_word, join_names
from algdim.exact.draws import draw_seed
from algdim.figures import format_count
from algdim.memory import allow_each
from algdim.models.values import check_keys, require_mapping
from algdim.nextdoor import load_papers
from algdim.readers.files import read_data, read_text
from algdim.readers.formats import find_known_suffix
from algdim.report import Report, dimension
from algdim.tables.conditions import Condition, read_condition
from algdim.tables.grid import Cell, Grid
from algdim.tables.listing import Listed, add_place_to_errors, read_all

KEYS = ("caption", "columns", "models", "heads", "bold", "footnote")
DEFAULT_COLUMNS = ("label", "standard", "complete", "dimension", "status")
MOST_MODELS = 10_000
MOST_PRIMES = 3
"""As many primes are named below a table."""

SUFFIXES = (".toml", ".csv")
CSV_COLUMNS = ("model", "label", "printed")
"""What is read of a CSV file."""


@dataclass(frozen=True, slots=True)
class TableRule:
    """What is done to the cells of a column where a condition holds: bold type, or a footnote."""

    column: str
    when: Condition
    footnote: str = ""


@dataclass(frozen=True, slots=True)
class Spec:
    """What a table has: models, columns with heads, rules."""

    name: str
    models: tuple[Listed, ...]
    columns: tuple[str, ...] = DEFAULT_COLUMNS
    heads: Mapping[str, str] | None = None
    caption: str = ""
    rules: tuple[TableRule, ...] = ()
    printed: tuple[int | None, ...] = ()
    """Of each model the dimension that somebody prints, which is compared with the true one; empty if none is given."""
    unread: tuple[str, ...] = ()
    """Columns of the file that say nothing to the table."""


def is_spec(text: str) -> bool:
    """Whether a text is the path of a table's file."""
    return text.lower().endswith(SUFFIXES)


def read_spec(path: str, columns: Sequence[str] | None = None) -> Spec:
    """Read a table's file; columns that are given here take the place of its own."""
    file = Path(path)
    spec = read_csv(file) if file.suffix.lower() == ".csv" else read_toml(read_data(file), file)
    return spec if columns is None else replace(spec, columns=parse_columns(list(columns)))


def read_toml(data: dict[str, Any], file: Path) -> Spec:
    """The table that a TOML file describes."""
    check_keys(data, KEYS, "the table")
    models = data.get("models")
    if not isinstance(models, list):
        raise InputError('models is missing; a list such as ["3:2,2,2,2", {model = "w", label = "W"}] is expected')
    heads = require_mapping(data.get("heads", {}), "heads")
    for column, head in heads.items():
        if column not in QUANTITIES or not isinstance(head, str):
            raise InputError(f"heads.{column[:60]}: a text for one of the columns {join_names(QUANTITIES)} is expected")
    caption = data.get("caption", "")
    if not isinstance(caption, str):
        raise InputError("caption: a text is expected")
    listed_models = [parse_labelled_model(item, f"models[{number}]") for number, item in enumerate(models)]
    printed = [
        parse_printed_dimension(item.get("printed") if isinstance(item, dict) else None, f"models[{number}]")
        for number, item in enumerate(models)
    ]
    return Spec(
        name=file.stem,
        models=find_model_files(listed_models, file.parent),
        columns=parse_columns(data.get("columns", list(DEFAULT_COLUMNS))),
        heads=heads,
        caption=caption,
        rules=(*parse_rules(data, "bold"), *parse_rules(data, "footnote")),
        printed=tuple(printed) if any(one is not None for one in printed) else (),
    )


def parse_printed_dimension(value: object, place: str) -> int | None:
    """A dimension that somebody prints; nothing where there is none.

    >>> parse_printed_dimension(14, ""), parse_printed_dimension(" 13 ", ""), parse_printed_dimension("", "")
    (14, 13, None)
    """
    text = "" if value is None else str(value).strip()
    if not text:
        return None
    if isinstance(value, bool) or not re.fullmatch(r"[0-9]{1,100}", text):
        raise InputError(
            f"{place}: printed is {text[:60]!r}; the printed dimension is expected, an integer, or nothing; `algdim check` reads "
            "claims about other quantities"
        )
    return int(text)


def read_csv(file: Path) -> Spec:
    """The models that a CSV file lists in its column ``model``, with their names in ``label`` if there is one."""
    reader = csv.DictReader(io.StringIO(read_text(file)), strict=True)
    models, printed = [], []
    try:
        if "model" not in (reader.fieldnames or ()):
            raise InputError("a CSV file has a line of heads, one of them `model`, and a line for each model")
        for row in reader:
            place = f"line {reader.line_num}"
            if row.get("model") is None or None in row:
                raise InputError(f"{place} has not as many cells as there are heads; quote a model with commas")
            models.append(Listed(row.get("label") or row["model"], row["model"], place))
            printed.append(parse_printed_dimension(row.get("printed"), place))
    except csv.Error as error:
        raise InputError(f"line {reader.line_num}: not valid CSV: {error}") from None
    return Spec(
        name=file.stem,
        models=find_model_files(models, file.parent),
        printed=tuple(printed) if any(one is not None for one in printed) else (),
        unread=tuple(name for name in reader.fieldnames or () if name not in CSV_COLUMNS),
    )


def find_model_files(models: Sequence[Listed], folder: Path) -> tuple[Listed, ...]:
    """Models that are files are looked for beside the table's file."""
    if not 1 <= len(models) <= MOST_MODELS:
        raise InputError(f"there are {len(models)} models; from 1 to {MOST_MODELS} are allowed")
    return tuple(replace(one, text=str(folder / one.text)) if find_known_suffix(one.text) else one for one in models)


def parse_labelled_model(item: object, place: str) -> Listed:
    """A model with its label."""
    if isinstance(item, str):
        return Listed(item, item, place)
    entry = require_mapping(item, place)
    check_keys(entry, ("model", "label", "printed"), place)
    text, label = entry.get("model"), entry.get("label", entry.get("model"))
    if not isinstance(text, str) or not isinstance(label, str):
        raise InputError(f'{place}: a model is a text, or {{model = "…", label = "…"}}')
    return Listed(label, text, place)


def parse_columns(columns: object) -> tuple[str, ...]:
    """The names of columns."""
    if not isinstance(columns, list) or not columns:
        raise InputError(f"columns: a list of names is expected; known are {join_names(QUANTITIES)}")
    for column in columns:
        if not isinstance(column, str) or column not in QUANTITIES:
            raise InputError(
                f"columns: there is no column {str(column)[:60]!r}{describe_closest_word(str(column), QUANTITIES)}; known are {join_names(QUANTITIES)}"
            )
    if len(set(columns)) < len(columns):
        raise InputError("columns: a column occurs twice")
    return tuple(columns)


def parse_rules(data: Mapping[str, Any], kind: str) -> list[TableRule]:
    """The rules of one kind: bold type or footnotes."""
    keys = ("column", "when", "text") if kind == "footnote" else ("column", "when")
    listing = data.get(kind, [])
    if not isinstance(listing, list):
        raise InputError(f"{kind}: rules are tables [[{kind}]] with {join_names(keys)}")
    rules = []
    for number, item in enumerate(listing):
        place = f"{kind}[{number}]"
        entry = require_mapping(item, place)
        check_keys(entry, keys, place)
        for key in keys:
            if not isinstance(entry.get(key), str):
                raise InputError(f"{place}.{key}: a text is expected")
        if entry["column"] not in QUANTITIES:
            raise InputError(
                f"{place}.column: there is no column {entry['column'][:60]!r}; known are {join_names(QUANTITIES)}"
            )
        rules.append(TableRule(entry["column"], read_condition(entry["when"], CHEAP), entry.get("text", "")))
    return rules


def fill(spec: Spec, *, seed: int | str = 0, progress: Callable[[int, int, str], None] | None = None) -> Grid:
    """Compute a table; progress is told the number of each model, of all models, and the label."""
    rows = []
    printed = spec.printed or (None,) * len(spec.models)
    for number, (one, model, said) in enumerate(zip(spec.models, read_all(spec.models), printed, strict=True), 1):
        if progress is not None:
            progress(number, len(spec.models), one.label)
        with add_place_to_errors(one.full_name):
            rows.append(ReportRow(one.label, one.text, dimension(model, seed=seed), said))
    heads = spec.heads or {}
    unread = f"columns of the file that are not read: {join_names(spec.unread)}" if spec.unread else ""
    return Grid(
        name=spec.name,
        caption=spec.caption,
        columns=tuple(heads.get(column, column) for column in spec.columns),
        rows=tuple(build_cells(row, spec) for row in rows),
        notes=(describe_printed(rows),) if spec.printed else (),
        provenance=describe_provenance([row.report for row in rows], seed),
        remarks=(unread,) if unread else (),
    )


def describe_printed(rows: Sequence[ReportRow]) -> str:
    """How many of the printed dimensions are the true ones."""
    compared = [row for row in rows if row.printed is not None]
    different = sum(row.printed != row.report.dimension for row in compared)
    unproved = sum(not row.report.exact for row in compared)
    doubt = f", {unproved} of them compared with a dimension that is not proved" if unproved else ""
    return f"{format_count(len(compared), 'printed dimension')} compared{doubt}: {different or 'none'} of them {'differs' if different == 1 else 'differ'}."


def build_cells(row: ReportRow, spec: Spec) -> tuple[Cell, ...]:
    """The cells of one model."""
    quantities = {name: QUANTITIES[name](row) for name in CHEAP}
    holding = [rule for rule in spec.rules if rule.when.holds(quantities)]

    def cell(column: str) -> Cell:
        mine = [rule for rule in holding if rule.column == column]
        notes = tuple(rule.footnote for rule in mine if rule.footnote)
        lemmas = row.report.trust.lemmas if column == "status" else ()
        is_wrong = column == "dimension" and row.printed is not None and row.printed != row.report.dimension
        if is_wrong:
            notes = (*notes, f"printed: {row.printed}")
        is_bold = is_wrong or any(not rule.footnote for rule in mine)
        is_model = column == "model" or (column == "label" and row.label == row.text)
        return Cell(QUANTITIES[column](row), is_bold, notes, lemmas=lemmas, is_model=is_model)

    return tuple(cell(column) for column in spec.columns)


def describe_provenance(reports: Sequence[Report], seed: int | str) -> str:
    """One line on where the numbers come from: version, seed, primes, what is proved."""
    primes = sorted(
        {draw.prime for report in reports for part in (report, *report.parts) for draw in part.draws if draw.prime}
    )
    named = f"primes {', '.join(map(str, primes))}" if len(primes) <= MOST_PRIMES else f"{len(primes)} primes"
    open_ones = sum(not report.trust.is_proved for report in reports)
    known = "every dimension is proved" if not open_ones else f"{open_ones} of {len(reports)} dimensions are not proved"
    return f"algdim {VERSION}, seed {seed}{f', {named}' if primes else ''}; {known}."


Value = int | float | str | None


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A model with the name that it has in the table, and its report."""

    label: str
    text: str
    report: Report
    printed: int | None = None


def compute_certificate_id(row: ReportRow) -> Value:
    """The first sixteen digits of the SHA-256 of the certificate that `algdim prove` writes, or nothing."""
    from algdim.certificate.exporting import prove

    try:
        certificate = prove(row.report.model, seed=row.report.seed)
    except AlgdimError:  # not every proof can be exported; the column then says nothing
        return None
    return sha256(certificate.text.encode()).hexdigest()[:16]


QUANTITIES: Mapping[str, Callable[[ReportRow], Value]] = {
    "label": lambda row: row.label,
    "model": lambda row: row.text,
    "family": lambda row: str(row.report.model.family),
    "standard": lambda row: row.report.standard,
    "complete": lambda row: row.report.complete,
    "parameters": lambda row: row.report.standard,
    "saturated": lambda row: row.report.complete,
    "dimension": lambda row: row.report.dimension,
    "exact": lambda row: row.report.exact,
    "status": lambda row: str(row.report.trust),
    "lemmas": lambda row: ", ".join(row.report.trust.lemmas) or None,
    "lower": lambda row: row.report.lower.value,
    "upper": lambda row: row.report.upper.value,
    "lower_status": lambda row: row.report.lower.status,
    "upper_status": lambda row: row.report.upper.status,
    "lower_kind": lambda row: row.report.lower.kind,
    "upper_kind": lambda row: row.report.upper.kind,
    "error": lambda row: row.report.upper.error,
    "redundant": lambda row: row.report.redundant,
    "defect": lambda row: row.report.defect,
    "pairwise_bound": lambda row: row.report.pairwise_bound,
    "best_bound": lambda row: row.report.best_bound,
    "printed": lambda row: row.printed,
    "parts": lambda row: len(row.report.parts),
    "method": lambda row: row.report.method,
    "seconds": lambda row: row.report.seconds,
    "certificate": compute_certificate_id,
}
CHEAP = tuple(name for name in QUANTITIES if name != "certificate")
"""What a condition can ask for."""


@check_arguments
def table(
    spec: str,
    *,
    columns: Sequence[str] | None = None,
    seed: int | str = 0,
    max_memory: int | str | None = None,
    max_seconds: float | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> Grid:
    """A table of the literature by its name, or a user-defined one by the path of a TOML or CSV file; computed.

    Parameters
    ----------
    spec : str
        The name, or the path.
    columns : list of str, optional
        The columns of a user-defined table.
    seed : int or str
        The seed of all draws; "random" takes one from the system.
    max_memory : int or str, optional
        Bytes that may be used, as a number or as "4G"; half of the machine's memory without it.
    max_seconds : float, optional
        Seconds, of each model, for searches that only sharpen a proof; 120 without it. No rank is ended by it.
    progress : callable, optional
        Told how many models are done, of how many, and the next one.

    Returns
    -------
    Grid
        The table, with `text`, `markdown`, `latex`, `html`, `typst` and `csv`.

    Examples
    --------
    >>> table("kocka-zhang-1").columns
    ('LC model', 'de', 'db', 'ds', 'dc', 'dp')
    """
    with allow_each(max_seconds, max_memory) as each:
        grid = compute_table(spec, columns, draw_seed(seed), progress)
        return replace(grid, untried=each.all_untried)


def compute_table(
    spec: str, columns: Sequence[str] | None, seed: int | str, progress: Callable[[int, int, str], None] | None
) -> Grid:
    """The same, whatever each model may use."""
    if is_spec(spec):
        with add_place_to_errors(spec):
            return fill(read_spec(spec, columns), seed=seed, progress=progress)
    tables: Mapping[str, Callable[[int | str], Grid]] = load_papers().named_tables()
    if spec not in tables:
        raise InputError(
            f"there is no table {spec!r}{describe_closest_word(spec, tables)}; known are {join_names(tables)}, and files that end in .toml or .csv and list models"
        )
    if columns is not None:
        raise InputError(f"the columns of {spec} are those in print; only a user-defined table has columns to choose")
    return tables[spec](seed)
