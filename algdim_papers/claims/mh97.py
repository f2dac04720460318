"""Checks of what MH97 prints besides dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import factorial, prod

from algdim.trust import proved_by
from algdim_papers.claims.finding import Finding, check_formula, check_identity, derive_trust, require_proved_report

MECHANISMS = ((Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)), (Fraction(1, 5), Fraction(2, 5), Fraction(2, 5)))
"""Two mechanisms with three states, for one configuration of the causes."""


def posterior(tables: Sequence[Sequence[Fraction]], effect: int) -> list[Fraction]:
    """P(X_1 = k | E = e) of independent mechanisms with maximum, by summing over all of their states."""
    found = [Fraction(0)] * len(tables[0])
    for states in product(*(range(len(table)) for table in tables)):
        if max(states) == effect:
            found[states[0]] += prod(table[state] for table, state in zip(tables, states, strict=True))
    return [value / sum(found) for value in found]


def below(tables: Sequence[Sequence[Fraction]], state: int) -> Fraction:
    """∏ P(X_i ≤ state)."""
    return prod((sum(table[: state + 1], Fraction(0)) for table in tables), start=Fraction(1))


def maximum() -> Finding:
    """MH97 §3.1: p(E ≤ e|c) = ∏ p(X_i ≤ e|c), of two mechanisms with free probabilities."""
    from sympy import Symbol, expand

    tables = [[Symbol(f"t{i}{k}") for k in range(3)] for i in (1, 2)]
    sides = [
        (
            expand(sum(tables[0][i] * tables[1][j] for i, j in product(range(3), repeat=2) if max(i, j) <= e)),
            expand(sum(tables[0][: e + 1]) * sum(tables[1][: e + 1])),
        )
        for e in range(3)
    ]
    return check_identity("∏ p(X_i ≤ e)", "two mechanisms with three states, as polynomials", *sides)


def expectation_below() -> Finding:
    """MH97 §3.1's E step, the case k < e."""
    sides = []
    for e in (1, 2):
        others = MECHANISMS[1:]
        total = below(MECHANISMS, e) - below(MECHANISMS, e - 1)
        rest = below(others, e) - below(others, e - 1)
        sides += [(MECHANISMS[0][k] * rest / total, posterior(MECHANISMS, e)[k]) for k in range(e)]
    return check_identity("the case k < e", "two mechanisms with three states, all sums written out", *sides)


def expectation_at() -> Finding:
    """MH97 §3.1's E step, the case k = e: 1 − Σ_{l≤k} p(X_i = l|e). The sum contains what is defined; solved for it, it is half."""
    e = 1
    truth = posterior(MECHANISMS, e)
    rest = sum(truth[:e], Fraction(0))
    return check_formula(
        "1 − Σ_{l<k} p(X_i = l|c, e)",
        "two mechanisms, e = 1, p(X_1 = 1|e)",
        truth=truth[e],
        printed=(1 - rest) / 2,
        right=1 - rest,
    )


def additive_expectation() -> Finding:
    """MH97 §3.2's p(X1 = k|c, E = e): the sums run over totals up to e, not over totals equal to e. Two Poisson rates 1 decide.

    e = k = 1; the factors exp(−λ) cancel.
    """
    e = k = 1

    def weight(count: int) -> Fraction:
        return Fraction(1, factorial(count))

    numerator = weight(k) * sum((weight(other) for other in range(e - k + 1)), Fraction(0))
    denominator = sum((weight(i) * weight(j) for i in range(e + 1) for j in range(e - i + 1)), Fraction(0))
    joint = [weight(i) * weight(e - i) for i in range(e + 1)]
    return check_formula(
        "the same sums over l_2 + … + l_m = e − k, and over l_1 + … + l_m = e",
        "two mechanisms with rate 1, e = k = 1",
        truth=joint[k] / sum(joint),
        printed=numerator / denominator,
        right=weight(k) * weight(e - k) / sum(joint),
    )


