"""Forms that are singular at drawn points: products of two forms that vanish there, equations of all tangent spaces (lemma "double points").

A latent class model with items in groups of one table each is the secant variety of the products of powers of vectors. A form of a
lower degree in each group's vector is 0 at s points if it is orthogonal to s products of lower powers. Two such forms whose degrees
add up to the numbers of items have a product that is 0 twice at each point. A flattening into symmetric tables says the same: the
forms are in the kernels of the matrix between the two degrees. But here only cells that differ are counted, and of these none is
written down: the rank of products is that of their values at further points.

Where one group is alone, its vector x may have a part: forms f and g with values in exterior powers of its space, which x divides
at the points, give x ∧ f ∧ g. So do the exterior flattenings of three factors that Strassen and Ottaviani found.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb, isqrt, prod
from typing import NamedTuple

import numpy as np

from algdim.bound.bounds import UPPER, Bound, prove_bound
from algdim.exact.arithmetic import Residues
from algdim.exact.draws import Stream, describe_draw, draw_residues, open_stream
from algdim.exact.ranks import rank_mod
from algdim.families.discrete.bounds.search import Setting
from algdim.families.discrete.bounds.secants import find_item_groups
from algdim.families.discrete.bounds.tangents import (
    PRIME,
    Floats,
    Groups,
    Integers,
    ItemGroup,
    count_cells,
    count_directions,
    draw_points,
    find_orthogonal,
    format_groups,
    multiply_powers,
    open_points,
)
from algdim.figures import format_count, format_integer
from algdim.limits import has_time

FIELD = Residues(PRIME)
DOUBLE_POINTS, POINTS = "double-points", "double"
MORE = 4
"""Products, and points at which they are seen, more than the rank that is looked for."""
MOST_PAIRS = 12
"""Pairs of degrees that are tried."""
MOST_DEGREES = 1 << 14
"""Pairs of degrees that are counted."""
MOST_ENTRIES = 1 << 22
"""Entries of the conditions on a form, of a basis of all such forms, or of the values of all products."""
MOST_EXTERIOR = 1 << 17
"""Entries of the conditions on a form with values in an exterior power."""

Degrees = tuple[int, ...]


class FormPair(NamedTuple):
    """The degrees of two forms in the groups' vectors, and which exterior power of one group's space the first has values in."""

    first: Degrees
    second: Degrees
    place: int = -1
    """Of this group; −1 for forms whose values are numbers."""
    exterior: int = 0

    def describe(self, groups: Groups) -> str:
        """The parts of the items in which they are forms."""
        texts = [format_groups(lower_degrees(groups, degrees)) or "nothing" for degrees in (self.first, self.second)]
        if self.place < 0:
            return " and ".join(texts)
        states = groups[self.place].states
        powers = self.exterior, states - 1 - self.exterior
        return " and ".join(f"{text} in Λ{power} of {states}" for text, power in zip(texts, powers, strict=True))


class DoublePoints(NamedTuple):
    """How many independent products were found, and pairs of forms of which they are."""

    rank: int
    pairs: tuple[FormPair, ...]


def bound_by_double_points(setting: Setting) -> Bound | None:
    """The bound for latent classes with free tables, one for each group of items, ``None`` for other models.

    >>> from algdim.families.discrete.bounds.search import make_setting
    >>> from algdim.families.discrete.map import get_param_map
    >>> from algdim.models.notation import parse
    >>> bound_by_double_points(make_setting(get_param_map(parse("13:2,2^10*,3")), 63, 0, ())).value
    63
    """
    shape = find_item_groups(setting.pmap.model)
    if shape is None:
        return None
    classes, groups = shape[0], tuple(ItemGroup(*group) for group in shape[1] if group[0] > 1)
    cells = count_cells(groups)
    useful = count_useful(groups, classes)
    found = find_double_points(setting.seed, groups, classes, cells - 1 - setting.lower, useful)
    if found.rank < useful:
        return None
    parts = "; ".join(pair.describe(groups) for pair in found.pairs)
    reason = (
        f"{format_integer(cells - 1)} − {found.rank}; {format_count(found.rank, 'equation')} in {format_integer(cells)} "
        f"distinct cells, products of forms on {parts} that vanish at {format_integer(classes)} points"
    )
    evidence = {
        "seed": setting.seed,
        "prime": PRIME,
        "classes": classes,
        "groups": [list(group[:2]) for group in groups],
        "codimension": found.rank,
        "pairs": [pair._asdict() for pair in found.pairs],
    }
    at = describe_draw(open_points(setting.seed, groups, f"{classes} {POINTS}").text, PRIME)
    return prove_bound(cells - 1 - found.rank, UPPER, DOUBLE_POINTS, reason, "double points", evidence=evidence, at=at)


def is_defective(seed: int | str, groups: Groups, classes: int) -> bool:
    """Whether so many products are found that the dimension is proved to be below the expected one.

    >>> [is_defective(0, (ItemGroup(2, 1), ItemGroup(2, 3), ItemGroup(3, 1)), classes) for classes in (4, 5)]
    [False, True]
    """
    wanted = count_useful(groups, classes)
    return find_double_points(seed, groups, classes, wanted, wanted).rank >= wanted


def count_useful(groups: Groups, classes: int) -> int:
    """How many equations say more than the numbers of cells and of directions do."""
    return max(0, count_cells(groups) - count_directions(groups, classes)) + 1


def find_double_points(seed: int | str, groups: Groups, classes: int, wanted: int, useful: int = 1) -> DoublePoints:
    """How many products are independent, modulo a prime at drawn points; no more are looked for than are wanted.

    Nothing is computed where there are certainly fewer than are of use.

    >>> find_double_points(0, (ItemGroup(3, 1), ItemGroup(4, 2)), 5, 9)
    DoublePoints(rank=1, pairs=(FormPair(first=(0, 1), second=(0, 1), place=0, exterior=1),))
    """
    wanted = min(wanted, isqrt(MOST_ENTRIES))
    if wanted < max(1, useful) or prod(group.items + 1 for group in groups) > MOST_DEGREES:
        return DoublePoints(0, ())
    pairs = list_pairs(groups, classes, wanted)
    if sum(products for products, _ in pairs) < useful:
        return DoublePoints(0, ())
    points = draw_points(seed, groups, classes, f"{classes} {POINTS}")
    others = draw_points(seed, groups, wanted + MORE, f"{classes} values")
    found, used, columns = 0, list[FormPair](), list[Floats]()
    for _, pair in pairs:
        values = multiply_forms(seed, groups, points, others, pair)
        if values is None:
            continue
        rank = rank_mod(np.concatenate([*columns, values], axis=1), PRIME, computed=True).value
        if rank > found:
            found = rank
            used.append(pair)
            columns.append(values)
        if found >= wanted or not has_time():
            break
    return DoublePoints(min(found, wanted), tuple(used))


def list_pairs(groups: Groups, classes: int, wanted: int) -> list[tuple[int, FormPair]]:
    """Degrees of forms that vanish at general points, and how many products these have at most.

    Those with as many as are wanted come first, the smallest forms first, and exterior powers last.

    >>> list_pairs((ItemGroup(2, 1), ItemGroup(2, 10), ItemGroup(3, 1)), 13, 2)[0]
    (2, FormPair(first=(0, 4, 1), second=(1, 6, 0), place=-1, exterior=0))
    """
    # more than enough are as good as infinitely many
    counts = [
        np.array([min(comb(group.states + n - 1, n), MOST_ENTRIES) for n in range(group.items + 1)], dtype=float)
        for group in groups
    ]
    found = choose_degrees(counts, classes, -1, 1, 0, wanted)
    for place, group in enumerate(groups):
        less = [*counts[:place], counts[place][:-1], *counts[place + 1 :]]
        # the first and the last power are the numbers above
        for exterior in range(1, (group.states + 1) // 2):
            if comb(group.states, exterior) ** 2 > MOST_ENTRIES:
                break
            found += choose_degrees(less, classes, place, group.states, exterior, wanted)
    return found[:MOST_PAIRS]


def choose_degrees(
    counts: Sequence[Floats], classes: int, place: int, states: int, exterior: int, wanted: int
) -> list[tuple[int, FormPair]]:
    """The pairs of degrees with forms of both, whose values are in two exterior powers of a space with so many states."""
    monomials = np.ones(1)
    for some in counts:
        monomials = np.multiply.outer(monomials, some)
    shape, flat = monomials.shape[1:], monomials.reshape(-1)
    powers = exterior, states - 1 - exterior
    parts, conditions = ([comb(one, power) for power in powers] for one in (states, states - 1))
    first, second = (number * some for number, some in zip(parts, (flat, flat[::-1]), strict=True))
    left, right = first - classes * conditions[0], second - classes * conditions[1]
    work = np.maximum(first, second)
    # the conditions on a form, or a basis of all such forms
    entries = work * np.maximum(work, classes * max(conditions))
    kept = np.flatnonzero((left > 0) & (right > 0) & (entries <= (MOST_EXTERIOR if exterior else MOST_ENTRIES)))
    found = []
    for number in kept.tolist():
        opposite = len(flat) - 1 - number
        if powers[0] != powers[1] or number <= opposite:
            is_same = powers[0] == powers[1] and number == opposite
            products = int(left[number] * (left[number] + 1) / 2 if is_same else left[number] * right[number])
            found.append((-min(products, wanted), work[number], number, opposite, products))
    pairs = []
    for _, _, number, opposite, products in sorted(found)[:MOST_PAIRS]:
        one, other = (tuple(map(int, np.unravel_index(at, shape))) for at in (number, opposite))
        pairs.append((products, FormPair(one, other, place, exterior)))
    return pairs


def multiply_forms(
    seed: int | str, groups: Groups, points: Sequence[Integers], others: Sequence[Integers], pair: FormPair
) -> Floats | None:
    """The values of products of forms that vanish at the points, at other points in rows; ``None`` if points are not general enough.

    All products, or combinations that are products, drawn from the seed, where there are more than are needed.
    """
    states = groups[pair.place].states if pair.place >= 0 else 1
    values = []
    for degrees, power in ((pair.first, pair.exterior), (pair.second, states - 1 - pair.exterior)):
        forms = find_forms(groups, points, degrees, pair.place, power)
        if forms is None:
            return None
        monomials = multiply_monomials(groups, others, degrees)
        flat = forms.reshape(-1, monomials.shape[1])
        values.append(FIELD.matmul(monomials, flat.T).reshape(len(monomials), *forms.shape[:2]))
    left, right = values
    most = len(others[0])
    if left.shape[1] * right.shape[1] <= most:
        chosen = np.repeat(left, right.shape[1], axis=1), np.tile(right, (1, left.shape[1], 1))
    else:
        source = open_stream(seed, "double points", *map(str, (*pair.first, *pair.second)))
        chosen = combine_forms(source, left, most), combine_forms(source, right, most)
    if pair.place < 0:
        return FIELD.multiply(chosen[0][:, :, 0], chosen[1][:, :, 0])
    return join_exterior(others[pair.place], *chosen, pair.exterior)


def combine_forms(source: Stream, values: Floats, count: int) -> Floats:
    """Drawn combinations of forms, by their values, whose axes are points, forms and parts."""
    points, forms, parts = values.shape
    weights = FIELD.elements(draw_residues(source, PRIME, forms * count).reshape(forms, count))
    found = FIELD.matmul(values.transpose(0, 2, 1).reshape(-1, forms), weights)
    return found.reshape(points, parts, count).transpose(0, 2, 1)


def find_forms(groups: Groups, points: Sequence[Integers], degrees: Degrees, place: int, power: int) -> Floats | None:
    """A basis of the forms of these degrees, with values in a power of a group's space, that its vector divides at the points.

    For numbers this says that they are 0. The axes are the basis, the parts of a value and monomials. ``None`` unless as many
    conditions are independent as can be, so that at general points there are no more such forms.
    """
    monomials = multiply_monomials(groups, points, degrees)
    if place < 0:
        rank, forms = find_orthogonal(monomials)
        return forms.T[:, None] if rank == len(monomials) else None
    divided = list_wedges(points[place], power)
    conditions = FIELD.multiply(FIELD.elements(divided)[:, :, :, None], monomials[:, None, None, :])
    conditions = conditions.reshape(-1, divided.shape[2] * monomials.shape[1])
    rank, forms = find_orthogonal(conditions)
    if rank < len(conditions):
        return None
    return forms.T.reshape(-1, divided.shape[2], monomials.shape[1])


def multiply_monomials(groups: Groups, points: Sequence[Integers], degrees: Degrees) -> Floats:
    """The values of all monomials of these degrees in the groups' vectors, a row for each point."""
    some = [vectors for vectors, degree in zip(points, degrees, strict=True) if degree]
    values = multiply_powers(lower_degrees(groups, degrees), some) if some else np.ones((len(points[0]), 1), np.int64)
    return FIELD.elements(values)


