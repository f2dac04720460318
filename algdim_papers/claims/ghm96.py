"""Checks of what GHM96 prints besides dimensions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import factorial, prod
from typing import Any

from algdim.families.discrete.model import Network
from algdim.models.anymodel import require_model
from algdim.readers.anything import read_model
from algdim.report import dimension
from algdim.trust import proved_by
from algdim_papers.claims.finding import Finding, check_formula, check_identity, derive_trust, require_proved_report


def number_of_parameters() -> Finding:
    """GHM96 §3, after Eq. 6: d = ∏ (r_i − 1)q_i. The network X1 -> X2 of binary variables decides."""
    each = [(2 - 1) * 1, (2 - 1) * 2]
    return check_formula(
        "Σ (r_i − 1)q_i", "X1 -> X2, binary", truth=dimension("X1 -> X2").standard, printed=prod(each), right=sum(each)
    )


def parameter_sum() -> Finding:
    """CH96 §2, below Eq. 8: the number of parameters is Σ q_i(r_i − 1), here of all networks with a few states."""
    cases = [
        (f"A -> B; A, B -> C; states A={a}, B={b}, C={c}", a - 1 + a * (b - 1) + a * b * (c - 1))
        for a, b, c in product((2, 3), repeat=3)
    ]
    return check_identity(
        "Σ q_i(r_i − 1)",
        f"{len(cases)} networks counted",
        *((dimension(text).standard, total) for text, total in cases),
    )


def marginal_likelihood_bic() -> Finding:
    """GHM96 Eq. 1: p(D|S) = H(S, D)N − ½ dim(S) log N + O(1). N tosses of a coin, half of them heads, decide.

    The left side lies between 0 and 1. The right side, H being log 2, is unbounded, and with the other sign of H it is so below.
    """
    from sympy import Symbol, limit, log, oo

    n = Symbol("n", positive=True)
    rights = [limit(sign * n * log(2) - log(n) / 2, n, oo) for sign in (1, -1)]
    reason = "tosses of a coin, half of them heads: the left side lies between 0 and 1, the right side is unbounded, whichever sign H has"
    facts = f"{reason}: its limits are {' and '.join(map(str, rights))}"
    says = "log p(D|S) = −H(S, D)N − ½ dim(S) log N + O(1)"
    return Finding(says, reason, rights != [oo, -oo], trust=proved_by("instances", facts))


def bic_likelihood() -> Finding:
    """GHM96 Eq. 7: p(D|S) ≈ p(D|θ̂, S) − (d/2) log N, with an error that does not depend on N. Tosses of a coin decide: d = 1.

    The left side lies between 0 and 1; with half of the tosses heads, the right side is 2^{−N} − ½ log N.
    """
    from sympy import Rational, Symbol, limit, log, oo

    n = Symbol("N", positive=True)
    right = limit(Rational(1, 2) ** n - log(n) / 2, n, oo)
    reason = "tosses of a coin, half of them heads: the left side lies between 0 and 1, the right side tends to −∞"
    says = "log p(D|S) ≈ log p(D|θ̂, S) − (d/2) log N"
    return Finding(says, reason, bool(right.is_finite), trust=proved_by("instances", f"{reason}: its limit is {right}"))


def posterior_of_structure() -> Finding:
    """GHM96 Eq. 2: log p(S|D) ≈ log p(S|D, θ̂) − ½ dim(S, θ̂) log N. A set of one structure decides.

    There p(S|D) = p(S|D, θ̂) = 1 by Bayes' rule, whatever the data: both logarithms are 0, and the last term has no bound.
    """
    from sympy import Integer, Symbol, limit, log, oo

    n = Symbol("N", positive=True)
    marginal = Integer(factorial(8) ** 2) / factorial(17)
    left = log(marginal / sum([marginal]))
    error = limit(left + log(n) / 2, n, oo)
    reason = "if S is the only structure, p(S|D) = p(S|D, θ̂) = 1 and both logarithms are 0; ½ dim log N is left over"
    says = "log p(D|S) ≈ log p(D|θ̂, S) − ½ dim(S, θ̂) log N"
    trust = proved_by("instances", f"{reason}: the limit is {error}")
    return Finding(says, reason, bool(error.is_finite), trust=trust)


def gaussian_integral() -> Finding:
    """GHM96 Eq. 6: ∫ exp{½(θ − θ̂)f''(θ − θ̂)} dθ ≈ √(2π)·det[−f'']^{d/2}. One parameter with −f'' = 2 decides."""
    from sympy import Integer, Rational, Symbol, exp, integrate, oo, pi, sqrt

    t, a, d = Symbol("t", real=True), Integer(2), 1
    return check_formula(
        "(2π)^{d/2}·det[−f'']^{−1/2}",
        "d = 1, −f'' = 2",
        truth=integrate(exp(-a * t**2 / 2), (t, -oo, oo)),
        printed=sqrt(2 * pi) * a ** Rational(d, 2),
        right=(2 * pi) ** Rational(d, 2) / sqrt(a),
    )


def dirichlet_exponent() -> Finding:
    """GHM96 §2: p(θ_ij|S) ∝ ∏ θ_ijk^{α_ijk}, against the formula for p(D|S) printed below it. α = (1, 2) and one case decide.

    The formula gives α_1/(α_1 + α_2) for one case in the first state; a density with exponents a, b gives the mean of the first
    parameter, (a + 1)/(a + b + 2).
    """
    first, second = 1, 2

    def mean(a: int, b: int) -> Fraction:
        def beta(p: int, q: int) -> Fraction:
            return Fraction(factorial(p) * factorial(q), factorial(p + q + 1))

        return beta(a + 1, b) / beta(a, b)

    return check_formula(
        "p(θ_ij|S) ∝ ∏ θ_ijk^{α_ijk − 1}",
        "α = (1, 2), probability of the first state",
        truth=Fraction(first, first + second),
        printed=mean(first, second),
        right=mean(first - 1, second - 1),
    )


def hessian() -> tuple[Any, Any, Any, Any]:
    """The Hessian of GHM96 Eq. 8 at the point of its maximum, with N, x̄ and ȳ."""
    from sympy import Symbol, log
    from sympy import hessian as second_derivatives

    n, x, y = (Symbol(name, positive=True) for name in ("N", "x", "y"))
    w = Symbol("w1", positive=True), Symbol("w2", positive=True)
    value = n * (x * log(w[0]) + y * log(w[1]) + (1 - x - y) * log(1 - w[0] - w[1]))
    return second_derivatives(value, w).subs({w[0]: x, w[1]: y}), n, x, y


def maximum_likelihood() -> Finding:
    """GHM96 §3: w1 = x̄, w2 = ȳ is the only solution of the two equations below Eq. 8."""
    from sympy import Symbol, expand, solve

    n, x, y, u, v = (Symbol(name, positive=True) for name in ("N", "x", "y", "w1", "w2"))
    last = (1 - x - y) / (1 - u - v)
    found = solve([n * (x / u - last), n * (y / v - last)], [u, v], dict=True)
    # multiplied out they are linear: x(1 − v) = (1 − y)u and y(1 − u) = (1 − x)v
    determinant = expand((1 - y) * (1 - x) - x * y)
    facts = f"expanded the equations are linear, and their determinant {determinant} is positive"
    return Finding(
        "w1 = x̄, w2 = ȳ",
        "the equations solved",
        found == [{u: x, v: y}] and determinant == 1 - x - y,
        trust=proved_by("instances", facts),
    )


def hessian_entries() -> Finding:
    """GHM96 Eq. 9: the second derivatives at the maximum."""
    from sympy import Matrix

    matrix, n, x, y = hessian()
    last = 1 / (1 - x - y)
    printed = -n * Matrix([[1 / x + last, last], [last, 1 / y + last]])
    return check_identity("Eq. 9", "Eq. 8 differentiated", *zip(matrix, printed, strict=True))


def hessian_sign() -> Finding:
    """GHM96 §3, below Eq. 9: the Hessian at the maximum is positive definite. x̄ = ȳ = 1/3 and N = 1 decide."""
    from sympy import Rational

    matrix, n, x, y = hessian()
    at = matrix.subs({n: 1, x: Rational(1, 3), y: Rational(1, 3)})
    word = "negative definite" if at.is_negative_definite else "not negative definite"
    reason = f"at x̄ = ȳ = 1/3, N = 1 it is {at.tolist()}; the two positive matrices stand behind Eq. 9's −N"
    return Finding(word, reason, bool(at.is_positive_definite), trust=proved_by("instances", reason))


def hessian_determinant() -> Finding:
    """GHM96 §3, above Eq. 7: det[−f''] is proportional to N. It is N^d times a constant; Eq. 9 with d = 2 decides."""
    from sympy import cancel

    matrix, n, _, _ = hessian()
    determinant = (-matrix).det()
    grows = cancel(determinant.subs(n, 2 * n) / determinant)
    return check_formula("proportional to N^d", "Eq. 9, d = 2, factor at 2N", truth=grows, printed=2, right=2**2)


def logarithm_of_determinant() -> Finding:
    """CH96 §2, below Eq. 8: log |A| increases as d log N. Eq. 9, d = 2: |A| is N² times a constant."""
    from sympy import cancel

    matrix, n, _, _ = hessian()
    constant = cancel((-matrix).det() / n**2)
    reason = f"Eq. 9 of GHM96, d = 2: |A|/N² = {constant}"
    trust = proved_by("instances", reason)
    return Finding("|A| = N^d · constant", reason, n not in constant.free_symbols, trust=trust)


def naive_bayes_count() -> Finding:
    """GHM96 §6: d' = nk(b − 1) + k − 1, for 2 to 4 classes, items and states."""
    sides = [
        (dimension(f"{k}:{b}^{n}").standard, n * k * (b - 1) + k - 1) for k, b, n in product((2, 3, 4), (2, 3), (2, 3))
    ]
    return check_identity("nk(b − 1) + k − 1", f"{len(sides)} models counted", *sides)


