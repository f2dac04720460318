"""How much memory may be used, and the refusal of what needs more, before anything is allocated."""

from __future__ import annotations

import os
import re
from contextlib import AbstractContextManager
from functools import cache

from algdim.errors import InputError
from algdim.figures import format_bytes
from algdim.limits import (
    CURRENT,
    PER_ANSWER,
    Allowance,
    AllowancePerAnswer,
    MemoryLimitError,
    allowing,
    allowing_each,
    check_seconds,
)

ALLOW_MORE = "allow more (--max-memory)"
OR_PROBES = f"{ALLOW_MORE} or use the method probes"
"""Advice for a table of all cells whose cells are not wanted for themselves."""

WITHOUT_ANSWER = 4 << 30
"""Allowed on systems that do not say how much memory they have."""


SIZE = re.compile(r"([0-9]{1,15})([kKMGT]?)B?")
SCALES = {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def parse_memory_size(size: int | str) -> int:
    """A number of bytes, or a text such as 500M or 4G, in bytes.

    >>> parse_memory_size("4G"), parse_memory_size("500MB"), parse_memory_size(1000)
    (4000000000, 500000000, 1000)
    """
    if isinstance(size, int) and not isinstance(size, bool) and size >= 0:
        return size
    match = SIZE.fullmatch(size) if isinstance(size, str) else None
    if match is None:
        raise InputError(f"{size!r} is not a size of memory; write a number of bytes, or for example 500M or 4G")
    return int(match[1]) * SCALES[match[2]]


def choose_memory_limit(size: int | str | None) -> int:
    """The memory that may be used: what is given, or what the command has, or each of its answers, or the default."""
    if size is not None:
        return parse_memory_size(size)
    for known in (CURRENT.get(), PER_ANSWER.get()):
        if known is not None and known.memory is not None:
            return known.memory
    return compute_default_memory()


def allow(max_seconds: float | None, max_memory: int | str | None) -> AbstractContextManager[Allowance]:
    """Give what is done inside so many seconds for searches and so much memory, unless who calls has given some already."""
    return allowing(Allowance(check_seconds(max_seconds), choose_memory_limit(max_memory)))


def allow_each(max_seconds: float | None, max_memory: int | str | None) -> AbstractContextManager[AllowancePerAnswer]:
    """Give each answer that is computed inside so many seconds for searches, and so much memory."""
    return allowing_each(AllowancePerAnswer(check_seconds(max_seconds), choose_memory_limit(max_memory)))


@cache
def compute_default_memory() -> int:
    """Half of the machine's memory."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError):
        return WITHOUT_ANSWER


def check_memory(needed: int, allowed: int | None, what: str, advice: str) -> None:
    """Raise `MemoryLimitError` if more bytes are needed than allowed: by default what the command has, or half of the machine's."""
    allowed = choose_memory_limit(None) if allowed is None else allowed
    if needed > allowed:
        raise MemoryLimitError(
            f"{what}; {format_bytes(needed)} are needed and {format_bytes(allowed)} are allowed; {advice}"
        )
