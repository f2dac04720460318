"""What all tests share: Hypothesis without a clock, and a seeded sample of the tests."""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import settings

# No deadline anywhere: how long an example takes says something about the machine.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")


def pytest_addoption(parser):
    """Add ``--sample N`` and ``--sample-seed S``."""
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