def zero_rows() -> Finding:
    """GHM96 §5: the W structure's matrix with 16 rows has 7 that reduce to zero: 16 less the dimension."""
    report = require_proved_report("w-structure")
    return Finding(cells("w-structure") - report.dimension, "16 rows less the rank", trust=report.trust)


def growth_of_w() -> Finding:
    """GHM96 §5: when the dimension of W changes with |H|. Lemma "W" answers; here its formula is compared with proved dimensions."""
    states = range(2, 9)
    reports = {k: require_proved_report(f"A -> C <- H -> D <- B; hidden H; states H={k}") for k in states}
    expected = {k: 1 + 1 + 2 + 2 + s * (4 - s) for k in states for s in (min(k - 1, 2),)}
    holds = all(reports[k].dimension == expected[k] for k in states)
    found = ", ".join(str(reports[k].dimension) for k in states)
    reason = f'|H| = 2…8: {found}; for all sizes the lemma "W"'
    # the lemma answers; the dimensions of a few models are compared with its formula
    trust = derive_trust(proved_by("W", "binary A, B, C, D, any number of states of H"), reports.values())
    return Finding("only from 2 to 3 states", reason, holds, trust=trust)


def tetrads() -> Finding:
    """GHM96 §7: the three tetrads vanish on Gaussian naive Bayes, and two of them are independent."""
    from sympy import Matrix, Symbol, expand

    pairs = [(i, j) for i in range(1, 5) for j in range(i + 1, 5)]
    cov = {pair: Symbol("s{}{}".format(*pair)) for pair in pairs}
    first = cov[1, 2] * cov[3, 4] - cov[1, 3] * cov[2, 4]
    second = cov[1, 4] * cov[2, 3] - cov[1, 3] * cov[2, 4]
    third = cov[1, 4] * cov[2, 3] - cov[1, 2] * cov[3, 4]
    loading = dict(enumerate((2, 3, 5, 7), 1))
    point = {cov[i, j]: loading[i] * loading[j] for i, j in pairs}
    vanish = all(tetrad.subs(point) == 0 for tetrad in (first, second, third))
    gradients = Matrix([first, second, third]).jacobian(list(cov.values())).subs(point)
    if not vanish or expand(second - first - third) != 0:
        raise ArithmeticError("the tetrads are not those of the model")
    reason = "the third is the second less the first; the gradients of two are independent"
    facts = f"{reason}, as at the loadings {', '.join(map(str, loading.values()))}, where all three are 0"
    return Finding(int(gradients.rank()), reason, trust=proved_by("instances", facts))


