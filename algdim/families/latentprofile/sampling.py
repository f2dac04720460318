"""Cases drawn from a mixture of normal distributions."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.families.contract import Sampling
from algdim.families.latentprofile.map import parameters_of
from algdim.families.latentprofile.model import LatentProfile
from algdim.fitting.drawing import normals, root_of, rows_of, states_by_rows, uniforms
from algdim.readers.namedparameters import read_parameters

Source = str | os.PathLike[str] | dict[str, Any]
Column = NDArray[Any]


def draw_cases(model: LatentProfile, at: Source, n: int, seed: int | str) -> dict[str, Column]:
    """The class, then continuous items from its normal distribution, and categorical ones from its rows."""
    names = parameters_of(model)
    values = dict(zip(names, map(float, read_parameters(at, names)), strict=True))
    label, classes = model.label, range(model.classes)
    weights = [values[f"P({label}={h})"] for h in classes[:-1]]
    chosen = states_by_rows(rows_of([weights], label), np.zeros(n, dtype=np.intp), uniforms(seed, label, n))
    continuous = [item.name for item in model.continuous]
    drawn = np.array([normals(seed, name, n) for name in continuous]).T
    cases = np.empty_like(drawn)
    for h in classes:
        end = ")" if model.equal else f"|{label}={h})"
        matrix = np.diag([values[f"v({name}{end}"] for name in continuous])
        if model.full:
            for k, one in enumerate(continuous):
                for m, other in enumerate(continuous[k + 1 :], k + 1):
                    matrix[k, m] = matrix[m, k] = values[f"c({one}<->{other}{end}"]
        means = np.array([values[f"m({name}|{label}={h})"] for name in continuous])
        mine = chosen == h
        cases[mine] = means + drawn[mine] @ root_of(matrix, f"the covariances given {label}={h}")
    columns: dict[str, Column] = {name: cases[:, k] for k, name in enumerate(continuous)}
    for item in model.categorical:
        rows = [[values[f"P({item.name}={s}|{label}={h})"] for s in range((item.states or 0) - 1)] for h in classes]
        columns[item.name] = states_by_rows(rows_of(rows, item.name), chosen, uniforms(seed, item.name, n))
    return {item.name: columns[item.name] for item in model.items}


SAMPLING = Sampling(draw_cases, has_states=True)
