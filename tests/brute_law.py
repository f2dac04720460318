"""What a model says of data at given parameters, by definition: chances of cells, densities and distribution functions.

No code of the engine is used. Joint states are visited one by one; normal distributions come from the textbook's formula.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import erf, exp, lgamma, log, pi, prod, sqrt

import brute
import brute_gaussian
import brute_loglinear
import numpy as np

FUNCTIONS = ("max", "sum", "parity", "at-least")
"""Locals without numbers."""


@dataclass(frozen=True)
class Normal:
    """A normal distribution of several numbers."""

    mean: np.ndarray
    covariance: np.ndarray

    def log_density(self, x):
        """The textbook's formula."""
        seen = [place for place, value in enumerate(x) if value is not None]
        away = np.array([x[place] for place in seen], dtype=float) - self.mean[seen]
        covariance = self.covariance[np.ix_(seen, seen)]
        return (
            -(
                len(seen) * log(2 * pi)
                + log(float(np.linalg.det(covariance)))
                + away @ np.linalg.solve(covariance, away)
            )
            / 2
        )

    def below(self, weights, value):
        """The chance that a combination of the numbers is at most a value."""
        deviation = sqrt(weights @ self.covariance @ weights)
        return (1 + erf((value - weights @ self.mean) / deviation / sqrt(2))) / 2


@dataclass(frozen=True)
class Poisson:
    """A Poisson distribution."""

    rate: float

    def log_density(self, x):
        """The textbook's formula."""
        (count,) = x
        if count is None:
            return 0.0
        return count * log(self.rate) - self.rate - lgamma(count + 1)

    def below(self, weights, value):
        """The chance that the number, times a positive weight, is at most a value."""
        most = int(np.floor(value / weights[0] + 1e-9))
        return sum(exp(self.log_density([count])) for count in range(most + 1))


@dataclass(frozen=True)
class Mixed:
    """A mixture of distributions of one number: weights and parts."""

    weights: list
    parts: list

    def log_density(self, x):
        """Of the sum."""
        return log(sum(float(w) * exp(part.log_density(x)) for w, part in zip(self.weights, self.parts, strict=True)))

    def below(self, weights, value):
        """Of the sum."""
        return sum(float(w) * part.below(weights, value) for w, part in zip(self.weights, self.parts, strict=True))


@dataclass(frozen=True)
class Ordered:
    """The distribution of one of independent variables by size, counted from the greatest; ``whole`` if they are counts."""

    parts: list
    place: int
    whole: bool

    def at_most(self, value):
        """The chance that fewer than ``place`` are above: by all sets of those above."""
        chances = [part.below(np.ones(1), value) for part in self.parts]
        return sum(
            prod(1 - chance if above else chance for chance, above in zip(chances, which, strict=True))
            for which in product((False, True), repeat=len(chances))
            if sum(which) < self.place
        )

    def log_density(self, x):
        """Of counts a difference of chances, of others the chance that one is there and as many as needed of the others above."""
        (value,) = x
        if value is None:
            return 0.0
        if self.whole:
            return log(self.at_most(value) - self.at_most(value - 1))
        total = 0
        for here in self.parts:
            chances = [part.below(np.ones(1), value) for part in self.parts if part is not here]
            total += exp(here.log_density(x)) * sum(
                prod(1 - chance if above else chance for chance, above in zip(chances, which, strict=True))
                for which in product((False, True), repeat=len(chances))
                if sum(which) == self.place - 1
            )
        return log(total)

    def below(self, weights, value):
        """The chance that the number, times a weight, is at most a value."""
        at = value / weights[0]
        return self.at_most(at) if weights[0] > 0 else 1 - self.at_most(at)


