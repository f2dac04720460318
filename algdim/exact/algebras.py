"""The dimension of K[x]/I for an ideal I with finitely many zeros, by ranks modulo a prime (lemma "solutions").

For a degree D the span of the multiples of the equations up to degree D + 1 is closed under products: what in it has a
degree of at most D is multiplied by every unknown, as long as that adds something. Once every monomial of degree D is a
combination of lower ones, the monomials that lead nothing are a basis of K[x]/I. Ranks are all that is computed, so
that the chance of an unlucky point or prime can be told; a Gröbner basis would not tell it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from math import comb, log2

from algdim.errors import LimitError
from algdim.exact.flint import find_leading_columns
from algdim.exact.primes import count_primes

MOST_MONOMIALS = 800
"""Columns of the matrices. Twice as many take eight times as long."""
MOST_UNIQUE = 500
"""The same where a rank is to prove that there is one solution."""
MOST_MORE = 3
"""This many degrees above that of the equations are tried for this."""
MOST_ENTRIES = 6_000_000
"""Of a matrix, before elimination."""

MOST_DEGREE, MOST_TERMS = 40, 20_000
"""Of equations into which others are put."""

Exponents = tuple[int, ...]
Residues = dict[Exponents, int]
"""A polynomial modulo a prime, without zeros."""


@dataclass(frozen=True, slots=True)
class Equation:
    """A polynomial in the unknowns modulo a prime, at a point t.

    Its coefficients are polynomials of t of at most this ``degree``, with integer coefficients once denominators are
    cleared; ``log_size`` is log₂ of the sum of all their absolute values. ``highest`` is at least the degree in the unknowns
    over the field of rational functions: that of the ``terms`` may be smaller, where a coefficient is 0 at this point.
    """

    terms: Residues
    degree: int
    log_size: float
    highest: int

    def __post_init__(self) -> None:
        """A bound that the terms exceed would make false proofs."""
        if self.terms and compute_degree(self.terms) > self.highest:
            raise ValueError(
                f"an equation of degree {compute_degree(self.terms)} was said to have at most {self.highest}"
            )


@dataclass(frozen=True, slots=True)
class Algebra:
    """What was found at one point: a basis of monomials, and the sizes of the matrices that were reduced.

    A chain has the number of columns of a matrix, and of those that follow the number of rows, products of reduced rows of
    the one before, that were added.
    """

    basis: tuple[Exponents, ...]
    chains: tuple[tuple[int, ...], ...]
    relations: Mapping[Exponents, Residues]
    """Rows of the last matrix by their leading monomials."""

    @property
    def dimension(self) -> int:
        """The dimension."""
        return len(self.basis)

    def is_unit(self, element: Residues, prime: int) -> bool:
        """Whether multiplication with an element is invertible, so that it is 0 at no solution."""
        from flint import nmod_mat

        rows = [self.normal_form(multiply_by_monomial(element, monomial), prime) for monomial in self.basis]
        entries = [row.get(monomial, 0) for row in rows for monomial in self.basis]
        return int(nmod_mat(len(rows), len(rows), entries, prime).rank()) == len(rows)

    def normal_form(self, polynomial: Residues, prime: int) -> Residues:
        """The same element of the algebra as a combination of the basis."""
        known: dict[Exponents, Residues] = {}
        total: Residues = {}
        for monomial, value in polynomial.items():
            total = add_multiple(total, self.of_monomial(monomial, prime, known), value, prime)
        return total

    def of_monomial(self, monomial: Exponents, prime: int, known: dict[Exponents, Residues]) -> Residues:
        """The normal form of a monomial: of one that leads a row by this row, of higher ones by a smaller one."""
        if monomial not in known:
            if monomial in self.relations:
                row = self.relations[monomial]
                known[monomial] = {m: -value % prime for m, value in row.items() if m != monomial}
            elif (smaller := self.reducible(monomial)) is not None:
                rest = tuple(a - b for a, b in zip(monomial, smaller, strict=True))
                total: Residues = {}
                for m, value in multiply_by_monomial(self.of_monomial(smaller, prime, known), rest).items():
                    total = add_multiple(total, self.of_monomial(m, prime, known), value, prime)
                known[monomial] = total
            else:
                known[monomial] = {monomial: 1}
        return known[monomial]

    def reducible(self, monomial: Exponents) -> Exponents | None:
        """A leading monomial that divides this one, of degree one less where there is one."""
        return max(
            (lead for lead in self.relations if all(a <= b for a, b in zip(lead, monomial, strict=True))),
            key=sum,
            default=None,
        )


def list_monomials(count: int, degree: int) -> list[Exponents]:
    """All monomials up to a degree, the highest degrees first.

    >>> list_monomials(2, 1)
    [(1, 0), (0, 1), (0, 0)]
    """
    found = []
    for total in range(degree, -1, -1):
        for places in combinations_with_replacement(range(count), total):
            exponents = [0] * count
            for place in places:
                exponents[place] += 1
            found.append(tuple(exponents))
    return found


def multiply_by_monomial(polynomial: Mapping[Exponents, int], monomial: Exponents) -> Residues:
    """A polynomial times a monomial."""
    return {tuple(a + b for a, b in zip(m, monomial, strict=True)): value for m, value in polynomial.items()}


def compute_degree(polynomial: Iterable[Exponents]) -> int:
    """The degree of a polynomial that is not zero."""
    return max(map(sum, polynomial))


class Elimination:
    """Row spaces in the monomials up to a degree."""

    def __init__(self, count: int, degree: int, prime: int) -> None:
        self.columns = list_monomials(count, degree)
        self.place = {monomial: number for number, monomial in enumerate(self.columns)}
        self.prime = prime

    def reduce_rows(self, rows: Sequence[Residues]) -> list[Residues]:
        """The reduced row echelon form, the leading monomial of each row first."""
        from flint import nmod_mat

        width = len(self.columns)
        if len(rows) * width > MOST_ENTRIES:
            raise LimitError(
                f"a matrix of {len(rows)} rows and {width} columns; at most {MOST_ENTRIES} entries are tried"
            )
        flat = [0] * (len(rows) * width)
        for number, row in enumerate(rows):
            for monomial, value in row.items():
                flat[number * width + self.place[monomial]] = value
        matrix, rank = nmod_mat(len(rows), width, flat, self.prime).rref()
        entries = matrix.entries()
        return [
            {
                self.columns[column]: int(entries[row * width + column])
                for column in range(first, width)
                if int(entries[row * width + column])
            }
            for row, first in enumerate(find_leading_columns(matrix, rank))
        ]


def find_leading(row: Mapping[Exponents, int]) -> Exponents:
    """The leading monomial of a row in echelon form."""
    return next(iter(row))


def compute_algebra(equations: Sequence[Residues], count: int, prime: int) -> Algebra:
    """The dimension of the algebra of the equations, in this many unknowns.

    >>> compute_algebra([{(2, 0): 1, (0, 1): 1}, {(0, 2): 1, (1, 0): 3, (0, 0): 5}], 2, 101).dimension
    4
    """
    equations = [one for one in equations if one]
    chains: list[tuple[int, ...]] = []
    for degree in iterate_degrees(equations, count):
        small, space = (Elimination(count, top, prime) for top in (degree, degree + 1))
        rows = space.reduce_rows(
            [product for one in equations for product in iterate_multiples(one, count, degree + 1)]
        )
        # products of these with the unknowns are among the rows already
        seen = set(
            map(
                find_leading, small.reduce_rows([p for one in equations for p in iterate_multiples(one, count, degree)])
            )
        )
        added = [len(space.columns)]
        while new := [row for row in rows if sum(find_leading(row)) <= degree and find_leading(row) not in seen]:
            seen.update(map(find_leading, new))
            rows = space.reduce_rows(
                [
                    *rows,
                    *(multiply_by_monomial(row, unknown) for row in new for unknown in list_monomials(count, 1)[:-1]),
                ]
            )
            added.append(min(len(space.columns), len(new) * count))
        chains += [(len(small.columns),), tuple(added)]
        left = [m for m in small.columns if m not in seen]
        if all(sum(m) < degree for m in left):
            kept = {find_leading(row): row for row in rows if sum(find_leading(row)) <= degree}
            return Algebra(tuple(left), tuple(chains), kept)
    raise LimitError("there is no equation")


def iterate_degrees(equations: Sequence[Residues], count: int) -> Iterator[int]:
    """The degrees D, from that of the equations on, as far as the matrices are small."""
    degree = max((compute_degree(one) for one in equations), default=0)
    while (width := comb(count + degree + 1, count)) <= MOST_MONOMIALS:
        yield degree
        degree += 1
    raise LimitError(
        f"{count} unknowns in equations that would have to be multiplied up to the degree {degree + 1}: {width} "
        f"monomials, and at most {MOST_MONOMIALS} are tried"
    )


def iterate_multiples(polynomial: Residues, count: int, degree: int) -> Iterator[Residues]:
    """The products with monomials up to a degree."""
    spare = degree - compute_degree(polynomial)
    if spare >= 0:
        yield from (multiply_by_monomial(polynomial, one) for one in list_monomials(count, spare))


def compute_chance_of_error(
    equations: Sequence[Equation], chains: Sequence[Sequence[int]], choices: int, bits: int
) -> float:
    """The chance that a dimension found at one drawn point and prime is not that at almost every point.

    The pivots' minors of a first matrix have at most (columns) times the degree and the log₂ size of its entries; the
    entries of the reduced rows, cleared of a minor, are minors. Of rows that are products of such rows a minor of the next
    matrix has at most as many as were added, and so on.
    """
    primes = count_primes(bits)
    return sum(
        degree / choices + log_size / ((bits - 1) * primes)
        for chain in chains
        for degree, log_size in iterate_minor_sizes(equations, chain)
    )


def compute_chance_of_lost_terms(
    equations: Sequence[Equation], left: Sequence[Equation], choices: int, bits: int
) -> float:
    """The chance that a term has the coefficient 0 at a drawn point and not at almost every point.

    It matters where unknowns are put in that are alone in a term; ``left`` are the equations after that.
    """
    after = [*equations, *left]
    count = max((len(m) for one in equations for m in one.terms), default=0)
    highest = max((one.highest for one in equations), default=0)
    terms = len(equations) * (count + 1) * comb(count + highest, count)
    degree, log_size = max((one.degree for one in after), default=0), max((one.log_size for one in after), default=0.0)
    return terms * (degree / choices + log_size / ((bits - 1) * count_primes(bits)))


def iterate_minor_sizes(equations: Sequence[Equation], chain: Sequence[int]) -> Iterator[tuple[float, float]]:
    """Degree and log₂ size of the minors of each matrix of a chain, so of what stands in its reduced rows."""
    columns, *later = chain
    degree = float(columns * max((one.degree for one in equations), default=0))
    log_size = columns * max((one.log_size for one in equations), default=0.0)
    yield degree, log_size
    for added in later:
        degree, log_size = (1 + added) * degree, log_size + added * (log_size + log2(columns))
        yield degree, log_size


def find_uniqueness_degree(equations: Sequence[Equation], count: int, prime: int) -> int | None:
    """The degree up to which the equations' multiples have corank 1 among the monomials; ``None`` if none was found.

    Degrees are those over the rational functions. Of an equation whose highest term is 0 at this point more multiples would
    seem to have a small degree than do. So equations must be given as they are there, none put into others at the point.

    >>> line = {(1,): 3, (0,): 5}
    >>> (
    ...     find_uniqueness_degree([Equation(line, 0, 3.0, 1)], 1, 101),
    ...     find_uniqueness_degree([Equation(line, 0, 3.0, 2)], 1, 101),
    ... )
    (1, None)
    """
    equations = [one for one in equations if one.terms]
    first = degree = max((one.highest for one in equations), default=0)
    while 0 < degree <= first + MOST_MORE and comb(count + degree, count) <= MOST_UNIQUE:
        space = Elimination(count, degree, prime)
        rows = space.reduce_rows(
            [
                multiply_by_monomial(one.terms, factor)
                for one in equations
                for factor in list_monomials(count, degree - one.highest)
            ]
        )
        if len(space.columns) - len(rows) == 1:
            return degree
        degree += 1
    return None


def eliminate_linear(equations: Sequence[Equation], count: int, prime: int) -> tuple[list[Equation], int]:
    """Unknowns that an equation gives, alone in a term of degree one, put into the others while no degree grows.

    >>> one, other = Equation({(1, 0): 1, (0, 1): 2}, 0, 2.0, 1), Equation({(1, 1): 1, (0, 0): 100}, 0, 7.0, 2)
    >>> left, count = eliminate_linear([one, other], 2, 101)
    >>> left[0].terms, count
    ({(2,): 99, (0,): 100}, 1)
    """
    found = [one for one in equations if one.terms]
    left = list(range(count))
    while (given := next(iterate_linear_unknowns(found, left), None)) is not None:
        place, source = given
        left.remove(place)
        found = [eliminate_unknown(one, source, place, prime) for one in found if one is not source]
        found = [one for one in found if one.terms]
    return [
        replace(one, terms={tuple(m[p] for p in left): value for m, value in one.terms.items()}) for one in found
    ], len(left)


def iterate_linear_unknowns(equations: Sequence[Equation], left: Sequence[int]) -> Iterator[tuple[int, Equation]]:
    """The unknowns, with the equation that gives each, in which putting it in makes no degree grow."""
    most = min(MOST_DEGREE, max((compute_degree(one.terms) for one in equations), default=0))
    for source in sorted(equations, key=lambda one: (compute_degree(one.terms), len(one.terms))):
        for place in left:
            uses = [m for m in source.terms if m[place]]
            if len(uses) != 1 or sum(uses[0]) != 1:
                continue
            grown = max(compute_degree(source.terms), 1)
            if all(
                sum(m) + m[place] * (grown - 1) <= most for one in equations if one is not source for m in one.terms
            ):
                yield place, source


def eliminate_unknown(equation: Equation, source: Equation, place: int, prime: int) -> Equation:
    """An equation c·x + r = 0 put into another: c^k f(−r/c)."""
    power = max(m[place] for m in equation.terms)
    if power == 0:
        return equation
    unit = next(m for m in source.terms if m[place])
    lead = source.terms[unit]
    rest = {m: -value % prime for m, value in source.terms.items() if m != unit}
    powers: list[Residues] = [{(0,) * len(unit): 1}]
    for _ in range(power):
        powers.append(multiply(powers[-1], rest, prime))
    terms: Residues = {}
    for monomial, value in equation.terms.items():
        k = monomial[place]
        outside = tuple(0 if number == place else e for number, e in enumerate(monomial))
        factor = value * pow(lead, power - k, prime) % prime
        for m, other in multiply_by_monomial(powers[k], outside).items():
            terms[m] = (terms.get(m, 0) + factor * other) % prime
    terms = {m: value for m, value in terms.items() if value}
    return Equation(
        terms,
        equation.degree + power * source.degree,
        equation.log_size + power * source.log_size,
        equation.highest + power * (max(source.highest, 1) - 1),
    )


def multiply(one: Residues, other: Residues, prime: int) -> Residues:
    """The product of two polynomials."""
    found: Residues = {}
    for monomial, value in one.items():
        for m, factor in multiply_by_monomial(other, monomial).items():
            found[m] = (found.get(m, 0) + value * factor) % prime
        if len(found) > MOST_TERMS:
            raise LimitError(f"a product has more than {MOST_TERMS} terms, and at most that many are tried")
    return {m: value for m, value in found.items() if value}


def add_multiple(one: Residues, other: Residues, factor: int, prime: int) -> Residues:
    """A polynomial plus a multiple of another."""
    found = dict(one)
    for monomial, value in other.items():
        found[monomial] = (found.get(monomial, 0) + factor * value) % prime
    return {monomial: value for monomial, value in found.items() if value}
