"""The page "what the atlas shows": the text of atlas/page.md with the tables of what is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import algdim
from algdim.sweeping.lookup import PROBABLE, look_up
from atlas.classes import CLASSES
from atlas.groups import NOT_COMPARED
from atlas.tables import CERTIFIED, CONTACTS, DEFECTIVE, FORMATS, HERE, IDENTIFIED, SOURCES, read_table

COUNTED = ("class", "models", "proved", "below expected", "below parameters", "not done", "seconds")
MOST_SHOWN = 30
"""Formats of no list in print that the page shows; all are in the table."""


def write_page(entries: list[dict[str, Any]], counts: Mapping[str, Mapping[str, Any]]) -> str:
    """The page "what the atlas shows": the text of atlas/page.md with its tables."""
    rows = [
        f"| `{name}` | {f'`{CLASSES[name]}`' if isinstance(CLASSES[name], str) else 'list of `atlas/classes.py`'} "
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
    new = [row for row in formats if row["source"] == NOT_COMPARED]
    sourced = read_table(SOURCES)
    sources = "\n".join(
        f"| {'arrays' if row['kind'] == 'arrays' else 'shared tables'} | {row['source']} | {row['numbers']} |"
        for row in sourced
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
        ("CONTACTS", list_contacts()),
        ("NEW", f"{sum(int(row['numbers']) for row in sourced if row['source'] == NOT_COMPARED):,}"),
        ("SOURCES", sources),
        ("OTHERS", others),
        ("EXAMPLE", dict(example.rows)["locally identified"] if example is not None else ""),
        ("PROBABLE", probable or "None."),
        ("UNSURE", f"{sum(entry['identified'].endswith(PROBABLE) for entry in entries):,}"),
    ):
        text = text.replace(f"@{place}@", table)
    return text


def list_contacts() -> str:
    """The first arrays that were not shown to be identified, and how many there are."""
    models = [f"`{row['model']}`" for row in read_table(CONTACTS) if row["kind"] == "arrays"]
    more = len(models) - MOST_SHOWN
    return ", ".join(models[:MOST_SHOWN]) + (f" and {more} more" if more > 0 else "")


def show_rows(path: Path) -> str:
    """The rows of a table as those of the page."""
    return "\n".join(f"| {' | '.join(row.values())} |" for row in read_table(path))


def count_known(name: str, entries: list[dict[str, Any]]) -> int:
    """Of how many models of a class the parameters that are identified are counted; of all classes if none is named."""
    return sum(bool(entry["identified"]) for entry in entries if not name or entry["class"] == name)


def count_hidden(entry: Mapping[str, Any]) -> int | None:
    """The number of hidden variables of a structure, from its text; nothing for other classes."""
    if not entry["class"].startswith("structures"):
        return None
    clauses = str(entry["model"]).split("; ")
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
