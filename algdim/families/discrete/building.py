"""How the map of a discrete network is put together: parameters are numbered, arrays and their uses collected."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from algdim.families.discrete.locals import kind_of
from algdim.families.discrete.locals.entries import Entries
from algdim.families.discrete.locals.table import Expression, NamedTable, Numbering, Table, with_states
from algdim.families.discrete.model import Network, Variable


@dataclass(frozen=True, slots=True)
class Factor:
    """One use of an array: which axes of the network its own axes are."""

    axes: tuple[int, ...]
    array: int


def distinct_tables(model: Network) -> list[NamedTable]:
    """The tables with names among their entries, a shared one once."""
    tables: dict[str, NamedTable] = {}
    states = model.states
    for variable in model.variables:
        if isinstance(variable.local, Table) and variable.local.equal:
            named = named_table(variable, states)
            tables.setdefault(named.name, named)
    return list(tables.values())


def named_table(variable: Variable, states: Mapping[str, int]) -> NamedTable:
    """A variable's table with the names that its parameters get; a shared one is named by its share."""
    table = cast("Table", variable.local)
    parents = with_states(variable.parents, states)
    if table.share is None:
        return NamedTable(variable.name, variable.states, parents, table)
    anonymous = tuple((f"pa{number}", states) for number, (_, states) in enumerate(parents, 1))
    return NamedTable(table.share, variable.states, anonymous, table)


class Builder:
    """Collects arrays and factors while the variables are gone through."""

    def __init__(self, model: Network, numbering: Numbering, names: dict[str, Expression]) -> None:
        self.states, self.numbering, self.names = model.states, numbering, names
        self.sizes = [variable.states for variable in model.variables]
        self.arrays: list[Entries] = []
        self.owners: list[str] = []
        self.factors: list[Factor] = []
        self.auxiliary: list[int] = []
        self.shares: dict[str, int] = {}

    def add(self, variable: Variable, axes: tuple[int, ...]) -> None:
        """Add the factors of one variable."""
        kind_of(variable.local.kind).add(self, variable, axes)

    def add_array(self, entries: Entries, axes: tuple[int, ...], owner: str) -> int:
        """Add a factor with an array of its own; returns the array's number."""
        self.arrays.append(entries)
        self.owners.append(owner)
        self.factors.append(Factor(axes, len(self.arrays) - 1))
        return len(self.arrays) - 1

    def add_once(self, variable: Variable, axes: tuple[int, ...], make: Callable[[tuple[int, ...]], Entries]) -> None:
        """Add a factor with the array that is made for its shape, or one more use of the array of its share."""
        share = variable.local.share
        # parents with one state are no axes: an array has a bounded number of them
        axes = (*(axis for axis in axes[:-1] if self.sizes[axis] > 1), axes[-1])
        if share is not None and share in self.shares:
            self.factors.append(Factor(axes, self.shares[share]))
            return
        shape = tuple(self.sizes[axis] for axis in axes)
        number = self.add_array(make(shape), axes, variable.name if share is None else share)
        if share is not None:
            self.shares[share] = number
