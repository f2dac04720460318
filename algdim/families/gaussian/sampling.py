"""Cases drawn from a Gaussian model."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError
from algdim.families.contract import Sampling
from algdim.families.gaussian.model import Gaussian
from algdim.families.gaussian.parameterfile import read_parameters as read_entries
from algdim.fitting.drawing import normals, root_of

Source = str | os.PathLike[str] | dict[str, Any]
Column = NDArray[Any]


def draw_cases(model: Gaussian, at: Source, n: int, seed: int | str) -> dict[str, Column]:
    """X = (m + ε)(I − B)⁻¹, the errors ε normal with the covariances Ω."""
    values = read_entries(at, model)
    place = {variable.name: number for number, variable in enumerate(model.variables)}
    size = len(place)
    b, omega, means = np.zeros((size, size)), np.zeros((size, size)), np.zeros(size)
    for (kind, *names), value in values.items():
        where = [place[name] for name in names]
        if kind == "b":
            b[where[0], where[1]] = float(value)
        elif kind == "m":
            means[where[0]] = float(value)
        else:
            omega[where[0], where[-1]] = omega[where[-1], where[0]] = float(value)
    root = root_of(omega, "the covariances of the errors")
    errors = np.array([normals(seed, name, n) for name in place]).T @ root
    if not abs(np.linalg.det(np.eye(size) - b)) > 1e-12:
        raise InputError("the coefficients on the cycles make I − B singular; there is no distribution")
    cases = np.linalg.solve((np.eye(size) - b).T, (means + errors).T)
    return {variable.name: cases[place[variable.name]] for variable in model.observed}


SAMPLING = Sampling(draw_cases)
