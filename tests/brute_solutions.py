"""The number of points with the coordinates of a random one, by sympy's Gröbner bases modulo a prime.

Nothing is taken from algdim but the records. Of a Gaussian model with everything observed the unknowns are the
coefficients, and what AᵀΣA and Aᵀμ have to be; of a network all parameters, its cells summed over all joint states.
"""

from __future__ import annotations

import random
from itertools import product

from sympy import Integer, Matrix, eye, groebner, symbols
from sympy.polys.orderings import grevlex

PRIME = 1_000_003


def count(equations, unknowns, prime=PRIME):
    """Count the monomials that no leading one divides; None if there are infinitely many."""
    equations = [one for one in equations if one != 0]
    if not unknowns:
        return 1
    basis = groebner(equations, *unknowns, modulus=prime, order="grevlex")
    leads = [max(one.monoms(), key=grevlex) for one in basis.polys]
    if any(sum(lead) == 0 for lead in leads):
        return 0
    tops = [min((lead[i] for lead in leads if sum(lead) == lead[i]), default=None) for i in range(len(unknowns))]
    if None in tops:
        return None
    return sum(
        not any(all(a <= b for a, b in zip(lead, one, strict=True)) for lead in leads)
        for one in product(*map(range, tops))
    )


def residue(value):
    """A fraction modulo the prime."""
    return value.numerator * pow(value.denominator, -1, PRIME) % PRIME


def gaussian_count(model, seed=0):
    """Count for a Gaussian model without latent variables."""
    draw = random.Random(f"solutions {seed}")
    names = [variable.name for variable in model.variables]
    place = {name: number for number, name in enumerate(names)}
    fixed, labels, linear = dict(model.fixed), dict(model.equal), dict(model.linear)
    values, unknowns = {}, {}

    def evaluate(entry, of):
        """The value of an entry, of the free ones being given."""
        if entry in linear:
            return sum(residue(factor) * (evaluate(other, of) if other else 1) for other, factor in linear[entry])
        return residue(fixed[entry]) if entry in fixed else of(labels.get(entry, entry))

    def number(entry):
        return evaluate(entry, lambda name: values.setdefault(name, draw.randrange(1, PRIME))) % PRIME

    def unknown(entry):
        return evaluate(entry, lambda name: unknowns.setdefault(name, symbols(f"x{len(unknowns)}")))

    a, omega = eye(len(names)), Matrix.zeros(len(names), len(names))
    unknown_a = eye(len(names))
    for parent, child in model.edges:
        at = place[parent], place[child]
        a[at], unknown_a[at] = -number(("b", parent, child)), -unknown(("b", parent, child))
    in_sums = {labels.get(other, other) for terms in linear.values() for other, _ in terms} - fixed.keys()
    entry_at = {(i, i): ("v", name) for i, name in enumerate(names)}
    for one, other in model.bidirected:
        entry_at[tuple(sorted((place[one], place[other])))] = ("c", one, other)
    for (i, j), entry in entry_at.items():
        omega[i, j] = omega[j, i] = number(entry)
    inverse = a.inv_mod(PRIME)
    sigma = (inverse.T * omega * inverse).applyfunc(lambda value: value % PRIME)
    wanted = unknown_a.T * sigma * unknown_a
    conditions = [(entry_at.get((i, j)), wanted[i, j]) for j in range(len(names)) for i in range(j + 1)]
    if model.means:
        mu = inverse.T * Matrix([number(("m", name)) for name in names])
        conditions += [(("m", name), value) for name, value in zip(names, unknown_a.T * mu, strict=True)]
    equations, first = [], {}
    for entry, value in conditions:
        if entry is None:
            equations.append(value)
        elif entry in fixed or entry in linear or labels.get(entry, entry) in in_sums:
            equations.append(value - unknown(entry))
        elif entry in labels:
            equations.append(value - first.setdefault(labels[entry], value))
    every = list(unknowns.values())
    determinant = unknown_a.det().expand()
    if determinant != 1:
        every.append(symbols("z"))
        equations.append(every[-1] * determinant - 1)
    return count([one.expand() for one in equations], every)


def network_count(model, seed=0):
    """Count for a network with free tables, some of them shared."""
    draw = random.Random(f"solutions {seed}")
    states = {variable.name: variable.states for variable in model.variables}
    chances = {}
    unknowns = {}
    for variable in model.variables:
        table = getattr(variable.local, "share", None) or variable.name
        for row in product(*(range(states[parent]) for parent in variable.parents)):
            names = [(table, row, state) for state in range(variable.states - 1)]
            free = [
                unknowns.setdefault(name, (symbols(f"x{len(unknowns)}"), draw.randrange(1, PRIME))) for name in names
            ]
            for k in range(2):
                entries = [pair[k] for pair in free]
                for state, value in enumerate([*entries, 1 - sum(entries)]):
                    chances[k, variable.name, row, state] = value
    cells = [{}, {}]
    for joint in product(*(range(size) for size in states.values())):
        at = dict(zip(states, joint, strict=True))
        cell = tuple(at[variable.name] for variable in model.variables if variable.observed)
        for k in range(2):
            value = Integer(1)
            for variable in model.variables:
                value *= chances[k, variable.name, tuple(at[p] for p in variable.parents), at[variable.name]]
            cells[k][cell] = cells[k].get(cell, 0) + value
    equations = [(cells[0][cell] - cells[1][cell]).expand() for cell in cells[0]]
    return count(equations, [pair[0] for pair in unknowns.values()])
