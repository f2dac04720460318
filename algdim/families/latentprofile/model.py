"""The family "latent-profile": finite mixtures of normal distributions, with categorical items beside continuous ones.

A hidden class H decides everything. Given H the continuous items are jointly normal, the categorical ones are
independent of them and of each other. The record holds no algebra.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

from algdim.display.models import ShownModel
from algdim.errors import InputError
from algdim.families.contract import Names, Orders, Renaming, iterate_variable_looks
from algdim.models.tokens import check_name
from algdim.models.values import MOST_STATES, MOST_VARIABLES

WORDS = ("covariances", "moments")
"""Clause words of this family alone."""

MOST_ORDER = 200
"""Of moments that can be asked for."""


@dataclass(frozen=True, slots=True)
class ProfileVariable:
    """The class, or an item: categorical with its number of states, continuous without."""

    name: str
    states: int | None = None
    observed: bool = True


@dataclass(frozen=True, slots=True, repr=False)
class LatentProfile(ShownModel):
    """Classes and items; what the covariance matrices of the classes are; the order of the moments.

    ``full``: the continuous items may covary given the class, otherwise the matrices are diagonal. ``equal``: all classes
    have one and the same matrix. ``order`` is that of the moments which are the model's coordinates; ``None`` stands for
    the least one at which they show all parameters (`algdim.families.latentprofile.order`).

    >>> LatentProfile("H", 2, (ProfileVariable("X"), ProfileVariable("C", 3))).continuous
    (ProfileVariable(name='X', states=None, observed=True),)
    """

    family: ClassVar[str] = "latent-profile"

    label: str
    """The name of the class."""
    classes: int
    items: tuple[ProfileVariable, ...]
    full: bool = False
    equal: bool = False
    order: int | None = None

    def __post_init__(self) -> None:
        check_names([self.label, *(item.name for item in self.items)])
        check_whole(self.classes, f"the states of {self.label}", 1, MOST_STATES)
        if len(self.items) >= MOST_VARIABLES:
            raise InputError(f"the model has {len(self.items)} items; fewer than {MOST_VARIABLES} are allowed")
        for item in self.items:
            if not item.observed:
                raise InputError(f"{item.name} is hidden; of a latent-profile model only the class is")
            if item.states is not None:
                check_whole(item.states, f"the states of {item.name}", 2, MOST_STATES)
        if not self.continuous:
            raise InputError(
                "all items are categorical; a latent-profile model has at least one continuous item, "
                "that is one without states (a latent class model is written like 3:2,2,2)"
            )
        if self.order is not None:
            check_whole(self.order, "the order of the moments", 1, MOST_ORDER)

    @property
    def variables(self) -> tuple[ProfileVariable, ...]:
        """The class and the items."""
        return ProfileVariable(self.label, self.classes, False), *self.items

    @property
    def observed(self) -> tuple[ProfileVariable, ...]:
        """The items."""
        return self.items

    @property
    def hidden(self) -> tuple[ProfileVariable, ...]:
        """The class."""
        return self.variables[:1]

    @property
    def continuous(self) -> tuple[ProfileVariable, ...]:
        """The items without states."""
        return tuple(item for item in self.items if item.states is None)

    @property
    def categorical(self) -> tuple[ProfileVariable, ...]:
        """The items with states."""
        return tuple(item for item in self.items if item.states is not None)


def check_names(names: list[str]) -> None:
    """Raise unless all names are allowed and unique."""
    for name in names:
        check_name(name, "a variable")
        if name in WORDS:
            raise InputError(f"a variable: {name!r} is a clause word of the family latent-profile; choose another name")
    for name, times in Counter(names).items():
        if times > 1:
            raise InputError(f"the variable {name} stands {times} times; each name is allowed once")


def check_whole(value: object, what: str, least: int, most: int) -> None:
    """Raise unless a number is whole and within bounds."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InputError(f"{what}: {value!r} is not allowed; an integer from {least} to {most} is")


def normalise_profile(model: LatentProfile, names: Names, orders: Orders) -> Any:
    """Classes, items, and covariances; with one class or one continuous item there is less to choose."""
    del names, orders
    full = model.full and len(model.continuous) > 1
    return model.classes, frozenset(model.items), full, model.equal or model.classes == 1


RENAMING = Renaming(normalise_profile, iterate_variable_looks, lambda model: iter(()))  # noqa: ARG005 (items depend on the class alone)
