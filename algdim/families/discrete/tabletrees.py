"""Tables as decision trees or decision graphs (MH97 §3.1): which rows of a table are equal.

A tree is a dictionary with one key, the parent that it asks, and one subtree for each of its states; a leaf is a name, or
null. Rows that come to the same leaf are equal, and so are those of leaves with one name: that is a decision graph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

from algdim.errors import InputError, listed
from algdim.families.discrete.locals.table import Cell, Parents
from algdim.models.values import mapping_of, shown

MOST_ROWS = 5_000_000
MOST_DEPTH = 200

LEAF = re.compile(r"[A-Za-z0-9_.]+")


def tree_names(data: object, place: str, owner: str, states: int, parents: Parents) -> list[tuple[Cell, str]]:
    """The entries that a tree names: equal names are equal rows.

    Leaf x of a binary variable E names the entries for state 0 E.x, of others E.x.0, E.x.1, … (the last state is what is
    left). A leaf without a name that one row comes to names nothing.

    >>> tree_names({"A": {"0": None, "1": {"B": {"0": "x", "1": "y"}}}}, "tree", "E", 2, (("A", 2), ("B", 2)))
    [(((0, 0), 0), 'E.leaf1'), (((0, 1), 0), 'E.leaf1'), (((1, 0), 0), 'E.x'), (((1, 1), 0), 'E.y')]
    """
    rows = prod(count for _, count in parents)
    if rows > MOST_ROWS:
        raise InputError(f"{place}: the table has {rows} rows; at most {MOST_ROWS} are allowed")
    leaves = list(leaves_of(data, place, dict(parents), {}))
    used = {name for _, name in leaves if name is not None}
    fresh = (name for name in (f"leaf{number}" for number in range(1, rows + len(used) + 1)) if name not in used)
    named: list[tuple[Cell, str]] = []
    for path, name in leaves:
        reached = list(product(*([path[parent]] if parent in path else range(count) for parent, count in parents)))
        if name is None and len(reached) == 1:
            continue
        label = f"{owner}.{name if name is not None else next(fresh)}"
        for row in reached:
            named += [((row, state), label if states == 2 else f"{label}.{state}") for state in range(states - 1)]
    return named


def leaves_of(
    data: object, place: str, parents: dict[str, int], path: dict[str, int]
) -> Iterator[tuple[dict[str, int], str | None]]:
    """The leaves below a node, from left to right."""
    if data is None or isinstance(data, str):
        if data is not None and not LEAF.fullmatch(data):
            raise InputError(
                f"{place}: {shown(data)} is no name of a leaf; letters A-Z and a-z, digits, '_' and '.' are allowed"
            )
        yield path, data
        return
    if len(path) == MOST_DEPTH:
        raise InputError(f"the tree at {place[:60]}… is deeper than {MOST_DEPTH} nodes; that many are allowed")
    node: dict[str, Any] = mapping_of(data, place)
    if len(node) != 1:
        raise InputError(f"{place}: a node has one key, the parent that it asks, not {len(node)}")
    [(parent, branches)] = node.items()
    where = f"{place}.{parent[:60]}"
    if parent not in parents:
        raise InputError(f"{where}: this is no parent; the parents are: {listed(parents) or 'none'}")
    if parent in path:
        raise InputError(f"{where}: the state of {parent} is known here; each parent is asked once on a path")
    branch = mapping_of(branches, where)
    expected = [str(state) for state in range(parents[parent])]
    if sorted(branch) != sorted(expected):
        raise InputError(
            f"{where} has the branches {listed(branch) or 'none'}; one for each state is expected: {listed(expected)}"
        )
    for state in expected:
        yield from leaves_of(branch[state], f"{where}.{state}", parents, {**path, parent: int(state)})
