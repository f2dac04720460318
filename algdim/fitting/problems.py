"""The data and the likelihood of a model, of any family that has one; which models are discrete networks for that."""

from __future__ import annotations

from typing import Any

from algdim.errors import InputError
from algdim.families import family_of, fitting_of, lacking
from algdim.families.discrete.locals import kind_of
from algdim.families.discrete.locals.function import Deterministic
from algdim.families.discrete.model import Network
from algdim.fitting.climbing import LikelihoodFamily, Problem
from algdim.fitting.maximization import ML, Prior
from algdim.fitting.samples import KnownStates
from algdim.models.anymodel import AnyModel, expect
from algdim.readers.anything import ModelLike, model


def problem_of(
    data: Any, described: ModelLike, prior: Prior, *, missing: bool = False, states: KnownStates | None = None
) -> Problem[LikelihoodFamily]:
    """Read the data for a model, with the ``states`` of other data if there are any, and prepare the maximisation."""
    found = as_network(model(described))
    fitting = fitting_of(found.family)
    if fitting is None:
        raise InputError(lacking(found.family, "fitted", "fitting", by_network=True))
    # before the data are read: what is refused here is no matter of the data
    if prior.kind != ML and not fitting.has_priors:
        raise InputError(
            f"the prior {prior}: models of the family {found.family} are fitted by maximum likelihood (ml)"
        )
    if missing and not fitting.takes_missing:
        raise InputError(
            f"missing entries are for discrete networks; models of the family {found.family} take complete cases: "
            "leave --missing (missing=True) out, and rows with empty entries too"
        )
    return Problem(fitting.prepare(found, data, prior, missing, states), prior)


def network_of(described: ModelLike, done: str = "fitted") -> Network:
    """The model, refused unless it is a discrete network whose local maps fitting knows."""
    found = expect(as_network(model(described)), Network, f"only discrete networks are {done} here")
    for variable in found.variables:
        kind = kind_of(variable.local.kind)
        if not kind.has_likelihood:
            what = kind.what.format(kind=variable.local.kind)
            raise InputError(f"{variable.name} {what}; networks with such variables are not {done}")
    if all(variable.name in found.given or isinstance(variable.local, Deterministic) for variable in found.variables):
        raise InputError(f"the model has no tables but those that are conditioned on; nothing is to be {done}")
    return found


def as_network(found: AnyModel) -> AnyModel:
    """A classifier as a network of its inputs, on which it conditions, and the class; other models as they are.

    >>> as_network(model("classifier Y: Y -> A, B")).given
    ('A', 'B')
    """
    conversion = family_of(found.family).as_network
    return found if conversion is None else conversion(found)
