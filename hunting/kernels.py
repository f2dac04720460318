"""Verma-type equations evaluated as they are printed: products of conditional probabilities, sums, kernels that are named.

    Σ_B P(B|A) P(D|A,B,C) does not depend on A
    [Σ_B P(B|A) P(D|A,B,C)] / [P(C|A)] does not depend on A, for C=0
    Q[A,B](B|A) does not depend on D, where Q[A,B] = Σ_C P(A) P(B|A,C) P(C|A,D)

A function is an array over all observed variables modulo a prime, with the cells in which it has a meaning.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hunting.formulas import UnreadableError

WORD = " does not depend on "
FACTOR = re.compile(
    r"\s*(Σ_(?:\{(?P<many>[^}]*)\}|(?P<one>[A-Za-z0-9_.,]+))\s|(?P<head>P|Q\[[^\]]*\])(?:\((?P<inside>[^()]*)\))?)"
)


class Function(NamedTuple):
    """Values and where there are any, over the grid of all observed variables."""

    values: NDArray[np.int64]
    known: NDArray[np.bool_]


class Table:
    """An observed table modulo a prime, its variables by name."""

    def __init__(self, table: NDArray[np.int64], axes: Sequence[tuple[str, int]], prime: int) -> None:
        self.table, self.names, self.prime = table, [name for name, _ in axes], prime

    def axes(self, names: Sequence[str]) -> tuple[int, ...]:
        """The axes of variables."""
        try:
            return tuple(self.names.index(name) for name in names)
        except ValueError as error:
            raise UnreadableError(str(error)) from None

    def summed(self, values: NDArray[np.int64], names: Sequence[str]) -> NDArray[np.int64]:
        """The sum over variables, over the same grid."""
        total = values.sum(axis=self.axes(names), keepdims=True) % self.prime
        return np.broadcast_to(total, self.table.shape)

    def quotient(self, above: NDArray[np.int64], below: NDArray[np.int64]) -> Function:
        """The quotient where there is one."""
        inverses = np.array(
            [pow(int(value), -1, self.prime) if value else 0 for value in below.ravel()], dtype=np.int64
        )
        return Function(above * inverses.reshape(below.shape) % self.prime, below != 0)

    def conditional(self, whole: Function, of: Sequence[str], given: Sequence[str], inside: Sequence[str]) -> Function:
        """Of a distribution of some variables (that may depend on others) the conditional one."""
        if not set(of) <= set(inside):
            raise UnreadableError(f"{of} within {inside}")
        rest = [name for name in inside if name not in of and name not in given]
        above = self.summed(whole.values, rest)
        below = self.summed(whole.values, [name for name in inside if name not in given])
        found = self.quotient(above, below)
        lost = self.summed((~whole.known).astype(np.int64), [name for name in inside if name not in given]) > 0
        return Function(found.values, found.known & ~lost)


def split_names(text: str) -> list[str]:
    """Names between commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def evaluated(text: str, table: Table, named: Mapping[str, tuple[Function, list[str]]]) -> Function:
    """A product, or a sum over all that follows."""
    everything = Function(np.ones(table.table.shape, dtype=np.int64), np.ones(table.table.shape, dtype=np.bool_))
    found, place = everything, 0
    text = text.strip()
    if text.startswith("["):
        return fraction(text, table, named)
    while place < len(text):
        match = FACTOR.match(text, place)
        if not match:
            raise UnreadableError(f"{text[place:]!r} in {text!r}")
        place = match.end()
        if match["head"] is None:
            inner = evaluated(text[place:], table, named)
            over = split_names(match["many"] or match["one"])
            # terms without a meaning have probability zero and are left out, as one does
            values = table.summed(np.where(inner.known, inner.values, 0), over)
            known = table.summed(inner.known.astype(np.int64), over) > 0
            more = Function(values, known)
            place = len(text)
        else:
            more = factor_of(match["head"], match["inside"], table, named)
        found = Function(found.values * more.values % table.prime, found.known & more.known)
    return found


