"""Minors of the covariance matrix that vanish: zero covariances, tetrads and all that trek separation gives.

If s vertices of the doubled graph meet all treks between A and B, the matrix Σ of the covariances between A and B has
rank at most s (lemma "treks"). Where its rank at a point is exactly s, the gradients of its (s+1)-minors span the forms
Σ ↦ ℓᵀ Σ_AB r, with ℓ and r in its kernels (lemma "equations"); A and B may overlap. The dimension is at most the number
of coordinates minus the rank of all such forms, modulo a prime too.

Where intercepts are fixed to 0, the vector of means is one more column, and one more row: Σ is bordered by μ. A coordinate
on all of whose treks every entry is fixed is a constant: one more equation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from algdim.bound.bounds import UPPER, Bound, join_texts, prove_bound
from algdim.bound.searches import FormBasis
from algdim.exact.arithmetic import Array
from algdim.exact.draws import describe_draw, format_point_label
from algdim.exact.ranks import both_kernels
from algdim.families.gaussian.map import GaussianMap
from algdim.families.gaussian.search import GaussianPoint, GaussianSetting, draw_gaussian_point
from algdim.families.gaussian.treks import DoubledGraph, build_doubled_graph, describe_cut
from algdim.figures import format_count, format_integer
from algdim.models.graphs import Bits, iterate_positions

MOST_TOGETHER = 1 << 16
"""Models with more coordinates are not searched."""
MOST_COORDINATES = 4096
MOST_ENTRIES = 1 << 21
"""No matrix is tried if the equations that are needed, times the coordinates, exceed this."""
MOST_CUTS = 3000
MOST_SEARCHES = 1 << 15
"""Sets of separating vertices that are looked at, and searches for treks in all: one for each set and row."""
MOST_SEEDS = 2000
"""Sets of rows from which larger ones are grown, for one separating set."""
MOST_IDLE = 150
"""After this many matrices in a row that gave nothing new the search ends."""


@dataclass(frozen=True, slots=True)
class Minors:
    """The minors of the matrix between two sets, with the vertices that meet all treks between these."""

    one: Bits
    other: Bits
    cut: Bits

    @property
    def rank(self) -> int:
        """What the rank does not exceed."""
        return self.cut.bit_count()

    @property
    def forms(self) -> int:
        """How many forms it has at most."""
        return (self.one.bit_count() - self.rank) * (self.other.bit_count() - self.rank)


class FormCollector:
    """Adds up forms at one point until there are as many as needed, as a reduced basis."""

    def __init__(self, setting: GaussianSetting, graph: DoubledGraph, at: GaussianPoint) -> None:
        self.setting = setting
        self.graph = graph
        self.at = at
        count = len(setting.pmap.model.variables)
        self.numbers = map_coordinate_numbers(setting.pmap)
        self.bordered = np.zeros((count + 1, count + 1))
        self.bordered[:count, :count] = at.covariance
        self.bordered[count, :count] = self.bordered[:count, count] = at.mean
        self.basis = FormBasis(setting, setting.pmap.coordinate_count, at.prime)
        self.used: list[Minors] = []
        self.offered = 0
        """How many forms all that were used have at most."""
        self.constants: list[tuple[int, int]] = []

    def places(self, variables: Bits) -> list[int]:
        """The rows of the bordered matrix; the vertex 1 has the last one."""
        return [min(vertex, self.graph.count) for vertex in iterate_positions(variables)]

    def add_constants(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Add covariances and means that are constant, as many as are needed; their forms are unit vectors."""
        chosen = list(pairs)[: self.basis.missing]
        forms = np.zeros((len(chosen), self.basis.rows.shape[1]))
        forms[np.arange(len(chosen)), [self.numbers[pair] for pair in chosen]] = 1
        if chosen and self.basis.extend(forms):
            self.constants += chosen

    def add(self, minors: Minors) -> bool:
        """Add the forms of one matrix; whether there was a new one among them."""
        rows, columns = self.places(minors.one), self.places(minors.other)
        kernels = both_kernels(self.bordered[np.ix_(rows, columns)], minors.rank, self.at.prime)
        if kernels is None:
            return False
        left, right = kernels
        pairs = self.basis.draw_pairs(left, right, self.basis.missing)
        if self.basis.extend(self.pulled_back(rows, columns, *pairs)):
            self.used.append(minors)
            self.offered += len(left) * len(right)
            return True
        return False

    def pulled_back(self, rows: Sequence[int], columns: Sequence[int], left: Array, right: Array) -> Array:
        """The forms ℓᵀ Σ r as combinations of the coordinates: σ_ij has ℓ_i r_j + ℓ_j r_i where both are in both sets."""
        field = self.at.field
        products = field.multiply(left[:, :, None], right[:, None, :]).reshape(len(left), -1)
        numbers = np.array([self.numbers.get((i, j), -1) for i in rows for j in columns], dtype=np.intp)
        result = np.zeros((self.basis.rows.shape[1], len(left)))
        np.add.at(result, numbers[numbers >= 0], products.T[numbers >= 0])
        return field.add(result.T, np.zeros(1))


