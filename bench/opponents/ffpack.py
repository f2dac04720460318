"""FFLAS-FFPACK, the library behind LinBox's dense ranks: the rank of the full Jacobian modulo a prime of 23 bits. A proved lower bound."""

from __future__ import annotations

from collections.abc import Sequence

from opponents import compiled

NAME = "FFLAS-FFPACK"
HEADER = "fflas-ffpack/fflas-ffpack.h"
LIBRARIES = ("-lblas", "-llapack", "-lgivaro", "-lgmpxx", "-lgmp")


def missing() -> str:
    """Why it cannot be asked; empty if it can."""
    return compiled.missing(HEADER)


def compile_program() -> str:
    """The program that asks it."""
    return compiled.compile_program("ffpack", LIBRARIES)


def dimension(classes: int, items: Sequence[int], seed: int) -> tuple[int, float, float, float]:
    """The dimension and the seconds for table, conversion and rank."""
    return compiled.dimension(compile_program(), classes, items, seed, compiled.PRIME)
