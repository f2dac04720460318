"""Settle formats: up to how many classes the parameters are independent, from how many on the model is saturated.

What is found is appended to a store. The method is that of `algdim/families/discrete/bounds/splitting.py`; a format with one item
of very many states needs no search, and is only counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from multiprocessing import Pool
from pathlib import Path
from time import monotonic
from typing import Any

from algdim.families.discrete.bounds.doublepoints import DOUBLE_POINTS
from algdim.families.discrete.bounds.secants import SYMMETRIC_ITEMS, compute_group_dimension
from algdim.families.discrete.bounds.splitting import (
    Search,
    Secants,
    add_secants,
    bound_dimension,
    find_secants,
    find_unbalanced,
    list_formats,
)
from algdim.families.discrete.bounds.tangents import Groups, count_cells, count_directions, format_groups
from atlas.groups import name_source, read_groups
from atlas.tables import Row, open_found, read_found

KINDS = {"arrays": 15_000, "shared": 3_000}
"""Up to how many cells formats of a kind are settled; of shared tables different cells."""
FOUND = ("kind", "cells", "format", "independent", "full")
COUNTED = ("kind", "cells", "formats", "unbalanced", "expected", "defective", "open", "complete")
UNSETTLED = ("kind", "cells", "model")
SOURCED = ("kind", "source", "numbers")
KEPT = ("kind", "cells", "model", "dimension", "expected", "status", "upper", "source")
DIMENSIONS = "dimensions.csv"
"""Beside the store: the dimensions between the two numbers of formats."""
MOST_KEPT = 1000
"""Cells of formats with shared tables whose dimensions between the two numbers are kept in the repository; all are counted."""


SEARCH = Search()
"""What this process has found out; each has its own, as all begin with what is known of formats."""


def begin_search(known: Iterable[Secants]) -> None:
    """Forget what was found out, but for this."""
    global SEARCH  # noqa: PLW0603  # a process that works for others keeps it from format to format
    SEARCH = Search()
    for found in sorted(known, key=lambda one: count_cells(one.groups)):
        add_secants(SEARCH, found)


def search_more(groups: Groups) -> Secants:
    """What is found of a format, with what this process has found out before."""
    return find_secants(SEARCH, groups)


def settle_formats(kind: str, most_cells: int, store: Path, until: float, workers: int = 1) -> None:
    """Append what is found of all formats of a kind that the store does not have, in their order."""
    with open_found(store, FOUND) as (rows, append), ExitStack() as stack:
        known = [read_secants(row) for one in KINDS for row in list_latest(rows, one)]
        formats = {found.groups for found in known}
        waiting = [
            groups
            for groups in list_formats(most_cells, is_shared=kind == "shared")
            if groups not in formats and find_unbalanced(groups) is None
        ]
        begin_search(known)
        results: Iterator[Secants] = map(search_more, waiting)
        if workers > 1:
            pool = stack.enter_context(Pool(workers, begin_search, (known,)))
            results = pool.imap(search_more, waiting)
        while monotonic() < until and (found := next(results, None)) is not None:
            append(describe_secants(kind, found))


def describe_secants(kind: str, found: Secants) -> dict[str, Any]:
    """The row of a format."""
    values = kind, count_cells(found.groups), format_groups(found.groups), found.independent, found.full
    return dict(zip(FOUND, values, strict=True))


def read_secants(row: Row) -> Secants:
    """What a row says."""
    return Secants(read_groups(row["format"]), int(row["independent"]), int(row["full"]))


def list_latest(rows: Sequence[Row], kind: str) -> list[Row]:
    """The last row of each format of a kind."""
    return list({row["format"]: row for row in rows if row["kind"] == kind}.values())


def sort_latest(rows: Sequence[Row], kind: str) -> list[Row]:
    """The same, those with the fewest cells first."""
    return sorted(list_latest(rows, kind), key=lambda row: int(row["cells"]))


def describe_formats(kind: str, most_cells: int, store: Path, until: float) -> None:
    """Append the dimensions for all numbers of classes between the two of each format of a kind, which the store does not have."""
    rows = read_found(store)
    begin_search(read_secants(row) for one in KINDS for row in list_latest(rows, one))
    with open_found(store.with_name(DIMENSIONS), KEPT) as (before, append):
        known = {row["model"] for row in before}
        for row in sort_latest(rows, kind):
            for classes in range(int(row["independent"]) + 1, int(row["full"])):
                if monotonic() > until or int(row["cells"]) > most_cells:
                    return
                if f"{classes}:{row['format']}" not in known and (found := describe_number(SEARCH, row, classes)):
                    append(found)


def describe_number(search: Search, row: Row, classes: int) -> dict[str, Any] | None:
    """The dimension for a number of classes of a format, ``None`` if it is not known."""
    groups, cells, model = read_groups(row["format"]), int(row["cells"]), f"{classes}:{row['format']}"
    expected = min(count_directions(groups, classes), cells) - 1
    theorem = compute_group_dimension(classes, [group[:2] for group in groups])
    if theorem is None:
        least, most = bound_dimension(search, groups, classes)
        if least < most:
            return None
        dimension, proof = most - 1, DOUBLE_POINTS
    else:
        dimension, proof = theorem[0], SYMMETRIC_ITEMS
    source = name_source(groups, classes) if dimension < expected else ""
    values = row["kind"], row["cells"], model, dimension, expected, "proved", proof, source
    return dict(zip(KEPT, values, strict=True))


def count_sources(kept: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """How many numbers of classes of a kind have a dimension below the expected one, by the list in print that has them."""
    below = Counter((row["kind"], row["source"]) for row in kept if int(row["dimension"]) < int(row["expected"]))
    return [dict(zip(SOURCED, (*key, count), strict=True)) for key, count in sorted(below.items())]


def list_open(row: Row, known: Collection[str]) -> list[dict[str, Any]]:
    """The numbers of classes between the two of a format whose dimension is not among those of the models that are known."""
    models = [f"{classes}:{row['format']}" for classes in range(int(row["independent"]) + 1, int(row["full"]))]
    return [{"kind": row["kind"], "cells": row["cells"], "model": model} for model in models if model not in known]


def count_formats(
    kind: str,
    rows: Sequence[Row],
    kept: Sequence[dict[str, Any]],
    unsettled: Sequence[dict[str, Any]],
) -> dict[str, Any]:
    """The counts of a kind, up to the greatest number of cells with which every format was searched."""
    known = {row["format"] for row in rows}
    formats = list_formats(max((int(row["cells"]) for row in rows), default=0) + 1, is_shared=kind == "shared")
    missing = [count_cells(one) for one in formats if find_unbalanced(one) is None and format_groups(one) not in known]
    most = min(missing) - 1 if missing else max(count_cells(one) for one in formats)
    formats = [one for one in formats if count_cells(one) <= most]
    unbalanced = sum(find_unbalanced(one) is not None for one in formats)
    less = {row["model"].partition(":")[2] for row in kept if int(row["dimension"]) < int(row["expected"])}
    open_formats = {row["model"].partition(":")[2] for row in unsettled if int(row["cells"]) <= most}
    within = {format_groups(one) for one in formats}
    defective = len((less & within) - open_formats)
    settled = len(formats) - unbalanced - defective - len(open_formats)
    least = min((int(row["cells"]) for row in unsettled), default=most + 1)
    values = kind, most, len(formats), unbalanced, settled, defective, len(open_formats), min(least - 1, most)
    return dict(zip(COUNTED, values, strict=True))