def lower_levels() -> list[str]:
    """Two hidden variables above observed ones, each with at least three, in all ways that have 14 parameters.

    A sigmoid network has a parameter for every variable and every arc: with a, c items of one variable and b of both these are
    2 + 2a + 3b + 2c.
    """
    found = []
    for a, b, c in product(range(7), repeat=3):
        if a <= c and 2 + 2 * a + 3 * b + 2 * c == 14 and a + b >= 3:
            names = [f"X{number}" for number in range(1, a + b + c + 1)]
            groups = {"H1": names[:a], "H1, H2": names[a : a + b], "H2": names[a + b :]}
            found.append("; ".join(f"{above} -> {', '.join(items)}" for above, items in groups.items() if items))
    return found


def sigmoid_dimension(levels: int) -> Finding:
    """GHM96 §8: the dimension of the sigmoid networks with two and three levels, in every reading of `lower_levels`.

    The text says that the middle level has two variables, and that without the one above it an arc between them gives the same.
    """
    above, hidden = ("", "H1, H2") if levels == 2 else ("T -> H1, H2; ", "T, H1, H2")
    reports = [require_proved_report(f"sigmoid: {above}{text}; hidden {hidden}") for text in lower_levels()]
    values = {report.dimension for report in reports}
    if len(values) != 1:
        raise ArithmeticError(f"the readings have the dimensions {sorted(values)}")
    reason = f"the same for all {len(reports)} networks that fit, each proved"
    trust = derive_trust(proved_by("instances", f"all {len(reports)} networks that fit"), reports)
    return Finding(values.pop(), reason, trust=trust)


