"""docs/adding.md, followed step by step in a copy of the package: its files written, its lines entered, its tests run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from amount import in_turn
from packages import ROOT

from algdim.families import FOLDERS, load_explaining, load_family, load_renaming

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


REGISTRIES = {"algdim/families/__init__.py", "algdim/families/discrete/locals/__init__.py"}


@pytest.fixture(scope="module")
def steps():
    """What the page says is to be done: write a file, or enter lines."""
    return STEP.findall(PAGE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def tree(steps, tmp_path_factory):
    """A copy of the package in which the page has been followed."""
    folder = tmp_path_factory.mktemp("family")
    for part in ("algdim", "proofs"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("certificates"))
    for kind, path, body in steps:
        target = folder / path
        assert (kind == "edit") == target.exists(), path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(
            entered(target.read_text(encoding="utf-8"), body) if kind == "edit" else body, encoding="utf-8"
        )
    return folder


IN_UTF8 = {**os.environ, "PYTHONUTF8": "1"}
"""What is read here is UTF-8, whatever the locale."""


def run(folder, *words):
    """Run Python in the copy and return what it prints; the copy is what is imported."""
    command = [sys.executable, "-c", "import sys; sys.path.insert(0, '.'); " + words[0], *words[1:]]
    done = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
        encoding="utf-8",
        env=IN_UTF8,
    )
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


ANSWERING = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
sys.path.insert(0, ".")
from algdim.cli import main

for line in sys.stdin:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(json.loads(line))
    print(json.dumps([code, out.getvalue(), err.getvalue()]), flush=True)
"""
"""Runs the commands whose words it reads, one in a line; so the copy is imported once."""


@pytest.fixture(scope="module")
def command(tree):
    """Run a command of algdim in the copy: its exit code, what it prints and what it complains of."""
    pipes = dict.fromkeys(("stdin", "stdout"), subprocess.PIPE)
    with subprocess.Popen(
        [sys.executable, "-c", ANSWERING], cwd=tree, text=True, encoding="utf-8", env=IN_UTF8, **pipes
    ) as process:

        def said(*words):
            process.stdin.write(json.dumps(words) + "\n")
            process.stdin.flush()
            return tuple(json.loads(process.stdout.readline()))

        yield said
        process.stdin.close()


def test_one_line_in_a_registry_and_nothing_else(steps):
    """Of what was there before, each registry has one line more; all else is a folder, a module, tests and an example."""
    edits = {
        path: [line for line in body.splitlines() if line.startswith("+")]
        for kind, path, body in steps
        if kind == "edit"
    }
    written = {path for kind, path, _ in steps if kind == "file" and path.startswith("algdim/")}
    modules = {path for path in written if not path.startswith("algdim/families/binomial/")}

    assert REGISTRIES == {*edits}
    assert [1, 1] == [len(lines) for lines in edits.values()]
    assert {"algdim/families/discrete/locals/symmetric.py"} == modules


@in_turn(3)
def test_the_tests_of_the_page_pass(tree):
    """Those that it writes, and the examples in the docstrings of the new local."""
    written = [
        str(file.relative_to(tree))
        for name in ("binomial", "symmetric")
        for file in (tree / "tests").rglob(f"test_{name}.py")
    ]
    places = [*written, "algdim/families/discrete/locals/symmetric.py"]
    call = "import pytest; sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', '--doctest-modules', *sys.argv[1:]]))"

    assert f"{45 + 7 + 1} passed" in run(tree, call, *places)


def test_the_code_of_the_page_is_clean(steps, tree):
    """The linter and the formatter have nothing to say, and imports are sorted."""
    written = [path for kind, path, _ in steps if kind == "file"]
    ruff = str(Path(sys.executable).parent / "ruff")
    if not Path(ruff).exists():
        pytest.skip("ruff is not installed; `make lint` does it")

    for words in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [ruff, *words, "--no-cache", "--config", str(ROOT / "pyproject.toml"), *written],
            cwd=tree,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert 0 == done.returncode, done.stdout + done.stderr


def test_the_example_of_the_new_local_runs(tree):
    """It finds its number."""
    call = "import runpy; runpy.run_path('examples/symmetric_trees.py', run_name='__main__')"

    assert ["2 states: 3 (proved)", "4 states: 3 (proved)"] == run(tree, call).splitlines()


