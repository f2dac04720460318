"""Variables that a file cannot call hidden."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from algdim.errors import InputError, listed
from algdim.families.discrete.model import Network
from algdim.families.gaussian.model import Gaussian
from algdim.families.latentprofile.model import LatentProfile
from algdim.families.loglinear.model import LogLinear
from algdim.models.anymodel import AnyModel


def with_hidden(model: AnyModel, hidden: Iterable[str]) -> AnyModel:
    """The same model in which these variables are hidden too.

    >>> from algdim.models.notation import parse, to_text
    >>> to_text(with_hidden(parse("A -> B -> C"), ["B"]))
    'A -> B -> C; hidden B'
    """
    chosen = {hidden} if isinstance(hidden, str) else set(hidden)
    if not chosen:
        return model
    if not isinstance(model, (Network, Gaussian, LatentProfile, LogLinear)):
        raise InputError(f"a model of the family {model.family} has no variables that could be hidden")
    record: Any = model
    names = [variable.name for variable in model.variables]
    unknown = sorted(chosen.difference(names))
    if unknown:
        raise InputError(f"hidden {listed(unknown)}: there is no such variable; known are {listed(names)}")
    variables = tuple(
        replace(variable, observed=False) if variable.name in chosen else variable for variable in record.variables
    )
    hiding: AnyModel = replace(record, variables=variables)
    return hiding
