"""The options that choose columns of data: --items and --without, in all commands that take data."""

from __future__ import annotations

import json

import pytest

from algdim.cli import main

SURVEY = "id,sex,how old,b,c,count\n" + "".join(
    f"{number},{'mf'[number % 2]},{number % 2},{number // 2 % 2},{number % 2},{1 + number % 3}\n"
    for number in range(24)
)


@pytest.fixture
def survey(tmp_path):
    """The path of data with columns that are no items."""
    path = tmp_path / "survey.csv"
    path.write_text(SURVEY, encoding="utf-8")
    return str(path)


def printed(arguments, capsys):
    """The document that a command prints."""
    assert 0 == main([*arguments, "--json"])
    return json.loads(capsys.readouterr().out)


def test_items_are_chosen_or_the_others_left_out(survey, capsys):
    """Both ways lead to the same candidates; the column of counts stays."""
    ways = (["--items", "how old, b,c"], ["--without", "id,sex"], ["--without", "id", "--without", "sex"])
    found = [
        printed(["select", survey, "--classes", "1..2", "--score", "bic,bic+", "--by", "bic+", *way], capsys)
        for way in ways
    ]

    assert found[0]["candidates"] == found[1]["candidates"] == found[2]["candidates"]
    assert ["how_old", "b", "c"] == list(found[0]["candidates"][0]["data"]["states"])
    assert 48 == found[0]["candidates"][0]["n"]


def test_the_best_model_is_scored_on_the_same_file(survey, tmp_path, capsys):
    """What select writes is read back against the data as they are, columns that are no items included."""
    best = str(tmp_path / "best.json")
    chosen = ["select", survey, "--classes", "2", "--without", "id,sex", "--score", "bic", "--by", "bic"]
    loglik = printed([*chosen, "-o", best], capsys)["candidates"][0]["loglik"]
    found = printed(["score", survey, best, "--score", "bic"], capsys)

    assert loglik == pytest.approx(found["loglik"])
    assert "not used: the columns id, sex" in found["data"]["notes"]


def test_items_stand_for_the_variables_of_a_notation(survey, capsys):
    """`2:2^3` takes the columns in the order in which they are chosen."""
    found = printed(["fit", survey, "2:2^3", "--items", "c,b,how old"], capsys)

    assert ["X1", "X2", "X3"] == list(found["data"]["states"])
    assert "c as X1, b as X2, how old as X3" in found["data"]["notes"][0]
    assert 9 == printed(["identify", "2:2^3", "--data", survey, "--items", "c,b,how old"], capsys)["dimension"] + 2


def test_slips_of_who_begins(tmp_path, capsys):
    """Codes for missing answers, a sheet of a spreadsheet, no candidates: the message says what to do."""
    path = tmp_path / "gaps.csv"
    path.write_text("X1,X2\n1,0\n-9,1\n0,1\n", encoding="utf-8")
    for arguments, words in (
        (["fit", str(path), "2:2,2"], "if one of them stands for a missing answer, leave the entry empty (--missing)"),
        (["fit", "survey.xlsx", "2:2,2"], "save a sheet as CSV"),
        (["select", str(path)], "--classes 1..8"),
    ):
        assert 2 == main(arguments)
        assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--items", "a,b"], "there is no column a; there are id, sex, how old, b, c"),
        (["--items", "b,b"], "b stands twice"),
        (["--items", ""], "no column is left"),
        (["--without", "age"], "there is no column age"),
        (["--items", "b", "--without", "c"], "not allowed with"),
        ([], "the column id has 24 different labels in 24 rows"),
    ],
)
def test_wrong_choices(survey, options, words, capsys):
    """Unknown and double names, nothing left, both options; without any, what tells rows apart is found."""
    try:
        code = main(["select", survey, "--classes", "1..2", *options])
    except SystemExit as end:
        code = end.code

    assert 2 == code
    assert words in capsys.readouterr().err