def fraction(text: str, table: Table, named: Mapping[str, tuple[Function, list[str]]]) -> Function:
    """[one] / [other]."""
    parts, start, depth = [], 0, 0
    for place, sign in enumerate(text):
        depth += (sign == "[") - (sign == "]")
        if sign == "[" and depth == 1 and (not place or text[place - 1] != "Q"):
            start = place + 1
        elif sign == "]" and not depth:
            parts.append((start, place))
    if len(parts) != 2 or parts[1][1] != len(text) - 1 or text[parts[0][1] + 1 : parts[1][0] - 1].strip() != "/":
        raise UnreadableError(text)
    above, below = (evaluated(text[first:last], table, named) for first, last in parts)
    found = table.quotient(above.values, below.values)
    return Function(found.values, found.known & above.known & below.known)


def factor_of(head: str, inside: str | None, table: Table, named: Mapping[str, tuple[Function, list[str]]]) -> Function:
    """A conditional probability, of the observed table or of a kernel."""
    if head == "P":
        whole = Function(table.table, np.ones(table.table.shape, dtype=np.bool_))
        members = list(table.names)
    elif head in named:
        whole, members = named[head]
    else:
        raise UnreadableError(f"{head} is not defined")
    if inside is None:
        return whole
    of, _, given = inside.partition("|")
    if "=" in inside or "∈" in inside:
        raise UnreadableError(inside)
    conditions = split_names(given)
    if head != "P" and not set(conditions) <= set(members):
        conditions = [name for name in conditions if name in members]
    return table.conditional(whole, split_names(of), conditions, members)


def kernels_in(text: str, table: Table) -> dict[str, tuple[Function, list[str]]]:
    """The kernels that are defined, each by those that are defined already."""
    waiting = dict(one.split(" = ", 1) for one in text.split("; ") if one.strip())
    named: dict[str, tuple[Function, list[str]]] = {}
    for _ in range(len(waiting) + 1):
        for name, formula in waiting.items():
            if name.strip() not in named and all(f in named for f in re.findall(r"Q\[[^\]]*\]", formula)):
                members = split_names(name.strip()[2:-1])
                named[name.strip()] = evaluated(formula, table, named), members
    return named


def sides(text: str) -> tuple[str, list[str], str]:
    """The formula, what it does not depend on, and the definitions; what stands behind `for` is in the JSON."""
    statement, _, definitions = text.partition(", for ")[0].partition(", where ")
    formula, word, spare = statement.partition(WORD)
    if not word:
        raise UnreadableError(text)
    return formula, split_names(spare), definitions


def holds(text: str, table: Table, where: Sequence[str] = (), states: Sequence[Sequence[int]] | None = None) -> bool:
    """Whether the equation holds in a table, in all cells in which both sides have a meaning, or in some states of some variables."""
    formula, spare, definitions = sides(text)
    if ", for " in text and states is None:
        raise UnreadableError(text)
    found = evaluated(formula, table, kernels_in(definitions, table))
    if states is not None:
        wanted = np.zeros(table.table.shape, dtype=np.bool_)
        axes = table.axes(where)
        for state in states:
            place: list[Any] = [slice(None)] * wanted.ndim
            for axis, value in zip(axes, state, strict=True):
                place[axis] = value
            wanted[tuple(place)] = True
        found = Function(found.values, found.known & wanted)
    return is_constant(found, table, spare)


def is_constant(found: Function, table: Table, spare: Sequence[str]) -> bool:
    """Whether a function does not depend on some variables."""
    axes = table.axes(spare)
    values = np.moveaxis(found.values, axes, range(len(axes))).reshape(-1, *rest_of(found.values, axes))
    known = np.moveaxis(found.known, axes, range(len(axes))).reshape(-1, *rest_of(found.values, axes))
    least = np.where(known, values, np.iinfo(np.int64).max).min(axis=0)
    most = np.where(known, values, -1).max(axis=0)
    return bool((~known.any(axis=0) | (least == most)).all())


def rest_of(values: NDArray[np.int64], axes: Sequence[int]) -> list[int]:
    """The sizes of the other axes."""
    return [size for axis, size in enumerate(values.shape) if axis not in axes]
