"""Causal interaction models (MH97 §2): an effect is a function of hidden mechanism variables, each with causes of its own.

Such a model is a discrete network: the mechanism variables E.1, E.2, … are hidden, and E is the maximum, sum, parity or
at-least-N of them. What is here says which parts of a network are mechanisms, and checks the definition.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from algdim.errors import join_names
from algdim.families.discrete.locals.function import Deterministic, Maximum
from algdim.families.discrete.locals.noisy import NoisyMaximum
from algdim.families.discrete.locals.table import Cell, Table
from algdim.families.discrete.model import Network, Variable

"""The kinds with a distinguished state: without its causes a mechanism does nothing."""


@dataclass(frozen=True, slots=True)
class Mechanism:
    """One mechanism of an effect: its mechanism variable, and the causes that it is declared to have."""

    effect: str
    variable: str
    causes: tuple[str, ...]


def name_mechanism_variable(effect: str, number: int) -> str:
    """The name of a mechanism variable, numbered from 1.

    >>> name_mechanism_variable("E", 2)
    'E.2'
    """
    return f"{effect}.{number}"


def make_fixed_entries(states: int, parents: int) -> tuple[tuple[Cell, Fraction], ...]:
    """The entries that are fixed in the table of a mechanism that does nothing while all its causes are in state 0.

    >>> [(cell, str(value)) for cell, value in make_fixed_entries(2, 1)]
    [(((0,), 0), '1'), (((0,), 1), '0')]
    """
    row = (0,) * parents
    return tuple(((row, state), Fraction(int(state == 0))) for state in range(states))


def check_mechanisms(
    mechanisms: Sequence[Mechanism],
    parents: Mapping[str, Sequence[str]],
    hidden: Collection[str],
    fail: Callable[[str, str, str], Exception],
) -> None:
    """Raise unless MH97 §2's definition holds; ``fail`` makes the error for an edge (or a cause and a mechanism variable).

    The members of a mechanism are its variable and all that leads to it without passing through one of its causes.
    """
    children: dict[str, list[str]] = {name: [] for name in parents}
    for child, names in parents.items():
        for name in names:
            children[name].append(child)
    for effect in dict.fromkeys(mechanism.effect for mechanism in mechanisms):
        own = {mechanism.variable for mechanism in mechanisms if mechanism.effect == effect}
        for parent in parents[effect]:
            if parent not in own:
                message = (
                    f"{parent} points at {effect}, an effect of mechanisms; only its mechanism variables point at it"
                )
                raise fail(parent, effect, message)
    for mechanism in mechanisms:
        check_mechanism(mechanism, parents, children, hidden, fail)


def check_mechanism(
    mechanism: Mechanism,
    parents: Mapping[str, Sequence[str]],
    children: Mapping[str, Sequence[str]],
    hidden: Collection[str],
    fail: Callable[[str, str, str], Exception],
) -> None:
    """Raise unless MH97 §2's definition holds for this mechanism."""
    variable, effect, causes = mechanism.variable, mechanism.effect, mechanism.causes
    inside = collect_members(mechanism, parents)
    shown = f"the mechanism {variable} of {join_names(causes)}" if causes else f"the leak {variable}"
    for child in children[variable]:
        if child != effect:
            message = f"the mechanism variable {variable} points at {child}; it points at its effect {effect} only"
            raise fail(variable, child, message)
    for name in inside:
        outward = [child for child in children[name] if child not in inside and name != variable]
        inward = next(child for child in children[name] if child in inside) if name != variable else effect
        if name not in hidden:
            message = f"{name} points into {shown}, and is none of its causes; write it between the braces, or hide it"
            raise fail(name, inward, message)
        if outward:
            message = (
                f"{name} belongs to {shown} and points at {outward[0]}; of a mechanism only its variable points outside, "
                f"and if {name} is a cause it stands between the braces"
            )
            raise fail(name, outward[0], message)
    for cause in causes:
        if not any(child in inside for child in children[cause]):
            raise fail(
                cause, variable, f"{cause} is declared as a cause of {shown}, and no edge leads from it into that"
            )


