"""Cases drawn from a discrete network."""

from __future__ import annotations

import os
from functools import reduce
from graphlib import TopologicalSorter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, listed
from algdim.families.contract import Sampling
from algdim.families.discrete.locals.function import Deterministic
from algdim.families.discrete.locals.functionchains import rule_of
from algdim.families.discrete.model import Network, Variable
from algdim.fitting.drawing import States, states_by_rows, uniforms
from algdim.fitting.networks import network_of
from algdim.readers.parameters import ParameterTables, read_parameters

Source = str | os.PathLike[str] | dict[str, Any]


def draw_cases(model: Network, at: Source, n: int, seed: int | str) -> dict[str, NDArray[Any]]:
    """The states of the observed variables, parents first."""
    network_of(model, "simulated")
    if model.given:
        raise InputError(
            f"the model conditions on {listed(model.given)}, whose distribution it does not give; leave the clause given out"
        )
    tables = read_parameters(at, model)
    by_name = {variable.name: variable for variable in model.variables}
    drawn: dict[str, States] = {}
    for name in TopologicalSorter({v.name: v.parents for v in model.variables}).static_order():
        drawn[name] = drawn_states(by_name[name], tables, drawn, by_name, n, seed)
    return {variable.name: drawn[variable.name] for variable in model.observed}


def drawn_states(
    variable: Variable,
    tables: ParameterTables,
    drawn: dict[str, States],
    by_name: dict[str, Variable],
    n: int,
    seed: int | str,
) -> States:
    """The states of one variable, those of its parents being drawn."""
    parents = [drawn[parent] for parent in variable.parents]
    if isinstance(variable.local, Deterministic):
        rule, last = rule_of(variable.local)
        return np.asarray(last(reduce(rule, parents)), dtype=np.int64)
    rows = np.array([[float(value) for value in row] for row in tables[variable.local.share or variable.name]])
    sizes = [by_name[parent].states for parent in variable.parents]
    row = np.ravel_multi_index(tuple(parents), sizes) if parents else np.zeros(n, dtype=np.intp)
    return states_by_rows(rows, row, uniforms(seed, variable.name, n))


SAMPLING = Sampling(draw_cases, has_states=True)
