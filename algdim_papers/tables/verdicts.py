"""The verdicts on the papers' numbers as a table."""

from __future__ import annotations

from collections.abc import Iterable

from algdim.claims.judging import Verdict, about, counts, notable
from algdim.tables.grid import Cell, Grid

COLUMNS = ("claim", "place", "about", "printed", "computed", "verdict", "status", "seconds", "reason")


NARROW = ("claim", "place", "printed", "computed", "verdict", "seconds")
"""The columns for which a printed page has room."""


def verdict_grid(verdicts: Iterable[Verdict], columns: tuple[str, ...] = COLUMNS) -> Grid:
    """The table of verdicts, a row for each claim; bold is what is not as printed, or open in the paper."""
    verdicts = list(verdicts)
    caption = f"What the papers print, computed again: {counts(verdicts)}."
    places = [COLUMNS.index(name) for name in columns]
    rows = tuple(tuple(row[place] for place in places) for row in map(row_of, verdicts))
    return Grid("reproduce", caption, columns, rows)


def row_of(verdict: Verdict) -> tuple[Cell, ...]:
    """The cells of one verdict."""
    claim = verdict.claim
    return (
        Cell(claim.id),
        Cell(claim.place),
        Cell(about(claim)),
        Cell(claim.printed),
        Cell(verdict.computed),
        Cell(verdict.verdict, notable(verdict)),
        Cell(verdict.status, lemmas=() if verdict.trust is None else verdict.trust.lemmas),
        Cell(round(verdict.seconds, 3)),
        Cell(verdict.reason or claim.note or None),
    )
