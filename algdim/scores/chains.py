"""The chains of models that sBIC compares: latent classes, and factors of normal variables; each model within the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from algdim.errors import InputError
from algdim.families import scoring
from algdim.models.anymodel import AnyModel
from algdim.scores.singular import HALF, Coefficient

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
    chain = scoring(model.family).chain
    if chain is None:
        raise InputError(f"sbic is for latent class models and factors, not for the family {model.family}")
    found: Chain = chain(model)
    return found


def half_dimensions(dimensions: Sequence[int]) -> Rows:
    """The coefficients of models that are regular."""
    return [[Coefficient(HALF * dimension) for dimension in dimensions]]
