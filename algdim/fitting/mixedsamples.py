"""Data with continuous columns, and categorical ones beside them: case by case, equal cases taken together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, join_names
from algdim.families.discrete.model import Variable
from algdim.figures import format_count
from algdim.fitting.samples import (
    MAY_BE_MISSING,
    MISSING,
    AnySample,
    KnownStates,
    check_present,
    collect_labels,
    count_distinct_rows,
    encode_labels,
    find_column_titles,
    format_case_count,
    match_columns,
    order_of,
)
from algdim.fitting.tabletext import Words, make_words
from algdim.fitting.tabulardata import Columns, read_columns
from algdim.models.anymodel import AnyModel

Numbers = NDArray[np.float64]
Index = NDArray[np.intp]


class MomentsOfPattern(NamedTuple):
    """The cases that show the same continuous columns: which, how many cases, their means and covariances."""

    columns: Index
    size: float
    mean: Numbers
    covariance: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class MixedSample(AnySample):
    """Different cases, how often each stands: the values of continuous columns, the states of categorical ones.

    A value that is missing is no number, a missing state the code of it; the variables of other groups are no numbers either, and
    not missing.
    """

    continuous: tuple[str, ...]
    values: Numbers
    names: tuple[str, ...]
    states: tuple[tuple[str | None, ...], ...]
    codes: NDArray[np.int64]
    counts: Numbers
    notes: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    groups: tuple[tuple[str, int], ...] = ()
    """The groups, as the data call them, and how many columns each has; these stand one group after the other."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The continuous ones first."""
        return (*self.continuous, *self.names)

    @property
    def mean(self) -> Numbers:
        """The mean of each continuous column, of the cases that show it."""
        return self.shown_moments[0]

    @property
    def variances(self) -> Numbers:
        """The variance of each continuous column, of the cases that show it."""
        return self.shown_moments[1]

    @property
    def shown_moments(self) -> tuple[Numbers, Numbers]:
        """Mean and variance of each continuous column, of the cases that show it."""
        here = np.isfinite(self.values)
        values = np.where(here, self.values, 0.0)
        weights = self.counts[:, None] * here
        sizes = np.maximum(weights.sum(axis=0), 1e-300)
        mean = (weights * values).sum(axis=0) / sizes
        return mean, (weights * (values - mean) ** 2).sum(axis=0) / sizes

    @property
    def shown_patterns(self) -> tuple[tuple[Index, Index, Index], ...]:
        """Cases that show the same continuous columns: which cases, these columns, and the others."""
        masks, which = np.unique(np.isfinite(self.values), axis=0, return_inverse=True)
        return tuple(
            (np.flatnonzero(which.ravel() == number), np.flatnonzero(mask), np.flatnonzero(~mask))
            for number, mask in enumerate(masks)
        )

    @property
    def covariance(self) -> Numbers:
        """The covariance matrix of complete continuous columns, with N in the denominator."""
        rest = self.values - self.mean
        return np.asarray((self.counts * rest.T) @ rest / self.size)

    @property
    def pattern_moments(self) -> tuple[MomentsOfPattern, ...]:
        """Cases by the columns that they show, those of one group and complete ones together."""
        found = []
        for rows, columns, _ in self.shown_patterns:
            counts, values = self.counts[rows], self.values[np.ix_(rows, columns)]
            size = float(counts.sum())
            mean = counts @ values / max(size, 1e-300)
            rest = values - mean
            if size > 0 and len(columns):
                found.append(MomentsOfPattern(columns, size, mean, (counts * rest.T) @ rest / size))
        return tuple(found)

    @property
    def missing(self) -> int:
        """How many values are missing."""
        found, start = float(self.counts @ (self.codes == MISSING).sum(axis=1)), 0
        for _, width in self.groups or (("", len(self.continuous)),):
            here = np.isfinite(self.values[:, start : start + width])
            of_group = here.any(axis=1) if self.groups else True
            found += float(self.counts @ np.where(of_group, (~here).sum(axis=1), 0))
            start += width
        return int(found)

    @property
    def has_missing(self) -> bool:
        """Whether an entry is missing."""
        return self.missing > 0

    def words(self, model: AnyModel) -> Words:
        """What the data call the states of categorical columns."""
        return make_words(model, self.names, self.states, ())

    @property
    def heading(self) -> str:
        """How many cases, columns, groups and missing values there are."""
        groups = f", {format_count(len(self.groups), 'group')}" if self.groups else ""
        missing = f", {format_count(self.missing, 'missing value')}" if self.missing else ""
        return f"{format_case_count(self.size)}, {format_count(len(self.continuous), 'continuous column')}{groups}{missing}"


