"""The tables of a network as polynomials in its parameters, and networks in which hidden variables are summed into their children.

What is no polynomial, an entry of a sigmoid variable or of a classifier, is an unknown of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import product
from math import prod

import numpy as np

from algdim.exact.arithmetic import make_rationals
from algdim.families.discrete.locals.contract import Affine, Entries
from algdim.families.discrete.locals.function import AtLeast, Deterministic, Maximum, Parity, StateSum, get_chain_rule
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.map import ParamMap
from algdim.families.discrete.model import Local
from algdim.rank import make_object_array

MOST_ENTRIES = 1 << 16
"""Tables of functions of parents are written out up to this size."""
MOST_COMPOSED = 1 << 12
"""This many entries, and terms of one entry, has a table that something was summed into."""

Form = tuple[tuple[tuple[int, ...], Fraction], ...]
"""A polynomial: products of unknowns (their numbers, in order) with coefficients that are not 0, in order."""


def make_form(terms: Mapping[tuple[int, ...], Fraction]) -> Form:
    """The polynomial with these terms."""
    return tuple(sorted((product, factor) for product, factor in terms.items() if factor))


def make_constant(value: int | Fraction) -> Form:
    """A number.

    >>> make_constant(0), make_constant(2)
    ((), (((), Fraction(2, 1)),))
    """
    return make_form({(): Fraction(value)})


def evaluate_form(one: Form, values: Sequence[Fraction]) -> Fraction:
    """The value where the unknowns have these values."""
    return sum(
        (factor * prod((values[n] for n in unknowns), start=Fraction(1)) for unknowns, factor in one), Fraction(0)
    )


def add_forms(forms: Iterable[Form]) -> Form:
    """The sum."""
    terms: dict[tuple[int, ...], Fraction] = {}
    for one in forms:
        for unknowns, factor in one:
            terms[unknowns] = terms.get(unknowns, Fraction(0)) + factor
    return make_form(terms)


def multiply_forms(one: Form, other: Form) -> Form:
    """The product.

    >>> x, y = (((1,), Fraction(1)),), (((0,), Fraction(2)),)
    >>> multiply_forms(x, y)
    (((0, 1), Fraction(2, 1)),)
    """
    return add_forms(
        (((tuple(sorted((*mine, *theirs))), factor * scale)),) for mine, factor in one for theirs, scale in other
    )


@dataclass(frozen=True, slots=True)
class TablePiece:
    """A variable with its table, row by row; ``None`` if that is not known as polynomials, or if it is conditioned on.

    ``merged`` are the variables that were put together in it.
    """

    name: str
    states: int
    observed: bool
    parents: tuple[str, ...]
    local: Local
    table: tuple[Form, ...] | None
    merged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TableSource:
    """A network as pieces, the tables inside its classifiers, and where unknowns beyond the parameters come from."""

    pmap: ParamMap
    pieces: Mapping[str, TablePiece]
    inside: Mapping[str, tuple[Form, ...]]
    further: tuple[tuple[Entries, int], ...]

    def values(self, point: Sequence[Fraction]) -> list[Fraction]:
        """The values of all unknowns at values of the parameters."""
        found = [Fraction(value) for value in point]
        elements = make_rationals().elements(make_object_array(list(point)))
        known: dict[int, list[Fraction]] = {}
        for entries, number in self.further:
            if id(entries) not in known:
                known[id(entries)] = [
                    Fraction(int(v.numerator), int(v.denominator))
                    for v in entries.values(make_rationals(), elements).flat
                ]
            found.append(known[id(entries)][number])
        return found

    def children(self, name: str) -> list[TablePiece]:
        """The variables that have this parent."""
        return [piece for piece in self.pieces.values() if name in piece.parents]

    @property
    def hidden(self) -> list[str]:
        """The names of the hidden variables."""
        return [piece.name for piece in self.pieces.values() if not piece.observed]


def build_table_source(pmap: ParamMap) -> TableSource:
    """The pieces of a network."""
    model = pmap.model
    states = model.states
    known: dict[str, tuple[Form, ...]] = {}
    further: list[tuple[Entries, int]] = []
    for owner, entries in zip(pmap.owners, pmap.arrays, strict=True):
        if isinstance(entries, Affine):
            known[owner] = make_affine_forms(entries)
        elif owner not in known:
            known[owner] = make_opaque_forms(entries, len(pmap.parameters), further)
    inside = {
        key: make_affine_forms(entries)
        for key, entries in pmap.iterate_keyed_entries()
        if key not in known and isinstance(entries, Affine)
    }

    pieces = {}
    for variable in model.variables:
        sizes = [states[parent] for parent in variable.parents]
        table: tuple[Form, ...] | None
        if variable.name in model.given:
            table = None
        elif isinstance(variable.local, Deterministic):
            table = make_function_forms(variable.local, sizes, variable.states)
        else:
            table = known[variable.local.share or variable.name]
        pieces[variable.name] = TablePiece(
            variable.name, variable.states, variable.observed, variable.parents, variable.local, table
        )
    return TableSource(pmap, pieces, inside, tuple(further))


def make_affine_forms(entries: Affine) -> tuple[Form, ...]:
    """The entries of a table, row by row."""
    terms: list[dict[tuple[int, ...], Fraction]] = [
        {(): Fraction(value)} for value in np.asarray(entries.constants, dtype=object).ravel()
    ]
    coefficients = np.asarray(entries.coefficient, dtype=object)  # no numbers of numpy inside fractions
    for entry, parameter, factor in zip(entries.entry, entries.parameter, coefficients, strict=True):
        key = (int(parameter),)
        terms[entry][key] = terms[entry].get(key, Fraction(0)) + Fraction(factor)
    return tuple(map(make_form, terms))


def make_opaque_forms(entries: Entries, parameters: int, further: list[tuple[Entries, int]]) -> tuple[Form, ...]:
    """An unknown for every entry but the last of a row, which is 1 minus the others."""
    found: list[Form] = []
    own = entries.shape[-1]
    for row in range(prod(entries.shape[:-1])):
        rest = make_constant(1)
        for state in range(own - 1):
            number = parameters + len(further)
            further.append((entries, row * own + state))
            found.append((((number,), Fraction(1)),))
            rest = add_forms([rest, (((number,), Fraction(-1)),)])
        found.append(rest)
    return tuple(found)


def make_function_forms(rule: Deterministic, sizes: Sequence[int], states: int) -> tuple[Form, ...] | None:
    """The zeros and ones of a function of parents; ``None`` if they are too many."""
    if prod(sizes) * states > MOST_ENTRIES:
        return None
    zero, one = make_constant(0), make_constant(1)
    rows = (evaluate_rule(rule, row) for row in product(*map(range, sizes)))
    return tuple(one if state == found else zero for found in rows for state in range(states))


def evaluate_rule(rule: Deterministic, row: Sequence[int]) -> int:
    """The value of a function of parents.

    >>> from algdim.families.discrete.locals.function import AtLeast, StateSum
    >>> evaluate_rule(StateSum(), (1, 2, 1)), evaluate_rule(AtLeast(2), (1, 0, 0))
    (4, 0)
    """
    following, last = get_chain_rule(rule)
    return int(last(np.asarray(reduce(following, row))))


def iterate_rows(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All rows, the first axis slowest."""
    return product(*map(range, sizes))


