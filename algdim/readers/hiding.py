"""Variables that a file cannot call hidden."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from algdim.errors import InputError, listed
from algdim.families import family_of
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
    if not family_of(model.family).can_hide:
        raise InputError(f"a model of the family {model.family} has no variables that could be hidden")
    record: Any = model
    names = [variable.name for variable in record.variables]
    unknown = sorted(chosen.difference(names))
    if unknown:
        raise InputError(f"hidden {listed(unknown)}: there is no such variable; known are {listed(names)}")
    variables = tuple(
        replace(variable, observed=False) if variable.name in chosen else variable for variable in record.variables
    )
    hiding: AnyModel = replace(record, variables=variables)
    return hiding
