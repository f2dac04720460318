"""The local map "table": a conditional probability table whose entries are free unless fixed, named or shared."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from algdim.errors import InputError
from algdim.models.words import check_name

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
        for label in sorted({*([self.share] if self.share is not None else []), *(label for _, label in self.equal)}):
            check_name(label, f"the table of {name}")
        cells = [cell for cell, _ in self.fixed] + [cell for cell, _ in self.equal]
        for cell in cells:
            check_cell(cell, name, states, parents)
        for cell, times in Counter(cells).items():
            if times > 1:
                raise InputError(
                    f"{cell_text(cell, name, parents)}: this entry is fixed or named {times} times; once is allowed"
                )
        rows: defaultdict[tuple[int, ...], list[Fraction]] = defaultdict(list)
        for (row, state), value in self.fixed:
            if not 0 <= value <= 1:
                raise InputError(
                    f"{cell_text((row, state), name, parents)} is fixed to {brief(value)}; a probability between 0 and 1 is allowed"
                )
            rows[row].append(value)
        for row, values in rows.items():
            check_row(row, values, name, states, parents)


FREE = Table()
"""The default: every entry is a parameter of its own."""


def with_states(parents: Iterable[str], states: Mapping[str, int]) -> Parents:
    """The parents with their numbers of states."""
    return tuple((parent, states[parent]) for parent in parents)


def check_cell(cell: Cell, name: str, states: int, parents: Parents) -> None:
    """Raise unless the entry exists."""
    row, state = cell
    if len(row) != len(parents):
        expected = ", ".join(parent for parent, _ in parents) or "no parents"
        raise InputError(f"an entry of {name} names {len(row)} parent states; the parents of {name} are: {expected}")
    for (parent, count), value in zip((*parents, (name, states)), (*row, state), strict=True):
        if not 0 <= value < count:
            raise InputError(f"{cell_text(cell, name, parents)}: {parent} has states 0 to {count - 1}, not {value}")


def check_row(row: tuple[int, ...], values: list[Fraction], name: str, states: int, parents: Parents) -> None:
    """Raise unless the fixed entries of one row leave a distribution for the others."""
    total = sum(values, Fraction(0))
    where = f"the row {row_text(row, name, parents)}"
    if len(values) == states and total != 1:
        raise InputError(f"{where} is fixed and sums to {brief(total)}; a fixed row sums to 1")
    if len(values) < states and total > 1:
        raise InputError(f"{where}: its fixed entries sum to {brief(total)}; at most 1 is allowed")
    if len(values) < states - 1 and total == 1:
        raise InputError(f"{where}: its fixed entries sum to 1 already; fix the other entries to 0 too")


def brief(value: Fraction) -> str:
    """Print a value for a message, approximately if it has many digits.

    >>> brief(Fraction(1, 3)), brief(Fraction(10**60 + 1, 3 * 10**60))
    ('1/3', 'about 0.333333')
    """
    digits = max(value.numerator.bit_length(), value.denominator.bit_length())
    if digits <= 100:
        return str(value)
    # beyond the range of floats
    return (
        f"about {float(value):.6g}"
        if value.numerator.bit_length() - value.denominator.bit_length() < 1000
        else "a huge number"
    )


def row_text(row: tuple[int, ...], name: str, parents: Parents) -> str:
    """Print a row of a table.

    >>> row_text((0, 1), "C", (("A", 2), ("B", 2)))
    'P(C|A=0,B=1)'
    """
    given = ",".join(f"{parent}={value}" for (parent, _), value in zip(parents, row, strict=True))
    return f"P({name}|{given})" if parents else f"P({name})"


def cell_text(cell: Cell, name: str, parents: Parents) -> str:
    """Print an entry of a table, as the notation reads it.

    >>> cell_text(((0,), 1), "X1", (("H", 2),))
    'P(X1=1|H=0)'
    """
    row, state = cell
    return row_text(row, f"{name}={state}", parents)
