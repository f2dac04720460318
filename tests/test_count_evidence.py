"""The shares of proved dimensions among random networks."""

from suites.count_evidence import CHANCE, OPEN, TABLES, count, page

from algdim.bound.strategy import KNOWN

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
