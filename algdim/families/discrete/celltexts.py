"""The entries of tables as the notation and model files write them: ``P(X1=1|H=0)``.

`algdim.families.discrete.locals.table.format_cell` prints what is read here.
"""

from __future__ import annotations

from typing import NamedTuple

from algdim.families.discrete.locals.table import Cell, Parents
from algdim.models.tokens import Cursor, make_position_error
from algdim.models.values import MOST_STATES


class CellEntry(NamedTuple):
    """A table entry as it was written, ``P(name=state|parents)``, and where."""

    name: str
    state: int
    parents: tuple[tuple[str, int], ...]
    at: int


def parse_entry(text: str) -> CellEntry:
    """Read the name of one table entry, as model files have it.

    >>> parse_entry("P(X1=1|H=0)")[:3]
    ('X1', 1, (('H', 0),))
    """
    cursor = Cursor(text)
    entry = read_entry(cursor, {})
    if cursor.now.kind != "end":
        cursor.fail("the end of the entry")
    return entry


def read_entry(cursor: Cursor, mentions: dict[str, int]) -> CellEntry:
    """Read ``P(NAME=STATE|PARENT=STATE, …)`` and note the names that were not mentioned before."""
    begin = cursor.now
    if begin.text != "P" or cursor.next.text != "(":
        cursor.fail("an entry such as P(X=1|H=0)")
    cursor.index += 2
    name, state = read_assignment(cursor, mentions)
    parents: list[tuple[str, int]] = []
    if cursor.skip("|"):
        parents += [read_assignment(cursor, mentions) for _ in cursor.items()]
    elif cursor.meets(","):
        cursor.fail("'|' or ')'", "an entry is of one variable; its parents follow after '|'")
    cursor.require(")", "at the end of an entry")
    return CellEntry(name, state, tuple(parents), begin.at)


def read_assignment(cursor: Cursor, mentions: dict[str, int]) -> tuple[str, int]:
    """Read ``NAME=STATE``."""
    token = cursor.name("a variable's name")
    mentions.setdefault(token.text, token.at)
    cursor.require("=", f"and a state of {token.text}")
    return token.text, cursor.number(f"a state of {token.text}", 0, MOST_STATES - 1)


def match_cell(entry: CellEntry, parents: Parents, states: int, text: str) -> Cell:
    """Place an entry in the table of its variable, whatever the order in which it names the parents."""
    child, known, said = entry.name, dict(parents), dict(entry.parents)
    expected = ", ".join(known) or "none"
    wrong = ""
    if len(said) < len(entry.parents):
        wrong = f"an entry of {child} names a parent twice; once is allowed (parents: {expected})"
    for name in said:
        if name not in known:
            wrong = wrong or f"{name} is not a parent of {child}; the parents of {child} are: {expected}"
    for name in known:
        if name not in said:
            wrong = wrong or (
                f"an entry of {child} must name the state of its parent {name}; the parents of {child} are: {expected}"
            )
    if wrong:
        raise make_position_error(text, entry.at, wrong)
    row = tuple(said[name] for name in known)
    for (name, count), state in zip(((child, states), *parents), (entry.state, *row), strict=True):
        if state >= count:
            raise make_position_error(text, entry.at, f"{name} has the states 0 to {count - 1}, not {state}")
    return row, entry.state
