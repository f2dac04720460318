"""The pairwise bound of a latent class model (KZ02 Theorem 3): group the items into two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from math import isqrt, prod

from algdim.bound.bounds import UPPER, Bound, prove_bound
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.map import ParamMap
from algdim.families.discrete.model import Network
from algdim.figures import format_integer

MOST_PRODUCTS = 1 << 18
MOST_BITS = 1 << 28
KEPT = 1 << 8
"""Models whose shape is kept."""


def bound_by_bipartition(model: Network) -> Bound | None:
    """KZ02 Theorem 3's bound dp, ``None`` where the model is no latent class model, no bipartition qualifies, or they are too many.

    >>> from algdim.models.notation import parse
    >>> bound_by_bipartition(parse("3:2,2,2,2")).value
    14
    """
    shape = find_latent_class(model)
    best = None if shape is None or not can_search_groupings(shape[1]) else find_best_bipartition(*shape)
    if shape is None or best is None:
        return None
    classes, left, right = shape[0], *best
    value = count_grouped_dimension(classes, left, right)
    reason = f"items grouped into two with {format_integer(left)} and {format_integer(right)} states, a {format_integer(left)} × {format_integer(right)} matrix of rank {classes} (KZ02 Theorem 3)"
    return prove_bound(value, UPPER, "pairwise", reason, "pairwise")


def count_grouped_dimension(classes: int, left: int, right: int) -> int:
    """The dimension of two items with so many states."""
    return classes * (left + right) - classes**2 - 1


@lru_cache(KEPT)
def find_latent_class(model: Network) -> tuple[int, tuple[int, ...]] | None:
    """The classes and the items' states of a latent class model, with tables of any kind; ``None`` for other models.

    >>> from algdim.models.notation import parse
    >>> find_latent_class(parse("4:2,3")), find_latent_class(parse("A -> B"))
    ((4, (2, 3)), None)
    """
    if len(model.hidden) != 1 or model.given:
        return None
    root = model.hidden[0]
    items = model.observed
    if root.parents or {item.parents for item in items} != {(root.name,)}:
        return None
    return root.states, tuple([item.states for item in items])


def find_free_latent_class(model: Network) -> tuple[int, tuple[int, ...]] | None:
    """The classes and the items' states of a latent class model whose tables are free and not shared."""
    if not all(variable.local == FREE for variable in model.variables):
        return None
    return find_latent_class(model)


def count_class_parameters(classes: int, items: Iterable[int]) -> int:
    """The number of parameters of a latent class model with free tables.

    >>> count_class_parameters(3, (2, 2, 2, 2))
    14
    """
    return classes - 1 + classes * sum(size - 1 for size in items)


@lru_cache(KEPT)
def find_best_bipartition(classes: int, items: tuple[int, ...]) -> tuple[int, int] | None:
    """The numbers of states of the two groups with the least sum, each greater than the number of classes.

    >>> find_best_bipartition(3, (2, 2, 2, 3)), find_best_bipartition(3, (2, 2, 2))
    ((4, 6), None)
    """
    left = prod(size**times for size, times in find_most_balanced(items).items())
    return (left, prod(items) // left) if left > classes else None


def build_grouping(classes: int, items: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The items, by number, of the two groups of `find_best_bipartition`.

    >>> build_grouping(3, (5, 2, 2))
    ((1, 2), (0,))
    """
    if find_best_bipartition(classes, items) is None:
        return None
    wanted = Counter(find_most_balanced(items))
    left: list[int] = []
    for number, size in enumerate(items):
        if wanted[size]:
            wanted[size] -= 1
            left.append(number)
    chosen = set(left)
    return tuple(left), tuple(number for number in range(len(items)) if number not in chosen)


@lru_cache(KEPT)
def can_search_groupings(items: tuple[int, ...]) -> bool:
    """Whether all groupings can be gone through: they are as many as the products of the sizes but the most repeated.

    >>> can_search_groupings((2,) * 1000), can_search_groupings(tuple(range(2, 60)))
    (True, False)
    """
    times = sorted(Counter(items).values())[:-1]
    products = prod(count + 1 for count in times)
    return products <= MOST_PRODUCTS and products * prod(items).bit_length() <= MOST_BITS


def find_most_balanced(items: tuple[int, ...]) -> dict[int, int]:
    """How many items of each size are in the group with the most states whose number's square is at most that of cells.

    The product of the two groups' numbers is fixed, so their sum is least where they are closest to each other, for
    every number of classes. Only groups of different products are gone through; of the size that stands most often the
    best number of items follows from the others.
    """
    counts = Counter(items)
    size, most = max(counts.items(), key=lambda pair: (pair[1], pair[0]))
    others = {other: times for other, times in counts.items() if other != size}
    root = isqrt(prod(items))
    best, chosen = 0, (0,) * len(counts)
    powers = [[other**power for power in range(times + 1)] for other, times in others.items()]
    for exponents in product(*(range(times + 1) for times in others.values())):
        group = prod(column[power] for column, power in zip(powers, exponents, strict=True))
        if group <= root:
            times = min(most, compute_whole_logarithm(root // group, size))
            group *= size**times
            if group > best:
                best, chosen = group, (*exponents, times)
    return dict(zip((*others, size), chosen, strict=True))


def compute_whole_logarithm(number: int, base: int) -> int:
    """The greatest power of the base that is at most the number, as its exponent.

    >>> compute_whole_logarithm(8, 2), compute_whole_logarithm(26, 3), compute_whole_logarithm(1, 7)
    (3, 2, 0)
    """
    low, high = 0, number.bit_length() + 1
    if base == 2:
        return number.bit_length() - 1
    while high - low > 1:
        middle = (low + high) // 2
        if (base.bit_length() - 1) * middle < number.bit_length() and base**middle <= number:
            low = middle
        else:
            high = middle
    return low


def compute_pairwise_value(pmap: ParamMap) -> int | None:
    """KZ02's dp: for a latent class model the pairwise bound, or the complete dimension if no bipartition qualifies."""
    shape = find_latent_class(pmap.model)
    if shape is None or not can_search_groupings(shape[1]):
        return None
    best = find_best_bipartition(*shape)
    return pmap.complete if best is None else count_grouped_dimension(shape[0], *best)
