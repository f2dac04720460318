"""How much is tested: some each day, everything in `make slow`, which sets ALGDIM_TESTS to "all"."""

from __future__ import annotations

import os

IS_ALL = os.environ.get("ALGDIM_TESTS") == "all"
SHARE = 5


def some(count):
    """How many examples a property test draws: a fifth of them each day, with a fresh seed."""
    return count if IS_ALL else max(3, count // SHARE)


def few(cases, count=3):
    """Of cases that all show the same, the first ones each day."""
    return list(cases) if IS_ALL else list(cases)[:count]
