"""What each claim of a paper may use when it is computed again."""

from __future__ import annotations

from algdim.cli import main
from algdim_papers.claims import reading


def test_each_claim_of_a_paper_has_its_seconds(capsys, monkeypatch):
    """What was not tried for any of them is told on standard error; experiments do without."""
    claims = [claim for claim in reading.list_claims("KZ02") if claim.model == "3:2,2,2,2"][:1]
    assert claims
    monkeypatch.setattr(reading, "list_claims", lambda *_: claims)
    main(["reproduce", "KZ02", "--max-seconds", "0"])

    assert "algdim: not tried, or not to the end: " in capsys.readouterr().err
    assert 2 == main(["reproduce", "--experiments", "--max-seconds", "1"])
    assert "leave them out with --experiments" in capsys.readouterr().err
