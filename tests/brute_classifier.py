"""A second computation of classifiers: Bayes' rule on the joint distribution, by explicit loops.

The joint distribution and its derivative come from `brute`, which shares no code with the engine. p(y|x) is their quotient;
nothing cancels, there are no logarithms, and no factor is known to be without the class.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import brute


def rows_of(model):
    """For every configuration of the inputs the numbers of the cells of all classes, in the order of the joint table."""
    place = [variable.name for variable in model.variables].index(model.label)
    rows = {}
    for number, cell in enumerate(brute.observed_cells(model.network)):
        rows.setdefault(cell[:place] + cell[place + 1 :], []).append(number)
    return rows


def dimension(model, seed=0, point=None):
    """The rank of the derivative of p(y|x) along all directions at a point modulo a large prime, by itself a random one."""
    network, p = model.network, brute.PRIME
    point, basis = point or brute.random_point(network, seed), brute.directions(network)
    classes, _ = brute.equations(network)
    values = brute.distribution(network, lambda entry: point[classes[entry]], p)
    joint = list(values.values())
    slopes = [
        [sum(a * b for a, b in zip(row, direction, strict=True) if b) % p for direction in basis]
        for row in brute.derivative(network, point)
    ]
    matrix = []
    for cells in rows_of(model).values():
        total = sum(joint[cell] for cell in cells)
        lost = [sum(column) for column in zip(*(slopes[cell] for cell in cells), strict=True)]
        inverse = pow(total, -1, p)
        for cell in cells:
            chance = joint[cell] * inverse
            matrix.append([(a - chance * b) * inverse % p for a, b in zip(slopes[cell], lost, strict=True)])
    return brute.rank(matrix)


def standard(model):
    """The number of free parameters of the network."""
    return brute.standard(model.network)


def complete(model):
    """The classes less one, for every configuration of the inputs."""
    return sum(len(cells) - 1 for cells in rows_of(model).values())


def posteriors(model, tables):
    """p(y|x) at given tables: for every configuration of the inputs one fraction per class."""

    def value(entry):
        _, name, row, state = entry
        variable = next(one for one in model.variables if one.name == name)
        sizes = [model.states[parent] for parent in variable.parents]
        place = 0
        for size, here in zip(sizes, row, strict=True):
            place = place * size + here
        return Fraction(tables[name][place][state])

    joint = list(brute.distribution(model.network, value).values())
    found = {}
    for states, cells in rows_of(model).items():
        total = sum(joint[cell] for cell in cells)
        found[states] = tuple(joint[cell] / total for cell in cells)
    return found


# Embedded classifiers: every number of the model with its derivatives, joint state by joint state.


def free_rows(variables, prefix, states, start, value_of):
    """For each table all entries by row and state, as a value and its slopes; the last state is 1 − the others.

    ``value_of`` gives the number of an entry, if it is to be no random one.
    """
    found, count = {}, start
    source = random.Random(start + len(variables))
    for variable in variables:
        for row in product(*(range(states[parent]) for parent in variable.parents)):
            rest, slopes = 1, {}
            for state in range(variable.states - 1):
                value = source.randrange(1, brute.PRIME)
                if value_of is not None:
                    value = brute.residue(value_of(prefix, variable, row, state))
                found[prefix, variable.name, row, state] = value, {count: 1}
                rest, slopes[count] = rest - value, -1
                count += 1
            found[prefix, variable.name, row, variable.states - 1] = rest % brute.PRIME, slopes
    return found, count


def times(left, right):
    """The product of two numbers with slopes."""
    (a, s), (b, t) = left, right
    p = brute.PRIME
    return a * b % p, {name: (s.get(name, 0) * b + t.get(name, 0) * a) % p for name in {*s, *t}}


def plus(left, right):
    """The sum of two numbers with slopes."""
    (a, s), (b, t) = left, right
    p = brute.PRIME
    return (a + b) % p, {name: (s.get(name, 0) + t.get(name, 0)) % p for name in {*s, *t}}


def over(number):
    """One over a number with slopes."""
    value, slopes = number
    inverse = pow(value, -1, brute.PRIME)
    return inverse, {name: -slope * inverse * inverse % brute.PRIME for name, slope in slopes.items()}


def network_rank(network, value_of=None):
    """The rank at a point, by itself a random one, of a network of free tables and embedded classifiers."""
    plain = [variable for variable in network.variables if variable.local.kind == "table"]
    entries, count = free_rows(plain, "", network.states, 0, value_of)
    for variable in network.variables:
        if variable.local.kind == "classifier":
            inner = variable.local.classifier
            more, count = free_rows(inner.variables, variable.name, inner.states, count, value_of)
            entries.update(more)

    def chance(prefix, variables, at):
        total = (1, {})
        for one in variables:
            total = times(total, entries[prefix, one.name, tuple(at[parent] for parent in one.parents), at[one.name]])
        return total

    cells = {}
    names = [variable.name for variable in network.variables]
    for states in product(*(range(variable.states) for variable in network.variables)):
        at = dict(zip(names, states, strict=True))
        weight = chance("", plain, at)
        for variable in network.variables:
            if variable.local.kind == "classifier":
                inner = variable.local.classifier
                whole = (0, {})
                for state in range(variable.states):
                    whole = plus(whole, chance(variable.name, inner.variables, {**at, variable.name: state}))
                weight = times(weight, times(chance(variable.name, inner.variables, at), over(whole)))
        cell = tuple(at[variable.name] for variable in network.variables if variable.observed)
        cells[cell] = plus(cells.get(cell, (0, {})), weight)
    return brute.rank([[slopes.get(number, 0) for number in range(count)] for _, slopes in cells.values()])
