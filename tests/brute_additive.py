"""Sums of Poisson or normal mechanisms by the definition, for comparison: no code of the engine is used.

In each joint state of the causes the moments of the effect are read off the product of the mechanisms' moment generating
functions, a mixture being summed over its hidden states; power series are cut off and carry their derivatives, all modulo
one prime. The causes' own tables are free, so that they add what they have parameters.
"""

from __future__ import annotations

import random
from itertools import product
from math import comb, prod

from brute import PRIME, rank, residue

ZERO, ONE = (0, {}), (1, {})


def plus(one, other):
    """The sum of two numbers with slopes."""
    slopes = {name: (one[1].get(name, 0) + other[1].get(name, 0)) % PRIME for name in {**one[1], **other[1]}}
    return (one[0] + other[0]) % PRIME, slopes


def times(one, other):
    """The product of two numbers with slopes."""
    (a, s), (b, t) = one, other
    return a * b % PRIME, {name: (s.get(name, 0) * b + t.get(name, 0) * a) % PRIME for name in {**s, **t}}


def scaled(one, factor):
    """A number with slopes, times a number without."""
    return one[0] * factor % PRIME, {name: slope * factor % PRIME for name, slope in one[1].items()}


def moments_of(cumulants):
    """Moments from cumulants: m(n) = Σ C(n−1, k−1) κ(k) m(n−k)."""
    found = [ONE]
    for n in range(1, len(cumulants) + 1):
        total = ZERO
        for k in range(1, n + 1):
            total = plus(total, scaled(times(cumulants[k - 1], found[n - k]), comb(n - 1, k - 1)))
        found.append(total)
    return found


def convolved(one, other):
    """The moments of the sum of two independent variables."""
    found = []
    for n in range(len(one)):
        total = ZERO
        for k in range(n + 1):
            total = plus(total, scaled(times(one[k], other[n - k]), comb(n, k)))
        found.append(total)
    return found


def dimension(model, order, seed=0, value_of=None):
    """The dimension of the causes' distribution and of the effect's moments up to an order given the causes.

    The point is a random one, or that at which ``value_of`` gives the number of a name.
    """
    source, known = random.Random(seed), {}
    by_name = {variable.name: variable for variable in model.network.variables}

    def number(*name):
        if name not in known:
            value = source.randrange(1, PRIME) if value_of is None else residue(value_of(*name))
            known[name] = value, len(known)
        value, place = known[name]
        return value, {place: 1}

    def chance(variable, state, at):
        row = tuple(at[parent] for parent in variable.parents)
        if state < variable.states - 1:
            return number("chance", variable.name, row, state)
        rest = ONE
        for other in range(variable.states - 1):
            rest = plus(rest, scaled(number("chance", variable.name, row, other), -1))
        return rest

    def mechanism(place, at):
        row = tuple(at[parent] for parent in model.mechanisms[place])
        mean = number("mean", place, row)
        if model.family == "poisson":
            return moments_of([mean] * order)
        return moments_of([mean, number("variance", place, row), *[ZERO] * (order - 2)][:order])

    causes = [variable for variable in model.network.variables if variable.observed]
    rows = []
    for states in product(*(range(variable.states) for variable in causes)):
        at = {variable.name: state for variable, state in zip(causes, states, strict=True)}
        whole = [ONE, *[ZERO] * order]
        for place, parents in enumerate(model.mechanisms):
            inside = [by_name[name] for name in parents if not by_name[name].observed]
            if inside:
                (mixing,) = inside
                mixed = [ZERO] * (order + 1)
                for state in range(mixing.states):
                    weight = chance(mixing, state, at)
                    part = mechanism(place, {**at, mixing.name: state})
                    mixed = [plus(total, times(weight, moment)) for total, moment in zip(mixed, part, strict=True)]
            else:
                mixed = mechanism(place, at)
            whole = convolved(whole, mixed)
        rows += [slopes for _, slopes in whole[1:]]
    free = sum((v.states - 1) * prod(by_name[p].states for p in v.parents) for v in causes)
    return free + rank([[slopes.get(place, 0) for place in range(len(known))] for slopes in rows])
