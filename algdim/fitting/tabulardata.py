"""Whatever holds data, to named columns of labels: CSV, Parquet, aligned sequences, arrays and data frames.

A label is a text; a missing entry is `None`. Whole numbers are written without a point, so that the column that holds
1.0 in one library and 1 in another has the same labels.
"""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO, TextIOWrapper
from itertools import compress
from math import isinf, isnan
from pathlib import Path
from typing import Any, BinaryIO

from algdim.errors import AlgdimError, InputError, LimitError, join_names
from algdim.figures import format_bytes
from algdim.fitting.alignments import read_fasta
from algdim.models.values import format_given_value
from algdim.readers.files import MOST_BYTES, read_text

MISSING = frozenset(
    {"", "NaN", "nan", "NAN", "-nan", "-NaN", "NA", ".", "<NA>", "<na>", "N/A", "n/a", "(null)"}
    | {"#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!"}
    | {f".{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"}
)
"""Texts that stand for a missing entry: those of R and pandas, the points of SAS and Stata, those of data bases and sheets."""

DELIMITERS = ",;\t"
MOST_ENTRIES = 100_000_000
MOST_COLUMNS = 1_000_000
MOST_REMEMBERED = 10_000
"""Labels of a column of which the text is kept once; numbers that are all different are not worth it."""
ALIGNED = (".fasta", ".fas", ".fa", ".fna")
"""Files of aligned sequences."""
SUFFIXES = (".csv", ".tsv", ".parquet", *ALIGNED)
PACKED = ".gz"
"""After all but .parquet: it is unpacked, up to the same limit."""

MOST_LETTERS = 131_072
"""Of one entry: as many as Python reads of CSV."""

MOST_UNPACKED = 1 << 29
"""Bytes of Parquet with texts; a dictionary counts once."""

ROWS_OF_NUMBERS, ROWS_WITH_TEXTS = 65_536, 1024
"""Rows of Parquet that are read at a time; texts can be long."""

