"""The Jacobian of all cells of a latent class model, from its formula, vectorised: floats, or residues modulo a prime.

For classes h, weights w[h] and items with tables t[i][h, s],

    p(x) = Σ_h w[h] ∏_i t[i][h, x_i],

the last weight and the last entry of every row being 1 minus the others. The matrix is returned transposed: one row per
parameter, its cells in order, the first item slowest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.generic]


def of_floats(classes: int, items: Sequence[int], seed: int) -> NDArray[np.float64]:
    """At a random distribution, in float64."""
    source = np.random.default_rng(seed)
    weights = source.dirichlet(np.ones(classes))
    tables = [source.dirichlet(np.ones(states), classes) for states in items]
    return derivative(weights, tables, lambda values: values, np.float64)


def of_residues(classes: int, items: Sequence[int], seed: int, prime: int) -> NDArray[np.int64]:
    """At a random point modulo a prime below 2^31, so that a product of two residues fits into 63 bits."""
    source = np.random.default_rng(seed)
    weights = closed(source.integers(0, prime, (1, classes)), prime)[0]
    tables = [closed(source.integers(0, prime, (classes, states)), prime) for states in items]
    return derivative(weights, tables, lambda values: values % prime, np.int64)


def closed(rows: NDArray[np.int64], prime: int) -> NDArray[np.int64]:
    """Replace the last entry of every row by 1 minus the others."""
    rows[:, -1] = (1 - rows[:, :-1].sum(axis=1)) % prime
    return rows


def derivative(weights: Array, tables: Sequence[Array], reduced: Callable[[Array], Array], kind: type) -> Array:
    """The transposed Jacobian; ``reduced`` is applied to every product."""
    classes, items = len(weights), [table.shape[1] for table in tables]
    before = [np.ones((classes, 1), dtype=kind)]  # before[i][h]: the product of the tables of the items before i
    for table in tables:
        before.append(reduced(before[-1][:, :, None] * table[:, None, :]).reshape(classes, -1))
    after = [np.ones((classes, 1), dtype=kind)]
    for table in reversed(tables):
        after.append(reduced(table[:, :, None] * after[-1][:, None, :]).reshape(classes, -1))
    after.reverse()
    width = sum(states - 1 for states in items)
    matrix = np.zeros((classes - 1 + classes * width, prod(items)), dtype=kind)
    matrix[: classes - 1] = reduced(before[-1][:-1] - before[-1][-1])
    row = classes - 1
    for item, states in enumerate(items):
        left = reduced(weights[:, None] * before[item])
        outer = reduced(left[:, :, None] * after[item + 1][:, None, :])
        negative = reduced(-outer)
        rows = matrix[row : row + classes * (states - 1)]
        block = rows.reshape(classes, states - 1, left.shape[1], states, after[item + 1].shape[1])
        for state in range(states - 1):
            block[:, state, :, state, :] = outer
            block[:, state, :, states - 1, :] = negative
        row += len(rows)
    return matrix
