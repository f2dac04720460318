"""The spaces of lemma "splitting" as vectors, at points drawn from a seed, and their dimension modulo a prime.

A format is a list of groups of items, each group with one free table. At a point, a vector for each group, the spaces are spanned
by the derivatives of the product of the powers of these vectors. A rank modulo a prime is a lower bound of their dimension at
general points. A large format with a group of one item is ranked at points most of which have a unit vector there: what these
span is a sum of spaces of smaller formats, one for each state, and only what the other points add is seen together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Residues
from algdim.exact.draws import Stream, draw_residues, open_stream
from algdim.exact.flint import convert_to_residues, find_kernel
from algdim.exact.ranks import compute_kernel, rank_mod

PRIME = 8_388_593
NARROW = 300
"""A matrix with fewer columns is reduced at once, one with more in blocks."""

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class ItemGroup(NamedTuple):
    """Items of one table, and how many spaces there are of directions in this table alone."""

    states: int
    items: int
    partial: int = 0

    @property
    def cells(self) -> int:
        """How many cells of these items differ."""
        return comb(self.states + self.items - 1, self.items)


Groups = tuple[ItemGroup, ...]


def format_groups(groups: Sequence[ItemGroup]) -> str:
    """The items in the notation.

    >>> format_groups([ItemGroup(2, 3), ItemGroup(4, 1)])
    '2^3*,4'
    """
    return ",".join(f"{group.states}^{group.items}*" if group.items > 1 else f"{group.states}" for group in groups)


class BlockReduction(NamedTuple):
    """What the spaces V ⊗ u of all points and the points of blocks have, V being the space of one group, and what the others add."""

    place: int
    """Of this group."""
    rank: int
    """The dimension of what they have."""
    modulo: Floats
    """What is orthogonal to the u, as columns."""
    bases: list[tuple[slice, Floats | None]]
    """The states of each block, and what is orthogonal to its points among the pairs of a state and such a column, if it has points."""
    others: Floats
    """The directions of the others on all these bases."""
    points: list[Integers]
    """All points, in the order of the groups."""


def compute_rank(seed: int, groups: Groups, classes: int, size: int | None = None) -> int:
    """The dimension of all spaces at drawn points modulo a prime.

    With a group of one item, V ⊗ u is in the spaces of each point, u being the product of the other groups' vectors: what is left
    to rank is seen modulo these u. With a ``size``, most points have vectors of this group in a block of so many of its states;
    what these span is a sum over the blocks, and only what the other points add is seen together.

    >>> two, three = ItemGroup(2, 1), ItemGroup(3, 1)
    >>> compute_rank(0, (two, two, three, three), 5), compute_rank(0, (two, two, three, three), 5, 1)
    (34, 34)
    """
    if find_split_group(groups) < 0:
        return rank_mod(draw_directions(seed, groups, classes), PRIME).value
    found = reduce_in_blocks(seed, groups, classes, size)
    return found.rank + (rank_mod(found.others, PRIME, computed=True).value if found.others.size else 0)


def reduce_in_blocks(seed: int, groups: Groups, classes: int, size: int | None) -> BlockReduction:
    """The points of all blocks, and what the others add; without a size there is one block, and all points are others."""
    place, field = find_split_group(groups), Residues(PRIME)
    states, _, lines = groups[place]
    rest = groups[:place] + groups[place + 1 :]
    drawn = draw_points(seed, rest, classes + lines, f"{classes} rest")
    weights = draw_points(seed, (groups[place],), classes, f"{classes} states")[0]
    rank, modulo = find_orthogonal(field.elements(multiply_powers(rest, drawn)))
    known, room, each = states * rank, modulo.shape[1], sum(group.states - 1 for group in rest)
    points = [vectors[:classes] for vectors in drawn]
    width = size or states
    shares = share_out_points(states, width, room, each, classes if size else 0)
    special, start = sum(shares), 0
    others = draw_partial(seed, groups, place, modulo)
    others.append((weights[special:], project_tangents(rest, points, slice(special, None), modulo)))
    bases: list[tuple[slice, Floats | None]] = []
    seen = []
    for block, share in enumerate(shares):
        own, chosen = slice(start, start + share), slice(block * width, min((block + 1) * width, states))
        start += share
        weights[own, : chosen.start] = weights[own, chosen.stop :] = 0
        added, orthogonal = np.concatenate([spread(vectors, chosen, one) for vectors, one in others]), None
        if share:
            rank, orthogonal = find_orthogonal(
                spread(weights[own], chosen, project_tangents(rest, points, own, modulo))
            )
            known, added = known + rank, field.matmul(added, orthogonal)
        bases.append((chosen, orthogonal))
        seen.append(added)
    points.insert(place, weights)
    return BlockReduction(place, known, modulo, bases, np.concatenate(seen, axis=1), points)


def find_orthogonal(rows: Floats) -> tuple[int, Floats]:
    """The rank of rows, and the vectors that are orthogonal to all of them as columns."""
    if rows.shape[1] < NARROW:
        rank, kernel = find_kernel(convert_to_residues(rows, PRIME), PRIME)
        return rank, kernel.T
    found = rank_mod(rows, PRIME, computed=True)
    return found.value, compute_kernel(rows, found, PRIME).T


def draw_partial(seed: int, groups: Groups, place: int, modulo: Floats) -> list[tuple[Integers, Floats]]:
    """The directions in single tables of groups other than one: vectors in this one, and the derivatives in the others."""
    rest = groups[:place] + groups[place + 1 :]
    found = []
    for i, group in enumerate(rest):
        if group.partial:
            points = draw_points(seed, rest, group.partial, f"partial {i}")
            vectors = draw_points(seed, (groups[place],), group.partial, f"partial {i} states")[0]
            found.append((vectors, project_derivatives(rest, points, i, slice(None), modulo)))
    return found


def spread(vectors: Integers, chosen: slice, projected: Floats) -> Floats:
    """The products of vectors, of which some entries are chosen, and directions: a row for each direction of each point."""
    some = Residues(PRIME).elements(vectors[:, chosen])
    count, directions, room = projected.shape
    found = Residues(PRIME).multiply(some[:, None, :, None], projected[:, :, None, :])
    return found.reshape(count * directions, some.shape[1] * room)


def project_tangents(groups: Groups, points: Sequence[Integers], chosen: slice, modulo: Floats) -> Floats:
    """The derivatives at some points by all entries but the first of each group's vector, on a basis of what is orthogonal to products.

    By the first entries nothing is added: the derivatives of one group, times its vector, are the product.
    """
    found = [project_derivatives(groups, points, i, chosen, modulo)[:, 1:] for i in range(len(groups))]
    return np.concatenate(found, axis=1)


def project_derivatives(
    groups: Groups, points: Sequence[Integers], place: int, chosen: slice, modulo: Floats
) -> Floats:
    """The derivatives by the vector of one group: the other groups' powers are multiplied in first, for all its cells at once."""
    field, group = Residues(PRIME), groups[place]
    some = [vectors[chosen] for vectors in points]
    before, after = count_cells(groups[:place]), count_cells(groups[place + 1 :])
    count = len(some[place])
    others = np.ones((count, 1), dtype=np.int64)
    if len(groups) > 1:
        others = multiply_powers(groups[:place] + groups[place + 1 :], some[:place] + some[place + 1 :])
    room = modulo.shape[1]
    cells = modulo.reshape(before, group.cells, after, room).transpose(0, 2, 1, 3).reshape(before * after, -1)
    found = field.matmul(field.elements(others), cells).reshape(count, group.cells, room)
    if group.items == 1:
        return found
    return field.matmul(field.elements(differentiate_powers(some[place], group.items)), found)


