"""The papers' tables of experiments in their layout."""

import subprocess

import pytest
from amount import daily
from latexing import complaints, needs_latex
from packages import ROOT

from algdim_papers.experiments import printedtables
from algdim_papers.experiments.printedtables import build_printed_tables, make_printed
from algdim_papers.experiments.rows import make_rows, parse_csv
from algdim_papers.printed import CH96_TABLE_1, CH96_TABLE_2, KZ02_TABLE_2

PUBLISHED = ROOT / "docs" / "experiments"
FILES = {
    "figure-1": ("figure-1",),
    "figure-2": ("figure-2", "figure-2-seconds"),
    "figure-3": ("figure-3",),
    "latent-trees": ("latent-trees",),
}


@pytest.fixture(scope="module")
def grids():
    """The tables from the published rows."""
    found = {
        name: {file: parse_csv((PUBLISHED / f"{file}.csv").read_text(encoding="utf-8")) for file in files}
        for name, files in FILES.items()
    }
    return {grid.name: grid for grid in build_printed_tables(found)}


def printed(grid, keys):
    """The texts of the rows that stand in print, by those above them."""
    return {
        tuple(cell.value for cell in here[:keys]): [cell.text for cell in below[keys + 1 :]]
        for here, below in zip(grid.rows[::2], grid.rows[1::2], strict=True)
    }


def test_the_rows_are_those_of_print(grids):
    """Twelve rows of CH96 Table 1, two of which stand twice; some as copied from the papers by hand."""
    first = grids["chickering-heckerman-1"]
    order = [tuple(cell.value for cell in row[:3]) for row in first.rows[::2]]

    assert 12 == len(order)
    assert [(64, 32, 400), (64, 16, 400), (64, 8, 400), (64, 4, 400)] == order[4:8]
    assert [100, 200, 400, 800] == [row[2] for row in order[8:]]
    assert ["0", "0.4 ± 1.5", "0", "-0.2 ± 0.4"] == printed(first, 3)[8, 4, 400]
    assert ["5.0 ± 6.4", "5.0 ± 6.4", "-1.6 ± 1.1", "-3.0 ± 1.4"] == printed(first, 3)[64, 16, 400]
    assert ["530", "4600", "2", "0.08", "2", "2"] == printed(grids["chickering-heckerman-2"], 1)[(2079,)]
    assert ["0.22 ± 0.04", "0.16 ± 0.03", "0.22 ± 0.03", "0.17 ± 0.03"] == printed(grids["kocka-zhang-2"], 1)[(81000,)]


def test_sums_of_the_printed_numbers():
    """Against slips of copying: sums of the columns, added up from the text of the papers, where two rows of Table 1 stand twice."""
    rows = [*CH96_TABLE_1, *(row for row in CH96_TABLE_1 if row[:3] in {(32, 4, 400), (64, 4, 400)})]

    assert [23.0, 23.0, -3.6, -13.4] == [round(sum(row.printed[place][0] for row in rows), 1) for place in range(4)]
    assert [10.4, 12.3, 3.5, 8.7] == [round(sum(row.printed[place][1] for row in rows), 1) for place in range(4)]
    assert [22154, 7440, 48400, 24, 0.84, 24, 24] == [
        sum(CH96_TABLE_2),
        *(round(sum(row[place] for row in CH96_TABLE_2.values()), 2) for place in range(6)),
    ]
    assert [9.94, 11.38, 10.03, 10.16, 1.16, 1.3, 1.15, 1.09] == [
        round(sum(row[place][part] for row in KZ02_TABLE_2.values()), 2) for part in (0, 1) for place in range(4)
    ]
    assert 8.7 == round(max(row[1] / row[0] for row in CH96_TABLE_2.values()), 1)


def test_bold_is_the_best_and_what_is_as_good(grids):
    """In every row of KZ02 Table 2 the least mean is bold."""
    for row in grids["kocka-zhang-2"].rows[::2]:
        least = min(row[2:], key=lambda cell: cell.value)

        assert least.bold


def test_nothing_measured_gives_no_table():
    """Tables of experiments that were not run are left out, and rows of which nothing was measured."""
    rows = make_rows(("set", "cases", "score", "model", "divergence"), [])

    assert [] == build_printed_tables({})
    assert [] == build_printed_tables({"latent-trees": {"latent-trees": rows}})


@needs_latex
@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("name", daily(["chickering-heckerman-1", "chickering-heckerman-2", "kocka-zhang-2"], 1))
def test_no_box_is_overfull(grids, name, tmp_path):
    """In article on A4 paper, one column and two."""
    for options in ("a4paper", "a4paper,twocolumn"):
        assert [] == complaints(grids[name].latex(in_two_columns="two" in options), options, tmp_path)


def test_numbers_are_aligned_by_siunitx(grids):
    """Columns of numbers, heads and bold numbers in braces; columns of words stay."""
    text = grids["kocka-zhang-2"].latex(with_siunitx=True)

    assert r"\begin{tabular}{S[table-format=6]lS[table-format=" in text
    assert "{BIC+}" in text
    assert r"6.1 \pm 0.6" in text


@needs_latex
@pytest.mark.usefixtures("home")
def test_with_siunitx_it_compiles_where_that_is_installed(grids, tmp_path):
    """Numbers that it cannot read would be errors."""
    there = subprocess.run(["kpsewhich", "siunitx.sty"], capture_output=True, check=False).stdout
    if not there:
        pytest.skip("siunitx is not installed (Debian: texlive-science)")
    source = grids["kocka-zhang-2"].latex(with_siunitx=True)

    assert [] == complaints(source, "a4paper", tmp_path, r"\usepackage{siunitx}")


def test_printed_numbers_keep_their_places():
    """5.0 ± 6.4 is not 5 ± 6."""
    assert "5.0 ± 6.4" == make_printed(5.0, 6.4).text
    assert "0" == make_printed(0, 0).text
    assert printedtables.find_best({"a": [1.0, 1.0], "b": [2.0, 2.0]}) == {"a"}
