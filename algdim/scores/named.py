"""The table of the scores by name: each is a function of the material; BIC and Draper's score stand here.

These are a log-likelihood less half the dimension times the logarithm of the number of cases: with the number of
parameters as dimension the papers' BIC and Draper, with the effective dimension BIC+ and Draper+.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import log, pi

from algdim.errors import InputError, describe_closest_word, join_names
from algdim.families import load_scoring
from algdim.families.discrete.locals.curves import check_tables, collect_curves
from algdim.figures import format_integer
from algdim.fitting.likelihood import make_likelihood_evaluator
from algdim.fitting.maximization import PROBABILITY, SOFTMAX, Prior
from algdim.models.anymodel import AnyModel
from algdim.scores.classifiers import compute_network_laplace
from algdim.scores.laplace import NoSummitError, compute_laplace, compute_laplace_softmax
from algdim.scores.marginal import (
    apply_effective_dimension,
    compute_cheeseman_stutz,
    compute_log_marginal,
    compute_mled,
    compute_variational_bound,
)
from algdim.scores.scoringcontext import Material
from algdim.scores.singular import build_chain, compute_sbic
from algdim.scores.tempered import estimate_wbic

ALL = "all"


def score_cs(of: Material) -> float:
    """CS at the fit; of sums with conjugate priors (MH97 Eq. 6)."""
    own = load_scoring(of.fit.model.family).score_completed
    if own is not None:
        return float(own(of))
    return compute_cheeseman_stutz(of.priors, of.tables(of.fit), of.compute_expected_counts(of.fit), of.fit.loglik)


def score_exact(of: Material) -> float:
    """The marginal likelihood: in closed form if the data are complete, else by going through the completions."""
    own = load_scoring(of.fit.model.family).score_exact
    if own is not None:
        return float(own(of))
    priors = of.priors
    if of.fit.model.hidden or of.fit.sample.has_missing:
        return compute_log_marginal(priors, of.fit.sample)
    return compute_mled(priors, of.compute_expected_counts(of.fit))


def score_variational(of: Material) -> float:
    """The variational bound, begun at the fit."""
    return compute_variational_bound(
        of.priors, make_likelihood_evaluator(of.pmap, of.fit.sample, 1), of.compute_expected_counts(of.fit)
    )


@contextmanager
def add_prior_to_errors(of: Material, coordinates: str) -> Iterator[None]:
    """Where the parameters were given, say that the prior moves the maximum, and how to find it."""
    try:
        yield
    except NoSummitError as error:
        if of.refit is not None:
            raise
        raise InputError(
            f"{error}. The posterior has the prior {of.prior} besides the likelihood, so estimates of greatest likelihood are "
            f"not its maximum: fit with the prior (--prior {of.prior} --coordinates {coordinates}), or leave --at out"
        ) from None


def score_laplace(of: Material) -> float:
    """Laplace's approximation at the mode of the probabilities; variable by variable if some have weights."""
    own = load_scoring(of.fit.model.family).score_laplace
    if own is not None:
        check_dimension(of)
        return float(own(of))
    if collect_curves(of.pmap):
        if of.fit.stopping.reason == "given":
            raise InputError(
                "laplace looks for the maxima of the posterior of weights itself; leave the parameters (--at) out"
            )
        return compute_network_laplace(of.pmap, of.fit.sample, of.counts, of.prior, of.fit.seed)
    check_dimension(of)
    found = of.mode(PROBABILITY)
    with add_prior_to_errors(of, PROBABILITY):
        return compute_laplace(
            of.priors, found.sample, of.tables(found), found.loglik, of.compute_expected_counts(found)
        )


def score_laplace_softmax(of: Material) -> float:
    """Laplace's approximation at the mode of the log-odds."""
    check_tables(of.pmap, "laplace takes their log-odds")
    check_dimension(of)
    found = of.mode(SOFTMAX)
    with add_prior_to_errors(of, SOFTMAX):
        return compute_laplace_softmax(
            of.priors, found.sample, of.tables(found), of.compute_expected_counts(found), found.loglik
        )


