"""The map of a mixture of normals: from weights, means, covariances and tables to moments up to an order.

A coordinate is E[∏ X_i^a_i · 1(C = c)], with a of total degree at most the order and c a cell of the categorical items:

    Σ_h  P(H=h) · ∏ P(C_l=c_l|h) · M_a(h),      M_a(h) = E[∏ X_i^a_i | h].

All moments of a normal distribution exist, so the coordinates are functions of the distribution: a rank of their Jacobian
is a lower bound for the dimension of the family of distributions, whatever the order. From above they only bound their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from math import comb, log2, prod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from algdim.exact.tape import Places
from algdim.families.contract import MOMENT, CoordinateRecord
from algdim.families.latentprofile.model import LatentProfile
from algdim.maps import COVARIANCE, MEAN, PROBABILITY, VARIANCE, Parameter


@dataclass(frozen=True, eq=False)
class MomentMap:
    """The parameters and coordinates of a latent-profile model.

    Parameters are the weights of all classes but the last, then item by item the means, the variances and the covariances
    by class, then the tables without their last states. Coordinates are ordered by degree, the cell fastest; without
    categorical items the moment 1 is left out.
    """

    model: LatentProfile
    order: int
    parameters: tuple[str, ...]

    functional_degree: ClassVar[int] = 1
    is_polynomial: ClassVar[bool] = True

    @property
    def parameter_count(self) -> int:
        return len(self.parameters)

    @cached_property
    def records(self) -> tuple[Parameter, ...]:
        return tuple(iterate_parameter_records(self.model))

    @property
    def coordinates_are(self) -> str:
        return f"moments up to order {self.order}"

    @property
    def kept_coordinates(self) -> NDArray[np.intp]:
        """The moments up to the order; a distribution has infinitely many."""
        return np.arange(self.coordinate_count)

    @property
    def cells(self) -> int:
        """The number of cells of the categorical items; 1 without them."""
        return count_cells(self.model)

    @property
    def first(self) -> int:
        """The number of moments that are constant and left out."""
        return int(not self.model.categorical)

    @property
    def coordinate_count(self) -> int:
        return count_moments(self.model, self.order)

    @property
    def complete(self) -> int:
        """The dimension of all moments up to the order of all distributions: the probabilities of the cells sum to 1."""
        return self.coordinate_count + self.first - 1

    @cached_property
    def monomials(self) -> Monomials:
        """The products of powers of the continuous items."""
        return list_monomials(len(self.model.continuous), self.order)

    @cached_property
    def layout(self) -> Layout:
        """Where the parameters of each kind stand."""
        return Layout(self.model)

    @cached_property
    def derivatives(self) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
        """By means, variances and covariances: of each moment of a class the factor and the moment whose product it is."""
        powers, down, items = self.monomials.powers.T, self.monomials.down.T, range(len(self.model.continuous))
        found = [(powers[item], down[item]) for item in items]
        found += [(powers[item] * (powers[item] - 1) // 2, down[item][down[item]]) for item in items]
        if self.model.full:
            found += [(powers[one] * powers[other], down[other][down[one]]) for one, other in combinations(items, 2)]
        factors, lower = zip(*found, strict=True)
        return np.array(factors), np.array(lower)

    @cached_property
    def states(self) -> NDArray[np.intp]:
        """The states of the categorical items in each cell, cells × items."""
        sizes = tuple(item.states or 0 for item in self.model.categorical)
        if not sizes:
            return np.zeros((1, 0), dtype=np.intp)
        return np.stack(np.unravel_index(np.arange(self.cells), sizes), axis=1)

    def coordinates(self) -> list[str]:
        return list(map(str, self.coordinate_records()))

    def coordinate_records(self) -> list[CoordinateRecord]:
        continuous = [item.name for item in self.model.continuous]
        categorical = [item.name for item in self.model.categorical]
        found = []
        for powers in self.monomials.powers[:-1].tolist():
            used = [(name, power) for name, power in zip(continuous, powers, strict=True) if power]
            of, exponents = tuple(name for name, _ in used), tuple(power for _, power in used)
            for states in self.states.tolist():
                cell = tuple(zip(categorical, states, strict=True))
                found.append(CoordinateRecord(MOMENT, of, cell, powers=exponents))
        return found[self.first :]

    def denominators(self) -> list[int]:
        return []

    def degree_and_log_size(self) -> tuple[int, float]:
        """δ and log₂ H (lemma "moment sizes" in proofs/lemmas.md)."""
        model = self.model
        sums = [1, 1]
        while len(sums) <= self.order:
            sums.append(sums[-1] + (len(sums) - 1) * sums[-2])
        size = (2 * model.classes - 1) * prod(item.states or 1 for item in model.categorical) * sums[self.order]
        return self.order + len(model.categorical) + (model.classes > 1), log2(size)

    def share_with_value(self, choices: int) -> float:
        del choices
        return 1.0


class Layout:
    """Where the parameters of each kind stand: arrays of places, the class last (of tables first)."""

    __slots__ = ("means", "pairs", "tables", "take_tables", "take_weights", "variances", "weights")

    def __init__(self, model: LatentProfile) -> None:
        items, classes = len(model.continuous), model.classes
        kinds = 1 if model.equal else classes
        pairs = comb(items, 2) if model.full else 0
        bounds = np.cumsum([0, classes - 1, items * classes, items * kinds, pairs * kinds]).tolist()
        self.weights: NDArray[np.intp] = np.arange(bounds[0], bounds[1])
        self.means: NDArray[np.intp] = np.arange(bounds[1], bounds[2]).reshape(items, classes)
        self.variances: NDArray[np.intp] = np.arange(bounds[2], bounds[3]).reshape(items, kinds)
        self.pairs: NDArray[np.intp] = np.arange(bounds[3], bounds[4]).reshape(pairs, kinds)
        self.tables: list[NDArray[np.intp]] = []
        start = bounds[4]
        for item in model.categorical:
            free = (item.states or 1) - 1
            self.tables.append(np.arange(start, start + classes * free).reshape(classes, free))
            start += classes * free
        self.take_weights, self.take_tables = Places(self.weights), [Places(table.T) for table in self.tables]


def count_cells(model: LatentProfile) -> int:
    """The number of cells of the categorical items."""
    return prod(item.states or 1 for item in model.categorical)


def count_moments(model: LatentProfile, order: int) -> int:
    """The number of moments up to an order that are coordinates.

    >>> from algdim.families.latentprofile.model import ProfileVariable
    >>> count_moments(LatentProfile("H", 2, (ProfileVariable("X"), ProfileVariable("Y"))), 3)
    9
    """
    items = len(model.continuous)
    return count_cells(model) * comb(items + order, order) - (not model.categorical)


def count_parameters(model: LatentProfile) -> int:
    """The number of parameters: weights, means, matrices, tables."""
    items, classes = len(model.continuous), model.classes
    matrix = comb(items + 1, 2) if model.full else items
    tables = sum((item.states or 1) - 1 for item in model.categorical)
    return classes - 1 + classes * (items + tables) + matrix * (1 if model.equal else classes)


def name_parameters(model: LatentProfile) -> tuple[str, ...]:
    """The names of the parameters, in order."""
    return tuple(map(str, iterate_parameter_records(model)))


def iterate_parameter_records(model: LatentProfile) -> Iterator[Parameter]:
    """The parameters, in order."""
    classes = range(model.classes)
    names = [item.name for item in model.continuous]
    yield from (make_weight_parameter(model, number) for number in classes[:-1])
    yield from (make_mean_parameter(model, name, number) for name in names for number in classes)
    for one, other in [*((name, name) for name in names), *(combinations(names, 2) if model.full else ())]:
        yield from (
            make_covariance_parameter(model, one, other, number) for number in (classes[:1] if model.equal else classes)
        )
    for item in model.categorical:
        for number in classes:
            yield from (
                make_probability_parameter(model, item.name, state, number) for state in range((item.states or 1) - 1)
            )


def make_weight_parameter(model: LatentProfile, number: int) -> Parameter:
    """The probability of a class."""
    return Parameter(PROBABILITY, (model.label,), (number,))


def make_mean_parameter(model: LatentProfile, name: str, number: int) -> Parameter:
    """The mean of an item in a class."""
    return Parameter(MEAN, (name,), given=((model.label, number),))


def make_covariance_parameter(model: LatentProfile, one: str, other: str, number: int) -> Parameter:
    """The covariance of two items in the order of the model, or the variance of one, in a class or in all of them.

    >>> from algdim.models.notation import parse
    >>> model = parse("latent-profile: H -> X, Y; hidden H; covariances full")
    >>> print(make_covariance_parameter(model, "X", "Y", 1), make_covariance_parameter(model, "X", "X", 0))
    c(X<->Y|H=1) v(X|H=0)
    """
    given = () if model.equal else ((model.label, number),)
    return (
        Parameter(VARIANCE, (one,), given=given) if one == other else Parameter(COVARIANCE, (one, other), given=given)
    )


def make_probability_parameter(model: LatentProfile, name: str, state: int, number: int) -> Parameter:
    """The probability of an item's state in a class."""
    return Parameter(PROBABILITY, (name,), (state,), ((model.label, number),))


