"""Checks of what HM97 prints besides dimensions: ranks of its linear map, and its formulas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, product
from math import prod
from typing import Any

from algdim.families.classifier.bounds import rank_of_linear_map
from algdim.families.classifier.model import ClassFactor, Classifier
from algdim.models.notation import parse
from algdim.trust import proved_by
from algdim_papers.claims.finding import (
    Finding,
    check_formula,
    check_identity,
    derive_trust,
    require_proved_report,
)

EQUATION_10 = "classifier Y: X1, X2 -> Y; X1, X3, Y -> X4; X2, X3, Y -> X5"
"""The network of HM97 Eq. 10: its three terms name the parents."""


EMBEDDED: dict[str, tuple[int, tuple[str, ...]]] = {
    "X1, X2, X3 -> Y; classifier Y {Y -> X1, X2, X3}": (3, ("classifier Y: Y -> X1, X2, X3",)),
    "X1, X2, X3 -> Y; Y, X1 -> Z; classifier Y {Y -> X1, X2, X3}; classifier Z {Z -> X1, Y}": (
        3,
        ("classifier Y: Y -> X1, X2, X3", "classifier Z: Z -> X1, Y"),
    ),
    "X1, X2, X3 -> Y; X1 -> Z; states X1=3; classifier Y {Y -> X1, X2; X1 -> X3; states X1=3}": (
        4 + 3,
        ("classifier Y: Y -> X1, X2; X1 -> X3; states X1=3",),
    ),
}
"""Networks with embedded classifiers, the number of parameters of their other tables, and their classifiers."""


def blocks() -> list[int]:
    """The summands of HM97 Eq. 18 for Eq. 10's network: what each input adds to the rank, after the constant."""
    model = parse(EQUATION_10)
    assert isinstance(model, Classifier)  # noqa: S101
    ranks = []
    for count in range(len(model.inputs) + 1):
        free = model.inputs[:count]
        factors = [ClassFactor(one.owner, tuple(name for name in one.inputs if name in free)) for one in model.factors]
        ranks.append(rank_of_linear_map(model, factors))
    return [ranks[0], *(after - before for before, after in pairwise(ranks))]


def block_of_equation_10(number: int) -> Finding:
    """HM97 §6, below Eq. 18: one of the summands 1 + 1 + 2 + 3 + 4 + 4."""
    reason = f"what input {number} adds to the rank" if number else "the constant η_0"
    return Finding(blocks()[number], reason, trust=proved_by("interactions", f"ranks of the linear map, {reason}"))


def sum_of_blocks() -> Finding:
    """HM97 Eq. 18: d = Σ_{i=1}^n rank ∂ψ_i/∂η_i, for the network of Eq. 10, n = 5."""
    return check_blocks("the sum begins at i = 0", "Eq. 10's network")


def check_blocks(correction: str, instance: str) -> Finding:
    """Whether the blocks of Eq. 10's network add up to its dimension from i = 1 on, as printed, or from i = 0 on."""
    found, report = blocks(), require_proved_report(EQUATION_10)
    return check_formula(
        correction,
        instance,
        truth=report.dimension,
        printed=sum(found[1:]),
        right=sum(found),
        reports=[report],
    )


def softmax() -> Finding:
    """HM97 Eq. 3 with Eq. 2: p(y^k|x) = e^{λ_k} / (1 + Σ_j e^{λ_j}), here of three classes."""
    from sympy import Symbol, exp, log

    p, q = Symbol("p", positive=True), Symbol("q", positive=True)
    odds = [log(q / p), log((1 - p - q) / p)]
    total = 1 + sum(exp(value) for value in odds)
    return check_identity(
        "Eq. 3", "three classes, Eq. 2 put in", (exp(odds[0]) / total, q), (exp(odds[1]) / total, 1 - p - q)
    )


def make_equation_10() -> dict[str, Callable[..., Any]]:
    """The tables of Eq. 10's network by their variable, each as a function of its states, 0 and 1, with a symbol for every row."""
    from sympy import Symbol

    def make(name: str) -> Callable[..., Any]:
        def entry(state: int, *parents: int) -> Any:
            share = Symbol(name + "".join(map(str, parents)), positive=True)
            return share if state else 1 - share

        return entry

    return {name: make(name) for name in ("x1", "x2", "x3", "y", "x4", "x5")}


def compute_odds(tables: dict[str, Callable[..., Any]], x: Sequence[int]) -> Any:
    """p(y²|x)/p(y¹|x) from the joint distribution of Eq. 10's network."""

    def joint(y: int) -> Any:
        apart = tables["x1"](x[0]) * tables["x2"](x[1]) * tables["x3"](x[2]) * tables["y"](y, x[0], x[1])
        return apart * tables["x4"](x[3], x[0], x[2], y) * tables["x5"](x[4], x[1], x[2], y)

    return joint(1) / joint(0)


def odds_of_the_class() -> Finding:
    """HM97 Eq. 10: for all 32 inputs, the odds of the class against a product of three ratios, as rational functions."""
    tables = make_equation_10()
    sides = []
    for x in product((0, 1), repeat=5):
        ratios = [
            tables["y"](1, x[0], x[1]) / tables["y"](0, x[0], x[1]),
            tables["x4"](x[3], x[0], x[2], 1) / tables["x4"](x[3], x[0], x[2], 0),
            tables["x5"](x[4], x[1], x[2], 1) / tables["x5"](x[4], x[1], x[2], 0),
        ]
        sides.append((compute_odds(tables, x), prod(ratios[1:], start=ratios[0])))
    return check_identity("Eq. 10", "Eq. 10's network, all 32 inputs, without logarithms", *sides)


