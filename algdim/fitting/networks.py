"""Which models are discrete networks: these themselves, and classifiers as networks that condition on their inputs."""

from __future__ import annotations

from algdim.errors import InputError
from algdim.families import family_of
from algdim.families.discrete.locals import kind_of
from algdim.families.discrete.locals.function import Deterministic
from algdim.families.discrete.model import Network
from algdim.models.anymodel import AnyModel, expect
from algdim.readers.anything import ModelLike, model


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
