"""Parameters are printed in the words of the data: names of columns, labels of states beside their table."""

from __future__ import annotations

import json
import re

import pytest

import algdim
from algdim.cli import main

SURVEY = """sex,Größe,opinion,count
f,klein,agree,10
m,groß,no,12
f,groß,no,7
m,klein,agree,3
m,klein,no,3
"""


@pytest.fixture
def survey(tmp_path):
    """A file with labels."""
    file = tmp_path / "survey.csv"
    file.write_text(SURVEY, encoding="utf-8")
    return str(file)


def tables_of(text):
    """The tables that are printed: the words above the columns, the heads, and the entries of each row."""
    found, above = {}, ()
    for line in text.splitlines():
        match = re.fullmatch(r"  (P\(.*?\))((?:  +\d\.\d{4})+)", line)
        if match:
            found[match[1]] = (above, [float(one) for one in match[2].split()])
        else:
            above = tuple(re.split(r"  +", line.strip()))
    return found


def test_short_notation_takes_the_names_of_the_columns(survey, capsys):
    """Rows, labels and boundary have them; JSON keeps the model's names, and says which column each one is."""
    assert 0 == main(["fit", survey, "2:2,2,2"])
    printed = capsys.readouterr().out
    tables = tables_of(printed)
    found = algdim.fit(survey, "2:2,2,2")

    assert {"P(H)", "P(sex|H=0)", "P(Größe|H=1)", "P(opinion|H=0)"} < set(tables)
    assert ("f", "m") == tables["P(sex|H=0)"][0]
    assert ("groß", "klein") == tables["P(Größe|H=1)"][0]
    assert "0 = " not in printed
    assert not re.search(r"P\(X[123]", printed)
    assert re.search(r"P\(opinion=(no|agree)\|H=[01]\) = ", printed)
    for name, title in {"X1": "sex", "X2": "Größe", "X3": "opinion"}.items():
        for row, values in enumerate(found.parameters[name]):
            assert tables[f"P({title}|H={row})"][1] == pytest.approx(list(values), abs=1e-4)
    said = found.to_dict()
    assert {"X1": "sex", "X2": "Größe", "X3": "opinion"} == said["data"]["columns"]
    assert {"H", "X1", "X2", "X3"} == set(said["parameters"])
    assert all(re.match(r"P\(X[123]=[01]\|H=[01]\)$", one["entry"]) for one in said["boundary"])


def test_conditions_are_labels(survey, capsys):
    """A column that is a parent stands with its answers in the heads of the rows."""
    assert 0 == main(["fit", survey, "sex -> Grosse, opinion"])
    tables = tables_of(capsys.readouterr().out)

    assert (("groß", "klein"), [pytest.approx(7 / 17, abs=1e-4), pytest.approx(10 / 17, abs=1e-4)]) == tables[
        "P(Größe|sex=f)"
    ]


def test_long_labels_stand_in_a_line_at_their_table(capsys, tmp_path):
    """Above the first row of the table, not above all tables."""
    long = "neither agree nor disagree with it"
    data = tmp_path / "data.csv"
    data.write_text(f"A,B,count\nyes,{long},3\nyes,other,4\nno,other,4\nno,{long},2\n", encoding="utf-8")
    assert 0 == main(["fit", str(data), "A -> B"])
    lines = capsys.readouterr().out.splitlines()
    place = next(number for number, line in enumerate(lines) if long in line)

    assert f"  0 = {long}, 1 = other" == lines[place]
    assert lines[place + 1].startswith("  P(B|A=no)")
    assert 1 == sum(long in line for line in lines)


@pytest.mark.parametrize("title", ["H", "X1"])
def test_a_column_named_as_another_variable_is_not_shown_as_it(title):
    """A column H beside a hidden H, or columns in another order: then the model's names stay where they would deceive."""
    names = {"H": ["H", "second", "third"], "X1": ["second", "third", "fourth"]}[title]
    data = {name: [0, 0, 1, 1] for name in names} | {"count": [3, 1, 2, 5]}
    printed = str(algdim.fit(data, "2:2,2,2"))
    heads = {line.split()[0] for line in printed.splitlines() if line.startswith("  P(")}

    assert 7 == len(heads)
    assert ("P(X1|H=0)" in heads) == (title == "H")


def test_labels_without_a_table_stand_above(tmp_path):
    """A variable that is a function of others has no table; two that share one have two legends if their labels differ."""
    data = {"A": ["no", "yes", "no", "yes"], "B": [0, 1, 1, 0], "M": ["little", "much", "much", "much"]}
    printed = str(algdim.fit(data, "A, B -> M; max M; states A=2"))

    assert "  M: 0 = little, 1 = much" in printed.splitlines()
    assert "0 = no" not in printed
    shared = {"A": ["no", "yes", "no"], "B": ["left", "right", "left"], "C": [0, 1, 1]}
    text = str(algdim.fit(shared, "C -> A, B; share t: A, B"))

    assert "  A: 0 = no, 1 = yes" in text
    assert "  B: 0 = left, 1 = right" in text
    assert "P(t|C=0)" in text
    same = {"A": ["no", "yes", "no"], "B": ["no", "yes", "yes"], "C": [0, 1, 1]}
    assert "0 = no" not in str(algdim.fit(same, "C -> A, B; share t: A, B"))


def test_the_command_and_python_agree(survey, capsys):
    """The JSON of the command has the columns too."""
    assert 0 == main(["fit", survey, "2:2,2,2", "--json", "--quiet"])

    assert algdim.fit(survey, "2:2,2,2").to_dict()["data"] == json.loads(capsys.readouterr().out)["data"]
