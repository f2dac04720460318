"""The local map "table": how tables stand in the model file, and become factors."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from algdim.errors import InputError
from algdim.families.discrete.building import Builder, named_table
from algdim.families.discrete.locals.contract import Kind, checked, read_share
from algdim.families.discrete.locals.entries import Entries
from algdim.families.discrete.locals.table import Parents, Table, cell_text, free_table, special_table
from algdim.families.discrete.model import Local, Variable
from algdim.models.tokens import check_name
from algdim.models.values import check_keys, exact_value, fraction_text, mapping_of, shown

KEYS = ("type", "share", "fixed", "equal", "tree")


def read_table(data: dict[str, Any], place: str, variable: Variable, parents: Parents) -> Local:
    """Read a table: its share, its fixed entries, its named entries, its rows that are equal as a tree says."""
    check_keys(data, KEYS, place)
    share = read_share(data, place)
    fixed = []
    for key, value in mapping_of(data.get("fixed", {}), f"{place}.fixed").items():
        where = f"{place}.fixed[{key[:80]!r}]"
        fixed.append((read_cell(key, where, variable, parents), exact_value(value, where)))
    equal = []
    for key, label in mapping_of(data.get("equal", {}), f"{place}.equal").items():
        where = f"{place}.equal[{key[:80]!r}]"
        if not isinstance(label, str):
            raise InputError(f"{where} is {shown(label)}; a name for the equal entries is expected")
        check_name(label, where)
        equal.append((read_cell(key, where, variable, parents), label))
    if "tree" in data:
        from algdim.families.discrete.tabletrees import tree_names

        equal += tree_names(data["tree"], f"{place}.tree", share or variable.name, variable.states, parents)
    # a table is checked here too, because equal duplicates would be lost when the members of a share are joined
    return checked(Table(share, tuple(fixed), tuple(equal)), place, variable, parents)


def read_cell(key: str, place: str, variable: Variable, parents: Parents) -> tuple[tuple[int, ...], int]:
    """Read the name of an entry of this variable's table."""
    from algdim.families.discrete.celltexts import cell_of, parse_entry

    try:
        entry = parse_entry(key)
        cell = cell_of(entry, parents, variable.states, key) if entry.name == variable.name else None
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
        data["fixed"] = {cell_text(cell, variable.name, parents): fraction_text(value) for cell, value in table.fixed}
    if table.equal and first:
        data["equal"] = {cell_text(cell, variable.name, parents): label for cell, label in table.equal}
    return data


def add_table(builder: Builder, variable: Variable, axes: tuple[int, ...]) -> None:
    """Add a table: a new array, or one more use of a shared one."""
    builder.add_once(variable, axes, partial(table_entries, builder, variable))


def table_entries(builder: Builder, variable: Variable, shape: tuple[int, ...]) -> Entries:
    """The entries of a table."""
    table = cast("Table", variable.local)
    named = named_table(variable, builder.states)
    if table.fixed or table.equal:
        return special_table(named, shape, builder.names, builder.numbering)
    return free_table(shape, builder.numbering.cells(named))


LOCAL = Kind(read_table, write_table, add_table, has_likelihood=True)
