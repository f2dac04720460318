"""Graphs and latent trees up to isomorphism, exactly.

An acyclic graph on n vertices is coded by the bits of its edges v → w, bit n·v + w. Its *canonical form* is the least code
of a numbering. What is put on top of it (bidirected edges, hidden causes) is a set of subsets of the vertices; two of them
give isomorphic results if and only if a symmetry of the graph carries one to the other: so orbits are taken.

Of latent trees the leaves are observed, inner nodes hidden, with all numbers of states.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from algdim.errors import LimitError

MOST_VERTICES = 6
"""There are 2^15 graphs with the vertices in order, and 720 numberings of each."""

Bits = int
Permutation = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Dag:
    """An acyclic directed graph with its edges v → w, v < w, and its symmetries."""

    count: int
    edges: tuple[tuple[int, int], ...]
    symmetries: tuple[Permutation, ...]


@cache
def list_dags(count: int) -> tuple[Dag, ...]:
    """All acyclic directed graphs on this many vertices, one of each class of isomorphic ones, those with fewer edges first.

    >>> [len(list_dags(count)) for count in range(1, 5)]
    [1, 2, 6, 31]
    """
    if count > MOST_VERTICES:
        raise LimitError(f"graphs on {count} vertices up to isomorphism; at most {MOST_VERTICES} are allowed")
    pairs = list(combinations(range(count), 2))
    numberings = list(permutations(range(count)))
    every = np.arange(1 << len(pairs), dtype=np.int64)
    least = np.full(len(every), np.iinfo(np.int64).max)
    for numbering in numberings:
        np.minimum(least, compute_codes(every, pairs, numbering), out=least)
    # every class has a member whose edges all point upwards, so it stands among these
    _, first = np.unique(least, return_index=True)
    found = [tuple(pair for place, pair in enumerate(pairs) if number >> place & 1) for number in first.tolist()]
    return tuple(
        Dag(count, edges, find_symmetries(edges, numberings)) for edges in sorted(found, key=lambda e: (len(e), e))
    )


def compute_codes(
    every: npt.NDArray[np.int64], pairs: Sequence[tuple[int, int]], numbering: Permutation
) -> npt.NDArray[np.int64]:
    """The codes of many graphs, given as sets of pairs v → w, under a numbering."""
    count = len(numbering)
    result = np.zeros_like(every)
    for place, (v, w) in enumerate(pairs):
        result |= (every >> place & 1) << (count * numbering[v] + numbering[w])
    return result


def find_symmetries(edges: Iterable[tuple[int, int]], numberings: Iterable[Permutation]) -> tuple[Permutation, ...]:
    """The numberings that carry a graph to itself."""
    wanted = frozenset(edges)
    return tuple(p for p in numberings if all((p[v], p[w]) in wanted for v, w in wanted))


def list_subsets(count: int, least: int, most: int) -> list[Bits]:
    """The subsets of this many vertices with a size in a range, small ones first, as bits."""
    return [
        sum(1 << v for v in members)
        for size in range(least, min(most, count) + 1)
        for members in combinations(range(count), size)
    ]


def iterate_orbits(choices: Sequence[frozenset[Bits]], group: Sequence[Permutation]) -> Iterator[frozenset[Bits]]:
    """One of every class of sets of subsets that the permutations carry to each other, the first that is met.

    >>> swap = ((0, 1, 2), (1, 0, 2))
    >>> [sorted(found) for found in iterate_orbits([frozenset({1}), frozenset({2}), frozenset({4})], swap)]
    [[1], [4]]
    """
    if len(group) == 1:
        yield from choices
        return
    count = len(group[0])
    image = [
        [sum(1 << p[v] for v in range(count) if mask >> v & 1) for mask in range(1 << count)]
        for p in group
        if p != tuple(range(count))
    ]
    seen: set[frozenset[Bits]] = set()
    for choice in choices:
        if choice not in seen:
            yield choice
            seen.update(frozenset(moved[mask] for mask in choice) for moved in image)


MOST_NODES = 14
"""There are 3,159 trees with 14 nodes, and each is taken with all numbers of states."""

Joined = Sequence[Sequence[int]]


class Tree(NamedTuple):
    """A tree: the neighbours of each node, the inner nodes, and the fewest neighbours of one of these."""

    joined: Joined
    inner: tuple[int, ...]
    fewest: int


def iterate_trees(nodes: range) -> Iterator[Tree]:
    """All trees with this many nodes, three or more, one of each class of isomorphic ones.

    >>> [len(tree.inner) for tree in iterate_trees(range(4, 6))]
    [2, 1, 3, 2, 1]
    """
    from networkx import nonisomorphic_trees

    for count in nodes:
        for graph in nonisomorphic_trees(count):
            joined = [sorted(graph[node]) for node in range(count)]
            inner = tuple(node for node in range(count) if len(joined[node]) > 1)
            yield Tree(joined, inner, min(len(joined[node]) for node in inner))


def iterate_sized_trees(tree: Tree, states: range, classes: range) -> Iterator[str]:
    """A tree in the notation, leaves with this many states and inner nodes with this many classes, each once.

    >>> [text for tree in iterate_trees(range(4, 5)) for text in iterate_sized_trees(tree, range(2, 4), range(2, 3))]
    ['2(2,2(2))', '2(2,2(3))', '2(3,2(3))', '2(2,2,2)', '2(2,2,3)', '2(2,3,3)', '2(3,3,3)']
    """
    # the leaves of one node can change places: of their states only the sorted ones are taken
    leaves = [[leaf for leaf in tree.joined[node] if leaf not in tree.inner] for node in tree.inner]
    order = [*tree.inner, *(leaf for group in leaves for leaf in group)]
    middle = find_centres(tree.joined)
    seen: set[str] = set()
    for hidden in product(classes, repeat=len(tree.inner)):
        for observed in iterate_sorted_lists([len(group) for group in leaves], states):
            sizes = dict(zip(order, (*hidden, *observed), strict=True))
            text = min(format_subtree(tree.joined, sizes, root, -1) for root in middle)
            if text not in seen:
                seen.add(text)
                yield text


def iterate_sorted_lists(counts: Sequence[int], numbers: range) -> Iterator[tuple[int, ...]]:
    """Lists of numbers, one after another, as long as the counts say and each in rising order.

    >>> list(iterate_sorted_lists([2, 1], range(2)))
    [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 1, 0), (1, 1, 1)]
    """
    if not counts:
        yield ()
        return
    for first in combinations_with_replacement(numbers, counts[0]):
        for rest in iterate_sorted_lists(counts[1:], numbers):
            yield (*first, *rest)


def find_centres(joined: Joined) -> list[int]:
    """The one or two nodes that remain when leaves are removed repeatedly; inner ones if there are three nodes.

    >>> find_centres([[1], [0, 2], [1, 3], [2]])
    [1, 2]
    """
    left = set(range(len(joined)))
    while len(left) > 2:
        left -= {node for node in left if sum(other in left for other in joined[node]) == 1}
    return sorted(left)


def format_subtree(joined: Joined, sizes: Mapping[int, int], node: int, parent: int) -> str:
    """The tree below a node in the notation, leaves first, then by text: equal for isomorphic trees."""
    below = [format_subtree(joined, sizes, child, node) for child in joined[node] if child != parent]
    if not below:
        return str(sizes[node])
    return f"{sizes[node]}({','.join(sorted(below, key=lambda text: ('(' in text, len(text), text)))})"


def build_random_tree(
    leaves: int, hidden: int, choices: Sequence[int], states: tuple[int, int], classes: tuple[int, int]
) -> str:
    """A tree with this many leaves and at most this many inner nodes, made by large uniform numbers.

    Every inner node hangs on an earlier one. Those without children get a leaf, the other leaves are strewn.
    """
    numbers = iter(choices)

    def between(least: int, most: int) -> int:
        return least + next(numbers) % (most - least + 1)

    children: list[list[Any]] = [[] for _ in range(hidden)]
    for node in range(1, hidden):
        children[between(0, node - 1)].append(node)
    bare = [node for node in range(hidden) if not children[node]]
    # a root with one child would be a leaf itself
    bare += [0] if len(children[0]) == 1 else []
    homes = bare + [between(0, hidden - 1) for _ in range(leaves - len(bare))]
    for home in homes:
        children[home].append(None)
    sizes = [between(*classes) for _ in range(hidden)]

    def text(node: int | None) -> str:
        if node is None:
            return str(between(*states))
        return f"{sizes[node]}({','.join(text(child) for child in children[node])})"

    return text(0)
