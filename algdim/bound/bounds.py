"""The record of a bound: a value, a side, its evidence, and its status."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from algdim.display.results import shorten
from algdim.errors import join_names
from algdim.trust import Trust, proved_by, trust_in_all

LOWER, UPPER = "lower", "upper"

TEXTS_SHOWN = 3


@dataclass(frozen=True, slots=True, repr=False)
class Bound:
    """A bound of a dimension.

    ``kind`` is the name by which the bound can be forced, ``reason`` a sentence for people, ``evidence`` the facts for
    machines.
    """

    value: int
    side: str
    kind: str
    reason: str
    trust: Trust
    evidence: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __repr__(self) -> str:
        return f"Bound({self.side} {self.value}, {self.trust}, {self.kind}: {shorten(self.reason, 160)})"

    @property
    def status(self) -> str:
        """Proved, probable or numerical."""
        return self.trust.status

    @property
    def error(self) -> float | None:
        """The probability that a probable bound is wrong."""
        return self.trust.error

    @property
    def is_proved(self) -> bool:
        """Whether the bound is a theorem."""
        return self.trust.is_proved

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON report."""
        return {
            "value": self.value,
            "status": self.status,
            "lemmas": list(self.trust.lemmas),
            "facts": self.trust.to_dict()["facts"],
            "evidence": {"kind": self.kind, "reason": self.reason, **self.evidence},
        }


def prove_bound(
    value: int,
    side: str,
    kind: str,
    reason: str,
    lemma: str,
    *more: str,
    evidence: Mapping[str, Any] | None = None,
    at: str = "",
) -> Bound:
    """A bound that the lemma (and more lemmas) proves; the reason is what they were applied to, ``at`` where ranks were taken."""
    facts = f"{reason}; ranks {at}" if at else reason
    return Bound(value, side, kind, reason, proved_by(lemma, facts, *more), evidence or {})


def choose_least(bounds: Iterable[Bound | None]) -> Bound | None:
    """The strongest of several upper bounds; of equals a proved one, then the first; ``None`` of none.

    >>> from algdim.trust import probable
    >>> drawn = Bound(3, UPPER, "chance", "no greater rank", probable(1e-9))
    >>> choose_least([None, drawn, prove_bound(3, UPPER, "counting", "3 parameters", "counting and ambient")]).kind
    'counting'
    """
    found = (bound for bound in bounds if bound is not None)
    return min(found, key=lambda bound: (bound.value, not bound.is_proved), default=None)


def choose_greatest(bounds: Iterable[Bound | None]) -> Bound | None:
    """The strongest of several lower bounds, as `choose_least` of upper ones."""
    found = (bound for bound in bounds if bound is not None)
    return max(found, key=lambda bound: (bound.value, bound.is_proved), default=None)


def derive_bound(
    bounds: Iterable[Bound],
    value: int,
    side: str,
    kind: str,
    reason: str,
    lemma: str,
    evidence: Mapping[str, Any] | None = None,
    facts: str = "",
) -> Bound:
    """A bound that the lemma derives from all of these: proved if they are; otherwise their errors add up.

    ``facts`` are what the lemma was applied to, where the reason tells those of the other bounds, too.

    >>> counted = prove_bound(3, UPPER, "counting", "3 parameters", "counting and ambient")
    >>> derive_bound([counted], 3, UPPER, "districts", "3, 1 district", "districts").trust.lemmas
    ('districts', 'counting and ambient')
    """
    return Bound(
        value,
        side,
        kind,
        reason,
        trust_in_all([proved_by(lemma, facts or reason), *(b.trust for b in bounds)]),
        evidence or {},
    )


def join_texts(texts: Iterable[str]) -> str:
    """Join the first few texts."""
    return join_names(texts, most=TEXTS_SHOWN, separator="; ")
