"""The local map "sigmoid": a binary variable whose log-odds are linear in its parents' states (GHM96 §8).

P(X = 1 | parents) = 1 / (1 + exp(−a − Σ b_j x_j)), x_j the state 0 … r − 1 of parent j.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from algdim.errors import InputError, listed
from algdim.figures import counted
from algdim.models.localforms import LocalForm, checked, read_share
from algdim.models.modelvalues import check_keys
from algdim.models.network import Network, Variable
from algdim.models.tables import Parents, Table
from algdim.trust import Trust, proved_by

KEYS = ("type", "share")


@dataclass(frozen=True, slots=True)
class Sigmoid:
    """A weight for each parent and a constant; ``share`` is the name under which several variables have the same ones."""

    kind: ClassVar[str] = "sigmoid"

    share: str | None = None

    def states(self, counts: object) -> int:  # noqa: ARG002 - the same for all parents
        """Two."""
        return 2

    def check(self, name: str, states: int, parents: Parents) -> None:  # noqa: ARG002 - any parents do
        """Raise unless the variable is binary."""
        if states != 2:
            raise InputError(f"{name} has {counted(states, 'state')}; a sigmoid variable has two, 0 and 1")


def read(data: dict[str, Any], place: str, variable: Variable, parents: Parents) -> Sigmoid:
    """Read a sigmoid variable from its entry in the model file."""
    check_keys(data, KEYS, place)
    local = Sigmoid(read_share(data, place))
    checked(local, place, variable, parents)
    return local


def write(local: Sigmoid, variable: Variable, parents: Parents, first: bool) -> dict[str, Any]:
    """Write a sigmoid variable's entry in the model file."""
    del variable, parents, first  # nothing depends on them
    return {"type": local.kind} if local.share is None else {"type": local.kind, "share": local.share}


FORM = LocalForm(read, write)


def with_free_tables(model: Network) -> tuple[Network, tuple[str, ...]]:
    """The equal model in which sigmoid variables without parents, or with one binary parent, have tables; their names.

    Such a variable has as many parameters as rows, and its log-odds in the rows are any numbers (lemma "sigmoid").

    >>> from algdim.models.notation import parse
    >>> with_free_tables(parse("sigmoid: A -> B -> C <- A"))[1]
    ('A', 'B')
    """
    states = model.states

    def is_full(variable: Variable) -> bool:
        sizes = [states[parent] for parent in variable.parents if states[parent] > 1]
        return isinstance(variable.local, Sigmoid) and sizes in ([], [2])

    full = tuple(variable.name for variable in model.variables if is_full(variable))
    if not full:
        return model, ()
    variables = (
        replace(variable, local=Table(variable.local.share)) if is_full(variable) else variable
        for variable in model.variables
    )
    return replace(model, variables=tuple(variables)), full


def why_free(full: Sequence[str]) -> tuple[Trust, ...]:
    """Trust that these variables are as good as such with free tables, as `with_free_tables` found; none where none are."""
    return (proved_by("sigmoid", f"{listed(full)}: as good as free tables"),) if full else ()
