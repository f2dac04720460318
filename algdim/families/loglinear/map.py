"""The map of a log-linear model with hidden variables: q(x) = Σ_h ∏_I t_I(x_I, h_I), divided by the sum Z over all x.

With t = e^θ for every effect θ, the sum is a contraction of small arrays whose entries are 1 or a parameter, and the map is
rational. The chain rule for q/Z uses the derivative of Z, which is the functional of ones:

    d(q/Z) = (dq − (q/Z) dZ) / Z.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import log2, prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algdim.errors import LimitError
from algdim.exact.arithmetic import Arithmetic, Array, SingularError, invert_number
from algdim.exact.polynomials import make_polynomials
from algdim.families.contract import CoordinateRecord
from algdim.families.discrete.contraction import Contraction, ContractionAt, make_contraction
from algdim.families.discrete.locals.contract import Affine, EntryArrays
from algdim.families.discrete.map import Factor, ParamMap
from algdim.families.discrete.model import Network
from algdim.families.loglinear.model import LogLinear
from algdim.figures import format_integer
from algdim.maps import EFFECT, Functionals, Parameter, ParameterBlocks
from algdim.memory import OR_PROBES

MOST_PARAMETERS = 20_000

MOST_TERMS = 1 << 14
"""Of the sum over all joint states, if it is to be multiplied out."""


@dataclass(frozen=True, eq=False)
class LogLinearMap:
    """A log-linear model, and its unnormalised map: a factor network with one array for each effect."""

    model: LogLinear
    unnormalised: ParamMap

    kept_coordinates: ClassVar[None] = None
    given: ClassVar[tuple[int, ...]] = ()
    coordinates_are: ClassVar[str] = "cells"
    is_polynomial: ClassVar[bool] = False

    @property
    def parameters(self) -> tuple[str, ...]:
        return self.unnormalised.parameters

    @property
    def parameter_count(self) -> int:
        return self.unnormalised.parameter_count

    @property
    def records(self) -> tuple[Parameter, ...]:
        return self.unnormalised.records

    @property
    def complete(self) -> int:
        """The dimension of the simplex."""
        return self.unnormalised.complete

    @property
    def coordinate_count(self) -> int:
        return self.unnormalised.cells

    @property
    def functional_degree(self) -> int:
        """That of a product functional."""
        return self.unnormalised.functional_degree

    def coordinates(self) -> list[str]:
        """The names of all cells."""
        return self.unnormalised.coordinates()

    def coordinate_records(self) -> list[CoordinateRecord]:
        return self.unnormalised.coordinate_records()

    def denominators(self) -> list[int]:
        return []

    def degree_and_log_size(self) -> tuple[int, float]:
        """What lemma "formulas" needs: twice the degree of Z, and log₂ of ‖q(x)‖·‖Z‖, a product of numbers of states."""
        hidden = sum(log2(variable.states) for variable in self.model.hidden)
        everything = sum(log2(variable.states) for variable in self.model.variables)
        return 2 * max(1, len(self.unnormalised.factors)), hidden + everything

    @cached_property
    def is_told_apart(self) -> bool:
        """Whether each variable with two states or more has an effect: then Z has a coefficient 1 (lemma "log-linear")."""
        states = self.model.states
        having = {name for effect in self.model.effects if all(states[n] > 1 for n in effect) for name in effect}
        return all(states[variable.name] == 1 or variable.name in having for variable in self.model.variables)

    def share_with_value(self, choices: int) -> float:
        """At least this share of the points have Z ≠ 0."""
        return max(0.0, 1 - len(self.unnormalised.factors) / choices) if self.is_told_apart else 0.0


def build_loglinear_map(model: LogLinear) -> LogLinearMap:
    """One array for each effect: its parameters where no variable is in its first state, ones elsewhere.

    >>> from algdim.models.notation import parse
    >>> build_loglinear_map(parse("loglinear: {A,B}; states B=3")).parameters
    ('t(A=1)', 't(B=1)', 't(B=2)', 't(A=1,B=1)', 't(A=1,B=2)')
    """
    count = model.parameter_count
    if count > MOST_PARAMETERS:
        raise LimitError(f"the model has {format_integer(count)} parameters; at most {MOST_PARAMETERS} are allowed")
    axis = {variable.name: number for number, variable in enumerate(model.variables)}
    states = model.states
    blocks: list[EffectParameters] = []
    first = 0
    arrays: list[Affine] = []
    factors: list[Factor] = []
    for effect in model.effects:
        shape = tuple(states[name] for name in effect)
        cells = tuple(product(*(range(1, size) for size in shape)))
        if cells:
            factors.append(Factor(tuple(axis[name] for name in effect), len(arrays)))
            arrays.append(make_effect_array(shape, np.array(cells), first))
            blocks.append(EffectParameters(effect, cells))
            first += len(cells)
    unnormalised = ParamMap(
        model=Network(model.variables),
        parameter_count=first,
        sizes=tuple(variable.states for variable in model.variables),
        arrays=EntryArrays(arrays),
        factors=tuple(factors),
        observed=tuple(axis[variable.name] for variable in model.observed),
        given=(),
        owners=tuple(",".join(effect) for effect in model.effects if all(states[name] > 1 for name in effect)),
        blocks=ParameterBlocks(blocks),
    )
    return LogLinearMap(model, unnormalised)


@dataclass(frozen=True, slots=True)
class EffectParameters:
    """The parameters of an effect: one for each of these joint states."""

    effect: tuple[str, ...]
    states: tuple[tuple[int, ...], ...]

    def __iter__(self) -> Iterator[Parameter]:
        """One after the other."""
        return (Parameter(EFFECT, self.effect, states) for states in self.states)


def make_effect_array(shape: tuple[int, ...], cells: NDArray[np.int64], first: int) -> Affine:
    """Ones, but at these cells the parameters from the first number on."""
    entry = np.ravel_multi_index(tuple(cells.T), shape).astype(np.intp)
    constants = np.ones(prod(shape), dtype=np.int64)
    constants[entry] = 0
    return Affine(shape, constants, entry, first + np.arange(len(cells)), np.ones(len(cells), dtype=np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class Normalised:
    """A log-linear map that is ready to be evaluated."""

    inner: Contraction

    @property
    def numbers_per_functional(self) -> int:
        return self.inner.numbers_per_functional + len(self.inner.pmap.parameters)

    @property
    def largest(self) -> int:
        return self.inner.largest

    def all_coordinates(self, max_memory: int | None = None, advice: str = OR_PROBES) -> Functionals:
        return self.inner.all_coordinates(max_memory, advice)

    def random_functionals(self, count: int, prime: int, seed: int | str, *labels: int | str) -> Functionals:
        return self.inner.random_functionals(count, prime, seed, *labels)

    def at(self, arithmetic: Arithmetic, point: Array) -> NormalisedAt:
        """Prepare for one point: Z and its derivative."""
        inner = self.inner.at(arithmetic, point)
        total, slope = compute_normaliser(inner, self.inner.pmap)
        if total == 0:
            raise SingularError("the sum over all joint states is zero at this point")
        return NormalisedAt(inner, arithmetic, invert_number(arithmetic, total), slope)


def compute_normaliser(inner: ContractionAt, pmap: ParamMap) -> tuple[Any, Array]:
    """Z and its derivative, a row."""
    ones = [inner.arithmetic.elements(np.ones((size, 1), dtype=np.int64)) for size in pmap.shape]
    total = inner.values(ones)
    slope = np.empty((1, len(pmap.parameters)), dtype=total.dtype)
    slope[:] = inner.arithmetic.elements(np.zeros(1, dtype=np.int64))
    inner.derivatives(ones, slope)
    return total[0], slope


@dataclass(frozen=True, slots=True, eq=False)
class NormalisedAt:
    """A log-linear map at a point: 1/Z and the derivative of Z."""

    inner: ContractionAt
    arithmetic: Arithmetic
    inverse: Array
    slope: Array

    def values(self, vectors: Sequence[Array]) -> Array:
        return self.arithmetic.multiply(self.inner.values(vectors), self.inverse)

    def derivatives(self, vectors: Sequence[Array], into: Array) -> None:
        multiply = self.arithmetic.multiply
        self.inner.derivatives(vectors, into)
        minus = multiply(self.values(vectors), self.arithmetic.elements(np.array([-1])))[:, None]
        into[:] = multiply(self.arithmetic.add(into, multiply(minus, self.slope)), self.inverse)


def make_normalised_evaluator(lmap: Any) -> Normalised:
    """Find the order of contraction of a log-linear map."""
    return Normalised(make_contraction(lmap.unnormalised))


def compute_cleared_jacobian(lmap: LogLinearMap) -> list[list[Any]]:
    """The Jacobian multiplied out, times Z²: the rows Z·dq − q·dZ."""
    states = prod(variable.states for variable in lmap.model.variables)
    if states > MOST_TERMS:
        raise LimitError(
            f"there are {format_integer(states)} joint states; expanded, at most {MOST_TERMS} are allowed; take a numerical method"
        )
    arithmetic, point = make_polynomials(len(lmap.parameters))
    ready = make_contraction(lmap.unnormalised)
    inner = ready.at(arithmetic, point)
    total, slope = compute_normaliser(inner, lmap.unnormalised)
    cells = ready.all_coordinates()
    vectors = cells.vectors(arithmetic, 0, cells.count)
    rows = np.empty((cells.count, len(lmap.parameters)), dtype=object)
    rows[:] = arithmetic.elements(np.zeros(1, dtype=np.int64))
    inner.derivatives(vectors, rows)
    values = inner.values(vectors)
    return [
        [total * entry - value * derivative for entry, derivative in zip(row, slope[0], strict=True)]
        for row, value in zip(rows.tolist(), values, strict=True)
    ]
