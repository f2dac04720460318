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
from typing import TYPE_CHECKING, ClassVar

from algdim.display.results import Compact, Plain
from algdim.exact.draws import draw_seed
from algdim.families import load_identifying
from algdim.figures import format_count, format_integer
from algdim.models.anymodel import AnyModel
from algdim.report import Report, dimension
from algdim.trust import Trust, format_verdict, proved_by, trust_in_all

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike

RELABELLING = "generically identifiable up to relabelling"
FINITE = "generically finite-to-one"
NOT = "not identifiable"
UNKNOWN = "not decided"
PRINTED = {NOT: "not identified"}
"""Words that are others in print than in JSON."""


@dataclass(frozen=True, slots=True, repr=False)
class Identifiability(Compact, Plain):
    """One of the words, why, and the dimension; ``redundant`` is ds − de, exact unless the word is "not decided".

    ``trust`` says how far the word is known; ``None`` if it is "not decided". ``dimension`` is ``None`` where no rank was
    taken, because a bound says enough.
    """

    _json: ClassVar[str] = "word reason dimension redundant exact trust"

    word: str
    reason: str
    standard: int
    dimension: int | None
    exact: bool
    trust: Trust | None = None

    @property
    def redundant(self) -> int | None:
        """How many parameters are too many."""
        return None if self.dimension is None else self.standard - self.dimension

    def __str__(self) -> str:
        return format_verdict(PRINTED.get(self.word, self.word), self.trust, self.reason)


def compare_with_bound(standard: int, most: int, known_by: Trust) -> Identifiability | None:
    """What an upper bound says without any rank, if it is below the number of parameters.

    >>> compare_with_bound(14, 13, proved_by("defective", "3:2,2,2,2")).reason
    '14 parameters, dimension at most 13'
    """
    if most >= standard:
        return None
    reason = f"{format_count(standard, 'parameter')}, dimension at most {format_integer(most)}"
    return Identifiability(
        NOT, reason, standard, None, False, trust_in_all([derive_loss_trust(standard, most), known_by])
    )


def derive_loss_trust(standard: int, most: int) -> Trust:
    """Trust that parameters are lost where the dimension is at most a number below theirs."""
    return proved_by("generic rank", f"the dimension is at most {most}, less than {standard}")


def derive_identifiability(
    model: ModelLike, *, seed: int | str = 0, max_memory: int | str | None = None
) -> Identifiability:
    """Say in one of the words whether the observed distribution determines the parameters.

    >>> (
    ...     derive_identifiability("2:2,2,2").word,
    ...     derive_identifiability("5:2^5").word,
    ...     derive_identifiability("2:2,2").redundant,
    ... )
    ('generically identifiable up to relabelling', 'generically finite-to-one', 2)
    """
    from algdim.readers.anything import read_model

    network, seed = read_model(model), draw_seed(seed)
    return derive_by_theorem(network, seed) or derive_by_dimension(dimension(network, seed=seed, max_memory=max_memory))


def derive_report_identifiability(report: Report) -> Identifiability:
    """The same of a model whose dimension was found."""
    return derive_by_theorem(report.model, report.seed) or derive_by_dimension(report)


def derive_by_theorem(model: AnyModel, seed: int | str) -> Identifiability | None:
    """The strongest of the words, where a theorem says it."""
    unique = load_identifying(model.family).prove_unique
    found: Identifiability | None = None if unique is None else unique(model, seed)
    return found


def derive_by_dimension(report: Report) -> Identifiability:
    """The word that the dimension and the number of parameters say."""
    own = load_identifying(report.model.family)
    standard, found = report.standard, report.dimension
    if report.lower.is_proved and found == standard:
        is_seen = own.is_looked_at is not None and own.is_looked_at(report.model)
        why = "Kruskal's condition is not met, so" if is_seen else "but"
        reason = (
            f"dimension {format_integer(standard)} = number of parameters; {why} there may be several solutions that are not "
            "relabellings"
        )
        finite = proved_by("generic rank", "the dimension is the number of parameters")
        return Identifiability(FINITE, reason, standard, found, True, trust_in_all([finite, report.lower.trust]))
    if report.upper.is_proved and report.upper.value < standard:
        most = f"dimension {found}" if report.exact else f"dimension from {found} to {report.upper.value}"
        reason = f"{format_count(standard, 'parameter')}, {most}"
        trust = trust_in_all([derive_loss_trust(standard, report.upper.value), report.upper.trust])
        return Identifiability(NOT, reason, standard, found, report.exact, trust)
    reason = f"dimension {found} ({report.trust}), {format_count(standard, 'parameter')}"
    return Identifiability(UNKNOWN, reason, standard, found, report.exact)
