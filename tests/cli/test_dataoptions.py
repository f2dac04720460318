"""The options that choose columns of data: --items and --without, in all commands that take data."""

from __future__ import annotations

import gzip
import json
from shlex import quote

import pytest
from amount import daily, in_turn

from algdim.cli import main
from algdim.fitting import fitting
from algdim.fitting.fitting import fit
from algdim.fitting.samples import find_missing_codes
from algdim.readers.files import MOST_BYTES
from algdim.scores import scores

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
    """Codes for missing answers, a sheet of a spreadsheet: the message says what to do."""
    path = tmp_path / "gaps.csv"
    path.write_text("X1,X2\n1,0\n-9,1\n0,1\n", encoding="utf-8")
    for arguments, words in (
        (["fit", str(path), "2:2,2"], "if -9 stands for a missing answer, say so (--na=-9 --missing; in Python"),
        (["fit", "survey.xlsx", "2:2,2"], "save a sheet as CSV"),
        (["select", str(path)], "if -9 stands for a missing one, say so (--na=-9 --missing; in Python"),
    ):
        assert 2 == main(arguments)
        assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--items", "a,b"], "there is no column a; there are id, sex, how old, b, c"),
        (["--items", "b,b"], "b occurs twice"),
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


GAPS = "q1,q2,q3\n" + "1,2,3\n1,1,1\n2,2,2\n1,2,3\n2,1,3\n2,2,1\n" * 4


@pytest.mark.parametrize(
    ("code", "said"),
    daily(
        [
            *((code, None) for code in (".", "N/A", "<na>", "(null)", ".a", ".z", "#DIV/0!")),
            *((code, code) for code in ("None", "na", "Na", "nil", "inf", "DK", "unknown", "*", "refused")),
            ("-99", "-99"),
            ("-9", "-9"),
            ("99", "99"),
            ("9", "9"),
            ("?", "?"),
            ("-99.0", "-99"),
        ],
        1,
    ),
)
def test_codes_of_missing_answers(tmp_path, capsys, code, said):
    """What no one can mean by an answer is missing; what may be one is named, and --na says that it is none."""
    path, wanted = tmp_path / "gaps.csv", tmp_path / "wanted.csv"
    path.write_text(f"{GAPS}{code},1,2\n1,{code},2\n", encoding="utf-8")
    wanted.write_text(f"{GAPS},1,2\n1,,2\n", encoding="utf-8")
    select = ["--classes", "1..2", "--score", "bic", "--by", "bic"]
    right = printed(["select", str(wanted), *select, "--missing"], capsys)

    if said is None:
        assert 2 == main(["select", str(path), *select])
        assert "row 26, column q1 is empty" in capsys.readouterr().err
        assert right["candidates"] == printed(["select", str(path), *select, "--missing"], capsys)["candidates"]
    else:
        assert 2 == main(["select", str(path), *select])
        advice = f"if {code} stands for a missing one, say so (--na={quote(code)} --missing; in Python"
        assert f"the column q1 has the answer {code}; {advice}" in capsys.readouterr().err
        assert 0 == main(["select", str(path), *select, "--all-answers"])
        shown = capsys.readouterr().out
        for name in ("q1", "q2"):
            advice = f"if it stands for a missing one, say so (--na={quote(code)} --missing; in Python"
            assert f"note: {name}: {code} is taken for an answer; {advice}" in shown
        found = printed(["select", str(path), *select, f"--na={said}", "--missing"], capsys)
        assert right["candidates"] == found["candidates"]
        assert 2 == main(["select", str(path), *select, f"--na=x,{said}"])
        assert "allow missing values" in capsys.readouterr().err


@pytest.mark.parametrize(
    "labels",
    ["-1,0,1", "-2,-1,0,1,2", "0,1,2,3,4,5,6,7,8,9", "1,2,3", "5,6,7", "yes,no", "8,9", "0", "None,Some,Many", "DK,SE"],
)
def test_answers_are_no_codes(labels):
    """Scales are left alone, whatever numbers they have."""
    assert [] == find_missing_codes(set(labels.split(",")))


