"""Up to how many classes formats that are settled are identified, by which theorem; what is tested is appended to a store."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from algdim.families.discrete.bounds.contacts import is_identified
from algdim.families.discrete.bounds.tangents import count_directions
from atlas.groups import read_groups
from atlas.settling import read_secants, sort_latest
from atlas.tables import Row, open_found, read_found

TESTS = "identified.csv"
"""Beside the store of formats: those that were tested."""
TESTED = ("kind", "cells", "format", "classes", "shown")
SUMMARY = ("kind", "cells", "perfect", "tested", "shown")
LISTED = ("kind", "cells", "format", "independent", "full", "identified", "by")
ISOLATED, SECANT = "Chiantini, Ottaviani 2012", "Massarenti, Mella 2024"
"""Theorems: a point that is isolated in the contact locus, and independence with one class more."""


def identify_formats(kind: str, most_cells: int, store: Path, until: float) -> None:
    """Append whether formats of the store are shown to be identified with the last number of classes that is independent."""
    settled = sort_latest(read_found(store), kind)
    with open_found(store.with_name(TESTS), TESTED) as (tested, append):
        known = {(row["format"], row["classes"]) for row in tested}
        for row in settled:
            if (row["format"], row["independent"]) in known or int(row["cells"]) > most_cells or is_perfect(row):
                continue
            if monotonic() > until:
                break
            found = read_secants(row)
            shown = int(is_identified(0, found.groups, found.independent))
            values = kind, row["cells"], row["format"], row["independent"], shown
            append(dict(zip(TESTED, values, strict=True)))


def is_perfect(row: Row) -> bool:
    """Whether the directions of the last independent number of classes are all cells."""
    return count_directions(read_groups(row["format"]), int(row["independent"])) == int(row["cells"])


def list_identified(rows: Sequence[Row], tested: Sequence[Row]) -> list[dict[str, Any]]:
    """Each format with the number of classes up to which it is identified, and by which theorem."""
    shown = {(row["format"], row["classes"]) for row in tested if row["shown"] == "1"}
    found = []
    for row in rows:
        is_shown = (row["format"], row["independent"]) in shown
        number = int(row["independent"]) - (not is_shown)
        found.append(row | {"identified": number, "by": ISOLATED if is_shown else SECANT if number else ""})
    return found


def count_identified(kind: str, rows: Sequence[Row], tested: Sequence[Row]) -> dict[str, Any]:
    """The counts of a kind, up to the greatest number of cells with which every format of the store was tested."""
    known = {(row["format"], row["classes"]): row["shown"] for row in tested}
    keys = [(row["format"], row["independent"]) for row in rows]
    missing = [
        int(row["cells"]) for row, key in zip(rows, keys, strict=True) if key not in known and not is_perfect(row)
    ]
    most = min(missing) - 1 if missing else max((int(row["cells"]) for row in rows), default=0)
    within = [(row, key) for row, key in zip(rows, keys, strict=True) if int(row["cells"]) <= most]
    shown = [known[key] == "1" for row, key in within if key in known]
    values = kind, most, sum(is_perfect(row) for row, _ in within), len(shown), sum(shown)
    return dict(zip(SUMMARY, values, strict=True))


def list_contacts(tested: Sequence[Row], most_cells: int) -> list[dict[str, Any]]:
    """The formats with at most so many cells that are not shown to be identified, each with its last number of classes."""
    return [
        {"kind": row["kind"], "cells": row["cells"], "model": f"{row['classes']}:{row['format']}"}
        for row in tested
        if row["shown"] == "0" and int(row["cells"]) <= most_cells
    ]
