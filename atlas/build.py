"""Build the atlas: every class of models below is swept into a store, which resumes, and the rows that are kept are written.

    make atlas                                      all classes, on this machine
    python atlas/build.py CLASS ... --stores FOLDER --workers 2
    python atlas/build.py --dask tcp://10.0.0.1:8786
    python atlas/build.py CLASS ... --missing       only models without an entry, or with a probable dimension
    python atlas/build.py CLASS ... --missing 2000  the first 2,000 of these in each class
    python atlas/build.py CLASS ... --identified 600
                                                    count the parameters that are identified, for so many seconds

A run with `--missing` or `--identified` goes on where the last one ended: what it found is in the file. `atlas/formats.py` makes
`atlas/defective.csv`, the models of the class `defective-formats`, and `atlas/certificates.py` the certificates. What is kept is
`algdim/sweeping/atlas.csv.gz`, in which `algdim lookup` looks, and the counts of `atlas/counts.csv`, from which docs/atlas.md is
made. Rows of classes that were not asked for stay.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from itertools import product
from math import comb, prod
from pathlib import Path
from time import monotonic
from typing import Any

import algdim
from algdim.families.discrete.model import Network
from algdim.models.notation import to_text
from algdim.sweeping.language import read_sweep
from algdim.sweeping.lookup import ALL, ATLAS, COLUMNS, PROBABLE, compute_key, iterate_entries, look_up
from algdim.sweeping.processes import count_workers, open_client, open_dask_executor
from algdim_papers.claims.reading import list_claims, list_papers

HERE = Path(__file__).parent
COUNTS, FORMATS, DEFECTIVE = HERE / "counts.csv", HERE / "formats.csv", HERE / "defective.csv"
IDENTIFIED, CONTACTS, CERTIFIED = HERE / "identified.csv", HERE / "contacts.csv", HERE / "certificates.csv"
PAGE = HERE.parent / "docs" / "atlas.md"
COUNTED = ("class", "models", "proved", "below expected", "below parameters", "not done", "seconds")
STORED = ("model", "outcome", "standard", "complete", "dimension", "status", "upper_kind", "seconds")
SHARED = ("symmetric", "defective-formats")
"""Classes with items of one table: the saturated model is that of all tables with the same symmetry."""
MOST_SHOWN = 30
"""Formats of no list in print that the page shows; all are in the table."""
SECONDS = 60.0
"""Of each model; one that takes longer has no row in the atlas and is counted."""


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


def list_defective_formats() -> Iterator[str]:
    """The latent class models of `atlas/defective.csv` whose dimension is below the expected one."""
    rows = read_table(DEFECTIVE)
    yield from (row["model"] for row in rows if row["status"] == "proved" and row["dimension"] != row["expected"])


Models = str | Callable[[], Iterator[str]]
"""A sweep, or a list."""

CLASSES: Mapping[str, Models] = {
    "structures": "structures observed<=4 hidden<=1 classes<=4",
    "structures-two-hidden": "structures observed<=4 hidden=2 classes<=4",
    "latent-classes": "lc cells<=260",
    "latent-trees": "trees leaves<=6 states>=2 states<=3 classes>=2 classes<=3",
    "mixed-graphs": "mixed nodes<=4",
    "symmetric": "symmetric coordinates<=60 items<=6",
    "boltzmann": list_boltzmann_machines,
    "hidden-markov": list_hidden_markov_models,
    "papers": list_printed_models,
    "defective-formats": list_defective_formats,
}


def list_models(name: str) -> list[str]:
    """All models of a class, as the atlas writes them."""
    models = CLASSES[name]
    texts = read_sweep(models).texts() if isinstance(models, str) else (to_text(algdim.model(one)) for one in models())
    return list(dict.fromkeys(texts))


def choose_missing(texts: list[str], old: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The models without an entry, then those with a probable dimension."""
    without = [text for text in texts if text not in old]
    return without + [text for text in texts if text in old and old[text]["status"] != "proved"]


def sweep_class(name: str, folder: Path, options: Mapping[str, Any], wanted: list[str] | None) -> list[dict[str, Any]]:
    """All rows of a class, or those of some of its models; those that its store has already are not computed again."""
    models = CLASSES[name]
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


def count_identified(text: str) -> str:
    """How many parameters are locally identified at almost every point, with a word if that is not proved of each."""
    verdicts = algdim.identify(text).verdicts
    count = sum(verdict.identifiable is True for verdict in verdicts)
    return str(count) if all(verdict.trust.is_proved for verdict in verdicts) else f"{count} {PROBABLE}"


