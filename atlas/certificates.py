"""Certificates of the entries of the atlas whose dimension is at most 100, each accepted by the checker of one file.

    python -m atlas.certificates                         all classes; goes on where the last run ended
    python -m atlas.certificates CLASS ... --seconds 600
    python -m atlas.certificates --sample 300            of each class so many, drawn with a seed

They are written to `build/atlas/certificates/CLASS/KE/KEY.json`, by the key of the entry, which is made by `compute_key`; an entry
without one is in `none.csv` there, with the reason. `proofs/check.py`, which needs nothing of algdim, reads each before it gets
its name. The site takes the folder if it is there, and its entries lead to the files. What is kept is `atlas/certificates.csv`, the
counts, for docs/atlas.md.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from time import monotonic

import algdim
from algdim.certificate.exporting import NotProvedError
from algdim.errors import LimitError
from algdim.sweeping.lookup import ATLAS, iterate_entries
from atlas.tables import BUILD, CERTIFIED, HERE, Row, read_table, write_table

FOLDER = BUILD / "certificates"
CHECKER = HERE.parent / "proofs" / "check.py"
LARGEST = 100
"""Dimension of entries of which certificates are stored."""
BATCH = 200
"""Certificates that the checker reads in one process."""
COUNTED = ("class", "entries", "stored", "without")
LACKING = ("class", "key", "model", "reason")


def list_entries(classes: Sequence[str] = ()) -> list[Row]:
    """The entries with a proved dimension that is small enough, of some classes or all."""
    return [
        entry
        for entry in iterate_entries(ATLAS)
        if entry["status"] == "proved"
        and int(entry["dimension"]) <= LARGEST
        and (not classes or entry["class"] in classes)
    ]


def identify(entry: Row) -> tuple[str, str]:
    """The class and the key of an entry; two models of a class that are the same under other names have one certificate."""
    return entry["class"], entry["key"]


def place_certificate(folder: Path, entry: Row) -> Path:
    """The file of an entry's certificate; no folder gets very many files."""
    return folder / entry["class"] / entry["key"][:2] / f"{entry['key']}.json"


def read_lacking(folder: Path) -> list[Row]:
    """The entries for which there is no certificate, each with the reason."""
    return read_table(folder / "none.csv")


def write_drafts(folder: Path, entries: Iterable[Row], lacking: list[Row]) -> Iterator[tuple[Path, Path]]:
    """Make certificates, each in a file that has not got its name yet; entries without one are added to a list."""
    for entry in entries:
        try:
            found = algdim.prove(entry["model"])
        except (NotProvedError, LimitError) as error:
            reason = str(error).removeprefix(f"{entry['model']}: ")
            lacking.append({"class": entry["class"], "key": entry["key"], "model": entry["model"], "reason": reason})
            continue
        claim = found.data["claim"]
        if str(claim["dimension"]) != entry["dimension"]:
            raise RuntimeError(
                f"{entry['model']}: {claim['dimension']} is certified, the atlas has {entry['dimension']}"
            )
        path = place_certificate(folder, entry)
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".draft")
        found.save(draft)
        yield draft, path


def check(paths: Sequence[Path]) -> dict[Path, str]:
    """What the checker says of files, in a process that cannot import algdim."""
    command = [sys.executable, "-I", "-S", str(CHECKER), *map(str, paths)]
    ended = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)  # noqa: S603 - no shell
    lines = ended.stdout.splitlines()
    if len(lines) != len(paths):
        raise RuntimeError(f"the checker said {len(lines)} lines of {len(paths)} files: {ended.stderr}")
    return {path: line.removeprefix(f"{path}: ") for path, line in zip(paths, lines, strict=True)}


def store_certificates(folder: Path, entries: Sequence[Row], until: float) -> list[str]:
    """Make and check what is not there yet; what the checker does not accept is returned and has no file."""
    lacking = read_lacking(folder)
    known = list_stored(folder) | {identify(row) for row in lacking}
    waiting = iter([one for one in entries if identify(one) not in known])
    refused = []
    while monotonic() < until and (some := list(islice(waiting, BATCH))):
        drafts = dict(write_drafts(folder, some, lacking))
        for draft, word in check(list(drafts)).items() if drafts else ():
            if word.startswith("accepted"):
                draft.rename(drafts[draft])
            else:
                refused.append(f"{draft}: {word}")
        write_table(folder / "none.csv", LACKING, lacking)
    return refused


def list_stored(folder: Path = FOLDER) -> set[tuple[str, str]]:
    """The classes and keys of all entries that have a file."""
    return {(path.parts[-3], path.stem) for path in folder.glob("*/*/*.json")}


def count_stored(folder: Path) -> list[dict[str, str]]:
    """For each class the entries that are small enough, the certificates stored and the entries without."""
    stored, without = list_stored(folder), {identify(row) for row in read_lacking(folder)}
    entries = list_entries()
    counts = {
        "entries": Counter(entry["class"] for entry in entries),
        "stored": Counter(entry["class"] for entry in entries if identify(entry) in stored),
        "without": Counter(entry["class"] for entry in entries if identify(entry) in without),
    }
    names = dict.fromkeys(entry["class"] for entry in entries)
    return [{"class": name} | {column: str(one[name]) for column, one in counts.items()} for name in names]


def main() -> None:
    """Store the certificates that are asked for, all by default."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("classes", nargs="*", metavar="CLASS")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--sample", type=int, metavar="ENTRIES", help="of each class")
    parser.add_argument("--seed", default="0", help="of the sample")
    arguments = parser.parse_args()
    entries = list_entries(arguments.classes)
    if arguments.sample is not None:
        source = random.Random(arguments.seed)
        names = dict.fromkeys(entry["class"] for entry in entries)
        groups = [[entry for entry in entries if entry["class"] == name] for name in names]
        entries = [one for group in groups for one in source.sample(group, min(arguments.sample, len(group)))]
    refused = store_certificates(arguments.folder, entries, monotonic() + arguments.seconds)
    counts = count_stored(arguments.folder)
    write_table(CERTIFIED, COUNTED, counts)
    print(json.dumps(counts, indent=1))
    if refused:
        sys.exit("\n".join(refused))


if __name__ == "__main__":
    main()
