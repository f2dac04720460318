"""The exact rank of a tiny model's Jacobian over the rational functions (lemma "symbolic" in proofs/lemmas.md)."""

from __future__ import annotations

from collections.abc import Iterable

from algdim.bound.bounds import LOWER, UPPER, Bound, prove_bound
from algdim.errors import LimitError
from algdim.jacobian import compute_symbolic_jacobian, make_evaluator
from algdim.limits import MemoryLimitError, get_allowance
from algdim.maps import Map
from algdim.rank import PROVES_BOTH, Draw

KIND = LEMMA = "symbolic"
MOST_PARAMETERS = 20
MOST_ENTRIES = 800
MOST_COORDINATE_TERMS = 1 << 60  # so few parameters make few terms
MOST_TERMS = 400_000
"""A product of two polynomials with more terms ends the search."""


def bound_symbolically(pmap: Map, value: int) -> tuple[Bound, ...]:
    """Both bounds by fraction-free elimination, lower first; where the map or a polynomial on the way is too large, an upper one by interpolated fields."""
    found = eliminate(pmap) if is_small(pmap) else ()
    if found:
        return found
    from algdim.bound.interpolation import bound_by_interpolation

    interpolated = bound_by_interpolation(pmap, value)
    return () if interpolated is None else (interpolated,)


def eliminate(pmap: Map) -> tuple[Bound, ...]:
    """Both bounds by fraction-free elimination; none where a polynomial on the way is too large."""
    from algdim.exact.polynomials import find_generic_rank

    try:
        rows, _ = find_generic_rank(
            compute_symbolic_jacobian(pmap, make_evaluator(pmap), MOST_COORDINATE_TERMS), MOST_TERMS
        )
    except LimitError as error:
        allowance = get_allowance()
        if isinstance(error, MemoryLimitError) and allowance.running:  # other searches go on, and this one is named
            allowance.leave(str(error))
        return ()
    rank = len(rows)
    jacobian = f"the {pmap.coordinate_count} × {pmap.parameter_count} Jacobian"
    nonzero = f"a {rank}-minor of {jacobian} is not the zero polynomial (fraction-free elimination)"
    greater = f"every greater minor of {jacobian} is the zero polynomial (fraction-free elimination)"
    return (
        prove_bound(rank, LOWER, KIND, nonzero, LEMMA),
        prove_bound(rank, UPPER, KIND, greater, LEMMA),
    )


def is_small(pmap: Map) -> bool:
    """Whether a model is small enough for elimination over the polynomials to be tried."""
    return pmap.parameter_count <= MOST_PARAMETERS and pmap.coordinate_count * pmap.parameter_count <= MOST_ENTRIES


def bound_by_elimination(draws: Iterable[Draw], value: int) -> Bound | None:
    """The bound by a rank that was taken over the rational functions, ``None`` if none was."""
    if not any(draw.proves == PROVES_BOTH for draw in draws):
        return None
    reason = "all greater minors are the zero polynomial (fraction-free elimination over the polynomials)"
    return prove_bound(value, UPPER, KIND, reason, LEMMA)
