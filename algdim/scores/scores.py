"""The door: every score that a model has on data, with the dimension that it rests on, in one frozen record."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, TypeVar

from algdim.errors import AlgdimError, InputError, listed
from algdim.figures import big, counted
from algdim.fitting.curves import check_tables, curves_of
from algdim.fitting.fitting import fit, fit_at
from algdim.fitting.likelihood import Tables, evaluator
from algdim.fitting.networks import as_network
from algdim.fitting.priors import BDEU, DIRICHLET, PROBABILITY, SOFTMAX, Prior
from algdim.fitting.record import Fit, arrays_of
from algdim.fitting.samples import counted_cases, whole
from algdim.identifiability.freedom import possible_cells
from algdim.maps.factors import ParamMap, param_map
from algdim.models.additive import Additive
from algdim.models.anymodel import AnyModel
from algdim.models.network import Network
from algdim.models.notation import to_text
from algdim.readers.anything import ModelLike
from algdim.readers.anything import model as read_model
from algdim.report import Report, dimension
from algdim.scores.chains import chain_of
from algdim.scores.classifiers import laplace_of_network
from algdim.scores.completed import cs, mled, refunded, variational
from algdim.scores.dirichlet import Priors, priors_of
from algdim.scores.enumeration import log_marginal
from algdim.scores.goodness import Goodness, goodness
from algdim.scores.information import Information, information
from algdim.scores.laplace import laplace, laplace_softmax
from algdim.scores.penalties import bic, draper
from algdim.scores.priornetwork import Source, priors_from
from algdim.scores.singular import sbic
from algdim.scores.sums import cs_of_sums
from algdim.scores.tempered import wbic

T = TypeVar("T")

SCHEMA = "algdim-score-1"
ALL = "all"


def takes_prior(model: AnyModel, prior: Prior) -> bool:
    """Whether a score of the model takes this prior: those of networks do, that of sums takes exponents."""
    return isinstance(model, Network) or (isinstance(model, Additive) and prior.kind == DIRICHLET)


def prior_words(text: str | None) -> str:
    """What the first lines say of a prior.

    >>> prior_words("ess=1"), prior_words(None)
    ('   prior ess=1', '')
    """
    return f"   prior {text}" if text else ""


LEAST_PRIOR, MOST_PRIOR = 1e-9, 1e9


@dataclass(frozen=True, eq=False)
class Material:
    """What the scores are computed from."""

    fit: Fit
    report: Report
    prior: Prior
    network: Source | None
    """A prior network that BDe takes in the place of even exponents."""
    mode: Callable[[str], Fit]
    """The fit by the mode of the posterior in given coordinates."""
    smaller: Callable[[AnyModel], tuple[float, int]]
    """The greatest log-likelihood of another model and its dimension."""
    force: bool

    @property
    def size(self) -> float:
        """The number of cases."""
        return float(self.fit.sample.size)

    @cached_property
    def pmap(self) -> ParamMap:
        """The map of a discrete network."""
        if not isinstance(self.fit.model, Network):
            raise InputError(f"this is for discrete networks; the family {self.fit.model.family} has bic to draper+")
        return param_map(self.fit.model)

    @property
    def counts(self) -> Tables:
        """The counts of complete data, of variables with weights too."""
        at = evaluator(self.pmap, self.fit.sample, 1)
        return at.expected(self.tables(self.fit))[1]

    @property
    def priors(self) -> Priors:
        """The prior of every row."""
        check_tables(self.pmap, "this score is for tables")
        if self.network is not None:
            return priors_from(self.pmap, self.network, self.prior.amount)
        return priors_of(self.pmap, self.prior)

    def tables(self, found: Fit) -> Tables:
        """The parameters of a fit as arrays."""
        return arrays_of(self.pmap, found.parameters)

    def expected(self, found: Fit) -> Tables:
        """The expected counts of a fit as arrays."""
        return arrays_of(self.pmap, found.expected)


def score_cs(of: Material) -> float:
    """CS at the fit; of sums with conjugate priors (MH97 Eq. 6)."""
    if isinstance(of.fit.model, Additive):
        if of.prior.kind != DIRICHLET:
            raise InputError("cs of sums takes an exponent alpha of conjugate priors; give --alpha 1, say")
        return cs_of_sums(of.fit, of.prior.amount)
    return cs(of.priors, of.tables(of.fit), of.expected(of.fit), of.fit.loglik)


def score_exact(of: Material) -> float:
    """The marginal likelihood: in closed form if the data are complete, else by going through the completions."""
    priors = of.priors
    if of.fit.model.hidden or of.fit.sample.has_missing:
        return log_marginal(priors, of.fit.sample)
    return mled(priors, of.expected(of.fit))


def score_variational(of: Material) -> float:
    """The variational bound, begun at the fit."""
    return variational(of.priors, evaluator(of.pmap, of.fit.sample, 1), of.expected(of.fit))


def score_laplace(of: Material) -> float:
    """Laplace's approximation at the mode of the probabilities; variable by variable if some have weights."""
    if curves_of(of.pmap):
        if of.fit.stopping.reason == "given":
            raise InputError(
                "laplace looks for the maxima of the posterior of weights itself; leave the parameters (--at) out"
            )
        return laplace_of_network(of.pmap, of.fit.sample, of.counts, of.prior, of.fit.seed)
    check_dimension(of)
    found = of.mode(PROBABILITY)
    return laplace(of.priors, found.sample, of.tables(found), found.loglik)


