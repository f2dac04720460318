"""Whether points that are shown are parameters of a distribution."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from algdim.explanation.fibres import fibre_through
from algdim.explanation.inside import class_covariances, error_covariances, is_inside
from algdim.explanation.standing import stand
from algdim.maps.anymap import map_of
from algdim.models.notation import parse


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
    pmap = map_of(parse(text))
    standing = stand(pmap)
    found = fibre_through(standing)
    points = [standing.point] if found is None else found.points

    for point in points:
        assert 0 < min(np.linalg.eigvalsh(np.array(error_covariances(pmap, point), dtype=float)))


@pytest.mark.parametrize("count", [2, 4])
def test_classes_have_covariance_matrices(count):
    """Of a mixture with full matrices too."""
    names = ", ".join(f"X{number}" for number in range(count))
    pmap = map_of(parse(f"latent-profile: H -> {names}; hidden H; covariances full; moments 2"))

    for matrix in class_covariances(pmap, stand(pmap).point):
        assert 0 < min(np.linalg.eigvalsh(np.array(matrix, dtype=float)))


def test_rows_with_fixed_and_equal_entries():
    """What a fixed entry leaves is not exceeded, and a name that stands twice in a row is at most a half."""
    fixed = stand(map_of(parse("H -> X1, X2; hidden H; fix P(X1=0|H=0)=19/20; states X1=3")))
    equal = stand(map_of(parse("A -> B; equal a = P(A=0), P(A=1), P(A=2); states A=4")))

    assert Fraction(1, 20) >= fixed.point[1]
    assert Fraction(1, 3) >= equal.point[0]
    assert fixed.inside
    assert equal.inside


def test_where_no_such_point_is_found():
    """It is said that there is no distribution, and none is shown to be the same."""
    standing = stand(map_of(parse("H -> X1, X2; hidden H; fix P(X1=0|H=0)=99999/100000; states X1=3")))

    assert not standing.inside
    assert fibre_through(standing) is None


def test_other_families():
    """A classifier has tables; of a polynomial map nothing is asked."""
    third = [Fraction(1, 3)] * 3

    assert is_inside(map_of(parse("classifier Y: Y -> X")), third)
    assert not is_inside(map_of(parse("classifier Y: Y -> X")), [Fraction(3), *third[1:]])
    assert is_inside(map_of(parse("polynomial: parameters a; coordinates a^2")), [Fraction(-7)])
