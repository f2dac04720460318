"""Latent trees up to isomorphism: leaves are observed, inner nodes hidden, with all numbers of states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple

MOST_NODES = 14
"""There are 3,159 trees with 14 nodes, and each is taken with all numbers of states."""

Joined = Sequence[Sequence[int]]


class Tree(NamedTuple):
    """A tree: the neighbours of each node, the inner nodes, and the fewest neighbours of one of these."""

    joined: Joined
    inner: tuple[int, ...]
    fewest: int


def trees(nodes: range) -> Iterator[Tree]:
    """All trees with so many nodes, three or more, one of each class of isomorphic ones.

    >>> [len(tree.inner) for tree in trees(range(4, 6))]
    [2, 1, 3, 2, 1]
    """
    from networkx import nonisomorphic_trees

    for count in nodes:
        for graph in nonisomorphic_trees(count):
            joined = [sorted(graph[node]) for node in range(count)]
            inner = tuple(node for node in range(count) if len(joined[node]) > 1)
            yield Tree(joined, inner, min(len(joined[node]) for node in inner))


def with_states(tree: Tree, states: range, classes: range) -> Iterator[str]:
    """A tree in the notation, leaves with so many states and inner nodes with so many classes, each once.

    >>> [text for tree in trees(range(4, 5)) for text in with_states(tree, range(2, 4), range(2, 3))]
    ['2(2,2(2))', '2(2,2(3))', '2(3,2(3))', '2(2,2,2)', '2(2,2,3)', '2(2,3,3)', '2(3,3,3)']
    """
    # the leaves of one node can change places: of their states only the sorted ones are taken
    leaves = [[leaf for leaf in tree.joined[node] if leaf not in tree.inner] for node in tree.inner]
    order = [*tree.inner, *(leaf for group in leaves for leaf in group)]
    middle = centres(tree.joined)
    seen: set[str] = set()
    for hidden in product(classes, repeat=len(tree.inner)):
        for observed in sorted_lists([len(group) for group in leaves], states):
            sizes = dict(zip(order, (*hidden, *observed), strict=True))
            text = min(written(tree.joined, sizes, root, -1) for root in middle)
            if text not in seen:
                seen.add(text)
                yield text


def sorted_lists(counts: Sequence[int], numbers: range) -> Iterator[tuple[int, ...]]:
    """Lists of numbers, one after another, as long as the counts say and each in rising order.

    >>> list(sorted_lists([2, 1], range(2)))
    [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 1, 0), (1, 1, 1)]
    """
    if not counts:
        yield ()
        return
    for first in combinations_with_replacement(numbers, counts[0]):
        for rest in sorted_lists(counts[1:], numbers):
            yield (*first, *rest)


def centres(joined: Joined) -> list[int]:
    """The one or two nodes that remain when leaves are taken away again and again; inner ones if there are three nodes.

    >>> centres([[1], [0, 2], [1, 3], [2]])
    [1, 2]
    """
    left = set(range(len(joined)))
    while len(left) > 2:
        left -= {node for node in left if sum(other in left for other in joined[node]) == 1}
    return sorted(left)


def written(joined: Joined, sizes: Mapping[int, int], node: int, parent: int) -> str:
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
