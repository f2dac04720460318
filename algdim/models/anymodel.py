"""A model of any family.

Variables that cannot matter: a hidden variable without observed descendants drops out, in every family that has any.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeGuard, TypeVar

from algdim.errors import InputError, listed
from algdim.families import family_of, is_available
from algdim.trust import Trust, proved_by

M = TypeVar("M")


class AnyModel(Protocol):
    """A frozen record that names its family."""

    @property
    def family(self) -> str:
        """The name of the family."""


def is_model(x: object) -> TypeGuard[AnyModel]:
    """Whether something is the record of a model; other libraries have objects with a family too."""
    return type(x).__module__.startswith("algdim.families.") and is_available(getattr(x, "family", None))


def expect(model: AnyModel, record: type[M], sentence: str) -> M:
    """Return a model of one kind of record, or raise with the sentence and the family that was given."""
    if not isinstance(model, record):
        raise InputError(f"{sentence}; this one is of the family {model.family}")
    return model


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


def why_removed(family: str, removed: Sequence[str]) -> tuple[Trust, ...]:
    """Trust that nothing observed changes when these are removed, as `without_irrelevant` does; none where nothing is.

    >>> from algdim.models.notation import parse
    >>> [trust.facts for trust in why_removed("discrete", without_irrelevant(parse("O -> X; hidden X"))[1])]
    ['X: hidden, without observed descendants']
    """
    if not removed:
        return ()
    found = family_of(family)
    return (proved_by(found.removal, f"{listed(removed)}: hidden, {found.removed}"),)
