"""The kernel of the Jacobian over the rational functions: what moves, what moves together, what to fix, each a theorem.

Its vectors are known as polynomials. That an entry or a minor is not zero, a point may show; that one is zero, only the
polynomials do (lemma "sets to fix" in proofs/lemmas.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.analysis import Prepared
from algdim.bound.strategy import prove_coordinates_suffice
from algdim.errors import LimitError
from algdim.exact.arithmetic import Residues
from algdim.exact.polynomials import evaluate_mod, find_generic_kernel, find_generic_rank, make_polynomials
from algdim.exact.ranks import compute_kernel, rank_mod
from algdim.families import load_identifying
from algdim.figures import format_count
from algdim.identifiability.groups import MOST_SETS, MOST_TRIED, Sets, find_connected_components, iterate_exchanges
from algdim.identifiability.rowspaces import Seen
from algdim.jacobian import compute_symbolic_jacobian, make_evaluator
from algdim.maps import Map
from algdim.models.anymodel import prove_removal
from algdim.rank import SYMBOLIC_ENTRIES, SYMBOLIC_TERMS
from algdim.trust import Trust, proved_by, trust_in_all

KERNEL_TERMS = 30_000
"""A kernel is written out in polynomials up to products of this many terms."""
KERNEL_PARAMETERS = 100
"""Of one district."""
MOST_PARAMETERS = 400
MINOR_TERMS = 3000
"""Whether a minor of it is zero is decided up to products of this many terms."""
MOST_DECIDED = 300
"""Of this many minors at most."""
MOST_POINTS = 3

Vector = Mapping[int, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """A basis of the kernel in polynomials, each by its entries that are not zero; on some columns it is diagonal."""

    vectors: tuple[Vector, ...]
    trust: Trust
    """Trust that it is the kernel: by what it was computed, and why it is that of the whole map."""

    @property
    def moved_parameters(self) -> frozenset[int]:
        """The parameters that are not identifiable."""
        return frozenset(place for vector in self.vectors for place in vector)

    def groups(self) -> list[tuple[int, ...]]:
        """The parameters of each group."""
        return find_connected_components([tuple(vector) for vector in self.vectors])

    def of(self, places: Sequence[int]) -> list[Vector]:
        """The vectors of a group."""
        inside = set(places)
        return [vector for vector in self.vectors if inside.issuperset(vector)]

    def values(self, places: Sequence[int], seen: Seen) -> NDArray[np.int64]:
        """The vectors of a group at a point, one row for each."""
        point = seen.point.tolist()
        rows = self.of(places)
        found = np.zeros((len(rows), len(places)), dtype=np.int64)
        for row, vector in enumerate(rows):
            for column, place in enumerate(places):
                if place in vector:
                    found[row, column] = evaluate_mod(vector[place], point, seen.prime)
        return found

    def fixings(self, places: Sequence[int], seen: Iterable[Seen]) -> Sets:
        """The sets of a group, by numbers within it, on which its vectors have a minor that is not zero.

        Whether these are all is known where every other set is shown to have a minor that is the zero polynomial.
        """
        rows = self.of(places)
        tables = [(self.values(places, one), one.prime) for one in list(seen)[:MOST_POINTS]]
        known = find_own_columns(rows, places)
        if comb(len(places), len(rows)) > MOST_TRIED:
            sets = {known: None}
            for table, prime in tables:
                if rank_mod(table, prime).value == len(rows):
                    sets = dict.fromkeys([*iterate_exchanges(table, prime), known])
                    break
            return Sets(tuple(sets)[:MOST_SETS], False if len(sets) > MOST_SETS else None)
        minors = VanishingMinors(rows, places)
        found: list[tuple[int, ...]] = []
        open_sets = []
        for columns in combinations(range(len(places)), len(rows)):
            if columns == known or any(is_basis(table, columns, prime) for table, prime in tables):
                found.append(columns)
                if len(found) > MOST_SETS:
                    return Sets(tuple(found[:MOST_SETS]), False)
            else:
                open_sets.append(columns)
        undecided = False
        for columns in open_sets:
            vanishes = minors.vanishes(columns, tables)
            undecided |= vanishes is None
            if vanishes is False:
                found.append(columns)
        found.sort()
        more = len(found) > MOST_SETS
        return Sets(tuple(found[:MOST_SETS]), False if more else None if undecided else True)


class VanishingMinors:
    """Which greatest minors of some vectors of polynomials vanish: the dependent sets of columns found on the way are kept."""

    def __init__(self, rows: Sequence[Vector], places: Sequence[int]) -> None:
        self.rows, self.places = rows, places
        self.zero = next(value for vector in rows for value in vector.values()) * 0
        self.dependent: list[frozenset[int]] = []
        self.decided = 0

    def vanishes(self, columns: tuple[int, ...], tables: Sequence[tuple[NDArray[np.int64], int]]) -> bool | None:
        """Whether the minor on these columns is the zero polynomial; ``None`` where that would take too long."""
        if any(circuit.issubset(columns) for circuit in self.dependent):
            return True
        # a point suggests columns that depend on each other; the fewest are quickly decided
        for circuit in (*iterate_dependent_columns(columns, tables), columns):
            independent = self.are_independent(circuit)
            if independent is None:
                return None
            if not independent:
                self.dependent.append(frozenset(circuit))
                return True
        return False

    def are_independent(self, columns: tuple[int, ...]) -> bool | None:
        """Whether columns are independent over the rational functions."""
        self.decided += 1
        if self.decided > MOST_DECIDED:
            return None
        matrix = [[vector.get(self.places[column], self.zero) for column in columns] for vector in self.rows]
        try:
            return len(find_generic_rank(matrix, MINOR_TERMS)[0]) == len(columns)
        except LimitError:
            return None


def iterate_dependent_columns(
    columns: tuple[int, ...], tables: Sequence[tuple[NDArray[np.int64], int]]
) -> Iterator[tuple[int, ...]]:
    """Columns among these that depend on each other at a point, as few as can be."""
    for table, prime in tables[:1]:
        field = Residues(prime)
        mine = field.elements(np.ascontiguousarray(table[:, list(columns)]))
        kernel = compute_kernel(mine, rank_mod(mine, prime), prime)
        circuits = [tuple(columns[n] for n in np.flatnonzero(vector).tolist()) for vector in kernel]
        yield from sorted(circuits, key=len)[:1]


def find_own_columns(rows: Sequence[Vector], places: Sequence[int]) -> tuple[int, ...]:
    """Columns on which the vectors are diagonal: each has one that no other has."""
    users: dict[int, list[int]] = {}
    for number, vector in enumerate(rows):
        for place in vector:
            users.setdefault(place, []).append(number)
    chosen: dict[int, int] = {}
    for column, place in enumerate(places):
        if len(users.get(place, ())) == 1:
            chosen.setdefault(users[place][0], column)
    if len(chosen) < len(rows):
        raise RuntimeError("a kernel's basis is not diagonal on any columns: a bug in algdim, please report the model")
    return tuple(sorted(chosen.values()))


def is_basis(table: NDArray[np.int64], columns: tuple[int, ...], prime: int) -> bool:
    """Whether the minor on some columns is not zero at a point."""
    return rank_mod(np.ascontiguousarray(table[:, list(columns)]), prime).value == len(columns)


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A part of a map with parameters of its own, given by their numbers in the whole."""

    pmap: Map
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The parts among which the kernel is a direct sum; nothing observed depends on the parameters in none of them."""

    parts: tuple[Piece, ...]
    loops: frozenset[int]
    """The parameters in none of them."""
    in_loops: tuple[Trust, ...]
    """Why nothing observed depends on these; nothing if there are none."""
    in_sum: tuple[Trust, ...]
    """Why the kernel of the others is the sum of those of the parts; nothing if there is one part."""


def choose_pieces(prepared: Prepared) -> Pieces:
    """The pieces that the family knows of, else the whole map, without what does not matter."""
    pieces = load_identifying(prepared.model.family).find_pieces
    return select_disjoint_pieces(prepared, [map_that_matters(prepared)]) if pieces is None else pieces(prepared)


def map_that_matters(prepared: Prepared) -> Map:
    """The map without variables that cannot matter, if its parameters are some of the model's; else that of the model."""
    small, whole = prepared.relevant_map, prepared.whole_map
    return small if set(whole.parameters).issuperset(small.parameters) else whole


