"""GHM96 Figure 1: the Jacobian of the naive Bayes model with a binary hidden root and two binary items.

To be found: the 3 × 5 matrix for w(x1 x2), w(x̄1 x2), w(x1 x̄2) by θ(x1|h), θ(x2|h), θ(x1|h̄), θ(x2|h̄), θ(h), and its
rank 3. The overbars of the printed figure are lost; the entries below follow from the three equations printed before it.
State 0 is the paper's x and h, state 1 its x̄ and h̄.
"""

from __future__ import annotations

from sympy import Matrix, simplify

import algdim

written = algdim.parametrization("2:2,2")
h, a, b, c, d = written.symbols
assert written.parameters == ("P(H=0)", "P(X1=0|H=0)", "P(X1=0|H=1)", "P(X2=0|H=0)", "P(X2=0|H=1)")

ROWS = ("P(X1=0,X2=0)", "P(X1=1,X2=0)", "P(X1=0,X2=1)")
COLUMNS = ("P(X1=0|H=0)", "P(X2=0|H=0)", "P(X1=0|H=1)", "P(X2=0|H=1)", "P(H=0)")
figure = Matrix(
    [
        [h * c, h * a, (1 - h) * d, (1 - h) * b, a * c - b * d],
        [-h * c, h * (1 - a), -(1 - h) * d, (1 - h) * (1 - b), (1 - a) * c - (1 - b) * d],
        [h * (1 - c), -h * a, (1 - h) * (1 - d), -(1 - h) * b, a * (1 - c) - b * (1 - d)],
    ]
)
ours = written.jacobian().extract(
    [written.coordinates.index(row) for row in ROWS], [written.parameters.index(column) for column in COLUMNS]
)

for row, entries in zip(ROWS, ours.tolist(), strict=True):
    print(row, *entries, sep="\n    ")
report = algdim.dimension("2:2,2", method="symbolic")
print(report)

assert simplify(ours - figure) == Matrix.zeros(3, 5)
assert report.dimension == 3
