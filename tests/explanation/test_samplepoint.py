"""A random point to be shown: the rank there, the kernel, and which points are drawn."""

from __future__ import annotations

from fractions import Fraction

import pytest

import algdim
from algdim import LimitError
from algdim.exact.draws import open_stream
from algdim.explanation.samplepoint import draw_thousandths, evaluate_at_random_point, find_largest_thousandth
from algdim.maps import map_of


@pytest.mark.parametrize("text", ["3:2,2,2,2", "4:3,3,3", "A -> C <- H -> D <- B; hidden H"])
def test_the_kernel_is_one(text):
    """Each vector is sent to zero by the Jacobian, and there are as many as parameters less the rank."""
    standing = evaluate_at_random_point(map_of(algdim.model(text)))
    kernel = standing.kernel()

    assert len(standing.point) - standing.rank == len(kernel)
    for vector in kernel:
        assert all(0 == sum(a * b for a, b in zip(row, vector, strict=True)) for row in standing.jacobian)


def test_points_are_probabilities():
    """Rows of four states have three parameters of less than a third each, in thousandths."""
    standing = evaluate_at_random_point(map_of(algdim.model("4:4,4")))

    assert 333 == find_largest_thousandth(algdim.model("4:4,4"))
    assert all(0 < value <= Fraction(1, 3) and 1000 % value.denominator == 0 for value in standing.point)
    assert 1 == sum(standing.values)


def test_large_matrices_are_refused():
    """Before anything is computed."""
    with pytest.raises(LimitError, match="at most 6000 are reduced"):
        evaluate_at_random_point(map_of(algdim.model("2:2^30")))


@pytest.mark.parametrize("means", ["", "; means off"])
def test_equal_covariances_are_halved_too(means):
    """They are covariances whatever the user calls them; nothing else is halved."""
    pmap = map_of(algdim.model(f"gaussian: A <-> B; B <-> C; A <-> C; equal r = c(A<->B), c(B<->C){means}"))
    plain, halved = (draw_thousandths(pmap, open_stream(0, "halves"), halvings) for halvings in (0, 2))

    for name, whole, part in zip(pmap.parameters, plain, halved, strict=True):
        assert part == (Fraction(max(1, int(1000 * whole) // 4), 1000) if name in ("r", "c(A<->C)") else whole)
