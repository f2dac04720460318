"""GHM96 §5, the W structure A → C ← H → D ← B, all five variables binary and H hidden.

To be found: rank 9 of 11 parameters, in each of ten runs of exact row reduction at a random point with coordinates
k/1000, and a reduced matrix with 9 nonzero rows and 7 zero rows.
"""

from __future__ import annotations

import algdim

report = algdim.dimension("A -> C <- H -> D <- B; hidden H", method="rowreduce")
found = algdim.parametrization(report.model).rowreduce()
nonzero = sum(any(value != 0 for value in row) for row in found.reduced)
zero = len(found.reduced) - nonzero

print(report)
print(found)
print(f"reduced matrix: {nonzero} nonzero rows, {zero} zero rows")

assert report.standard == 11
assert report.dimension == 9
assert found.ranks == (9,) * 10
assert (nonzero, zero) == (9, 7)
