"""Fit a model to data by EM (CH96 §2, MH97 §4.1), and evaluate given parameters in the same record."""

from __future__ import annotations

import os
from time import perf_counter
from typing import Any

import numpy as np

from algdim.errors import InputError, listed
from algdim.exact.draws import drawn_seed
from algdim.fitting.climbing import Climbers, Problem, Progress, Tolerance, climb, problem, random_starts, staged
from algdim.fitting.likelihood import Tables
from algdim.fitting.priors import ML, PROBABILITY, Prior, prior_of
from algdim.fitting.record import Fit, Stopping, boundary_entries, named_rows
from algdim.fitting.samples import read_sample
from algdim.maps.factors import ParamMap, param_map
from algdim.models.embedded import Embedded
from algdim.models.network import Network
from algdim.models.sigmoid import Sigmoid
from algdim.readers.anything import ModelLike
from algdim.readers.anything import model as read_model
from algdim.readers.parameters import read_parameters

STAGED = "staged"
AUTO = "auto"
MOST_STARTS = 100_000


def fit(
    data: Any,
    model: ModelLike,
    *,
    prior: Prior | str = ML,
    coordinates: str = PROBABILITY,
    starts: int | str = AUTO,
    absolute: float = 1e-8,
    relative: float = 0.0,
    iterations: int = 10_000,
    missing: bool = False,
    seed: int | str = 0,
    progress: Progress | None = None,
) -> Fit:
    """Fit a discrete network to data by maximum likelihood, or by the mode of the posterior under a prior.

    ``starts`` is `auto`, `staged` (CH96 §3) or a number of random starts that all climb to the end.

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
    left = searched(what, starts, seed, tolerance, progress)
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


def network_of(model: ModelLike) -> Network:
    """The model, refused unless it is a discrete network."""
    found = read_model(model)
    if not isinstance(found, Network):
        raise InputError(f"models of the family {found.family} are not fitted in this version; discrete networks are")
    weighted = [variable.name for variable in found.variables if isinstance(variable.local, Sigmoid)]
    if weighted:
        raise InputError(f"{listed(weighted)} {'is' if len(weighted) == 1 else 'are'} sigmoid; only tables are fitted")
    embedded = [variable.name for variable in found.variables if isinstance(variable.local, Embedded)]
    if embedded:
        raise InputError(
            f"{listed(embedded)} {'has' if len(embedded) == 1 else 'have'} a classifier; only tables are fitted"
        )
    return found


def given_tables(pmap: ParamMap, parameters: str | os.PathLike[str] | dict[str, Any]) -> Tables:
    """The arrays at the parameters of a file or dictionary, as one restart."""
    from algdim.fitting.climbing import even_tables

    found = read_parameters(parameters, pmap.model)
    return [
        np.array([[float(value) for value in row] for row in found[owner]]).reshape(1, *entries.shape)
        if owner in found
        else table[None]
        for owner, entries, table in zip(pmap.owners, pmap.arrays, even_tables(pmap), strict=True)
    ]


def searched(
    what: Problem, starts: int | str, seed: int | str, tolerance: Tolerance, progress: Progress | None
) -> list[Climbers]:
    """The starts of a strategy where they ended, the stages' losers first."""
    if starts in (AUTO, STAGED):
        return staged(what, seed, tolerance, progress)
    if isinstance(starts, bool) or not isinstance(starts, int) or not 1 <= starts <= MOST_STARTS:
        known = listed((AUTO, STAGED, f"a number from 1 to {MOST_STARTS}"))
        raise InputError(f"starts: {starts!r} is not known; known are {known}")
    return [climb(what, random_starts(what, seed, starts), tolerance.iterations, tolerance, progress)]


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
