"""Units of latent Gaussian variables: directions that only rescale or shift them, as opposed to genuine redundancy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from algdim.errors import LimitError, join_names
from algdim.exact.arithmetic import Array, Objects
from algdim.exact.draws import describe_draw, format_point_label
from algdim.exact.elimination import Rank, convert_to_fraction
from algdim.exact.polynomials import evaluate_mod, find_generic_kernel, find_generic_rank, make_polynomials
from algdim.exact.ranks import rank_mod
from algdim.exact.rationals import Number, find_possible, find_vanishing
from algdim.families.gaussian.map import GaussianMap
from algdim.families.gaussian.search import GaussianPoint, GaussianSetting, draw_gaussian_point
from algdim.families.gaussian.symmetry import (
    ONE,
    Change,
    Move,
    MoveField,
    Polynomial,
    PolynomialEntries,
    build_field,
    evaluate_field,
    format_field,
    iterate_violations,
    list_equal_entries,
    multiply_polynomials,
)
from algdim.figures import format_count
from algdim.identifiability.record import Units
from algdim.trust import Trust, bounds_only, proved_by, trust_in_all

NAMES_SHOWN = 6
KERNEL_TERMS = 30_000
"""Combinations are computed as polynomials up to products of this many terms."""


def find_unit_fields(gmap: GaussianMap, at: GaussianPoint) -> tuple[list[MoveField], bool]:
    """Fields that rescale and shift latent variables and change no entry that is fixed or held equal.

    Whether they span all such fields over the rational functions is said too.
    """
    entries, equal = PolynomialEntries(gmap), list_equal_entries(gmap)
    latent = [variable.name for variable in gmap.model.hidden]
    moves = [Move("both", (name, name)) for name in latent]
    moves += [Move("mean", (name,)) for name in latent] if gmap.model.means else []
    changes = [entries.change(move) for move in moves]
    wrong = [dict(iterate_violations(gmap, equal, change)) for change in changes]
    vectors, are_all = find_allowed_combinations(wrong, len(gmap.parameters), at)
    fields = [
        build_field(
            gmap, equal, [(Fraction(1), moves[n], multiply_change(changes[n], factor)) for n, factor in vector.items()]
        )
        for vector in vectors
    ]
    return [field for field in fields if field.change], are_all


def find_allowed_combinations(
    wrong: Sequence[Mapping[Any, Number]], parameters: int, at: GaussianPoint
) -> tuple[list[dict[int, Polynomial]], bool]:
    """The combinations of changes in which nothing is wrong any more, and whether they are a basis over the rational functions.

    To shift a latent variable without changing a fixed intercept of another one, that one is shifted by the coefficient
    between them. Where polynomials would be too long, combinations with numbers: a basis if a point leaves room for no more.
    """
    # a change that is alone in making something wrong has no part in them
    kinds = [dict.fromkeys((name[:-1] for name in one), 1) for one in wrong]
    rows = {name: {n: 1 for n, one in enumerate(kinds) if name in one} for one in kinds for name in one}
    left = sorted(find_possible(kinds, rows))
    places = {name: place for place, name in enumerate(name for name, row in rows.items() if row.keys() & {*left})}
    if not places:
        return [{number: ONE} for number in left], True
    arithmetic, unknowns = make_polynomials(parameters)
    matrix = [[unknowns[0] * 0 for _ in left] for _ in places]
    for column, number in enumerate(left):
        for (*name, monomial), value in wrong[number].items():
            matrix[places[tuple(name)]][column] += make_term(arithmetic, unknowns, monomial, value)
    try:
        kernel = find_generic_kernel(matrix, KERNEL_TERMS)
    except LimitError:
        found: list[dict[int, Polynomial]] = [
            {number: {(): value} for number, value in one.items()} for one in find_vanishing(wrong)
        ]
        point = at.values.tolist()
        there = np.array([[evaluate_mod(value, point, at.prime) for value in row] for row in matrix], dtype=np.int64)
        return found, len(found) == len(left) - rank_mod(there, at.prime).value
    return [{left[column]: collect_terms(value) for column, value in one.items()} for one in kernel], True


def make_term(arithmetic: Objects, unknowns: Array, monomial: Iterable[int], value: Any) -> Any:
    """A number times unknowns."""
    return prod((unknowns[place] for place in monomial), start=arithmetic.elements(np.array([value], dtype=object))[0])


def collect_terms(polynomial: Any) -> Polynomial:
    """The terms of a polynomial, by the numbers of the parameters that are multiplied."""
    return {
        tuple(place for place, exponent in enumerate(exponents) for _ in range(int(exponent))): convert_to_fraction(
            value
        )
        for exponents, value in polynomial.to_dict().items()
    }


def multiply_change(change: Change, factor: Polynomial) -> Change:
    """A change times a polynomial."""
    return {entry: dict(multiply_polynomials(value, factor)) for entry, value in change.items()}


def describe_unit(field: MoveField) -> str:
    """What is rescaled or shifted.

    >>> describe_unit(MoveField(tuple((Fraction(1), Move("mean", (name,))) for name in "GF"), {}))
    'the means of G, F together'
    """
    names = list(dict.fromkeys(name for _, move in field.moves for name in move.of))
    kinds = {move.kind for _, move in field.moves}
    if len(names) == len(kinds) == 1:
        return format_field(field)
    what = " and ".join(f"the {word}s" for kind, word in (("both", "scale"), ("mean", "mean")) if kind in kinds)
    return f"{what} of {join_names(names, most=NAMES_SHOWN)} together"


def find_units(gmap: GaussianMap, redundant: int, seed: int | str, dimension: Trust) -> Units | None:
    """The units among this many redundant directions; ``None`` if there are no latent variables.

    The rank of the fields at a point is a lower bound for their number (lemma "units"); their number, or their rank as
    polynomials, an upper bound.
    """
    if not gmap.model.hidden or not redundant:
        return None
    at = draw_gaussian_point(GaussianSetting(gmap, 0, seed, ("units",)), "units")
    fields, are_all = find_unit_fields(gmap, at)
    rows = np.array([evaluate_field(field, at) for field in fields], dtype=np.int64).reshape(
        len(fields), len(gmap.parameters)
    )
    rank = rank_mod(rows, at.prime) if fields else Rank(0, (), ())
    texts = tuple(dict.fromkeys(describe_unit(fields[number]) for number in rank.rows))
    # where they depend on each other at the point, their rank as polynomials says whether they always do
    further = []
    if are_all and rank.value < len(fields) and rank.value == compute_generic_rank(fields, len(gmap.parameters)):
        further = [proved_by("symbolic", f"over the rational functions the fields have rank {rank.value}")]
    is_exact = are_all and (rank.value == len(fields) or bool(further))
    facts = (
        f"{format_count(len(fields), 'field')} span all that scale and shift latent variables and change no entry that may not "
        f"change; rank {rank.value} {describe_draw(format_point_label(seed, at.label), at.prime)}"
    )
    proof = proved_by("units", facts, "moves")
    found = trust_in_all([proof, *further]) if is_exact else bounds_only(rank.value, redundant)
    return Units(rank.value, texts, redundant - rank.value, found, dimension)


def compute_generic_rank(fields: Sequence[MoveField], parameters: int) -> int | None:
    """The rank of fields over the rational functions; ``None`` where that would be too much."""
    arithmetic, unknowns = make_polynomials(parameters)
    matrix = [[unknowns[0] * 0 for _ in range(parameters)] for _ in fields]
    for row, field in enumerate(fields):
        for place, polynomial in field.change.items():
            for monomial, value in polynomial.items():
                matrix[row][place] += make_term(arithmetic, unknowns, monomial, value)
    try:
        return len(find_generic_rank(matrix, KERNEL_TERMS)[0])
    except LimitError:
        return None
