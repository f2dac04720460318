"""Query a store: rows that satisfy a condition, as a table, CSV or Parquet. Nothing is written to the store."""

from __future__ import annotations

import json
import math
import os
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from algdim.arguments import check_arguments
from algdim.errors import InputError, LimitError, describe_closest_word, join_names
from algdim.figures import format_integer
from algdim.sweeping.store import DAMAGED, StoreError, check_format, read_only, translate_errors
from algdim.sweeping.tasks import COLUMNS, TRUTHS
from algdim.tables.conditions import read_condition
from algdim.tables.grid import Cell, Grid
from algdim.trust import PROVED

LONG = ("report", "certificate", "hash")
"""Columns that have no place in a table, unless they are asked for."""
LISTED = {"label": "TEXT", "source": "TEXT"}
"""Columns of where a file lists a model, empty for models of no file."""
KNOWN = {**COLUMNS, **LISTED}
PLAIN = tuple(name for name in KNOWN if name not in LONG)
MOST_CELLS = 5_000_000
"""Of one answer, each with some hundred bytes."""
SHOWN = "model,standard,complete,dimension,best_bound,status,outcome".split(",")


@check_arguments
def query(
    store: str | os.PathLike[str],
    *,
    where: str = "",
    columns: Sequence[str] | None = None,
    sort: str = "number",
    limit: int | None = None,
    lemmas: bool = False,
) -> Grid:
    """The rows of a store that obey a condition.

    A model that a file lists has a row for each time that it is listed.

    Parameters
    ----------
    store : path
        The file that `algdim.sweep` made.
    where : str
        The condition, such as "dimension < best_bound"; all rows without it.
    columns : list of str, optional
        The columns of the table.
    sort : str
        The column whose order the rows have; with a minus sign before it they count down.
    limit : int, optional
        The most rows.
    lemmas : bool
        Whether a cell with "proved" has the lemmas.

    Returns
    -------
    Grid
        The rows as a table.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from algdim.sweeping.sweeping import sweep
    >>> with TemporaryDirectory() as folder:
    ...     swept = sweep("lc cells<=8", f"{folder}/results.sqlite", workers=1)
    ...     found = query(swept.store, where="dimension < standard", columns=["model", "dimension"])
    >>> found.values()
    [['2:2,2', 3], ['2:3,2', 5], ['2:4,2', 7]]
    """
    names = list(SHOWN if columns is None else columns)
    for name in (*names, sort.removeprefix("-")):
        if name not in KNOWN:
            raise InputError(
                f"there is no column {name[:60]!r}{describe_closest_word(name, KNOWN)}; known are {join_names(KNOWN, most=40)}"
            )
    condition = read_condition(where, KNOWN) if where.strip() else None
    path = os.fspath(store)
    if columns is None and has_labels(path):
        names.insert(0, "label")
    wanted = {*names, *(condition.names if condition else ()), *(("status", "report") if lemmas else ())}
    found: list[tuple[Cell, ...]] = []
    for row in iterate_rows(path, sort, wanted, limit if condition is None else None):
        if limit is not None and len(found) >= limit:
            break
        if condition is None or condition.holds(row):
            proof = find_lemmas(row, path) if lemmas and row["status"] == PROVED else ()
            found.append(tuple(Cell(row[name], lemmas=proof if name == "status" else ()) for name in names))
            if len(found) * len(names) > MOST_CELLS:
                raise LimitError(
                    f"{path}: the answer has more than {format_integer(MOST_CELLS)} cells; ask for fewer rows or columns "
                    "(--where, --limit, --columns), or read the file with another program"
                )
    return Grid(Path(path).stem, "", tuple(names), tuple(found), has_names=True)


def count_rows(store: str | os.PathLike[str], where: str = "", limit: int | None = None) -> int:
    """How many rows of a store obey a condition, up to a limit; none is kept."""
    condition = read_condition(where, KNOWN) if where.strip() else None
    rows = iterate_rows(
        os.fspath(store), wanted=condition.names if condition else (), limit=None if condition else limit
    )
    count = sum(1 for row in rows if condition is None or condition.holds(row))
    return count if limit is None else min(count, limit)


