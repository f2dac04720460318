"""How much memory may be used, and the refusal of what needs more, before anything is allocated."""

from __future__ import annotations

import os

from algdim.errors import LimitError
from algdim.figures import size_text

WITHOUT_ANSWER = 4 << 30
"""Allowed on systems that do not say how much memory they have."""


def default_memory() -> int:
    """Half of the machine's memory."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError):
        return WITHOUT_ANSWER


def check_memory(needed: int, allowed: int | None, what: str, advice: str) -> None:
    """Raise `LimitError` if more bytes are needed than allowed (by default half of the machine's memory)."""
    allowed = default_memory() if allowed is None else allowed
    if needed > allowed:
        raise LimitError(f"{what}; {size_text(needed)} are needed and {size_text(allowed)} are allowed; {advice}")
