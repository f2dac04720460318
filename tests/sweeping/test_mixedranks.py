"""Ranks of many mixed graphs at once, against the ranks of one model at a time and against all that is printed."""

from __future__ import annotations

import numpy as np
import pytest
from amount import IS_ALL

from algdim import LimitError, dimension
from algdim.sweeping.families import ANY, Range, build_gaussian, iterate_graph_parts
from algdim.sweeping.isomorphism import list_dags
from algdim.sweeping.mixedranks import compute_mixed_ranks, compute_ranks


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_ranks_are_dimensions(count):
    """All graphs up to three vertices, and every twenty-fifth one on four."""
    graphs = list(iterate_graph_parts(count, ANY, ANY, ANY))[:: 25 if count == 4 else 1]
    found = compute_mixed_ranks(graphs)

    assert [dimension(build_gaussian(count, *graph)).dimension for graph in graphs] == found.tolist()


@pytest.mark.drawn
def test_finite_graphs_on_five_vertices():
    """33,544 graphs are generically finite-to-one (Foygel, Draisma, Drton, arXiv:1107.5552): their ranks are full."""
    graphs = list(iterate_graph_parts(5, Range(0, 10), ANY, ANY))[:: 9 if IS_ALL else 117]
    found = compute_mixed_ranks(graphs, draws=2)
    again = compute_mixed_ranks(graphs, seed=7)

    assert (found == again).all()
    assert all(rank <= 5 + len(dag.edges) + len(pairs) for rank, (dag, pairs) in zip(found, graphs, strict=True))


def test_many_eliminations_at_once():
    """Random matrices of small rank modulo a small prime, where pivots are often zero."""
    draws = np.random.default_rng(0)
    prime = 5
    left, right = draws.integers(0, prime, (300, 6, 3)), draws.integers(0, prime, (300, 3, 7))
    matrices = left @ right % prime
    wanted = [reduced_rank(matrix.tolist(), prime) for matrix in matrices]

    assert wanted == compute_ranks(matrices.astype(np.int64), prime).tolist()


def reduced_rank(rows, prime):
    """The rank by elimination that can be read."""
    rank = 0
    for column in range(len(rows[0])):
        pivot = next((row for row in rows[rank:] if row[column] % prime), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        rows.insert(rank, pivot)
        inverse = pow(pivot[column], -1, prime)
        for number, row in enumerate(rows):
            if number > rank:
                rows[number] = [(a - row[column] * inverse * b) % prime for a, b in zip(row, pivot, strict=True)]
        rank += 1
    return rank


def test_graphs_of_different_sizes_are_refused():
    """They are taken one size at a time."""
    with pytest.raises(LimitError, match="differ in their numbers of vertices"):
        compute_mixed_ranks([(list_dags(2)[0], ()), (list_dags(3)[0], ())])


def test_no_graphs():
    """Nothing has no ranks."""
    assert [] == compute_mixed_ranks([]).tolist()
