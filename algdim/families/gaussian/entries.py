"""The numbers of a Gaussian model as the notation and model files write them: b(F->X1), v(F), c(X1<->X2), m(F).

`algdim.families.gaussian.model.entry_text` prints what is read here.
"""

from __future__ import annotations

from typing import NamedTuple

from algdim.families.gaussian.model import Entry
from algdim.models.tokens import Cursor

ARROWS = {"b": "->", "v": "", "c": "<->", "m": ""}


class NumberName(NamedTuple):
    """A number as it was named, and where."""

    entry: Entry
    at: int


def read_number_name(cursor: Cursor, mentions: dict[str, int]) -> NumberName:
    """Read ``b(F->X)``, ``v(X)``, ``c(X<->Y)`` or ``m(X)`` and note the names that were not mentioned before."""
    begin = cursor.now
    if begin.text not in ARROWS or cursor.next.text != "(":
        cursor.fail("a coefficient b(F->X), a variance v(X), a covariance c(X<->Y) or an intercept m(X)")
    cursor.index += 2
    names = [cursor.name("a variable's name")]
    arrow = ARROWS[begin.text]
    if arrow:
        cursor.need(arrow, f"in {begin.text}({names[0].text}{arrow}…)")
        names.append(cursor.name("a variable's name"))
    cursor.need(")", f"at the end of {begin.text}(…)")
    for token in names:
        mentions.setdefault(token.text, token.at)
    return NumberName((begin.text, *(token.text for token in names)), begin.at)


def parse_entry(text: str) -> Entry:
    """Read the name of a number, as model files have it.

    >>> parse_entry("b(F -> X1)")
    ('b', 'F', 'X1')
    """
    cursor = Cursor(text)
    name = read_number_name(cursor, {})
    if cursor.now.kind != "end":
        cursor.fail("the end of the name")
    return name.entry


def as_listed(entry: Entry, known: frozenset[Entry]) -> Entry:
    """The entry under which a model lists a covariance, whatever the order of its variables."""
    turned = (entry[0], *reversed(entry[1:]))
    return turned if entry[0] == "c" and entry not in known and turned in known else entry
