"""Variables that cannot matter: a hidden variable without observed descendants drops out, in every family that has any."""

from __future__ import annotations

from typing import Any, TypeVar

from algdim.families import family_of

Model = TypeVar("Model", bound=Any)


def without_irrelevant(model: Model) -> tuple[Model, tuple[str, ...]]:
    """Remove hidden variables without observed descendants (KZ02 §1's O → X); also return their names.

    >>> from algdim.models.notation import parse
    >>> smaller, removed = without_irrelevant(parse("O -> X; hidden X"))
    >>> [variable.name for variable in smaller.variables], removed
    (['O'], ('X',))
    """
    remove = family_of(model.family).without_irrelevant
    return (model, ()) if remove is None else remove(model)
