"""The number of parameters with the same observed distribution, where it is finite.

It is the product of the numbers of the districts, where these have no parameter in common. Of a district, or of a whole
model, a theorem says it (lemma "Kruskal", lemma "half-trek"), or it is counted (`algdim.identifiability.solutions`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from algdim.analysis import Prepared
from algdim.errors import LimitError
from algdim.families import identifying
from algdim.figures import counted
from algdim.identifiability.solutions import Count, counted_solutions
from algdim.maps.anymap import Map
from algdim.models.anymodel import AnyModel, why_removed
from algdim.report import Report
from algdim.trust import Trust, known, proved_by, trust_in_all


@dataclass(frozen=True, slots=True)
class Fibre:
    """The number of complex points with the coordinates of a generic point, and how far it is known.

    ``degree`` and ``trust`` are ``None`` if they were not counted; then the reason says why.
    """

    degree: int | None
    reason: str
    trust: Trust | None = None

    def __post_init__(self) -> None:
        if (self.degree is None) != (self.trust is None):
            raise ValueError("a number of solutions has a trust, and nothing else has")

    def __str__(self) -> str:
        """One line."""
        return f"not counted: {self.reason}" if self.degree is None else f"{self.degree} ({self.trust}), {self.reason}"

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        return {"degree": self.degree, **known(self.trust), "reason": self.reason}


def fibre_of(report: Report, seed: int | str) -> Fibre | None:
    """The number of solutions of a model whose dimension is proved to be its number of parameters; ``None`` of others."""
    pmap = report.prepared.whole_map
    if not pmap.parameters or not report.lower.is_proved or report.dimension < len(pmap.parameters):
        return None
    if report.moments is not None:
        return Fibre(None, "the moments taken are not the whole distribution")
    pieces = independent_pieces(report.prepared)
    found: list[Count] = []
    for number, piece in enumerate(pieces):
        try:
            found.append(count_of(piece.model, piece, seed, number))
        except LimitError as error:
            where = f"{of_district(piece)}: " if len(pieces) > 1 else ""
            return Fibre(None, f"{where}{error}")
    return joined(report.prepared, pieces, found)


def independent_pieces(prepared: Prepared) -> Sequence[Map]:
    """The maps of parts that have all parameters and none twice; otherwise the whole map."""
    parts = identifying(prepared.model.family).independent_parts
    return (prepared.whole_map,) if parts is None else parts(prepared)


def of_district(piece: Map) -> str:
    """A district by the names of its variables."""
    model = piece.model
    given = frozenset(getattr(model, "given", ()))
    return f"the district {', '.join(v.name for v in model.variables if v.name not in given)}"


def joined(prepared: Prepared, pieces: Sequence[Map], found: Sequence[Count]) -> Fibre:
    """The product; districts with one solution are not told one by one."""
    if len(found) == 1:
        return Fibre(found[0].number, found[0].how, found[0].trust)
    several = [(piece, one) for piece, one in zip(pieces, found, strict=True) if one.number > 1]
    told = [f"{one.number} of {of_district(piece)} ({one.how})" for piece, one in several]
    reason = "; ".join(told) or f"1 of each of {counted(len(found), 'district')}"
    by_districts = proved_by("fibre", f"{len(found)} districts without a common parameter", "districts")
    allowed = why_removed(prepared.model.family, prepared.reduction.removed)
    trust = trust_in_all([by_districts, *(one.trust for one in found), *allowed])
    return Fibre(prod(one.number for one in found), reason, trust)


def count_of(model: AnyModel, pmap: Map, seed: int | str, number: int) -> Count:
    """The number of solutions of one map, by a theorem where one says it."""
    theorem = identifying(model.family).by_theorem
    found: Count | None = None if theorem is None else theorem(model, pmap, seed)
    return found or counted_solutions(pmap, seed, number)
