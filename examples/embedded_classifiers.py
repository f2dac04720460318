"""HM97 §4 and §6: embedded classifiers, the recipe for their dimension, and a classifier for which it is wrong.

To be found: 15 = 1 + 1 + 2 + 3 + 4 + 4 for the network of Equation 10, 2n for a chain of n = 200 inputs, and, where Theorem 1
gives 12, a dimension of 11.
"""

from __future__ import annotations

import algdim

figure = algdim.decompose("classifier-figure-2a")
print(figure)
assert [block.rank for block in figure.blocks.blocks] == [1, 1, 2, 3, 4, 4]
assert figure.recipe == figure.report.dimension == 15

inputs = [f"X{number}" for number in range(1, 201)]
chain = algdim.dimension(f"classifier Y: Y -> {', '.join(inputs)}; {' -> '.join(inputs)}")
print(f"a chain of 200 inputs: {chain.dimension} ({chain.trust})")
assert chain.exact
assert chain.dimension == 400

curved = algdim.decompose("classifier Y: Y -> X2 <- X1; states Y=3, X1=3")
print(curved)
assert curved.recipe == 12
assert curved.report.exact
assert curved.report.dimension == 11
