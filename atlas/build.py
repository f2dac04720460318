"""Build the atlas: every class of models below is swept into a store, which resumes, and the rows that are kept are written.

    make atlas                                      all classes, on this machine
    python atlas/build.py CLASS ... --stores FOLDER --workers 2
    python atlas/build.py --dask tcp://10.0.0.1:8786

What is kept is `algdim/sweeping/atlas.csv.gz`, in which `algdim lookup` looks, and the counts of `atlas/counts.csv`, from which
docs/atlas.md is made. Rows of classes that were not asked for stay.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from itertools import product
from math import comb, prod
from pathlib import Path
from typing import Any, NamedTuple

import algdim
from algdim.families.discrete.model import Network
from algdim.sweeping.lookup import ALL, ATLAS, COLUMNS, compute_key, iterate_entries
from algdim.sweeping.processes import count_workers, open_client, open_dask_executor
from algdim_papers.claims.reading import list_claims, list_papers

HERE = Path(__file__).parent
COUNTS = HERE / "counts.csv"
PAGE = HERE.parent / "docs" / "atlas.md"
COUNTED = ("class", "models", "proved", "below expected", "below parameters", "not done", "seconds")
STORED = ("model", "outcome", "standard", "complete", "dimension", "status", "upper_kind", "seconds")
SECONDS = 60.0
"""Of each model; one that takes longer has no row in the atlas and is counted."""


class Class(NamedTuple):
    """A class of models: what is swept, and whether the parameters that are identified are counted where not all are."""

    models: str | Callable[[], Iterator[str]]
    identified: bool = False


def list_boltzmann_machines() -> Iterator[str]:
    """Restricted Boltzmann machines with 2 to 7 visible and 1 to 5 hidden binary units."""
    for visible, hidden in product(range(2, 8), range(1, 6)):
        pairs = ", ".join(f"{{V{i},H{j}}}" for i in range(1, visible + 1) for j in range(1, hidden + 1))
        yield f"loglinear: {pairs}; hidden {', '.join(f'H{j}' for j in range(1, hidden + 1))}"


def list_hidden_markov_models() -> Iterator[str]:
    """Hidden Markov models with 2 to 4 states, one item, at most 1,024 cells; all kinds of tables."""
    for states, items, length, words in product(
        range(2, 5), range(2, 5), range(2, 11), ("", ", homogeneous", ", homogeneous, stationary, reversible")
    ):
        if items**length <= 1024:
            yield f"hmm: states {states}, items {items}, length {length}{words}"


def list_printed_models() -> Iterator[str]:
    """The models of which the five papers make a claim; of a claim about all n those that are computed."""
    claims = [claim for paper in list_papers() for claim in list_claims(paper)]
    yield from dict.fromkeys(one.model for claim in claims for one in claim.instances if one.model)


CLASSES: Mapping[str, Class] = {
    "structures": Class("structures observed<=4 hidden<=1 classes<=4"),
    "structures-two-hidden": Class("structures observed<=4 hidden=2"),
    "latent-classes": Class("lc cells<=260"),
    "latent-trees": Class("trees leaves<=6 states>=2 states<=3 classes>=2 classes<=3"),
    "mixed-graphs": Class("mixed nodes<=4"),
    "symmetric": Class("symmetric coordinates<=60 items<=6"),
    "boltzmann": Class(list_boltzmann_machines),
    "hidden-markov": Class(list_hidden_markov_models),
    "papers": Class(list_printed_models),
}


def sweep_class(name: str, folder: Path, options: Mapping[str, Any]) -> list[dict[str, Any]]:
    """All rows of a class; those that its store has already are not computed again."""
    models = CLASSES[name].models
    if not isinstance(models, str):
        listed = folder / f"{name}.txt"
        listed.write_text("".join(f"{text}\n" for text in models()), encoding="utf-8")
        models = str(listed)
    store = folder / f"{name}.sqlite"
    found = algdim.sweep(models, store, timeout=SECONDS, **options)
    print(found, flush=True)
    if not found.complete:
        sys.exit("stopped; the same command resumes")
    rows = algdim.query(store, columns=STORED)
    unique = {row[0]: dict(zip(STORED, row, strict=True)) for row in rows.values()}
    # some families of the papers have no saturated model
    return [row for row in unique.values() if row["outcome"] != "done" or row["complete"] is not None]


def make_entry(name: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """The row of the atlas for a row of a store."""
    model: Any = algdim.model(row["model"])
    saturated = count_distinct_cells(model) - 1 if name == "symmetric" else row["complete"]
    entry = {
        "key": compute_key(model),
        "class": name,
        "model": row["model"],
        "parameters": row["standard"],
        "saturated": saturated,
        "dimension": row["dimension"],
        "status": row["status"],
        "proof": row["upper_kind"],
        "identified": ALL if row["dimension"] == row["standard"] else "",
    }
    if CLASSES[name].identified and not entry["identified"]:
        entry["identified"] = str(count_identified(row["model"]))
    return entry


def count_identified(text: str) -> int:
    """How many parameters are locally identified at almost every point."""
    return sum(verdict.identifiable is True for verdict in algdim.identify(text).verdicts)


def count_distinct_cells(model: Network) -> int:
    """The number of cells that are not equal to others because items have one table."""
    groups = Counter(variable.local.share or variable.name for variable in model.observed)
    states = {variable.local.share or variable.name: variable.states for variable in model.observed}
    return prod(comb(states[group] + items - 1, items) for group, items in groups.items())


def summarise(name: str, rows: list[dict[str, Any]], entries: list[dict[str, Any]]) -> dict[str, Any]:
    """The counts of a class."""
    done = [row for row in rows if row["outcome"] == "done"]
    known = {entry["model"]: entry for entry in entries}
    saturated = {row["model"]: known.get(row["model"], {}).get("saturated", row["complete"]) for row in done}
    return {
        "class": name,
        "models": len(rows),
        "proved": sum(row["status"] == "proved" for row in done),
        "below expected": sum(row["dimension"] < min(row["standard"], saturated[row["model"]]) for row in done),
        "below parameters": sum(row["dimension"] < row["standard"] for row in done),
        "not done": len(rows) - len(done),
        "seconds": round(sum(row["seconds"] or 0 for row in rows)),
    }


def read_counts() -> dict[str, dict[str, Any]]:
    """The counts of earlier runs."""
    if not COUNTS.exists():
        return {}
    with COUNTS.open(encoding="utf-8", newline="") as file:
        return {row["class"]: dict(row) for row in csv.DictReader(file)}


def write_rows(columns: tuple[str, ...], rows: list[dict[str, Any]]) -> str:
    """Rows as text."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def write_page(entries: list[dict[str, Any]], counts: Mapping[str, Mapping[str, Any]]) -> str:
    """The page "what the atlas shows": the text of atlas/page.md with its tables."""
    rows = [
        f"| `{name}` | {'lists made by `atlas/build.py`' if callable(CLASSES[name].models) else f'`{CLASSES[name].models}`'} "
        f"| {' | '.join(str(one[column]) for column in COUNTED[1:])} |"
        for name, one in counts.items()
    ]
    total = {column: sum(int(one[column]) for one in counts.values()) for column in COUNTED[1:]}
    classes = "\n".join([*rows, f"| all | | {' | '.join(str(value) for value in total.values())} |"])
    gaps: dict[tuple[str, int], Counter[int]] = {}
    for entry in entries:
        hidden = count_hidden(entry)
        if hidden is not None:
            gap = min(int(entry["parameters"]), int(entry["saturated"])) - int(entry["dimension"])
            gaps.setdefault((entry["class"], hidden), Counter())[gap] += 1
    shown = "\n".join(
        f"| `{name}` | {hidden} | {sum(found.values())} | {sum(found.values()) - found[0]} | {max(found)} |"
        for (name, hidden), found in sorted(gaps.items())
    )
    symmetric = [entry for entry in entries if entry["class"] == "symmetric" and is_defective(entry)]
    formats = "\n".join(
        f"| {describe_format(entry['model'])} | {entry['dimension']} | {min(int(entry['parameters']), int(entry['saturated']))} | `{entry['proof']}` |"
        for entry in symmetric
        if " × " in describe_format(entry["model"])
    )
    probable = "\n".join(
        f"- `{entry['model']}`: {entry['dimension']}" for entry in entries if entry["status"] != "proved"
    )
    text = (HERE / "page.md").read_text(encoding="utf-8")
    for place, table in (
        ("TOTAL", f"{len(entries):,}"),
        ("CLASSES", classes),
        ("GAPS", shown),
        ("FORMATS", formats),
        ("PROBABLE", probable or "None."),
    ):
        text = text.replace(f"@{place}@", table)
    return text


