"""The family "conditional-gaussian": EM, and samples.

The E step goes through the joint hidden states; in each the latent Gaussian variables have a normal distribution given the observed
ones. The M step solves all regressions at once, at the variances before it, and then takes the variances from what is left: it does not
lower the expected log-likelihood, and is its maximum where no regressions of different variances share a coefficient.

Where entries are missing (at random), the likelihood is that of what each case shows: discrete variables that some case lacks are
summed over with the hidden ones, Gaussian ones are latent in the cases that lack them.

The likelihood has no maximum where a class may shrink to a point: no error variance falls below a floor.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from graphlib import TopologicalSorter
from math import log, pi, prod
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, LimitError
from algdim.families.conditionalgaussian.layout import Index, MixedLayout, Regressions
from algdim.families.conditionalgaussian.map import check_size, iterate_states
from algdim.families.conditionalgaussian.model import ConditionalGaussian
from algdim.families.conditionalgaussian.normalequations import NormalEquations
from algdim.families.contract import Fitting, Sampling
from algdim.figures import format_integer
from algdim.fitting.em import DirectLikelihood
from algdim.fitting.likelihood import Numbers, Tables, add_at_places
from algdim.fitting.maximization import BDEU, ML, SOFTMAX, Prior, normalise_rows
from algdim.fitting.mixedsamples import MixedSample, read_mixed
from algdim.fitting.record import VARIANCE, Boundary
from algdim.fitting.samples import MISSING, KnownStates
from algdim.fitting.simulating import (
    SUMMANDS,
    convert_to_normals,
    draw_normals,
    draw_start_uniforms,
    draw_uniforms,
    select_row_states,
)
from algdim.readers.parameters import read_named_parameters

FLOOR, LEAST = 1e-3, 1e-6
"""The least error variance, as a part of the variance of the data: if it depends on a hidden state, and if not."""
SPREAD = 0.7
"""Of random coefficients, of standardised variables."""
NONE = Prior()
MOST_NUMBERS = 50_000_000
"""Starts times cases times joint hidden states."""
COPIES = 4
"""Of the largest arrays, at once."""


class Run(NamedTuple):
    """Cases that show the same Gaussian variables, under one normal distribution."""

    law: int
    cases: Index
    states: Index
    """The hidden states that have this distribution."""
    columns: Index
    """What the cases show, among the columns of the data."""
    shown: Index
    """The same among all Gaussian variables."""
    unseen: Index
    """The others."""


@dataclass(frozen=True, eq=False)
class MixedFamily(DirectLikelihood):
    """A conditional Gaussian network, its data and its prior."""

    model: ConditionalGaussian
    sample: MixedSample
    prior: Prior = NONE

    def __post_init__(self) -> None:
        deviation = np.sqrt(self.sample.variances)
        if not (deviation > 0).all():
            name = self.sample.continuous[int(np.argmin(deviation))]
            raise InputError(f"{name} is the same in all cases; a Gaussian variable varies")
        if self.prior.kind != ML:
            self.blocks  # noqa: B018 (raises where there is no conjugate prior)

    @cached_property
    def layout(self) -> MixedLayout:
        """The arrays."""
        return MixedLayout(self.model)

    def evaluator(self, restarts: int) -> Self:
        if restarts * len(self.sample.counts) * len(self.hidden_states) > MOST_NUMBERS:
            raise LimitError(
                f"{restarts} starts with {format_integer(len(self.sample.counts))} cases in {format_integer(len(self.hidden_states))} "
                "hidden states at once; take fewer starts"
            )
        return super().evaluator(restarts)

    def count_numbers(self) -> int:
        shares = COPIES * self.law_numbers.size
        latent = sum(len(run.unseen) * len(run.cases) for run in self.runs)
        products = COPIES * len(self.layout.switch_states) * (len(self.model.gaussian) + 1) ** 2
        return shares + latent + products + COPIES * self.equations.blocks.entries

    @cached_property
    def hidden_states(self) -> list[dict[str, int]]:
        """The joint states of the discrete variables that are hidden, or missing in some case."""
        hidden = [one.name for one in self.model.hidden if one.states is not None]
        return list(iterate_states(self.model.states, [*hidden, *self.gaps]))

    @cached_property
    def gaps(self) -> tuple[str, ...]:
        """The observed discrete variables that are missing in some case."""
        return tuple(np.array(self.sample.names)[(self.sample.codes == MISSING).any(axis=0)].tolist())

    @cached_property
    def possible(self) -> NDArray[np.bool_]:
        """Cell × hidden state: whether the state is that of the cell, where the cell shows a variable that others lack."""
        cells, _ = self.cells
        found = np.ones((len(cells), len(self.hidden_states)), dtype=np.bool_)
        for name in self.gaps:
            own = cells[:, [self.sample.names.index(name)]]
            found &= (own == MISSING) | (own == np.array([[at[name] for at in self.hidden_states]]))
        return found

    @cached_property
    def cells(self) -> tuple[NDArray[Any], Index]:
        """The different cells of the observed discrete variables, and that of each case."""
        if not self.sample.names:
            return np.zeros((1, 0), dtype=np.int64), np.zeros(len(self.sample.counts), dtype=np.intp)
        cells, numbers = np.unique(self.sample.codes, axis=0, return_inverse=True)
        return cells, numbers.ravel()

    def number_states(self, names: tuple[str, ...]) -> Index:
        """Cell × hidden state: the number of the joint state of some discrete variables, the first slowest."""
        cells, _ = self.cells
        found = np.zeros((len(cells), len(self.hidden_states)), dtype=np.intp)
        for name in names:
            if name in self.sample.names and name not in self.gaps:
                own = cells[:, [self.sample.names.index(name)]]
            else:
                own = np.array([[at[name] for at in self.hidden_states]])
            found = found * self.model.states[name] + own
        return found

    @cached_property
    def rows(self) -> tuple[Index, ...]:
        """For each table the entry in each cell and hidden state."""
        return tuple(self.number_states((*self.model.parents[name], name)) for name, _, _ in self.layout.tables)

    @cached_property
    def law_numbers(self) -> Index:
        """Case × hidden state: the number of the normal distribution."""
        return self.number_states(self.model.switches)[self.cells[1]]

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """For each normal distribution its cases, those together that show the same, and its hidden states in all of them."""
        places, possible, found = self.axes, self.possible[self.cells[1]], []
        patterns = self.sample.shown_patterns
        for k in range(len(self.layout.switch_states)):
            mine = self.law_numbers == k
            cases = (mine & possible).any(axis=1)
            for rows, columns, _ in patterns:
                own = rows[cases[rows]]
                if len(own):
                    unseen = np.setdiff1d(np.arange(len(self.order)), places[columns])
                    found.append(Run(k, own, np.flatnonzero(mine[own[0]]), columns, places[columns], unseen))
        return tuple(found)

    def take_expectation(self, tables: Tables) -> tuple[Numbers, Tables]:
        """The log-likelihood; counts of the tables; of each normal distribution the count, and sums of values and of products."""
        logs, held, latent = self.compute_shares(tables)
        counts = self.sample.counts
        restarts, cell_of = len(logs), self.cells[1]
        order = np.argsort(cell_of, kind="stable")
        by_cell = np.add.reduceat(held[:, order], np.flatnonzero(np.diff(cell_of[order], prepend=-1)), axis=1)
        found: Tables = [
            add_at_places(by_cell, places, rows * states).reshape(restarts, rows, states)
            for places, (_, rows, states) in zip(self.rows, self.layout.tables, strict=True)
        ]
        size, width = len(self.layout.switch_states), len(self.model.gaussian)
        moments = np.zeros((restarts, size, width + 1, width + 1))
        for run, (center, left) in zip(self.runs, latent, strict=True):
            share = held[:, run.cases[:, None], run.states].sum(axis=2)
            z = np.empty((restarts, len(run.cases), width + 1))
            z[:, :, 0] = 1.0
            z[:, :, 1 + run.shown] = self.sample.values[run.cases[:, None], run.columns]
            z[:, :, 1 + run.unseen] = center
            moments[:, run.law] += np.einsum("rn,rni,rnj->rij", share, z, z, optimize=True)
            moments[:, run.law, 1 + run.unseen[:, None], 1 + run.unseen] += share.sum(axis=1)[:, None, None] * left
        return logs @ counts, [*found, moments]

    @cached_property
    def axes(self) -> Index:
        """The places of the observed Gaussian variables, in the order of the data, among all."""
        return np.array([self.order[name] for name in self.sample.continuous], dtype=np.intp)

    def compute_shares(self, tables: Tables) -> tuple[Numbers, Numbers, list[tuple[Numbers, Numbers]]]:
        """The log-density of every case; how the cases are shared out among hidden states, by their counts.

        And for each run the expectation of what is latent or missing in its cases, and its covariances given what they show.
        """
        restarts = len(tables[-1])
        with np.errstate(divide="ignore"):
            logs = np.zeros((restarts, *self.number_states(()).shape))
            for table, places in zip(tables[:-2], self.rows, strict=True):
                logs = logs + np.log(table.reshape(restarts, -1))[:, places]
        logs = np.where(self.possible, logs, -np.inf)[:, self.cells[1]]
        mean, covariance = self.layout.compute_laws(tables)
        latent = []
        for k, cases, states, columns, shown, unseen in self.runs:
            lower = np.linalg.cholesky(covariance[:, k][:, shown[:, None], shown])
            values = self.sample.values[cases[:, None], columns]
            rest = (values[None] - mean[:, k][:, None, shown]).transpose(0, 2, 1)
            solved = np.linalg.solve(lower, rest)
            density = -0.5 * (solved**2).sum(axis=1) - np.log(np.einsum("rii->ri", lower)).sum(axis=1)[:, None]
            logs[:, cases[:, None], states] += (density - 0.5 * len(shown) * log(2 * pi))[:, :, None]
            across = np.linalg.solve(lower, covariance[:, k][:, shown[:, None], unseen])
            center = mean[:, k][:, None, unseen] + (across.transpose(0, 2, 1) @ solved).transpose(0, 2, 1)
            latent.append((center, covariance[:, k][:, unseen[:, None], unseen] - across.transpose(0, 2, 1) @ across))
        most = logs.max(axis=2, keepdims=True)
        parts = np.exp(logs - np.where(np.isfinite(most), most, 0.0))
        total = parts.sum(axis=2, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            held = np.where(total > 0, parts / total, 0.0) * self.sample.counts[None, :, None]
            return (most + np.log(total))[:, :, 0], held, latent

    @cached_property
    def units(self) -> tuple[Numbers, Numbers]:
        """The means and variances of all Gaussian variables in the data; 0 and 1 of latent ones."""
        mean, variance = np.zeros(len(self.model.gaussian)), np.ones(len(self.model.gaussian))
        mean[self.axes], variance[self.axes] = self.sample.shown_moments
        return mean, variance

    @cached_property
    def floors(self) -> Numbers:
        """The least value of each variance."""
        hidden = {one.name for one in self.model.hidden}
        found = np.zeros(len(self.layout.places[1]))
        for one in self.layout.regressions:
            if one.variance >= 0:
                part = FLOOR if hidden & {name for name, _ in one.at} else LEAST
                found[one.variance] = max(found[one.variance], part * self.units[1][self.order[one.name]])
        return found

    @cached_property
    def order(self) -> dict[str, int]:
        """The places of the Gaussian variables."""
        return {name: number for number, name in enumerate(self.model.gaussian)}

    @cached_property
    def equations(self) -> NormalEquations:
        """The regressions, and how their coefficients are found."""
        return NormalEquations(self.layout)

    def make_prior_moments(self, one: Regressions) -> Numbers:
        """The sums of products of 1, parents and variable of one case with the means and variances of the data, and no covariances."""
        own = one.columns[1:] - 1
        mean = np.array([1.0, *self.units[0][own]])
        return np.outer(mean, mean) + np.diag([0.0, *self.units[1][own]])

    @cached_property
    def blocks(self) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
        """Regressions of one variance, and the coefficients that they have; refused where a coefficient has several variances.

        Regressions of a fixed variance are one block for each.
        """
        found: dict[Any, list[int]] = {}
        for number, one in enumerate(self.layout.regressions):
            found.setdefault(one.variance if one.variance >= 0 else ("fixed", number), []).append(number)
        result = []
        seen: set[int] = set()
        for numbers in found.values():
            places = {place for number in numbers for place in self.layout.regressions[number].places if place >= 0}
            if seen & places:
                name = next(name for name, place in self.layout.places[0].items() if place in seen & places)
                raise InputError(
                    f"{name} is common to regressions of different variances, and there is no conjugate prior; make their variances common too, "
                    "or their coefficients free"
                )
            seen |= places
            result.append((tuple(numbers), tuple(sorted(places))))
        return tuple(result)

    def collect_normal_equations(self, moments: Numbers, weights: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Λ and h, added up over the regressions with weights, restart × regression; the squares that fixed numbers leave of each."""
        return self.equations.collect([one.select(moments) for one in self.layout.by_variable], weights)

    def get_weights(self, variances: Numbers) -> Numbers:
        """Restart × regression: 1 / variance."""
        return 1 / np.concatenate([one.get_variances(variances) for one in self.layout.by_variable], axis=1)

    @cached_property
    def of_variance(self) -> Index:
        """The place of the variance of each regression; −1 if it is fixed."""
        return np.concatenate([one.variances for one in self.layout.by_variable])

    def add_up_by_variance(self, values: Numbers) -> Numbers:
        """Restart × variance: the sums of restart × regression."""
        free = self.of_variance >= 0
        return add_at_places(values[:, free], self.of_variance[free], len(self.layout.places[1]))

    def __call__(self, expected: Tables, tables: Tables) -> Tables:
        """Tables in closed form; coefficients at the variances before, then variances; what has no cases stays where it is."""
        *counts, moments = expected
        beta, variances = tables[-2:]
        amount = 0.0 if self.prior.kind == ML else self.prior.amount
        less = 0.0 if self.prior.kind == ML else amount - self.prior.less
        result = [
            normalise_rows(np.maximum(one + less, 0.0), table) for one, table in zip(counts, tables[:-2], strict=True)
        ]
        if beta.shape[1]:
            matrix, right, _ = self.collect_normal_equations(moments, self.get_weights(variances))
            if amount:
                known, center = self.collect_prior(self.get_weights(variances))
                matrix, right = matrix + amount * known, right + amount * center
            size = matrix[:, self.equations.blocks.diagonal]
            near = 1e-10 * size + 1e-12 * size.max(axis=1, keepdims=True) + 1e-300
            matrix[:, self.equations.blocks.diagonal] += near
            beta = self.equations.blocks.solve(matrix, right + near * beta)
        left, held = self.measure_residuals(moments, beta)
        if amount:
            left, held = self.add_prior_residuals(beta, left, held, amount)
        with np.errstate(divide="ignore", invalid="ignore"):
            new = np.where(held > 1e-9, left / held, variances)
        return [*result, beta, np.maximum(new, self.floors)]

    def measure_residuals(self, moments: Numbers, beta: Numbers) -> tuple[Numbers, Numbers]:
        """Restart × variance: the sums of squares of residuals, and the counts of cases."""
        left, held = self.equations.measure_residuals(moments, beta)
        return self.add_up_by_variance(left), self.add_up_by_variance(held)

    def collect_prior(self, weights: Numbers) -> tuple[Numbers, Numbers]:
        """Λ and Λβ₀ of one prior case, added up with weights: coefficients are 0, intercepts the mean."""
        matrix = self.equations.collect(
            [
                np.broadcast_to(known, (len(weights), len(one.places), *known.shape))
                for one, known in zip(self.layout.by_variable, self.prior_moments, strict=True)
            ],
            weights,
        )[0]
        right = np.zeros((len(weights), len(self.layout.places[0])))
        for one, known in zip(self.layout.by_variable, self.prior_moments, strict=True):
            own = known[one.free[:, None], one.free] @ self.get_prior_center(one)
            right += add_at_places(weights[:, one.numbers, None] * own, one.places, right.shape[1])
        return matrix, right

    @cached_property
    def prior_moments(self) -> tuple[Numbers, ...]:
        """Those of the regressions of each variable."""
        return tuple(map(self.make_prior_moments, self.layout.by_variable))

    def get_prior_center(self, one: Regressions) -> Numbers:
        """The free coefficients that the prior expects: the mean of the data, and zeros."""
        return np.where(one.free == 0, self.units[0][self.order[one.name]], 0.0)

    def measure_prior_residuals(self, beta: Numbers) -> Numbers:
        """Restart × regression: the square of what its coefficients are away from what the prior expects."""
        found = np.zeros((len(beta), len(self.layout.regressions)))
        for one, known in zip(self.layout.by_variable, self.prior_moments, strict=True):
            away = beta[:, one.places] - self.get_prior_center(one)
            found[:, one.numbers] = np.einsum("rki,ij,rkj->rk", away, known[one.free[:, None], one.free], away)
        return found

    def add_prior_residuals(
        self, beta: Numbers, left: Numbers, held: Numbers, amount: float
    ) -> tuple[Numbers, Numbers]:
        """What the prior adds: the density of v is that of an inverse gamma variable, that of β given v normal."""
        left = left + amount * self.add_up_by_variance(self.measure_prior_residuals(beta))
        held = held.copy()
        for numbers, places in self.blocks:
            one = self.layout.regressions[numbers[0]]
            if one.variance >= 0:
                left[:, one.variance] += 2 * amount * self.units[1][self.order[one.name]]
                held[:, one.variance] += 2 * amount + 2 + len(places)
        return left, held

    def penalty(self, tables: Tables) -> Numbers:
        restarts = len(tables[-1])
        if self.prior.kind == ML:
            return np.zeros(restarts)
        total = np.zeros(restarts)
        with np.errstate(divide="ignore"):
            for table in tables[:-2]:
                total += (self.prior.amount - self.prior.less) * np.log(table).reshape(restarts, -1).sum(axis=1)
        beta, variances = tables[-2:]
        left, held = self.add_prior_residuals(
            beta, np.zeros_like(variances), np.zeros_like(variances), self.prior.amount
        )
        total -= (0.5 * held * np.log(variances) + 0.5 * left / variances).sum(axis=1)
        fixed = self.of_variance < 0
        away = self.measure_prior_residuals(beta) * self.get_weights(variances)
        total -= 0.5 * self.prior.amount * away[:, fixed].sum(axis=1)
        return np.asarray(total)

    def starts(self, seed: int | str, numbers: range) -> Tables:
        """Tables random; intercepts those of a case drawn for each hidden state, coefficients random, variances those of the data."""
        layout, restarts = self.layout, len(numbers)
        order = self.order
        sizes = [rows * states for _, rows, states in layout.tables]
        slopes = SUMMANDS * len(layout.places[0])
        drawn = draw_start_uniforms(seed, numbers, sum(sizes) + len(self.hidden_states) + slopes)
        result: Tables = []
        first = 0
        for size, (_, rows, states) in zip(sizes, layout.tables, strict=True):
            weights = -np.log(drawn[:, first : first + size]).reshape(restarts, rows, states)
            result.append(weights / weights.sum(axis=2, keepdims=True))
            first += size
        ends = np.cumsum(self.sample.counts) / self.sample.size
        cases = np.minimum(np.searchsorted(ends, drawn[:, first : first + len(self.hidden_states)]), len(ends) - 1)
        normals = convert_to_normals(drawn[:, first + len(self.hidden_states) :]) if slopes else np.zeros((restarts, 0))
        mean, variance = self.units
        beta, spread = np.zeros((restarts, len(layout.places[0]))), np.ones((restarts, len(layout.places[1])))
        hidden = [one for one in self.model.hidden if one.states is not None]
        strides = {one.name: prod(other.states or 1 for other in hidden[k + 1 :]) for k, one in enumerate(hidden)}
        for one in layout.regressions:
            own = order[one.name]
            at = {name: state for name, state in one.at if name in strides}
            chosen = sum(strides[name] * state for name, state in at.items())  # the first hidden state of this kind
            if one.variance >= 0:
                spread[:, one.variance] = variance[own]
            for column, place in enumerate(one.places):
                if place < 0:
                    continue
                if column:
                    parent = order[one.parents[column - 1]]
                    beta[:, place] = SPREAD * normals[:, place] * (variance[own] / variance[parent]) ** 0.5
                elif at and own in self.axes:
                    values = self.sample.values[:, list(self.axes).index(own)]
                    beta[:, place] = np.where(np.isfinite(values), values, mean[own])[cases[:, chosen]]
                else:
                    beta[:, place] = mean[own]
        return [*result, beta, spread]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return self.layout.names

    def name_parameters(self, tables: Tables) -> dict[str, Any]:
        """The parameters by their names."""
        return self.layout.name_parameters(tables)

    def read(self, source: str | os.PathLike[str] | dict[str, Any]) -> Tables:
        return self.tables(dict(zip(self.names, map(float, read_named_parameters(source, self.names)), strict=True)))

    def tables(self, parameters: Mapping[str, Any]) -> Tables:
        return self.layout.arrays(parameters)

    def name_counts(self, expected: Tables) -> dict[str, Any]:
        """The expected counts of the tables."""
        return {name: table.tolist() for (name, _, _), table in zip(self.layout.tables, expected, strict=False)}

    def boundary(self, tables: Tables) -> tuple[Boundary, ...]:
        values = tables[-1]
        return tuple(
            Boundary(name, float(values[place]), VARIANCE)
            for name, place in self.layout.places[1].items()
            if values[place] < self.floors[place] * 1.01
        )

    def impossible(self, tables: Tables) -> str:
        """A state of a discrete variable has the probability 0."""
        del tables
        return (
            "the data hold a case whose probability is 0 at the parameters; check the tables of the discrete variables"
        )


