"""Checks of the formulas of CH96 §2: complete data and the M steps; and of MH97 §4.1's, which is that of other coordinates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from math import prod
from typing import Any

from algdim_papers.claims.finding import Finding, check_identity

CASES = ((0, 0), (1, 2), (1, 0), (1, 2), (0, 1))
"""Of two variables X -> Y with two and three states."""
OF_FIRST = (Fraction(3, 2), Fraction(2))
OF_SECOND = ((Fraction(1), Fraction(1, 2), Fraction(3)), (Fraction(2, 3), Fraction(1), Fraction(5, 4)))
"""The exponents of the priors, those of Y for each state of X."""


def rise(start: Fraction, steps: int) -> Fraction:
    """Γ(start + steps)/Γ(start)."""
    return prod((start + step for step in range(steps)), start=Fraction(1))


def compute_row(alphas: Sequence[Fraction], counts: Sequence[int]) -> Fraction:
    """CH96 Eq. 5 of one row."""
    top = prod(rise(alpha, count) for alpha, count in zip(alphas, counts, strict=True))
    return top / rise(sum(alphas, Fraction(0)), sum(counts))


def compute_sequentially(cases: Sequence[tuple[int, int]]) -> Fraction:
    """The product of the predictions of each case from those before it: a mean of a Dirichlet posterior for each variable."""
    seen: Counter[tuple[int, ...]] = Counter()
    value = Fraction(1)
    for x, y in cases:
        total = sum(OF_FIRST, Fraction(0)) + sum(seen[(state,)] for state in range(2))
        row = sum(OF_SECOND[x], Fraction(0)) + seen[(x,)]
        value *= (OF_FIRST[x] + seen[(x,)]) / total * (OF_SECOND[x][y] + seen[x, y]) / row
        seen[(x,)] += 1
        seen[x, y] += 1
    return value


def marginal_of_complete_data() -> Finding:
    """CH96 Eq. 5, Cooper and Herskovits: against the product of sequential predictions, in one order."""
    counts = Counter(CASES)
    firsts = [sum(1 for x, _ in CASES if x == state) for state in range(2)]
    value = compute_row(OF_FIRST, firsts) * prod(
        compute_row(OF_SECOND[x], [counts[x, y] for y in range(3)]) for x in range(2)
    )
    return check_identity("Eq. 5", "X -> Y with 2 and 3 states, five cases", (value, compute_sequentially(CASES)))


def order_of_predictions() -> Finding:
    """CH96 §2: the sum of the logarithms of the predictions does not depend on the order of the cases. All orders of five cases."""
    first, *others = (compute_sequentially(order) for order in permutations(CASES))
    return check_identity(
        "in every order", "X -> Y with 2 and 3 states, all orders of five cases", *((first, other) for other in others)
    )


def make_row() -> tuple[list[Any], list[Any], list[Any]]:
    """Expected counts and exponents of a row with three states; the first two probabilities."""
    from sympy import symbols

    return (
        list(symbols("N1:4", positive=True)),
        list(symbols("a1:4", positive=True)),
        list(symbols("t1:3", positive=True)),
    )


def compute_slopes(weights: Sequence[Any], free: Sequence[Any]) -> list[Any]:
    """The derivatives of Σ w log θ by all probabilities but the last."""
    from sympy import diff, log

    last = 1 - sum(free)
    height = sum(weight * log(theta) for weight, theta in zip(weights, [*free, last], strict=True))
    return [diff(height, theta) for theta in free]


def mode_in_probabilities(alpha: int) -> Finding:
    """CH96 §2's M steps: (E N + α − 1)/(E N + Σα − r), and without a prior, α = 1: there the gradient by the probabilities is 0."""
    counts, exponents, free = make_row()
    pseudo = [exponent - 1 for exponent in exponents] if alpha else [0, 0, 0]
    weights = [count + more for count, more in zip(counts, pseudo, strict=True)]
    at = dict(zip(free, (weight / sum(weights) for weight in weights), strict=False))
    sides = [(slope.subs(at), 0) for slope in compute_slopes(weights, free)]
    says = "the mode of the density of the probabilities" if alpha else "the greatest likelihood"
    return check_identity(says, "a row with three states, derivatives by sympy", *sides)


def mode_in_log_odds() -> Finding:
    """MH97 §4.1's M step: (α + E N)/Σ(α + E N), the mode of the density of the log-odds.

    That density is the density of the probabilities times the determinant ∏ θ of their derivatives, which is checked too.
    """
    from sympy import Matrix, exp, log, symbols

    counts, exponents, _ = make_row()
    odds = list(symbols("u1:3", real=True))
    total = 1 + sum(exp(u) for u in odds)
    thetas = [*(exp(u) / total for u in odds), 1 / total]
    turned = Matrix(thetas[:2]).jacobian(odds).det()
    weights = [count + exponent for count, exponent in zip(counts, exponents, strict=True)]
    at = dict(zip(odds, (log(weight / weights[-1]) for weight in weights), strict=False))
    height = sum(weight * log(theta) for weight, theta in zip(weights, thetas, strict=True))
    sides = [(height.diff(u).subs(at), 0) for u in odds]
    return check_identity(
        "the mode of the density of the log-odds",
        "a row with three states, derivatives by sympy",
        (turned, prod(thetas[1:], start=thetas[0])),
        *sides,
    )