def collect_members(mechanism: Mechanism, parents: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The mechanism variable, and the ancestors from which a path leads to it that avoids the causes.

    >>> collect_members(Mechanism("E", "E.1", ("C",)), {"E": ["E.1"], "E.1": ["H", "C"], "H": ["C"], "C": []})
    ('E.1', 'H')
    """
    found = {mechanism.variable: None}
    waiting = [mechanism.variable]
    while waiting:
        for parent in parents[waiting.pop()]:
            if parent not in found and parent not in mechanism.causes:
                found[parent] = None
                waiting.append(parent)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect as it is found in a network: its rule, and its mechanism variables with their causes."""

    name: str
    rule: Deterministic
    mechanisms: tuple[Mechanism, ...]


def find_effects(model: Network) -> dict[str, Effect]:
    """The functions E of parents that are hidden and called E.1, E.2, … in this order.

    >>> from algdim.models.notation import parse
    >>> [mechanism.causes for mechanism in find_effects(parse("max: {A,B},{C} -> E"))["E"].mechanisms]
    [('A', 'B'), ('C',)]
    """
    by_name = {variable.name: variable for variable in model.variables}
    found: dict[str, Effect] = {}
    for variable in model.variables:
        expected = tuple(
            name_mechanism_variable(variable.name, number) for number in range(1, len(variable.parents) + 1)
        )
        if (
            isinstance(variable.local, Deterministic)
            and variable.parents == expected
            and not any(by_name[name].observed for name in expected)
        ):
            mechanisms = tuple(Mechanism(variable.name, name, find_causes(by_name, name)) for name in expected)
            found[variable.name] = Effect(variable.name, variable.local, mechanisms)
    return found


def find_causes(by_name: Mapping[str, Variable], name: str) -> tuple[str, ...]:
    """The parents of a mechanism variable, or the causes of the mechanisms inside it."""
    variable = by_name[name]
    if not isinstance(variable.local, Deterministic):
        return variable.parents
    causes = (cause for parent in variable.parents for cause in find_causes(by_name, parent))
    return tuple(dict.fromkeys(causes))


def is_distinguished(variable: Variable) -> bool:
    """Whether the row of a table for parents that are all in state 0 is fixed to state 0."""
    if not isinstance(variable.local, Table) or not variable.parents:
        return False
    return set(make_fixed_entries(variable.states, len(variable.parents))) <= set(variable.local.fixed)


def find_noisy_or(model: Network, name: str) -> Effect | None:
    """The effect of this name if its mechanisms are those of a noisy-or: binary causes, one for each, and one leak at most."""
    effect = find_effects(model).get(name)
    if effect is None or not isinstance(effect.rule, Maximum):
        return None
    states = model.states
    by_name = {variable.name: variable for variable in model.variables}
    leaks = [one for one in effect.mechanisms if not one.causes]
    fits = all(
        len(one.causes) == 1
        and states[one.causes[0]] == states[one.variable] == 2
        and by_name[one.variable].local == Table(fixed=make_fixed_entries(2, 1))
        for one in effect.mechanisms
        if one.causes
    )
    free = all(by_name[one.variable].local == Table() for one in leaks)
    return (
        effect
        if fits and free and len(leaks) <= 1 and states[name] == 2 and len(effect.mechanisms) > len(leaks)
        else None
    )


def expand_noisy_maxima(variables: Iterable[Variable]) -> tuple[Variable, ...]:
    """Put mechanism variables and a maximum in the place of every `NoisyMaximum`.

    >>> noisy = Variable("E", parents=("A", "B"), local=NoisyMaximum((("A",), ("B",)), leak=True))
    >>> [one.name for one in expand_noisy_maxima([noisy])]
    ['E.1', 'E.2', 'E.3', 'E']
    """
    found: list[Variable] = []
    for variable in variables:
        if not isinstance(variable.local, NoisyMaximum):
            found.append(variable)
            continue
        mechanisms = (*variable.local.mechanisms, *([()] if variable.local.leak else []))
        for number, causes in enumerate(mechanisms, 1):
            fixed = make_fixed_entries(variable.states, len(causes)) if causes else ()
            name = name_mechanism_variable(variable.name, number)
            found.append(Variable(name, variable.states, False, causes, Table(fixed=fixed)))
        parents = tuple(name_mechanism_variable(variable.name, number) for number in range(1, len(mechanisms) + 1))
        found.append(replace(variable, parents=parents, local=Maximum()))
    return tuple(found)