def select_disjoint_pieces(prepared: Prepared, parts: Sequence[Map]) -> Pieces:
    """Maps without a common parameter (lemma "districts"); nothing observed depends on the parameters in none of them."""
    place = {name: number for number, name in enumerate(prepared.whole_map.parameters)}
    pieces = tuple(Piece(part, tuple(place[name] for name in part.parameters)) for part in parts)
    loops = frozenset(place.values()).difference(*(piece.places for piece in pieces))
    apart = f"{len(pieces)} districts without a common parameter"
    in_sum = (proved_by("districts", apart),) if len(pieces) > 1 else ()
    why = prove_removal(prepared.model.family, prepared.reduction.removed)
    return Pieces(pieces, loops, why if loops else (), in_sum)


def compute_polynomial_kernel(pmap: Map, pieces: Pieces, max_memory: int | None) -> Kernel | None:
    """The kernel of a map's Jacobian as polynomials, piece by piece; ``None`` where that would be too much."""
    width, known = len(pmap.parameters), load_identifying(pmap.model.family)
    if not known.has_polynomial_kernel or width > MOST_PARAMETERS:
        return None
    one = make_polynomials(width)[0].elements(np.ones(1, dtype=np.int64))[0]
    found: list[Vector] = []
    why: list[Trust] = []
    is_eliminated = False
    try:
        for piece in pieces.parts:
            if not piece.places:
                continue
            constant = None if known.find_kernel is None else known.find_kernel(piece.pmap)
            if constant is not None:
                vectors, trust = constant
                found += [{piece.places[place]: value * one for place, value in vector.items()} for vector in vectors]
                why.append(trust)
                continue
            if is_large(piece.pmap):
                return None
            is_eliminated = True
            matrix = compute_symbolic_jacobian(piece.pmap, make_evaluator(piece.pmap), SYMBOLIC_TERMS, max_memory)
            found += [
                extend_kernel_vector(piece.places, width, vector)
                for vector in find_generic_kernel(matrix, KERNEL_TERMS)
            ]
    except LimitError:
        return None
    found += [{place: one} for place in sorted(pieces.loops)]
    if is_eliminated or not why:
        facts = f"over the rational functions the kernel of the Jacobian has {format_count(len(found), 'dimension')}"
        why.append(proved_by("symbolic", facts))
    why += [*pieces.in_sum, *pieces.in_loops, *prove_coordinates_suffice(pmap)]
    return Kernel(tuple(found), trust_in_all(why))


def is_large(pmap: Map) -> bool:
    """Whether a map has too many entries for a Jacobian of polynomials."""
    width = len(pmap.parameters)
    return width > KERNEL_PARAMETERS or pmap.coordinate_count * width > SYMBOLIC_ENTRIES


def extend_kernel_vector(places: Sequence[int], width: int, vector: Vector) -> Vector:
    """A vector of a piece, in the parameters of the whole."""
    if len(places) == width and tuple(places) == tuple(range(width)):
        return vector
    _, unknowns = make_polynomials(width)
    context = unknowns[0].context()
    found = {}
    for place, polynomial in vector.items():
        terms = {}
        for exponents, value in polynomial.to_dict().items():
            spread = [0] * width
            for number, exponent in enumerate(exponents):
                spread[places[number]] = int(exponent)
            terms[tuple(spread)] = value
        found[places[place]] = context.from_dict(terms)
    return found
