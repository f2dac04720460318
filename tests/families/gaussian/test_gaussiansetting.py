"""The point at which equations and fields of a Gaussian model are taken."""

from __future__ import annotations

import algdim
from algdim.families.gaussian.map import get_gaussian_map
from algdim.families.gaussian.search import GaussianSetting, draw_gaussian_point


def test_primes_that_divide_a_denominator_are_passed_over(monkeypatch):
    """A fixed number has no residue there."""
    primes = iter([3, 5, 8388593])
    monkeypatch.setattr("algdim.families.gaussian.search.draw_prime", lambda *_: next(primes))
    setting = GaussianSetting(get_gaussian_map(algdim.model("gaussian: A -> B -> C; fix b(A->B)=1/3, b(B->C)=2/5")), 0)

    assert 8388593 == draw_gaussian_point(setting, "minors").prime
