"""Upper bounds of maps that are given by formulas: counting, the affine hull, symmetries found by linear algebra.

A symmetry is a vector field v on the parameters, with polynomials as entries, that the map does not notice: J·v = 0. Its
coefficients are found at random points modulo a prime, and the field is used only if J·v = 0 is an identity of polynomials.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from algdim.bound.bounds import UPPER, Bound, proved_bound
from algdim.bound.symbolic import symbolic
from algdim.errors import LimitError
from algdim.exact.draws import residues, stream, where_drawn
from algdim.exact.ranks import rank_mod
from algdim.families.discrete.bounds.polynomialfields import (
    PolynomialField,
    Samples,
    Term,
    all_terms,
    ansatz,
    identities,
    unknowns,
    values_of,
)
from algdim.families.polynomial.map import PolynomialMap
from algdim.figures import abridged, counted
from algdim.jacobian import evaluator_of, symbolic_jacobian
from algdim.maps.anymap import Map
from algdim.rank import usable_prime

PRIME = 8388593
"""The largest below 2^23; any would do to find candidates."""

MOST_UNKNOWNS = 1600
MOST_DEGREE = 2
MOST_POINTS = 300
MOST_TERMS = 1 << 17
MOST_SHOWN = 200


@dataclass(frozen=True, slots=True, eq=False)
class MapSetting:
    """What a search starts from: the map, the rank to be met, the seed and its use."""

    pmap: Map
    lower: int
    seed: int | str = 0
    labels: tuple[int | str, ...] = ()


def hull(pmap: PolynomialMap) -> Bound:
    """The dimension is at most that of the affine hull of the coordinates, or else the number of coordinates."""
    value, count = pmap.multiplied_hull, counted(pmap.coordinate_count, "coordinate")
    if value is None or value == pmap.coordinate_count:
        return proved_bound(pmap.coordinate_count, UPPER, "ambient", count, "generic rank")
    equations = counted(pmap.coordinate_count - value, "linear equation")
    return proved_bound(value, UPPER, "ambient", f"{count}, {equations} between them", "formulas")


def stages(count: int) -> Iterator[list[Term]]:
    """The terms of fields that are tried: scalings and translations first, then everything up to a degree."""
    if 2 * count <= MOST_UNKNOWNS:
        yield [(place, monomial) for place in range(count) for monomial in ((), (place,))]
    for degree in range(1, MOST_DEGREE + 1):
        if unknowns(count, count, degree) <= MOST_UNKNOWNS:
            yield all_terms(range(count), count, degree)


def fields_of(pmap: Map, lower: int) -> tuple[PolynomialField, ...]:
    """Fields that the map does not notice, independent at a random point, verified; no more than the rank leaves room for."""
    count = len(pmap.parameters)
    samples = Samples(pmap, evaluator_of(pmap), list(range(count)), PRIME)
    found: tuple[PolynomialField, ...] = ()
    jacobian: list[list[Any]] | None = None
    for terms in stages(count):
        # a point gives as many equations as its rank
        if len(found) >= count - lower or len(terms) > MOST_POINTS * max(1, lower):
            break
        candidates = ansatz(samples, terms)
        if candidates and jacobian is None:
            jacobian = symbolic_jacobian(pmap, samples.evaluator, MOST_TERMS)
        found = max(found, identities(pmap, candidates, jacobian), key=len)
    return found


def field_symmetry(setting: MapSetting) -> Bound | None:
    """D ≤ P − rank of the fields at a point (lemma "symmetry"); ``None`` where none is found."""
    pmap, count = setting.pmap, len(setting.pmap.parameters)
    if any(denominator % PRIME == 0 for denominator in pmap.denominators()):
        return None
    try:
        fields = fields_of(pmap, setting.lower)
    except LimitError:
        return None
    if not fields:
        return None
    prime = usable_prime(pmap, setting.seed, *setting.labels, "symmetry")
    source = stream(setting.seed, "point", *setting.labels, "symmetry", 0)
    point = residues(source, prime, count).tolist()
    rank = rank_mod(np.array([values_of(field, point, prime) for field in fields], dtype=np.int64), prime).value
    if not rank:
        return None
    texts = [field.texts(pmap.parameters) for field in fields]
    shown = abridged("; ".join(f"d{name} = {text}" for name, text in texts[0].items()), MOST_SHOWN)
    which = "one is" if rank > 1 else "it is"
    reason = f"{count} − {rank}; {counted(rank, 'direction')} in which no coordinate changes; {which} {shown}"
    evidence = {"prime": prime, "point": source.text, "parameters": count, "rank": rank, "fields": texts}
    at = where_drawn(source.text, prime)
    return proved_bound(count - rank, UPPER, "symmetry", reason, "symmetry", evidence=evidence, at=at)


FREE_SEARCHES: Mapping[str, Callable[[MapSetting], Bound | tuple[Bound, ...] | None]] = {
    "symmetry": field_symmetry,
    "symbolic": lambda setting: symbolic(setting.pmap),
}
"""Bounds of maps given by formulas that are searched for, in this order."""