@pytest.mark.parametrize("name", ["Count", "COUNT", "Freq", "weights"])
def test_counts_under_another_name(tmp_path, capsys, name):
    """They are no item, whether columns are found by their names or by their order."""
    path = tmp_path / "counted.csv"
    path.write_text(f"A,B,{name}\n0,0,12\n0,1,3\n1,0,5\n1,1,20\n", encoding="utf-8")
    for arguments in (
        ["select", str(path), "--classes", "1..2"],
        ["fit", str(path), "A -> B"],
        ["fit", str(path), "1:2,2,4"],
    ):
        assert 2 == main(arguments)
        assert f"column {name}: if it is the frequency of each row, call it count" in capsys.readouterr().err


def test_names_of_rows(tmp_path, capsys):
    """As R's write.csv and pandas's to_csv write them: left out with a note, if the entries tell rows apart."""
    path, plain = tmp_path / "rows.csv", tmp_path / "plain.csv"
    rows = ["0,0", "0,1", "1,0", "1,1", "1,1"]
    plain.write_text("\n".join(["A,B", *rows]), encoding="utf-8")
    path.write_text(
        "\n".join(['"","A","B"', *(f'"{number}",{row}' for number, row in enumerate(rows, 1))]), encoding="utf-8"
    )
    found, wanted = (printed(["fit", str(one), "A -> B"], capsys) for one in (path, plain))

    assert wanted["loglik"] == found["loglik"]
    assert "taken for row names and left out" in found["data"]["notes"][0]
    path.write_text("\n".join([",A,B", *(f"same,{row}" for row in rows)]), encoding="utf-8")
    assert 2 == main(["fit", str(path), "A -> B"])
    assert "column 1 has no name in the first line" in capsys.readouterr().err


def test_weights_and_measurements_are_named(tmp_path, capsys):
    """Fractions as counts are taken for frequencies; a column of ages is an item of many states. Both are said."""
    path = tmp_path / "survey.csv"
    rows = [f"{number % 2},{number // 2 % 2},{20 + number % 30},{1 + number % 3 / 4}" for number in range(120)]
    path.write_text("\n".join(["A,B,age,count", *rows]), encoding="utf-8")
    assert 0 == main(["select", str(path), "--classes", "1..1", "--score", "bic", "--by", "bic"])
    shown = capsys.readouterr().out

    assert "note: items with many states: age (30); put the values" in shown
    assert "note: the counts are not integers: their sum, 150, is taken as the number of cases" in shown


