"""The map of a discrete model: a factor network of small arrays whose entries are local functions of the parameters.

The locals put it together: a `Builder` numbers the parameters and collects the arrays, and which axes each stands on.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from math import log2, prod
from typing import Any, ClassVar, NamedTuple, cast
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from algdim.errors import LimitError
from algdim.exact.flint import reduce_rows_by_flint
from algdim.families.contract import CELL, CoordinateRecord
from algdim.families.discrete.locals import get_local_kind
from algdim.families.discrete.locals.contract import Entries, EntryArrays
from algdim.families.discrete.locals.table import Expression, NamedTable, Numbering, Table, add_states, solve_names
from algdim.families.discrete.model import Network, Variable
from algdim.figures import format_integer
from algdim.maps import Parameter, ParameterBlocks

MOST_ENTRIES = 5_000_000
"""Of all tables of a model; a name and some numbers are kept for each."""
FEW_ENTRIES, KEPT_MAPS = 1 << 12, 1 << 6
"""Of the last so many models with no more entries the structure of the map is kept."""
KEPT_MODELS = 1 << 8
"""Of so many it is kept how many entries they have, and which of their tables have names."""


class Factor(NamedTuple):
    """One use of an array: which axes of the network its own axes are."""

    axes: tuple[int, ...]
    array: int


@dataclass(frozen=True, eq=False)
class ParamMap:
    """Parameters, coordinates, and the factor network between them.

    Axis i < number of variables is variable i of the model; further axes are auxiliary and summed out like hidden
    variables. Several factors may use one array (a shared table).
    """

    model: Network
    parameter_count: int
    sizes: tuple[int, ...]
    arrays: EntryArrays
    factors: tuple[Factor, ...]
    observed: tuple[int, ...]
    given: tuple[int, ...]
    owners: tuple[str, ...]
    """Per array: the name of its table, a variable's or a share's, as in a parameter file."""
    blocks: ParameterBlocks
    """What makes the records of the parameters."""
    kept_coordinates: NDArray[np.intp] | None = None
    """The cells that are coordinates, where some are left out; `None` means all."""
    structure: dict[Hashable, Any] = field(init=False, default_factory=dict, repr=False)
    """What `plan_once` keeps; a map that `replace` makes has its own."""

    coordinates_are: ClassVar[str] = "cells"

    @property
    def records(self) -> tuple[Parameter, ...]:
        """What the parameters are; made anew each time, for there may be many."""
        return self.blocks.records

    @property
    def parameters(self) -> tuple[str, ...]:
        return self.blocks.texts

    @property
    def is_polynomial(self) -> bool:
        """Whether all entries are polynomials of the parameters; otherwise some are quotients of such."""
        return self.arrays.are_polynomials

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape of the observed table, the axes conditioned on included."""
        return tuple(map(self.sizes.__getitem__, self.observed))

    @cached_property
    def cells(self) -> int:
        """The number of cells of the observed table."""
        return prod(self.shape)

    @cached_property
    def complete(self) -> int:
        """The dimension of the saturated model: per condition, the cells less one."""
        conditions = prod(map(self.sizes.__getitem__, self.given))
        return self.cells - conditions

    @property
    def coordinate_count(self) -> int:
        return self.cells if self.kept_coordinates is None else len(self.kept_coordinates)

    def point(self, tables: Mapping[str, Sequence[Sequence[Fraction]]]) -> list[Fraction]:
        """Parameters whose arrays are these tables, row by row."""
        values: dict[int, Fraction] = {}
        equations: list[tuple[dict[int, Fraction], Fraction]] = []
        for key, entries in self.iterate_keyed_entries():
            if not entries.is_constant:
                flat = [value for row in tables[key] for value in row]
                values.update(entries.parameters(flat))
                equations.extend(entries.equations(flat))
        if len(values) < self.parameter_count:
            values.update(solve_for_parameters(values, equations, self.parameter_count))
        return [values[number] for number in range(self.parameter_count)]

    def iterate_keyed_entries(self) -> Iterator[tuple[str, Entries]]:
        """The arrays by the keys of their tables; those of an embedded classifier's network stand behind its name."""
        for owner, entries in zip(self.owners, self.arrays, strict=True):
            yield from entries.iterate_keyed_entries(owner)

    @property
    def readable(self) -> frozenset[int]:
        """The parameters that are functions of the entries of one array; ties of names can leave others."""
        return frozenset(number for entries in self.arrays for number in entries.readable)

    def coordinate(self, cell: tuple[int, ...]) -> CoordinateRecord:
        """What one coordinate is."""
        states = [(self.model.variables[axis].name, state) for axis, state in zip(self.observed, cell, strict=True)]
        inside = [axis in self.given for axis in self.observed]
        rest = tuple(state for state, is_given in zip(states, inside, strict=True) if not is_given)
        return CoordinateRecord(
            CELL, states=rest, given=tuple(state for state, is_given in zip(states, inside, strict=True) if is_given)
        )

    def coordinates(self) -> list[str]:
        return list(map(str, self.coordinate_records()))

    def coordinate_records(self) -> list[CoordinateRecord]:
        """The cells, the first variable slowest."""
        return [self.coordinate(cell) for cell in product(*(range(size) for size in self.shape))]

    @property
    def functional_degree(self) -> int:
        """A product functional is a product of one linear form per observed variable."""
        return len(self.observed)

    def denominators(self) -> list[int]:
        return self.arrays.all_denominators

    def degree_and_log_size(self) -> tuple[int, float]:
        """The degree of the coordinates and log₂ of the sum of their absolute coefficients, denominators cleared.

        A coordinate is a sum over hidden states of products of entries: the sum of a hidden variable's row, and the
        greatest entry of an observed variable's, multiply up.

        If there are quotients, these are the numbers to be put in their places in lemma "chance", see lemma "quotients".
        """
        norms = self.arrays.all_norms
        observed = set(self.observed)
        degree, log_size, log_denominator = 0, 0.0, 0.0
        for factor in self.factors:
            row, entry = norms[factor.array]
            log_size += log2(entry if factor.axes[-1] in observed else row)
            quotient = self.arrays[factor.array].quotient
            if quotient is None:
                degree += self.arrays[factor.array].degree
            else:
                common_degree, log_common = quotient.common([axis not in observed for axis in factor.axes])
                degree += common_degree
                log_denominator += log_common
        return (degree, log_size) if self.is_polynomial else (2 * degree, log_size + 2 * log_denominator)

    def share_with_value(self, choices: int) -> float:
        """At least this share of the points, each coordinate uniform among this many values, make no denominator zero."""
        degree = sum(entries.quotient.total_degree for entries in self.arrays if entries.quotient is not None)
        return max(0.0, 1 - degree / choices)


