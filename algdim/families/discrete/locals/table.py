"""The local map "table": a conditional probability table whose entries are free unless fixed, named or shared.

Free entries are parameters, but the last of a row, which is 1 − the others. Entries may be fixed to a number or equal by name.
A row in which every entry is fixed or named ties names together; such ties are solved once for the whole model
(`solve_names`), so that every entry is affine in the free parameters.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product, takewhile
from math import prod
from typing import Any, ClassVar, NamedTuple

import numpy as np

from algdim.errors import InputError, LimitError, join_names
from algdim.families.discrete.locals.contract import Affine, Numbers
from algdim.figures import format_value
from algdim.maps import PROBABILITY, Parameter, make_named_parameter
from algdim.models.tokens import check_name

Cell = tuple[tuple[int, ...], int]
"""One entry of a table: the states of the parents, in the order of the edges, and the variable's own state."""

Parents = tuple[tuple[str, int], ...]
"""The parents of a variable with their numbers of states."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of free entries; every row sums to 1.

    ``share`` is the name under which several variables use one and the same table. ``fixed`` gives entries a
    constant value. ``equal`` gives entries a name: entries of the same name, in whatever table, are equal.
    """

    kind: ClassVar[str] = "table"

    share: str | None = None
    fixed: tuple[tuple[Cell, Fraction], ...] = ()
    equal: tuple[tuple[Cell, str], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "fixed", tuple(sorted(self.fixed)))
        object.__setattr__(self, "equal", tuple(sorted(self.equal)))

    @property
    def is_free(self) -> bool:
        """No entry is fixed, named or shared."""
        return self == FREE

    def check(self, name: str, states: int, parents: Parents) -> None:
        """Raise unless every special entry exists, stands once, and every row can be a distribution."""
        if self is FREE:
            return
        for label in sorted({*([self.share] if self.share is not None else []), *(label for _, label in self.equal)}):
            check_name(label, f"the table of {name}")
        cells = [cell for cell, _ in self.fixed] + [cell for cell, _ in self.equal]
        for cell in cells:
            check_cell(cell, name, states, parents)
        for cell, times in Counter(cells).items():
            if times > 1:
                raise InputError(
                    f"{format_cell(cell, name, parents)}: this entry is fixed or named {times} times; once is allowed"
                )
        rows: defaultdict[tuple[int, ...], list[Fraction]] = defaultdict(list)
        for (row, state), value in self.fixed:
            if not 0 <= value <= 1:
                raise InputError(
                    f"{format_cell((row, state), name, parents)} is fixed to {format_value(value)}; a probability between 0 and 1 is allowed"
                )
            rows[row].append(value)
        for row, values in rows.items():
            check_row(row, values, name, states, parents)


FREE = Table()
"""The default: every entry is a parameter of its own."""


def add_states(parents: Iterable[str], states: Mapping[str, int]) -> Parents:
    """The parents with their numbers of states."""
    return tuple([(parent, states[parent]) for parent in parents])


def check_cell(cell: Cell, name: str, states: int, parents: Parents) -> None:
    """Raise unless the entry exists."""
    row, state = cell
    if len(row) != len(parents):
        expected = ", ".join(parent for parent, _ in parents) or "no parents"
        raise InputError(f"an entry of {name} names {len(row)} parent states; the parents of {name} are: {expected}")
    for (parent, count), value in zip((*parents, (name, states)), (*row, state), strict=True):
        if not 0 <= value < count:
            raise InputError(f"{format_cell(cell, name, parents)}: {parent} has states 0 to {count - 1}, not {value}")


def check_row(row: tuple[int, ...], values: list[Fraction], name: str, states: int, parents: Parents) -> None:
    """Raise unless the fixed entries of one row leave a distribution for the others."""
    total = sum(values, Fraction(0))
    where = f"the row {format_row(row, name, parents)}"
    if len(values) == states and total != 1:
        raise InputError(f"{where} is fixed and sums to {format_value(total)}; a fixed row sums to 1")
    if len(values) < states and total > 1:
        raise InputError(f"{where}: its fixed entries sum to {format_value(total)}; at most 1 is allowed")
    if len(values) < states - 1 and total == 1:
        raise InputError(f"{where}: its fixed entries sum to 1 already; fix the other entries to 0 too")


def format_row(row: tuple[int, ...], name: str, parents: Parents) -> str:
    """Print a row of a table.

    >>> format_row((0, 1), "C", (("A", 2), ("B", 2)))
    'P(C|A=0,B=1)'
    """
    given = ",".join(f"{parent}={value}" for (parent, _), value in zip(parents, row, strict=True))
    return f"P({name}|{given})" if parents else f"P({name})"


