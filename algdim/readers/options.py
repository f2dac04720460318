"""A format as it is asked for: its name, after a colon what its files do not say, as in ``lavaan:growth,std.lv``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

from algdim.errors import InputError, listed

Options: TypeAlias = Mapping[str, str]
"""Words and their values; the value of a word without one is empty."""

OPTION = re.compile(r"([A-Za-z_][A-Za-z0-9_.]*)(?:=([A-Za-z0-9_.+-]+))?")


def read_options(text: str, place: str) -> Options:
    """Read words and values, separated by commas.

    >>> read_options("growth,nclass=3", "--format lavaan")
    {'growth': '', 'nclass': '3'}
    """
    found: dict[str, str] = {}
    for piece in text.split(",") if text.strip() else ():
        match = OPTION.fullmatch(piece.strip())
        if match is None or match[1] in found:
            raise InputError(f"{place}: {piece[:60]!r} is not a word or WORD=VALUE that stands there once")
        found[match[1]] = match[2] or ""
    return found


def check_words(options: Options, known: Mapping[str, str], place: str) -> None:
    """Raise unless every option is known; a value is expected exactly where ``known`` names one."""
    for word, value in options.items():
        if word not in known:
            raise InputError(f"{place}: {word!r} is not known; known are {listed(known) or 'no options'}")
        if bool(value) != bool(known[word]):
            wanted = f"{word}={known[word]}" if known[word] else word
            raise InputError(f"{place}: {word + ('=' + value if value else '')!r} is written {wanted}")


def whole_number(options: Options, word: str, default: int, least: int, most: int, place: str) -> int:
    """The value of an option that is a whole number within bounds."""
    text = options.get(word, str(default))
    if not re.fullmatch(r"[0-9]{1,9}", text) or not least <= int(text) <= most:
        raise InputError(f"{place}: {word}={text[:30]} is not a whole number from {least} to {most}")
    return int(text)
