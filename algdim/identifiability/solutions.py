"""The points with the same coordinates counted: the number of parameters with the same observed distribution, where it is finite.

It is the product of the numbers of the districts, where these have no parameter in common. Of a district, or of a whole
model, a theorem says it (lemma "Kruskal", lemma "half-trek"), or it is counted. Over the rational functions of the
parameters a Gröbner basis is a proof (lemma "fibre"). Elsewhere the dimension of an algebra is found by ranks at drawn
points modulo drawn primes, and the chance of an unlucky draw is told; that there is one solution only, a rank at one
point can prove (lemma "solutions").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import lcm, log2, prod
from typing import Any, ClassVar

from algdim.analysis import Prepared
from algdim.display.results import Plain
from algdim.errors import LimitError, join_names
from algdim.exact.algebras import (
    Equation,
    Residues,
    add_multiple,
    compute_algebra,
    compute_chance_of_error,
    compute_chance_of_lost_terms,
    eliminate_linear,
    find_uniqueness_degree,
    multiply_by_monomial,
)
from algdim.exact.draws import describe_draw, draw_integers, open_stream
from algdim.exact.elimination import convert_to_fraction
from algdim.exact.flint import reduce_rows_by_flint
from algdim.exact.polynomials import make_polynomials
from algdim.exact.primes import draw_prime
from algdim.families import load_identifying
from algdim.figures import format_count
from algdim.jacobian import evaluate_functionals, make_evaluator
from algdim.limits import asking_for
from algdim.maps import Map
from algdim.models.anymodel import AnyModel, prove_removal
from algdim.report import Report
from algdim.trust import Trust, probable, proved_by, trust_in_all

MOST_PARAMETERS = 60
"""Coordinates of larger maps are not written out as polynomials."""
MOST_COORDINATES, MOST_TERMS = 300, 3000
"""Nor those of maps with more coordinates, or more terms together."""
LOG_SIZE = 16
"""Nor those whose size has a greater log₂."""
FEW = 12
"""Gaussian models with more parameters are counted by the equations of their coefficients alone."""
MOST_UNKNOWNS = 24
"""Unknowns that are left in the equations."""
MOST_GENERIC, MOST_GENERIC_UNKNOWNS, MOST_GENERIC_TERMS = 16, 4, 8
"""Up to this product of degrees, and this many unknowns and terms, they are counted over the rational functions, which is a proof."""
MOST_MONOMIALS = 1 << 16
MOST_SHOWN = 16
"""Monomials that the facts name."""
BITS = 61
POINTS, MOST_POINTS = 2, 4
ENOUGH = 1e-6
"""Further points are drawn while the chance of error is greater."""

Exponents = tuple[int, ...]
Polynomial = dict[Exponents, Fraction]
System = Callable[[Sequence[int], int], "tuple[Sequence[Equation], int, Sequence[Equation]] | None"]
"""The equations at a point modulo a prime, the number of unknowns, and elements that are not zero at a solution."""


@dataclass(frozen=True, slots=True)
class Count:
    """A number of complex solutions, how it was found, and its status."""

    number: int
    how: str
    trust: Trust


def count_solutions(pmap: Map, seed: int | str, piece: int) -> Count:
    """The number of points with the coordinates of a generic one; refused where that would take too long."""
    own = load_identifying(pmap.model.family).count_solutions
    found: Count | None = None if own is None else own(pmap, seed, piece)
    if found is not None:
        return found
    equations, names = expand_coordinates(pmap)
    return prove_solution_count(equations, names) or count_at_points(
        build_polynomial_system(equations), len(names), (), seed, piece
    )


def prove_solution_count(equations: Sequence[Polynomial], names: Sequence[str]) -> Count | None:
    """The number of solutions of a small system in unknowns with these names, with a proof; ``None`` of others."""
    count = len(names)
    if not count:
        how = "every parameter follows from the coordinates, one after the other"
        return Count(
            1, how, proved_by("fibre", "each parameter is alone in a term of an equation, and in none that is left")
        )
    most = prod(sorted(max(map(sum, equation)) for equation in equations)[:count])
    # with more terms some bases take minutes
    if most > MOST_GENERIC or count > MOST_GENERIC_UNKNOWNS or sum(map(len, equations)) > MOST_GENERIC_TERMS:
        return None
    standard = list_generic_monomials(equations, count)
    shown = join_names((format_monomial(one, names) for one in standard), most=MOST_SHOWN)
    facts = (
        f"a Gröbner basis over the rational functions of {format_count(len(equations), 'equation')} in the {format_unknowns(names)}; "
        f"no leading monomial of it divides {shown}"
    )
    how = "complex solutions, by a Gröbner basis over the rational functions"
    return Count(len(standard), how, proved_by("fibre", facts))


def format_unknowns(names: Sequence[str]) -> str:
    """The unknowns by name.

    >>> format_unknowns(["a"]), format_unknowns(["a", "b"])
    ('unknown a', 'unknowns a, b')
    """
    return f"unknown{'' if len(names) == 1 else 's'} {join_names(names)}"


def format_monomial(exponents: Sequence[int], names: Sequence[str]) -> str:
    """A monomial.

    >>> format_monomial((2, 0, 1), "abc"), format_monomial((0, 0, 0), "abc")
    ('a^2·c', '1')
    """
    factors = [f"{name}^{e}" if e > 1 else name for name, e in zip(names, exponents, strict=True) if e]
    return "·".join(factors) or "1"


def expand_coordinates(pmap: Map) -> tuple[list[Polynomial], list[str]]:
    """The coordinates as polynomials, as few and of as low degrees as combinations can be, and the names of the unknowns in them."""
    if len(pmap.parameters) > MOST_PARAMETERS:
        raise LimitError(f"{format_count(len(pmap.parameters), 'parameter')}, and at most {MOST_PARAMETERS} are tried")
    if not pmap.is_polynomial or pmap.degree_and_log_size()[1] > LOG_SIZE:
        raise LimitError("the coordinates are quotients, or have too many terms")
    evaluator = make_evaluator(pmap)
    arithmetic, unknowns = make_polynomials(len(pmap.parameters))
    coordinates = evaluator.all_coordinates()
    if coordinates.count > MOST_COORDINATES:
        raise LimitError(f"{coordinates.count} coordinates, and at most {MOST_COORDINATES} are tried")
    values = evaluate_functionals(pmap, arithmetic, unknowns, coordinates, evaluator=evaluator)
    terms = [dict(value.to_dict()) for value in values if value != 0]
    total = sum(map(len, terms))
    if total > MOST_TERMS:
        raise LimitError(f"the coordinates have {total} terms together, and at most {MOST_TERMS} are tried")
    equations, left = drop_solved_equations(reduce_polynomials(terms), len(pmap.parameters))
    return equations, [pmap.parameters[place] for place in left]


def count_at_points(system: System, parameters: int, denominators: Sequence[int], seed: int | str, piece: int) -> Count:
    """The number of solutions at drawn points modulo drawn primes; 1 is proved by a rank where it can be."""
    numbers: list[int] = []
    error = 1.0
    while len(numbers) < POINTS or (error > ENOUGH and len(numbers) < MOST_POINTS):
        prime, point, equations = draw_system(system, parameters, denominators, seed, piece, len(numbers))
        number, chance = count_at_point(*equations, prime)
        if number == 1 and not numbers:
            degree = find_uniqueness_degree(equations[0], equations[1], prime)
            if degree is not None:
                facts = (
                    f"{format_count(equations[1], 'unknown')}; the multiples of the equations up to degree {degree} (degrees over the "
                    f"rational functions) have corank 1 among the monomials, {describe_draw(point, prime)}"
                )
                return Count(
                    1, "every parameter is a rational function of the coordinates", proved_by("solutions", facts)
                )
        if chance >= 1:
            raise LimitError(
                f"{format_count(number, 'solution')} at a point modulo a prime, with no bound on the probability of error"
            )
        numbers.append(number)
        # a point may be drawn again where I − B has no inverse: at most one in a million
        error *= chance * (1 + 1e-6)
    if len(set(numbers)) > 1:
        raise LimitError("different points have different numbers of solutions; take another --seed")
    how = f"complex solutions, counted at {len(numbers)} points modulo primes"
    return Count(numbers[0], how, probable(error))


def draw_system(
    system: System, parameters: int, denominators: Sequence[int], seed: int | str, piece: int, number: int
) -> tuple[int, str, tuple[Sequence[Equation], int, Sequence[Equation]]]:
    """A prime, the text of the stream of a point, and the equations there."""
    for attempt in range(MOST_POINTS):
        place = ("fibre", piece, number, attempt)
        prime = draw_prime(open_stream(seed, "prime", *place), BITS)
        source = open_stream(seed, "point", *place)
        found = (
            None
            if any(d % prime == 0 for d in denominators)
            else system(draw_integers(source, 0, prime - 1, parameters), prime)
        )
        if found is not None:
            return prime, source.text, found
    raise LimitError("I − B has no inverse at the points drawn")


def count_at_point(
    equations: Sequence[Equation], count: int, units: Sequence[Equation], prime: int
) -> tuple[int, float]:
    """The number of solutions at a point, and the chance that it is another one at almost every point.

    Solutions at which one of the ``units`` is 0 do not count. Mostly there are none; otherwise inverses are unknowns too.
    """
    left, unknowns = eliminate_linear(equations, count, prime) if not units else (list(equations), count)
    lost = compute_chance_of_lost_terms(equations, left, prime, BITS)
    if not unknowns:
        return 1, lost
    if unknowns > MOST_UNKNOWNS:
        raise LimitError(f"{unknowns} unknowns are left, and at most {MOST_UNKNOWNS} are tried")
    algebra = compute_algebra([one.terms for one in left], unknowns, prime)
    if not all(algebra.is_unit(unit.terms, prime) for unit in units):
        return count_at_point(*add_inverse_unknowns(equations, count, units, prime), (), prime)
    return algebra.dimension, lost + compute_chance_of_error(left, algebra.chains, prime, BITS)


def add_inverse_unknowns(
    equations: Sequence[Equation], count: int, units: Sequence[Equation], prime: int
) -> tuple[list[Equation], int]:
    """The equations, and for each element u an unknown z with z·u = 1."""
    wider = count + len(units)
    found = [extend_equation(one, wider) for one in equations]
    for number, unit in enumerate(units):
        inverse = tuple(int(at == count + number) for at in range(wider))
        terms = add_multiple(
            multiply_by_monomial(extend_equation(unit, wider).terms, inverse), {(0,) * wider: 1}, -1, prime
        )
        found.append(Equation(terms, unit.degree, unit.log_size + 1, unit.highest + 1))
    return found, wider


def extend_equation(equation: Equation, count: int) -> Equation:
    """The same equation in more unknowns."""
    return replace(equation, terms={(*m, *([0] * (count - len(m)))): value for m, value in equation.terms.items()})


def reduce_polynomials(polynomials: Sequence[Mapping[Exponents, Any]]) -> list[Polynomial]:
    """Independent combinations of polynomials, with degrees as small as can be; constants are left out."""
    monomials = sorted({m for one in polynomials for m in one if any(m)}, key=lambda m: (-sum(m), m))
    rows = [[convert_to_fraction(one[m]) if m in one else Fraction(0) for m in monomials] for one in polynomials]
    echelon = reduce_rows_by_flint(rows)
    return [
        {m: value for m, value in zip(monomials, echelon.matrix[row], strict=True) if value}
        for row, _ in echelon.pivots
    ]


def drop_solved_equations(equations: list[Polynomial], count: int) -> tuple[list[Polynomial], list[int]]:
    """The equations without those that do nothing but give the value of an unknown that is in no other, and so on; what is left.

    >>> drop_solved_equations([{(1, 0): Fraction(1), (0, 2): Fraction(1)}, {(0, 2): Fraction(1)}], 2)
    ([{(2,): Fraction(1, 1)}], [1])
    """
    left = list(range(count))
    while (private := next(iterate_private_unknowns(equations, left), None)) is not None:
        place, equation = private
        left.remove(place)
        equations = [one for one in equations if one is not equation]
    return [{tuple(m[place] for place in left): value for m, value in one.items()} for one in equations], left


def iterate_private_unknowns(equations: Sequence[Polynomial], left: Sequence[int]) -> Iterator[tuple[int, Polynomial]]:
    """The unknowns that are in one equation only, and there alone in a term and not in others; with the equation."""
    for place in left:
        uses = [(one, m) for one in equations for m in one if m[place]]
        if len(uses) == 1 and sum(uses[0][1]) == 1:
            yield place, uses[0][0]


def list_generic_monomials(terms: Sequence[Polynomial], count: int) -> list[Exponents]:
    """The monomials, as many as solutions, over the field of rational functions of the parameters."""
    from sympy import QQ, symbols

    field = QQ.frac_field(*symbols(f"t0:{count}"))
    equations = []
    for polynomial in terms:
        value = field.zero
        known = {}
        for exponents, coefficient in polynomial.items():
            number = field(QQ(coefficient.numerator, coefficient.denominator))
            known[tuple(map(int, exponents))] = number
            value += prod((gen ** int(e) for gen, e in zip(field.gens, exponents, strict=True)), start=number)
        equations.append(shift_by_constant(known, value, count))
    return list_standard_monomials(equations, count, field)


def shift_by_constant(polynomial: dict[tuple[int, ...], Any], value: Any, count: int) -> dict[tuple[int, ...], Any]:
    """A polynomial minus a constant."""
    constant = (0,) * count
    found = {**polynomial, constant: polynomial[constant] - value if constant in polynomial else -value}
    return {exponents: coefficient for exponents, coefficient in found.items() if coefficient}


def list_standard_monomials(equations: Sequence[dict[tuple[int, ...], Any]], count: int, field: Any) -> list[Exponents]:
    """The monomials that no leading monomial of a Gröbner basis divides: as many as solutions, with multiplicity."""
    from sympy import Poly, groebner, symbols
    from sympy.polys.orderings import grevlex

    unknowns = symbols(f"x0:{count}")
    ideal = [Poly.from_dict(equation, *unknowns, domain=field) for equation in equations if equation]
    with asking_for("sympy"):
        basis = groebner(ideal, *unknowns, domain=field, order="grevlex")
    leading = [tuple(max(one.monoms(), key=grevlex)) for one in basis.polys]
    # the dimension is the number of parameters, so that every variable has a power among the leading monomials
    most = [min(one[place] for one in leading if sum(one) == one[place]) for place in range(count)]
    if prod(most) > MOST_MONOMIALS:
        raise LimitError(f"up to {prod(most)} solutions; at most {MOST_MONOMIALS} monomials are gone through")
    return [
        monomial
        for monomial in product(*map(range, most))
        if not any(all(a <= b for a, b in zip(one, monomial, strict=True)) for one in leading)
    ]


def build_polynomial_system(equations: Sequence[Polynomial]) -> System:
    """The equations φ_i(x) = φ_i(t) of polynomials."""
    cleared = []
    for equation in equations:
        common = lcm(*(value.denominator for value in equation.values()))
        terms = {tuple(map(int, m)): int(value * common) for m, value in equation.items()}
        cleared.append((terms, max(map(sum, terms)), 1 + log2(sum(map(abs, terms.values())))))

    def at(point: Sequence[int], prime: int) -> tuple[list[Equation], int, list[Equation]]:
        found = []
        for terms, degree, log_size in cleared:
            value = sum(c * prod(pow(x, e, prime) for x, e in zip(point, m, strict=True)) for m, c in terms.items())
            constant = (0,) * len(point)
            left: Residues = {m: c % prime for m, c in {**terms, constant: terms.get(constant, 0) - value}.items()}
            # a prime may divide the coefficients of the highest terms; the degree over the rational functions stays
            found.append(Equation({m: c for m, c in left.items() if c}, degree, log_size, degree))
        return found, len(point), []

    return at


@dataclass(frozen=True, slots=True)
class FibreDegree(Plain):
    """The number of complex points with the coordinates of a generic point, and its status.

    ``degree`` and ``trust`` are ``None`` if they were not counted; then the reason says why.
    """

    _json: ClassVar[str] = "degree trust reason"

    degree: int | None
    reason: str
    trust: Trust | None = None

    def __post_init__(self) -> None:
        if (self.degree is None) != (self.trust is None):
            raise ValueError("a number of solutions has a trust, and nothing else has")

    def __str__(self) -> str:
        return f"not counted: {self.reason}" if self.degree is None else f"{self.degree} ({self.trust}), {self.reason}"


def compute_fibre_degree(report: Report, seed: int | str) -> FibreDegree | None:
    """The number of solutions of a model whose dimension is proved to be its number of parameters; ``None`` of others."""
    pmap = report.preparation.whole_map
    if not pmap.parameters or not report.lower.is_proved or report.dimension < len(pmap.parameters):
        return None
    if report.moments is not None:
        return FibreDegree(None, "the coordinates taken show the rank, not the number of solutions")
    pieces = choose_independent_pieces(report.preparation)
    found: list[Count] = []
    for number, piece in enumerate(pieces):
        try:
            found.append(count_of(piece.model, piece, seed, number))
        except LimitError as error:
            where = f"{describe_district(piece)}: " if len(pieces) > 1 else ""
            return FibreDegree(None, f"{where}{error}")
    return multiply_fibre_degrees(report.preparation, pieces, found)


def choose_independent_pieces(prepared: Prepared) -> Sequence[Map]:
    """The maps of parts that have all parameters and none twice; otherwise the whole map."""
    parts = load_identifying(prepared.model.family).split
    return (prepared.whole_map,) if parts is None else parts(prepared)


def describe_district(piece: Map) -> str:
    """A district by the names of its variables."""
    model = piece.model
    given = frozenset(getattr(model, "given", ()))
    return f"the district {', '.join(v.name for v in model.variables if v.name not in given)}"


def multiply_fibre_degrees(prepared: Prepared, pieces: Sequence[Map], found: Sequence[Count]) -> FibreDegree:
    """The product; districts with one solution are not told one by one."""
    if len(found) == 1:
        return FibreDegree(found[0].number, found[0].how, found[0].trust)
    several = [(piece, one) for piece, one in zip(pieces, found, strict=True) if one.number > 1]
    told = [f"{one.number} of {describe_district(piece)} ({one.how})" for piece, one in several]
    reason = "; ".join(told) or f"1 of each of {format_count(len(found), 'district')}"
    by_districts = proved_by("fibre", f"{len(found)} districts without a common parameter", "districts")
    allowed = prove_removal(prepared.model.family, prepared.reduction.removed)
    trust = trust_in_all([by_districts, *(one.trust for one in found), *allowed])
    return FibreDegree(prod(one.number for one in found), reason, trust)


def count_of(model: AnyModel, pmap: Map, seed: int | str, number: int) -> Count:
    """The number of solutions of one map, by a theorem where one says it."""
    theorem = load_identifying(model.family).count_by_theorem
    found: Count | None = None if theorem is None else theorem(model, pmap, seed)
    return found or count_solutions(pmap, seed, number)
