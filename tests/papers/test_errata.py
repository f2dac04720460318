"""The page of errata is what the claims and the computations say now."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location

import pytest
from amount import in_turn
from packages import ROOT

from algdim_papers.claims.reading import list_claims


@pytest.fixture(scope="module")
def errata():
    """proofs/errata.py as a module."""
    spec = spec_from_file_location("errata", ROOT / "proofs" / "errata.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def page(errata):
    """The page as it stands in docs/."""
    return errata.PAGE.read_text(encoding="utf-8")


def without_evidence(page):
    """The page without the lines on bounds, which change with the order in which bounds are tried."""
    return [line for line in page.splitlines() if not line.startswith(("- by: ", "- from: "))]


@in_turn(2)
def test_the_claims_and_values_are_up_to_date(errata, page):
    """`python proofs/errata.py` would write the same claims, values, verdicts and certificates."""
    assert without_evidence(errata.document()) == without_evidence(page), "run: python proofs/errata.py"


@pytest.mark.slow
def test_the_page_is_up_to_date(errata, page):
    """`python proofs/errata.py` would write the same page."""
    assert errata.document() == page, "run: python proofs/errata.py"


def test_every_refuted_claim_has_its_section(page):
    """None is missing, and what is confirmed is not on the page."""
    told = re.findall(r"^### ([\w-]+): ", page, re.MULTILINE)

    assert [claim.id for claim in list_claims() if claim.verdict.startswith("refuted")] == told[:-2]
    assert ["proved-conjecture", "open-question-answered"] == [
        claim.verdict for name in told[-2:] for claim in list_claims() if claim.id == name
    ]


def test_the_page_opens_with_those_that_change_a_number_or_a_theorem(errata, page):
    """Printed and true values are those of the entries, to which the links lead."""
    first = page.index("\n## ")
    table = page[first : page.index("\n## ", first + 1)]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.count("](#") == 1]

    assert len(errata.FIRST) == len(rows) == 6
    assert [["11", "**10**"], ["12", "**11**"], ["7", "**8**"]] == [row[1:3] for row in rows[:3]]
    anchors = {
        re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-")
        for heading in re.findall(r"^### (.*)$", page, re.MULTILINE)
    }
    assert {re.search(r"\(#(.*)\)", row[3])[1] for row in rows} <= anchors


def test_every_link_leads_to_a_file(page):
    """Certificates and lemmas that the page links to exist."""
    files = set(re.findall(r"\]\((\.\./[^)#]+)", page))

    assert files
    assert [] == [name for name in files if not (ROOT / "docs" / name).exists()]


def test_the_counts_of_other_tools(page):
    """R sBIC's 14 and 26 for 3:2^4 and 4:3^3, where the dimension is 13 (GHM96 §6) and 25 (KZ02 Table 1)."""
    assert "| 3:2^4 | 13 | 14 | 14 | 1 | 2 |" in page
    assert "| 4:3^3 | 25 | 26 | 27 | -1 | 1 |" in page