@dataclass(frozen=True)
class Law:
    """The distribution of the observed variables: states first, then numbers, each mixture by cell.

    With ``given``, the names of variables that are conditioned on, the chances sum to 1 for each of their states.
    """

    states: tuple[str, ...]
    numbers: tuple[str, ...]
    mixtures: dict[tuple[int, ...], list] = field(repr=False)
    given: tuple[str, ...] = ()

    def chance(self, cell):
        """The chance of a cell."""
        return float(sum(weight for weight, _ in self.mixtures[cell]))

    def log_density(self, case):
        """The log-likelihood of a case, a dictionary by name; of what it shows, where entries are None."""
        shown = [None if case[name] is None else int(case[name]) for name in self.states]
        parts = [
            part
            for cell, mixture in self.mixtures.items()
            if all(state in (None, own) for state, own in zip(shown, cell, strict=True))
            for part in mixture
        ]
        if not self.numbers:
            return log(sum(weight for weight, _ in parts))
        x = [None if case[name] is None else float(case[name]) for name in self.numbers]
        terms = [log(weight) + part.log_density(x) for weight, part in parts if weight > 0]
        top = max(terms)
        return top + log(sum(exp(term - top) for term in terms))

    def below(self, cell, weights, value):
        """The chance of a cell together with a combination of the numbers that is at most a value."""
        return float(sum(float(weight) * part.below(weights, value) for weight, part in self.mixtures[cell] if weight))


def place_of(variable, at, sizes):
    """The row of a variable's table."""
    row = 0
    for parent in variable.parents:
        row = row * sizes[parent] + at[parent]
    return row


def chance_of(variable, at, file, sizes):
    """The chance of a variable's state given its parents', from a parameter file with fractions."""
    local, name = variable.local, variable.name
    if local.kind == "table":
        return file[local.share or name][place_of(variable, at, sizes)][at[name]]
    if local.kind == "sigmoid":
        weights = file[local.share or name]
        terms = zip(variable.parents, weights["b"].values(), strict=True)
        shift = float(weights["a"]) + sum(float(value) * at[parent] for parent, value in terms)
        one = 1 / (1 + exp(-shift))
        return one if at[name] else 1 - one
    if local.kind == "probit":
        weights = file[local.share or name]
        shift = sum(float(b) * at[one] for one, b in weights["b"].items())
        tails = [1.0, *((1 + erf((float(a) + shift) / sqrt(2))) / 2 for a in weights["a"]), 0.0]
        return tails[at[name]] - tails[at[name] + 1]
    if local.kind in ("multinomial", "adjacent", "cumulative", "rasch"):
        return logit_chance(variable, at, file[local.share or name], sizes)
    if local.kind == "classifier":
        inner = local.classifier.variables

        def joint(state):
            here = {**at, name: state}
            return prod(file[name][one.name][place_of(one, here, sizes)][here[one.name]] for one in inner)

        return joint(at[name]) / sum(joint(state) for state in range(variable.states))
    return int(brute.outcome(local, tuple(at[parent] for parent in variable.parents)) == at[name])


def logit_chance(variable, at, weights, sizes):
    """The chance of a state whose log-odds are linear, as textbooks have it."""
    kind, constants, state = variable.local.kind, [float(value) for value in weights["a"]], at[variable.name]
    slopes = weights.get("t" if kind == "rasch" else "b", {})
    wide = [parent for parent in variable.parents if sizes[parent] > 1]
    found = [(at[parent], slope) for parent, slope in zip(wide, slopes.values(), strict=True)]
    if kind == "cumulative":
        shift = sum(x * float(slope) for x, slope in found)
        tails = [1.0, *(1 / (1 + exp(-constant - shift)) for constant in constants), 0.0]
        return tails[state] - tails[state + 1]
    logs = [0.0]
    for s, constant in enumerate(constants):
        if kind == "multinomial":
            logs.append(constant + sum(x * float(slope[s]) for x, slope in found))
        elif kind == "adjacent":
            logs.append(logs[-1] + constant + sum(x * float(slope) for x, slope in found))
        else:
            logs.append(logs[-1] + constant + sum(float(slope[x - 1]) for x, slope in found if x))
    return exp(logs[state]) / sum(map(exp, logs))


def discrete(model, file):
    """The observed table, joint state by joint state."""
    sizes = {variable.name: variable.states for variable in model.variables}
    observed = tuple(variable.name for variable in model.variables if variable.observed)
    cells = dict.fromkeys(product(*(range(sizes[name]) for name in observed)), 0)
    for states in product(*(range(size) for size in sizes.values())):
        at = dict(zip(sizes, states, strict=True))
        weight = prod(chance_of(v, at, file, sizes) for v in model.variables if v.name not in model.given)
        cells[tuple(at[name] for name in observed)] += weight
    return Law(observed, (), {cell: [(weight, None)] for cell, weight in cells.items()}, tuple(model.given))


