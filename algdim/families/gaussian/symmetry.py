"""Symmetry of Gaussian models: moves that change nothing observed, and combinations of them that keep to what the model fixes.

Write A = I − Bᵀ, so that AX = m + ε and Cov(ε) = Ω. Nothing observed changes (lemma "moves") if

- the equations are mixed: dA = E_ij A, dΩ = E_ij Ω + Ω E_ji, dm = E_ij m, for any i and j;
- a latent h is replaced by X_h + εX_j: dA = −A E_hj;
- a part of the error of a latent h is given to its children: dΩ = a wᵀ + w aᵀ, a the column h of A, w any vector;
- a part of the intercept of a latent h is given to its children: dm = a.

Here E_ij is the matrix with a 1 at (i, j) alone. These moves also change entries that the model does not have, fixes, or
holds equal. The combinations that do not are found by linear algebra over the rationals: moves times polynomials such as the
variances, with rational coefficients. Scaling a latent variable, rotating two factors, moving the mean of a factor, errors that
cannot be told apart are all among them. Each is a field of polynomials; the dimension is at most the number of parameters minus
their rank at a point (lemma "symmetry").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import UPPER, Bound, join_texts, prove_bound
from algdim.bound.searches import Directions, check_tangent
from algdim.exact.draws import describe_draw, format_point_label
from algdim.exact.ranks import rank_mod
from algdim.exact.rationals import Number, find_vanishing
from algdim.families.gaussian.map import GaussianMap
from algdim.families.gaussian.model import Entry, format_entry
from algdim.families.gaussian.search import GaussianPoint, GaussianSetting, draw_gaussian_point
from algdim.figures import format_count, format_integer

MOST_CHILDREN = 12
"""A latent variable with more children can give its error to them only where their errors are correlated."""

Monomial = tuple[int, ...]
"""The numbers of the parameters that are multiplied, in order, repeated as often as they occur."""
Polynomial = Mapping[Monomial, Number]
Change = dict[Entry, dict[Monomial, Number]]
"""By how much entries change, those too that the model does not have; ("b", i, i) is 1 − A_ii, a missing ("c", i, j) has i before j."""

ONE: Polynomial = {(): 1}


def multiply_polynomials(one: Polynomial, other: Polynomial) -> Polynomial:
    """The product of two polynomials.

    >>> multiply_polynomials({(0,): 2}, {(): 1, (0,): 3})
    {(0,): 2, (0, 0): 6}
    """
    if other is ONE:
        return one
    found: dict[Monomial, Number] = defaultdict(int)
    for a, x in one.items():
        for b, y in other.items():
            found[tuple(sorted(a + b))] += x * y
    return {monomial: value for monomial, value in found.items() if value}


@dataclass(frozen=True, slots=True)
class Move:
    """One of the four kinds of moves, times a polynomial that is an entry of the model or 1."""

    kind: str
    """equation (i, j), substitution (h, j), both (h, j), errors (h, j): w is the unit vector of j, or mean (h)."""
    of: tuple[str, ...]
    factor: Entry | None = None


class PolynomialEntries:
    """The entries of A, Ω and m as polynomials, those that are identically zero left out."""

    def __init__(self, gmap: GaussianMap) -> None:
        self.gmap = gmap
        self.place = gmap.place
        self.latent = {variable.name for variable in gmap.model.hidden}
        self.names = [variable.name for variable in gmap.model.variables]
        self.rows: dict[str, dict[str, Polynomial]] = {name: {name: ONE} for name in self.names}
        self.columns: dict[str, dict[str, Polynomial]] = {name: {name: ONE} for name in self.names}
        self.errors: dict[str, dict[str, Polynomial]] = {name: {} for name in self.names}
        self.intercepts: dict[str, Polynomial] = {}
        self.known = {*gmap.rows}
        for entry in gmap.model.entries:
            value = self.value(entry)
            if not value:
                continue
            kind, *names = entry
            if kind == "b":
                minus = multiply_polynomials({(): -1}, value)
                self.rows[names[1]][names[0]] = self.columns[names[0]][names[1]] = minus
            elif kind == "m":
                self.intercepts[names[0]] = value
            else:
                self.errors[names[0]][names[-1]] = self.errors[names[-1]][names[0]] = value

    def value(self, entry: Entry) -> Polynomial:
        """An entry of the model as a polynomial."""
        if entry in self.gmap.number_of:
            return {(self.gmap.number_of[entry],): 1}
        value, terms = self.gmap.linear.get(entry) or (self.gmap.value_of[entry], {})
        return ({(): value} if value else {}) | {(number,): factor for number, factor in terms.items()}

    def error_entry(self, one: str, other: str) -> Entry:
        """The entry of Ω, its name as the model has it, or in the order of the variables."""
        if one == other:
            return ("v", one)
        low, high = sorted((one, other), key=self.place.__getitem__)
        return ("c", high, low) if ("c", high, low) in self.known else ("c", low, high)

    def change(self, move: Move) -> Change:
        """What a move changes."""
        found: Change = defaultdict(dict)
        factor = ONE if move.factor is None else self.value(move.factor)

        def add(entry: Entry, value: Polynomial, sign: int = 1) -> None:
            into = found[entry]
            for monomial, coefficient in multiply_polynomials(value, factor).items():
                into[monomial] = into.get(monomial, 0) + sign * coefficient

        def add_error(one: str, other: str, value: Polynomial) -> None:
            # a matrix and its transpose: the diagonal is hit twice
            add(self.error_entry(one, other), value, 2 if one == other else 1)

        kind, first, last = move.kind, move.of[0], move.of[-1]
        if kind in ("equation", "both"):
            for name, value in self.rows[last].items():
                add(("b", name, first), value, -1)
            for name, value in self.errors[last].items():
                add_error(first, name, value)
            if last in self.intercepts:
                add(("m", first), self.intercepts[last])
        if kind in ("substitution", "both"):
            for name, value in self.columns[first].items():
                add(("b", last, name), value)
        if kind == "errors":
            for name, value in self.columns[first].items():
                add_error(name, last, value)
        if kind == "mean":
            for name, value in self.columns[first].items():
                add(("m", name), value)
        cleaned = {entry: {m: x for m, x in value.items() if x} for entry, value in found.items()}
        return {entry: value for entry, value in cleaned.items() if value}


def iterate_moves(entries: PolynomialEntries) -> Iterator[Move]:
    """The moves that may be of use: simple ones first, those around latent variables first."""
    model = entries.gmap.model
    latent = [name for name in entries.names if name in entries.latent]
    for name in latent:
        yield Move("both", (name, name))
    if model.means:
        for name in latent:
            yield Move("mean", (name,))
    for name in latent:
        yield from iterate_error_moves(entries, name)
    for one in latent:
        for other in latent:
            if one != other:
                for factor in (None, *list_factors(entries, one, other)):
                    yield Move("both", (one, other), factor)
                    if other in entries.rows[one]:
                        yield Move("substitution", (one, other), factor)
    for child in entries.names:
        for parent in entries.rows[child]:
            if parent != child and not {child, parent} <= entries.latent:
                if child in entries.latent:
                    yield Move("substitution", (child, parent))
                for factor in (None, *list_factors(entries, child, parent)):
                    yield Move("equation", (child, parent), factor)


def iterate_error_moves(entries: PolynomialEntries, latent: str) -> Iterator[Move]:
    """The error of a latent variable, given to its children."""
    children = [name for name in entries.columns[latent] if name != latent]
    around = dict.fromkeys([latent, *children])
    for name in list(around):
        around |= dict.fromkeys(entries.errors[name])
    for name in around:
        # with many children, only errors that are correlated with those of all of them
        if len(children) > MOST_CHILDREN and not all(child in entries.errors[name] for child in children):
            continue
        yield Move("errors", (latent, name))
        if name in children and ("b", latent, name) in entries.gmap.number_of:
            yield Move("errors", (latent, name), ("b", latent, name))


def list_factors(entries: PolynomialEntries, one: str, other: str) -> list[Entry]:
    """The variances and the covariance of two errors, as far as they are free."""
    wanted = [("v", one), ("v", other), entries.error_entry(one, other)]
    return [entry for entry in wanted if entry in entries.gmap.number_of]


MOST_MOVES = 6000
"""Moves beyond these are not tried."""
MOST_TERMS = 400_000
"""Nor are further moves once those tried have this many terms."""


@dataclass(frozen=True, slots=True)
class MoveField:
    """A combination of moves that changes no entry which is fixed, missing or held equal to others."""

    moves: tuple[tuple[Fraction, Move], ...]
    change: Mapping[int, Polynomial]
    """By parameter."""


def iterate_violations(
    gmap: GaussianMap, equal: Sequence[tuple[Entry, Entry]], change: Change
) -> Iterator[tuple[Any, Number]]:
    """What would have to be zero: the terms of changes that the model does not allow, each under a name of its own."""
    for entry, polynomial in change.items():
        if entry not in gmap.number_of and entry not in gmap.linear:
            yield from (((entry, monomial), value) for monomial, value in polynomial.items())
    first_of = {number: entry for entry, number in reversed(list(gmap.number_of.items()))} if gmap.linear else {}
    for entry, (_, terms) in gmap.linear.items():
        rest = dict(change.get(entry, {}))
        for number, factor in terms.items():
            for monomial, value in change.get(first_of[number], {}).items():
                rest[monomial] = rest.get(monomial, 0) - factor * value
        yield from (((entry, "linear", monomial), value) for monomial, value in rest.items() if value)
    for entry, first in equal:
        # both must change alike
        here, there = change.get(entry, {}), change.get(first, {})
        for monomial in {*here, *there}:
            value = here.get(monomial, 0) - there.get(monomial, 0)
            if value:
                yield (entry, first, monomial), value


def list_equal_entries(gmap: GaussianMap) -> list[tuple[Entry, Entry]]:
    """The entries that are equal to an earlier one, with the first of these."""
    first: dict[int, Entry] = {}
    return [
        (entry, first[number]) for entry, number in gmap.number_of.items() if first.setdefault(number, entry) != entry
    ]


def bound_by_symmetry(setting: GaussianSetting) -> Bound | None:
    """The number of parameters minus the rank of the fields found, or ``None`` if no field was found."""
    parameters = len(setting.pmap.parameters)
    if setting.lower >= parameters:
        return None
    at = draw_gaussian_point(setting, "symmetry")
    chosen: list[MoveField] = []
    rows = np.zeros((0, parameters), dtype=np.int64)
    for fields in search_fields(PolynomialEntries(setting.pmap)):
        together = np.vstack([rows, np.array([evaluate_field(field, at) for field in fields])])
        kept = rank_mod(together, at.prime).rows
        chosen = [[*chosen, *fields][number] for number in kept]
        rows = together[list(kept)]
        if parameters - len(rows) <= setting.lower:
            break
    if not chosen:
        return None
    moved = Directions(np.arange(parameters), rows, "the latent variables", {})
    check_tangent(setting, at.prime, at.values, [moved])
    return make_symmetry_bound(setting, at, chosen)


def search_fields(entries: PolynomialEntries) -> Iterator[list[MoveField]]:
    """The fields: moves that are allowed by themselves, then combinations of the others."""
    alone: list[MoveField] = []
    equal = list_equal_entries(entries.gmap)
    others: list[tuple[Move, Change, dict[Any, Number]]] = []
    terms = 0
    for number, move in enumerate(iterate_moves(entries)):
        change = entries.change(move)
        terms += sum(map(len, change.values()))
        if number == MOST_MOVES or terms > MOST_TERMS:
            break
        wrong = dict(iterate_violations(entries.gmap, equal, change))
        if wrong:
            others.append((move, change, wrong))
        elif change:
            alone.append(build_field(entries.gmap, equal, [(Fraction(1), move, change)]))
    if alone:
        yield alone
    combined = [
        build_field(
            entries.gmap,
            equal,
            [(value, others[number][0], others[number][1]) for number, value in sorted(vector.items())],
        )
        for vector in find_vanishing([wrong for _, _, wrong in others])
    ]
    if combined:
        yield combined


def build_field(
    gmap: GaussianMap, equal: Sequence[tuple[Entry, Entry]], parts: Sequence[tuple[Fraction, Move, Change]]
) -> MoveField:
    """Add up changes; raise if what may not change does."""
    total: Change = defaultdict(lambda: defaultdict(int))
    for coefficient, _, change in parts:
        for entry, polynomial in change.items():
            for monomial, value in polynomial.items():
                total[entry][monomial] += coefficient * value
    cleaned = {entry: {m: x for m, x in value.items() if x} for entry, value in total.items()}
    if any(True for _ in iterate_violations(gmap, equal, cleaned)):
        raise RuntimeError(f"a combination of {len(parts)} moves changes an entry that is fixed, missing or held equal")
    by_parameter: dict[int, Polynomial] = {
        gmap.number_of[entry]: value for entry, value in cleaned.items() if value and entry in gmap.number_of
    }
    return MoveField(tuple((coefficient, move) for coefficient, move, _ in parts), by_parameter)


def evaluate_field(field: MoveField, at: GaussianPoint) -> NDArray[np.int64]:
    """The field at the point, as residues 0 … p − 1."""
    result = np.zeros(len(at.values), dtype=np.int64)
    point = at.values.tolist()
    for number, polynomial in field.change.items():
        total = 0
        for monomial, value in polynomial.items():
            # the denominators are those of fixed entries and of the combination
            term = value.numerator * pow(value.denominator, -1, at.prime)
            for parameter in monomial:
                term = term * point[parameter] % at.prime
            total += term
        result[number] = total % at.prime
    return result


def make_symmetry_bound(setting: GaussianSetting, at: GaussianPoint, fields: Sequence[MoveField]) -> Bound:
    """What fields of this rank prove."""
    parameters, rank = len(setting.pmap.parameters), len(fields)
    texts = list(dict.fromkeys(format_field(field) for field in fields))
    reason = (
        f"{format_integer(parameters)} − {format_integer(rank)}; {format_count(rank, 'direction')} in which nothing observed changes, "
        f"{join_texts(texts)}"
    )
    evidence = {
        "seed": setting.seed,
        "prime": at.prime,
        "point": at.label,
        "parameters": parameters,
        "rank": rank,
        "fields": [[move_dict(value, move) for value, move in field.moves] for field in fields],
    }
    drawn = describe_draw(format_point_label(setting.seed, at.label), at.prime)
    return prove_bound(parameters - rank, UPPER, "symmetry", reason, "moves", "symmetry", evidence=evidence, at=drawn)


def move_dict(value: Fraction, move: Move) -> dict[str, Any]:
    """A move of a combination as plain values."""
    factor = None if move.factor is None else format_entry(move.factor)
    return {"coefficient": str(value), "factor": factor, "move": move.kind, "of": list(move.of)}


def format_field(field: MoveField) -> str:
    """A field for people.

    >>> format_field(MoveField(((Fraction(1), Move("both", ("F", "F"))),), {}))
    'the scale of F'
    """
    kinds = {move.kind for _, move in field.moves}
    names = list(dict.fromkeys(name for _, move in field.moves for name in move.of))
    if kinds == {"both"}:
        if len(names) == 1:
            return f"the scale of {names[0]}"
        pairs = [set(move.of) for _, move in field.moves]
        if len(pairs) == 2 and pairs[0] == pairs[1] and len(pairs[0]) == 2:
            return f"the rotation of {names[0]} and {names[1]}"
    if kinds == {"mean"} and len(names) == 1:
        return f"the mean of {names[0]}"
    if kinds == {"errors"} and len({move.of[0] for _, move in field.moves}) == 1:
        return f"the error of {names[0]}"
    return f"a combination of {', '.join(names)}"
