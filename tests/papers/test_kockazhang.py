"""KZ02 Table 1, regenerated: every number, what is bold, and all forms."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from golden_numbers import KZ02

import algdim
from algdim.cli import main
from algdim_papers.tables import build_kocka_zhang_row

TABLE_1 = [row for row in KZ02 if "pairwise_bound" in row]
COLUMNS = ("dimension", "best_bound", "standard", "complete", "pairwise_bound")


@pytest.fixture(scope="module")
def grid():
    """The table, once."""
    return algdim.table("kocka-zhang-1")


def test_every_number_as_printed(grid):
    """All five columns of all 21 rows, in the printed order."""
    printed = [(row["model"], *(row[column] for column in COLUMNS)) for row in TABLE_1]

    assert 21 == len(printed)
    assert printed == [tuple(cell.value for cell in row) for row in grid.rows]
    assert ("LC model", "de", "db", "ds", "dc", "dp") == grid.columns


def test_bold_by_the_caption(grid):
    """db where it is not de; ds, dc and dp where they are db, dp being dc where that is printed."""
    for row, printed in zip(grid.rows, TABLE_1, strict=True):
        _, de, db, ds, dc, dp = row
        value = dc.value if dp.value == "dc" else dp.value

        assert (db.value != de.value, ds.value == db.value, dc.value == db.value, value == db.value) == (
            db.bold,
            ds.bold,
            dc.bold,
            dp.bold,
        )
        assert not row[0].bold
        assert not de.bold
        assert printed["model"] == row[0].value


def test_two_bounds_are_not_tight(grid):
    """KZ02 §3.1: only 3:2,2,2,2 and 4:3,3,3 have de < db."""
    assert ["4:3,3,3", "3:2,2,2,2"] == [row[0].value for row in grid.rows if row[2].bold]


def test_csv_reads_back(grid):
    """Comma-separated values have the cells and nothing else, the model's commas quoted."""
    head, *rows = csv.reader(io.StringIO(grid.csv()))

    assert list(grid.columns) == head
    assert [[str(cell.value) for cell in row] for row in grid.rows] == rows


def test_latex_and_markdown_have_the_bold_cells(grid):
    """As many bold cells as the table has."""
    bold = sum(cell.bold for row in grid.rows for cell in row)

    assert bold == grid.latex().count(r"\textbf{")
    assert 2 * bold == grid.markdown().count("**")
    assert r"$3{:}2,2,2,2$ & 13 & \textbf{14} & \textbf{14} & 15 & \textbf{14} \\" in re.sub(" +", " ", grid.latex())
    assert "| 3:2,2,2,2 | 13 | **14** | **14** | 15 | **14** |" in grid.markdown()
    assert all(rule in grid.latex() for rule in (r"\toprule", r"\midrule", r"\bottomrule"))


@pytest.mark.parametrize("form", ["", "--latex", "--markdown", "--html", "--typst", "--csv", "--json"])
def test_the_command_prints_every_form(form, capsys):
    """Each option prints its form, with all models."""
    assert 0 == main(["table", "kocka-zhang-1", *([form] if form else [])])
    out = capsys.readouterr().out

    assert all(row["model"] in out.replace("{:}", ":") for row in TABLE_1)
    if form == "--json":
        assert {"value": 13, "bold": False, "footnotes": []} == json.loads(out)["rows"][12]["de"]


def test_unknown_tables_and_two_forms_are_refused(capsys):
    """The known names are told; two forms at once are an error."""
    assert 2 == main(["table", "kocka-zhang-9"])
    assert "known are kocka-zhang-1" in capsys.readouterr().err
    assert 2 == main(["table", "kocka-zhang-1", "--json", "--csv"])
    with pytest.raises(SystemExit):
        main(["table", "kocka-zhang-1", "--latex", "--csv"])


def test_a_bipartition_with_the_value_of_dc_is_a_number():
    """dc is printed in the last column only where no bipartition qualifies."""
    assert 19 == build_kocka_zhang_row("2:3,3,3")[5].value
    assert "dc" == build_kocka_zhang_row("3:3,3,3")[5].value
