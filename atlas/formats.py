"""Settle formats of latent class models: up to how many classes the parameters are independent, from how many on the model is saturated.

    python atlas/formats.py                           arrays up to 15,000 cells, shared tables up to 3,000 distinct ones
    python atlas/formats.py --arrays 1000 --shared 100 --seconds 600
    python atlas/formats.py --open                    open formats once more, by ranks
    python atlas/formats.py --identify                up to how many classes a format is identified

What is found is appended to `build/atlas/formats.csv` and `identified.csv` there, so that a stopped run goes on; `secants.csv` there
has a row for each format. What is kept is `atlas/formats.csv`, the counts, `atlas/defective.csv`, every number of classes between
the two whose dimension is known, `atlas/open.csv`, the others, and `atlas/contacts.csv`, the formats that are independent, and not
shown to be identified, with their last number of classes below the generic rank.
The method is that of `algdim/families/discrete/bounds/splitting.py`; a format with one item of very many states needs no search,
and is only counted.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path
from typing import Any, TextIO

import algdim
from algdim.families.discrete.bounds.contacts import is_identified
from algdim.families.discrete.bounds.secants import SYMMETRIC_ITEMS, compute_group_dimension, find_defective_format
from algdim.families.discrete.bounds.splitting import (
    Search,
    Secants,
    find_secants,
    find_unbalanced,
    improve_secants,
    list_formats,
)
from algdim.families.discrete.bounds.tangents import ItemGroup, count_cells, count_directions

HERE = Path(__file__).parent
COUNTS, DEFECTIVE, OPEN = HERE / "formats.csv", HERE / "defective.csv", HERE / "open.csv"
IDENTIFIED, CONTACTS = HERE / "identified.csv", HERE / "contacts.csv"
KINDS = {"arrays": 15_000, "shared": 3_000}
FOUND = ("kind", "cells", "format", "independent", "full")
COUNTED = ("kind", "cells", "formats", "unbalanced", "expected", "defective", "open", "complete")
UNSETTLED = ("kind", "cells", "model")
TESTED = ("kind", "cells", "format", "classes", "shown")
SUMMARY = ("kind", "cells", "perfect", "tested", "shown")
LISTED = ("kind", "cells", "format", "independent", "full", "identified", "by")
ISOLATED, SECANT = "Chiantini, Ottaviani 2012", "Massarenti, Mella 2024"
"""Theorems: a point that is isolated in the contact locus, and independence with one class more."""
KEPT = ("kind", "cells", "model", "dimension", "expected", "status", "upper", "source")
MOST_RANKED = 400
"""Different cells of a format between whose numbers dimensions are computed; of larger ones those in print are cited."""
MOST_CELLS = 4096
"""Cells of all its items: equal ones are in the map of the model."""
NOT_COMPARED = "in none of these lists"


def format_groups(groups: Sequence[ItemGroup]) -> str:
    """The items in the notation.

    >>> format_groups([ItemGroup(2, 3), ItemGroup(4, 1)])
    '2^3*,4'
    """
    return ",".join(f"{group.states}^{group.items}*" if group.items > 1 else f"{group.states}" for group in groups)


def read_groups(text: str) -> tuple[ItemGroup, ...]:
    """The groups of such a text."""
    parts = [part.rstrip("*").partition("^") for part in text.split(",")]
    return tuple(ItemGroup(int(states), int(items or 1)) for states, _, items in parts)


def name_source(groups: Sequence[ItemGroup], classes: int) -> str:
    """The list in print that has a defective number of classes; a list is compared with by its formula."""
    shape = [tuple(group[:2]) for group in groups]
    if all(items == 1 for _, items in shape):
        known = find_defective_format(classes, tuple(states for states, _ in shape))
        return NOT_COMPARED if known is None else "Abo, Ottaviani, Peterson 2009"
    theorem = compute_group_dimension(classes, shape)
    if theorem is not None:
        return theorem[1]
    return "Abo, Brambilla 2013" if len(shape) == 2 and is_in_list_of_two(shape, classes) else NOT_COMPARED


def is_in_list_of_two(shape: Sequence[tuple[int, ...]], classes: int) -> bool:
    """The list of two groups that Abo and Brambilla (Ann. Mat. Pura Appl. 192, 2013) conjecture to be complete, beside unbalanced ones."""
    for (r, d), (t, e) in (shape, shape[::-1]):
        m, n = r - 1, t - 1
        if (d, e) == (1, 2) and ((m == 2 and n % 2 and 2 * classes == 3 * n + 1) or (m, n, classes) == (4, 3, 6)):
            return True
        if (d, e) == (1, 3) and (m, n, classes) == (1, 2, 5):
            return True
        if (n, d) == (1, 2) and e % 2 == 0 and m * e // 2 + e // 2 + 1 <= classes <= m * e // 2 + e // 2 + m:
            return True
        if (d, e) == (2, 2) and (m, n, classes) in {(3, 3, 14), (3, 3, 15), (3, 4, 19)}:
            return True
        if (d, e, m) == (2, 2, 2) and -(-(3 * n * n + 9 * n + 5) // (n + 3)) <= classes <= 3 * n + 2:
            return True
    return False


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a table, none if there is no file."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_rows(path: Path, columns: Sequence[str], rows: Sequence[dict[str, Any]]) -> None:
    """Write a table."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def settle_formats(kind: str, most_cells: int, store: Path, until: float) -> None:
    """Append what is found of all formats of a kind that the store does not have."""
    # a run that was killed may have left half a line
    rows = [row for row in read_rows(store) if None not in row.values()]
    write_rows(store, FOUND, rows)
    known = [read_secants(row) for one in KINDS for row in list_latest(rows, one)]
    search = Search(formats={found.groups: found for found in known})
    with store.open("a", encoding="utf-8", newline="") as file:
        for groups in list_formats(most_cells, is_shared=kind == "shared"):
            if groups in search.formats or find_unbalanced(groups) is not None:
                continue
            if time.monotonic() > until:
                break
            append_row(file, kind, find_secants(search, groups))
    print(f"{kind}: {search.ranks} ranks, {search.splittings} splittings")


