"""MH97 Table 1, computed: the dimension and the number of parameters of five noisy-max-interaction models."""

from __future__ import annotations

from algdim.claims.reading import claims
from algdim.models.catalogue import entries
from algdim.report import dimension
from algdim.tables.grid import Cell, Grid

CAPTION = "The dimension of the NMI models (MH97 Table 1)."
MODELS = ("F1", "F2", "F3", "F4", "F5")
ROWS = {"Dimension": "dimension", "Unadjusted dim.": "standard"}
"""The printed heads of the rows, and the quantities they stand for."""

NOTE = (
    "The models of the paper's Figure 4, which is lost, in the only reading that fits: three independent binary causes, a binary "
    "effect, the mechanisms"
)


def meek_heckerman_1(seed: int | str = 0) -> Grid:
    """MH97 Table 1: every number computed; bold, with a footnote, where another one is printed."""
    notations = {entry.name: entry.notation for entry in entries()}
    texts = {name: notations[f"mh97-{name.lower()}"] for name in MODELS}
    reports = {name: dimension(text, seed=seed) for name, text in texts.items()}
    printed = {(claim.model, claim.quantity): claim.printed for claim in claims("MH97")}
    rows = tuple(
        (Cell(head), *(cell(getattr(reports[name], kind), printed[texts[name], kind]) for name in MODELS))
        for head, kind in ROWS.items()
    )
    doubtful = [name for name, report in reports.items() if not report.exact]
    structures = "; ".join(f"{name} {text.removeprefix('max: ').removesuffix(' -> E')}" for name, text in texts.items())
    notes = (f"{NOTE} {structures}.", *([f"The dimension is not proved: {', '.join(doubtful)}."] if doubtful else []))
    return Grid("meek-heckerman-1", CAPTION, ("Model", *MODELS), rows, notes)


def cell(value: int, printed: int | str) -> Cell:
    """A number, and what stands in its place in print if that is another one.

    >>> cell(7, 7), cell(8, 7).footnotes
    (Cell(value=7, bold=False, footnotes=()), ('7 in print',))
    """
    return Cell(value) if value == printed else Cell(value, bold=True, footnotes=(f"{printed} in print",))
