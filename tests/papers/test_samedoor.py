"""The files of the papers' claims go through `algdim check` as anybody's: the same verdicts, and nothing passed over in silence."""

from __future__ import annotations

import pytest
from amount import daily

import algdim
from algdim_papers.claims.judging import run
from algdim_papers.claims.reading import UNDECIDABLE, get_paper_file, list_claims, list_papers


@pytest.mark.parametrize("paper", daily(list_papers(), 2))
def test_the_same_verdicts(paper):
    """Of every claim about a quantity of a model; the others are named as not read."""
    found = algdim.check(str(get_paper_file(paper)))
    claims = list_claims(paper)
    own = [claim for claim in claims if claim.check or not claim.model]
    words = {}
    for verdict in run(claim for claim in claims if not claim.check and claim.model and claim.verdict != UNDECIDABLE):
        instances = verdict.claim.instances
        expected = "refuted" if verdict.verdict.startswith("refuted") else "confirmed"
        words |= {
            (
                one.model,
                one.quantity.replace("standard", "parameters").replace("complete", "saturated"),
                str(one.printed) if not verdict.claim.cases else str(one.means),
            ): expected
            for one in instances
        }

    assert words == {
        (one.claim.source.text, one.claim.quantity, one.claim.printed.text): one.word for one in found.verdicts
    }
    assert len(own) + sum(bool(claim.cases) for claim in claims) == len(found.notes)
    assert all(one.trust.is_proved for one in found.verdicts)
