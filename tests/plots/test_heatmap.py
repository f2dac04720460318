"""Heat maps: every entry that is not zero is drawn once, with the colour of its sign; brackets and triangles are where they belong."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from amount import some
from hypothesis import given, settings
from hypothesis import strategies as st

from algdim import LimitError
from algdim.plots.heatmap import NEGATIVE, POSITIVE, draw_heatmap

MATRICES = st.tuples(st.integers(1, 5), st.integers(1, 6)).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(-9, 9), min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
    )
)


@given(MATRICES)
@settings(max_examples=some(40))
def test_every_entry_once(matrix):
    """As many squares of each colour as there are entries of each sign."""
    width = len(matrix[0])
    drawn = draw_heatmap(matrix, [f"r{i}" for i in range(len(matrix))], ["X"] * width, range(width - 1))
    ET.fromstring(drawn)
    shapes = re.findall(r'class="entries" d="([^"]*)" fill="([^"]*)"', drawn)
    counts = {colour: sum(d.count("M") for d, c in shapes if c == colour) for colour in (POSITIVE, NEGATIVE)}

    assert sum(value > 0 for row in matrix for value in row) == counts[POSITIVE]
    assert sum(value < 0 for row in matrix for value in row) == counts[NEGATIVE]
    assert 1 == drawn.count('class="free"')


def test_groups_have_one_name():
    """Columns of the same variable are below one bracket; very large matrices are an error."""
    drawn = draw_heatmap([[1, 2, 3]], ["a"], ["X", "X", "Y"], [0, 1, 2])

    assert 1 == drawn.count(">X<") == drawn.count(">Y<")
    with pytest.raises(LimitError, match="at most 40000 are drawn"):
        draw_heatmap([[1] * 300] * 300, ["a"] * 300, ["X"] * 300, [])
