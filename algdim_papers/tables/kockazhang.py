"""KZ02 Table 1, computed: the effective dimension of latent class models and what bounds it."""

from __future__ import annotations

from algdim.bound.latentclass import COMPLETE, PAIRWISE, STANDARD, latent_class_bounds
from algdim.claims.reading import claims
from algdim.models.anymodel import discrete_only
from algdim.models.notation import parse
from algdim.report import dimension
from algdim.tables.grid import Cell, Grid

CAPTION = (
    "Comparison of the effective dimension de, bound db from Theorem 4 (bold if db ≠ de), standard dimension ds, complete "
    "dimension dc and pairwise dimension dp from Theorem 3 (bold if ds, dc, dp = db) for selected LC models (KZ02 Table 1)."
)
COLUMNS = ("LC model", "de", "db", STANDARD, COMPLETE, PAIRWISE)
NOTE = "* is bold in print. dp is dc where no bipartition qualifies, and then bold together with dc."


def kocka_zhang_1(seed: int | str = 0) -> Grid:
    """KZ02 Table 1: the printed models, every number computed, bold by the rule of the paper's caption."""
    models = dict.fromkeys(claim.model for claim in claims("KZ02") if claim.place.startswith("Table 1"))
    rows = [row_of(model, seed) for model in models]
    doubtful = [str(row[0].value) for row in rows if isinstance(row[1].value, str)]
    notes = (NOTE, *([f"? is not proved: {'; '.join(doubtful)}"] if doubtful else []))
    return Grid("kocka-zhang-1", CAPTION, COLUMNS, tuple(rows), notes)


def row_of(text: str, seed: int | str = 0) -> tuple[Cell, ...]:
    """One model's row.

    >>> [cell.value for cell in row_of("3:2,2,2,2")], [cell.bold for cell in row_of("3:2,2,2,2")]
    (['3:2,2,2,2', 13, 14, 14, 15, 14], [False, False, True, True, False, True])
    """
    counts = latent_class_bounds(discrete_only(parse(text), "the table is"))
    report = dimension(text, seed=seed)
    de, db = report.dimension, counts.best_bound

    def bounding(value: int | None, printed: int | str | None = None) -> Cell:
        return Cell("—" if value is None else value if printed is None else printed, value == db)

    return (
        Cell(text),
        Cell(de if report.exact else f"{de}?"),
        Cell(db, db != de),
        bounding(counts.standard),
        bounding(counts.complete),
        bounding(counts.pairwise_bound, COMPLETE if counts.partition is None else None),
    )
