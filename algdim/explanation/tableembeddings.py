"""Maps of the parameters of one network to those of another (lemma "embedding"), and of one log-linear model to another.

Tables are carried over: a variable takes the table of its counterpart, whatever its further parents and further states of
these are; further states of a hidden variable, and further hidden variables, get the probability 0 or are ignored. A
network without hidden variables may also take the conditional probabilities of the other model's distribution, where
that has its independences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from graphlib import TopologicalSorter
from itertools import product
from math import prod

import numpy as np

from algdim.errors import listed
from algdim.exact.arithmetic import Array, rationals
from algdim.explanation.embedding import Embedding
from algdim.figures import counted
from algdim.jacobian import evaluator_of, values_at
from algdim.maps.anymap import Map
from algdim.maps.entries import Affine
from algdim.maps.factors import ParamMap
from algdim.maps.loglinear import LogLinearMap
from algdim.models.deterministic import Deterministic
from algdim.models.network import Network, Variable
from algdim.models.separation import graph_of
from algdim.models.tables import Table
from algdim.rank import objects

MOST_CELLS = 1 << 12
"""Conditional probabilities are taken of tables with no more cells."""

Form = tuple[Fraction, tuple[tuple[int, Fraction], ...]]
"""A constant and coefficients of parameters."""


def value_of(form: Form, point: Sequence[Fraction]) -> Fraction:
    """The value of a form at a point."""
    constant, terms = form
    return constant + sum((factor * point[number] for number, factor in terms), Fraction(0))


def constant(value: int | Fraction) -> Form:
    """A form that is a number."""
    return Fraction(value), ()


def by_effects(first: LogLinearMap, second: LogLinearMap) -> Embedding | None:
    """The map that keeps every effect and makes further ones zero: factors 1. Hidden variables must be the same."""
    mine, theirs = ({variable.name: variable.states for variable in one.model.hidden} for one in (first, second))
    places = {name: number for number, name in enumerate(first.parameters)}
    if mine != theirs or not set(places) <= set(second.parameters):
        return None
    forms = {
        name: (Fraction(0), ((places[name], Fraction(1)),)) if name in places else constant(1)
        for name in second.parameters
    }
    further = [name for name in second.parameters if name not in places]
    line = f"{listed(further)} {'is' if len(further) == 1 else 'are'} 1"
    return Embedding(
        (line,) if further else (), first, second, lambda point: [value_of(form, point) for form in forms.values()]
    )


def forms_of(pmap: ParamMap) -> dict[str, list[Form]]:
    """The entries of every table as forms, row by row; of variables with other locals there is nothing."""
    found = {}
    for owner, entries in zip(pmap.owners, pmap.arrays, strict=True):
        if isinstance(entries, Affine):
            terms: list[dict[int, Fraction]] = [{} for _ in range(prod(entries.shape))]
            for entry, parameter, factor in zip(entries.entry, entries.parameter, entries.coefficient, strict=True):
                terms[entry][int(parameter)] = terms[entry].get(int(parameter), Fraction(0)) + Fraction(factor)
            constants = [Fraction(value) for value in np.asarray(entries.constants, dtype=object).ravel()]
            found[owner] = [
                (number, tuple(sorted((p, f) for p, f in one.items() if f)))
                for number, one in zip(constants, terms, strict=True)
            ]
    return found


def by_tables(first: ParamMap, second: ParamMap, match: Mapping[str, str]) -> Embedding | None:
    """The map that carries tables over, if the second model's edges, states, fixed and named entries allow it."""
    one, other = first.model, second.model
    if set(one.given) != set(other.given):
        return None
    known, mine = forms_of(first), {variable.name: variable for variable in one.variables}
    counterpart = {
        variable.name: match.get(variable.name, variable.name if variable.observed else None)
        for variable in other.variables
    }
    originals = {counterpart[name]: name for name in reversed(ancestral(other))}
    tables: dict[str, list[Form]] = {}
    names: dict[str, Form] = {}
    lines = []
    for variable in other.variables:
        if variable.name in other.given:
            continue
        name = counterpart[variable.name]
        source = None if name is None else mine[name]
        forms: list[Form] | None
        if source is not None and variable.name != originals[source.name]:
            copied = next((parent for parent in variable.parents if counterpart[parent] == source.name), None)
            forms = None if copied is None else copies(variable, copied, source.states, other.states)
            line = f"{variable.name} is a copy of {copied}"
        elif source is not None and is_same_rule(variable, source, counterpart, one.states, other.states):
            continue
        else:
            forms = carried(variable, source, counterpart, one, other, known)
            line = line_of(variable, source, counterpart)
        sizes = [other.states[parent] for parent in variable.parents]
        if forms is None or not keeps(variable, sizes, forms, names):
            return None
        if tables.setdefault(variable.local.share or variable.name, forms) != forms:
            return None
        lines.append(line)

    def at(point: Sequence[Fraction]) -> list[Fraction]:
        return second.point({owner: [[value_of(form, point) for form in forms]] for owner, forms in tables.items()})

    return Embedding(tuple(filter(None, lines)), first, second, at)


def ancestral(model: Network) -> list[str]:
    """The names of the variables, parents first."""
    return list(TopologicalSorter({variable.name: variable.parents for variable in model.variables}).static_order())


def copies(variable: Variable, parent: str, size: int, states: Mapping[str, int]) -> list[Form] | None:
    """The table of a variable that has its parent's state; ``None`` if it has too few states."""
    if variable.states < size:
        return None
    place = variable.parents.index(parent)
    rows = product(*(range(states[name]) for name in variable.parents))
    # in further states of the parent, which have the probability 0, any row will do
    return [
        constant(state == (row[place] if row[place] < size else 0)) for row in rows for state in range(variable.states)
    ]


