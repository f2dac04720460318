"""The map of a classifier: from the tables of its network to the log-odds of the class (HM97 Equations 2 and 4).

    λ_k(x) = log p(y_k|x) / p(y_0|x) = Σ_S  log a_S(x_S, y_k) − log a_S(x_S, y_0)

with one summand for each factor a_S that contains the class; all others cancel. λ is no rational function of the tables,
but its derivatives are: dλ_k(x) = Σ_S da_S(x_S, y_k)/a_S(x_S, y_k) − da_S(x_S, y_0)/a_S(x_S, y_0). So a rank needs no logarithm.

A functional is a product: a vector u_i on the states of each input and one, w, on the states of the class but the first;
each u_i sums to 1. Summing λ against it, the inputs that a factor lacks sum to 1, and what is left is a sum over the
entries of the factors. The cost does not grow with the number of configurations of the inputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import log2, prod
from typing import Any, ClassVar

import numpy as np

from algdim.exact.arithmetic import Arithmetic, Array, Floats, Objects, add_weighted_runs, invert_numbers
from algdim.exact.draws import Stream, draw_integers
from algdim.exact.tape import FormulaAt, Rows, Tape, TapeNode
from algdim.families.classifier.model import Classifier
from algdim.families.contract import LOG_ODDS, CoordinateRecord
from algdim.families.discrete.contraction import add_entry_gradients
from algdim.families.discrete.functionals import (
    BYTES_PER_CELL,
    OF_MANY,
    draw_functionals,
    list_cells,
    list_marginal_cells,
)
from algdim.families.discrete.locals.contract import Affine, Entries, EntryArrays, join_affine, order_by_parameter
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.figures import format_integer
from algdim.maps import Functionals, Parameter
from algdim.memory import OR_PROBES, check_memory


@dataclass(frozen=True, eq=False)
class ClassifierMap:
    """The parameters of the network, and the log-odds of the class as coordinates: the first input slowest, the class last."""

    model: Classifier
    tables: ParamMap
    """The network as a discrete map; parameters are numbered as there."""

    coordinates_are: ClassVar[str] = "log-odds"
    is_polynomial: ClassVar[bool] = False
    kept_coordinates: ClassVar[None] = None

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters of all tables, also of those without the class."""
        return self.tables.parameters

    @property
    def parameter_count(self) -> int:
        return self.tables.parameter_count

    @property
    def records(self) -> tuple[Parameter, ...]:
        return self.tables.records

    @cached_property
    def label_axis(self) -> int:
        """The axis of the class in the network."""
        return [variable.name for variable in self.model.variables].index(self.model.label)

    @cached_property
    def input_axes(self) -> tuple[int, ...]:
        """The axes of the inputs."""
        return tuple(axis for axis in range(len(self.model.variables)) if axis != self.label_axis)

    @property
    def shape(self) -> tuple[int, ...]:
        """The states of the inputs, and those of the class but the first."""
        return (*(self.tables.sizes[axis] for axis in self.input_axes), self.model.classes - 1)

    @cached_property
    def relevant(self) -> ParamMap:
        """The factors that contain the class, and their arrays."""
        factors = tuple(factor for factor in self.tables.factors if self.label_axis in factor.axes)
        arrays = sorted({factor.array for factor in factors})
        renumbered = tuple(factor._replace(array=arrays.index(factor.array)) for factor in factors)
        return replace(
            self.tables,
            factors=renumbered,
            arrays=EntryArrays(self.tables.arrays[number] for number in arrays),
            owners=tuple(self.tables.owners[number] for number in arrays),
        )

    @cached_property
    def occurring(self) -> tuple[frozenset[int], ...]:
        """The parameters that occur in each array that contains the class."""
        return tuple(frozenset(make_affine(array).parameter.tolist()) for array in self.relevant.arrays)

    @cached_property
    def entries(self) -> Affine:
        """The entries of all arrays that contain the class, one after the other."""
        return join_affine([make_affine(array) for array in self.relevant.arrays])

    @property
    def complete(self) -> int:
        """The dimension of all conditional distributions of the class: (r_Y − 1)·∏ r_i."""
        return self.coordinate_count

    @property
    def coordinate_count(self) -> int:
        return prod(self.shape)

    @property
    def functional_degree(self) -> int:
        """A product functional has one factor for each input and one for the class."""
        return len(self.shape)

    def coordinates(self) -> list[str]:
        return list(map(str, self.coordinate_records()))

    def coordinate_records(self) -> list[CoordinateRecord]:
        """The log-odds of each state of the class but the first, given the inputs."""
        label, names = self.model.label, self.model.inputs
        return [
            CoordinateRecord(LOG_ODDS, states=((label, k + 1),), given=tuple(zip(names, states, strict=True)))
            for *states, k in product(*(range(size) for size in self.shape))
        ]

    def denominators(self) -> list[int]:
        """What a prime must not divide: denominators of fixed entries, and numbers whose zero would make an entry zero."""
        return [
            *self.relevant.denominators(),
            *(number for array in self.relevant.arrays for number in collect_leading_numbers(array)),
        ]

    def degree_and_log_size(self) -> tuple[int, float]:
        """What lemma "chance" needs, in the places of degree and log₂ size.

        The row dλ_k(x), multiplied by all 2F entries that it divides by, has polynomials of degree at most 2F − 1. With sums
        of absolute coefficients at most h_S in the entries of factor S, those of a whole row are at most 2F·∏_S h_S².
        """
        norms = [array.norms()[1] for array in self.relevant.arrays]
        log_size = sum(2 * log2(norms[factor.array]) for factor in self.relevant.factors)
        return 2 * len(self.relevant.factors), log_size

    def share_with_value(self, choices: int) -> float:
        """At least this share of the points, each coordinate uniform among this many values, make no entry zero."""
        entries = sum(prod(array.shape) for array in self.relevant.arrays)
        return max(0.0, 1 - entries / choices)


