"""Cueto, Morton and Sturmfels (2010), Montúfar and Morton (2017): restricted Boltzmann machines have the expected dimension.

To be found: n visible and k hidden binary units have the dimension min(nk + n + k, 2ⁿ − 1), here for n ≤ 6 and k ≤ 4.
Geometry of the restricted Boltzmann machine, Algebraic Methods in Statistics and Probability II, Conjecture 1.2 (proved in
Dimension of marginals of Kronecker product models, SIAM J. Appl. Algebra Geometry 1).
"""

from __future__ import annotations

import algdim

for visible in range(1, 7):
    found = []
    for hidden in range(1, 5):
        pairs = ", ".join(f"{{V{i},H{j}}}" for i in range(visible) for j in range(hidden))
        report = algdim.dimension(f"loglinear: {pairs}; hidden {', '.join(f'H{j}' for j in range(hidden))}")
        assert report.exact
        assert report.dimension == min(visible * hidden + visible + hidden, 2**visible - 1)
        found.append(report.dimension)
    print(f"{visible} visible units, 1 to 4 hidden ones: {found}")