def lower_degrees(groups: Groups, degrees: Degrees) -> Groups:
    """The groups with these numbers of items."""
    return tuple(group._replace(items=degree) for group, degree in zip(groups, degrees, strict=True) if degree)


def list_wedges(vectors: Integers, power: int) -> Integers:
    """The products of vectors with all basis elements of an exterior power, in rows the parts that contain the first state.

    Where the first entry is not 0 these are independent, and the others depend on them.
    """
    states = vectors.shape[1]
    columns = {chosen: number for number, chosen in enumerate(combinations(range(states), power))}
    rows = [chosen for chosen in combinations(range(states), power + 1) if chosen[0] == 0]
    found = np.zeros((len(vectors), len(rows), len(columns)), dtype=np.int64)
    for row, chosen in enumerate(rows):
        for at, state in enumerate(chosen):
            found[:, row, columns[chosen[:at] + chosen[at + 1 :]]] = (-1) ** at * vectors[:, state]
    return found


def join_exterior(vectors: Integers, left: Floats, right: Floats, power: int) -> Floats:
    """The products of vectors and values in two exterior powers, which are numbers; these values are on the last axes."""
    states = vectors.shape[1]
    of_left = {chosen: number for number, chosen in enumerate(combinations(range(states), power))}
    of_right = {chosen: number for number, chosen in enumerate(combinations(range(states), states - 1 - power))}
    found = np.zeros(left.shape[:2])
    for chosen, number in of_left.items():
        rest = [state for state in range(states) if state not in chosen]
        for state in rest:
            others = tuple(one for one in rest if one != state)
            order = (state, *chosen, *others)
            sign = (-1) ** sum(order[i] > order[j] for i, j in combinations(range(states), 2))
            factor = FIELD.elements(sign * vectors[:, [state]])
            term = FIELD.multiply(left[:, :, number], right[:, :, of_right[others]])
            found = FIELD.add(found, FIELD.multiply(factor, term))
    return found
