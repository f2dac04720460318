"""Searches for the equations that trek separation proves: what vanishes at a drawn point is looked at in the graph.

A minor that is not zero at a point of the model is no equation; so the matrices of all candidates are evaluated together,
and the graph is asked only about those that are zero (lemma "treks"). The work is counted, not timed: a search that
would take too much says how far it came.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from math import comb

import numpy as np
from numpy.typing import NDArray

from algdim.display.results import Plain
from algdim.families.gaussian.covarianceequations import (
    CovarianceEquation,
    Gradients,
    Pairs,
    compute_many_determinants,
    expand_pentad,
)
from algdim.families.gaussian.map import GaussianMap
from algdim.families.gaussian.minors import find_constant_pairs
from algdim.families.gaussian.search import GaussianPoint
from algdim.families.gaussian.treks import DoubledGraph, SeparatingSets, describe_cut
from algdim.figures import format_count
from algdim.limits import has_time
from algdim.memory import ALLOW_MORE, check_memory
from algdim.models.graphs import Bits, iterate_positions
from algdim.trust import proved_by

MOST_CANDIDATES = 200_000
"""Minors of a size, pentads and pairs of variables are left out if there are more candidates."""
MOST_PRODUCTS = 1 << 27
"""Products of residues for all determinants of one size."""
MOST_VISITS = 1 << 21
"""Visits of vertices and arcs when the graph is asked for separating vertices, for one kind of equation."""
MOST_PAIR_VISITS = 1 << 24
"""The same for partial covariances."""
MOST_CUTS = 3000
"""Pairs of vertices that are looked at for pentads."""
MOST_CONDITIONS = 2
"""So many variables are tried as a condition where errors without variance can separate more than the graph says."""
EQUATION_BYTES = 3000
"""Of an equation with its reasons and its text."""
CANDIDATE_COPIES = 4
"""Of all candidates for minors of one size, while those that vanish are picked."""
CHUNK = 1 << 14
KNOWN_CUTS = 64
"""Separating sets of one size that are tried before a new one is looked for."""

NO_TREKS = "no treks"

Index = NDArray[np.int64]
Terms = tuple[tuple[int, Pairs], ...]


@dataclass(frozen=True, slots=True)
class LeftOut(Plain):
    """What a list does not have, or may not have, and why; with numbers where candidates were counted."""

    what: str
    why: str
    candidates: int | None = None
    looked_at: int | None = None

    def __str__(self) -> str:
        return f"{self.what} {self.why}"


def describe_not_searched(what: str, count: int, allowed: int, of: str = "candidates") -> LeftOut:
    """A kind that is left out as a whole."""
    why = f"are left out: there are {count} {of}, at most {allowed} are examined"
    return LeftOut(what, why, count, 0)


def describe_partly_searched(what: str, candidates: int, looked_at: int) -> LeftOut:
    """A kind of which some candidates were looked at."""
    why = f"that vanish at the drawn point: {looked_at} of {candidates} were looked at in the graph; more may hold"
    return LeftOut(what, why, candidates, looked_at)


@dataclass(slots=True)
class Cuts:
    """Sets of vertices that meet all treks between rows and columns, with a count of the work."""

    graph: DoubledGraph
    observed: tuple[int, ...]
    visits: int = 0
    known: dict[int, list[tuple[Bits, dict[int, Bits]]]] = field(default_factory=dict)

    @property
    def is_exhausted(self) -> bool:
        """Whether the work for one kind of equations is done, or there is no time for more."""
        return self.visits >= MOST_VISITS or not has_time()

    @property
    def size(self) -> int:
        """Vertices and arcs."""
        return len(self.graph.arcs) + sum(arcs.bit_count() for arcs in self.graph.arcs)

    def at_most(self, rows: Sequence[int], columns: Sequence[int], most: int) -> Bits | None:
        """A separating set of at most this many vertices; ``None`` if there is none."""
        wanted = encode_bits(columns)
        for number in range(most + 1):
            for cut, apart in self.known.get(number, ()):
                if all(not wanted & ~apart[row] for row in rows):
                    return cut
        cut = self.smallest(rows, columns)
        if cut.bit_count() > most:
            return None
        kept = self.known.setdefault(cut.bit_count(), [])
        if len(kept) < KNOWN_CUTS:
            kept.append((cut, self.apart(cut)))
        return cut

    def smallest(self, rows: Sequence[int], columns: Sequence[int]) -> Bits:
        """A smallest separating set."""
        self.visits += (len(rows) + 1) * self.size
        return self.graph.smallest_cut(encode_bits(rows), encode_bits(columns))

    def apart(self, cut: Bits) -> dict[int, Bits]:
        """For each observed variable the variables to which no trek leads that avoids a cut."""
        self.visits += len(self.observed) * self.size
        return {v: self.graph.not_met(cut, v) for v in self.observed}


def encode_bits(members: Iterable[int]) -> Bits:
    """A set as bits."""
    return sum(1 << member for member in members)


class TrekSearch:
    """Finds equations by trek separation, and keeps account of what was left out."""

    def __init__(self, gmap: GaussianMap, graph: DoubledGraph, at: GaussianPoint, again: GaussianPoint) -> None:
        self.gmap = gmap
        self.graph = graph
        self.observed = gmap.observed_places
        self.points = tuple((each.covariance.astype(np.int64) % each.prime, each.prime) for each in (at, again))
        self.pairs = frozenset(find_constant_pairs(gmap, graph, {}))
        self.trivial, self.listed = 0, 0
        self.left_out: list[LeftOut] = []
        self.met: dict[Bits, str] = {}

    def is_zero(self, one: int, other: int) -> bool:
        """Whether no trek joins two variables."""
        return (min(one, other), max(one, other)) in self.pairs

    def cuts(self) -> Cuts:
        """Begin to count the work anew."""
        return Cuts(self.graph, self.observed)

    def met_by(self, cut: Bits) -> str:
        """Where the treks are met, in a few words."""
        if cut not in self.met:
            apart = describe_cut(self.graph, cut)
            vertices = list(dict.fromkeys([*apart.left, *apart.right]))
            # a variable on both sides of treks counts twice, and is no choke point
            word = "choke point" if cut.bit_count() == 1 else "treks through"
            self.met[cut] = f"{word} {', '.join(vertices)}" if vertices else NO_TREKS
        return self.met[cut]

    def format_names(self, places: Iterable[int]) -> str:
        """Variables by name."""
        return ", ".join(self.graph.names[v] for v in places)

    def minor(
        self, kind: str, rows: tuple[int, ...], columns: tuple[int, ...], cut: Bits, terms: Terms = ()
    ) -> CovarianceEquation:
        """A minor of which fewer vertices than it has rows meet all treks between rows and columns."""
        vertices, because = cut.bit_count(), self.met_by(cut)
        meet = f"{vertices} {'vertex meets' if vertices == 1 else 'vertices meet'} all treks"
        facts = f"{meet} between {self.format_names(rows)} and {self.format_names(columns)}: {because}"
        return CovarianceEquation(kind, rows, because, proved_by("treks", facts), columns, terms, cut)

    def zeros(self) -> Iterator[CovarianceEquation]:
        """Covariances and means that vanish."""
        for one, other in sorted(self.pairs):
            if other == self.graph.count:
                no_path = proved_by("treks", f"no path from 1 to {self.graph.names[one]}")
                yield CovarianceEquation("zero mean", (one,), NO_TREKS, no_path)
            else:
                no_treks = proved_by("treks", f"no treks between {self.graph.names[one]} and {self.graph.names[other]}")
                yield CovarianceEquation("zero", (one, other), NO_TREKS, no_treks, (), ((1, ((one, other),)),))

    def tetrads(self) -> Iterator[CovarianceEquation]:
        """The tetrads, in the form and order in which GHM96 §7 prints them; those that zeros imply are only counted."""
        count = 3 * comb(len(self.observed), 4)
        if count > MOST_CANDIDATES:
            self.left_out.append(describe_not_searched("tetrads", count, MOST_CANDIDATES))
            return
        fours = convert_sets_to_rows(combinations(self.observed, 4), comb(len(self.observed), 4), 4)
        a, b, c, d = fours.T
        ways = (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c)))
        places = (0, 1, (0, 3), (1, 2)), (2, 1, (0, 1), (2, 3)), (2, 0, (0, 2), (1, 3))
        zero = np.zeros((self.graph.count + 1, self.graph.count + 1), dtype=bool)
        for one, other in self.pairs:
            zero[one, other] = zero[other, one] = True
        empty = [zero[one] | zero[other] for one, other in ways]
        vanishing: list[tuple[int, int]] = []
        for form, (first, second, rows, columns) in enumerate(places):
            trivial = empty[first] & empty[second]
            self.trivial += int(trivial.sum())
            values = self.vanish(fours[:, list(rows)], fours[:, list(columns)]) & ~trivial
            vanishing += [(int(number), form) for number in np.flatnonzero(values)]
        vanishing.sort()
        unproved = 0
        for candidate in self.looked_at("tetrads", len(vanishing), cuts := self.cuts()):
            number, form = vanishing[candidate]
            members = tuple(int(v) for v in fours[number])
            first, second, rows, columns = places[form]
            left, right = (tuple(members[place] for place in side) for side in (rows, columns))
            cut = cuts.at_most(left, right, 1)
            if cut is None:
                unproved += 1
            else:
                products = [tuple((int(i[number]), int(j[number])) for i, j in ways[way]) for way in (first, second)]
                yield self.minor("tetrad", left, right, cut, ((1, products[0]), (-1, products[1])))
        self.note_unproved("tetrads", unproved)

    def partial(self) -> Iterator[CovarianceEquation]:
        """For every two variables that some set separates a partial covariance given such a set, of which no member can be left out."""
        what, count = "partial covariances", comb(len(self.observed), 2)
        if count > MOST_CANDIDATES:
            self.left_out.append(describe_not_searched(what, count, MOST_CANDIDATES))
            return
        separators, cuts = SeparatingSets(self.graph, encode_bits(self.observed)), self.cuts()
        found: list[CovarianceEquation] = []
        for number, (one, other) in enumerate(combinations(self.observed, 2)):
            if cuts.visits + separators.visits >= MOST_PAIR_VISITS or not has_time():
                why = f"are looked for between {number} of {count} pairs of variables; there may be more"
                self.left_out.append(LeftOut(what, why, count, number))
                break
            if self.is_zero(one, other):
                continue
            given = separators.between(one, other)
            if given is None:
                continue
            condition = tuple(iterate_positions(given))
            cut = cuts.smallest((one, *condition), (other, *condition))
            if cut.bit_count() <= len(condition):
                found.append(self.minor("partial", (one, *condition), (other, *condition), cut))
        yield from sorted(found, key=lambda equation: len(equation.rows))

    def partial_by_constants(self, known: frozenset[tuple[int, int]]) -> Iterator[CovarianceEquation]:
        """Where errors have no variance: partial covariances given few variables that the graph's separation does not see."""
        if all(value or entry[0] != "v" for entry, value in self.gmap.value_of.items()):
            return
        what = f"partial covariances by errors without variance, given more than {MOST_CONDITIONS} variables,"
        self.left_out.append(LeftOut(what, "are not looked for"))
        cuts = self.cuts()
        for one, other in combinations(self.observed, 2):
            if self.is_zero(one, other) or (one, other) in known:
                continue
            rest = [v for v in self.observed if v not in (one, other)]
            for given in (some for size in range(1, MOST_CONDITIONS + 1) for some in combinations(rest, size)):
                if cuts.is_exhausted:
                    why = f"are looked for between variables up to {self.graph.names[one]}; there may be more"
                    self.left_out.append(LeftOut("partial covariances by errors without variance", why))
                    return
                cut = cuts.smallest((one, *given), (other, *given))
                if cut.bit_count() <= len(given):
                    yield self.minor("partial", (one, *given), (other, *given), cut)
                    break

    def minors(self, size: int) -> Iterator[CovarianceEquation]:
        """The minors of a size that vanish although no smaller ones do that would imply it."""
        what = f"minors with {size} rows"
        found = self.vanishing_minors(what, size, 0)
        unproved = 0
        for number in self.looked_at(what, len(found), cuts := self.cuts()):
            rows, columns = split_sides(found[number], size, 0)
            cut = cuts.at_most(rows, columns, size - 1)
            if cut is None:
                unproved += 1
            else:
                yield self.minor("minor", rows, columns, cut)
        self.note_unproved(what, unproved)

    def partial_minors(self, size: int, shared: int, gradients: Gradients) -> Iterator[CovarianceEquation]:
        """Minors with this many rows of partial covariances that are independent of all before: some variables stand on both sides."""
        what = f"minors with {size} rows of partial covariances given {format_count(shared, 'variable')}"
        left = self.vanishing_minors(what, size, shared)
        cuts, unproved = self.cuts(), 0
        for start in range(0, len(left), CHUNK):
            some = left[start : start + CHUNK]
            while len(some) and not gradients.is_complete:
                if gradients.is_exhausted or cuts.is_exhausted:
                    self.left_out.append(describe_partly_searched(what, len(left), start))
                    return
                before = gradients.basis
                rows, columns = some[:, : size + shared], some[:, size:]
                new = gradients.extend(gradients.of_minors(rows, columns))
                proved = [cuts.at_most(*split_sides(some[number], size, shared), size + shared - 1) for number in new]
                if None not in proved:
                    for number, cut in zip(new, proved, strict=True):
                        yield self.minor("partial minor", *split_sides(some[number], size, shared), cut or 0)
                    break
                # what the graph does not prove must not stand in the way of what it proves
                gradients.basis = before
                some = np.delete(some, [n for n, cut in zip(new, proved, strict=True) if cut is None], axis=0)
                unproved += proved.count(None)
        self.note_unproved(what, unproved)

    def vanishing_minors(self, what: str, size: int, shared: int) -> Index:
        """The minors that vanish at both points although no smaller ones do that would imply it.

        In each row of the answer stand the rows, the variables that are in rows and columns, and the columns.
        """
        half, observed = comb(2 * size, size) // 2, len(self.observed)
        count = comb(observed, 2 * size) * half * comb(max(0, observed - 2 * size), shared)
        allowed = min(MOST_CANDIDATES, compute_determinant_limit(size + shared))
        if count > allowed:
            self.left_out.append(describe_not_searched(what, count, allowed))
            return np.zeros((0, 2 * size + shared), dtype=np.int64)
        sides = (
            (*rows, *given, *(v for v in members if v not in rows))
            for members in combinations(self.observed, 2 * size)
            for given in combinations([v for v in self.observed if v not in members], shared)
            for rows in islice(combinations(members, size), half)
        )
        candidates = f"there are {format_count(count, 'candidate')} for {what}"
        check_memory(CANDIDATE_COPIES * 8 * count * (2 * size + shared), None, candidates, ALLOW_MORE)
        every = convert_sets_to_rows(sides, count, 2 * size + shared)
        every = every[self.vanish(every[:, : size + shared], every[:, size:])]
        every = every[self.is_new(every[:, : size + shared], every[:, size:])]
        if shared:
            given = every[:, size : size + shared]
            matrix, prime = self.points[0]
            every = every[compute_many_determinants(matrix, given, given, prime) != 0]
        return every

    def vanish(self, rows: Index, columns: Index) -> NDArray[np.bool_]:
        """Which minors are zero at both points; all that vanish on the model are."""
        result = np.ones(len(rows), dtype=bool)
        for matrix, prime in self.points:
            left = np.flatnonzero(result)
            for start in range(0, len(left), CHUNK):
                some = left[start : start + CHUNK]
                result[some] = compute_many_determinants(matrix, rows[some], columns[some], prime) == 0
        return result

    def is_new(self, rows: Index, columns: Index) -> NDArray[np.bool_]:
        """Whether no rows, and no columns, are dependent already without one of them: each has a cofactor at a point."""
        count, size = rows.shape
        has_row, has_column = np.zeros((count, size), dtype=np.bool_), np.zeros((count, size), dtype=np.bool_)
        for matrix, prime in self.points:
            for row in range(size):
                for column in range(size):
                    values = compute_many_determinants(
                        matrix, np.delete(rows, row, 1), np.delete(columns, column, 1), prime
                    )
                    has_row[:, row] |= values != 0
                    has_column[:, column] |= values != 0
        every: NDArray[np.bool_] = np.logical_and(np.all(has_row, axis=1), np.all(has_column, axis=1))
        return every

    def looked_at(self, what: str, candidates: int, cuts: Cuts) -> Iterator[int]:
        """The numbers of the candidates until the work is done; what is left over is noted. Refuse more than memory holds."""
        self.listed += candidates
        found = f"{format_count(self.listed, 'equation')} to be listed, {what} among them"
        check_memory(EQUATION_BYTES * self.listed, None, found, f"{ALLOW_MORE} or smaller minors (--size)")
        for number in range(candidates):
            if cuts.is_exhausted:
                self.left_out.append(describe_partly_searched(what, candidates, number))
                return
            yield number

    def note_unproved(self, what: str, count: int) -> None:
        """Note what vanishes at two points although the graph does not say so."""
        if count:
            why = f"that vanish at two drawn points without being separated in the graph: {count}; they may hold"
            self.left_out.append(LeftOut(what, why, count, count))

    def pentads(self, smaller: Sequence[CovarianceEquation]) -> Iterator[CovarianceEquation]:
        """Pentads of five variables that two vertices separate, if no smaller equation is about them."""
        count = comb(len(self.observed), 5)
        if count > MOST_CANDIDATES:
            self.left_out.append(describe_not_searched("pentads", count, MOST_CANDIDATES))
            return
        known = {frozenset((*equation.rows, *equation.columns)) for equation in smaller}
        fives = convert_sets_to_rows(combinations(self.observed, 5), count, 5)
        left = {
            members
            for members in (
                tuple(int(v) for v in fives[number]) for number in np.flatnonzero(self.pentads_vanish(fives))
            )
            if not any(frozenset(some) in known for size in (2, 4) for some in combinations(members, size))
        }
        vertices = sorted(range(2 * self.graph.count), key=lambda v: (-self.graph.arcs[v].bit_count(), v))
        cuts = self.cuts()
        others = encode_bits(self.observed)
        pairs = comb(len(vertices), 2)
        for number, separating in enumerate(combinations(vertices, 2)):
            if not left:
                return
            if number == MOST_CUTS or cuts.is_exhausted:
                why = f"are looked for behind {number} of {pairs} pairs of vertices; there may be more"
                self.left_out.append(LeftOut("pentads", why, pairs, number))
                return
            cut = encode_bits(separating)
            apart = {v: others & columns for v, columns in cuts.apart(cut).items()}
            for members in sorted(left):
                inside = encode_bits(members)
                if all(not inside & ~(1 << v) & ~apart[v] for v in members):
                    left.discard(members)
                    because = self.met_by(cut)
                    trust = proved_by("pentads", f"{because}, between any two of {self.format_names(members)}")
                    yield CovarianceEquation("pentad", members, because, trust, (), expand_pentad(members), cut)
        self.note_unproved("pentads", len(left))

    def pentads_vanish(self, fives: Index) -> NDArray[np.bool_]:
        """Which pentads are zero at both points."""
        result = np.ones(len(fives), dtype=bool)
        for matrix, prime in self.points:
            total = np.zeros(len(fives), dtype=np.int64)
            for sign, pairs in expand_pentad((0, 1, 2, 3, 4)):
                term = np.ones(len(fives), dtype=np.int64)
                for i, j in pairs:
                    term = term * matrix[fives[:, i], fives[:, j]] % prime
                total = (total + sign * term) % prime
            result &= total == 0
        return result


def convert_sets_to_rows(sets: Iterable[Sequence[int]], count: int, width: int) -> Index:
    """Sets of numbers as the rows of an array."""
    return np.fromiter((v for one in sets for v in one), dtype=np.int64, count=count * width).reshape(count, width)


def split_sides(members: Index, size: int, shared: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Rows and columns, what they have in common last in both."""
    every = tuple(int(v) for v in members)
    return every[: size + shared], (*every[size + shared :], *every[size : size + shared])


def compute_determinant_limit(size: int) -> int:
    """This many determinants with this many rows are evaluated at most."""
    return MOST_PRODUCTS // (size << max(0, size - 1))