def solve_for_parameters(
    values: Mapping[int, Fraction], equations: Sequence[tuple[dict[int, Fraction], Fraction]], count: int
) -> dict[int, Fraction]:
    """Values of the parameters that are no entries: any that solve the equations, zero where these say nothing."""
    missing = [number for number in range(count) if number not in values]
    rows = [
        [
            *(terms.get(number, Fraction(0)) for number in missing),
            right - sum(c * values.get(n, 0) for n, c in terms.items()),
        ]
        for terms, right in equations
        if not terms.keys() <= values.keys()
    ]
    reduced = reduce_rows_by_flint(rows)
    solved = {missing[column]: Fraction(reduced.matrix[row][-1]) for row, column in reduced.pivots}
    return {number: solved.get(number, Fraction(0)) for number in missing}


MAPS: WeakValueDictionary[tuple[Hashable, ...], ParamMap] = WeakValueDictionary()
"""The maps that are in use, by network (with the labels of states, which equal networks may have others of) and tied tables."""


def get_param_map(model: Network, ties: Network | None = None) -> ParamMap:
    """The map of a discrete network, which is built once as long as it is in use.

    If the model is a part of another one, that is given as ``ties``: a row of a variable outside may tie entry names.

    >>> from algdim.models.notation import parse
    >>> get_param_map(parse("2:2,2")).parameters
    ('P(H=0)', 'P(X1=0|H=0)', 'P(X1=0|H=1)', 'P(X2=0|H=0)', 'P(X2=0|H=1)')
    """
    tables = list_distinct_tables(ties or model)
    key = model, tuple([variable.labels for variable in model.variables]), tables
    found = MAPS.get(key)
    if found is None:
        is_small = count_entries(model) <= FEW_ENTRIES
        known = build_known_map(model, tables) if is_small else build_param_map(model, tables)
        # a map of its own, since what is found of a map is kept with it; all but the model follows from the structure
        found = object.__new__(ParamMap)
        vars(found).update({**vars(known), "model": model})
        MAPS[key] = found
    return found


