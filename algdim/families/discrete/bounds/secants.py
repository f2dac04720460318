"""Dimensions of latent class models that are known from secant varieties of Segre products of projective spaces.

The closure of a latent class model with free tables is the affine part of such a variety where the cells sum to 1, so
that the dimensions agree.

With items of one table it is a Veronese variety. Alexander, Hirschowitz, "Polynomial interpolation in several variables",
J. Algebraic Geom. 4 (1995) 201-222: of n > 2 items with r states the dimension is min(kr, C(r + n − 1, n)) − 1, but in four
cases one less; of two items it is that of symmetric matrices of rank k (lemma "symmetric items").

With items in groups, each of one table, it is a Segre-Veronese variety. Two theorems say where it has a dimension below the
expected one (lemma "groups of items"): Laface, Postinghel, "Secant varieties of Segre-Veronese embeddings of (P¹)^r", Math.
Ann. 356 (2013) 1455-1470, arXiv:1105.2136, of binary items; and, where every group has three items or more, nowhere: Galuppi,
Oneto, "Secant non-defectivity via collisions of fat points", Adv. Math. 409 (2022) 108657, arXiv:2104.02522, of two groups,
Abo, Brambilla, Galuppi, Oneto, "Non-defectivity of Segre-Veronese varieties", arXiv:2406.20057, of any number.

With binary items the product is one of n projective lines. Catalisano, Geramita, Gimigliano, "Secant varieties of
P¹ × … × P¹ (n-times) are NOT defective for n ≥ 5", J. Algebraic Geom. 20 (2011) 295-327, arXiv:0809.1701: the variety of
k-secants has the dimension min(k(n + 1) − 1, 2ⁿ − 1) that is expected, except for (k, n) = (3, 4), where it has 13 instead
of 14. This covers every n ≥ 1; k(n + 1) − 1 is the number of parameters, 2ⁿ − 1 the dimension of the saturated model
(lemma "binary items").

Abo, Ottaviani, Peterson, "Induction for secant varieties of Segre varieties", Trans. Amer. Math. Soc. 361 (2009)
767-792, arXiv:math/0607191, list the products whose varieties of k-secants are known to have a smaller dimension than
expected, and prove the list to be complete for k ≤ 6. Of these, the unbalanced ones are what the pairwise bound sees.
The others have a dimension below KZ02's db. They are, in numbers of states and classes, 2, 2, m, m with 2m − 1, m ≥ 2;
3, m, m with (3m − 1)/2, m ≥ 3 odd; and 3, 4, 4 with 5. In each case the paper says that the dimension is one below db;
lemma "defective" proves that it is not greater, and no more is claimed here. The order of the items does not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, prod
from typing import Any

from algdim.bound.bounds import LOWER, UPPER, Bound, prove_bound
from algdim.families.discrete.bounds.pairwise import find_free_latent_class, find_latent_class
from algdim.families.discrete.locals.table import FREE, Table
from algdim.families.discrete.model import Network
from algdim.figures import format_integer
from algdim.trust import Trust, proved_by

BINARY_ITEMS = "binary-items"
SYMMETRIC_ITEMS = "symmetric-items"
OF_SYMMETRIC_ITEMS = "Alexander, Hirschowitz 1995"
FEWER = {(4, 3, 5), (4, 4, 9), (3, 5, 7), (4, 5, 14)}
"""Degrees, variables and numbers of powers that have one dimension less than expected, beside quadrics."""
OF_BINARY_GROUPS = "Laface, Postinghel 2013"
OF_LARGE_GROUPS = "Galuppi, Oneto 2022; Abo, Brambilla, Galuppi, Oneto 2024"
OF_BINARY_ITEMS = "Catalisano, Geramita, Gimigliano 2011"
DEFECTIVE = "defective"
OF_DEFECTIVE = "Abo, Ottaviani, Peterson 2009"


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


def bound_symmetric_items(model: Network) -> tuple[Bound, ...]:
    """Both bounds of a latent class model whose items have one free table, or one for each group, lower first; none for other models.

    >>> from algdim.models.notation import parse
    >>> model = "H -> A, B, C; hidden H; states H=7, A=5, B=5, C=5; share s: A, B, C"
    >>> [bound.value for bound in bound_symmetric_items(parse(model))]
    [33, 33]
    >>> [bound.value for bound in bound_symmetric_items(parse("3:2^2*,2^2*"))]
    [7, 7]
    """
    shape = find_symmetric_latent_class(model)
    if shape is not None:
        classes, states, items = shape
        value = compute_symmetric_dimension(*shape)
        reason = (
            f"{format_integer(value)}, sums of {format_integer(classes)} powers of degree {items} of linear forms in "
            f"{format_integer(states)} variables, divided by a number ({OF_SYMMETRIC_ITEMS})"
        )
        evidence = {"theorem": OF_SYMMETRIC_ITEMS, "classes": classes, "states": states, "items": items}
        return prove_both(value, reason, "symmetric items", evidence)
    found = find_item_groups(model)
    known = None if found is None else compute_group_dimension(*found)
    if found is None or known is None:
        return ()
    value, theorem = known
    reason = f"{format_integer(value)}, items in {len(found[1])} groups of one table each ({theorem})"
    groups = [list(group) for group in found[1]]
    return prove_both(value, reason, "groups of items", {"theorem": theorem, "classes": found[0], "groups": groups})


def prove_both(value: int, reason: str, lemma: str, evidence: dict[str, Any]) -> tuple[Bound, ...]:
    """The lower and the upper bound of a theorem on items with equal tables."""
    return tuple(prove_bound(value, side, SYMMETRIC_ITEMS, reason, lemma, evidence=evidence) for side in (LOWER, UPPER))


def find_item_groups(model: Network) -> tuple[int, tuple[tuple[int, int], ...]] | None:
    """The number of classes, and of each group of items with one free table the numbers of states and of items.

    ``None`` unless the class has a table of its own; a group may be one item.

    >>> from algdim.models.notation import parse
    >>> find_item_groups(parse("5:3,2^4*"))
    (5, ((2, 4), (3, 1)))
    """
    shape = find_latent_class(model)
    if shape is None or model.hidden[0].local != FREE:
        return None
    counts: Counter[tuple[str, int]] = Counter()
    for item in model.observed:
        share = item.local.share if isinstance(item.local, Table) else None
        if item.local != Table(share):
            return None
        counts[f"item {item.name}" if share is None else f"share {share}", item.states] += 1
    return shape[0], tuple(sorted((states, items) for (_, states), items in counts.items()))


def compute_group_dimension(classes: int, groups: Sequence[tuple[int, int]]) -> tuple[int, str] | None:
    """The dimension by a theorem on two groups or more, and whose it is; ``None`` where none applies.

    >>> compute_group_dimension(5, [(2, 2), (2, 4)]), compute_group_dimension(20, [(3, 3), (4, 3)])
    ((13, 'Laface, Postinghel 2013'), (119, 'Galuppi, Oneto 2022; Abo, Brambilla, Galuppi, Oneto 2024'))
    >>> compute_group_dimension(5, [(3, 2), (2, 1)])
    """
    expected = min(classes * (1 + sum(states - 1 for states, _ in groups)), prod(comb(s + n - 1, n) for s, n in groups))
    if len(groups) < 2:
        return None
    if all(states == 2 for states, _ in groups):
        *first, last = sorted(items for _, items in groups)
        odd = first in ([2], [1, 1]) and last % 2 == 0 and classes == last + 1
        special = ([*first, last], classes) in (([2, 2, 2], 7), ([1, 1, 1, 1], 3))
        return expected - 1 - (odd or special), OF_BINARY_GROUPS
    if all(items >= 3 for _, items in groups):
        return expected - 1, OF_LARGE_GROUPS
    return None


def find_symmetric_latent_class(model: Network) -> tuple[int, int, int] | None:
    """The numbers of classes, of states and of items, if all items have one free table and the class its own."""
    shape = find_latent_class(model)
    if shape is None or len(shape[1]) < 2:
        return None
    root, items = model.hidden[0], model.observed
    first = items[0].local
    share = first.share if isinstance(first, Table) else None
    is_one = share is not None and all(item.local == Table(share) for item in items)
    return (shape[0], shape[1][0], len(items)) if is_one and root.local == FREE else None


def compute_symmetric_dimension(classes: int, states: int, items: int) -> int:
    """One less than the dimension of the sums of k powers of degree n of linear forms in r variables, n ≥ 2.

    >>> compute_symmetric_dimension(2, 3, 2), compute_symmetric_dimension(5, 3, 4), compute_symmetric_dimension(4, 3, 4)
    (4, 13, 11)
    """
    if items == 2:
        rank = min(classes, states)
        return rank * (2 * states - rank + 1) // 2 - 1
    return min(classes * states, comb(states + items - 1, items)) - 1 - ((items, states, classes) in FEWER)


@dataclass(frozen=True, slots=True)
class Defective:
    """A member of a family: its name in numbers of states, and what its dimension is at most."""

    family: str
    classes: int
    items: tuple[int, ...]
    at_most: int

    def __str__(self) -> str:
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