def difference_of_odds() -> Finding:
    """HM97 Eq. 11: the odds at (x1², x2¹, x3¹, x4¹, x5¹) over those at (x1¹, x2¹, x3¹, x4¹, x5¹), as rational functions."""
    tables = make_equation_10()

    def ratio(first: int) -> Any:
        y, x4 = tables["y"], tables["x4"]
        return y(1, first, 0) / y(0, first, 0) * x4(0, first, 0, 1) / x4(0, first, 0, 0)

    odds = compute_odds(tables, (1, 0, 0, 0, 0)) / compute_odds(tables, (0, 0, 0, 0, 0))
    return check_identity("Eq. 11", "Eq. 10's network, without logarithms", (odds, ratio(1) / ratio(0)))


def odds_by_tables() -> Finding:
    """HM97 Eqs. 4 and 7: the odds of y^k are the product of the ratios of the tables in which Y occurs; classes with three states, as rational functions."""
    from sympy import Symbol

    sides = []
    for parents_of_y, children in (((), ("",)), (("A",), ("", "A")), ((), ("A", "A"))):
        # A comes before Y; each child has the class as a parent, and A if it is named
        def entry(name: str, state: int, *given: int) -> Any:
            free = [Symbol(f"{name}{other}" + "".join(map(str, given)), positive=True) for other in range(2)]
            return free[state] if state < len(free) else 1 - free[0] - free[1]

        def of_class(y: int, a: int, above: tuple[str, ...] = parents_of_y) -> Any:
            return entry("y", y, *([a] if above else []))

        def of_child(number: int, x: Sequence[int], y: int, a: int, names: tuple[str, ...] = children) -> Any:
            return entry(f"x{number}", x[number], *([a] if names[number] else []), y)

        for a, *x in product((0, 2), *[(0, 2)] * len(children)):

            def joint(y: int, a: int = a, x: Sequence[int] = x) -> Any:
                return entry("a", a) * prod((of_child(i, x, y, a) for i in range(len(x))), start=of_class(y, a))

            for k in (1, 2):
                ratios = [of_child(i, x, k, a) / of_child(i, x, 0, a) for i in range(len(x))]
                sides.append((joint(k) / joint(0), prod(ratios, start=of_class(k, a) / of_class(0, a))))
    return check_identity("the sum of the log-ratios", "three networks, three states each, without logarithms", *sides)


def coefficient_of_an_item() -> Finding:
    """HM97 Eq. 6: φ_i = θ(x²|y²)/θ(x²|y¹) − θ(x¹|y²)/θ(x¹|y¹). One item with p(x²|y²) = 2/3, p(x²|y¹) = 1/3 decides."""
    from sympy import Rational, log

    high, low = Rational(2, 3), Rational(1, 3)
    ratios = high / low, (1 - high) / (1 - low)
    return check_formula(
        "φ_i = log θ(x²|y²)/θ(x²|y¹) − log θ(x¹|y²)/θ(x¹|y¹)",
        "one item, 2/3 and 1/3",
        truth=log(ratios[0] / ratios[1]),
        printed=ratios[0] - ratios[1],
        right=log(ratios[0]) - log(ratios[1]),
    )


def odds_of_naive_bayes() -> Finding:
    """HM97 Eq. 5: the odds of a binary class with three binary items are the prior odds times a ratio for each item, for all eight inputs."""
    from sympy import symbols

    root, *shares = symbols("y x1:4 z1:4", positive=True)
    on, off = shares[:3], shares[3:]

    def entry(share: Any, state: int) -> Any:
        return share if state else 1 - share

    sides = []
    for x in product((0, 1), repeat=3):
        joint = [
            prod((entry(share, state) for share, state in zip(row, x, strict=True)), start=entry(root, y))
            for y, row in enumerate((off, on))
        ]
        ratios = (entry(up, state) / entry(down, state) for up, down, state in zip(on, off, x, strict=True))
        sides.append((joint[1] / joint[0], prod(ratios, start=root / (1 - root))))
    return check_identity("the sum of the log-ratios", "three items, all eight inputs, without logarithms", *sides)


def sum_of_dimensions() -> Finding:
    """HM97, proof of Theorem 2: d = Σ d_i, for networks whose tables are classifiers or free."""
    sides, reports = [], []
    for text, (free, parts) in EMBEDDED.items():
        whole, *each = found = [require_proved_report(one) for one in (text, *parts)]
        sides.append((whole.dimension, free + sum(report.dimension for report in each)))
        reports += found
    finding = check_identity("Σ d_i", f"{len(EMBEDDED)} networks", *sides)
    return Finding(finding.value, finding.reason, finding.holds, trust=derive_trust(finding.trust, reports))


def likelihood_of_a_node() -> Finding:
    """HM97 Theorem 2: L_i = Σ_l p(z_il|pa_il), which Eq. 8 adds up to log p(D|φ). Two cases of probability ½ decide."""
    from sympy import Rational, log

    cases = [Rational(1, 2)] * 2
    return check_formula(
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
    facts = f"{reason}; the limit of log(N/2)/N is {as_printed}"
    return Finding("Σ L_i", reason, not (as_printed == 0 and negative), trust=proved_by("instances", facts))


def factor_of_two_pi() -> Finding:
    """HM97, proof of Theorem 2, above Eq. 8: the term Σ d_i log(2π). An integral with d = 1 and A = 1 decides."""
    from sympy import Rational, Symbol, exp, integrate, log, oo, pi

    t = Symbol("t", real=True)
    return check_formula(
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
    return check_identity("Eq. 8", "d = 2, A diagonal", (expand_log(log(integral)), expand_log(right)))
