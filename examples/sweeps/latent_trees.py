"""KZ02 Theorem 5 and Corollary 4.1: 2,000 random latent trees, the rule against the rank.

To be found: after the tree has been reduced, the dimension is the sum of those of the latent class models around its hidden
variables, less |X||Z| − 1 for each inner edge, in all 2,000 trees; the rank of the whole tree's Jacobian is taken beside
it, without the rule. Without the reduction the rule errs, in both directions.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

from keeping import kept, swept

import algdim
from algdim.families.discrete.trees import LatentTree, build_local_models, find_latent_tree
from algdim.sweeping.language import read_sweep

COUNT = 2000
COLUMNS = ("model", "standard", "dimension", "exact", "upper_kind")

texts = read_sweep("random-trees count=2200 seed=16 leaves<=9 hidden<=5").texts()[:COUNT]
rule = swept(texts, "trees_by_rule", COLUMNS)
rank = swept(texts, "trees_by_rank", COLUMNS, bounds="counting,ambient,chance")
assert len(rule) == len(rank) == COUNT
assert all(row[3] for row in rule)
assert not any(row[4] == "trees" for row in rank)
assert [row[:3] for row in rule] == [row[:3] for row in rank]


@cache
def of_class(classes: int, items: tuple[int, ...]) -> int:
    """The dimension of a latent class model."""
    return algdim.dimension(f"{classes}:{','.join(map(str, items))}").dimension


def without_reduction(tree: LatentTree) -> int:
    """What the rule says of a tree as it is."""
    total = 0
    for local in build_local_models(tree):
        root, *items = local.variables
        total += of_class(root.states, tuple(sorted(item.states for item in items)))
    return total - sum(tree.hidden[a] * tree.hidden[b] - 1 for a, b in tree.inner_edges)


signs: Counter[str] = Counter()
for text, _, dimension, *_ in rule:
    tree = find_latent_tree(algdim.model(text))
    assert tree is not None
    found = without_reduction(tree)
    signs["too high" if found > dimension else "too low" if found < dimension else "right"] += 1
print(f"rule and rank agree on {COUNT} trees; without the reduction: {dict(signs)}")
assert min(signs["too high"], signs["too low"]) > 0

kept(
    "latent_trees.csv",
    [
        ("what", "trees"),
        ("rule and rank agree", COUNT),
        ("fewer dimensions than parameters", sum(row[2] < row[1] for row in rule)),
        *((f"the rule without the reduction is {sign}", signs[sign]) for sign in sorted(signs)),
    ],
)
