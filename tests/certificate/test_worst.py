"""The worst texts that the checker reads: what is counted for each kind of work; slowly, that nothing takes half of what is promised."""

import importlib.util
import json

import pytest
from packages import ROOT

from algdim.certificate import checker

COUNTS = {
    "blocks": 10_340,
    "cells": 36_045,
    "classes": 9_834,
    "covariances": 23_370,
    "covariances-of-classes": 16_190,
    "cumulants": 40_910,
    "cuts": 271_302,
    "denominators": 15_974,
    "effect": 112_911,
    "elimination": 112_929,
    "embedded": 129_346,
    "faces": 6_760,
    "fewer": 399_602,
    "flattening": 18_086,
    "formulas-blocks": 17_496,
    "fractions": 270_968,
    "gradients": 38_241,
    "hulls": 126_968,
    "idle": 672_245,
    "intrinsic": 15_080,
    "kept": 47_187,
    "keys": 29_285_434,
    "koszul": 82_168,
    "local": 19_089,
    "log-linear": 17_652,
    "long-keys": 8_471_950,
    "long-table": 18_920,
    "minors": 6_139_619,
    "mixings": 12_605,
    "moments": 65_138,
    "moves": 1_059_658,
    "odds": 26_710,
    "open-tables": 27_680,
    "paths": 6_562,
    "probes": 3_204_993,
    "program": 39_174,
    "projection": 2_054_256,
    "shared": 15_993_485,
    "sigmoid": 43_640,
    "slices": 8_780,
    "sparse-move": 20_655,
    "squares": 9_880,
    "star": 10_500_817,
    "summands": 5_762,
    "terms": 38_840,
    "vectors": 6_968_886,
    "weightings": 35_179,
}
"""Steps for the small text of each kind: who makes one of them cheaper says why it is done faster, or in less memory."""


def loaded():
    """The program beside the checker."""
    spec = importlib.util.spec_from_file_location("worst", ROOT / "proofs" / "worst.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


worst = loaded()


@pytest.mark.parametrize("name", worst.KINDS)
def test_what_is_counted(name, monkeypatch):
    """The small text is in the format, and takes as many steps as are noted here."""
    made = []

    class Counted(checker.Work):
        def __init__(self):
            super().__init__()
            made.append(self)

    monkeypatch.setattr(checker, "Work", Counted)
    code, reason = checker.verdict(json.dumps(worst.KINDS[name].text(worst.KINDS[name].small)).encode())

    assert checker.Unreadable.code != code, reason
    assert COUNTS[name] == sum(checker.MOST_WORK - work.left for work in made)


@pytest.mark.slow
@pytest.mark.parametrize("name", worst.KINDS)
def test_nothing_takes_half_of_what_is_promised(name):
    """The large text takes a quarter of the steps at least, or all of the bytes or entries, and not half of 60 seconds and 1 GB."""
    _, seconds, megabytes, reason = worst.measured(name, worst.KINDS[name].large)

    assert "bytes" not in reason
    assert worst.SECONDS > seconds
    assert worst.MEGABYTES > megabytes


@pytest.mark.parametrize("depth", [100, 400, 900, 5000])
def test_deep_lists_in_the_place_of_the_format(depth):
    """They are shown to nobody, and no recursion comes to an end in a traceback."""
    assert checker.Unreadable.code == checker.verdict(b'{"format": ' + b"[" * depth + b"]" * depth + b"}")[0]
    rest = (
        b', "claim": {"model": {}, "dimension": 1, "standard": 1, "complete": 1}, "evidence": {"lower": 1, "upper": 1}}'
    )
    assert checker.Unreadable.code == checker.verdict(b'{"format": ' + b"[" * depth + b"]" * depth + rest)[0]


def test_numbers_too_long_for_python_to_write_are_not_written():
    """A fraction with more than 4300 digits, which no message shows."""
    code, reason = checker.verdict(json.dumps(worst.KINDS["fractions"].text(9)).encode())

    assert (0, "accepted") == (code, reason.split(":")[0])
