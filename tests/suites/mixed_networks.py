"""Random networks of every kind at once: hidden variables with parents, shares, fixed entries, deterministic nodes."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from math import prod

from algdim.families.discrete.locals.function import AtLeast, Maximum, Parity, StateSum
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.model import Network, Variable, merge_shared_entries

MOST_CELLS = 300
MOST_PARAMETERS = 120


def mixed_network(seed):
    """One network that is small enough for every method; the same for the same seed."""
    for attempt in range(1000):
        model = attempt_network(random.Random(f"{seed}/{attempt}"))
        if model is not None:
            return model
    raise AssertionError(f"no small network found for seed {seed}")


def attempt_network(draw):
    """One network, or None if it came out too large or without observed variables."""
    names = [f"V{number}" for number in range(draw.randint(2, 6))]
    variables = []
    states = {}
    for number, name in enumerate(names):
        parents = tuple(other for other in names[:number] if draw.random() < 0.4)
        own = draw.choice([2, 2, 2, 3, 4])
        local = Table()
        if parents and draw.random() < 0.2:
            own, local = deterministic(draw, [states[parent] for parent in parents])
        elif draw.random() < 0.25:
            local = partly_fixed(draw, own, [states[parent] for parent in parents])
        states[name] = own
        variables.append(Variable(name, own, draw.random() < 0.67, parents, local))
    variables = merge_shared_entries(shared(draw, variables, states))
    observed = [variable for variable in variables if variable.observed]
    cells = prod(variable.states for variable in observed)
    entries = sum(variable.states * prod(states[p] for p in variable.parents) for variable in variables)
    if not observed or cells > MOST_CELLS or entries > MOST_PARAMETERS or any(v.states < 2 for v in observed):
        return None
    order = list(variables)
    draw.shuffle(order)
    return Network(tuple(order))


def deterministic(draw, sizes):
    """A rule that fits the parents, and the number of states it gives."""
    binary = all(size == 2 for size in sizes)
    kind = draw.choice(["max", "sum", "parity", "at-least"] if binary else ["max", "sum"])
    if kind == "max":
        return max(sizes), Maximum()
    if kind == "sum":
        return 1 + sum(size - 1 for size in sizes), StateSum()
    return (2, Parity()) if kind == "parity" else (2, AtLeast(draw.randint(1, len(sizes))))


def partly_fixed(draw, own, sizes):
    """A table in which some rows are zero or a fraction at some entry."""
    fixed = []
    rows = [()]
    for size in sizes:
        rows = [(*row, state) for row in rows for state in range(size)]
    for row in rows:
        if draw.random() < 0.4:
            value = draw.choice([Fraction(0), Fraction(0), Fraction(1, 3), Fraction(1, 2)])
            fixed.append(((row, draw.randrange(own)), value))
    return Table(fixed=tuple(fixed))


def shared(draw, variables, states):
    """Let variables of equal shape share a free table, sometimes."""
    shapes = {}
    result = []
    for variable in variables:
        shape = (variable.states, *(states[parent] for parent in variable.parents))
        if variable.local == Table() and draw.random() < 0.4:
            share = shapes.setdefault(shape, f"s{len(shapes)}")
            result.append(replace(variable, local=Table(share=share)))
        else:
            result.append(variable)
    return result
