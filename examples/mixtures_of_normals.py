"""Améndola, Ranestad and Sturmfels (2018): the moments of mixtures of normal distributions.

To be found: a mixture of k normal distributions of one variable has 3k − 1 parameters, and 3k − 1 moments show all of
them; for k = 2 these are Pearson's five. With a common variance there are 2k. For two normal distributions of three
variables the 19 moments up to order 3 have less than the expected 19 dimensions, those up to order 4 show all parameters.
"""

from __future__ import annotations

import algdim


def mixture(items: int, classes: int, clauses: str = "") -> algdim.Report:
    """So many normal distributions of so many variables."""
    names = ", ".join(f"X{number}" for number in range(1, items + 1))
    return algdim.dimension(f"latent-profile: H -> {names}; hidden H; states H={classes}{clauses}")


for classes in range(1, 6):
    own, common = mixture(1, classes), mixture(1, classes, "; covariances equal")
    print(f"{classes} normal distributions: {own.dimension} dimensions, with a common variance {common.dimension}")
    assert own.exact
    assert common.exact
    assert own.dimension == own.moments.complete == 3 * classes - 1
    assert common.dimension == 2 * classes

third, all_of_them = (mixture(3, 2, f"; covariances full{more}") for more in ("; moments 3", ""))
print(third)
print(all_of_them)
assert third.standard == third.moments.complete == 19
assert third.dimension < 19
assert not third.exact
assert all_of_them.exact
assert all_of_them.dimension == 19
