"""What an experiment finds: rows of what was measured; published cells beside ours, with standard errors and a verdict; figures."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite, sqrt
from typing import Any

import numpy as np

from algdim.plots.svg import Series
from algdim_papers.experiments.rows import DIGITS, Findings, write_csv
from algdim_papers.experiments.thresholds import WIDE

REPRODUCED, DIRECTION, DIFFERENT, MEASURED = "reproduced", "direction reproduced", "not reproduced", "measured"
"""The last one where nothing is printed to compare with."""
UNCONTRADICTED, ONLY_DIRECTION = "not contradicted", "direction only"
"""Near a printed number of the other sign; far from the printed number, though its conclusion holds."""
LABELS = (REPRODUCED, UNCONTRADICTED, DIRECTION, ONLY_DIRECTION, DIFFERENT, MEASURED)
"""From the most to the least that is said of a printed number."""
SCHEMA = "algdim-experiment-2"


def compute_digest(text: str) -> str:
    """Of a file of rows: by it a record knows its own."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


@dataclass(frozen=True, slots=True)
class Cell:
    """One published cell or curve."""

    place: str
    quantity: str
    printed: str
    found: float
    error: float | None
    """The standard error over data sets; None for what is no mean."""
    sets: int
    verdict: str
    note: str = ""

    @property
    def found_text(self) -> str:
        """What was found, with its standard error."""
        return f"{self.found:.3g}" + ("" if self.error is None else f" ± {self.error:.2g}")

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output, numbers with as many digits as those that they were computed from."""
        numbers = {"found": cut_digits(self.found), "error": None if self.error is None else cut_digits(self.error)}
        return {name: getattr(self, name) for name in self.__slots__} | numbers


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one experiment; figures are texts of SVG files by name."""

    name: str
    size: str
    seed: int
    version: str
    findings: Findings
    cells: tuple[Cell, ...]
    figures: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    date: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output, the rows and the figures by name only."""
        return {
            "schema": SCHEMA,
            **{name: getattr(self, name) for name in ("name", "size", "seed", "version", "seconds", "date")},
            "cells": [cell.to_dict() for cell in self.cells],
            "rows": sorted(self.findings),
            "digests": {name: compute_digest(write_csv(rows)) for name, rows in sorted(self.findings.items())},
            "figures": sorted(self.figures),
        }


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over data sets."""

    value: float
    error: float
    sets: int

    @property
    def low(self) -> float:
        """What it is at least."""
        return self.value - WIDE * self.error

    @property
    def high(self) -> float:
        """What it is at most."""
        return self.value + WIDE * self.error

    def has_sign_of(self, printed: float) -> bool:
        """Whether it is beyond its error on the side of 0 where a printed number is."""
        return self.low > 0 if printed > 0 else self.high < 0 if printed < 0 else False


def cut_digits(value: float) -> float:
    """A number with as many digits as rows have.

    >>> cut_digits(2 / 3)
    0.6666666667
    """
    return float(f"{value:.{DIGITS}g}")


def compute_mean(values: Iterable[float]) -> Mean:
    """The mean with its standard error.

    >>> compute_mean([1.0, 3.0])
    Mean(value=2.0, error=1.0, sets=2)
    """
    numbers = np.asarray(list(values), dtype=np.float64)
    error = float(numbers.std(ddof=1)) / sqrt(len(numbers)) if len(numbers) > 1 else float("inf")
    return Mean(float(numbers.mean()), error, len(numbers))


def make_series(name: str, means: Mapping[int, Mean] | Mapping[float, Mean], *, joined: bool = True) -> Series:
    """Means as a line of a figure, with their standard errors where there are any."""
    known = any(isfinite(one.error) for one in means.values())
    errors = tuple(one.error if isfinite(one.error) else 0.0 for one in means.values()) if known else ()
    return Series(name, tuple((float(x), one.value) for x, one in means.items()), joined, errors)


def describe_error_bars(sets: int) -> str:
    """What is said below the title of a figure of means."""
    return f"means of {sets} data sets, bars: one standard error"


def make_compared_cell(
    place: str, quantity: str, found: Mean, printed: float, printed_error: float, *, direction: bool, note: str = ""
) -> Cell:
    """A mean beside a printed one: reproduced if they are within two standard errors of their difference, both counted.

    Where one of them differs from 0 and the other has the other sign, nearness says no more than that the errors are wide.
    ``direction`` says whether what the paper concludes from the number holds.
    """
    near = abs(found.value - printed) <= WIDE * sqrt(found.error**2 + printed_error**2)
    differs = abs(found.value) > WIDE * found.error or abs(printed) > WIDE * printed_error
    is_opposite = found.value * printed < 0 and differs
    close = UNCONTRADICTED if is_opposite else REPRODUCED
    verdict = close if near else ONLY_DIRECTION if direction else DIFFERENT
    text = f"{printed:g}" + (f" ± {printed_error:.2g}" if printed_error else "")
    return Cell(place, quantity, text, found.value, found.error, found.sets, verdict, note)


def make_stated_cell(place: str, quantity: str, found: Mean, printed: str, *, holds: bool, note: str = "") -> Cell:
    """A number that bears out a statement in words, or does not; a curve of which no numbers are printed."""
    verdict = DIRECTION if holds else DIFFERENT
    return Cell(place, quantity, printed, found.value, found.error, found.sets, verdict, note)


def make_measured_cell(place: str, quantity: str, found: Mean, note: str = "") -> Cell:
    """A number that the paper does not have."""
    error = found.error if found.sets > 1 else None
    return Cell(place, quantity, "", found.value, error, found.sets, MEASURED, note)


def render_table(cells: Sequence[Cell]) -> str:
    """The cells as a table of Markdown."""
    lines = ["| place | quantity | printed | found | sets | verdict |", "|---|---|---|---|---|---|"]
    for cell in cells:
        verdict = cell.verdict + (f": {cell.note}" if cell.note else "")
        lines.append(
            f"| {cell.place} | {cell.quantity} | {cell.printed} | {cell.found_text} | {cell.sets} | {verdict} |"
        )
    return "\n".join(lines)
