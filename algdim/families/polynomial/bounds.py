"""Upper bounds of maps that are given by formulas: counting, the affine hull, symmetries, sums of monomials.

The affine hull of the coordinates is the saturated model. Where these have too many terms to be multiplied out, its dimension
is the rank of their values at points drawn from the seed (lemma "hulls at points" in proofs/lemmas.md).

Flattenings are there for coordinates that are sums, over blocks of parameters, of one monomial each. Sums of powers of
linear forms are of this kind, and other secants of monomial maps. If the coordinates of a matrix M belong to the products
of some monomials (rows) with others (columns), each block makes a matrix of rank one, and M has at most as many as there
are blocks (lemma "sums of monomials"). The gradients of its minors at a point prove a bound, as for networks.

A symmetry is a vector field v on the parameters, with polynomials as entries, that the map does not notice: J·v = 0. Its
coefficients are found at random points modulo a prime, and the field is used only if J·v = 0 is an identity of polynomials.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import ceil, comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import UPPER, Bound, prove_bound
from algdim.bound.chance import LEAST, compute_prime_error, compute_probe_error, count_excluded_primes
from algdim.bound.counting import Complete
from algdim.bound.searches import SearchSetting
from algdim.bound.symbolic import bound_symbolically
from algdim.errors import LimitError
from algdim.exact.arithmetic import RESIDUE_BITS, Array, Residues, SingularError
from algdim.exact.draws import describe_draw, draw_residues, format_point_label, open_stream
from algdim.exact.ranks import both_kernels, rank_mod
from algdim.families.discrete.bounds.polynomialfields import (
    PolynomialField,
    Samples,
    Term,
    count_unknowns,
    evaluate_field,
    find_candidate_fields,
    list_terms,
    select_exact_fields,
)
from algdim.families.polynomial.expansion import expand_coordinates
from algdim.families.polynomial.map import PolynomialMap, make_formula_program
from algdim.families.polynomial.program import MOST_TERMS, Program
from algdim.figures import cut_text, format_count
from algdim.jacobian import compute_symbolic_jacobian, evaluate_functionals, make_evaluator
from algdim.maps import Map
from algdim.models.graphs import find_blocks
from algdim.rank import find_usable_prime, make_object_array
from algdim.trust import BOUNDS_ONLY, probable, proved_by

SPARE_POINTS = 4
MOST_EVALUATED = 3000
"""With more coordinates no rank of their values is taken."""
SURE = 1e-9
"""No further prime is drawn once the chance of error is below this."""
MOST_DRAWS = 12
TOO_LARGE = "the coordinates have too many terms to be expanded"


def compute_hull_dimension(pmap: PolynomialMap, seed: int | str) -> Complete:
    """The dimension of the affine hull of the coordinates.

    >>> from algdim.models.notation import parse
    >>> from algdim.maps import map_of
    >>> compute_hull_dimension(map_of(parse("polynomial: parameters a; coordinates a, 2*a + 1")), 0).value
    1
    """
    count = pmap.coordinate_count
    shown = format_count(count, "coordinate")
    if pmap.multiplied_hull is not None:
        facts = f"{shown}, expanded, span with 1 a space of dimension {pmap.multiplied_hull + 1}"
        return Complete(pmap.multiplied_hull, proved_by("formulas", facts))
    if count > MOST_EVALUATED:
        return Complete(count, BOUNDS_ONLY, f"complete is the number of coordinates: {TOO_LARGE}")
    value, error, where = estimate_hull_dimension(pmap, seed)
    if value == count:
        facts = f"the values of {shown} and of 1, at {count + 1 + SPARE_POINTS} points {where}, have rank {count + 1}"
        return Complete(value, proved_by("hulls at points", facts))
    drawn = probable(error) if error < 1 else BOUNDS_ONLY
    return Complete(value, drawn, f"complete is a rank at random points ({drawn}): {TOO_LARGE}")


def estimate_hull_dimension(pmap: PolynomialMap, seed: int | str) -> tuple[int, float, str]:
    """The greatest rank of the values of the coordinates and of 1 at drawn points, less one, and the chance that it is too small.

    Also where the last points were drawn.
    """
    program, found, draws, where = make_formula_program(pmap), -1, [], ""
    for number in range(MOST_DRAWS):
        prime = find_usable_prime(pmap, seed, "hull", number)
        rows = evaluate_at_points(pmap, program, prime, (seed, "point", "hull", number))
        found = max(found, rank_mod(np.stack(rows), prime).value - 1 if rows else -1)
        draws.append((prime, len(rows)))
        where = f'drawn from "{open_stream(seed, "point", "hull", number).text}|…" mod {prime}'
        error = 1.0
        for one, count in draws:
            error *= min(1.0, compute_hull_error(pmap, one, count, found))
        if found == pmap.coordinate_count or error < SURE or (error >= 1 and number):
            break
    return max(0, found), max(LEAST, error), where


def evaluate_at_points(pmap: PolynomialMap, program: Program, prime: int, labels: tuple[int | str, ...]) -> list[Array]:
    """The coordinates and 1 at points modulo a prime, a few more than there are coordinates; no more than twice as many are drawn."""
    arithmetic, count = Residues(prime), pmap.coordinate_count + 1 + SPARE_POINTS
    rows: list[Array] = []
    one = arithmetic.elements(np.ones(1, dtype=np.int64))
    for number in range(2 * count):
        if len(rows) == count:
            break
        source = open_stream(labels[0], *labels[1:], number)
        point = arithmetic.elements(draw_residues(source, prime, len(pmap.parameters)))
        try:
            values = program.forward(arithmetic, point)
        except SingularError:
            continue
        # the coordinates are the last nodes
        rows.append(np.concatenate([values[len(values) - pmap.coordinate_count :], one]))
    return rows


def compute_hull_error(pmap: PolynomialMap, prime: int, points: int, value: int) -> float:
    """The chance that this many points show no hull of more than this dimension, although there is one (lemma "hulls at points")."""
    sizes = [pmap.sizes[node] for node in pmap.line.outputs]
    share = pmap.share_with_value(prime)
    if share <= 0:
        return 1.0
    below = sum(size.log_below for size in sizes)
    degree = max(size.degree for size in sizes) if pmap.is_polynomial else sum(size.degree for size in sizes)
    log_size = max(size.log_above for size in sizes) + below
    unlucky = (
        1 - share + compute_prime_error(value + 1, log_size, RESIDUE_BITS, count_excluded_primes(pmap, RESIDUE_BITS))
    )
    return unlucky + compute_probe_error(ceil(degree / share), points, value + 1, prime)


MOST_ENTRIES = 40_000
"""Of a flattening."""

MOST_FORMS = 4000
MOST_WORK = 50_000_000
MOST_CHECKED = 500_000
"""Entries of flattenings, for all blocks."""

MOST_SPLITS = 4

Exponents = tuple[int, ...]
"""One for each parameter."""


@dataclass(frozen=True, slots=True, eq=False)
class BlockMonomials:
    """Per coordinate (rows) and block the coefficient and the exponents of the one monomial."""

    coefficients: list[list[Fraction]]
    exponents: list[list[Exponents]]

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return len(self.coefficients[0])


@dataclass(frozen=True, slots=True, eq=False)
class PowerSumFlattening:
    """The coordinate in each entry, by number; all entries of a row and column belong to one product of monomials."""

    entries: NDArray[np.intp]
    text: str


def find_monomial_sums(pmap: PolynomialMap) -> BlockMonomials | None:
    """The coordinates as sums of one monomial in each block of parameters; ``None`` if they are not."""
    if not pmap.parameters or not pmap.is_polynomial or pmap.terms > MOST_TERMS:
        return None
    rows = [dict(above.to_dict()) for above, _ in expand_coordinates(pmap.line)]
    names = tuple(map(str, range(len(pmap.parameters))))
    used = {tuple(str(n) for n, power in enumerate(exponents) if power) for row in rows for exponents in row}
    components = find_blocks(names, tuple(used))
    block = {int(name): number for number, component in enumerate(components) for name in component}
    coefficients: list[list[Fraction]] = []
    monomials: list[list[Exponents]] = []
    for row in rows:
        found: dict[int, tuple[Fraction, Exponents]] = {}
        for exponents, value in row.items():
            number = next((block[n] for n, power in enumerate(exponents) if power), None)
            if number is None or number in found:
                return None
            found[number] = Fraction(int(value.p), int(value.q)), tuple(map(int, exponents))
        if len(found) < len(components):
            return None
        coefficients.append([found[number][0] for number in range(len(components))])
        monomials.append([found[number][1] for number in range(len(components))])
    return BlockMonomials(coefficients, monomials)


def iterate_flattenings(sums: BlockMonomials) -> Iterator[PowerSumFlattening]:
    """Matrices whose entries belong to the products of two sets of monomials in the first block."""
    powers = np.array([row[0] for row in sums.exponents], dtype=np.int64)
    powers = powers[:, powers.any(axis=0)]
    place = {tuple(row): number for number, row in enumerate(powers.tolist())}
    degree, width = int(powers.sum(axis=1).max()), powers.shape[1]
    for size in range(degree // 2, max(0, degree // 2 - MOST_SPLITS), -1):
        if comb(width + size - 1, size) * powers.size > MOST_WORK:
            continue
        chosen = combinations_with_replacement(range(width), size)
        divisors = (np.bincount(np.array(one), minlength=width) for one in chosen)
        rows = [divisor for divisor in divisors if (powers >= divisor).all(axis=1).any()]
        columns = powers[(powers >= rows[0]).all(axis=1)] - rows[0]
        if len(rows) * len(columns) > MOST_ENTRIES or len(rows) * len(columns) * sums.blocks > MOST_CHECKED:
            continue
        kept = [column for column in columns if all(tuple((row + column).tolist()) in place for row in rows)]
        if kept:
            entries = [[place[tuple((row + column).tolist())] for column in kept] for row in rows]
            text = f"{len(rows)}×{len(kept)}, monomials of degree {size} by those of degree {degree - size}"
            yield PowerSumFlattening(np.array(entries, dtype=np.intp), text)


def has_rank_one(sums: BlockMonomials, entries: NDArray[np.intp], block: int) -> bool:
    """Whether the matrix of the monomials of a block, coordinates divided by the first block's coefficients, has rank one.

    So it is if all minors with the upper left entry, which is not zero, vanish: exponents add up, coefficients multiply.
    """
    exponents = np.array([row[block] for row in sums.exponents], dtype=np.int64)
    exponents = exponents[:, exponents.any(axis=0)][entries]
    if not (exponents + exponents[:1, :1] == exponents[:, :1] + exponents[:1, :]).all():
        return False
    ratios = [row[block] / row[0] for row in sums.coefficients]
    first = ratios[entries[0, 0]]
    return all(
        ratios[entries[i, j]] * first == ratios[entries[i, 0]] * ratios[entries[0, j]]
        for i in range(entries.shape[0])
        for j in range(entries.shape[1])
    )


def bound_by_power_sums(setting: SearchSetting[Map]) -> Bound | None:
    """D ≤ N − c, c the rank of the gradients of the minors of all flattenings at a point; ``None`` where there are none."""
    pmap = setting.pmap
    sums = find_monomial_sums(pmap) if isinstance(pmap, PolynomialMap) else None
    if sums is None:
        return None
    count, labels = pmap.coordinate_count, (*setting.labels, "equations")
    prime = find_usable_prime(pmap, setting.seed, *labels)
    if any(row[0].numerator % prime == 0 for row in sums.coefficients):
        return None
    field = Residues(prime)
    point = field.elements(draw_residues(open_stream(setting.seed, "point", *labels), prime, len(pmap.parameters)))
    scale = field.elements(make_object_array([1 / row[0] for row in sums.coefficients]))
    values = field.multiply(evaluate_functionals(pmap, field, point, make_evaluator(pmap).all_coordinates()), scale)
    forms: list[Array] = []
    texts: list[str] = []
    for flattening in iterate_flattenings(sums):
        entries = flattening.entries
        if min(entries.shape) <= sums.blocks or not all(has_rank_one(sums, entries, b) for b in range(sums.blocks)):
            continue
        found = compute_minor_gradients(values[entries], entries, sums.blocks, count, prime)
        if found is not None:
            forms.append(found)
            texts.append(flattening.text)
    if not forms:
        return None
    rank = rank_mod(np.vstack(forms), prime).value
    shown = "; ".join(f"flattening {text}, rank at most {sums.blocks}" for text in texts)
    label = "|".join(map(str, labels))
    evidence = {"prime": prime, "point": label, "equations": rank, "blocks": sums.blocks}
    reason = f"{count} − {rank}; {format_count(rank, 'equation')}, {shown}"
    lemmas = ("sums of monomials", "equations")
    at = describe_draw(format_point_label(setting.seed, label), prime)
    return prove_bound(count - rank, UPPER, "flattenings", reason, *lemmas, evidence=evidence, at=at)


def compute_minor_gradients(
    matrix: Array, entries: NDArray[np.intp], bound: int, count: int, prime: int
) -> Array | None:
    """The forms ℓᵀM(·)r, as rows over the coordinates, each divided by its coefficient; ``None`` unless the rank is the bound."""
    kernels = both_kernels(matrix, bound, prime)
    if kernels is None:
        return None
    left, right = kernels
    left, right = left[: max(1, MOST_FORMS // len(right))], right[:MOST_FORMS]
    field = Residues(prime)
    products = field.multiply(left[:, None, :, None], right[None, :, None, :]).reshape(-1, entries.size)
    order = np.argsort(entries.ravel(), kind="stable")
    used, starts = np.unique(entries.ravel()[order], return_index=True)
    forms = np.zeros((len(products), count))
    forms[:, used] = field.segment_sums(np.ascontiguousarray(products[:, order].T), starts).T
    return forms


PRIME = 8388593
"""The largest below 2^23; any would do to find candidates."""

MOST_UNKNOWNS = 1600
MOST_DEGREE = 2
MOST_POINTS = 300
MOST_FIELD_TERMS = 1 << 17
MOST_SHOWN = 200


def bound_by_hull(pmap: PolynomialMap) -> Bound:
    """The dimension is at most that of the affine hull of the coordinates, or else the number of coordinates."""
    value, count = pmap.multiplied_hull, format_count(pmap.coordinate_count, "coordinate")
    if value is None or value == pmap.coordinate_count:
        return prove_bound(pmap.coordinate_count, UPPER, "ambient", count, "generic rank")
    equations = format_count(pmap.coordinate_count - value, "linear equation")
    return prove_bound(value, UPPER, "ambient", f"{count}, {equations} between them", "formulas")


def iterate_term_stages(count: int) -> Iterator[list[Term]]:
    """The terms of fields that are tried: scalings and translations first, then everything up to a degree."""
    if 2 * count <= MOST_UNKNOWNS:
        yield [(place, monomial) for place in range(count) for monomial in ((), (place,))]
    for degree in range(1, MOST_DEGREE + 1):
        if count_unknowns(count, count, degree) <= MOST_UNKNOWNS:
            yield list_terms(range(count), count, degree)


def find_fields(pmap: Map, lower: int) -> tuple[PolynomialField, ...]:
    """Fields that the map does not notice, independent at a random point, verified; no more than the rank leaves room for."""
    count = len(pmap.parameters)
    samples = Samples(pmap, make_evaluator(pmap), list(range(count)), PRIME)
    found: tuple[PolynomialField, ...] = ()
    jacobian: list[list[Any]] | None = None
    for terms in iterate_term_stages(count):
        # a point gives as many equations as its rank
        if len(found) >= count - lower or len(terms) > MOST_POINTS * max(1, lower):
            break
        candidates = find_candidate_fields(samples, terms)
        if candidates and jacobian is None:
            jacobian = compute_symbolic_jacobian(pmap, samples.evaluator, MOST_FIELD_TERMS)
        found = max(found, select_exact_fields(pmap, candidates, jacobian), key=len)
    return found


def bound_by_field_symmetry(setting: SearchSetting[Map]) -> Bound | None:
    """D ≤ P − rank of the fields at a point (lemma "symmetry"); ``None`` where none is found."""
    pmap, count = setting.pmap, len(setting.pmap.parameters)
    if any(denominator % PRIME == 0 for denominator in pmap.denominators()):
        return None
    try:
        fields = find_fields(pmap, setting.lower)
    except LimitError:
        return None
    if not fields:
        return None
    prime = find_usable_prime(pmap, setting.seed, *setting.labels, "symmetry")
    source = open_stream(setting.seed, "point", *setting.labels, "symmetry", 0)
    point = draw_residues(source, prime, count).tolist()
    rank = rank_mod(np.array([evaluate_field(field, point, prime) for field in fields], dtype=np.int64), prime).value
    if not rank:
        return None
    texts = [field.texts(pmap.parameters) for field in fields]
    shown = cut_text("; ".join(f"d{name} = {text}" for name, text in texts[0].items()), MOST_SHOWN)
    which = "one is" if rank > 1 else "it is"
    reason = f"{count} − {rank}; {format_count(rank, 'direction')} in which no coordinate changes; {which} {shown}"
    evidence = {"prime": prime, "point": source.text, "parameters": count, "rank": rank, "fields": texts}
    at = describe_draw(source.text, prime)
    return prove_bound(count - rank, UPPER, "symmetry", reason, "symmetry", evidence=evidence, at=at)


FREE_SEARCHES: Mapping[str, Callable[[SearchSetting[Map]], Bound | tuple[Bound, ...] | None]] = {
    "symmetry": bound_by_field_symmetry,
    "symbolic": lambda setting: bound_symbolically(setting.pmap, setting.lower),
}
"""Bounds of maps given by formulas that are searched for, in this order."""