@dataclass(frozen=True, slots=True, eq=False)
class Monomials:
    """All products of powers of some items up to an order, by degree; a last row stands for none."""

    powers: NDArray[np.int64]
    """The exponents, monomials × items; the last row is zero."""
    down: NDArray[np.intp]
    """The place of the monomial with one power of an item less; that of the last row where there is none."""
    starts: tuple[int, ...]
    """Where each degree begins, and where the last one ends."""

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.powers) - 1


def list_monomials(items: int, order: int) -> Monomials:
    """List the monomials.

    >>> list_monomials(2, 2).powers[:-1].tolist()
    [[0, 0], [1, 0], [0, 1], [2, 0], [1, 1], [0, 2]]
    """
    levels = [list(combinations_with_replacement(range(items), degree)) for degree in range(order + 1)]
    place = {factors: number for number, factors in enumerate(factors for level in levels for factors in level)}
    powers = np.zeros((len(place) + 1, items), dtype=np.int64)
    down = np.full((len(place) + 1, items), len(place), dtype=np.intp)
    for factors, number in place.items():
        for at, item in enumerate(factors):
            powers[number, item] += 1
            down[number, item] = place[factors[:at] + factors[at + 1 :]]
    return Monomials(powers, down, tuple(np.cumsum([0, *map(len, levels)]).tolist()))
