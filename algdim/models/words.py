"""The words of the notation: which are reserved, and what a name may be."""

from __future__ import annotations

import re
import unicodedata

from algdim.errors import InputError

CLAUSE_WORDS = (
    *("hidden", "states", "share", "fix", "equal", "leak", "means", "given"),
    *("max", "sum", "parity", "at-least", "sigmoid", "classifier"),
)
"""The words that begin a clause; none of them can be a name."""

REFUSED = {
    "threshold": (
        "a threshold of a sum of continuous mechanism variables (MH97 §3.3) is not available: P(E=1) is an integral of their density, "
        "no rational function of the parameters, so no rank of it is exact; for a threshold of binary mechanism variables take at-least N"
    )
}
"""Kinds of effect in the papers that are refused by name."""

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
NAME_RULE = "a name has the letters A-Z and a-z, digits, '_' and '.', and begins with a letter or '_'"


def check_name(name: str, place: str) -> None:
    """Raise unless the notation can read this name back."""
    if name in CLAUSE_WORDS:
        raise InputError(f"{place}: {name!r} is a clause word of the notation and cannot be a name; choose another")
    if not NAME.fullmatch(name):
        wrong = next((c for c in name if not c.isascii()), None)
        why = f" ({unicodedata.name(wrong, 'an unnamed character')} is not allowed)" if wrong else ""
        raise InputError(f"{place}: {name[:60]!r} is not a name{why}; {NAME_RULE}")
