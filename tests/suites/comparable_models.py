"""Random pairs of models of the same table, and exact members of each by explicit loops; nothing but records is taken from algdim.

Observed are A, B, C; up to two variables are hidden. There are structural zeros, ties, constants, shared tables, functions
of parents, sigmoid variables, mechanisms, and log-linear models.
"""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import prod

import brute

from algdim import AlgdimError
from algdim.families.discrete.locals.function import AtLeast, Maximum, Parity
from algdim.families.discrete.locals.sigmoid import Sigmoid
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.model import Network, Variable
from algdim.families.loglinear.model import LogLinear

PRIME = brute.PRIME
VALUES = (Fraction(0), Fraction(1), Fraction(1, 3), Fraction(1, 2))


def model_of(seed, states=(2, 2, 2)):
    """A random model of A, B, C with these states."""
    draw = random.Random(f"comparable {seed}")
    while True:
        try:
            kind = draw.random()
            return (
                loglinear(draw, states)
                if kind < 0.2
                else mechanisms(draw)
                if kind < 0.35 and set(states) == {2}
                else network(draw, states)
            )
        except AlgdimError:
            continue


def observed(states):
    """The observed variables."""
    return [(name, size) for name, size in zip("ABC", states, strict=True)]


def network(draw, states, density=0.5):
    """A network with whatever locals fit."""
    sizes = dict(observed(states)) | {name: draw.choice((2, 2, 3)) for name in "GH"[: draw.choice((0, 0, 1, 1, 2))]}
    order = list(sizes)
    draw.shuffle(order)
    parents = {
        name: tuple(draw.sample(chosen, len(chosen)))
        for place, name in enumerate(order)
        for chosen in [[one for one in order[:place] if draw.random() < density][:3]]
    }
    shared = draw.random() < 0.2
    shapes = {}
    variables = []
    for name in sizes:
        mine = [sizes[one] for one in parents[name]]
        variables.append(Variable(name, sizes[name], name in "ABC", parents[name], local(draw, sizes[name], mine)))
        shapes.setdefault((*mine, sizes[name]), []).append(name)
    if shared:
        twins = next((names for names in shapes.values() if len(names) > 1), None)
        if twins:
            variables = [replace(one, local=Table("twins")) if one.name in twins else one for one in variables]
    draw.shuffle(variables)
    return Network(tuple(variables))


def local(draw, own, sizes):
    """How a variable depends on its parents."""
    kind = draw.random()
    if sizes and kind < 0.15:
        rules = [Maximum(), *([Parity(), AtLeast(draw.randint(1, len(sizes)))] if {*sizes, own} == {2} else [])]
        return draw.choice(rules)
    if own == 2 and kind < 0.25:
        return Sigmoid()
    rows = list(product(*map(range, sizes)))
    if kind < 0.5:
        cells = [((row, 0), draw.choice(VALUES)) for row in rows if draw.random() < 0.4]
        if own == 2:  # the other entry too
            return Table(fixed=(*cells, *(((row, 1), 1 - value) for (row, _), value in cells)))
        return Table(fixed=tuple((cell, min(value, Fraction(1, 2))) for cell, value in cells))
    if kind < 0.65:
        return Table(equal=tuple(((row, 0), draw.choice("xyz")) for row in rows if draw.random() < 0.6))
    return Table()


def mechanisms(draw):
    """C is a function of hidden variables that each depend on some of A and B."""
    groups = [[one for one in "AB" if draw.random() < 0.6] for _ in range(draw.randint(1, 3))]
    noisy = draw.random() < 0.5
    variables = [Variable("A"), Variable("B", parents=draw.choice([(), ("A",)]))]
    for number, causes in enumerate(groups, 1):
        row = (0,) * len(causes)
        fixed = (((row, 0), Fraction(1)), ((row, 1), Fraction(0))) if noisy and causes else ()
        variables.append(Variable(f"C.{number}", 2, False, tuple(causes), Table(fixed=fixed)))
    rule = draw.choice([Maximum(), Parity(), AtLeast(len(groups))])
    variables.append(Variable("C", parents=tuple(f"C.{number}" for number in range(1, len(groups) + 1)), local=rule))
    return Network(tuple(variables))


