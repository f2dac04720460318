"""Conditional Gaussian networks by definition, for comparison: no code of the engine is used.

The mean and the covariance matrix of a joint state are those of (I − B)⁻¹ applied to the errors, the inverse being the sum of the powers
of B. The dimension is the rank of the moments E[∏ X^a · 1(C = c)] up to an order that shows as many components as a cell has; moments
of a normal distribution are the coefficients of its generating function exp(μt + tΣt/2), multiplied out. Numbers are residues with
their derivatives.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod

import brute
import numpy as np
from brute_law import Law, Normal

PRIME = (1 << 31) - 1


def switches_of(model, entry):
    """The discrete variables on which an entry depends."""
    if entry in model.common or entry in dict(model.fixed):
        return []
    sizes = {one.name: one.states for one in model.variables}
    return [parent for parent, child in model.edges if child == entry[-1] and sizes[parent] is not None]


def key_of(model, entry, at):
    """The parameter of an entry in a joint state; its number, where it is fixed."""
    fixed, named = dict(model.fixed), dict(model.equal)
    if entry in fixed:
        return fixed[entry]
    if entry in named:
        first = next(one for one, label in model.equal if label == named[entry])
        return (named[entry], *((name, at[name]) for name in switches_of(model, first)))
    return (*entry, *((name, at[name]) for name in switches_of(model, entry)))


def parents_of(model, name):
    """The parents of a variable."""
    return [parent for parent, child in model.edges if child == name]


def entries_of(model):
    """All entries."""
    sizes = {one.name: one.states for one in model.variables}
    for one in model.variables:
        if one.states is None:
            yield ("m", one.name)
            yield from (("b", parent, one.name) for parent in parents_of(model, one.name) if sizes[parent] is None)
            yield ("v", one.name)


def joint_states(sizes, names):
    """All joint states of some variables."""
    for states in product(*(range(sizes[name]) for name in names)):
        yield dict(zip(names, states, strict=True))


def parameters(model):
    """The free numbers: entries of tables but for the last states, and entries of regressions."""
    sizes = {one.name: one.states for one in model.variables}
    found = {}
    for one in model.variables:
        if one.states is not None:
            for at in joint_states(sizes, parents_of(model, one.name)):
                found.update(dict.fromkeys(("P", one.name, state, *at.items()) for state in range(one.states - 1)))
    for entry in entries_of(model):
        for at in joint_states(sizes, switches_of(model, entry)):
            key = key_of(model, entry, at)
            if not isinstance(key, Fraction):
                found[key] = None
    return list(found)


def text_of(key):
    """The name of a parameter."""
    kind, *rest = key
    given = [f"{name}={state}" for name, state in (one for one in rest if isinstance(one, tuple))]
    names = [one for one in rest if isinstance(one, str)]
    bar = "|" + ",".join(given) if given else ""
    if kind == "P":
        return f"P({names[0]}={rest[1]}{bar})"
    return f"{kind}({'->'.join(names)}{bar})" if names else f"{kind}{bar}"


def chance(model, at, value_of, one):
    """The probability of a joint state of the discrete variables."""
    sizes = {variable.name: variable.states for variable in model.variables}
    total = one
    for variable in model.variables:
        if variable.states is None:
            continue
        above = [(parent, at[parent]) for parent in parents_of(model, variable.name)]
        known = [value_of(("P", variable.name, state, *above)) for state in range(sizes[variable.name] - 1)]
        rest = one
        for value in known:
            rest = rest - value
        total = total * [*known, rest][at[variable.name]]
    return total


def law_of(model, at, value_of, zero):
    """Mean and covariances of all Gaussian variables in a joint state, from the sum of the powers of B."""
    names = [one.name for one in model.variables if one.states is None]

    def entry(*which):
        key = key_of(model, which, at)
        return zero + key if isinstance(key, Fraction) else value_of(key)

    size = len(names)
    b = [[zero] * size for _ in names]
    for parent, child in model.edges:
        if parent in names:
            b[names.index(child)][names.index(parent)] = entry("b", parent, child)
    total = [[zero + int(i == j) for j in range(size)] for i in range(size)]
    power = total
    for _ in range(size):
        power = [[sum((power[i][k] * b[k][j] for k in range(size)), zero) for j in range(size)] for i in range(size)]
        total = [[total[i][j] + power[i][j] for j in range(size)] for i in range(size)]
    means, variances = [entry("m", name) for name in names], [entry("v", name) for name in names]
    mean = {name: sum((total[i][k] * means[k] for k in range(size)), zero) for i, name in enumerate(names)}
    covariance = {
        (one, other): sum((total[i][k] * variances[k] * total[j][k] for k in range(size)), zero)
        for i, one in enumerate(names)
        for j, other in enumerate(names)
    }
    return mean, covariance


class Jet:
    """A residue with its derivatives."""

    def __init__(self, value, slopes):
        self.value, self.slopes = value % PRIME, slopes

    def lift(self, other):
        """A number as a residue without derivatives."""
        return other if isinstance(other, Jet) else Jet(brute.residue(other, PRIME), np.zeros_like(self.slopes))

    def __add__(self, other):
        other = self.lift(other)
        return Jet(self.value + other.value, (self.slopes + other.slopes) % PRIME)

    def __sub__(self, other):
        return self + self.lift(other) * (PRIME - 1)

    def __mul__(self, other):
        other = self.lift(other)
        slopes = (self.slopes * other.value % PRIME + other.slopes * self.value % PRIME) % PRIME
        return Jet(self.value * other.value, slopes)


def multiply(one, other, order):
    """The product of two polynomials, dictionaries by exponents, up to a degree."""
    found = {}
    for left, a in one.items():
        for right, b in other.items():
            powers = tuple(x + y for x, y in zip(left, right, strict=True))
            if sum(powers) <= order:
                found[powers] = found[powers] + a * b if powers in found else a * b
    return found


def moments(mean, covariance, names, order, one):
    """The moments of a normal distribution up to an order, by exponents, but for their factorials."""
    units = [tuple(int(k == i) for k in range(len(names))) for i in range(len(names))]
    exponent = {units[i]: mean[name] for i, name in enumerate(names)}
    for i, j in combinations_with_replacement(range(len(names)), 2):
        powers = tuple(a + b for a, b in zip(units[i], units[j], strict=True))
        factor = Fraction(1, 2) if i == j else Fraction(1)
        exponent[powers] = covariance[names[i], names[j]] * factor
    zero = tuple([0] * len(names))
    total, power = {zero: one}, {zero: one}
    for degree in range(1, order + 1):
        power = multiply(power, exponent, order)
        for powers, value in power.items():
            term = value * Fraction(1, factorial(degree))
            total[powers] = total[powers] + term if powers in total else term
    return total


def order_of(model):
    """An order of moments that shows as many components as a cell has: 3k − 1 for one variable, more where means are common."""
    hidden = prod(one.states for one in model.variables if one.states is not None and not one.observed)
    items = sum(one.states is None and one.observed for one in model.variables)
    return 2 if hidden == 1 else 4 * hidden if items == 1 else 3 * hidden


def dimension(model, order=None):
    """The rank of the moments at a point."""
    keys = parameters(model)
    draw = random.Random(str(keys))
    return rank_at(model, {key: Fraction(draw.randrange(1, PRIME)) for key in keys}, order)


def rank_at(model, point, order=None):
    """The rank of the moments at given parameters, modulo a large prime."""
    keys = parameters(model)
    jets = {
        key: Jet(
            brute.residue(point[key], PRIME), np.array([int(k == number) for k in range(len(keys))], dtype=np.int64)
        )
        for number, key in enumerate(keys)
    }
    zero = Jet(0, np.zeros(len(keys), dtype=np.int64))
    one = zero + 1
    order = order or order_of(model)
    sizes = {variable.name: variable.states for variable in model.variables}
    shown = [variable.name for variable in model.variables if variable.states is None and variable.observed]
    discrete = [name for name, states in sizes.items() if states is not None]
    seen = [variable.name for variable in model.variables if variable.states is not None and variable.observed]
    found = {}
    for at in joint_states(sizes, discrete):
        weight = chance(model, at, jets.__getitem__, one)
        mean, covariance = law_of(model, at, jets.__getitem__, zero)
        for powers, value in moments(mean, covariance, shown, order, one).items():
            key = (tuple(at[name] for name in seen), powers)
            found[key] = found[key] + weight * value if key in found else weight * value
    return brute.rank([[int(slope) for slope in jet.slopes] for jet in found.values()], PRIME)


def complete(model):
    """The dimension of all tables with any normal distribution in each cell; nothing where hidden states make mixtures."""
    sizes = {one.name: one.states for one in model.variables}
    used = {name for entry in entries_of(model) for name in switches_of(model, entry)}
    if any(one.name in used and not one.observed for one in model.variables):
        return None
    cells = prod(sizes[one.name] for one in model.variables if one.observed and one.states is not None)
    items = sum(one.observed and one.states is None for one in model.variables)
    return cells - 1 + cells * (items + items * (items + 1) // 2)


def law(model, point):
    """The distribution: in each cell a mixture over the hidden states."""
    sizes = {one.name: one.states for one in model.variables}
    shown = [one.name for one in model.variables if one.states is None and one.observed]
    seen = [one.name for one in model.variables if one.states is not None and one.observed]
    mixtures = {}
    for at in joint_states(sizes, [name for name, states in sizes.items() if states is not None]):
        weight = chance(model, at, point.__getitem__, Fraction(1))
        mean, covariance = law_of(model, at, point.__getitem__, Fraction(0))
        normal = Normal(
            np.array([float(mean[name]) for name in shown]),
            np.array([[float(covariance[one, other]) for other in shown] for one in shown]),
        )
        mixtures.setdefault(tuple(at[name] for name in seen), []).append((weight, normal))
    return Law(tuple(seen), tuple(shown), mixtures)