def loglinear(model, point):
    """The observed table, by the definition."""
    observed = tuple(variable.name for variable in model.variables if variable.observed)
    return Law(observed, (), {c: [(value, None)] for c, (value, _) in brute_loglinear.table(model, point).items()})


def classifier(model, tables):
    """The chance of the class given all else: the quotient of Bayes."""
    sizes = {variable.name: variable.states for variable in model.variables}
    joint = {}
    for states in product(*(range(size) for size in sizes.values())):
        at = dict(zip(sizes, states, strict=True))
        joint[states] = prod(chance_of(variable, at, tables, sizes) for variable in model.variables)
    place = list(sizes).index(model.label)
    totals = {}
    for states, weight in joint.items():
        rest = states[:place] + states[place + 1 :]
        totals[rest] = totals.get(rest, 0) + weight
    cells = {s: [(weight / totals[s[:place] + s[place + 1 :]], None)] for s, weight in joint.items()}
    return Law(tuple(sizes), (), cells, tuple(name for name in sizes if name != model.label))


def gaussian(model, point):
    """One normal distribution: its moments are sums over treks."""
    seen = tuple(variable.name for variable in model.variables if variable.observed)
    values = [float(one.value) for one in brute_gaussian.coordinates_at(model, point)]
    covariance, rest = np.zeros((len(seen), len(seen))), iter(values)
    for i in range(len(seen)):
        for j in range(i, len(seen)):
            covariance[i, j] = covariance[j, i] = next(rest)
    mean = np.array(list(rest) or [0.0] * len(seen))
    return Law((), seen, {(): [(1, Normal(mean, covariance))]})


def profile(model, point):
    """A mixture of normal distributions, the tables given the class being those of the categorical items."""
    continuous = [item.name for item in model.items if item.states is None]
    categorical = [(item.name, item.states) for item in model.items if item.states is not None]

    weights = [point["weight", number] for number in range(model.classes - 1)]
    weights.append(1 - sum(weights))
    mixtures = {}
    for cell in product(*(range(states) for _, states in categorical)):
        parts = []
        for number, weight in enumerate(weights):
            chance = Fraction(weight)
            for (name, states), state in zip(categorical, cell, strict=True):
                row = [point["table", name, other, number] for other in range(states - 1)]
                chance *= [*row, 1 - sum(row)][state]
            of = 0 if model.equal else number
            covariance = np.zeros((len(continuous), len(continuous)))
            for i, one in enumerate(continuous):
                for j, other in enumerate(continuous[i:], i):
                    covariance[i, j] = covariance[j, i] = float(point.get(("cov", one, other, of), 0))
            mean = np.array([float(point["mean", name, number]) for name in continuous])
            parts.append((chance, Normal(mean, covariance)))
        mixtures[cell] = parts
    return Law(tuple(name for name, _ in categorical), tuple(continuous), mixtures)


def ordered(model, value_of):
    """Given the causes the effect is one of Poisson or normal variables, or mixtures of such, by size."""
    by_name = {variable.name: variable for variable in model.network.variables}
    causes, mixtures = [variable for variable in by_name.values() if variable.observed], {}

    def chances(name, at):
        row = tuple(at[parent] for parent in by_name[name].parents)
        known = [value_of("chance", name, row, state) for state in range(by_name[name].states - 1)]
        return [*known, 1 - sum(known)]

    def component(place, at):
        row = tuple(at[name] for name in model.mechanisms[place])
        mean = float(value_of("mean", place, row))
        if model.family.endswith("poisson"):
            return Poisson(mean)
        return Normal(np.array([mean]), np.array([[float(value_of("variance", place, row))]]))

    for cell in product(*(range(variable.states) for variable in causes)):
        at = dict(zip((variable.name for variable in causes), cell, strict=True))
        parts = []
        for place, parents in enumerate(model.mechanisms):
            inside = [name for name in parents if not by_name[name].observed]
            weights = chances(inside[0], at) if inside else [1]
            parts.append(Mixed(weights, [component(place, at | dict.fromkeys(inside, k)) for k in range(len(weights))]))
        weight = prod(chances(variable.name, at)[at[variable.name]] for variable in causes)
        mixtures[cell] = [(weight, Ordered(parts, max(1, model.least), model.family.endswith("poisson")))]
    return Law(tuple(variable.name for variable in causes), (model.effect,), mixtures)


