"""Moves: directions in which the entries of a Gaussian model can change while Σ and μ stay as they are.

Write A = I − Bᵀ, so that AX = m + ε and Cov(ε) = Ω. Nothing observed changes (lemma "moves" in proofs/lemmas.md) if

- the equations are mixed: dA = E_ij A, dΩ = E_ij Ω + Ω E_ji, dm = E_ij m, for any i and j;
- a latent h is replaced by X_h + εX_j: dA = −A E_hj;
- a part of the error of a latent h is given to its children: dΩ = a wᵀ + w aᵀ, a the column h of A, w any vector;
- a part of the intercept of a latent h is given to its children: dm = a.

Here E_ij is the matrix with a 1 at (i, j) alone. These moves also change entries that the model does not have, fixes, or
holds equal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from algdim.exact.rationals import Number
from algdim.families.gaussian.map import GaussianMap
from algdim.families.gaussian.model import Entry

MOST_CHILDREN = 12
"""A latent variable with more children can give its error to them only where their errors are correlated."""

Monomial = tuple[int, ...]
"""The numbers of the parameters that are multiplied, in order, repeated as often as they occur."""
Polynomial = Mapping[Monomial, Number]
Change = dict[Entry, dict[Monomial, Number]]
"""By how much entries change, those too that the model does not have; ("b", i, i) is 1 − A_ii, a missing ("c", i, j) has i before j."""

ONE: Polynomial = {(): 1}


def times(one: Polynomial, other: Polynomial) -> Polynomial:
    """The product of two polynomials.

    >>> times({(0,): 2}, {(): 1, (0,): 3})
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
        self.known = {*gmap.number_of, *gmap.value_of}
        for entry in gmap.model.entries:
            value = self.value(entry)
            if not value:
                continue
            kind, *names = entry
            if kind == "b":
                minus = times({(): -1}, value)
                self.rows[names[1]][names[0]] = self.columns[names[0]][names[1]] = minus
            elif kind == "m":
                self.intercepts[names[0]] = value
            else:
                self.errors[names[0]][names[-1]] = self.errors[names[-1]][names[0]] = value

    def value(self, entry: Entry) -> Polynomial:
        """An entry of the model as a polynomial."""
        if entry in self.gmap.number_of:
            return {(self.gmap.number_of[entry],): 1}
        value = self.gmap.value_of[entry]
        return {(): value} if value else {}

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
            for monomial, coefficient in times(value, factor).items():
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


def moves_of(entries: PolynomialEntries) -> Iterator[Move]:
    """The moves that may be of use: simple ones first, those around latent variables first."""
    model = entries.gmap.model
    latent = [name for name in entries.names if name in entries.latent]
    for name in latent:
        yield Move("both", (name, name))
    if model.means:
        for name in latent:
            yield Move("mean", (name,))
    for name in latent:
        yield from error_moves(entries, name)
    for one in latent:
        for other in latent:
            if one != other:
                for factor in (None, *factors(entries, one, other)):
                    yield Move("both", (one, other), factor)
                    if other in entries.rows[one]:
                        yield Move("substitution", (one, other), factor)
    for child in entries.names:
        for parent in entries.rows[child]:
            if parent != child and not {child, parent} <= entries.latent:
                if child in entries.latent:
                    yield Move("substitution", (child, parent))
                for factor in (None, *factors(entries, child, parent)):
                    yield Move("equation", (child, parent), factor)


def error_moves(entries: PolynomialEntries, latent: str) -> Iterator[Move]:
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


def factors(entries: PolynomialEntries, one: str, other: str) -> list[Entry]:
    """The variances and the covariance of two errors, as far as they are free."""
    wanted = [("v", one), ("v", other), entries.error_entry(one, other)]
    return [entry for entry in wanted if entry in entries.gmap.number_of]
