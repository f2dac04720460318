"""An answer of the program, and whether it is true: the record that all judges share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

PROVED, PROBABLE, UNDECIDED = "proved", "probable", "undecided"


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: its kind, how far the program says it is known, whether it is true, and what is wrong with it.

    ``right`` is ``None`` where the referee could not read or judge it.
    """

    kind: str
    status: str
    right: bool | None
    text: str

    def is_false(self, *, proved_only: bool) -> bool:
        """Whether the program called something known that is false; with ``proved_only`` chance may have failed."""
        return self.right is False and (self.status == PROVED or (self.status == PROBABLE and not proved_only))


def judged(kind: str, status: str, right: bool, text: str) -> Answer:
    """An answer that was compared with the truth; the text is kept where it is false."""
    return Answer(kind, status, bool(right), "" if right else text)


def unread(kind: str, text: str) -> Answer:
    """An answer that the referee does not understand."""
    return Answer(kind, UNDECIDED, None, text)


def status_of(said: Mapping[str, Any], exact: str = "") -> str:
    """How far a part of the JSON is said to be known: by its status, or by a key that says whether it is exact."""
    status = said.get("status")
    if isinstance(status, str):
        error = said.get("error")
        if status == PROBABLE and error is not None and error >= TINY:
            return UNDECIDED
        return status if status in (PROVED, PROBABLE) else UNDECIDED
    if exact and exact in said:
        return PROVED if said[exact] else UNDECIDED
    return UNDECIDED


TINY = 1e-3
"""A probability of error from here on is no statement."""
