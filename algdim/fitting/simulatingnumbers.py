"""Cases drawn from models with continuous variables, and from sums."""

from __future__ import annotations

import os
from graphlib import TopologicalSorter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError
from algdim.families.additive.likelihood import SumLayout
from algdim.families.additive.model import POISSON, Additive
from algdim.families.gaussian import parameterfile as gaussianparameters
from algdim.families.gaussian.model import Gaussian
from algdim.families.latentprofile.map import parameters_of
from algdim.families.latentprofile.model import LatentProfile
from algdim.fitting.drawing import normals, poissons, states_by_rows, uniforms
from algdim.readers.namedparameters import read_parameters

Source = str | os.PathLike[str] | dict[str, Any]
Column = NDArray[Any]


def gaussian(model: Gaussian, at: Source, n: int, seed: int | str) -> dict[str, Column]:
    """X = (m + ε)(I − B)⁻¹, the errors ε normal with the covariances Ω."""
    values = gaussianparameters.read_parameters(at, model)
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


def profile(model: LatentProfile, at: Source, n: int, seed: int | str) -> dict[str, Column]:
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


def additive(model: Additive, at: Source, n: int, seed: int | str) -> dict[str, Column]:
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


def root_of(matrix: NDArray[np.float64], what: str) -> NDArray[np.float64]:
    """A symmetric root of a covariance matrix."""
    values, vectors = np.linalg.eigh(matrix)
    if values.min() < -1e-9 * max(1.0, float(values.max())):
        raise InputError(f"{what} are no covariance matrix: it has the eigenvalue {values.min():.4g}, none is negative")
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)


def rows_of(rows: list[list[float]], name: str) -> NDArray[np.float64]:
    """The rows of a table whose last entries are what is left."""
    found = np.array([[*row, 1 - sum(row)] for row in rows])
    if (found < -1e-9).any():
        raise InputError(f"{name}: the entries of a row are from 0 to 1 and add up to 1")
    return np.asarray(np.maximum(found, 0.0), dtype=np.float64)
