"""Causal interaction models with Poisson or normal mechanism variables: the effect is their sum (MH97 §3.2), or the n-th largest.

The causes are observed variables of a discrete network with free tables; there may be none. Mechanism j has a variable E.j whose rate (or
mean and variance) is free in every joint state of its parents; the effect E is the sum of the E.j, or the greatest of them, or the n-th
largest: at least n of them are at least E. A hidden parent stands inside one mechanism and makes E.j a mixture; it is a root, or has
causes of the same mechanism as parents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

from algdim.display.models import ShownModel
from algdim.errors import InputError, join_names
from algdim.families.contract import Names, Orders, Renaming
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.mechanisms import name_mechanism_variable
from algdim.families.discrete.model import (
    Network,
    Variable,
    iterate_links,
    iterate_variable_signatures,
    normalise_network,
)
from algdim.figures import format_count
from algdim.models.tokens import check_name

POISSON, NORMAL = "poisson", "normal"
MAX_POISSON, MAX_NORMAL = "max-poisson", "max-normal"
AT_LEAST_POISSON, AT_LEAST_NORMAL = "at-least-poisson", "at-least-normal"
KINDS = (POISSON, NORMAL, MAX_POISSON, MAX_NORMAL, AT_LEAST_POISSON, AT_LEAST_NORMAL)

MOST_ROWS = 1_000_000
"""Joint states of the parents of one mechanism."""


@dataclass(frozen=True, slots=True)
class HiddenCauses(Network):
    """Causes all of which are hidden: the sum itself is observed."""

    needs_observed: ClassVar[bool] = False


def make_causes(variables: tuple[Variable, ...], given: tuple[str, ...] = ()) -> Network:
    """The network of the causes of a sum."""
    return (Network if any(variable.observed for variable in variables) else HiddenCauses)(variables, given)


@dataclass(frozen=True, slots=True, repr=False)
class Additive(ShownModel):
    """The network of the causes and of the hidden variables inside mechanisms, the effect, the parents of each mechanism."""

    family: str
    network: Network
    effect: str
    mechanisms: tuple[tuple[str, ...], ...]
    least: int = 0
    """How many mechanism variables are at least the effect, in the families that take this number."""

    def __post_init__(self) -> None:
        if self.family not in KINDS:
            raise InputError(f"the family {self.family!r} is not additive; these are {join_names(KINDS)}")
        names = [variable.name for variable in self.network.variables]
        check_name(self.effect, "the effect")
        if self.effect in names:
            raise InputError(
                f"{self.effect} is the effect and has a table too; the effect is determined by its mechanisms only"
            )
        if not self.mechanisms:
            raise InputError(f"{self.effect} has no mechanism; at least one, such as {{A,B}}, is needed")
        counts = self.family in (AT_LEAST_POISSON, AT_LEAST_NORMAL)
        if counts and not 2 <= self.least <= len(self.mechanisms):
            also = (
                f"; the greatest is the family {MAX_POISSON if self.is_poisson else MAX_NORMAL}"
                if self.least == 1
                else ""
            )
            raise InputError(
                f"at least {self.least} of the {format_count(len(self.mechanisms), 'mechanism variable')} of {self.effect}: "
                f"a number from 2 to {len(self.mechanisms)} is expected{also}"
                if len(self.mechanisms) > 1
                else f"{self.effect} has one mechanism; the {self.family.removeprefix('at-least-')} variable is {self.effect} itself"
            )
        if self.least and not counts:
            raise InputError(f"the family {self.family} takes no number of mechanism variables")
        for variable in self.network.variables:
            if variable.local != FREE:
                raise InputError(f"{variable.name}: in the family {self.family} the tables of causes are free")
        for number, parents in enumerate(self.mechanisms, 1):
            self.check_mechanism(name_mechanism_variable(self.effect, number), parents, names)
        uses = Counter(name for parents in self.mechanisms for name in parents)
        for variable in self.network.variables:
            if not variable.observed and uses[variable.name] != 1:
                raise InputError(
                    f"{variable.name} is hidden and belongs to {uses[variable.name]} mechanisms; a hidden variable belongs to exactly one, "
                    "hidden causes outside of mechanisms are not allowed in this family"
                )

    def check_mechanism(self, name: str, parents: tuple[str, ...], known: list[str]) -> None:
        """Raise unless the parents are known, different, not too many, and what is hidden stands inside."""
        for parent in parents:
            if parent not in known:
                raise InputError(f"{name}: there is no cause {parent}; known are {join_names(known)}")
        if len(set(parents)) < len(parents):
            raise InputError(f"{name}: a parent occurs twice; once is allowed")
        states = self.network.states
        if prod(states[parent] for parent in parents) > MOST_ROWS:
            raise InputError(f"{name} has more than {MOST_ROWS} joint states of its parents")
        by_name = {variable.name: variable for variable in self.network.variables}
        hidden = [parent for parent in parents if not by_name[parent].observed]
        if len(hidden) > 1:
            raise InputError(
                f"{name} has the hidden parents {join_names(hidden)}; one, which makes it a mixture, is allowed"
            )
        for inside in hidden:
            outside = [parent for parent in by_name[inside].parents if parent not in parents or parent in hidden]
            if outside:
                raise InputError(
                    f"{inside} stands inside {name} and depends on {outside[0]}, which is none of its causes; "
                    "a mechanism is independent of the others given its causes (MH97 §2)"
                )
        for variable in self.network.variables:
            if variable.observed and set(hidden) & set(variable.parents):
                raise InputError(
                    f"{variable.name} depends on {hidden[0]}, which stands inside {name}; of a mechanism only its variable points outside"
                )

    @property
    def is_ordered(self) -> bool:
        """Whether the effect is one of its mechanism variables by size, and not their sum."""
        return self.family not in (POISSON, NORMAL)

    @property
    def place(self) -> int:
        """Which of the mechanism variables it is, from the greatest on."""
        return self.least or 1

    @property
    def is_poisson(self) -> bool:
        """Whether the mechanism variables are Poisson, and not normal."""
        return self.family in (POISSON, MAX_POISSON, AT_LEAST_POISSON)

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables of the network."""
        return self.network.variables

    @property
    def hidden(self) -> tuple[str, ...]:
        """The hidden variables inside mechanisms."""
        return tuple(variable.name for variable in self.network.variables if not variable.observed)

    def causes(self, mechanism: int) -> tuple[str, ...]:
        """The observed parents of a mechanism."""
        return tuple(name for name in self.mechanisms[mechanism] if name not in self.hidden)

    def mixture(self, mechanism: int) -> str | None:
        """The hidden parent of a mechanism, if it has one."""
        return next((name for name in self.mechanisms[mechanism] if name in self.hidden), None)


def iterate_cause_signatures(model: Additive) -> Iterator[tuple[str, Any]]:
    """What a cause looks like by itself, and the effect."""
    yield from iterate_variable_signatures(model.network)
    yield model.effect, (model.effect, ())


def iterate_variable_links(model: Additive) -> Iterator[tuple[Any, str, str]]:
    """The edges between causes, and the pairs of each mechanism."""
    yield from iterate_links(model.network)
    for parents in model.mechanisms:
        yield from ((len(parents), one, other) for one in parents for other in parents)


def normalise_additive(model: Additive, names: Names, orders: Orders) -> Any:
    """The network, the effect, and the mechanisms."""
    mechanisms = Counter(frozenset(names.get(name, name) for name in parents) for parents in model.mechanisms)
    return model.family, model.least, model.effect, normalise_network(model.network, names, orders), mechanisms


RENAMING = Renaming(normalise_additive, iterate_cause_signatures, iterate_variable_links)
