"""The default strategy of starts keeps its promise."""

import pytest
from packages import ROOT

BENCH = ROOT / "bench"


@pytest.mark.slow
def test_the_funnel_is_near_the_best_of_200_starts_at_no_more_steps(monkeypatch):
    """On 20 seeded data sets: within .1 nat of the best in 19, with no more steps in all than CH96's staged restart."""
    monkeypatch.syspath_prepend(str(BENCH))
    import starts

    (section,) = starts.sections(quick=False)

    assert 20 == len(section.rows)
    assert 2 == sum(verdict.endswith("reached") for verdict in section.verdicts)
