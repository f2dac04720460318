"""Symmetries of larger surroundings: local maps whose rank a normal form or a margin proves (lemma "symmetry").

`symmetry` asks flattenings only for the rank of a local map, and goes to three hidden variables. Where that does not
suffice, this search goes on, to more of them and with stronger bounds, for as many maps as its limits allow.
"""

from __future__ import annotations

from algdim.bound.bounds import Bound
from algdim.families.discrete.bounds.differences import bound_by_differences
from algdim.families.discrete.bounds.directions import Known, draw_point, rank_of
from algdim.families.discrete.bounds.margins import bound_by_margins
from algdim.families.discrete.bounds.normalforms import bound_by_normal_form
from algdim.families.discrete.bounds.search import Setting
from algdim.families.discrete.bounds.symmetry import (
    LocalMaps,
    drop_idle_directions,
    find_hidden_axes,
    iterate_field_sources,
    make_symmetry_bound,
)
from algdim.limits import has_time

NAME = "surroundings"
MOST_TOGETHER = 6
"""Hidden variables of one local map."""
MOST_PARAMETERS = 400
"""Larger models are not searched."""
MOST_CELLS = 128
"""Of a local map whose margins are looked at."""
MOST_FAILED = 1
"""Local maps of which nothing proves the rank, after which nothing more is tried."""


def bound_by_surroundings(setting: Setting) -> Bound | None:
    """The number of parameters less the rank of the fields found, if that is the rank at a point; nothing else is of use."""
    hidden, count = find_hidden_axes(setting), setting.pmap.parameter_count
    if not hidden or not setting.lower < count <= MOST_PARAMETERS:
        return None
    point = draw_point(setting)
    known: list[Known] = []
    for source in iterate_field_sources(setting, point, hidden):
        known += source(known)
    failed = 0

    def prove_rank(inner: Setting) -> Bound | None:
        """A bound that is the rank of a local map."""
        nonlocal failed
        small = [bound_by_margins] if inner.pmap.cells <= MOST_CELLS else []
        for search in (bound_by_normal_form, *small, bound_by_differences) if failed < MOST_FAILED else ():
            bound = search(inner)
            if bound is not None and bound.value <= inner.lower:
                return bound
        failed += 1
        return None

    local = LocalMaps(setting, point, (prove_rank,))
    for size in range(1, min(MOST_TOGETHER, len(hidden) - 1) + 1):
        known += local.around(size, known)
        rank = rank_of([one.directions for one in known], point.prime)
        if count - rank <= setting.lower:
            return make_symmetry_bound(
                setting, point, drop_idle_directions([one.directions for one in known], point.prime), rank
            )
        if failed >= MOST_FAILED or not has_time():
            return None
    return None