def draw_directions(seed: int, groups: Groups, classes: int) -> Integers:
    """Vectors that span all spaces, at points drawn from the seed, as residues."""
    blocks = []
    counts = [(classes, tuple(range(len(groups))))] + [(group.partial, (i,)) for i, group in enumerate(groups)]
    for number, (count, places) in enumerate(counts):
        if count:
            points = draw_points(seed, groups, count, f"{classes} {number}")
            blocks += [find_tangents(groups, points, place) for place in places]
    return np.concatenate(blocks)


def open_points(seed: int | str, groups: Groups, label: str) -> Stream:
    """What points are drawn from."""
    return open_stream(seed, "format", label, *(part for group in groups for part in group))


def draw_points(seed: int | str, groups: Groups, count: int, label: str) -> list[Integers]:
    """Points, one in each row, as an array for each group; no entry is 0, as derivatives by all entries but the first are used."""
    source = open_points(seed, groups, label)
    ends = np.cumsum([group.states for group in groups])
    drawn = np.maximum(draw_residues(source, PRIME, count * int(ends[-1])), 1).reshape(count, ends[-1])
    return np.split(drawn, ends[:-1], axis=1)


def find_split_group(groups: Sequence[ItemGroup]) -> int:
    """The place of the group of one item with the most spaces of its own, or else the most states; −1 if there is none.

    >>> find_split_group((ItemGroup(2, 1), ItemGroup(3, 1), ItemGroup(4, 2))), find_split_group((ItemGroup(4, 2),))
    (1, -1)
    """
    single = [place for place, group in enumerate(groups) if group.items == 1 and len(groups) > 1]
    return max(single, key=lambda place: (groups[place].partial, groups[place].states), default=-1)


