"""Symmetry of Gaussian models: fields of moves that keep to what the model fixes, leaves out or holds equal.

Moves (`algdim.families.gaussian.moves`) change nothing observed, but entries that may not change. The combinations that do
not are found by linear algebra over the rationals: moves times polynomials such as the variances, with rational
coefficients. Scaling a latent variable, rotating two factors, moving the mean of a factor, errors that cannot be told
apart are all among them. Each is a field of polynomials; the dimension is at most the number of parameters minus their
rank at a point (lemma "symmetry").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import UPPER, Bound, listed_texts, proved_bound
from algdim.exact.arithmetic import Residues
from algdim.exact.draws import point_text, where_drawn
from algdim.exact.ranks import rank_mod
from algdim.exact.sparse import Number, vanishing
from algdim.families.gaussian.evaluation import structural_equations
from algdim.families.gaussian.map import GaussianMap
from algdim.families.gaussian.model import Entry, entry_text
from algdim.families.gaussian.moves import Change, Entries, Move, Polynomial, moves_of
from algdim.families.gaussian.search import GaussianPoint, GaussianSetting, gaussian_point
from algdim.figures import big, counted
from algdim.jacobian import jacobian_at

MOST_MOVES = 6000
"""Moves beyond these are not tried."""
MOST_TERMS = 400_000
"""Nor are further moves once those tried have so many terms."""
PROBES = 2


@dataclass(frozen=True, slots=True)
class Field:
    """A combination of moves that changes no entry which is fixed, missing or held equal to others."""

    moves: tuple[tuple[Fraction, Move], ...]
    change: Mapping[int, Polynomial]
    """By parameter."""


def violations(gmap: GaussianMap, equal: Sequence[tuple[Entry, Entry]], change: Change) -> Iterator[tuple[Any, Number]]:
    """What would have to be zero: the terms of changes that the model does not allow, each under a name of its own."""
    for entry, polynomial in change.items():
        number = gmap.number_of.get(entry)
        if number is None:
            yield from (((entry, monomial), value) for monomial, value in polynomial.items())
    for entry, first in equal:
        # both must change alike
        here, there = change.get(entry, {}), change.get(first, {})
        for monomial in {*here, *there}:
            value = here.get(monomial, 0) - there.get(monomial, 0)
            if value:
                yield (entry, first, monomial), value


def shared(gmap: GaussianMap) -> list[tuple[Entry, Entry]]:
    """The entries that are equal to an earlier one, with the first of these."""
    first: dict[int, Entry] = {}
    return [
        (entry, first[number]) for entry, number in gmap.number_of.items() if first.setdefault(number, entry) != entry
    ]


def gaussian_symmetry(setting: GaussianSetting) -> Bound | None:
    """The number of parameters minus the rank of the fields found, or ``None`` if no field was found."""
    parameters = len(setting.gmap.parameters)
    if setting.lower >= parameters:
        return None
    at = gaussian_point(setting, "symmetry")
    chosen: list[Field] = []
    rows = np.zeros((0, parameters), dtype=np.int64)
    for fields in found_fields(Entries(setting.gmap)):
        together = np.vstack([rows, np.array([values_of(field, at) for field in fields])])
        kept = rank_mod(together, at.prime).rows
        chosen = [[*chosen, *fields][number] for number in kept]
        rows = together[list(kept)]
        if parameters - len(rows) <= setting.lower:
            break
    if not chosen:
        return None
    check_tangent(setting, at, rows)
    return bound_of(setting, at, chosen)


def found_fields(entries: Entries) -> Iterator[list[Field]]:
    """The fields: moves that are allowed by themselves, then combinations of the others."""
    alone: list[Field] = []
    equal = shared(entries.gmap)
    others: list[tuple[Move, Change, dict[Any, Number]]] = []
    terms = 0
    for number, move in enumerate(moves_of(entries)):
        change = entries.change(move)
        terms += sum(map(len, change.values()))
        if number == MOST_MOVES or terms > MOST_TERMS:
            break
        wrong = dict(violations(entries.gmap, equal, change))
        if wrong:
            others.append((move, change, wrong))
        elif change:
            alone.append(field_of(entries.gmap, equal, [(Fraction(1), move, change)]))
    if alone:
        yield alone
    combined = [
        field_of(
            entries.gmap,
            equal,
            [(value, others[number][0], others[number][1]) for number, value in sorted(vector.items())],
        )
        for vector in vanishing([wrong for _, _, wrong in others])
    ]
    if combined:
        yield combined


def field_of(
    gmap: GaussianMap, equal: Sequence[tuple[Entry, Entry]], parts: Sequence[tuple[Fraction, Move, Change]]
) -> Field:
    """Add up changes; raise if what may not change does."""
    total: Change = defaultdict(lambda: defaultdict(int))
    for coefficient, _, change in parts:
        for entry, polynomial in change.items():
            for monomial, value in polynomial.items():
                total[entry][monomial] += coefficient * value
    cleaned = {entry: {m: x for m, x in value.items() if x} for entry, value in total.items()}
    if any(True for _ in violations(gmap, equal, cleaned)):
        raise RuntimeError(f"a combination of {len(parts)} moves changes an entry that is fixed, missing or held equal")
    by_parameter: dict[int, Polynomial] = {gmap.number_of[entry]: value for entry, value in cleaned.items() if value}
    return Field(tuple((coefficient, move) for coefficient, move, _ in parts), by_parameter)


def values_of(field: Field, at: GaussianPoint) -> NDArray[np.int64]:
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


def check_tangent(setting: GaussianSetting, at: GaussianPoint, rows: NDArray[np.int64]) -> None:
    """Raise if a field changes what is observed at the point: every field has been proved not to."""
    field, equations = Residues(at.prime), structural_equations(setting.gmap)
    probes = equations.random_functionals(PROBES, at.prime, setting.seed, *setting.labels, "symmetry")
    jacobian = jacobian_at(setting.gmap, field, field.elements(at.values), probes, evaluator=equations)
    if field.matmul(jacobian, field.elements(rows.T)).any():
        raise RuntimeError("a field changes the observed distribution")


def bound_of(setting: GaussianSetting, at: GaussianPoint, fields: Sequence[Field]) -> Bound:
    """What fields of this rank prove."""
    parameters, rank = len(setting.gmap.parameters), len(fields)
    texts = list(dict.fromkeys(field_text(field) for field in fields))
    reason = (
        f"{big(parameters)} − {big(rank)}; {counted(rank, 'direction')} in which nothing observed changes, "
        f"{listed_texts(texts)}"
    )
    evidence = {
        "seed": setting.seed,
        "prime": at.prime,
        "point": at.label,
        "parameters": parameters,
        "rank": rank,
        "fields": [[move_dict(value, move) for value, move in field.moves] for field in fields],
    }
    drawn = where_drawn(point_text(setting.seed, at.label), at.prime)
    return proved_bound(parameters - rank, UPPER, "symmetry", reason, "moves", "symmetry", evidence=evidence, at=drawn)


def move_dict(value: Fraction, move: Move) -> dict[str, Any]:
    """A move of a combination as plain values."""
    factor = None if move.factor is None else entry_text(move.factor)
    return {"coefficient": str(value), "factor": factor, "move": move.kind, "of": list(move.of)}


def field_text(field: Field) -> str:
    """A field for people.

    >>> field_text(Field(((Fraction(1), Move("both", ("F", "F"))),), {}))
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