def test_the_rest_of_the_family_comes_by_itself(tree, command):
    """The commands know it: both bounds, the document in text and as a page, parameters of a file."""
    model = "binomial: classes 3, trials 4"
    (tree / "at.json").write_text('{"w1": "1/2", "p1": "1/3", "p2": "1/3"}', encoding="utf-8")

    code, shown, _ = command("dim", model)
    assert 0 == code
    assert [model, "", "  dimension   4   proved", "  parameters  5   1 redundant"] == shown.splitlines()[:4]
    assert "  ≤ 4   5 cells, which sum to 1" in shown.splitlines()

    code, shown, _ = command("dim", "--json", model)
    found = json.loads(shown)
    assert (0, 4, True) == (code, found["dimension"], found["exact"])
    assert {"proved"} == {found[side]["status"] for side in ("lower", "upper", "complete_trust")}

    code, shown, _ = command("explain", model)
    assert 0 == code
    assert "Both bounds are proved and meet: the dimension is 4" in shown
    assert "P4 = " in shown

    code, shown, _ = command("explain", "--html", model)
    assert (0, "<!doctype html>") == (code, shown[:15].lower())

    code, shown, _ = command("identify", "binomial: classes 2, trials 3", "--at", "at.json")
    assert 0 == code
    assert "Every parameter is locally identified (proved)" in shown
    assert "at the parameters of at.json: rank 1" in shown


@pytest.mark.parametrize(
    ("words", "done", "exit_code"),
    [
        (("prove",), "certified", 1),
        (("simulate", "--at", "at.json", "-n", "5"), "simulated", 2),
        (("fit", "x.csv"), "fitted", 2),
        (("compare", "binomial: classes 1, trials 3"), "compared", 2),
    ],
)
def test_what_the_family_lacks_is_refused_in_one_sentence(tree, command, words, done, exit_code):
    """That of the registry, which names those that have it."""
    (tree / "at.json").write_text('{"w1": "1/2", "p1": "1/3", "p2": "1/4"}', encoding="utf-8")
    (tree / "x.csv").write_text("x\n1\n2\n", encoding="utf-8")
    code, shown, complaint = command(*words, "binomial: classes 2, trials 3")

    assert (exit_code, "") == (code, shown)
    assert f"models of the family binomial are not {done}; those of discrete, gaussian, " in complaint
    assert 1 == len(complaint.splitlines())


def test_the_rest_of_the_local_comes_by_itself(command):
    """The commands know it: explained and identified."""
    model = "H -> A, B, C; hidden H; symmetric A, B, C"
    code, shown, _ = command("explain", model)

    assert 0 == code
    assert "q(A)" in shown
    assert "2 states, symmetric, given H" in shown
    assert "Redundant" not in shown  # three items show all four parameters
    assert 0 == command("identify", model)[0]


def test_no_table_is_put_into_the_local(tree, command):
    """Its entries obey conditions of their own: a table with other entries is none of its."""
    code, shown, *_ = command("compare", "A -> B; fix P(B=0|A=0)=1/3, P(B=1|A=0)=2/3", "A -> B; symmetric B")

    assert 0 == code
    assert "nested in the first (proved)" not in shown
    assert "the first is nested" not in shown
    assert 0 == command("compare", "A -> B; symmetric B", "A -> B")[0]


def test_what_is_not_known_of_the_local_is_refused(tree, command):
    """EM would take its parameters for entries of a table, and stop anywhere."""
    (tree / "x.csv").write_text("A,B,C\n0,0,0\n1,1,0\n0,1,1\n", encoding="utf-8")
    model = "H -> A, B, C; hidden H; symmetric A, B, C"

    for words in (("fit", "x.csv"), ("score", "x.csv")):
        refusal = "algdim: A is symmetric; networks with such variables are not fitted\n"
        assert (2, "", refusal) == command(*words, model)


@pytest.mark.parametrize(
    ("folder", "load", "message"),
    [
        ("polynomial", load_explaining, r"^algdim/families/polynomial/family\.py has no EXPLAINING; "),
        ("discrete.locals", load_renaming, r"^algdim/families/discrete\.locals/model\.py is missing; "),
        ("tomography", load_family, r"^algdim/families/tomography/__init__\.py is missing; "),
    ],
)
def test_what_a_new_family_forgets_is_named(folder, load, message, monkeypatch):
    """The file, the record, and where it is told what that is."""
    monkeypatch.setitem(FOLDERS, "new", folder)
    monkeypatch.delattr("algdim.families.polynomial.family.EXPLAINING")

    with pytest.raises(ImportError, match=message + ".*contract"):
        load("new")


def test_lines_are_entered_where_they_belong():
    """Behind the line that stands before them."""
    assert "a\nx\nb\ny\n" == entered("a\nb\n", "  a\n+ x\n  b\n+ y\n")
