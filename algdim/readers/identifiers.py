"""Names of other programs' files as names of the notation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from unicodedata import normalize

from algdim.models.ranges import is_like_range
from algdim.models.tokens import CLAUSE_WORDS, NAME, make_position_error

WITHOUT_ACCENT = str.maketrans(
    {"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D"}
    | {"ł": "l", "Ł": "L", "ı": "i", "þ": "th", "Þ": "Th", "ð": "d", "Ð": "D"}
)
"""Letters of Latin alphabets that Unicode does not take apart."""


def make_notation_names(names: Iterable[str]) -> dict[str, str]:
    """A name of the notation for each of some names: its own if it has one, else a similar one that no other has.

    >>> make_notation_names(["x.1", "given", "2nd item", "2nd-item", "Größe"])
    {'x.1': 'x.1', 'given': 'given_', '2nd item': '_2nd_item', '2nd-item': '_2nd_item_1', 'Größe': 'Grosse'}
    """
    distinct = dict.fromkeys(names)
    found = {name: name for name in distinct if is_name(name)}
    taken, numbers = set(found), Counter[str]()
    for name in distinct:
        if name not in found:
            plain = new = make_similar_name(name)
            while new in taken:
                numbers[plain] += 1
                new = f"{plain}_{numbers[plain]}"
            found[name] = new
            taken.add(new)
    return {name: found[name] for name in distinct}


def check_no_range(text: str, places: Mapping[str, int]) -> None:
    """Raise at a name that looks like a range, of a format that has none."""
    for name, at in places.items():
        if is_like_range(name):
            raise make_position_error(
                text, at, f"{name[:60]} is no range of names in this format; write the names one by one"
            )


def is_name(name: str) -> bool:
    """Whether the notation reads this name."""
    return NAME.fullmatch(name) is not None and name not in CLAUSE_WORDS and not is_like_range(name)


def make_similar_name(name: str) -> str:
    """A name of the notation that looks like a text: letters without accents, '_' for other signs.

    Letters that look like none of A to Z are written by their numbers in Unicode, so that two such names stay two,
    whichever others stand beside them.

    >>> make_similar_name("Größe (cm)"), make_similar_name("年龄")
    ('Grosse__cm_', 'u5e74u9f84')
    """
    plain = "".join(map(convert_to_ascii, normalize("NFC", name)))
    text = re.sub(r"[^A-Za-z0-9_.]", "_", plain)
    text = re.sub(r"\.{2,}", lambda dots: "_" * len(dots[0]), text) if is_like_range(text) else text
    text = text if NAME.fullmatch(text) else f"_{text}"
    return text if is_name(text) else f"{text}_"


def convert_to_ascii(sign: str) -> str:
    """A sign in ASCII; nothing for marks and dashes that are not of ASCII."""
    letters = "".join(one for one in normalize("NFKD", sign).translate(WITHOUT_ACCENT) if one.isascii())
    return letters or (f"u{ord(sign):x}" if sign.isalnum() else "")


def group_indistinct_names(names: Iterable[str]) -> list[list[str]]:
    """The groups of names that look the same in the notation, so that `make_notation_names` numbers them.

    >>> group_indistinct_names(["2nd item", "x", "2nd-item"])
    [['2nd item', '2nd-item']]
    """
    groups: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        groups.setdefault(name if is_name(name) else make_similar_name(name), []).append(name)
    return [group for group in groups.values() if len(group) > 1]
