"""KZ02 Table 1: effective dimension and its bounds for 21 latent class models.

To be found: de, db, ds, dc and dp of each row as they are printed. The printed numbers stand in `algdim_papers/claims/kz02.toml`.
"""

from __future__ import annotations

from itertools import groupby

import algdim
from algdim_papers.claims.reading import list_claims

COLUMNS = {"dimension": "de", "best_bound": "db", "standard": "ds", "complete": "dc", "pairwise_bound": "dp"}

rows = [
    (model, list(group))
    for model, group in groupby(
        (claim for claim in list_claims("KZ02") if claim.place.startswith("Table 1")), lambda claim: claim.model
    )
]

print(f"{'LC model':<14}" + "".join(f"{name:>5}" for name in COLUMNS.values()))
for model, row in rows:
    report = algdim.dimension(model)
    print(f"{model:<14}" + "".join(f"{getattr(report, quantity):>5}" for quantity in COLUMNS))
    for claim in row:
        printed = report.complete if claim.printed == "dc" else claim.printed
        assert printed == getattr(report, claim.quantity), claim.id

assert len(rows) == 21