def prepare_fit(
    model: ConditionalGaussian, data: Any, prior: Prior, missing: bool, states: KnownStates | None
) -> MixedFamily:
    """Read the data and prepare the maximisation."""
    if prior.kind == BDEU or prior.coordinates == SOFTMAX:
        raise InputError(
            f"the prior {prior}: networks with Gaussian variables take alpha=A in the coordinates of their parameters"
        )
    check_size(model)
    return MixedFamily(model, read_cases(model, data, missing, states), prior)


def read_cases(
    model: ConditionalGaussian, data: Any, missing: bool, states: KnownStates | None, *, compress: bool = True
) -> MixedSample:
    """Read the data of a model."""
    observed = [one.name for one in model.observed]
    continuous = [one.name for one in model.observed if one.states is None]
    categorical = [(one.name, one.states) for one in model.observed if one.states is not None]
    return read_mixed(data, continuous, categorical, observed, states, compress=compress, missing=missing)


def share_out_cases(
    model: ConditionalGaussian, data: Any, parameters: Mapping[str, Any], missing: bool, states: KnownStates
) -> dict[str, Numbers]:
    """The probabilities of the states of each hidden discrete variable, in each case."""
    sample = read_cases(model, data, missing, states, compress=False)
    family = MixedFamily(model, replace(sample, counts=np.ones(len(sample.counts))))
    shares = family.compute_shares(family.tables(parameters))[1][0]
    found = {}
    for one in model.hidden:
        if one.states is not None:
            own = np.array([at[one.name] for at in family.hidden_states])
            found[one.name] = np.stack([shares[:, own == state].sum(axis=1) for state in range(one.states)], axis=1)
    return found


