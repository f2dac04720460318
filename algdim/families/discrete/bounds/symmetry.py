"""Symmetry: directions in which the parameters can move while nothing observed changes.

If v₁, …, v_m are rational vector fields on the parameters with J·v ≡ 0, the dimension is at most the number of
parameters minus the rank of their values at any point, also modulo a prime (lemma "symmetry" in proofs/lemmas.md). The
fields are local: each changes the tables around few hidden variables and leaves the sum over these as it is. Three
sources supply them, cheap ones first:

- `algdim.families.discrete.bounds.fields`: a hidden variable between two sides, GL(k) acting on its states;
- `algdim.families.discrete.bounds.localmaps`: all fields of a small map around hidden variables, once the rank of that map is proved;
- `algdim.families.discrete.bounds.polynomialfields`: polynomial fields of small degree around one hidden variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from algdim.bound.bounds import UPPER, Bound, proved_bound
from algdim.errors import listed
from algdim.exact.arithmetic import Residues
from algdim.exact.draws import point_text, where_drawn
from algdim.families.discrete.bounds.directions import Directions, Known, Point, draw_point, movable_factors, rank_of
from algdim.families.discrete.bounds.fields import two_sided
from algdim.families.discrete.bounds.flattenings import flattenings
from algdim.families.discrete.bounds.localmaps import LocalMaps
from algdim.families.discrete.bounds.polynomialfields import PolynomialFields
from algdim.families.discrete.bounds.search import Setting
from algdim.families.discrete.functionals import random_probes
from algdim.figures import big, counted
from algdim.jacobian import evaluator_of, jacobian_at

MOST_HIDDEN = 3000
"""Models with more hidden axes are not searched."""

MOST_TOGETHER = 3
"""Local maps sum over so many hidden variables at most."""

MOST_SIFTED = 40
"""Of more lists of directions than these, none is left out of the evidence."""

PROBES = 2
MOST_NUMBERS = 1 << 20
"""Directions are not checked at the point where one functional needs more numbers."""

MOST_SHOWN = 4


def symmetry(setting: Setting) -> Bound | None:
    """The number of parameters minus the rank of the fields found, or ``None`` if no field was found."""
    hidden = hidden_axes(setting)
    parameters = len(setting.pmap.parameters)
    if not 0 < len(hidden) <= MOST_HIDDEN or setting.lower >= parameters:
        return None
    point = draw_point(setting)
    known: list[Known] = []
    rank = 0
    for source in sources(setting, point, hidden):
        more = source(known)
        if more:
            known += more
            rank = rank_of([one.directions for one in known], point.prime)
        if parameters - rank <= setting.lower:
            break
    if not rank:
        return None
    found = needed([one.directions for one in known], point.prime)
    check_tangent(setting, point, found)
    return bound_of(setting, point, found, rank)


def sources(
    setting: Setting, point: Point, hidden: dict[int, list[int]]
) -> Iterator[Callable[[Sequence[Known]], list[Known]]]:
    """What supplies fields, given those that are known; cheap ones first."""
    movable = movable_factors(point.pmap)
    yield lambda _: [
        Known(frozenset([directions.text]), directions)
        for axis, factors in hidden.items()
        for directions in two_sided(point, axis, factors, movable)
    ]
    local = LocalMaps(setting, point, (flattenings,))
    yield lambda known: list(local.around(1, known))
    polynomial = PolynomialFields(point)
    yield lambda known: list(polynomial.around_each(known))
    for size in range(2, MOST_TOGETHER + 1):
        yield partial(lambda known, size: list(local.around(size, known)), size=size)


def hidden_axes(setting: Setting) -> dict[int, list[int]]:
    """The hidden and auxiliary axes, and the factors around each."""
    pmap = setting.pmap
    around: dict[int, list[int]] = {axis: [] for axis in range(len(pmap.sizes)) if axis not in set(pmap.observed)}
    for number, factor in enumerate(pmap.factors):
        for axis in factor.axes:
            if axis in around:
                around[axis].append(number)
    return around


def needed(found: list[Directions], prime: int) -> list[Directions]:
    """The directions without those that add nothing to the ones before them; long lists are left as they are."""
    found = [directions for directions in found if directions.matrix.any()]
    if len(found) > MOST_SIFTED:
        return found
    kept: list[Directions] = []
    rank = 0
    for directions in found:
        more = rank_of([*kept, directions], prime)
        if more > rank:
            kept.append(directions)
            rank = more
    return kept


def check_tangent(setting: Setting, point: Point, found: Sequence[Directions]) -> None:
    """Raise if a direction changes the observed distribution at the point: every field has been proved not to."""
    evaluator = evaluator_of(setting.pmap)
    if evaluator.numbers_per_functional > MOST_NUMBERS:
        return
    arithmetic = Residues(point.prime)
    probes = random_probes(setting.pmap, PROBES, point.prime, setting.seed, *setting.labels, "symmetry")
    jacobian = jacobian_at(setting.pmap, arithmetic, arithmetic.elements(point.values), probes, evaluator=evaluator)
    for directions in found:
        changed = arithmetic.matmul(jacobian[:, directions.parameters], arithmetic.elements(directions.matrix.T))
        if changed.any():
            raise RuntimeError(f"a direction around {directions.text} changes the observed distribution")


def bound_of(setting: Setting, point: Point, found: Sequence[Directions], rank: int) -> Bound:
    """What fields of this rank prove."""
    parameters = len(point.values)
    where = listed(dict.fromkeys(directions.text for directions in found), most=MOST_SHOWN)
    return proved_bound(
        parameters - rank,
        UPPER,
        "symmetry",
        f"{big(parameters)} − {big(rank)}; {counted(rank, 'direction')} around {where} in which nothing observed changes",
        "symmetry",
        evidence={
            "prime": point.prime,
            "point": point.label,
            "parameters": parameters,
            "rank": rank,
            "fields": [directions.evidence for directions in found],
        },
        at=where_drawn(point_text(setting.seed, point.label), point.prime),
    )
