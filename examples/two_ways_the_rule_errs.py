"""KZ02 Corollary 4.1: ds − de is the sum of the local differences, in regular trees; what happens in others.

To be found: 18 = 12 + 3 + 3 for 5(2,3(2,2),3(2,2)), and four trees on which the rule is wrong by one unless the tree is
reduced first: 3, 7, 15 and 23 in place of 2, 8, 14 and 24.
"""

from __future__ import annotations

import algdim
from algdim.families.discrete.trees import build_local_models, count_parameters, find_latent_tree
from algdim.models.notation import parse


def untested_rule(text: str) -> int:
    """The number of parameters less the local differences, of the tree as it stands."""
    tree = find_latent_tree(parse(text))
    assert tree is not None
    return count_parameters(tree) - sum(algdim.dimension(local).redundant for local in build_local_models(tree))


regular = algdim.decompose("5(2,3(2,2),3(2,2))")
print(regular)
assert regular.dimension == untested_rule("5(2,3(2,2),3(2,2))") == 23
assert regular.standard - regular.dimension == 18

print(f"\n{'tree':<16}{'rule':>5}{'true':>5}   after")
for text, wrong, right in (
    ("3(2,3(2))", 2, 3),
    ("3(2,2,3(2))", 8, 7),
    ("5(2,2,5(2,2))", 14, 15),
    ("5(2,2,5(2,3))", 24, 23),
):
    found = algdim.decompose(text)
    steps = [f"{step.kind} {step.name}" for step in found.parts[0].reduction.steps]
    print(f"{text:<16}{untested_rule(text):>5}{found.dimension:>5}   {', '.join(steps)}")
    assert found.exact
    assert (wrong, right) == (untested_rule(text), found.dimension)
    # the rank of the whole tree, no theorem used
    assert right == algdim.dimension(text, bounds="counting,ambient,chance").dimension
