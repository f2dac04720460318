"""What comes of a check: a computed value, whether the printed one holds, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of a check, always of exact arithmetic.

    ``value`` is what is true, in the form that is printed beside what the paper prints. ``holds`` is None if ``value`` is to be
    compared with the printed one.
    """

    value: int | str
    reason: str
    holds: bool | None = None


def formula(says: str, instance: str, *, truth: Any, printed: Any, right: Any) -> Finding:
    """Evaluate a printed formula at an instance whose true value is known; ``says`` writes ``right``, which has to hold there.

    One instance refutes a formula. It does not prove one: for that there is `identity`.

    >>> formula("the sum", "1, 2, 3", truth=6, printed=7, right=6).reason
    '1, 2, 3: 6, by the printed formula 7'
    """
    if not same(truth, right):
        raise ArithmeticError(f"the corrected formula gives {right} at {instance}, not {truth}")
    holds = same(truth, printed)
    return Finding(says, f"{instance}: {truth}, by the printed formula {printed}", holds)


def identity(says: str, reason: str, *sides: tuple[Any, Any]) -> Finding:
    """Whether pairs of exact expressions are equal, each of them."""
    return Finding(says, reason, all(same(left, right) for left, right in sides))


def same(left: Any, right: Any) -> bool:
    """Whether two exact values or expressions are equal; an answer that sympy does not find is an error.

    >>> same(2, 2), same(2, 3)
    (True, False)
    """
    from sympy import simplify

    if left == right:
        return True
    equal = simplify(left - right).equals(0)
    if equal is None:
        raise ArithmeticError(f"{left} and {right}: equal or not was not decided")
    return bool(equal)
