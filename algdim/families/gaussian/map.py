"""The map of a linear Gaussian model: from coefficients, variances, covariances, intercepts to Σ and μ of the observed.

With X = BᵀX + m + ε, b_ij the coefficient of the edge i → j and Ω the covariance of the errors, and T = (I − B)⁻¹:

    Σ = Tᵀ Ω T,   μ = Tᵀ m   (GHM96 §7; the entries are the sums over treks).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf, lcm, log2
from typing import Any, ClassVar
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from algdim.errors import LimitError
from algdim.exact.tape import Tape, TapeNode
from algdim.families.contract import COVARIANCE, MEAN, CoordinateRecord
from algdim.families.gaussian.model import Entry, Gaussian, find_components, find_group
from algdim.maps import Parameter

MOST_VARIABLES = 5000
"""Of a model: its coefficients are held as a matrix."""


@dataclass(frozen=True, eq=False)
class GaussianMap:
    """The parameters and coordinates of a Gaussian model.

    Coordinates are the covariances of the observed variables, the upper triangle row by row, then their means.
    """

    model: Gaussian
    parameters: tuple[str, ...]
    number_of: Mapping[Entry, int]
    """The parameter that an entry is; fixed entries are none."""
    value_of: Mapping[Entry, Fraction]
    """The values of the fixed entries."""
    components: tuple[tuple[int, ...], ...]
    """The strongly connected components of the directed part, by the variables' places, parents first."""
    linear: Mapping[Entry, tuple[Fraction, Mapping[int, Fraction]]]
    """Entries that are a constant plus multiples of parameters."""

    kept_coordinates: ClassVar[None] = None
    given: ClassVar[tuple[int, ...]] = ()
    coordinates_are: ClassVar[str] = "coordinates"
    functional_degree: ClassVar[int] = 2

    @property
    def parameter_count(self) -> int:
        return len(self.parameters)

    @cached_property
    def records(self) -> tuple[Parameter, ...]:
        return tuple(iterate_parameter_records(self.model, self.number_of))

    @cached_property
    def place(self) -> dict[str, int]:
        """The place of each variable."""
        return {variable.name: number for number, variable in enumerate(self.model.variables)}

    @cached_property
    def observed_places(self) -> tuple[int, ...]:
        """The places of the observed variables."""
        return tuple(number for number, variable in enumerate(self.model.variables) if variable.observed)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many observed variables each group has."""
        if not self.model.groups:
            return (len(self.observed_places),)
        found = Counter(find_group(variable.name) for variable in self.model.observed)
        return tuple(found[group] for group in self.model.groups)

    @property
    def covariances(self) -> int:
        """The number of observed variances and covariances, those between groups left out."""
        return sum(count * (count + 1) // 2 for count in self.sizes)

    @cached_property
    def pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The pairs that have a variance or covariance, by their numbers among the observed."""
        first, second = np.triu_indices(len(self.observed_places))
        if not self.model.groups:
            return first, second
        of = np.array([self.model.groups.index(find_group(variable.name)) for variable in self.model.observed])
        together = of[first] == of[second]
        return first[together], second[together]

    @property
    def means(self) -> int:
        """The number of observed means that are coordinates."""
        return len(self.observed_places) if self.model.means else 0

    @property
    def coordinate_count(self) -> int:
        return self.covariances + self.means

    @property
    def complete(self) -> int:
        """The dimension of the saturated model: every covariance matrix and every mean."""
        return self.coordinate_count

    @property
    def is_polynomial(self) -> bool:
        """Whether there is no directed cycle; otherwise coordinates are quotients of polynomials."""
        return all(len(component) == 1 for component in self.components)

    def coordinates(self) -> list[str]:
        return list(map(str, self.coordinate_records()))

    def coordinate_records(self) -> list[CoordinateRecord]:
        """The covariances, then the means."""
        names = [variable.name for variable in self.model.observed]
        pairs = [
            CoordinateRecord(COVARIANCE, (names[one], names[other])) for one, other in zip(*self.pairs, strict=True)
        ]
        return pairs + [CoordinateRecord(MEAN, (name,)) for name in names[: self.means]]

    def denominators(self) -> list[int]:
        found = [value.denominator for value in self.value_of.values()]
        return found + [
            value.denominator for constant, terms in self.linear.values() for value in (constant, *terms.values())
        ]

    def evaluate_entry(self, entry: Entry, point: Sequence[Any]) -> Any:
        """The value of an entry at a point."""
        if entry in self.linear:
            constant, terms = self.linear[entry]
            return sum((value * point[number] for number, value in terms.items()), constant)
        return point[self.number_of[entry]] if entry in self.number_of else self.value_of[entry]

    def size_of(self, entry: Entry) -> tuple[Fraction, int]:
        """The sum of the absolute coefficients of an entry, and the denominator by which it is cleared."""
        if entry in self.linear:
            constant, terms = self.linear[entry]
            values = [constant, *terms.values()]
            return sum(map(abs, values), Fraction(0)), lcm(*(value.denominator for value in values))
        value = self.value_of.get(entry, Fraction(1))
        return abs(value), value.denominator

    def numbers_of(self, kind: str) -> frozenset[int]:
        """The parameters that are entries of a kind: coefficients b, variances v, covariances c, intercepts m."""
        return frozenset(number for entry, number in self.number_of.items() if entry[0] == kind)

    def write_entries(self, tape: Tape) -> TapeNode:
        """The parameters, behind them the values of the fixed entries, and then what is linear."""
        elements = tape.arithmetic.elements
        fixed = elements(np.array([*self.value_of.values(), *(one for one, _ in self.linear.values())], dtype=object))
        matrix = np.zeros((len(self.linear), len(self.parameters)), dtype=object)
        for row, (_, terms) in enumerate(self.linear.values()):
            matrix[row, list(terms)] = list(terms.values())
        return tape.extend_point(fixed, elements(matrix))

    @cached_property
    def rows(self) -> dict[Entry, int]:
        """Where each entry stands among them."""
        behind = enumerate((*self.value_of, *self.linear), len(self.parameters))
        return {**self.number_of, **{entry: row for row, entry in behind}}

    def degree_and_log_size(self) -> tuple[int, float]:
        """The degree of the coordinates and log₂ of the sum of their absolute coefficients, denominators cleared.

        With cycles these are the numbers to be put in their places in lemma "chance", see `compute_rational_size`.
        """
        return compute_polynomial_size(self) if self.is_polynomial else compute_rational_size(self)

    def share_with_value(self, choices: int) -> float:
        """At least this share of the points, each coordinate uniform among this many values, have an invertible I − B.

        Lemma "Gaussian size" (b); where a coefficient on a cycle is fixed, `compute_rational_size` says that nothing is claimed.
        """
        return max(0.0, 1 - sum(len(members) for members in self.components if len(members) > 1) / choices)