def share_out_points(states: int, size: int, room: int, each: int, classes: int) -> list[int]:
    """How many points each block of states has: none has more directions than there is room.

    >>> share_out_points(5, 2, 7, 3, 11), share_out_points(5, 2, 7, 3, 12)
    ([4, 4, 2], [4, 4, 2])
    """
    ends = [*range(0, states, size), states]
    most = [(end - begin) * room // each for begin, end in pairwise(ends)]
    even = [classes * end // states - classes * begin // states for begin, end in pairwise(ends)]
    shares = [min(pair) for pair in zip(even, most, strict=True)]
    for block, limit in enumerate(most):
        shares[block] += min(limit - shares[block], classes - sum(shares))
    return shares


def list_block_sizes(groups: Groups, classes: int) -> list[int]:
    """Sizes of blocks for a rank, the least work first; none where it is taken at once."""
    place = find_split_group(groups)
    if place < 0:
        return []
    states = groups[place].states
    sizes = {size for size in (1, 2, 3, 4, -(-states // 4), -(-states // 2)) if size < states}
    # tangent spaces of two points of a product of two spaces meet
    least = 2 if len(groups) == 3 and all(group.items == 1 for group in groups) else 1
    return sorted((size for size in sizes if size >= least), key=lambda size: estimate_work(groups, classes, size))


def estimate_work(groups: Groups, classes: int, size: int | None = None) -> int:
    """About how many multiplications a rank takes, in blocks of this size or at once."""
    cells, place = count_cells(groups), find_split_group(groups)
    rows = count_directions(groups, classes)
    if place < 0:
        return cells * min(cells, rows) * rows
    states, lines = groups[place].states, groups[place].partial
    others, each = cells // states, sum(group.states - 1 for group in groups) - groups[place].states + 1
    room = max(0, others - classes - lines)
    shares = share_out_points(states, size or states, room, each, classes)
    left = (classes - sum(shares)) * each + rows - classes * (each + states) - states * lines
    first = others * (classes + lines) * (others + len(groups) * room)
    width = (size or states) * room
    apart = len(shares) * width * width * (max(shares) * each + (left if size else 0))
    return first + apart + left**3


def count_cells(groups: Sequence[ItemGroup]) -> int:
    """How many cells differ."""
    found = 1
    for group in groups:
        found *= group.cells
    return found


def count_directions(groups: Sequence[ItemGroup], classes: int) -> int:
    """The dimension that is expected of the sum of all spaces: those of the classes, and partial ones.

    >>> (
    ...     count_directions([ItemGroup(2, 1), ItemGroup(3, 2)], 4),
    ...     count_directions([ItemGroup(2, 1, 5), ItemGroup(3, 2)], 4),
    ... )
    (16, 26)
    """
    each = 1 + sum(group.states - 1 for group in groups)
    return classes * each + sum(group.states * group.partial for group in groups)


def find_tangents(groups: Groups, points: Sequence[Integers], place: int) -> Integers:
    """The derivatives of products of powers by the vector of one group, a row for each entry of each point's vector."""
    count = len(points[0])
    found = np.ones((count, 1, 1), dtype=np.int64)
    for i, (group, vectors) in enumerate(zip(groups, points, strict=True)):
        factor = (
            differentiate_powers(vectors, group.items) if i == place else raise_vectors(vectors, group.items)[:, None]
        )
        sizes = count, found.shape[1] * factor.shape[1], found.shape[2] * factor.shape[2]
        found = (found[:, :, None, :, None] * factor[:, None, :, None, :] % PRIME).reshape(sizes)
    return found.reshape(count * groups[place].states, found.shape[2])


def multiply_powers(groups: Groups, points: Sequence[Integers]) -> Integers:
    """The products of powers, a row for each point."""
    found = np.ones((len(points[0]), 1), dtype=np.int64)
    for group, vectors in zip(groups, points, strict=True):
        factor = raise_vectors(vectors, group.items)
        size = found.shape[1] * factor.shape[1]
        found = (found[:, :, None] * factor[:, None, :] % PRIME).reshape(len(found), size)
    return found


@lru_cache(maxsize=64)
def list_monomials(states: int, items: int) -> Integers:
    """The monomials, as the indices of their factors in order."""
    return np.array(list(combinations_with_replacement(range(states), items)), dtype=np.int64).reshape(-1, items)


@lru_cache(maxsize=64)
def list_exponents(states: int, items: int) -> Integers:
    """The same monomials as exponents: what is between bars among the items.

    >>> list_exponents(2, 2).tolist(), list_monomials(2, 2).tolist()
    ([[2, 0], [1, 1], [0, 2]], [[0, 0], [0, 1], [1, 1]])
    """
    bars = np.array(list(combinations(range(items + states - 1), states - 1)), dtype=np.int64)[::-1]
    ends = np.full((len(bars), 1), items + states - 1)
    return np.diff(np.concatenate([np.full_like(ends, -1), bars.reshape(len(bars), -1), ends], axis=1), axis=1) - 1


def list_powers(vectors: Integers, most: int) -> Integers:
    """The powers of all entries from 0 to the greatest exponent, on the last axis."""
    found = np.ones((*vectors.shape, most + 1), dtype=np.int64)
    for exponent in range(most):
        found[..., exponent + 1] = found[..., exponent] * vectors % PRIME
    return found


def raise_vectors(vectors: Integers, items: int) -> Integers:
    """The values of all monomials of a degree, a row for each vector."""
    states = vectors.shape[1]
    if items == 1:
        return vectors
    found = np.ones((len(vectors), 1), dtype=np.int64)
    if items <= states:
        for indices in list_monomials(states, items).T:
            found = found * vectors[:, indices] % PRIME
        return found
    powers = list_powers(vectors, items)
    for state, exponents in enumerate(list_exponents(states, items).T):
        found = found * powers[:, state, exponents] % PRIME
    return found


def differentiate_powers(vectors: Integers, items: int) -> Integers:
    """Their derivatives by the entries of the vector, which are the second axis."""
    states = vectors.shape[1]
    if items == 1:
        return np.broadcast_to(np.eye(states, dtype=np.int64), (*vectors.shape, states))
    exponents = list_exponents(states, items)
    found = np.zeros((*vectors.shape, len(exponents)), dtype=np.int64)
    powers = raise_vectors(vectors, items - 1)
    for state in range(states):
        # what is left of a monomial without one factor, in the order of the monomials of one degree less
        places = np.flatnonzero(exponents[:, state])
        found[:, state, places] = powers * exponents[places, state] % PRIME
    return found