def compute_row_number(row: Sequence[int], sizes: Sequence[int]) -> int:
    """The number of a row."""
    place = 0
    for state, size in zip(row, sizes, strict=True):
        place = place * size + state
    return place


def eliminate_into_child(source: TableSource, name: str) -> TableSource | None:
    """The network in which a hidden variable with one child or none is summed out; ``None`` if it has more, or tables get too large."""
    gone, children = source.pieces[name], source.children(name)
    if gone.observed or gone.table is None or len(children) > 1:
        return None
    if not children:
        return replace(source, pieces={one.name: one for one in source.pieces.values() if one.name != name})
    child, before = children[0], children[0].table
    if before is None:
        return None
    kept = tuple(parent for parent in child.parents if parent != name)
    parents = (*kept, *(parent for parent in gone.parents if parent not in kept))
    states = {piece.name: piece.states for piece in source.pieces.values()}
    sizes = [states[parent] for parent in parents]
    if prod(sizes) * child.states > MOST_COMPOSED:
        return None
    child_sizes, gone_sizes = ([states[parent] for parent in one.parents] for one in (child, gone))
    table: list[Form] = []
    for row in iterate_rows(sizes):
        at = dict(zip(parents, row, strict=True))
        start = compute_row_number([at[parent] for parent in gone.parents], gone_sizes) * gone.states
        weights = gone.table[start : start + gone.states]
        starts = [
            compute_row_number([{**at, name: state}[parent] for parent in child.parents], child_sizes) * child.states
            for state in range(gone.states)
        ]
        for own in range(child.states):
            table.append(
                add_forms(
                    multiply_forms(weight, before[start + own]) for weight, start in zip(weights, starts, strict=True)
                )
            )
            if len(table[-1]) > MOST_COMPOSED:
                return None
    pieces = {one.name: one for one in source.pieces.values() if one.name != name}
    pieces[child.name] = replace(child, parents=parents, local=FREE, table=tuple(table))
    return replace(source, pieces=pieces)


