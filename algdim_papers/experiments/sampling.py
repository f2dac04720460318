"""Random parameters, data from them, and the scores of fits without what a report says besides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.families.discrete.model import Network
from algdim.families.discrete.stacks import StackedFits, fit_stack
from algdim.fitting.em import Tolerance
from algdim.fitting.fitting import fit
from algdim.fitting.likelihood import Numbers, Tables
from algdim.fitting.maximization import BDEU, DIRICHLET, ML, Prior, make_even_tables
from algdim.fitting.record import Fit, convert_to_arrays
from algdim.fitting.samples import Sample
from algdim.fitting.searching import EM, STAGED
from algdim.models.notation import parse
from algdim.report import dimension
from algdim.scores.dirichlet import Priors, make_priors
from algdim.scores.information import compute_cell_probabilities, compute_distribution
from algdim.scores.laplace import compute_laplace
from algdim.scores.marginal import apply_effective_dimension, compute_cheeseman_stutz, compute_mled
from algdim.scores.named import compute_bic, compute_draper

BDEU_1 = Prior(BDEU, 1.0)
UNIFORM = Prior(DIRICHLET, 1.0)
INSIDE = Prior(DIRICHLET, 1.1)
"""Its mode lies inside. Where the greatest likelihood is a curve or more of parameters, CS differs by nats along it."""
NEAR = 1e-5
"""Nats that the last step of a fit may gain."""


@cache
def parse_network(text: str) -> Network:
    """The network of a notation."""
    found = parse(text)
    assert isinstance(found, Network)  # noqa: S101
    return found


@cache
def make_map(model: Network) -> ParamMap:
    """The map of a model, made once."""
    return get_param_map(model)


@cache
def compute_dimensions(text: str) -> tuple[int, int]:
    """The number of parameters and the effective dimension."""
    found = dimension(parse(text))
    return found.standard, found.dimension


def draw_tables(model: Network, random: np.random.Generator) -> Tables:
    """Rows of free tables, uniform on their simplices; what is deterministic stays."""
    pmap = make_map(model)
    free = {number for number, owner in enumerate(pmap.owners) if is_free(model, owner)}
    return [
        random.dirichlet(np.ones(table.shape[-1]), size=table.shape[:-1])[None] if number in free else table[None]
        for number, table in enumerate(make_even_tables(pmap))
    ]


def is_free(model: Network, owner: str) -> bool:
    """Whether the tables of this name are tables of parameters."""
    return any(
        isinstance(variable.local, Table) and owner in (variable.local.share, variable.name)
        for variable in model.variables
    )


def compute_cell_chances(model: Network, tables: Tables) -> Numbers:
    """The distribution of the observed variables, an axis for each."""
    pmap = make_map(model)
    return compute_cell_probabilities(pmap, tables).counts.reshape(pmap.shape)


def sample_of(names: Sequence[str], counts: Numbers) -> Sample:
    """The sample with these counts of cells, an axis for each variable."""
    cells = np.array(list(product(*map(range, counts.shape))), dtype=np.int64)
    shown = counts.ravel() > 0
    states = tuple(tuple(map(str, range(size))) for size in counts.shape)
    return Sample(tuple(names), states, cells[shown], counts.ravel()[shown].astype(np.float64))


def draw_sample(model: Network, chances: Numbers, size: int, random: np.random.Generator) -> Sample:
    """This many cases from a distribution of the model's observed variables."""
    counts = np.asarray(random.multinomial(size, chances.ravel() / chances.sum()), dtype=np.float64).reshape(
        chances.shape
    )
    return sample_of([variable.name for variable in model.observed], counts)


def draw_mixture_sample(
    classes: int, items: int, size: int, random: np.random.Generator, of: np.random.Generator | None = None
) -> Sample:
    """Cases of binary items from classes whose rows are uniform (CH96 §3), for any number of items; the model from ``of`` if it is given."""
    source = random if of is None else of
    weights = source.dirichlet(np.ones(classes))
    chances = source.random((classes, items))
    which = random.choice(classes, size=size, p=weights)
    cases = (random.random((size, items)) < chances[which]).astype(np.int64)
    patterns, counts = np.unique(cases, axis=0, return_counts=True)
    names = tuple(f"X{number}" for number in range(1, items + 1))
    return Sample(names, (("0", "1"),) * items, patterns, counts.astype(np.float64))


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """The scores at one fit, computed as asked."""

    fit: Fit
    priors: Priors
    """Of every row."""
    tables: Tables
    """The parameters."""
    expected: Tables
    """The expected counts."""

    def bic(self, dimension: int) -> float:
        """BIC with a dimension."""
        return compute_bic(self.fit.loglik, dimension, self.fit.sample.size)

    def draper(self, dimension: int) -> float:
        """Draper's score with a dimension."""
        return compute_draper(self.fit.loglik, dimension, self.fit.sample.size)

    def mled(self) -> float:
        """CH96 Eq. 12."""
        return compute_mled(self.priors, self.expected)

    def cs(self) -> float:
        """Cheeseman and Stutz's score."""
        return compute_cheeseman_stutz(self.priors, self.tables, self.expected, self.fit.loglik)

    def laplace(self) -> float:
        """CH96 Eq. 8, whatever the dimension is."""
        return compute_laplace(self.priors, self.fit.sample, self.tables, self.fit.loglik)


