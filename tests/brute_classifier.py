"""A second computation of classifiers: Bayes' rule on the joint distribution, by explicit loops.

The joint distribution and its derivative come from `brute`, which shares no code with the engine. p(y|x) is their quotient;
nothing cancels, there are no logarithms, and no factor is known to be without the class.
"""

from __future__ import annotations

from fractions import Fraction

import brute


def rows_of(model):
    """For every configuration of the inputs the numbers of the cells of all classes, in the order of the joint table."""
    place = [variable.name for variable in model.variables].index(model.label)
    rows = {}
    for number, cell in enumerate(brute.observed_cells(model.network)):
        rows.setdefault(cell[:place] + cell[place + 1 :], []).append(number)
    return rows


def dimension(model, seed=0):
    """The rank of the derivative of p(y|x) along all directions at a random point modulo a large prime."""
    network, p = model.network, brute.PRIME
    point, basis = brute.random_point(network, seed), brute.directions(network)
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
