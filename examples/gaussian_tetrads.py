"""GHM96 §7: the two Gaussian models, a naive Bayes model with four items and the W structure.

To be found: dimension 12 of 14 for naive Bayes, as printed: the three tetrads vanish on it, and the gradients of two of
them are independent. For the W structure 12 is printed; three covariances are zero, and the dimension is 11.
"""

from __future__ import annotations

from fractions import Fraction

from sympy import Matrix

import algdim

bayes = algdim.model("gaussian: H -> X1, X2, X3, X4; hidden H")
print(printed := algdim.parametrization(bayes), end="\n\n")
covariance = dict(zip(printed.coordinates, printed.expressions, strict=True))

PAIRS = ((("12", "34"), ("13", "24")), (("14", "23"), ("13", "24")), (("14", "23"), ("12", "34")))
names = {pair: f"cov(X{pair[0]},X{pair[1]})" for pair in ("12", "13", "14", "23", "24", "34")}
gradients = []
for (a, b), (c, d) in PAIRS:
    tetrad = covariance[names[a]] * covariance[names[b]] - covariance[names[c]] * covariance[names[d]]
    print(f"{names[a]}·{names[b]} − {names[c]}·{names[d]} = {tetrad.expand()}")
    assert tetrad.expand() == 0
    # the gradient by the six covariances where b(H->Xi) = i and v(H) = 1, so that cov(Xi,Xj) = ij
    at = {pair: Fraction(int(pair[0]) * int(pair[1])) for pair in names}
    gradients.append([at[b] * (p == a) + at[a] * (p == b) - at[d] * (p == c) - at[c] * (p == d) for p in names])

independent = Matrix(gradients).rank()
report = algdim.dimension(bayes)
print(f"{independent} of the three are independent: at most {report.complete - independent}\n{report}\n")
assert independent == 2
assert (report.standard, report.complete, report.dimension, report.exact) == (14, 14, 12, True)

w = algdim.model("gaussian: A -> C <- H -> D <- B; hidden H")
written = algdim.parametrization(w)
zero = [name for name, value in zip(written.coordinates, written.expressions, strict=True) if value == 0]
report = algdim.dimension(w)
print(f"zero: {', '.join(zero)}\n{report}")
assert zero == ["cov(A,D)", "cov(A,B)", "cov(C,B)"]
assert (report.standard, report.dimension, report.exact) == (14, 11, True)
