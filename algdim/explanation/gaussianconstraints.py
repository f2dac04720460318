"""The equations that the graph of a Gaussian model implies for covariances and means, and which are independent.

Vanishing covariances and means; tetrads σ_ik σ_jl − σ_il σ_jk of four variables; partial covariances; sextads and octads,
minors of three and four rows with no variable in common with the columns: all by trek separation (lemma "treks"), which for
graphs with free entries and no cycle misses none of these kinds. Minors of which rows and columns have some variables in
common, tetrads of partial covariances among them, and partial covariances given more variables, are not looked for.
Pentads, where two vertices of the doubled graph separate five variables from each other (lemma "pentads").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np

from algdim.bound.gaussianminors import constant_pairs, coordinate_numbers
from algdim.bound.gaussiansetting import GaussianPoint, GaussianSetting, gaussian_point
from algdim.exact.ranks import rank_mod
from algdim.maps.gaussian import GaussianMap
from algdim.models.separation import Bits, positions
from algdim.models.treks import DoubledGraph, doubled, separation_of

MOST_CANDIDATES = 200_000
"""Minors of a size are left out if there are more candidates."""
MOST_CUTS = 3000
"""Pairs of vertices that are looked at for pentads."""
MOST_CONDITIONS = 2
"""So many variables a partial covariance is conditioned on at most."""
BLOCK = 2000

Pairs = tuple[tuple[int, int], ...]
"""A product of covariances."""


@dataclass(frozen=True, slots=True)
class Equation:
    """A polynomial that vanishes: a minor with these rows and columns, or a sum of products of covariances."""

    kind: str
    rows: tuple[int, ...]
    columns: tuple[int, ...] = ()
    terms: tuple[tuple[int, Pairs], ...] = ()
    cut: Bits = 0


@dataclass(frozen=True, slots=True)
class Found:
    """The equations of a model, the numbers of those that are independent at a point, and what was left out."""

    gmap: GaussianMap
    graph: DoubledGraph
    equations: tuple[Equation, ...]
    independent: tuple[int, ...]
    trivial_tetrads: int
    notes: tuple[str, ...]
    prime: int
    point: str


def equations_of(gmap: GaussianMap, size: int, seed: int | str) -> Found:
    """All equations, minors with up to so many rows, checked at a point; the first ones that are independent there."""
    graph = doubled(gmap.model)
    search = Search(gmap, graph)
    notes: list[str] = []
    equations = [*search.zeros()]
    count = len(gmap.observed)
    kinds: list[tuple[str, int, Callable[[], Iterable[Equation]]]] = [
        ("tetrads", 3 * comb(count, 4), search.tetrads),
        ("partial covariances", comb(count, 2) * comb(max(0, count - 2), MOST_CONDITIONS), search.partial),
        *(
            (
                f"minors with {rows} rows",
                comb(count, 2 * rows) * comb(2 * rows, rows) // 2,
                partial(search.minors, rows),
            )
            for rows in range(3, size + 1)
        ),
    ]
    for name, candidates, find in kinds:
        if candidates > MOST_CANDIDATES:
            notes.append(
                f"{name} are left out: there are {candidates} candidates, at most {MOST_CANDIDATES} are looked at"
            )
        else:
            equations += find()
    if comb(count, 5) > MOST_CANDIDATES:
        notes.append(
            f"pentads are left out: there are {comb(count, 5)} candidates, at most {MOST_CANDIDATES} are looked at"
        )
    elif count >= 5:
        equations += search.pentads([equation for equation in equations if equation.kind in ("zero", "tetrad")])
        pairs = comb(2 * graph.count, 2)
        if pairs > MOST_CUTS:
            notes.append(f"pentads are looked for behind {MOST_CUTS} of {pairs} pairs of vertices; there may be more")
    at = gaussian_point(GaussianSetting(gmap, 0, seed), "constraints")
    equations = [equation for equation in equations if is_defined(equation, at)]
    independent = independent_at(gmap, at, equations)
    return Found(gmap, graph, tuple(equations), independent, search.trivial, tuple(notes), at.prime, at.label)


def is_defined(equation: Equation, at: GaussianPoint) -> bool:
    """Whether a partial covariance exists: the covariance of what is given is invertible at the point, so generically."""
    given = sorted(set(equation.rows) & set(equation.columns)) if equation.kind == "partial" else []
    return not given or rank_mod(at.covariance[np.ix_(given, given)], at.prime).value == len(given)


class Search:
    """Finds equations by trek separation."""

    def __init__(self, gmap: GaussianMap, graph: DoubledGraph) -> None:
        self.gmap = gmap
        self.graph = graph
        self.observed = gmap.observed
        self.pairs = frozenset(constant_pairs(gmap, graph, {}))
        self.trivial = 0

    def is_zero(self, one: int, other: int) -> bool:
        """Whether no trek joins two variables."""
        return (min(one, other), max(one, other)) in self.pairs

    def zeros(self) -> Iterator[Equation]:
        """Covariances and means that vanish."""
        for one, other in sorted(self.pairs):
            if other == self.graph.count:
                yield Equation("zero mean", (one,))
            else:
                yield Equation("zero", (one, other), (), ((1, ((one, other),)),))

    def tetrads(self) -> Iterator[Equation]:
        """The tetrads, in the form and order in which GHM96 §7 prints them; those that zeros imply are only counted."""
        for a, b, c, d in combinations(self.observed, 4):
            first, second, third = ((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))
            for one, other, rows, columns in (
                (first, second, (a, d), (b, c)),
                (third, second, (a, b), (c, d)),
                (third, first, (a, c), (b, d)),
            ):
                if all(any(self.is_zero(*pair) for pair in product) for product in (one, other)):
                    self.trivial += 1
                    continue
                cut = self.cut(rows, columns)
                if cut.bit_count() < 2:
                    yield Equation("tetrad", rows, columns, ((1, one), (-1, other)), cut)

    def partial(self) -> Iterator[Equation]:
        """Partial covariances given as few variables as possible; those that are zero without any are left out."""
        for one, other in combinations(self.observed, 2):
            if self.is_zero(one, other):
                continue
            rest = [v for v in self.observed if v not in (one, other)]
            found: list[tuple[int, ...]] = []
            for size in range(1, MOST_CONDITIONS + 1):
                for given in combinations(rest, size):
                    if any(set(smaller) <= set(given) for smaller in found):
                        continue
                    cut = self.cut((one, *given), (other, *given))
                    if cut.bit_count() <= size:
                        found.append(given)
                        yield Equation("partial", (one, *given), (other, *given), (), cut)

    def minors(self, size: int) -> Iterator[Equation]:
        """The minors of a size that vanish although no smaller ones do that would imply it."""
        for members in combinations(self.observed, 2 * size):
            for rows in combinations(members, size):
                if rows[0] != members[0]:
                    break
                columns = tuple(v for v in members if v not in rows)
                cut = self.cut(rows, columns)
                if cut.bit_count() == size - 1 and self.is_new(rows, columns):
                    yield Equation("minor", rows, columns, (), cut)

    def is_new(self, rows: tuple[int, ...], columns: tuple[int, ...]) -> bool:
        """Whether no rows, and no columns, are dependent already without one of them."""
        size = len(rows) - 1
        return all(self.cut(some, columns).bit_count() == size for some in combinations(rows, size)) and all(
            self.cut(rows, some).bit_count() == size for some in combinations(columns, size)
        )

    def pentads(self, smaller: Sequence[Equation]) -> Iterator[Equation]:
        """Pentads of five variables that two vertices separate, if no smaller equation is about them."""
        known = {frozenset((*equation.rows, *equation.columns)) for equation in smaller}
        vertices = sorted(range(2 * self.graph.count), key=lambda v: (-self.graph.arcs[v].bit_count(), v))
        alone = {v: self.apart(1 << v) for v in vertices}
        seen: set[tuple[int, ...]] = set()
        for number, chosen in enumerate(combinations(vertices, 2)):
            if number == MOST_CUTS:
                return
            cut = 1 << chosen[0] | 1 << chosen[1]
            apart = self.apart(cut)
            if apart in (alone[chosen[0]], alone[chosen[1]]):
                continue  # one vertex would do, and there are tetrads
            for members in cliques(self.observed, apart, 5):
                if members not in seen:
                    seen.add(members)
                    if not any(frozenset(some) in known for size in (2, 4) for some in combinations(members, size)):
                        yield Equation("pentad", members, (), pentad(members), cut)

    def apart(self, cut: Bits) -> dict[int, Bits]:
        """For each observed variable the other variables to which no trek leads that avoids a cut."""
        others = bits(self.observed)
        return {v: self.graph.not_met(cut, v) & others & ~(1 << v) for v in self.observed}

    def cut(self, rows: Iterable[int], columns: Iterable[int]) -> Bits:
        """A smallest set of vertices that meets all treks."""
        return self.graph.smallest_cut(bits(rows), bits(columns))


def bits(members: Iterable[int]) -> Bits:
    """A set as bits."""
    return sum(1 << member for member in members)


def cliques(members: Sequence[int], apart: dict[int, Bits], size: int) -> Iterator[tuple[int, ...]]:
    """The sets of a size in which each two are apart, in both directions."""

    def extend(chosen: tuple[int, ...], left: Bits) -> Iterator[tuple[int, ...]]:
        if len(chosen) == size:
            yield chosen
            return
        for vertex in positions(left):
            mutual = sum(1 << v for v in positions(left & apart[vertex] & -(2 << vertex)) if apart[v] >> vertex & 1)
            yield from extend((*chosen, vertex), mutual)

    yield from extend((), bits(members))


def pentad(members: tuple[int, ...]) -> tuple[tuple[int, Pairs], ...]:
    """The pentad of five variables: the sum over the 12 cycles through all five, each with the sign of its order.

    >>> len(pentad((0, 1, 2, 3, 4)))
    12
    """
    first, *rest = members
    terms = []
    for order in permutations(rest):
        if order[0] < order[-1]:  # a cycle has two directions
            cycle = (first, *order)
            pairs = tuple(tuple(sorted((cycle[k], cycle[(k + 1) % 5]))) for k in range(5))
            terms.append((sign(order), tuple(sorted((a, b) for a, b in pairs))))
    return tuple(terms)


def sign(order: Sequence[int]) -> int:
    """The sign of a permutation.

    >>> sign([1, 0, 2]), sign([1, 2, 0])
    (-1, 1)
    """
    return -1 if sum(a > b for a, b in combinations(order, 2)) % 2 else 1


def independent_at(gmap: GaussianMap, at: GaussianPoint, equations: Sequence[Equation]) -> tuple[int, ...]:
    """The first equations whose gradients at a point are independent; raise if one does not vanish there."""
    numbers = coordinate_numbers(gmap)
    covariance = [[int(value) % at.prime for value in row] for row in at.covariance.tolist()]
    kept: list[int] = []
    rows = np.zeros((0, gmap.coordinate_count), dtype=np.int64)
    for start in range(0, len(equations), BLOCK):
        block = equations[start : start + BLOCK]
        new = np.zeros((len(block), gmap.coordinate_count), dtype=np.int64)
        for row, equation in enumerate(block):
            value, gradient = value_and_gradient(equation, covariance, at.prime, len(covariance))
            if value or (equation.kind == "zero mean" and int(at.mean[equation.rows[0]]) % at.prime):
                raise RuntimeError(f"an equation does not vanish on the model: {equation}")
            for pair, derivative in gradient:
                new[row, numbers[pair]] = (new[row, numbers[pair]] + derivative) % at.prime
        together = np.vstack([rows, new])
        columns = rank_mod(together.T.copy(), at.prime).columns  # the first ones that are independent
        kept = [([*kept, *range(start, start + len(block))])[column] for column in columns]
        rows = together[list(columns)]
    return tuple(kept)


def value_and_gradient(
    equation: Equation, covariance: Sequence[Sequence[int]], prime: int, constant: int
) -> tuple[int, list[tuple[tuple[int, int], int]]]:
    """The value of an equation modulo a prime, and its derivatives by pairs of variables (1 is the one after the last)."""
    if equation.kind == "zero mean":
        return 0, [((equation.rows[0], constant), 1)]
    if equation.terms:
        total = 0
        gradient = []
        for factor, pairs in equation.terms:
            values = [covariance[i][j] for i, j in pairs]
            total += factor * product(values, prime)
            gradient += [(pair, factor * product(values[:k] + values[k + 1 :], prime)) for k, pair in enumerate(pairs)]
        return total % prime, gradient
    matrix = [[covariance[i][j] for j in equation.columns] for i in equation.rows]
    derivatives = [
        ((i, j), (-1) ** (r + c) * determinant(without(matrix, r, c), prime))
        for r, i in enumerate(equation.rows)
        for c, j in enumerate(equation.columns)
    ]
    return determinant(matrix, prime), derivatives


def product(values: Iterable[int], prime: int) -> int:
    """A product modulo a prime."""
    result = 1
    for value in values:
        result = result * value % prime
    return result


def without(matrix: Sequence[Sequence[int]], row: int, column: int) -> list[list[int]]:
    """A matrix without a row and a column.

    >>> without([[1, 2], [3, 4]], 0, 1)
    [[3]]
    """
    return [[x for c, x in enumerate(line) if c != column] for r, line in enumerate(matrix) if r != row]


def determinant(matrix: Sequence[Sequence[int]], prime: int) -> int:
    """The determinant of a small matrix modulo a prime.

    >>> determinant([[1, 2], [3, 4]], 101)
    99
    """
    rows = [list(row) for row in matrix]
    result = 1
    for column in range(len(rows)):
        pivot = next((r for r in range(column, len(rows)) if rows[r][column] % prime), None)
        if pivot is None:
            return 0
        if pivot != column:
            rows[column], rows[pivot] = rows[pivot], rows[column]
            result = -result
        result = result * rows[column][column] % prime
        inverse = pow(rows[column][column], -1, prime)
        for row in rows[column + 1 :]:
            factor = row[column] * inverse % prime
            row[column:] = [(x - factor * y) % prime for x, y in zip(row[column:], rows[column][column:], strict=True)]
    return result % prime


def through(found: Found, equation: Equation) -> dict[str, Any]:
    """The vertices that meet the treks, by name."""
    cut = separation_of(found.graph, equation.cut)
    return {"left": list(cut.left), "right": list(cut.right)}
