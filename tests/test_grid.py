"""The intermediate table and its forms."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algdim.tables.grid import Cell, Grid
from algdim.tables.rendering import escaped

texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=8)
grids = st.integers(1, 4).flatmap(
    lambda width: st.builds(
        lambda head, rows: Grid("name", "A caption", tuple(head), tuple(map(tuple, rows))),
        st.lists(texts, min_size=width, max_size=width),
        st.lists(
            st.lists(st.builds(Cell, st.one_of(texts, st.integers()), st.booleans()), min_size=width, max_size=width),
            max_size=4,
        ),
    )
)


def test_rows_have_one_cell_for_each_column():
    """A short row is refused with its number."""
    with pytest.raises(ValueError, match="row 2 has 1 cells; the table has 2 columns"):
        Grid("t", "", ("a", "b"), ((Cell(1), Cell(2)), (Cell(1),)))


@given(grids)
def test_csv_reads_back(grid):
    """Any text survives."""
    head, *rows = list(csv.reader(io.StringIO(grid.csv() + "\n"))) or [[]]

    assert [list(grid.columns), *[[str(cell.value) for cell in row] for row in grid.rows]] == [head, *rows]


@given(grids)
def test_one_line_per_row(grid):
    """Every form has a line for each row."""
    assert 2 + len(grid.rows) == len(grid.markdown().split("\n"))
    assert 11 + len(grid.rows) == len(grid.latex().split("\n"))
    assert 3 + len(grid.rows) == len(grid.text().split("\n"))


@given(texts)
def test_latex_has_no_bare_special_character(value):
    """What LaTeX would take for a command or a comment is escaped."""
    rest = re.sub(
        r"\\text(backslash|asciitilde|asciicircum)\{\}|\\[&%$#_{}]|\$\\neq\$|\$-\$|\$\\times\$", "", escaped(value)
    )

    assert not set(rest) & set("\\&%$#_{}~^")


def test_columns_of_numbers_stand_to_the_right():
    """A column with a number is one of numbers, whatever else it holds."""
    grid = Grid("t", "", ("model", "dp"), ((Cell("2:2"), Cell("dc")), (Cell("2:3,3"), Cell(7))))

    assert (False, True) == grid.numeric
    assert "{lr}" in grid.latex()
    assert "|:---|---:|" in grid.markdown()


def test_notes_and_stars_in_the_terminal():
    """Bold cells have a star; notes stand below."""
    grid = Grid("t", "caption", ("a",), ((Cell(1, bold=True),), (Cell(2),)), ("* is bold",))

    assert ["caption", "", "a", "1*", "2", "", "* is bold"] == [line.strip() for line in str(grid).splitlines()]
