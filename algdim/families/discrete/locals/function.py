"""The local maps "max", "sum", "parity" and "at-least": the variable is a function of its parents' states.

In the map it is a chain of three-way nodes, so that many parents cost no array exponential in them. The chain's state after
some parents is the least that must be known of them: the greatest so far, the sum so far, the parity so far, the number of
ones so far up to n. Its arrays are constant zeros and ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, ClassVar, cast

import numpy as np

from algdim.display.mathml import format_value_latex, list_values_latex
from algdim.errors import InputError, join_names
from algdim.families.discrete.locals.contract import Affine, Kind, check_local
from algdim.families.discrete.locals.table import Parents
from algdim.families.discrete.map import Builder
from algdim.families.discrete.model import Local, Variable
from algdim.models.tokens import Cursor
from algdim.models.values import MOST_VARIABLES, check_keys, format_given_value

KEYS = ("type",)
AT_LEAST_KEYS = ("type", "n")


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
class StateSum:
    """The sum of the parents' states."""

    kind: ClassVar[str] = "sum"
    share: ClassVar[None] = None

    def states(self, counts: Sequence[int]) -> int:
        """One for every possible sum.

        >>> StateSum().states([2, 4, 3])
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
        return 2

    def check(self, name: str, states: int, parents: Parents) -> None:
        """Raise unless all are binary and ``n`` can be reached and missed."""
        check_binary(self, name, parents)
        check_states(self, name, states, parents)
        if not isinstance(self.n, int) or isinstance(self.n, bool):
            raise InputError(f"{name} asks for at least {self.n!r} of its parents; an integer is allowed")
        if not 1 <= self.n <= len(parents):
            raise InputError(
                f"{name} asks for at least {self.n} of {len(parents)} parents; 1 to {len(parents)} is allowed"
            )


Deterministic = Maximum | StateSum | Parity | AtLeast

RULES: dict[str, Deterministic] = {rule.kind: rule for rule in (Maximum(), StateSum(), Parity())}
"""The rules that need no number, by their names."""


def check_states(rule: Deterministic, name: str, states: int, parents: Parents) -> None:
    """Raise unless there are parents and the variable has the states that the rule gives."""
    if not parents:
        raise InputError(f"{name} is a function of its parents ({rule.kind}) and has none; at least one is needed")
    needed = rule.states([count for _, count in parents])
    if states != needed:
        shown = join_names(f"{parent} ({count})" for parent, count in parents)
        raise InputError(f"{name} has {states} states; as a function ({rule.kind}) of {shown} it has {needed}")


def check_binary(rule: Deterministic, name: str, parents: Parents) -> None:
    """Raise unless every parent has two states."""
    for parent, count in parents:
        if count != 2:
            raise InputError(f"{parent}, a parent of {name}, has {count} states; {rule.kind} takes binary parents")


Rule = Callable[[Any, Any], Any]
"""The chain's next state from its state and a parent's state, on whole arrays."""


def build_chain(local: Deterministic, sizes: Sequence[int]) -> tuple[list[int], list[Affine]]:
    """The sizes of the chain's inner states, and its arrays.

    With parents x1 … xm the arrays are (x1, y) for m = 1, and otherwise (x1, x2, s2), (s2, x3, s3), …, the last ending
    in the variable itself; the inner states are s2 … s(m−1).
    """
    rule, last = get_chain_rule(local)
    states = list(accumulate(sizes, lambda size, parent: int(rule(size - 1, parent - 1)) + 1))
    if len(sizes) == 1:
        return [], [make_zero_one_array(last(np.arange(sizes[0])))]
    if isinstance(local, Parity):
        states = [2] * len(sizes)
    arrays = []
    for number, size in enumerate(sizes[1:], 1):
        following = rule(np.arange(states[number - 1])[:, None], np.arange(size)[None, :])
        is_last = number == len(sizes) - 1
        arrays.append(
            make_zero_one_array(last(following) if is_last else following, None if is_last else states[number])
        )
    return states[1:-1], arrays


def get_chain_rule(local: Deterministic) -> tuple[Rule, Callable[[Any], Any]]:
    """The rule of the chain, and what turns its last state into the variable's."""
    match local:
        case Maximum():
            return np.maximum, lambda state: state
        case StateSum():
            return np.add, lambda state: state
        case Parity():
            return np.bitwise_xor, lambda state: state
        case AtLeast(n=n):
            return lambda state, parent: np.minimum(state + parent, n), lambda state: (state >= n).astype(np.int64)


