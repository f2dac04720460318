"""Σ N s sᵀ over the patterns of a latent class model, s the gradient of the logarithm of a pattern's probability, by products of matrices.

As the patterns their gradients fall into halves (`algdim.fitting.halves`). By the logarithm of an entry of class c among the first
items s is p(c|x, y) times a number that x alone has, 1 or 0 less the entry. With W(x, y) = N/p² a sum of products of two such
entries, of the classes c and d, is

    Σ_x a_c(x) a_d(x) p(x, c) p(x, d) · Σ_y W(x, y) p(y|c) p(y|d),

and likewise with a number of y inside of the second sum: what is summed over patterns has as many columns as pairs of classes, times
one half's entries.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from algdim.fitting.halves import Halves, Numbers, PairOfHalves, Tables, divide_possible

AT_ONCE = 1 << 17
"""Numbers at once, if it is more than one restart's, so that they stay in the cache."""
LEAST_PROBABILITY = 1e-100
"""A probability of a pattern whose square, and whose parts, are far from the least numbers there are."""


def sum_score_products(of: Halves, tables: Tables, entries: NDArray[np.intp]) -> Numbers | None:
    """Σ N s sᵀ at every restart; nothing where the probability of a pattern is too small to be squared.

    s is the gradient of log p of a pattern by the logarithms of some entries, numbered through all tables, and none of them the
    last of its row: the probability of the class, times 1 or 0 less the entry, and 0 where the item is missing.
    """
    restarts, classes = len(tables[0]), tables[of.sides.root][0].size
    numbers = number_inner_entries(of.sides, tables)
    order = np.argsort(numbers)
    places = order[np.searchsorted(numbers[order], entries)]
    widest = max(half.rows * (1 + len(half.inner[0])) for half in (of.sides.left, of.sides.right))
    size = max(1, AT_ONCE // (classes**2 * widest + of.cells))
    found = []
    for start in range(0, restarts, size):
        whole = sum_inner_products(of, [table[start : start + size] for table in tables])
        if whole is None:
            return None
        found.append(whole[:, places[:, None], places])
    return np.concatenate(found)


def number_inner_entries(sides: PairOfHalves, tables: Tables) -> NDArray[np.intp]:
    """The numbers through all tables of the entries that `sum_inner_products` has: class by class, in front the class itself, the last too."""
    starts = np.cumsum([0, *(table[0].size for table in tables)])
    classes = tables[sides.root][0].size
    pieces = [starts[sides.root] + np.arange(classes).reshape(-1, 1)]
    for item in (*sides.left.items, *sides.right.items):
        numbers = starts[item] + np.arange(tables[item][0].size).reshape(classes, -1)
        pieces.append(numbers[:, :-1])
    return np.concatenate(pieces, axis=1).ravel().astype(np.intp)


def sum_inner_products(of: Halves, tables: Tables) -> Numbers | None:
    """The same matrix of all inner entries of each class, and of the class itself in front of them."""
    sides = of.sides
    restarts, classes = len(tables[0]), tables[sides.root][0].size
    left, right = sides.compute_probabilities(tables)
    slopes, others = (half.compute_slopes(tables, classes) for half in (sides.left, sides.right))
    sums = sum_over_blocks(of, left, right, others)
    if sums is None:
        return None
    total = join_halves(*sums, slopes, others)
    if len(of.places[0]) and not add_outside(of, total, left, right, slopes, others):
        return None
    # the probabilities of the classes add up to 1, so that the gradient by a share is the probability less the share
    shares = tables[sides.root].reshape(restarts, classes)
    fronts = np.arange(classes) * (total.shape[1] // classes)
    total[:, fronts] -= shares[:, :, None] * total[:, fronts].sum(axis=1, keepdims=True)
    total[:, :, fronts] -= shares[:, None] * total[:, :, fronts].sum(axis=2, keepdims=True)
    return total


def sum_over_blocks(of: Halves, left: Numbers, right: Numbers, others: Numbers) -> tuple[Numbers, Numbers] | None:
    """Restart × class × other class × …: (one and the last items) × first row, and last row, of the products of two probabilities of a class.

    Of the items those of the other class. Nothing where a probability is too small.
    """
    restarts, classes, height = left.shape
    width = right.shape[2]
    squares, partners = (half[:, :, None] * half[:, None] for half in (left, right))
    weighed = (partners[:, :, :, None] * others[:, None]).reshape(restarts, -1, width)
    sums, mirrored = np.zeros((restarts, weighed.shape[1], height)), np.zeros_like(partners)
    for block in of.stairs.blocks:
        grid = (left[..., block.rows].transpose(0, 2, 1) @ right[..., : block.width]).reshape(restarts, -1)
        chances = np.take(grid, block.cells, axis=1, mode="clip")
        if not are_large(chances):
            return None
        grid[:] = 0
        grid[:, block.cells] = divide_possible(of.counts[block.pairs], chances * chances)
        weights = grid.reshape(restarts, -1, block.width)
        sums[..., block.rows] += weighed[..., : block.width] @ weights.transpose(0, 2, 1)
        flat = squares[..., block.rows].reshape(restarts, classes**2, -1)
        mirrored[..., : block.width] += (flat @ weights).reshape(restarts, classes, classes, -1)
    by_class = sums.reshape(restarts, classes, classes, -1, height)
    by_class *= squares[:, :, :, None]
    mirrored *= partners
    return by_class, mirrored


def join_halves(sums: Numbers, mirrored: Numbers, slopes: Numbers, others: Numbers) -> Numbers:
    """Restart × entry × entry, from the sums over the blocks and the slopes of either half."""
    restarts, classes, wide, height = slopes.shape
    narrow, width = others.shape[2] - 1, others.shape[3]
    inside = (sums[:, :, :, :1] * slopes[:, None, :, 1:]).reshape(restarts, classes, -1, height)
    inside = (slopes @ inside.transpose(0, 1, 3, 2)).reshape(restarts, classes, wide, classes, wide - 1)
    across = slopes @ sums.reshape(restarts, classes, -1, height).transpose(0, 1, 3, 2)
    across = across.reshape(restarts, classes, wide, classes, 1 + narrow)
    beyond = (mirrored[:, :, :, None] * others[:, None, :, 1:]).reshape(restarts, classes, -1, width)
    beyond = (others[:, :, 1:] @ beyond.transpose(0, 1, 3, 2)).reshape(restarts, classes, narrow, classes, narrow)
    total = np.empty((restarts, classes, wide + narrow, classes, wide + narrow))
    total[:, :, :wide, :, :1] = across[..., :1]
    total[:, :, :wide, :, 1:wide] = inside
    total[:, :, :wide, :, wide:] = across[..., 1:]
    total[:, :, wide:, :, :wide] = across[..., 1:].transpose(0, 3, 4, 1, 2)
    total[:, :, wide:, :, wide:] = beyond
    return total.reshape(restarts, classes * (wide + narrow), -1)


def add_outside(of: Halves, total: Numbers, left: Numbers, right: Numbers, slopes: Numbers, others: Numbers) -> bool:
    """Add the patterns outside of all blocks to the matrix, one by one; whether their probabilities can be squared."""
    joint, sums = of.compute_outside(left, right)
    if not are_large(sums):
        return False
    joint *= divide_possible(np.sqrt(of.counts[of.stairs.outside :]), sums)[:, None]
    restarts, classes, count = joint.shape
    wide, width = slopes.shape[2], slopes.shape[2] + others.shape[2] - 1
    size = max(1, AT_ONCE // (restarts * classes * width))
    for start in range(0, count, size):
        rows, columns = (places[start : start + size] for places in of.places)
        score = np.empty((restarts, classes, width, len(rows)))
        score[:, :, :wide] = np.take(slopes, rows, axis=3, mode="clip")
        score[:, :, wide:] = np.take(others[:, :, 1:], columns, axis=3, mode="clip")
        score *= joint[:, :, None, start : start + size]
        flat = score.reshape(restarts, classes * width, -1)
        total += np.matmul(flat, flat.transpose(0, 2, 1))  # of one array and itself: half of the work
    return True


def are_large(chances: Numbers) -> bool:
    """Whether the probabilities of all patterns that can occur can be squared."""
    return not bool(((chances > 0) & (chances < LEAST_PROBABILITY)).any())
