"""Functionals that factorise over mechanisms (lemma "products" in proofs/lemmas.md).

Let E be an observed function f of X₁, …, X_m with no children, and u a function of E's states with u(f(x)) = ∏ u_i(x_i).
Attaching u to E is then the same as attaching each u_i to X_i, and the arrays of f are not needed: if E = max X_i, u can be
[E ≤ e], and for binary effects the products of such u are the chances that all effects in a set S are absent. There are
enough of them to see the whole table, and each costs what the network without the functions costs: in a network of two
layers it is a product over the causes, where any other functional would need all joint states of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import ClassVar

import numpy as np

from algdim.errors import InputError
from algdim.exact.arithmetic import Arithmetic, Array
from algdim.exact.draws import draw_residues, open_stream
from algdim.families.discrete.contraction import Contraction, ContractionAt, get_contraction_plan
from algdim.families.discrete.locals.function import AtLeast, Deterministic, Maximum, Parity, StateSum
from algdim.families.discrete.map import ParamMap
from algdim.maps import Functionals, plan_once
from algdim.memory import OR_PROBES

MANY_FACTORS = 1000
"""Networks with more are not planned with all functions in them only to see what that would cost."""

MOST_REPEATED = 4
"""Where there are at most this many times as many functionals as are wanted, all are taken."""

LARGE = 1 << 20
"""Functionals that need more numbers each are replaced by products where there are any."""


@dataclass(frozen=True, slots=True)
class Function:
    """An observed function without children whose functionals factorise: its rule, its axis among the observed, its parents."""

    rule: Deterministic
    axis: int
    states: int
    parents: tuple[int, ...]

    @property
    def kinds(self) -> int:
        """How many functionals there are to choose from; those of a sum have a number each, which is drawn."""
        return self.states if isinstance(self.rule, Maximum) else 2

    def vectors(self, choices: Array, numbers: Array, sizes: Sequence[int], arithmetic: Arithmetic) -> list[Array]:
        """For each parent its states × functionals, as chosen."""
        return [build_factor(self.rule, size, choices, numbers, arithmetic) for size in sizes]


def build_factor(rule: Deterministic, size: int, choices: Array, numbers: Array, arithmetic: Arithmetic) -> Array:
    """The vector at one parent: at most e; a sign where odd; the powers of a number; absent, or present."""
    states = np.arange(size)[:, None]
    match rule:
        case Maximum():
            return arithmetic.elements((states <= choices[None, :]).astype(np.int64))
        case Parity():
            return arithmetic.elements(np.where((states % 2 == 1) & (choices == 1), -1, 1).astype(np.int64))
        case AtLeast(n=n):
            kept = 0 if n == 1 else 1
            return arithmetic.elements(((choices == 0) | (states == kept)).astype(np.int64))
        case StateSum():
            base = arithmetic.elements(numbers)
            rows = [arithmetic.elements(np.ones(len(choices), dtype=np.int64))]
            for _ in range(size - 1):
                rows.append(arithmetic.multiply(rows[-1], base))
            return np.stack(rows)


def find_replaceable_functions(pmap: ParamMap) -> list[Function]:
    """The observed functions without children whose rule has such functionals."""
    axis = {variable.name: number for number, variable in enumerate(pmap.model.variables)}
    with_children = {parent for parent, _ in pmap.model.edges}
    return [
        Function(variable.local, axis[variable.name], variable.states, tuple(axis[name] for name in variable.parents))
        for variable in pmap.model.observed
        if isinstance(variable.local, Deterministic)
        and variable.name not in with_children
        and can_factorise(variable.local, len(variable.parents))
    ]


def can_factorise(rule: Deterministic, parents: int) -> bool:
    """Whether the functionals of a function with this many parents factorise.

    >>> can_factorise(Maximum(), 3), can_factorise(AtLeast(2), 3), can_factorise(AtLeast(3), 3)
    (True, False, True)
    """
    return not isinstance(rule, AtLeast) or rule.n in (1, parents)


@dataclass(frozen=True, slots=True, eq=False)
class DrawnProducts:
    """Drawn functionals: for every function its choice and number, for every other observed variable a vector."""

    functions: tuple[Function, ...]
    sizes: tuple[int, ...]
    others: tuple[int, ...]
    choices: Array
    numbers: Array
    weights: Array

    @property
    def functionals(self) -> Functionals:
        """They, as an evaluator takes them."""
        return Functionals(len(self.weights), self.vectors)

    def vectors(self, arithmetic: Arithmetic, start: int, stop: int) -> list[Array]:
        """The vectors of the other observed variables, then those at the parents of the functions, one after the other."""
        found = []
        first = 0
        for axis in self.others:
            block = self.weights[start:stop, first : first + self.sizes[axis]]
            found.append(arithmetic.elements(np.ascontiguousarray(block.T)))
            first += self.sizes[axis]
        for place, function in enumerate(self.functions):
            sizes = [self.sizes[parent] for parent in function.parents]
            found += function.vectors(
                self.choices[start:stop, place], self.numbers[start:stop, place], sizes, arithmetic
            )
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Unfolded:
    """A discrete map whose functions were replaced by vectors at their parents."""

    factorises: ClassVar[bool] = True

    pmap: ParamMap
    functions: tuple[Function, ...]
    inner: Contraction

    @property
    def numbers_per_functional(self) -> int:
        return self.inner.numbers_per_functional

    @property
    def largest(self) -> int:
        return self.inner.largest

    def all_coordinates(self, max_memory: int | None = None, advice: str = OR_PROBES) -> Functionals:
        del max_memory, advice
        raise InputError("the cells do not factorise over mechanisms; the method products takes none")

    def random_functionals(self, count: int, prime: int, seed: int | str, *labels: int | str) -> Functionals:
        return self.draw_products(count, prime, seed, *labels).functionals

    def draw_products(self, count: int, prime: int, seed: int | str, *labels: int | str) -> DrawnProducts:
        """As many as asked for, drawn from the seed and labels."""
        mine = {function.axis for function in self.functions}
        others = tuple(axis for axis in self.pmap.observed if axis not in mine)
        width, places = sum(self.pmap.sizes[axis] for axis in others), len(self.functions)
        drawn = draw_residues(open_stream(seed, "probes", *labels), prime, count * (width + places))
        numbers = drawn.reshape(count, width + places)
        picked = draw_residues(open_stream(seed, "choices", *labels), prime, count * places).reshape(count, places)
        kinds = np.array([function.kinds for function in self.functions], dtype=picked.dtype)
        choices = (picked % kinds).astype(np.int64)
        total = prod(function.kinds for function in self.functions)
        if (
            not others
            and total <= MOST_REPEATED * count
            and not any(isinstance(f.rule, StateSum) for f in self.functions)
        ):
            choices = np.stack(np.unravel_index(np.arange(total), kinds), axis=1)  # all there are, each once
            numbers = np.zeros((total, places), dtype=drawn.dtype)
        return DrawnProducts(self.functions, self.pmap.sizes, others, choices, numbers[:, width:], numbers[:, :width])

    def at(self, arithmetic: Arithmetic, point: Array) -> ContractionAt:
        return self.inner.at(arithmetic, point)


def replace_functions(pmap: ParamMap) -> Unfolded | None:
    """The map with its functions replaced; ``None`` if it has none that can be."""
    functions = tuple(find_replaceable_functions(pmap))
    if not functions or pmap.kept_coordinates is not None:
        return None
    mine = {function.axis for function in functions}
    gone = find_chain_factors(pmap, mine)
    exposed = tuple(parent for function in functions for parent in function.parents)
    inner = replace(
        pmap,
        factors=tuple(factor for number, factor in enumerate(pmap.factors) if number not in gone),
        observed=(*(axis for axis in pmap.observed if axis not in mine), *exposed),
    )
    return Unfolded(pmap, functions, Contraction(inner, get_contraction_plan(inner)))


def find_chain_factors(pmap: ParamMap, axes: set[int]) -> set[int]:
    """The factors of the functions on these axes: the last one of each chain, and those before it."""
    variables = len(pmap.model.variables)
    ending = {one.axes[-1]: number for number, one in enumerate(pmap.factors) if one.axes[-1] >= variables}
    gone = set()
    waiting = [number for number, one in enumerate(pmap.factors) if one.axes[-1] in axes]
    while waiting:
        number = waiting.pop()
        gone.add(number)
        waiting += [ending[axis] for axis in pmap.factors[number].axes[:-1] if axis >= variables]
    return gone


def is_replacement_worthwhile(pmap: ParamMap) -> bool:
    """Whether functions can be replaced, and a functional would cost much otherwise."""
    if pmap.kept_coordinates is not None or not plan_once(
        pmap, "replaceable", lambda: find_replaceable_functions(pmap)
    ):
        return False
    return len(pmap.factors) > MANY_FACTORS or get_contraction_plan(pmap).numbers_per_functional > LARGE