def format_cell(cell: Cell, name: str, parents: Parents) -> str:
    """Print an entry of a table, as the notation reads it.

    >>> format_cell(((0,), 1), "X1", (("H", 2),))
    'P(X1=1|H=0)'
    """
    row, state = cell
    return format_row(row, f"{name}={state}", parents)


MOST_NAMES = 120
MOST_TIES = 4_000_000

Expression = tuple[Fraction, tuple[tuple[str, Fraction], ...]]
"""A constant and the coefficients of names."""

Term = str | int
"""A name of equal entries, or the state of a free entry of the same row."""

InRow = tuple[Fraction, tuple[tuple[Term, Fraction], ...]]
"""A constant and the coefficients of names and of free entries of a row."""


class NamedTable(NamedTuple):
    """A table with the names that its printed entries use."""

    name: str
    states: int
    parents: Parents
    table: Table


def make_free_table(shape: tuple[int, ...], first: int) -> Affine:
    """A table of free entries whose parameters are numbered from ``first``, row by row."""
    rows, states = prod(shape[:-1]), shape[-1]
    made = (make_known_rows if rows * states <= KEPT_ENTRIES else make_free_rows)(rows, states)
    return Affine(shape, made.constants, made.entry, made.parameter + first, made.coefficient)


KEPT_ENTRIES, KEPT_SHAPES = 1 << 10, 1 << 8
"""Of tables with no more entries those of the last so many shapes are kept: small models have them again and again."""


def make_free_rows(rows: int, states: int) -> Affine:
    """The rows of a free table, its parameters numbered from 0."""
    constants = np.zeros((rows, states), dtype=np.int64)
    constants[:, -1] = 1
    parameter = np.arange(rows * (states - 1), dtype=np.intp)
    entry = np.arange(rows * states, dtype=np.intp).reshape(rows, states)
    return Affine(
        shape=(rows, states),
        constants=constants.ravel(),
        entry=np.concatenate([entry[:, :-1].ravel(), np.repeat(entry[:, -1], states - 1)]),
        parameter=np.concatenate([parameter, parameter]),
        coefficient=np.repeat(np.array([1, -1], dtype=np.int64), parameter.size),
    )


@lru_cache(KEPT_SHAPES)
def make_known_rows(rows: int, states: int) -> Affine:
    """The same, made once; nobody may write into what several tables share."""
    made = make_free_rows(rows, states)
    for array in (made.constants, made.entry, made.coefficient):
        array.flags.writeable = False
    return made


@dataclass(frozen=True, slots=True)
class TableParameters:
    """The parameters that a table brings in, in order; each is made when it is asked for.

    They are the free entries of each row but the last, and names where the table is the first that uses them: ``labels``, by
    their places among the others.
    """

    table: NamedTable
    labels: Mapping[int, str]

    def __iter__(self) -> Iterator[Parameter]:
        """One after the other."""
        return self.with_labels() if self.labels else self.entries()

    def with_labels(self) -> Iterator[Parameter]:
        """The free entries, and names in their places between them."""
        entries, place = self.entries(), 0
        while True:
            one = make_named_parameter(self.labels[place]) if place in self.labels else next(entries, None)
            if one is None:
                return
            yield one
            place += 1

    def entries(self) -> Iterator[Parameter]:
        """The free entries of each row but the last."""
        whole, special = self.table, self.table.table
        taken: set[Cell] = {cell for cell, _ in (*special.fixed, *special.equal)}
        names, owners = [name for name, _ in whole.parents], (whole.name,)
        states = [(state,) for state in range(whole.states)]
        chosen = states[:-1]
        for row in product(*(range(count) for _, count in whole.parents)):
            given = tuple(zip(names, row, strict=True))
            if taken:
                chosen = [own for own in states if (row, own[0]) not in taken][:-1]
            for own in chosen:
                yield Parameter(PROBABILITY, owners, own, given)


class Numbering:
    """Numbers parameters in order of first use; ``blocks`` make the records of all of them, when they are asked for."""

    def __init__(self) -> None:
        self.count = 0
        self.labels: dict[str, int] = {}
        self.blocks: list[Iterable[Parameter]] = []

    def extend(self, block: Iterable[Parameter], count: int) -> int:
        """Number new parameters in a row and return the first number."""
        self.blocks.append(block)
        self.count += count
        return self.count - count

    def cells(self, table: NamedTable) -> int:
        """Number the parameters of a table of free entries and return the first number."""
        return self.extend(TableParameters(table, {}), prod(states for _, states in table.parents) * (table.states - 1))

    def new(self) -> int:
        """The number of a further parameter, of a block that is yet to come."""
        self.count += 1
        return self.count - 1

    def of_label(self, label: str) -> int:
        """The number of a name, a new one at its first use."""
        if label not in self.labels:
            self.labels[label] = self.new()
        return self.labels[label]

    def labels_from(self, first: int) -> dict[int, str]:
        """The names that have been numbered from there on, by their places behind it."""
        latest = takewhile(lambda item: item[1] >= first, reversed(self.labels.items()))
        return {number - first: label for label, number in latest}


