"""Checks of the papers' approximations of the marginal likelihood, where it is known exactly: tosses of a coin, half of them heads.

The coin is a network of one variable, or H -> X with H hidden: GHM96's ridge, with three parameters and dimension one. The prior is uniform. There all
marginal likelihoods are gamma functions, and the limits of the errors follow from Stirling's series.
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial
from typing import Any

from algdim.report import dimension
from algdim.trust import Trust, proved_by
from algdim_papers.claims.finding import Finding, check_identity, derive_trust, require_proved_report

RIDGE = "H -> X; hidden H"
TOSSES = "N tosses of a coin, half of them heads, uniform prior"


def make_size() -> tuple[Any, Any]:
    """1/N and log N, N being the number of tosses: what the expansions are written in."""
    from sympy import Symbol

    return Symbol("e", positive=True), Symbol("L", positive=True)


def log_shifted(shift: Any, part: int) -> Any:
    """Log(N/part + shift) up to the order 1/N³."""
    from sympy import Rational, log

    e, logarithm = make_size()
    u = shift * part * e
    return logarithm - log(part) + u - u**2 / 2 + u**3 * Rational(1, 3)


def log_gamma(shift: Any, part: int) -> Any:
    """Log Γ(N/part + shift) up to the order 1/N, by Stirling's series."""
    from sympy import Rational, log, pi

    e, _ = make_size()
    x = 1 / (part * e) + shift
    return (x - Rational(1, 2)) * log_shifted(shift, part) - x + log(2 * pi) / 2 + part * e / 12


def find_limit(expansion: Any, order: int = 0) -> Any:
    """The limit of N^order times an expansion: what its terms in log N and 1/N say, each coefficient exactly.

    (sympy 1.14's limits of such sums are wrong now and then.)
    """
    from sympy import expand, logcombine, oo, sign, simplify

    e, logarithm = make_size()
    expanded = expand(expansion)
    for power in range(-1, order + 1):
        coefficient = expand(expanded.coeff(e, power))
        for of_log in (1, 0):
            value = simplify(logcombine(coefficient.coeff(logarithm, of_log), force=True))
            if (power, of_log) == (order, 0):
                return value
            if value != 0:
                return sign(value) * oo
    raise ArithmeticError(f"an order from 0 is needed, not {order}")


def log_marginal_of_a_coin(part: int = 1) -> Any:
    """Log p(D) of N/part tosses, half of them heads, one parameter with a uniform prior: B(m + 1, m + 1) for m heads."""
    return 2 * log_gamma(1, 2 * part) - log_gamma(2, part)


def log_marginal_of_the_ridge() -> Any:
    """Log p(D) of N tosses under H -> X, H hidden and binary, three parameters with uniform priors; up to the order 1.

    w = ha + (1 − h)b has the density −2(w log w + (1 − w) log(1 − w)). So with m = N/2 heads p(D) is 4 B(m + 2, m + 1)(ψ(N + 3) − ψ(m + 2)), and the
    difference of the ψ, a sum of 1/k for k from m + 2 to N + 2, tends to log 2. For two, four and six tosses the formula is compared with the integral
    over h, a and b.
    """
    from sympy import log

    for heads in (1, 2, 3):
        harmonic = sum((Fraction(1, k) for k in range(heads + 2, 2 * heads + 3)), Fraction(0))
        beta = Fraction(factorial(heads + 1) * factorial(heads), factorial(2 * heads + 2))
        if integrate_ridge(heads) != 4 * beta * harmonic:
            raise ArithmeticError(f"the marginal likelihood of {2 * heads} tosses is not that of the formula")
    return log(4) + log_gamma(2, 2) + log_gamma(1, 2) - log_gamma(3, 1) + log(log(2))


def integrate_ridge(heads: int) -> Fraction:
    """p(D) of H -> X, as many heads as tails: the polynomial (w(1 − w))^heads integrated over h, a and b from 0 to 1."""
    from sympy import Poly, symbols

    h, a, b = symbols("h a b")
    w = h * a + (1 - h) * b
    terms = Poly((w * (1 - w)) ** heads, h, a, b).terms()
    return sum((Fraction(int(value), (i + 1) * (j + 1) * (k + 1)) for (i, j, k), value in terms), Fraction(0))


def log_marginal_of_expected_data() -> Any:
    """Log p(D') at θ̂ = (½, ½, ½), a point of the ridge: N/2 expected cases in each state of H, N/4 in each cell."""
    return log_marginal_of_a_coin() + 2 * log_marginal_of_a_coin(2)


def log_peak(bits: int, count: Any) -> Any:
    """The logarithm of a likelihood 2^{−N bits}, less (count/2) log N."""
    from sympy import log

    e, logarithm = make_size()
    return -bits * log(2) / e - count * logarithm / 2


def find_error(says: str, instance: str, error: Any, *, bounded: bool = True, trust_of: str = "") -> Finding:
    """Whether the limit of an approximation's error is a number, or no number, as it is printed."""
    limit = find_limit(error)
    reason = f"{instance}: the error tends to {limit}"
    did = proved_by("instances", f"{reason}, by Stirling's series")
    return Finding(says, reason, bool(limit.is_finite) is bounded, trust=trust_with(did, trust_of))


