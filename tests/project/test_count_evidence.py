"""The shares of proved dimensions among random networks."""

import pytest
from packages import ROOT
from suites.count_evidence import (
    CHANCE,
    LARGER_COUNTS,
    OPEN,
    TABLES,
    count,
    count_larger,
    page,
    page_of_larger,
    shares,
)
from suites.random_networks import LARGER

from algdim.bound.strategy import KNOWN

PAGE = ROOT / "docs/proofs.md"
SAMPLE = 30


def test_exact_networks_have_proofs_of_known_kinds():
    """Each network has evidence; by chance it is if and only if it is not exact; simple evidence is enough for simple ones."""
    found = count(SAMPLE)

    assert SAMPLE == len(found)
    for one in found:
        assert one.kinds
        assert set() == set(one.kinds) - {TABLES, *KNOWN}
        assert one.report.exact == (CHANCE not in one.kinds)
        assert one.report.exact == (one.hardest != OPEN)
        assert one.report.exact or not one.simple


def test_the_page_counts_and_lists():
    """The page has the number of networks and one line for each that is not exact."""
    found = count(SAMPLE)
    text = page(found)

    assert f"{SAMPLE} random networks" in text
    assert sum(not one.report.exact for one in found) == text.count("\n- `")


@pytest.mark.slow
def test_almost_all_random_networks_are_proved():
    """Of 500 networks 99 % are exact, and 95 % of those, at least 150, that counting and districts leave open."""
    found = count()
    total, exact, hard, exact_hard = shares(found)

    assert 500 == total
    assert exact >= 0.99 * total
    assert hard >= 150
    assert exact_hard >= 0.95 * hard
    assert PAGE.read_text(encoding="utf-8").startswith(page(found))


@pytest.mark.slow
def test_most_larger_networks_are_proved():
    """Nine of ten of four sequences of larger networks; the page says which are not, and what is known of them."""
    found = count_larger()
    cases = [report for one in found.values() for _, report in one]

    assert LARGER.keys() == LARGER_COUNTS.keys() == found.keys()
    assert sum(LARGER_COUNTS.values()) == len(cases)
    assert 10 * sum(report.exact for report in cases) >= 9 * len(cases)
    assert PAGE.read_text(encoding="utf-8").endswith(page_of_larger(found))
