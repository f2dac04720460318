"""What comes of a check: a computed value, whether the printed one holds, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from algdim.figures import cut_text
from algdim.models.notation import to_text
from algdim.report import Report, dimension
from algdim.trust import Trust, proved_by, trust_in_all


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of a check, always of exact arithmetic.

    ``value`` is what is true, in the form that is printed beside what the paper prints. ``holds`` is None if ``value`` is to be
    compared with the printed one. ``trust`` says what the check did, and what it took from others.
    """

    value: int | str
    reason: str
    holds: bool | None = None
    trust: Trust = field(kw_only=True)


def require_proved_report(text: str) -> Report:
    """The report of a model; an error if its dimension is not proved."""
    report = dimension(text)
    if not report.exact:
        raise ArithmeticError(f"the dimension of {text} is not proved")
    return report


def derive_trust(did: Trust, reports: Iterable[Report]) -> Trust:
    """Trust in what a check did with the dimensions of these models."""
    return trust_in_all([did, *(report.trust.about(cut_text(to_text(report.model))) for report in reports)])


def check_formula(
    says: str, instance: str, *, truth: Any, printed: Any, right: Any, reports: Iterable[Report] = ()
) -> Finding:
    """Evaluate a printed formula at an instance whose true value is known; ``says`` writes ``right``, which has to hold there.

    The true value may come from the dimensions of models. One instance refutes a formula. It does not prove one: for that there is `identity`.

    >>> check_formula("the sum", "1, 2, 3", truth=6, printed=7, right=6).reason
    '1, 2, 3: 6, by the printed formula 7'
    """
    if not is_equal(truth, right):
        raise ArithmeticError(f"the corrected formula gives {right} at {instance}, not {truth}")
    holds, how = compare_exactly(truth, printed)
    reason = f"{instance}: {truth}, by the printed formula {printed}"
    return Finding(says, reason, holds, trust=derive_trust(proved_by("instances", f"{reason}; {how}"), reports))


def check_identity(says: str, reason: str, *sides: tuple[Any, Any]) -> Finding:
    """Whether pairs of exact expressions are equal, each of them."""
    found = [compare_exactly(left, right) for left, right in sides]
    different = [how for equal, how in found if not equal]
    ways = Counter(different[:1] or [how for _, how in found])
    told = ", ".join(how if count == 1 else f"{how} ({count} times)" for how, count in ways.items())
    return Finding(says, reason, not different, trust=proved_by("instances", f"{reason}: {told}"))


def is_equal(left: Any, right: Any) -> bool:
    """Whether two exact values or expressions are equal.

    >>> is_equal(2, 2), is_equal(2, 3)
    (True, False)
    """
    return compare_exactly(left, right)[0]


def compare_exactly(left: Any, right: Any) -> tuple[bool, str]:
    """Whether two exact values or expressions are equal, and how that was decided; an answer that sympy does not find is an error.

    >>> from sympy import log
    >>> compare_exactly(2, 3), compare_exactly(log(4), log(5))[1]
    ((False, '2 is not 3'), "sympy's value of the difference is -0.22314")
    """
    from sympy import simplify

    if left == right:
        return True, "both sides are the same"
    if isinstance(left, int | Fraction) and isinstance(right, int | Fraction):
        return False, f"{left} is not {right}"
    apart = compare_at_a_point(left - right)
    if apart:
        return False, apart
    difference = simplify(left - right)
    if difference == 0:
        return True, "sympy simplifies the difference to 0"
    equal = difference.equals(0)
    if equal is None:
        raise ArithmeticError(f"{left} and {right}: equal or not was not decided")
    if equal:
        return True, "sympy finds that the difference is 0"
    if difference.is_number:
        return False, f"sympy's value of the difference is {difference.evalf(5)}"
    return False, f"the difference is {difference}, which is not 0"


def compare_at_a_point(difference: Any) -> str:
    """How a rational function differs from zero at a rational point; nothing if it does not, is not defined there, or is no rational function.

    One point decides that two of them differ, where simplification may take hours.
    """
    from sympy import Rational, sympify

    expression = sympify(difference)
    names = sorted(expression.free_symbols, key=str)
    if not names or not expression.is_rational_function(*names):
        return ""
    at = {symbol: Rational(2 * place + 3, 3 * place**2 + 101) for place, symbol in enumerate(names)}
    value = expression.subs(at)
    return f"the difference is {value} at a rational point" if value.is_Rational and value != 0 else ""
