"""Deterministic nodes as chains of three-way nodes, so that many parents cost no array exponential in them.

The chain's state after some parents is the least that must be known of them: the greatest so far, the sum so far, the
parity so far, the number of ones so far up to n. Its arrays are constant zeros and ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from algdim.families.discrete.locals.entries import Affine
from algdim.families.discrete.locals.function import AtLeast, Deterministic, Maximum, Parity, Sum

Rule = Callable[[Any, Any], Any]
"""The chain's next state from its state and a parent's state, on whole arrays."""


def chain(local: Deterministic, sizes: Sequence[int]) -> tuple[list[int], list[Affine]]:
    """The sizes of the chain's inner states, and its arrays.

    With parents x1 … xm the arrays are (x1, y) for m = 1, and otherwise (x1, x2, s2), (s2, x3, s3), …, the last ending
    in the variable itself; the inner states are s2 … s(m−1).
    """
    rule, last = rule_of(local)
    states = list(accumulate(sizes, lambda size, parent: int(rule(size - 1, parent - 1)) + 1))
    if len(sizes) == 1:
        return [], [zero_one(last(np.arange(sizes[0])))]
    if isinstance(local, Parity):
        states = [2] * len(sizes)
    arrays = []
    for number, size in enumerate(sizes[1:], 1):
        following = rule(np.arange(states[number - 1])[:, None], np.arange(size)[None, :])
        is_last = number == len(sizes) - 1
        arrays.append(zero_one(last(following) if is_last else following, None if is_last else states[number]))
    return states[1:-1], arrays


def rule_of(local: Deterministic) -> tuple[Rule, Callable[[Any], Any]]:
    """The rule of the chain, and what turns its last state into the variable's."""
    match local:
        case Maximum():
            return np.maximum, lambda state: state
        case Sum():
            return np.add, lambda state: state
        case Parity():
            return np.bitwise_xor, lambda state: state
        case AtLeast(n=n):
            return lambda state, parent: np.minimum(state + parent, n), lambda state: (state >= n).astype(np.int64)


def zero_one(outcome: Any, states: int | None = None) -> Affine:
    """The array that is one where the last axis is the outcome."""
    states = int(outcome.max()) + 1 if states is None else states
    constants = (outcome[..., None] == np.arange(states)).astype(np.int64)
    nothing = np.zeros(0, dtype=np.intp)
    return Affine(constants.shape, constants.ravel(), nothing, nothing, np.zeros(0, dtype=np.int64))