def make_affine(entries: Entries) -> Affine:
    """The entries of a table."""
    assert isinstance(entries, Affine), "a classifier has tables"  # noqa: S101
    return entries


def collect_leading_numbers(array: Entries) -> set[int]:
    """For every entry of a table a number that a prime divides if the entry is zero at all points; 1 is left out."""
    entries = make_affine(array)
    first = dict(zip(entries.entry.tolist(), entries.coefficient, strict=True))
    numbers = (first.get(number, constant) for number, constant in enumerate(entries.constants))
    return {abs(Fraction(number).numerator) for number in numbers} - {1}


def build_classifier_map(model: Classifier) -> ClassifierMap:
    """The map of a classifier to its log-odds.

    >>> from algdim.models.notation import parse
    >>> build_classifier_map(parse("classifier Y: Y -> X")).coordinates()
    ['λ(Y=1|X=0)', 'λ(Y=1|X=1)']
    """
    return ClassifierMap(model, get_param_map(model.network))


def normalise_probes(probes: Functionals) -> Functionals:
    """Product functionals whose vectors on the inputs each sum to 1: the last entry is 1 minus the others."""

    def make_vectors(arithmetic: Arithmetic, start: int, stop: int) -> list[Array]:
        *inputs, label = probes.vectors(arithmetic, start, stop)
        return [*(normalise_columns(arithmetic, vector) for vector in inputs), label]

    return replace(probes, vectors=make_vectors)


def normalise_columns(arithmetic: Arithmetic, vector: Array) -> Array:
    """Replace the last row of states × functionals by 1 minus the others."""
    one, minus = arithmetic.elements(np.array([[1], [-1]]))
    rest = arithmetic.add(one, arithmetic.multiply(minus, add_rows(arithmetic, vector[:-1])))
    return np.concatenate([vector[:-1], rest[None]])


def add_rows(arithmetic: Arithmetic, array: Array) -> Array:
    """The sums of the columns."""
    return np.asarray(arithmetic.segment_sums(array, np.zeros(1, dtype=np.intp))[0])


MOST_OTHERS = 6
"""Inputs that are not in their first state, of log-odds that are offered for being shown."""


def offer_log_odds(cmap: ClassifierMap, count: int, source: Stream) -> tuple[Functionals, tuple[CoordinateRecord, ...]]:
    """Log-odds where all inputs but a few are in their first state, none twice."""
    *inputs, classes = cmap.shape
    width = 2 + 2 * MOST_OTHERS
    numbers = np.array(draw_integers(source, 0, OF_MANY - 1, count * width)).reshape(count, width)
    found = np.zeros((count, len(cmap.shape)), dtype=np.int64)
    for row, (size, label, *rest) in zip(found, numbers.tolist(), strict=True):
        row[-1] = label % classes
        for place, state in zip(rest[: size % (MOST_OTHERS + 1)], rest[MOST_OTHERS:], strict=False):
            row[place % len(inputs)] = state % inputs[place % len(inputs)]
    found = np.unique(found, axis=0)
    found = found[np.argsort((found[:, :-1] > 0).sum(axis=1), kind="stable")]
    names, label = cmap.model.inputs, cmap.model.label
    records = [
        CoordinateRecord(LOG_ODDS, states=((label, one + 1),), given=tuple(zip(names, states, strict=True)))
        for *states, one in found.tolist()
    ]
    return list_marginal_cells(cmap.shape, found), tuple(records)


