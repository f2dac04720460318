"""The local maps "max", "sum", "parity" and "at-least": the variable is a function of its parents' states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from algdim.errors import InputError, listed


@dataclass(frozen=True, slots=True)
class Maximum:
    """The greatest of the parents' states; with one parent, its copy."""

    kind: ClassVar[str] = "max"

    def check(self, name: str, states: int, parents: tuple[tuple[str, int], ...]) -> None:
        """Raise unless the variable has as many states as the parent with the most."""
        check_states(self.kind, name, states, parents, max((count for _, count in parents), default=0))


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of the parents' states."""

    kind: ClassVar[str] = "sum"

    def check(self, name: str, states: int, parents: tuple[tuple[str, int], ...]) -> None:
        """Raise unless the variable has a state for every possible sum."""
        check_states(self.kind, name, states, parents, 1 + sum(count - 1 for _, count in parents))


@dataclass(frozen=True, slots=True)
class Parity:
    """1 exactly if an odd number of the binary parents is 1."""

    kind: ClassVar[str] = "parity"

    def check(self, name: str, states: int, parents: tuple[tuple[str, int], ...]) -> None:
        """Raise unless all are binary."""
        check_binary(self.kind, parents)
        check_states(self.kind, name, states, parents, 2)


@dataclass(frozen=True, slots=True)
class AtLeast:
    """1 exactly if at least ``n`` of the binary parents are 1."""

    kind: ClassVar[str] = "at-least"

    n: int = 1

    def check(self, name: str, states: int, parents: tuple[tuple[str, int], ...]) -> None:
        """Raise unless all are binary and ``n`` can be reached and missed."""
        check_binary(self.kind, parents)
        check_states(self.kind, name, states, parents, 2)
        if not 1 <= self.n <= len(parents):
            raise InputError(f"{name} is at-least {self.n} of {len(parents)} parents; 1 to {len(parents)} is allowed")


Deterministic = Maximum | Sum | Parity | AtLeast


def check_states(kind: str, name: str, states: int, parents: tuple[tuple[str, int], ...], needed: int) -> None:
    """Raise unless there are parents and the variable has the states that the rule gives."""
    if not parents:
        raise InputError(f"{name} is the {kind} of its parents and has none; at least one is needed")
    if states != needed:
        shown = listed(f"{parent} ({count})" for parent, count in parents)
        raise InputError(f"{name} has {states} states; the {kind} of {shown} has {needed}")


def check_binary(kind: str, parents: tuple[tuple[str, int], ...]) -> None:
    """Raise unless every parent has two states."""
    for parent, count in parents:
        if count != 2:
            raise InputError(f"{parent} has {count} states; {kind} takes binary parents")
