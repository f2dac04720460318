"""GHM96 §6: AutoClass's score, Cheeseman and Stutz's, and the correction by the dimension, for 3 classes and 4 binary items.

To be found: 14 parameters and dimension 13, so that with N cases the score loses 14/2 · log N against the log-likelihood, where
the marginal likelihood loses 13/2 · log N; the corrected score, CS+, loses as much as it should.
"""

from __future__ import annotations

from math import log

import algdim

MODEL = "3:2,2,2,2"
parameters = {
    "H": [[0.3, 0.3, 0.4]],
    "X1": [[0.2, 0.8], [0.6, 0.4], [0.7, 0.3]],
    "X2": [[0.3, 0.7], [0.9, 0.1], [0.4, 0.6]],
    "X3": [[0.6, 0.4], [0.1, 0.9], [0.5, 0.5]],
    "X4": [[0.8, 0.2], [0.5, 0.5], [0.1, 0.9]],
}
cells = [[number >> bit & 1 for bit in (3, 2, 1, 0)] for number in range(16)]


def chance(cell: list[int]) -> float:
    """The probability of one cell."""
    total = 0.0
    for k, share in enumerate(parameters["H"][0]):
        product = share
        for i, state in enumerate(cell, 1):
            product *= parameters[f"X{i}"][k][state]
        total += product
    return total


def penalties(size: int) -> dict[str, float]:
    """What the scores take off the log-likelihood of so many cases that hold every cell as often as it is expected."""
    data = {f"X{i + 1}": [cell[i] for cell in cells] for i in range(4)}
    data["count"] = [size * chance(cell) for cell in cells]
    found = algdim.score(data, MODEL, at=parameters, score=["cs", "cs+"], alpha=1.0)
    assert (14, 13, True) == (found.report.standard, found.report.dimension, found.report.exact)
    return {name: found.fit.loglik - value for name, value in found.values.items()}


few, many = penalties(10**4), penalties(10**8)
for name, wanted in (("cs", 14), ("cs+", 13)):
    slope = (many[name] - few[name]) / log(10**4)
    print(f"{name:>3} loses {2 * slope:.3f} / 2 · log N")
    assert abs(2 * slope - wanted) < 0.01
