"""Abo, Ottaviani and Peterson (2009), Trans. Amer. Math. Soc. 361, 767-792: latent class models up to 1,000 cells.

To be found: of 88,370 models (two or more items; 2, 3, … classes up to the first number with the complete dimension) those
with a dimension below db are the members of the families 2,2,m,m with 2m − 1 classes, 3,m,m with (3m − 1)/2 classes (m odd)
and 3,4,4 with 5 classes, each by one, and every dimension is proved.

Not every rank is taken; lemma "few classes" of proofs/lemmas.md gives the others:

- If the parameters of k classes are independent, so are those of fewer (a). So where db is the number of parameters, the
  greatest number of classes speaks for the smaller ones.
- If one item has nearly as many states as all others have cells, or there are only two items, db is the dimension (b).

That leaves 5,043 models, about five minutes of processor time. All are swept by `algdim sweep 'lc cells<=1000'`, in an hour or
more; up to 260 cells `latent_classes_260.py` does that.
"""

from __future__ import annotations

from functools import cache
from itertools import groupby
from math import prod

from keeping import kept, swept

import algdim
from algdim.families.discrete.bounds.latentclass import compute_latent_class_bounds
from algdim.families.discrete.bounds.secants import find_defective_format
from algdim.sweeping.language import read_sweep

COLUMNS = ("model", "standard", "complete", "dimension", "best_bound", "exact", "upper_kind")


@cache
def shape(text: str) -> tuple[int, tuple[int, ...]]:
    """The numbers of classes and of states."""
    classes, *items = (variable.states for variable in algdim.model(text).variables)
    return classes, tuple(items)


def is_full(text: str) -> bool:
    """Whether db is the number of parameters, and no family is known that has less."""
    bounds = compute_latent_class_bounds(algdim.model(text))
    return bounds.best_bound == bounds.standard and find_defective_format(*shape(text)) is None


def is_unbalanced(text: str) -> bool:
    """Whether lemma "few classes" (b) gives the dimension."""
    classes, items = shape(text)
    most = max(items)
    others = prod(items) // most
    spare = sum(size - 1 for size in items) - (most - 1)
    return others - spare <= classes <= min(most, others)


texts = read_sweep("lc cells<=1000").texts()
deciding = []
for _, group in groupby(texts, key=lambda text: shape(text)[1]):
    members = list(group)
    full = [text for text in members if is_full(text)]
    deciding += [*full[-1:], *(text for text in members if text not in full and not is_unbalanced(text))]
print(f"{len(texts)} models, {len(deciding)} of them decide")
assert len(texts) == 88_370
listed = [text for text in texts if find_defective_format(*shape(text))]
assert set(listed) <= set(deciding)

rows = {row[0]: row for row in swept(deciding, "latent_classes_1000", COLUMNS)}
below = [rows[text] for text in deciding if rows[text][3] < rows[text][4]]
assert all(rows[text][5] for text in deciding)
assert all(row[4] - row[3] == 1 for row in below)
assert [row[0] for row in below] == listed
print(f"{len(below)} of them have a dimension below db")
kept("latent_classes_1000.csv", [COLUMNS, *below])
