"""Degrees of freedom of a model against the saturated one: by counting parameters, and right.

The right number is the dimension of the saturated model, less cells that are structural zeros, less the dimension of the
model. Sampling zeros, cells that could occur and do not, are named; they do not change the number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from algdim.display.results import Compact, Plain
from algdim.errors import InputError
from algdim.families import load_identifying
from algdim.figures import format_count, format_integer
from algdim.maps import Map
from algdim.report import Report
from algdim.trust import BOUNDED, BOUNDS_ONLY, Trust, bounds_only, proved_by, trust_in_all

NOT_KNOWN = "not known: too many cells to find the impossible ones"
MOST_NAMED = 1000
NAMES_SHOWN = 4
MOST_SHOWN = 1 << 20
"""Bounds of degrees of freedom that are no smaller say nothing."""


@dataclass(frozen=True, slots=True)
class ZeroCells(Plain):
    """Cells that are zero: how many, and the names of the first ones."""

    _json: ClassVar[str] = "count cells=names"

    count: int
    names: tuple[str, ...]

    def __str__(self) -> str:
        shown = ", ".join(self.names[:NAMES_SHOWN]) + (", …" if self.count > NAMES_SHOWN else "")
        return f"{format_count(self.count, 'cell')} ({shown})"


@dataclass(frozen=True, slots=True, repr=False)
class Freedom(Compact, Plain):
    """Degrees of freedom: ``right``, what counting parameters gives, and the cells that are zero.

    ``right`` is ``None`` where there are too many cells to find those that are structural zeros. ``impossible`` are cells
    that the data have and the model excludes.
    """

    _json: ClassVar[str] = "df=right by_counting exact trust structural sampling impossible"

    right: int | None
    by_counting: int
    trust: Trust
    structural: ZeroCells | None = None
    sampling: ZeroCells | None = None
    impossible: ZeroCells | None = None

    @property
    def exact(self) -> bool:
        """Whether the number is proved."""
        return self.trust.is_proved

    def __str__(self) -> str:
        known = "" if self.right is None else f"{format_integer(self.right)} ({self.trust})"
        return "; ".join([known or NOT_KNOWN, *self.further_statements])

    @property
    def further_statements(self) -> tuple[str, ...]:
        """What is said beside the number."""
        texts = []
        texts.append(f"counting parameters gives {format_integer(self.by_counting)}".replace("-", "−"))
        if self.structural is not None and self.structural.count:
            texts.append(f"structural zeros: {self.structural}")
        if self.sampling is not None:
            texts.append(f"sampling zeros: {self.sampling if self.sampling.count else 'none'}")
        if self.impossible is not None and self.impossible.count:
            texts.append(f"in the data, but impossible: {self.impossible}")
        return tuple(texts)


def compute_degrees_of_freedom(pmap: Map, report: Report, data: Any = None) -> Freedom | None:
    """The degrees of freedom of a model; ``None`` where the saturated model has no finite dimension."""
    if report.complete is None:
        return None
    naive = report.complete - report.standard
    own = load_identifying(report.model.family).count_freedom
    if own is not None:
        found: Freedom = own(pmap, report, data)
        return found
    if data is not None:
        raise InputError(f"zeros are cells of tables; a model of the family {report.model.family} has none")
    return Freedom(report.complete - report.dimension, naive, derive_freedom_trust(report))


def prove_impossible_cells(count: int) -> tuple[Trust, ...]:
    """Trust that this many cells, and no others, are zero at all parameters, as `find_possible_cells` finds."""
    facts = (
        f"{format_count(count, 'cell')} in which, whatever the states of what is hidden, a factor is identically zero"
        if count
        else "no cell is impossible: in each, in some states of what is hidden, no factor is identically zero"
    )
    return (proved_by("districts", facts),)


def derive_freedom_trust(report: Report, zeros: int = 0, in_zeros: Sequence[Trust] = ()) -> Trust:
    """Trust in the degrees of freedom: in the dimensions of the saturated model and of the model (lemma "degrees of freedom")."""
    complete, in_complete = report.complete or 0, report.in_complete or BOUNDS_ONLY
    less = f" − {format_count(zeros, 'impossible cell')}" if zeros else ""
    facts = f"{format_integer(complete)}{less} − {report.dimension}"
    found = trust_in_all([proved_by("degrees of freedom", facts), *in_zeros, in_complete, report.trust])
    if found.status != BOUNDED:
        return found
    least = (report.dimension if in_complete.status == BOUNDED else complete - zeros) - report.upper.value
    most = complete - zeros - report.dimension
    return bounds_only(max(0, least), most) if report.upper.is_proved and most < MOST_SHOWN else BOUNDS_ONLY
