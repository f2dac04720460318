"""The ranks of many acyclic mixed graphs at once: Jacobians of one small size, all modulo one prime.

With T = (I − B)⁻¹ and Σ = Tᵀ Ω T, the derivative of Σ by the coefficient of v → w is Σ e_v e_wᵀ T and its transpose, that by
the covariance of the errors of v and w is Tᵀ(e_v e_wᵀ + e_w e_vᵀ)T, that by a variance Tᵀ e_v e_vᵀ T. Everything stays below
2^46 in 64-bit integers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from algdim.errors import LimitError
from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.primes import draw_prime
from algdim.models.graphs import Bits, iterate_positions
from algdim.sweeping.isomorphism import Dag

Integers = npt.NDArray[np.int64]
Graph = tuple[Dag, Sequence[Bits]]
"""The directed part and the bidirected edges, pairs of vertices as bits."""

PRIME_BITS = 23
CHUNK = 4096


def compute_mixed_ranks(graphs: Sequence[Graph], seed: int | str = 0, draws: int = 1) -> Integers:
    """The greatest rank of Σ's Jacobian at this many points, each with a prime of its own: a proved lower bound (lemma "lower bound").

    All graphs have as many vertices, and each has a point of its own.

    >>> from algdim.sweeping.isomorphism import list_dags
    >>> compute_mixed_ranks([(dag, [0b11]) for dag in list_dags(2)]).tolist()
    [3, 3]
    """
    chunks = [graphs[start : start + CHUNK] for start in range(0, len(graphs), CHUNK)]
    found = [
        np.max([compute_chunk_ranks(chunk, seed, number, draw) for draw in range(draws)], axis=0)
        for number, chunk in enumerate(chunks)
    ]
    return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)


def compute_chunk_ranks(graphs: Sequence[Graph], seed: int | str, number: int, draw: int) -> Integers:
    """The ranks of some graphs at one point each."""
    count = graphs[0][0].count
    if any(dag.count != count for dag, _ in graphs):
        raise LimitError("the graphs differ in their numbers of vertices; take those with as many at a time")
    prime = draw_prime(open_stream(seed, "mixed prime", number, draw), PRIME_BITS)
    values = draw_residues(open_stream(seed, "mixed point", number, draw), prime, 2 * len(graphs) * count * count)
    ours, errors = values.reshape(2, len(graphs), count, count)
    directed, joined = build_supports(graphs, count)
    return compute_ranks(compute_jacobians(ours * directed, errors * joined, directed, joined, prime), prime)


def build_supports(graphs: Sequence[Graph], count: int) -> tuple[Integers, Integers]:
    """Where B and the upper triangle of Ω have entries, 0 or 1."""
    directed, joined = np.zeros((2, len(graphs), count, count), dtype=np.int64)
    joined[:, range(count), range(count)] = 1
    for place, (dag, bidirected) in enumerate(graphs):
        for v, w in dag.edges:
            directed[place, v, w] = 1
        for mask in bidirected:
            v, w = iterate_positions(mask)
            joined[place, v, w] = 1
    return directed, joined


def compute_jacobians(b: Integers, upper: Integers, directed: Integers, joined: Integers, prime: int) -> Integers:
    """For each graph a row for each parameter there may be (zero if there is none), a column for each entry of Σ."""
    number, count, _ = b.shape
    identity = np.broadcast_to(np.eye(count, dtype=np.int64), b.shape)
    t = identity
    for _ in range(count - 1):  # the longest path: T = I + B T
        t = (identity + multiply_matrices(b, t, prime)) % prime
    below = np.triu(upper, 1)
    omega = upper + below.transpose(0, 2, 1)
    sigma = multiply_matrices(multiply_matrices(t.transpose(0, 2, 1), omega, prime), t, prime)
    rows = []
    above, beside = np.triu_indices(count)
    for v in range(count):
        for w in range(count):
            by_coefficient = compute_outer_products(sigma[:, :, v], t[:, w, :], prime) * directed[:, v, w, None, None]
            rows.append(by_coefficient + by_coefficient.transpose(0, 2, 1))
            if v <= w:
                by_error = compute_outer_products(t[:, v, :], t[:, w, :], prime) * joined[:, v, w, None, None]
                rows.append(by_error + by_error.transpose(0, 2, 1) if v < w else by_error)
    return np.stack([row[:, above, beside] for row in rows], axis=1).reshape(number, len(rows), len(above)) % prime


def multiply_matrices(one: Integers, other: Integers, prime: int) -> Integers:
    """Products of many small matrices; a sum of up to 2^16 products fits."""
    return (one @ other) % prime


def compute_outer_products(one: Integers, other: Integers, prime: int) -> Integers:
    """Columns times rows."""
    return one[:, :, None] * other[:, None, :] % prime


def compute_ranks(matrices: Integers, prime: int) -> Integers:
    """The ranks of many small matrices modulo a prime; the matrices are overwritten.

    >>> compute_ranks(np.array([[[1, 2], [2, 4]], [[1, 2], [3, 4]]]), 101).tolist()
    [1, 2]
    """
    number, rows, columns = matrices.shape
    each = np.arange(number)
    found = np.zeros(number, dtype=np.int64)
    for column in range(columns):
        # rows that were pivots have no say any more
        free = (matrices[:, :, column] != 0) & (np.arange(rows) >= found[:, None])
        there = free.any(axis=1)
        at = np.where(there, free.argmax(axis=1), 0)
        into = np.where(there, found, 0)
        pivot = matrices[each, at].copy()
        matrices[each, at] = np.where(there[:, None], matrices[each, into], matrices[each, at])
        matrices[each, into] = np.where(there[:, None], pivot, matrices[each, into])
        later = there[:, None] & (np.arange(rows) > into[:, None])
        factors = np.where(later, matrices[:, :, column], 0)
        # each row times the pivot, which is a unit, so that no inverse is needed
        scale = np.where(later, pivot[:, column][:, None], 1)
        matrices *= scale[:, :, None]
        matrices -= factors[:, :, None] * pivot[:, None, :]
        matrices %= prime
        found += there
    return found
