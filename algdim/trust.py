"""How far a statement is known: proved by a lemma, probable, between bounds only, or computed in floating point.

Whoever proves a statement makes its ``Trust``; everybody else passes it on or combines it. So the word *proved* cannot be
printed of a statement without the name of a lemma of proofs/lemmas.md and the facts to which the lemma was applied.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from algdim.display.results import Compact, Plain, convert_members
from algdim.errors import join_names

PROVED, PROBABLE, BOUNDED, NUMERICAL = "proved", "probable", "bounds only", "numerical"
STATUSES = frozenset((PROVED, PROBABLE, BOUNDED, NUMERICAL))
MOST_TOLD = 200
"""Of more facts JSON has the first ones."""


@dataclass(frozen=True, slots=True, repr=False)
class Trust(Compact):
    """How far one statement is known.

    ``lemmas`` are names of lemmas, ``facts`` a sentence with what they were applied to; lemmas stand exactly where the
    statement is proved. ``facts`` of a statement that is not may say between which bounds the truth lies. ``error`` is the
    probability that a probable statement is false; 1 or more says nothing.

    >>> str(proved_by("parameters", "J has rank 13 with the column, 12 without"))
    'proved'
    >>> str(probable(3.2e-12))
    'probable, error below 4e-12'
    >>> Trust(PROVED)
    Traceback (most recent call last):
        ...
    ValueError: a proved statement names its lemma and the facts that it was applied to
    """

    status: str
    lemmas: tuple[str, ...] = ()
    facts: str = ""
    error: float | None = None
    statements: tuple[str, ...] = field(default=(), repr=False, compare=False)
    """The facts one by one, where they were put together of several."""

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"no statement is {self.status!r}")
        if (self.status == PROVED) != bool(self.lemmas) or (self.status == PROVED and not self.facts):
            raise ValueError("a proved statement names its lemma and the facts that it was applied to")
        if (self.status == PROBABLE) != (self.error is not None):
            raise ValueError("a probable statement has a probability of error, no other has one")

    def noting(self, fact: str) -> Trust:
        """The same trust with one more fact.

        >>> proved_by("treks", "no treks").noting("not looked at at a point").facts
        'no treks; not looked at at a point'
        """
        return replace(self, **join_facts([*self.each_fact, fact]))

    def about(self, owner: str) -> Trust:
        """The same trust, the facts of a proof said to be those of a part.

        >>> proved_by("counting and ambient", "3 parameters").about("district B|A").facts
        'district B|A: 3 parameters'
        """
        return replace(self, facts=f"{owner}: {self.facts}", statements=()) if self.is_proved else self

    @property
    def each_fact(self) -> tuple[str, ...]:
        """The facts one by one, as they were given."""
        return self.statements or ((self.facts,) if self.facts else ())

    @property
    def is_proved(self) -> bool:
        """Whether the statement is a theorem."""
        return self.status == PROVED

    @property
    def says_nothing(self) -> bool:
        """Whether the probability of error is no bound."""
        return self.error is not None and self.error >= 1

    @property
    def lemmas_in_words(self) -> str:
        """The lemmas in words; empty where there are none.

        >>> proved_by("lower bound", "rank 7", "capping", "tree rule").lemmas_in_words
        'lemmas "lower bound", "capping" and "tree rule"'
        """
        names = [f'"{name}"' for name in self.lemmas]
        if len(names) < 2:
            return f"lemma {names[0]}" if names else ""
        return f"lemmas {', '.join(names[:-1])} and {names[-1]}"

    @property
    def with_lemmas(self) -> str:
        """How far it is known, and by which lemmas.

        >>> proved_by("treks", "no treks").with_lemmas
        'proved (lemma "treks")'
        """
        return f"{self} ({self.lemmas_in_words})" if self.lemmas else str(self)

    @property
    def caveat(self) -> str:
        """What is to be added to a statement that is not proved; empty if it is.

        >>> proved_by("treks", "no treks").caveat, probable(3.2e-12).caveat
        ('', ' (probable, error below 4e-12)')
        """
        return "" if self.is_proved else f" ({self})"

    def __str__(self) -> str:
        if self.error is None:
            texts = {NUMERICAL: "floating point: no proof", BOUNDED: self.facts or BOUNDED}
            return texts.get(self.status, self.status)
        return "no statement" if self.says_nothing else f"probable, error below {round_up(self.error):.0e}"

    def to_dict(self) -> dict[str, Any]:
        """The members of a JSON object that say its status."""
        return {
            "status": self.status,
            "error": self.error,
            "lemmas": list(self.lemmas),
            "facts": self.facts_in_words or None,
        }

    @property
    def facts_in_words(self) -> str:
        """The facts, of very many the first ones and how many there are."""
        return join_names(self.each_fact, most=MOST_TOLD, separator="; ")


@dataclass(frozen=True, slots=True)
class Remark(Plain):
    """A sentence beside a result, and its status; without trust it claims nothing of the model."""

    text: str = ""
    trust: Trust | None = None


def format_verdict(word: str, trust: Trust | None, reason: str) -> str:
    """A verdict for people: the word, its status if anything is, and the reason.

    >>> format_verdict("nested", None, "it is the same model")
    'nested: it is the same model'
    """
    return f"{word}: {reason}" if trust is None else f"{word} ({trust}): {reason}"


def convert_trust(trust: Trust | None) -> dict[str, Any]:
    """The members of a JSON object that say its status, of what may not be decided at all.

    >>> convert_trust(None)
    {'status': None, 'error': None, 'lemmas': [], 'facts': None}
    """
    return convert_members(Remark(trust=trust), "trust")


def proved_by(lemma: str, facts: str, *more: str) -> Trust:
    """Trust in a statement that the lemma (and more lemmas) proves from these facts."""
    return Trust(PROVED, (lemma, *more), facts)


def probable(error: float) -> Trust:
    """Trust in a statement that is false with at most this probability."""
    return Trust(PROBABLE, error=error)


BOUNDS_ONLY = Trust(BOUNDED)
"""The truth lies between bounds that do not meet."""


def bounds_only(lower: int, upper: int, of_upper: Trust | None = None) -> Trust:
    """Trust in a number of which two bounds are known, the upper one perhaps not proved.

    >>> str(bounds_only(9, 11))
    'between 9 and 11'
    >>> str(bounds_only(9, 11, probable(2e-9)))
    'between 9 and 11 (at most 11: probable, error below 2e-09)'
    """
    doubt = "" if of_upper is None or of_upper.is_proved else f" (at most {upper}: {of_upper})"
    return Trust(BOUNDED, facts=f"between {lower} and {upper}{doubt}")


IN_FLOATS = Trust(NUMERICAL)
"""Found in floating point."""


def trust_in_all(trusts: Iterable[Trust]) -> Trust:
    """Trust in all of several statements at once: the weakest status; probabilities of error add up.

    >>> str(trust_in_all([probable(1e-9), proved_by("capping", "r = 2"), probable(2e-9)]))
    'probable, error below 4e-09'
    >>> trust_in_all(
    ...     [proved_by("capping", "r = 2"), proved_by("tree rule", "A — B"), proved_by("capping", "r = 3")]
    ... ).lemmas
    ('capping', 'tree rule')
    >>> both = trust_in_all([proved_by("capping", "r = 2"), proved_by("tree rule", "A — B")])
    >>> trust_in_all([proved_by("tree rule", "A — B"), both]).facts
    'A — B; r = 2'
    """
    found = list(trusts)
    if len(found) == 1:
        return found[0]
    for weakest in (NUMERICAL, BOUNDED):
        if weak := [one for one in found if one.status == weakest]:
            return weak[0] if len(weak) == 1 else Trust(weakest)
    errors = [one.error for one in found if one.error is not None]
    if errors:
        return probable(sum(errors))
    if not found:
        raise ValueError("there is no statement to trust")
    lemmas = tuple(dict.fromkeys(lemma for one in found for lemma in one.lemmas))
    return Trust(PROVED, lemmas, **join_facts(fact for one in found for fact in one.each_fact))


def join_facts(facts: Iterable[str]) -> dict[str, Any]:
    """Facts as the members of a Trust, each once."""
    different = tuple(dict.fromkeys(facts))
    return {"facts": "; ".join(different), "statements": different}


def round_up(error: float) -> float:
    """The next number with one significant digit, so that a printed probability is never too small.

    >>> round_up(1.2e-5), round_up(3e-7)
    (2e-05, 3e-07)
    """
    from decimal import ROUND_UP, Context

    return float(Context(prec=1, rounding=ROUND_UP).create_decimal(repr(error)))
