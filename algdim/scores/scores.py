"""Entry point: every score that a model has on data, with the dimension that it rests on, in one frozen record."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from algdim.analysis import Prepared
from algdim.arguments import check_arguments
from algdim.errors import AlgdimError, InputError
from algdim.exact.draws import draw_seed
from algdim.exact.threads import run_with_one_thread
from algdim.families import load_scoring
from algdim.families.discrete.bounds.search import find_possible_cells
from algdim.fitting.fitting import fit, fit_at
from algdim.fitting.likelihood import make_likelihood_evaluator
from algdim.fitting.maximization import BDEU, DIRICHLET, Prior
from algdim.fitting.problems import convert_to_network, read_described_model
from algdim.fitting.record import ENTRY
from algdim.fitting.samples import find_gaps
from algdim.identifiability.estimates import derive_identified
from algdim.limits import telling
from algdim.memory import allow
from algdim.models.anymodel import AnyModel
from algdim.readers.anything import ModelLike
from algdim.report import dimension
from algdim.scores.dirichlet import Source
from algdim.scores.goodness import Goodness, measure_goodness
from algdim.scores.information import Information, compute_information
from algdim.scores.named import ALL, SCORES, can_take_prior, choose_scores
from algdim.scores.record import Scores
from algdim.scores.scoringcontext import Greatest, Material

T = TypeVar("T")

LEAST_PRIOR, MOST_PRIOR = 1e-9, 1e9


@check_arguments
@run_with_one_thread
def score(
    data: Any,
    model: ModelLike,
    *,
    format: str | None = None,  # noqa: A002
    hidden: Iterable[str] = (),
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
    max_seconds: float | None = None,
    known: dict[AnyModel, Greatest] | None = None,
) -> Scores:
    """Score a model on data: at the estimates that each score asks for, or all at given parameters.

    Parameters
    ----------
    data : path, data frame, dictionary of columns, or cases in rows
        The cases, or with a column `count` their different patterns.
    model : text, path, dictionary, graph or model
        Whatever `algdim.model` reads.
    format : str, optional
        How a file or a text is written, such as "lavaan" or "dagitty"; without it the suffix of a path tells.
    hidden : names
        Variables that are not observed, in addition to those that the model declares hidden.
    at : path or dictionary, optional
        Parameters at which all scores are taken.
    score : str or list of str
        "all", a name, or several.
    alpha : float, optional
        A Dirichlet prior with this exponent for every entry of a table.
    ess : float, optional
        The equivalent sample size of the BDeu prior; 1 if neither is given.
    prior_network : pair of a model and its parameters, optional
        With it the exponents are those of BDe.
    force : bool
        Whether scores are computed that have no meaning for the model, too.
    starts : int or str
        "auto", "staged" (CH96 §3), or a number of random starts that all climb to the end.
    missing : bool
        Whether missing values are allowed.
    seed : int or str
        The seed of all draws; "random" takes one from the system.
    max_memory : int or str, optional
        Bytes that may be used, as a number or as "4G"; half of the machine's memory without it.
    max_seconds : float, optional
        Seconds for searches that only sharpen a proof, together; 120 without it. No rank is ended by it.
    known : dict, optional
        One dictionary for several models on the same data with the same options: what sBIC compares is then fitted once.

    Returns
    -------
    Scores
        The values, natural logarithms of which a larger one is better, or why there is none.

    Examples
    --------
    >>> from math import exp
    >>> found = score({"A": [0, 1, 1], "B": [0, 1, 0]}, "A -> B", score="exact", ess=1)
    >>> round(exp(-found.values["exact"]), 6)
    384.0
    """
    names, prior, seed = choose_scores(score), choose_prior(alpha, ess), draw_seed(seed)
    if prior_network is not None and alpha is not None:
        raise InputError("alpha and a prior network: BDe takes an equivalent sample size, ess")
    with allow(max_seconds, max_memory) as allowance:
        before = len(allowance.untried)
        data, read = read_described_model(data, model, format, hidden)
        described = convert_to_network(read)
        if alpha is not None or ess is not None:
            check_prior(described, prior)
        fitted = partial(fit, starts=starts, missing=missing, seed=seed, identify=False)
        report_of = partial(dimension, seed=seed)
        ready = Prepared(described)
        with suppress(AlgdimError):
            ready.whole_map  # noqa: B018 (kept for fit and dimension alike; what is wrong with it they say themselves)
        found = fitted(data, described) if at is None else fit_at(data, described, at, missing=missing)
        report = report_of(found.model)
        said = derive_identified(report)
        found = replace(found, identified=replace(said, gaps=find_gaps(found.model, found.sample)))
        known = {} if known is None else known
        if at is None:
            known[found.model] = Greatest(found.loglik, report.dimension)
        refit = fitted if at is None else None
        scores = compute_scores(Material(found, report, prior, prior_network, refit, report_of, force, known), names)
        return replace(scores, untried=allowance.since(before))


def compute_scores(material: Material, names: Sequence[str]) -> Scores:
    """The scores of a fit by name, and how well it fits."""
    tried = {name: try_telling(name, material) for name in names}
    return Scores(
        material.fit,
        material.report,
        material.prior,
        {name: value for name, (value, _) in tried.items() if value is not None},
        {name: reason for name, (value, reason) in tried.items() if value is None},
        *try_computation(partial(measure_fit_goodness, material)),
        *try_computation(partial(compute_fit_information, material)),
        material.network is not None,
    )


def try_telling(name: str, material: Material) -> tuple[float | None, str]:
    """A score, or nothing and the reason; it is told to whoever watches."""
    with telling(f"the score {name}"):
        return try_computation(partial(SCORES[name], material))


def try_computation(compute: Callable[[], T]) -> tuple[T | None, str]:
    """What is computed, or nothing and the reason."""
    try:
        return compute(), ""
    except AlgdimError as error:
        return None, str(error)


def measure_fit_goodness(of: Material) -> Goodness:
    """G² and X² at the fit."""
    own = load_scoring(of.fit.model.family).measure_goodness
    if own is not None:
        agreement: Goodness = own(of)
        return agreement
    logs = make_likelihood_evaluator(of.pmap, of.fit.sample, 1).log_values(of.tables(of.fit))[0]
    complete = of.report.complete
    if complete is None:
        raise InputError("the saturated model has no finite dimension")
    possible = find_possible_cells(of.pmap)
    zeros = 0 if possible is None else int((~possible).sum())
    return measure_goodness(of.fit.model, of.fit.sample, logs, complete, of.report.dimension, zeros)


def compute_fit_information(of: Material) -> Information:
    """The singular values of the information at the fit."""
    near = sum(one.kind == ENTRY and one.is_counted for one in of.fit.boundary)
    return compute_information(of.pmap, of.tables(of.fit), of.report.dimension, of.fit.sample.size, near)


def choose_prior(alpha: float | None, ess: float | None) -> Prior:
    """The prior of the two options, BDeu with an equivalent sample size of 1 if neither is given."""
    if alpha is not None and ess is not None:
        raise InputError(f"alpha={alpha} and ess={ess}: one prior at a time is allowed")
    prior = Prior(BDEU, 1.0 if ess is None else ess) if alpha is None else Prior(DIRICHLET, alpha)
    if not LEAST_PRIOR <= prior.amount <= MOST_PRIOR:
        raise InputError(f"the prior {prior}: a number from {LEAST_PRIOR:g} to {MOST_PRIOR:g} is allowed")
    return prior


def check_prior(model: AnyModel, prior: Prior) -> None:
    """Refuse a prior that no score of the model takes."""
    if can_take_prior(model, prior):
        return
    why = load_scoring(model.family).why_no_prior
    raise InputError(why or f"no score of the family {model.family} takes a prior; leave alpha and ess out")
