"""The family "classifier": a network over a class Y and inputs X, as the conditional distribution of Y given X (HM97 §2).

All variables are observed and have tables. The record holds no algebra; what it knows are the factors that contain the
class, for only these matter: all others cancel from p(y|x) (HM97 Equation 4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from algdim.display.models import ShownModel
from algdim.errors import InputError, join_names
from algdim.families.contract import Names, Orders, Renaming
from algdim.families.discrete.locals.table import Table, add_states, format_cell, format_row
from algdim.families.discrete.model import (
    Network,
    Variable,
    iterate_links,
    iterate_variable_signatures,
    normalise_network,
)


@dataclass(frozen=True, slots=True)
class ClassFactor:
    """A factor of the joint distribution that contains the class.

    ``owner`` is the variable whose table it is, the class or one of its children; ``inputs`` are its variables but the
    class, the parents first.
    """

    owner: str
    inputs: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Classifier(ShownModel):
    """A network and the name of the variable that is classified.

    >>> y, x = Variable("Y", 3), Variable("X", parents=("Y",))
    >>> Classifier(Network((y, x)), "Y").factors
    (ClassFactor(owner='Y', inputs=()), ClassFactor(owner='X', inputs=('X',)))
    """

    family: ClassVar[str] = "classifier"

    network: Network
    label: str

    def __post_init__(self) -> None:
        names = [variable.name for variable in self.network.variables]
        if self.label not in names:
            raise InputError(f"the class {self.label}: there is no such variable; known are {join_names(names)}")
        if self.network.hidden:
            hidden = join_names(variable.name for variable in self.network.hidden)
            raise InputError(
                f"hidden {hidden}: all variables of a classifier are observed (HM97 §2); leave 'hidden' out"
            )
        if self.network.given:
            raise InputError(
                f"given {join_names(self.network.given)}: a classifier is conditioned on all its inputs anyway; leave 'given' out"
            )
        for variable in self.network.variables:
            check_positive(variable, self.network.states)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The class and the inputs, in their order."""
        return self.network.variables

    @property
    def observed(self) -> tuple[Variable, ...]:
        """All variables."""
        return self.network.variables

    @property
    def hidden(self) -> tuple[Variable, ...]:
        """None."""
        return ()

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The edges of the network."""
        return self.network.edges

    @property
    def states(self) -> Mapping[str, int]:
        """The number of states of each variable."""
        return self.network.states

    @property
    def classes(self) -> int:
        """The number of states of the class."""
        return self.network.states[self.label]

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the inputs, in their order."""
        return tuple(variable.name for variable in self.network.variables if variable.name != self.label)

    @property
    def factors(self) -> tuple[ClassFactor, ...]:
        """The factors that contain the class: its own table first, then those of its children."""
        members = {variable.name: (*variable.parents, variable.name) for variable in self.network.variables}
        owners = [self.label, *(name for name in self.inputs if self.label in members[name])]
        return tuple(
            ClassFactor(owner, tuple(name for name in members[owner] if name != self.label)) for owner in owners
        )

    @property
    def is_free(self) -> bool:
        """Whether the tables that contain the class have free entries only, and none is shared."""
        free = {variable.name for variable in self.network.variables if variable.local == Table()}
        return all(factor.owner in free for factor in self.factors)


def check_positive(variable: Variable, states: Mapping[str, int]) -> None:
    """Raise unless the variable has a table in which no entry is always zero: log-odds need their logarithms."""
    if not isinstance(variable.local, Table):
        raise InputError(
            f"{variable.name} has the local {variable.local.kind!r}; the variables of a classifier have tables, "
            "in which no probability is always 0"
        )
    parents = add_states(variable.parents, states)
    rows: dict[tuple[int, ...], list[Fraction]] = {}
    for (row, state), value in variable.local.fixed:
        if not value:
            raise InputError(
                f"{format_cell((row, state), variable.name, parents)} is fixed to 0; the log-odds of a classifier need its "
                "logarithm; fix it to a positive value"
            )
        rows.setdefault(row, []).append(value)
    for row, values in rows.items():
        if sum(values) == 1 and len(values) < variable.states:
            raise InputError(
                f"{format_row(row, variable.name, parents)}: the fixed entries sum to 1, so another one is 0; "
                "the log-odds of a classifier need its logarithm; leave something for it"
            )


def normalise_classifier(model: Classifier, names: Names, orders: Orders) -> Any:
    """The class and the network."""
    return names.get(model.label, model.label), normalise_network(model.network, names, orders)


RENAMING = Renaming(
    normalise_classifier,
    lambda model: iterate_variable_signatures(model.network),
    lambda model: iterate_links(model.network),
)
