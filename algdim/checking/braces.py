"""Braces and arguments of LaTeX, in a text of which nothing is executed."""

from __future__ import annotations

import re

from algdim.errors import InputError, LimitError

MOST_DEPTH = 50
"""Of braces in braces."""
CONTROL = re.compile(r"\\([A-Za-z]+\*?|.)", re.DOTALL)


def skip_arguments(text: str, start: int, count: int, line: int) -> int:
    """The position after this many arguments in braces, and those in brackets before them."""
    for _ in range(count):
        while start < len(text) and text[start] in " \t\n[":
            start = text.find("]", start) + 1 or len(text) if text[start] == "[" else start + 1
        if start >= len(text) or text[start] != "{":
            raise InputError(f"line {line}: the columns of the table are expected in braces")
        start = find_closing(text, start, f"line {line}") + 1
    return start


def find_closing(text: str, start: int, place: str) -> int:
    """The place of the brace that closes the one at a place."""
    depth = 0
    position = start
    while position < len(text):
        sign = text[position]
        if sign == "\\":
            position += 1
        elif sign in "{}":
            depth += 1 if sign == "{" else -1
            if depth == 0:
                return position
            if depth > MOST_DEPTH:
                raise LimitError(f"{place}: braces are nested more than {MOST_DEPTH} deep")
        position += 1
    raise InputError(f"{place}: a brace is not closed")


def read_argument(text: str, position: int, place: str) -> tuple[str, int]:
    """The next argument, in braces or one sign, and the position after it."""
    while position < len(text) and text[position].isspace():
        position += 1
    if position >= len(text):
        raise InputError(f"{place}: an argument is missing at the end of a cell")
    if text[position] == "{":
        closing = find_closing(text, position, place)
        return text[position + 1 : closing], closing + 1
    if text[position] == "\\" and (found := CONTROL.match(text, position)):
        return found[0], found.end()
    return text[position], position + 1
