"""Build the atlas: every class of models below is swept into a store, which resumes, and the rows that are kept are written.

    make atlas                                      all classes, on this machine
    python -m atlas.build CLASS ... --stores FOLDER --workers 2
    python -m atlas.build --dask tcp://10.0.0.1:8786
    python -m atlas.build CLASS ... --missing       only models without an entry, or with a probable dimension
    python -m atlas.build CLASS ... --missing 2000  the first 2,000 of these in each class
    python -m atlas.build CLASS ... --identified 600
                                                    count the parameters that are identified, for so many seconds

A run with `--missing` or `--identified` goes on where the last one ended: what it found is in the file. `atlas/formats.py` makes
`atlas/defective.csv`, the models of the class `defective-formats`, and `atlas/certificates.py` the certificates. What is kept is
`algdim/sweeping/atlas.csv.gz`, in which `algdim lookup` looks, and the counts of `atlas/counts.csv`, from which docs/atlas.md is
made. Rows of classes that were not asked for stay.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from math import comb, prod
from pathlib import Path
from typing import Any

import algdim
from algdim.families.discrete.model import Network
from algdim.sweeping.lookup import ALL, ATLAS, COLUMNS, compute_key, iterate_entries
from algdim.sweeping.processes import count_workers, open_client, open_dask_executor
from atlas.classes import CLASSES, DERIVED, SHARED, list_models
from atlas.counting import count_all_identified
from atlas.page import COUNTED, write_page
from atlas.tables import BUILD, COUNTS, PAGE, format_table, read_table, write_table

STORED = ("model", "outcome", "standard", "complete", "dimension", "status", "upper_kind", "seconds")
SECONDS = 60.0
"""Of each model; one that takes longer has no row in the atlas and is counted."""


def choose_missing(texts: list[str], old: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The models without an entry, then those with a probable dimension."""
    without = [text for text in texts if text not in old]
    return without + [text for text in texts if text in old and old[text]["status"] != "proved"]


def sweep_class(name: str, folder: Path, options: Mapping[str, Any], wanted: list[str] | None) -> list[dict[str, Any]]:
    """All rows of a class, or those of some of its models; those that its store has already are not computed again."""
    models = CLASSES[name]
    if name in DERIVED:
        return list(DERIVED[name](list_models(name) if wanted is None else wanted))
    store = folder / f"{name}.sqlite"
    if wanted is not None or not isinstance(models, str):
        # a store has the rows of one list
        store = store if wanted is None else folder / f"{name}-missing.sqlite"
        listed = store.with_suffix(".txt")
        texts = list(models()) if wanted is None and not isinstance(models, str) else wanted or []
        listed.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        models = str(listed)
    found = algdim.sweep(models, store, timeout=SECONDS, **options)
    print(found, flush=True)
    if not found.complete:
        sys.exit("stopped; the same command resumes")
    rows = algdim.query(store, columns=STORED)
    if wanted is not None:
        store.unlink()
    unique = {row[0]: dict(zip(STORED, row, strict=True)) for row in rows.values()}
    # some families of the papers have no saturated model, and a store has no room for 2^64 cells most of which are equal
    return [row for row in unique.values() if row["outcome"] != "done" or row["complete"] is not None or name in SHARED]