def improve_formats(kind: str, most_cells: int, store: Path, until: float) -> None:
    """Append what ranks say of the open formats in the store, if they say more."""
    rows = sorted(list_latest(read_rows(store), kind), key=lambda row: int(row["cells"]))
    search = Search()
    with store.open("a", encoding="utf-8", newline="") as file:
        for row in rows:
            if int(row["cells"]) <= most_cells and is_open(row) and time.monotonic() < until:
                before = read_secants(row)
                found = improve_secants(search, before)
                if found != before:
                    append_row(file, kind, found)


def identify_formats(kind: str, most_cells: int, store: Path, until: float) -> None:
    """Append whether formats of the store are shown to be identified with the last number of classes that is independent."""
    path = store.with_name("identified.csv")
    tested = [row for row in read_rows(path) if None not in row.values()]
    write_rows(path, TESTED, tested)
    known = {(row["format"], row["classes"]) for row in tested}
    rows = sorted(list_latest(read_rows(store), kind), key=lambda row: int(row["cells"]))
    with path.open("a", encoding="utf-8", newline="") as file:
        for row in rows:
            if (row["format"], row["independent"]) in known or int(row["cells"]) > most_cells or is_perfect(row):
                continue
            if time.monotonic() > until:
                break
            found = read_secants(row)
            shown = int(is_identified(0, found.groups, found.independent))
            csv.writer(file, lineterminator="\n").writerow(
                [kind, row["cells"], row["format"], row["independent"], shown]
            )
            file.flush()


def is_perfect(row: dict[str, str]) -> bool:
    """Whether the directions of the last independent number of classes are all cells."""
    return count_directions(read_groups(row["format"]), int(row["independent"])) == int(row["cells"])


def list_identified(rows: Sequence[dict[str, str]], tested: Sequence[dict[str, str]]) -> list[dict[str, Any]]:
    """Each format with the number of classes up to which it is identified, and by which theorem."""
    shown = {(row["format"], row["classes"]) for row in tested if row["shown"] == "1"}
    found = []
    for row in rows:
        is_shown = (row["format"], row["independent"]) in shown
        number = int(row["independent"]) - (not is_shown)
        found.append(row | {"identified": number, "by": ISOLATED if is_shown else SECANT if number else ""})
    return found


def count_identified(kind: str, rows: Sequence[dict[str, str]], tested: Sequence[dict[str, str]]) -> dict[str, Any]:
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


def append_row(file: TextIO, kind: str, found: Secants) -> None:
    """One format."""
    values = kind, count_cells(found.groups), format_groups(found.groups), found.independent, found.full
    csv.writer(file, lineterminator="\n").writerow(values)
    file.flush()


def read_secants(row: dict[str, str]) -> Secants:
    """What a row says."""
    return Secants(read_groups(row["format"]), int(row["independent"]), int(row["full"]))


def list_latest(rows: Sequence[dict[str, str]], kind: str) -> list[dict[str, str]]:
    """The last row of each format of a kind."""
    return list({row["format"]: row for row in rows if row["kind"] == kind}.values())


def is_open(row: dict[str, str]) -> bool:
    """Whether there is a number of classes that is neither proved independent nor full, nor in a family of defective ones."""
    groups = read_groups(row["format"])
    between = range(int(row["independent"]) + 1, int(row["full"]))
    return any(name_source(groups, classes) == NOT_COMPARED for classes in between)


