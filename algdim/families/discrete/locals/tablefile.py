"""The local map "table" in the model file, and how it becomes a factor.

Which rows are equal a decision tree or graph can say (MH97 §3.1). It is a dictionary with one key, the parent that it asks, and
one subtree for each of its states; a leaf is a name, or null. Rows that come to the same leaf are equal, and so are those of
leaves with one name: that is a decision graph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import product
from math import prod
from typing import Any, cast

from algdim.errors import InputError, join_names
from algdim.families.discrete.locals.contract import Entries, Kind, check_local, read_share
from algdim.families.discrete.locals.table import Cell, Parents, Table, format_cell, make_free_table, make_special_table
from algdim.families.discrete.map import Builder, make_named_table
from algdim.families.discrete.model import Local, Variable
from algdim.models.tokens import check_name
from algdim.models.values import (
    check_keys,
    format_fraction,
    format_given_value,
    read_exact_value,
    require,
    require_mapping,
)

KEYS = ("type", "share", "fixed", "equal", "tree")


def read_table(data: dict[str, Any], place: str, variable: Variable, parents: Parents) -> Local:
    """Read a table: its share, its fixed entries, its named entries, its rows that are equal as a tree says."""
    check_keys(data, KEYS, place)
    share = read_share(data, place)
    fixed = []
    for key, value in require_mapping(data.get("fixed", {}), f"{place}.fixed").items():
        where = f"{place}.fixed[{key[:80]!r}]"
        fixed.append((read_cell(key, where, variable, parents), read_exact_value(value, where)))
    equal = []
    for key, label in require_mapping(data.get("equal", {}), f"{place}.equal").items():
        where = f"{place}.equal[{key[:80]!r}]"
        require(label, isinstance(label, str), where, "a name for the equal entries is expected")
        check_name(label, where)
        equal.append((read_cell(key, where, variable, parents), label))
    if "tree" in data:
        equal += name_tree_entries(data["tree"], f"{place}.tree", share or variable.name, variable.states, parents)
    # a table is checked here too, because equal duplicates would be lost when the members of a share are joined
    return check_local(Table(share, tuple(fixed), tuple(equal)), place, variable, parents)


def read_cell(key: str, place: str, variable: Variable, parents: Parents) -> tuple[tuple[int, ...], int]:
    """Read the name of an entry of this variable's table."""
    from algdim.families.discrete.celltexts import match_cell, parse_entry

    try:
        entry = parse_entry(key)
        cell = match_cell(entry, parents, variable.states, key) if entry.name == variable.name else None
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    if cell is None:
        raise InputError(f"{place}: this is an entry of {entry.name}, not of {variable.name}")
    return cell


def write_table(table: Table, variable: Variable, parents: Parents, first: bool) -> dict[str, Any]:
    """Write a table; ``first`` says whether it is the first that is met of its share."""
    data: dict[str, Any] = {"type": "table"}
    if table.share is not None:
        data["share"] = table.share
    if table.fixed and first:
        data["fixed"] = {
            format_cell(cell, variable.name, parents): format_fraction(value) for cell, value in table.fixed
        }
    if table.equal and first:
        data["equal"] = {format_cell(cell, variable.name, parents): label for cell, label in table.equal}
    return data


def add_table(builder: Builder, variable: Variable, axes: tuple[int, ...]) -> None:
    """Add a table: a new array, or one more use of a shared one."""
    builder.add_once(variable, axes, partial(make_table_entries, builder, variable))


def make_table_entries(builder: Builder, variable: Variable, shape: tuple[int, ...]) -> Entries:
    """The entries of a table."""
    table = cast("Table", variable.local)
    named = make_named_table(variable, builder.states)
    if table.fixed or table.equal:
        return make_special_table(named, shape, builder.names, builder.numbering)
    return make_free_table(shape, builder.numbering.cells(named))


LOCAL = Kind(read_table, write_table, add_table, has_likelihood=True)


MOST_ROWS = 5_000_000
MOST_DEPTH = 200

LEAF = re.compile(r"[A-Za-z0-9_.]+")


def name_tree_entries(data: object, place: str, owner: str, states: int, parents: Parents) -> list[tuple[Cell, str]]:
    """The entries that a tree names: equal names are equal rows.

    Leaf x of a binary variable E names the entries for state 0 E.x, of others E.x.0, E.x.1, … (the last state is what is
    left). A leaf without a name that one row comes to names nothing.

    >>> name_tree_entries({"A": {"0": None, "1": {"B": {"0": "x", "1": "y"}}}}, "tree", "E", 2, (("A", 2), ("B", 2)))
    [(((0, 0), 0), 'E.leaf1'), (((0, 1), 0), 'E.leaf1'), (((1, 0), 0), 'E.x'), (((1, 1), 0), 'E.y')]
    """
    rows = prod(count for _, count in parents)
    if rows > MOST_ROWS:
        raise InputError(f"{place}: the table has {rows} rows; at most {MOST_ROWS} are allowed")
    leaves = list(iterate_leaves(data, place, dict(parents), {}))
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


def iterate_leaves(
    data: object, place: str, parents: dict[str, int], path: dict[str, int]
) -> Iterator[tuple[dict[str, int], str | None]]:
    """The leaves below a node, from left to right."""
    if data is None or isinstance(data, str):
        if data is not None and not LEAF.fullmatch(data):
            raise InputError(
                f"{place}: {format_given_value(data)} is no name of a leaf; letters A-Z and a-z, digits, '_' and '.' are allowed"
            )
        yield path, data
        return
    if len(path) == MOST_DEPTH:
        raise InputError(f"the tree at {place[:60]}… is deeper than {MOST_DEPTH} nodes; that many are allowed")
    node: dict[str, Any] = require_mapping(data, place)
    if len(node) != 1:
        raise InputError(f"{place}: a node has one key, the parent that it asks, not {len(node)}")
    [(parent, branches)] = node.items()
    where = f"{place}.{parent[:60]}"
    if parent not in parents:
        raise InputError(f"{where}: this is no parent; the parents are: {join_names(parents) or 'none'}")
    if parent in path:
        raise InputError(f"{where}: the state of {parent} is known here; each parent is asked once on a path")
    branch = require_mapping(branches, where)
    expected = [str(state) for state in range(parents[parent])]
    if sorted(branch) != sorted(expected):
        raise InputError(
            f"{where} has the branches {join_names(branch) or 'none'}; one for each state is expected: {join_names(expected)}"
        )
    for state in expected:
        yield from iterate_leaves(branch[state], f"{where}.{state}", parents, {**path, parent: int(state)})
