"""Cases drawn from a sum of Poisson or normal variables, and its causes."""

from __future__ import annotations

import os
from graphlib import TopologicalSorter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.families.additive.fitting import SumLayout
from algdim.families.additive.model import POISSON, Additive
from algdim.families.contract import Sampling
from algdim.fitting.drawing import normals, poissons, states_by_rows, uniforms
from algdim.readers.namedparameters import read_parameters

Source = str | os.PathLike[str] | dict[str, Any]
Column = NDArray[Any]


def draw_cases(model: Additive, at: Source, n: int, seed: int | str) -> dict[str, Column]:
    """Causes and hidden variables by their tables, then the mechanism variables, and their sum."""
    layout = SumLayout(model)
    tables = layout.tables(dict(zip(layout.names, map(float, read_parameters(at, layout.names)), strict=True)))
    states = model.network.states
    by_name = dict(zip([one.name for one in layout.variables], layout.variables, strict=True))
    number = {name: k for k, name in enumerate(by_name)}
    drawn: dict[str, NDArray[np.int64]] = {}

    def row(names: tuple[str, ...]) -> NDArray[np.int64]:
        place = np.zeros(n, dtype=np.int64)
        for name in names:
            place = place * states[name] + drawn[name]
        return place

    for name in TopologicalSorter({one: by_name[one].parents for one in by_name}).static_order():
        drawn[name] = states_by_rows(tables[number[name]][0], row(by_name[name].parents), uniforms(seed, name, n))
    effect: Column = np.zeros(n, dtype=np.int64 if model.family == POISSON else np.float64)
    for k, parents in enumerate(layout.parents):
        values = tables[len(layout.variables) + k][0][row(parents)]
        name = f"{model.effect}.{k + 1}"
        if model.family == POISSON:
            effect = effect + poissons(seed, name, values[:, 0])
        else:
            effect = effect + values[:, 0] + np.sqrt(values[:, 1]) * normals(seed, name, n)
    return {**{one.name: drawn[one.name] for one in model.network.observed}, model.effect: effect}


SAMPLING = Sampling(draw_cases, has_states=True)
