"""The programs in examples/ run, find their numbers, and say what they look for."""

from __future__ import annotations

import ast
import re
import runpy

import pytest
from amount import daily
from packages import ROOT

FOLDER = ROOT / "examples"
PROGRAMS = sorted(FOLDER.glob("*.py"))


LONG = {"reality_check_of_ch96"}
"""A search among networks of 12 variables; what it calls has tests of its own."""


@pytest.mark.parametrize(
    "program",
    daily([pytest.param(file, marks=[pytest.mark.slow] * (file.stem in LONG), id=file.stem) for file in PROGRAMS], 9),
)
def test_programs_find_their_numbers(program, capsys):
    """A program ends without an error, and has printed something."""
    runpy.run_path(str(program), run_name="__main__")

    assert "" != capsys.readouterr().out


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda file: file.stem)
def test_programs_say_what_is_to_be_found(program):
    """A program opens with its source and the number to be found, and asserts it."""
    tree = ast.parse(program.read_text(encoding="utf-8"))
    opening = ast.get_docstring(tree) or ""

    assert re.search(r"GHM96|HM97|KZ02|CH96|MH97|\d{4}\)", opening.splitlines()[0])
    assert "To be found: " in opening
    assert any(isinstance(node, ast.Assert) for node in ast.walk(tree))


def test_the_list_of_examples_is_complete():
    """README names every program."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")

    assert [file.name for file in PROGRAMS] == sorted(re.findall(r"\| `(\w+\.py)`", text))
