"""The M step: the tables that maximise the expected log-likelihood of complete data, plus the log prior; the priors.

Every row of a table has a Dirichlet distribution (CH96 Eq. 3). Entries that are equal, of one table used twice or by name,
are one parameter and have the prior once. The mode depends on the coordinates (MH97 footnote 2): of the density of the
probabilities themselves EM adds α − 1 to each expected count (CH96 §2), of the density of their logarithms it adds α.

Rows of free entries are the counts over their sum. In general an entry is fixed, free or named; entries of one name are one
*class*, and the free entries of a row are together one class, the *block*, which rows with the same names and the same fixed
sum have in common (given the names its size is the same). So what is maximised is Σ N_c log t_c over the classes, one linear equation
per different row: Σ m_c t_c = rest. If no class stands in two equations the maximum is t_c = rest · N_c / (m_c · Σ N);
that covers shared tables, decision trees and mechanisms. Otherwise Newton's method climbs as far as it goes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite, prod

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, describe_closest_word, join_names
from algdim.exact.arithmetic import Floats
from algdim.families.discrete.locals.curves import Curved, collect_curves, optimise_weights
from algdim.families.discrete.locals.table import Cell, Table
from algdim.families.discrete.map import ParamMap
from algdim.fitting.likelihood import Numbers, Tables

ML = "ml"
DIRICHLET = "alpha"
BDEU = "ess"
PROBABILITY = "probability"
SOFTMAX = "softmax"
COORDINATES = (PROBABILITY, SOFTMAX)

FORM = re.compile(r"(alpha|ess)=([0-9.eE+-]{1,30})")


@dataclass(frozen=True, slots=True)
class Prior:
    """No prior (`ml`), the same α for every entry (`alpha`), or BDeu with an equivalent sample size (`ess`)."""

    kind: str = ML
    amount: float = 0.0
    coordinates: str = PROBABILITY

    def __post_init__(self) -> None:
        if self.kind not in (ML, DIRICHLET, BDEU):
            raise InputError(f"the prior {self.kind!r} is not known; known are {ML}, {DIRICHLET} and {BDEU}")
        if self.coordinates not in COORDINATES:
            raise InputError(
                f"the coordinates {self.coordinates!r} are not known{describe_closest_word(str(self.coordinates), COORDINATES)}; known are {join_names(COORDINATES)}"
            )
        if self.kind != ML and not (self.amount > 0 and isfinite(self.amount)):
            raise InputError(f"the prior {self.kind}={self.amount}: a positive number is allowed")

    def __str__(self) -> str:
        if self.kind == ML:
            return ML
        return f"{self.kind}={self.amount:g}" + (f", {SOFTMAX} coordinates" if self.coordinates == SOFTMAX else "")

    def alpha(self, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """The exponents of one table's rows: α, or for BDeu the equivalent sample size spread over the table."""
        return np.full(shape, self.amount / np.prod(shape) if self.kind == BDEU else self.amount)

    @property
    def less(self) -> float:
        """What is taken off α in these coordinates."""
        return 1.0 if self.coordinates == PROBABILITY else 0.0


def parse_prior(prior: Prior | str, coordinates: str = PROBABILITY) -> Prior:
    """The prior of a text: `ml`, `alpha=1.01` (Dirichlet on every row) or `ess=1` (BDeu).

    >>> parse_prior("alpha=1.01")
    Prior(kind='alpha', amount=1.01, coordinates='probability')
    """
    if isinstance(prior, Prior):
        return prior
    if prior == ML:
        return Prior(ML, 0.0, coordinates)
    match = FORM.fullmatch(prior) if isinstance(prior, str) else None
    if match is None:
        raise InputError(
            f"the prior {prior!r} is not known{describe_closest_word(str(prior).partition('=')[0], (DIRICHLET, BDEU, ML))}; write ml, alpha=A (Dirichlet) or ess=S (BDeu)"
        )
    try:
        amount = float(match[2])
    except ValueError:
        raise InputError(f"the prior {prior!r}: {match[2]} is not a number") from None
    return Prior(match[1], amount, coordinates)