def score_laplace_softmax(of: Material) -> float:
    """Laplace's approximation at the mode of the log-odds."""
    check_tables(of.pmap, "laplace takes their log-odds")
    check_dimension(of)
    found = of.mode(SOFTMAX)
    return laplace_softmax(of.priors, found.sample, of.tables(found), of.expected(found), found.loglik)


def score_sbic(of: Material) -> float:
    """Drton and Plummer's score of a model among those with fewer classes or factors; BIC+ if nothing is hidden."""
    chain = chain_of(of.fit.model)
    found = [*(of.smaller(model) for model in chain.below), (of.fit.loglik, of.report.dimension)]
    logliks, dimensions = [one[0] for one in found], [one[1] for one in found]
    return sbic(logliks, chain.coefficients(dimensions), of.size)[-1]


def check_dimension(of: Material) -> None:
    """Refuse Laplace's approximation where parameters are redundant."""
    report = of.report
    if report.redundant and not of.force:
        known = f"the effective dimension {report.dimension} ({report.trust}) is below the {big(report.standard)} parameters"
        raise InputError(f"{known}: the posterior has no peak to approximate; --force prints the value all the same")


SCORES: Mapping[str, Callable[[Material], float]] = {
    "bic": lambda of: bic(of.fit.loglik, of.report.standard, of.size),
    "bic+": lambda of: bic(of.fit.loglik, of.report.dimension, of.size),
    "draper": lambda of: draper(of.fit.loglik, of.report.standard, of.size),
    "draper+": lambda of: draper(of.fit.loglik, of.report.dimension, of.size),
    "mled": lambda of: mled(of.priors, of.expected(of.fit)),
    "cs": score_cs,
    "cs+": lambda of: refunded(score_cs(of), of.report.standard, of.report.dimension, of.size),
    "laplace": score_laplace,
    "laplace-softmax": score_laplace_softmax,
    "exact": score_exact,
    "variational": score_variational,
    "sbic": score_sbic,
    "wbic": lambda of: wbic(of.priors, of.fit.sample, seed=of.fit.seed).value,
}
"""By name, in the order of the output."""

SLOW = ("wbic",)
"""Those that `all` leaves out."""

