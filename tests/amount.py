"""How much is tested: some each day, everything by `make slow`, which sets ALGDIM_TESTS to "all" and takes what is slow."""

from __future__ import annotations

import os

import pytest

IS_ALL = os.environ.get("ALGDIM_TESTS") == "all"
SHARE = 5


def some(count):
    """How many examples a property test draws: a fifth of them each day, with a fresh seed."""
    return count if IS_ALL else max(3, count // SHARE)


def few(cases, count=3):
    """Of cases that all show the same, the first ones each day; the others are slow. A tuple has one value per argument."""
    cases = list(cases)
    rest = [case if isinstance(case, tuple) else (case,) for case in cases[count:]]
    return cases[:count] + [pytest.param(*values, marks=pytest.mark.slow) for values in rest]
