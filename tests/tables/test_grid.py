"""The intermediate table and its forms."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess

import pytest
from amount import daily
from hypothesis import given
from hypothesis import strategies as st

from algdim.display.latexlayout import LONG
from algdim.display.rendering import (
    SIGNS,
    Text,
    encode_for_latex,
    encode_for_spreadsheet,
    render_csv,
    render_markdown,
)
from algdim.tables.grid import Cell, Grid

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
    """Any text survives, but for the sign that ends a line in some programs."""
    head, *rows = list(csv.reader(io.StringIO(grid.csv(formulas=True) + "\n"))) or [[]]

    assert [list(grid.columns), *[[str(cell.value) for cell in row] for row in grid.rows]] == [head, *rows]


@given(grids)
def test_one_line_per_row(grid):
    """Every form has a line for each row."""
    assert 4 + len(grid.rows) == len(grid.markdown().split("\n"))
    assert (10 if len(grid.rows) <= LONG else 9) + len(grid.rows) == len(grid.latex().split("\n"))
    assert 3 + len(grid.rows) == len(grid.text().split("\n"))


@given(texts)
def test_latex_has_no_bare_special_character(value):
    """What LaTeX would take for a command or a comment is escaped."""
    rest = re.sub(
        r"\\text(backslash|asciitilde|asciicircum)\{\}|\\(dots|S)\{\}|\\[&%$#_{}]|"
        r"\$(\\[A-Za-z]+( [xy]|\\theta|12|\{[A-Z]\})?|[\^_][0-9]|\^\{-1\}|[-<>|])\$",
        "",
        encode_for_latex(value),
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


def test_footnotes_have_one_mark_each_in_the_order_of_their_cells():
    """Equal notes share a mark; every form shows the marks and the notes below."""
    rows = ((Cell(1, footnotes=("first",)),), (Cell(2, footnotes=("second", "first")),))
    grid = Grid("t", "", ("n",), rows, ("a note",), "from here")

    assert ("a first", "b second", "a note", "from here") == grid.below
    assert ["a", "ba"] == [row[0].marks for row in grid.texts]
    assert r"2\textsuperscript{ba}" in grid.latex()
    assert "2 <sup>ba</sup>" in grid.markdown()
    assert "2<sup>ba</sup>" in grid.html()
    assert "[2#super[ba]]" in grid.typst()
    assert ["n", "1 a", "2 ba"] == [line.strip() for line in grid.text().splitlines()[:3]]


@pytest.mark.parametrize(
    ("value", "text"), [(None, "—"), (True, "yes"), (False, "no"), (0.123456, "0.123"), (12, "12")]
)
def test_values_are_printed_for_people(value, text):
    """Nothing, yes and no, decimal numbers, whole numbers."""
    assert text == Cell(value).text


@given(texts)
def test_html_has_no_tag_of_a_cell(value):
    """A cell cannot bring markup of its own."""
    page = Grid("t", value, (value,), ((Cell(value),),)).html()

    assert {"table", "caption", "thead", "tr", "th", "tbody", "td"} >= set(re.findall(r"</?([a-z]+)", page))


def test_data_frames():
    """pandas and polars receive the values; nothing is a missing value."""
    grid = Grid("t", "", ("model", "dp"), ((Cell("2:2"), Cell(None)), (Cell("2:3,3"), Cell(7))))

    frame = pytest.importorskip("pandas") and grid.to_pandas()
    assert ["model", "dp"] == list(frame.columns)
    assert 7 == frame["dp"][1]
    frame = pytest.importorskip("polars") and grid.to_polars()
    assert [("2:2", None), ("2:3,3", 7)] == frame.rows()


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("rows", daily([1, LONG + 60], 1))
def test_latex_compiles(tmp_path, rows):
    """The table stands in a document of two lines, a long one over several pages."""
    tex = shutil.which("pdflatex")
    find = shutil.which("kpsewhich")
    if (
        tex is None
        or find is None
        or not subprocess.run([find, "booktabs.sty"], capture_output=True, check=False).stdout
    ):
        pytest.skip("pdflatex with booktabs is not installed")
    grid = Grid(
        "my table#1_b",
        "A_1 & B^2 < 3",
        ("mo|del", "n"),
        ((Cell("A -> C <- H; #%$~"), Cell(3, True, ("why",))),) * rows,
        (" ".join(SIGNS), "Müller – “quoted”"),
    )
    document = f"\\documentclass{{article}}\\usepackage{{booktabs,longtable}}\\begin{{document}}\n{grid.latex()}\\end{{document}}\n"
    (tmp_path / "t.tex").write_text(document, encoding="utf-8")

    done = subprocess.run(
        [tex, "-interaction=nonstopmode", "t.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert 0 == done.returncode, done.stdout[-2000:]


HOSTILE = ['=HYPERLINK("http://e","x")', "+1+1", "-1-1", "@SUM(A1)", "\t=1", "\r=1"]


@pytest.mark.parametrize("text", HOSTILE)
def test_spreadsheets_find_no_formulas(text):
    """A cell, and a column's name, that would be computed has an apostrophe before it, unless it is to stay."""
    found = list(csv.reader(io.StringIO(render_csv([text], [[text], [7]], formulas=False), newline="")))
    kept = list(csv.reader(io.StringIO(render_csv([text], [[text]], formulas=True), newline="")))

    cell = text.replace("\r", "\n")  # which is quoted

    assert [[f"'{cell}"], [f"'{cell}"], ["7"]] == found
    assert [[cell], [cell]] == kept


@pytest.mark.parametrize("value", [-1, -0.5, "-0.5", "+3", "-1e-05", "-", "a=1", None, "2:2,2"])
def test_numbers_and_other_texts_are_as_they_are(value):
    """A sign before digits alone begins no formula."""
    assert value == encode_for_spreadsheet(value)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028"])
def test_cells_of_markdown_stay_in_their_row(end):
    """A line end is a tag, and no other tag is one; arrows stay."""
    cell = f"one{end}two <script>alert(1)</script> <!-- A <-> B <- C a<b 1<2"
    found = render_markdown(f"a{end}<b>", ["x"], [[Text(cell)]], [False])

    assert ["a &lt;b>", "", "| x |", "|:---|"] == found.splitlines()[:4]
    assert "| one<br>two &lt;script>alert(1)&lt;/script> &lt;!-- A <-> B <- C a&lt;b 1<2 |" == found.splitlines()[4]
    assert 5 == len(found.splitlines())
