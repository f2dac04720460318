"""Long work says on standard error how far it is, on a terminal and in a log; short work says nothing in a log."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from contextlib import ExitStack

import pytest
from amount import daily, in_turn

from algdim.cli import COMMANDS, load_command, main, progress
from algdim.cli.progress import WIDTH, Progress, show_progress
from algdim.limits import Allowance, allowing, telling

DATA = "A,B,C,count\n" + "\n".join(f"{a},{b},{c},{3 + a + b * c}" for a in (0, 1) for b in (0, 1) for c in (0, 1))


@pytest.fixture
def often(monkeypatch):
    """A line every millisecond."""
    monkeypatch.setattr(progress, "EVERY", 0.001)


def lines_of(text):
    """The lines of a log, each of which is whole."""
    assert not text or text.endswith("\n")
    assert "\r" not in text
    return text.splitlines()


def test_a_log_has_lines_of_long_work(often, capsys):
    """The command, its age and the last words; nothing more when it has ended."""
    del often
    with show_progress(Progress("select")) as told:
        told.say("3:2,2,2")
        deadline = time.monotonic() + 30
        seen = ""
        while "3:2,2,2" not in seen and time.monotonic() < deadline:
            time.sleep(0.005)
            seen += capsys.readouterr().err
    time.sleep(0.05)
    seen += capsys.readouterr().err
    time.sleep(0.05)

    assert "" == capsys.readouterr().err
    assert "algdim select: 0 s: 3:2,2,2" in lines_of(seen)


@pytest.mark.parametrize(
    "words",
    daily(
        [
            ["fit", "data.csv", "H -> A, B, C; hidden H", "--starts", "300", "--json"],
            ["select", "data.csv", "--classes", "1..2", "--json"],
            ["sweep", "lc cells<=12", "--store", "a.sqlite", "--workers", "1", "--json"],
            ["dim", "100:8^4", "--json"],
        ],
        1,
    ),
)
def test_commands_in_a_log(often, tmp_path, monkeypatch, capsys, words):
    """With and without words of their own; standard output is a document all the same, and --quiet silences them."""
    del often
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.csv").write_text(DATA, encoding="utf-8")

    assert 0 == main(words)
    out, err = capsys.readouterr()
    assert out.startswith("{")
    assert lines_of(err)
    assert all(line.startswith(f"algdim {words[0]}: ") for line in lines_of(err))
    assert 0 == main([*words, "--quiet"])
    assert "" == capsys.readouterr().err


@in_turn(2)
def test_short_work_says_nothing(tmp_path):
    """A process of its own, as a user starts it."""
    (tmp_path / "data.csv").write_text(DATA, encoding="utf-8")
    words = [sys.executable, "-m", "algdim", "fit", "data.csv", "2:2,2,2"]
    ended = subprocess.run(
        words, cwd=tmp_path, capture_output=True, encoding="utf-8", check=True, env={**os.environ, "NO_COLOR": "1"}
    )

    assert "" == ended.stderr
    assert 10 <= progress.EVERY <= 60


class Terminal(io.StringIO):
    """What stands on a terminal is looked at."""

    def isatty(self):
        return True


def test_a_terminal_has_one_line_that_is_wiped(monkeypatch):
    """Words are written over each other, cut at the width, and nothing is left of them."""
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    with show_progress(Progress("fit")) as told:
        told.say("x" * 200)
        told.count(1, 2, "one")
    shown_parts = screen.getvalue().split("\r")

    assert "x" * WIDTH in shown_parts
    assert "1/2 one".ljust(WIDTH) in shown_parts
    assert ["", " " * WIDTH, ""] == [shown_parts[0], shown_parts[-2], shown_parts[-1]]
    monkeypatch.setattr(sys, "stderr", silent := Terminal())
    with show_progress(Progress("fit", quiet=True)) as told:
        told.steps(1, -2.0)
    assert "" == silent.getvalue()


def test_a_terminal_sees_what_is_done(monkeypatch):
    """Work that has no words of its own shows its age and what the allowance says is done, until its results are printed."""
    monkeypatch.setattr(progress, "AFTER", 0.001)
    monkeypatch.setattr(progress, "AGAIN", 0.001)
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    allowance = Allowance()
    with telling_of(allowance, "koszul"), show_progress(Progress("dim", watched=allowance)) as told:
        deadline = time.monotonic() + 30
        while "koszul" not in screen.getvalue() and time.monotonic() < deadline:
            time.sleep(0.005)
        told.finish()
        seen = len(screen.getvalue())
        time.sleep(0.05)

    assert "algdim dim: 0 s: koszul".ljust(WIDTH) in screen.getvalue().split("\r")
    assert screen.getvalue()[seen:].strip(" \r") in ("", "algdim dim: 0 s: koszul")


def telling_of(allowance, text):
    """The allowance says that this is done."""
    stack = ExitStack()
    stack.enter_context(allowing(allowance))
    stack.enter_context(telling(text))
    return stack


@pytest.mark.parametrize("closed", [None, "full"])
def test_a_log_that_cannot_be_written_is_no_failure(often, monkeypatch, closed):
    """Standard error may be closed, or its disk full: the work goes on."""
    del often

    tried = []

    class Full(io.StringIO):
        def write(self, text):
            tried.append(text)
            raise OSError(28, "No space left on device", text)

    monkeypatch.setattr(sys, "stderr", None if closed is None else Full())
    with show_progress(Progress("dim")) as told:
        told.say("words")
        time.sleep(0.05)

    assert bool(tried) == (closed == "full")


def test_every_command_that_may_take_long_has_words():
    """Where nothing more is known of what takes time, the line says what the command is about."""
    short = {"models", "cite", "doctor", "completion", "man"}
    doing = {name: load_command(name).doing for name in COMMANDS}
    assert short == {name for name, words in doing.items() if not words}
    assert "algdim export: 31 s: writing out the coordinates" == Progress("export", otherwise=doing["export"]).line(31)
    allowance = Allowance()
    allowance.told = "koszul"
    assert "algdim dim: 31 s: koszul" == Progress("dim", watched=allowance, otherwise="the model").line(31)
