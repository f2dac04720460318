"""What identifies parameters at a given point: the exact Jacobian there, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from algdim.bound.families import FAMILIES
from algdim.errors import InputError, listed
from algdim.exact.flint import row_reduce_by_flint
from algdim.exact.inverses import SingularError
from algdim.identifiability.inside import is_inside
from algdim.maps.anymap import Map
from algdim.maps.factors import ParamMap
from algdim.memory import ALLOW_MORE
from algdim.models.anymodel import AnyModel
from algdim.models.sigmoid import Sigmoid
from algdim.rank import rational_jacobian
from algdim.report import Report, has_local, source_text
from algdim.trust import PROBABLE, PROVED, round_up

NAMES_SHOWN = 8


@dataclass(frozen=True, slots=True)
class AtPoint:
    """The verdicts at a point; ``None`` where the Jacobian there does not decide.

    At a point of the generic rank a parameter that is generically identifiable is identifiable, and one that a kernel vector
    changes is not if the point is no boundary point, such as one with a probability of 0: there what has the same coordinates
    may be outside. Of one that moves generically, but not to first order here, nothing is known. At any other point only full
    rank decides.
    """

    rank: int
    regular: bool | None
    """Whether the rank is the generic one; ``None`` where that is not known."""
    source: str
    identifiable: tuple[tuple[str, bool | None], ...]
    error: float | None = None
    """The chance that the generic verdicts behind these are wrong; ``None`` if they are proved, or not needed."""

    def named(self, value: bool | None) -> tuple[str, ...]:
        """The parameters with a verdict."""
        return tuple(name for name, verdict in self.identifiable if verdict is value)

    def lines(self) -> Iterator[str]:
        """The verdicts for people."""
        words = {
            True: "the point is regular",
            False: "the point is not regular",
            None: "whether that is the generic rank is not known",
        }
        trust = "" if self.error is None else f" (error below {round_up(self.error):.0e})"
        yield f"at the parameters of {self.source}: rank {self.rank}, {words[self.regular]}{trust}"
        for value, text in (
            (True, "identifiable there"),
            (False, "not identifiable there"),
            (None, "not decided there"),
        ):
            if self.named(value):
                yield f"  {text}: {listed(self.named(value), most=NAMES_SHOWN)}"

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        return {
            "rank": self.rank,
            "regular": self.regular,
            "source": self.source,
            "identifiable": dict(self.identifiable),
            "status": PROVED if self.error is None else PROBABLE,
            "error": self.error,
        }


def at_point(
    model: AnyModel,
    pmap: Map,
    report: Report,
    generic: Sequence[tuple[bool | None, float | None]],
    source: Any,
    max_memory: int,
) -> AtPoint:
    """The verdicts at the parameters of a file, from the exact Jacobian."""
    if isinstance(pmap, ParamMap) and has_local(pmap.model, Sigmoid):
        raise InputError(
            "verdicts at given parameters are not available for networks with sigmoid variables; leave --at out"
        )
    family = FAMILIES[model.family]
    point = family.point(pmap, source, model)
    try:
        matrix = rational_jacobian(pmap, point, max_memory, ALLOW_MORE)
    except SingularError:
        raise InputError(f"the map has no value at the given parameters: {family.no_value}") from None
    reduced = row_reduce_by_flint(matrix.tolist())
    pivots = {column: row for row, column in reduced.pivots}
    free = [column for column in range(len(pmap.parameters)) if column not in pivots]
    rank, errors = len(pivots), [error for _, error in generic if error is not None]
    if rank == len(pmap.parameters):
        return AtPoint(rank, True, source_text(source), tuple((name, True) for name in pmap.parameters))
    is_known = rank < report.lower.value or all(known is not None for known, _ in generic)
    is_regular = rank == report.dimension if is_known else None
    interior = is_inside(pmap, point, strictly=True)

    def verdict(place: int) -> bool | None:
        if not is_regular or generic[place][0]:
            return True if is_regular else None
        changes = place not in pivots or any(reduced.matrix[pivots[place]][column] for column in free)
        return False if changes and interior else None

    found = tuple((name, verdict(place)) for place, name in enumerate(pmap.parameters))
    return AtPoint(rank, is_regular, source_text(source), found, max(errors) if errors and is_regular else None)
