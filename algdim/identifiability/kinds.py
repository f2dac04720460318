"""Whether the observed distribution determines the parameters, in three words that say no more than is proved.

- *generically identifiable up to relabelling*: at almost every point the parameters follow from the observed
  distribution but for the names of the classes (lemma "Kruskal");
- *generically finite-to-one*: almost every observed distribution of the model comes from finitely many points, since
  the dimension is the number of parameters (lemma "generic rank"). There may be several that are not relabellings:
  5:2^5 has 29 parameters and 29 dimensions, and generically two solutions;
- *not identifiable*: the dimension is smaller, so that almost every distribution comes from infinitely many points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from algdim.exact.draws import drawn_seed
from algdim.families import identifying
from algdim.figures import big, counted
from algdim.report import dimension
from algdim.trust import Trust, known, proved_by, trust_in_all

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike

RELABELLING = "generically identifiable up to relabelling"
FINITE = "generically finite-to-one"
NOT = "not identifiable"
UNKNOWN = "not decided"


@dataclass(frozen=True, slots=True)
class Identifiability:
    """One of the words, why, and the dimension; ``redundant`` is ds − de, exact unless the word is "not decided".

    ``trust`` says how far the word is known; ``None`` if it is "not decided".
    """

    word: str
    reason: str
    standard: int
    dimension: int
    exact: bool
    trust: Trust | None = None

    @property
    def redundant(self) -> int:
        """How many parameters are too many."""
        return self.standard - self.dimension

    def __str__(self) -> str:
        """The word and the reason."""
        return f"{self.word}: {self.reason}"

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON report."""
        return {
            "word": self.word,
            "reason": self.reason,
            "dimension": self.dimension,
            "redundant": self.redundant,
            "exact": self.exact,
            **known(self.trust),
        }


def identifiability(model: ModelLike, *, seed: int | str = 0, max_memory: int | str | None = None) -> Identifiability:
    """Say in one of the words whether the observed distribution determines the parameters.

    >>> identifiability("2:2,2,2").word, identifiability("5:2^5").word, identifiability("2:2,2").redundant
    ('generically identifiable up to relabelling', 'generically finite-to-one', 2)
    """
    from algdim.readers.anything import model as read_model

    network, seed = read_model(model), drawn_seed(seed)
    own = identifying(network.family)
    unique: Identifiability | None = None if own.unique is None else own.unique(network, seed)
    if unique is not None:
        return unique
    report = dimension(network, seed=seed, max_memory=max_memory)
    standard, found = report.standard, report.dimension
    if report.lower.is_proved and found == standard:
        why = "Kruskal's condition is not met, so" if own.looked_at is not None and own.looked_at(network) else "but"
        reason = (
            f"dimension {big(standard)} = number of parameters; {why} there may be several solutions that are not "
            "relabellings"
        )
        finite = proved_by("generic rank", "the dimension is the number of parameters")
        return Identifiability(FINITE, reason, standard, found, True, trust_in_all([finite, report.lower.trust]))
    if report.upper.is_proved and report.upper.value < standard:
        least = standard - report.upper.value
        exactly = "" if report.exact else "at least "
        word = f"{exactly}{counted(least, 'parameter')}"
        reason = f"{word} too many, dimension {found} of {big(standard)}"
        less = proved_by("generic rank", f"the dimension is at most {report.upper.value}, less than {big(standard)}")
        trust = trust_in_all([less, report.upper.trust])
        return Identifiability(NOT, reason, standard, found, report.exact, trust)
    reason = f"dimension {found} ({report.trust}), {counted(standard, 'parameter')}"
    return Identifiability(UNKNOWN, reason, standard, found, report.exact)
