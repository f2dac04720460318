"""User-defined tables: what a file can say, what is refused, and what comes out."""

from __future__ import annotations

import json

import pytest

import algdim
from algdim import InputError, LimitError
from algdim.cli import main

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
        ('models = ["2:2,2", "3:"]', r"models\[1\], '3:': "),
        ('models = [{model = "2:2,2", name = "a"}]', "name"),
        ('models = ["2:2,2"]\ncolumns = ["dim"]', "there is no column 'dim'"),
        ('models = ["2:2,2"]\ncolumns = ["model", "model"]', "occurs twice"),
        ('models = ["2:2,2"]\nrows = 1', "rows"),
        ('models = ["2:2,2"]\n[[bold]]\ncolumn = "dimension"', r"bold\[0\].when"),
        ('models = ["2:2,2"]\n[[bold]]\ncolumn = "dimension"\nwhen = "open(1)"', "is not allowed in a condition"),
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


def test_lines_that_cannot_be_read_are_said_at_once(tmp_path):
    """Every bad model with its file and line, before anything is computed; lines that are empty count."""
    path = tmp_path / "models.csv"
    path.write_text('label,model\nfirst,"3:2,2,2,2"\n\nsecond,3:\nthird,no.json\n', encoding="utf-8")

    with pytest.raises(InputError) as caught:
        algdim.table(str(path), progress=lambda *_: pytest.fail("nothing is to be computed"))
    said = str(caught.value).splitlines()

    assert f"{path}: 2 of 3 models cannot be read" == said[0]
    assert said[1].startswith("  line 4, 'second': ")
    assert said[2].startswith("  line 5, 'third': ")
    assert 3 == len(said)


def test_a_limit_met_in_computing_has_its_place(tmp_path):
    """File, line and label stand before what is wrong, and a limit stays a limit."""
    path = tmp_path / "models.csv"
    path.write_text('label,model\nfirst,"3:2,2,2,2"\nlarge,100000:100000^20000\n', encoding="utf-8")

    with pytest.raises(LimitError) as caught:
        algdim.table(str(path))
    assert str(caught.value).startswith(f"{path}: line 3, 'large': ")


@pytest.mark.parametrize(
    ("name", "options", "begins"),
    [
        ("table.tex", [], "\\begin{table}"),
        ("table.md", [], "Latent class models\n\n|"),
        ("table.csv", [], "label,"),
        ("table.json", [], "{"),
        ("table.txt", ["--html"], "<"),
        ("table", [], "Latent class models\n\nlabel"),
    ],
)
def test_a_table_is_written_to_a_file(spec, tmp_path, capsys, name, options, begins):
    """In the form asked for, or in that of the suffix; nothing is printed, and nothing is left beside the file."""
    target = tmp_path / "out" / name
    target.parent.mkdir()

    assert 0 == main(["table", str(spec), *options, "-o", str(target)])
    assert "" == capsys.readouterr().out
    assert target.read_text(encoding="utf-8").startswith(begins)
    assert target.read_text(encoding="utf-8").endswith("\n")
    assert [target] == list(target.parent.iterdir())


def test_a_file_that_cannot_be_written(spec, tmp_path, capsys):
    """The message names it and what to do."""
    assert 2 == main(["table", str(spec), "-o", str(tmp_path / "no" / "table.tex")])
    assert "cannot be written" in capsys.readouterr().err


def test_columns_of_a_table_in_print_are_its_own():
    """They cannot be chosen."""
    with pytest.raises(InputError, match="those in print"):
        algdim.table("kocka-zhang-1", columns=["model"])


def test_printed_dimensions_are_compared(tmp_path, capsys):
    """In CSV and TOML; what differs is bold and has a footnote, what is no integer is an error with its line."""
    path = tmp_path / "mine.csv"
    path.write_text('model,printed,why\n"3:2,2,2,2",14,x\n"2:2,2,2",7,y\n"2:2,2",,z\n', encoding="utf-8")
    grid = algdim.table(str(path), columns=["model", "dimension", "printed"])
    dimensions = [row[1] for row in grid.rows]

    assert [(13, True, ("printed: 14",)), (7, False, ()), (3, False, ())] == [
        (cell.value, cell.bold, cell.footnotes) for cell in dimensions
    ]
    assert [14, 7, None] == [row[2].value for row in grid.rows]
    assert ("2 printed dimensions compared: 1 of them differs.",) == grid.notes
    assert main(["table", str(path), "--csv"]) == 0
    assert "columns of the file that are not read: why" in capsys.readouterr().err
    same = tmp_path / "mine.toml"
    same.write_text('models = [{model = "3:2,2,2,2", printed = 14}, "2:2,2,2"]\n', encoding="utf-8")
    assert algdim.table(str(same)).notes == ("1 printed dimension compared: 1 of them differs.",)
    path.write_text('model,printed\n"3:2,2,2,2",about 14\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 2: printed is 'about 14'"):
        algdim.table(str(path))
