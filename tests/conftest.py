"""What all tests share: one seed, Hypothesis without a clock, a seeded sample, a record of a run, and which tests may be skipped."""

from __future__ import annotations

import gc
import os
import platform
import random
import re
import sys
import time
from pathlib import Path

import pytest
from amount import IS_ALL, SEED, some
from hypothesis import settings

# Tests borrow from each other by name, wherever they stand: no two files have the same.
sys.path += sorted({str(file.parent) for file in Path(__file__).parent.rglob("test_*.py")} - {*sys.path})

# No deadline anywhere: how long an example takes says something about the machine. No folder of examples either: the
# source may be read-only, and what fails is printed with the decorator that repeats it. In CI as elsewhere every run draws
# its own examples, by the seed that is printed on top.
settings.register_profile("here", max_examples=some(100), deadline=None, database=None, print_blob=True)
settings.load_profile("here")


# Syntax trees and polynomials are many small objects that live on: to look for garbage among them every 700 objects takes
# as long as to make them.
gc.set_threshold(100_000, 20, 50)

# The workers and some hundred processes of the tests import the same: what one has compiled the others need not.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# What a check compared is printed, as in a test.
pytest.register_assert_rewrite("suites.agreement", "suites.conformance")

collect_ignore = ["mutation.py"]
"""A program of `make mutants`, whose environment has mutmut."""

RECORD = "Last run: "

MAY_BE_SKIPPED: dict[str, str] = {
    "tests/interface/test_macaulay2.py::test_discrete_ideals_of_macaulay2": "an error of one version, which Debian's need not be",
}
"""Beginnings of the names of tests that may be skipped even where everything is installed, and why."""


@pytest.fixture(scope="session")
def own_home(tmp_path_factory):
    """A folder for what programs keep at home, so that fonts are made once."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(autouse=True)
def unfolded():
    """Tests look for sentences: what a command prints is folded only where a test says at which width."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "100000"
    yield
    os.environ.pop("COLUMNS", None)
    if before is not None:
        os.environ["COLUMNS"] = before


@pytest.fixture
def home(own_home, monkeypatch):
    """HOME is a folder of the tests: Macaulay2, TeX and browsers want to write there, and some do not start without one."""
    monkeypatch.setenv("HOME", str(own_home))


def pytest_addoption(parser):
    """Add ``--sample N``, ``--sample-seed S``, ``--record PAGE`` and ``--no-skips``."""
    parser.addoption("--no-skips", action="store_true", help="fail if a test is skipped that need not be")
    parser.addoption("--record", metavar="PAGE", help=f"write what came out into the line of a page after {RECORD!r}")
    parser.addoption("--sample", type=int, metavar="N", help="run N of the selected tests, drawn at random")
    parser.addoption("--sample-seed", default="0", metavar="S", help="the seed of that draw (default 0)")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Keep a sample, drawn after the markers have had their say; the draw depends on seed and names alone."""
    size = config.getoption("sample")
    if size is None or size >= len(items):
        return
    names = sorted(item.nodeid for item in items)
    kept = set(random.Random(config.getoption("sample_seed")).sample(names, size))
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in kept])
    items[:] = [item for item in items if item.nodeid in kept]


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    """Look at the clock; what is printed is as wide as it is without a terminal; Hypothesis has the seed of the day's draws."""
    os.environ["COLUMNS"] = "80"
    if config.getoption("hypothesis_seed", None) is None:
        config.option.hypothesis_seed = SEED
    config.began = time.perf_counter()


def pytest_report_header():
    """The seed of the day's draws, which draws the same again."""
    return None if IS_ALL else f"drawn with the seed {SEED}; ALGDIM_SEED={SEED} draws the same"


def pytest_collection_finish():
    """Leave what the collection has made out of every later search for garbage."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish(session):
    """Fail if a test was skipped that need not be, if told so; the workers of xdist have no reporter."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not session.config.getoption("no_skips"):
        return
    skipped = [one.nodeid for one in reporter.stats.get("skipped", ())]
    unlisted = [name for name in skipped if not name.startswith(tuple(MAY_BE_SKIPPED))]
    if unlisted:
        reporter.write_line(f"\nskipped, and not in MAY_BE_SKIPPED of tests/conftest.py: {', '.join(sorted(unlisted))}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    """Say the seed where something failed, and write a line of a page anew, if told so."""
    if terminalreporter.stats.get("failed") and not IS_ALL:
        terminalreporter.write_line(f"\ndrawn with the seed {SEED}; ALGDIM_SEED={SEED} draws the same")
    if config.getoption("record") is None:
        return
    counts = {how: len(terminalreporter.stats.get(how, ())) for how in ("passed", "failed", "error", "skipped")}
    found = ", ".join(f"{count} {how}" for how, count in counts.items() if count)
    minutes = (time.perf_counter() - config.began) / 60
    line = f"{time.strftime('%Y-%m-%d')}, Python {platform.python_version()}: {found or 'no tests'} in {minutes:.0f} minutes."
    page = Path(config.getoption("record"))
    page.write_text(
        re.sub(rf"^{RECORD}.*$", RECORD + line, page.read_text(encoding="utf-8"), flags=re.MULTILINE), encoding="utf-8"
    )
