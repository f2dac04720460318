"""What all tests share: Hypothesis without a clock, a seeded sample of the tests, and a record of a run."""

from __future__ import annotations

import os
import platform
import random
import re
import time
from pathlib import Path

import pytest
from hypothesis import settings

# No deadline anywhere: how long an example takes says something about the machine.
# Where nothing can be written, as in a read-only copy, failing examples are not kept either.
KEPT = {} if os.access(Path(__file__).parents[1], os.W_OK) else {"database": None}
settings.register_profile("here", deadline=None, **KEPT)
settings.register_profile("ci", deadline=None, derandomize=True, **KEPT)
settings.load_profile("ci" if os.environ.get("CI") else "here")


RECORD = "Last run: "


def pytest_addoption(parser):
    """Add ``--sample N``, ``--sample-seed S`` and ``--record PAGE``."""
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


def pytest_configure(config):
    """Look at the clock."""
    config.began = time.perf_counter()


def pytest_terminal_summary(terminalreporter, config):
    """Write a line of a page anew, if told so."""
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
