"""Log-linear models by their definition: every joint state of all variables is visited; no code of the engine is used."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import chain, combinations, product

from brute_polynomial import rank


def parameters(model):
    """The effects: pairs of variables and states, none of them the first."""
    order = [variable.name for variable in model.variables]
    states = {variable.name: variable.states for variable in model.variables}
    sets = {frozenset(interaction) for interaction in model.interactions}
    if model.hierarchical:
        sets = {
            frozenset(s) for i in sets for s in chain.from_iterable(combinations(i, k) for k in range(1, len(i) + 1))
        }
    named = [tuple(sorted(one, key=order.index)) for one in sets]
    return [(names, cell) for names in named for cell in product(*(range(1, states[name]) for name in names))]


def point_of(model, seed):
    """A random rational point: effect to a positive number."""
    source = random.Random(seed)
    return {effect: Fraction(source.randint(1, 10**6), 1000) for effect in parameters(model)}


def table(model, point):
    """The cells of the observed table, normalised, and the derivatives of each by all parameters."""
    cells = {}
    for states in product(*(range(variable.states) for variable in model.variables)):
        joint = {variable.name: state for variable, state in zip(model.variables, states, strict=True)}
        active = [
            (names, cell) for names, cell in point if all(joint[n] == s for n, s in zip(names, cell, strict=True))
        ]
        value = Fraction(1)
        for effect in active:
            value *= point[effect]
        cell = tuple(joint[variable.name] for variable in model.variables if variable.observed)
        total, slopes = cells.get(cell, (Fraction(0), dict.fromkeys(point, Fraction(0))))
        for effect in active:
            slopes[effect] += value / point[effect]
        cells[cell] = (total + value, slopes)
    z = sum(value for value, _ in cells.values())
    dz = {effect: sum(slopes[effect] for _, slopes in cells.values()) for effect in point}
    return {
        cell: (value / z, {effect: (slopes[effect] * z - value * dz[effect]) / z**2 for effect in point})
        for cell, (value, slopes) in sorted(cells.items())
    }


def dimension(model):
    """The rank of the Jacobian at random points."""
    found = []
    for seed in range(2):
        point = point_of(model, seed)
        found.append(rank([list(slopes.values()) for _, slopes in table(model, point).values()]))
    return max(found)
