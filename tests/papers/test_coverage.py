"""The page that has every equation, theorem, table and figure of the papers with its claims, experiments or the reason for none."""

from __future__ import annotations

import re

import pytest
from packages import ROOT

from algdim.display.rendering import encode_for_latex
from algdim_papers.claims.checks import run_check
from algdim_papers.claims.reading import list_claims, list_papers
from algdim_papers.experiments.catalogue import EXPERIMENTS

PAGE = ROOT / "docs" / "coverage.md"
NUMBERED = {
    "GHM96": {"Eq.": 10, "Theorem": 2, "Figure": 1},
    "HM97": {"Eq.": 23, "Theorem": 2, "Figure": 2},
    "KZ02": {"Theorem": 5, "Table": 2, "Figure": 5},
    "CH96": {"Eq.": 13, "Table": 2, "Figure": 3},
    "MH97": {"Eq.": 6, "Table": 1, "Figure": 5},
}
"""How many of each the paper numbers, from 1."""
REASONS = ("definition", "rule of probability", "theorem of others", "not computable")


def read_rows(paper):
    """The rows of a paper's table: item, content, verdict."""
    section = PAGE.read_text(encoding="utf-8").split(f"\n## {paper}\n")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    return rows[2:]


def test_the_page_has_every_paper():
    """In the order of the claims."""
    assert list(list_papers()) == re.findall(r"^## (\w+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("paper", NUMBERED)
def test_everything_with_a_number_has_one_row(paper):
    """From 1 to the last."""
    items = [row[0] for row in read_rows(paper)]
    expected = [f"{kind} {number}" for kind, last in NUMBERED[paper].items() for number in range(1, last + 1)]

    assert len(items) == len(set(items))
    assert [] == [name for name in expected if name not in items]
    assert [] == [
        item for item in items if re.fullmatch(r"(Eq\.|Theorem|Table|Figure) \d+", item) and item not in expected
    ]


@pytest.mark.parametrize("paper", NUMBERED)
def test_every_row_has_claims_or_an_experiment_or_a_reason(paper):
    """Names in code are claims of any paper, or experiments; what has neither is one of the four reasons."""
    claims, experiments = {claim.id for claim in list_claims()}, {one.name for one in EXPERIMENTS}
    for item, _, verdict in read_rows(paper):
        names = re.findall(r"`([^`]+)`", verdict)
        assert [] == [name for name in names if name not in claims | experiments], item
        assert names or verdict.startswith(REASONS), item


@pytest.mark.parametrize("paper", NUMBERED)
def test_an_equation_with_a_claim_of_its_number_names_it(paper):
    """A claim whose place is Eq. n stands in the row of Eq. n."""
    rows = {item: verdict for item, _, verdict in read_rows(paper)}
    for claim in list_claims(paper):
        found = re.fullmatch(r"§[\d.]+, (Eq\. \d+|Theorem \d+)( and below)?", claim.place)
        if found:
            assert f"`{claim.id}`" in rows[found[1]], claim.id


def test_every_sign_of_the_claims_is_known_to_latex():
    """What the table of a paper's claims shows is ASCII, or is written otherwise; pdflatex stops at any other sign."""
    shown = {text for claim in list_claims() for text in (claim.place, str(claim.printed), claim.note)}
    found = {check.value for check in (run_check(one.check, one.arguments) for one in list_claims() if one.check)}
    written = {encode_for_latex(str(text)) for text in shown | found}

    assert set() == {sign for text in written for sign in text if not sign.isascii() and sign not in "é’Č"}
