"""Polynomial fields by interpolation: what is found is an identity, and never more than the kernel has."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from amount import daily

import algdim
from algdim.bound import interpolation
from algdim.bound.interpolation import bound_by_interpolation, evaluate_field, find_fields, is_tangent
from algdim.exact.ranks import rank_mod
from algdim.jacobian import compute_symbolic_jacobian, make_evaluator
from algdim.maps import map_of

SMALL = "2:2,2", "H -> X1, X2; X1 -> X2; hidden H", "polynomial: parameters x, y, z; coordinates x*y + z^2, x*y*z^2"
TWO_CONDITIONS = "X1 -> X4, H1; X2, H1 -> H2; H2 -> X4; X3 -> H1; hidden H1, H2"
TWO_CAUSES = "X1 -> X3; X2 -> H2; H1 -> X4; H1 -> X1, H2; H2 -> X3; hidden H2, H1"


@pytest.mark.parametrize("text", SMALL)
def test_the_whole_kernel_is_found(text):
    """As many fields as parameters are redundant; asked for more, there are no more."""
    pmap = map_of(algdim.model(text))
    redundant = pmap.parameter_count - algdim.dimension(text).dimension
    assert len(find_fields(pmap, redundant + 1)) == redundant > 0


@pytest.mark.parametrize(
    ("text", "dimension"), [(TWO_CONDITIONS, 10), pytest.param(TWO_CAUSES, 11, marks=pytest.mark.slow)]
)
def test_small_districts_are_proved_with_certificates(text, dimension):
    """Elimination on the district alone, and fields of degree up to six; the checker multiplies them out again."""
    report = algdim.dimension(text)
    assert report.exact
    assert report.dimension == dimension
    assert algdim.verify(algdim.prove(text)).accepted


def test_a_field_that_is_off_by_one_coefficient_is_not_used(monkeypatch):
    """What interpolation suggests is believed only as an identity."""
    pmap = map_of(algdim.model("2:2,2"))
    good = find_fields(pmap, 2)[0]
    jacobian = compute_symbolic_jacobian(pmap, make_evaluator(pmap), 1 << 20)
    parameter, terms = next(iter(good.items()))
    wrong = {**good, parameter: [(terms[0][0], terms[0][1] + Fraction(1)), *terms[1:]]}
    assert is_tangent(jacobian, good, pmap.parameter_count)
    assert not is_tangent(jacobian, wrong, pmap.parameter_count)
    monkeypatch.setattr(interpolation, "interpolate", lambda points, vector: wrong)
    assert find_fields(pmap, 2) == []


def test_one_field_twice_counts_once(monkeypatch):
    """The rank of the verified fields counts, whatever vectors they were made from."""
    pmap = map_of(algdim.model("2:2,2"))
    good = find_fields(pmap, 2)[0]
    monkeypatch.setattr(interpolation, "interpolate", lambda points, vector: good)
    assert len(find_fields(pmap, 2)) == 1
    assert bound_by_interpolation(pmap, 3) is None


def test_a_map_that_is_constant():
    """Every parameter is redundant, and no row is left of the Jacobian."""
    assert bound_by_interpolation(map_of(algdim.model("polynomial: parameters x, y; coordinates 3, 5")), 0).value == 0


def test_products_with_many_terms_are_not_made(monkeypatch):
    """Nor is a Jacobian with many terms multiplied: they would take gigabytes, and the bound stays open."""
    pmap = map_of(algdim.model("2:2,2"))
    assert bound_by_interpolation(pmap, 3).value == 3
    for limit in ("MOST_PRODUCTS", "MOST_TERMS"):
        with monkeypatch.context() as smaller:
            smaller.setattr(interpolation, limit, 3)
            assert bound_by_interpolation(pmap, 3) is None


def test_larger_maps_are_left_alone():
    """No work where the limits say so."""
    assert bound_by_interpolation(map_of(algdim.model("3:4,4,4")), 29) is None


@pytest.mark.parametrize("number", daily(range(200), 3))
def test_fields_of_random_maps(number):
    """Independent, tangent at a point of another draw, and never more than the kernel has."""
    source = random.Random(number)
    names = "xyzuv"[: source.randint(2, 5)]
    monomial = lambda: "*".join(source.choices(names, k=source.randint(1, 3)))  # noqa: E731
    coordinates = [f"{monomial()} + {source.randint(1, 3)}*{monomial()}" for _ in range(source.randint(1, 4))]
    text = f"polynomial: parameters {', '.join(names)}; coordinates {', '.join(coordinates)}"
    pmap = map_of(algdim.model(text))
    fields = find_fields(pmap, len(names))
    points = interpolation.ReducedJacobians(pmap)
    point = points.draw("another")
    jacobian = points.jacobian(point)
    values = [evaluate_field(one, point) for one in fields]
    rank = rank_mod(jacobian.astype(np.int64), interpolation.PRIME).value
    assert len(fields) <= len(names) - rank
    assert all(not (jacobian @ value % interpolation.PRIME).any() for value in values)
