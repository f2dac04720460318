"""How results reach a terminal: no line wider than it, verdicts in colour, commands in groups, standard input, the manual page."""

from __future__ import annotations

import io
import re
import shlex
import shutil
import subprocess
import sys

import pytest
from amount import daily, some
from hypothesis import given, settings
from hypothesis import strategies as st
from packages import ROOT

from algdim.cli import COMMANDS, GROUPS, build_parser, main
from algdim.cli.printing import colour_verdicts
from algdim.folding import IN, fold_text, measure_width

FILES = ROOT / "tests/transcripts/files"
RECORDED = sorted((ROOT / "tests/transcripts/recorded").glob("*.txt"))
WIDE = (
    "dim 3:2,2,2,2|dim 3:2,2,2,2 -v|dim 5(2,3(2,2),3(2,2))|dim w-structure --method rowreduce --show|dim verma|dim mh97-f1|"
    "dim 'gaussian: F -> X1..X6; G -> X4..X9; F <-> G; hidden F, G; means off'|dim 2:2^60|dim FILES/model.lav|"
    "identify 3:2^4|identify 5(2,3(2,2),3(2,2))|identify 'gaussian: X -> Y; X <-> Y'|"
    "explain 2:2,2|explain 'gaussian: F -> X1..X4; hidden F; means off'|map 2:2,2|map 2:2,2 --jacobian|"
    "constraints 'gaussian: F -> X1..X5; hidden F'|constraints verma|compare 2:2,2,2,2 3:2,2,2,2|bounds 3:2,2,2,2|"
    "decompose 5(2,3(2,2),3(2,2))|models|cite|table FILES/models.toml|fit FILES/data.csv 3:2,2,2|"
    "score FILES/data.csv 2:2,2,2|select FILES/data.csv --classes 1..3 --score all|"
    "select FILES/data.csv --classes 1..2 --table text|verify FILES/certificate.json|reproduce MH97"
).split("|")


class Terminal(io.StringIO):
    """What says that it is a terminal."""

    def isatty(self):
        """It does."""
        return True


def run(words, monkeypatch, out):
    """The exit code of a command whose output goes there."""
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setenv("NO_COLOR", "1")
    return main([word.replace("FILES", str(FILES)) for word in shlex.split(words)])


@pytest.mark.parametrize("words", daily(WIDE, 12))
def test_no_line_is_wider_than_the_terminal(words, monkeypatch):
    """On a terminal of 80 columns, and of 60."""
    for width in (80, 60):
        monkeypatch.setenv("COLUMNS", str(width))
        out = Terminal()
        assert run(words, monkeypatch, out) == 0
        assert [] == [line for line in out.getvalue().splitlines() if measure_width(line) > width]


@pytest.mark.parametrize("name", daily(sorted(COMMANDS), 6))
def test_helps_are_as_wide(name, monkeypatch, capsys):
    """Usage, options and examples; an example is a line to be copied."""
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        main([name, "--help"])
    shown = capsys.readouterr().out.partition("\nexample:")[0]
    assert [] == [line for line in shown.splitlines() if len(line) > 80]


def test_recorded_texts_fold_without_a_loss():
    """At any width from 30 on: no line is wider, and but for blanks and branches every sign is there."""
    for file in RECORDED:
        text = file.read_text(encoding="utf-8")
        folded = fold_text(text, 30 + len(text) % 60)
        assert all(measure_width(line) <= 30 + len(text) % 60 for line in folded.splitlines())
        assert re.sub(r"[\s│├└─]", "", text) == re.sub(r"[\s│├└─]", "", folded)


@given(st.lists(st.text("ab(), ;·├└─│次=+-", max_size=90), max_size=3).map("\n".join), st.integers(20, 90))
@settings(max_examples=some(20))
def test_any_text_folds(text, width):
    """Lines that fit stay, others are cut into such as fit, in order."""
    lines = text.split("\n")
    folded = fold_text(text, width).split("\n")

    assert all(measure_width(line) <= width for line in folded)
    assert re.sub(r"[\s│├└─]", "", text) == re.sub(r"[\s│├└─]", "", "\n".join(folded))
    if all(measure_width(line) <= width for line in lines):
        assert lines == folded


def test_what_hangs_over_stands_below_its_text():
    """Behind a label below the text; below a branch the branches go on."""
    assert fold_text("  ≤ 13   15 − 2: the flattenings", 24).split("\n") == [
        "  ≤ 13   15 − 2: the",
        " " * 9 + "flattenings",
    ]
    assert fold_text("├─ one two three four", 20).split("\n") == ["├─ one two three", "│ " + " " * (1 + IN) + "four"]


def test_without_a_terminal_the_width_is_80_unless_columns_say_otherwise(monkeypatch, capsys):
    """So that pages, files and pipes have the same text everywhere."""
    monkeypatch.delenv("COLUMNS")
    main(["dim", "3:2,2,2,2"])
    plain = capsys.readouterr().out
    monkeypatch.setenv("COLUMNS", "200")
    main(["dim", "3:2,2,2,2"])

    assert max(map(len, plain.splitlines())) in range(70, 81)
    assert max(map(len, capsys.readouterr().out.splitlines())) > 80


