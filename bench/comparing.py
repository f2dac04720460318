"""This run beside the last published page: ratios within one run, since seconds do not carry over."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import measuring

FELL = 0.8
"""Below this part of the published ratio a line is marked."""

Table = list[dict[str, str]]


def read_page(path: Path) -> dict[str, Table]:
    """The first table of every section of a page, by the section's title."""
    tables: dict[str, Table] = {}
    title, header = "", []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        if line.startswith("## "):
            title, header = line.removeprefix("## "), []
        elif line.startswith("| ") and not line.startswith("| ---"):
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            if title not in tables:
                tables[title], header = [], cells
            elif header:
                tables[title].append(dict(zip(header, cells, strict=False)))
        elif not line:
            header = header if title not in tables or not tables[title] else []
    return tables


def collect(section: measuring.Section, rows: Sequence[dict[str, str]]) -> dict[str, float]:
    """The ratios of a section by the names of their rows."""
    found: dict[str, float] = {}
    for row in rows:
        with suppress(ValueError):
            found[", ".join(row.get(name, "") for name in section.header[: section.names])] = float(
                row.get(section.ratio, "")
            )
    return found


def compare(sections: Sequence[measuring.Section], page: Path) -> str:
    """A table of all ratios that were measured now and before; what fell by more than a fifth is marked."""
    before = read_page(page)
    rows = []
    for section in sections:
        if not section.ratio:
            continue
        now = collect(section, [dict(zip(section.header, row, strict=True)) for row in section.rows])
        then = collect(section, before.get(section.title, []))
        for name, value in now.items():
            old = then.get(name)
            if old:
                part = value / old
                rows.append(
                    [section.title, name, f"{old:.3g}", f"{value:.3g}", f"{part:.2f}", "FELL" if part < FELL else ""]
                )
    if not rows:
        return f"\nno ratio of this run is in {page}"
    fell = sum(bool(row[-1]) for row in rows)
    header = ["section", "what", "published", "now", "now by published", ""]
    return (
        f"\nRatios beside {page} (greater is better for algdim): {fell} of {len(rows)} fell by more than a fifth\n"
        + (measuring.table(header, rows))
    )
