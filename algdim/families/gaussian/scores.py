"""Scores of Gaussian models: chains of factor models for sBIC, how well covariances agree, and marginal likelihoods of networks.

`exact` is the marginal likelihood of a network without latent variables under the prior of Geiger and Heckerman (1994, 2002), BGe: the
inverse covariance matrix of all n variables is Wishart with α + n + 1 degrees of freedom, and the means are normal given it, worth α cases.
It is centred at the means and variances of the data, so that units do not matter, and networks with the same independences
have the same value. For a set Y of l variables

    p(D_Y) = (α/(N + α))^(l/2) π^(−lN/2) Γ_l((a + N)/2) / Γ_l(a/2) · |T_Y|^(a/2) / |T_Y + N·S_Y|^((a + N)/2),   a = α + l + 1,

S being the covariance matrix of the data and T = α²/(α + 1) times the diagonal of their variances; a variable's factor is that of its
family over that of its parents (Kuipers, Moffa and Heckerman 2014). `cs` and `laplace` are those of conditional Gaussian
networks, with their priors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import lgamma, log, pi
from typing import TYPE_CHECKING, Any

import numpy as np

from algdim.errors import InputError
from algdim.families import load_scoring
from algdim.families.contract import Scoring
from algdim.families.gaussian.map import get_gaussian_map
from algdim.families.gaussian.model import Gaussian, format_entry
from algdim.fitting.likelihood import Numbers
from algdim.fitting.maximization import DIRICHLET
from algdim.fitting.mixedsamples import MixedSample

if TYPE_CHECKING:
    from algdim.scores.goodness import Goodness
    from algdim.scores.scoringcontext import Material
    from algdim.scores.singular import Chain, CoefficientRows


def make_submodel_chain(model: Gaussian) -> Chain:
    """The factor models with fewer factors."""
    from algdim.scores.singular import Chain, compute_regular_coefficients

    return build_factor_chain(model) if model.hidden else Chain((), compute_regular_coefficients)


def build_factor_chain(model: Gaussian) -> Chain:
    """The models with fewer factors, if all factors are independent and lead to all variables, whose errors are."""
    from algdim.scores.singular import HALF, Chain, Coefficient, compute_factor_coefficient

    hidden = [variable.name for variable in model.hidden]
    observed = [variable for variable in model.variables if variable.observed]
    free = (
        not model.bidirected
        and not (model.equal or model.linear or model.groups)
        and all(entry[0] == "v" and entry[1] in hidden for entry, _ in model.fixed)
    )
    if not free or set(model.edges) != {(factor, item.name) for factor in hidden for item in observed}:
        raise InputError(
            "sbic is for latent class models and for factors that are independent and lead to all variables, whose errors are "
            "independent too"
        )
    size = len(observed)
    means = Fraction(size, 2) if model.means else Fraction(0)

    def coefficients(dimensions: Sequence[int]) -> CoefficientRows:
        """λ of the covariances, half for each mean; never above half the dimension."""
        return [
            [
                Coefficient(min(means + compute_factor_coefficient(size, count, true).value, HALF * dimension))
                for true in range(count + 1)
            ]
            for count, dimension in enumerate(dimensions)
        ]

    return Chain(tuple(select_factors(model, hidden[:count]) for count in range(len(hidden))), coefficients)


def select_factors(model: Gaussian, kept: Sequence[str]) -> Gaussian:
    """The model with some of its factors."""
    return replace(
        model,
        variables=tuple(variable for variable in model.variables if variable.observed or variable.name in kept),
        edges=tuple(edge for edge in model.edges if edge[0] in kept),
        fixed=tuple((entry, value) for entry, value in model.fixed if entry[1] in kept),
    )


def compute_goodness(of: Material) -> Goodness:
    """G² of the covariances and means."""
    from algdim.scores.goodness import measure_covariance_goodness

    complete = of.report.complete
    if complete is None or not isinstance(of.fit.sample, MixedSample):
        raise InputError("the saturated model has no finite dimension")
    return measure_covariance_goodness(of.fit.sample, of.fit.loglik, complete - of.report.dimension)


def check_network(of: Material, what: str) -> Gaussian:
    """The model, refused unless it is a network whose data are complete: no correlated errors, cycles, groups or sums."""
    model: Gaussian = of.fit.model
    plain = not (model.bidirected or model.linear or model.groups) and get_gaussian_map(model).is_polynomial
    if not plain or not model.means or of.fit.sample.missing:
        raise InputError(
            f"{what} is for Gaussian networks with means and complete data: no correlated errors, cycles, groups or sums; "
            "bic and bic+ are for all"
        )
    if of.prior.kind != DIRICHLET:
        raise InputError(f"{what} of Gaussian networks takes a number of prior cases; give --alpha 1, say")
    return model


def compute_bge(of: Material) -> float:
    """The marginal likelihood of a network in which all is observed and all numbers are free."""
    model = check_network(of, "exact")
    if model.hidden or model.fixed or model.equal:
        raise InputError(
            "exact is for Gaussian networks without latent variables and with free numbers; cs is for others"
        )
    place = {variable.name: number for number, variable in enumerate(model.variables)}
    total = 0.0
    for name, number in place.items():
        parents = [place[one] for one, other in model.edges if other == name]
        total += integrate_block(of.fit.sample, [*parents, number], of.prior.amount)
        total -= integrate_block(of.fit.sample, parents, of.prior.amount)
    return total


def integrate_block(sample: MixedSample, places: Sequence[int], alpha: float) -> float:
    """Log p(D_Y)."""
    size, count = len(places), sample.size
    known = sample.covariance[np.ix_(places, places)]
    prior = alpha**2 / (alpha + 1) * np.diag(known.diagonal())
    freedom = alpha + size + 1
    found = size / 2 * (log(alpha / (count + alpha)) - count * log(pi))
    for k in range(size):
        found += lgamma((freedom + count - k) / 2) - lgamma((freedom - k) / 2)
    return found + freedom / 2 * log_determinant(prior) - (freedom + count) / 2 * log_determinant(prior + count * known)


def log_determinant(matrix: Numbers) -> float:
    """Log |·|, 0 of an empty matrix."""
    return float(np.linalg.slogdet(matrix)[1])


def convert_to_mixed(of: Material, what: str) -> Material:
    """The same fit as that of a conditional Gaussian network without discrete variables."""
    from algdim.models.anymodel import read_model_dictionary

    model = check_network(of, what)
    numbers = get_gaussian_map(model)
    values = of.fit.parameters
    sections = {"b": "coefficients", "v": "variances", "m": "means"}
    named = {
        format_entry(entry): values[sections[entry[0]]]["->".join(entry[1:])]
        for entry in model.entries
        if entry in numbers.number_of
    }
    data = {
        "family": "conditional-gaussian",
        "variables": [{"name": one.name, "observed": one.observed} for one in model.variables],
        "edges": [list(edge) for edge in model.edges],
        "fixed": {format_entry(entry): str(value) for entry, value in model.fixed},
        "equal": {format_entry(entry): label for entry, label in model.equal},
    }
    found = read_model_dictionary({key: value for key, value in data.items() if value})
    return replace(of, fit=replace(of.fit, model=found, parameters=named))


def score_as_mixed(of: Material, what: str) -> float:
    """A score of the conditional Gaussian network."""
    scoring, mixed = load_scoring("conditional-gaussian"), convert_to_mixed(of, what)
    score: Any = scoring.score_completed if what == "cs" else scoring.score_laplace
    return float(score(mixed))


SCORING = Scoring(
    find_chain=make_submodel_chain,
    measure_goodness=compute_goodness,
    score_exact=compute_bge,
    score_completed=lambda of: score_as_mixed(of, "cs"),
    score_laplace=lambda of: score_as_mixed(of, "laplace"),
    takes_prior=lambda prior: bool(prior.kind == DIRICHLET),
    why_no_prior="of priors the scores of Gaussian networks take alpha, the number of prior cases; leave ess out",
)
