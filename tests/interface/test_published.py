"""The sweeps in examples/sweeps/: what is kept is what is found, and each says what it looks for."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sweeps import ENVIRONMENT, ROOT

FOLDER = ROOT / "examples" / "sweeps"
PROGRAMS = sorted(file for file in FOLDER.glob("*.py") if file.stem != "keeping")


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda file: file.stem)
def test_results_are_found_again(program):
    """A program ends without an error, and finds what is kept beside it."""
    done = subprocess.run(
        [sys.executable, program], env=ENVIRONMENT, capture_output=True, text=True, check=False, encoding="utf-8"
    )

    assert 0 == done.returncode, done.stderr


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda file: file.stem)
def test_programs_say_what_is_to_be_found(program):
    """A program opens with its source and what is to be found, asserts it, and keeps a small table."""
    text = program.read_text(encoding="utf-8")
    opening = ast.get_docstring(ast.parse(text)) or ""

    assert re.search(r"KZ02|\d{4}\)", opening.splitlines()[0])
    assert "To be found: " in opening
    assert "\nassert " in text
    assert [program.with_suffix(".csv").name] == re.findall(r'\bkept\(\s*"(\w+\.csv)"', text)
    assert 10_000 > program.with_suffix(".csv").stat().st_size


def test_nothing_else_is_kept():
    """Every file beside a program is its own, and the page names every program."""
    page = (ROOT / "docs" / "sweeps.md").read_text(encoding="utf-8")

    assert {file.stem for file in PROGRAMS} == {file.stem for file in Path(FOLDER).glob("*.csv")}
    assert {file.name for file in PROGRAMS} == set(re.findall(r"examples/sweeps/(\w+\.py)", page))
