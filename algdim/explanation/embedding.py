"""Maps from the parameters of one model to those of another under which the observed distribution stays (lemma "embedding").

Tables are carried over: a variable takes the table of its counterpart, whatever its further parents and further states of
these are; further states of a hidden variable, and further hidden variables, get the probability 0 or are ignored. A
network without hidden variables may also take the conditional probabilities of the other model's distribution, where
that has its independences. Of Gaussian models entries are carried over, latent variables in other units where the second
model fixes these, and entries that are missing become 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import islice, product
from math import isqrt, prod
from typing import Any

import numpy as np

from algdim.errors import listed
from algdim.exact.arithmetic import Array, rationals
from algdim.exact.inverses import inverse
from algdim.figures import counted
from algdim.jacobian import evaluator_of, values_at
from algdim.maps.anymap import Map
from algdim.maps.entries import Affine
from algdim.maps.factors import ParamMap
from algdim.maps.gaussian import GaussianMap, point_of
from algdim.maps.loglinear import LogLinearMap
from algdim.models.deterministic import Deterministic
from algdim.models.gaussian import Entry, Gaussian, entry_text
from algdim.models.network import Network, Variable
from algdim.models.separation import graph_of
from algdim.models.tables import Table
from algdim.models.treks import t_separation
from algdim.rank import objects

MOST_MATCHES = 5000
"""So many ways to pair the hidden variables of two models are tried at most."""
MOST_CELLS = 1 << 12
"""Conditional probabilities are taken of tables with no more cells."""

Number = Any
Form = tuple[Fraction, tuple[tuple[int, Fraction], ...]]
"""A constant and coefficients of parameters."""

Monomial = tuple[Fraction, tuple[tuple[int, Fraction], ...]]
"""A coefficient and exponents of parameters, whole or half."""
ZERO: Monomial = (Fraction(0), ())
ONE: Monomial = (Fraction(1), ())


@dataclass(frozen=True, slots=True, eq=False)
class Embedding:
    """A map of parameters, in sentences, and its tables or entries as forms in the parameters of the first model."""

    lines: tuple[str, ...]
    first: Map
    second: Map
    tables: Mapping[str, Sequence[Form]] | None = None
    entries: Mapping[Entry, Monomial] | None = None
    effects: Mapping[str, Form] | None = None

    @property
    def squares(self) -> frozenset[int]:
        """The parameters whose roots are taken."""
        numbers = () if self.entries is None else self.entries.values()
        return frozenset(number for one in numbers for number, exponent in one[1] if exponent.denominator == 2)

    def at(self, point: Sequence[Fraction]) -> list[Fraction]:
        """The parameters of the second model at a point of the first."""
        if isinstance(self.second, GaussianMap):
            if self.entries is None:
                return point_of(self.second, regressions(self.first, self.second, point))
            return point_of(
                self.second, {entry: monomial_value(number, point) for entry, number in self.entries.items()}
            )
        if self.effects is not None:
            return [value_of(form, point) for form in self.effects.values()]
        second: ParamMap = self.second  # type: ignore[assignment]
        if self.tables is None:
            return second.point(conditionals(self.first, second, point))
        return second.point(
            {owner: [[value_of(form, point) for form in forms]] for owner, forms in self.tables.items()}
        )


def value_of(form: Form, point: Sequence[Fraction]) -> Fraction:
    """The value of a form at a point."""
    constant, terms = form
    return constant + sum((factor * point[number] for number, factor in terms), Fraction(0))


def constant(value: int | Fraction) -> Form:
    """A form that is a number."""
    return Fraction(value), ()


def embeddings(first: Map, second: Map) -> Embedding | None:
    """A map of the parameters of the first model to those of the second, if one of these kinds exists."""
    if isinstance(first, GaussianMap) and isinstance(second, GaussianMap):
        carried_over = (by_entries(first, second, match) for match in matches(first.model, second.model))
        return next((found for found in carried_over if found is not None), None) or by_regressions(first, second)
    if isinstance(first, LogLinearMap) and isinstance(second, LogLinearMap):
        return by_effects(first, second)
    if isinstance(first, ParamMap) and isinstance(second, ParamMap):
        tried = (by_tables(first, second, match) for match in matches(first.model, second.model))
        return next((found for found in tried if found is not None), None) or by_conditionals(first, second)
    return None


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
    return Embedding((line,) if further else (), first, second, effects=forms)


def matches(first: Any, second: Any) -> Iterator[dict[str, str]]:
    """The ways to let hidden variables of the second model stand for all of the first one's; equal names first.

    Several may stand for one: all but the first of them copy a parent that stands for it too.
    """
    mine, theirs = ([variable.name for variable in model.hidden] for model in (first, second))
    choices = [[*([name] if name in mine else []), None, *(one for one in mine if one != name)] for name in theirs]
    for chosen in islice(product(*choices), MOST_MATCHES):
        if set(mine) <= set(chosen):
            yield {name: one for name, one in zip(theirs, chosen, strict=True) if one is not None}


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
    return Embedding(tuple(filter(None, lines)), first, second, tables=tables)


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
    return Embedding((line,), first, second)


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


def by_entries(first: GaussianMap, second: GaussianMap, match: Mapping[str, str]) -> Embedding | None:
    """The map that carries entries over, in the same units or in those of the second model, if that has all that are needed."""
    if first.model.means != second.model.means:
        return None
    latent = Latent(first, second, match)
    for scales in (dict.fromkeys(latent.stands, ONE), latent.units()):
        values = latent.values(scales)
        entries = None if values is None else latent.accepted(values)
        if entries is not None:
            return Embedding(tuple(latent.lines(scales, entries)), first, second, entries=entries)
    return None


class Latent:
    """Gaussian models whose latent variables stand for those of another, each multiplied by a scale.

    Of several that stand for one the first is the leader. The others are copies: a child of the leader with nothing else
    added, or, where the leader has no parents, a variable with the leader's error.
    """

    def __init__(self, first: GaussianMap, second: GaussianMap, match: Mapping[str, str]) -> None:
        self.first, self.second, self.match = first, second, match
        other = second.model
        self.stands = {
            variable.name: variable.name if variable.observed else match[variable.name]
            for variable in other.variables
            if variable.observed or variable.name in match
        }
        self.order = [name for name in parents_first(other) if name in self.stands]
        self.members: dict[str, list[str]] = {}
        for name in self.order:
            self.members.setdefault(self.stands[name], []).append(name)
        self.further = {variable.name for variable in other.hidden} - set(match)
        self.edges = set(other.edges)
        self.known = {entry: number for entry in first.model.entries if (number := number_of(first, entry)) != ZERO}

    def children(self, members: Sequence[str]) -> list[str]:
        """The copies that are children of their leader."""
        return [name for name in members[1:] if (members[0], name) in self.edges]

    def units(self) -> dict[str, Monomial]:
        """Scales with which a fixed coefficient, or else a fixed variance, of each variable comes out."""
        fixed = dict(self.second.model.fixed)
        scales = dict.fromkeys(self.stands, ONE)
        for name in reversed([name for name in self.order if name in self.match]):
            mine = self.match[name]
            for (kind, *ends), value in fixed.items():
                if kind == "b" and ends[0] == name and value and ends[1] in self.stands:
                    number = self.known.get(("b", mine, self.stands[ends[1]]))
                    if number is not None:
                        scales[name] = times(times(number, scales[ends[1]]), (value, ()), -1)
                        break
            else:
                value, variance = fixed.get(("v", name), Fraction(0)), self.known.get(("v", mine))
                root = None if variance is None or value <= 0 else square_root(times((value, ()), variance, -1))
                scales[name] = root or ONE
        return scales

    def values(self, scales: Mapping[str, Monomial]) -> dict[Entry, Monomial] | None:
        """The entries of the second model that are not 0; ``None`` if an edge is missing."""
        found: dict[Entry, Monomial] = {}
        errors: dict[str, list[str]] = {}
        for mine, members in self.members.items():
            copies = self.children(members)
            found |= {("b", members[0], name): times(scales[name], scales[members[0]], -1) for name in copies}
            errors[mine] = [name for name in members if name not in copies]
        for (kind, *ends), number in self.known.items():
            if kind == "b":
                child = self.members[ends[1]][0]
                parent = next((name for name in self.members[ends[0]] if (name, child) in self.edges), None)
                if parent is None or len(errors[ends[1]]) > 1:
                    return None
                found["b", parent, child] = times(times(number, scales[child]), scales[parent], -1)
            elif kind == "m":
                found |= {("m", name): times(number, scales[name]) for name in errors[ends[0]]}
            else:
                for one, other in product(errors[ends[0]], errors[ends[-1]]):
                    entry: Entry = ("v", one) if one == other else key_of(("c", one, other))
                    found[entry] = times(times(number, scales[one]), scales[other])
        return found

    def accepted(self, values: Mapping[Entry, Monomial]) -> dict[Entry, Monomial] | None:
        """The entries of the second model, if it has those that are not 0, and its fixed and equal ones come out."""
        other, left = self.second.model, dict(values)
        entries: dict[Entry, Monomial] = {}
        labels: dict[str, Monomial] = {}
        fixed, equal = dict(other.fixed), dict(other.equal)
        for entry in other.entries:
            number = left.pop(key_of(entry), ZERO)
            if entry in fixed:
                value: Monomial = (fixed[entry], ())
                # of further variables either the coefficients are 0 or the variance is
                is_idle = entry[0] == "v" or (entry[0] == "b" and not fixed.get(("v", entry[1])))
                if number != value and not (entry[1] in self.further and is_idle):
                    return None
                number = value
            if entry in equal and labels.setdefault(equal[entry], number) != number:
                return None
            entries[entry] = number
        return None if left else entries

    def lines(self, scales: Mapping[str, Monomial], entries: Mapping[Entry, Monomial]) -> Iterator[str]:
        """What the map is."""
        for theirs, mine in self.match.items():
            if scales[theirs] != ONE:
                yield f"{theirs} is {mine} multiplied by {monomial_text(scales[theirs], self.first.parameters)}"
            elif theirs != mine:
                yield f"{theirs} stands for {mine}"
        fixed = dict(self.second.model.fixed)
        missing = [entry_text(entry) for entry, number in entries.items() if number == ZERO and entry not in fixed]
        if missing:
            yield f"{listed(missing)} {'is' if len(missing) == 1 else 'are'} 0"


def parents_first(model: Gaussian) -> list[str]:
    """The names of the variables, parents first if there are no cycles."""
    try:
        return list(TopologicalSorter(parents_of(model)).static_order())
    except CycleError:
        return [variable.name for variable in model.variables]


def number_of(gmap: GaussianMap, entry: Entry) -> Monomial:
    """An entry: a parameter, or the number that it is fixed to."""
    if entry in gmap.value_of:
        return Fraction(gmap.value_of[entry]), ()
    return Fraction(1), ((gmap.number_of[entry], Fraction(1)),)


def times(one: Monomial, other: Monomial, power: int = 1) -> Monomial:
    """The product of a monomial and a power of another.

    >>> half = Fraction(1, 2)
    >>> times((Fraction(3), ((0, half),)), (Fraction(2), ((0, half),)), -1)
    (Fraction(3, 2), ())
    """
    exponents = dict(one[1])
    for number, exponent in other[1]:
        exponents[number] = exponents.get(number, Fraction(0)) + power * exponent
    return one[0] * other[0] ** power, tuple(sorted((n, e) for n, e in exponents.items() if e))


def square_root(one: Monomial) -> Monomial | None:
    """The root of a monomial with a positive coefficient, if that of the coefficient is a fraction."""
    root = Fraction(isqrt(one[0].numerator), isqrt(one[0].denominator))
    return (root, tuple((number, exponent / 2) for number, exponent in one[1])) if root * root == one[0] else None


def monomial_value(one: Monomial, point: Sequence[Fraction]) -> Fraction:
    """The value at a point, where what has half exponents is a square."""
    value = one[0]
    for number, exponent in one[1]:
        base = point[number]
        if exponent.denominator == 2:
            base = Fraction(isqrt(base.numerator), isqrt(base.denominator))
        value *= base**exponent.numerator
    return value


def monomial_text(one: Monomial, names: Sequence[str]) -> str:
    """A monomial in the names of parameters.

    >>> monomial_text((Fraction(1), ((0, Fraction(1)), (1, Fraction(-1, 2)))), ["b(F->X)", "v(F)"])
    'b(F->X)·v(F)^(-1/2)'
    """
    factors = [
        names[n] if e == 1 else f"{names[n]}^{e if e > 0 and e.denominator == 1 else f'({e})'}" for n, e in one[1]
    ]
    return "·".join([*([str(one[0])] if one[0] != 1 or not factors else []), *factors])


def by_regressions(first: GaussianMap, second: GaussianMap) -> Embedding | None:
    """The map that takes regression coefficients, into a graph of free entries without latent variables, correlated errors, cycles.

    In an order in which parents come first, treks show every variable to be uncorrelated with those before it given its
    parents.
    """
    one, other = first.model, second.model
    special = other.hidden or other.bidirected or other.fixed or other.equal or not second.is_polynomial
    if special or one.means != other.means:
        return None
    parents = parents_of(other)
    before: list[str] = []
    for name in TopologicalSorter(parents).static_order():
        rest = [earlier for earlier in before if earlier not in parents[name]]
        if rest:
            treks = t_separation(one, [name, *parents[name]], [*rest, *parents[name]])
            if treks.number > len(parents[name]):
                return None
        before.append(name)
    line = "every coefficient is that of a regression in the first model, which has the vanishing partial correlations of the second"
    return Embedding((line,), first, second)


def parents_of(model: Gaussian) -> dict[str, list[str]]:
    """The parents of every variable."""
    return {
        variable.name: [parent for parent, child in model.edges if child == variable.name]
        for variable in model.variables
    }


def regressions(first: Map, second: GaussianMap, point: Sequence[Fraction]) -> dict[Entry, Fraction]:
    """The regressions of all variables on their parents at a point of the first model; `SingularError` if there are none."""
    arithmetic, evaluator = rationals(), evaluator_of(first)
    values = values_at(
        first, arithmetic, arithmetic.elements(objects(point)), evaluator.all_coordinates(), evaluator=evaluator
    )
    names = [variable.name for variable in second.model.observed]
    count = len(names)
    covariance = np.empty((count, count), dtype=object)
    upper = np.triu_indices(count)
    covariance[upper] = covariance.T[upper] = values[: len(upper[0])]
    means = values[len(upper[0]) :]
    place = {name: number for number, name in enumerate(names)}
    found: dict[Entry, Any] = {}
    for name, parents in parents_of(second.model).items():
        here, rows = place[name], [place[parent] for parent in parents]
        slopes = inverse(arithmetic, covariance[np.ix_(rows, rows)]) @ covariance[rows, here] if rows else np.zeros(0)
        found["v", name] = covariance[here, here] - sum(
            b * covariance[row, here] for b, row in zip(slopes, rows, strict=True)
        )
        found |= {("b", parent, name): slope for parent, slope in zip(parents, slopes, strict=True)}
        if second.model.means:
            found["m", name] = means[here] - sum(b * means[row] for b, row in zip(slopes, rows, strict=True))
    return {entry: Fraction(int(value.numerator), int(value.denominator)) for entry, value in found.items()}


def key_of(entry: Entry) -> Entry:
    """An entry with the two variables of a covariance in one order."""
    return ("c", *sorted(entry[1:])) if entry[0] == "c" else entry
