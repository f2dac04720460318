"""Local maps of a variable with several states whose log-odds are linear in its parents' states (GHM96 §8; Agresti, Categorical Data Analysis).

With x_j the state 0 … r − 1 of parent j, and parameters that are e to the power of the weights (lemma "sigmoid"):

    multinomial  P(s | x) ∝ A_s ∏ B_sj^(x_j)                  each state against state 0
    adjacent     P(s | x) ∝ A_1 ⋯ A_s ∏ B_j^(s x_j)           each state against the one before
    rasch        P(s | x) ∝ A_1 ⋯ A_s ∏ T_j(x_j)^s            the same, each state of a parent with a level of its own
    cumulative   P(≥ s | x) = z_s / (1 + z_s), z_s = A_s ∏ B_j^(x_j)

The levels T_j of a parent, 1 in its state 0, are those of all its rasch children: with two states the model of Rasch, with more that of
partial credit. All are rational in the parameters. A probit is no rational function of e to the power of any weights, and is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from itertools import pairwise
from math import log2, prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algdim.display.mathml import format_value_latex
from algdim.errors import InputError
from algdim.exact.arithmetic import Arithmetic, Array, invert_numbers
from algdim.families.discrete.locals.contract import Derivative, Entries, Kind, check_local, read_share
from algdim.families.discrete.locals.sigmoid import KEYS, LinearCurve, Sigmoid
from algdim.families.discrete.locals.sigmoid import write as write_weighted
from algdim.families.discrete.locals.table import Parents
from algdim.families.discrete.map import Builder
from algdim.families.discrete.model import Local, Variable
from algdim.figures import format_count, format_integer
from algdim.maps import ODDS, ODDS_FACTOR, Parameter
from algdim.memory import ALLOW_MORE, check_memory
from algdim.models.values import check_keys

LEVEL = "T"
"""Of a parent, by which a state multiplies the odds of its rasch children."""

Numbers = NDArray[np.float64]
Exponents = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Multinomial(Sigmoid):
    """Each state against the first one, with weights of its own."""

    kind: ClassVar[str] = "multinomial"

    def check(self, name: str, states: int, parents: Parents) -> None:
        """Any variable with two states or more."""
        del parents
        if states < 2:
            raise InputError(f"{name} has {format_count(states, 'state')}; a variable with log-odds has two or more")

    def is_full(self, states: int, sizes: Sequence[int]) -> bool:
        """As many weights as entries: no parents, or one binary."""
        del states
        return list(sizes) in ([], [2])


@dataclass(frozen=True, slots=True)
class Adjacent(Multinomial):
    """Each state against the one before; a weight of each parent for all of them."""

    kind: ClassVar[str] = "adjacent"

    def is_full(self, states: int, sizes: Sequence[int]) -> bool:
        """As many weights as entries: no parents, or one binary of a binary variable."""
        return not sizes or (states == 2 and list(sizes) == [2])


@dataclass(frozen=True, slots=True)
class Cumulative(Adjacent):
    """States from each one on against those below; a weight of each parent for all of them (proportional odds)."""

    kind: ClassVar[str] = "cumulative"


@dataclass(frozen=True, slots=True)
class Rasch(Adjacent):
    """Each state against the one before; what the parents add is the same for all their rasch children."""

    kind: ClassVar[str] = "rasch"

    def check(self, name: str, states: int, parents: Parents) -> None:
        """Raise unless nothing is shared but the levels of parents."""
        super(Rasch, self).check(name, states, parents)
        if self.share is not None:
            raise InputError(
                f"{name}: rasch variables share the levels of their parents, and nothing else; leave the share out"
            )

    def is_full(self, states: int, sizes: Sequence[int]) -> bool:
        """Levels are shared, so that only a variable without parents has weights of its own alone."""
        del states
        return not sizes


RECORDS: Mapping[str, type[Multinomial]] = {one.kind: one for one in (Multinomial, Adjacent, Cumulative, Rasch)}


def list_wide_parents(variable: Variable, states: Mapping[str, int]) -> list[str]:
    """The parents with more than one state, under the names that their weights have."""
    return [
        parent if variable.local.share is None else f"pa{number}"
        for number, parent in enumerate(variable.parents, 1)
        if states[parent] > 1
    ]


COPIES = 8
"""Of an array of exponents, at once: each of four regressions on the same parents keeps two."""


def check_exponents(probabilities: int, width: int) -> None:
    """Raise if the exponents of so many probabilities do not fit into memory."""
    check_memory(
        COPIES * 8 * probabilities * width,
        None,
        f"there are {format_integer(probabilities)} probabilities with {width} exponents each",
        ALLOW_MORE,
    )


def count_cumulative_exponents(shape: tuple[int, ...]) -> Exponents:
    """Row × state without the first × parameter: the exponents of cumulative odds; constants first, then the parents.

    >>> count_cumulative_exponents((2, 3))[1].tolist()
    [[1, 0, 1], [0, 1, 1]]
    """
    *sizes, states = shape
    count = prod(sizes)
    check_exponents(count * (states - 1), states - 1 + len(sizes))
    found = np.empty((count, states - 1, states - 1 + len(sizes)), dtype=np.int64)
    found[:, :, : states - 1] = np.eye(states - 1, dtype=np.int64)
    found[:, :, states - 1 :] = np.indices(sizes).reshape(len(sizes), count).T[:, None]
    return found


def count_exponents(kind: str, shape: tuple[int, ...]) -> Exponents:
    """Row × state × parameter: the exponents of the numerators; constants first, then parent by parent.

    >>> count_exponents("adjacent", (2, 3))[1].tolist()
    [[0, 0, 0], [1, 0, 1], [1, 1, 2]]
    """
    *sizes, states = shape
    count, levels = prod(sizes), sum(sizes) - len(sizes)
    width = (states - 1) * (1 + len(sizes)) if kind == "multinomial" else states - 1
    width += {"multinomial": 0, "adjacent": len(sizes)}.get(kind, levels)
    check_exponents(count * states, width)
    rows = np.indices(sizes).reshape(len(sizes), count).T
    of, states_of = np.arange(states)[:, None], np.arange(1, states)
    constants = of == states_of if kind == "multinomial" else of >= states_of
    if kind == "multinomial":
        more = (rows[:, None, :, None] * constants[:, None, :]).reshape(count, states, -1)
    elif kind == "adjacent":
        more = rows[:, None] * of
    else:
        parts = [rows[:, [place]] == np.arange(1, size) for place, size in enumerate(sizes)]
        more = np.concatenate([np.zeros((count, 0), dtype=np.bool_), *parts], axis=1)[:, None] * of
    found = np.empty((count, states, width), dtype=np.int64)
    found[:, :, : states - 1] = constants
    found[:, :, states - 1 :] = more
    return found


def raise_powers(arithmetic: Arithmetic, base: Array, exponents: Exponents) -> Array:
    """The powers of one number by an array of exponents."""
    column = [arithmetic.elements(np.ones(1, dtype=np.int64))]
    for _ in range(int(exponents.max(initial=0))):
        column.append(arithmetic.multiply(column[-1], base))
    return np.concatenate(column)[exponents]


def multiply_columns(arithmetic: Arithmetic, columns: Sequence[Array]) -> Array:
    """The product of arrays of one shape."""
    return reduce(arithmetic.multiply, columns)


def add_columns(arithmetic: Arithmetic, matrix: Array) -> Array:
    """The sums of rows."""
    return reduce(arithmetic.add, [matrix[:, column] for column in range(matrix.shape[1])])


@dataclass(frozen=True, eq=False)
class LogitEntries:
    """The probabilities of every row; ``numbers`` are those of the parameters, in the order of the exponents."""

    kind: str
    shape: tuple[int, ...]
    numbers: tuple[int, ...]

    @cached_property
    def exponents(self) -> Exponents:
        """Row × state × parameter: those of the numerators; of cumulative odds, state × parameter without the first."""
        if self.kind != "cumulative":
            return count_exponents(self.kind, self.shape)
        return count_cumulative_exponents(self.shape)

    @cached_property
    def degrees(self) -> Exponents:
        """Row × state: the degrees of numerators, or of cumulative odds."""
        return np.asarray(self.exponents.sum(axis=2))

    @property
    def is_constant(self) -> bool:
        return False

    @cached_property
    def below(self) -> Exponents:
        """The degree of the denominator of each row."""
        return np.asarray(self.degrees.sum(axis=1) if self.kind == "cumulative" else self.degrees.max(axis=1))

    @property
    def degree(self) -> int:
        """That of the greatest denominator; no numerator has a greater one."""
        return int(self.below.max())

    def evaluate_monomials(self, arithmetic: Arithmetic, point: Array) -> list[Array]:
        """For each parameter its power in each monomial, row by row."""
        return [
            raise_powers(arithmetic, point[number : number + 1], self.exponents[:, :, k].ravel())
            for k, number in enumerate(self.numbers)
        ]

    def iterate_slopes(self, arithmetic: Arithmetic, point: Array, powers: list[Array]) -> Iterator[Array]:
        """The derivatives of all monomials, parameter by parameter."""
        for k, number in enumerate(self.numbers):
            exponents = self.exponents[:, :, k].ravel()
            lowered = raise_powers(arithmetic, point[number : number + 1], np.maximum(exponents - 1, 0))
            slope = arithmetic.multiply(lowered, arithmetic.elements(exponents))
            yield multiply_columns(arithmetic, [*powers[:k], slope, *powers[k + 1 :]])

    def values(self, arithmetic: Arithmetic, point: Array) -> Array:
        """All entries at the point; `SingularError` where a denominator is zero."""
        found, _ = self.evaluate_rows(arithmetic, self.evaluate_monomials(arithmetic, point))
        return found.reshape(self.shape)

    def evaluate_rows(self, arithmetic: Arithmetic, powers: list[Array]) -> tuple[Array, Array]:
        """Row × state: the entries, and the reciprocals of what they are divided by."""
        monomials = multiply_columns(arithmetic, powers).reshape(self.degrees.shape)
        if self.kind != "cumulative":
            inverse = invert_numbers(arithmetic, add_columns(arithmetic, monomials))[:, None]
            return arithmetic.multiply(monomials, inverse), inverse
        one = arithmetic.elements(np.ones(1, dtype=np.int64))
        inverse = invert_numbers(arithmetic, arithmetic.add(monomials, one).ravel()).reshape(monomials.shape)
        return self.take_differences(arithmetic, arithmetic.multiply(monomials, inverse), one), inverse

    def take_differences(self, arithmetic: Arithmetic, tails: Array, first: Array) -> Array:
        """The probabilities of states from those of all states from each one on."""
        minus = arithmetic.elements(np.array([-1], dtype=np.int64))
        ends = np.broadcast_to(first, (len(tails), 1))
        zero = np.broadcast_to(arithmetic.elements(np.zeros(1, dtype=np.int64)), (len(tails), 1))
        above, beyond = np.concatenate([ends, tails], axis=1), np.concatenate([tails, zero], axis=1)
        return arithmetic.add(above, arithmetic.multiply(beyond, minus))

    def derivative(self, arithmetic: Arithmetic, point: Array) -> Derivative:
        """dP_s = (dN_s − P_s Σ dN) / Σ N; of cumulative odds differences of dz / (1 + z)²."""
        powers = self.evaluate_monomials(arithmetic, point)
        values, inverse = self.evaluate_rows(arithmetic, powers)
        zero = arithmetic.elements(np.zeros(1, dtype=np.int64))
        minus = arithmetic.elements(np.array([-1], dtype=np.int64))
        entries, parameters, coefficients = [], [], []
        places = np.arange(values.size, dtype=np.intp).reshape(values.shape)
        for k, slopes in enumerate(self.iterate_slopes(arithmetic, point, powers)):
            own = slopes.reshape(self.degrees.shape)
            if self.kind == "cumulative":
                by_tail = arithmetic.multiply(own, arithmetic.multiply(inverse, inverse))
                found = self.take_differences(arithmetic, by_tail, zero)
            else:
                shared = arithmetic.multiply(add_columns(arithmetic, own)[:, None], values)
                found = arithmetic.multiply(arithmetic.add(own, arithmetic.multiply(shared, minus)), inverse)
            rows = np.flatnonzero(self.exponents[:, :, k].any(axis=1))
            entries.append(places[rows].ravel())
            parameters.append(np.full(rows.size * values.shape[1], self.numbers[k], dtype=np.intp))
            coefficients.append(found[rows].ravel())
        return Derivative(np.concatenate(entries), np.concatenate(parameters), np.concatenate(coefficients))

    @property
    def readable(self) -> frozenset[int]:
        """All parameters are odds, and quotients of odds."""
        return frozenset(self.numbers)

    @property
    def own(self) -> frozenset[int]:
        return self.readable

    @property
    def neutral(self) -> tuple[int, ...]:
        """Those that are 1 where parents have no effect."""
        return self.numbers[self.shape[-1] - 1 :]

    def iterate_keyed_entries(self, owner: str) -> Iterator[tuple[str, Entries]]:
        yield owner, self

    def parameters(self, flat: Sequence[Fraction]) -> dict[int, Fraction]:
        """Constants are the odds where all parents are 0; the others what a parent's state multiplies them by."""
        *sizes, states = self.shape

        def take_odds(row: Sequence[int]) -> list[Fraction]:
            start = states * (int(np.ravel_multi_index(tuple(row), sizes)) if sizes else 0)
            chances = flat[start : start + states]
            # another number can stand for e, and cumulative odds then need not fall
            tails = [sum(chances[s:], Fraction(0)) for s in range(1, states)]
            if not {0, 1}.isdisjoint(tails if self.kind == "cumulative" else chances):
                raise InputError("a variable with log-odds has probabilities between 0 and 1, both excluded")
            if self.kind == "cumulative":
                return [tail / (1 - tail) for tail in tails]
            return [chances[s] / chances[0 if self.kind == "multinomial" else s - 1] for s in range(1, states)]

        constants = take_odds([0] * len(sizes))
        found = list(constants)
        for parent, size in enumerate(sizes):
            for level in range(1, size if self.kind == "rasch" else 2):
                odds = take_odds([level if k == parent else 0 for k in range(len(sizes))])
                ratios = [one / other for one, other in zip(odds, constants, strict=True)]
                found += ratios if self.kind == "multinomial" else ratios[:1]
        return dict(zip(self.numbers, found, strict=True))

    def equations(self, flat: Sequence[Fraction]) -> list[tuple[dict[int, Fraction], Fraction]]:
        del flat
        return []

    def denominators(self) -> frozenset[int]:
        return frozenset()

    def norms(self) -> tuple[int, int]:
        """Over a common denominator numerators add up to it; of cumulative odds they have together at most r/2 times its size."""
        return (max(1, (self.shape[-1] + 1) // 2) if self.kind == "cumulative" else 1), 1

    @property
    def quotient(self) -> LogitEntries:
        return self

    @property
    def total_degree(self) -> int:
        """The sum of the degrees of all denominators."""
        return int(self.below.sum())

    def common(self, summed: Sequence[bool]) -> tuple[int, float]:
        """The product of the denominators of the rows that differ in the summed axes only."""
        among = tuple(axis for axis, is_summed in enumerate(summed[: len(self.shape) - 1]) if is_summed)
        degrees = self.below.reshape(self.shape[:-1]).sum(axis=among) if among else self.below
        rows = prod(self.shape[axis] for axis in among)
        size = float(self.shape[-1] - 1) if self.kind == "cumulative" else log2(self.shape[-1])
        return int(np.max(degrees)), rows * size


def name_weights(kind: str, name: str, states: int, parents: Sequence[str]) -> list[Parameter]:
    """The constants, then what the parents have, but for levels.

    >>> print(*name_weights("multinomial", "X", 3, ["H"]))
    A(X=1) A(X=2) B(X=1|H) B(X=2|H)
    """
    found = [Parameter(ODDS, (name,), (state,)) for state in range(1, states)]
    for parent in parents if kind != "rasch" else ():
        given = ((parent, None),)
        if kind == "multinomial":
            found += [Parameter(ODDS_FACTOR, (name,), (state,), given) for state in range(1, states)]
        else:
            found.append(Parameter(ODDS_FACTOR, (name,), given=given))
    return found


def add_logit(builder: Builder, variable: Variable, axes: tuple[int, ...]) -> None:
    """Add a variable: a new array, or one more use of a shared one."""
    kind = variable.local.kind

    def make(shape: tuple[int, ...]) -> Entries:
        parents = list_wide_parents(variable, builder.states)
        names = name_weights(kind, variable.local.share or variable.name, shape[-1], parents)
        first = builder.numbering.extend(names, len(names))
        numbers = list(range(first, first + len(names)))
        for parent in parents if kind == "rasch" else ():
            numbers += [number_level(builder, parent, level) for level in range(1, builder.states[parent])]
        return LogitEntries(kind, shape, tuple(numbers))

    builder.add_once(variable, axes, make)


def make_level(parent: str, level: int) -> Parameter:
    """The level of a parent's state, which all its rasch children have."""
    return Parameter(LEVEL, (parent,), (level,))


def number_level(builder: Builder, parent: str, level: int) -> int:
    """The number of the level of a parent's state, a new one for its first rasch child."""
    one = make_level(parent, level)
    if str(one) not in builder.numbering.labels:
        builder.numbering.labels[str(one)] = builder.numbering.extend([one], 1)
    return builder.numbering.labels[str(one)]


def read_local(data: dict[str, Any], place: str, variable: Variable, parents: Parents) -> Local:
    """Read the entry of the model file."""
    check_keys(data, KEYS, place)
    return check_local(RECORDS[data["type"]](read_share(data, place)), place, variable, parents)


@dataclass(frozen=True, eq=False)
class LogitCurve(LinearCurve):
    """The curve of multinomial, adjacent and rasch log-odds."""

    kind: str

    @cached_property
    def design(self) -> Numbers:
        """Cell × weight."""
        found = count_exponents(self.kind, self.shape)
        return np.asarray(found.reshape(-1, found.shape[2]), dtype=np.float64)

    @property
    def of_parents(self) -> list[tuple[str, int]]:
        """The parents, each with the number of its weights; 0 stands for one that is no list."""
        wide = [size for size in self.shape[:-1] if size > 1]
        counts = {"multinomial": [self.shape[-1] - 1] * len(wide), "rasch": [size - 1 for size in wide]}
        return list(zip(self.parents, counts.get(self.kind, [0] * len(wide)), strict=True))

    @property
    def word(self) -> str:
        """Under which the weights of parents stand."""
        return "t" if self.kind == "rasch" else "b"

    def name_parameters(self, weights: Numbers) -> dict[str, Any]:
        """Constants, and for each parent its weights."""
        values, first = weights.tolist(), self.shape[-1] - 1
        found = {}
        for parent, count in self.of_parents:
            found[parent] = values[first : first + count] if count else values[first]
            first += max(count, 1)
        return {"a": values[: self.shape[-1] - 1], self.word: found}

    def weights(self, named: Mapping[str, Any]) -> Numbers:
        """The same in a row."""
        found = [float(value) for value in named["a"]]
        for parent, count in self.of_parents:
            own = named.get(self.word, {})[parent]
            found += [float(value) for value in (own if count else [own])]
        return np.array(found)


@dataclass(frozen=True, eq=False)
class CumulativeCurve(LogitCurve):
    """Log-odds of all states from each one on; the weights are the first constant, the logarithms of its distances, and parents'."""

    @cached_property
    def states(self) -> Numbers:
        sizes = self.shape[:-1]
        return np.indices(sizes).reshape(len(sizes), prod(sizes)).T.astype(np.float64)

    @property
    def size(self) -> int:
        return self.shape[-1] - 1 + len(self.parents)

    def apply_link(self, values: Numbers) -> tuple[Numbers, Numbers]:
        """The chance of log-odds, and its derivative."""
        tails = np.exp(-np.logaddexp(0.0, -values))
        return tails, tails * (1 - tails)

    def compute_tails(self, weights: Numbers) -> tuple[Numbers, Numbers]:
        """Restart × row × 1, the tails, 0; and their derivatives."""
        steps = self.shape[-1] - 1
        constants = weights[:, :1] - np.concatenate(
            [np.zeros((len(weights), 1)), np.cumsum(np.exp(weights[:, 1:steps]), axis=1)], axis=1
        )
        values = constants[:, None] + (weights[:, steps:] @ self.states.T)[:, :, None]
        tails, slopes = self.apply_link(values)
        ends = np.ones((*values.shape[:2], 1))
        return np.concatenate([ends, tails, 0 * ends], axis=2), np.concatenate([0 * ends, slopes, 0 * ends], axis=2)

    def logits(self, weights: Numbers) -> Numbers:
        """The logarithms of the probabilities."""
        tails, _ = self.compute_tails(weights)
        return np.asarray(np.log(np.maximum(tails[:, :, :-1] - tails[:, :, 1:], 1e-300)).reshape(len(weights), -1))

    def slopes(self, weights: Numbers) -> Numbers:
        (tails, bell), steps = self.compute_tails(weights), self.shape[-1] - 1
        by_constant = np.zeros((*tails.shape, steps))
        for s in range(1, steps + 1):
            by_constant[:, :, s, 0] = 1.0
            by_constant[:, :, s, 1:s] = -np.exp(weights[:, None, 1:s])
        by_parent = np.broadcast_to(self.states[None, :, None], (*tails.shape, len(self.parents)))
        moved = bell[..., None] * np.concatenate([by_constant, by_parent], axis=3)
        chances = np.maximum(tails[:, :, :-1] - tails[:, :, 1:], 1e-300)
        found = (moved[:, :, :-1] - moved[:, :, 1:]) / chances[..., None]
        return np.asarray(found.reshape(len(weights), -1, self.size))

    def bend(self, weights: Numbers, by_cell: Numbers) -> Numbers:
        """The second derivatives, as differences of the first ones."""
        step = 1e-5
        rows = []
        for unit in np.eye(self.size):
            ends = self.slopes(np.stack([weights + step * unit, weights - step * unit]))
            rows.append(by_cell @ (ends[0] - ends[1]) / (2 * step))
        found = np.array(rows)
        return np.asarray((found + found.T) / 2)

    def name_parameters(self, weights: Numbers) -> dict[str, Any]:
        """Constants, which fall, and a weight for each parent."""
        steps = self.shape[-1] - 1
        constants = weights[0] - np.concatenate([[0.0], np.cumsum(np.exp(weights[1:steps]))])
        return {"a": constants.tolist(), "b": dict(zip(self.parents, weights[steps:].tolist(), strict=True))}

    def weights(self, named: Mapping[str, Any]) -> Numbers:
        constants = np.array([float(value) for value in named["a"]])
        check_falling(constants.tolist())
        return np.array(
            [
                constants[0],
                *np.log(constants[:-1] - constants[1:]),
                *(float(named.get("b", {})[one]) for one in self.parents),
            ]
        )


def check_falling(constants: Sequence[Any]) -> None:
    """Raise unless the constants of cumulative odds fall: fewer cases are in higher states."""
    if any(one <= other for one, other in pairwise(constants)):
        raise InputError("the constants a of a cumulative variable are those of P(X ≥ 1), P(X ≥ 2), …; they fall")


def make_curve(variable: Variable, shape: tuple[int, ...], states: Mapping[str, int]) -> LogitCurve:
    """The curve of a variable."""
    kind = variable.local.kind
    form = CumulativeCurve if kind == "cumulative" else LogitCurve
    return form(shape, tuple(list_wide_parents(variable, states)), kind)


def compute_rows(
    kind: str,
    states: int,
    parents: Sequence[tuple[str, int]],
    weights: Sequence[Fraction],
    power: Callable[[Fraction], Fraction],
) -> tuple[tuple[Fraction, ...], ...]:
    """The rows of the table, from weights in the order of the parameters, with what is taken for e^x."""
    entries = LogitEntries(kind, (*(size for _, size in parents), states), tuple(range(len(weights))))
    factors = [power(value) for value in weights]
    rows = []
    for exponents in entries.exponents.tolist():
        values = [prod((f**e for f, e in zip(factors, line, strict=True)), start=Fraction(1)) for line in exponents]
        if kind == "cumulative":
            tails = [Fraction(1), *(value / (1 + value) for value in values), Fraction(0)]
            rows.append(tuple(one - other for one, other in pairwise(tails)))
        else:
            rows.append(tuple(value / sum(values, Fraction(0)) for value in values))
    return tuple(rows)


def write_logit_formula(variable: Variable) -> str:
    r"""The probabilities, or the odds.

    >>> from algdim.models.notation import parse
    >>> print(write_logit_formula(parse("H -> X; states X=3; adjacent X; hidden H; H -> Y").variables[1]))
    P(x=s\mid h) \propto A_{x,1}\cdots A_{x,s}\,B_{x,h}^{s\,h}
    """
    value, kind = format_value_latex(variable.name), variable.local.kind
    values = [format_value_latex(name) for name in variable.parents]
    bar = rf"\mid {','.join(values)}" if values else ""
    if kind == "cumulative":
        factors = "".join(rf"\,B_{{{value},{one}}}^{{{one}}}" for one in values)
        return rf"\frac{{P({value}\ge s{bar})}}{{P({value}<s{bar})}} = A_{{{value},s}}{factors}"
    constants = rf"A_{{{value},s}}" if kind == "multinomial" else rf"A_{{{value},1}}\cdots A_{{{value},s}}"
    form = {
        "multinomial": r"\,B_{{{0},s,{1}}}^{{{1}}}",
        "adjacent": r"\,B_{{{0},{1}}}^{{s\,{1}}}",
        "rasch": r"\,T_{{{1}}}^{{s}}",
    }[kind]
    return rf"P({value}=s{bar}) \propto {constants}{''.join(form.format(value, one) for one in values)}"


def make_kind(kind: str) -> Kind:
    """What a network needs of one of them."""
    return Kind(
        read_local,
        write_weighted,
        add_logit,
        rule=lambda word, _: RECORDS[word](),
        shares=True,
        curve=make_curve,
        has_likelihood=True,
        formula=write_logit_formula,
        ties=lambda variable: [str(make_level(parent, 1)) for parent in variable.parents] if kind == "rasch" else (),
    )


LOCAL = {kind: make_kind(kind) for kind in RECORDS}
