"""The exact rank of a tiny model's Jacobian over the rational functions (lemma "symbolic" in proofs/lemmas.md)."""

from __future__ import annotations

from algdim.bound.bounds import UPPER, Bound
from algdim.bound.setting import Setting
from algdim.errors import LimitError
from algdim.exact.polynomials import generic_rank, polynomials
from algdim.jacobian import jacobian_at
from algdim.maps.functionals import all_cells

MOST_PARAMETERS = 20
MOST_ENTRIES = 800
MOST_TERMS = 400_000
"""A product of two polynomials with more terms ends the search."""


def symbolic(setting: Setting) -> Bound | None:
    """Fraction-free elimination; ``None`` where the model or a polynomial on the way is too large."""
    pmap = setting.pmap
    count = len(pmap.parameters)
    if count > MOST_PARAMETERS or pmap.cells * count > MOST_ENTRIES:  # so few parameters make few terms
        return None
    arithmetic, point = polynomials(count)
    matrix = jacobian_at(pmap, arithmetic, point, all_cells(pmap))
    try:
        rows, _ = generic_rank(matrix.tolist(), MOST_TERMS)
    except LimitError:
        return None
    reason = (
        f"every greater minor of the {pmap.cells} × {count} Jacobian is the zero polynomial (fraction-free elimination)"
    )
    return Bound(len(rows), UPPER, "symbolic", reason)
