"""Laman (1970), Michaelis and Menten (1913), Alexander and Hirschowitz (1995): three maps from outside statistics.

To be found: 2n − 3 for a rigid framework of n points in the plane, 4 for a square without diagonals (Laman, On graphs and
rigidity of plane skeletal structures, 1970). Of the four numbers behind an enzyme's reaction at its steady state two can
be seen, Vmax and the Michaelis constant (Michaelis and Menten 1913; Briggs and Haldane 1925). For forms that are sums of
k powers of linear forms, min(nk, number of coefficients) but for quadrics and the four exceptions of Alexander and
Hirschowitz, Polynomial interpolation in several variables, 1995: degree 4 with 5 of 3, 9 of 4 and 14 of 5 variables,
degree 3 with 7 of 5, each one less than expected.
"""

from __future__ import annotations

from itertools import combinations, product

import algdim


def framework(count: int, edges: list[tuple[int, int]]) -> algdim.Report:
    """The squares of the lengths of the edges of a framework in the plane."""
    return algdim.dimension(
        {
            "family": "polynomial",
            "parameters": [f"{axis}{number}" for number in range(count) for axis in "xy"],
            "coordinates": [f"(x{i} - x{j})^2 + (y{i} - y{j})^2" for i, j in edges],
        }
    )


def powers(variables: int, degree: int, summands: int) -> algdim.Report:
    """The coefficients of a sum of powers of linear forms, each divided by its multinomial number."""
    exponents = [e for e in product(range(degree + 1), repeat=variables) if sum(e) == degree]
    return algdim.dimension(
        {
            "family": "polynomial",
            "parameters": [f"x{h}_{i}" for h in range(summands) for i in range(variables)],
            "coordinates": [
                " + ".join("*".join(f"x{h}_{i}^{power}" for i, power in enumerate(e)) for h in range(summands))
                for e in exponents
            ],
        }
    )


for count in range(3, 8):
    complete = framework(count, list(combinations(range(count), 2)))
    print(f"{count} points, all edges: {complete.dimension}, {complete.upper.reason}")
    assert complete.exact
    assert complete.dimension == 2 * count - 3
square = framework(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
assert (square.exact, square.dimension) == (True, 4)

# E + S <-> ES -> E + P: the speed at three known amounts of substrate
speeds = ", ".join(f"k3*e*{s}/((k2 + k3)/k1 + {s})" for s in (1, 2, 5))
enzyme = algdim.dimension(f"polynomial: parameters k1, k2, k3, e; coordinates {speeds}")
print(enzyme)
assert (enzyme.exact, enzyme.standard, enzyme.dimension) == (True, 4, 2)

for variables, degree, summands, expected in ((3, 2, 2, 5), (3, 4, 5, 14), (3, 3, 3, 9), (5, 4, 14, 69)):
    form = powers(variables, degree, summands)
    print(f"{summands} powers of degree {degree} in {variables} variables: {form.dimension} ({form.trust})")
    assert form.exact
    assert form.dimension == expected