def make_special_table(
    named: NamedTable, shape: tuple[int, ...], names: Mapping[str, Expression], numbering: Numbering
) -> Affine:
    """A table with fixed or named entries."""
    first = numbering.count
    constants: list[Fraction] = []
    terms: list[tuple[int, int, Fraction]] = []
    for row in product(*(range(states) for _, states in named.parents)):
        free: dict[int, int] = {}
        for expression in build_row_expressions(row, named, names):
            number = len(constants)
            constants.append(expression[0])
            for term, coefficient in expression[1]:
                if isinstance(term, str):
                    parameter = numbering.of_label(term)
                elif term in free:
                    parameter = free[term]
                else:
                    parameter = free[term] = numbering.new()
                terms.append((number, parameter, coefficient))
    numbering.blocks.append(TableParameters(named, numbering.labels_from(first)))
    return Affine(
        shape=shape,
        constants=convert_to_array(constants),
        entry=np.array([term[0] for term in terms], dtype=np.intp),
        parameter=np.array([term[1] for term in terms], dtype=np.intp),
        coefficient=convert_to_array([term[2] for term in terms]),
    )


def build_row_expressions(row: tuple[int, ...], named: NamedTable, names: Mapping[str, Expression]) -> list[InRow]:
    """The entries of one row: fixed, named, free, and the last free one as 1 − the others."""
    fixed, equal = dict(named.table.fixed), dict(named.table.equal)
    result: list[InRow | None] = []
    for state in range(named.states):
        cell = (row, state)
        if cell in fixed:
            result.append((fixed[cell], ()))
        elif cell in equal:
            result.append(names[equal[cell]])
        else:
            result.append(None)
    free = [state for state, expression in enumerate(result) if expression is None]
    for state in free[:-1]:
        result[state] = (Fraction(0), ((state, Fraction(1)),))
    if free:
        result[free[-1]] = compute_complement(expression for expression in result if expression is not None)
    return [expression for expression in result if expression is not None]


def compute_complement(expressions: Iterable[InRow]) -> InRow:
    """One minus a sum of expressions."""
    constant, coefficients = Fraction(1), dict[Term, Fraction]()
    for value, terms in expressions:
        constant -= value
        for name, coefficient in terms:
            coefficients[name] = coefficients.get(name, Fraction(0)) - coefficient
    return constant, tuple((name, coefficient) for name, coefficient in coefficients.items() if coefficient)


def convert_to_array(values: Sequence[Fraction]) -> Numbers:
    """Exact numbers as an array: int64 if all are small integers, otherwise objects."""
    if all(value.denominator == 1 and abs(value.numerator) < 1 << 31 for value in values):
        return np.array([int(value) for value in values], dtype=np.int64)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def solve_names(tables: Sequence[NamedTable]) -> dict[str, Expression]:
    """Express the entry names of all tables by the free ones among them.

    A row whose entries are all fixed or named says that the named ones add up to 1 − the fixed ones.
    """
    order: dict[str, int] = {}
    ties: dict[tuple[tuple[tuple[str, int], ...], Fraction], str] = {}
    room: list[tuple[dict[str, int], Fraction]] = []
    for named in tables:
        for place, labels, rest, is_tied in collect_named_rows(named):
            for label in labels:
                order.setdefault(label, len(order))
            if is_tied:
                ties.setdefault((tuple(sorted(labels.items())), rest), place)
            else:
                room.append((labels, rest))
    if not ties:
        check_room_for_small_values(room)
        return {label: (Fraction(0), ((label, Fraction(1)),)) for label in order}
    return solve_ties(list(order), ties, room)


def collect_named_rows(named: NamedTable) -> list[tuple[str, dict[str, int], Fraction, bool]]:
    """The rows with names: the place, how often each name occurs, 1 − the fixed entries, whether no entry is free."""
    rows: dict[tuple[int, ...], tuple[dict[str, int], Fraction, int]] = {}
    for (row, _), label in named.table.equal:
        labels, rest, left = rows.get(row, ({}, Fraction(1), named.states))
        labels[label] = labels.get(label, 0) + 1
        rows[row] = (labels, rest, left - 1)
    for (row, _), value in named.table.fixed:
        if row in rows:
            labels, rest, left = rows[row]
            rows[row] = (labels, rest - value, left - 1)
    return [
        (format_row(row, named.name, named.parents), labels, rest, left == 0)
        for row, (labels, rest, left) in sorted(rows.items())
    ]


