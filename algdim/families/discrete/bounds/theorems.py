"""Bounds by citation (lemma "binary items"): the dimensions of latent class models with binary items.

Catalisano, Geramita, Gimigliano, "Secant varieties of P¹ × … × P¹ (n-times) are NOT defective for n ≥ 5", J. Algebraic
Geom. 20 (2011) 295-327, arXiv:0809.1701: the variety of k-secants of the Segre product of n projective lines has the
dimension min(k(n + 1) − 1, 2ⁿ − 1) that is expected, except for (k, n) = (3, 4), where it has 13 instead of 14. This
covers every n ≥ 1. The closure of the latent class model k:2ⁿ with free tables is the affine part of that variety where
the cells sum to 1, so the dimensions agree: k(n + 1) − 1 is the number of its parameters, 2ⁿ − 1 that of the
saturated model.
"""

from __future__ import annotations

from algdim.bound.bounds import LOWER, UPPER, Bound, proved_bound
from algdim.families.discrete.bounds.pairwise import latent_class
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.model import Network
from algdim.figures import big

KIND = "binary-items"
CITATION = "Catalisano, Geramita, Gimigliano 2011"


def free_latent_class(model: Network) -> tuple[int, tuple[int, ...]] | None:
    """The classes and the items' states of a latent class model whose tables are free and not shared."""
    if not all(variable.local == FREE for variable in model.variables):
        return None
    return latent_class(model)


def binary_items(model: Network) -> tuple[Bound, ...]:
    """Both bounds of a latent class model with binary items and free tables, lower first; none for other models.

    >>> from algdim.models.notation import parse
    >>> [bound.value for bound in binary_items(parse("3:2,2,2,2"))]
    [13, 13]
    >>> binary_items(parse("3:2,2,3"))
    ()
    """
    shape = free_latent_class(model)
    if shape is None or set(shape[1]) != {2}:
        return ()
    classes, items = shape[0], len(shape[1])
    value = dimension_of_secants(classes, items)
    what = (
        f"the {classes}-secants of {items} projective lines"
        if classes > 1
        else f"a product of {items} projective lines"
    )
    if (classes, items) == (3, 4):
        reason = f"{value}, {what}, the only case below the number expected ({CITATION})"
    else:
        reason = f"{big(value)}, {what} have the dimension expected ({CITATION})"
    evidence = {"theorem": "arXiv:0809.1701", "classes": classes, "items": items}
    return tuple(proved_bound(value, side, KIND, reason, "binary items", evidence=evidence) for side in (LOWER, UPPER))


def dimension_of_secants(classes: int, items: int) -> int:
    """The dimension of the variety of k-secants of the Segre product of n projective lines.

    >>> dimension_of_secants(2, 2), dimension_of_secants(3, 4), dimension_of_secants(3, 5)
    (3, 13, 17)
    """
    if (classes, items) == (3, 4):
        return 13
    return min(classes * (items + 1) - 1, (1 << items) - 1)
