"""A homogeneous hidden Markov chain (Baum, Petrie, Ann. Math. Statist. 37, 1966): 3 hidden and 4 observed states.

To be found: its 2 + 6 + 9 = 17 parameters (start, transition table, emission table) leave 11 dimensions after two
observations and all 17 after four.
"""

from __future__ import annotations

import algdim


def chain(length: int) -> str:
    """The chain in algdim's notation, one table for all transitions and one for all emissions."""
    steps = range(1, length + 1)
    clauses = [
        " -> ".join(f"H{step}" for step in steps),
        *(f"H{step} -> X{step}" for step in steps),
        "hidden " + ", ".join(f"H{step}" for step in steps),
        "states " + ", ".join(f"H{step}=3, X{step}=4" for step in steps),
        "share transition: " + ", ".join(f"H{step}" for step in steps[1:]),
        "share emission: " + ", ".join(f"X{step}" for step in steps),
    ]
    return "; ".join(clauses)


EXPECTED = {2: 11, 4: 17}

for length, expected in EXPECTED.items():
    report = algdim.dimension(chain(length))
    print(report)
    assert report.standard == 17
    assert report.dimension == expected
