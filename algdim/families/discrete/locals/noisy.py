"""The locals "noisy-or" and "noisy-max" of the model file: short for a maximum of mechanisms, which are put in their place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

from algdim.errors import InputError, join_names
from algdim.families.discrete.locals.contract import Kind, check_local
from algdim.families.discrete.locals.table import Parents
from algdim.families.discrete.model import Local, Variable
from algdim.models.values import check_keys, is_list_of_lists, require, require_truth

NOISY = ("noisy-or", "noisy-max")
KEYS = ("type", "leak", "mechanisms")


@dataclass(frozen=True, slots=True)
class NoisyMaximum:
    """What a model file says of an effect with a distinguished state, until `algdim.families.discrete.mechanisms.expand_noisy_maxima` puts the mechanisms in its place."""

    kind: ClassVar[str] = "noisy-max"
    share: ClassVar[None] = None

    mechanisms: tuple[tuple[str, ...], ...]
    leak: bool = False

    def check(self, name: str, states: int, parents: Parents) -> None:
        """Raise unless the mechanisms' causes are the parents."""
        del states  # any number will do
        known = dict(parents)
        said = dict.fromkeys(cause for causes in self.mechanisms for cause in causes)
        if not self.mechanisms:
            raise InputError(f"{name} has no mechanism; at least one parent is needed")
        for causes in self.mechanisms:
            if not causes or len(set(causes)) < len(causes):
                raise InputError(
                    f"a mechanism of {name} has the causes {join_names(causes) or 'none'}; one or more, each once, are needed"
                )
        for cause in said:
            if cause not in known:
                raise InputError(
                    f"{cause}, a cause of a mechanism of {name}, is no parent of it; the parents are: {join_names(known)}"
                )
        for parent in known:
            if parent not in said:
                raise InputError(
                    f"{parent}, a parent of {name}, is a cause of none of its mechanisms; every parent is one"
                )


def read_noisy(data: dict[str, Any], place: str, variable: Variable, parents: Parents) -> Local:
    """Read an effect of mechanisms that do nothing without their causes; every parent has one of its own by default."""
    check_keys(data, KEYS, place)
    leak = require_truth(data.get("leak", False), f"{place}.leak")
    if data["type"] == NOISY[0] and variable.states != 2:
        raise InputError(
            f"{place}: {variable.name} has {variable.states} states; noisy-or takes 2, noisy-max any number"
        )
    groups = data.get("mechanisms", [[parent] for parent, _ in parents])
    expected = 'lists of causes such as [["A", "B"], ["C"]] are expected'
    require(groups, is_list_of_lists(groups), f"{place}.mechanisms", expected)
    return check_local(NoisyMaximum(tuple(tuple(causes) for causes in groups), leak), place, variable, parents)


def write_noisy(local: Local, variable: Variable, parents: Parents, first: bool) -> NoReturn:
    """Nothing is written: a model has the mechanisms in its place."""
    del parents, first
    raise InputError(f"{variable.name}: the {local.kind} was not expanded into its mechanisms")


def add_noisy(builder: object, variable: Variable, axes: tuple[int, ...]) -> NoReturn:
    """Nothing is added either."""
    del builder, axes
    raise InputError(f"{variable.name}: the {variable.local.kind} was not expanded into its mechanisms")


LOCAL = Kind(read_noisy, write_noisy, add_noisy)