CORRECTED = ("bic+", "draper+", "cs+", "sbic")
"""Those that take the effective dimension; the same without the sign take the number of parameters."""


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """The scores of a model on data: natural logarithms of the ordered sample, larger is better.

    A score that has no value stands in ``reasons`` instead.
    """

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

    @property
    def prior_text(self) -> str | None:
        """The prior in words, ``None`` where no score takes one."""
        if not takes_prior(self.fit.model, self.prior):
            return None
        return f"{self.prior}, prior network" if self.has_network else str(self.prior)

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        return {
            "schema": SCHEMA,
            "model": to_text(self.fit.model),
            "n": whole(self.fit.sample.size),
            "loglik": self.fit.loglik,
            "at": self.fit.stopping.reason,
            "standard": self.report.standard,
            "dimension": self.report.dimension,
            "exact": self.report.exact,
            "trust": self.report.trust,
            "prior": self.prior_text,
            "scores": {name: self.values.get(name) for name in SCORES if name in self.values or name in self.reasons},
            "reasons": self.reasons,
            "goodness": None if self.goodness is None else self.goodness.to_dict(),
            "goodness_reason": self.goodness_reason or None,
            "information": None if self.information is None else self.information.to_dict(),
            "information_reason": self.information_reason or None,
            "data": self.fit.sample.to_dict(),
            "boundary": [{"entry": entry.name, "value": entry.value} for entry in self.fit.boundary],
        }

    def rests_on(self, name: str) -> str:
        """What dimension a score takes, and how far that can be trusted."""
        if name in CORRECTED:
            return f"dimension {self.report.dimension} ({self.report.trust})"
        return f"dimension {big(self.report.standard)} (parameters)" if name + "+" in CORRECTED else ""

    def __str__(self) -> str:
        """A line for each score."""
        report, fitted = self.report, self.fit
        lines = [
            f"{to_text(fitted.model)}   dimension {report.dimension} ({report.trust})   standard {big(report.standard)}",
            f"{counted_cases(fitted.sample.size)}   log-likelihood {fitted.loglik:.4f} ({fitted.stopping}){prior_words(self.prior_text)}",
            *(f"note: {note}" for note in fitted.sample.notes),
        ]
        for name in SCORES:
            if name in self.values:
                lines.append(f"  {name:<16}{self.values[name]:<14.4f}{self.rests_on(name)}".rstrip())
            elif name in self.reasons:
                lines.append(f"  {name:<16}no value: {self.reasons[name]}")
        lines.append(str(self.goodness) if self.goodness else f"no G² and X²: {self.goodness_reason}")
        lines.append(str(self.information or f"no singular values: {self.information_reason}"))
        if fitted.boundary:
            lines.append(f"WARNING: {counted(len(fitted.boundary), 'entry')} within 1/N of 0 or 1")
        return "\n".join(lines)