def loglinear(draw, states):
    """Interactions among A, B, C and perhaps a hidden variable."""
    sizes = dict(observed(states)) | ({"H": 2} if draw.random() < 0.4 else {})
    pool = [some for size in (1, 2, 3) for some in combinations(sizes, size)]
    chosen = draw.sample(pool, draw.randint(2, 4))
    alone = [(name,) for name in sizes if not any(name in one for one in chosen)]
    variables = tuple(Variable(name, size, name in "ABC") for name, size in sizes.items())
    return LogLinear(variables, (*chosen, *alone), draw.random() < 0.8)


def submodel_of(model, seed):
    """A model that is nested in this one by construction: entries fixed or equal, edges left out, fewer states, no interaction."""
    draw = random.Random(f"submodel {seed}")
    if isinstance(model, LogLinear):
        kept = [one for one in model.interactions if len(one) == 1 or draw.random() < 0.6]
        alone = [(one.name,) for one in model.variables if not any(one.name in some for some in kept)]
        return LogLinear(model.variables, (*kept, *alone), model.hierarchical) if model.hierarchical else None
    variables = []
    for one in model.variables:
        changed = one
        if one.local == Table() and one.parents and draw.random() < 0.4:
            changed = replace(one, parents=tuple(name for name in one.parents if draw.random() < 0.5))
        elif one.local == Table() and draw.random() < 0.5:
            states = model.states
            rows = list(product(*(range(states[name]) for name in one.parents)))
            new = local(draw, one.states, [states[name] for name in one.parents])
            changed = replace(
                one, local=new if isinstance(new, Table) else Table(equal=tuple(((row, 0), "w") for row in rows))
            )
        variables.append(changed)
    draw.shuffle(variables)
    return Network(tuple(variables))


def member(model, seed):
    """The cells of a random member of the model modulo the prime, by explicit loops; A, B, C in this order."""
    draw = random.Random(f"member {seed}")
    if isinstance(model, LogLinear):
        return loglinear_member(model, draw)
    plain = Network(
        tuple(replace(one, local=Table()) if isinstance(one.local, Sigmoid) else one for one in model.variables)
    )
    classes, _ = brute.equations(plain)
    values = dict(zip(classes, brute.random_point(plain, seed), strict=True))
    for one in model.variables:
        if isinstance(one.local, Sigmoid):
            constant, *weights = (draw.randrange(1, PRIME) for _ in range(len(one.parents) + 1))
            for row in product(*(range(model.states[name]) for name in one.parents)):
                odds = constant * prod(pow(w, x, PRIME) for w, x in zip(weights, row, strict=True)) % PRIME
                chance = odds * pow(1 + odds, -1, PRIME) % PRIME
                values["own", one.name, row, 1], values["own", one.name, row, 0] = chance, (1 - chance) % PRIME
    cells = brute.distribution(plain, values.__getitem__, PRIME)
    names = [one.name for one in model.variables if one.observed]
    return [cells[tuple(dict(zip("ABC", cell, strict=True))[name] for name in names)] for cell in cells_of(model)]


def cells_of(model):
    """The cells, A slowest."""
    return list(product(*(range(model.states[name]) for name in "ABC")))


def loglinear_member(model, draw):
    """Sums of products of effects, divided by their sum."""
    effects = {
        (effect, cell): draw.randrange(1, PRIME)
        for effect in model.effects
        for cell in product(*(range(1, model.states[name]) for name in effect))
    }
    names = [one.name for one in model.variables]
    weights = dict.fromkeys(cells_of(model), 0)
    for states in product(*(range(one.states) for one in model.variables)):
        at = dict(zip(names, states, strict=True))
        weight = 1
        for effect in model.effects:
            weight = weight * effects.get((effect, tuple(at[name] for name in effect)), 1) % PRIME
        weights[at["A"], at["B"], at["C"]] += weight
    total = pow(sum(weights.values()), -1, PRIME)
    return [weight * total % PRIME for weight in weights.values()]


def violates(first, second, seed=0):
    """Whether a random member of the first model violates an equation that random members of the second obey."""
    values = member(first, f"violates {seed}")
    return brute.violates_quadrics(values, lambda number: member(second, f"{seed} {number}"))
