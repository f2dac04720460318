"""EM for sums (MH97 §3.2), maxima, and other order statistics, of independent Poisson or normal mechanism variables.

Given the causes and the hidden states inside mechanisms, the effect E is a sum of independent variables X_j. If they are
Poisson with rates λ_j, then X_j given E = e is binomial with the share λ_j / Σ λ, so its expectation is e λ_j / Σ λ. If they are
normal, X_j given e is normal with mean m_j + v_j / Σ v · (e − Σ m) and variance v_j − v_j² / Σ v. (MH97 §3.1 and §3.2 print
the discrete E steps otherwise.) Of maxima and other order statistics the module `algdim.families.additive.orderstatistics` has the distribution.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from graphlib import TopologicalSorter
from math import lgamma, pi, prod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, LimitError
from algdim.families.additive.map import build_additive_map
from algdim.families.additive.model import Additive
from algdim.families.additive.orderstatistics import describe_normal_order, describe_poisson_order
from algdim.families.contract import Fitting, Sampling
from algdim.families.discrete.model import Variable
from algdim.figures import format_integer
from algdim.fitting.em import DirectLikelihood
from algdim.fitting.likelihood import Numbers, Tables, add_at_places
from algdim.fitting.maximization import Prior, normalise_rows
from algdim.fitting.mixedsamples import MixedSample, read_mixed
from algdim.fitting.record import RATE, VARIANCE, Boundary
from algdim.fitting.samples import MISSING, KnownStates
from algdim.fitting.simulating import draw_normals, draw_poissons, draw_start_uniforms, draw_uniforms, select_row_states
from algdim.readers.parameters import read_named_parameters

Index = NDArray[np.intp]

FLOOR = 1e-6
"""The least variance of a mechanism variable, as a part of the effect's; without it a single case could take all."""
LEAST_RATE = 1e-12
MOST_NUMBERS = 20_000_000
"""Starts times cases times joint hidden states."""
COPIES = 8
"""Of what the E step has for each case and joint hidden state, at once."""