def describe_between(row: dict[str, str], before: Mapping[str, dict[str, str]]) -> list[dict[str, Any]]:
    """The dimensions for the numbers of classes between the two of a format, as far as they are known; computed ones are kept."""
    groups, found = read_groups(row["format"]), []
    for classes in range(int(row["independent"]) + 1, int(row["full"])):
        model = f"{classes}:{row['format']}"
        if model in before:
            found.append(before[model])
            continue
        expected = min(count_directions(groups, classes), int(row["cells"])) - 1
        known = find_defective_format(classes, tuple(group.states for group in groups))
        theorem = compute_group_dimension(classes, [group[:2] for group in groups])
        if row["kind"] == "shared" and theorem is not None:
            what = (theorem[0], "proved", SYMMETRIC_ITEMS)
        elif int(row["cells"]) <= MOST_RANKED and prod(states**items for states, items, _ in groups) <= MOST_CELLS:
            report = algdim.dimension(model)
            what = (report.dimension, report.trust.to_dict()["status"], report.upper.kind)
        elif known is not None and row["kind"] == "arrays":
            what = (known.at_most, "cited", "defective")
        else:
            continue
        source = name_source(groups, classes) if what[0] < expected else ""
        values = (row["kind"], row["cells"], model, what[0], expected, *what[1:], source)
        found.append(dict(zip(KEPT, values, strict=True)))
    return found


def list_open(row: dict[str, str], kept: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The numbers of classes between the two of a format whose dimension is not known."""
    known = {one["model"] for one in kept}
    models = [f"{classes}:{row['format']}" for classes in range(int(row["independent"]) + 1, int(row["full"]))]
    return [{"kind": row["kind"], "cells": row["cells"], "model": model} for model in models if model not in known]


def count_formats(
    kind: str,
    rows: Sequence[dict[str, str]],
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


def main() -> None:
    """Settle what is asked for, then write what is kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for kind, most in KINDS.items():
        parser.add_argument(f"--{kind}", type=int, default=most, metavar="CELLS", help="0: leave what is kept as it is")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="for each kind")
    parser.add_argument("--open", action="store_true", help="try open formats again")
    parser.add_argument("--identify", action="store_true", help="test formats that were settled")
    parser.add_argument("--store", type=Path, default=HERE.parent / "build" / "atlas" / "formats.csv", metavar="FILE")
    arguments = parser.parse_args()
    arguments.store.parent.mkdir(parents=True, exist_ok=True)
    known = {row["model"]: row for row in read_rows(DEFECTIVE)}
    counts: list[dict[str, Any]] = []
    kept: list[dict[str, Any]] = []
    unsettled: list[dict[str, Any]] = []
    summary: list[dict[str, Any]] = []
    listed: list[dict[str, Any]] = []
    contacts: list[dict[str, Any]] = []
    for kind in KINDS:
        before = [row for row in read_rows(COUNTS) if row["kind"] == kind]
        if not getattr(arguments, kind):
            counts += before
            kept += [row for row in known.values() if row["kind"] == kind]
            unsettled += [row for row in read_rows(OPEN) if row["kind"] == kind]
            summary += [row for row in read_rows(IDENTIFIED) if row["kind"] == kind]
            contacts += [row for row in read_rows(CONTACTS) if row["kind"] == kind]
            continue
        until = time.monotonic() + arguments.seconds
        run = identify_formats if arguments.identify else improve_formats if arguments.open else settle_formats
        run(kind, getattr(arguments, kind), arguments.store, until)
        rows = sorted(list_latest(read_rows(arguments.store), kind), key=lambda row: int(row["cells"]))
        mine = [one for row in rows for one in describe_between(row, known)]
        left = [one for row in rows for one in list_open(row, mine)]
        counts.append(count_formats(kind, rows, mine, left))
        kept += mine
        unsettled += left
        tests = [row for row in read_rows(arguments.store.with_name("identified.csv")) if row["kind"] == kind]
        # two runs at once may have tested the same
        tested = list({(row["format"], row["classes"]): row for row in tests}.values())
        summary.append(count_identified(kind, rows, tested))
        listed += list_identified(rows, tested)
        within = [row for row in tested if int(row["cells"]) <= summary[-1]["cells"] and row["shown"] == "0"]
        contacts += [row | {"model": f"{row['classes']}:{row['format']}"} for row in within]
    write_rows(arguments.store.with_name("secants.csv"), LISTED, listed)
    write_rows(IDENTIFIED, SUMMARY, summary)
    write_rows(CONTACTS, UNSETTLED, [{name: row[name] for name in UNSETTLED} for row in contacts])
    write_rows(DEFECTIVE, KEPT, kept)
    write_rows(OPEN, UNSETTLED, unsettled)
    write_rows(COUNTS, COUNTED, counts)
    if any(row["status"] not in {"proved", "cited"} for row in kept):
        sys.exit("a dimension is not proved: see atlas/defective.csv")


if __name__ == "__main__":
    main()
