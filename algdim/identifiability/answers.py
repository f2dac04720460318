"""What `algdim dim` answers: the dimension, degrees of freedom, what is not identified and what to fix; then the reasons."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from algdim.figures import cut_text, format_count, format_integer
from algdim.identifiability.degreesoffreedom import NOT_KNOWN, Freedom, compute_degrees_of_freedom
from algdim.identifiability.rowspaces import Lost, find_lost_parameters
from algdim.limits import sharpen
from algdim.models.notation import to_text
from algdim.report import Report, Row
from algdim.trust import Trust, proved_by, trust_in_all


class Answer(NamedTuple):
    """A report with what follows from it without much work."""

    report: Report
    freedom: Freedom | None
    """``None`` where the saturated model has no finite dimension, or there are too many cells."""
    lost: Lost | None
    identified: Trust | None
    """Trust that all parameters are locally identifiable, ``None`` where that is not said."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """The row of the degrees of freedom."""
        if self.freedom is None:
            return ()
        right = self.freedom.right
        number = "?" if right is None else format_integer(right).replace("-", "−")
        first = NOT_KNOWN if right is None else str(self.freedom.trust)
        return (("df", number, "; ".join([first, *self.freedom.further_statements])),)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is said of the parameters."""
        if self.lost is not None:
            return (f"{self.lost}. {self.lost.advice}".rstrip() if self.lost.advice else str(self.lost),)
        upper = self.report.upper
        if upper.is_proved and upper.value < self.report.standard and self.report.moments is None:
            return ("more parameters than dimensions: not all are identified; `algdim identify` says which",)
        if self.identified is None or not self.report.standard:
            return ()
        count = self.report.standard
        return (
            f"locally identified ({self.identified}): {'the' if count == 1 else 'all'} {format_count(count, 'parameter')}",
        )

    @property
    def brief(self) -> str:
        """One line."""
        report, right = self.report, None if self.freedom is None else self.freedom.right
        df = "" if right is None else f"   df {format_integer(right)}".replace("-", "−")
        return (
            f"{cut_text(to_text(report.model))}   dimension {report.dimension} ({report.trust})   parameters {format_integer(report.standard)}"
            f"   saturated {format_integer(report.complete)}{df}"
        )

    def text(self, *, verbose: bool = False) -> str:
        """The whole answer."""
        return self.report.text(*self.sentences, rows=self.rows, verbose=verbose)

    def to_dict(self) -> dict[str, Any]:
        """The keys that stand in the JSON report beside its own."""
        lost = self.lost
        return {
            "lost": None if lost is None else lost.names,
            "lost_trust": None if lost is None else lost.trust.to_dict(),
            "fixing": None if lost is None else lost.fixing,
            "degrees_of_freedom": None if self.freedom is None else self.freedom.to_dict(),
        }


def answer_dimension(report: Report, max_memory: int | str | None = None, *, looks_for_lost: bool = True) -> Answer:
    """The answer, of which nothing but the parameters that are lost asks for a further rank.

    >>> from algdim.report import dimension
    >>> print(answer_dimension(dimension("2:2,2")).brief)
    2:2,2   dimension 3 (proved)   parameters 5   saturated 3   df 0
    """
    freedom = compute_degrees_of_freedom(report.preparation.whole_map, report)
    lost = (
        sharpen("which parameters are not identified", partial(find_lost_parameters, report, max_memory))
        if looks_for_lost
        else None
    )
    return Answer(report, freedom, lost, prove_all_identified(report))


def prove_all_identified(report: Report) -> Trust | None:
    """Trust that all parameters are locally identifiable, where the dimension is at least their number."""
    if report.dimension != report.standard or not report.lower.is_proved:
        return None
    facts = f"{format_count(report.standard, 'dimension')}, as many as parameters"
    return trust_in_all([proved_by("parameters", facts), report.lower.trust])