def sigmoid_without_top() -> Finding:
    """GHM96 §8: without the top variable, with an arc between its two children, a network of 17 parameters has 15.

    A sigmoid network has a parameter for every variable and every arc, so the missing figure is not needed: one variable and two
    arcs go, one arc comes.
    """
    reason = "one variable and two arcs go, one arc comes"
    trust = proved_by("counting and ambient", f"{reason}, with a parameter each: 17 − 1 − 2 + 1")
    return Finding(17 - 1 - 2 + 1, reason, trust=trust)


def figure_1() -> Finding:
    """GHM96 Figure 1: its 15 entries, the overbars of which are lost. An entry is wrong only if no placement of bars is right."""
    from sympy import Symbol, diff, expand

    theta = {(i, h): Symbol(f"x{i}|{h}") for i in (1, 2) for h in (0, 1)}
    top = Symbol("h")

    def item(i: int, h: int, bar: int) -> Any:
        return 1 - theta[i, h] if bar else theta[i, h]

    def weight(bar: int) -> Any:
        return 1 - top if bar else top

    def readings(sign: int, rest: bool, i: int) -> Iterator[Any]:
        for outer, inner, h in product((0, 1), repeat=3):
            factor = 1 - weight(outer) if rest else weight(outer)
            yield sign * factor * item(i, h, inner)

    def differences() -> Iterator[Any]:
        for a, b, c, d in product((0, 1), repeat=4):
            yield item(1, 0, a) * item(2, 0, b) - item(1, 1, c) * item(2, 1, d)

    # per entry: the sign, whether 1 − θ_h is printed in place of θ_h, and the item
    printed = (
        ((1, False, 2), (1, False, 1), (1, True, 2), (1, True, 1)),
        ((-1, False, 2), (1, False, 1), (-1, True, 2), (1, True, 1)),
        ((1, True, 2), (-1, False, 1), (1, True, 2), (-1, True, 1)),
    )
    columns = (theta[1, 0], theta[2, 0], theta[1, 1], theta[2, 1])
    wrong = 0
    for (one, two), row in zip(((0, 0), (1, 0), (0, 1)), printed, strict=True):
        w = sum(weight(h) * item(1, h, one) * item(2, h, two) for h in (0, 1))
        for column, entry in zip(columns, row, strict=True):
            wrong += all(expand(diff(w, column) - reading) != 0 for reading in readings(*entry))
        wrong += all(expand(diff(w, top) - reading) != 0 for reading in differences())
    reason = "every placement of bars on x1, x2 and h tried"
    trust = proved_by("instances", f"{reason}, differences expanded: {wrong} of 15 entries wrong in all of them")
    return Finding(f"{15 - wrong} of 15 entries", reason, wrong == 0, trust=trust)


