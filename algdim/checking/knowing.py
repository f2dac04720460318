"""What is known of the quantities that claims are about: values, and bounds that are proved; each model is computed once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from algdim.checking.claims import ANSWERS, SCORES, Claim
from algdim.errors import InputError
from algdim.explanation.comparing import compare
from algdim.explanation.constraints import constraints, list_equation_titles
from algdim.explanation.nesting import NESTED, NOT_NESTED
from algdim.figures import format_count
from algdim.identifiability.degreesoffreedom import compute_degrees_of_freedom
from algdim.identifiability.identifying import identify
from algdim.models.anymodel import AnyModel
from algdim.report import Report, dimension
from algdim.scores.scores import score
from algdim.trust import BOUNDS_ONLY, IN_FLOATS, Trust, proved_by, trust_in_all
from algdim.wholefiles import find_state

COUNTED = "counting and ambient"


@dataclass(frozen=True, slots=True)
class KnownValue:
    """What is known of a quantity: its value as far as it is known, and proved bounds of an integer.

    ``trust`` is in the value; ``least`` and ``most`` are proved, each by its own trust.
    """

    value: int | bool | float | None
    trust: Trust
    least: int | None = None
    most: int | None = None
    of_least: Trust | None = None
    of_most: Trust | None = None
    reason: str = ""
    certified: bool = False
    """Whether a certificate of the dimension is one of the value."""


class Finder:
    """Computes what claims are about, each model once, and again with files that changed meanwhile."""

    def __init__(self, *, seed: int | str) -> None:
        self.seed = seed
        self.found: dict[tuple[Any, ...], Any] = {}

    def once(self, what: str, *key: Any, find: Callable[[], Any]) -> Any:
        """What is found once of a model."""
        if (what, *key) not in self.found:
            self.found[what, *key] = find()
        return self.found[what, *key]

    def report(self, model: AnyModel) -> Report:
        """The report of a model."""
        found: Report = self.once("dimension", model, find=lambda: dimension(model, seed=self.seed))
        return found

    def know(self, claim: Claim, model: AnyModel, other: AnyModel | None) -> KnownValue:
        """What is known of the quantity that a claim is about."""
        if claim.quantity in ANSWERS:
            return self.know_answer(claim, model, other)
        if claim.quantity in SCORES:
            return self.know_score(claim, model)
        if claim.quantity == "rank":
            at = self.report_at(claim, model).at
            return KnownValue(at.rank, at.trust, reason=f"at {at.source}")
        if claim.quantity in {"tetrads", "independent_tetrads"}:
            return self.know_tetrads(claim.quantity, model)
        return know_count(claim.quantity, self.report(model))

    def report_at(self, claim: Claim, model: AnyModel) -> Any:
        """The report with the rank at the parameters that a claim names."""
        return self.once(
            "at",
            model,
            claim.at,
            find_state(claim.at),
            find=lambda: dimension(model, at=claim.at, seed=self.seed),
        )

    def know_answer(self, claim: Claim, model: AnyModel, other: AnyModel | None) -> KnownValue:
        """Whether a model is identifiable, nested or regular."""
        if claim.quantity == "regular":
            at = self.report_at(claim, model).at
            return KnownValue(
                at.regular, BOUNDS_ONLY if at.regular is None else at.trust, reason=f"rank {at.rank} at {at.source}"
            )
        if claim.quantity == "nested":
            found = self.once("nested", model, other, find=lambda: compare(model, other, seed=self.seed)).forward
            value = {NESTED: True, NOT_NESTED: False}.get(found.word)
            return KnownValue(value, BOUNDS_ONLY if found.trust is None else found.trust, reason=found.reason)
        found = self.once("identify", model, find=lambda: identify(model, seed=self.seed))
        if found.lost:
            lost = [verdict for verdict in found.verdicts if verdict.identifiable is False]
            best = min(lost, key=lambda verdict: (not verdict.trust.is_proved, verdict.trust.error or 0.0))
            return KnownValue(
                False,
                best.trust,
                reason=f"{len(lost)} of {format_count(len(found.verdicts), 'parameter')} are not identified, such as {best.parameter}",
            )
        if found.undecided:
            return KnownValue(
                None, BOUNDS_ONLY, reason=f"not decided of {format_count(len(found.undecided), 'parameter')}"
            )
        every = format_count(len(found.verdicts), "parameter")
        return KnownValue(
            True, found.lists.identifiable or found.report.trust, reason=f"all {every}, locally, generically"
        )

    def know_tetrads(self, quantity: str, model: AnyModel) -> KnownValue:
        """How many tetrads vanish, or how many of these are independent; those that zero covariances imply are not counted."""
        kinds = list_equation_titles(model.family)
        if "tetrad" not in kinds:
            raise InputError(f"tetrads are equations of Gaussian models; the model is of the family {model.family}")
        found = self.once("constraints", model, find=lambda: constraints(model, seed=self.seed))
        some = found.of_kind("tetrad")
        left_out = [note for note in found.notes if "tetrad" in note]
        listed = proved_by(
            "treks",
            f"{format_count(len(some), 'tetrad')} listed, each because of its treks; others have a value at a point",
        )
        trust = trust_in_all([listed, *(one.trust for one in some)])
        reason = "; ".join(left_out)
        if quantity == "tetrads":
            # further ones vanish with the covariances in them, and it is not said whether the printed number has these
            return KnownValue(len(some), BOUNDS_ONLY if left_out else trust, len(some), of_least=trust, reason=reason)
        count = sum(one.independent is True for one in some)
        zeros = sum(one.independent is True for one in found.of_kind("zero"))
        report = self.report(model)
        most = None if report.complete is None else report.complete - report.lower.value - zeros
        independent = trust_in_all([trust, found.upper]) if found.upper is not None and count else trust
        if count == len(some) and not left_out:  # all that there are
            return KnownValue(count, independent, reason=reason)
        if most == count and report.lower.is_proved:
            return KnownValue(count, trust_in_all([independent, report.lower.trust]), reason=reason)
        return KnownValue(count, BOUNDS_ONLY, count, of_least=independent, reason=reason)

    def know_score(self, claim: Claim, model: AnyModel) -> KnownValue:
        """A score of a model on data, in floating point."""
        named = "bic" if claim.quantity == "loglik" else claim.quantity
        found = self.once(
            "score",
            model,
            claim.data,
            find_state(claim.data),
            named,
            find=lambda: score(claim.data, model, score=named, seed=self.seed),
        )
        if claim.quantity == "loglik":
            return KnownValue(found.fit.loglik, IN_FLOATS, reason=str(found.fit.stopping))
        if named not in found.values:
            return KnownValue(None, IN_FLOATS, reason=found.reasons.get(named, "the score has no value"))
        return KnownValue(found.values[named], IN_FLOATS, reason=str(found.fit.stopping))


def know_count(quantity: str, report: Report) -> KnownValue:
    """What is known of an integer that a report has; the bounds follow from those of the dimension."""
    least, most, of_least, of_most = find_proved_bounds(report)
    known = report.trust
    saturated = report.in_complete if report.complete is not None else None
    match quantity:
        case "dimension":
            return KnownValue(
                report.dimension, known, least, most, of_least, of_most, describe_bounds(report), certified=True
            )
        case "parameters":
            return KnownValue(report.standard, proved_by(COUNTED, format_count(report.standard, "parameter")))
        case "redundant":
            counted = report.standard
            return KnownValue(
                report.redundant,
                known,
                None if most is None else counted - most,
                None if least is None else counted - least,
                of_most,
                of_least,
                describe_bounds(report),
                certified=True,
            )
        case "pairwise_bound" | "best_bound":
            value = getattr(report, quantity)
            if report.pairwise_bound is None:
                return KnownValue(None, BOUNDS_ONLY, reason=f"{quantity} is about latent class models")
            return KnownValue(value, proved_by("pairwise", "it follows from the numbers of states", COUNTED))
        case _:
            pass
    if report.complete is None or saturated is None:
        if quantity not in {"expected", "defect"}:
            return KnownValue(None, BOUNDS_ONLY, reason="the saturated model has no finite dimension")
        # nothing but the number of parameters limits the dimension
        saturated = proved_by(COUNTED, f"{format_count(report.standard, 'parameter')}, no finite saturated dimension")
    match quantity:
        case "saturated":
            return KnownValue(report.complete, saturated)
        case "df_by_counting":
            return KnownValue(report.df_by_counting, saturated)
        case "expected":
            return KnownValue(report.expected, saturated)
        case "defect":
            return KnownValue(
                report.defect,
                trust_in_all([saturated, known]),
                None if of_most is None or most is None else report.expected - most,
                None if of_least is None or least is None else report.expected - least,
                of_most and trust_in_all([of_most, saturated]) if saturated.is_proved else None,
                of_least and trust_in_all([of_least, saturated]) if saturated.is_proved else None,
                describe_bounds(report),
                certified=True,
            )
        case "df":
            return know_freedom(report, saturated)
    raise AssertionError(quantity)


def know_freedom(report: Report, saturated: Trust) -> KnownValue:
    """The degrees of freedom; at most saturated less the proved dimension, whatever cells are impossible."""
    found = compute_degrees_of_freedom(report.preparation.whole_map, report)
    if found is None or found.right is None:
        return KnownValue(None, BOUNDS_ONLY, reason="there are too many cells to find the impossible ones")
    beside = "; ".join(found.further_statements)
    if not (report.lower.is_proved and saturated.is_proved and report.complete is not None):
        return KnownValue(found.right, found.trust, reason=beside, certified=True)
    most = report.complete - report.lower.value
    facts = f"at most {report.complete} − {report.lower.value}"
    bound = trust_in_all([proved_by("degrees of freedom", facts), saturated, report.lower.trust])
    return KnownValue(found.right, found.trust, 0, most, bound, bound, beside, certified=True)


def find_proved_bounds(report: Report) -> tuple[int | None, int | None, Trust | None, Trust | None]:
    """The greatest proved lower bound of a dimension and the least proved upper one, each with its trust."""
    least, of_least = (report.lower.value, report.lower.trust) if report.lower.is_proved else (None, None)
    if report.upper.is_proved:
        return least, report.upper.value, of_least, report.upper.trust
    most, of_most = report.standard, proved_by(COUNTED, format_count(report.standard, "parameter"))
    saturated = report.in_complete
    if report.complete is not None and saturated is not None and saturated.is_proved and report.complete < most:
        most, of_most = report.complete, trust_in_all([proved_by(COUNTED, f"saturated {report.complete}"), saturated])
    return least, most, of_least, of_most


def describe_bounds(report: Report) -> str:
    """Why the dimension is what it is, in one line."""
    if report.lower.value == report.upper.value:
        return f"at most {report.upper.value}: {report.upper.reason}"
    return f"at least {report.lower.value}, at most {report.upper.value}: {report.upper.reason}"
