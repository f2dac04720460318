"""Which parameters of a factor model are identified: Anderson and Rubin, Proc. Third Berkeley Symp. V (1956) 111–150, on identification.

A factor with three items is determined but for its unit: fixing any loading, or its variance, is enough. With two items
one direction more is open, and the uniquenesses are lost. Two factors can be rotated as well: of the three directions
that are open two are units and one is the rotation.

To be found: 1, 2 and 3 open directions, of which 1, 1 and 2 are units; 3, 0 and 5 identified parameters.
"""

from __future__ import annotations

import algdim

EXPECTED = {
    "gaussian: F -> X1, X2, X3; hidden F; means off": (1, 1, 3),
    "gaussian: F -> X1, X2; hidden F; means off": (2, 1, 0),
    "gaussian: F, G -> X1; F, G -> X2; F, G -> X3; F, G -> X4; F, G -> X5; hidden F, G; means off": (3, 2, 5),
}
"""Open directions, those that are choices of units, and how many parameters are identified."""

for text, (freedom, units, identified) in EXPECTED.items():
    found = algdim.identify(text)
    print(text)
    print(f"  {found.sentence}")
    print(f"  {found.units}")
    assert (freedom, units, identified) == (found.report.redundant, found.units.count, len(found.identifiable))