def map_coordinate_numbers(gmap: GaussianMap) -> dict[tuple[int, int], int]:
    """The number of each coordinate by two places of variables, in both orders; the place after the last stands for 1."""
    count, observed = len(gmap.model.variables), gmap.observed_places
    pairs = [(observed[one], observed[other]) for one, other in zip(*gmap.pairs, strict=True)]
    pairs += [(one, count) for one in observed[: gmap.means]]
    numbers = {pair: number for number, pair in enumerate(pairs)}
    return numbers | {(other, one): number for (one, other), number in numbers.items()}


def bound_by_minors(setting: GaussianSetting) -> Bound | None:
    """The bound by trek separation, or ``None`` if no treks are separated (or there are far too many coordinates)."""
    gmap = setting.pmap
    if setting.needed_codimension <= 0 or gmap.coordinate_count > MOST_TOGETHER:
        return None
    graph = build_doubled_graph(gmap.model)
    if gmap.coordinate_count > MOST_COORDINATES or setting.needed_codimension * gmap.coordinate_count > MOST_ENTRIES:
        zeros = find_constant_pairs(gmap, graph, {})[: setting.needed_codimension]
        return make_minor_bound(setting, zeros, None, len(zeros))
    collector = FormCollector(setting, graph, draw_gaussian_point(setting, "minors"))
    collector.add_constants(find_constant_pairs(gmap, graph, gmap.value_of))
    idle = 0
    for minors in iterate_candidate_minors(graph, find_possible_sides(gmap)):
        if not collector.basis.missing or idle >= MOST_IDLE:
            break
        idle = 0 if collector.add(minors) else idle + 1
    return make_minor_bound(setting, collector.constants, drop_idle(collector), len(collector.basis))


def find_possible_sides(gmap: GaussianMap) -> Bits:
    """What may stand in rows and columns: the observed variables, and 1 if an intercept is fixed to 0."""
    observed = sum(1 << place for place in gmap.observed_places)
    if any(entry[0] == "m" and value == 0 for entry, value in gmap.value_of.items()):
        observed |= 1 << 2 * len(gmap.model.variables)
    return observed


def find_constant_pairs(gmap: GaussianMap, graph: DoubledGraph, fixed: Mapping[Any, Any]) -> list[tuple[int, int]]:
    """The pairs without treks, or only with treks whose entries are all fixed; by place, the place after the last is 1."""
    sides = sum(1 << place for place in gmap.observed_places) | (graph.constant if gmap.means else 0)
    reaching = {other: graph.reaching(other) for other in iterate_positions(sides)} if fixed else {}
    reached = {one: graph.find_reached(graph.copies(1 << one)) for one in gmap.observed_places}

    def is_constant(one: int, other: int) -> bool:
        if not reached[one] >> other & 1:
            return True
        return bool(fixed) and not any(
            graph.free[vertex] & reaching[other] for vertex in iterate_positions(reached[one])
        )

    known = map_coordinate_numbers(gmap)
    return [
        pair
        for one in gmap.observed_places
        for other in iterate_positions(sides & -(1 << one))
        if (pair := (one, min(other, graph.count))) in known and is_constant(one, other)
    ]