def check_room_for_small_values(room: Sequence[tuple[dict[str, int], Fraction]]) -> None:
    """Without ties all names may be tiny, so a row with names needs only something left beside its fixed entries."""
    for labels, rest in room:
        if rest <= 0:
            raise InputError(
                f"the entries named {join_names(labels)} are in a row whose fixed entries sum to 1; nothing is left for them"
            )


def solve_ties(
    labels: list[str],
    ties: Mapping[tuple[tuple[tuple[str, int], ...], Fraction], str],
    room: Sequence[tuple[dict[str, int], Fraction]],
) -> dict[str, Expression]:
    """Solve the ties; later names are expressed by earlier ones."""
    from algdim.exact.flint import reduce_rows_by_flint

    columns = labels[::-1]
    if len(ties) * len(columns) > MOST_TIES:
        raise LimitError(
            f"{len(ties)} rows tie {len(columns)} entry names; at most {MOST_TIES} rows times names are solved"
        )
    rows = [[*(Fraction(dict(tie).get(label, 0)) for label in columns), rest] for tie, rest in ties]
    reduced = reduce_rows_by_flint(rows)
    solved: dict[str, Expression] = {}
    for row, column in reduced.pivots:
        if column == len(columns):
            raise InputError(
                f"the named entries contradict each other in {join_names(ties.values())}; rows must be able to sum to 1"
            )
        line = reduced.matrix[row]
        terms = tuple((columns[k], -line[k]) for k in range(len(columns)) if k != column and line[k] != 0)
        solved[columns[column]] = (Fraction(line[len(columns)]), terms)
    result = {label: solved.get(label, (Fraction(0), ((label, Fraction(1)),))) for label in labels}
    if not is_positive(make_even_values(labels, ties, room), result, room):
        check_interior(result, ties, room)
    return result


def make_even_values(
    labels: Sequence[str],
    ties: Mapping[tuple[tuple[tuple[str, int], ...], Fraction], str],
    room: Sequence[tuple[dict[str, int], Fraction]],
) -> dict[str, Fraction]:
    """Values that share out each row evenly, a guess that mostly fits."""
    values = dict.fromkeys(labels, Fraction(1))
    for counts, rest, left in (*((dict(tie), rest, 0) for tie, rest in ties), *((c, rest, 1) for c, rest in room)):
        share = rest / (sum(counts.values()) + left)
        for label in counts:
            values[label] = min(values[label], share)
    return values


def is_positive(
    values: Mapping[str, Fraction],
    names: Mapping[str, Expression],
    room: Sequence[tuple[dict[str, int], Fraction]],
) -> bool:
    """Whether every named and every free entry is positive if the free names have these values."""
    found = {
        label: constant + sum((c * values[name] for name, c in terms), Fraction(0))
        for label, (constant, terms) in names.items()
    }
    left = (rest - sum((count * found[label] for label, count in counts.items()), Fraction(0)) for counts, rest in room)
    return all(value > 0 for value in found.values()) and all(value > 0 for value in left)


def check_interior(
    names: Mapping[str, Expression],
    ties: Mapping[tuple[tuple[tuple[str, int], ...], Fraction], str],
    room: Sequence[tuple[dict[str, int], Fraction]],
) -> None:
    """Raise unless some values make every named and every free entry positive (an exact linear program)."""
    from sympy import Rational, Symbol
    from sympy.solvers.simplex import InfeasibleLPError, UnboundedLPError, lpmax

    if len(names) > MOST_NAMES:
        raise LimitError(
            f"{len(names)} entry names are tied in a way that needs a linear program; at most {MOST_NAMES} are allowed; name fewer"
        )
    least = Symbol("least")
    symbols = {label: Symbol(f"x{number}") for number, label in enumerate(names)}

    def symbolic(expression: Expression) -> Any:
        terms = (Rational(c.numerator, c.denominator) * symbols[label] for label, c in expression[1])
        return sum(terms, Rational(expression[0].numerator, expression[0].denominator))

    values = {label: symbolic(expression) for label, expression in names.items()}
    limits = [value >= least for value in values.values()]
    for labels, rest in room:
        used = sum(count * values[label] for label, count in labels.items())
        limits.append(Rational(rest.numerator, rest.denominator) - used >= least)
    try:
        best = lpmax(least, [*limits, least <= 1])[0]
    except (InfeasibleLPError, UnboundedLPError):
        best = Rational(-1)
    if best <= 0:
        raise InputError(
            f"no positive values fit the named entries of {join_names(ties.values())}; "
            "name fewer entries, or fix to 0 those that must vanish"
        )
