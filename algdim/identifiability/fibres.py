"""The number of parameters with the same observed distribution, where it is finite.

It is the product of the numbers of the districts, where these have no parameter in common. Of a district, or of a whole
model, a theorem says it (lemma "Kruskal", lemma "half-trek"), or it is counted (`algdim.identifiability.solutions`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import factorial, prod
from typing import Any

from algdim.errors import LimitError, listed
from algdim.families.discrete.districts import split
from algdim.families.discrete.locals.sigmoid import with_free_tables
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.map import ParamMap
from algdim.families.discrete.model import Network
from algdim.families.gaussian.halftrek import IDENTIFIABLE, MOST_VARIABLES, half_trek, is_about_half_treks
from algdim.families.gaussian.map import GaussianMap
from algdim.figures import counted
from algdim.identifiability.kinds import determined
from algdim.identifiability.solutions import Count, counted_solutions
from algdim.maps.anymap import Map, map_of
from algdim.models.anymodel import AnyModel, why_removed, without_irrelevant
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


def fibre_of(model: AnyModel, pmap: Map, report: Report, seed: int | str) -> Fibre | None:
    """The number of solutions of a model whose dimension is proved to be its number of parameters; ``None`` of others."""
    if not pmap.parameters or not report.lower.is_proved or report.dimension < len(pmap.parameters):
        return None
    if report.moments is not None:
        return Fibre(None, "the moments taken are not the whole distribution")
    pieces = independent_pieces(model, pmap)
    found: list[Count] = []
    for number, piece in enumerate(pieces):
        try:
            found.append(count_of(piece.model, piece, seed, number))
        except LimitError as error:
            where = f"{of_district(piece)}: " if len(pieces) > 1 else ""
            return Fibre(None, f"{where}{error}")
    return joined(model, pieces, found)


def independent_pieces(model: AnyModel, pmap: Map) -> Sequence[Map]:
    """The maps of the districts, if these have all parameters and none twice; otherwise the whole map."""
    if not isinstance(model, Network):
        return (pmap,)
    smaller, full = with_free_tables(without_irrelevant(model)[0])
    if full:
        return (pmap,)
    whole = map_of(smaller, model)
    pieces = [part.pmap for part in split(smaller, whole, model)] if isinstance(whole, ParamMap) else []
    pieces = [piece for piece in pieces if piece.parameters]
    names = sorted(name for piece in pieces for name in piece.parameters)
    return pieces if len(pieces) > 1 and names == sorted(pmap.parameters) else (pmap,)


def of_district(piece: Map) -> str:
    """A district by the names of its variables."""
    model = piece.model
    given = frozenset(model.given) if isinstance(model, Network) else frozenset()
    return f"the district {', '.join(v.name for v in model.variables if v.name not in given)}"


def joined(model: AnyModel, pieces: Sequence[Map], found: Sequence[Count]) -> Fibre:
    """The product; districts with one solution are not told one by one."""
    if len(found) == 1:
        return Fibre(found[0].number, found[0].how, found[0].trust)
    several = [(piece, one) for piece, one in zip(pieces, found, strict=True) if one.number > 1]
    told = [f"{one.number} of {of_district(piece)} ({one.how})" for piece, one in several]
    reason = "; ".join(told) or f"1 of each of {counted(len(found), 'district')}"
    by_districts = proved_by("fibre", f"{len(found)} districts without a common parameter", "districts")
    allowed = why_removed(model.family, without_irrelevant(model)[1])
    trust = trust_in_all([by_districts, *(one.trust for one in found), *allowed])
    return Fibre(prod(one.number for one in found), reason, trust)


def count_of(model: AnyModel, pmap: Map, seed: int | str, number: int) -> Count:
    """The number of solutions of one map."""
    return by_theorem(model, pmap, seed) or counted_solutions(pmap, seed, number)


def by_theorem(model: AnyModel, pmap: Map, seed: int | str) -> Count | None:
    """The number of solutions where a theorem says it."""
    if isinstance(pmap, GaussianMap):
        if is_about_half_treks(pmap) and len(pmap.model.variables) <= MOST_VARIABLES:
            found = half_trek(pmap.model)
            if found.verdict == IDENTIFIABLE:
                how = "the half-trek criterion: every entry is a rational function of the covariances"
                sets = "; ".join(f"{name} from {', '.join(members)}" for name, members in found.sets if members)
                return Count(1, how, proved_by("half-trek", f"in the order {', '.join(found.order)}: {sets}"))
        return None
    if isinstance(model, Network) and getattr(pmap, "kept", None) is None:
        alone = without_covariates(model)
        unique = None if alone is None else determined(alone, seed)
        if unique is not None:
            how = f"the relabellings of {unique.classes} {'class' if unique.classes == 1 else 'classes'}"
            same = (
                [proved_by("Kruskal", f"given {listed(model.given)}, on which the class alone depends")]
                if model.given
                else []
            )
            return Count(factorial(unique.classes), how, trust_in_all([unique.trust, *same]))
    return None


def without_covariates(model: Network) -> Network | None:
    """The model without the variables that are conditioned on, if these are parents of hidden variables alone."""
    given = frozenset(model.given)
    if any(v.observed and given.intersection(v.parents) for v in model.variables):
        return None
    kept = [
        replace(v, parents=() if given.issuperset(v.parents) else v.parents)
        for v in model.variables
        if v.name not in given
    ]
    return Network(tuple(kept)) if all(v.local == FREE for v in kept) else None