def test_verdicts_are_in_colour_on_a_terminal_alone(monkeypatch):
    """Not in a file, not with NO_COLOR, not on a terminal that has none; the text is the same."""
    monkeypatch.setenv("TERM", "xterm")
    plain, coloured, file, dumb = Terminal(), Terminal(), io.StringIO(), Terminal()
    run("dim 2:2,2,2", monkeypatch, plain)
    monkeypatch.delenv("NO_COLOR")
    for out in (coloured, file):
        monkeypatch.setattr(sys, "stdout", out)
        main(["dim", "2:2,2,2"])
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(sys, "stdout", dumb)
    main(["dim", "2:2,2,2"])

    assert "\x1b[1;32mproved\x1b[0m" in coloured.getvalue()
    assert "\x1b" not in plain.getvalue() + file.getvalue() + dumb.getvalue()
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured.getvalue()) == plain.getvalue() == dumb.getvalue()


def test_what_is_not_proved_is_not_green():
    """The words around it are looked at."""
    assert "\x1b[1;32m" not in colour_verdicts("not proved, unproved; it proves nothing; probable, error below 3e-9")


def test_the_short_form_is_one_line_in_a_pipe(capsys, monkeypatch):
    """However long the model is."""
    monkeypatch.setenv("COLUMNS", "40")
    main(["dim", "3:2,2,2,2", "--brief"])

    assert "3:2,2,2,2   dimension 13 (proved)   parameters 14   saturated 15   df 2\n" == capsys.readouterr().out


def test_lemmas_and_points_are_told_on_demand(capsys):
    """Hash and prime stand with -v alone, and in the JSON."""
    main(["dim", "3:2,2,2,2"])
    plain = capsys.readouterr().out
    main(["dim", "3:2,2,2,2", "-v"])
    told = capsys.readouterr().out

    assert not re.search(r"mod \d|point [0-9a-f]{6}|lemma", plain)
    assert 'by lemma "lower bound": rank 13' in told
    assert "rank 13 at point 2a8b7c1e1a3e… mod 4603777" in told


def test_the_hint_at_explain_is_for_who_looks(monkeypatch):
    """On a terminal, not in a file; a long model is not repeated."""
    monkeypatch.setenv("COLUMNS", "80")
    for words, out, is_there in (
        ("2:2,2", Terminal(), True),
        ("2:2,2", io.StringIO(), False),
        ("'A, B, C -> D; hidden A; hidden B'", Terminal(), False),
    ):
        run(f"dim {words}", monkeypatch, out)
        assert ("algdim explain" in out.getvalue()) == is_there


@pytest.mark.parametrize(
    ("words", "text", "wanted"),
    [
        ("dim - --brief", "A -> B; hidden A\n", "dimension 1 (proved)"),
        ("dim /dev/stdin --brief", "A -> B; hidden A\n", "dimension 1 (proved)"),
        ("dim - --brief", "f =~ x1 + x2 + x3", "dimension 6 (proved)"),
        ("dim - --brief", (FILES / "model.bif").read_text("utf-8"), "dimension 3 (proved)"),
        ("dim - --brief --format dagitty", (FILES / "model.dagitty").read_text("utf-8"), "dimension 6 (proved)"),
        ("dim - --brief --hidden H", "H -> A, B", "dimension 3 (proved)"),
        ("compare 2:2,2 -", "2:2,2", "equal (proved)"),
        ("dim 2:2,2,2 --at -", (FILES / "parameters.json").read_text("utf-8"), "the point is regular"),
        ("score - 2:2,2,2 --score bic", (FILES / "data.csv").read_text("utf-8"), "10 cases"),
        ("identify 2:2,2,2 --data -", (FILES / "data.csv").read_text("utf-8"), "sampling zeros: 1 cell"),
        ("verify -", (FILES / "certificate.json").read_text("utf-8"), "-: accepted"),
    ],
)  # fmt: skip
def test_standard_input_is_read(words, text, wanted, monkeypatch, capsys):
    """Wherever a model, data, parameters or a certificate are taken."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))

    assert main(shlex.split(words)) == 0
    assert wanted in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "raw", "wanted"),
    [
        ("compare - -", b"A -> B", "read once"),
        ("dim -", b"", "standard input is empty"),
        ("dim -", b"\xff\xfe", "not UTF-8"),
        ("verify - -", b"{}", "read once"),
    ],
)
def test_standard_input_that_is_refused(words, raw, wanted, monkeypatch, capsys):
    """With what is wrong."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))

    assert main(shlex.split(words)) == 2
    assert wanted in capsys.readouterr().err


def test_every_command_stands_once_in_the_groups(capsys):
    """With its first words, as git has them."""
    with pytest.raises(SystemExit):
        main(["--help"])
    lines = capsys.readouterr().out.splitlines()

    for title, group in GROUPS.items():
        begin = lines.index(title) + 1
        assert list(group) == [line.split()[0] for line in lines[begin : begin + len(group)]]
    assert len(COMMANDS) == sum(map(len, GROUPS.values()))


def test_the_manual_has_every_option_of_every_command(capsys):
    """It is made of the same declarations; groff finds nothing to complain of."""
    assert main(["man"]) == 0
    page = capsys.readouterr().out
    assert page == (ROOT / "docs" / "algdim.1").read_text(encoding="utf-8"), (
        "`algdim man > docs/algdim.1` writes it anew"
    )
    commands = next(action for action in build_parser()._actions if action.dest == "command").choices

    for name, parser in commands.items():
        section = page.partition(f".SS algdim {name}".replace("-", r"\-"))[2].partition("\n.SS ")[0]
        options = [word for action in parser._actions for word in action.option_strings]
        assert [] == [word for word in options if word.replace("-", r"\-") not in section]
    if shutil.which("groff"):
        formatted = subprocess.run(
            ["groff", "-K", "utf8", "-man", "-Tutf8", "-ww"],
            input=page,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        assert formatted.stderr == ""
        assert "ASK OF A MODEL" in re.sub(r".\x08|\x1b\[[0-9;]*m", "", formatted.stdout)
