"""Walks along fibres and other solutions: the exact coordinates at each point that is shown."""

from __future__ import annotations

from fractions import Fraction

import pytest
from amount import daily

from algdim import explain, model
from algdim.explanation.samplepoint import compute_coordinate_values, evaluate_at_random_point
from algdim.explanation.swaps import find_swaps
from algdim.explanation.walks import find_walks
from algdim.identifiability.points import is_inside
from algdim.maps import map_of

MODELS = [
    "3:2,2,2,2",
    "2:2,2",
    "gaussian: H -> A, B, C, D; hidden H; means off",
    "poisson: {C1,C2},{C3} -> E",
    "max: {C1,C2},{C3} -> E",
    "loglinear: {A,H}, {B,H}; hidden H",
    "polynomial: parameters a, b, c; coordinates a*b, b*c",
]


@pytest.mark.parametrize("text", daily(MODELS, 3))
def test_every_point_has_the_same_coordinates(text):
    """The doubles of each point, taken as fractions, give the coordinates of the start to twelve digits, and are inside."""
    found = explain(text)
    standing = found.standing
    walks = find_walks(standing, found.fibre)

    assert walks
    for walk in walks:
        assert [float(value) for value in standing.point] == walk.points[walk.start].tolist()
        assert max(walk.movements) > 0.05
        for point in walk.points[:: max(1, len(walk.points) // 6)].tolist():
            values = compute_coordinate_values(standing.pmap, [Fraction(value) for value in point])
            scale = max(1, *map(abs, standing.values))
            assert max(abs(a - b) for a, b in zip(values, standing.values, strict=True)) <= scale * Fraction(1, 10**12)
            assert is_inside(standing.pmap, [Fraction(round(value * 10**9), 10**9) for value in point])


def test_directions_differ():
    """Two redundant parameters: two walks, neither of which is the other."""
    standing = explain("2:2,2").standing
    first, second = find_walks(standing, None)
    ways = [walk.points[walk.start + 1] - walk.points[walk.start] for walk in (first, second)]
    cosine = abs(ways[0] @ ways[1]) / ((ways[0] @ ways[0]) * (ways[1] @ ways[1])) ** 0.5

    assert cosine < 0.9


def test_nothing_is_walked_where_nothing_is_redundant():
    """A point alone."""
    assert () == find_walks(explain("2:2,2,2").standing, None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3:2,2,2,2,2", ["states 0 and 1 of H swapped"]),
        ("gaussian: H -> A, B, C; hidden H; means off; fix v(H)=1", ["the sign of H turned"]),
        ("latent-profile: H -> X, Y, C; hidden H; states H=2, C=3", ["states 0 and 1 of H swapped"]),
        ("A -> B", []),
        ("gaussian: H -> A, B, C; hidden H; fix b(H->A)=1", []),
    ],
)
def test_other_solutions(text, words):
    """Those that there are, and none that is none."""
    standing = evaluate_at_random_point(map_of(model(text)))
    found = find_swaps(standing)

    assert words == [name for name, _ in found]
    for _, point in found:
        assert compute_coordinate_values(standing.pmap, point) == standing.values
        assert point != standing.point