def is_same_rule(
    variable: Variable,
    source: Variable,
    counterpart: Mapping[str, str | None],
    mine: Mapping[str, int],
    theirs: Mapping[str, int],
) -> bool:
    """Whether two variables are the same function of parents that stand for each other."""
    same = variable.local == source.local and variable.states == source.states
    parents = [(counterpart[name], theirs[name]) for name in variable.parents]
    return (
        isinstance(variable.local, Deterministic)
        and same
        and parents == [(name, mine[name]) for name in source.parents]
    )


def carried(
    variable: Variable,
    source: Variable | None,
    counterpart: Mapping[str, str | None],
    one: Network,
    other: Network,
    known: Mapping[str, Sequence[Form]],
) -> list[Form] | None:
    """The table of a variable of the second model, from that of its counterpart; ``None`` if that needs a missing parent."""
    states, own = other.states, variable.states
    if source is None:
        return [constant(state == 0) for _ in range(prod(states[p] for p in variable.parents)) for state in range(own)]
    parents = [counterpart[name] for name in variable.parents]
    table = known.get(source.local.share or source.name)
    if table is None or source.states > own or not set(source.parents) <= set(parents):
        return None
    places = [parents.index(name) for name in source.parents]
    sizes = [one.states[name] for name in source.parents]
    forms: list[Form] = []
    for row in product(*(range(states[name]) for name in variable.parents)):
        # in further states of a hidden parent, which have the probability 0, any row will do
        inner = [row[place] if row[place] < size else 0 for place, size in zip(places, sizes, strict=True)]
        start = 0
        for state, size in zip(inner, sizes, strict=True):
            start = start * size + state
        forms += table[start * source.states : (start + 1) * source.states]
        forms += [constant(0)] * (own - source.states)
    return forms


def keeps(variable: Variable, sizes: Sequence[int], forms: Sequence[Form], names: dict[str, Form]) -> bool:
    """Whether a table has the fixed entries of a variable, and equal names the same form everywhere."""
    local = variable.local
    if not isinstance(local, Table):
        return False

    def form(row: Sequence[int], state: int) -> Form:
        place = 0
        for value, size in zip((*row, state), (*sizes, variable.states), strict=True):
            place = place * size + value
        return forms[place]

    fixed = all(form(row, state) == constant(value) for (row, state), value in local.fixed)
    return fixed and all(
        names.setdefault(label, form(row, state)) == form(row, state) for (row, state), label in local.equal
    )


def line_of(variable: Variable, source: Variable | None, counterpart: Mapping[str, str | None]) -> str:
    """What becomes of one table, in a sentence; nothing if it stays as it is."""
    if source is None:
        return f"{variable.name} is in state 0 always"
    called = variable.name if source.name == variable.name else f"{variable.name}, in the place of {source.name},"
    further = [name for name in variable.parents if counterpart[name] not in source.parents]
    texts = [f"whatever {', '.join(further)} {'is' if len(further) == 1 else 'are'}"] if further else []
    if variable.states > source.states:
        texts.append(f"with probability 0 beyond the first {counted(source.states, 'state').removeprefix('1 ')}")
    if not texts and called == variable.name:
        return ""
    return f"{called} has the same table{', ' if texts else ''}{', '.join(texts)}"


def by_conditionals(first: ParamMap, second: ParamMap) -> Embedding | None:
    """The map that takes conditional probabilities, into a network of free tables whose independences the first one has.

    In an order in which parents come first, every variable is independent of those before it given its parents.
    """
    one, other = first.model, second.model
    simple = not (one.given or other.given or other.hidden) and first.cells <= MOST_CELLS
    if not simple or any(variable.local != Table() for variable in other.variables):
        return None
    graph, before = graph_of(one), list[str]()
    for name in ancestral(other):
        parents = next(variable.parents for variable in other.variables if variable.name == name)
        rest = [earlier for earlier in before if earlier not in parents]
        if rest and not graph.separated(graph.bits([name]), graph.bits(rest), graph.bits(parents)):
            return None
        before.append(name)
    line = "every table has the conditional probabilities of the first model, which has the independences of the second"
    return Embedding((line,), first, second, lambda point: second.point(conditionals(first, second, point)))


def conditionals(first: Map, second: ParamMap, point: Sequence[Fraction]) -> dict[str, list[list[Fraction]]]:
    """The conditional probabilities at a point of the first model; both observe the same variables in the same order."""
    evaluator = evaluator_of(first)
    arithmetic = rationals()
    cells = values_at(
        first, arithmetic, arithmetic.elements(objects(point)), evaluator.all_coordinates(), evaluator=evaluator
    )
    table = cells.reshape(second.shape)
    place = {variable.name: number for number, variable in enumerate(second.model.observed)}
    found = {}
    for variable in second.model.variables:
        axes = [place[name] for name in (*variable.parents, variable.name)]
        summed = table.sum(axis=tuple(axis for axis in range(table.ndim) if axis not in axes))
        kept = sorted(axes)
        joint = (
            np.asarray(summed, dtype=object).transpose([kept.index(axis) for axis in axes]).reshape(-1, variable.states)
        )
        found[variable.name] = [conditional(row) for row in joint]
    return found


def conditional(row: Array) -> list[Fraction]:
    """A row divided by its sum; under a condition with the probability 0 any distribution will do."""
    fractions = [Fraction(int(value.numerator), int(value.denominator)) for value in row]
    total = sum(fractions, Fraction(0))
    return [value / total for value in fractions] if total else [Fraction(place == 0) for place in range(len(row))]
