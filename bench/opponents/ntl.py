"""NTL: `gauss` of the full Jacobian modulo a prime of 23 bits. A proved lower bound."""

from __future__ import annotations

from collections.abc import Sequence

from opponents import compiled

NAME = "NTL"
HEADER = "NTL/mat_lzz_p.h"
LIBRARIES = ("-lntl", "-lgmp", "-lpthread")


def missing() -> str:
    """Why it cannot be asked; empty if it can."""
    return compiled.missing(HEADER)


def dimension(classes: int, items: Sequence[int], seed: int) -> tuple[int, float, float, float]:
    """The dimension and the seconds for table, conversion and rank."""
    return compiled.dimension(compiled.compile_program("ntl", LIBRARIES), classes, items, seed, compiled.PRIME)
