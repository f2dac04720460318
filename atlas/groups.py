"""Formats in the notation of the models, and the lists in print with which they are compared."""

from __future__ import annotations

from collections.abc import Sequence

from algdim.families.discrete.bounds.secants import compute_group_dimension, find_defective_format
from algdim.families.discrete.bounds.tangents import ItemGroup

NOT_COMPARED = "in none of these lists"


def read_groups(text: str) -> tuple[ItemGroup, ...]:
    """The groups of such a text."""
    parts = [part.rstrip("*").partition("^") for part in text.split(",")]
    return tuple(ItemGroup(int(states), int(items or 1)) for states, _, items in parts)


def name_source(groups: Sequence[ItemGroup], classes: int) -> str:
    """The list in print that has a defective number of classes; a list is compared with by its formula."""
    shape = [(group.states, group.items) for group in groups]
    if all(items == 1 for _, items in shape):
        known = find_defective_format(classes, tuple(states for states, _ in shape))
        return NOT_COMPARED if known is None else "Abo, Ottaviani, Peterson 2009"
    theorem = compute_group_dimension(classes, shape)
    if theorem is not None:
        return theorem[1]
    return "Abo, Brambilla 2013" if len(shape) == 2 and is_in_list_of_two(shape, classes) else NOT_COMPARED


def is_in_list_of_two(shape: Sequence[tuple[int, int]], classes: int) -> bool:
    """The list of two groups that Abo and Brambilla (Ann. Mat. Pura Appl. 192, 2013) conjecture to be complete, beside unbalanced ones."""
    for (r, d), (t, e) in (shape, shape[::-1]):
        m, n = r - 1, t - 1
        if (d, e) == (1, 2) and ((m == 2 and n % 2 and 2 * classes == 3 * n + 1) or (m, n, classes) == (4, 3, 6)):
            return True
        if (d, e) == (1, 3) and (m, n, classes) == (1, 2, 5):
            return True
        if (n, d) == (1, 2) and e % 2 == 0 and m * e // 2 + e // 2 + 1 <= classes <= m * e // 2 + e // 2 + m:
            return True
        if (d, e) == (2, 2) and (m, n, classes) in {(3, 3, 14), (3, 3, 15), (3, 4, 19)}:
            return True
        if (d, e, m) == (2, 2, 2) and -(-(3 * n * n + 9 * n + 5) // (n + 3)) <= classes <= 3 * n + 2:
            return True
    return False
