"""CH96 §5: a hidden class, for 12 binary items and 800 cases, against the best network without hidden variables.

The rival is what a greedy search by the marginal likelihood of complete data finds. To be found: the hidden class, with its
3 states, predicts the data better; the paper has Δm = 26 ± 33 for the logarithm of the ratio, from five data sets.
"""

from __future__ import annotations

import numpy as np

import algdim

random = np.random.default_rng(1)
parameters = {"H": [random.dirichlet(np.ones(3)).tolist()]}
parameters |= {f"X{k}": random.dirichlet(np.ones(2), size=3).tolist() for k in range(1, 13)}
data = algdim.simulate("3:2^12", parameters, 800, seed=1)

found = algdim.select(data.columns, classes="2..4", rival=True, by="cs", score="cs", alpha=1.01)
*hidden, rival = found.candidates
print(found)
difference = max(one.values["cs"] for one in hidden) - rival.values["cs"]
print(f"Δm = {difference:.1f}")
assert found.best.fit.model.states["H"] == 3
assert 26 - 33 < difference < 26 + 33
