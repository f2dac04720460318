"""Latent trees up to isomorphism: leaves are observed, inner nodes hidden, with all numbers of states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

MOST_NODES = 14
"""There are 3,159 trees with 14 nodes, and each is taken with all numbers of states."""

Joined = Sequence[Sequence[int]]


class Tree(NamedTuple):
    """A tree in the notation, its numbers of leaves and of inner nodes, and the fewest neighbours of an inner node."""

    text: str
    leaves: int
    inner: int
    fewest: int


def trees(nodes: range, states: range, classes: range) -> Iterator[Tree]:
    """All trees with so many nodes, leaves with so many states and inner nodes with so many classes, each once.

    >>> [tree.text for tree in trees(range(4, 6), range(2, 3), range(2, 3))]
    ['2(2,2(2))', '2(2,2,2)', '2(2(2),2(2))', '2(2,2(2,2))', '2(2,2,2,2)']
    """
    from networkx import nonisomorphic_trees

    for count in nodes:
        for graph in nonisomorphic_trees(count):
            joined = [sorted(graph[node]) for node in range(count)]
            inner = [node for node in range(count) if len(joined[node]) > 1]
            middle = centres(joined)
            # trees without their states are not isomorphic, so only the same tree can give the same text twice
            seen: set[str] = set()
            for sizes in product(*(classes if node in inner else states for node in range(count))):
                text = min(written(joined, sizes, root, -1) for root in middle)
                if text not in seen:
                    seen.add(text)
                    yield Tree(text, count - len(inner), len(inner), min(len(joined[node]) for node in inner))


def centres(joined: Joined) -> list[int]:
    """The one or two nodes that remain when leaves are taken away again and again; inner ones if there are three nodes.

    >>> centres([[1], [0, 2], [1, 3], [2]])
    [1, 2]
    """
    left = set(range(len(joined)))
    while len(left) > 2:
        left -= {node for node in left if sum(other in left for other in joined[node]) == 1}
    return sorted(left)


def written(joined: Joined, sizes: Sequence[int], node: int, parent: int) -> str:
    """The tree below a node in the notation, leaves first, then by text: equal for isomorphic trees."""
    below = [written(joined, sizes, child, node) for child in joined[node] if child != parent]
    if not below:
        return str(sizes[node])
    return f"{sizes[node]}({','.join(sorted(below, key=lambda text: ('(' in text, len(text), text)))})"


def random_tree(
    leaves: int, hidden: int, choices: Sequence[int], states: tuple[int, int], classes: tuple[int, int]
) -> str:
    """A tree with so many leaves and at most so many inner nodes, made by large uniform numbers.

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
