"""PARI, by cypari: `matrank` of the full Jacobian modulo a prime of 31 bits. A proved lower bound."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from time import perf_counter

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
    began = perf_counter()
    matrix = of_residues(classes, items, seed, PRIME)
    built = perf_counter()
    converted = pari.matrix(*matrix.shape, matrix.ravel().tolist()) * one
    ready = perf_counter()
    return int(converted.matrank()), built - began, ready - built, perf_counter() - ready
