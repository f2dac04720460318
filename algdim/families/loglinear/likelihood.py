"""The family "loglinear": maximum likelihood over all joint states, and cases drawn from them.

The logarithm of the chance of a joint state is a sum of effects θ, but for a constant, so that all joint states are one row of log-odds
that are linear in weights, and an M step is Newton's. Without hidden variables the likelihood is concave in the effects; with such,
or where entries are missing, the E step shares cases out among the joint states that they may have.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import exp, log, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, LimitError, join_names
from algdim.families.contract import Fitting, Sampling
from algdim.families.discrete.locals.curves import compute_probabilities, optimise_weights
from algdim.families.discrete.locals.sigmoid import LinearCurve
from algdim.families.discrete.model import Network
from algdim.families.loglinear.map import build_loglinear_map
from algdim.families.loglinear.model import LogLinear
from algdim.figures import format_integer
from algdim.fitting.em import DirectLikelihood
from algdim.fitting.likelihood import Numbers, Tables
from algdim.fitting.maximization import Prior
from algdim.fitting.record import RATE, Boundary
from algdim.fitting.samples import MISSING, KnownStates, Sample, read_sample
from algdim.fitting.simulating import (
    SUMMANDS,
    convert_to_normals,
    draw_start_uniforms,
    draw_uniforms,
    select_row_states,
)
from algdim.readers.parameters import read_named_parameters

MOST_NUMBERS = 4_000_000
"""Joint states times effects, and joint states that all cases may have."""
FARTHEST = 700.0
"""An effect beyond this is no number as e to its power."""

Index = NDArray[np.intp]
Source = str | os.PathLike[str] | dict[str, Any]


@dataclass(frozen=True, eq=False)
class EffectsCurve(LinearCurve):
    """All joint states as one row; a weight for each effect."""

    effects: Numbers

    @property
    def design(self) -> Numbers:
        return self.effects

    def name_parameters(self, weights: Numbers) -> dict[str, Any]:
        return dict(zip(self.parents, np.exp(weights).tolist(), strict=True))

    def weights(self, named: Mapping[str, Any]) -> Numbers:
        return np.array([log(float(named[name])) for name in self.parents])


def order_variables(model: LogLinear) -> tuple[str, ...]:
    """The observed ones, then the others; joint states are numbered with the first slowest."""
    return tuple(one.name for one in (*model.observed, *model.hidden))


def make_curve(model: LogLinear) -> EffectsCurve:
    """The effects of every joint state.

    >>> from algdim.models.notation import parse
    >>> make_curve(parse("loglinear: {A,B}")).effects.astype(int).tolist()
    [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1]]
    """
    states, names = model.states, order_variables(model)
    cells, count = prod(states.values()), model.parameter_count
    if cells * max(count, 1) > MOST_NUMBERS:
        raise LimitError(
            f"the variables have {format_integer(cells)} joint states and the model has {format_integer(count)} effects; models are "
            f"fitted up to a product of {format_integer(MOST_NUMBERS)}"
        )
    at = dict(zip(names, np.indices([states[name] for name in names]).reshape(len(names), -1), strict=True))
    columns = [
        np.all([at[name] == state for name, state in zip(effect, found, strict=True)], axis=0)
        for effect in model.effects
        for found in product(*(range(1, states[name]) for name in effect))
    ]
    design = np.array(columns, dtype=np.float64).reshape(len(columns), cells).T
    return EffectsCurve((1, cells), build_loglinear_map(model).parameters, np.ascontiguousarray(design))


@dataclass(frozen=True, eq=False)
class EffectsFamily(DirectLikelihood):
    """A log-linear model and its data. One array: the effects θ."""

    model: LogLinear
    sample: Sample

    @cached_property
    def curve(self) -> EffectsCurve:
        """The effects of every joint state."""
        return make_curve(self.model)

    @cached_property
    def observed_cells(self) -> int:
        """The number of joint states of the observed variables."""
        return prod(one.states for one in self.model.observed)

    @cached_property
    def cells_of_patterns(self) -> tuple[Index, Index]:
        """For each pattern in turn the joint states of observed variables that it may be, and where its first stands."""
        sizes = [one.states for one in self.model.observed]
        strides = np.array([prod(sizes[k + 1 :]) for k in range(len(sizes))], dtype=np.intp)
        pieces: list[Index] = []
        total = 0
        for pattern in self.sample.patterns:
            lost = np.flatnonzero(pattern == MISSING)
            total += prod(sizes[k] for k in lost)
            if total > MOST_NUMBERS:
                raise LimitError(
                    f"cases with missing entries may have more than {format_integer(MOST_NUMBERS)} joint states together"
                )
            first = np.array([int(np.where(pattern == MISSING, 0, pattern) @ strides)], dtype=np.intp)
            for k in lost:
                first = (first[:, None] + strides[k] * np.arange(sizes[k])).ravel()
            pieces.append(first)
        return np.concatenate(pieces), np.cumsum([0, *map(len, pieces[:-1])])

    @property
    def has_one_maximum(self) -> bool:
        """The likelihood of complete data is concave in the effects."""
        return not self.model.hidden and not (self.sample.patterns == MISSING).any()

    def count_numbers(self) -> int:
        cells, effects = self.curve.effects.shape
        return int(4 * cells + 3 * cells * max(1, effects) + len(self.cells_of_patterns[0]))

    def joint(self, weights: Numbers) -> Numbers:
        """Restart × observed joint state × hidden one: the chances."""
        return compute_probabilities(self.curve, weights).reshape(len(weights), self.observed_cells, -1)

    def add_up_patterns(self, joint: Numbers) -> Numbers:
        """Restart × pattern, and what further axes there are: sums of the chances of the joint states that each may be."""
        cells, starts = self.cells_of_patterns
        return np.asarray(np.add.reduceat(joint[:, cells], starts, axis=1))

    def take_expectation(self, tables: Tables) -> tuple[Numbers, Tables]:
        """The log-likelihood, and the expected counts of all joint states."""
        joint = self.joint(tables[0])
        chances = self.add_up_patterns(joint.sum(axis=2))
        with np.errstate(divide="ignore", invalid="ignore"):
            loglik = np.log(chances) @ self.sample.counts
            rates = np.where(chances > 0, self.sample.counts / chances, 0.0)
        cells, starts = self.cells_of_patterns
        lengths = np.diff(np.append(starts, len(cells)))
        weight = np.zeros((len(joint), self.observed_cells))
        for row, rate in zip(weight, np.repeat(rates, lengths, axis=1), strict=True):
            np.add.at(row, cells, rate)
        return loglik, [(joint * weight[:, :, None]).reshape(len(joint), -1)]

    def __call__(self, expected: Tables, tables: Tables) -> Tables:
        """Newton's steps, none of which lowers the objective."""
        if not self.curve.size:
            return tables
        return [optimise_weights(self.curve, expected[0], tables[0])]

    def starts(self, seed: int | str, numbers: range) -> Tables:
        """Normal effects; 0 where the likelihood has one maximum."""
        size = self.curve.size
        if not self.model.hidden:
            return [np.zeros((len(numbers), size))]
        return [convert_to_normals(draw_start_uniforms(seed, numbers, SUMMANDS * size))]

    def name_parameters(self, tables: Tables) -> dict[str, Any]:
        """The numbers t = e^θ, as `algdim map` has them."""
        return self.curve.name_parameters(np.clip(tables[0], -FARTHEST, FARTHEST))

    def read(self, source: Source) -> Tables:
        return [read_effects(self.curve, source)[None]]

    def tables(self, parameters: Mapping[str, Any]) -> Tables:
        return [self.curve.weights(parameters)[None]]

    def name_counts(self, expected: Tables) -> dict[str, Any]:
        """Those of the states of each hidden variable."""
        shape = [self.model.states[name] for name in order_variables(self.model)]
        counts = expected[0].reshape(shape)
        found = {}
        for axis, one in enumerate(order_variables(self.model)):
            if axis >= len(self.model.observed):
                found[one] = [counts.sum(axis=tuple(k for k in range(len(shape)) if k != axis)).tolist()]
        return found

    def boundary(self, tables: Tables) -> tuple[Boundary, ...]:
        """Effects that are nearly 0, or their reciprocals: the data ask for chances that the model only comes near."""
        least = -log(max(2.0, 1e3 * self.sample.size))
        return tuple(
            Boundary(name if value < 0 else f"1/{name}", exp(-abs(value)), RATE)
            for name, value in zip(self.curve.parents, np.clip(tables[0], -FARTHEST, FARTHEST).tolist(), strict=True)
            if -abs(value) < least
        )

    def impossible(self, tables: Tables) -> str:
        """The least probable pattern."""
        chances = self.add_up_patterns(self.joint(tables[0]).sum(axis=2))
        pattern = self.sample.patterns[int(np.argmin(chances[0]))]
        pairs = zip(self.sample.names, self.sample.states, pattern, strict=True)
        shown = join_names(f"{name}={states[code]}" for name, states, code in pairs if code != MISSING)
        return f"the data hold the pattern {shown}, whose probability is 0 at the parameters, as computers have numbers; take smaller effects"


