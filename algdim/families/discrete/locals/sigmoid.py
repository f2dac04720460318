"""The local map "sigmoid": a binary variable whose log-odds are linear in its parents' states (GHM96 §8).

P(X = 1 | parents) = 1 / (1 + exp(−a − Σ b_j x_j)), x_j the state 0 … r − 1 of parent j. The map is rational in A = e^a and
B_j = e^(b_j) (lemma "sigmoid"): P(X = 1 | x) = z / (1 + z) and P(X = 0 | x) = 1 / (1 + z) with the odds z = A · ∏ B_j^(x_j).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, reduce
from math import prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algdim.display.mathml import format_value_latex
from algdim.errors import InputError, join_names
from algdim.exact.arithmetic import Arithmetic, Array, invert_numbers
from algdim.families.discrete.locals.contract import Derivative, Entries, Kind, check_local, read_share
from algdim.families.discrete.locals.table import Parents, Table
from algdim.families.discrete.map import Builder
from algdim.families.discrete.model import Network, Variable
from algdim.figures import format_count
from algdim.maps import ODDS, ODDS_FACTOR, Parameter
from algdim.models.values import check_keys
from algdim.trust import Remark, Trust, proved_by, trust_in_all

KEYS = ("type", "share")


@dataclass(frozen=True, slots=True)
class Weighted:
    """Weights for the parents and constants; ``share`` is the name under which several variables have the same ones."""

    kind: ClassVar[str] = "weighted"

    share: str | None = None

    def states(self, counts: object) -> int:  # noqa: ARG002 - the same for all parents
        return 2

    def is_full(self, states: int, sizes: Sequence[int]) -> bool:
        """Whether there are as many weights as free entries, by the states of parents with more than one."""
        raise NotImplementedError

    def check(self, name: str, states: int, parents: Parents) -> None:
        """Raise unless the variable can have these states and parents."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Sigmoid(Weighted):
    """A weight for each parent and a constant."""

    kind: ClassVar[str] = "sigmoid"

    def is_full(self, states: int, sizes: Sequence[int]) -> bool:
        """Whether there are as many weights as rows, by the states of parents with more than one: no such parents, or one binary."""
        del states
        return list(sizes) in ([], [2])

    def check(self, name: str, states: int, parents: Parents) -> None:  # noqa: ARG002 - any parents do
        """Raise unless the variable is binary."""
        if states != 2:
            raise InputError(f"{name} has {format_count(states, 'state')}; a sigmoid variable has two, 0 and 1")


def read(data: dict[str, Any], place: str, variable: Variable, parents: Parents) -> Sigmoid:
    """Read a sigmoid variable from its entry in the model file."""
    check_keys(data, KEYS, place)
    local = Sigmoid(read_share(data, place))
    check_local(local, place, variable, parents)
    return local


def write(local: Sigmoid, variable: Variable, parents: Parents, first: bool) -> dict[str, Any]:
    """Write a sigmoid variable's entry in the model file."""
    del variable, parents, first  # nothing depends on them
    return {"type": local.kind} if local.share is None else {"type": local.kind, "share": local.share}


def replace_by_free_tables(model: Network) -> tuple[Network, tuple[str, ...]]:
    """The equal model in which sigmoid variables without parents, or with one binary parent, have tables; their names.

    Such a variable has as many parameters as rows, and its log-odds in the rows are any numbers (lemma "sigmoid").

    >>> from algdim.models.notation import parse
    >>> replace_by_free_tables(parse("sigmoid: A -> B -> C <- A"))[1]
    ('A', 'B')
    """
    states = model.states

    def is_full(variable: Variable) -> bool:
        sizes = [states[parent] for parent in variable.parents if states[parent] > 1]
        return isinstance(variable.local, Weighted) and variable.local.is_full(variable.states, sizes)

    full = tuple(variable.name for variable in model.variables if is_full(variable))
    if not full:
        return model, ()
    variables = (
        replace(variable, local=Table(variable.local.share)) if is_full(variable) else variable
        for variable in model.variables
    )
    return replace(model, variables=tuple(variables)), full


