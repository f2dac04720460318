"""What identifies the parameters of Gaussian models: equations for all points with the same Σ and μ, and the half-trek criterion.

With A = I − B and the covariance Σ and mean μ of a point, Ω = AᵀΣA and m = Aᵀμ. So, where everything is observed, the points
with the same Σ and μ are the B with det A ≠ 0 for which the entries of Ω that the model does not have are 0, and those that are
fixed or equal come out so (lemma "half-trek"). The coefficients alone are unknown, cycles are allowed, and no equation has a
degree above 2, but those that say det A ≠ 0 where there are cycles.

Entries that are sums (`equal v(A) = 2 + v(B)`) come out as these. The parameters in sums are further unknowns, each with the
equations that its entries of Ω and m are it: functions of B, so that the number of points is the same.

Of latent variables the units are told (`algdim.families.gaussian.units`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import log2
from operator import or_
from typing import Any

from algdim.errors import LimitError
from algdim.exact.algebras import Equation, Residues, add_multiple, compute_degree, multiply
from algdim.families.contract import Identifying
from algdim.families.gaussian.family import describe_half_trek
from algdim.families.gaussian.halftrek import (
    IDENTIFIABLE,
    MOST_VARIABLES,
    apply_half_trek_criterion,
    is_about_half_treks,
)
from algdim.families.gaussian.map import GaussianMap, compute_quotient_log_size
from algdim.families.gaussian.model import Entry, Gaussian
from algdim.families.gaussian.units import find_units
from algdim.identifiability.solutions import (
    FEW,
    Count,
    System,
    count_at_points,
    expand_coordinates,
    prove_solution_count,
)
from algdim.models.graphs import Bits, iterate_positions
from algdim.report import Report
from algdim.trust import Remark, proved_by

MOST_COEFFICIENTS, MOST_SOLVED = 60, 60
"""Of larger models the equations are not written out."""
MOST_ON_CYCLES = 6
"""Variables of a strongly connected component; its determinant is multiplied out."""

Polynomial = Residues
Bounded = tuple[Polynomial, int]
"""An equation at a point, and at least its degree in the unknowns over the rational functions."""


@dataclass(frozen=True, slots=True)
class SameCovariances:
    """The equations at a point modulo a prime, the number of unknowns, and det(I − B) block by block of the cycles."""

    equations: tuple[Equation, ...]
    count: int
    determinants: tuple[Equation, ...]


class Unknowns:
    """The unknowns of a model, coefficients and what occurs in sums, and its entries by them modulo a prime."""

    def __init__(self, gmap: GaussianMap, prime: int) -> None:
        self.gmap, self.prime = gmap, prime
        in_sums = {number for _, terms in gmap.linear.values() for number in terms}
        self.place = {number: at for at, number in enumerate(sorted(gmap.numbers_of("b") | in_sums))}
        self.count = len(self.place)
        self.uses = Counter(gmap.number_of.values())

    def constant(self, value: int) -> Polynomial:
        """A number as a polynomial."""
        return {(0,) * self.count: value}

    def unknown(self, number: int, factor: int) -> Polynomial:
        """A multiple of an unknown parameter."""
        return {tuple(int(at == self.place[number]) for at in range(self.count)): factor}

    def express(self, entry: Entry) -> Polynomial | None:
        """What an entry is, by the unknowns; ``None`` if it is another parameter."""
        gmap, prime = self.gmap, self.prime
        if entry in gmap.number_of:
            return self.unknown(gmap.number_of[entry], 1) if gmap.number_of[entry] in self.place else None
        value, terms = gmap.linear.get(entry) or (gmap.value_of[entry], {})
        found = self.constant(reduce_modulo_prime(value, prime)) if value else {}
        for number, factor in terms.items():
            found |= self.unknown(number, reduce_modulo_prime(factor, prime))
        return found

    def is_free(self, entry: Entry | None) -> bool:
        """Whether an entry is a parameter that nothing else has to do with."""
        number = self.gmap.number_of.get(entry) if entry else None
        return number is not None and number not in self.place and self.uses[number] == 1


def build_covariance_equations(gmap: GaussianMap, point: Sequence[int], prime: int) -> SameCovariances | None:
    """The equations at a point; ``None`` where I − B has no inverse there.

    They are multiplied by det(I − B)² at the point, so that their coefficients are polynomials of it.
    """
    unknowns = Unknowns(gmap, prime)
    if unknowns.count > MOST_COEFFICIENTS or len(gmap.model.variables) > MOST_SOLVED:
        raise LimitError(
            f"{unknowns.count} coefficients and {len(gmap.model.variables)} variables, and at most {MOST_COEFFICIENTS} and "
            f"{MOST_SOLVED} are tried"
        )
    moments = compute_scaled_moments(gmap, point, prime)
    if moments is None:
        return None
    covariance, mean, determinant = moments
    cycles = [members for members in gmap.components if len(members) > 1]
    if any(len(members) > MOST_ON_CYCLES for members in cycles):
        raise LimitError(
            f"cycles run through {max(map(len, cycles))} variables together, and at most {MOST_ON_CYCLES} are tried"
        )
    count = unknowns.count
    columns = build_structural_columns(unknowns)
    found = build_error_equations(unknowns, columns, covariance, determinant)
    found += build_mean_equations(unknowns, columns, mean, determinant)
    degree, log_size = 2 * len(gmap.model.variables) + 1, compute_equation_size(gmap)
    blocks = [[[columns[j].get(i, {}) for j in members] for i in members] for members in cycles]
    return SameCovariances(
        tuple(Equation(terms, degree, log_size, highest) for terms, highest in found),
        count,
        tuple(
            Equation(compute_polynomial_determinant(block, count, prime), 0, log_size, len(block)) for block in blocks
        ),
    )


def compute_equation_size(gmap: GaussianMap) -> float:
    """log₂ of at most the sum of the absolute coefficients of an equation, denominators of fixed numbers cleared."""
    size = {entry: gmap.size_of(entry) for entry in gmap.model.entries}
    widest = max(sum(1 + size["b", p, c][0] for p, c in gmap.model.edges if c == v.name) for v in gmap.model.variables)
    greatest = max([Fraction(1), *(value for value, _ in size.values())])
    cleared = 2 * sum(log2(denominator) for _, denominator in size.values())
    cycles = sum(len(members) for members in gmap.components if len(members) > 1)
    return 1 + compute_quotient_log_size(gmap) + (2 + cycles) * log2(1 + widest) + log2(1 + greatest) + cleared


def evaluate_entry(gmap: GaussianMap, entry: Entry, point: Sequence[int], prime: int) -> int:
    """The value of an entry at a point modulo a prime."""
    return reduce_modulo_prime(Fraction(gmap.evaluate_entry(entry, point)), prime)


def reduce_modulo_prime(value: Fraction, prime: int) -> int:
    """A fraction modulo a prime that does not divide its denominator."""
    return value.numerator * pow(value.denominator, -1, prime) % prime


def compute_scaled_moments(gmap: GaussianMap, point: Sequence[int], prime: int) -> tuple[Any, Any, int] | None:
    """det²·Σ, det·μ and det of I − B at a point; ``None`` if det is 0."""
    from flint import nmod_mat

    size = len(gmap.model.variables)
    structure, errors = (nmod_mat(size, size, [0] * size * size, prime) for _ in range(2))
    intercepts = nmod_mat(size, 1, [0] * size, prime)
    for number in range(size):
        structure[number, number] = 1
    for entry in gmap.model.entries:
        kind, *names = entry
        places = [gmap.place[name] for name in names]
        value = evaluate_entry(gmap, entry, point, prime)
        if kind == "b":
            structure[places[0], places[1]] = -value % prime
        elif kind == "m":
            intercepts[places[0], 0] = value
        else:
            errors[places[0], places[-1]] = errors[places[-1], places[0]] = value
    determinant = int(structure.det())
    if not determinant:
        return None
    adjugate = structure.inv() * determinant
    turned = adjugate.transpose()
    return turned * errors * adjugate, turned * intercepts, determinant


def build_structural_columns(unknowns: Unknowns) -> list[dict[int, Polynomial]]:
    """The columns of I − B, the coefficients being unknown: for each variable, place → polynomial."""
    gmap, prime = unknowns.gmap, unknowns.prime
    columns: list[dict[int, Polynomial]] = [{number: unknowns.constant(1)} for number in range(len(gmap.place))]
    for parent, child in gmap.model.edges:
        entry = ("b", parent, child)
        if gmap.value_of.get(entry) != 0:
            # perhaps 0 modulo the prime: what stands here tells degrees over the rational functions
            known = unknowns.express(entry) or {}
            columns[gmap.place[child]][gmap.place[parent]] = {power: -value % prime for power, value in known.items()}
    return columns


def find_possible_moments(gmap: GaussianMap) -> tuple[list[Bits], Bits]:
    """For each variable those with which its covariance may not be identically 0, and the variables whose mean may not.

    All others have no trek, or no intercept above them: their moments are 0 over the rational functions.
    """
    size = len(gmap.model.variables)
    above, errors, intercepts = [1 << number for number in range(size)], [0] * size, 0
    used = [entry for entry in gmap.model.entries if gmap.value_of.get(entry) != 0]
    for kind, *names in used:
        places = [gmap.place[name] for name in names]
        if kind == "m":
            intercepts |= 1 << places[0]
        elif kind != "b":
            errors[places[0]] |= 1 << places[-1]
            errors[places[-1]] |= 1 << places[0]
    arcs = [(gmap.place[names[0]], gmap.place[names[1]]) for kind, *names in used if kind == "b"]
    for _ in range(size):
        for parent, child in arcs:
            above[child] |= above[parent]
    met = [reduce(or_, (errors[number] for number in iterate_positions(one)), 0) for one in above]
    return (
        [sum(1 << other for other in range(size) if one & above[other]) for one in met],
        sum(1 << number for number in range(size) if above[number] & intercepts),
    )


def compute_difference(one: Polynomial, other: Polynomial, prime: int) -> Polynomial:
    """A difference of polynomials."""
    found = dict(one)
    for monomial, value in other.items():
        found[monomial] = (found.get(monomial, 0) - value) % prime
    return {monomial: value for monomial, value in found.items() if value}


def build_error_equations(
    unknowns: Unknowns, columns: Sequence[Mapping[int, Polynomial]], covariance: Any, determinant: int
) -> list[Bounded]:
    """That the entries of AᵀΣA are 0 where the model has none, and what they are known to be, and equal where they are."""
    gmap, prime = unknowns.gmap, unknowns.prime
    related, _ = find_possible_moments(gmap)
    names = [variable.name for variable in gmap.model.variables]
    known: dict[frozenset[str], Entry] = {
        frozenset(entry[1:]): entry for entry in gmap.model.entries if entry[0] in ("v", "c")
    }
    given: list[tuple[Entry | None, Bounded]] = []
    for j, second in enumerate(columns):
        for i in range(j + 1):
            entry = known.get(frozenset((names[i], names[j])))
            if unknowns.is_free(entry):
                continue
            value: Polynomial = {}
            highest = 0
            for k, left in columns[i].items():
                for at, right in second.items():
                    if related[k] >> at & 1:
                        value = add_multiple(value, multiply(left, right, prime), int(covariance[k, at]), prime)
                        highest = max(highest, compute_degree(left) + compute_degree(right))
            given.append((entry, (value, highest)))
    return equate(unknowns, given, determinant**2 % prime)


def equate(unknowns: Unknowns, given: Sequence[tuple[Entry | None, Bounded]], scale: int) -> list[Bounded]:
    """That values, multiplied by a scale, are 0 where there is no entry, what the entry is known to be, or the first of equal ones."""
    prime = unknowns.prime
    first: dict[int, Bounded] = {}
    found: list[Bounded] = []
    for entry, (value, highest) in given:
        expected = {} if entry is None else unknowns.express(entry)
        if expected is not None:
            scaled = {power: factor * scale % prime for power, factor in expected.items()}
            found.append((compute_difference(value, scaled, prime), max([highest, *map(sum, expected)])))
        elif entry is not None and (number := unknowns.gmap.number_of[entry]) in first:
            other, bound = first[number]
            found.append((compute_difference(value, other, prime), max(highest, bound)))
        elif entry is not None:
            first[unknowns.gmap.number_of[entry]] = value, highest
    return found


def build_mean_equations(
    unknowns: Unknowns, columns: Sequence[Mapping[int, Polynomial]], mean: Any, determinant: int
) -> list[Bounded]:
    """That the entries of Aᵀμ are what they are known to be, and equal where they are."""
    _, with_mean = find_possible_moments(unknowns.gmap)
    given: list[tuple[Entry | None, Bounded]] = []
    for number, variable in enumerate(unknowns.gmap.model.variables if unknowns.gmap.model.means else ()):
        entry = ("m", variable.name)
        if unknowns.is_free(entry):
            continue
        value: Polynomial = {}
        highest = 0
        for k, left in columns[number].items():
            if with_mean >> k & 1:
                value = add_multiple(value, left, int(mean[k, 0]), unknowns.prime)
                highest = max(highest, compute_degree(left))
        given.append((entry, (value, highest)))
    return equate(unknowns, given, determinant)


def compute_polynomial_determinant(rows: Sequence[Sequence[Polynomial]], count: int, prime: int) -> Polynomial:
    """The determinant of a small matrix of polynomials, by its first row."""
    if not rows:
        return {(0,) * count: 1}
    found: Polynomial = {}
    for place, entry in enumerate(rows[0]):
        if entry:
            smaller = [[*row[:place], *row[place + 1 :]] for row in rows[1:]]
            found = add_multiple(
                found,
                multiply(entry, compute_polynomial_determinant(smaller, count, prime), prime),
                (-1) ** place,
                prime,
            )
    return found


def count_by_half_treks(model: Gaussian, gmap: GaussianMap, seed: int | str) -> Count | None:
    """One solution, where the half-trek criterion says it."""
    del model, seed
    if not is_about_half_treks(gmap) or len(gmap.model.variables) > MOST_VARIABLES:
        return None
    found = apply_half_trek_criterion(gmap.model)
    if found.verdict != IDENTIFIABLE or found.trust is None:
        return None
    how = "the half-trek criterion: every entry is a rational function of the covariances"
    return Count(1, how, found.trust)


def count_solutions(gmap: GaussianMap, seed: int | str, piece: int) -> Count | None:
    """The number of solutions where everything is observed, by the equations of the coefficients alone."""
    if gmap.model.hidden:
        return None
    return count_solutions_exactly(gmap) or count_at_points(
        build_gaussian_system(gmap), len(gmap.parameters), gmap.denominators(), seed, piece
    )


def count_solutions_exactly(gmap: GaussianMap) -> Count | None:
    """The number of solutions of a small Gaussian model, with a proof, or of one without unknown coefficients."""
    if not any(entry[0] == "b" for entry in (*gmap.number_of, *gmap.linear)):
        how = "variances, covariances and intercepts follow from those of the variables"
        return Count(1, how, proved_by("half-trek", "no coefficient is free"))
    if not gmap.is_polynomial or len(gmap.parameters) > FEW:
        return None
    try:
        return prove_solution_count(*expand_coordinates(gmap))
    except LimitError:
        return None


def build_gaussian_system(gmap: GaussianMap) -> System:
    """The equations of all coefficients with the same covariances and means; where there are cycles, det(I − B) ≠ 0."""

    def at(point: Sequence[int], prime: int) -> tuple[Sequence[Equation], int, Sequence[Equation]] | None:
        found: SameCovariances | None = build_covariance_equations(gmap, point, prime)
        return None if found is None else (found.equations, found.count, found.determinants)

    return at


def collect_remarks(model: Gaussian, gmap: GaussianMap, report: Report) -> Iterator[Remark]:
    """What the half-trek criterion says."""
    del model, report
    note = describe_half_trek(gmap)
    if note.text:
        yield note


IDENTIFYING = Identifying(
    count_by_theorem=count_by_half_treks,
    count_solutions=count_solutions,
    iterate_remarks=collect_remarks,
    find_units=find_units,
)
