"""The pattern of a Jacobian: a square for each entry that is not zero."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import algdim
from algdim import LimitError
from algdim.exact.elimination import Rank
from algdim.explanation.standing import evaluate_at_random_point
from algdim.maps import map_of
from algdim.plots.dimensions import draw_jacobian_pattern


@pytest.mark.parametrize("text", ["3:2,2,2,2", "gaussian: H -> X1, X2, X3, X4; hidden H", "2:2^6"])
def test_entries_and_minor(text):
    """As many squares as there are entries that are not zero; those of the minor are in its rows and columns."""
    standing = evaluate_at_random_point(map_of(algdim.model(text)))
    rank = standing.reduced.rank
    drawn = draw_jacobian_pattern(standing.jacobian, rank, standing.pmap.coordinates(), standing.pmap.parameters)
    kinds = [one.get("class") for one in ET.fromstring(drawn).iter("{http://www.w3.org/2000/svg}rect")]

    assert sum(value != 0 for row in standing.jacobian for value in row) == len(kinds) - 1
    minor = sum(standing.jacobian[i][j] != 0 for i in rank.rows for j in rank.columns)
    assert minor == kinds.count("entry minor")


def test_large_matrices_are_refused():
    """With the sizes in the message."""
    with pytest.raises(LimitError, match="300 × 300"):
        draw_jacobian_pattern([], Rank(0, (), ()), ["r"] * 300, ["c"] * 300)
