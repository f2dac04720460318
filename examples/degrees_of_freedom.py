"""Rosseel, lavaan (J. Stat. Softw. 48(2), 2012), §3.1 and §4: 24 and 35 degrees of freedom.

To be found: 45 − 21 = 24 for the three factors of Holzinger and Swineford, 66 − 31 = 35 for Bollen's democracy, as printed.
And for a general factor of six tests with a factor of its own for each pair 21 − 15 = 6, where counting says 21 − 18 = 3.
"""

from __future__ import annotations

from pathlib import Path

import algdim

FOLDER = Path(__file__).parent
DEMOCRACY = """
ind60 =~ x1 + x2 + x3
dem60 =~ y1 + y2 + y3 + y4
dem65 =~ y5 + y6 + y7 + y8
dem60 ~ ind60
dem65 ~ ind60 + dem60
y1 ~~ y5
y2 ~~ y4 + y6
y3 ~~ y7
y4 ~~ y8
y6 ~~ y8
"""

models = {
    "Holzinger and Swineford": (algdim.model(FOLDER / "holzinger-swineford.lav"), 24, 24),
    "Bollen's democracy": (algdim.model(DEMOCRACY, format="lavaan"), 35, 35),
    "pairs": (algdim.model(FOLDER / "pairs.R"), 3, 6),
}
for name, (model, counted, right) in models.items():
    report = algdim.dimension(model)
    freedom = report.complete - report.dimension
    print(f"{name}: {report.complete} − {report.standard} = {counted} by counting, {right} proved")
    assert report.exact
    assert (counted, right) == (report.complete - report.standard, freedom)
