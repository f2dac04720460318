"""The picture of a fibre, and the other pictures of a model by name."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from algdim.plots.fibre import BLUE, GREEN, Bars, draw_fibre


def test_bars_and_ranges():
    """A bar ends where its value is; a range from the least to the greatest value; negative values go to the left."""
    left = Bars("parameters", ["a", "b"], [0.5, -1.0], [(0.25, 0.75), (-1.0, 1.0)], -1.0, 1.0, BLUE, "p")
    right = Bars("cells", ["c"], [0.3], [(0.3, 0.3)], 0.0, 1.0, GREEN, "c", 6)
    drawn = draw_fibre(left, right)
    ET.fromstring(drawn)
    values = re.findall(r'class="value" x="([\d.]+)" y="\d+" width="([\d.]+)"', drawn)
    ranges = [float(width) for width in re.findall(r'class="range" x="[\d.]+" y="\d+" width="([\d.]+)"', drawn)]

    assert 3 == len(values)
    assert abs(float(values[0][0]) - left.place(0)) < 0.1
    assert abs(float(values[0][1]) - (left.place(0.5) - left.place(0))) < 0.1
    assert abs(float(values[1][0]) - left.place(-1)) < 0.1
    assert 0 == ranges[2]
    assert ranges[0] < ranges[1]


def test_a_name_on_several_rows_is_cut():
    """Long names have their whole text as a title."""
    name = "P(A_very_long_name_of_a_variable=0|Another=1)"
    bars = Bars("parameters", [name], [0.5], [(0.5, 0.5)], 0.0, 1.0, BLUE, "p")

    assert f"<title>{name}</title>" in draw_fibre(bars, bars)
    assert "…" in draw_fibre(bars, bars)


def test_bars_have_one_range_each():
    """Names without values are an error."""
    with pytest.raises(ValueError, match="zip"):
        draw_fibre(*[Bars("", ["a"], [], [], 0.0, 1.0, BLUE, "p")] * 2)