OPERATIONS: Mapping[str, Callable[[int], Deterministic]] = {
    "max": lambda count: Maximum(),  # noqa: ARG005 - the same for any number of parents
    "sum": lambda count: StateSum(),  # noqa: ARG005
    "parity": lambda count: Parity(),  # noqa: ARG005
    "and": AtLeast,
}
"""The associative functions of parents, by their number; a further parent in state 0, of "and" in state 1, changes nothing."""


def identify_operations(local: Local, count: int) -> set[str]:
    """Which functions a rule is of this many parents: at least 1 is a maximum, at least all "and", and of one parent all are its copy.

    >>> sorted(identify_operations(AtLeast(2), 2)), sorted(identify_operations(AtLeast(1), 3))
    (['and', 'at-least 2'], ['at-least 1', 'max'])
    """
    if not isinstance(local, Deterministic):
        return set()
    if count == 1:
        return {*OPERATIONS, "at-least 1"}
    if not isinstance(local, AtLeast):
        return {local.kind}
    return {f"at-least {local.n}", *(["max"] if local.n == 1 else []), *(["and"] if local.n == count else [])}


def group_parents(
    source: TableSource, name: str, operation: str, members: Sequence[str], effect: str
) -> TableSource | None:
    """The network in which some parents of an effect act on it through a function of theirs, then summed into that.

    The effect is the same function of what is left; the functions are associative.
    """
    states = [source.pieces[member].states for member in members]
    rule = OPERATIONS[operation](len(members))
    count = rule.states(states)
    pieces = dict(source.pieces)
    old = pieces[effect]
    parents = (name, *(parent for parent in old.parents if parent not in members))
    merged = tuple(one for member in members for one in pieces[member].merged or (member,))
    pieces[name] = TablePiece(
        name, count, False, tuple(members), rule, make_function_forms(rule, states, count), merged
    )
    left = OPERATIONS[operation](len(parents))
    sizes = [pieces[parent].states for parent in parents]
    pieces[effect] = replace(old, parents=parents, local=left, table=make_function_forms(left, sizes, old.states))
    found: TableSource | None = replace(source, pieces=pieces)
    for member in members:
        found = None if found is None else eliminate_into_child(found, member)
    return found


def move_table_to_hidden(source: TableSource, name: str, effect: str) -> TableSource:
    """The network in which a hidden variable has an effect's table, and the effect is its copy."""
    pieces = dict(source.pieces)
    old = pieces[effect]
    pieces[name] = replace(old, name=name, observed=False)
    pieces[effect] = replace(
        old, parents=(name,), local=Maximum(), table=make_function_forms(Maximum(), [old.states], old.states)
    )
    return replace(source, pieces=pieces)
