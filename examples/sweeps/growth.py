"""Evans (2018), Annals of Statistics 46, 2623-2656: hidden variables with more and more states, against the nested Markov model.

To be found: for all networks with four binary observed variables and one or two hidden ones, the dimension grows with the
number of states of the hidden variables and levels off at the number of parameters of the nested Markov model on the latent
projection, as Evans's theorem says it must if there are enough states; and how many states are enough. All 5,400 dimensions are
proved.

Networks are taken up to isomorphism. Hidden variables are roots with two children or more, none with children among
another's, all with as many states; with enough states every other network has the distributions of one of these (Evans
2016, Scand. J. Stat. 43). About 20 seconds of processor time.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from keeping import kept, swept

import algdim
from algdim.families.discrete.bounds.containing import bound_by_heads

MOST = 6

rows = swept(f"networks observed=4 hidden<=2 classes<={MOST}", "growth", ("model", "dimension", "exact"))
growth: dict[tuple[tuple[str, str], ...], dict[int, int]] = defaultdict(dict)
limit: dict[tuple[tuple[str, str], ...], int] = {}
hidden: dict[tuple[tuple[str, str], ...], int] = {}
assert all(exact for _, _, exact in rows)
for text, dimension, _ in rows:
    model = algdim.model(text)
    edges = tuple(sorted(model.edges))
    heads = bound_by_heads(model)
    assert heads is not None
    assert dimension <= heads.value
    growth[edges][model.hidden[0].states] = dimension
    limit[edges], hidden[edges] = heads.value, len(model.hidden)

table: Counter[tuple[int, int, int, int]] = Counter()
for edges, dimensions in growth.items():
    values = [dimensions[classes] for classes in range(2, MOST + 1)]
    assert values == sorted(values)
    assert values[-1] == limit[edges]
    table[hidden[edges], limit[edges], values[0], 2 + values.index(values[-1])] += 1

for (count, value, first, enough), networks in sorted(table.items()):
    print(
        f"{count} hidden, head count {value}: with two states {first}, reached with {enough} states: {networks} networks"
    )
print(f"{len(growth)} networks, all level off at the head count, with at most {max(key[3] for key in table)} states")
kept(
    "growth.csv",
    [
        ("hidden", "head count", "with two states", "enough states", "networks"),
        *((*key, table[key]) for key in sorted(table)),
    ],
)
