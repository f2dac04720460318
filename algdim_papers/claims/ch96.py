"""Checks of the formulas of CH96 §2: complete data and the M steps; and of MH97 §4.1's, which is that of other coordinates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations, product
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


def equivalent_networks() -> Finding:
    """GHM96 §2: with α_ijk = α q(x_i^k, pa_i^j) X -> Y and Y -> X have the same marginal likelihood by Eq. 5, here of five cases.

    With the same exponent in every row they have not, which is checked, too.
    """
    joint = {(x, y): Fraction(1 + x + 2 * y, 21) for x in range(2) for y in range(3)}
    size = Fraction(5, 2)
    counts = Counter(CASES)

    def compute(first: int, exponent: Callable[[tuple[int, int]], Fraction], one: Fraction | None) -> Fraction:
        second = 1 - first
        rows = [[cell for cell in sorted(joint) if cell[first] == state] for state in sorted({c[first] for c in joint})]
        roots = [one or sum((exponent(cell) for cell in row), Fraction(0)) for row in rows]
        value = compute_row(roots, [sum(counts[cell] for cell in row) for row in rows])
        for row in rows:
            row.sort(key=lambda cell: cell[second])
            value *= compute_row([exponent(cell) for cell in row], [counts[cell] for cell in row])
        return value

    unlike = [compute(first, lambda _cell: Fraction(1), Fraction(1)) for first in (0, 1)]
    if unlike[0] == unlike[1]:
        raise ArithmeticError("uniform exponents do not distinguish the two networks")
    one, other = (compute(first, lambda cell: size * joint[cell], None) for first in (0, 1))
    return check_identity("α q(x, pa)", "X -> Y and Y -> X with 2 and 3 states, five cases", (one, other))


def expected_counts() -> Finding:
    """CH96 Eq. 11, MH97 Eq. 4: E(N_ijk) is the sum of the posteriors of the cases; against the mean over all completions of the data.

    A class with two states, two items with two and three, some of them not observed.
    """
    root = (Fraction(1, 3), Fraction(2, 3))
    tables = [
        ((Fraction(1, 4), Fraction(3, 4)), (Fraction(3, 5), Fraction(2, 5))),
        ((Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)), (Fraction(1, 7), Fraction(2, 7), Fraction(4, 7))),
    ]
    data: tuple[tuple[int | None, int | None], ...] = ((0, 2), (1, None), (None, 0))
    cells = [(h, x, y) for h in range(2) for x in range(2) for y in range(3)]

    def compute(cell: tuple[int, int, int]) -> Fraction:
        h, x, y = cell
        return root[h] * tables[0][h][x] * tables[1][h][y]

    fits = [
        [cell for cell in cells if all(seen in {None, state} for seen, state in zip(case, cell[1:], strict=True))]
        for case in data
    ]
    total = prod((sum((compute(cell) for cell in found), Fraction(0)) for found in fits), start=Fraction(1))
    sides = []
    for place, size in ((1, 2), (2, 3)):
        for k, j in product(range(size), range(2)):
            by_cases = sum(
                (
                    sum((compute(c) for c in found if (c[place], c[0]) == (k, j)), Fraction(0))
                    / sum((compute(c) for c in found), Fraction(0))
                    for found in fits
                ),
                Fraction(0),
            )
            by_completions = sum(
                (
                    prod((compute(c) for c in whole), start=Fraction(1))
                    * sum((c[place], c[0]) == (k, j) for c in whole)
                    for whole in product(*fits)
                ),
                Fraction(0),
            )
            sides.append((by_completions / total, by_cases))
    return check_identity(
        "the sum of the posteriors", "two items with 2 and 3 states, two classes, three cases", *sides
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