@dataclass(frozen=True, eq=False)
class AdditiveLayout:
    """The arrays of an additive model: those of its tables, then of its mechanisms, and the names of their entries."""

    model: Additive

    @property
    def letters(self) -> int:
        """Numbers of a component: a rate, or a mean and a variance."""
        return 1 if self.model.is_poisson else 2

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """The causes in order, then the hidden variables mechanism by mechanism, as in the map's parameters."""
        if self.model.is_shared:
            return self.model.network.variables
        by_name = {variable.name: variable for variable in self.model.network.variables}
        inside = [self.model.mixture(number) for number in range(len(self.model.mechanisms))]
        return (*self.model.network.observed, *(by_name[name] for name in inside if name is not None))

    @cached_property
    def parents(self) -> tuple[tuple[str, ...], ...]:
        """The parents of each mechanism variable, the hidden one last, as in the map's parameters."""
        return tuple(
            (*self.model.causes(number), *filter(None, [self.model.mixture(number)]))
            for number in range(len(self.model.mechanisms))
        )

    @cached_property
    def shapes(self) -> list[tuple[int, int]]:
        """Of each array: rows and what a row has."""
        states = self.model.network.states
        tables = [(prod(states[parent] for parent in one.parents), one.states) for one in self.variables]
        return tables + [(prod(states[name] for name in names), self.letters) for names in self.parents]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters, as `algdim map` has them."""
        return build_additive_map(self.model).parameters

    @property
    def order(self) -> list[int]:
        """The arrays in the order of the names: the causes' tables, then mechanism by mechanism the hidden one's table and its own."""
        observed, count = len(self.model.coordinate_variables), len(self.variables)
        hidden, result = iter(range(observed, count)), list(range(observed))
        for number in range(len(self.parents)):
            if self.model.mixture(number) is not None:
                result.append(next(hidden))
            result.append(count + number)
        return result

    def tables(self, parameters: Mapping[str, Any]) -> Tables:
        """The arrays of named parameters."""
        values = iter([parameters[name] for name in self.names])
        found: dict[int, Numbers] = {}
        for k in self.order:
            rows, size = self.shapes[k]
            width = size - 1 if k < len(self.variables) else size
            part = np.array([[next(values) for _ in range(width)] for _ in range(rows)]).reshape(rows, width)
            if k < len(self.variables):
                part = np.column_stack([part, 1 - part.sum(axis=1)])
            elif not (part[:, -1] > 0).all():
                raise InputError(f"{self.model.names[k - len(self.variables)]}: rates and variances are positive")
            if k < len(self.variables) and (part < -1e-9).any():
                raise InputError(f"{self.variables[k].name}: the entries of a row are from 0 to 1 and add up to 1")
            found[k] = part[None]
        return [found[k] for k in range(len(self.shapes))]


@dataclass(frozen=True, eq=False)
class AdditiveLikelihood(DirectLikelihood):
    """An additive model and its data. Arrays: the tables of causes and hidden variables, then rates, or means and variances."""

    model: Additive
    sample: MixedSample

    def __post_init__(self) -> None:
        for number, name in enumerate(self.model.effects):
            effect = self.sample.values[self.shows[:, number], number]
            if self.model.is_poisson and not ((effect >= 0) & (effect == np.round(effect))).all():
                raise InputError(f"{name} is a Poisson variable; integers from 0 are expected")

    @cached_property
    def layout(self) -> AdditiveLayout:
        """The arrays."""
        return AdditiveLayout(self.model)

    def tables(self, parameters: Mapping[str, Any]) -> Tables:
        """The arrays of a record."""
        return self.layout.tables(parameters)

    def evaluator(self, restarts: int) -> Self:
        if restarts * self.rows[0].size > MOST_NUMBERS:
            raise LimitError(
                f"{restarts} starts with {format_integer(len(self.sample.counts))} cases in {format_integer(self.rows[0].shape[1])} hidden states at once; take fewer starts"
            )
        return super().evaluator(restarts)

    def count_numbers(self) -> int:
        return COPIES * self.rows[0].size

    @cached_property
    def shows(self) -> NDArray[np.bool_]:
        """Whether a case shows an effect: cases × effects."""
        return np.isfinite(self.sample.values)

    @cached_property
    def effect(self) -> Numbers:
        """The effects of every case, as columns; 0 where they are missing."""
        return np.where(self.shows, self.sample.values, 0.0)

    @cached_property
    def gaps(self) -> tuple[str, ...]:
        """The causes that are missing in some case."""
        return tuple(np.array(self.sample.names)[(self.sample.codes == MISSING).any(axis=0)].tolist())

    @cached_property
    def hidden_states(self) -> Index:
        """Variable × joint state of the variables that are hidden, or missing in some case."""
        sizes = [self.model.network.states[name] for name in (*self.model.hidden, *self.gaps)]
        return np.indices(sizes).reshape(len(sizes), prod(sizes)) if sizes else np.zeros((0, 1), dtype=np.intp)

    @cached_property
    def possible(self) -> NDArray[np.bool_]:
        """Case × joint hidden state: whether the state is that of the case, where it shows a cause that others lack."""
        found = np.ones((len(self.sample.counts), self.hidden_states.shape[1]), dtype=np.bool_)
        for name, line in zip(self.gaps, self.hidden_states[len(self.model.hidden) :], strict=True):
            own = self.sample.codes[:, [self.sample.names.index(name)]]
            found &= (own == MISSING) | (own == line)
        return found

    @cached_property
    def rows(self) -> tuple[Index, ...]:
        """Case × joint hidden state: the entry of each table, then the row of each mechanism."""
        states, observed = self.model.network.states, self.model.network.observed
        grid = self.hidden_states
        at: dict[str, NDArray[Any]] = {
            variable.name: np.broadcast_to(self.sample.codes[:, [k]], (len(self.sample.counts), grid.shape[1]))
            for k, variable in enumerate(observed)
        }
        for name, line in zip((*self.model.hidden, *self.gaps), grid, strict=True):
            at[name] = np.broadcast_to(line, (len(self.sample.counts), grid.shape[1]))

        def place(names: tuple[str, ...]) -> Index:
            zero = np.zeros((len(self.sample.counts), grid.shape[1]), dtype=np.intp)
            for name in names:
                zero = zero * states[name] + at[name]
            return zero

        return (*(place((*one.parents, one.name)) for one in self.layout.variables), *map(place, self.layout.parents))

    @cached_property
    def factorials(self) -> Numbers:
        """Log e! of every case and effect."""
        return np.array([[lgamma(value + 1) for value in case] for case in self.effect.tolist()])

    def components(self, tables: Tables) -> list[Numbers]:
        """Per mechanism: letter × restart × case × hidden state."""
        count = len(self.layout.variables)
        return [
            np.stack([table[:, :, letter][:, row] for letter in range(self.layout.letters)])
            for table, row in zip(tables[count:], self.rows[count:], strict=True)
        ]

    def describe(self, tables: Tables) -> tuple[Numbers, list[list[Numbers]]]:
        """Restart × case × hidden state: log of the effects' density, and for each mechanism the moments of its variable given its effect."""
        parts, owners = self.components(tables), self.model.owners
        found = [
            self.describe_effect(
                number, [part for part, owner in zip(parts, owners, strict=True) if owner == number], tables
            )
            for number in range(len(self.model.effects))
        ]
        logs = [np.where(self.shows[None, :, [number]], one, 0.0) for number, (one, _) in enumerate(found)]
        return sum(logs[1:], logs[0]), [moments for _, own in found for moments in own]

    def describe_effect(self, number: int, parts: list[Numbers], tables: Tables) -> tuple[Numbers, list[list[Numbers]]]:
        """The same of one effect, of whose mechanisms the components are given."""
        effect = self.effect[None, :, [number]]
        if self.model.is_order_statistic:
            if not self.model.is_poisson:
                return describe_normal_order(effect, [(part[0], part[1]) for part in parts], self.model.place)
            rates = [table[:, :, 0] for table in tables[len(self.layout.variables) :]]
            return describe_poisson_order(effect, rates, self.rows[len(self.layout.variables) :], self.model.place)
        total = sum(parts[1:], parts[0])
        if self.model.is_poisson:
            logs = effect * np.log(total[0]) - total[0] - self.factorials[None, :, [number]]
            return logs, [[effect * part[0] / total[0]] for part in parts]
        logs = -0.5 * (np.log(2 * pi * total[1]) + (effect - total[0]) ** 2 / total[1])
        moments = []
        for part in parts:
            mean = part[0] + part[1] / total[1] * (effect - total[0])
            moments.append([mean, mean**2 + part[1] - part[1] ** 2 / total[1]])
        return logs, moments

    def add_tables(self, tables: Tables, logs: Numbers) -> Numbers:
        """The log of the joint density: that of the effect, and of the causes and hidden states."""
        with np.errstate(divide="ignore"):
            logs = logs + np.log(self.possible)
            for table, row in zip(tables, self.rows[: len(self.layout.variables)], strict=False):
                logs = logs + np.log(table.reshape(len(table), -1))[:, row]
        return np.asarray(logs)

    def compute_shares(self, tables: Tables, density: Numbers) -> tuple[Numbers, Numbers]:
        """The log-likelihood of each case, restart × case, and the probabilities of the hidden states given the case."""
        logs = self.add_tables(tables, density)
        most = logs.max(axis=2, keepdims=True)
        each = np.exp(logs - most)
        sums = each.sum(axis=2, keepdims=True)
        return (most + np.log(sums))[:, :, 0], each / sums

    def take_expectation(self, tables: Tables) -> tuple[Numbers, Tables]:
        """The log-likelihood; the counts of the tables; of each mechanism's row the count and the sums of X and of X²."""
        density, described = self.describe(tables)
        logs, shares = self.compute_shares(tables, density)
        loglik = logs @ self.sample.counts
        held = shares * self.sample.counts[None, :, None]
        found: Tables = [
            add_at_places(held, row, rows * size).reshape(len(held), rows, size)
            for row, (rows, size) in zip(self.rows, self.layout.shapes[: len(self.layout.variables)], strict=False)
        ]
        count = len(self.layout.variables)
        shown = [held * self.shows[:, [number]] for number in range(len(self.model.effects))]
        places = zip(self.model.owners, described, self.rows[count:], self.layout.shapes[count:], strict=True)
        for owner, moments, row, (rows, _) in places:
            some = shown[owner]
            found.append(
                np.stack([add_at_places(some * one, row, rows) for one in (np.ones_like(some), *moments)], axis=2)
            )
        return loglik, found

    def __call__(self, expected: Tables, tables: Tables) -> Tables:
        """The maximum in closed form; rows without cases stay as they are."""
        count = len(self.layout.variables)
        result = [normalise_rows(found, table) for found, table in zip(expected[:count], tables[:count], strict=True)]
        for owner, found, table in zip(self.model.owners, expected[count:], tables[count:], strict=True):
            some = found[:, :, :1] > 1e-12
            mean = found[:, :, 1:2] / np.where(some, found[:, :, :1], 1.0)
            new = np.maximum(mean, LEAST_RATE)
            if not self.model.is_poisson:
                variance = found[:, :, 2:3] / np.where(some, found[:, :, :1], 1.0) - mean**2
                new = np.concatenate([mean, np.maximum(variance, self.floors[owner])], axis=2)
            result.append(np.where(some, new, table))
        return result

    @property
    def floors(self) -> Numbers:
        """The least variance of the mechanism variables of each effect."""
        return np.asarray(FLOOR * self.sample.variances)

    def starts(self, seed: int | str, numbers: range) -> Tables:
        """Tables random; rates, or means, random parts of the effect's mean, variances even parts of its variance; of a maximum the whole."""
        sizes = [rows * size for rows, size in self.layout.shapes]
        drawn = np.split(draw_start_uniforms(seed, numbers, sum(sizes)), np.cumsum(sizes)[:-1], axis=1)
        count, owners = len(self.layout.variables), self.model.owners
        weights = [
            -np.log(piece).reshape(-1, rows, size)
            for piece, (rows, size) in zip(drawn, self.layout.shapes[:count], strict=False)
        ]
        result = [one / one.sum(axis=2, keepdims=True) for one in weights]
        for owner, piece, (rows, size) in zip(owners, drawn[count:], self.layout.shapes[count:], strict=True):
            mean, variance = float(self.sample.mean[owner]), float(self.sample.variances[owner])
            parts = 1 if self.model.is_order_statistic else owners.count(owner)
            numbers_ = piece.reshape(-1, rows, size)
            if self.model.is_poisson:
                result.append((0.2 + 1.6 * numbers_) * max(mean, 0.1) / parts)
            else:
                means = mean / parts + 3 * (numbers_[:, :, :1] - 0.5) * (variance / parts) ** 0.5
                result.append(np.concatenate([means, (0.2 + numbers_[:, :, 1:]) * variance / parts], axis=2))
        return result

    def name_parameters(self, tables: Tables) -> dict[str, Any]:
        """The parameters by their names; of a table's row the last entry is left out."""
        flat = [
            (tables[k][:, :-1] if k < len(self.layout.variables) else tables[k]).ravel().tolist()
            for k in self.layout.order
        ]
        return dict(zip(self.layout.names, [value for part in flat for value in part], strict=True))

    def read(self, source: str | os.PathLike[str] | dict[str, Any]) -> Tables:
        return self.layout.tables(
            dict(zip(self.layout.names, map(float, read_named_parameters(source, self.layout.names)), strict=True))
        )

    def name_counts(self, expected: Tables) -> dict[str, Any]:
        """The expected counts of the tables, and of the rows of mechanisms."""
        names = [one.name for one in self.layout.variables]
        names += self.model.names
        count = len(self.layout.variables)
        return {
            name: (found if k < count else found[:, :1]).tolist()
            for k, (name, found) in enumerate(zip(names, expected, strict=True))
        }

    def boundary(self, tables: Tables) -> tuple[Boundary, ...]:
        """Rates, or variances, near 0."""
        count = len(self.layout.variables)
        near = 2 * self.floors
        if self.model.is_poisson:
            near = self.effect.max(axis=0) / self.sample.size
        return tuple(
            Boundary(
                f"{self.model.names[k]} row {row + 1}",
                float(value),
                RATE if self.model.is_poisson else VARIANCE,
            )
            for k, table in enumerate(tables[count:])
            for row, value in enumerate(table[:, -1])
            if value < near[self.model.owners[k]]
        )

    def impossible(self, tables: Tables) -> str:
        """A cause's state has the probability 0."""
        del tables
        return "the data hold a case whose probability is 0 at the parameters; check the tables of the causes"


