"""How large the numbers and polynomials of a straight-line program can be, step by step, before any is multiplied out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, lcm, log2
from typing import NamedTuple

from algdim.errors import LimitError
from algdim.families.polynomial.steps import INVERT, MULTIPLY, ONE, Step, StraightLine

MOST_DEGREE = 10_000

MOST_TERMS = 1 << 17
"""Of all coordinates multiplied out, estimated from above; with more terms they are not."""


class Size(NamedTuple):
    """Bounds for a node as a quotient of polynomials with integer coefficients: degree and log₂ ‖·‖ of both.

    A polynomial has ``log_above`` for its coefficients multiplied by ``cleared``, and no ``log_below``.
    """

    degree: int
    log_above: float
    log_below: float
    is_polynomial: bool
    cleared: int = 1
    """The least known integer that makes the coefficients of a polynomial integers."""


def sizes_of(line: StraightLine) -> tuple[Size, ...]:
    """The sizes of all nodes.

    >>> from algdim.families.polynomial.steps import straight_line
    >>> from algdim.families.polynomial.expressions import formula_from_text
    >>> sizes_of(straight_line(["a"], [formula_from_text("a^3/(1 + a)")]))[-1].degree
    4
    """
    sizes = [Size(1, 0.0, 0.0, True)] * line.parameters
    for step in line.steps:
        sizes.append(size_of(step, [sizes[node] for node in step.uses]))
        if sizes[-1].degree > MOST_DEGREE:
            raise LimitError(f"a formula has a degree above {MOST_DEGREE}, its denominators taken together")
    return tuple(sizes)


def size_of(step: Step, uses: Sequence[Size]) -> Size:
    """The size of a node from those of the nodes that it uses."""
    if step.operation == ONE:
        return Size(0, 0.0, 0.0, True)
    if step.operation == INVERT:
        (size,) = uses
        return Size(size.degree, size.log_below + log2(size.cleared), size.log_above, False)
    if step.operation == MULTIPLY:
        return size_of_product(*uses)
    return size_of_sum(step.coefficients, uses)


def size_of_product(one: Size, other: Size) -> Size:
    """The size of a product of two."""
    degree, log_above = one.degree + other.degree, one.log_above + other.log_above
    if one.is_polynomial and other.is_polynomial:
        return Size(degree, log_above, 0.0, True, one.cleared * other.cleared)
    return Size(degree, log_above, sum(size.log_below + log2(size.cleared) for size in (one, other)), False)


def size_of_sum(coefficients: Sequence[Fraction], uses: Sequence[Size]) -> Size:
    """The size of a sum with coefficients; quotients are brought to the product of their denominators."""
    pairs = list(zip(coefficients, uses, strict=True))
    cleared = lcm(1, *(value.denominator * size.cleared for value, size in pairs))
    quotients = [size for size in uses if not size.is_polynomial]
    degree = max((size.degree for size in uses if size.is_polynomial), default=0)
    if not quotients:
        logs = [
            size.log_above + log2(abs(value.numerator) * (cleared // (value.denominator * size.cleared)))
            for value, size in pairs
        ]
        return Size(degree, log_of_sum(logs), 0.0, True, cleared)
    below = log2(cleared) + sum(size.log_below for size in quotients)
    logs = [size.log_above + log2(abs(value.numerator)) + below - size.log_below for value, size in pairs]
    return Size(degree + sum(size.degree for size in quotients), log_of_sum(logs), below, False)


def log_of_sum(logs: Sequence[float]) -> float:
    """log₂ of the sum of numbers given by their logarithms, at least 0.

    >>> log_of_sum([3.0, 3.0]), log_of_sum([-5.0])
    (4.0, 0.0)
    """
    greatest = max(logs, default=0.0)
    return max(0.0, greatest + log2(sum(2.0 ** (log - greatest) for log in logs) if logs else 1.0))


def term_bound(size: Size, parameters: int) -> int:
    """How many terms above and below there can be; more than `MOST_TERMS` stands for more."""
    if size.degree > MOST_TERMS:
        return MOST_TERMS + 1
    few = min(parameters, size.degree)
    # the number of monomials of this degree is only computed where it is quick, and otherwise above the limit
    dense = comb(parameters + size.degree, few) if few < 20 else MOST_TERMS + 1
    logs = [size.log_above] if size.is_polynomial else [size.log_above, size.log_below]
    return sum(min(dense, int(2 ** min(log, 40)) + 1, MOST_TERMS + 1) for log in logs)
