"""What scores need of Gaussian models: chains of factor models for sBIC, and how well covariances agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from algdim.errors import InputError
from algdim.families.contract import Scoring
from algdim.families.gaussian.model import Gaussian
from algdim.fitting.mixedsamples import MixedSample
from algdim.scores.goodness import Goodness, goodness_of_covariances
from algdim.scores.material import Material
from algdim.scores.singular import HALF, Chain, Coefficient, CoefficientRows, factor_coefficient, half_dimensions


def chain_of(model: Gaussian) -> Chain:
    """The factor models with fewer factors."""
    return factors(model) if model.hidden else Chain((), half_dimensions)


def factors(model: Gaussian) -> Chain:
    """The models with fewer factors, if all factors are independent and lead to all variables, whose errors are."""
    hidden = [variable.name for variable in model.hidden]
    observed = [variable for variable in model.variables if variable.observed]
    free = (
        not model.bidirected
        and not model.equal
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
                Coefficient(min(means + factor_coefficient(size, count, true).value, HALF * dimension))
                for true in range(count + 1)
            ]
            for count, dimension in enumerate(dimensions)
        ]

    return Chain(tuple(with_factors(model, hidden[:count]) for count in range(len(hidden))), coefficients)


def with_factors(model: Gaussian, kept: Sequence[str]) -> Gaussian:
    """The model with some of its factors."""
    return replace(
        model,
        variables=tuple(variable for variable in model.variables if variable.observed or variable.name in kept),
        edges=tuple(edge for edge in model.edges if edge[0] in kept),
        fixed=tuple((entry, value) for entry, value in model.fixed if entry[1] in kept),
    )


def goodness_of(of: Material) -> Goodness:
    """G² of the covariances and means."""
    complete = of.report.complete
    if complete is None or not isinstance(of.fit.sample, MixedSample):
        raise InputError("the saturated model has no finite dimension")
    return goodness_of_covariances(of.fit.sample, of.fit.loglik, complete - of.report.dimension)


SCORING = Scoring(chain=chain_of, goodness=goodness_of)
