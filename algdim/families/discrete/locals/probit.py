"""The local map "probit": states from each one on with a probability whose probit is linear in the parents' states.

P(X ≥ s | x) = Φ(u), u = a_s + Σ b_j x_j, x_j the state 0 … r − 1 of parent j, Φ the normal distribution function; the thresholds −a_s
rise. Values and slopes of Φ are transcendental functions of the weights, and independent of each other but for the squares of the u
(lemma "probits"): so a rank with any numbers in the place of the Φ(u), and of the e^(−vw/2), v and w two weights, of which the φ(u) are
products, is a lower bound. Here these numbers are powers of the u and of polynomials of the weights. No coordinate is a rational function of weights,
and what asks for one is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise
from math import erfc, sqrt
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algdim.display.mathml import format_value_latex
from algdim.errors import InputError
from algdim.exact.arithmetic import Arithmetic, Array, Booleans, Floats, Lengths, Residues
from algdim.families.discrete.locals.contract import Derivative, Entries, Kind, check_local, read_share
from algdim.families.discrete.locals.logit import (
    CumulativeCurve,
    LogitEntries,
    list_wide_parents,
    multiply_columns,
    raise_powers,
)
from algdim.families.discrete.locals.sigmoid import KEYS, Weighted
from algdim.families.discrete.locals.sigmoid import write as write_weighted
from algdim.families.discrete.locals.table import Parents
from algdim.families.discrete.map import Builder
from algdim.families.discrete.model import Local, Variable
from algdim.figures import format_count
from algdim.maps import Parameter
from algdim.models.values import check_keys

Numbers = NDArray[np.float64]

SQUARINGS = 16
"""In the place of Φ(u) stands u^65537. Products of few of a small degree would be polynomials of small degree in a parent's state,
and depend on each other where it has many.
"""

NO_CHANCE = 1 << 200
"""In the place of a degree, where nothing is known of the probability of an error."""


@dataclass(frozen=True, slots=True)
class Probit(Weighted):
    """States from each one on against those below; a weight of each parent for all of them."""

    kind: ClassVar[str] = "probit"

    def is_full(self, states: int, sizes: Sequence[int]) -> bool:
        """No parents, or one binary of a binary variable."""
        return not sizes or (states == 2 and list(sizes) == [2])

    def check(self, name: str, states: int, parents: Parents) -> None:
        """Any variable with two states or more."""
        del parents
        if states < 2:
            raise InputError(f"{name} has {format_count(states, 'state')}; a probit variable has two or more")


def apply_normal(values: Numbers) -> Numbers:
    """Φ, number by number.

    >>> apply_normal(np.array([0.0, 1.959963984540054])).round(12).tolist()
    [0.5, 0.975]
    """
    flat = [erfc(-value / sqrt(2)) / 2 for value in np.ravel(values).tolist()]
    return np.array(flat, dtype=np.float64).reshape(np.shape(values))


def apply_density(values: Numbers) -> Numbers:
    """The density φ."""
    return np.asarray(np.exp(-(values**2) / 2) / np.sqrt(2 * np.pi))


@dataclass(frozen=True, eq=False)
class ProbitEntries(LogitEntries):
    """The probabilities of every row; exponents are the coefficients of the u."""

    def get_points(self, arithmetic: Arithmetic, point: Array) -> list[Array]:
        """The weights."""
        del arithmetic
        return [point[number : number + 1] for number in self.numbers]

    def evaluate_sums(self, arithmetic: Arithmetic, point: Array) -> Array:
        """Row × step: the u; rational numbers and formulas, which the Φ(u) are not, are refused."""
        one = arithmetic.elements(np.ones(1, dtype=np.int64))
        if not isinstance(arithmetic, (Residues, Floats, Booleans, Lengths)) and type(one[0]).__name__ != "nmod":
            raise InputError(
                "the probabilities of a probit are values of the normal distribution function, and no rational functions of the weights; "
                "dim (with the methods auto, table and probes), fit, score and simulate take them"
            )
        found = arithmetic.elements(np.zeros(self.exponents.shape[0] * self.exponents.shape[1], dtype=np.int64))
        for k, weight in enumerate(self.get_points(arithmetic, point)):
            times = arithmetic.elements(self.exponents[:, :, k].ravel())
            found = arithmetic.add(found, arithmetic.multiply(times, weight))
        return found.reshape(self.exponents.shape[:2])

    def values(self, arithmetic: Arithmetic, point: Array) -> Array:
        one = arithmetic.elements(np.ones(1, dtype=np.int64))
        sums = self.evaluate_sums(arithmetic, point)
        if isinstance(arithmetic, Floats):
            return self.take_differences(arithmetic, apply_normal(sums), one).reshape(self.shape)
        tails = flat = sums.ravel()
        for _ in range(SQUARINGS):
            tails = arithmetic.multiply(tails, tails)
        tails = arithmetic.multiply(tails, flat)
        return self.take_differences(arithmetic, tails.reshape(sums.shape), one).reshape(self.shape)

    def evaluate_slopes(self, arithmetic: Arithmetic, point: Array) -> Array:
        """Row × step: φ(u), or the products that stand in its place."""
        if isinstance(arithmetic, Floats):
            return apply_density(self.evaluate_sums(arithmetic, point))
        one = arithmetic.elements(np.ones(1, dtype=np.int64))
        weights, factors = self.get_points(arithmetic, point), []
        for v, w in combinations_with_replacement(range(len(weights)), 2):
            times = (1 + (v != w)) * self.exponents[:, :, v] * self.exponents[:, :, w]
            if times.any():
                # a number for each pair of weights, which is its own as far as a number of weights can have one
                both = arithmetic.multiply(weights[v], weights[w])
                square = arithmetic.add(arithmetic.add(both, one), arithmetic.multiply(both, both))
                factors.append(raise_powers(arithmetic, square, times.ravel()))
        return multiply_columns(arithmetic, factors).reshape(self.exponents.shape[:2])

    def derivative(self, arithmetic: Arithmetic, point: Array) -> Derivative:
        """dP(≥ s) = φ(u) du."""
        self.evaluate_sums(arithmetic, point)
        slopes = self.evaluate_slopes(arithmetic, point)
        zero = arithmetic.elements(np.zeros(1, dtype=np.int64))
        places = np.arange(len(slopes) * self.shape[-1], dtype=np.intp).reshape(len(slopes), -1)
        entries, parameters, coefficients = [], [], []
        for k, number in enumerate(self.numbers):
            times = arithmetic.elements(self.exponents[:, :, k].ravel())
            moved = arithmetic.multiply(slopes.ravel(), times).reshape(slopes.shape)
            found = self.take_differences(arithmetic, moved, zero)
            rows = np.flatnonzero(self.exponents[:, :, k].any(axis=1))
            entries.append(places[rows].ravel())
            parameters.append(np.full(rows.size * self.shape[-1], number, dtype=np.intp))
            coefficients.append(found[rows].ravel())
        return Derivative(np.concatenate(entries), np.concatenate(parameters), np.concatenate(coefficients))

    @property
    def total_degree(self) -> int:
        """Nothing is known of the share of points that show the rank."""
        return NO_CHANCE

    def parameters(self, flat: Sequence[Fraction]) -> dict[int, Fraction]:
        del flat
        raise InputError("weights of probits are no rational functions of probabilities")


def name_probit_weights(name: str, states: int, parents: Sequence[str]) -> list[Parameter]:
    """The constants, then the parents'.

    >>> print(*name_probit_weights("X", 3, ["H"]))
    a(X=1) a(X=2) b(X|H)
    """
    found = [Parameter("a", (name,), (state,)) for state in range(1, states)]
    return found + [Parameter("b", (name,), given=((parent, None),)) for parent in parents]


def add_probit(builder: Builder, variable: Variable, axes: tuple[int, ...]) -> None:
    """Add a variable: a new array, or one more use of a shared one."""

    def make(shape: tuple[int, ...]) -> Entries:
        parents = list_wide_parents(variable, builder.states)
        names = name_probit_weights(variable.local.share or variable.name, shape[-1], parents)
        first = builder.numbering.extend(names, len(names))
        return ProbitEntries("cumulative", shape, tuple(range(first, first + len(names))))

    builder.add_once(variable, axes, make)


@dataclass(frozen=True, eq=False)
class ProbitCurve(CumulativeCurve):
    """The weights are the first constant, the logarithms of its distances to the others, and those of parents."""

    def apply_link(self, values: Numbers) -> tuple[Numbers, Numbers]:
        return apply_normal(values), apply_density(values)


def make_probit_curve(variable: Variable, shape: tuple[int, ...], states: Mapping[str, int]) -> ProbitCurve:
    """The curve of a variable."""
    return ProbitCurve(shape, tuple(list_wide_parents(variable, states)), "cumulative")


def compute_probit_rows(
    states: int, parents: Sequence[tuple[str, int]], weights: Sequence[Fraction]
) -> tuple[tuple[Fraction, ...], ...]:
    """The rows of the table, as nearly as floating point has Φ.

    >>> [[round(float(x), 4) for x in row] for row in compute_probit_rows(2, [("H", 2)], [Fraction(0), Fraction(1)])]
    [[0.5, 0.5], [0.1587, 0.8413]]
    """
    sizes = [size for _, size in parents]
    entries = ProbitEntries("cumulative", (*sizes, states), tuple(range(len(weights))))
    sums = entries.exponents @ np.array([float(value) for value in weights])
    tails = [[Fraction(1), *map(Fraction, row), Fraction(0)] for row in apply_normal(sums).tolist()]
    return tuple(tuple(one - other for one, other in pairwise(row)) for row in tails)


def read_probit(data: dict[str, Any], place: str, variable: Variable, parents: Parents) -> Local:
    """Read the entry of the model file."""
    check_keys(data, KEYS, place)
    return check_local(Probit(read_share(data, place)), place, variable, parents)


def write_probit_formula(variable: Variable) -> str:
    r"""The probabilities of states from each one on.

    >>> from algdim.models.notation import parse
    >>> print(write_probit_formula(parse("H -> X; probit X; hidden H; H -> Y").variables[1]))
    P(x\ge s\mid h) = \Phi(a_{x,s} + b_{x,h}\,h)
    """
    value = format_value_latex(variable.name)
    values = [format_value_latex(name) for name in variable.parents]
    bar = rf"\mid {','.join(values)}" if values else ""
    terms = "".join(rf" + b_{{{value},{one}}}\,{one}" for one in values)
    return rf"P({value}\ge s{bar}) = \Phi(a_{{{value},s}}{terms})"


LOCAL = Kind(
    read_probit,
    write_weighted,
    add_probit,
    rule=lambda *_: Probit(),
    shares=True,
    curve=make_probit_curve,
    has_likelihood=True,
    formula=write_probit_formula,
)
