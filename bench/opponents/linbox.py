"""LinBox as Sage has it, by passagemath: the rank of the full Jacobian modulo a prime of 23 bits. A proved lower bound."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from measuring import clock

NAME = "Sage's LinBox"
PRIME = 8388593  # LinBox's dense matrices are for primes below 2^23


def missing() -> str:
    """Why it cannot be asked; empty if it can."""
    parts = ("sage.all__sagemath_linbox", "sage.libs.pari")
    try:
        absent = any(find_spec(part) is None for part in parts)
    except ModuleNotFoundError:
        absent = True
    return "passagemath-linbox and passagemath-pari are not installed" if absent else ""


def dimension(classes: int, items: Sequence[int], seed: int) -> tuple[int, float, float, float]:
    """The dimension and the seconds for table, conversion and rank."""
    import sage.all__sagemath_linbox  # noqa: F401 (loads what the others need)
    from sage.matrix.constructor import matrix as sage_matrix
    from sage.rings.finite_rings.finite_field_constructor import GF

    from opponents.full_table import of_residues

    field = GF(PRIME)
    began = clock()
    matrix = of_residues(classes, items, seed, PRIME)
    built = clock()
    converted = sage_matrix(field, *matrix.shape, matrix.ravel().tolist())
    ready = clock()
    return int(converted.rank()), built - began, ready - built, clock() - ready
