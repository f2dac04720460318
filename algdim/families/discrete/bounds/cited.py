"""Bounds by citation (lemma "binary items"): the dimensions of latent class models with binary items.

Catalisano, Geramita, Gimigliano, "Secant varieties of P¹ × … × P¹ (n-times) are NOT defective for n ≥ 5", J. Algebraic
Geom. 20 (2011) 295-327, arXiv:0809.1701: the variety of k-secants of the Segre product of n projective lines has the
dimension min(k(n + 1) − 1, 2ⁿ − 1) that is expected, except for (k, n) = (3, 4), where it has 13 instead of 14. This
covers every n ≥ 1. The closure of the latent class model k:2ⁿ with free tables is the affine part of that variety where
the cells sum to 1, so the dimensions agree: k(n + 1) − 1 is the number of its parameters, 2ⁿ − 1 that of the
saturated model.

Latent class models whose dimension is below KZ02's db: the known families.

Abo, Ottaviani, Peterson, "Induction for secant varieties of Segre varieties", Trans. Amer. Math. Soc. 361 (2009)
767-792, arXiv:math/0607191, list the Segre products of projective spaces whose varieties of k-secants are known to have
a smaller dimension than expected, and prove the list to be complete for k ≤ 6. Of these, the unbalanced ones are what
the pairwise bound sees. The others are, in numbers of states and classes, 2, 2, m, m with 2m − 1, m ≥ 2; 3, m, m with
(3m − 1)/2, m ≥ 3 odd; and 3, 4, 4 with 5. In each case they say that the dimension is one below db; lemma "defective"
proves that it is not greater, and no more is claimed here. The order of the items does not matter.

The two theorems of Settimi and Smith that KZ02 cites, with their hypotheses checked.

Theorem 1 (UAI 1998): two items and any numbers of states. Theorem 2 (AISTATS 1999): trees of binary variables. Both are
for free tables that are not shared. Proofs: lemmas "capping" and "tree rule", with its corollary, in proofs/lemmas.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from algdim.bound.bounds import LOWER, UPPER, Bound, prove_bound
from algdim.errors import InputError, join_names
from algdim.families.discrete.bounds.pairwise import count_class_parameters, find_latent_class
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.model import Network
from algdim.families.discrete.trees import LatentTree, count_parameters, find_latent_tree
from algdim.figures import format_integer
from algdim.trust import Trust, proved_by

BINARY_ITEMS = "binary-items"
OF_BINARY_ITEMS = "Catalisano, Geramita, Gimigliano 2011"


def find_free_latent_class(model: Network) -> tuple[int, tuple[int, ...]] | None:
    """The classes and the items' states of a latent class model whose tables are free and not shared."""
    if not all(variable.local == FREE for variable in model.variables):
        return None
    return find_latent_class(model)


def bound_binary_items(model: Network) -> tuple[Bound, ...]:
    """Both bounds of a latent class model with binary items and free tables, lower first; none for other models.

    >>> from algdim.models.notation import parse
    >>> [bound.value for bound in bound_binary_items(parse("3:2,2,2,2"))]
    [13, 13]
    >>> bound_binary_items(parse("3:2,2,3"))
    ()
    """
    shape = find_free_latent_class(model)
    if shape is None or set(shape[1]) != {2}:
        return ()
    classes, items = shape[0], len(shape[1])
    value = compute_secant_dimension(classes, items)
    what = (
        f"the {classes}-secants of {items} projective lines"
        if classes > 1
        else f"a product of {items} projective lines"
    )
    if (classes, items) == (3, 4):
        reason = f"{value}, {what}, the only case below the number expected ({OF_BINARY_ITEMS})"
    else:
        reason = f"{format_integer(value)}, {what} have the dimension expected ({OF_BINARY_ITEMS})"
    evidence = {"theorem": "arXiv:0809.1701", "classes": classes, "items": items}
    return tuple(
        prove_bound(value, side, BINARY_ITEMS, reason, "binary items", evidence=evidence) for side in (LOWER, UPPER)
    )


def compute_secant_dimension(classes: int, items: int) -> int:
    """The dimension of the variety of k-secants of the Segre product of n projective lines.

    >>> compute_secant_dimension(2, 2), compute_secant_dimension(3, 4), compute_secant_dimension(3, 5)
    (3, 13, 17)
    """
    if (classes, items) == (3, 4):
        return 13
    return min(classes * (items + 1) - 1, (1 << items) - 1)


DEFECTIVE = "defective"
OF_DEFECTIVE = "Abo, Ottaviani, Peterson 2009"


@dataclass(frozen=True, slots=True)
class Defective:
    """A member of a family: its name in numbers of states, and what its dimension is at most."""

    family: str
    classes: int
    items: tuple[int, ...]
    at_most: int

    def __str__(self) -> str:
        """The bound for people."""
        return f"the dimension is at most {format_integer(self.at_most)} ({self.family}; {OF_DEFECTIVE})"

    @property
    def why(self) -> str:
        """What the bound rests on."""
        return f"{self.family} ({OF_DEFECTIVE})"

    @property
    def trust(self) -> Trust:
        """Trust in the bound."""
        return proved_by("defective", f"{self.family}, free tables: at most {self.at_most}")

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON report; ``dimension`` is the number in the cited paper, ``at_most`` what is proved."""
        paper = {"family": self.family, "dimension": self.at_most, "theorem": "arXiv:math/0607191"}
        return {**paper, "at_most": self.at_most, **self.trust.to_dict()}


def find_defective_format(classes: int, items: tuple[int, ...]) -> Defective | None:
    """The family to which a latent class model with free tables belongs, ``None`` for all others.

    >>> str(find_defective_format(4, (3, 3, 3)))
    'the dimension is at most 25 (3,m,m with (3m − 1)/2 classes, m = 3; Abo, Ottaviani, Peterson 2009)'
    >>> find_defective_format(4, (3, 3, 4))
    """
    sizes = tuple(sorted(items))
    if len(sizes) == 4 and sizes[:2] == (2, 2) and sizes[2] == sizes[3] and classes == 2 * sizes[2] - 1:
        m = sizes[2]
        return Defective(f"2,2,m,m with 2m − 1 classes, m = {m}", classes, items, 4 * m * m - 3)
    if len(sizes) == 3 and classes == 5 and sizes == (3, 4, 4):
        return Defective("3,4,4 with 5 classes", classes, items, 43)
    if len(sizes) == 3 and sizes[0] == 3 and sizes[1] == sizes[2]:
        m = sizes[1]
        if m % 2 and 2 * classes == 3 * m - 1:
            return Defective(f"3,m,m with (3m − 1)/2 classes, m = {m}", classes, items, 3 * m * m - 2)
    return None


def bound_defective(model: Network) -> Bound | None:
    """The upper bound of a member of the families, with free tables; ``None`` for other models.

    >>> from algdim.models.notation import parse
    >>> bound_defective(parse("99:50,50,2,2")).value
    9997
    """
    shape = find_free_latent_class(model)
    found = None if shape is None else find_defective_format(*shape)
    if found is None:
        return None
    evidence = {"theorem": "arXiv:math/0607191", "classes": found.classes, "items": list(found.items)}
    return prove_bound(found.at_most, UPPER, DEFECTIVE, found.why, "defective", evidence=evidence)


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
