"""What comes of a check: a computed value, whether the printed one holds, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from algdim.report import Report, dimension
from algdim.trust import Trust, proved_by


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of a check, always of exact arithmetic.

    ``value`` is what is true, in the form that is printed beside what the paper prints. ``holds`` is None if ``value`` is to be
    compared with the printed one. ``lemmas`` prove what the check takes for true beside the instances that it evaluates.
    """

    value: int | str
    reason: str
    holds: bool | None = None
    lemmas: tuple[str, ...] = ()

    @property
    def trust(self) -> Trust:
        """What the finding rests on: its instances, and what is proved of them."""
        return proved_by("instances", self.reason, *self.lemmas)


def proved(text: str) -> Report:
    """The report of a model; an error if its dimension is not proved."""
    report = dimension(text)
    if not report.exact:
        raise ArithmeticError(f"the dimension of {text} is not proved")
    return report


def lemmas_of(reports: Iterable[Report]) -> tuple[str, ...]:
    """The lemmas that prove the dimensions of all of them."""
    return tuple(dict.fromkeys(lemma for report in reports for lemma in report.trust.lemmas))


def formula(says: str, instance: str, *, truth: Any, printed: Any, right: Any, lemmas: tuple[str, ...] = ()) -> Finding:
    """Evaluate a printed formula at an instance whose true value is known; ``says`` writes ``right``, which has to hold there.

    One instance refutes a formula. It does not prove one: for that there is `identity`.

    >>> formula("the sum", "1, 2, 3", truth=6, printed=7, right=6).reason
    '1, 2, 3: 6, by the printed formula 7'
    """
    if not same(truth, right):
        raise ArithmeticError(f"the corrected formula gives {right} at {instance}, not {truth}")
    holds = same(truth, printed)
    return Finding(says, f"{instance}: {truth}, by the printed formula {printed}", holds, lemmas)


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
