"""Whether points that are shown are parameters of a distribution."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import algdim
from algdim.explanation.equivalentparameters import find_fibre
from algdim.explanation.samplepoint import evaluate_at_random_point
from algdim.families.gaussian.family import evaluate_error_covariances
from algdim.families.latentprofile.family import iterate_class_covariances
from algdim.identifiability.points import is_inside
from algdim.maps import map_of


@pytest.mark.parametrize(
    "text",
    [
        "gaussian: A -> B -> C; A <-> C; B <-> C; A <-> B",
        "gaussian: H -> X1, X2, X3, X4; X1 <-> X2; X2 <-> X3; X3 <-> X4; X1 <-> X4; X1 <-> X3; hidden H",
        "gaussian: V2 -> V0, V1; V0 -> V1; V2 <-> V1",
    ],
)
def test_errors_have_a_covariance_matrix(text):
    """At the random point, and at all points with the same distribution, no eigenvalue is negative."""
    pmap = map_of(algdim.model(text))
    standing = evaluate_at_random_point(pmap)
    found = find_fibre(standing)
    points = [standing.point] if found is None else found.points

    for point in points:
        assert 0 < min(np.linalg.eigvalsh(np.array(evaluate_error_covariances(pmap, point), dtype=float)))


@pytest.mark.parametrize("count", [2, 4])
def test_classes_have_covariance_matrices(count):
    """Of a mixture with full matrices too."""
    names = ", ".join(f"X{number}" for number in range(count))
    pmap = map_of(algdim.model(f"latent-profile: H -> {names}; hidden H; covariances full; moments 2"))

    for matrix in iterate_class_covariances(pmap, evaluate_at_random_point(pmap).point):
        assert 0 < min(np.linalg.eigvalsh(np.array(matrix, dtype=float)))


def test_rows_with_fixed_and_equal_entries():
    """What a fixed entry leaves is not exceeded, and a name that occurs twice in a row is at most a half."""
    fixed = evaluate_at_random_point(map_of(algdim.model("H -> X1, X2; hidden H; fix P(X1=0|H=0)=19/20; states X1=3")))
    equal = evaluate_at_random_point(map_of(algdim.model("A -> B; equal a = P(A=0), P(A=1), P(A=2); states A=4")))

    assert Fraction(1, 20) >= fixed.point[1]
    assert Fraction(1, 3) >= equal.point[0]
    assert fixed.inside
    assert equal.inside


def test_where_no_such_point_is_found():
    """It is said that there is no distribution, and none is shown to be the same."""
    standing = evaluate_at_random_point(
        map_of(algdim.model("H -> X1, X2; hidden H; fix P(X1=0|H=0)=99999/100000; states X1=3"))
    )

    assert not standing.inside
    assert find_fibre(standing) is None


def test_other_families():
    """A classifier has tables; of a polynomial map nothing is asked."""
    third = [Fraction(1, 3)] * 3

    assert is_inside(map_of(algdim.model("classifier Y: Y -> X")), third)
    assert not is_inside(map_of(algdim.model("classifier Y: Y -> X")), [Fraction(3), *third[1:]])
    assert is_inside(map_of(algdim.model("polynomial: parameters a; coordinates a^2")), [Fraction(-7)])


@pytest.mark.parametrize(
    ("text", "point", "expected"),
    [
        ("latent-profile: H -> X, C; hidden H; states C=3", "1/2 0 1 1 1 1/3 1/3 1/3 1/3", (True, True)),
        ("latent-profile: H -> X, C; hidden H; states C=3", "1/2 0 1 1 1 2/3 2/3 1/3 1/3", (False, False)),
        ("latent-profile: H -> X, C; hidden H; states C=3", "1/2 0 1 1 1 2/3 1/3 1/3 1/3", (True, False)),
        ("poisson: {A} -> E; states A=3", "1/3 1/3 1 2 3", (True, True)),
        ("poisson: {A} -> E; states A=3", "1/3 1 1 2 3", (False, False)),
        ("poisson: {A} -> E; states A=3", "1/3 1/3 0 2 3", (True, False)),
        ("poisson: {A} -> E; states A=3", "1/3 1/3 -1 2 3", (False, False)),
        ("loglinear: {A}", "1", (True, True)),
        ("loglinear: {A}", "0", (True, False)),
        ("A -> B; fix P(B=0|A=0)=0", "1/2 1/2", (True, True)),
        ("A -> B; fix P(B=0|A=0)=0", "1 1/2", (True, False)),
        ("gaussian: F -> X; hidden F; fix v(X)=0; means off", "1 1", (True, True)),
        ("gaussian: F -> X; hidden F; fix v(X)=0; means off", "1 0", (True, False)),
    ],
)
def test_the_boundary_is_not_strictly_inside(text, point, expected):
    """Where some number that is free to move is at the end of its range."""
    pmap, values = map_of(algdim.model(text)), [Fraction(value) for value in point.split()]

    assert len(pmap.parameters) == len(values)
    assert expected == tuple(is_inside(pmap, values, strictly=strictly) for strictly in (False, True))


@pytest.mark.parametrize("states", [3, 5])
def test_categorical_items_beside_continuous_ones_have_probabilities(states):
    """The point that is shown has rows that sum to 1."""
    pmap = map_of(algdim.model(f"latent-profile: H -> X, C; hidden H; states H=2, C={states}"))
    standing = evaluate_at_random_point(pmap)
    values = dict(zip(pmap.parameters, standing.point, strict=True))

    assert standing.inside
    assert 1 > max(sum(values[f"P(C={c}|H={h})"] for c in range(states - 1)) for h in range(2))


def test_equal_covariances_are_those_of_one_matrix():
    """Held equal, the classes have one matrix, which has the parameters by their names."""
    pmap = map_of(algdim.model("latent-profile: H -> X0, X1; hidden H; covariances equal; moments 2"))
    point = [Fraction(number + 1, 100) for number, _ in enumerate(pmap.parameters)]
    named = dict(zip(pmap.parameters, point, strict=True))
    (matrix,) = iterate_class_covariances(pmap, point)

    assert [[named["v(X0)"], 0], [0, named["v(X1)"]]] == matrix