@lru_cache(KEPT_MAPS)
def build_known_map(model: Network, ties: tuple[NamedTable, ...]) -> ParamMap:
    """The same, built once for models that are met again and again; equal ones may have other labels."""
    found = build_param_map(model, ties)
    _ = found.complete  # counted once for all maps that are made of it
    return found


def build_param_map(model: Network, ties: Sequence[NamedTable]) -> ParamMap:
    """Build a map: variable by variable, its arrays and where they stand."""
    axis = {variable.name: number for number, variable in enumerate(model.variables)}
    builder = Builder(model, Numbering(), solve_names(ties))
    for variable in model.variables:
        if variable.name not in model.given:
            builder.add(variable, (*(axis[parent] for parent in variable.parents), axis[variable.name]))
    return ParamMap(
        model=model,
        parameter_count=builder.numbering.count,
        sizes=(*(variable.states for variable in model.variables), *builder.auxiliary),
        arrays=EntryArrays(builder.arrays),
        factors=tuple(builder.factors),
        observed=tuple(axis[variable.name] for variable in model.observed),
        given=tuple(axis[name] for name in model.given),
        owners=tuple(builder.owners),
        blocks=ParameterBlocks(builder.numbering.blocks),
    )


@lru_cache(KEPT_MODELS)
def count_entries(model: Network) -> int:
    """How many entries all tables have together; more than can be listed are refused."""
    states = model.states
    entries = sum(
        get_local_kind(variable.local.kind).entries(variable.states, [states[parent] for parent in variable.parents])
        for variable in model.variables
        if variable.name not in model.given
    )
    if entries > MOST_ENTRIES:
        raise LimitError(
            f"the tables of the model have {format_integer(entries)} entries; at most {format_integer(MOST_ENTRIES)} are allowed"
        )
    return entries


@lru_cache(KEPT_MODELS)
def list_distinct_tables(model: Network) -> tuple[NamedTable, ...]:
    """The tables with names among their entries, a shared one once."""
    tables: dict[str, NamedTable] = {}
    states = model.states
    for variable in model.variables:
        if isinstance(variable.local, Table) and variable.local.equal:
            named = make_named_table(variable, states)
            tables.setdefault(named.name, named)
    return tuple(tables.values())


def make_named_table(variable: Variable, states: Mapping[str, int]) -> NamedTable:
    """A variable's table with the names that its parameters get; a shared one is named by its share."""
    table = cast("Table", variable.local)
    parents = add_states(variable.parents, states)
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
        get_local_kind(variable.local.kind).add(self, variable, axes)

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
        axes = (*[axis for axis in axes[:-1] if self.sizes[axis] > 1], axes[-1])
        if share is not None and share in self.shares:
            self.factors.append(Factor(axes, self.shares[share]))
            return
        shape = tuple([self.sizes[axis] for axis in axes])
        number = self.add_array(make(shape), axes, variable.name if share is None else share)
        if share is not None:
            self.shares[share] = number
