"""The arrays of a conditional Gaussian network: tables, then the coefficients of all regressions, then their variances.

Each Gaussian variable has, in each joint state of what its entries depend on, a regression on its Gaussian parents. Intercepts and
coefficients that are free have places in one vector, variances in another; regressions may have some of either in common.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
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
    def states_of(self) -> tuple[Index, ...]:
        """For each regression the numbers of the joint states in which it holds."""
        return tuple(
            np.array(
                [k for k, at in enumerate(self.switch_states) if all(at[name] == state for name, state in one.at)],
                dtype=np.intp,
            )
            for one in self.regressions
        )

    def get_coefficients(self, one: Regression, beta: Numbers) -> Numbers:
        """Restart × intercept and coefficients of a regression."""
        found = np.broadcast_to(np.array(one.fixed), (len(beta), len(one.fixed))).copy()
        for column, place in enumerate(one.places):
            if place >= 0:
                found[:, column] = beta[:, place]
        return found

    def get_variance(self, one: Regression, variances: Numbers) -> Numbers:
        """The variance of a regression at every restart."""
        return variances[:, one.variance] if one.variance >= 0 else np.full(len(variances), one.fixed_variance)

    def compute_laws(self, tables: Tables) -> tuple[Numbers, Numbers]:
        """Restart × state × variable, and × variable: means and covariances of all Gaussian variables, parents first."""
        beta, variances = tables[-2:]
        order = {name: number for number, name in enumerate(self.model.gaussian)}
        shape = (len(beta), len(self.switch_states), len(order))
        mean, covariance = np.zeros(shape), np.zeros((*shape, len(order)))
        for one, states in zip(self.regressions, self.states_of, strict=True):
            coefficients, own = self.get_coefficients(one, beta), order[one.name]
            parents = [order[name] for name in one.parents]
            slopes = coefficients[:, None, 1:]
            mean[:, states, own] = coefficients[:, :1] + (slopes * mean[:, states][:, :, parents]).sum(axis=2)
            across = np.einsum(
                "rsp,rspj->rsj",
                np.broadcast_to(slopes, (len(beta), len(states), len(parents))),
                covariance[:, states][:, :, parents],
            )
            covariance[:, states, own, :] = across
            covariance[:, states[:, None], np.arange(len(order)), own] = across
            explained = (slopes * across[:, :, parents]).sum(axis=2)
            covariance[:, states, own, own] = explained + self.get_variance(one, variances)[:, None]
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
