"""Checks of what HM97 prints besides dimensions: ranks of its linear map, and its formulas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from math import prod

from algdim.claims.finding import Finding, formula, identity

CLASS = "Y"

Entry = tuple[str, int, tuple[int, ...]]
"""A probability of the network: variable, state, states of its parents."""


@dataclass(frozen=True, slots=True)
class Classifier:
    """A network with the class Y: states, and parents in an order in which all edges point forwards."""

    states: Mapping[str, int]
    parents: Mapping[str, tuple[str, ...]]

    @property
    def inputs(self) -> tuple[str, ...]:
        """The variables other than Y."""
        return tuple(name for name in self.states if name != CLASS)

    @property
    def own(self) -> tuple[str, ...]:
        """The variables whose factor contains Y: Y and its children."""
        return tuple(name for name in self.states if name == CLASS or CLASS in self.parents[name])

    @property
    def parameters(self) -> int:
        """The free parameters of the factors that contain Y."""
        return sum(
            (self.states[name] - 1) * prod(self.states[parent] for parent in self.parents[name]) for name in self.own
        )

    def rows(self) -> Iterator[tuple[tuple[int, ...], list[tuple[Entry, Entry]]]]:
        """For each λ_kx (HM97 Eq. 4) x and the pairs of probabilities of whose ratios it is the sum of logarithms."""
        for k in range(1, self.states[CLASS]):
            for x in product(*(range(self.states[name]) for name in self.inputs)):
                at = dict(zip(self.inputs, x, strict=True))
                yield x, [(self.entry(name, at, k), self.entry(name, at, 0)) for name in self.own]

    def entry(self, name: str, at: Mapping[str, int], k: int) -> Entry:
        """The probability of a variable in a configuration in which Y is in state k."""
        full = {**at, CLASS: k}
        return name, full[name], tuple(full[parent] for parent in self.parents[name])

    def linear_rank(self, free: int | None = None) -> int:
        """The rank of κ → λ (HM97 Eq. 7); of the inputs only the first ``free`` leave their first state."""
        rows = [pairs for x, pairs in self.rows() if free is None or not any(x[free:])]
        columns = {entry: place for place, entry in enumerate(dict.fromkeys(pair[0] for row in rows for pair in row))}
        matrix = [[0] * len(columns) for _ in rows]
        for row, pairs in zip(matrix, rows, strict=True):
            for entry, _ in pairs:
                row[columns[entry]] = 1
        return rank(matrix)

    def point_rank(self) -> int:
        """The rank of dλ by the free parameters at a fixed rational point: a lower bound of the dimension."""
        rows = [pairs for _, pairs in self.rows()]
        entries = dict.fromkeys(entry for row in rows for pair in row for entry in pair)
        free = {entry: place for place, entry in enumerate(e for e in entries if e[1] + 1 < self.states[e[0]])}
        weights = {entry: Fraction(1 + (7 * place * place + 3 * place) % 23) for place, entry in enumerate(entries)}
        sums: dict[tuple[str, tuple[int, ...]], Fraction] = {}
        for (name, _, above), weight in weights.items():
            sums[name, above] = sums.get((name, above), Fraction(0)) + weight
        matrix = [[Fraction(0)] * len(free) for _ in rows]
        for row, pairs in zip(matrix, rows, strict=True):
            for pair in pairs:
                for sign, (name, state, above) in zip((1, -1), pair, strict=True):
                    slope = sign * sums[name, above] / weights[name, state, above]
                    if state + 1 < self.states[name]:
                        row[free[name, state, above]] += slope
                    else:
                        for other in range(state):
                            row[free[name, other, above]] -= slope
        return rank(matrix)


EQUATION_10 = Classifier(
    dict.fromkeys(("X1", "X2", "X3", "Y", "X4", "X5"), 2),
    {"X1": (), "X2": (), "X3": (), "Y": ("X1", "X2"), "X4": ("X1", "X3", "Y"), "X5": ("X2", "X3", "Y")},
)
"""The network of HM97 Eq. 10: its three terms name the parents."""


def rank(matrix: list[list[int]] | list[list[Fraction]]) -> int:
    """The rank of a matrix of rational numbers."""
    import flint

    rows = [[flint.fmpq(Fraction(value).numerator, Fraction(value).denominator) for value in row] for row in matrix]
    return int(flint.fmpq_mat(rows).rank())


def blocks() -> list[int]:
    """The summands of HM97 Eq. 18 for Eq. 10's network: what each input adds to the rank, after the constant."""
    ranks = [EQUATION_10.linear_rank(free) for free in range(len(EQUATION_10.inputs) + 1)]
    return [ranks[0], *(after - before for before, after in pairwise(ranks))]


def theorem_1() -> Finding:
    """HM97 Theorem 1: the image of θ → λ is a linear manifold, so its dimension is the rank of κ → λ. Y -> X2 <- X1 decides.

    With |Y| = |X1| = 3 and |X2| = 2 the linear map has rank 12. Only 11 parameters occur in λ, 2 of Y and 9 of X2, so the image
    has dimension 11 at most, and 11 by the rank at a point. A binary X2 has two κ for each parameter: κ is not free.
    """
    network = Classifier({"X1": 3, "Y": 3, "X2": 2}, {"X1": (), "Y": (), "X2": ("X1", "Y")})
    linear, below, above = network.linear_rank(), network.point_rank(), network.parameters
    if below != above:
        raise ArithmeticError(f"the dimension is between {below} and {above}")
    reason = f"Y(3) -> X2(2) <- X1(3): rank of κ → λ {linear}, dimension {above} (parameters in λ, rank at a point)"
    return Finding("an upper bound: the rank of κ → λ", reason, linear == above)


