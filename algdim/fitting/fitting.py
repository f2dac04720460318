"""Fit a model to data by EM (CH96 §2, MH97 §4.1), and evaluate given parameters in the same record."""

from __future__ import annotations

import os
from time import perf_counter
from typing import Any

import numpy as np

from algdim.errors import InputError, listed
from algdim.exact.draws import drawn_seed
from algdim.fitting.climbing import Climbers, Problem, Progress, Tolerance, problem
from algdim.fitting.likelihood import Tables
from algdim.fitting.networks import network_of
from algdim.fitting.priors import ML, PROBABILITY, Prior, prior_of
from algdim.fitting.record import Fit, Stopping, arrays_of, boundary_entries, named_rows
from algdim.fitting.samples import read_sample
from algdim.fitting.searching import AUTO, search_for, searched
from algdim.maps.factors import ParamMap, param_map
from algdim.readers.anything import ModelLike
from algdim.readers.parameters import read_parameters


def fit(
    data: Any,
    model: ModelLike,
    *,
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
) -> Fit:
    """Fit a discrete network to data by maximum likelihood, or by the mode of the posterior under a prior.

    ``starts`` is `auto`, `staged` (CH96 §3) or a number of random starts that all climb to the end. ``method`` is `em`,
    `scoring` (EM first, then damped scoring) or `auto`: scoring where it can be had. ``resume`` is a fit of the same model
    or a parameter file, from which the climb goes on.

    >>> found = fit({"X1": [0, 1], "count": [3, 1]}, "states X1=2")
    >>> [round(value, 6) for value in found.parameters["X1"][0]]
    [0.75, 0.25]
    """
    begun = perf_counter()
    network = network_of(model)
    seed = drawn_seed(seed)
    sample = read_sample(data, network, missing=missing)
    what = problem(param_map(network), sample, prior_of(prior, coordinates))
    tolerance = Tolerance(absolute, relative, iterations)
    search = search_for(what, method, tolerance, progress)
    if resume is not None:
        begin = resume.parameters if isinstance(resume, Fit) else read_parameters(resume, network)
        left = [search.on(what.at(arrays_of(what.pmap, begin)), iterations)]
        return recorded(what, left, tolerance, "resumed", seed, perf_counter() - begun)
    left = searched(search, starts, seed)
    return recorded(what, left, tolerance, str(starts), seed, perf_counter() - begun)


def fit_at(
    data: Any,
    model: ModelLike,
    parameters: str | os.PathLike[str] | dict[str, Any],
    *,
    prior: Prior | str = ML,
    coordinates: str = PROBABILITY,
    missing: bool = False,
) -> Fit:
    """The record of given parameters: their log-likelihood and expected counts, no step taken."""
    begun = perf_counter()
    network = network_of(model)
    sample = read_sample(data, network, missing=missing)
    what = problem(param_map(network), sample, prior_of(prior, coordinates))
    climbers = what.at(given_tables(what.pmap, parameters))
    return recorded(what, [climbers], Tolerance(), "given", 0, perf_counter() - begun)


def given_tables(pmap: ParamMap, parameters: str | os.PathLike[str] | dict[str, Any]) -> Tables:
    """The arrays at the parameters of a file or dictionary, as one restart."""
    return arrays_of(pmap, read_parameters(parameters, pmap.model))


def recorded(
    what: Problem, left: list[Climbers], tolerance: Tolerance, starts: str, seed: int | str, seconds: float
) -> Fit:
    """The record of the best of the starts that went on to the end."""
    best = left[-1].best(1)
    check_possible(what, best)
    tables, expected = [table[0] for table in best.tables], [table[0] for table in best.expected]
    objective = float(best.objective[0])
    gain = float(best.gain[0])
    return Fit(
        model=what.pmap.model,
        sample=what.sample,
        prior=what.prior,
        parameters=named_rows(what.pmap, tables),
        expected=named_rows(what.pmap, expected),
        loglik=objective - float(what.maximizer.penalty([table[None] for table in tables])[0]),
        objective=objective,
        iterations=int(sum(climbers.steps.sum() for climbers in left)),
        stopping=Stopping(
            reason(best, tolerance), gain if np.isfinite(gain) else None, tolerance.absolute, tolerance.relative
        ),
        spread=tuple(sorted((float(value) for climbers in left for value in climbers.objective), reverse=True)),
        boundary=boundary_entries(what.pmap, tables, what.sample.size),
        starts=starts,
        seed=seed,
        seconds=seconds,
    )


def reason(best: Climbers, tolerance: Tolerance) -> str:
    """Why the best start stopped."""
    if not best.steps[0]:
        return "given"
    if best.gain[0] <= tolerance.absolute:
        return "absolute"
    if best.gain[0] <= tolerance.relative * abs(best.objective[0]):
        return "relative"
    return "iterations"


def check_possible(what: Problem, best: Climbers) -> None:
    """Raise if the data cannot occur at the best parameters found."""
    if np.isfinite(best.objective[0]):
        return
    logs = what.evaluator(1).log_values(best.tables)[0]
    number = int(np.argmin(logs))
    pattern = zip(what.sample.names, what.sample.states, what.sample.patterns[number], strict=True)
    shown = listed(f"{name}={states[code]}" for name, states, code in pattern if code >= 0)
    raise InputError(
        f"the data hold the pattern {shown}, whose probability is 0 at the parameters; "
        "check the fixed entries and deterministic nodes of the model, or the parameters given"
    )