def find_lemmas(row: Mapping[str, Any], path: str) -> tuple[str, ...]:
    """The lemmas that prove the dimension in a row, from its report."""
    try:
        report = json.loads(row["report"])
        return tuple(dict.fromkeys(str(lemma) for side in ("lower", "upper") for lemma in report[side]["lemmas"]))
    except (ValueError, TypeError, KeyError, RecursionError):
        raise StoreError(f"{path}: a row is called proved, and its report has no lemmas; {DAMAGED}") from None


def iterate_rows(
    path: str, sort: str = "number", wanted: Collection[str] = tuple(KNOWN), limit: int | None = None
) -> Iterator[dict[str, Any]]:
    """The rows of a store, in the order of a column and then of the sweep; in a file's list the number is the place there.

    Only columns that are wanted are read.
    """
    order = f"{sort.removeprefix('-')} {'DESC' if sort.startswith('-') else 'ASC'}"
    names = [name for name in KNOWN if name in wanted] or ["number"]
    with open_for_reading(path) as connection:
        if is_listed(connection):
            meanings = {
                "number": "coalesce(sources.number, results.number)",
                "label": "sources.label",
                "source": "sources.file || ', ' || place",
            }
            tables = "results LEFT JOIN sources ON sources.hash = results.hash"
        else:
            meanings, tables = {"label": "NULL", "source": "NULL"}, "results"
        known = {name: f"{meanings.get(name, f'results.{name}')} AS {name}" for name in KNOWN}
        ordered = {**dict.fromkeys(names), **dict.fromkeys((sort.removeprefix("-"), "number", "model"))}
        asked = f"SELECT {', '.join(known[name] for name in ordered)} FROM {tables} ORDER BY {order}, number, model"  # noqa: S608  # known names
        connection.row_factory = sqlite3.Row
        for row in connection.execute(f"{asked} LIMIT ?", (-1 if limit is None else limit,)):
            yield convert_row({name: row[name] for name in names}, path)


@contextmanager
def open_for_reading(path: str) -> Iterator[sqlite3.Connection]:
    """A store that is open for reading."""
    if not Path(path).is_file():
        raise InputError(f"{path}: there is no such file; `algdim sweep` makes one")
    with closing(read_only(path)) as connection, translate_errors(path):
        check_format(connection, path)
        yield connection


def is_listed(connection: sqlite3.Connection) -> bool:
    """Whether the store knows where files list its models."""
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'sources'").fetchone() is not None


def has_labels(path: str) -> bool:
    """Whether some model of a file has a label that is not its text in the notation."""
    asked = "SELECT 1 FROM sources JOIN results ON sources.hash = results.hash WHERE label <> model LIMIT 1"
    with open_for_reading(path) as connection:
        return is_listed(connection) and connection.execute(asked).fetchone() is not None


KINDS = {"INTEGER": int, "REAL": float, "TEXT": str}
"""What a value of a column is, if there is one; SQLite would let others in."""


def convert_row(row: Mapping[str, Any], path: str) -> dict[str, Any]:
    """A row with truth values where SQLite has 0 and 1; an error if a value is not of its column's kind."""
    for name, value in row.items():
        fits = value is None or isinstance(value, KINDS[KNOWN[name]])
        if not fits or value in (math.inf, -math.inf):  # JSON has no infinite numbers
            raise StoreError(f"{path}: a row has {str(value)[:40]!r} in the column {name}; {DAMAGED}")
    return {name: bool(value) if name in TRUTHS and value is not None else value for name, value in row.items()}


def write_parquet(grid: Grid, path: str | os.PathLike[str]) -> None:
    """Write a table as a Parquet file, with pyarrow or polars, whichever is there."""
    data = {name: [row[place].value for row in grid.rows] for place, name in enumerate(grid.columns)}
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        pass
    else:
        kinds = {"INTEGER": pa.int64(), "REAL": pa.float64(), "TEXT": pa.string()}
        schema = pa.schema([(name, pa.bool_() if name in TRUTHS else kinds[KNOWN[name]]) for name in data])
        parquet.write_table(pa.table(data, schema=schema), os.fspath(path))
        return
    try:
        import polars as pl
    except ImportError:
        raise InputError("Parquet needs pyarrow or polars; install one: pip install 'algdim[parquet]'") from None
    pl.DataFrame(data, strict=False, infer_schema_length=None).write_parquet(os.fspath(path))
