"""Tables of one's own: what a file can say, what is refused, and what comes out."""

from __future__ import annotations

import json

import pytest

import algdim
from algdim.cli import main
from algdim.errors import InputError

SPEC = """
caption = "Latent class models"
columns = ["label", "standard", "complete", "dimension", "status", "certificate"]
models = ["3:2,2,2,2", {model = "4:3,3,3", label = "four & classes"}, "small.json"]

[heads]
dimension = "de"

[[bold]]
column = "dimension"
when = "dimension < best_bound"

[[footnote]]
column = "standard"
when = "standard > complete"
text = "more parameters than cells"
"""
SMALL = {"variables": [{"name": "H", "states": 3, "observed": False}, {"name": "X"}], "edges": [["H", "X"]]}


@pytest.fixture
def spec(tmp_path):
    """The path of a table's file, with a model's file beside it."""
    (tmp_path / "small.json").write_text(json.dumps(SMALL), encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(SPEC, encoding="utf-8")
    return path


def test_values_bold_type_footnotes_and_provenance(spec):
    """KZ02 Table 1's two exceptions are bold; a model's file is found beside the table's."""
    grid = algdim.table(str(spec))

    assert ("label", "standard", "complete", "de", "status", "certificate") == grid.columns
    assert [("3:2,2,2,2", 14, 15, 13, "proved"), ("four & classes", 27, 26, 25, "proved")] == [
        tuple(cell.value for cell in row[:5]) for row in grid.rows[:2]
    ]
    assert [True, True, False] == [row[3].bold for row in grid.rows]
    assert ["", "a", "a"] == [row[1].marks for row in grid.texts]
    assert 1 == grid.rows[2][3].value
    assert all(len(row[5].value) == 16 for row in grid.rows)
    assert grid.below[-1].startswith("algdim ")
    assert grid.below[-1].endswith("every dimension is proved.")
    assert r"four \& classes & 27\textsuperscript{a} &" in " ".join(grid.latex().split())


def test_a_csv_file_lists_models(tmp_path, capsys):
    """The column `model` with models, `label` with their names; columns from the command line."""
    path = tmp_path / "models.csv"
    path.write_text('label,model\nfirst,"3:2,2,2,2"\n,2:2^3\n', encoding="utf-8")

    assert 0 == main(["table", str(path), "--columns", "label, dimension", "--csv"])
    assert "label,dimension\nfirst,13\n2:2^3,7\n" == capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "models is missing"),
        ("models = []", "there are 0 models"),
        ("models = [3]", r"models\[0\]"),
        ('models = ["2:2,2", "3:"]', r"models\[1\], 3:"),
        ('models = [{model = "2:2,2", name = "a"}]', "name"),
        ('models = ["2:2,2"]\ncolumns = ["dim"]', "there is no column 'dim'"),
        ('models = ["2:2,2"]\ncolumns = ["model", "model"]', "stands twice"),
        ('models = ["2:2,2"]\nrows = 1', "rows"),
        ('models = ["2:2,2"]\n[[bold]]\ncolumn = "dimension"', r"bold\[0\].when"),
        ('models = ["2:2,2"]\n[[bold]]\ncolumn = "dimension"\nwhen = "open(1)"', "may not stand in a condition"),
        ('models = ["2:2,2"]\n[heads]\ndim = "d"', "heads.dim"),
        ("models = [", "not valid TOML"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path, text, words):
    """The message begins with the file and names the place."""
    path = tmp_path / "wrong.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InputError, match=words) as caught:
        algdim.table(str(path))
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "model\n2:2,2\n", 'model\n"2:2'])
def test_wrong_csv_files(tmp_path, text):
    """No column of models, a model with commas that is not quoted, a quote that does not end."""
    path = tmp_path / "wrong.csv"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InputError):
        algdim.table(str(path))


def test_columns_of_a_table_in_print_are_its_own():
    """They cannot be chosen."""
    with pytest.raises(InputError, match="those in print"):
        algdim.table("kocka-zhang-1", columns=["model"])
