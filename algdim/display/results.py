"""What every result of a public function has: one line, a table or figure in a notebook, data frames, and its public names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from algdim.errors import InputError, describe_value
from algdim.figures import cut_text, remove_control_characters

if TYPE_CHECKING:
    from algdim.display.blocks import Block
    from algdim.display.document import Document

MOST_SHOWN = 260
"""Characters of the line that a result is in a console; the name of its type stands around it."""

MOST_ROWS = 40
"""Of a table in a notebook; data frames have all."""

LARGEST = 2**63 - 1
"""Of integers that data frames hold."""


class Frame(NamedTuple):
    """What becomes a data frame: names of columns, and rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    @property
    def values(self) -> list[list[Any]]:
        """The rows in numbers and texts that columns can hold: lists as text, integers without bound as floats."""
        return [[convert_cell(value) for value in row] for row in self.rows]


def convert_cell(value: Any) -> Any:
    """What stands in a cell of a data frame.

    >>> convert_cell(("A", "B")), convert_cell(2**70), convert_cell(7)
    ('A, B', 1.1805916207174113e+21, 7)
    """
    if isinstance(value, (tuple, list)):
        return ", ".join(map(str, value))
    return float(value) if isinstance(value, int) and abs(value) > LARGEST else value


def make_frame(rows: Sequence[dict[str, Any]]) -> Frame:
    """Rows with the same names, at least one."""
    return Frame(tuple(rows[0]), tuple(tuple(row.values()) for row in rows))


class Plain:
    """A record whose JSON form has the names in `_json`, all its fields where there are none (`convert_members`)."""

    __slots__ = ()

    _json: ClassVar[str] = ""

    def to_dict(self: Any) -> dict[str, Any]:
        """The form of the JSON output."""
        return convert_members(self, self._json or " ".join(one.name for one in fields(self)))


def convert_members(record: Any, names: str) -> dict[str, Any]:
    """Members of a record as JSON has them: ``key=path`` has another name there, ``name?`` is null where it is empty.

    What is called `trust` becomes its own members, status and reasons.

    >>> convert_members(Frame(("a", "b"), ()), "names=columns rows?")
    {'names': ['a', 'b'], 'rows': None}
    """
    found: dict[str, Any] = {}
    for key, find_value, is_optional in read_members(names):
        value = find_value(record)
        if key == "trust":
            found |= {"status": None, "error": None, "lemmas": [], "facts": None} if value is None else value.to_dict()
        else:
            found[key] = None if is_optional and not value else convert_to_plain(value)
    return found


@cache
def read_members(names: str) -> tuple[tuple[str, Any, bool], ...]:
    """The key of each name, the function that finds its value, and whether it is null where it is empty."""
    words = ((word.rstrip("?").partition("="), word.endswith("?")) for word in names.split())
    return tuple((key, attrgetter(path or key), is_optional) for (key, _, path), is_optional in words)


def convert_to_plain(value: Any) -> Any:
    """A value as JSON has it: records in their own form, sequences as lists, fractions as text."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, (list, tuple)):
        return [convert_to_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {name: convert_to_plain(one) for name, one in value.items()}
    if isinstance(value, Fraction):
        return str(value)
    return value.to_dict() if hasattr(value, "to_dict") else value


class Compact:
    """A record whose fields are cut in a console; each of them shows itself whole."""

    __slots__ = ()

    def __repr__(self: Any) -> str:
        parts = (f"{one.name}={describe_value(getattr(self, one.name))}" for one in fields(self) if one.repr)
        return f"{type(self).__name__}({shorten(', '.join(parts))})"


class Result(ABC):
    """A result shows itself; a class says how in `_summarise`, `_show` and `_tabulate`, and in `lines` if a line is not enough."""

    __slots__ = ()

    _inner: ClassVar[frozenset[str]] = frozenset()
    """Names that are not promised: what other modules need of the record."""

    @abstractmethod
    def _summarise(self) -> str:
        """The result in one line."""

    @abstractmethod
    def _show(self) -> Iterable[Block]:
        """The result as blocks."""

    @abstractmethod
    def _tabulate(self) -> Frame:
        """The result as rows."""

    def lines(self) -> Iterable[str]:
        """What `print` shows, line by line."""
        return (self._summarise(),)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def document(self) -> Document:
        """The result as a document, which becomes Markdown, LaTeX or HTML."""
        from algdim.display.blocks import Section
        from algdim.display.document import Document

        return Document(shorten(self._summarise()), "", (Section("", tuple(self._show())),))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({shorten(self._summarise())})"

    def __eq__(self, other: object) -> bool:
        """Whether both say the same; how long it took is no matter."""
        return type(self) is type(other) and is_equal_but_for_times(self, other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def _repr_html_(self) -> str:
        """The result in a notebook."""
        from algdim.display.html import render_result

        return render_result(self._show())

    def __dir__(self) -> list[str]:
        """The public names."""
        return sorted(name for name in object.__dir__(self) if not name.startswith("_") and name not in self._inner)

    def to_pandas(self) -> Any:
        """The result as a pandas data frame."""
        found = self._tabulate()
        try:
            import pandas as pd
        except ImportError:
            raise InputError("to_pandas needs pandas, which is not installed: python3 -m pip install pandas") from None
        return pd.DataFrame(found.values, columns=list(found.columns))

    def to_polars(self) -> Any:
        """The result as a polars data frame."""
        found = self._tabulate()
        try:
            import polars as pl
        except ImportError:
            raise InputError("to_polars needs polars, which is not installed: python3 -m pip install polars") from None
        return pl.DataFrame(
            found.values, schema=list(found.columns), orient="row", strict=False, infer_schema_length=None
        )


def shorten(text: str, most: int = MOST_SHOWN) -> str:
    """A text in one line, not too long."""
    line = " ".join(remove_control_characters(text[: 4 * most]).split())
    return line if len(line) <= most else f"{line[:most]}…"


def cut_rows(rows: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """The rows that a notebook shows, and a last one that says how many there are.

    >>> len(cut_rows([("a", "b")] * 1000)), cut_rows([("a", "b")] * 1000)[-1]
    (41, ('… (1000 in all)', ''))
    """
    if len(rows) <= MOST_ROWS:
        return tuple(rows)
    empty = ("",) * (len(rows[0]) - 1)
    return (*rows[:MOST_ROWS], (f"… ({len(rows)} in all)", *empty))


def cut_cell(text: str) -> str:
    """The text of a cell, not too long for a table."""
    return cut_text(remove_control_characters(text), 120)


def is_equal_but_for_times(first: Any, second: Any) -> bool:
    """Whether two results of the same kind say the same; how long they took and on how many threads is no matter."""
    return bool(drop_times(first.to_dict()) == drop_times(second.to_dict()))


TIMES = frozenset({"seconds", "threads"})


def drop_times(value: Any) -> Any:
    """A JSON object or list without times.

    >>> drop_times({"a": [{"seconds": 1, "b": 2}], "threads": 2})
    {'a': [{'b': 2}]}
    """
    nested = (dict, list, tuple)
    if isinstance(value, dict):
        left = [(name, inner) for name, inner in value.items() if name not in TIMES]
        return {name: drop_times(inner) if isinstance(inner, nested) else inner for name, inner in left}
    return [drop_times(inner) if isinstance(inner, nested) else inner for inner in value]