def prove_free_tables(model: Network, full: Sequence[str]) -> tuple[Trust, ...]:
    """Trust that these variables are as good as such with free tables, as `replace_by_free_tables` found; none where none are."""
    sigmoid = {one.name for one in model.variables if isinstance(one.local, Sigmoid)}
    named = {
        "sigmoid": [name for name in full if name in sigmoid],
        "links": [name for name in full if name not in sigmoid],
    }
    return tuple(proved_by(lemma, f"{join_names(own)}: the same as free tables") for lemma, own in named.items() if own)


def describe_free_tables(model: Network, names: Sequence[str]) -> str:
    """What is to be said of sigmoid variables in whose place there are tables.

    >>> from algdim.models.notation import parse
    >>> describe_free_tables(parse("sigmoid: A -> B"), ["A", "B"])
    'sigmoid A, B: the same as free tables, with as many weights as rows'
    """
    kinds: dict[str, list[str]] = {}
    for one in model.variables:
        if one.name in names:
            kinds.setdefault(one.local.kind, []).append(one.name)
    if not kinds:
        return ""
    rows = "rows" if [*kinds] == [Sigmoid.kind] else "free entries"
    shown = ", ".join(f"{kind} {join_names(owned)}" for kind, owned in kinds.items())
    return f"{shown}: the same as free tables, with as many weights as {rows}"


def reduce_sigmoids(model: Network) -> tuple[Network, Remark | None]:
    """The equal model of `replace_by_free_tables`, and what is to be said of it."""
    smaller, full = replace_by_free_tables(model)
    trust = trust_in_all(prove_free_tables(model, full)) if full else None
    return smaller, Remark(describe_free_tables(model, full), trust) if full else None


def describe_entries(models: Sequence[Network]) -> str:
    """What the parameters of observed tables are, some of which may be sigmoid."""
    has_sigmoid = any(isinstance(variable.local, Sigmoid) for model in models for variable in model.variables)
    return f"each parameter is an entry{', or of a sigmoid odds or a quotient of odds' if has_sigmoid else ''}"


def prove_odds_rank(model: Network) -> tuple[Trust, ...]:
    """Trust that ranks by the odds A and B are those by the weights, in a network with sigmoid variables; none otherwise."""
    found = [one.name for one in model.variables if isinstance(one.local, Sigmoid) and one.name not in model.given]
    others = [one.name for one in model.variables if isinstance(one.local, Weighted) and one.name not in found]
    trusts = []
    if found:
        what = "entries are quotients of polynomials of A and B, e to the power of the weights"
        trusts.append(proved_by("sigmoid", f"{join_names(found)}: {what}"))
    if others:
        what = "values and slopes of Φ are independent but for their squares, and ranks those with other numbers in their place"
        trusts.append(proved_by("probits", f"{join_names(others)}: {what}"))
    return tuple(trusts)


def name_odds(name: str, parents: Sequence[str]) -> tuple[Parameter, ...]:
    """A and each B.

    >>> print(*name_odds("X", ["H1", "H2"]))
    A(X) B(X|H1) B(X|H2)
    """
    factors = (Parameter(ODDS_FACTOR, (name,), given=((parent, None),)) for parent in parents)
    return Parameter(ODDS, (name,)), *factors


