"""Fit a model to data by EM (CH96 §2, MH97 §4.1), and evaluate given parameters in the same record."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from algdim.arguments import check_arguments
from algdim.errors import InputError
from algdim.exact.draws import draw_seed
from algdim.exact.threads import run_with_one_thread
from algdim.fitting.em import Climbers, LikelihoodFamily, Problem, Progress, Tolerance
from algdim.fitting.maximization import ML, PROBABILITY, Prior, parse_prior
from algdim.fitting.problems import make_problem
from algdim.fitting.record import Fit, Stopping
from algdim.fitting.samples import find_gaps
from algdim.fitting.searching import AUTO, run_search, search_for
from algdim.identifiability.estimates import assess_identifiability
from algdim.limits import telling
from algdim.memory import allow
from algdim.readers.anything import ModelLike
from algdim.readers.files import read_state_labels


@check_arguments
@run_with_one_thread
def fit(
    data: Any,
    model: ModelLike,
    *,
    format: str | None = None,  # noqa: A002
    hidden: Iterable[str] = (),
    prior: Prior | str = ML,
    coordinates: str = PROBABILITY,
    starts: int | str = AUTO,
    method: str = AUTO,
    absolute: float = 1e-8,
    relative: float = 0.0,
    iterations: int = 10_000,
    missing: bool = False,
    seed: int | str = 0,
    progress: Progress | None = None,
    resume: Fit | str | os.PathLike[str] | dict[str, Any] | None = None,
    identify: bool = True,
    max_memory: int | str | None = None,
    max_seconds: float | None = None,
) -> Fit:
    """Fit a model to data by maximum likelihood, or by the mode of the posterior under a prior.

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
    prior : str
        "ml" for none, or a prior in the words of `algdim fit --prior`.
    coordinates : str
        In which the posterior has its mode: "probability" or "softmax".
    starts : int or str
        "auto", "staged" (CH96 §3), or a number of random starts that all climb to the end.
    method : str
        "em", "scoring" (EM first, then damped scoring), or "auto": scoring where it can be had.
    absolute, relative : float
        The climb ends when a step gains no more: in log-likelihood, or as a part of it.
    iterations : int
        The most steps of a start.
    missing : bool
        Whether missing values are allowed.
    seed : int or str
        The seed of all draws; "random" takes one from the system.
    progress : callable, optional
        Told how far the climb is.
    resume : Fit, path or dictionary, optional
        A fit of the same model, or parameters, from which the climb continues.
    identify : bool
        Whether the record says which parameters are identifiable.
    max_memory : int or str, optional
        Bytes that may be used, as a number or as "4G"; half of the machine's memory without it.
    max_seconds : float, optional
        Seconds for searches about identifiability; 120 without it. No climb is ended by it.

    Returns
    -------
    Fit
        The estimates, how they were found, and which of them are identified.

    Examples
    --------
    >>> found = fit({"X1": [0, 1], "count": [3, 1]}, "states X1=2")
    >>> [round(value, 6) for value in found.parameters["X1"][0]]
    [0.75, 0.25]
    """
    begun = perf_counter()
    seed = draw_seed(seed)
    with allow(max_seconds, max_memory) as allowance:
        states = read_state_labels(resume.to_dict() if isinstance(resume, Fit) else resume)
        what = make_problem(
            data, model, parse_prior(prior, coordinates), form=format, hidden=hidden, missing=missing, states=states
        )
        tolerance = Tolerance(absolute, relative, iterations)
        search = search_for(what, method, tolerance, progress)
        with telling("the climb of the likelihood"):
            if resume is not None:
                family = what.family
                begin = family.tables(resume.parameters) if isinstance(resume, Fit) else family.read(resume)
                left, said = [search.to_the_end(what.at(begin))], "resumed"
            else:
                left, said = run_search(search, starts, seed), str(starts)
        found = make_fit(what, left, tolerance, said, seed, perf_counter() - begun)
        if not identify:
            return found
        known = len(allowance.untried)
        identified = assess_identifiability(found.model, seed)
        gaps = find_gaps(found.model, found.sample)
        return replace(found, identified=replace(identified, gaps=gaps), untried=allowance.since(known))


@check_arguments
@run_with_one_thread
def fit_at(
    data: Any,
    model: ModelLike,
    parameters: str | os.PathLike[str] | dict[str, Any],
    *,
    format: str | None = None,  # noqa: A002
    hidden: Iterable[str] = (),
    prior: Prior | str = ML,
    coordinates: str = PROBABILITY,
    missing: bool = False,
) -> Fit:
    """The record of given parameters: their log-likelihood and expected counts, no step taken.

    Parameters
    ----------
    data : path, data frame, dictionary of columns, or cases in rows
        The cases, or with a column `count` their different patterns.
    model : text, path, dictionary, graph or model
        Whatever `algdim.model` reads.
    parameters : path or dictionary
        The parameters; with the JSON of a fit the states are those of its data.
    format : str, optional
        How a file or a text is written, such as "lavaan" or "dagitty"; without it the suffix of a path tells.
    hidden : names
        Variables that are not observed, in addition to those that the model declares hidden.
    prior : str
        "ml" for none, or a prior in the words of `algdim fit --prior`.
    coordinates : str
        In which the posterior has its mode: "probability" or "softmax".
    missing : bool
        Whether missing values are allowed.

    Returns
    -------
    Fit
        The same record as that of `algdim.fit`.

    Examples
    --------
    >>> found = fit_at({"X1": [0, 1], "count": [3, 1]}, "states X1=2", {"X1": [[0.5, 0.5]]})
    >>> round(found.loglik, 6)
    -2.772589
    """
    begun = perf_counter()
    what = make_problem(
        data,
        model,
        parse_prior(prior, coordinates),
        form=format,
        hidden=hidden,
        missing=missing,
        states=read_state_labels(parameters),
    )
    climbers = what.at(what.family.read(parameters))
    return make_fit(what, [climbers], Tolerance(), "given", 0, perf_counter() - begun)


def make_fit(
    what: Problem[LikelihoodFamily],
    left: list[Climbers],
    tolerance: Tolerance,
    starts: str,
    seed: int | str,
    seconds: float,
) -> Fit:
    """The record of the best of the starts that went on to the end."""
    best = left[-1].best(1)
    check_possible(what, best)
    tables, expected = [table[0] for table in best.tables], [table[0] for table in best.expected]
    objective = float(best.objective[0])
    gain = float(best.gain[0])
    return Fit(
        model=what.family.model,
        sample=what.family.sample,
        prior=what.prior,
        parameters=what.family.name_parameters(tables),
        expected=what.family.name_counts(expected),
        loglik=objective - float(what.family.maximizer.penalty([table[None] for table in tables])[0]),
        objective=objective,
        iterations=int(sum(climbers.steps.sum() for climbers in left)),
        stopping=Stopping(
            explain_stop(best, tolerance), gain if np.isfinite(gain) else None, tolerance.absolute, tolerance.relative
        ),
        spread=tuple(sorted((float(value) for climbers in left for value in climbers.objective), reverse=True)),
        boundary=what.family.boundary(tables),
        starts=starts,
        seed=seed,
        seconds=seconds,
        ends=tuple(sorted(map(float, left[-1].objective), reverse=True)),
    )


def explain_stop(best: Climbers, tolerance: Tolerance) -> str:
    """Why the best start stopped."""
    if not best.steps[0]:
        return "given"
    if best.gain[0] <= tolerance.absolute:
        return "absolute"
    if best.gain[0] <= tolerance.relative * abs(best.objective[0]):
        return "relative"
    return "iterations"


def check_possible(what: Problem[LikelihoodFamily], best: Climbers) -> None:
    """Raise if the data cannot occur at the best parameters found."""
    if not np.isfinite(best.objective[0]):
        raise InputError(what.family.impossible(best.tables))
