"""An explanation in the terminal: plain by default, pivots coloured if asked for."""

from __future__ import annotations

from functools import cache

from algdim import explain as explain_anew

explain = cache(explain_anew)


def test_colour_adds_nothing_but_colour():
    """Without the signs for colour, both texts are the same; the pivots are coloured."""
    import re

    found = explain("2:2,2")
    coloured = found.text(colour=True)

    assert str(found) == re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert "\x1b" not in str(found)
    assert 3 == coloured.count("\x1b[1;33m[1]")


def test_titles_stand_by_themselves():
    """Each section's title is a line, in order."""
    found = explain("3:2,2,2,2")
    lines = str(found).splitlines()
    places = [lines.index(section.title) for section in found.document().sections]

    assert sorted(places) == places
