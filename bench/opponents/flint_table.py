"""python-flint: the rank of the full Jacobian modulo a prime of 31 bits. A proved lower bound."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

NAME = "python-flint"
PRIME = (1 << 31) - 1


def dimension(classes: int, items: Sequence[int], seed: int) -> tuple[int, float, float, float]:
    """The dimension and the seconds for table, conversion and rank."""
    import flint

    from opponents.full_table import of_residues

    began = perf_counter()
    matrix = of_residues(classes, items, seed, PRIME)
    built = perf_counter()
    # a flat list of Python integers is the quickest way in
    converted = flint.nmod_mat(*matrix.shape, matrix.ravel().tolist(), PRIME)
    ready = perf_counter()
    return converted.rank(), built - began, ready - built, perf_counter() - ready


def missing() -> str:
    """Why it cannot be asked: it is always there."""
    return ""
