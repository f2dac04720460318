"""sympy: the rank of the full Jacobian modulo a prime of 31 bits as a DomainMatrix. A proved lower bound.

`Matrix.rank()` of the Jacobian in symbols, what sympy's own tutorial would lead to, does not end within minutes even
for 4:3^3; a user who knows sympy's domains puts in numbers first and ranks over a finite field, as here.
"""

from __future__ import annotations

from collections.abc import Sequence

from measuring import clock

NAME = "sympy"
PRIME = (1 << 31) - 1


def dimension(classes: int, items: Sequence[int], seed: int) -> tuple[int, float, float, float]:
    """The dimension and the seconds for table, conversion and rank."""
    from sympy import GF
    from sympy.polys.matrices import DomainMatrix

    from opponents.full_table import of_residues

    field = GF(PRIME)
    began = clock()
    matrix = of_residues(classes, items, seed, PRIME)
    built = clock()
    converted = DomainMatrix([[field(value) for value in row] for row in matrix.tolist()], matrix.shape, field)
    ready = clock()
    return converted.rank(), built - began, ready - built, clock() - ready


def missing() -> str:
    """Why it cannot be asked: it is always there."""
    return ""
