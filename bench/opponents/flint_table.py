"""python-flint: the rank of the full Jacobian modulo a prime of 31 bits. A proved lower bound."""

from __future__ import annotations

from collections.abc import Sequence

from measuring import clock

NAME = "python-flint"
PRIME = (1 << 31) - 1


def dimension(classes: int, items: Sequence[int], seed: int) -> tuple[int, float, float, float]:
    """The dimension and the seconds for table, conversion and rank."""
    import flint

    from opponents.full_table import of_residues

    began = clock()
    matrix = of_residues(classes, items, seed, PRIME)
    built = clock()
    # a flat list of Python integers is the quickest way in
    converted = flint.nmod_mat(*matrix.shape, matrix.ravel().tolist(), PRIME)
    ready = clock()
    return converted.rank(), built - began, ready - built, clock() - ready


def missing() -> str:
    """Why it cannot be asked: it is always there."""
    return ""
