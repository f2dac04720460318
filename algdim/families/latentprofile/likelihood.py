"""The family "latent-profile": EM for mixtures of normal distributions, with categorical items beside continuous ones.

Where entries are missing (at random), the density is that of the items that a case shows. The others are completed in each class by
their regression on these, and their states by the row of the class.

The likelihood has no maximum where a class may shrink to a point. So within classes no standardised combination of the
continuous items has a variance below a floor; with it every M step has its maximum in closed form.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import log, pi
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, LimitError
from algdim.families.contract import Fitting, Sampling
from algdim.families.latentprofile.map import (
    iterate_parameter_records,
    make_covariance_parameter,
    make_mean_parameter,
    make_probability_parameter,
    make_weight_parameter,
    name_parameters,
)
from algdim.families.latentprofile.model import LatentProfile
from algdim.figures import format_integer
from algdim.fitting.em import DirectLikelihood
from algdim.fitting.likelihood import Numbers, Tables
from algdim.fitting.maximization import Prior, normalise_rows
from algdim.fitting.mixedsamples import Index, MixedSample, read_mixed
from algdim.fitting.record import VARIANCE, Boundary
from algdim.fitting.samples import MISSING, KnownStates
from algdim.fitting.simulating import (
    compute_symmetric_root,
    draw_normals,
    draw_start_uniforms,
    draw_uniforms,
    expand_table_rows,
    select_row_states,
)
from algdim.readers.parameters import read_named_parameters

FLOOR = 1e-3
"""The least variance within a class, as a part of the variance of the data."""
MOST_NUMBERS = 50_000_000
"""Starts times cases times classes."""
COPIES = 3
"""Of the deviations of all cases from the means of all classes, at once."""


@dataclass(frozen=True, eq=False)
class ProfileFamily(DirectLikelihood):
    """A latent-profile model and its data. Arrays: weights, means, covariance matrices (standardised), tables."""

    model: LatentProfile
    sample: MixedSample

    def evaluator(self, restarts: int) -> Self:
        if restarts * len(self.sample.counts) * self.model.classes > MOST_NUMBERS:
            raise LimitError(
                f"{restarts} starts with {format_integer(len(self.sample.counts))} cases and {self.model.classes} classes at once; take fewer starts"
            )
        return super().evaluator(restarts)

    def count_numbers(self) -> int:
        return COPIES * len(self.sample.counts) * self.model.classes * (len(self.sample.continuous) + 2)

    @cached_property
    def scale(self) -> tuple[Numbers, Numbers]:
        """Mean and standard deviation of each continuous item."""
        deviation = np.sqrt(self.sample.variances)
        if not (deviation > 0).all():
            name = self.sample.continuous[int(np.argmin(deviation))]
            raise InputError(f"{name} is the same in all cases; a continuous item varies")
        return self.sample.mean, deviation

    @cached_property
    def values(self) -> Numbers:
        """The standardised values, case × item; 0, the mean, where one is missing."""
        mean, deviation = self.scale
        return np.nan_to_num((self.sample.values - mean) / deviation)

    @cached_property
    def patterns(self) -> tuple[tuple[Index, Index, Index], ...]:
        """Cases that show the same continuous items: which cases, these items, and the others."""
        return self.sample.shown_patterns

    def logs(self, tables: Tables) -> Numbers:
        """Restart × case × class: log P(H) p(case | H)."""
        weights, means, matrices, *items = tables
        logs = np.zeros((*weights.shape, len(self.values)))
        for cases, shown, _ in self.patterns:
            lower = np.linalg.cholesky(matrices[:, :, shown[:, None], shown])
            rest = self.values[None, None, cases[:, None], shown] - means[:, :, None, shown]
            solved = np.linalg.solve(lower, rest.transpose(0, 1, 3, 2))
            density = -0.5 * (solved**2).sum(axis=2) - np.log(np.einsum("rkii->rki", lower)).sum(axis=2)[:, :, None]
            logs[:, :, cases] = density - 0.5 * len(shown) * log(2 * pi) - np.log(self.scale[1][shown]).sum()
        with np.errstate(divide="ignore"):
            logs = logs + np.log(weights)[:, :, None]
            for number, table in enumerate(items):
                codes = self.sample.codes[:, number]
                logs = logs + np.where(codes == MISSING, 0.0, np.log(table)[:, :, codes])
        return np.asarray(logs.transpose(0, 2, 1))

    def take_expectation(self, tables: Tables) -> tuple[Numbers, Tables]:
        """The log-likelihood; of each class the count, the sums of values and of their products, the counts of states."""
        logs = self.logs(tables)
        most = logs.max(axis=2, keepdims=True)
        parts = np.exp(logs - most)
        total = parts.sum(axis=2, keepdims=True)
        loglik = (most + np.log(total))[:, :, 0] @ self.sample.counts
        held = parts / total * self.sample.counts[:, None]
        first, second = self.sum_completed(held, tables)
        states = []
        for k, item in enumerate(self.model.categorical):
            codes = self.sample.codes[:, k]
            counts = [held[:, codes == state].sum(axis=1) for state in range(item.states or 0)]
            # a missing state is completed by the row of the class
            states.append(np.stack(counts, axis=2) + held[:, codes == MISSING].sum(axis=1)[:, :, None] * tables[3 + k])
        return loglik, [held.sum(axis=1), first, second, *states]

    def sum_completed(self, held: Numbers, tables: Tables) -> tuple[Numbers, Numbers]:
        """Of each class the expected sums of values and of their products."""
        _, means, matrices, *_ = tables
        first, second = np.zeros_like(means), np.zeros_like(matrices)
        for cases, shown, lost in self.patterns:
            here, values = held[:, cases], self.values[cases]
            if not len(lost):
                first = first + np.einsum("rnk,ni->rki", here, values)
                second = second + np.einsum("rnk,ni,nj->rkij", here, values, values, optimize=True)
                continue
            slopes = np.linalg.solve(matrices[:, :, shown[:, None], shown], matrices[:, :, shown[:, None], lost])
            rest = values[None, None, :, shown] - means[:, :, None, shown]
            completed = np.broadcast_to(values, (*here.shape[::2], *values.shape)).copy()
            completed[..., lost] = means[:, :, None, lost] + rest @ slopes
            first = first + np.einsum("rnk,rkni->rki", here, completed)
            second = second + np.einsum("rnk,rkni,rknj->rkij", here, completed, completed, optimize=True)
            left = matrices[:, :, lost[:, None], lost] - matrices[:, :, lost[:, None], shown] @ slopes
            second[:, :, lost[:, None], lost] += here.sum(axis=1)[:, :, None, None] * left
        return first, second

    def __call__(self, expected: Tables, tables: Tables) -> Tables:
        """The maximum in closed form; classes without cases stay where they are."""
        held, first, second, *shown = expected
        some = held > 1e-12
        size = np.where(some, held, 1.0)
        means = np.where(some[:, :, None], first / size[:, :, None], tables[1])
        scatter = second - held[:, :, None, None] * means[:, :, :, None] * means[:, :, None, :]
        if self.model.equal:
            matrices = np.broadcast_to((scatter.sum(axis=1) / held.sum(axis=1)[:, None, None])[:, None], scatter.shape)
        else:
            matrices = np.where(some[:, :, None, None], scatter / size[:, :, None, None], tables[2])
        if not self.model.full:
            matrices = matrices * np.eye(matrices.shape[-1])
        items = [normalise_rows(counts, table) for counts, table in zip(shown, tables[3:], strict=True)]
        return [normalise_rows(held, tables[0]), means, raise_eigenvalues(matrices), *items]

    def starts(self, seed: int | str, numbers: range) -> Tables:
        """The means are cases drawn by their counts, the matrices those of all the data, weights even, tables random."""
        classes, items = self.model.classes, self.values.shape[1]
        sizes = [item.states or 0 for item in self.model.categorical]
        drawn = draw_start_uniforms(seed, numbers, classes * (1 + sum(sizes)))
        order = np.cumsum(self.sample.counts) / self.sample.size
        cases = np.minimum(np.searchsorted(order, drawn[:, :classes]), len(order) - 1)
        matrix = self.values.T * self.sample.counts @ self.values / self.sample.size
        if self.sample.has_missing:
            np.fill_diagonal(matrix, 1.0)  # covariances are too small then, which keeps them possible
        matrix = raise_eigenvalues(matrix if self.model.full else np.eye(items))
        tables, first = [], classes
        for size in sizes:
            weights = -np.log(drawn[:, first : first + classes * size]).reshape(-1, classes, size)
            tables.append(weights / weights.sum(axis=2, keepdims=True))
            first += classes * size
        count = len(numbers)
        return [
            np.full((count, classes), 1 / classes),
            self.values[cases],
            np.broadcast_to(matrix, (count, classes, items, items)).copy(),
            *tables,
        ]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters, as `algdim map` has them."""
        return name_parameters(self.model)

    def name_parameters(self, tables: Tables) -> dict[str, Any]:
        """The parameters by their names, in the units of the data."""
        mean, deviation = self.scale
        weights, means, matrices, *items = tables
        own = mean[None] + deviation * means
        units = deviation[:, None] * deviation * matrices
        matrix = [units[:, k, k] for k in range(len(deviation))]
        if self.model.full:
            matrix += [units[:, k, m] for k, m in combinations(range(len(deviation)), 2)]
        values = [weights[:-1], own.T.ravel(), *(entry[:1] if self.model.equal else entry for entry in matrix)]
        values += [table[:, :-1].ravel() for table in items]
        return dict(zip(self.names, np.concatenate(values).tolist(), strict=True))

    def read(self, source: str | os.PathLike[str] | dict[str, Any]) -> Tables:
        return self.tables(dict(zip(self.names, map(float, read_named_parameters(source, self.names)), strict=True)))

    def tables(self, parameters: Mapping[str, Any]) -> Tables:
        mean, deviation = self.scale
        classes, items = self.model.classes, len(deviation)
        values = iter([parameters[name] for name in self.names])
        weights = [next(values) for _ in range(classes - 1)]
        weights.append(1 - sum(weights))
        own = np.array([[next(values) for _ in range(classes)] for _ in range(items)]).T
        pairs = [(k, k) for k in range(items)]
        if self.model.full:
            pairs += list(combinations(range(items), 2))
        units = np.zeros((classes, items, items))
        for one, other in pairs:
            entry = [next(values) for _ in range(1 if self.model.equal else classes)]
            units[:, one, other] = units[:, other, one] = entry
        found = []
        for item in self.model.categorical:
            rows = np.array([[next(values) for _ in range((item.states or 0) - 1)] for _ in range(classes)])
            found.append(np.column_stack([rows, 1 - rows.sum(axis=1)])[None])
        matrices = units / (deviation[:, None] * deviation)
        smallest = float(np.linalg.eigvalsh(matrices).min())
        if smallest <= 0 or min(weights) < 0 or any((table < -1e-9).any() for table in found):
            raise InputError(
                "the parameters are no distribution: weights and entries of tables from 0 to 1, and covariance matrices that are positive definite, are expected"
            )
        return [np.array([weights]), ((own - mean) / deviation)[None], matrices[None], *found]

    def name_counts(self, expected: Tables) -> dict[str, Any]:
        """The expected number of cases of each class."""
        return {self.model.label: [expected[0].tolist()]}

    def boundary(self, tables: Tables) -> tuple[Boundary, ...]:
        least = np.linalg.eigvalsh(tables[2])[:, 0]
        return tuple(
            Boundary(f"least variance given {self.model.label}={k}", float(value), VARIANCE)
            for k, value in enumerate(least)
            if value < FLOOR * 1.01
        )

    def impossible(self, tables: Tables) -> str:
        """A state of a categorical item has the probability 0."""
        del tables
        return (
            "the data hold a case whose probability is 0 at the parameters; check the tables of the categorical items"
        )


