"""All mixed graphs up to isomorphism, with directed and bidirected edges."""

from __future__ import annotations

from itertools import chain, combinations, permutations

from algdim.families.gaussian.model import Gaussian, GaussianVariable


def edge_sets(count, most):
    """Yield the sets of edges: (i, j, True) for i → j, (i, j, False) with i < j for a bidirected edge."""
    directed = [(i, j, True) for i, j in permutations(range(count), 2)]
    bidirected = [(i, j, False) for i, j in combinations(range(count), 2)]
    everything = directed + bidirected
    return chain.from_iterable(combinations(everything, number) for number in range(most + 1))


def is_acyclic(count, edges):
    """Return whether the directed edges have no cycle."""
    left = set(range(count))
    while left:
        roots = {v for v in left if not any(way and j == v and i in left for i, j, way in edges)}
        if not roots:
            return False
        left -= roots
    return True


def unlabelled(count, most):
    """Yield one mixed graph of each isomorphism class with at most this many edges."""
    seen = set()
    for edges in edge_sets(count, most):
        if edges in seen:
            continue
        yield edges
        for order in permutations(range(count)):
            moved = ((order[i], order[j], way) for i, j, way in edges)
            named = ((i, j, way) if way or i < j else (j, i, way) for i, j, way in moved)
            seen.add(tuple(sorted(named, key=place)))


def place(edge):
    """Sort edges as `edge_sets` does."""
    return not edge[2], edge[0], edge[1]


def model_of(count, edges):
    """Return the model of a mixed graph, everything observed, without means."""
    names = [f"X{number + 1}" for number in range(count)]
    return Gaussian(
        tuple(map(GaussianVariable, names)),
        tuple((names[i], names[j]) for i, j, way in edges if way),
        tuple((names[i], names[j]) for i, j, way in edges if not way),
        means=False,
    )


def mixed_models(count, *, acyclic):
    """Return the models of all unlabelled mixed graphs with at most C(count, 2) edges."""
    most = count * (count - 1) // 2
    return [model_of(count, edges) for edges in unlabelled(count, most) if is_acyclic(count, edges) == acyclic]
