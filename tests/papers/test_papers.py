"""The table of a paper's models: all of them, with what is computed, and what differs in print."""

from __future__ import annotations

from dataclasses import replace

import pytest

import algdim
from algdim.tables.grid import Cell
from algdim.trust import proved_by
from algdim_papers.claims.judging import compare_claim
from algdim_papers.claims.reading import list_claims
from algdim_papers.tables import make_verdict_cell


@pytest.mark.parametrize("paper", ["GHM96", "HM97", "KZ02", "CH96", "MH97"])
def test_every_model_with_a_number_has_a_row(paper):
    """One row each, and a number in it."""
    models = {claim.model for claim in list_claims(paper) if claim.quantity and not claim.cases}
    grid = algdim.table(paper.lower())

    assert models == {row[0].value for row in grid.rows}
    assert len(models) == len(grid.rows)
    assert all(any(isinstance(cell.value, int) for cell in row) for row in grid.rows)


def test_what_differs_in_print_is_bold_with_the_printed_number():
    """GHM96 prints 12 for the Gaussian W, whose two pairs of children leave 14 − 3 = 11."""
    grid = algdim.table("ghm96")
    (row,) = [row for row in grid.rows if row[0].value == "gaussian: A -> C <- H -> D <- B; hidden H"]

    assert Cell(11, bold=True, footnotes=("printed: 12",)) == row[grid.columns.index("dimension")]


def test_what_is_as_printed_is_plain():
    """KZ02 Table 1 prints 13 for 3:2,2,2,2."""
    grid = algdim.table("kz02")
    (row,) = [row for row in grid.rows if row[0].value == "3:2,2,2,2"]

    assert Cell(13) == row[grid.columns.index("dimension")]


def test_every_place_that_prints_another_number_is_named():
    """A number that is right in one place hides none that is wrong in another."""
    claim = next(one for one in list_claims("KZ02") if (one.model, one.quantity) == ("3:2,2,2,2", "dimension"))
    verdicts = [
        compare_claim(
            replace(claim, printed=printed, means=printed), 13, proved_by("counting and ambient", "a count"), printed
        )
        for printed in (13, 14, 12, 14)
    ]

    assert Cell(13, bold=True, footnotes=("printed: 14", "printed: 12")) == make_verdict_cell(verdicts)
