"""An explanation in Markdown: headings, fences closed, pictures that open, mathematics between dollar signs."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from base64 import b64decode
from functools import cache

import pytest

from algdim import explain as explain_anew
from algdim.display.document import escape_markdown
from algdim.display.latexdocument import format_latex_number

explain = cache(explain_anew)


@pytest.mark.parametrize("text", ["3:2,2,2,2", "gaussian: H -> X1, X2, X3, X4; hidden H", "2:2^30"])
def test_everything_is_there(text):
    """One heading per section, tables with rows of equal length, pictures that are SVG."""
    found = explain(text)
    written = found.markdown()
    pictures = re.findall(r"\(data:image/svg\+xml;base64,([^)]*)\)", written)

    assert len(found.document().sections) == len(re.findall(r"^## ", written, re.MULTILINE))
    assert 0 == written.count("```") % 2
    assert 0 == written.count("$$") % 2
    assert pictures
    for picture in pictures:
        ET.fromstring(b64decode(picture).decode())
    for table in re.findall(r"(?:^\|.*\n)+", written, re.MULTILINE):
        assert 1 == len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()})


def test_pivots_are_boxed():
    """Three of them for 2:2,2."""
    assert 3 == explain("2:2,2").markdown().count(r"\boxed{1}")


def test_signs_are_escaped():
    """Names and conditions do not become forms."""
    assert r"P(X=0\|H=1) a\_b" == escape_markdown("P(X=0|H=1) a_b")
    assert r"-\tfrac{1}{2}" == format_latex_number("-1/2")
