"""Random networks of sigmoid variables, tables and functions of the parents, some of them shared."""

from __future__ import annotations

import random
from dataclasses import replace
from math import prod

from suites.mixed_networks import deterministic

from algdim.families.discrete.locals.sigmoid import Sigmoid
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.model import Network, Variable

MOST_CELLS = 130
MOST_ENTRIES = 120


def sigmoid_network(seed):
    """One small network with at least one sigmoid variable; the same for the same seed."""
    for attempt in range(1000):
        model = attempt_network(random.Random(f"sigmoid/{seed}/{attempt}"))
        if model is not None:
            return model
    raise AssertionError(f"no small network found for seed {seed}")


def attempt_network(draw):
    """One network, or None if it came out too large, without observed or without sigmoid variables."""
    names = [f"V{number}" for number in range(draw.randint(3, 7))]
    edge = draw.choice([0.3, 0.5, 0.7])
    variables, states = [], {}
    for number, name in enumerate(names):
        parents = tuple(other for other in names[:number] if draw.random() < edge)
        own, local = draw.choice([2, 2, 2, 2, 3]), Table()
        if parents and draw.random() < 0.1:
            own, local = deterministic(draw, [states[parent] for parent in parents])
        elif own == 2 and draw.random() < 0.75:
            local = Sigmoid()
        states[name] = own
        variables.append(Variable(name, own, draw.random() < 0.6, parents, local))
    variables = shared(draw, variables, states)
    observed = [variable for variable in variables if variable.observed]
    entries = sum(variable.states * prod(states[p] for p in variable.parents) for variable in variables)
    is_small = prod(variable.states for variable in observed) <= MOST_CELLS and entries <= MOST_ENTRIES
    if not observed or not is_small or not any(isinstance(v.local, Sigmoid) for v in variables):
        return None
    draw.shuffle(variables)
    return Network(tuple(variables))


def shared(draw, variables, states):
    """Let variables of equal shape and kind share, sometimes."""
    shapes, result = {}, []
    for variable in variables:
        key = (variable.local, variable.states, *(states[parent] for parent in variable.parents))
        if isinstance(variable.local, Table | Sigmoid) and draw.random() < 0.2:
            share = shapes.setdefault(key, f"s{len(shapes)}")
            result.append(replace(variable, local=replace(variable.local, share=share)))
        else:
            result.append(variable)
    return result