def score(
    data: Any,
    model: ModelLike,
    *,
    at: str | os.PathLike[str] | dict[str, Any] | None = None,
    score: str | Sequence[str] = ALL,
    alpha: float | None = None,
    ess: float | None = None,
    prior_network: Source | None = None,
    force: bool = False,
    starts: int | str = "auto",
    missing: bool = False,
    seed: int | str = 0,
    max_memory: int | str | None = None,
) -> Scores:
    """Score a model on data: at the estimates that each score asks for, or all ``at`` given parameters.

    ``score`` is `all`, a name, or several; ``alpha`` a Dirichlet prior on every row, ``ess`` BDeu (the default, with 1).
    With ``prior_network``, a model and its parameters, the exponents are those of BDe.

    >>> from math import exp
    >>> found = score({"A": [0, 1, 1], "B": [0, 1, 0]}, "A -> B", score="exact", ess=1)
    >>> round(exp(-found.values["exact"]), 6)
    384.0
    """
    names, prior = chosen(score), chosen_prior(alpha, ess)
    if prior_network is not None and alpha is not None:
        raise InputError("alpha and a prior network: BDe takes an equivalent sample size, ess")
    described = as_network(read_model(model))
    if not (alpha is None and ess is None) and not takes_prior(described, prior):
        if isinstance(described, Additive):
            raise InputError("of priors the scores of sums take alpha, the exponent of conjugate ones; leave ess out")
        raise InputError(f"no score of the family {described.family} takes a prior; leave alpha and ess out")
    if at is None:
        found = fit(data, described, starts=starts, missing=missing, seed=seed)
    else:
        found = fit_at(data, described, at, missing=missing)
    report = dimension(found.model, seed=seed, max_memory=max_memory)

    def mode(coordinates: str) -> Fit:
        """The fit itself where its parameters were given."""
        if at is not None:
            return found
        if prior_network is not None:
            raise InputError("a fit knows no prior network; give parameters (--at), or take another prior")
        chosen = replace(prior, coordinates=coordinates)
        return fit(found.sample, found.model, prior=chosen, starts=starts, missing=missing, seed=seed)

    def smaller(model: AnyModel) -> tuple[float, int]:
        """What sBIC asks of the models below."""
        if at is not None:
            raise InputError("sbic compares greatest likelihoods; leave the parameters (--at) out")
        below = fit(found.sample, model, starts=starts, missing=missing, seed=seed)
        return below.loglik, dimension(model, seed=seed, max_memory=max_memory).dimension

    material = Material(found, report, prior, prior_network, mode, smaller, force)
    values: dict[str, float] = {}
    reasons: dict[str, str] = {}
    for name in names:
        value, reason = unless_refused(partial(SCORES[name], material))
        if value is None:
            reasons[name] = reason
        else:
            values[name] = value
    agreement, why_not = unless_refused(lambda: compared(material))
    told, why_untold = unless_refused(
        lambda: information(material.pmap, material.tables(found), report.dimension, found.sample.size)
    )
    return Scores(
        found, report, prior, values, reasons, agreement, why_not, told, why_untold, prior_network is not None
    )


def unless_refused(compute: Callable[[], T]) -> tuple[T | None, str]:
    """What is computed, or nothing and the reason."""
    try:
        return compute(), ""
    except AlgdimError as error:
        return None, str(error)


def compared(of: Material) -> Goodness:
    """G² and X² at the fit."""
    logs = evaluator(of.pmap, of.fit.sample, 1).log_values(of.tables(of.fit))[0]
    complete = of.report.complete
    if complete is None:
        raise InputError("the saturated model has no finite dimension")
    possible = possible_cells(of.pmap)
    zeros = 0 if possible is None else int((~possible).sum())
    return goodness(of.fit.model, of.fit.sample, logs, complete, of.report.dimension, zeros)


def chosen(names: str | Sequence[str]) -> list[str]:
    """The names of scores, in the order of the output.

    >>> chosen("cs,bic")
    ['bic', 'cs']
    """
    wanted = names.split(",") if isinstance(names, str) else list(names)
    if wanted == [ALL]:
        return [name for name in SCORES if name not in SLOW]
    unknown = [name for name in wanted if name not in SCORES]
    if unknown or not wanted:
        raise InputError(f"the score {listed(map(repr, unknown))} is not known; known are {ALL}, {listed(SCORES)}")
    return [name for name in SCORES if name in wanted]


def chosen_prior(alpha: float | None, ess: float | None) -> Prior:
    """The prior of the two options, BDeu with an equivalent sample size of 1 if neither is given."""
    if alpha is not None and ess is not None:
        raise InputError(f"alpha={alpha} and ess={ess}: one prior at a time is allowed")
    prior = Prior(BDEU, 1.0 if ess is None else ess) if alpha is None else Prior(DIRICHLET, alpha)
    if not LEAST_PRIOR <= prior.amount <= MOST_PRIOR:
        raise InputError(f"the prior {prior}: a number from {LEAST_PRIOR:g} to {MOST_PRIOR:g} is allowed")
    return prior