@in_turn(2)
def test_packed_data(tmp_path, capsys):
    """A file .csv.gz is what it holds; one that only says so, or holds too much, is refused."""
    packed, large = tmp_path / "some.csv.gz", tmp_path / "large.csv.gz"
    packed.write_bytes(gzip.compress(b"A,B\n0,0\n0,1\n1,1\n1,1\n"))
    large.write_bytes(gzip.compress(b"A,B\n" + b"0,0\n" * (MOST_BYTES // 4)))

    assert 4 == printed(["fit", str(packed), "A -> B"], capsys)["data"]["n"]
    assert 3 == main(["fit", str(large), "A -> B"])
    packed.write_bytes(b"A,B\n0,0\n")
    assert 2 == main(["fit", str(packed), "A -> B"])
    assert "at most" in (said := capsys.readouterr().err)
    assert "cannot be" in said


FREQUENCIES = "A,B,C,D,{}\n" + "".join(
    f"{number >> 3},{number >> 2 & 1},{number >> 1 & 1},{number & 1},{1 + number * 7 % 41}\n" for number in range(16)
)
COMMANDS = (
    ["select", "DATA", "--classes", "1..2", "--score", "bic", "--by", "bic"],
    ["fit", "DATA", "2:2^4"],
    ["score", "DATA", "2:2^4", "--score", "bic"],
    ["identify", "2:2^4", "--data", "DATA"],
)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["Count", "freq"])
def test_every_command_says_what_counts_are_called(tmp_path, capsys, command, name):
    """Where columns are one too many, too; and for small numbers."""
    path = tmp_path / "counted.csv"
    command = [str(path) if word == "DATA" else word for word in command]
    path.write_text(FREQUENCIES.format(name), encoding="utf-8")

    assert 2 == main(command)
    assert f"column {name}: if it is the frequency of each row, call it count" in capsys.readouterr().err


@pytest.mark.parametrize("command", daily(COMMANDS, 4))
@pytest.mark.parametrize(
    ("name", "options"),
    [("Count", ["--items", "A,B,C,D"]), ("Freq", ["--without", "Freq"]), ("count", ["--without", "count"])],
)
def test_counts_that_are_left_out_are_named(tmp_path, capsys, command, name, options):
    """Whoever leaves them out has another number of cases, and is told."""
    path = tmp_path / "counted.csv"
    command = [str(path) if word == "DATA" else word for word in command]
    path.write_text(FREQUENCIES.format(name), encoding="utf-8")
    assert 0 == main([*command, *options])
    shown = capsys.readouterr()

    assert f"the column {name} is left out, each row is one case; if it is the frequency" in shown.out + shown.err
    assert "identify" in command or "16 cases" in shown.out


def test_counts_that_are_kept_are_not_named(tmp_path, capsys):
    """The column of counts stays where items are chosen."""
    path = tmp_path / "counted.csv"
    path.write_text(FREQUENCIES.format("count"), encoding="utf-8")
    found = printed(["fit", str(path), "2:2^3", "--items", "A,B,C"], capsys)

    assert sum(1 + number * 7 % 41 for number in range(16)) == found["data"]["n"]
    assert not any("left out" in note for note in found["data"]["notes"])


def test_points_of_r(tmp_path, capsys):
    """R writes how.often for the column `how often`; two names that could mean one column are not guessed."""
    path = tmp_path / "blank.csv"
    path.write_text("how often,b_1\n0,0\n0,1\n1,1\n1,1\n", encoding="utf-8")

    assert ["how.often", "b.1"] == list(printed(["fit", str(path), "how.often -> b.1"], capsys)["data"]["states"])
    assert 2 == main(["fit", str(path), "how.often -> b_1 -> how__often"])
    assert 2 == main(["fit", str(path), "how.often -> b_1.x; b_1.x -> b.1.x"])


def test_few_rows_that_are_told_apart(tmp_path, capsys):
    """A number of the row is no item, however few rows there are; in a frequency table rows are patterns."""
    path = tmp_path / "id.csv"
    rows = ["1,0,0,0", "2,0,1,0", "3,1,1,1", "4,1,0,1", "5,1,1,1"]
    select = ["select", str(path), "--classes", "1..2", "--score", "bic", "--by", "bic"]
    path.write_text("\n".join(["id,A,B,C", *rows]), encoding="utf-8")
    assert 2 == main(select)
    assert "the column id has 5 different labels in 5 rows; what tells rows apart is no item" in capsys.readouterr().err
    assert 0 == main([*select, "--without", "id"])
    path.write_text("\n".join(["rating,A,B,count", *rows]), encoding="utf-8")
    assert 0 == main(select)


@pytest.mark.parametrize(
    ("model", "data", "more", "said"),
    [
        ("conditional-gaussian: D -> X; states D=2", "D,X\n0,1.5\n1,2\n0,3.5\n", [], "compare with a larger model"),
        ("1:2,2", "A,B\n0,1\n,1\n1,0\n", ["--missing"], "the bootstrap draws complete cases"),
        ("1:2,2", "A,B,count\n0,1,1.5\n1,1,2\n", [], "integer number of cases"),
        ("1:2,2", "A,B\n0,1\n1,1\n", ["--against", "2:2,2,2"], "the 3 that the model observes"),
    ],
)
def test_what_has_no_bootstrap_is_refused_before_the_climb(tmp_path, capsys, monkeypatch, model, data, more, said):
    """Not after it: a climb may take a minute."""
    monkeypatch.setattr(fitting, "run_search", lambda *_: pytest.fail("it was fitted first"))
    file = tmp_path / "data.csv"
    file.write_text(data, encoding="utf-8")

    assert 2 == main(["fit", str(file), model, "--bootstrap", "3", *more])
    assert said in " ".join(capsys.readouterr().err.split())


def test_the_starts_of_a_score_are_those_of_its_fits(survey, capsys, monkeypatch):
    """The option reaches every fit, as that of `fit` does."""
    seen = []
    monkeypatch.setattr(scores, "fit", lambda *a, starts, **more: seen.append(starts) or fit(*a, starts=starts, **more))
    chosen = ["score", survey, "2:2^3", "--without", "id,sex", "--score", "bic"]
    for starts in ("3", "staged", None):
        printed([*chosen, *(["--starts", starts] if starts else [])], capsys)

    assert [3, "staged", "auto"] == seen