def prepare_fit(
    model: Additive, data: Any, prior: Prior, missing: bool, states: KnownStates | None
) -> AdditiveLikelihood:
    """Read the data and prepare the maximisation."""
    del prior  # maximum likelihood
    sample = read_cases(model, data, missing, states)
    for name, variance in zip(model.effects, sample.variances, strict=True):
        if not model.is_poisson and not variance > 0:
            raise InputError(f"{name} is the same in all cases; it has a variance in the family {model.family}")
    return AdditiveLikelihood(model, sample)


def read_cases(
    model: Additive, data: Any, missing: bool, states: KnownStates | None, *, compress: bool = True
) -> MixedSample:
    """Read the observed causes and the effects."""
    causes = [(one.name, one.states) for one in model.network.observed]
    order = [*(name for name, _ in causes), *model.effects]
    return read_mixed(data, list(model.effects), causes, order, states, compress=compress, missing=missing)


def share_out_cases(
    model: Additive, data: Any, parameters: Mapping[str, Any], missing: bool, states: KnownStates
) -> dict[str, Numbers]:
    """The probabilities of each hidden variable's states, in each case."""
    family = AdditiveLikelihood(model, read_cases(model, data, missing, states, compress=False))
    tables = family.tables(parameters)
    _, shares = family.compute_shares(tables, family.describe(tables)[0])
    return {
        name: np.stack([shares[0][:, own == state].sum(axis=1) for state in range(model.network.states[name])], axis=1)
        for name, own in zip(model.hidden, family.hidden_states, strict=False)
    }


