"""A model made ready, its maps made once, and both bounds of its dimension found; what every answer begins with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any, NamedTuple

from algdim.bound.strategy import DISTRICTS, KNOWN, Effort, Finding, find_both_bounds, join_findings
from algdim.families import load_family
from algdim.families.contract import Part
from algdim.maps import Map, map_of
from algdim.models.anymodel import AnyModel, remove_irrelevant
from algdim.trust import Remark


class Reduction(NamedTuple):
    """What is left of a model that has the same distributions, by fewer variables and simpler locals.

    ``relevant`` is the model without those ``removed``, ``smaller`` has simpler locals as well if it says that in ``simplified``.
    """

    relevant: Any
    removed: tuple[str, ...]
    smaller: Any
    simplified: Remark | None


class PartFound(NamedTuple):
    """One of the parts whose dimensions add up, what was found of it, and how long that took."""

    part: Part
    finding: Finding
    seconds: float


@dataclass(frozen=True, eq=False)
class Prepared:
    """A model made ready: reduced, mapped, split. Nothing is drawn yet, and each map is made once."""

    model: AnyModel

    @cached_property
    def reduction(self) -> Reduction:
        """What is left of the model."""
        return reduce_model(self.model)

    @cached_property
    def pmap(self) -> Map:
        """The map of what is left."""
        return map_of(self.reduction.smaller, self.model)

    @cached_property
    def relevant_map(self) -> Map:
        """The map of the variables that matter, with the locals that they were given."""
        return map_of(self.reduction.relevant, self.model) if self.reduction.simplified else self.pmap

    @cached_property
    def whole_map(self) -> Map:
        """The map of the model as it was given; the same where nothing was left out."""
        return self.pmap if self.reduction.smaller is self.model else map_of(self.model)

    @cached_property
    def parts(self) -> Sequence[Part]:
        """The parts of the map whose dimensions add up; none where models of the family are not split."""
        return self.split(self.pmap)

    @cached_property
    def relevant_parts(self) -> Sequence[Part]:
        """The same of the map with the locals that were given."""
        return self.split(self.relevant_map) if self.reduction.simplified else self.parts

    def split(self, pmap: Map) -> Sequence[Part]:
        """The parts of a map."""
        return load_family(self.model.family).split(pmap.model, pmap, self.model)


class Analysis(NamedTuple):
    """A model made ready, the parts with what was found of each, and of the whole.

    There are no parts where the whole map is one; a map that is split into one part only has the note of this part.
    """

    prepared: Prepared
    parts: tuple[PartFound, ...]
    finding: Finding
    effort: Effort
    note: Remark

    @property
    def model(self) -> AnyModel:
        """The model as it was given."""
        return self.prepared.model


def reduce_model(model: AnyModel) -> Reduction:
    """Remove what cannot matter, and put simpler locals where they are as good."""
    relevant, removed = remove_irrelevant(model)
    simplify = load_family(model.family).simplify
    smaller, simplified = (relevant, None) if simplify is None else simplify(relevant)
    return Reduction(relevant, removed, smaller, simplified)


def analyse(prepared: Prepared, effort: Effort) -> Analysis:
    """Find both bounds of the dimension of a model."""
    pmap, family = prepared.pmap, load_family(prepared.model.family)
    # the papers' own method takes the whole matrix, unless districts are asked for
    wanted = DISTRICTS in effort.bounds and not (effort.method == "rowreduce" and effort.bounds == KNOWN)
    parts = prepared.parts if wanted else ()
    found: tuple[PartFound, ...] = ()
    if len(parts) > 1:
        several = effort._replace(parts=len(parts))
        found = tuple(find_part_bounds(part, several) for part in parts)
    finding = join_parts(found, pmap, effort) if found else find_both_bounds(pmap, effort)
    note = Remark(parts[0].note) if len(parts) == 1 else family.describe_map(pmap)
    return Analysis(prepared, found, finding, effort, note)


def join_parts(found: Sequence[PartFound], whole: Map, effort: Effort) -> Finding:
    """What the parts together say of the whole, each called by its variables."""
    names = [name_district(one.part.model) for one in found]
    return join_findings([one.finding for one in found], names, whole, effort)


def name_district(model: Any) -> str:
    """The variables of a district: its members given its parents outside."""
    given = model.given
    members = ",".join(variable.name for variable in model.variables if variable.name not in given)
    return f"{members}|{','.join(given)}" if given else members


def find_part_bounds(part: Part, effort: Effort) -> PartFound:
    """What is found of one part; its draws have labels of their own."""
    began = perf_counter()
    finding = None if part.counted is None else part.counted.find(effort)
    finding = finding or find_both_bounds(part.pmap, effort, make_draw_labels(part))
    return PartFound(part, finding, perf_counter() - began)


def make_draw_labels(part: Part) -> tuple[str, ...]:
    """What tells the draws of a part from those of others: its first variable."""
    model = part.model
    return "part", next(variable.name for variable in model.variables if variable.name not in model.given)