MAPS: WeakValueDictionary[Gaussian, GaussianMap] = WeakValueDictionary()
"""The map of each model that is in use."""


def get_gaussian_map(model: Gaussian) -> GaussianMap:
    """The map of a model, which is built once as long as it is in use.

    >>> from algdim.families.gaussian.model import GaussianVariable
    >>> get_gaussian_map(Gaussian((GaussianVariable("A"), GaussianVariable("B")), (("A", "B"),))).parameters
    ('b(A->B)', 'v(A)', 'v(B)', 'm(A)', 'm(B)')
    """
    found = MAPS.get(model)
    if found is None:
        found = MAPS[model] = build_gaussian_map(model)
    return found


def build_gaussian_map(model: Gaussian) -> GaussianMap:
    """Number the parameters of a model: its entries in order, fixed ones left out, equal ones once under their name."""
    if len(model.variables) > MOST_VARIABLES:
        raise LimitError(f"the model has {len(model.variables)} variables; at most {MOST_VARIABLES} are allowed")
    fixed, labels, linear = dict(model.fixed), dict(model.equal), dict(model.linear)
    numbers: dict[str | Entry, int] = {}
    number_of = {
        entry: numbers.setdefault(labels.get(entry) or entry, len(numbers))
        for entry in model.entries
        if entry not in fixed and entry not in linear
    }
    sums: dict[Entry, tuple[Fraction, Mapping[int, Fraction]]] = {}
    for entry, given in linear.items():
        constant, terms = Fraction(0), dict[int, Fraction]()
        for other, value in given:
            if other in number_of:
                terms[number_of[other]] = terms.get(number_of[other], Fraction(0)) + value
            else:
                constant += value * fixed.get(other, Fraction(1))
        terms = {number: value for number, value in terms.items() if value}
        if terms:
            sums[entry] = constant, terms
        else:
            fixed[entry] = constant
    place = {variable.name: number for number, variable in enumerate(model.variables)}
    components = tuple(tuple(place[name] for name in members) for members in find_components(model))
    return GaussianMap(
        model, tuple(map(str, iterate_parameter_records(model, number_of))), number_of, fixed, components, sums
    )