@dataclass(frozen=True, slots=True, eq=False)
class LogOdds:
    """A classifier's map that is ready to be evaluated."""

    cmap: ClassifierMap

    @property
    def numbers_per_functional(self) -> int:
        """How many numbers are held for one functional: twice the entries of all factors with the class."""
        return 2 * sum(prod(self.sizes(factor.axes)) for factor in self.cmap.relevant.factors)

    @property
    def largest(self) -> int:
        return max(prod(self.sizes(factor.axes)) for factor in self.cmap.relevant.factors)

    def sizes(self, axes: Sequence[int]) -> tuple[int, ...]:
        """The sizes of some axes."""
        return tuple(self.cmap.tables.sizes[axis] for axis in axes)

    def all_coordinates(self, max_memory: int | None = None, advice: str = OR_PROBES) -> Functionals:
        count, shape = self.cmap.coordinate_count, self.cmap.shape
        check_memory(count * BYTES_PER_CELL, max_memory, f"there are {format_integer(count)} log-odds", advice)
        return list_cells(shape, range(count), advice)

    def random_functionals(self, count: int, prime: int, seed: int | str, *labels: int | str) -> Functionals:
        return normalise_probes(draw_functionals(self.cmap.shape, count, prime, seed, *labels))

    def at(self, arithmetic: Arithmetic, point: Array) -> FormulaAt:
        """Prepare for one point; `SingularError` where an entry is zero."""
        tape, entries = Tape(arithmetic, point), self.cmap.entries
        table, local = entries.values(arithmetic, point), order_by_parameter(entries.derivative(arithmetic, point))
        # fixed entries are not divided by, and may be zero
        slopes = arithmetic.multiply(local.coefficient, invert_numbers(arithmetic, table[local.entry]))

        def compute() -> Array:
            if not isinstance(arithmetic, Objects | Floats) or arithmetic.log is None:
                raise TypeError("log-odds have values only in numbers that have logarithms")
            return np.asarray(arithmetic.log(table))[:, None]

        def take_back(above: Array) -> Rows:
            found = add_weighted_runs(arithmetic, above, local.entry, slopes, local.starts)
            return Rows(len(point), local.parameters, found)

        logarithms = tape.step(entries.shape, compute, *([] if entries.is_constant else [(tape.point, take_back)]))

        def write(vectors: Sequence[Array]) -> TapeNode:
            weights = self.weights(arithmetic, vectors)
            by_entry = add_entry_gradients(self.cmap.relevant, arithmetic, [*weights], weights[0].shape[-1])
            return (logarithms * tape.constant(by_entry)).total()

        return FormulaAt(tape, write)

    def weights(self, arithmetic: Arithmetic, vectors: Sequence[Array]) -> list[Array]:
        """For every factor the coefficients of the logarithms of its entries: the factor's axes × functionals."""
        *inputs, label = vectors
        minus = arithmetic.elements(np.array([-1]))
        first = arithmetic.multiply(minus, add_rows(arithmetic, label))
        by_axis = dict(zip(self.cmap.input_axes, inputs, strict=True))
        by_axis[self.cmap.label_axis] = np.concatenate([first[None], label])
        return [
            multiply_outer(arithmetic, [by_axis[axis] for axis in factor.axes]) for factor in self.cmap.relevant.factors
        ]


def multiply_outer(arithmetic: Arithmetic, vectors: Sequence[Array]) -> Array:
    """The products of all combinations of entries, functional by functional."""
    result = vectors[0]
    for number, vector in enumerate(vectors[1:], 1):
        result = arithmetic.multiply(result[..., None, :], vector.reshape((1,) * number + vector.shape))
    return result


def make_log_odds_evaluator(pmap: Any) -> LogOdds:
    """Make a classifier's map ready to be evaluated."""
    return LogOdds(pmap)