FITTING = Fitting(prepare_fit, share_out=share_out_cases)


Source = str | os.PathLike[str] | dict[str, Any]
Column = NDArray[Any]


def draw_cases(model: Additive, at: Source, n: int, seed: int | str) -> dict[str, Column]:
    """Causes and hidden variables by their tables, then the mechanism variables, and their sum, or one of them by size."""
    layout = AdditiveLayout(model)
    tables = layout.tables(dict(zip(layout.names, map(float, read_named_parameters(at, layout.names)), strict=True)))
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
        drawn[name] = select_row_states(
            tables[number[name]][0], row(by_name[name].parents), draw_uniforms(seed, name, n)
        )
    parts: list[Column] = []
    for k, parents in enumerate(layout.parents):
        values = tables[len(layout.variables) + k][0][row(parents)]
        name = model.names[k]
        if model.is_poisson:
            parts.append(draw_poissons(seed, name, values[:, 0]))
        else:
            parts.append(values[:, 0] + np.sqrt(values[:, 1]) * draw_normals(seed, name, n))
    found: dict[str, Column] = {one.name: drawn[one.name] for one in model.network.observed}
    for place, effect in enumerate(model.effects):
        own = [part for part, owner in zip(parts, model.owners, strict=True) if owner == place]
        found[effect] = np.sort(own, axis=0)[-model.place] if model.is_order_statistic else reduce(np.add, own)
    return found


SAMPLING = Sampling(draw_cases, has_states=True)