def raise_eigenvalues(matrices: Numbers) -> Numbers:
    """The matrices with their eigenvalues raised to the floor: the maximum among those that are above it."""
    values, vectors = np.linalg.eigh(matrices)
    if (values >= FLOOR).all():
        return matrices
    raised = np.maximum(values, FLOOR)
    return np.asarray((vectors * raised[..., None, :]) @ np.swapaxes(vectors, -1, -2))


def prepare_fit(
    model: LatentProfile, data: Any, prior: Prior, missing: bool, states: KnownStates | None
) -> ProfileFamily:
    """Read the data and prepare the maximisation."""
    del prior  # maximum likelihood
    return ProfileFamily(model, read_cases(model, data, missing, states))


def read_cases(
    model: LatentProfile, data: Any, missing: bool, states: KnownStates | None, *, compress: bool = True
) -> MixedSample:
    """Read the data of a model."""
    names = [item.name for item in model.items]
    continuous = [item.name for item in model.continuous]
    categorical = [(item.name, item.states or 0) for item in model.categorical]
    return read_mixed(data, continuous, categorical, names, states, compress=compress, missing=missing)


def share_out_cases(
    model: LatentProfile, data: Any, parameters: Mapping[str, Any], missing: bool, states: KnownStates
) -> dict[str, Numbers]:
    """The probabilities of the classes of each case."""
    family = ProfileFamily(model, read_cases(model, data, missing, states, compress=False))
    logs = family.logs(family.tables(parameters))[0]
    parts = np.exp(logs - logs.max(axis=1, keepdims=True))
    return {model.label: parts / parts.sum(axis=1, keepdims=True)}