POLYNOMIAL = ("2:2", "2:2^2", "2:2^3", "2:2^4", "w-structure", "O -> X; hidden X")
"""Networks of binary variables, with and without redundant parameters."""


def theorem_1() -> Finding:
    """GHM96 Theorem 1: the rank of the Jacobian is a constant d almost everywhere. Ten random points and an exceptional one of six networks.

    The lemma "generic rank" has it for all polynomial maps. Here d, proved, is the rank at every random point, and with all
    probabilities one half the rank is at most d.
    """
    from algdim.explanation.parametrizing import parametrization

    reports, wrong, falls = [], [], 0
    for text in POLYNOMIAL:
        report, found = require_proved_report(text), parametrization(text)
        reports.append(report)
        ranks = found.rowreduce(points=10).ranks
        network = require_model(found.model, Network, "the check is for discrete models")
        even = {one.name: [[Fraction(1, 2)] * 2] * 2 ** len(one.parents) for one in network.variables}
        middle = found.at(even).rank
        falls += middle < report.dimension
        if set(ranks) != {report.dimension} or middle > report.dimension:
            wrong.append(text)
    says = f"{len(POLYNOMIAL)} networks" if not wrong else f"not {wrong[0]}"
    reason = f"the rank is d at ten random points of each, and less where all probabilities are 1/2 in {falls}"
    trust = derive_trust(proved_by("generic rank", f"polynomial maps; {says}: {reason}", "instances"), reports)
    return Finding(says, reason, not wrong and falls > 0, trust=trust)


def theorem_2() -> Finding:
    """GHM96 Theorem 2: 2n ≤ r ≤ 2n + 1 for a binary root and n > 2 binary items. n = 3 … 16 computed, all n by lemma "Kruskal"."""
    reports = {n: require_proved_report(f"2:2^{n}") for n in range(3, 17)}
    wrong = [n for n, report in reports.items() if not 2 * n <= report.dimension <= 2 * n + 1]
    attained = sum(report.dimension == 2 * n + 1 for n, report in reports.items())
    says = "r = 2n + 1" if attained == len(reports) else f"r = 2n + 1 for {attained} of {len(reports)} n"
    reason = f"n = 3…16: {', '.join(str(report.dimension) for report in reports.values())}"
    trust = derive_trust(
        proved_by("Kruskal", f"a binary root, n > 2 binary items; {reason}", "instances"), reports.values()
    )
    return Finding(says, reason, not wrong, trust=trust)


def observed_parameters() -> Finding:
    """GHM96 §5: 16 functions for the W structure, of which only 15 are independent: the cells sum to 1."""
    found = cells("w-structure")
    reason = "the cells, and that they sum to 1"
    return Finding(
        f"{found}, {found - 1} independent", reason, trust=proved_by("counting and ambient", f"{found} cells: {reason}")
    )


def cells(text: str) -> int:
    """The number of cells of the observed table."""
    return prod(
        variable.states
        for variable in require_model(read_model(text), Network, "the check is for discrete models").observed
    )
