"""The tables of the atlas: where they are kept, and how one is read, written and appended to."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BUILD = HERE.parent / "build" / "atlas"
"""Where runs keep what they found; it is in no repository."""
PAGE = HERE.parent / "docs" / "atlas.md"
COUNTS = HERE / "counts.csv"
"""The counts of each class of models."""
FORMATS, IDENTIFIED = HERE / "formats.csv", HERE / "identified.csv"
"""The counts of formats that are settled, and of those that were tested for being identified."""
DEFECTIVE, OPEN, CONTACTS = HERE / "defective.csv", HERE / "open.csv", HERE / "contacts.csv"
"""Numbers of classes whose dimension is known between the two that settle a format, those where it is not, and formats that are
not shown to be identified with their last number of classes."""
SOURCES = HERE / "sources.csv"
"""How many numbers of classes have a dimension below the expected one, by the list in print that has them."""
CERTIFIED = HERE / "certificates.csv"
"""The counts of certificates."""

Row = dict[str, str]


def read_table(path: Path) -> list[Row]:
    """The rows of a table, none if there is no file."""
    return parse_table(path.read_text(encoding="utf-8")) if path.exists() else []


def parse_table(text: str) -> list[Row]:
    """The rows of a table that is a text."""
    return list(csv.DictReader(io.StringIO(text)))


def format_table(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    r"""A table as text.

    >>> format_table(("model", "dimension"), [{"model": "2:2,2", "dimension": 3}])
    'model,dimension\n"2:2,2",3\n'
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a table, and its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(format_table(columns, rows), encoding="utf-8")


def read_found(path: Path) -> list[Row]:
    """The rows of a table that is appended to: a line that has no end yet, or was cut when a run was killed, is left out."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return parse_table(text[: text.rfind("\n") + 1])


@contextmanager
def open_found(path: Path, columns: Sequence[str]) -> Iterator[tuple[list[Row], Callable[[Mapping[str, Any]], None]]]:
    """What earlier runs found, and the function that appends a row at once, so that a run which is killed loses nothing."""
    rows = read_found(path)
    write_table(path, columns, rows)
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")

        def append(row: Mapping[str, Any]) -> None:
            writer.writerow(row)
            file.flush()

        yield rows, append