def iterate_parameter_records(model: Gaussian, number_of: Mapping[Entry, int]) -> Iterator[Parameter]:
    """The parameters in order; equal entries are one, which is what the first of them is."""
    labels = dict(model.equal)
    count = 0
    for entry, number in number_of.items():
        if number == count:
            yield Parameter(entry[0], entry[1:], label=labels.get(entry, ""))
            count += 1


def compute_polynomial_size(gmap: GaussianMap) -> tuple[int, float]:
    """Degree and log₂ size without cycles: lemma "Gaussian size" (a)."""
    model = gmap.model
    size = {entry: gmap.size_of(entry)[0] for entry in model.entries}
    into: dict[str, list[tuple[str, Fraction]]] = {variable.name: [] for variable in model.variables}
    for parent, child in model.edges:
        into[child].append((parent, size["b", parent, child]))
    sums: dict[str, Fraction] = {}
    longest: dict[str, int] = {}
    for (number,) in gmap.components:
        name = model.variables[number].name
        sums[name] = 1 + sum((weight * sums[parent] for parent, weight in into[name]), Fraction(0))
        longest[name] = max((1 + longest[parent] for parent, weight in into[name] if weight), default=0)
    names = [variable.name for variable in model.observed]
    greatest = max([Fraction(1), *(value for entry, value in size.items() if entry[0] != "b")])
    cleared = sum(log2(gmap.size_of(entry)[1]) * (2 if entry[0] == "b" else 1) for entry in model.entries)
    log_size = compute_binary_log(greatest) + 2 * max(compute_binary_log(sums[name]) for name in names) + cleared
    return 2 * max(longest[name] for name in names) + 1, log_size


def compute_rational_size(gmap: GaussianMap) -> tuple[int, float]:
    """What lemma "chance" needs where there are cycles, in the places of degree and log₂ size: lemma "Gaussian size" (b).

    The lemma takes 2δ − 1 for δ − 1 and 2δH for δH: the same as taking 2δ for the degree and H for the size. With a fixed
    coefficient on a cycle nothing is claimed, because I − B may then be singular at every point modulo some primes.
    """
    model = gmap.model
    block = {number: at for at, members in enumerate(gmap.components) for number in members}
    for entry, value in gmap.value_of.items():
        if entry[0] == "b" and value and block[gmap.place[entry[1]]] == block[gmap.place[entry[2]]]:
            return 4 * len(model.variables), inf
    return 4 * len(model.variables), compute_quotient_log_size(gmap)


def compute_quotient_log_size(gmap: GaussianMap) -> float:
    """log₂ of the sizes of a coordinate's numerator and denominator together, denominators of fixed numbers cleared."""
    model = gmap.model
    size = {entry: gmap.size_of(entry)[0] for entry in model.entries}
    rows = {variable.name: Fraction(1) for variable in model.variables}
    for entry, value in size.items():
        if entry[0] == "b":
            rows[entry[1]] += value
    errors = sum(
        (value * (2 if entry[0] == "c" else 1) for entry, value in size.items() if entry[0] in "vc"), Fraction(0)
    )
    intercepts = sum((value for entry, value in size.items() if entry[0] == "m"), Fraction(0))
    # numerator and denominator have R² each; fixed entries are cleared twice in either
    twice = 4 * sum(compute_binary_log(value) for value in rows.values())
    cleared = sum(4 * log2(gmap.size_of(entry)[1]) for entry in model.entries)
    return twice + compute_binary_log(max(errors, intercepts, Fraction(1))) + cleared


def compute_binary_log(value: Fraction) -> float:
    """log₂ of a positive fraction of any size."""
    return log2(value.numerator) - log2(value.denominator)


def collect_parameters(gmap: GaussianMap, values: Mapping[Entry, Any]) -> list[Any]:
    """The parameters of which the entries have these values; equal entries are taken at their first."""
    found: dict[int, Any] = {}
    for entry, number in gmap.number_of.items():
        found.setdefault(number, values[entry])
    return [found[number] for number in range(len(gmap.parameters))]
