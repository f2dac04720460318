"""Tampering with certificates: nothing false is accepted, nothing crashes, nothing takes much memory."""

from __future__ import annotations

import json
import tracemalloc

import pytest
from amount import first
from mutants import adversarial, is_true, originals, random_mutant

from algdim.certificate import checker

BYTES = 10**9


def check_refused(mutants):
    """Assert that only true claims are accepted; return how many parsed and differ in numbers only."""
    parsed = 0
    for mutant in mutants:
        code, reason = checker.verdict(mutant.text.encode("utf-8", "replace"))

        assert code in {0, 1, 2}
        assert code or is_true(mutant.text), (mutant.source, reason)
        parsed += mutant.numbers_only and is_json(mutant.text)
    return parsed


def is_json(text):
    """Whether a text is JSON."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("source", [*first(originals(), 5)])
def test_originals_are_true(source):
    """What is accepted is true, by algdim's own account."""
    assert is_true(json.dumps(originals()[source]))


def test_some_random_mutants():
    """Forty random mutants."""
    assert 12 <= check_refused(random_mutant(seed) for seed in range(1, 41))  # that of 0 takes long by hand


def test_some_adversarial_mutants():
    """Thirty adversarial mutants."""
    check_refused(adversarial(seed) for seed in range(30))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_random_mutants(block):
    """Ten thousand random mutants in ten blocks; of each thousand, four hundred differ in numbers only and parse."""
    assert 400 <= check_refused(random_mutant(f"slow {seed}") for seed in range(1000 * block, 1000 * (block + 1)))


@pytest.mark.slow
def test_adversarial_mutants():
    """Five hundred claims off by one, by an adversary who recomputes what can be recomputed."""
    check_refused(adversarial(f"slow {seed}") for seed in range(500))


@pytest.mark.slow
def test_memory():
    """Two hundred mutants stay far below a gigabyte."""
    tracemalloc.start()
    check_refused(random_mutant(f"memory {seed}") for seed in range(200))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert BYTES > peak