def trust_with(did: Trust, model: str) -> Trust:
    """Trust in what a check did, and in the dimension of a model if it took one."""
    return derive_trust(did, [require_proved_report(model)] if model else [])


def schwarz() -> Finding:
    """GHM96 §3, Eq. 7 with its logarithms, HM97 Eq. 9, CH96 Eq. 9: log p(D) is log p(D|θ̂) − (d/2) log N up to a constant; d = 1."""
    return find_error("bounded", TOSSES, log_marginal_of_a_coin() - log_peak(1, 1))


def draper() -> Finding:
    """CH96 Eq. 10: log p(D|θ̂) − (d/2) log N + (d/2) log 2π is right up to a constant, as BIC is; d = 1."""
    from sympy import log, pi

    return find_error("bounded", TOSSES, log_marginal_of_a_coin() - log_peak(1, 1) - log(2 * pi) / 2)


def laplace_with_a_prior() -> Finding:
    """CH96 Eq. 8, and that its error is of order 1/N: a coin whose prior has the density 6θ(1 − θ), so that every term of the equation counts.

    The mode is ½, the prior there 3/2, and A = 4(N + 2).
    """
    from sympy import Rational, log, pi

    exact = log(6) + 2 * log_gamma(2, 2) - log_gamma(4, 1)
    approximate = log_peak(1, 0) + log(Rational(3, 2)) + log(2 * pi) / 2 - (log(4) + log_shifted(2, 1)) / 2
    limits = find_limit(exact - approximate), find_limit(exact - approximate, 1)
    reason = f"N tosses of a coin, half of them heads, prior density 6θ(1 − θ): the error tends to {limits[0]}, N times the error to {limits[1]}"
    holds = limits[0] == 0 and bool(limits[1].is_finite)
    return Finding("O(1/N)", reason, holds, trust=proved_by("instances", f"{reason}, by Stirling's series"))


def dimension_of_the_ridge() -> Finding:
    """GHM96 Eq. 10: of H -> X, H hidden, log p(D) is log p(D|Φ̂) − (d/2) log N up to a constant with d = 1, the rank, not with three, the number of parameters."""
    rank = require_proved_report(RIDGE).dimension
    error = log_marginal_of_the_ridge() - log_peak(1, rank)
    return find_error("bounded", f"{RIDGE}, {TOSSES}, d = {rank}", error, trust_of=RIDGE)


def likelihood_of_expected_data() -> Finding:
    """CH96 §2, below Eq. 12, MH97 §4.2, below Eq. 5: log p(D'|S) = log p(D'|θ̂) − (d'/2) log N + O(1), d' being the number of parameters."""
    count = dimension(RIDGE).standard
    error = log_marginal_of_expected_data() - log_peak(2, count)
    return find_error("bounded", f"{RIDGE}, {TOSSES}, d' = {count}, N/4 expected cases in each cell", error)


def marginal_of_expected_data() -> Finding:
    """CH96 §2, below Eq. 12, MH97 §4.2, below Eq. 5: MLED need not be asymptotically correct. On the ridge its error has no bound."""
    error = log_marginal_of_expected_data() - log_marginal_of_the_ridge()
    return find_error("not bounded", f"{RIDGE}, {TOSSES}", error, bounded=False)


def cheeseman_stutz(corrected: int) -> Finding:
    """CH96 Eq. 13, MH97 Eq. 6, GHM96 §6: with the correction of the dimension the score is right up to a constant, without it need not be.

    The ridge has three parameters and dimension one.
    """
    report = require_proved_report(RIDGE)
    score = log_marginal_of_expected_data() - log_peak(2, 0) + log_peak(1, 0)
    if corrected:
        score += log_peak(0, report.dimension - report.standard)
    told = f"{RIDGE}, {TOSSES}, d' = {report.standard}, d = {report.dimension}"
    says = "bounded" if corrected else "not bounded"
    return find_error(says, told, log_marginal_of_the_ridge() - score, bounded=bool(corrected), trust_of=RIDGE)


def taylor_at_the_mode(at_the_mode: int) -> Finding:
    """CH96 Eq. 7, GHM96 Eq. 4: g(θ̃) − ½(θ − θ̃)ᵗA(θ − θ̃) agrees with g(θ) up to the second order at a maximum.

    A is the negative Hessian at the mode (CH96), or at θ (GHM96, as printed): both agree to that order.
    """
    from sympy import Matrix, hessian, log, symbols

    weights = symbols("n1:4", positive=True)
    first, second, t = symbols("theta1 theta2 t")
    u, v = symbols("u v", real=True)
    height = weights[0] * log(first) + weights[1] * log(second) + weights[2] * log(1 - first - second)
    total = sum(weights)
    mode = {first: weights[0] / total, second: weights[1] / total}
    along = {first: mode[first] + t * u, second: mode[second] + t * v}
    step = Matrix([u, v]) * t
    curve = hessian(height, (first, second)).subs(mode if at_the_mode else along, simultaneous=True)
    error = height.subs(along, simultaneous=True) - height.subs(mode) - (step.T * curve * step)[0] / 2
    sides = [(error.diff(t, order).subs(t, 0), 0) for order in range(3)]
    where = "at the mode" if at_the_mode else "at θ"
    return check_identity(
        "up to the second order", f"a row with three states, Hessian {where}, derivatives by sympy", *sides
    )
