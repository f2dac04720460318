"""The arrays of a conditional Gaussian network: tables, then the coefficients of all regressions, then their variances.

Each Gaussian variable has, in each joint state of what its entries depend on, a regression on its Gaussian parents. Intercepts and
coefficients that are free have places in one vector, variances in another; regressions may have some of either in common.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError
from algdim.families.conditionalgaussian.map import (
    iterate_parameter_records,
    iterate_states,
    make_entry_parameter,
    make_table_parameter,
)
from algdim.families.conditionalgaussian.model import ConditionalGaussian
from algdim.fitting.likelihood import Numbers, Tables

Index = NDArray[np.intp]


class Regression(NamedTuple):
    """A Gaussian variable in one state: where its coefficients and its variance stand, or what they are fixed to."""

    name: str
    parents: tuple[str, ...]
    places: tuple[int, ...]
    """Of the intercept, and of the coefficients of the parents; −1 if it is fixed."""
    fixed: tuple[float, ...]
    variance: int
    """−1 if it is fixed."""
    fixed_variance: float
    at: tuple[tuple[str, int], ...]


@dataclass(frozen=True, eq=False)
class Regressions:
    """Those of one Gaussian variable, one in each joint state of what its entries depend on."""

    name: str
    numbers: slice
    """Which ones they are among all."""
    columns: Index
    """The places of 1, of the parents and of the variable among 1 and all Gaussian variables."""
    states: Index
    """Regression × joint states in which it holds."""
    free: Index
    """Which of 1 and the parents have coefficients that are not fixed."""
    places: Index
    """Regression × free coefficient."""
    left: Numbers
    """What multiplies 1, the parents and the variable in the residual: minus fixed coefficients, 0 for free ones, then 1."""
    variances: Index
    """Of each regression; −1 if it is fixed."""
    fixed_variance: float

    def select(self, moments: Numbers) -> Numbers:
        """Restart × regression × sums of products of 1, the parents and the variable, from those of all joint states."""
        return np.asarray(moments[:, :, self.columns[:, None], self.columns][:, self.states].sum(axis=2))

    def make_residual(self, beta: Numbers) -> Numbers:
        """Restart × regression × what multiplies 1, the parents and the variable in the residual."""
        found = np.tile(self.left, (len(beta), len(self.places), 1))
        found[:, :, self.free] = -beta[:, self.places]
        return found

    def get_coefficients(self, beta: Numbers) -> Numbers:
        """Restart × regression × intercept and coefficients."""
        return -self.make_residual(beta)[:, :, :-1]

    def get_variances(self, variances: Numbers) -> Numbers:
        """Restart × regression."""
        if self.variances[0] < 0:
            return np.full((len(variances), len(self.variances)), self.fixed_variance)
        return np.asarray(variances[:, self.variances])

    @cached_property
    def holds(self) -> Index:
        """Which regression holds in each joint state."""
        found = np.empty(self.states.size, dtype=np.intp)
        found[self.states] = np.arange(len(self.states))[:, None]
        return found


@dataclass(frozen=True, eq=False)
class MixedLayout:
    """Where the parameters stand."""

    model: ConditionalGaussian

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters, as `algdim map` has them."""
        return tuple(dict.fromkeys(map(str, iterate_parameter_records(self.model))))

    @cached_property
    def tables(self) -> tuple[tuple[str, int, int], ...]:
        """The discrete variables, with the rows and the columns of their tables."""
        states, parents = self.model.states, self.model.parents
        return tuple((name, prod(states[one] for one in parents[name]), count) for name, count in states.items())

    @cached_property
    def places(self) -> tuple[dict[str, int], dict[str, int]]:
        """The places of coefficients and of variances by the names of the parameters."""
        fixed, found = self.model.values, (dict[str, int](), dict[str, int]())
        for entry in self.model.entries:
            if entry not in fixed:
                own = found[entry[0] == "v"]
                for at in iterate_states(self.model.states, self.model.get_switches(entry)):
                    own.setdefault(str(make_entry_parameter(self.model, entry, at)), len(own))
        return found

    @cached_property
    def regressions(self) -> tuple[Regression, ...]:
        """Those of all Gaussian variables, parents first."""
        return tuple(one for name in self.model.gaussian for one in self.list_regressions(name))

    def list_regressions(self, name: str) -> list[Regression]:
        """Those of one variable."""
        model, fixed = self.model, self.model.values
        parents = tuple(one for one in model.parents[name] if one not in model.states)
        entries = [("m", name), *(("b", one, name) for one in parents)]
        used = {one for entry in (*entries, ("v", name)) for one in model.get_switches(entry)}
        found = []
        for at in iterate_states(model.states, [one for one in model.states if one in used]):

            def place(entry: tuple[str, ...], at: Mapping[str, int] = at) -> int:
                return (
                    -1 if entry in fixed else self.places[entry[0] == "v"][str(make_entry_parameter(model, entry, at))]
                )

            values = tuple(float(fixed.get(entry, 0)) for entry in entries)
            variance = ("v", name)
            found.append(
                Regression(
                    name,
                    parents,
                    tuple(map(place, entries)),
                    values,
                    place(variance),
                    float(fixed.get(variance, 0)),
                    tuple(at.items()),
                )
            )
        return found

    @cached_property
    def switch_states(self) -> list[dict[str, int]]:
        """The joint states on which normal distributions depend."""
        return list(iterate_states(self.model.states, self.model.switches))

    @cached_property
    def by_variable(self) -> tuple[Regressions, ...]:
        """The regressions of each Gaussian variable, parents first."""
        order = {name: number for number, name in enumerate(self.model.gaussian, 1)}
        found, first = [], 0
        for name, some in groupby(self.regressions, key=lambda one: one.name):
            own = list(some)
            number = {tuple(state for _, state in one.at): k for k, one in enumerate(own)}
            used = [one for one, _ in own[0].at]
            holds = np.array([number[tuple(at[one] for one in used)] for at in self.switch_states], dtype=np.intp)
            places = np.array([one.places for one in own], dtype=np.intp)
            free = np.flatnonzero(places[0] >= 0)  # an entry is fixed in all states or in none
            found.append(
                Regressions(
                    name,
                    slice(first, first := first + len(own)),
                    np.array([0, *(order[parent] for parent in own[0].parents), order[name]]),
                    np.argsort(holds, kind="stable").reshape(len(own), -1),
                    free,
                    places[:, free],
                    np.array([*(-value for value in own[0].fixed), 1.0]),
                    np.array([one.variance for one in own], dtype=np.intp),
                    own[0].fixed_variance,
                )
            )
        return tuple(found)

    def compute_laws(self, tables: Tables) -> tuple[Numbers, Numbers]:
        """Restart × state × variable, and × variable: means and covariances of all Gaussian variables, parents first."""
        beta, variances = tables[-2:]
        shape = (len(beta), len(self.switch_states), len(self.model.gaussian))
        mean, covariance = np.zeros(shape), np.zeros((*shape, shape[2]))
        for one in self.by_variable:
            *parents, own = one.columns[1:] - 1
            coefficients = one.get_coefficients(beta)[:, one.holds]
            slopes = coefficients[:, :, 1:]
            mean[:, :, own] = coefficients[:, :, 0] + (slopes * mean[:, :, parents]).sum(axis=2)
            across = (slopes[:, :, None, :] @ covariance[:, :, parents])[:, :, 0]
            covariance[:, :, own, :] = across
            covariance[:, :, :, own] = across
            explained = (slopes * across[:, :, parents]).sum(axis=2)
            covariance[:, :, own, own] = explained + one.get_variances(variances)[:, one.holds]
        return mean, covariance

    def name_parameters(self, tables: Tables) -> dict[str, Any]:
        """The parameters of one restart by their names."""
        found: dict[str, float] = {}
        for (name, _, count), table in zip(self.tables, tables, strict=False):
            for at, row in zip(iterate_states(self.model.states, self.model.parents[name]), table, strict=True):
                for state in range(count - 1):
                    found[str(make_table_parameter(self.model, name, at | {name: state}))] = float(row[state])
        for places, values in zip(self.places, tables[-2:], strict=True):
            found |= {name: float(values[place]) for name, place in places.items()}
        return {name: found[name] for name in self.names}

    def arrays(self, parameters: Mapping[str, Any]) -> Tables:
        """The arrays of named parameters, as one restart."""
        found: Tables = []
        for name, _, count in self.tables:
            rows = [
                [
                    float(parameters[str(make_table_parameter(self.model, name, at | {name: state}))])
                    for state in range(count - 1)
                ]
                for at in iterate_states(self.model.states, self.model.parents[name])
            ]
            table = np.array(rows).reshape(len(rows), count - 1)
            table = np.column_stack([table, 1 - table.sum(axis=1)])
            if (table < -1e-9).any():
                raise InputError(f"{name}: the entries of a row are from 0 to 1 and add up to 1")
            found.append(np.maximum(table, 0.0)[None])
        vectors = [np.array([[float(parameters[name]) for name in places]]) for places in self.places]
        if not (vectors[1] > 0).all():
            wrong = next(name for name in self.places[1] if not float(parameters[name]) > 0)
            raise InputError(f"{wrong} is {parameters[wrong]}; a variance is positive")
        return [*found, *vectors]