FITTING = Fitting(prepare_fit, has_priors=True, share_out=share_out_cases)


Source = str | os.PathLike[str] | dict[str, Any]
Column = NDArray[Any]


def draw_cases(model: ConditionalGaussian, at: Source, n: int, seed: int | str) -> dict[str, Column]:
    """Discrete variables by their tables, then Gaussian ones by their equations, parents first."""
    layout = MixedLayout(model)
    tables = layout.arrays(dict(zip(layout.names, map(float, read_named_parameters(at, layout.names)), strict=True)))
    drawn: dict[str, Column] = {}
    number = {name: k for k, (name, _, _) in enumerate(layout.tables)}

    def row(names: tuple[str, ...]) -> NDArray[np.int64]:
        place = np.zeros(n, dtype=np.int64)
        for name in names:
            place = place * model.states[name] + drawn[name]
        return place

    for name in TopologicalSorter({one: model.parents[one] for one in model.states}).static_order():
        drawn[name] = select_row_states(tables[number[name]][0], row(model.parents[name]), draw_uniforms(seed, name, n))
    state = row(model.switches)
    for one in layout.by_variable:
        holds = one.holds[state]
        coefficients, variances = one.get_coefficients(tables[-2])[0][holds], one.get_variances(tables[-1])[0][holds]
        drawn[one.name] = coefficients[:, 0] + variances**0.5 * draw_normals(seed, one.name, n)
        for column, parent in enumerate(one.columns[1:-1], 1):
            drawn[one.name] += coefficients[:, column] * drawn[model.gaussian[parent - 1]]
    return {one.name: drawn[one.name] for one in model.observed}


SAMPLING = Sampling(draw_cases, has_states=True)
