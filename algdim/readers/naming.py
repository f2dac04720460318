"""Names of other programs' files as names of the notation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from unicodedata import normalize

from algdim.models.ranges import looks_like_range
from algdim.models.tokens import CLAUSE_WORDS, NAME, failure

WITHOUT_ACCENT = str.maketrans(
    {"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D"}
    | {"ł": "l", "Ł": "L", "ı": "i", "þ": "th", "Þ": "Th", "ð": "d", "Ð": "D"}
)
"""Letters of Latin alphabets that Unicode does not take apart."""


def renamed(names: Iterable[str]) -> dict[str, str]:
    """A name of the notation for each of some names: its own if it has one, else a similar one that no other has.

    >>> renamed(["x.1", "given", "2nd item", "2nd-item", "Größe"])
    {'x.1': 'x.1', 'given': 'given_', '2nd item': '_2nd_item', '2nd-item': '_2nd_item_1', 'Größe': 'Grosse'}
    """
    distinct = dict.fromkeys(names)
    found = {name: name for name in distinct if is_name(name)}
    taken, numbers = set(found), Counter[str]()
    for name in distinct:
        if name not in found:
            plain = new = similar(name)
            while new in taken:
                numbers[plain] += 1
                new = f"{plain}_{numbers[plain]}"
            found[name] = new
            taken.add(new)
    return {name: found[name] for name in distinct}


def check_no_range(text: str, places: Mapping[str, int]) -> None:
    """Raise at a name that looks like a range, of a format that has none."""
    for name, at in places.items():
        if looks_like_range(name):
            raise failure(text, at, f"{name[:60]} is no range of names in this format; write the names one by one")


def is_name(name: str) -> bool:
    """Whether the notation reads this name."""
    return NAME.fullmatch(name) is not None and name not in CLAUSE_WORDS and not looks_like_range(name)


def similar(name: str) -> str:
    """A name of the notation that looks like a text: letters without accents, '_' for other signs.

    Letters that look like none of A to Z are written by their numbers in Unicode, so that two such names stay two,
    whichever others stand beside them.

    >>> similar("Größe (cm)"), similar("年龄")
    ('Grosse__cm_', 'u5e74u9f84')
    """
    plain = "".join(map(plain_letters, normalize("NFC", name)))
    text = re.sub(r"[^A-Za-z0-9_.]", "_", plain)
    text = re.sub(r"\.{2,}", lambda dots: "_" * len(dots[0]), text) if looks_like_range(text) else text
    text = text if NAME.fullmatch(text) else f"_{text}"
    return text if is_name(text) else f"{text}_"


def plain_letters(sign: str) -> str:
    """A sign in ASCII; nothing for marks and dashes that are not of ASCII."""
    letters = "".join(one for one in normalize("NFKD", sign).translate(WITHOUT_ACCENT) if one.isascii())
    return letters or (f"u{ord(sign):x}" if sign.isalnum() else "")


def indistinct(names: Iterable[str]) -> list[list[str]]:
    """The groups of names that look the same in the notation, so that `renamed` numbers them.

    >>> indistinct(["2nd item", "x", "2nd-item"])
    [['2nd item', '2nd-item']]
    """
    groups: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        groups.setdefault(name if is_name(name) else similar(name), []).append(name)
    return [group for group in groups.values() if len(group) > 1]
