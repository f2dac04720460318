"""Causal interaction models by MH97's formulas, without any network: the table of effects is written down from the mechanisms.

A model is a list of causes (their states), a list of mechanisms (the causes of each, its states), a rule and the number of
states of the effect. P(e | c) sums the products of P(x_i | the causes of i) over all x with the outcome e. Values carry
their derivatives along; all numbers are residues modulo one prime.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import product

from brute import PRIME, rank


@dataclass(frozen=True)
class Interaction:
    """Independent observed causes, mechanisms over some of them, and how the effect comes of the mechanisms."""

    causes: tuple[int, ...]
    mechanisms: tuple[tuple[tuple[int, ...], int], ...]
    rule: str
    n: int = 1
    noisy: bool = False

    @property
    def text(self):
        """The model in the notation."""
        word = {"max": "noisy-max" if self.noisy else "max", "at-least": f"at-least {self.n}"}.get(self.rule, self.rule)
        braces = ",".join("{" + ",".join(f"C{i}" for i in inside) + "}" for inside, _ in self.mechanisms)
        states = [f"C{i}={count}" for i, count in enumerate(self.causes)]
        states += [f"E.{j}={count}" for j, (_, count) in enumerate(self.mechanisms, 1)]
        return f"{word}: {braces} -> E; states {', '.join(states)}"

    def outcome(self, states):
        """The effect."""
        if self.rule == "max":
            return max(states)
        if self.rule == "sum":
            return sum(states)
        if self.rule == "parity":
            return sum(states) % 2
        return int(sum(states) >= self.n)


def dimension(model, seed=0):
    """The rank of the derivatives of the joint distribution of causes and effect at a random point."""
    source = random.Random(seed)
    count = 0

    def row(states):
        nonlocal count
        free = [(source.randrange(PRIME), {count + k: 1}) for k in range(states - 1)]
        count += states - 1
        last = (1 - sum(value for value, _ in free), {number: -1 for _, one in free for number in one})
        return [*free, last]

    roots = [row(states) for states in model.causes]
    tables = [
        {
            at: [(1, {}), *[(0, {})] * (states - 1)] if model.noisy and inside and not any(at) else row(states)
            for at in product(*(range(model.causes[i]) for i in inside))
        }
        for inside, states in model.mechanisms
    ]
    lines = []
    for states in product(*map(range, model.causes)):
        prior = times([roots[i][state] for i, state in enumerate(states)])
        rows = [tables[j][tuple(states[i] for i in inside)] for j, (inside, _) in enumerate(model.mechanisms)]
        effects = {}
        for outcome in product(*(range(count) for _, count in model.mechanisms)):
            term = times([prior, *(rows[j][state] for j, state in enumerate(outcome))])
            total = effects.setdefault(model.outcome(outcome), {})
            for number, value in term[1].items():
                total[number] = total.get(number, 0) + value
        lines += effects.values()
    return rank([[line.get(number, 0) % PRIME for number in range(count)] for line in lines]), count


def times(factors):
    """The product of numbers that carry their derivatives."""
    value, derivative = 1, {}
    for number, along in factors:
        derivative = {key: one * number % PRIME for key, one in derivative.items()}
        for key, one in along.items():
            derivative[key] = (derivative.get(key, 0) + value * one) % PRIME
        value = value * number % PRIME
    return value, derivative
