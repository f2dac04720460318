"""A straight-line program multiplied out over ℚ: quotients of polynomials in lowest terms, and the span of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, prod
from typing import Any

from algdim.exact.polynomials import make_polynomials
from algdim.exact.ranks import rank_rational
from algdim.families.polynomial.program import INVERT, MULTIPLY, ONE, Step, StraightLine

MOST_ENTRIES = 1_000_000
"""Of a matrix of coefficients of which the rank is taken over ℚ."""

MOST_TERMS = 1 << 17
"""Of all coordinates together over their common denominator, which is the product of many where they are different."""

Pair = tuple[Any, Any]
"""A polynomial and what it is divided by."""


def expand_coordinates(line: StraightLine) -> list[Pair]:
    """The coordinates multiplied out, as pairs of FLINT's polynomials.

    >>> from algdim.families.polynomial.program import build_straight_line
    >>> from algdim.families.polynomial.expressions import parse_formula
    >>> [
    ...     (str(above), str(below))
    ...     for above, below in expand_coordinates(build_straight_line(["a"], [parse_formula("(a^2 - 1)/(a + 1)")]))
    ... ]
    [('t0 - 1', '1')]
    """
    arithmetic, variables = make_polynomials(line.parameters)
    one = arithmetic.convert(Fraction(1))
    nodes: list[Pair] = [(variable, one) for variable in variables]
    for step in line.steps:
        nodes.append(expand_step(step, [nodes[node] for node in step.uses], one, arithmetic.convert))
    return [nodes[node] for node in line.outputs]


def expand_step(step: Step, uses: Sequence[Pair], one: Any, convert: Any) -> Pair:
    """One step multiplied out."""
    if step.operation == ONE:
        return one, one
    if step.operation == INVERT:
        return uses[0][1], uses[0][0]
    if step.operation == MULTIPLY:
        return reduce_quotient(uses[0][0] * uses[1][0], uses[0][1] * uses[1][1], one)
    above, below = convert(Fraction(0)), one
    for coefficient, (upper, lower) in zip(step.coefficients, uses, strict=True):
        factor = convert(coefficient)
        if lower == below:
            above = above + factor * upper
        else:
            above, below = reduce_quotient(above * lower + factor * upper * below, below * lower, one)
    return above, below


def reduce_quotient(above: Any, below: Any, one: Any) -> Pair:
    """A quotient in lowest terms."""
    if below == one:
        return above, below
    common = above.gcd(below)
    return (above, below) if common == one else (above / common, below / common)


def compute_coefficient_rank(pairs: Sequence[Pair]) -> int | None:
    """The dimension of the affine hull: the rank of the polynomials over a common denominator, and of this, less one.

    ``None`` if there may be more than `MOST_TERMS` terms, which is known before they are multiplied out, or if the matrix
    of coefficients is too large.
    """
    numerators = convert_to_common_denominator(pairs)
    if numerators is None:
        return None
    rows = [dict(numerator.to_dict()) for numerator in numerators]
    rank, rest = remove_private_rows(rows)
    columns = {monomial: place for place, monomial in enumerate(dict.fromkeys(key for row in rest for key in row))}
    if len(rest) * len(columns) > MOST_ENTRIES:
        return None
    matrix = [[Fraction(0)] * len(columns) for _ in rest]
    for dense, row in zip(matrix, rest, strict=True):
        for monomial, value in row.items():
            dense[columns[monomial]] = Fraction(int(value.p), int(value.q))
    return rank + (rank_rational(matrix).value if columns else 0) - 1


def convert_to_common_denominator(pairs: Sequence[Pair]) -> list[Any] | None:
    """The numerators over a common denominator, and last this itself, unless there may be too many terms."""
    belows = {str(below): below for _, below in pairs}
    common = pairs[0][1]
    for below in belows.values():
        rest = below / common.gcd(below)
        if bound_product_terms(common, rest) > MOST_TERMS:
            return None
        common = common * rest
    factors = {name: common / below for name, below in belows.items()}
    chosen = [factors[str(below)] for _, below in pairs]
    terms = len(common)
    for (above, _), factor in zip(pairs, chosen, strict=True):
        terms += bound_product_terms(above, factor)
        if terms > MOST_TERMS:
            return None
    return [*(above * factor for (above, _), factor in zip(pairs, chosen, strict=True)), common]


def bound_product_terms(one: Any, other: Any) -> int:
    """At most this many terms does a product have: by the numbers of terms, by the degrees in each parameter, by the degree.

    >>> _, (x, y) = make_polynomials(2)
    >>> (
    ...     bound_product_terms((x + 1) ** 5, (x - 1) ** 5),
    ...     bound_product_terms((x + y) ** 5, (x + y) ** 5),
    ...     bound_product_terms(x + y, x - y),
    ... )
    (11, 36, 4)
    """
    if len(one) == 0 or len(other) == 0:
        return 0
    degrees = [first + second for first, second in zip(one.degrees(), other.degrees(), strict=True)]
    total = int(one.total_degree()) + int(other.total_degree())
    return min(
        len(one) * len(other),
        prod(int(degree) + 1 for degree in degrees),
        comb(total + sum(degree > 0 for degree in degrees), total),
    )


def remove_private_rows(rows: Sequence[dict[Any, Any]]) -> tuple[int, list[dict[Any, Any]]]:
    """Take out rows with a monomial of their own, as long as there are any: how many, and the others."""
    users: dict[Any, set[int]] = {}
    for number, row in enumerate(rows):
        for monomial in row:
            users.setdefault(monomial, set()).add(number)
    alive = set(range(len(rows)))
    waiting = [monomial for monomial, numbers in users.items() if len(numbers) == 1]
    taken = 0
    while waiting:
        numbers = users[waiting.pop()]
        if len(numbers) != 1:
            continue
        (number,) = numbers
        taken += 1
        alive.discard(number)
        for monomial in rows[number]:
            users[monomial].discard(number)
            if len(users[monomial]) == 1:
                waiting.append(monomial)
    return taken, [rows[number] for number in sorted(alive) if rows[number]]
