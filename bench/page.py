"""Write docs/benchmarks.md from docs/benchmarks/results.json: ``python bench/page.py``.

`make bench` measures and writes both; the words and the form of the page can be changed without measuring again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import measuring

DOCS = Path(__file__).parents[1] / "docs"
PAGE, PLOTS, RESULTS = "benchmarks.md", "benchmarks", "results.json"

FIRST = "Latent class models"
"""The section whose chart and programs are at the top."""
OURS = "algdim"
CHART = "time-against-cells.svg"
MOST_BY_OTHERS = 0.2
"""Processors; with less the machine was quiet."""


def collect_results(found: Sequence[measuring.Section], environment: str, date: str, seconds: float) -> dict[str, Any]:
    """What was measured in one part, as it is kept."""
    sections = [asdict(section) for section in found]
    return {"date": date, "seconds": seconds, "environment": environment, "sections": sections}


def join_parts(parts: Sequence[Mapping[str, Any]], missing: Sequence[str], *, quick: bool) -> dict[str, Any]:
    """All parts, as they are written to the file; of plots their names."""
    dates, seconds = sorted(part["date"] for part in parts), sum(part["seconds"] for part in parts)
    sections = [section | {"plots": list(section["plots"])} for part in parts for section in part["sections"]]
    joined: dict[str, Any] = {"date": dates[-1], "first_date": dates[0], "seconds": round(seconds)}
    joined |= {"environment": parts[-1]["environment"], "sections": sections, "quick": quick, "missing": list(missing)}
    if all("others" in part for part in parts):
        others = sum(part["others"] * part["seconds"] for part in parts) / seconds
        joined |= {"others": round(others, 2), "processors": parts[-1]["processors"]}
    return joined


def write_page(results: Mapping[str, Any]) -> str:
    """The text of the page: one chart and one table for readers, then what is behind them, folded."""
    sections = results["sections"]
    version = next(word for word in results["environment"].replace("algdim ", "algdim-").split() if "algdim-" in word)
    first = next((section for section in sections if section["title"] == FIRST), None)
    verdicts = [f"- {verdict}" for section in sections for verdict in section["verdicts"]]
    first_date = results.get("first_date", results["date"])
    when = f"on {results['date']}" if first_date == results["date"] else f"from {first_date} to {results['date']}"
    measured = (
        f"Measured with {version.strip(',').replace('-', ' ')} {when}, in {format_duration(results['seconds'])} on one machine, part by part, all programs of a part in turn, those of the chart each in a process of its own. "
        "Seconds are those of the processor (of several threads, and of limits of time, on the wall). Ratios carry over to other machines, seconds do not. `make bench` measures everything again."
    )
    if "others" in results:
        measured += f" Other work took {results['others']:.1f} of its {results['processors']} processors on average"
        measured += (
            ", which makes seconds longer, for all programs, and limits of time shorter."
            if results["others"] >= MOST_BY_OTHERS
            else "."
        )
    if results.get("quick"):
        measured += " This run was made with `--quick`: fewer and smaller models, fewer repetitions."
    if results.get("missing"):
        measured += f" Not measured: {', '.join(results['missing'])}."
    measured += results.get("remark", "")
    lines = [
        "# Benchmarks",
        "",
        *(write_summary(first) if first else []),
        measured,
        "",
        "## In detail",
        "",
    ]
    for section in sections:
        lines += fold(section["title"], write_section(section))
    lines += fold("The machine", ["```text", *results["environment"].splitlines(), "```", ""])
    lines += fold("Targets of the developers", [*verdicts, ""])
    return "\n".join(lines).rstrip("\n") + "\n"


def write_summary(section: Mapping[str, Any]) -> list[str]:
    """The chart, and the largest model that each program answered, compared with algdim."""
    rows = [dict(zip(section["header"], row, strict=True)) for row in section["rows"]]
    ours = {row["model"]: read_seconds(row["total"]) for row in rows if row["program"] == OURS}
    largest = {row["program"]: row for row in rows if row["program"] != OURS}  # models are in the order of their size
    table = []
    for program, row in largest.items():
        seconds, mine = read_seconds(row["total"]), ours[row["model"]]
        table.append(
            [
                *(program, row["model"], row["parameters"], row["cells"]),
                *(measuring.short(seconds), measuring.short(mine), f"{seconds / mine:.3g}"),
            ]
        )
    smallest = next(iter(ours))
    faster = sum(row["model"] == smallest and row["program"] != OURS and float(row["ratio"]) < 1 for row in rows)
    header = ["program", "largest model answered", "parameters", "cells", "seconds", "algdim", "times as long"]
    said = (
        "algdim's seconds are those of the whole report, with a proof of both bounds. The others compute a rank at a random point, which proves no upper bound; singular values in floating point prove no lower one. "
        f"On the smallest model, {smallest}, {faster} of {len(largest)} programs are faster than that proof."
    )
    return [
        f"![Seconds for the dimension of one latent class model against its number of cells: {len(table) + 1} programs]({PLOTS}/{CHART})",
        "",
        f"How long does the dimension of a latent class model take? Each program was given larger and larger models, until it had no answer within {read_limit(section)} seconds.",
        "",
        *measuring.markdown_table(header, table),
        "",
        said,
        "",
    ]


def read_limit(section: Mapping[str, Any]) -> str:
    """The limit of time, as the remarks on programs without an answer have it."""
    found = (re.search(r"no answer within ([0-9.]+) s", remark) for remark in section["remarks"])
    return next((one[1] for one in found if one), "the given")


def format_duration(seconds: int) -> str:
    """How long a run took."""
    return f"{round(seconds / 60)} minutes"


def read_seconds(text: str) -> float:
    """The median in front of the spread."""
    return float(text.partition(" ")[0])


def write_section(section: Mapping[str, Any]) -> list[str]:
    """What a section says: about, table, remarks, plots but the chart at the top."""
    plots = [name for name in section["plots"] if name != CHART]
    return [
        *(section["about"], ""),
        *(*measuring.markdown_table(section["header"], section["rows"]), ""),
        *(*(f"- {text}" for text in section["remarks"]), *([""] if section["remarks"] else [])),
        *(line for name in plots for line in (f"![{name.removesuffix('.svg').replace('-', ' ')}]({PLOTS}/{name})", "")),
    ]


def fold(title: str, lines: Sequence[str]) -> list[str]:
    """A part that is closed until a reader opens it."""
    return ['<details markdown="1">', f"<summary>{title}</summary>", "", *lines, "</details>", ""]


def read_results() -> dict[str, Any]:
    """The published results."""
    path = DOCS / PLOTS / RESULTS
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"sections": []}
    return found


if __name__ == "__main__":
    (DOCS / PAGE).write_text(write_page(read_results()), encoding="utf-8")
