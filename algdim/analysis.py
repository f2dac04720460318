"""ANALYSE: a model taken apart, its maps made, and both bounds of its dimension found; what every answer begins with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter
from typing import Any

from algdim.bound.strategy import DISTRICTS, KNOWN, Effort, Finding, combined, examine
from algdim.families import family_of
from algdim.families.contract import Part
from algdim.maps import Map, map_of
from algdim.models.anymodel import AnyModel, without_irrelevant
from algdim.trust import Remark


@dataclass(frozen=True, slots=True, eq=False)
class Reduction:
    """What is left of a model that has the same distributions, by fewer variables and simpler locals.

    ``relevant`` is the model without those ``removed``, ``smaller`` has simpler locals as well if it says that in ``simplified``.
    """

    relevant: Any
    removed: tuple[str, ...]
    smaller: Any
    simplified: Remark | None


@dataclass(frozen=True, slots=True, eq=False)
class PartFound:
    """One of the parts whose dimensions add up, what was found of it, and how long that took."""

    part: Part
    finding: Finding
    seconds: float


@dataclass(frozen=True, eq=False)
class Analysis:
    """A model, its reduction, the map of what is left, the parts with what was found of each, and of the whole.

    There are no parts where the whole map is one; a map that is split into one part only has the note of this part.
    """

    model: AnyModel
    reduction: Reduction
    pmap: Map
    parts: tuple[PartFound, ...]
    finding: Finding
    effort: Effort
    note: Remark

    @cached_property
    def whole_map(self) -> Map:
        """The map of the model as it was given; the same where nothing was left out."""
        same = self.reduction.smaller is self.model
        return self.pmap if same else map_of(self.model)


def reduced(model: AnyModel) -> Reduction:
    """Remove what cannot matter, and put simpler locals where they are as good."""
    relevant, removed = without_irrelevant(model)
    simplify = family_of(model.family).simplified
    smaller, simplified = (relevant, None) if simplify is None else simplify(relevant)
    return Reduction(relevant, removed, smaller, simplified)


def analyse(model: AnyModel, effort: Effort) -> Analysis:
    """Take a model apart and find both bounds of its dimension."""
    reduction, family = reduced(model), family_of(model.family)
    pmap = map_of(reduction.smaller, model)
    # the papers' own method takes the whole matrix, unless districts are asked for
    wanted = DISTRICTS in effort.bounds and not (effort.method == "rowreduce" and effort.bounds == KNOWN)
    parts = family.split(reduction.smaller, pmap, model) if wanted and family.split is not None else ()
    several = replace(effort, parts=len(parts))
    found = tuple(examine_part(part, several) for part in parts) if len(parts) > 1 else ()
    finding = by_parts(found, pmap, effort) if found else examine(pmap, effort)
    note = Remark() if family.note is None else family.note(pmap)
    note = Remark(parts[0].note) if len(parts) == 1 else note
    return Analysis(model, reduction, pmap, found, finding, effort, note)


def by_parts(found: Sequence[PartFound], whole: Map, effort: Effort) -> Finding:
    """What the parts together say of the whole, each called by its variables."""
    names = [subject_of(one.part.pmap.model) for one in found]
    return combined([one.finding for one in found], names, whole, effort)


def subject_of(model: Any) -> str:
    """The variables of a district: its members given its parents outside."""
    given = model.given
    members = ",".join(variable.name for variable in model.variables if variable.name not in given)
    return f"{members}|{','.join(given)}" if given else members


def examine_part(part: Part, effort: Effort) -> PartFound:
    """What is found of one part; its draws have labels of their own."""
    began = perf_counter()
    model = part.pmap.model
    first = next(variable.name for variable in model.variables if variable.name not in model.given)
    return PartFound(part, examine(part.pmap, effort, labels=("part", first)), perf_counter() - began)
