"""Data with continuous columns, and categorical ones beside them: case by case, equal cases taken together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError
from algdim.families.discrete.model import Variable
from algdim.figures import format_count, remove_control_characters
from algdim.fitting.columns import Columns, read_columns
from algdim.fitting.samples import (
    KnownStates,
    check_present,
    convert_to_integer,
    count_distinct_rows,
    encode_labels,
    find_column_titles,
    format_case_count,
    match_columns,
    order_of,
)
from algdim.fitting.tabletext import Words, format_legend, make_words
from algdim.models.anymodel import AnyModel

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class MixedSample:
    """Different cases, how often each stands: the values of continuous columns, the states of categorical ones."""

    continuous: tuple[str, ...]
    values: Numbers
    categorical: tuple[str, ...]
    states: tuple[tuple[str | None, ...], ...]
    codes: NDArray[np.int64]
    counts: Numbers
    notes: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    """What the columns are called in the data, the continuous ones first; nothing if these have no names."""

    @property
    def size(self) -> float:
        return float(self.counts.sum())

    @property
    def mean(self) -> Numbers:
        """The mean of each continuous column."""
        return np.asarray(self.counts @ self.values / self.size)

    @property
    def covariance(self) -> Numbers:
        """Their covariance matrix, with N in the denominator."""
        rest = self.values - self.mean
        return np.asarray((self.counts * rest.T) @ rest / self.size)

    def to_dict(self) -> dict[str, Any]:
        """What a report says of the data."""
        return {
            "n": convert_to_integer(self.size),
            "patterns": len(self.counts),
            "missing": 0,
            "states": {name: list(states) for name, states in zip(self.categorical, self.states, strict=True)},
            "columns": dict(zip((*self.continuous, *self.categorical), self.titles, strict=False)),
            "notes": list(self.notes),
        }

    def words(self, model: AnyModel) -> Words:
        """What the data call the states of categorical columns."""
        return make_words(model, self.categorical, self.states, ())

    @property
    def heading(self) -> str:
        return f"{format_case_count(self.size)}, {format_count(len(self.continuous), 'continuous column')}"

    def __str__(self) -> str:
        """Print the number of cases, and the states."""
        shown = [
            f"  {name}: {format_legend(states)}" for name, states in zip(self.categorical, self.states, strict=True)
        ]
        return remove_control_characters("\n".join([self.heading, *shown, *(f"  note: {note}" for note in self.notes)]))


COMPLETE = "models of this family take complete cases; leave the row out, or complete it"


def read_mixed(
    data: Any,
    continuous: Sequence[str],
    categorical: Sequence[tuple[str, int]] = (),
    order: Sequence[str] = (),
    known: KnownStates | None = None,
    *,
    compress: bool = True,
) -> MixedSample:
    """Read data for a model with continuous variables; ``order`` is that of the columns where names do not match.

    Without ``compress`` each row is a case of its own, in the order of the data.

    With ``known``, the states of other data, a label that is not among them is an error.

    >>> read_mixed({"X": [1.5, 2, 1.5], "C": ["a", "b", "a"]}, ["X"], [("C", 2)]).counts
    array([2., 1.])
    """
    if isinstance(data, MixedSample):
        return data
    table = read_columns(data)
    names = list(order) or [*continuous, *(name for name, _ in categorical)]
    counts, chosen, notes = match_columns(table, names)
    if not table.rows:
        raise InputError(f"{table.source}: there are no rows; at least one case is expected")
    notes = [*table.notes, *notes]
    place = dict(zip(names, chosen, strict=True))
    for name in names:
        check_present(table, place[name], COMPLETE)
    values = (
        np.array([read_column_numbers(table, place[name]) for name in continuous])
        .reshape(len(continuous), table.rows)
        .T
    )
    states = [order_of(table, place[name], Variable(name, size), known) for name, size in categorical]
    codes = np.zeros((table.rows, len(categorical)), dtype=np.int64)
    for number, ((name, _), found) in enumerate(zip(categorical, states, strict=True)):
        codes[:, number] = encode_labels(table.columns[place[name]], found, table, place[name])
    different, numbers = np.unique(values, axis=0, return_inverse=True)
    rows = np.column_stack([codes, numbers.ravel()])
    patterns, weights = count_distinct_rows(rows, counts) if compress else (rows, counts)
    return MixedSample(
        tuple(continuous),
        different[patterns[:, -1]],
        tuple(name for name, _ in categorical),
        tuple(states),
        patterns[:, :-1],
        weights,
        tuple(notes),
        find_column_titles(table, [place[name] for name in (*continuous, *(name for name, _ in categorical))]),
    )


def read_column_numbers(table: Columns, column: int) -> list[float]:
    """The numbers of a column."""
    found = []
    for row, label in enumerate(table.columns[column]):
        try:
            value = float(label or "")
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            raise InputError(f"{table.place(row, column)}: {label!r} is not a number; the variable is continuous")
        found.append(value)
    return found