def is_defective(entry: Mapping[str, Any]) -> bool:
    """Whether a dimension is below the expected one."""
    return int(entry["dimension"]) < min(int(entry["parameters"]), int(entry["saturated"]))


def count_hidden(entry: Mapping[str, Any]) -> int | None:
    """The number of hidden variables of a structure; nothing for other classes."""
    return len(algdim.model(entry["model"]).hidden) if entry["class"].startswith("structures") else None  # type: ignore[attr-defined]


def describe_format(text: str) -> str:
    """The classes and the groups of items of a model with items of one table.

    >>> describe_format("H -> X1, X2, X3; hidden H; states X1=3, X2=3; share a: X1, X2")
    '2: S²(3) × 2'
    """
    model: Any = algdim.model(text)
    groups = Counter((variable.local.share or variable.name, variable.states) for variable in model.observed)
    powers = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
    parts = [
        f"S{str(items).translate(powers)}({states})" if items > 1 else str(states)
        for (_, states), items in groups.items()
    ]
    return f"{model.hidden[0].states}: {' × '.join(parts)}"


def main() -> None:
    """Sweep the classes that are asked for, all by default, and write what is kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("classes", nargs="*", metavar="CLASS", help=", ".join(CLASSES))
    parser.add_argument("--stores", type=Path, default=HERE.parent / "build" / "atlas", metavar="FOLDER")
    parser.add_argument("--workers", type=int, metavar="N")
    parser.add_argument("--dask", metavar="ADDRESS")
    arguments = parser.parse_args()
    chosen = arguments.classes or list(CLASSES)
    if not set(chosen) <= set(CLASSES):
        parser.error(f"classes are {', '.join(CLASSES)}")
    arguments.stores.mkdir(parents=True, exist_ok=True)
    entries = [row for row in iterate_entries(ATLAS) if row["class"] not in chosen] if ATLAS.exists() else []
    counts = read_counts()
    with ExitStack() as stack:
        options: dict[str, Any] = {"workers": arguments.workers}
        if arguments.dask:
            connection = stack.enter_context(open_client(arguments.dask))
            options = {"executor": partial(open_dask_executor, connection), "workers": count_workers(connection)}
        for name in chosen:
            rows = sweep_class(name, arguments.stores, options)
            kept = [make_entry(name, row) for row in rows if row["outcome"] == "done"]
            entries += kept
            counts[name] = summarise(name, rows, kept)
    order = list(CLASSES)
    entries.sort(key=lambda entry: order.index(entry["class"]))
    # no time of writing and no name of a file: the same rows are the same bytes
    ATLAS.write_bytes(gzip.compress(write_rows(COLUMNS, entries).encode(), 9, mtime=0))
    counts = {name: counts[name] for name in order if name in counts}
    COUNTS.write_text(write_rows(COUNTED, list(counts.values())), encoding="utf-8")
    PAGE.write_text(write_page(entries, counts), encoding="utf-8")


if __name__ == "__main__":
    main()
