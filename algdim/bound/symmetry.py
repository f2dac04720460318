"""Symmetry: directions in which the parameters can move while nothing observed changes (DESIGN: U7).

If v₁, …, v_m are rational vector fields on the parameters with J·v ≡ 0, the dimension is at most the number of
parameters minus the rank of their values at any point, also modulo a prime (lemma "symmetry" in proofs/lemmas.md). The
fields are local: each changes the tables around few hidden variables and leaves the sum over these as it is. Three
sources supply them, cheap ones first:

- `algdim.bound.fields`: a hidden variable between two sides, GL(k) acting on its states;
- `algdim.bound.polynomialfields`: polynomial fields of small degree around one hidden variable;
- `algdim.bound.localmaps`: all fields of a small map around hidden variables, once the rank of that map is proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from algdim.bound.bounds import UPPER, Bound
from algdim.bound.directions import Directions, Point, draw_point, movable_factors, rank_of
from algdim.bound.fields import two_sided
from algdim.bound.setting import Setting
from algdim.figures import big

MOST_HIDDEN = 3000
"""Models with more hidden axes are not searched."""

MOST_SHOWN = 4


def symmetry(setting: Setting) -> Bound | None:
    """The number of parameters minus the rank of the fields found, or ``None`` if no field was found."""
    hidden = hidden_axes(setting)
    if not 0 < len(hidden) <= MOST_HIDDEN or setting.lower >= len(setting.pmap.parameters):
        return None
    point = draw_point(setting)
    found: list[Directions] = []
    rank = 0
    for source in (around_each,):
        found += source(point, hidden)
        rank = rank_of(found, point.prime)
        if len(point.values) - rank <= setting.lower:
            break
    return bound_of(point, found, rank) if rank else None


def hidden_axes(setting: Setting) -> dict[int, list[int]]:
    """The hidden and auxiliary axes, and the factors around each."""
    pmap = setting.pmap
    around: dict[int, list[int]] = {axis: [] for axis in range(len(pmap.sizes)) if axis not in set(pmap.observed)}
    for number, factor in enumerate(pmap.factors):
        for axis in factor.axes:
            if axis in around:
                around[axis].append(number)
    return around


def around_each(point: Point, hidden: dict[int, list[int]]) -> Iterator[Directions]:
    """The fields that act on two sides of one hidden variable."""
    movable = movable_factors(point.pmap)
    for axis, factors in hidden.items():
        yield from two_sided(point, axis, factors, movable)


def bound_of(point: Point, found: Sequence[Directions], rank: int) -> Bound:
    """What fields of this rank prove."""
    parameters = len(point.values)
    names = list(dict.fromkeys(directions.text for directions in found if directions.matrix.any()))
    where = ", ".join(names[:MOST_SHOWN]) + (f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else "")
    directions = "one direction" if rank == 1 else f"{big(rank)} directions"
    return Bound(
        parameters - rank,
        UPPER,
        "symmetry",
        f"{big(parameters)} − {big(rank)}; {directions} around {where} in which nothing observed changes",
        evidence={
            "prime": point.prime,
            "point": point.label,
            "parameters": parameters,
            "rank": rank,
            "fields": [directions.evidence for directions in found if directions.matrix.any()],
        },
    )
