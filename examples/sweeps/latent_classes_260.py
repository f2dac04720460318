"""KZ02 §4.2 and Abo, Ottaviani and Peterson (2009): latent class models with a dimension below db, up to 260 cells.

To be found: of 6,628 models (two or more items; 2, 3, … classes up to the first number with the complete dimension)
exactly twelve have a dimension below db, each by one, and the dimension of every model is proved. KZ02 found two of the
twelve. About 40 seconds of processor time.
"""

from __future__ import annotations

from keeping import kept, swept

import algdim
from algdim.families.discrete.bounds.secants import find_defective_format

COLUMNS = ("model", "standard", "complete", "dimension", "best_bound", "exact", "upper_kind")

rows = swept("lc cells<=260", "latent_classes_260", COLUMNS)
below = [row for row in rows if row[3] < row[4]]
for row in below:
    print(*row)
assert len(rows) == 6628
assert all(row[5] for row in rows)
assert len(below) == 12
assert all(row[4] - row[3] == 1 for row in below)

# the families of Abo, Ottaviani and Peterson are these twelve and no others
shapes = {row[0]: [v.states for v in algdim.model(row[0]).variables] for row in rows}
listed = [text for text, (classes, *items) in shapes.items() if find_defective_format(classes, tuple(items))]
assert listed == [row[0] for row in below]

# with the last number of classes the dimension is complete, before it is not
last = {tuple(shapes[row[0]][1:]): row for row in rows}
assert all(row[3] == row[2] for row in last.values())
assert sum(row[3] == row[2] for row in rows) == len(last)
kept("latent_classes_260.csv", [COLUMNS, *below])
