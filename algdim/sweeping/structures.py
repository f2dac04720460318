"""Networks with hidden variables anywhere, one of each class: connected, up to isomorphism and Markov equivalence.

Two acyclic graphs on the same variables with free tables have the same joint distributions, and so the same observed ones, if
they have the same pairs of neighbours and the same v-structures a → c ← b with a and b not neighbours (Verma and Pearl 1990).
A class is the least code of these two sets under all numberings that keep observed variables, and hidden ones with equally
many states, among themselves. All graphs are coded at once, as arrays of bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product

import numpy as np
from numpy.typing import NDArray

from algdim.errors import LimitError
from algdim.models.notation import parse, to_text
from algdim.sweeping.families import ModelKind, Range, Ranges
from algdim.sweeping.isomorphism import MOST_VERTICES, Permutation, list_dags

Adjacency = NDArray[np.bool_]
"""A graph for each first place; v → w at [v, w]; observed variables before hidden ones."""


def iterate_structures(ranges: Ranges) -> Iterator[str]:
    """The networks, in the order of the numbers of variables and states, then of their edges.

    No hidden variable could be left out as it stands: each has a child, and one without parents has two.
    """
    for observed, hidden in product(ranges["observed"].numbers(), ranges["hidden"].numbers()):
        if observed + hidden > MOST_VERTICES:
            raise LimitError(
                f"structures with {observed} observed and {hidden} hidden variables; at most {MOST_VERTICES} variables are allowed"
            )
        for states in ranges["states"].numbers():
            for classes in combinations_with_replacement(ranges["classes"].numbers(), hidden):
                alike = tuple(classes.index(size) for size in classes)
                for graph in find_structures(observed, alike):
                    yield format_structure(graph, states, classes)


@cache
def find_structures(observed: int, alike: tuple[int, ...]) -> tuple[Adjacency, ...]:
    """One graph of each class; two hidden variables can change places if they have the same number here.

    >>> len(find_structures(3, (0,))), len(find_structures(4, ()))
    (15, 14)
    """
    graphs = list_placed_graphs(observed, len(alike))
    if not len(graphs):
        return ()
    swaps = [swap for swap in permutations(range(len(alike))) if all(alike[i] == alike[j] for i, j in enumerate(swap))]
    numberings = [
        (*order, *(observed + place for place in swap)) for order in permutations(range(observed)) for swap in swaps
    ]
    codes = np.stack([code_classes(graphs, numbering) for numbering in numberings])
    # the least pair of codes under all numberings: first by neighbours, then by v-structures
    first = codes[:, :, 0].min(axis=0)
    second = np.where(codes[:, :, 0] == first, codes[:, :, 1], np.iinfo(np.int64).max).min(axis=0)
    _, places, classes = np.unique(np.stack([first, second], axis=1), axis=0, return_index=True, return_inverse=True)
    children, parents = graphs.sum(axis=2)[:, observed:], graphs.sum(axis=1)[:, observed:]
    idle = ((children == 0) | ((children == 1) & (parents == 0))).any(axis=1)
    # what one member of a class shows to be superfluous is so in all
    superfluous = np.bincount(classes.ravel(), weights=idle, minlength=len(places)) > 0
    chosen = sorted(places[~superfluous].tolist(), key=lambda place: (int(graphs[place].sum()), place))
    return tuple(graphs[place] for place in chosen)


def list_placed_graphs(observed: int, hidden: int) -> Adjacency:
    """All connected acyclic graphs up to isomorphism, each with hidden variables at all places, which are moved to the end."""
    count = observed + hidden
    dags = list_dags(count)
    graphs = np.zeros((len(dags), count, count), dtype=bool)
    for number, dag in enumerate(dags):
        for v, w in dag.edges:
            graphs[number, v, w] = True
    graphs = graphs[[is_connected(graph) for graph in graphs]]
    orders = [[*(v for v in range(count) if v not in chosen), *chosen] for chosen in combinations(range(count), hidden)]
    return np.concatenate([graphs[:, order][:, :, order] for order in orders])


def is_connected(graph: Adjacency) -> bool:
    """Whether every vertex is reached from the first along edges of any direction."""
    joined = graph | graph.T
    reached = np.zeros(len(graph), dtype=bool)
    reached[:1] = True
    for _ in range(len(graph)):
        reached |= joined[reached].any(axis=0)
    return bool(reached.all())


def code_classes(graphs: Adjacency, numbering: Permutation) -> NDArray[np.int64]:
    """The pairs of neighbours and the v-structures of renumbered graphs, as bits of two numbers for each graph."""
    placed = graphs[:, numbering][:, :, numbering]
    joined = placed | placed.transpose(0, 2, 1)
    count = len(numbering)
    pairs = list(combinations(range(count), 2))
    codes = np.zeros((len(graphs), 2), dtype=np.int64)
    for bit, (v, w) in enumerate(pairs):
        codes[:, 0] |= joined[:, v, w].astype(np.int64) << bit
    # at most 6 · C(5, 2) = 60 bits
    for bit, (end, (v, w)) in enumerate((end, pair) for end in range(count) for pair in pairs if end not in pair):
        codes[:, 1] |= (placed[:, v, end] & placed[:, w, end] & ~joined[:, v, w]).astype(np.int64) << bit
    return codes


def format_structure(graph: Adjacency, states: int, classes: Sequence[int]) -> str:
    """A graph in the notation: observed variables X1, X2, … with this many states, hidden ones H1, H2 and so on.

    >>> format_structure(find_structures(2, (0,))[0], 2, [3])
    'H1 -> X1, X2; hidden H1; states H1=3'
    """
    observed = len(graph) - len(classes)
    names = [f"X{place + 1}" for place in range(observed)] + [f"H{place + 1}" for place in range(len(classes))]
    sizes = [*[states] * observed, *classes]
    clauses = [
        f"{name} -> {', '.join(names[w] for w in np.flatnonzero(children))}"
        for name, children in zip(names, graph, strict=True)
        if children.any()
    ] or names[:1]
    if classes:
        clauses.append(f"hidden {', '.join(names[observed:])}")
    clauses.append(f"states {', '.join(f'{name}={size}' for name, size in zip(names, sizes, strict=True))}")
    return to_text(parse("; ".join(clauses)))


STRUCTURES = ModelKind(
    iterate_structures,
    {"observed": Range(2, None), "hidden": Range(0, 1), "states": Range(2, 2), "classes": Range(2, 2)},
    most={"observed": MOST_VERTICES, "hidden": 4},
    floor={"observed": 1},
)
