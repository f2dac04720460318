"""The two theorems of Settimi and Smith that KZ02 cites, with their hypotheses checked.

Theorem 1 (UAI 1998): two items and any numbers of states. Theorem 2 (AISTATS 1999): trees of binary variables. Both are
for free tables that are not shared. Proofs: lemmas "capping" and "tree rule", with its corollary, in proofs/lemmas.md.
"""

from __future__ import annotations

from algdim.bound.bounds import LOWER, UPPER, Bound, prove_bound
from algdim.errors import InputError, join_names
from algdim.families.discrete.bounds.pairwise import count_class_parameters, find_free_latent_class
from algdim.families.discrete.model import Network
from algdim.families.discrete.trees import LatentTree, count_parameters, find_latent_tree
from algdim.figures import format_integer

SETTIMI_SMITH = "settimi-smith"


def bound_by_settimi_smith(model: Network) -> tuple[Bound, ...]:
    """Both bounds by whichever of the theorems applies, lower first; none for other models.

    >>> from algdim.models.notation import parse
    >>> [bound.value for bound in bound_by_settimi_smith(parse("2(2,2(2,2(2,2)),2(2))"))]
    [15, 15]
    >>> bound_by_settimi_smith(parse("3:2,2,2,2"))
    ()
    """
    if not explain_not_two_items(model):
        return bound_two_items(model)
    return () if explain_not_binary_tree(model) else bound_binary_tree(model)


def bound_two_items(model: Network) -> tuple[Bound, ...]:
    """Theorem 1: with k classes and items of a and b states, k ≤ min(a, b) loses k(k − 1) parameters, k ≥ min(a, b) is saturated.

    >>> from algdim.models.notation import parse
    >>> [bound.value for bound in bound_two_items(parse("3:4,5"))]
    [17, 17]
    """
    reason = explain_not_two_items(model)
    if reason:
        raise InputError(f"Settimi and Smith's Theorem 1 does not apply: {reason}")
    shape = find_free_latent_class(model)
    assert shape is not None, "checked above"  # noqa: S101
    classes, (a, b) = shape
    count = count_class_parameters(classes, (a, b))
    if classes <= min(a, b):
        value = count - classes * (classes - 1)
        what = f"{format_integer(count)} − {classes}·{classes - 1}, two items with at least as many states as there are classes"
    else:
        value = a * b - 1
        what = f"{format_integer(a * b)} cells, which sum to 1; two items, one with fewer states than there are classes"
    evidence = {"theorem": "Settimi, Smith 1998", "classes": classes, "items": [a, b]}
    return make_both_bounds(value, f"{what} (Settimi, Smith 1998; KZ02 Theorem 1)", evidence, "pairwise")


def bound_binary_tree(model: Network) -> tuple[Bound, ...]:
    """Theorem 2: a tree of binary variables loses two parameters for each hidden variable with two neighbours.

    >>> from algdim.models.notation import parse
    >>> [bound.value for bound in bound_binary_tree(parse("2(2,2(2,2))"))]
    [7, 7]
    """
    reason = explain_not_binary_tree(model)
    if reason:
        raise InputError(f"Settimi and Smith's Theorem 2 does not apply: {reason}")
    tree = find_latent_tree(model)
    assert tree is not None, "checked above"  # noqa: S101
    joined = sum(len(tree.neighbours[name]) == 2 for name in tree.hidden)
    count = count_parameters(tree)
    what = (
        f"{format_integer(count)} − 2·{joined}, a tree of binary variables, hidden ones with two neighbours: {joined}"
    )
    evidence = {"theorem": "Settimi, Smith 1999", "parameters": count, "two_neighbours": joined}
    reason = f"{what} (Settimi, Smith 1999; KZ02 Theorem 2)"
    return make_both_bounds(count - 2 * joined, reason, evidence, "tree rule", "capping", "Kruskal")


def make_both_bounds(value: int, reason: str, evidence: dict[str, object], *lemmas: str) -> tuple[Bound, ...]:
    """The lower and the upper bound."""
    return tuple(prove_bound(value, side, SETTIMI_SMITH, reason, *lemmas, evidence=evidence) for side in (LOWER, UPPER))


def explain_not_two_items(model: Network) -> str:
    """The hypothesis of Theorem 1 that fails, empty if none does."""
    shape = find_free_latent_class(model)
    if shape is None:
        return "the model is no latent class model with free tables that are not shared"
    return "" if len(shape[1]) == 2 else f"there are {len(shape[1])} items; it is about two"


def explain_not_binary_tree(model: Network) -> str:
    """The hypothesis of Theorem 2 that fails, empty if none does."""
    tree = find_latent_tree(model)
    if tree is None:
        return "the model is no latent tree: free tables that are not shared, one parent at most, observed variables at the leaves"
    states = {**tree.hidden, **tree.observed}
    larger = [name for name, count in states.items() if count != 2]
    if larger:
        return f"{join_names(larger)} {'has' if len(larger) == 1 else 'have'} not two states"
    return explain_hidden_leaves(tree)


def explain_hidden_leaves(tree: LatentTree) -> str:
    """What is wrong if a hidden variable has fewer than two neighbours."""
    leaves = [name for name in tree.hidden if len(tree.neighbours[name]) < 2]
    if not leaves:
        return ""
    return (
        f"{join_names(leaves)} {'is a hidden leaf' if len(leaves) == 1 else 'are hidden leaves'}; with these the formula is "
        "wrong (2(2(2,2)) has 7 parameters and dimension 3, not 5)"
    )
