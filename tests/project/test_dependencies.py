"""What is declared is imported, and what is imported is declared; the lower bounds are numbers that can be installed."""

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache

from packages import PACKAGES, ROOT, modules
from sources import nodes_of

from algdim.cli.doctor import NEEDED

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DISTRIBUTIONS = {"flint": "python-flint", "sklearn": "scikit-learn", "opt_einsum": "opt_einsum"}
INSTEAD = {"pandas", "polars"}
"""What does as well as what an extra declares, and what is asked for by those who have it."""


@cache
def imported():
    """The libraries that modules of the packages import, wherever in them."""
    found = set()
    for file in modules():
        for node in nodes_of(file):
            if isinstance(node, ast.Import):
                found |= {one.name.split(".")[0] for one in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add(node.module.split(".")[0])
    foreign = found - set(sys.stdlib_module_names) - {*PACKAGES}
    return {DISTRIBUTIONS.get(name, name) for name in foreign}


def names(requirements):
    """The names alone."""
    return {re.split(r"[<>=!~\[ ]", one)[0] for one in requirements}


def test_what_is_declared_is_imported():
    """No dependency is a remainder of something."""
    assert set() == names(PROJECT["dependencies"]) - imported()


def test_what_is_imported_is_declared():
    """As a dependency, or in an extra."""
    extras = set().union(*(names(one) for one in PROJECT["optional-dependencies"].values()))

    assert set() == imported() - names(PROJECT["dependencies"]) - extras - INSTEAD


def test_the_doctor_asks_for_what_is_declared():
    """No more and no less."""
    assert names(PROJECT["dependencies"]) == set(NEEDED)


def test_the_oldest_that_are_allowed():
    """Every dependency has a lower bound, and `make oldest` installs exactly these."""
    out = subprocess.run(
        [sys.executable, "tests/oldest.py"], cwd=ROOT, capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout.split()

    assert {one.replace(">=", "==") for one in PROJECT["dependencies"]} <= set(out)
    assert all("==" in one for one in out)


def test_the_source_archive_holds_what_the_tests_need():
    """Every folder and every file of the project is named; `pyproject.toml` and what git ignores are known by themselves."""
    archive = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"][
        "sdist"
    ]
    taken = {name.removeprefix("/") for name in archive["include"]}
    made = {"build", "dist", "algdim.egg-info", "__pycache__"}  # and what begins with a point: caches
    there = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")} - made

    assert {"include"} == archive.keys()
    assert {"tests", "docs", "examples", "proofs", "Makefile"} <= taken
    assert there - {"pyproject.toml"} == taken
