"""The command doctor: what it says of an installation, and that it tells what is broken."""

import json
import os
import platform
import re
import subprocess
import sys

import numpy as np
import pytest
from amount import daily, first, in_turn
from packages import ROOT

from algdim import errors
from algdim.about import VERSION
from algdim.bound import strategy
from algdim.cli import doctor, main


def test_a_healthy_installation(capsys):
    """A page with versions, arithmetic, threads and passed checks."""
    assert 0 == main(["doctor"])
    page = capsys.readouterr().out
    for word in (VERSION, platform.python_version(), np.__version__, "BLAS", "threads", "all is well"):
        assert word in page
    assert "FAILED" not in page


@pytest.fixture
def few(monkeypatch):
    """One check alone: what the others find is told above."""
    monkeypatch.setattr(doctor, "CHECKS", dict([*doctor.CHECKS.items()][:1]))


def test_the_same_for_machines(capsys):
    """All of it as one JSON document."""
    assert 0 == main(["doctor", "--json"])
    document = json.loads(capsys.readouterr().out)

    assert (VERSION, True, np.__version__) == (document["algdim"], document["healthy"], document["packages"]["numpy"])
    assert len(doctor.CHECKS) == len(document["checks"])
    assert all(check["passed"] for check in document["checks"])


@pytest.mark.parametrize("broken", daily([lambda: 8, lambda: 1 / 0, lambda: int("x")], 1))
def test_what_is_broken_is_told(few, monkeypatch, capsys, broken):
    """A wrong number and any exception fail the check, and the command."""
    monkeypatch.setattr(doctor, "CHECKS", {**doctor.CHECKS, "planted": ("9", broken)})

    assert 1 == main(["doctor"])
    assert "planted: FAILED: " in capsys.readouterr().out


def test_a_missing_package_is_told(few, monkeypatch, capsys):
    """Something that is needed and is not there."""
    monkeypatch.setattr(doctor, "find_version", lambda name: None if name == "gmpy2" else "1")

    assert 1 == main(["doctor"])
    assert "missing     gmpy2" in capsys.readouterr().out


@in_turn(2)
def test_nothing_private_is_printed(capsys):
    """A page for the public has no paths and no names of people or machines."""
    main(["doctor"])

    page = capsys.readouterr().out
    assert "/" not in page.replace("1/2", "")
    assert platform.node() not in page or len(platform.node()) < 4


@in_turn(3)
@pytest.mark.parametrize("given", first([{"OMP_NUM_THREADS": "9" * 5000}, {}, {"OMP_NUM_THREADS": "2"}], 1))
def test_the_environment_is_that_of_the_user(given):
    """What was set before is told, not what the command sets for its own libraries; absurd numbers do no harm."""
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_THREADS")}
    command = [sys.executable, "-m", "algdim", "doctor", "--json"]
    done = subprocess.run(
        command, env={**environment, **given}, capture_output=True, text=True, check=True, encoding="utf-8"
    )

    assert given == json.loads(done.stdout)["environment"]


@in_turn(2)
def test_all_limits_of_the_code_are_printed(capsys):
    """Every constant whose name begins with MOST stands there, with its value; found here by its text alone."""
    assert 0 == main(["doctor", "--limits", "--json"])
    document = json.loads(capsys.readouterr().out)
    printed = {(one["module"], limit["name"]): limit["value"] for one in document for limit in one["limits"]}
    written = {
        (file.relative_to(ROOT).as_posix(), name)
        for file in (ROOT / "algdim").rglob("*.py")
        for line in re.findall(r"^([A-Z_]+(?:, [A-Z_]+)*) = ", file.read_text(encoding="utf-8"), re.MULTILINE)
        for name in line.split(", ")
        if name.startswith("MOST")
    }

    assert written == {place for place in printed if place[1].startswith("MOST")}
    assert len(written) > 200
    assert (strategy.MOST_DRAWS, errors.MOST_SIGNS) == tuple(
        printed[place] for place in (("algdim/bound/strategy.py", "MOST_DRAWS"), ("algdim/errors.py", "MOST_SIGNS"))
    )
    assert 0 == main(["doctor", "--limits"])
    page = capsys.readouterr().out
    assert "  120 seconds: of a processor" in page
    assert f"  {strategy.MOST_DRAWS} draws: With a chance of one half" in page
