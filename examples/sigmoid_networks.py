"""GHM96 §8: sigmoid networks with two levels and with three.

To be found: 14 dimensions of 14 parameters for two hidden variables above four observed ones, 15 of 17 with one hidden
variable above, and 15 of 15 if that is replaced by an arc. Four items cannot have more than 15; with five items two
parameters are too many all the same, 18 of 20.
"""

from __future__ import annotations

import algdim

NETWORKS = {
    "two levels": "sigmoid: H1, H2 -> {items}; hidden H1, H2",
    "three levels": "sigmoid: T -> H1, H2 -> {items}; hidden T, H1, H2",
    "an arc instead": "sigmoid: H1 -> H2; H1, H2 -> {items}; hidden H1, H2",
}

found = {}
for items in (4, 5):
    names = ", ".join(f"X{number}" for number in range(1, items + 1))
    for name, notation in NETWORKS.items():
        report = algdim.dimension(notation.format(items=names))
        print(f"{items} items, {name}: dimension {report.dimension} of {report.standard} parameters ({report.trust})")
        assert report.exact
        found[items, name] = report.dimension, report.standard

assert [(14, 14), (15, 17), (15, 15)] == [found[4, name] for name in NETWORKS]
assert [(17, 17), (18, 20), (18, 18)] == [found[5, name] for name in NETWORKS]

# the paper took ten points and exact row reduction; in A = e^a and B = e^b the same can be done here
report = algdim.dimension("sigmoid-three-levels", method="rowreduce")
print(report)
assert report.dimension == 15
