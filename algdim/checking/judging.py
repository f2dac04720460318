"""The verdict on a claim: confirmed, refuted or open.

A verdict rests on proved bounds alone: a value is confirmed where both bounds meet at it, refuted where it is outside them.
What is only probable leaves a claim open, unless the reader says that this is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from time import perf_counter
from typing import Any

from algdim.checking.claims import SCORES, Claim, Printed
from algdim.checking.knowing import Finder, KnownValue
from algdim.display.results import Compact
from algdim.errors import LimitError
from algdim.models.anymodel import AnyModel
from algdim.tables.listing import add_place_to_errors
from algdim.trust import BOUNDS_ONLY, Trust, trust_in_all

CONFIRMED, REFUTED, OPEN = "confirmed", "refuted", "open"


@dataclass(frozen=True, slots=True, repr=False)
class ClaimVerdict(Compact):
    """The verdict on one claim.

    ``computed`` is the true value as it is printed, ``trust`` how far that is known, ``likely`` the verdict that an open claim
    would have if what is probable were true. ``certificate`` is the file that was written, or why none was.
    """

    claim: Claim
    word: str
    computed: str
    trust: Trust
    reason: str = ""
    likely: str = ""
    certified: bool = field(default=False, repr=False)
    certificate: str = ""
    seconds: float = field(default=0.0, repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        claim = self.claim
        return {
            "number": claim.number,
            "line": claim.source.place,
            "label": claim.source.label,
            "model": claim.source.text,
            "quantity": claim.quantity,
            "in": claim.other or None,
            "at": claim.at or None,
            "data": claim.data or None,
            "place": claim.cited or None,
            "note": claim.note or None,
            "printed": claim.printed.text,
            "computed": self.computed,
            "verdict": self.word,
            "likely": self.likely or None,
            **self.trust.to_dict(),
            "reason": self.reason or None,
            "certificate": self.certificate or None,
            "seconds": round(self.seconds, 3),
        }


def judge_claim(
    claim: Claim, finder: Finder, model: AnyModel, other: AnyModel | None = None, *, accept_probable: bool = False
) -> ClaimVerdict:
    """The verdict on a claim about a model that was read; a limit that is met leaves it open."""
    began = perf_counter()
    try:
        with add_place_to_errors(claim.source.full_name):
            known = finder.know(claim, model, other)
            meant = finder.know(replace(claim, quantity=claim.same_as), model, other) if claim.same_as else None
    except LimitError as error:
        reason = str(error).removeprefix(f"{claim.source.full_name}: ")
        return ClaimVerdict(claim, OPEN, "—", BOUNDS_ONLY, f"not computed: {reason}", seconds=perf_counter() - began)
    printed, reason = claim.printed, known.reason
    if meant is not None:
        if meant.value is None or not meant.trust.is_proved:
            return ClaimVerdict(claim, OPEN, "—", meant.trust, f"{claim.same_as} is open itself")
        printed, reason = replace(printed, value=Fraction(meant.value)), f"{claim.same_as} is {meant.value}"
    word, likely, trust = compare_printed(printed, known, accept_probable=accept_probable)
    if meant is not None and trust.is_proved:
        trust = trust_in_all([trust, meant.trust])
    if claim.quantity in SCORES:
        (word, reason), likely, trust = judge_score(claim, known), "", known.trust
    return ClaimVerdict(
        claim,
        word,
        format_known(known, claim.printed),
        trust,
        reason,
        likely,
        certified=known.certified,
        seconds=perf_counter() - began,
    )


def compare_printed(printed: Printed, known: KnownValue, *, accept_probable: bool = False) -> tuple[str, str, Trust]:
    """The verdict, what it would be if what is probable were true, and the trust on which it rests.

    >>> from algdim.trust import proved_by
    >>> proof = proved_by("lower bound", "rank 13")
    >>> nine = KnownValue(9, BOUNDS_ONLY, 9, 11, proof, proof)
    >>> [compare_printed(Printed("", Fraction(n)), nine)[0] for n in (8, 9, 11, 12)]
    ['refuted', 'open', 'open', 'refuted']
    >>> [compare_printed(Printed("", Fraction(n), "≤"), nine)[0] for n in (8, 9, 11, 12)]
    ['refuted', 'open', 'confirmed', 'confirmed']
    """
    holds = None if known.value is None else is_true(printed, known.value)
    word = CONFIRMED if holds else REFUTED
    if known.trust.is_proved and holds is not None:
        return word, "", known.trust
    if isinstance(printed.value, Fraction):
        sure = decide_by_bounds(printed, known)
        if sure is not None:
            return (CONFIRMED if sure[0] else REFUTED), "", sure[1]
    # a probability of error, or floating point; bounds that do not meet say nothing of a value between them
    says_more = known.trust.error is not None and not known.trust.says_nothing
    if holds is None or not says_more:
        return OPEN, "", known.trust
    return (word, "", known.trust) if accept_probable else (OPEN, word, known.trust)


def is_true(printed: Printed, value: float) -> bool:
    """Whether what is printed holds of a value; of a number with a point, to the digits that are printed."""
    if isinstance(printed.value, bool):
        return printed.value == value
    exact = Fraction(value)
    if printed.last is not None:
        return printed.value <= exact <= printed.last
    if printed.relation == "=":
        return abs(exact - printed.value) <= printed.tolerance if isinstance(value, float) else exact == printed.value
    return RELATION[printed.relation](exact, printed.value)


RELATION: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
    "≤": lambda one, other: one <= other,
    "≥": lambda one, other: one >= other,
    "<": lambda one, other: one < other,
    ">": lambda one, other: one > other,
}


def decide_by_bounds(printed: Printed, known: KnownValue) -> tuple[bool, Trust] | None:
    """Whether a relation holds of every value between proved bounds, or of none, with the trust; nothing where it depends."""
    value, relation = Fraction(printed.value), printed.relation
    low = None if known.least is None or known.of_least is None else (Fraction(known.least), known.of_least)
    high = None if known.most is None or known.of_most is None else (Fraction(known.most), known.of_most)
    if relation == "=":
        if low is not None and value < low[0]:
            return False, low[1]
        if high is not None and value > high[0]:
            return False, high[1]
        if low is not None and high is not None and low[0] == high[0] == value:
            return True, trust_in_all([low[1], high[1]])
        return None
    if printed.last is not None:
        if low is not None and (low[0] > printed.last):
            return False, low[1]
        if high is not None and high[0] < value:
            return False, high[1]
        if low is not None and high is not None and value <= low[0] and high[0] <= printed.last:
            return True, trust_in_all([low[1], high[1]])
        return None
    upwards = relation in {"≥", ">"}
    holding, failing = (low, high) if upwards else (high, low)
    if holding is not None and RELATION[relation](holding[0], value):
        return True, holding[1]
    if failing is not None and not RELATION[relation](failing[0], value):
        return False, failing[1]
    return None


OF_THE_MAXIMUM = ("loglik", "bic", "bic+", "draper", "draper+")
"""Scores that grow with the likelihood: a greater value than the printed one shows that no maximum was printed."""


def judge_score(claim: Claim, known: KnownValue) -> tuple[str, str]:
    """The verdict on a score, in floating point; a fit may have ended in a maximum that is not the greatest."""
    value, printed = known.value, claim.printed
    if value is None:
        return OPEN, known.reason
    if is_true(printed, value):
        return CONFIRMED, f"to the digits printed; {known.reason}"
    if printed.relation == "=" and is_true(replace(printed, value=abs(Fraction(printed.value))), abs(2 * value)):
        return OPEN, "twice our value is printed, or −2 times it: scores are on the scale of the log-likelihood"
    if claim.quantity == "exact":
        return REFUTED, "the marginal likelihood does not depend on a fit"
    if claim.quantity not in OF_THE_MAXIMUM:
        return OPEN, f"the score is that of the mode that was found; {known.reason}"
    if printed.relation == "=" and isinstance(printed.value, Fraction) and value > printed.value:
        return REFUTED, f"a greater value was found; {known.reason}"
    return OPEN, f"no greater value was found, which does not refute the printed one; {known.reason}"


def format_known(known: KnownValue, printed: Printed) -> str:
    """The true value as it is printed next to the claim.

    >>> from algdim.trust import proved_by
    >>> proof = proved_by("lower bound", "rank 9")
    >>> format_known(KnownValue(9, BOUNDS_ONLY, 9, 11, proof, proof), Printed("9", Fraction(9)))
    '9…11'
    """
    if known.value is None:
        return "—"
    if isinstance(known.value, bool):
        return "yes" if known.value else "no"
    if isinstance(known.value, float):
        return f"{known.value:.{max(printed.places, 2)}f}".replace("-", "−")
    if known.trust.is_proved or known.trust.error is not None:
        return str(known.value).replace("-", "−")
    if known.least is not None and known.most is not None and known.least < known.most:
        return f"{known.least}…{known.most}"
    return f"≥ {known.least}" if known.least is not None else str(known.value)
