"""Data drawn from a discrete network at given parameters."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from graphlib import TopologicalSorter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, LimitError, listed
from algdim.exact.draws import drawn_seed, stream, words
from algdim.fitting.networks import network_of
from algdim.maps.deterministic import rule_of
from algdim.models.deterministic import Deterministic
from algdim.models.network import Network, Variable
from algdim.readers.anything import ModelLike
from algdim.readers.parameters import ParameterTables, read_parameters

States = NDArray[np.int64]

MOST_DRAWS = 50_000_000
"""Cases times variables."""


@dataclass(frozen=True, slots=True, eq=False)
class Simulation:
    """Cases drawn from a model: the states of its observed variables, by name."""

    model: Network
    columns: dict[str, States]
    seed: int | str

    def __getitem__(self, name: str) -> States:
        """One column."""
        return self.columns[name]

    def __len__(self) -> int:
        """The number of cases."""
        return len(next(iter(self.columns.values())))

    def lines(self) -> Iterator[str]:
        """The lines of a CSV file."""
        yield ",".join(self.columns)
        for row in zip(*(column.tolist() for column in self.columns.values()), strict=True):
            yield ",".join(map(str, row))

    def to_dict(self) -> dict[str, Any]:
        """The columns and the seed."""
        return {"n": len(self), "seed": self.seed, "columns": {k: v.tolist() for k, v in self.columns.items()}}

    def __str__(self) -> str:
        """Print the cases as CSV."""
        return "\n".join(self.lines())


def simulate(
    model: ModelLike, at: str | os.PathLike[str] | dict[str, Any], n: int, *, seed: int | str = 0
) -> Simulation:
    """Draw cases from a discrete network at the parameters of a file or dictionary.

    >>> simulate("A -> B", {"A": [[0, 1]], "B": [[1, 0], [0, 1]]}, 3)["B"].tolist()
    [1, 1, 1]
    """
    network = network_of(model, "simulated")
    if network.given:
        raise InputError(
            f"the model conditions on {listed(network.given)}, whose distribution it does not give; leave the clause given out"
        )
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise InputError(f"{n!r} cases cannot be drawn; a whole number from 1 is allowed")
    if n * len(network.variables) > MOST_DRAWS:
        raise LimitError(
            f"{n} cases of {len(network.variables)} variables are {n * len(network.variables)} draws; at most {MOST_DRAWS} are allowed"
        )
    seed = drawn_seed(seed)
    tables = read_parameters(at, network)
    by_name = {variable.name: variable for variable in network.variables}
    drawn: dict[str, States] = {}
    for name in TopologicalSorter({v.name: v.parents for v in network.variables}).static_order():
        drawn[name] = drawn_states(by_name[name], tables, drawn, by_name, n, seed)
    return Simulation(network, {variable.name: drawn[variable.name] for variable in network.observed}, seed)


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
    # 53 bits, so that the number below 1 is exact; a state of probability 0 is never drawn
    uniform = (words(stream(seed, "simulate", variable.name), n, 64) >> np.uint64(11)).astype(np.float64) / 2.0**53
    bounds = np.cumsum(rows, axis=1)
    bounds[:, -1] = 1.0
    state = np.zeros(n, dtype=np.int64)
    for below in bounds[:, :-1].T:
        state += uniform >= below[row]
    last_possible = rows.shape[1] - 1 - np.argmax(rows[:, ::-1] > 0, axis=1)
    return np.asarray(np.minimum(state, last_possible[row]))
