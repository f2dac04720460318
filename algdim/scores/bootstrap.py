"""The parametric bootstrap of a fit: how often data that are drawn from it are fitted as badly, or gain as much by a larger model.

With no other model the statistic is G², against all distributions; with a larger one it is twice the difference of the greatest
log-likelihoods (BLRT, McLachlan 1987). No reference distribution is needed, so it holds where Wilks's theorem does not: with one class more,
or with cells that are sparse. The p-value counts the fit itself, (1 + how often) / (1 + draws).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.arguments import check_arguments
from algdim.errors import InputError
from algdim.exact.draws import draw_seed
from algdim.exact.threads import run_with_one_thread
from algdim.fitting.fitting import fit
from algdim.fitting.maximization import Prior
from algdim.fitting.mixedsamples import MixedSample
from algdim.fitting.problems import make_problem
from algdim.fitting.record import Fit
from algdim.fitting.samples import Sample
from algdim.fitting.simulating import simulate
from algdim.models.notation import to_text
from algdim.readers.anything import ModelLike
from algdim.scores.goodness import compute_saturated_normal

MOST_DRAWS = 100_000
TOLERANCE = 1e-6
"""What fits leave: a statistic that is greater by less is not greater."""


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """A statistic of the data, those of drawn data, and the share of these that are not smaller."""

    model: str
    against: str
    statistic: float
    drawn: tuple[float, ...]
    p: float
    seed: int | str

    def to_dict(self) -> dict[str, Any]:
        """The form of --json."""
        return {
            "model": self.model,
            "against": self.against or None,
            "statistic": self.statistic,
            "p": self.p,
            "draws": len(self.drawn),
            "drawn": list(self.drawn),
            "seed": self.seed,
        }

    def __str__(self) -> str:
        what = f"2 log likelihood ratio against {self.against}" if self.against else "G²"
        mean = float(np.mean(self.drawn))
        return f"bootstrap: {what} {self.statistic:.4f}, p = {self.p:.4f} by {len(self.drawn)} draws from the fit, whose mean is {mean:.4f}"


def check_bootstrap(
    data: Any, model: ModelLike, against: ModelLike | None, draws: int, *, missing: bool = False
) -> None:
    """Raise if such data have no statistic, or too many are to be drawn: before anything is fitted."""
    if isinstance(draws, bool) or not isinstance(draws, int) or not 1 <= draws <= MOST_DRAWS:
        raise InputError(f"{draws!r} draws; an integer from 1 to {MOST_DRAWS} is allowed")
    sample = make_problem(data, model, Prior(), missing=missing).family.sample
    if sample.size != int(sample.size):
        raise InputError(f"there are {sample.size:g} cases; data sets have an integer number of cases")
    if sample.missing:
        raise InputError("entries are missing, and the bootstrap draws complete cases; fit those that are complete")
    if against is not None:
        make_problem(data, against, Prior(), missing=missing)
    elif isinstance(sample, MixedSample) and not sample.names:
        if sample.groups:
            raise InputError("the bootstrap draws cases of one group; G² and its χ² distribution are with score")
    elif not isinstance(sample, Sample):
        raise InputError("G² is that of discrete data, or of continuous data; compare with a larger model (against)")


def compute_saturated(sample: Sample | MixedSample, given: Sequence[str] = ()) -> float:
    """The greatest log-likelihood of any distribution: of cells given what is conditioned on, or of normal distributions."""
    if isinstance(sample, Sample):
        conditions, of = find_conditions(sample, given)
        totals = np.bincount(of, weights=sample.counts, minlength=len(conditions))
        return float(sample.counts @ np.log(sample.counts / totals[of]))
    return compute_saturated_normal(sample)


def find_conditions(sample: Sample, given: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """The different joint states of what is conditioned on, and that of each pattern."""
    if not given:
        return np.zeros((1, 0), dtype=np.int64), np.zeros(len(sample.counts), dtype=np.intp)
    columns = [sample.names.index(name) for name in given]
    conditions, of = np.unique(sample.patterns[:, columns], axis=0, return_inverse=True)
    return conditions, of.ravel()


def draw_alike(found: Fit, seed: str) -> dict[str, Any]:
    """As many cases from the fit as there are data; what is conditioned on has the states that it has there."""
    given = getattr(found.model, "given", ())
    if not given:
        return dict(simulate(found.model, found.parameters, int(found.sample.size), seed=seed).columns)
    conditions, of = find_conditions(found.sample, given)
    whole, states = replace(found.model, given=()), found.model.states
    parts = []
    for number, condition in enumerate(conditions.tolist()):
        shown = {
            name: [[float(one == state) for one in range(states[name])]]
            for name, state in zip(given, condition, strict=True)
        }
        count = int(found.sample.counts[of == number].sum())
        if count:
            parts.append(simulate(whole, {**found.parameters, **shown}, count, seed=f"{seed}.{number}").columns)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


@check_arguments
@run_with_one_thread
def bootstrap(
    data: Any,
    model: ModelLike,
    *,
    against: ModelLike | None = None,
    draws: int = 100,
    starts: int | str = 10,
    seed: int | str = 0,
    progress: Callable[[int, float], None] | None = None,
) -> Bootstrap:
    """Test a model by data that are drawn from its fit: against all distributions by G², or against a larger model.

    Parameters
    ----------
    data : path, data frame, dictionary of columns, or cases in rows
        The cases, or with a column `count` their different patterns.
    model : text, path, dictionary, graph or model
        Whatever `algdim.model` reads.
    against : text, path, dictionary, graph or model, optional
        A larger model, as one with another class.
    draws : int
        How many data sets are drawn and fitted.
    starts : int or str
        Random starts of each fit, as in `algdim.fit`.
    seed : int or str
        The seed of all draws; "random" takes one from the system.
    progress : callable, optional
        Told how many draws are done.

    Returns
    -------
    Bootstrap
        The statistic, those of the draws, and the p-value.

    Examples
    --------
    >>> data = {"A": [0, 0, 1, 1], "B": [0, 1, 0, 1], "count": [40, 10, 10, 40]}
    >>> bootstrap(data, "1:2,2", draws=19).p
    0.05
    """
    check_bootstrap(data, model, against, draws)
    seed = draw_seed(seed)
    estimate = partial(fit, starts=starts, seed=seed, identify=False)
    found = estimate(data, model)
    larger = None if against is None else estimate(found.sample, against)

    def measure(one: Fit, other: Fit | None) -> float:
        best = compute_saturated(one.sample, getattr(one.model, "given", ())) if other is None else other.loglik
        return 2 * (best - one.loglik)

    statistic, drawn = measure(found, larger), []
    for number in range(draws):
        one = estimate(draw_alike(found, f"{seed}.bootstrap.{number}"), found.model)
        drawn.append(measure(one, None if larger is None else estimate(one.sample, larger.model)))
        if progress is not None:
            progress(number + 1, drawn[-1])
    not_smaller = sum(one >= statistic - TOLERANCE for one in drawn)
    name = "" if larger is None else to_text(larger.model)
    return Bootstrap(to_text(found.model), name, statistic, tuple(drawn), (1 + not_smaller) / (1 + draws), seed)
