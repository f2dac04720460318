"""This run and the last published one: ratios within one run, since seconds do not carry over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import measuring

FELL = 0.8
"""Below this part of the published ratio a line is marked."""


def collect(section: measuring.Section, rows: Sequence[dict[str, str]]) -> dict[str, float]:
    """The ratios of a section by the names of their rows."""
    found: dict[str, float] = {}
    for row in rows:
        with suppress(ValueError):
            found[", ".join(row.get(name, "") for name in section.header[: section.names])] = float(
                row.get(section.ratio, "")
            )
    return found


def compare(sections: Sequence[measuring.Section], published: Sequence[Mapping[str, Any]]) -> str:
    """A table of all ratios that were measured now and before; what fell by more than a fifth is marked."""
    before = {one["title"]: [dict(zip(one["header"], row, strict=True)) for row in one["rows"]] for one in published}
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
        return "\nno ratio of this run is among the published ones"
    fell = sum(bool(row[-1]) for row in rows)
    header = ["section", "what", "published", "now", "now by published", ""]
    return (
        f"\nRatios and the published ones (greater is better for algdim): {fell} of {len(rows)} fell by more than a fifth\n"
        + (measuring.table(header, rows))
    )