def poisson_sum() -> Finding:
    """MH97 §3.2: the sum of two independent Poisson variables is Poisson with the sum of the rates, by generating functions."""
    from sympy import Symbol, exp

    a, b, t = Symbol("a", positive=True), Symbol("b", positive=True), Symbol("t")
    return check_identity(
        "Poisson(λ_1 + … + λ_n)", "generating functions", (exp(a * (t - 1)) * exp(b * (t - 1)), exp((a + b) * (t - 1)))
    )


def parity_of_the_effect() -> Finding:
    """MH97 §3.3: the X-or function is 1 if and only if an even number of the mechanism variables is 1. All states of two decide."""
    states = list(product((0, 1), repeat=2))
    wrong = [pair for pair in states if (sum(pair) % 2 == 0) != bool(pair[0] ^ pair[1])]
    odd = all((sum(pair) % 2 == 1) == bool(pair[0] ^ pair[1]) for pair in states)
    if not odd:
        raise ArithmeticError("an odd number is not X-or either")
    reason = f"X-or of two variables differs at {len(wrong)} of {len(states)} states"
    return Finding("an odd number", reason, not wrong, trust=proved_by("instances", reason))


def distinct_rows(causes: int) -> Finding:
    """MH97 §3.1: for almost all parameters of a noisy-or a complete tree is needed: all 2^n rows of the table differ.

    They are products of powers of the n parameters, different polynomials; at one point their values are told apart.
    """
    primes = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 5), Fraction(1, 7))[:causes]
    rows = {
        prod((q for q, present in zip(primes, state, strict=True) if present), start=Fraction(1))
        for state in product((0, 1), repeat=causes)
    }
    trust = proved_by(
        "instances", f"{len(rows)} different values where the parameters are {', '.join(map(str, primes))}"
    )
    reason = "products of different inverse primes"
    return Finding(f"{len(rows)} different rows", reason, len(rows) == 2**causes, trust=trust)


def binary_coincidence() -> Finding:
    """MH97 §5: F1, a strict submodel of F2, has the same dimension when causes and effect are binary."""
    first, second = require_proved_report("max: {C1},{C2},{C3} -> E"), require_proved_report("max: {C1,C2},{C3} -> E")
    reason = f"binary: F1 {first.dimension}, F2 {second.dimension}"
    trust = derive_trust(proved_by("instances", reason), [first, second])
    return Finding("not when they are binary either", reason, first.dimension == second.dimension, trust=trust)


def structures() -> list[str]:
    """The sets of mechanisms of three binary causes, leaks and repetitions allowed, that with the causes have 9 parameters."""
    causes = ("C1", "C2", "C3")
    subsets = [tuple(subset) for size in range(4) for subset in combinations(causes, size)]
    found = [
        chosen
        for count in range(1, 7)
        for chosen in combinations_with_replacement(subsets, count)
        if len(causes) + sum(2 ** len(subset) for subset in chosen) == 9
    ]
    return [",".join(f"{{{','.join(subset)}}}" for subset in chosen) for chosen in found]


def any_structure_for_f2() -> Finding:
    """MH97 Table 1, F2: 9 parameters and dimension 7. All structures with 9 parameters in which E depends on every cause decide.

    F1 is one of them; another with dimension 7 would be a reading in which the table is right.
    """
    reports, tried = {}, structures()
    for mechanisms in tried:
        if not all(cause in mechanisms for cause in ("C1", "C2", "C3")):
            continue
        reports[mechanisms] = require_proved_report(f"max: {mechanisms} -> E")
    fitting = [mechanisms for mechanisms, report in reports.items() if report.dimension == 7]
    others = [mechanisms for mechanisms in fitting if mechanisms != "{C1},{C2},{C3}"]
    reason = f"{len(tried)} structures with 9 parameters; of those that use all causes, {' and '.join(fitting)} has dimension 7"
    trust = derive_trust(proved_by("instances", reason), reports.values())
    return Finding("none but F1", reason, bool(others), trust=trust)
