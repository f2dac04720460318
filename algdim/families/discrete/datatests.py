"""Independences and ranks of flattenings of a discrete network, tested on counts by G².

Variables that are given split the cases; in each part G² compares the table of two groups of variables with the nearest table
of rank r: of rank 1 from its margins, else by the fit of a latent class model with r classes. Rows and columns without cases
leave no freedom.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError
from algdim.explanation.constraints import Constraint
from algdim.explanation.testing import Statistic, describe_sparse
from algdim.fitting.samples import Sample

Numbers = NDArray[np.float64]

MOST_CELLS = 100_000
"""Of a table that is tested."""
MOST_CELLS_FITTED = 4096
"""Of a table whose rank is tested by a fit."""


def measure_counts(equations: Sequence[Constraint], data: Any) -> tuple[list[Statistic | None], Statistic | None]:
    """G² of each independence and flattening; None of other equations, of a table too large, or that leaves no freedom."""
    sample = cast("Sample", data)
    if sample.has_missing:
        raise InputError("entries are missing; G² compares complete rows: leave these rows out, or complete them")
    return [measure_rank(one, sample) if "rank" in one.evidence else None for one in equations], None


def measure_rank(equation: Constraint, sample: Sample) -> Statistic | None:
    """G² of a bounded rank, summed over the conditions that occur."""
    evidence = equation.evidence
    tables = count_tables(sample, evidence["C"], evidence["A"], evidence["B"])
    rank, total, dof = int(evidence["rank"]), 0.0, 0
    cells = 0
    for table in tables:
        shown = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
        rows, columns = shown.shape
        if min(rows, columns) <= rank:
            continue
        if rank > 1 and shown.size > MOST_CELLS_FITTED:
            return None
        total += compute_distance(shown, rank)
        dof += (rows - rank) * (columns - rank)
        cells += shown.size
    return Statistic("G²", total, dof, caution=describe_sparse(sample.size, cells)) if dof else None


def count_tables(sample: Sample, given: Sequence[str], rows: Sequence[str], columns: Sequence[str]) -> list[Numbers]:
    """The tables of two groups of variables, one for each condition that occurs; none if they are too large."""
    place = {name: number for number, name in enumerate(sample.names)}
    sizes = [len(states) for states in sample.states]
    shape = tuple(prod(sizes[place[name]] for name in some) for some in (rows, columns))

    def number(some: Sequence[str]) -> NDArray[np.int64]:
        found = np.zeros(len(sample.counts), dtype=np.int64)
        for name in some:
            found = found * sizes[place[name]] + sample.patterns[:, place[name]]
        return found

    if prod(shape) > MOST_CELLS:
        return []
    condition, row, column = number(given), number(rows), number(columns)
    tables = []
    for one in np.unique(condition):
        table, inside = np.zeros(shape), condition == one
        np.add.at(table, (row[inside], column[inside]), sample.counts[inside])
        tables.append(table)
    return tables


def compute_distance(table: Numbers, rank: int) -> float:
    """G² of a table against the nearest of a rank: twice what the greatest log-likelihood lacks of the table's own."""
    total = float(table.sum())
    own = sum_logarithms(table) - total * np.log(total)
    if rank == 1:
        margins = sum_logarithms(table.sum(axis=1)) + sum_logarithms(table.sum(axis=0)) - 2 * total * np.log(total)
        return max(0.0, 2 * float(own - margins))
    from algdim.fitting.fitting import fit
    from algdim.models.notation import parse

    rows, columns = np.nonzero(table)
    counts = {"X1": rows.tolist(), "X2": columns.tolist(), "count": table[rows, columns].tolist()}
    found = fit(counts, parse(f"{rank}:{table.shape[0]},{table.shape[1]}"), identify=False)
    return max(0.0, 2 * float(own - found.loglik))


def sum_logarithms(counts: Numbers) -> float:
    """Σ n log n over the cells that have cases."""
    some = counts[counts > 0]
    return float((some * np.log(some)).sum())