def read_effects(curve: EffectsCurve, source: Source) -> Numbers:
    """The logarithms of the effects in a parameter file."""
    values = read_named_parameters(source, curve.parents)
    for name, value in zip(curve.parents, values, strict=True):
        if value <= 0:
            raise InputError(f"{name} is {value}; effects t = e^θ are greater than 0")
    return np.array([log(value.numerator) - log(value.denominator) for value in values])


def prepare_fit(model: LogLinear, data: Any, prior: Prior, missing: bool, states: KnownStates | None) -> EffectsFamily:
    """Read the data and prepare the maximisation."""
    del prior  # maximum likelihood
    return EffectsFamily(model, read_sample(data, Network(model.variables), missing=missing, states=states))


def share_out_cases(
    model: LogLinear, data: Any, parameters: Mapping[str, Any], missing: bool, states: KnownStates
) -> dict[str, Numbers]:
    """The probabilities of each hidden variable's states."""
    sample = read_sample(data, Network(model.variables), missing=missing, states=states, compress=False)
    family = EffectsFamily(model, sample)
    held = family.add_up_patterns(family.joint(family.curve.weights(parameters)[None]))[0]
    sizes = [one.states for one in model.hidden]
    parts = (held / held.sum(axis=1, keepdims=True)).reshape(len(held), *sizes)
    return {
        one.name: parts.sum(axis=tuple(k + 1 for k in range(len(sizes)) if k != number))
        for number, one in enumerate(model.hidden)
    }


FITTING = Fitting(prepare_fit, share_out=share_out_cases)


def draw_cases(model: LogLinear, at: Source, n: int, seed: int | str) -> dict[str, NDArray[Any]]:
    """Joint states of the observed variables."""
    curve = make_curve(model)
    sizes = [one.states for one in model.observed]
    chances = compute_probabilities(curve, read_effects(curve, at)[None]).reshape(prod(sizes), -1).sum(axis=1)
    names = [one.name for one in model.observed]
    drawn = select_row_states(chances[None], np.zeros(n, dtype=np.intp), draw_uniforms(seed, ",".join(names), n))
    return dict(zip(names, np.unravel_index(drawn, sizes), strict=True))


SAMPLING = Sampling(draw_cases, has_states=True)
