"""MH97 Table 1: five noisy-max-interaction models with three independent binary causes and a binary effect.

To be found: 7, 8, 9, 10 and 11 dimensions of 9, 9, 11, 15 and 11 parameters, all proved, where the paper prints 7, 7, 9, 10
and 11. The second contains the first strictly, and there is no dimension that they have in common.
"""

from __future__ import annotations

import algdim

MODELS = ["{C1},{C2},{C3}", "{C1,C2},{C3}", "{C1,C2},{C2,C3}", "{C1,C2},{C1,C3},{C2,C3}", "{C1,C2,C3}"]

reports = [algdim.dimension(f"max: {mechanisms} -> E") for mechanisms in MODELS]
for number, (mechanisms, report) in enumerate(zip(MODELS, reports, strict=True), 1):
    print(
        f"F{number}  {mechanisms:<24} dimension {report.dimension:>2}   parameters {report.standard:>2}   {report.trust}"
    )

assert [report.standard for report in reports] == [9, 9, 11, 15, 11]
assert [report.dimension for report in reports] == [7, 8, 9, 10, 11]
assert all(report.exact for report in reports)
