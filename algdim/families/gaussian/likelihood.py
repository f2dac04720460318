"""The family "gaussian": damped scoring on the exact gradient of the normal likelihood.

With S the covariance matrix of the data, m their mean, D = S + (m − μ)(m − μ)ᵀ:

    log p(D) = −N/2 · (p log 2π + log det Σ + tr Σ⁻¹ D),
    ∂ log p(D) = −N/2 · tr(Σ⁻¹ ∂Σ (I − Σ⁻¹ D)) + N ∂μᵀ Σ⁻¹ (m − μ),

and the information is N/2 · tr(Σ⁻¹ ∂Σ Σ⁻¹ ∂Σ) + N ∂μᵀ Σ⁻¹ ∂μ. It holds with correlated errors and cycles. Without means
in the model those of the data are taken out. Variances move by their logarithms, so they stay positive.

Where values are missing (at random), each set of cases that show the same variables has such a term, with Σ and μ of these: the
likelihood of what is shown ("full information"). Cases of one group show the variables of that group.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import log, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, LimitError
from algdim.families.contract import Fitting, Sampling
from algdim.families.gaussian.map import GaussianMap, get_gaussian_map
from algdim.families.gaussian.model import Entry, Gaussian, format_entry
from algdim.families.gaussian.reading import SECTIONS, list_entry_keys, read_parameters
from algdim.figures import format_integer
from algdim.fitting.em import DirectLikelihood
from algdim.fitting.likelihood import Numbers, Tables
from algdim.fitting.maximization import Prior
from algdim.fitting.mixedsamples import MixedSample, MomentsOfPattern, read_grouped, read_mixed
from algdim.fitting.record import VARIANCE, Boundary
from algdim.fitting.samples import KnownStates
from algdim.fitting.simulating import (
    SUMMANDS,
    compute_symmetric_root,
    convert_to_normals,
    draw_normals,
    draw_start_uniforms,
)

DAMPINGS = (0.0, 1e-3, 1e-2, 0.1, 1.0, 10.0, 1e2, 1e3, 1e4, 1e6)
"""Tried in order until a step does not lower the likelihood."""
LONGEST = 1.5
"""No logarithm of a variance moves farther at once."""
SPREAD = 0.7
"""Of random coefficients, of standardised variables."""
MOST_SLOPES = 20_000_000
"""Parameters times entries of the covariance matrix."""
COPIES = 5
"""Of the derivatives and of the information, at once."""


@dataclass(frozen=True, eq=False)
class NormalFamily(DirectLikelihood):
    """A linear Gaussian model and its data; the parameters of a restart are one row of one array."""

    gmap: GaussianMap
    sample: MixedSample

    def __post_init__(self) -> None:
        size = len(self.gmap.parameters) * len(self.gmap.model.variables) ** 2
        if size > MOST_SLOPES:
            raise LimitError(
                f"the model has {format_integer(size)} derivatives; up to {format_integer(MOST_SLOPES)} are taken"
            )
        if not all(np.isfinite(one.covariance).all() for one in self.pattern_moments):
            raise InputError("the covariances of the data are beyond floating point; choose other units")
        if any(
            not np.linalg.eigvalsh(one.covariance).min() > 0 for one in self.pattern_moments if not self.sample.missing
        ):
            raise InputError(
                "the covariance matrix of the data is singular; more cases than variables are needed, and no variable may be a function of others"
            )

    def count_numbers(self) -> int:
        parameters, shown = len(self.gmap.parameters), len(self.gmap.observed_places)
        return COPIES * (parameters * shown**2 + parameters**2 + len(self.gmap.model.variables) ** 2)

    @property
    def model(self) -> Gaussian:
        return self.gmap.model

    @cached_property
    def layout(self) -> tuple[tuple[Entry, tuple[tuple[int, float], ...], float], ...]:
        """Per entry its parameters with their factors, and its constant."""
        gmap, found = self.gmap, []
        for entry in gmap.model.entries:
            constant, terms = gmap.linear.get(entry, (gmap.value_of.get(entry, 0), {}))
            if entry in gmap.number_of:
                terms = {gmap.number_of[entry]: Fraction(1)}
            found.append((entry, tuple((number, float(value)) for number, value in terms.items()), float(constant)))
        return tuple(found)

    @cached_property
    def own(self) -> tuple[tuple[Entry, int], ...]:
        """The entries that are parameters."""
        return tuple(self.gmap.number_of.items())

    @cached_property
    def pattern_moments(self) -> tuple[MomentsOfPattern, ...]:
        """The cases by what they show."""
        return self.sample.pattern_moments

    @cached_property
    def variances(self) -> Numbers:
        """1 for parameters that are variances, 0 for others."""
        flags = np.zeros(len(self.gmap.parameters))
        flags[[number for entry, number in self.own if entry[0] == "v"]] = 1.0
        return flags

    @cached_property
    def moments(self) -> tuple[Numbers, Numbers]:
        """Mean and variance of each variable, of the cases that show it."""
        return self.sample.shown_moments

    def matrices(self, points: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """B, Ω and the intercepts of every restart."""
        size, place = len(self.gmap.model.variables), self.gmap.place
        b, omega = (np.zeros((len(points), size, size)) for _ in range(2))
        means = np.zeros((len(points), size))
        for (kind, *names), terms, constant in self.layout:
            value = sum((factor * points[:, number] for number, factor in terms), np.full(len(points), constant))
            where = [place[name] for name in names]
            if kind == "b":
                b[:, where[0], where[1]] = value
            elif kind == "v":
                omega[:, where[0], where[0]] = value
            elif kind == "c":
                omega[:, where[0], where[1]] = omega[:, where[1], where[0]] = value
            else:
                means[:, where[0]] = value
        return b, omega, means

    def loglik(self, points: Numbers) -> Numbers:
        """The log-likelihood of every restart; −∞ where there is no distribution."""
        _, sigma, mean, possible = self.distribution(points)
        return self.likelihood(sigma, mean, possible)[0]

    def distribution(self, points: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        """T = (I − B)⁻¹, Σ and μ of all variables, and whether they are a distribution."""
        b, omega, means = self.matrices(points)
        identity = np.eye(b.shape[1])
        regular = np.abs(np.linalg.det(identity - b)) > 1e-9
        inverse = np.linalg.inv(np.where(regular[:, None, None], identity - b, identity))
        sigma = inverse.transpose(0, 2, 1) @ omega @ inverse
        mean = np.einsum("ri,rij->rj", means, inverse)
        scale = np.abs(omega).max(axis=(1, 2))
        sound = np.linalg.eigvalsh(omega)[:, 0] >= -1e-12 * scale
        shown = np.array(self.gmap.observed_places)
        shape = sigma[:, shown[:, None], shown]
        least = np.linalg.eigvalsh(shape)
        positive = least[:, 0] > 1e-12 * np.maximum(least[:, -1], 1e-300)
        return inverse, sigma, mean, np.asarray(regular & sound & positive, dtype=np.float64)

    def likelihood(
        self, sigma: Numbers, mean: Numbers, possible: Numbers
    ) -> tuple[Numbers, list[tuple[Numbers, Numbers, Numbers]]]:
        """The log-likelihood, and for each set of cases Σ⁻¹ of what they show, Σ⁻¹ D and m − μ."""
        every = np.array(self.gmap.observed_places)
        total = np.zeros(len(sigma))
        parts: list[tuple[Numbers, Numbers, Numbers]] = []
        for one in self.pattern_moments:
            places = every[one.columns]
            shape = np.where(possible[:, None, None] > 0, sigma[:, places[:, None], places], np.eye(len(places)))
            rest = one.mean - mean[:, places] if self.model.means else np.zeros((len(mean), len(places)))
            inverse = np.linalg.inv(shape)
            ratio = inverse @ (one.covariance + rest[:, :, None] * rest[:, None, :])
            total -= (
                one.size / 2 * (len(places) * log(2 * pi) + np.linalg.slogdet(shape)[1] + np.einsum("rii->r", ratio))
            )
            parts.append((inverse, ratio, rest))
        return np.where(possible > 0, total, -np.inf), parts

    def take_expectation(self, tables: Tables) -> tuple[Numbers, Tables]:
        """The log-likelihood, and its gradient and information."""
        (points,) = tables
        inverse, sigma, mean, possible = self.distribution(points)
        value, parts = self.likelihood(sigma, mean, possible)
        slopes, shifts = self.slopes(inverse, sigma, mean)
        count = points.shape[1]
        gradient, known = np.zeros((len(points), count)), np.zeros((len(points), count, count))
        for one, (precision, ratio, rest) in zip(self.pattern_moments, parts, strict=True):
            size = len(one.columns)
            shift = shifts[:, :, one.columns]
            moved = precision[:, None] @ slopes[:, :, one.columns[:, None], one.columns]
            flat = moved.reshape(len(points), count, size * size)
            turned = moved.swapaxes(2, 3).reshape(len(points), count, size * size)
            lacking = (np.eye(size) - ratio).reshape(len(points), size * size, 1)
            gradient -= one.size / 2 * (turned @ lacking)[:, :, 0]
            gradient += one.size * (shift @ (precision @ rest[:, :, None]))[:, :, 0]
            known += one.size / 2 * (flat @ turned.swapaxes(1, 2))
            known += one.size * (shift @ precision @ shift.swapaxes(1, 2))
        return value, [gradient, known]

    def slopes(self, inverse: Numbers, sigma: Numbers, mean: Numbers) -> tuple[Numbers, Numbers]:
        """The derivatives of Σ and μ of the observed by every parameter."""
        place, shown = self.gmap.place, np.array(self.gmap.observed_places)
        count, rows = len(self.gmap.parameters), inverse[:, :, shown]
        by_sigma = np.zeros((len(inverse), count, len(shown), len(shown)))
        by_mean = np.zeros((len(inverse), count, len(shown)))
        for (kind, *names), terms, _ in self.layout:
            one, other = place[names[0]], place[names[-1]]
            if kind == "b":
                outer = rows[:, other, :, None] * sigma[:, one, shown][:, None, :]
            elif kind != "m":
                outer = rows[:, one, :, None] * rows[:, other, None, :] / (2 if one == other else 1)
            for number, factor in terms:
                if kind == "m":
                    by_mean[:, number] += factor * rows[:, one]
                    continue
                if kind == "b":
                    by_mean[:, number] += factor * rows[:, other] * mean[:, one, None]
                by_sigma[:, number] += factor * (outer + outer.transpose(0, 2, 1))
        return by_sigma, by_mean if self.model.means else np.zeros_like(by_mean)

    def __call__(self, expected: Tables, tables: Tables) -> Tables:
        """A step of scoring, damped until it does not lower the likelihood."""
        (points,), (gradient, known) = tables, expected
        log_scale = np.where(self.variances > 0, points, 1.0)  # d/d log v = v · d/dv
        gradient, known = gradient * log_scale, known * log_scale[:, :, None] * log_scale[:, None, :]
        before = self.loglik(points)
        result, open_ = points.copy(), np.isfinite(before)
        places = np.arange(points.shape[1])
        size = np.einsum("raa->ra", known)
        for damping in DAMPINGS:
            if not open_.any():
                break
            system = known.copy()
            system[:, places, places] += damping * size + 1e-9 * size.max(axis=1, keepdims=True) + 1e-12
            move = np.linalg.solve(system, gradient[:, :, None])[:, :, 0]
            farthest = np.abs(move * self.variances).max(axis=1, keepdims=True, initial=0.0)
            move = move * np.minimum(1.0, LONGEST / np.where(farthest > 0, farthest, 1.0))
            there = np.where(self.variances > 0, points * np.exp(move * self.variances), points + move)
            better = open_ & (self.loglik(there) >= before)
            result[better] = there[better]
            open_ &= ~better
        return [result]

    def starts(self, seed: int | str, numbers: range) -> Tables:
        """Random coefficients of standardised variables; the variances and means of the data; no covariances."""
        drawn = convert_to_normals(draw_start_uniforms(seed, numbers, SUMMANDS * max(1, len(self.gmap.parameters))))
        mean, spread = self.moments
        deviation = dict.fromkeys(self.gmap.place, 1.0)
        middle = dict.fromkeys(self.gmap.place, 0.0)
        for number, variable in enumerate(self.model.observed):
            deviation[variable.name], middle[variable.name] = float(spread[number]) ** 0.5, float(mean[number])
        points = np.zeros((len(numbers), len(self.gmap.parameters)))
        for (kind, *names), number in reversed(self.own):
            own = deviation[names[-1]]
            points[:, number] = {
                "b": SPREAD * drawn[:, number] * own / deviation[names[0]],
                "v": own**2 * np.exp(0.5 * drawn[:, number] - 0.5),
                "c": 0.1 * drawn[:, number] * own * deviation[names[0]],
                "m": middle[names[0]] + 0.0 * drawn[:, number],
            }[kind]
        impossible = ~np.isfinite(self.loglik(points))
        for entry, number in self.own:
            if entry[0] == "c":
                points[impossible, number] = 0.0
        return [points]

    def read(self, source: str | os.PathLike[str] | dict[str, Any]) -> Tables:
        return self.of_entries({entry: float(value) for entry, value in read_parameters(source, self.model).items()})

    def of_entries(self, values: Mapping[Entry, float]) -> Tables:
        """The parameters that give entries their values."""
        points = np.zeros((1, len(self.gmap.parameters)))
        for entry, number in self.own:
            points[0, number] = values[entry]
        return [points]

    def tables(self, parameters: Mapping[str, Any]) -> Tables:
        """The parameters of a record."""
        return self.of_entries(
            {entry: parameters[SECTIONS[entry[0]]][list_entry_keys(entry)[0]] for entry in self.model.entries}
        )

    def name_parameters(self, tables: Tables) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for entry, terms, constant in self.layout:
            value = constant + float(sum(factor * tables[0][number] for number, factor in terms))
            found.setdefault(SECTIONS[entry[0]], {})[list_entry_keys(entry)[0]] = value
        return found

    def name_counts(self, expected: Tables) -> dict[str, Any]:
        """There are no expected counts."""
        del expected
        return {}

    def boundary(self, tables: Tables) -> tuple[Boundary, ...]:
        """Free variances below 1/N of their variable's; of latent variables also those that give no observed one 1/N of its own."""
        (point,) = tables
        inverse, sigma, _, _ = self.distribution(point[None])
        spread, shown = sigma[0].diagonal(), np.array(self.gmap.observed_places)
        found = []
        for entry, number in self.own:
            if entry[0] == "v":
                place, value = self.gmap.place[entry[1]], float(point[number])
                nothing = place not in self.gmap.observed_places and bool(
                    (inverse[0, place, shown] ** 2 * value * self.sample.size < spread[shown]).all()
                )
                if nothing or value * self.sample.size < spread[place]:
                    found.append(Boundary(format_entry(entry), value, VARIANCE))
        return tuple(found)

    def impossible(self, tables: Tables) -> str:
        """No start is a distribution."""
        del tables
        return "no distribution of the model was found as a starting point; check its fixed entries, or give parameters"