@dataclass(frozen=True)
class Independent:
    """Independent counts."""

    parts: list

    def log_density(self, x):
        """Of all that are shown."""
        return sum(part.log_density([value]) for part, value in zip(self.parts, x, strict=True))

    def below(self, weights, value):
        """The chance that a combination with positive weights is at most a value: over all values of the first."""
        if len(self.parts) == 1:
            return self.parts[0].below(weights, value)
        first, *others = self.parts
        most = int(np.floor(value / weights[0] + 1e-9))
        return sum(
            exp(first.log_density([count])) * Independent(others).below(weights[1:], value - weights[0] * count)
            for count in range(most + 1)
        )


def shared(model, value_of):
    """Given all causes the effects are independent sums: a mixture over the joint states of the hidden ones."""
    by_name = {variable.name: variable for variable in model.network.variables}
    seen = [variable.name for variable in by_name.values() if variable.observed]

    def chance(variable, at):
        row = tuple(at[parent] for parent in variable.parents)
        known = [value_of("chance", variable.name, row, state) for state in range(variable.states - 1)]
        return [*known, 1 - sum(known)][at[variable.name]]

    mixtures = {}
    for states in product(*(range(variable.states) for variable in by_name.values())):
        at = dict(zip(by_name, states, strict=True))
        rows = [tuple(at[name] for name in parents) for parents in model.mechanisms]

        def added(letter, effect, rows=rows):
            places = [place for place, owner in enumerate(model.owners) if owner == effect]
            return float(sum(value_of(letter, place, rows[place]) for place in places))

        means = [added("mean", effect) for effect in range(len(model.effects))]
        if model.family == "poisson":
            part = Independent([Poisson(mean) for mean in means])
        else:
            part = Normal(np.array(means), np.diag([added("variance", effect) for effect in range(len(means))]))
        weight = prod(chance(variable, at) for variable in by_name.values())
        mixtures.setdefault(tuple(at[name] for name in seen), []).append((weight, part))
    return Law(tuple(seen), model.effects, mixtures)


def additive(model, value_of):
    """Given the causes the effect is a sum: a mixture over the hidden states of Poisson or normal distributions."""
    by_name = {variable.name: variable for variable in model.network.variables}
    causes = [variable for variable in model.network.variables if variable.observed]
    hidden = [variable for variable in model.network.variables if not variable.observed]

    def chance(variable, at):
        row = tuple(at[parent] for parent in variable.parents)
        known = [value_of("chance", variable.name, row, state) for state in range(variable.states - 1)]
        return [*known, 1 - sum(known)][at[variable.name]]

    mixtures = {}
    for cell in product(*(range(variable.states) for variable in causes)):
        at = {variable.name: state for variable, state in zip(causes, cell, strict=True)}
        weight, parts = prod(chance(variable, at) for variable in causes), []
        for inside in product(*(range(variable.states) for variable in hidden)):
            here = {**at, **{variable.name: state for variable, state in zip(hidden, inside, strict=True)}}
            rows = [tuple(here[name] for name in parents) for parents in model.mechanisms]
            mean = float(sum(value_of("mean", place, row) for place, row in enumerate(rows)))
            if model.family == "poisson":
                part = Poisson(mean)
            else:
                variance = float(sum(value_of("variance", place, row) for place, row in enumerate(rows)))
                part = Normal(np.array([mean]), np.array([[variance]]))
            parts.append((weight * prod(chance(by_name[v.name], here) for v in hidden), part))
        mixtures[cell] = parts
    return Law(tuple(variable.name for variable in causes), (model.effect,), mixtures)
