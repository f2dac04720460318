"""Scores by definition, with loops: complete every case in every way, count, multiply gamma functions."""

from __future__ import annotations

from itertools import product
from math import exp, inf, lgamma, log, prod

import numpy as np


def configurations(model):
    """All joint states of all variables, as dictionaries."""
    names = [variable.name for variable in model.variables]
    every = [dict(zip(names, states, strict=True)) for states in product(*(range(v.states) for v in model.variables))]
    return [full for full in every if all(full[v.name] == outcome(v, full) for v in model.variables)]


def outcome(variable, full):
    """The state that a deterministic variable must have, of others the one it has."""
    states = [full[parent] for parent in variable.parents]
    rules = {
        "table": lambda: full[variable.name],
        "max": lambda: max(states),
        "parity": lambda: sum(states) % 2,
        "at-least": lambda: int(sum(states) >= variable.local.n),
    }
    return rules[variable.local.kind]()


def completions(model, cases):
    """Every completion of the cases; a case is a dictionary of what it shows."""
    every = configurations(model)
    fitting = [[full for full in every if all(full[name] == state for name, state in case.items())] for case in cases]
    return product(*fitting)


def log_complete(model, completed, alpha):
    """Log marginal likelihood of complete cases by predicting each from those before it (CH96 §2).

    ``alpha(variable)`` is the exponent of every entry of the variable's table.
    """
    total, seen = 0.0, {}
    for case in completed:
        for variable in model.variables:
            if variable.local.kind != "table":
                continue
            owner, state = variable.local.share or variable.name, case[variable.name]
            row = tuple(case[parent] for parent in variable.parents)
            fixed = {place[1]: float(value) for place, value in variable.local.fixed if place[0] == row}
            counts = seen.setdefault((owner, row), dict.fromkeys(set(range(variable.states)) - set(fixed), 0))
            a = alpha(variable)
            if state in fixed:
                if not fixed[state]:
                    return -inf
                total += log(fixed[state])
                continue
            total += log((1 - sum(fixed.values())) * (counts[state] + a) / (sum(counts.values()) + a * len(counts)))
            counts[state] += 1
    return total


def log_marginal(model, cases, alpha):
    """Log p(D): the sum over all completions."""
    return log(sum(exp(log_complete(model, completed, alpha)) for completed in completions(model, cases)))


def log_likelihood(model, cases, tables):
    """Log p(D|θ), ``tables`` being lists of rows under the names of a parameter file."""
    every = configurations(model)
    total = 0.0
    for case in cases:
        chance = 0.0
        for full in every:
            if all(full[name] == state for name, state in case.items()):
                term = 1.0
                for variable in model.variables:
                    term *= entry(model, variable, full, tables)
                chance += term
        total += log(chance)
    return total


def entry(model, variable, full, tables):
    """The entry of a variable's table that a joint state takes."""
    row = 0
    for parent in variable.parents:
        row = row * model.states[parent] + full[parent]
    return tables[variable.local.share or variable.name][row][full[variable.name]]


def log_dirichlet(values, alpha):
    """Log density of a symmetric Dirichlet distribution."""
    n = len(values)
    return lgamma(n * alpha) - n * lgamma(alpha) + sum((alpha - 1) * log(value) for value in values)


def drawn(model, seed, rows):
    """Random cases of a model's observed variables, as columns and as dictionaries."""
    random = np.random.default_rng(seed)
    columns = {v.name: random.integers(0, v.states, size=rows).tolist() for v in model.observed}
    return columns, [dict(zip(columns, case, strict=True)) for case in zip(*columns.values(), strict=True)]


def some_parameters(model, seed):
    """Random tables, all entries positive."""
    random, states = np.random.default_rng(seed), model.states
    tables = {}
    for variable in model.variables:
        if variable.local.kind != "table" or variable.name in model.given:
            continue
        rows = prod(states[parent] for parent in variable.parents)
        tables[variable.local.share or variable.name] = random.dirichlet([1.5] * variable.states, size=rows).tolist()
    return tables