def iterate_candidate_minors(graph: DoubledGraph, sides: Bits) -> Iterator[Minors]:
    """Pairs of sets that few vertices separate, fewest vertices first; for one separating set, large matrices first."""
    vertices = sorted(range(2 * graph.count), key=lambda vertex: (-graph.arcs[vertex].bit_count(), vertex))
    if sides & graph.constant:
        vertices += [2 * graph.count, 2 * graph.count + 1]
    rows = list(iterate_positions(sides))
    known: dict[Bits, tuple[Bits, ...]] = {0: find_separated_columns(graph, 0, rows, sides)}
    seen: set[tuple[Bits, Bits]] = set()
    most = (sides.bit_count() - 1) if rows else 0
    looked, enough = 0, min(MOST_CUTS, MOST_SEARCHES // max(1, len(rows)))
    for size in range(1, most + 1):
        for chosen in combinations(vertices, size):
            looked += 1
            if looked > enough:
                return
            cut = sum(1 << vertex for vertex in chosen)
            known[cut] = separated = find_separated_columns(graph, cut, rows, sides)
            # fewer vertices would separate the same
            if any(known[cut & ~(1 << vertex)] == separated for vertex in chosen):
                continue
            found = [
                Minors(one, other, cut)
                for one, other in search_maximal_pairs(rows, separated, size)
                if (one, other) not in seen
            ]
            seen.update(pair for minors in found for pair in ((minors.one, minors.other), (minors.other, minors.one)))
            yield from sorted(found, key=lambda minors: -minors.forms)


def find_separated_columns(graph: DoubledGraph, cut: Bits, rows: Sequence[int], sides: Bits) -> tuple[Bits, ...]:
    """For each row the columns to which no trek leads that avoids the cut."""
    return tuple(graph.not_met(cut, row) & sides for row in rows)


def search_maximal_pairs(rows: Sequence[int], separated: Sequence[Bits], size: int) -> list[tuple[Bits, Bits]]:
    """The pairs that cannot be enlarged, with more than ``size`` members each: every greater minor lies in one.

    They are grown from ``size + 1`` rows, of which there may be too many for all to be looked at.
    """
    useful = [place for place, columns in enumerate(separated) if columns.bit_count() > size]
    found: dict[tuple[Bits, Bits], None] = {}
    for number, seeds in enumerate(combinations(useful, size + 1)):
        if number == MOST_SEEDS:
            break
        other = separated[seeds[0]]
        for place in seeds[1:]:
            other &= separated[place]
        if other.bit_count() <= size:
            continue
        one = sum(1 << rows[place] for place in useful if not other & ~separated[place])
        if (other, one) not in found:
            found[one, other] = None
    return list(found)


def drop_idle(collector: FormCollector) -> FormCollector:
    """The same equations, last ones first, without those that then add nothing."""
    if len(collector.used) < 2:
        return collector
    again = FormCollector(collector.setting, collector.graph, collector.at)
    if collector.offered + len(collector.constants) == len(collector.basis):
        # each form is independent of all others, in whatever order they come
        again.basis, again.constants, again.used = collector.basis, collector.constants, collector.used[::-1]
        return again
    again.add_constants(collector.constants)
    for minors in reversed(collector.used):
        if again.basis.missing:
            again.add(minors)
    return again if len(again.basis) >= len(collector.basis) else collector


def make_minor_bound(
    setting: GaussianSetting, constants: Sequence[tuple[int, int]], used: FormCollector | None, codimension: int
) -> Bound | None:
    """What constants and matrices prove; ``None`` if there are none."""
    if not codimension:
        return None
    names = [*(variable.name for variable in setting.pmap.model.variables), "1"]
    evidence: dict[str, Any] = {"codimension": codimension}
    texts = []
    zeros = set(find_constant_pairs(setting.pmap, build_doubled_graph(setting.pmap.model), {}))
    for kind, wanted in (("zeros", True), ("constants", False)):
        told = [[names[one], names[other]] for one, other in constants if ((one, other) in zeros) == wanted]
        if told:
            evidence[kind] = told
            texts += [describe_constant(*pair, is_zero=wanted) for pair in told]
    at = ""
    if used is not None and used.used:
        at = describe_draw(format_point_label(setting.seed, used.at.label), used.at.prime)
        evidence |= {"seed": setting.seed, "prime": used.at.prime, "point": used.at.label}
        evidence["minors"] = [name_minor_sets(used.graph, minors) for minors in used.used]
        texts += [format_matrix(matrix) for matrix in evidence["minors"]]
    complete = setting.pmap.complete
    reason = f"{format_integer(complete)} − {format_integer(codimension)}; {format_count(codimension, 'equation')}, {join_texts(texts)}"
    return prove_bound(complete - codimension, UPPER, "minors", reason, "treks", "equations", evidence=evidence, at=at)


def describe_constant(one: str, other: str, *, is_zero: bool) -> str:
    """A covariance or mean that does not depend on the parameters, for people.

    >>> describe_constant("A", "B", is_zero=True), describe_constant("A", "1", is_zero=False)
    ('cov(A,B) = 0', 'mean(A) is constant')
    """
    return f"{f'mean({one})' if other == '1' else f'cov({one},{other})'} {'= 0' if is_zero else 'is constant'}"


def name_minor_sets(graph: DoubledGraph, minors: Minors) -> dict[str, Any]:
    """The sets, by name; 1 stands for the constant."""
    names = [*graph.names, "1"]
    rows, columns = (
        [names[min(v, graph.count)] for v in iterate_positions(side)] for side in (minors.one, minors.other)
    )
    cut = describe_cut(graph, minors.cut)
    return {"rows": rows, "columns": columns, "rank": minors.rank, "left": list(cut.left), "right": list(cut.right)}


def format_matrix(told: dict[str, Any]) -> str:
    """A matrix for people.

    >>> format_matrix({"rows": ["A", "B"], "columns": ["C", "D"], "rank": 1, "left": [], "right": ["F"]})
    'cov(A,B; C,D) (2×2, rank 1 through F)'
    """
    through = ",".join(dict.fromkeys([*told["left"], *told["right"]]))
    size = f"{len(told['rows'])}×{len(told['columns'])}, rank {told['rank']} through {through}"
    return f"cov({','.join(told['rows'])}; {','.join(told['columns'])}) ({size})"