def score_sbic(of: Material) -> float:
    """Drton and Plummer's score of a model among those with fewer classes or factors; BIC+ if nothing is hidden."""
    chain = build_chain(of.fit.model)
    below = [of.smaller(model) for model in chain.below]
    logliks = [*(one.loglik for one in below), of.fit.loglik]
    dimensions = [*(one.dimension for one in below), of.report.dimension]
    return compute_sbic(logliks, chain.coefficients(dimensions), of.size)[-1]


def check_dimension(of: Material) -> None:
    """Refuse Laplace's approximation where parameters are redundant."""
    report = of.report
    if report.redundant and not of.force:
        known = f"the effective dimension {report.dimension} ({report.trust}) is below the {format_integer(report.standard)} parameters"
        raise InputError(f"{known}: the posterior has no peak to approximate; --force prints the value all the same")


SCORES: Mapping[str, Callable[[Material], float]] = {
    "bic": lambda of: compute_bic(of.fit.loglik, of.report.standard, of.size),
    "bic+": lambda of: compute_bic(of.fit.loglik, of.report.dimension, of.size),
    "draper": lambda of: compute_draper(of.fit.loglik, of.report.standard, of.size),
    "draper+": lambda of: compute_draper(of.fit.loglik, of.report.dimension, of.size),
    "mled": lambda of: compute_mled(of.priors, of.compute_expected_counts(of.fit)),
    "cs": score_cs,
    "cs+": lambda of: apply_effective_dimension(score_cs(of), of.report.standard, of.report.dimension, of.size),
    "laplace": score_laplace,
    "laplace-softmax": score_laplace_softmax,
    "exact": score_exact,
    "variational": score_variational,
    "sbic": score_sbic,
    "wbic": lambda of: estimate_wbic(of.priors, of.fit.sample, seed=of.fit.seed).value,
}
"""By name, in the order of the output."""

SLOW = ("wbic",)
"""Those that `all` leaves out."""

CORRECTED = ("bic+", "draper+", "cs+", "sbic")
"""Those that take the effective dimension; the same without the sign take the number of parameters."""

AT_ESTIMATES = ("mled", "cs", "cs+")
"""Those that take the counts expected at the estimates: equally likely estimates differ in them."""


def describe_dependence_on_estimates(names: Iterable[str]) -> list[str]:
    """What is said of scores of a model with parameters that are not identified.

    >>> describe_dependence_on_estimates(["bic", "cs"])
    ['cs of such a model is that of one of many equally likely estimates; ignore differences of about one nat']
    """
    found = [name for name in AT_ESTIMATES if name in set(names)]
    what = f"{join_names(found)} of such a model {'is that' if len(found) == 1 else 'are those'}"
    return [f"{what} of one of many equally likely estimates; ignore differences of about one nat"] if found else []


def choose_scores(names: str | Sequence[str]) -> list[str]:
    """The names of scores, in the order of the output.

    >>> choose_scores("cs,bic")
    ['bic', 'cs']
    """
    wanted = names.split(",") if isinstance(names, str) else list(names)
    if wanted == [ALL]:
        return [name for name in SCORES if name not in SLOW]
    unknown = [name for name in wanted if name not in SCORES]
    if unknown or not wanted:
        hint = describe_closest_word(unknown[0], SCORES) if unknown else ""
        raise InputError(
            f"the score {join_names(map(repr, unknown))} is not known{hint}; known are {ALL}, {join_names(SCORES)}"
        )
    return [name for name in SCORES if name in wanted]


def can_take_prior(model: AnyModel, prior: Prior) -> bool:
    """Whether a score of the model takes this prior: those of networks do, that of sums takes exponents."""
    takes = load_scoring(model.family).takes_prior
    return takes is not None and takes(prior)


def compute_bic(loglik: float, dimension: int, size: float) -> float:
    """CH96 Eq. 9 (KZ02 §2.3): log p(D|θ) − d/2 · log N.

    >>> round(compute_bic(-100.0, 4, 50.0), 6)
    -107.824046
    """
    return loglik - dimension / 2 * log(size)


def compute_draper(loglik: float, dimension: int, size: float) -> float:
    """CH96 Eq. 10: BIC with the term d/2 · log 2π kept.

    >>> round(compute_draper(-100.0, 4, 50.0) - compute_bic(-100.0, 4, 50.0), 6)
    3.675754
    """
    return compute_bic(loglik, dimension, size) + dimension / 2 * log(2 * pi)