def read_mixed(
    data: Any,
    continuous: Sequence[str],
    categorical: Sequence[tuple[str, int]] = (),
    order: Sequence[str] = (),
    known: KnownStates | None = None,
    *,
    compress: bool = True,
    missing: bool = False,
) -> MixedSample:
    """Read data for a model with continuous variables; ``order`` is that of the columns where names do not match.

    Without ``compress`` each row is a case of its own, in the order of the data. ``missing`` allows missing entries; rows
    without any are left out.

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
        if not missing:
            check_present(table, place[name], MAY_BE_MISSING)
    values = (
        np.array([read_column_numbers(table, place[name], missing=missing) for name in continuous])
        .reshape(len(continuous), table.rows)
        .T
    )
    states = [
        order_of(table, place[name], Variable(name, size), known, collect_labels(table.columns[place[name]]))
        for name, size in categorical
    ]
    codes = np.zeros((table.rows, len(categorical)), dtype=np.int64)
    for number, ((name, _), found) in enumerate(zip(categorical, states, strict=True)):
        codes[:, number] = encode_labels(table.columns[place[name]], found, table, place[name])
    if missing:
        for name in continuous:
            if all(label is None for label in table.columns[place[name]]):
                raise InputError(f"{table.source}: no row has a value of the {table.name(place[name])}")
        empty = ~np.isfinite(values).any(axis=1) & (codes == MISSING).all(axis=1)
        counts, notes = leave_empty_out(empty, counts, notes)
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


def leave_empty_out(empty: NDArray[np.bool_], counts: Numbers, notes: list[str]) -> tuple[Numbers, list[str]]:
    """The counts, 0 of rows without an entry, and a note on these."""
    if not (empty & (counts > 0)).any():
        return counts, notes
    if empty.all():
        raise InputError("no row has a value; at least one case is expected")
    return np.where(empty, 0.0, counts), [
        *notes,
        f"{format_count(int(counts[empty].sum()), 'case')} without any value left out",
    ]


def read_grouped(
    data: Any, by: str, groups: Sequence[str], names: Sequence[str], *, missing: bool = False
) -> MixedSample:
    """Read data in groups: the column ``by`` has the group of each row; names end in a point and their group.

    >>> read_grouped({"g": ["a", "b", "b"], "X": [1, 2, 3]}, "g", ["a", "b"], ["X.a", "X.b"]).counts
    array([1., 1., 1.])
    """
    if isinstance(data, MixedSample):
        return data
    table = read_columns(data)
    bases = list(dict.fromkeys(name.rpartition(".")[0] for name in names))
    counts, chosen, notes = match_columns(table, [by, *bases])
    place = dict(zip([by, *bases], chosen, strict=True))
    check_present(table, place[by], "each case belongs to a group")
    labels = [str(label) for label in table.columns[place[by]]]
    known = match_groups(list(dict.fromkeys(labels)), groups, f"{table.source}: the column {by}")
    values = np.full((table.rows, len(names)), np.nan)
    of = np.array([known[label] for label in labels])
    for number, name in enumerate(names):
        base, _, group = name.rpartition(".")
        rows = np.flatnonzero(of == groups.index(group))
        for row in rows if not missing else ():
            if table.columns[place[base]][row] is None:
                check_present(table, place[base], MAY_BE_MISSING)
        values[rows, number] = read_column_numbers(table, place[base], missing=True, rows=rows.tolist())
    ordered = sorted(range(len(names)), key=lambda number: groups.index(names[number].rpartition(".")[2]))
    if ordered != list(range(len(names))):
        raise InputError("the variables of a model in groups stand group by group; order them so")
    counts, notes = leave_empty_out(~np.isfinite(values).any(axis=1), counts, [*table.notes, *notes])
    called = {number: label for label, number in known.items()}
    widths = tuple((called[n], sum(name.endswith(f".{group}") for name in names)) for n, group in enumerate(groups))
    return MixedSample(
        tuple(names), values, (), (), np.zeros((table.rows, 0), dtype=np.int64), counts, tuple(notes), (), widths
    )


def match_groups(labels: Sequence[str], groups: Sequence[str], place: str) -> dict[str, int]:
    """The number of the group of each label: by its name, with _ for what names have not, or in order if groups are g1, g2 and so on.

    >>> match_groups(["Grant-White", "Pasteur"], ["Pasteur", "Grant_White"], "here")
    {'Grant-White': 1, 'Pasteur': 0}
    """
    looks = [re.sub(r"\W", "_", label) for label in labels]
    if set(looks) == set(groups) and len(looks) == len(groups):
        return {label: groups.index(look) for label, look in zip(labels, looks, strict=True)}
    if list(groups) == [f"g{number}" for number in range(1, len(labels) + 1)]:
        return {label: number for number, label in enumerate(labels)}
    raise InputError(f"{place} has {join_names(labels)}; the groups of the model are {join_names(groups)}")


def read_column_numbers(
    table: Columns, column: int, *, missing: bool = False, rows: Sequence[int] | None = None
) -> list[float]:
    """The numbers of a column, all of them or those of some rows; with ``missing``, nan where there is none."""
    found = []
    labels = table.columns[column]
    for row in range(len(labels)) if rows is None else rows:
        label = labels[row]
        if missing and label is None:
            found.append(float("nan"))
            continue
        try:
            value = float(label or "")
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            raise InputError(f"{table.place(row, column)}: {label!r} is not a number; the variable is continuous")
        found.append(value)
    return found
