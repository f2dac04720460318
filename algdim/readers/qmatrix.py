"""Q-matrices of cognitive diagnosis as CSV or text: a row for each item, a column of zeros and ones for each attribute.

A first line with names of attributes and a first column with names of items are recognised by what is neither 0 nor 1.
"""

from __future__ import annotations

import re

from algdim.errors import InputError, join_names
from algdim.families.discrete.model import Network
from algdim.families.discrete.short import keep_line
from algdim.families.discrete.short.diagnosis import (
    MODELS,
    choose_model,
    expand_diagnosis,
    make_diagnosis,
    write_diagnosis,
)
from algdim.models.tokens import make_position_error
from algdim.readers.formats import Options
from algdim.readers.identifiers import make_notation_names

MODEL = re.compile(r"^\s*#\s*model\s+([A-Za-z0-9-]{1,20})\s*$", re.MULTILINE)
"""A line that says the model; others that begin with '#' are comments."""
WORDS = {"model": "NAME"}

Row = tuple[int, list[str]]
"""Where a line begins in the text, and what stands in it."""


def read_qmatrix(text: str, options: Options) -> Network:
    r"""Read a matrix.

    >>> read_qmatrix("item,Plus,Minus\nadd,1,0\nsub,0,1\n", {"model": "DINA"}).short
    'diagnosis DINA: items add=10, sub=01; attributes Plus, Minus'
    """
    try:
        return read_rows(text, options)
    except InputError as error:
        if "\n" in str(error):
            raise
        raise make_position_error(text, 0, str(error)) from None


def read_rows(text: str, options: Options) -> Network:
    """Read the lines: the model, attributes, items."""
    said = MODEL.search(text)
    model = options.get("model") or (said[1] if said else "")
    if not model:
        raise InputError(f"the file does not say the model of its items; {SAY_MODEL}")
    rows = split_rows(text)
    header = pop_header(rows)
    if not rows:
        raise InputError("the Q-matrix has no item; a row of zeros and ones for each is expected")
    has_names = len(header) == len(rows[0][1]) - 1 > 0 or any(row[0] not in ("0", "1") for _, row in rows)
    numbers = [str(number) for number in range(1, len(rows) + 1)]
    is_numbered = bool(header) and not header[0] and [row[0] for _, row in rows] == numbers
    names = [row.pop(0) for _, row in rows] if has_names or is_numbered else []
    if names and len(header) > len(rows[0][1]):
        header.pop(0)
    width = len(header) or len(rows[0][1])
    for at, row in rows:
        if len(row) != width or not width:
            columns = f"{len(row)} column{'s' * (len(row) != 1)}"
            raise make_position_error(text, at, f"this row has {columns}; {width or 'one or more'} are expected")
        wrong = next((cell for cell in row if cell not in ("0", "1")), None)
        if wrong is not None:
            raise make_position_error(text, at, f"{wrong[:30]!r} is neither 0 nor 1")
    items = names if has_names else [f"X{number}" for number in numbers]
    attributes = header or [f"A{number}" for number in range(1, width + 1)]
    called = make_notation_names([*items, *attributes])
    if len(called) < len(items) + len(attributes):
        raise InputError("two items or attributes have the same name; each has its own")
    rows_alone = ["".join(row) for _, row in rows]
    spec = make_diagnosis(
        choose_model(model), [called[name] for name in items], [called[name] for name in attributes], rows_alone
    )
    return keep_line(expand_diagnosis(spec), write_diagnosis(spec))


SAY_MODEL = (
    "give one, as in --format qmatrix:model=DINA, or begin the file with a line '# model DINA' "
    f"({join_names(MODELS, most=len(MODELS))})"
)


def describe_table(text: str) -> str:
    r"""What to do with a table that does not say what it is: a Q-matrix, or data.

    >>> describe_table("A,B\n0,1\n1,1\n").partition(";")[0]
    'a table of zeros and ones, a Q-matrix or data'
    >>> describe_table("A,B\n0,2\n")
    'a table that is no Q-matrix, since it has more than zeros and ones; data are given before the model, as in algdim fit DATA MODEL'
    """
    rows = split_rows(text)
    pop_header(rows)
    data = "data are given before the model, as in algdim fit DATA MODEL"
    if rows and all(cell in ("0", "1") for _, row in rows for cell in row[1:] or row):
        return (
            f"a table of zeros and ones, a Q-matrix or data; a Q-matrix needs a model of its items: {SAY_MODEL}; {data}"
        )
    return f"a table that is no Q-matrix, since it has more than zeros and ones; {data}"


def pop_header(rows: list[Row]) -> list[str]:
    """Take the line of names away, if there is one."""
    first = rows[0][1] if rows else []
    return [] if all(cell in ("0", "1") for cell in first[1:] or first) else rows.pop(0)[1]


def split_rows(text: str) -> list[Row]:
    """The cells of the lines that are no comments; the first line says what separates them."""
    found: list[Row] = []
    separator: str | None = ""
    at = 0
    for line in text.splitlines(keepends=True):
        if line.strip() and not line.lstrip().startswith("#"):
            if separator == "":
                separator = next((one for one in ",;\t" if one in line), None)
            found.append((at, [cell.strip().strip("\"'") for cell in line.split(separator)]))
        at += len(line)
    return found