def make_entry(name: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """The row of the atlas for a row of a store."""
    model: Any = algdim.model(row["model"])
    return {
        "key": compute_key(model),
        "class": name,
        "model": row["model"],
        "parameters": row["standard"],
        "saturated": count_distinct_cells(model) - 1 if name in SHARED else row["complete"],
        "dimension": row["dimension"],
        "status": row["status"],
        "proof": row["upper_kind"],
        "identified": ALL if row["dimension"] == row["standard"] else "",
    }


def count_distinct_cells(model: Network) -> int:
    """The number of cells that are not equal to others because items have one table."""
    groups = Counter(variable.local.share or variable.name for variable in model.observed)
    states = {variable.local.share or variable.name: variable.states for variable in model.observed}
    return prod(comb(states[group] + items - 1, items) for group, items in groups.items())


def summarise(models: int, entries: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
    """The counts of a class that has so many models."""
    return {
        "class": entries[0]["class"],
        "models": models,
        "proved": sum(entry["status"] == "proved" for entry in entries),
        "below expected": sum(is_defective(entry) for entry in entries),
        "below parameters": sum(int(entry["dimension"]) < int(entry["parameters"]) for entry in entries),
        "not done": models - len(entries),
        "seconds": round(seconds),
    }


def is_defective(entry: Mapping[str, Any]) -> bool:
    """Whether a dimension is below the expected one."""
    return int(entry["dimension"]) < min(int(entry["parameters"]), int(entry["saturated"]))


def main() -> None:
    """Sweep the classes that are asked for, all by default, and write what is kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("classes", nargs="*", metavar="CLASS", help=", ".join(CLASSES))
    parser.add_argument("--stores", type=Path, default=BUILD, metavar="FOLDER")
    parser.add_argument("--workers", type=int, metavar="N")
    parser.add_argument("--dask", metavar="ADDRESS")
    parser.add_argument("--missing", type=int, nargs="?", const=sys.maxsize, metavar="MODELS")
    parser.add_argument("--identified", type=float, metavar="SECONDS")
    arguments = parser.parse_args()
    chosen = arguments.classes or list(CLASSES)
    if not set(chosen) <= set(CLASSES):
        parser.error(f"classes are {', '.join(CLASSES)}")
    arguments.stores.mkdir(parents=True, exist_ok=True)
    before: list[dict[str, Any]] = list(iterate_entries(ATLAS)) if ATLAS.exists() else []
    entries = [row for row in before if row["class"] not in chosen]
    counts: dict[str, dict[str, Any]] = {row["class"]: dict(row) for row in read_table(COUNTS)}
    if arguments.identified is not None:
        entries = before
        left = count_all_identified(entries, chosen, arguments.stores / "counted.csv", arguments.identified)
        if left:
            print(f"{left} models of {', '.join(chosen)} are left; the same command goes on")
        chosen = []
    with ExitStack() as stack:
        options: dict[str, Any] = {"workers": arguments.workers}
        if arguments.dask:
            connection = stack.enter_context(open_client(arguments.dask))
            options = {"executor": partial(open_dask_executor, connection), "workers": count_workers(connection)}
        for name in chosen:
            old = {row["model"]: row for row in before if row["class"] == name}
            texts = None if arguments.missing is None else list_models(name)
            wanted = texts and choose_missing(texts, old)[: arguments.missing]
            rows = sweep_class(name, arguments.stores, options, wanted) if texts is None or wanted else []
            seconds = sum(row["seconds"] or 0 for row in rows)
            kept = {row["model"]: make_entry(name, row) for row in rows if row["outcome"] == "done"}
            if texts is not None:
                # in the order of the class
                kept = {text: (old | kept)[text] for text in texts if text in old | kept}
                seconds += float(counts.get(name, {}).get("seconds", 0))
            else:
                for text, entry in kept.items():
                    entry["identified"] = entry["identified"] or old.get(text, {}).get("identified", "")
            entries += kept.values()
            counts[name] = summarise(len(texts) if texts is not None else len(rows), list(kept.values()), seconds)
    order = list(CLASSES)
    entries.sort(key=lambda entry: order.index(entry["class"]))
    # no time of writing and no name of a file: the same rows are the same bytes
    ATLAS.write_bytes(gzip.compress(format_table(COLUMNS, entries).encode(), 9, mtime=0))
    counts = {name: counts[name] for name in order if name in counts}
    write_table(COUNTS, COUNTED, counts.values())
    PAGE.write_text(write_page(entries, counts), encoding="utf-8")


if __name__ == "__main__":
    main()
