"""The record of a bound: a value, a side, its evidence, and PROVED or PROBABLE with the chance of error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from algdim.trust import PROBABLE, PROVED, round_up

LOWER, UPPER = "lower", "upper"


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound of a dimension.

    ``kind`` is the name by which the bound can be forced, ``reason`` a sentence for people, ``evidence`` the facts for
    machines. ``error`` is ``None`` exactly when the bound is proved, otherwise the chance that it is wrong; a chance of
    1 or more says nothing.
    """

    value: int
    side: str
    kind: str
    reason: str
    status: str = PROVED
    error: float | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if (self.error is None) != (self.status == PROVED):
            raise ValueError(f"a bound is {self.status} with the error {self.error}; exactly a proved one has none")

    @property
    def is_proved(self) -> bool:
        """Whether the bound is a theorem."""
        return self.status == PROVED

    @property
    def trust(self) -> str:
        """The status for people.

        >>> Bound(3, UPPER, "chance", "", PROBABLE, 1e-18).trust
        'probable, error below 1e-18'
        >>> Bound(3, UPPER, "chance", "", PROBABLE, 1.5).trust
        'no statement'
        """
        if self.error is None:
            return "proved"
        return "no statement" if self.error >= 1 else f"probable, error below {round_up(self.error):.0e}"

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON report."""
        return {
            "value": self.value,
            "status": self.status,
            "evidence": {"kind": self.kind, "reason": self.reason, **self.evidence},
        }


def least(bounds: Iterable[Bound | None]) -> Bound | None:
    """The strongest of several upper bounds; of equals a proved one, then the first; ``None`` of none.

    >>> probable, proved = Bound(3, UPPER, "chance", "", PROBABLE, 1e-9), Bound(3, UPPER, "counting", "")
    >>> least([None, probable, proved]).kind
    'counting'
    """
    found = (bound for bound in bounds if bound is not None)
    return min(found, key=lambda bound: (bound.value, not bound.is_proved), default=None)


def resting_on(
    bounds: Iterable[Bound], value: int, side: str, kind: str, reason: str, evidence: Mapping[str, Any] | None = None
) -> Bound:
    """A bound that holds if all of these do: proved if they are; otherwise their chances of error add up.

    >>> resting_on([Bound(3, UPPER, "counting", "")], 3, UPPER, "districts", "").status
    'proved'
    """
    errors = [bound.error for bound in bounds if bound.error is not None]
    if not errors:
        return Bound(value, side, kind, reason, evidence=evidence or {})
    return Bound(value, side, kind, reason, PROBABLE, sum(errors), evidence or {})