def count_all_identified(entries: list[dict[str, Any]], chosen: Collection[str], seconds: float) -> None:
    """Fill the column of entries that lack it, until the time is over."""
    until = monotonic() + seconds
    waiting = [entry for entry in entries if entry["class"] in chosen and not entry["identified"]]
    for done, entry in enumerate(waiting):
        if monotonic() > until:
            print(f"{len(waiting) - done} models of {', '.join(chosen)} are left; the same command goes on")
            break
        entry["identified"] = count_identified(entry["model"])


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


def read_table(path: Path) -> list[dict[str, str]]:
    """The rows of a table of an earlier run, none if there was no run."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


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
        f"| `{name}` | {f'`{CLASSES[name]}`' if isinstance(CLASSES[name], str) else 'list made by `atlas/build.py`'} "
        f"| {' | '.join(str(one[column]) for column in COUNTED[1:])} | {count_known(name, entries)} |"
        for name, one in counts.items()
    ]
    total = {column: sum(int(one[column]) for one in counts.values()) for column in COUNTED[1:]}
    classes = "\n".join(
        [*rows, f"| all | | {' | '.join(str(value) for value in total.values())} | {count_known('', entries)} |"]
    )
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
    formats = [row for row in read_table(DEFECTIVE) if row["dimension"] != row["expected"]]
    new = [row for row in formats if row["source"].startswith("in none")]
    sources = "\n".join(
        f"| {'arrays' if kind == 'arrays' else 'shared tables'} | {source} | {count} |"
        for (kind, source), count in sorted(Counter((row["kind"], row["source"]) for row in formats).items())
    )
    others = "\n".join(
        f"| {describe_format(row['model'])} | {row['dimension']} | {row['expected']} | `{row['upper']}` | `algdim prove '{row['model']}'` |"
        for row in new[:MOST_SHOWN]
    )
    probable = "\n".join(
        f"- `{entry['model']}`: {entry['dimension']}" for entry in entries if entry["status"] != "proved"
    )
    example = look_up(algdim.model("3:2,2,2,2"))
    text = (HERE / "page.md").read_text(encoding="utf-8")
    for place, table in (
        ("TOTAL", f"{len(entries):,}"),
        ("CLASSES", classes),
        ("GAPS", shown),
        ("SETTLED", show_rows(FORMATS)),
        ("IDENTIFIED", show_rows(IDENTIFIED)),
        ("CERTIFIED", show_rows(CERTIFIED)),
        ("CONTACTS", ", ".join(f"`{row['model']}`" for row in read_table(CONTACTS) if row["kind"] == "arrays")),
        ("NEW", str(len(new))),
        ("SOURCES", sources),
        ("OTHERS", others),
        ("EXAMPLE", dict(example.rows)["locally identified"] if example is not None else ""),
        ("PROBABLE", probable or "None."),
        ("DOUBT", str(sum(row["status"] == "probable" for row in formats))),
    ):
        text = text.replace(f"@{place}@", table)
    return text


def show_rows(path: Path) -> str:
    """The rows of a table as those of the page."""
    return "\n".join(f"| {' | '.join(row.values())} |" for row in read_table(path))


def count_known(name: str, entries: list[dict[str, Any]]) -> int:
    """Of how many models of a class the parameters that are identified are counted; of all classes if none is named."""
    return sum(bool(entry["identified"]) for entry in entries if not name or entry["class"] == name)


def is_defective(entry: Mapping[str, Any]) -> bool:
    """Whether a dimension is below the expected one."""
    return int(entry["dimension"]) < min(int(entry["parameters"]), int(entry["saturated"]))


def count_hidden(entry: Mapping[str, Any]) -> int | None:
    """The number of hidden variables of a structure, from its text; nothing for other classes."""
    if not entry["class"].startswith("structures"):
        return None
    clauses = entry["model"].split("; ")
    return sum(clause.count(",") + 1 for clause in clauses if clause.startswith("hidden "))


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
        count_all_identified(entries, chosen, arguments.identified)
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
    ATLAS.write_bytes(gzip.compress(write_rows(COLUMNS, entries).encode(), 9, mtime=0))
    counts = {name: counts[name] for name in order if name in counts}
    COUNTS.write_text(write_rows(COUNTED, list(counts.values())), encoding="utf-8")
    PAGE.write_text(write_page(entries, counts), encoding="utf-8")


if __name__ == "__main__":
    main()