def naive_classifier(items: int) -> Finding:
    """HM97 §4, Eq. 6: the naive classifier has the n + 1 parameters φ_0, …, φ_n. Its map is linear in κ, and has this rank."""
    names = [f"X{number}" for number in range(1, items + 1)]
    network = Classifier(dict.fromkeys((CLASS, *names), 2), {CLASS: (), **dict.fromkeys(names, (CLASS,))})
    below, above = network.point_rank(), network.linear_rank()
    if below != above:
        raise ArithmeticError(f"the dimension is between {below} and {above}")
    return Finding(above, "rank of κ → λ, attained by dλ at a point")


def network_of_equation_10() -> Finding:
    """HM97 §6: the network of Eq. 10 has dimension 15."""
    below, above = EQUATION_10.point_rank(), EQUATION_10.linear_rank()
    if below != above:
        raise ArithmeticError(f"the dimension is between {below} and {above}")
    return Finding(above, "rank of κ → λ, attained by dλ at a point")


def block_of_equation_10(number: int) -> Finding:
    """HM97 §6, below Eq. 18: one of the summands 1 + 1 + 2 + 3 + 4 + 4."""
    return Finding(blocks()[number], f"what input {number} adds to the rank" if number else "the constant η_0")


def sum_of_blocks() -> Finding:
    """HM97 Eq. 18: d = Σ_{i=1}^n rank ∂ψ_i/∂η_i, for the network of Eq. 10, n = 5."""
    found = blocks()
    return formula(
        "the sum begins at i = 0",
        "Eq. 10's network",
        truth=EQUATION_10.point_rank(),
        printed=sum(found[1:]),
        right=sum(found),
    )


def softmax() -> Finding:
    """HM97 Eq. 3 with Eq. 2: p(y^k|x) = e^{λ_k} / (1 + Σ_j e^{λ_j}), here of three classes."""
    from sympy import Symbol, exp, log

    p, q = Symbol("p", positive=True), Symbol("q", positive=True)
    odds = [log(q / p), log((1 - p - q) / p)]
    total = 1 + sum(exp(value) for value in odds)
    return identity(
        "Eq. 3", "three classes, Eq. 2 put in", (exp(odds[0]) / total, q), (exp(odds[1]) / total, 1 - p - q)
    )


def coefficient_of_an_item() -> Finding:
    """HM97 Eq. 6: φ_i = θ(x²|y²)/θ(x²|y¹) − θ(x¹|y²)/θ(x¹|y¹). One item with p(x²|y²) = 2/3, p(x²|y¹) = 1/3 decides."""
    from sympy import Rational, log

    high, low = Rational(2, 3), Rational(1, 3)
    ratios = high / low, (1 - high) / (1 - low)
    return formula(
        "φ_i = log θ(x²|y²)/θ(x²|y¹) − log θ(x¹|y²)/θ(x¹|y¹)",
        "one item, 2/3 and 1/3",
        truth=log(ratios[0] / ratios[1]),
        printed=ratios[0] - ratios[1],
        right=log(ratios[0]) - log(ratios[1]),
    )


def likelihood_of_a_node() -> Finding:
    """HM97 Theorem 2: L_i = Σ_l p(z_il|pa_il), which Eq. 8 adds up to log p(D|φ). Two cases of probability ½ decide."""
    from sympy import Rational, log

    cases = [Rational(1, 2)] * 2
    return formula(
        "L_i = Σ_l log p(z_il|pa_il)",
        "two cases of probability 1/2, log p(D|φ)",
        truth=log(cases[0] * cases[1]),
        printed=sum(cases),
        right=log(cases[0]) + log(cases[1]),
    )


def linear_growth() -> Finding:
    """HM97 §5, above Eq. 9: Σ log L_i increases linearly with N. Cases of probability ½ decide, whichever L_i is meant.

    With L_i = Σ p, as printed, log L_i = log(N/2); with L_i = Σ log p it is not defined, as L_i < 0.
    """
    from sympy import Rational, Symbol, limit, log, oo

    n = Symbol("N", positive=True)
    as_printed = limit(log(n * Rational(1, 2)) / n, n, oo)
    negative = bool((n * log(Rational(1, 2))).is_negative)
    reason = "cases of probability 1/2: log of Σ p is log(N/2), and Σ log p is negative and has no logarithm"
    return Finding("Σ L_i", reason, not (as_printed == 0 and negative))


def factor_of_two_pi() -> Finding:
    """HM97, proof of Theorem 2, above Eq. 8: the term Σ d_i log(2π). An integral with d = 1 and A = 1 decides."""
    from sympy import Rational, Symbol, exp, integrate, log, oo, pi

    t = Symbol("t", real=True)
    return formula(
        "½ Σ d_i log(2π)",
        "d = 1, A = 1",
        truth=log(integrate(exp(-(t**2) / 2), (t, -oo, oo))),
        printed=log(2 * pi),
        right=Rational(1, 2) * log(2 * pi),
    )


def laplace_of_a_node() -> Finding:
    """HM97 Eq. 8: (d/2) log 2π − ½ log |A|, the integral of a normal peak; d = 2 with a diagonal A."""
    from sympy import Symbol, exp, expand_log, integrate, log, oo, pi

    a, b = Symbol("a", positive=True), Symbol("b", positive=True)
    t = Symbol("t", real=True)
    integral = integrate(exp(-a * t**2 / 2), (t, -oo, oo)) * integrate(exp(-b * t**2 / 2), (t, -oo, oo))
    right = log(2 * pi) - log(a * b) / 2
    return identity("Eq. 8", "d = 2, A diagonal", (expand_log(log(integral)), expand_log(right)))
