"""PARI, by cypari: `matrank` of the full Jacobian modulo a prime of 31 bits. A proved lower bound."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from measuring import clock

NAME = "PARI"
PRIME = (1 << 31) - 1
MEMORY = 6 << 30


def missing() -> str:
    """Why it cannot be asked; empty if it can."""
    return "" if find_spec("cypari") else "cypari is not installed"


def dimension(classes: int, items: Sequence[int], seed: int) -> tuple[int, float, float, float]:
    """The dimension and the seconds for table, conversion and rank."""
    from cypari import pari

    from opponents.full_table import of_residues

    pari.allocatemem(1 << 28, MEMORY, silent=True)
    one = pari(f"Mod(1, {PRIME})")
    began = clock()
    matrix = of_residues(classes, items, seed, PRIME)
    built = clock()
    converted = pari.matrix(*matrix.shape, matrix.ravel().tolist()) * one
    ready = clock()
    return int(converted.matrank()), built - began, ready - built, clock() - ready
