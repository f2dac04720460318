"""docs/adding.md, followed step by step in a copy of the package: its files written, its lines entered, its tests run."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "adding.md"
STEP = re.compile(r"^```text (?P<kind>file|edit)=(?P<path>\S+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


def entered(text, body):
    """Put the lines with + behind the lines before them, each of which stands in the file once."""
    lines = text.splitlines()
    place = None
    for line in body.splitlines():
        sign, content = line[:1], line[2:]
        if sign == "+":
            place += 1
            lines.insert(place, content)
        else:
            assert 1 == lines.count(content), content
            place = lines.index(content)
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the package in which the page has been followed."""
    folder = tmp_path_factory.mktemp("family")
    for part in ("algdim", "proofs"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("certificates"))
    for kind, path, body in STEP.findall(PAGE.read_text(encoding="utf-8")):
        target = folder / path
        target.parent.mkdir(exist_ok=True)
        target.write_text(
            entered(target.read_text(encoding="utf-8"), body) if kind == "edit" else body, encoding="utf-8"
        )
    return folder


def run(folder, *words):
    """Run Python in the copy and return what it prints; the copy is what is imported."""
    command = [sys.executable, "-c", "import sys; sys.path.insert(0, '.'); " + words[0], *words[1:]]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, encoding="utf-8"
    )
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


def test_the_tests_of_the_new_family_pass(tree):
    """Those that the page writes."""
    call = "import pytest; sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', 'tests/test_symmetric.py']))"

    assert "6 passed" in run(tree, call)


def test_the_example_of_the_new_family_runs(tree):
    """It finds its number."""
    call = "import runpy; runpy.run_path('examples/symmetric_trees.py', run_name='__main__')"

    assert ["2 states: 3 (proved)", "4 states: 3 (proved)"] == run(tree, call).splitlines()


def test_the_rest_comes_by_itself(tree):
    """The commands know the family: explained, with a family or none, and identified."""
    model = "H -> A, B, C; hidden H; symmetric A, B, C"
    shown = run(tree, "from algdim.cli import main; sys.exit(main(sys.argv[1:]))", "explain", model)

    assert "q(A)" in shown
    assert "Redundant" not in shown or "same distribution" in shown


def test_lines_are_entered_where_they_belong():
    """Behind the line that stands before them."""
    assert "a\nx\nb\ny\n" == entered("a\nb\n", "  a\n+ x\n  b\n+ y\n")
