"""Settle formats of latent class models: up to how many classes the parameters are independent, from how many on the model is saturated.

    python -m atlas.formats                           arrays up to 15,000 cells, shared tables up to 3,000 distinct ones
    python -m atlas.formats --arrays 1000 --shared 100 --seconds 600
    python -m atlas.formats --workers 2               the same by two processes
    python -m atlas.formats --identify                up to how many classes a format is identified

What is found is appended to `build/atlas/formats.csv` and to `dimensions.csv` and `identified.csv` there, so that a stopped run goes
on; `secants.csv` there has a row for each format. What is kept is `atlas/formats.csv` and `atlas/sources.csv`, the counts,
`atlas/defective.csv`, the numbers of classes between the two whose dimension is known, of shared tables up to 1,000 cells,
`atlas/open.csv`, those where it is not, and `atlas/contacts.csv`, the formats that are independent, and not shown to be identified,
with their last number of classes below the generic rank.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import monotonic
from typing import Any

from atlas.contacts import LISTED, SUMMARY, TESTS, count_identified, identify_formats, list_contacts, list_identified
from atlas.settling import (
    COUNTED,
    DIMENSIONS,
    KEPT,
    KINDS,
    MOST_KEPT,
    SOURCED,
    UNSETTLED,
    count_formats,
    count_sources,
    describe_formats,
    list_open,
    settle_formats,
    sort_latest,
)
from atlas.tables import (
    BUILD,
    CONTACTS,
    DEFECTIVE,
    FORMATS,
    IDENTIFIED,
    OPEN,
    SOURCES,
    read_found,
    read_table,
    write_table,
)

SECANTS = "secants.csv"
"""Beside the store: a row for each format."""


def summarise_kind(kind: str, store: Path) -> dict[Path, list[dict[str, Any]]]:
    """The rows of each table for the formats of a kind that the store has."""
    rows = sort_latest(read_found(store), kind)
    kept: list[dict[str, Any]] = [dict(row) for row in read_found(store.with_name(DIMENSIONS)) if row["kind"] == kind]
    known = {row["model"] for row in kept}
    unsettled = [one for row in rows for one in list_open(row, known)]
    tests = [row for row in read_found(store.with_name(TESTS)) if row["kind"] == kind]
    # two runs at once may have tested the same
    tested = list({(row["format"], row["classes"]): row for row in tests}.values())
    summary = count_identified(kind, rows, tested)
    return {
        FORMATS: [count_formats(kind, rows, kept, unsettled)],
        DEFECTIVE: [row for row in kept if kind == "arrays" or int(row["cells"]) <= MOST_KEPT],
        SOURCES: count_sources(kept),
        OPEN: unsettled,
        IDENTIFIED: [summary],
        CONTACTS: list_contacts(tested, summary["cells"]),
        store.with_name(SECANTS): list_identified(rows, tested),
    }


def main() -> None:
    """Settle what is asked for, then write what is kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for kind, most in KINDS.items():
        parser.add_argument(f"--{kind}", type=int, default=most, metavar="CELLS", help="0: leave what is kept as it is")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="for each kind")
    parser.add_argument("--identify", action="store_true", help="test formats that were settled")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes that settle formats")
    parser.add_argument("--store", type=Path, default=BUILD / "formats.csv", metavar="FILE")
    arguments = parser.parse_args()
    columns = {
        FORMATS: COUNTED,
        DEFECTIVE: KEPT,
        SOURCES: SOURCED,
        OPEN: UNSETTLED,
        IDENTIFIED: SUMMARY,
        CONTACTS: UNSETTLED,
        arguments.store.with_name(SECANTS): LISTED,
    }
    tables: dict[Path, list[dict[str, Any]]] = {path: [] for path in columns}
    for kind in KINDS:
        most = getattr(arguments, kind)
        if most:
            if arguments.identify:
                identify_formats(kind, most, arguments.store, monotonic() + arguments.seconds)
            else:
                settle_formats(kind, most, arguments.store, monotonic() + arguments.seconds, arguments.workers)
                describe_formats(kind, most, arguments.store, monotonic() + arguments.seconds)
            found = summarise_kind(kind, arguments.store)
        else:
            found = {path: [dict(row) for row in read_table(path) if row["kind"] == kind] for path in columns}
        for path, rows in found.items():
            tables[path] += rows
    for path, rows in tables.items():
        write_table(path, columns[path], rows)


if __name__ == "__main__":
    main()
