"""Degrees of freedom of a model against the saturated one: by counting parameters, and right.

The right number is the dimension of the saturated model, less cells that are structural zeros, less the dimension of the
model. Sampling zeros, cells that could occur and do not, are named; they do not change the number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, LimitError
from algdim.families.discrete.bounds.zeros import MOST_CELLS, possible_cells
from algdim.families.discrete.map import ParamMap
from algdim.families.discrete.model import Network
from algdim.figures import big, counted
from algdim.fitting.samples import Sample, read_sample
from algdim.maps.anymap import Map
from algdim.report import Report
from algdim.trust import BOUNDED, BOUNDS_ONLY, Trust, bounds_only, proved_by, trust_in_all

MOST_NAMED = 1000
NAMES_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Zeros:
    """Cells that are zero: how many, and the names of the first ones."""

    count: int
    names: tuple[str, ...]

    def __str__(self) -> str:
        """The number and a few names."""
        shown = ", ".join(self.names[:NAMES_SHOWN]) + (", …" if self.count > NAMES_SHOWN else "")
        return f"{counted(self.count, 'cell')} ({shown})"

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        return {"count": self.count, "cells": list(self.names)}


@dataclass(frozen=True, slots=True)
class Freedom:
    """Degrees of freedom: ``right``, what counting parameters gives, and the cells that are zero.

    ``right`` is ``None`` where there are too many cells to find those that are structural zeros. ``impossible`` are cells
    that the data have and the model excludes.
    """

    right: int | None
    by_counting: int
    trust: Trust
    structural: Zeros | None = None
    sampling: Zeros | None = None
    impossible: Zeros | None = None

    @property
    def exact(self) -> bool:
        """Whether the number is proved."""
        return self.trust.is_proved

    def __str__(self) -> str:
        """One line."""
        texts = [
            "not known: too many cells to find the impossible ones"
            if self.right is None
            else f"{big(self.right)} ({self.trust})"
        ]
        texts.append(f"counting parameters gives {big(self.by_counting)}".replace("-", "−"))
        if self.structural is not None and self.structural.count:
            texts.append(f"structural zeros: {self.structural}")
        if self.sampling is not None:
            texts.append(f"sampling zeros: {self.sampling if self.sampling.count else 'none'}")
        if self.impossible is not None and self.impossible.count:
            texts.append(f"in the data, but impossible: {self.impossible}")
        return "; ".join(texts)

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        kinds = {"structural": self.structural, "sampling": self.sampling, "impossible": self.impossible}
        return {
            "df": self.right,
            "by_counting": self.by_counting,
            "exact": self.exact,
            **self.trust.to_dict(),
            **{name: None if zeros is None else zeros.to_dict() for name, zeros in kinds.items()},
        }


def freedom_of(pmap: Map, report: Report, data: Any = None) -> Freedom | None:
    """The degrees of freedom of a model; ``None`` where the saturated model has no finite dimension."""
    if report.complete is None:
        return None
    naive = report.complete - report.standard
    if not isinstance(pmap, ParamMap):
        if data is not None:
            raise InputError(f"zeros are cells of tables; a model of the family {report.model.family} has none")
        return Freedom(report.complete - report.dimension, naive, trust_in_freedom(report))
    try:
        possible = possible_cells(pmap)
    except LimitError:
        if data is not None:
            raise
        return Freedom(None, naive, BOUNDS_ONLY)
    zeros = Zeros(0, ()) if possible is None else named(pmap, np.flatnonzero(~possible))
    right = report.complete - zeros.count - report.dimension
    trust = trust_in_freedom(report, zeros.count, impossible_are(zeros.count) if possible is not None else ())
    if data is None:
        return Freedom(right, naive, trust, zeros)
    sampling, impossible = of_sample(pmap, report.model, data, possible)
    return Freedom(right, naive, trust, zeros, sampling, impossible)


def impossible_are(count: int) -> tuple[Trust, ...]:
    """Trust that so many cells, and no others, are zero at all parameters, as `possible_cells` finds."""
    facts = f"{counted(count, 'cell')} in which, whatever the states of what is hidden, a factor is identically zero"
    return (proved_by("districts", facts),)


def trust_in_freedom(report: Report, zeros: int = 0, in_zeros: Sequence[Trust] = ()) -> Trust:
    """Trust in the degrees of freedom: in the dimensions of the saturated model and of the model (lemma "degrees of freedom")."""
    complete, in_complete = report.complete or 0, report.in_complete or BOUNDS_ONLY
    facts = f"{big(complete)} − {counted(zeros, 'impossible cell')} − {report.dimension}"
    found = trust_in_all([proved_by("degrees of freedom", facts), *in_zeros, in_complete, report.trust])
    if found.status != BOUNDED:
        return found
    least = (report.dimension if in_complete.status == BOUNDED else complete - zeros) - report.upper.value
    most = complete - zeros - report.dimension
    return bounds_only(max(0, least), most) if report.upper.is_proved and most < MOST_CELLS else BOUNDS_ONLY


def of_sample(pmap: ParamMap, model: Any, data: Any, possible: NDArray[np.bool_] | None) -> tuple[Zeros, Zeros]:
    """The possible cells that data do not have, and the impossible ones that they have."""
    if pmap.cells > MOST_CELLS:
        raise InputError(f"the table has {big(pmap.cells)} cells; zeros are named up to {big(MOST_CELLS)}")
    sample = data if isinstance(data, Sample) else read_sample(data, discrete(model))
    if sample.has_missing:
        raise InputError("entries are missing; zeros are cells of complete rows")
    seen = np.zeros(pmap.shape, dtype=np.bool_)
    seen[tuple(sample.patterns[sample.counts > 0].T)] = True
    able = np.ones(pmap.cells, dtype=np.bool_) if possible is None else possible
    return named(pmap, np.flatnonzero(~seen.ravel() & able)), named(pmap, np.flatnonzero(seen.ravel() & ~able))


def discrete(model: Any) -> Network:
    """The model, which has tables."""
    if not isinstance(model, Network):
        raise InputError("data are compared with discrete networks")
    return model


def named(pmap: ParamMap, cells: Sequence[int] | NDArray[np.intp]) -> Zeros:
    """Cells by number."""
    places = (tuple(int(x) for x in np.unravel_index(cell, pmap.shape)) for cell in cells[:MOST_NAMED])
    return Zeros(len(cells), tuple(pmap.coordinate(place) for place in places))
