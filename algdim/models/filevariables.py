"""The variables of a model file, of families whose variables all have states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from algdim.errors import InputError
from algdim.families.discrete.model import Variable
from algdim.figures import counted
from algdim.models.tokens import check_name
from algdim.models.values import MOST_STATES, listed_variables, shown

VARIABLE_KEYS = ("name", "states", "observed")


LABELLED_KEYS = (*VARIABLE_KEYS, "labels")
"""Where data are read against the model."""


def read_variables(data: object, keys: tuple[str, ...] = VARIABLE_KEYS) -> dict[str, Variable]:
    """Read the list of variables, still without parents."""
    variables: dict[str, Variable] = {}
    for place, name, observed, entry in listed_variables(data, keys, '{"name": "A", "states": 2}'):
        check_name(name, f"{place}.name")
        if name in variables:
            raise InputError(f"{place}.name: the variable {name} stands twice; each name is allowed once")
        states = read_states(entry.get("states", 2), f"{place}.states", observed=observed)
        variables[name] = Variable(name, states, observed, labels=read_labels(entry, place, states))
    return variables


def read_labels(entry: Mapping[str, Any], place: str, states: int) -> tuple[str, ...]:
    """Read what data call the states, in order."""
    labels = entry.get("labels", [])
    whole = isinstance(labels, (list, tuple)) and all(isinstance(label, str) and label for label in labels)
    if not whole or ("labels" in entry and len(set(labels)) != states) or len(labels) > states:
        raise InputError(
            f"{place}.labels is {shown(labels)}; {counted(states, 'different text')} {'is' if states == 1 else 'are'} expected"
        )
    return tuple(labels)


def read_states(states: object, place: str, *, observed: bool) -> int:
    """Read a number of states."""
    least = 2 if observed else 1
    kind = "an observed" if observed else "a hidden"
    if not isinstance(states, int) or isinstance(states, bool) or not least <= states <= MOST_STATES:
        raise InputError(
            f"{place} is {shown(states)}; {kind} variable has a whole number from {least} to {MOST_STATES}"
        )
    return states