def prepare_fit(model: Gaussian, data: Any, prior: Prior, missing: bool, states: KnownStates | None) -> NormalFamily:
    """Read the data and prepare the maximisation."""
    del prior, states  # maximum likelihood
    names = [one.name for one in model.observed]
    if model.groups:
        sample = read_grouped(data, model.by, model.groups, names, missing=missing)
    else:
        sample = read_mixed(data, names, missing=missing)
    if sample.missing and not model.means:
        raise InputError(
            "values are missing, and the model has no means: they are estimated with the rest; leave out means off "
            "(lavaan: --format lavaan:meanstructure)"
        )
    return NormalFamily(get_gaussian_map(model), sample)


FITTING = Fitting(prepare_fit)


Source = str | os.PathLike[str] | dict[str, Any]
Column = NDArray[Any]


def draw_cases(model: Gaussian, at: Source, n: int, seed: int | str) -> dict[str, Column]:
    """X = (m + ε)(I − B)⁻¹, the errors ε normal with the covariances Ω; so many cases in each group."""
    values = read_parameters(at, model)
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
    root = compute_symmetric_root(omega, "the covariances of the errors")
    errors = np.array([draw_normals(seed, name, n) for name in place]).T @ root
    if not abs(np.linalg.det(np.eye(size) - b)) > 1e-12:
        raise InputError("the coefficients on the cycles make I − B singular; there is no distribution")
    cases = np.linalg.solve((np.eye(size) - b).T, (means + errors).T)
    if not model.groups:
        return {variable.name: cases[place[variable.name]] for variable in model.observed}
    bases = dict.fromkeys(variable.name.rpartition(".")[0] for variable in model.observed)
    seen, absent = {variable.name for variable in model.observed}, np.full(n, np.nan)
    columns: dict[str, Column] = {model.by: np.repeat(np.array(model.groups), n)}
    for base in bases:
        of = [f"{base}.{group}" for group in model.groups]
        columns[base] = np.concatenate([cases[place[name]] if name in seen else absent for name in of])
    return columns


SAMPLING = Sampling(draw_cases)
