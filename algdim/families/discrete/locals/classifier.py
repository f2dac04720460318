"""The local map "classifier": p(y|parents) of a network over the variable and its parents (HM97 §2's definition).

The parameters of that network are its own; no other variable has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from algdim.errors import InputError
from algdim.families.classifier.model import Classifier
from algdim.families.discrete.locals.table import Parents


def inner_key(name: str, inner: str) -> str:
    """How a table of a classifier's network is called among all tables; names of variables have no colon.

    >>> inner_key("Y", "X1")
    'Y:X1'
    """
    return f"{name}:{inner}"


@dataclass(frozen=True, slots=True)
class Embedded:
    """A classifier of the variable whose inputs are its parents."""

    kind: ClassVar[str] = "classifier"

    classifier: Classifier

    @property
    def share(self) -> None:
        """Its parameters are not shared."""
        return None

    def states(self, counts: Sequence[int]) -> int:
        """The states of the class, whatever the parents have."""
        del counts
        return self.classifier.classes

    def check(self, name: str, states: int, parents: Parents) -> None:
        """Raise unless the classifier is over precisely the variable and its parents, with the same states."""
        if self.classifier.label != name:
            raise InputError(f"{name}: the classifier is one of {self.classifier.label}; one of {name} is expected")
        if not parents:
            raise InputError(f"{name} has no parents; a classifier stands in place of a table given parents")
        outside, inside = {name: states, **dict(parents)}, self.classifier.states
        for one in sorted({*outside, *inside}):
            if one not in inside:
                raise InputError(
                    f"the classifier of {name}: the parent {one} is missing; its network has {name} and all parents"
                )
            if one not in outside:
                raise InputError(
                    f"the classifier of {name}: {one} is no parent of {name}; leave it out, or add the edge"
                )
            if inside[one] != outside[one]:
                raise InputError(
                    f"the classifier of {name}: {one} has {inside[one]} states there and {outside[one]} outside; "
                    "say them in both places"
                )
