"""The local maps "max", "sum", "parity" and "at-least": the variable is a function of its parents' states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from algdim.errors import InputError, listed
from algdim.families.discrete.locals.table import Parents


@dataclass(frozen=True, slots=True)
class Maximum:
    """The greatest of the parents' states; with one parent, its copy."""

    kind: ClassVar[str] = "max"
    share: ClassVar[None] = None

    def states(self, counts: Sequence[int]) -> int:
        """As many as the parent with the most.

        >>> Maximum().states([2, 4, 3])
        4
        """
        return max(counts)

    def check(self, name: str, states: int, parents: Parents) -> None:
        """Raise unless the variable has as many states as the parent with the most."""
        check_states(self, name, states, parents)


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of the parents' states."""

    kind: ClassVar[str] = "sum"
    share: ClassVar[None] = None

    def states(self, counts: Sequence[int]) -> int:
        """One for every possible sum.

        >>> Sum().states([2, 4, 3])
        7
        """
        return 1 + sum(count - 1 for count in counts)

    def check(self, name: str, states: int, parents: Parents) -> None:
        """Raise unless the variable has a state for every possible sum."""
        check_states(self, name, states, parents)


@dataclass(frozen=True, slots=True)
class Parity:
    """1 exactly if an odd number of the binary parents is 1."""

    kind: ClassVar[str] = "parity"
    share: ClassVar[None] = None

    def states(self, counts: Sequence[int]) -> int:  # noqa: ARG002 - the same for all parents
        """Two."""
        return 2

    def check(self, name: str, states: int, parents: Parents) -> None:
        """Raise unless all are binary."""
        check_binary(self, name, parents)
        check_states(self, name, states, parents)


@dataclass(frozen=True, slots=True)
class AtLeast:
    """1 exactly if at least ``n`` of the binary parents are 1."""

    kind: ClassVar[str] = "at-least"
    share: ClassVar[None] = None

    n: int = 1

    def states(self, counts: Sequence[int]) -> int:  # noqa: ARG002 - the same for all parents
        """Two."""
        return 2

    def check(self, name: str, states: int, parents: Parents) -> None:
        """Raise unless all are binary and ``n`` can be reached and missed."""
        check_binary(self, name, parents)
        check_states(self, name, states, parents)
        if not isinstance(self.n, int) or isinstance(self.n, bool):
            raise InputError(f"{name} asks for at least {self.n!r} of its parents; a whole number is allowed")
        if not 1 <= self.n <= len(parents):
            raise InputError(
                f"{name} asks for at least {self.n} of {len(parents)} parents; 1 to {len(parents)} is allowed"
            )


Deterministic = Maximum | Sum | Parity | AtLeast

RULES: dict[str, Deterministic] = {rule.kind: rule for rule in (Maximum(), Sum(), Parity())}
"""The rules that need no number, by their names."""


def check_states(rule: Deterministic, name: str, states: int, parents: Parents) -> None:
    """Raise unless there are parents and the variable has the states that the rule gives."""
    if not parents:
        raise InputError(f"{name} is a function of its parents ({rule.kind}) and has none; at least one is needed")
    needed = rule.states([count for _, count in parents])
    if states != needed:
        shown = listed(f"{parent} ({count})" for parent, count in parents)
        raise InputError(f"{name} has {states} states; as a function ({rule.kind}) of {shown} it has {needed}")


def check_binary(rule: Deterministic, name: str, parents: Parents) -> None:
    """Raise unless every parent has two states."""
    for parent, count in parents:
        if count != 2:
            raise InputError(f"{parent}, a parent of {name}, has {count} states; {rule.kind} takes binary parents")