def score_fit(found: Fit, prior: Prior) -> Scored:
    """A fit with its numbers as arrays."""
    pmap = make_map(found.model)
    return Scored(
        found,
        make_priors(pmap, prior),
        convert_to_arrays(pmap, found.parameters),
        convert_to_arrays(pmap, found.expected),
    )


def score_maximum(sample: Sample, text: str, seed: int = 0, prior: Prior = BDEU_1) -> Scored:
    """The greatest likelihood, and what scores it has."""
    return score_fit(fit(sample, parse_network(text), absolute=NEAR, seed=seed, identify=False), prior)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredStack:
    """What is asked of the fits of one model to many samples."""

    fits: StackedFits
    priors: Priors

    def cs(self) -> Numbers:
        """Cheeseman and Stutz's score of each sample."""
        fits, priors = self.fits, self.priors
        return priors.log_marginal(fits.expected) - priors.log_likelihood(fits.tables, fits.expected) + fits.logliks

    def divergence(self, truth: Numbers, number: int) -> float:
        """The divergence of a sample's fit from the truth, in nats."""
        tables = [table[number : number + 1] for table in self.fits.tables]
        return compare_distributions(truth, compute_cell_chances(self.priors.pmap.model, tables))


def score_maxima(stack: Numbers, text: str, seeds: Sequence[int], prior: Prior = BDEU_1) -> ScoredStack:
    """`score_maximum` of samples side by side, as counts of all cells; each seed is that of a sample's starts."""
    pmap = make_map(parse_network(text))
    return ScoredStack(fit_stack(pmap, stack, seeds, Prior(ML), Tolerance(NEAR)), make_priors(pmap, prior))


class Climb(NamedTuple):
    """How far EM goes from the starts of CH96 §3: at most so many steps, or until one of them gains less (nats)."""

    steps: int
    gain: float


TO_THE_TOP = Climb(3000, 1e-6)
"""Farther than CH96's 200 steps, to a maximum."""
NEARLY = Climb(3000, NEAR)
"""Where scores differ by less than the choice of the point, on a ridge."""
AS_PRINTED = Climb(200, 0.0)
"""CH96 §3: 200 steps, however little they gain."""


def score_posterior_mode(sample: Sample, text: str, epsilon: float, seed: int = 0, climb: Climb = TO_THE_TOP) -> Scored:
    """The mode of the posterior under Dirichlet(1 + ε) from the starts of CH96 §3."""
    prior = Prior(DIRICHLET, 1 + epsilon)
    found = fit(
        sample,
        parse_network(text),
        prior=prior,
        starts="staged",
        method="em",
        absolute=climb.gain,
        iterations=climb.steps,
        seed=seed,
        identify=False,
    )
    return score_fit(found, prior)


def score_posterior_modes(
    stack: Numbers, text: str, epsilon: float, seeds: Sequence[int], climb: Climb = TO_THE_TOP
) -> ScoredStack:
    """`score_posterior_mode` of samples side by side."""
    pmap, prior = make_map(parse_network(text)), Prior(DIRICHLET, 1 + epsilon)
    tolerance = Tolerance(climb.gain, iterations=climb.steps)
    return ScoredStack(fit_stack(pmap, stack, seeds, prior, tolerance, STAGED, EM), make_priors(pmap, prior))


def compute_divergence(truth: Numbers, found: Fit) -> float:
    """The Kullback-Leibler divergence of a fit from the truth, in nats."""
    return compare_distributions(truth, compute_distribution(found))


def compare_distributions(truth: Numbers, other: Numbers) -> float:
    """The Kullback-Leibler divergence of a distribution from the truth, in nats."""
    shown = truth > 0
    with np.errstate(divide="ignore"):
        return float((truth[shown] * (np.log(truth[shown]) - np.log(other[shown]))).sum())


def compute_four_scores(loglik: float, completed: float, text: str, size: float) -> dict[str, float]:
    """KZ02's scores, from the greatest log-likelihood and CS."""
    standard, effective = compute_dimensions(text)
    return {
        "BIC": compute_bic(loglik, standard, size),
        "BIC+": compute_bic(loglik, effective, size),
        "CS": completed,
        "CS+": apply_effective_dimension(completed, standard, effective, size),
    }
