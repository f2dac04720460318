"""What an experiment measured: a row for each data set and candidate, kept as CSV; all else is computed from it."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from math import isfinite
from typing import Any

Value = int | float | str | None
"""None is written as an empty entry: there is no such number."""

DIGITS = 10
"""Of what is kept, and of what is judged: the same."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Named columns; every row has an entry in each."""

    columns: tuple[str, ...]
    entries: tuple[tuple[Value, ...], ...]

    def column(self, name: str) -> list[Any]:
        """The entries of a column."""
        place = self.columns.index(name)
        return [entry[place] for entry in self.entries]

    def where(self, **wanted: Value) -> Rows:
        """The rows that have these entries.

        >>> Rows(("N", "BIC"), ((100, -3.5), (200, -4.5))).where(N=200).column("BIC")
        [-4.5]
        """
        places = [(self.columns.index(name), value) for name, value in wanted.items()]
        return Rows(self.columns, tuple(one for one in self.entries if all(one[k] == value for k, value in places)))

    def split(self, name: str) -> dict[Any, Rows]:
        """The rows by their entry in a column, in the order in which these come first.

        >>> [len(part.entries) for part in Rows(("set",), ((1,), (2,), (1,))).split("set").values()]
        [2, 1]
        """
        place, parts = self.columns.index(name), dict[Value, list[tuple[Value, ...]]]()
        for entry in self.entries:
            parts.setdefault(entry[place], []).append(entry)
        return {value: Rows(self.columns, tuple(part)) for value, part in parts.items()}

    def pairs(self, key: str, value: str) -> dict[Any, Any]:
        """The entries of one column by those of another."""
        return dict(zip(self.column(key), self.column(value), strict=True))


Findings = dict[str, Rows]
"""All that an experiment measured, by the name of the file it is kept in."""


def make_rows(columns: Sequence[str], entries: Iterable[Sequence[Value]]) -> Rows:
    """Rows of numbers as they are kept: with ten digits; what is not finite has no entry.

    >>> make_rows(("x", "y"), [(2 / 3, float("-inf"))]).entries
    ((0.6666666667, None),)
    """
    return Rows(tuple(columns), tuple(tuple(normalise_value(value) for value in entry) for entry in entries))


def normalise_value(value: Value) -> Value:
    """A value as it can be read again."""
    return parse_entry(format_entry(value))


def format_entry(value: Value) -> str:
    """The text of an entry."""
    if isinstance(value, str):
        return value
    if value is None or not isfinite(value):
        return ""
    return f"{value:.{DIGITS}g}" if isinstance(value, float) else str(int(value))


def parse_entry(text: str) -> Value:
    """The entry of a text: a number if it is one.

    >>> [parse_entry(text) for text in ("", "12", "-1.5e-06", "F1", "X1 X2")]
    [None, 12, -1.5e-06, 'F1', 'X1 X2']
    """
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        return text
    if not isfinite(value):
        return None
    return int(text) if text.lstrip("-").isdigit() else value


def write_csv(found: Rows) -> str:
    """The rows as CSV, a header first."""
    target = StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(found.columns)
    writer.writerows([format_entry(value) for value in entry] for entry in found.entries)
    return target.getvalue()


def parse_csv(text: str) -> Rows:
    """The rows of a file that `write_csv` wrote.

    >>> found = make_rows(("model", "nats"), [("5(2,3(2,2))", 0.25), ("", None)])
    >>> parse_csv(write_csv(found)) == found
    True
    """
    header, *lines = csv.reader(StringIO(text))
    if any(len(line) != len(header) for line in lines):
        raise ValueError("a row has more or fewer entries than the header")
    return Rows(tuple(header), tuple(tuple(map(parse_entry, line)) for line in lines))