def make_zero_one_array(outcome: Any, states: int | None = None) -> Affine:
    """The array that is one where the last axis is the outcome."""
    states = int(outcome.max()) + 1 if states is None else states
    constants = (outcome[..., None] == np.arange(states)).astype(np.int64)
    nothing = np.zeros(0, dtype=np.intp)
    return Affine(constants.shape, constants.ravel(), nothing, nothing, np.zeros(0, dtype=np.int64))


def read_rule(data: dict[str, Any], place: str, variable: Variable, parents: Parents) -> Local:
    """Read the rule of a variable that is a function of its parents."""
    kind = data["type"]
    if kind != AtLeast.kind:
        check_keys(data, KEYS, place)
        return check_local(RULES[kind], place, variable, parents)
    check_keys(data, AT_LEAST_KEYS, place)
    n = data.get("n")
    if not isinstance(n, int) or isinstance(n, bool) or not 1 <= n <= MOST_VARIABLES:
        what = "is missing" if n is None else f"is {format_given_value(n)}"
        raise InputError(f"{place}.n {what}; the number of parents that must be 1 is expected, from 1 to all of them")
    return check_local(AtLeast(n), place, variable, parents)


def write_rule(rule: Deterministic, variable: Variable, parents: Parents, first: bool) -> dict[str, Any]:
    """Write the rule of a variable that is a function of its parents."""
    del variable, parents, first  # a rule says nothing about them
    return {"type": rule.kind, "n": rule.n} if isinstance(rule, AtLeast) else {"type": rule.kind}


def add_chain(builder: Builder, variable: Variable, axes: tuple[int, ...]) -> None:
    """Add a deterministic node as a chain of three-way nodes with auxiliary axes between them."""
    *parents, own = axes
    inner, arrays = build_chain(
        cast("Deterministic", variable.local), [builder.states[parent] for parent in variable.parents]
    )
    first = len(builder.states) + len(builder.auxiliary)
    builder.auxiliary.extend(inner)
    ends = [*range(first, first + len(inner)), own]
    starts = [parents[0], *ends[:-1]]
    if len(parents) == 1:
        builder.add_array(arrays[0], (parents[0], own), variable.name)
        return
    for start, parent, end, array in zip(starts, parents[1:], ends, arrays, strict=True):
        builder.add_array(array, (start, parent, end), variable.name)


def count_chain_entries(states: int, parents: Sequence[int]) -> int:
    """About how many entries the three-way arrays of a chain have."""
    return states**2 * sum(parents)


def parse_rule(word: str, cursor: Cursor) -> Deterministic:
    """The rule of a clause, with the number behind ``at-least``."""
    if word != AtLeast.kind:
        return RULES[word]
    return AtLeast(cursor.number("the number of parents that 'at-least' asks for", 1, MOST_VARIABLES))


def write_rule_formula(variable: Variable) -> str:
    r"""The rule.

    >>> from algdim.models.notation import parse
    >>> print(write_rule_formula(parse("A, B -> E; max E").variables[2]))
    P(e\mid a,b) = 1 \text{ if } e = \max(a,b) \text{, else } 0
    """
    rule: Any = variable.local
    values = [format_value_latex(name) for name in variable.parents]
    effect = format_value_latex(variable.name)
    total = " + ".join(values)
    condition = {
        "max": rf"{effect} = \max({','.join(values)})",
        "sum": f"{effect} = {total}",
        "parity": rf"{effect} = {total} \text{{ (mod 2)}}",
        "at-least": rf"{effect} = 1 \text{{ exactly where }} {total} \geq {getattr(rule, 'n', 1)}",
    }[rule.kind]
    bar = list_values_latex(list(variable.parents), 6)
    return rf"P({effect}\mid {bar}) = 1 \text{{ if }} {condition} \text{{, else }} 0"


LOCAL = Kind(
    read_rule,
    write_rule,
    add_chain,
    count_chain_entries,
    parse_rule,
    lambda rule: f"{rule.kind} {rule.n}" if isinstance(rule, AtLeast) else str(rule.kind),
    "is a function of its parents ({kind})",
    has_likelihood=True,
    formula=write_rule_formula,
)
