"""Mixtures of normals by textbook formulas, for comparison: no code of the engine is used.

A moment of a normal distribution is Isserlis' sum over all ways to take the factors one by one or in pairs, written out;
weights and tables are summed over the classes. Derivatives come with the numbers (dual numbers).
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations_with_replacement, product

from brute_gaussian import MINUS, ONE, Dual, total
from brute_gaussian import product as times


def entries(model):
    """List the parameters, without the map's own list: the kind of number, what it is of, the class."""
    continuous, categorical, classes = kinds(model)
    pairs = [(one, other) for i, one in enumerate(continuous) for other in continuous[i + 1 :]] if model.full else []
    found = [("weight", number) for number in classes[:-1]]
    found += [("mean", name, number) for name in continuous for number in classes]
    of_matrix = [0] if model.equal else classes
    found += [("cov", name, name, number) for name in continuous for number in of_matrix]
    found += [("cov", one, other, number) for one, other in pairs for number in of_matrix]
    return found + [
        ("table", name, state, number)
        for name, states in categorical
        for number in classes
        for state in range(states - 1)
    ]


def kinds(model):
    """List the continuous items, the categorical ones with their states, and the classes."""
    continuous = [item.name for item in model.items if item.states is None]
    categorical = [(item.name, item.states) for item in model.items if item.states is not None]
    return continuous, categorical, list(range(model.classes))


def random_point(model, seed):
    """Draw a rational number for each parameter, not all of them positive."""
    source = random.Random(seed)
    return {entry: Fraction(source.randint(-9, 9), source.randint(1, 5)) for entry in entries(model)}


def matchings(factors):
    """List the ways to take factors one by one or in pairs."""
    if not factors:
        yield []
        return
    first, rest = factors[0], factors[1:]
    for tail in matchings(rest):
        yield [(first,), *tail]
    for at, other in enumerate(rest):
        for tail in matchings(rest[:at] + rest[at + 1 :]):
            yield [(first, other), *tail]


def moments_at(model, point, order):
    """Give all moments up to an order as dual numbers, in the map's order: by degree, the cell fastest."""
    continuous, categorical, classes = kinds(model)
    numbers = {entry: Dual(value, {entry: Fraction(1)}) for entry, value in point.items()}

    def rest(known):
        return ONE + MINUS * total(known)

    def weight(number):
        known = [numbers["weight", other] for other in classes[:-1]]
        return known[number] if number < len(known) else rest(known)

    def chance(name, states, state, number):
        known = [numbers["table", name, other, number] for other in range(states - 1)]
        return known[state] if state < states - 1 else rest(known)

    def factor(block, number):
        if len(block) == 1:
            return numbers["mean", block[0], number]
        one, other = sorted(block, key=continuous.index)
        return numbers.get(("cov", one, other, 0 if model.equal else number), Dual(0))

    found = []
    for degree in range(order + 1):
        for factors in combinations_with_replacement(continuous, degree):
            normal = [
                total(times(factor(block, number) for block in way) for way in matchings(factors)) for number in classes
            ]
            for cell in product(*(range(states) for _, states in categorical)):
                chances = [
                    times(chance(*item, state, number) for item, state in zip(categorical, cell, strict=True))
                    for number in classes
                ]
                found.append(total(weight(number) * chances[number] * normal[number] for number in classes))
    return found if categorical else found[1:]
