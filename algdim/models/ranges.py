"""Ranges of names: ``X1..X4`` stands for X1, X2, X3, X4 wherever a list of names stands."""

from __future__ import annotations

import re
from itertools import pairwise

from algdim.errors import InputError

MOST_NAMES = 100_000
"""Of one range."""

DOTS = re.compile(r"\.{2,}")
NUMBERED = re.compile(r"(.*?)([0-9]+)", re.DOTALL)


SIGNS = "-:‐‑‒–—−…‥"
"""What others write between the ends of a range."""


def expand_range(text: str) -> list[str]:
    """The names that a range stands for, or the text alone if it is none; what only looks like a range is refused.

    A name such as ``Height..cm.``, as R makes of "Height (cm)", is none.

    >>> expand_range("X1..X4"), expand_range("X08..X10"), expand_range("Height..cm.")
    (['X1', 'X2', 'X3', 'X4'], ['X08', 'X09', 'X10'], ['Height..cm.'])
    """
    if not is_like_range(text):
        return [text]
    left, _, right = text.partition("..")
    first, last = NUMBERED.fullmatch(left), NUMBERED.fullmatch(right)
    if first is None or last is None or len(DOTS.findall(text)) > 1 or "..." in text or first[1] != last[1]:
        raise InputError(describe_range_error(text))
    if max(len(first[2]), len(last[2])) > 9:
        raise InputError(f"the range {text[:60]} has numbers of more than 9 digits; write the names one by one")
    begin, end, width = int(first[2]), int(last[2]), len(first[2])
    if last[2] != f"{end:0{width if first[2].startswith('0') else 0}d}":
        raise InputError(f"the range {text} has numbers of different widths; write X01..X12 or X1..X12")
    if begin > end:
        raise InputError(f"the range {text} goes downwards; write {right}..{left}")
    if end - begin >= MOST_NAMES:
        raise InputError(f"the range {text} has {end - begin + 1} names; at most {MOST_NAMES} are allowed")
    return [f"{first[1]}{number:0{width}d}" for number in range(begin, end + 1)]


def is_like_range(text: str) -> bool:
    """Whether two dots or more stand between a numbered name, or one letter, and what may be the end of a range.

    >>> [is_like_range(text) for text in ("X1..4", "A..D", "X1...Xn", "X3...", "X1..X1.3", "Item..1", "Q1..how.often.")]
    [True, True, True, True, True, False, False]
    """
    pieces = DOTS.split(text)
    return any(can_be_range_ends(left, right) for left, right in pairwise(pieces))


def can_be_range_ends(left: str, right: str) -> bool:
    """Whether these may be meant as the ends of a range."""
    first, last = NUMBERED.fullmatch(left), NUMBERED.fullmatch(right)
    if first is None:
        return left[:-1] == right[:-1] and left[-1:].isalpha() and right[-1:].isalpha()
    if first[1] and right.startswith(first[1]) and right.removeprefix(first[1])[:1].isdigit():
        return not right.endswith(".")  # R makes X1..X2. of "X1 (X2)"
    if last is not None:
        return last[1] == first[1] or "." not in last[1]
    return right.removeprefix(first[1])[1:] == ""


def describe_range_error(text: str) -> str:
    """What to write in place of what is no range."""
    pieces = DOTS.split(text)
    first, last = NUMBERED.fullmatch(pieces[0]), NUMBERED.fullmatch(pieces[-1])
    if first is None:
        return f"{text[:60]!r} is no range of names: a range goes over numbers, as X1..X4; write other names one by one, as A, B, C"
    end = last[2] if last is not None else "4"
    right = f"{first[1]}{first[2]}..{first[1]}{end}"
    return f"{text[:60]!r} is no range of names; write {right}, with two dots and a numbered name at both ends, or the names one by one"


def describe_wrong_sign(left: str, sign: str, right: str) -> str:
    """What to say where two numbered names stand beside a sign that is not that of a range; empty where they do not.

    >>> describe_wrong_sign("X1", "-", "X4")
    "a range of names is written 'X1..X4'"
    """
    first, last = NUMBERED.fullmatch(left), NUMBERED.fullmatch(right)
    if first is None or not first[1] or last is None or last[1] not in (first[1], "") or sign not in SIGNS:
        return ""
    return f"a range of names is written '{left}..{first[1]}{last[2]}'"


def describe_meant_range(name: str) -> str:
    """What to write if a text with another sign may be meant as a range of names.

    >>> describe_meant_range("X1-X4"), describe_meant_range("age")
    ("a range of names is written 'X1..X4'", '')
    """
    sign = next((one for one in name if one in SIGNS), "")
    left, _, right = name.partition(sign) if sign else (name, "", "")
    return describe_wrong_sign(left.strip(), sign, right.strip()) if right else ""
