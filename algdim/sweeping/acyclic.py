"""Graphs up to isomorphism, exactly: a smallest code among all numberings, and orbits under the symmetries of a graph.

An acyclic graph on n vertices is coded by the bits of its edges v → w, bit n·v + w. Its *canonical form* is the least code
of a numbering. What is put on top of it (bidirected edges, hidden causes) is a set of subsets of the vertices; two of them
give isomorphic results if and only if a symmetry of the graph carries one to the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations

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
def dags(count: int) -> tuple[Dag, ...]:
    """All acyclic directed graphs on so many vertices, one of each class of isomorphic ones, those with fewer edges first.

    >>> [len(dags(count)) for count in range(1, 5)]
    [1, 2, 6, 31]
    """
    if count > MOST_VERTICES:
        raise LimitError(f"graphs on {count} vertices up to isomorphism; at most {MOST_VERTICES} are allowed")
    pairs = list(combinations(range(count), 2))
    numberings = list(permutations(range(count)))
    every = np.arange(1 << len(pairs), dtype=np.int64)
    least = np.full(len(every), np.iinfo(np.int64).max)
    for numbering in numberings:
        np.minimum(least, codes(every, pairs, numbering), out=least)
    # every class has a member whose edges all point upwards, so it stands among these
    _, first = np.unique(least, return_index=True)
    found = [tuple(pair for place, pair in enumerate(pairs) if number >> place & 1) for number in first.tolist()]
    return tuple(Dag(count, edges, symmetries(edges, numberings)) for edges in sorted(found, key=lambda e: (len(e), e)))


def codes(
    every: npt.NDArray[np.int64], pairs: Sequence[tuple[int, int]], numbering: Permutation
) -> npt.NDArray[np.int64]:
    """The codes of many graphs, given as sets of pairs v → w, under a numbering."""
    count = len(numbering)
    result = np.zeros_like(every)
    for place, (v, w) in enumerate(pairs):
        result |= (every >> place & 1) << (count * numbering[v] + numbering[w])
    return result


def symmetries(edges: Iterable[tuple[int, int]], numberings: Iterable[Permutation]) -> tuple[Permutation, ...]:
    """The numberings that carry a graph to itself."""
    wanted = frozenset(edges)
    return tuple(p for p in numberings if all((p[v], p[w]) in wanted for v, w in wanted))


def subsets(count: int, least: int, most: int) -> list[Bits]:
    """The subsets of so many vertices with a size in a range, small ones first, as bits."""
    return [
        sum(1 << v for v in members)
        for size in range(least, min(most, count) + 1)
        for members in combinations(range(count), size)
    ]


def orbits(choices: Sequence[frozenset[Bits]], group: Sequence[Permutation]) -> Iterator[frozenset[Bits]]:
    """One of every class of sets of subsets that the permutations carry to each other, the first that is met.

    >>> swap = ((0, 1, 2), (1, 0, 2))
    >>> [sorted(found) for found in orbits([frozenset({1}), frozenset({2}), frozenset({4})], swap)]
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
