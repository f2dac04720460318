"""The limit of memory: what is refused says how much it needs, and what is allowed stays within it, measured from outside."""

import os
import re
import subprocess
import sys

import pytest
from amount import daily, in_turn
from packages import ROOT

from algdim import InputError
from algdim.memory import parse_memory_size

BESIDE = 100_000_000
"""For Python and its libraries, and what is small beside the matrix."""

FIGURE = re.compile(r"; ([0-9.]+) ([kMG]?B|bytes) are needed and (.*) are allowed; ")
SCALES = {"bytes": 1, "B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9}


def listed(letter, count):
    """Names with numbers."""
    return ", ".join(f"{letter}{number}" for number in range(count))


MODELS = {
    "a large table": ("100:8^4", "table"),
    "many classes by probes": ("60:6^6", "probes"),
    "few classes": ("60:4^6", "table"),
    "rational numbers": ("6:3^5", "rational"),
    "a latent tree": ("8(6(6,6),6(6,6),6)", "table"),
    "a Gaussian model": (f"gaussian: F1, F2, F3 -> {listed('X', 60)}; hidden F1, F2, F3", "table"),
    "a classifier": (f"classifier Y: Y -> {listed('X', 12)}; states Y=20", "table"),
    "a log-linear model": (
        f"loglinear: {', '.join(f'{{X{number},H}}' for number in range(12))}; hidden H; states H=20",
        "table",
    ),
    "a sigmoid network": (f"sigmoid: {listed('H', 10)} -> {listed('X', 40)}; hidden {listed('H', 10)}", "probes"),
    "a mixture of normals": (
        "latent-profile: H -> X1, X2, X3, X4, X5, X6; hidden H; states H=30; covariances full; moments 4",
        "table",
    ),
}


def run(question, text, limit):
    """What `tests/peak.py` prints for one call in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    words = [sys.executable, str(ROOT / "tests" / "peak.py"), question, text, str(limit)]
    return subprocess.run(
        words, env=environment, capture_output=True, text=True, check=True, timeout=600, encoding="utf-8"
    ).stdout


def needed(said):
    """The figure of a refusal, in bytes."""
    number, unit, _ = FIGURE.search(said).groups()
    return float(number) * SCALES[unit]


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_memory_stays_within_the_limit(name):
    """The least limit that is enough is found from what refusals say; the peak is below it and a little more."""
    text, method = MODELS[name]
    refusals, limit, peak = find_least_limit(f"dimension {method}", text)
    assert 1 <= refusals <= 5
    assert peak <= limit + BESIDE


def find_least_limit(question, text):
    """How many limits were refused, the first that is not, and the peak with it."""
    limit, refusals = 100_000, 0
    while (said := run(question, text, limit)).startswith("refused"):
        refusals += 1
        assert needed(said) > limit
        limit = int(needed(said) * 1.01)  # what is printed is rounded
    return refusals, limit, int(said)


QUESTIONS = {
    "what only moves together": ("identify", "A -> B -> C -> D; U -> B, D; hidden U; states U=200"),
    "a step by step page": ("explain", "12:5,5,5,5"),
    "equations of a Gaussian model": ("constraints", f"gaussian: F1, F2 -> {listed('X', 13)}; hidden F1, F2"),
    "a certificate": ("prove", "20:30,30"),
    "a dimension with all its bounds": ("dimension", "U, V -> A, B, C, D, E, F; hidden U, V; states U=3, V=3"),
    "a small model": ("identify", "3:2,2,2,2"),
}


@pytest.mark.parametrize("name", daily(QUESTIONS, 1))
def test_memory_of_every_question_stays_within_the_limit(name):
    """Small limits too: what a process takes is what is allowed and a little more, by the kernel's count."""
    refusals, limit, peak = find_least_limit(*QUESTIONS[name])
    assert refusals <= 6
    assert peak <= limit + BESIDE


@in_turn(2)
def test_a_refusal_has_both_figures():
    """What is needed, and what is allowed, at once."""
    said = run("dimension table", "100:8^4", 10**7)

    assert said.startswith("refused")
    assert 10**7 < needed(said)
    assert "10 MB are allowed" in said


@pytest.mark.parametrize("text", ["", "4 G", "-1", "1e9", "4P", "٤G", "1.5G", "9" * 20])
def test_sizes_that_are_none(text):
    """Whole numbers with k, M, G or T."""
    with pytest.raises(InputError, match="is not a size of memory"):
        parse_memory_size(text)
