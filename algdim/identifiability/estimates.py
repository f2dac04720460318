"""What is said beside estimates: whether the model's parameters are identifiable, which are not, degrees of freedom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from algdim.display.results import Compact
from algdim.errors import AlgdimError
from algdim.figures import format_count, format_integer
from algdim.identifiability.answers import prove_all_identified
from algdim.identifiability.degreesoffreedom import Freedom, compute_degrees_of_freedom
from algdim.identifiability.rowspaces import MOST_PARAMETERS, Lost, find_lost_parameters
from algdim.maps import map_of
from algdim.models.anymodel import AnyModel
from algdim.report import Report, dimension
from algdim.trust import BOUNDS_ONLY, PROBABLE, PROVED, Trust

ADVICE = "almost everywhere other values of these have the same distribution; `algdim identify` says which functions of them are determined and what to fix"
"""What is said where parameters are not identifiable."""
MOST_CONDITIONS_NAMED = 4


@dataclass(frozen=True, slots=True)
class Gaps:
    """What the data lack that the statements suppose: these are about complete cases, in every condition."""

    missing: bool = False
    """Whether entries are missing."""
    count: int = 0
    """How many conditions have no case."""
    names: tuple[str, ...] = ()
    """The first ones of these."""

    @property
    def scope(self) -> str:
        """The data that the statements are about, empty where they are about those at hand.

        >>> Gaps(missing=True).scope, Gaps(count=1, names=("Z=1",)).scope, Gaps().scope
        ('complete data', 'data with every condition', '')
        """
        if not self.missing and not self.count:
            return ""
        return f"{'complete ' if self.missing else ''}data{' with every condition' if self.count else ''}"

    def notes(self) -> Iterator[str]:
        """What is said of the data at hand."""
        if self.missing:
            yield "note: entries are missing; whether the data with such gaps determine as much is not decided"
        if self.count:
            more = f" ({format_integer(self.count)} such conditions)" if self.count > len(self.names) else ""
            shown = "; ".join(self.names) + ("; …" if more else "")
            yield f"note: no case has {shown}{more}: parameters that act in such cases alone are starts, not estimates"


NO_GAPS = Gaps()


@dataclass(frozen=True, slots=True, repr=False)
class Identified(Compact):
    """Whether the observed distribution determines the parameters of a fitted model, almost everywhere and locally.

    ``value`` is ``None`` where that is not decided, and ``reason`` says why.
    """

    value: bool | None
    trust: Trust
    lost: Lost | None = None
    """Which are not identifiable; ``None`` where all are, and where there are too many to list."""
    freedom: Freedom | None = None
    parameters: int = 0
    redundant: int = 0
    reason: str = ""
    dimension: int | None = None
    """``None`` where it was not asked for."""
    gaps: Gaps = NO_GAPS
    """What the data lack to which the model was fitted."""

    @property
    def sentence(self) -> str:
        """One sentence."""
        all_of_them = format_count(self.parameters, "parameter")
        if self.value:
            return f"locally identified ({self.trust}): {'the' if self.parameters == 1 else 'all'} {all_of_them}"
        if self.lost is not None:
            return str(self.lost)
        if self.value is False:
            return f"not identified ({self.trust}): some of {all_of_them}, {format_integer(self.redundant)} redundant"
        return f"whether the parameters are identified is not decided: {self.reason}"

    def lines(self) -> Iterator[str]:
        """What is said below estimates."""
        scope = self.gaps.scope
        yield f"of {scope}: {self.sentence}" if scope else self.sentence
        if self.value is False:
            yield f"  {ADVICE}"
        if self.freedom is not None:
            yield f"degrees of freedom{f' of {scope}' if scope else ''}: {self.freedom}"
        yield from self.gaps.notes()

    def to_dict(self) -> dict[str, Any]:
        """The keys that stand in the JSON output beside others."""
        return {
            "identified": self.value,
            "not_identified": None if self.lost is None and self.value is not True else list(self.lost.names if self.lost else ()),
            "identified_trust": None if self.value is None else self.trust.to_dict(),
            "identified_reason": self.reason or None,
            "what_to_do": ADVICE if self.value is False else None,
            "degrees_of_freedom": None if self.freedom is None else self.freedom.to_dict(),
            "identified_of": self.gaps.scope or None,
            "conditions_without_cases": {"count": self.gaps.count, "conditions": list(self.gaps.names)},
        }  # fmt: skip


NOT_ASKED: dict[str, Any] = {
    **dict.fromkeys(("identified", "not_identified", "identified_trust", "identified_reason", "what_to_do")),
    **dict.fromkeys(("degrees_of_freedom", "identified_of", "conditions_without_cases")),
}
"""The same keys where nobody asked."""


def assess_identifiability(model: AnyModel, seed: int | str = 0, max_memory: int | str | None = None) -> Identified:
    """What is said beside the estimates of a model, if it is not too large for that.

    >>> from algdim.models.notation import parse
    >>> print(assess_identifiability(parse("3:2,2,2,2")).sentence)
    not identified (proved): all 14 parameters
    """
    count = len(map_of(model).parameters)
    if count > MOST_PARAMETERS:
        reason = f"with a fit it is not determined for more than {MOST_PARAMETERS} parameters; `algdim dim` does"
        return Identified(None, BOUNDS_ONLY, parameters=count, reason=reason)
    try:
        return derive_identified(dimension(model, seed=seed, max_memory=max_memory), max_memory)
    except AlgdimError as error:
        return Identified(None, BOUNDS_ONLY, parameters=count, reason=str(error))


def derive_identified(report: Report, max_memory: int | str | None = None) -> Identified:
    """What a report says of the parameters.

    >>> from algdim.report import dimension
    >>> print(*derive_identified(dimension("2:2,2,2")).lines(), sep="; ")
    locally identified (proved): all 7 parameters; degrees of freedom: 0 (proved); counting parameters gives 0
    """
    said = decide_identified(report, max_memory)
    return replace(said, dimension=report.dimension)


def decide_identified(report: Report, max_memory: int | str | None) -> Identified:
    """The same without the dimension."""
    pmap = report.preparation.whole_map
    freedom, count = compute_degrees_of_freedom(pmap, report), report.standard
    trust = prove_all_identified(report)
    if trust is not None:
        return Identified(True, trust, freedom=freedom, parameters=count)
    if report.trust.status not in (PROVED, PROBABLE) or report.trust.says_nothing:
        reason = f"the dimension is {report.trust}, of {format_count(count, 'parameter')}"
        return Identified(None, BOUNDS_ONLY, freedom=freedom, parameters=count, reason=reason)
    lost = find_lost_parameters(report, max_memory)
    trust = report.trust if lost is None else lost.trust
    return Identified(False, trust, lost, freedom, count, report.redundant)
