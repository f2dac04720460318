"""Names of other programs' files as names of the notation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from unicodedata import normalize

from algdim.models.words import CLAUSE_WORDS, NAME


def renamed(names: Iterable[str]) -> dict[str, str]:
    """A name of the notation for each of some names: its own if it has one, else a similar one that no other has.

    >>> renamed(["x.1", "given", "2nd item", "2nd-item", "Größe"])
    {'x.1': 'x.1', 'given': 'given_', '2nd item': '_2nd_item', '2nd-item': '_2nd_item_1', 'Größe': 'Gro_e'}
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


def is_name(name: str) -> bool:
    """Whether the notation reads this name."""
    return NAME.fullmatch(name) is not None and name not in CLAUSE_WORDS


def similar(name: str) -> str:
    """A name of the notation that looks like a text: letters without accents, '_' for other signs."""
    plain = "".join(sign for sign in normalize("NFKD", name) if sign.isascii() or sign.isalpha())
    text = re.sub(r"[^A-Za-z0-9_.]", "_", plain)
    text = text if NAME.fullmatch(text) else f"_{text}"
    return text if is_name(text) else f"{text}_"
