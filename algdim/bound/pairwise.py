"""The pairwise bound of a latent class model (KZ02 Theorem 3): group the items into two."""

from __future__ import annotations

from collections import Counter
from math import prod

from algdim.bound.bounds import UPPER, Bound
from algdim.figures import big
from algdim.models.network import Network


def pairwise(model: Network) -> Bound | None:
    """KZ02 Theorem 3's bound dp, or ``None`` where the model is no latent class model or no bipartition qualifies."""
    shape = latent_class(model)
    if shape is None:
        return None
    classes, items = shape
    best = best_bipartition(classes, items)
    if best is None:
        return None
    left, right = best
    value = classes * (left + right) - classes**2 - 1
    reason = f"items grouped into two with {big(left)} and {big(right)} states, a {big(left)} × {big(right)} matrix of rank {classes} (KZ02 Theorem 3)"
    return Bound(value, UPPER, "pairwise", reason)


def latent_class(model: Network) -> tuple[int, tuple[int, ...]] | None:
    """The classes and the items' states of a latent class model, with tables of any kind; ``None`` for other models."""
    if len(model.hidden) != 1 or model.given:
        return None
    root = model.hidden[0]
    items = model.observed
    if root.parents or any(item.parents != (root.name,) for item in items):
        return None
    return root.states, tuple(item.states for item in items)


def best_bipartition(classes: int, items: tuple[int, ...]) -> tuple[int, int] | None:
    """The numbers of states of the two groups with the least sum, each greater than the number of classes.

    Groups matter only by their numbers of states, so the products of sub-multisets are gone through.
    """
    products = {1}
    for size, times in Counter(items).items():
        powers = [size**power for power in range(times + 1)]
        products = {known * power for known in products for power in powers}
    total = prod(items)
    pairs = [(left, total // left) for left in products if classes < left <= total // left]
    return min(pairs, key=sum, default=None)