FITTING = Fitting(prepare_fit, share_out=share_out_cases)


Source = str | os.PathLike[str] | dict[str, Any]
Column = NDArray[Any]


def draw_cases(model: LatentProfile, at: Source, n: int, seed: int | str) -> dict[str, Column]:
    """The class, then continuous items from its normal distribution, and categorical ones from its rows."""
    values = dict(
        zip(
            iterate_parameter_records(model), map(float, read_named_parameters(at, name_parameters(model))), strict=True
        )
    )
    label, classes = model.label, range(model.classes)
    weights = [values[make_weight_parameter(model, h)] for h in classes[:-1]]
    chosen = select_row_states(
        expand_table_rows([weights], label), np.zeros(n, dtype=np.intp), draw_uniforms(seed, label, n)
    )
    continuous = [item.name for item in model.continuous]
    drawn = np.array([draw_normals(seed, name, n) for name in continuous]).T
    cases = np.empty_like(drawn)
    for h in classes:
        matrix = np.diag([values[make_covariance_parameter(model, name, name, h)] for name in continuous])
        if model.full:
            for k, one in enumerate(continuous):
                for m, other in enumerate(continuous[k + 1 :], k + 1):
                    matrix[k, m] = matrix[m, k] = values[make_covariance_parameter(model, one, other, h)]
        means = np.array([values[make_mean_parameter(model, name, h)] for name in continuous])
        mine = chosen == h
        cases[mine] = means + drawn[mine] @ compute_symmetric_root(matrix, f"the covariances given {label}={h}")
    columns: dict[str, Column] = {name: cases[:, k] for k, name in enumerate(continuous)}
    for item in model.categorical:
        rows = [
            [values[make_probability_parameter(model, item.name, s, h)] for s in range((item.states or 0) - 1)]
            for h in classes
        ]
        columns[item.name] = select_row_states(
            expand_table_rows(rows, item.name), chosen, draw_uniforms(seed, item.name, n)
        )
    return {item.name: columns[item.name] for item in model.items}


SAMPLING = Sampling(draw_cases, has_states=True)
