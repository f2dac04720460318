"""Derivations as pictures: every statement has its box, and all of its words."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from packages import ROOT

from algdim import Report, dimension
from algdim.explanation.explaining import draw_picture
from algdim.plots.dimensions import draw_derivation

SPACE = "{http://www.w3.org/2000/svg}"


def reasons(one):
    """All statements of a tree."""
    return [one.text, *(text for child in one.because for text in reasons(child))]


@pytest.mark.parametrize("text", ["2:2", "3:2,2,2,2", "5(2,3(2,2),3(2,2))", "A -> C <- H -> D <- B; hidden H"])
def test_every_statement_is_there(text):
    """One box for each, and no word is lost by wrapping."""
    report: Report = dimension(text)
    drawn = ET.fromstring(draw_derivation(report))
    words = " ".join(one.text for one in drawn.iter(f"{SPACE}text")).split()
    wanted = reasons(report.derivation)

    assert len(wanted) == len(list(drawn.iter(f"{SPACE}rect")))
    assert " ".join(wanted).split() == words


def test_the_picture_in_the_readme():
    """It is what the command draws; where a derivation has changed, `algdim explain … --svg derivation -o docs/derivation.svg` draws it anew."""
    drawn = draw_picture("A -> C <- H -> D <- B; hidden H; states H=5", "derivation")

    assert drawn == (ROOT / "docs" / "derivation.svg").read_text(encoding="utf-8")
