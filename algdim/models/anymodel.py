"""A model of any family."""

from __future__ import annotations

from typing import Protocol, TypeGuard, TypeVar

from algdim.errors import InputError
from algdim.families import FOLDERS

M = TypeVar("M")


class AnyModel(Protocol):
    """A frozen record that names its family."""

    @property
    def family(self) -> str:
        """The name of the family."""


def is_model(x: object) -> TypeGuard[AnyModel]:
    """Whether something is the record of a model; other libraries have objects with a family too."""
    return type(x).__module__.startswith("algdim.families.") and getattr(x, "family", None) in FOLDERS


def expect(model: AnyModel, record: type[M], sentence: str) -> M:
    """Return a model of one kind of record, or raise with the sentence and the family that was given."""
    if not isinstance(model, record):
        raise InputError(f"{sentence}; this one is of the family {model.family}")
    return model
