"""Counting what mechanisms can do together (lemma "mechanisms" in proofs/lemmas.md).

Let E be a function of hidden variables X₁, …, X_m whose only child it is. If E is their maximum, then for every state e
P(E ≤ e | causes) = ∏ P(X_i ≤ e | causes of X_i) (MH97 §3.1); a parity, an "or" and an "and" have such products too. The
tables of the X_i are seen only through them, and the numbers that the products can have are fewer than the parameters: a
factor can be moved from one mechanism to another where they have causes in common. What is left is the rank of a matrix
of exponents, zeros and ones: log P(E ≤ e | c) is a sum of functions of some of the causes each, as in a loglinear model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod

import numpy as np

from algdim.bound.bounds import UPPER, Bound, prove_bound
from algdim.errors import join_names
from algdim.exact.flint import rank_of_integers
from algdim.families.discrete.locals.contract import Affine
from algdim.families.discrete.locals.function import AtLeast, Maximum, Parity
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.map import ParamMap
from algdim.families.discrete.model import Variable
from algdim.figures import format_count

MECHANISMS = "mechanisms"
MOST_ROWS = 256
"""Mechanisms with more rows in their tables are left out."""

MOST_EXPONENTS = 1 << 22
"""Effects with a larger matrix of exponents are left out."""

Form = tuple[Fraction, tuple[tuple[int, Fraction], ...]]
"""A constant and the coefficients of parameters."""

Level = Callable[[Sequence[Form]], Form]
"""The factor of one mechanism, from the entries of a row."""

Monomial = tuple[tuple[int, int], ...]
"""Axes with a state that is not 0: the function that is 1 where the variables have these states."""


@dataclass(frozen=True, slots=True)
class Together:
    """The mechanisms of an effect, how many parameters they have, and through how many numbers these are seen."""

    effect: str
    mechanisms: tuple[str, ...]
    parameters: int
    numbers: int


def bound_by_mechanisms(pmap: ParamMap) -> Bound | None:
    """All parameters, those of mechanisms counted by what they can do together; ``None`` if that saves nothing."""
    saving = [one for one in iterate_product_effects(pmap) if one.numbers < one.parameters]
    if not saving:
        return None
    total = len(pmap.parameters)
    value = total - sum(one.parameters - one.numbers for one in saving)
    shown = "; ".join(
        f"the {one.parameters} of {join_names(one.mechanisms)} act through {format_count(one.numbers, 'number')}"
        for one in saving[:4]
    )
    more = f"; … ({len(saving)} effects)" if len(saving) > 4 else ""
    reason = f"{format_count(total, 'parameter')}; {shown}{more}"
    evidence = {"effects": [[one.effect, list(one.mechanisms), one.parameters, one.numbers] for one in saving]}
    return prove_bound(value, UPPER, MECHANISMS, reason, "mechanisms", evidence=evidence)


def iterate_product_effects(pmap: ParamMap) -> Iterator[Together]:
    """What is known of every effect with a rule that has products."""
    model = pmap.model
    children: dict[str, list[str]] = {variable.name: [] for variable in model.variables}
    for parent, child in model.edges:
        children[parent].append(child)
    by_name = {variable.name: variable for variable in model.variables}
    tables = collect_own_tables(pmap)
    for variable in model.variables:
        levels = list_levels(variable)
        if not levels or is_nested_mechanism(variable, by_name, children):
            continue
        names = [
            one.name
            for one in expand_parents(variable, by_name, children)
            if one.name in tables and not one.observed and len(children[one.name]) == 1
        ]
        names = [name for name in names if prod(tables[name][1].shape[:-1]) <= MOST_ROWS]
        inside = select_exclusive_mechanisms(names, pmap, tables)
        names = [name for name in names if name in inside]
        parameters = {number for name in names for number in tables[name][1].parameter.tolist()}
        numbers = rank_exponents([tables[name] for name in names], levels) if parameters else None
        if numbers is not None:
            yield Together(variable.name, tuple(names), len(parameters), numbers)


def collect_own_tables(pmap: ParamMap) -> dict[str, tuple[tuple[int, ...], Affine]]:
    """The axes of the parents and the entries of every variable that has a table."""
    found = {}
    for factor in pmap.factors:
        entries = pmap.arrays[factor.array]
        own = factor.axes[-1]
        if own < len(pmap.model.variables) and isinstance(entries, Affine):
            variable = pmap.model.variables[own]
            if isinstance(variable.local, Table):
                found[variable.name] = (factor.axes[:-1], entries)
    return found


def select_exclusive_mechanisms(
    names: Sequence[str], pmap: ParamMap, tables: dict[str, tuple[tuple[int, ...], Affine]]
) -> set[str]:
    """The mechanisms none of whose parameters occurs outside of their tables; what is left out is outside for the others."""
    axis = {variable.name: number for number, variable in enumerate(pmap.model.variables)}
    mine, found = set[int](), set(names)
    while len(mine) != len(found):
        mine = {axis[name] for name in found}
        outside: set[int] = set()
        for factor in pmap.factors:
            if factor.axes[-1] not in mine:
                entries = pmap.arrays[factor.array]
                if not isinstance(entries, Affine):
                    return set()  # nothing is known of the parameters of other local maps
                outside.update(entries.parameter.tolist())
        found = {name for name in found if outside.isdisjoint(tables[name][1].parameter.tolist())}
    return found


def is_nested_mechanism(variable: Variable, by_name: dict[str, Variable], children: dict[str, list[str]]) -> bool:
    """Whether this is a mechanism variable of an effect with the same rule, which is then looked at instead."""
    return any(
        variable in expand_parents(by_name[child], by_name, children, inner=True) for child in children[variable.name]
    )


def expand_parents(
    variable: Variable, by_name: dict[str, Variable], children: dict[str, list[str]], *, inner: bool = False
) -> list[Variable]:
    """The parents; in the place of a hidden one with the same rule and no other child its own parents.

    With ``inner`` those that were replaced. A maximum of maxima is a maximum, and a parity of parities a parity.
    """
    parents, replaced = [], []
    for name in variable.parents:
        parent = by_name[name]
        same = isinstance(parent.local, Maximum | Parity) and parent.local == variable.local
        if same and not parent.observed and children[name] == [variable.name]:
            replaced.append(parent)
            parents += expand_parents(parent, by_name, children)
        else:
            parents.append(parent)
    return replaced if inner else parents


def list_levels(variable: Variable) -> list[Level]:
    """For each product that determines the effect the factor of a mechanism; none if the rule has no products."""
    match variable.local:
        case Maximum():
            return [partial(add_states_up_to, e) for e in range(variable.states - 1)]
        case Parity():
            return [lambda row: add_forms([row[0], scale_form(row[1], Fraction(-1))])]
        case AtLeast(n=n) if n in (1, len(variable.parents)):
            state = 0 if n == 1 else 1
            return [lambda row: row[state]]
        case _:
            return []


def add_states_up_to(state: int, row: Sequence[Form]) -> Form:
    """The chance of at most this state."""
    return add_forms(row[: state + 1]) if state + 1 < len(row) else (Fraction(1), ())


def add_forms(forms: Sequence[Form]) -> Form:
    """The sum."""
    terms: dict[int, Fraction] = {}
    for _, form in forms:
        for number, coefficient in form:
            terms[number] = terms.get(number, Fraction(0)) + coefficient
    constant = sum((value for value, _ in forms), Fraction(0))
    return constant, tuple(sorted((number, value) for number, value in terms.items() if value))


def scale_form(form: Form, factor: Fraction) -> Form:
    """A multiple."""
    return form[0] * factor, tuple((number, value * factor) for number, value in form[1])


def list_rows(entries: Affine) -> list[list[Form]]:
    """The entries, row by row."""
    terms: list[dict[int, Fraction]] = [{} for _ in range(prod(entries.shape))]
    listed_terms = (array.tolist() for array in (entries.entry, entries.parameter, entries.coefficient))
    for entry, parameter, coefficient in zip(*listed_terms, strict=True):
        terms[entry][parameter] = terms[entry].get(parameter, Fraction(0)) + Fraction(coefficient)
    forms = [
        (Fraction(constant), tuple(sorted((number, value) for number, value in one.items() if value)))
        for constant, one in zip(entries.constants.tolist(), terms, strict=True)
    ]
    states = entries.shape[-1]
    return [forms[start : start + states] for start in range(0, len(forms), states)]


def rank_exponents(tables: Sequence[tuple[tuple[int, ...], Affine]], levels: Sequence[Level]) -> int | None:
    """The rank of the exponents: columns are the different factors, rows the products; ``None`` if there are too many.

    A row for each joint state of all causes is not needed: as a function of the causes, a column is a combination of
    monomials, and only those occur that are inside one mechanism.
    """
    columns: dict[Form, int] = {}
    places: dict[tuple[int, Monomial], int] = {}
    exponents: dict[tuple[int, int], int] = {}
    for parents, entries in tables:
        rows, shape = list_rows(entries), entries.shape[:-1]
        for number, level in enumerate(levels):
            forms = [level(row) for row in rows]
            for form in dict.fromkeys(normalise_form(form) for form in forms if form[1]):
                where = np.array(
                    [bool(one[1]) and normalise_form(one) == form for one in forms], dtype=np.int64
                ).reshape(shape)
                column = columns.setdefault(form, len(columns))
                for monomial, value in iterate_interactions(parents, where):
                    place = places.setdefault((number, monomial), len(places))
                    exponents[place, column] = exponents.get((place, column), 0) + value
    if len(places) * len(columns) > MOST_EXPONENTS:
        return None
    matrix = [[0] * len(columns) for _ in places]
    for (place, column), value in exponents.items():
        matrix[place][column] = value
    return rank_of_integers(matrix)


def normalise_form(form: Form) -> Form:
    """The multiple whose first coefficient is 1: numbers that are multiples of each other are one."""
    return scale_form(form, 1 / form[1][0][1])


def iterate_interactions(axes: Sequence[int], where: np.ndarray) -> Iterator[tuple[Monomial, int]]:
    """A function of some variables as a combination of monomials, which are independent as functions.

    The function that is 1 in state 0 is 1 minus those of the other states.
    """
    table = where
    for axis in range(table.ndim):
        table = np.moveaxis(table, axis, 0)
        table = np.moveaxis(np.concatenate([table[:1], table[1:] - table[:1]]), 0, axis)
    for states in product(*(range(size) for size in table.shape)):
        if table[states]:
            yield (
                tuple(sorted((axis, state) for axis, state in zip(axes, states, strict=True) if state)),
                int(table[states]),
            )
