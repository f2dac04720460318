"""MH97 Table 1, regenerated: the numbers, and what is said of the one that differs."""

from __future__ import annotations

import pytest

import algdim
from algdim.cli import main

PRINTED = {"Dimension": [7, 7, 9, 10, 11], "Unadjusted dim.": [9, 9, 11, 15, 11]}
"""MH97 Table 1."""


@pytest.fixture(scope="module")
def grid():
    """The table, once."""
    return algdim.table("meek-heckerman-1")


def test_every_number_as_printed_but_one(grid):
    """The rows and columns of the print; only the dimension of F2 is another, 3 + 5 by the faces of {1,2} and {3}."""
    computed = {row[0].value: [cell.value for cell in row[1:]] for row in grid.rows}

    assert ("Model", "F1", "F2", "F3", "F4", "F5") == grid.columns
    assert {**PRINTED, "Dimension": [7, 3 + 5, 9, 10, 11]} == computed


def test_the_difference_is_said(grid):
    """It is bold, and a footnote has the printed number."""
    marked = [cell for row in grid.rows for cell in row if cell.bold or cell.footnotes]

    assert [("7 in print",)] == [cell.footnotes for cell in marked]
    assert "F2 {C1,C2},{C3}" in grid.notes[0]
    assert 1 == len(grid.notes)


def test_the_command_prints_it(capsys):
    """By its name, in any form."""
    assert 0 == main(["table", "meek-heckerman-1", "--latex"])
    assert r"\textbf{8" in capsys.readouterr().out
