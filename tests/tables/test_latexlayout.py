"""Tables in LaTeX fit the page: compiled in one column and in two, no box is overfull; models as mathematics are read back."""

from __future__ import annotations

import re

import pytest
from amount import daily, some
from hypothesis import given, settings
from hypothesis import strategies as st
from latexing import complaints, needs_latex
from strategies import networks

from algdim.display.latexlayout import LONG, encode_breakable, encode_model_for_latex
from algdim.models.catalogue import list_catalogue_entries
from algdim.models.notation import parse, to_text
from algdim.tables.grid import Cell, Grid

ENTRIES = [entry.notation for entry in list_catalogue_entries()]


def make_grid(count, *, has_models):
    """A table with models of the catalogue, numbers, words and nothing, wider than a page."""
    rows = tuple(
        (
            Cell(ENTRIES[number % len(ENTRIES)], is_model=has_models),
            Cell(number),
            Cell(13, bold=True, footnotes=("printed: 14",)),
            Cell(None),
            Cell("confirmed-in-the-only-reading" if number % 2 else "refuted"),
            Cell("the formula holds for n = 3…40, and the lemma covers the rest"),
        )
        for number in range(count)
    )
    columns = ("model", "parameters", "dimension", "nothing", "verdict", "reason")
    return Grid(
        "t", "Models {A,B},{C,D},{E,F},{G,H},{I,J},{K,L},{M,N}.", columns, rows, ("A note.",), "algdim, seed 0."
    )


@needs_latex
@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("options", daily(["a4paper", "a4paper,twocolumn"], 1))
@pytest.mark.parametrize("count", daily([3, LONG + 20], 2))
def test_nothing_is_too_wide(options, count, tmp_path):
    """A short and a long table with all that makes one wide."""
    source = make_grid(count, has_models=True).latex(in_two_columns="two" in options)

    assert [] == complaints(source, options, tmp_path)
    assert "nothing" not in source
    assert r"\to" in source


@needs_latex
@pytest.mark.usefixtures("home")
def test_tables_that_fit_keep_their_form(tmp_path):
    """Few columns: the usual letters, in both documents."""
    rows = tuple((Cell(text, is_model=True), Cell(13)) for text in ("2:2^8", "3:2,2,2,2"))
    grid = Grid("t", "", ("model", "dimension"), rows)

    assert r"\begin{tabular}{lr}" in grid.latex()
    assert "footnotesize" not in grid.latex()
    assert [] == complaints(grid.latex(in_two_columns=True), "a4paper,twocolumn", tmp_path)


def unmark(source):
    """The notation again, of a model as mathematics."""
    for sign, text in (
        (r"\leftrightarrow", "<->"),
        (r"\leftarrow", "<-"),
        (r"\to", "->"),
        (r"\allowbreak", ""),
        (r"\;", " "),
    ):
        source = source.replace(sign, text)
    for sign, text in ((r"\{", "«"), (r"\}", "»"), (r"\mathrm", ""), (r"\_", "¶"), ("{", ""), ("}", "")):
        source = source.replace(sign, text)
    return (
        re.sub(r"([A-Za-z])_(?=\d)", r"\1", source)
        .replace("$", "")
        .replace("«", "{")
        .replace("»", "}")
        .replace("¶", "_")
    )


@pytest.mark.parametrize("text", daily(ENTRIES, 12))
def test_models_are_the_same_as_mathematics(text):
    """Without the marks of LaTeX every model of the catalogue is itself again."""
    assert parse(text) == parse(unmark(encode_model_for_latex(text)))


@settings(max_examples=some(20))
@given(networks())
def test_any_network_is_the_same_as_mathematics(network):
    """Whatever its names are."""
    text = to_text(network)

    assert parse(text) == parse(unmark(encode_model_for_latex(text)))


@given(st.text(max_size=30))
@settings(max_examples=some(20))
def test_breaks_add_no_letters(text):
    """What may be broken reads as what is not."""
    words = encode_breakable(text).replace(r"\allowbreak{}", "")

    assert words.count(" ") >= text.count(" ")
    assert encode_breakable("short, words") == "short, words"


def test_names_are_no_mathematics():
    """The name of a model, or of its file, is text."""
    assert ["w-structure", "pairs.R"] == [encode_model_for_latex(text) for text in ("w-structure", "pairs.R")]


@needs_latex
@pytest.mark.usefixtures("home")
def test_a_table_of_many_parts_is_set(tmp_path):
    """In two columns every part is a float, of which LaTeX refuses more than some that wait together."""
    rows = tuple((Cell(f"model {number}"), Cell("a place " * 8), Cell(number)) for number in range(1500))
    source = Grid("t", "", ("model", "where", "dimension"), rows).latex(in_two_columns=True)

    assert source.count("begin{table*}") > 30
    assert [] == complaints(source, "a4paper,twocolumn", tmp_path)