Index = NDArray[np.intp]

NEWTON_STEPS = 30
FLOOR = 1e-10
"""Of a class's share of the counts in Newton's method, which divides by it."""


@dataclass(frozen=True, slots=True)
class TableEntries:
    """One table: its fixed and its named entries, by their numbers in the flat array."""

    states: int
    entries: int
    fixed: tuple[tuple[int, float], ...]
    equal: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """Classes that stand in several equations A t = b together."""

    classes: Index
    matrix: Numbers
    right: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Ties:
    """All entries of the tables with fixed or named entries, one after the other, and what binds them."""

    tables: tuple[int, ...]
    fixed: Numbers
    """The values of fixed entries, NaN elsewhere."""
    kind: Index
    """Per entry the class, −1 if fixed."""
    row: Index
    """Per entry its row if it is free there, −1 otherwise; rows are numbered through all tables."""
    rows: int
    times: Numbers
    """Per class: how often it stands in its equation, if that is its only one."""
    equation: Index
    """Per class: the equation it alone stands in with its like, −1 in a component."""
    rest: Numbers
    """Per equation: what its classes add up to."""
    components: tuple[Component, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Maximizer:
    """The M step of one map and prior."""

    pseudo: Tables
    """Per array, what the prior adds to each expected count; entries that are equal have it once, weights nothing."""
    plain: tuple[int, ...]
    curved: tuple[Curved, ...]
    """What is no table; the weights of the k-th stand k places behind all arrays."""
    ties: Ties | None

    def __call__(self, expected: Tables, tables: Tables) -> Tables:
        """The tables that maximise at these expected counts; rows without any count stay as they are."""
        counts = [found + more for found, more in zip(expected, self.pseudo, strict=True)]
        result = list(tables)
        for number in self.plain:
            result[number] = normalise_rows(counts[number], tables[number])
        if self.ties is not None:
            pieces = maximise_tied_entries(
                self.ties, join_tied_entries(counts, self.ties), join_tied_entries(tables, self.ties)
            )
            ends = np.cumsum([tables[number][0].size for number in self.ties.tables])
            for number, piece in zip(self.ties.tables, np.split(pieces, ends[:-1], axis=1), strict=True):
                result[number] = piece.reshape(tables[number].shape)
        for behind, one in enumerate(self.curved, len(tables) - len(self.curved)):
            result[behind] = optimise_weights(one.curve, one.join(counts), tables[behind])
            one.put(result, result[behind])
        return result

    def penalty(self, tables: Tables) -> Numbers:
        total = np.zeros(len(tables[0]))
        for more, table in zip(self.pseudo, tables, strict=True):
            if more.any():
                with np.errstate(divide="ignore"):
                    terms = np.where(more > 0, more * np.log(np.where(more > 0, table, 1.0)), 0.0)
                total += terms.reshape(len(table), -1).sum(axis=1)
        return total


def make_maximizer(pmap: ParamMap, prior: Prior) -> Maximizer:
    """Prepare the M step."""
    tables = select_tables(pmap)
    special = [number for number, table in tables.items() if table.fixed or table.equal]
    pseudo = compute_pseudo_counts(pmap, tables, prior)
    curved = collect_curves(pmap)
    for number in [number for one in curved for number in one.numbers] if prior.kind != ML else ():
        pseudo[number] += prior.alpha(pmap.arrays[number].shape)  # a density of log-odds, in all coordinates
    pseudo += [np.zeros(one.curve.size) for one in curved]
    plain = tuple(number for number in tables if number not in special)
    ties = build_ties({number: tables[number] for number in special}) if special else None
    return Maximizer(pseudo, plain, curved, ties)


def make_even_tables(pmap: ParamMap) -> Tables:
    """Initial tables: uniform rows, constant arrays unchanged."""
    return [
        np.asarray(entries.values(Floats(), np.zeros(0)))
        if entries.is_constant
        else np.full(entries.shape, 1.0 / entries.shape[-1])
        for entries in pmap.arrays
    ]


def select_tables(pmap: ParamMap) -> dict[int, TableEntries]:
    """The tables among the arrays, by the array's number."""
    numbers = {owner: number for number, owner in enumerate(pmap.owners)}
    states = pmap.model.states
    result: dict[int, TableEntries] = {}
    for variable in pmap.model.variables:
        table = variable.local
        if isinstance(table, Table) and variable.name not in pmap.model.given:
            sizes = (*(states[parent] for parent in variable.parents), variable.states)
            result[numbers[table.share or variable.name]] = TableEntries(
                variable.states,
                prod(sizes),
                tuple((compute_flat_number(cell, sizes), float(value)) for cell, value in table.fixed),
                tuple((compute_flat_number(cell, sizes), label) for cell, label in table.equal),
            )
    return result


def compute_flat_number(cell: Cell, sizes: tuple[int, ...]) -> int:
    """The number of an entry, the first parent slowest."""
    return int(np.ravel_multi_index((*cell[0], cell[1]), sizes))


def compute_pseudo_counts(pmap: ParamMap, tables: dict[int, TableEntries], prior: Prior) -> Tables:
    """What the prior adds to each expected count: nothing at fixed entries, for equal entries all at the first.

    The one free entry of a row with names is what they leave, and equal to that of every row which leaves as much.
    """
    alphas = [np.zeros(prod(entries.shape)) for entries in pmap.arrays]
    first: dict[object, tuple[int, int]] = {}
    for number, table in tables.items() if prior.kind != ML else ():
        alphas[number] += prior.alpha(pmap.arrays[number].shape).ravel()
        for place, _ in table.fixed:
            alphas[number][place] = 0.0
        for place, label in (*table.equal, *iterate_lone_entries(table)):
            where, at = first.setdefault(label, (number, place))
            if (where, at) != (number, place):
                if prior.kind == BDEU:
                    alphas[where][at] += alphas[number][place]
                alphas[number][place] = 0.0
    for alpha, owner in zip(alphas, pmap.owners, strict=True):
        if (alpha[alpha > 0] < prior.less).any():
            raise InputError(
                f"the prior {prior} has α = {alpha[alpha > 0].min():g} in the table {owner}: below 1 the density of the "
                "probabilities has no maximum inside; take softmax coordinates, or a larger α"
            )
        alpha[alpha > 0] -= prior.less
    return [alpha.reshape(entries.shape) for alpha, entries in zip(alphas, pmap.arrays, strict=True)]


def iterate_lone_entries(table: TableEntries) -> Iterator[tuple[int, object]]:
    """The entries that alone are free in a row with names, and what they are equal to: the same names and fixed sum."""
    values, names = dict(table.fixed), dict(table.equal)
    for first in sorted({place - place % table.states for place in names}):
        places = range(first, first + table.states)
        free = [place for place in places if place not in values and place not in names]
        if len(free) == 1:
            named = Counter(names[place] for place in places if place in names)
            yield free[0], (tuple(sorted(named.items())), sum(values.get(place, 0.0) for place in places))


def normalise_rows(counts: Numbers, before: Numbers) -> Numbers:
    """Each row over its sum; rows without counts as before."""
    totals = counts.sum(axis=-1, keepdims=True)
    if (totals > 0).all():
        return np.asarray(counts / totals)
    return np.where(totals > 0, counts / np.where(totals > 0, totals, 1.0), before)


def join_tied_entries(tables: Tables, ties: Ties) -> Numbers:
    """The entries of all tables with ties, one row per restart."""
    return np.concatenate([tables[number].reshape(len(tables[number]), -1) for number in ties.tables], axis=1)


def build_ties(tables: dict[int, TableEntries]) -> Ties:
    """Find the classes and the equations between them."""
    entries = sum(table.entries for table in tables.values())
    fixed, kind, row = np.full(entries, np.nan), np.full(entries, -1), np.full(entries, -1)
    classes: dict[object, int] = {}
    equations: dict[tuple[tuple[tuple[int, int], ...], float], int] = {}
    start, rows = 0, 0
    for table in tables.values():
        for place, value in table.fixed:
            fixed[start + place] = value
        for place, label in table.equal:
            kind[start + place] = classes.setdefault(label, len(classes))
        for first in range(start, start + table.entries, table.states):
            places = range(first, first + table.states)
            rest = 1.0 - sum(fixed[place] for place in places if not np.isnan(fixed[place]))
            names = Counter(int(kind[place]) for place in places if kind[place] >= 0)
            free = [place for place in places if np.isnan(fixed[place]) and kind[place] < 0]
            if free:
                block = classes.setdefault((tuple(sorted(names.items())), rest), len(classes))
                kind[free], row[free] = block, rows
                names[block] = 1
            if names:
                equations.setdefault((tuple(sorted(names.items())), rest), len(equations))
            rows += 1
        start += table.entries
    return partition_classes(tuple(tables), fixed, kind, row, rows, list(equations), len(classes))


def partition_classes(
    tables: tuple[int, ...],
    fixed: Numbers,
    kind: Index,
    row: Index,
    rows: int,
    equations: list[tuple[tuple[tuple[int, int], ...], float]],
    classes: int,
) -> Ties:
    """Part the classes into those whose equation has a closed maximum and components for Newton's method."""
    uses = Counter(number for names, _ in equations for number, _ in names)
    groups: dict[int, set[int]] = {}  # classes that hang together, for every class of them the same set
    for names, _ in equations:
        joined: set[int] = set().union(*(groups.get(number, {number}) for number, _ in names))
        groups.update(dict.fromkeys(joined, joined))
    times, equation, rest = np.ones(classes), np.full(classes, -1), np.zeros(len(equations))
    components: dict[int, list[tuple[tuple[tuple[int, int], ...], float]]] = {}
    for number, (names, right) in enumerate(equations):
        rest[number] = right
        members = groups[names[0][0]]
        if all(uses[member] == 1 for member in members):
            for member, count in names:
                times[member], equation[member] = count, number
        else:
            components.setdefault(min(members), []).append((names, right))
    parts = []
    for least, lines in components.items():
        inside = sorted(groups[least])
        matrix = np.array([[dict(names).get(member, 0) for member in inside] for names, _ in lines], dtype=float)
        parts.append(Component(np.array(inside), matrix, np.array([right for _, right in lines])))
    return Ties(tables, fixed, kind, row, rows, times, equation, rest, tuple(parts))


def maximise_tied_entries(ties: Ties, counts: Numbers, before: Numbers) -> Numbers:
    """The entries that maximise, one row per restart."""
    bound = ties.kind >= 0
    kind, free = ties.kind[bound], ties.row >= 0
    per_class = add_column_groups(counts[:, bound], kind, len(ties.times))
    old = np.zeros_like(per_class)
    old[:, kind[~free[bound]]] = before[:, bound & ~free]
    in_rows = add_column_groups(before[:, free], ties.row[free], ties.rows)
    old[:, ties.kind[free]] = in_rows[:, ties.row[free]]
    values = compute_class_values(ties, per_class, old)
    result = np.where(np.isnan(ties.fixed), 0.0, ties.fixed) + np.zeros_like(before)
    result[:, bound] = values[:, kind]
    # the entries of a block part what it has by their own counts
    per_row = add_column_groups(counts[:, free], ties.row[free], ties.rows)[:, ties.row[free]]
    old_row, lengths = in_rows[:, ties.row[free]], np.bincount(ties.row[free], minlength=ties.rows)[ties.row[free]]
    part = np.where(old_row > 0, before[:, free] / np.where(old_row > 0, old_row, 1.0), 1.0 / lengths)
    result[:, free] *= np.where(per_row > 0, counts[:, free] / np.where(per_row > 0, per_row, 1.0), part)
    return result


def add_column_groups(values: Numbers, groups: Index, count: int) -> Numbers:
    """The sum of each group of columns, row by row."""
    restarts = len(values)
    places = (np.arange(restarts)[:, None] * count + groups).ravel()
    return np.bincount(places, values.ravel(), restarts * count).astype(np.float64).reshape(restarts, count)


def compute_class_values(ties: Ties, counts: Numbers, old: Numbers) -> Numbers:
    """The value of every class."""
    result = old.copy()
    closed = ties.equation >= 0
    equation = ties.equation[closed]
    totals = add_column_groups(counts[:, closed], equation, len(ties.rest))[:, equation]
    most = ties.rest[equation] * counts[:, closed] / (ties.times[closed] * np.where(totals > 0, totals, 1.0))
    result[:, closed] = np.where(totals > 0, most, old[:, closed])
    for part in ties.components:
        result[:, part.classes] = maximise_by_newton(part, counts[:, part.classes], old[:, part.classes])
    return result


def maximise_by_newton(part: Component, counts: Numbers, start: Numbers) -> Numbers:
    """Newton's method for the maximum of Σ N log t subject to A t = b, from a start that need not satisfy A t = b.

    What it returns satisfies A t = b and is no worse than a start that does.
    """
    matrix, right = part.matrix, part.right
    total = counts.sum(axis=1, keepdims=True)
    weights = np.maximum(counts, FLOOR * np.where(total > 0, total, 1.0))
    even = np.full_like(start, 1.0 / matrix.sum(axis=1).max())
    feasible = np.abs(start @ matrix.T - right).max(axis=1, keepdims=True) < 1e-9
    values = np.where(feasible & (start > 0).all(axis=1, keepdims=True), start, even)
    for _ in range(NEWTON_STEPS):
        inverse = values**2 / weights
        system = np.einsum("ec,rc,fc->ref", matrix, inverse, matrix)
        wanted = 2 * values @ matrix.T - right
        multipliers = np.einsum("ref,rf->re", np.linalg.pinv(system, rcond=1e-12, hermitian=True), wanted)
        step = values - inverse * (multipliers @ matrix)
        shrink = np.max(np.where(step < 0, -step / values, 0.0), axis=1, keepdims=True)
        values = values + step * np.where(shrink >= 1, 0.9 / np.where(shrink > 0, shrink, 1.0), 1.0 / (1.0 + shrink))
        if np.abs(step / values).max() < 1e-12:
            break
    values = project_to_equations(part, values)
    satisfied = np.abs(values @ matrix.T - right).max(axis=1, keepdims=True) < 1e-9
    better = compute_expected_likelihood(counts, values) >= compute_expected_likelihood(counts, start)
    return np.where(feasible & ~(satisfied & better[:, None]), start, values)


def project_to_equations(part: Component, values: Numbers) -> Numbers:
    """Values moved onto A t = b, each by little beside its size: classes without counts make Newton's system too wide for that."""
    for _ in range(3):
        lacking = part.right - values @ part.matrix.T
        system = np.einsum("ec,rc,fc->ref", part.matrix, values**2, part.matrix)
        multipliers = np.einsum("ref,rf->re", np.linalg.pinv(system, rcond=1e-12, hermitian=True), lacking)
        moved = values + values**2 * (multipliers @ part.matrix)
        values = np.where((moved > 0).all(axis=1, keepdims=True), moved, values)
    return values


def compute_expected_likelihood(counts: Numbers, values: Numbers) -> Numbers:
    """Σ N log t over the classes with a count."""
    with np.errstate(divide="ignore"):
        terms = np.where(counts > 0, counts * np.log(np.where(counts > 0, values, 1.0)), 0.0)
    return np.asarray(terms.sum(axis=1))
