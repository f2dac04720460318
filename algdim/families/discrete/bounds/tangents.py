"""The spaces of lemma "splitting" as vectors, at points drawn from a seed, and their dimension modulo a prime.

A format is a list of groups of items, each group with one free table. At a point, a vector for each group, the spaces are spanned
by the derivatives of the product of the powers of these vectors. A rank modulo a prime is a lower bound of their dimension at
general points. A large format with a group of one item is ranked at points most of which have a unit vector there: what these
span is a sum of spaces of smaller formats, one for each state, and only what the other points add is seen together.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement, pairwise
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Residues
from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.ranks import compute_kernel, rank_mod

PRIME = 8_388_593

Integers = NDArray[np.int64]


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


def compute_rank(seed: int, groups: Groups, classes: int) -> int:
    """The dimension of all spaces at drawn points modulo a prime."""
    return rank_mod(draw_directions(seed, groups, classes), PRIME).value


def draw_directions(seed: int, groups: Groups, classes: int) -> Integers:
    """Vectors that span all spaces, at points drawn from the seed, as residues."""
    blocks = []
    counts = [(classes, tuple(range(len(groups))))] + [(group.partial, (i,)) for i, group in enumerate(groups)]
    for number, (count, places) in enumerate(counts):
        if count:
            points = draw_points(seed, groups, count, f"{classes} {number}")
            blocks += [find_tangents(groups, points, place) for place in places]
    return np.concatenate(blocks)


def draw_points(seed: int, groups: Groups, count: int, label: str) -> list[Integers]:
    """Points, one in each row, as an array for each group."""
    source = open_stream(seed, "format", label, *(part for group in groups for part in group))
    ends = np.cumsum([group.states for group in groups])
    drawn = draw_residues(source, PRIME, count * int(ends[-1])).reshape(count, ends[-1])
    return np.split(drawn, ends[:-1], axis=1)


def compute_rank_in_blocks(seed: int, groups: Groups, classes: int, size: int) -> int:
    """The same without directions in single tables, at points most of which are in a block of states of a group of one item.

    All blocks have this size but perhaps the last. In a block its points have all directions in its states and in the other groups;
    each point of another block has its product, in every state. The remaining points are taken modulo what the blocks have,
    by the vectors that are orthogonal to it.

    >>> two, three = ItemGroup(2, 1), ItemGroup(3, 1)
    >>> compute_rank_in_blocks(0, (two, two, three, three), 5, 2), compute_rank_in_blocks(0, (two, two, three), 3, 1)
    (34, 12)
    """
    place = find_split_group(groups)
    states, rest = groups[place].states, groups[:place] + groups[place + 1 :]
    points = draw_points(seed, rest, classes, f"{classes} rest")
    products, field = multiply_powers(rest, points), Residues(PRIME)
    weights = draw_points(seed, (groups[place],), classes, f"{classes} states")[0]
    shares = share_out_points(groups, place, classes, size)
    special = sum(shares)
    others = field.elements(products[special:]), field.elements(find_all_tangents(rest, points, slice(special, None)))
    dimension, start, modulo = 0, 0, []
    for block, share in enumerate(shares):
        own, chosen = slice(start, start + share), slice(block * size, min((block + 1) * size, states))
        start += share
        width = chosen.stop - chosen.start
        format_of_block = (ItemGroup(width, 1), *rest)
        tangents = find_all_tangents(format_of_block, [weights[:, chosen], *points], own)
        left = np.concatenate([products[: own.start], products[own.stop : special]])
        rows = np.concatenate([*tangents, np.kron(np.eye(width, dtype=np.int64), left)])
        rank = rank_mod(rows, PRIME)
        dimension += rank.value
        if rank.value < rows.shape[1] and special < classes:
            orthogonal = compute_kernel(field.elements(rows), rank, PRIME).T.reshape(width, products.shape[1], -1)
            modulo.append(project_others(others, weights[special:], chosen, orthogonal))
    return dimension + (rank_mod(np.concatenate(modulo, axis=1), PRIME).value if modulo else 0)


def project_others(
    others: tuple[NDArray[np.float64], NDArray[np.float64]],
    weights: Integers,
    chosen: slice,
    orthogonal: NDArray[np.float64],
) -> Integers:
    """What the directions of some points are in a block of states, multiplied by the vectors orthogonal to what it has."""
    products, tangents = others
    field, states = Residues(PRIME), weights.shape[1]
    count, directions, cells = tangents.shape
    along = np.zeros((count, states, orthogonal.shape[2]), dtype=np.int64)
    across = np.zeros((count, directions, orthogonal.shape[2]), dtype=np.int64)
    for state, vectors in zip(range(chosen.start, chosen.stop), orthogonal, strict=True):
        along[:, state] = field.matmul(products, vectors)
        found = field.matmul(tangents.reshape(-1, cells), vectors).astype(np.int64).reshape(across.shape)
        across = (across + found * weights[:, state, None, None]) % PRIME
    return np.concatenate([along, across], axis=1).reshape(count * (states + directions), -1)


def find_split_group(groups: Sequence[ItemGroup]) -> int:
    """The place of the group of one item that has the most states, −1 if there is none.

    >>> find_split_group((ItemGroup(2, 1), ItemGroup(3, 1), ItemGroup(4, 2))), find_split_group((ItemGroup(4, 2),))
    (1, -1)
    """
    single = [place for place, group in enumerate(groups) if group.items == 1]
    return max(single, key=lambda place: groups[place].states, default=-1)


def share_out_points(groups: Groups, place: int, classes: int, size: int) -> list[int]:
    """How many points each block has: as many as leave no block with more directions than cells."""
    states, rest = groups[place].states, groups[:place] + groups[place + 1 :]
    cells, others = count_cells(rest), sum(group.states - 1 for group in rest)
    ends = [*range(0, states, size), states]
    special = classes
    while True:
        shares = [special * end // states - special * begin // states for begin, end in pairwise(ends)]
        # a block has the products of all these points in each state, and its own points' directions in other groups
        room = [(end - begin) * (cells - special) for begin, end in pairwise(ends)]
        if special == 0 or all(share * others <= most for share, most in zip(shares, room, strict=True)):
            return shares
        special -= 1


def list_block_sizes(groups: Groups, classes: int) -> list[int]:
    """Sizes of blocks for a rank, the least work first; none where it is taken at once."""
    place = find_split_group(groups)
    if place < 0 or any(group.partial for group in groups):
        return []
    states = groups[place].states
    sizes = {size for size in (1, 2, 3, -(-states // 4), -(-states // 2)) if size < states}
    # tangent spaces of two points of a product of two spaces meet
    least = 2 if len(groups) == 3 and all(group.items == 1 for group in groups) else 1
    return sorted((size for size in sizes if size >= least), key=lambda size: estimate_work(groups, classes, size))


def estimate_work(groups: Groups, classes: int, size: int | None = None) -> int:
    """About how many multiplications a rank takes, in blocks of this size or at once."""
    cells, place = count_cells(groups), find_split_group(groups)
    rows = count_directions(groups, classes)
    if size is None:
        return cells * min(cells, rows) * rows
    states = groups[place].states
    left = (classes - sum(share_out_points(groups, place, classes, size))) * count_directions(groups, 1)
    return -(-states // size) * (cells * size // states) ** 3 + left**3


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


def find_all_tangents(groups: Groups, points: Sequence[Integers], chosen: slice) -> Integers:
    """The derivatives by the vectors of all groups at some of the points: points, then directions, then cells."""
    some = [vectors[chosen] for vectors in points]
    count, cells = len(some[0]), count_cells(groups)
    found = [find_tangents(groups, some, i).reshape(count, group.states, cells) for i, group in enumerate(groups)]
    return np.concatenate(found, axis=1)


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
        found = (found[:, :, None] * raise_vectors(vectors, group.items)[:, None, :] % PRIME).reshape(len(found), -1)
    return found


def list_monomials(states: int, items: int) -> Integers:
    """The monomials, as the indices of their factors in order."""
    return np.array(list(combinations_with_replacement(range(states), items)), dtype=np.int64).reshape(-1, items)


def raise_vectors(vectors: Integers, items: int) -> Integers:
    """The values of all monomials of a degree, a row for each vector."""
    if items == 1:
        return vectors
    found = np.ones((len(vectors), 1), dtype=np.int64)
    for indices in list_monomials(vectors.shape[1], items).T:
        found = found * vectors[:, indices] % PRIME
    return found


def differentiate_powers(vectors: Integers, items: int) -> Integers:
    """Their derivatives by the entries of the vector, which are the second axis."""
    if items == 1:
        return np.broadcast_to(np.eye(vectors.shape[1], dtype=np.int64), (*vectors.shape, vectors.shape[1]))
    monomials = list_monomials(vectors.shape[1], items)
    found = np.zeros((*vectors.shape, len(monomials)), dtype=np.int64)
    for factor in range(items):
        others = np.ones((len(vectors), len(monomials)), dtype=np.int64)
        for other in range(items):
            if other != factor:
                others = others * vectors[:, monomials[:, other]] % PRIME
        found[:, monomials[:, factor], np.arange(len(monomials))] += others
    return found % PRIME