@dataclass(frozen=True, slots=True, eq=False)
class SigmoidEntries:
    """The two probabilities of every row; the parameter ``first`` is A, those after it the B of each parent."""

    shape: tuple[int, ...]
    first: int

    @property
    def rows(self) -> tuple[int, ...]:
        """The numbers of states of the parents."""
        return self.shape[:-1]

    @property
    def degree(self) -> int:
        """The degree of the greatest odds."""
        return 1 + sum(size - 1 for size in self.rows)

    @property
    def is_constant(self) -> bool:
        return False

    def powers(self, arithmetic: Arithmetic, point: Array) -> list[Array]:
        """The factors of the odds: A, and for each parent the powers of its B by the parent's state."""
        one = arithmetic.elements(np.ones(1, dtype=np.int64))
        found = [point[self.first : self.first + 1]]
        for number, size in enumerate(self.rows, self.first + 1):
            base, column = point[number : number + 1], [one]
            for _ in range(size - 1):
                column.append(arithmetic.multiply(column[-1], base))
            found.append(np.concatenate(column))
        return found

    def odds(self, arithmetic: Arithmetic, factors: Sequence[Array]) -> Array:
        """The product of factors, one axis for each parent."""
        constant, *columns = factors
        product = reduce(lambda left, right: arithmetic.multiply(left[..., None], right), columns, constant)
        return product.reshape(self.rows)

    def values(self, arithmetic: Arithmetic, point: Array) -> Array:
        """All entries at the point; `SingularError` where 1 + z is zero."""
        odds = self.odds(arithmetic, self.powers(arithmetic, point)).reshape(-1)
        inverse = self.inverse(arithmetic, odds)
        return np.stack([inverse, arithmetic.multiply(odds, inverse)], axis=-1).reshape(self.shape)

    def inverse(self, arithmetic: Arithmetic, odds: Array) -> Array:
        """1 / (1 + z)."""
        return invert_numbers(arithmetic, arithmetic.add(odds, arithmetic.elements(np.ones(1, dtype=np.int64))))

    def derivative(self, arithmetic: Arithmetic, point: Array) -> Derivative:
        """dP(1) = dz / (1 + z)² = −dP(0), in the rows where a parameter occurs in the odds."""
        powers = self.powers(arithmetic, point)
        inverse = self.inverse(arithmetic, self.odds(arithmetic, powers).reshape(-1))
        square = arithmetic.multiply(inverse, inverse)
        minus = arithmetic.elements(np.array([-1], dtype=np.int64))
        states = np.indices(self.rows).reshape(len(self.rows), prod(self.rows))
        entries, parameters, coefficients = [], [], []
        for number, column in enumerate(powers):
            occurs = np.flatnonzero(states[number - 1]) if number else np.arange(states.shape[1])
            changed = [*powers[:number], self.differentiate_powers(arithmetic, column), *powers[number + 1 :]]
            slope = arithmetic.multiply(self.odds(arithmetic, changed).reshape(-1)[occurs], square[occurs])
            entries += [2 * occurs, 2 * occurs + 1]
            parameters.append(np.full(2 * len(occurs), self.first + number, dtype=np.intp))
            coefficients += [arithmetic.multiply(slope, minus), slope]
        return Derivative(np.concatenate(entries), np.concatenate(parameters), np.concatenate(coefficients))

    def differentiate_powers(self, arithmetic: Arithmetic, column: Array) -> Array:
        """The derivatives of the powers of a parameter: x·B^(x−1) by x, and 1 for A alone."""
        one = arithmetic.elements(np.ones(1, dtype=np.int64))
        if len(column) == 1:
            return one
        count = arithmetic.elements(np.arange(len(column), dtype=np.int64))
        return arithmetic.multiply(count, np.concatenate([one, column[:-1]]))

    @property
    def readable(self) -> frozenset[int]:
        """All parameters: A and each B are odds and quotients of odds."""
        return frozenset(range(self.first, self.first + len(self.shape)))

    @property
    def own(self) -> frozenset[int]:
        return self.readable

    @property
    def neutral(self) -> range:
        """Those that are 1 where parents have no effect."""
        return range(self.first + 1, self.first + 1 + len(self.rows))

    def iterate_keyed_entries(self, owner: str) -> Iterator[tuple[str, Entries]]:
        yield owner, self

    def parameters(self, flat: Sequence[Fraction]) -> dict[int, Fraction]:
        """A is the odds where all parents are 0, and each B is what its parent's state 1 multiplies them by."""

        def odds(row: NDArray[np.intp]) -> Fraction:
            number = 2 * int(np.ravel_multi_index(tuple(row), self.rows)) if self.rows else 0
            if not 0 < flat[number] < 1:
                raise InputError("a sigmoid variable has probabilities between 0 and 1, both excluded")
            return flat[number + 1] / flat[number]

        units = np.eye(len(self.rows), dtype=np.intp)
        constant = odds(np.zeros(len(self.rows), dtype=np.intp))
        return {self.first: constant} | {self.first + 1 + j: odds(unit) / constant for j, unit in enumerate(units)}

    def equations(self, flat: Sequence[Fraction]) -> list[tuple[dict[int, Fraction], Fraction]]:
        del flat
        return []

    def denominators(self) -> frozenset[int]:
        return frozenset()

    def norms(self) -> tuple[int, int]:
        """Over the common denominator D of some rows the entries add up to D, and none has a greater size."""
        return 1, 1

    @property
    def quotient(self) -> SigmoidEntries:
        """The denominators 1 + z."""
        return self

    @property
    def total_degree(self) -> int:
        """The sum of the degrees 1 + Σ x of all rows."""
        rows = prod(self.rows)
        return rows + sum(rows * (size - 1) // 2 for size in self.rows)

    def common(self, summed: Sequence[bool]) -> tuple[int, float]:
        """The product of the denominators of the rows that differ in the summed axes only, each of size 2."""
        sizes = [(size, among) for size, among in zip(self.rows, summed, strict=False) if size > 1]
        rows = prod(size for size, among in sizes if among)
        degree = rows + sum(rows * (size - 1) // (2 if among else 1) for size, among in sizes)
        return degree, float(rows)


def add_sigmoid(builder: Builder, variable: Variable, axes: tuple[int, ...]) -> None:
    """Add a sigmoid variable: a new array, or one more use of a shared one."""

    def make(shape: tuple[int, ...]) -> Entries:
        name = variable.local.share or variable.name
        parents = [
            parent if variable.local.share is None else f"pa{number}"
            for number, parent in enumerate(variable.parents, 1)
            if builder.states[parent] > 1
        ]
        odds = name_odds(name, parents)
        return SigmoidEntries(shape, builder.numbering.extend(odds, len(odds)))

    builder.add_once(variable, axes, make)


@dataclass(frozen=True, eq=False)
class LinearCurve(ABC):
    """Log-odds that are linear in the weights; a class says how, in `design`."""

    shape: tuple[int, ...]
    parents: tuple[str, ...]

    @property
    @abstractmethod
    def design(self) -> NDArray[np.float64]:
        """Cell × weight."""

    @property
    def size(self) -> int:
        return int(self.design.shape[1])

    def dimension(self) -> int:
        return self.size

    def logits(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(weights @ self.design.T)

    def slopes(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.broadcast_to(self.design, (len(weights), *self.design.shape))

    def bend(self, weights: NDArray[np.float64], by_cell: NDArray[np.float64]) -> NDArray[np.float64]:
        del by_cell
        return np.zeros((len(weights), len(weights)))


@dataclass(frozen=True, eq=False)
class SigmoidCurve(LinearCurve):
    """Log-odds of state 1: a + Σ b_j x_j."""

    @cached_property
    def design(self) -> NDArray[np.float64]:
        """A constant, and a weight for each parent."""
        rows = self.shape[:-1]
        states = np.indices(rows).reshape(len(rows), prod(rows)).T
        lines = np.concatenate([np.ones((prod(rows), 1)), states], axis=1)
        return np.stack([np.zeros_like(lines), lines], axis=1).reshape(-1, len(self.shape))

    def name_parameters(self, weights: NDArray[np.float64]) -> dict[str, Any]:
        a, *b = weights.tolist()
        return {"a": a, "b": dict(zip(self.parents, b, strict=True))}

    def weights(self, named: Mapping[str, Any]) -> NDArray[np.float64]:
        return np.array([float(named["a"]), *(float(named.get("b", {})[parent]) for parent in self.parents)])


def make_sigmoid_curve(variable: Variable, shape: tuple[int, ...], states: Mapping[str, int]) -> SigmoidCurve:
    """The curve of a sigmoid variable."""
    parents = [parent for parent in variable.parents if states[parent] > 1]
    if variable.local.share is not None:
        parents = [f"pa{k}" for k, parent in enumerate(variable.parents, 1) if states[parent] > 1]
    return SigmoidCurve(shape, tuple(parents))


def write_odds_formula(variable: Variable) -> str:
    r"""The odds, as products of what the parents contribute.

    >>> from algdim.models.notation import parse
    >>> print(write_odds_formula(parse("sigmoid: H -> X").variables[1]))
    \frac{P(x=1\mid h)}{P(x=0\mid h)} = A_{x}\,B_{x,h}^{h}
    """
    value = format_value_latex(variable.name)
    values = [format_value_latex(name) for name in variable.parents]
    bar = rf"\mid {','.join(values)}" if values else ""
    factors = "".join(rf"\,B_{{{value},{one}}}^{{{one}}}" for one in values)
    return rf"\frac{{P({value}=1{bar})}}{{P({value}=0{bar})}} = A_{{{value}}}{factors}"


LOCAL = Kind(
    read,
    write,
    add_sigmoid,
    rule=lambda *_: Sigmoid(),
    shares=True,
    curve=make_sigmoid_curve,
    has_likelihood=True,
    formula=write_odds_formula,
)
