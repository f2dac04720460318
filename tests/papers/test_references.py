"""How to cite: text, BibTeX, and the file for citations."""

from __future__ import annotations

import json
import re

import pytest
from packages import ROOT

from algdim.about import RELEASED, VERSION
from algdim.cli import main
from algdim_papers import references
from algdim_papers.claims import reading

CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_every_paper_can_be_cited():
    """The keys are those of the claims, after algdim itself."""
    assert ("algdim", *reading.PAPERS) == tuple(work.key for work in references.select_references())


def test_the_file_for_citations_agrees():
    """CITATION.cff has the version and its day, as the changelog, and the papers with the same titles, years and names, in the same order."""
    assert f"version: {VERSION}\ndate-released: {RELEASED}\n" in CITATION
    assert f"\n## {VERSION}, {RELEASED}\n" in CHANGELOG
    assert f'title: "{references.ALGDIM.title}"' in CITATION
    assert [work.title for work in references.PAPERS] == re.findall(r'^    title: "(.*)"$', CITATION, re.MULTILINE)
    assert [str(work.year) for work in references.PAPERS] == re.findall(r"^    year: (\d+)$", CITATION, re.MULTILINE)
    names = re.findall(r'family-names: ([^,]+), given-names: "?([^"}]+)"?}', CITATION)
    assert [name for work in references.PAPERS for name in work.authors] == [", ".join(name) for name in names]


@pytest.mark.parametrize("work", references.select_references(), ids=lambda work: work.key)
def test_bibtex_is_ascii_with_closed_braces(work):
    """Every BibTeX reads the entries."""
    entry = work.bibtex()

    assert entry.isascii()
    assert entry.count("{") == entry.count("}")
    assert re.match(r"@(inproceedings|techreport|misc)\{\w+,\n", entry)


def test_the_command(capsys):
    """Text for all works, BibTeX for those asked for, JSON; unknown keys and two forms are refused."""
    assert 0 == main(["cite"])
    assert 6 == len(capsys.readouterr().out.splitlines())
    assert 0 == main(["cite", "KZ02", "--bibtex"])
    assert capsys.readouterr().out.startswith("@inproceedings{KZ02,\n  author      = {Ko{\\v{c}}ka, ")
    assert 0 == main(["cite", "--json"])
    assert "algdim" == json.loads(capsys.readouterr().out)[0]["key"]
    assert 2 == main(["cite", "KZ03"])
    assert 2 == main(["cite", "--json", "--bibtex"])