Labels = list[str | None]


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of equal length; ``names`` is None where the source has none, as a plain array."""

    names: tuple[str, ...] | None
    columns: tuple[Labels, ...]
    source: str
    first_row: int
    """The number of the first row in messages: 2 in a CSV file, whose first line holds the names, 1 elsewhere."""
    notes: tuple[str, ...] = ()
    """What is to be said of how they were read."""

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.columns[0]) if self.columns else 0

    def select_columns(self, places: Sequence[int]) -> Columns:
        """Some of the columns, in this order."""
        names = None if self.names is None else tuple(self.names[place] for place in places)
        return replace(self, names=names, columns=tuple(self.columns[place] for place in places))

    def select_rows(self, kept: Iterable[bool]) -> Columns:
        """Some of the rows, in this order."""
        rows = list(kept)
        return replace(self, columns=tuple(list(compress(column, rows)) for column in self.columns))

    def without(self, missing: Collection[str]) -> Columns:
        """The same with more texts that stand for a missing entry; of a number all ways to write it."""
        numbers = {float(text) for text in missing if is_number_text(text)}

        def drop_missing(label: str | None) -> str | None:
            is_missing = label in missing or (label is not None and is_number_text(label) and float(label) in numbers)
            return None if is_missing else label

        known = {label: drop_missing(label) for column in self.columns for label in set(column)}
        return replace(self, columns=tuple([known[label] for label in column] for column in self.columns))

    def name(self, column: int) -> str:
        """The name of a column in messages."""
        return f"column {column + 1}" if self.names is None else f"column {self.names[column]}"

    def place(self, row: int, column: int) -> str:
        """One entry in messages."""
        return f"{self.source}, row {row + self.first_row}, {self.name(column)}"


UTF8 = "utf-8-sig"
"""With or without the mark that Windows puts first."""


SAY_ENCODING = "say in which encoding it is (--encoding latin-1 or cp1252 for most files of Windows and older programs), or save it as UTF-8"


def find_encoding(name: str) -> str:
    """The name of an encoding of text, if Python knows it.

    >>> find_encoding("latin-1")
    'latin-1'
    """
    try:
        "".encode(name)
    except (LookupError, ValueError):
        raise InputError(
            f"the encoding {name[:40]!r} is not known; give utf-8, latin-1, cp1252, utf-16 or another one of Python's"
        ) from None
    return name


def read_columns(data: Any, encoding: str = UTF8) -> Columns:
    """Read the columns of a file (CSV, Parquet, FASTA), a data frame, a dictionary of columns or a two-dimensional array.

    The ``encoding`` is that of a CSV file.

    >>> read_columns({"X1": [0, 1.0, "b"], "X2": [True, None, float("nan")]}).columns
    (['0', '1', 'b'], ['True', None, None])
    """
    if isinstance(data, Columns):
        return data
    if isinstance(data, (str, os.PathLike)):
        return read_file(Path(data), encoding)
    if isinstance(data, Mapping):
        return read_named_columns(list(data), [data[name] for name in data], "the data")
    if hasattr(data, "columns") and hasattr(data, "__getitem__"):
        names = list(data.columns)
        return read_named_columns(names, [data[name] for name in names], "the data")
    if hasattr(data, "column_names") and hasattr(data, "to_pydict"):
        return read_named_columns(list(data.column_names), list(data.to_pydict().values()), "the data")
    return read_array_columns(data)


def read_file(path: Path, encoding: str = UTF8) -> Columns:
    """Read a CSV file or aligned sequences, maybe packed, or a Parquet file."""
    packed = path.suffix.lower() == PACKED
    suffix = Path(path.stem if packed else path.name).suffix.lower()
    if suffix not in SUFFIXES or (packed and suffix == ".parquet"):
        raise InputError(f"{path}: data are read from files that end in {join_names(SUFFIXES)}; save a sheet as CSV")
    if not path.is_file():
        raise InputError(f"{path}: there is no such file")
    if suffix == ".parquet":
        return read_parquet(path)
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise LimitError(
            f"{path} has {format_bytes(size)}; CSV files of up to {format_bytes(MOST_BYTES)} are read; "
            "give a frequency table with a column count, or a data frame"
        )
    if suffix in ALIGNED:
        text = read_text(path, encoding, SAY_ENCODING)
        check_size(len(text), str(path))
        names, sequences, notes = read_fasta(text, str(path))
        return Columns(names, sequences, str(path), 1, notes)
    if packed:
        return read_csv(read_text(path, encoding, SAY_ENCODING), str(path))
    try:
        with path.open(encoding=encoding, newline="") as file:
            return read_csv_lines(file, str(path))
    except UnicodeError:
        read_text(path, encoding, SAY_ENCODING)  # which knows the line of the byte that is wrong
        raise
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None


def read_parquet(path: Path) -> Columns:
    """Read a Parquet file with whichever of pyarrow and polars is installed; its entries are counted first.

    The file is opened here: a library that is given its name may take that for a pattern or an address.
    """
    try:
        with path.open("rb") as file:
            try:
                return read_by_pyarrow(file, str(path))
            except ImportError:
                return read_by_polars(file, str(path))
    except ImportError:
        raise InputError(
            f"{path}: reading Parquet needs pyarrow or polars; install one of them, or save the data as CSV"
        ) from None
    except AlgdimError:
        raise
    except Exception as error:  # each library has errors of its own
        raise InputError(f"{path}: not a Parquet file that can be read ({str(error)[:200]})") from error


def read_by_pyarrow(file: BinaryIO, source: str) -> Columns:
    """The columns of a Parquet file, some rows at a time: what it says of itself may be false.

    A text that stands in many rows is kept once, as the file may do it: written out, a small file can take terabytes.
    """
    import pyarrow as pa
    from pyarrow import parquet

    about = parquet.ParquetFile(file)
    names, kinds = list(about.schema_arrow.names), list(about.schema_arrow.types)
    check_size(about.metadata.num_rows * len(names), source)
    for name, kind in zip(names, kinds, strict=True):
        if pa.types.is_nested(kind):
            raise InputError(
                f"{source}, column {name}: entries of the kind {kind} are no categories; texts and numbers are"
            )
    check_counts(about.metadata, source)
    texts = [name for name, kind in zip(names, kinds, strict=True) if is_text_kind(kind)]
    if texts:
        check_text_size(about.metadata, source)
    file.seek(0)
    columns, known = [Labels() for _ in names], [dict[tuple[type, Any], str | None]() for _ in names]
    opened = parquet.ParquetFile(file, read_dictionary=texts)
    for batch in opened.iter_batches(batch_size=ROWS_WITH_TEXTS if texts else ROWS_OF_NUMBERS):
        check_size((len(columns[0]) + batch.num_rows) * len(names), source)
        for values, name, labels, seen in zip(batch.columns, names, columns, known, strict=True):
            add_labels(iterate_values(values), labels, seen, f"{source}, column {name}")
    return name_columns(names, columns, source)


def check_counts(about: Any, source: str) -> None:
    """Refuse Parquet whose row groups have other numbers of rows than the footer declares, or columns with other numbers of entries.

    Such a file is read by its smaller numbers, and the rest is lost without a word.
    """
    rows = [about.row_group(number).num_rows for number in range(about.num_row_groups)]
    if min(rows, default=0) < 0 or sum(rows) != about.num_rows:
        raise InputError(
            f"{source}: the footer declares {about.num_rows} rows, its {len(rows)} row groups {sum(rows)}; rewrite the file"
        )
    for number, count in enumerate(rows):
        group = about.row_group(number)
        for place in range(group.num_columns):
            entries = group.column(place).num_values
            if entries != count:
                raise InputError(
                    f"{source}: row group {number + 1} declares {count} rows, and {entries} entries in column {place + 1}; rewrite the file"
                )


def check_text_size(about: Any, source: str) -> None:
    """Refuse Parquet whose pages are, unpacked, larger than texts of categories are."""
    groups = [about.row_group(number) for number in range(about.num_row_groups)]
    size = sum(group.total_byte_size for group in groups)
    if size > MOST_UNPACKED:
        raise LimitError(
            f"{source} has {format_bytes(size)} when it is unpacked; with texts in it up to {format_bytes(MOST_UNPACKED)} are read; "
            "give a frequency table with a column count"
        )


def is_text_kind(kind: Any) -> bool:
    """Whether a column of pyarrow has entries of any length."""
    from pyarrow import types

    tests = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    return any(test(kind) for test in tests)


def iterate_values(values: Any) -> Iterator[Any]:
    """The entries of an array of pyarrow; one that has a dictionary gives each of its texts again and again."""
    if not hasattr(values, "dictionary"):
        return iter(values.to_pylist())
    texts = values.dictionary.to_pylist()
    return (None if place is None else texts[place] for place in values.indices.to_pylist())


def read_by_polars(file: BinaryIO, source: str) -> Columns:
    """The columns of a Parquet file."""
    import polars as pl

    check_size(pl.scan_parquet(file).select(pl.len()).collect().item() * len(pl.read_parquet_schema(file)), source)
    file.seek(0)
    frame = pl.read_parquet(file)
    return read_named_columns(frame.columns, [frame[name] for name in frame.columns], source)


def read_csv(text: str, source: str) -> Columns:
    r"""Read CSV text: the first line holds the names; commas, semicolons or tabs separate.

    >>> read_csv("A,B\n0,x\n1,\n", "data.csv").columns
    (['0', '1'], ['x', None])
    """
    # a `StringIO` would take four bytes for each sign
    return read_csv_lines(TextIOWrapper(BytesIO(text.encode()), encoding="utf-8", newline=""), source)


def read_csv_lines(file: TextIOWrapper, source: str) -> Columns:
    """Read CSV line by line: of a column are kept its labels, each different one once."""
    first = next((line for line in file if line.strip("\r\n")), "")
    delimiter = max(DELIMITERS, key=first.count)
    if first.count(delimiter) >= MOST_COLUMNS:
        message = f"{source}: {first.count(delimiter) + 1} columns; at most {MOST_COLUMNS} are read"
        raise LimitError(f"{message}; leave out those that are not needed")
    file.seek(0)
    reader = csv.reader(file, delimiter=delimiter, strict=True)
    try:
        names = [name.strip() for name in next(filter(None, reader), ())]
        if not names:
            raise InputError(f"{source} is empty; a line of names and a line for each case are expected")
        columns, known = [Labels() for _ in names], [dict[str, str | None]() for _ in names]
        for row in filter(None, reader):
            if len(row) != len(names):
                check_header(names, source)
                raise InputError(
                    f"{source}, line {reader.line_num}: {len(row)} entries, and the first line names {len(names)} columns"
                )
            for entry, column, labels in zip(row, columns, known, strict=True):
                if entry not in labels:
                    if len(labels) > MOST_REMEMBERED:
                        labels.clear()
                    labels[entry] = label_of(entry.strip())
                column.append(labels[entry])
            check_size(len(columns[0]) * len(names), source)
    except csv.Error as error:
        raise InputError(f"{source}, line {reader.line_num}: not valid CSV ({error})") from None
    notes: tuple[str, ...] = ()
    if len(names) > 1 and not names[0] and len(set(columns[0])) == len(columns[0]):
        # it has no name and tells rows apart: names of rows, as R and pandas write them
        names, columns, notes = names[1:], columns[1:], (ROW_NAMES,)
    check_header(names, source)
    return Columns(tuple(names), tuple(columns), source, 2, notes)


ROW_NAMES = "the first column has no name and no repeated entry: taken for row names and left out"


def check_header(names: Sequence[str], source: str) -> None:
    """Raise unless the first line can hold names: all different, none empty, not all of them numbers."""
    seen = set[str]()
    for number, name in enumerate(names, 1):
        if not name:
            raise InputError(f"{source}: column {number} has no name in the first line")
        if name in seen:
            raise InputError(
                f"{source}: the first line names {name[:60]!r} twice; it holds the names of the columns, each once"
            )
        seen.add(name)
    if all(is_number_text(name) for name in names):
        raise InputError(f"{source}: the first line holds numbers; put the names of the columns there")


def read_named_columns(names: Sequence[Any], values: Sequence[Any], source: str) -> Columns:
    """Columns that have names, of whatever library."""
    columns = [
        read_column_labels(column, f"{source}, column {name}") for name, column in zip(names, values, strict=True)
    ]
    return name_columns(names, columns, source)


def name_columns(names: Sequence[Any], columns: Sequence[Labels], source: str) -> Columns:
    """Columns of labels with names, which must be different, and of one length."""
    texts = [str(name) for name in names]
    if not texts:
        raise InputError(f"{source} have no columns")
    times = Counter(texts)
    for name, column in zip(texts, columns, strict=True):
        if times[name] > 1:
            raise InputError(f"{source}: two columns are named {name}; each name is allowed once")
        if len(column) != len(columns[0]):
            raise InputError(
                f"{source}: column {name} has {len(column)} entries and column {texts[0]} has {len(columns[0])}"
            )
    return Columns(tuple(texts), tuple(columns), source, 1)


def read_array_columns(data: Any) -> Columns:
    """A two-dimensional array, or a list of rows: columns without names."""
    import numpy as np

    if isinstance(data, np.ma.MaskedArray):
        data = np.ma.filled(data.astype(object), None)
    if not isinstance(data, (np.ndarray, list, tuple)) and not hasattr(data, "__array__"):
        raise InputError(
            f"a {type(data).__name__} is not read as data; give the path of a CSV or Parquet file, "
            "a data frame, a dictionary of columns or an array"
        )
    try:
        array = np.asarray(data, dtype=object) if not isinstance(data, np.ndarray) else data
    except ValueError as error:
        raise InputError(f"the data have rows of different lengths ({error})") from None
    if array.ndim != 2:
        raise InputError(f"the data have {array.ndim} dimensions; an array of cases × variables has 2")
    check_size(array.size, "the data")
    columns = tuple(read_column_labels(array[:, k], f"the data, column {k + 1}") for k in range(array.shape[1]))
    return Columns(None, columns, "the data", 1)


def read_column_labels(column: Any, where: str) -> Labels:
    """The labels of one column of any library."""
    for method in ("to_list", "tolist", "to_pylist"):
        if hasattr(column, method):
            column = getattr(column, method)()
            break
    if isinstance(column, (str, bytes)) or not hasattr(column, "__iter__"):
        raise InputError(f"{where}: {format_given_value(column)} is not a column; a list of entries is expected")
    values = list(column)
    check_size(len(values), where)
    labels: Labels = []
    add_labels(values, labels, {}, where)
    return labels


def add_labels(values: Iterable[Any], labels: Labels, known: dict[tuple[type, Any], str | None], where: str) -> None:
    """Add the labels of more entries of a column; those that are known are taken as they are."""
    for value in values:
        key = (type(value), value)
        try:
            if key not in known:
                if len(known) > MOST_REMEMBERED:
                    known.clear()
                known[key] = label_of(value)
            label = known[key]
        except TypeError:
            raise InputError(
                f"{where}, row {len(labels) + 1}: {format_given_value(value)} is not a category; texts and finite numbers are"
            ) from None
        if label is not None and len(label) > MOST_LETTERS:
            raise LimitError(
                f"{where}, row {len(labels) + 1}: an entry has {len(label)} letters; at most {MOST_LETTERS} are read"
            )
        labels.append(label)


def label_of(value: Any) -> str | None:
    """The label of one entry; `None` if it is missing.

    >>> label_of(2.0), label_of("b"), label_of(float("nan"))
    ('2', 'b', None)
    """
    if isinstance(value, str):
        return None if value in MISSING else value
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        if isnan(value):
            return None
        if isinf(value):
            raise TypeError
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, (bool, int, str)):
        return str(value)
    raise TypeError


def check_size(entries: int, source: str) -> None:
    """Refuse more entries than are read."""
    if entries > MOST_ENTRIES:
        raise LimitError(f"{source}: {entries} entries; at most {MOST_ENTRIES} are read; give a frequency table")


def is_number_text(text: str) -> bool:
    """Whether a text is a number.

    >>> is_number_text("-1.5"), is_number_text("b")
    (True, False)
    """
    try:
        return not isnan(float(text))
    except ValueError:
        return False
