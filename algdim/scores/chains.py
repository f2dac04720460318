"""The chains of models that sBIC compares: latent classes, and factors of normal variables; each model within the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from algdim.errors import InputError
from algdim.families.discrete.bounds.latentclass import rooted, with_classes
from algdim.families.discrete.model import Network
from algdim.families.gaussian.model import Gaussian
from algdim.models.anymodel import AnyModel
from algdim.scores.singular import HALF, Coefficient, factor_coefficient, latent_class_coefficients

Rows = list[list[Coefficient]]


@dataclass(frozen=True, slots=True)
class Chain:
    """The models below one, smallest first, and the coefficients of all of them by their dimensions."""

    below: tuple[AnyModel, ...]
    coefficients: Callable[[Sequence[int]], Rows]


def chain_of(model: AnyModel) -> Chain:
    """The chain that ends at a latent class model, a factor model, or a model without hidden variables.

    >>> from algdim.models.notation import parse, to_text
    >>> [to_text(one) for one in chain_of(parse("3:2,2,2,2")).below]
    ['1:2,2,2,2', '2:2,2,2,2']
    >>> [to_text(one) for one in chain_of(parse("gaussian: F -> X, Y, Z; hidden F")).below]
    ['gaussian: X, Y, Z']
    """
    if isinstance(model, Gaussian) and model.hidden:
        return factors(model)
    if isinstance(model, Network) and model.hidden:
        try:
            model = rooted(model)
        except InputError:
            raise InputError(
                "sbic is for latent class models with free tables, for factors, and for models without hidden variables"
            ) from None
        width = sum(item.states - 1 for item in model.observed)
        below = tuple(with_classes(model, classes) for classes in range(1, model.hidden[0].states))
        return Chain(below, lambda dimensions: latent_class_coefficients(dimensions, width))
    if not isinstance(model, Gaussian | Network):
        raise InputError(f"sbic is for latent class models and factors, not for the family {model.family}")
    return Chain((), lambda dimensions: [[Coefficient(HALF * dimension) for dimension in dimensions]])


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

    def coefficients(dimensions: Sequence[int]) -> Rows:
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
