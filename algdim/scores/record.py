"""The record of scores: their values or why they have none, what they rest on, how the data agree with the model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from algdim.display.blocks import Block, Paragraph, TableBlock
from algdim.display.results import Frame, Result, convert_members, cut_cell
from algdim.families import load_scoring
from algdim.figures import cut_text, format_integer
from algdim.fitting.criteria import LARGER
from algdim.fitting.maximization import Prior
from algdim.fitting.record import Fit, describe_boundary
from algdim.fitting.samples import convert_to_integer, format_case_count
from algdim.identifiability.estimates import NOT_ASKED
from algdim.limits import Untried, describe_untried
from algdim.models.notation import to_text
from algdim.report import Report
from algdim.scores.goodness import Goodness
from algdim.scores.information import Information
from algdim.scores.named import CORRECTED, SCORES, can_take_prior, describe_dependence_on_estimates

SCHEMA = "algdim-score-1"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scores(Result):
    """The scores of a model on data: natural logarithms of the ordered sample, larger is better.

    Attributes
    ----------
    fit, report
        The fit, and the report of the model.
    values, reasons
        The scores by name; why those have no value that have none.
    prior
        The prior of the scores that take one.
    goodness, goodness_reason
        G² and X² with their df and p-values, or why there are none.
    information, information_reason
        The singular values at the estimate, or why there are none.
    untried
        Searches for proofs that were not made to their end.
    to_dict, to_pandas, to_polars, document, lines
        The result for JSON, as data frames, as a document of tables and figures, and as the lines that `print` shows.

    Examples
    --------
    >>> from algdim.scores.scores import score
    >>> found = score({"A": [0, 1, 1], "B": [0, 1, 0]}, "A -> B", score="bic,bic+")
    >>> found.values["bic"] == found.values["bic+"], found.report.dimension
    (True, 3)
    """

    _inner: ClassVar[frozenset[str]] = frozenset({"has_network", "prior_text", "rests_on"})

    fit: Fit
    report: Report
    prior: Prior
    values: dict[str, float]
    reasons: dict[str, str]
    goodness: Goodness | None
    goodness_reason: str
    information: Information | None
    information_reason: str
    has_network: bool = False
    untried: tuple[Untried, ...] = ()
    """Searches that were not made to their end."""

    @property
    def prior_text(self) -> str | None:
        """The prior in words, ``None`` where no score takes one."""
        if not can_take_prior(self.fit.model, self.prior):
            return None
        return f"{self.prior}, prior network" if self.has_network else str(self.prior)

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        return {
            "schema": SCHEMA,
            "model": to_text(self.fit.model),
            "n": convert_to_integer(self.fit.sample.size),
            "loglik": self.fit.loglik,
            "at": self.fit.stopping.reason,
            **convert_members(self.report, "standard dimension exact"),
            "trust": str(self.report.trust),
            "lemmas": list(self.report.trust.lemmas),
            **(NOT_ASKED if self.fit.identified is None else self.fit.identified.to_dict()),
            **convert_members(self, "prior=prior_text criteria=fit.criteria"),
            "scores": {name: self.values.get(name) for name in SCORES if name in self.values or name in self.reasons},
            **convert_members(
                self, "reasons goodness goodness_reason? information information_reason? data=fit.sample"
            ),
            "boundary": [{"entry": entry.name, "value": entry.value} for entry in self.fit.boundary],
            **convert_members(self, "not_tried=untried seed=report.seed"),
        }

    def rests_on(self, name: str) -> str:
        """What dimension a score takes, and how far that can be trusted."""
        if name in CORRECTED:
            return f"dimension {self.report.dimension} ({self.report.trust})"
        return f"dimension {format_integer(self.report.standard)} (parameters)" if name + "+" in CORRECTED else ""

    def _summarise(self) -> str:
        best = ", ".join(f"{name} {value:.4f}" for name, value in list(self.values.items())[:4])
        return (
            f"{cut_text(to_text(self.fit.model), 80)}: dimension {self.report.dimension} ({self.report.trust}); {best}"
        )

    def _show(self) -> Iterator[Block]:
        report, fitted = self.report, self.fit
        rows = [
            ("dimension", f"{report.dimension} ({report.trust})"),
            ("parameters", format_integer(report.standard)),
            ("log-likelihood", f"{fitted.loglik:.4f}"),
            *((("prior", self.prior_text),) if self.prior_text else ()),
        ]
        caption = f"{cut_cell(to_text(fitted.model))}; {format_case_count(fitted.sample.size)}"
        yield TableBlock((), tuple(rows), caption=caption)
        scores = [
            (name, f"{self.values[name]:.4f}", self.rests_on(name))
            if name in self.values
            else (name, "no value", self.reasons[name])
            for name in SCORES
            if name in self.values or name in self.reasons
        ]
        yield TableBlock(("score", "larger is better", ""), tuple(scores))
        yield Paragraph(str(self.goodness) if self.goodness else f"no G² and X²: {self.goodness_reason}")
        known = () if fitted.identified is None else fitted.identified.lines()
        yield from (Paragraph(line.strip()) for line in known)
        if fitted.boundary:
            yield Paragraph(f"WARNING: {describe_boundary(fitted.boundary)}")

    def _tabulate(self) -> Frame:
        named = [name for name in SCORES if name in self.values or name in self.reasons]
        rows = tuple((name, self.values.get(name), self.reasons.get(name, "")) for name in named)
        return Frame(("score", "value", "reason"), rows)

    def lines(self) -> list[str]:
        report, fitted = self.report, self.fit
        lines = [
            f"{cut_text(to_text(fitted.model))}   dimension {report.dimension} ({report.trust})   parameters {format_integer(report.standard)}",
            f"{format_case_count(fitted.sample.size)}   log-likelihood {fitted.loglik:.4f} ({fitted.stopping}){describe_prior(self.prior_text)}",
            *(f"note: {note}" for note in fitted.sample.notes),
        ]
        said: set[str] = set()
        lines.append(f"log scale, {LARGER}")
        for name in SCORES:
            if name in self.values:
                lines.append(f"  {name:<16}{self.values[name]:<14.4f}{self.rests_on(name)}".rstrip())
            elif name in self.reasons and name not in said:
                same = [one for one in SCORES if self.reasons.get(one) == self.reasons[name]]
                lines.append(f"  {', '.join(same):<14}  no value: {self.reasons[name]}")
                said.update(same)
        lines += [] if fitted.criteria is None else fitted.criteria.lines()
        lines.append(str(self.goodness) if self.goodness else f"no G² and X²: {self.goodness_reason}")
        if self.information is not None:
            lines.append(str(self.information))
        elif load_scoring(fitted.model.family).is_network:
            lines.append(f"no singular values: {self.information_reason}")
        if fitted.identified is not None:
            lines += fitted.identified.lines()
            lines += describe_dependence_on_estimates(self.values) if fitted.identified.value is False else []
        lines += [describe_untried(self.untried)] if self.untried else []
        if fitted.boundary:
            lines.append(f"WARNING: {describe_boundary(fitted.boundary)}")
        return lines


def describe_prior(text: str | None) -> str:
    """What the first lines say of a prior.

    >>> describe_prior("ess=1"), describe_prior(None)
    ('   prior ess=1', '')
    """
    return f"   prior {text}" if text else ""
