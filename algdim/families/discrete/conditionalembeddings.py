"""Maps of parameters by Markov properties, into networks of free tables (lemma "Markov maps").

Hidden variables of the two models that stand for each other are looked at as if they were observed. Conditional
probabilities are the tables of a network whose independences the first model has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Protocol

import numpy as np

from algdim.errors import join_names
from algdim.exact.arithmetic import Array, make_rationals
from algdim.explanation.evidence import MOST_MATCHES, Embedding, prove_embedding
from algdim.families import load_comparing
from algdim.families.contract import InTable
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.map import ParamMap
from algdim.families.discrete.model import Network, order_parents_first
from algdim.jacobian import evaluate_functionals, make_evaluator
from algdim.maps import Map
from algdim.rank import make_object_array

MOST_CELLS = 1 << 12
"""Conditional probabilities are taken of tables with no more cells."""


class TableMap(Map, Protocol):
    """A map to the cells of a table."""

    @property
    def given(self) -> tuple[int, ...]:
        """The axes that are conditioned on."""


def get_table_contract(pmap: Map) -> InTable:
    """What a family tells of a model whose coordinates are the cells of a table."""
    found = load_comparing(pmap.model.family).in_table
    assert found is not None, "these have tables in common"  # noqa: S101
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A model in which some hidden variables are looked at as observed ones, under the names that they have in another model."""

    pmap: TableMap
    called: Mapping[str, str]
    """The names in the other model of the variables that are seen, in the order of the axes."""
    within: InTable
    """What the model's family tells of it."""

    @property
    def states(self) -> dict[str, int]:
        """The numbers of states, by the names in the other model."""
        own = self.pmap.model.states
        return {new: own[old] for old, new in self.called.items()}

    @property
    def is_whole(self) -> bool:
        """Whether every variable is seen."""
        return len(self.called) == len(self.pmap.model.variables)

    def is_separated(self, one: Sequence[str], other: Sequence[str], given: Sequence[str]) -> bool:
        """Whether the model's graph shows an independence."""
        back = {new: old for old, new in self.called.items()}
        sets = [[back[name] for name in names] for names in (one, other, given)]
        return self.within.is_separated(self.pmap.model, sets[0], sets[1], sets[2])

    def table(self, point: Sequence[Fraction]) -> Array:
        """The probabilities of all that is seen, at a point; of a network with conditions given these."""
        return self.within.compute_joint(self.pmap, list(self.called), point)


def compute_joint_table(pmap: ParamMap, names: Sequence[str], point: Sequence[Fraction]) -> Array:
    """The cells of the table of some variables, at a point."""
    number = {variable.name: axis for axis, variable in enumerate(pmap.model.variables)}
    axes = tuple(number[name] for name in names)
    opened = pmap if axes == pmap.observed else replace(pmap, observed=axes)
    arithmetic, evaluator = make_rationals(), make_evaluator(opened)
    elements = arithmetic.elements(make_object_array(point))
    cells = evaluate_functionals(opened, arithmetic, elements, evaluator.all_coordinates(), evaluator=evaluator)
    exact = make_object_array([Fraction(int(value.numerator), int(value.denominator)) for value in cells])
    return exact.reshape([pmap.sizes[number[name]] for name in names])


def iterate_openings(first: TableMap, second: TableMap) -> Iterator[Opened]:
    """The ways to let hidden variables stand for each other, one for one, as many as can first."""
    mine, theirs, within = first.model.hidden, second.model.hidden, get_table_contract(first)
    observed = {variable.name: variable.name for variable in first.model.observed}
    count = 0
    for size in range(min(len(mine), len(theirs)), -1, -1):
        for some in combinations(mine, size):
            for chosen in iterate_renamings(
                [one.name for one in some], [(two.name, two.states) for two in theirs], first.model.states
            ):
                count += 1
                if count > MOST_MATCHES:
                    return
                opened = Opened(first, {**observed, **chosen}, within)
                if prod(opened.states.values()) <= MOST_CELLS:
                    yield opened


def iterate_renamings(
    names: Sequence[str], others: Sequence[tuple[str, int]], states: Mapping[str, int]
) -> Iterator[dict[str, str]]:
    """The ways to give names to some variables that have no more states than the names' variables; their own names first."""
    if not names:
        yield {}
        return
    first, *rest = names
    for name, size in sorted(others, key=lambda other: other[0] != first):
        if size >= states[first]:
            for more in iterate_renamings(rest, [other for other in others if other[0] != name], states):
                yield {first: name, **more}


def find_conditional_embedding(first: TableMap, second: ParamMap) -> Embedding | None:
    """The map that takes conditional probabilities, into a network of free tables whose independences the first one has.

    In an order in which parents come first, every variable is independent of those before it given its parents. Hidden
    variables of the second network that stand for none are ignored.
    """
    other = second.model
    if any(variable.local != Table() for variable in other.variables):
        return None
    mine = {first.model.variables[axis].name for axis in first.given}
    if mine != set(other.given):
        return None
    tried = ((one, prove_independences(one, other)) for one in iterate_openings(first, second))
    opened, separations = next((pair for pair in tried if pair[1] is not None), (None, None))
    if opened is None or separations is None:
        return None
    lines = [
        "every table has the conditional probabilities of the first model, which has the independences of the second"
    ]
    lines += describe_renamings(opened)
    idle = [variable.name for variable in other.variables if variable.name not in opened.called.values()]
    lines += [f"whatever {join_names(idle)} {'is' if len(idle) == 1 else 'are'}"] if idle else []

    def at(point: Sequence[Fraction]) -> list[Fraction]:
        return second.point(compute_conditionals(opened, second, point))

    return Embedding(tuple(lines), prove_embedding("Markov maps", lines, separations), first, second, at)


def describe_renamings(opened: Opened) -> list[str]:
    """What hidden variables stand for."""
    return [f"{new} stands for {old}" for old, new in opened.called.items() if old != new]


def prove_independences(opened: Opened, other: Network) -> list[str] | None:
    """That every variable that is seen is separated from those before it by its parents in the other network; ``None`` if not."""
    seen = set(opened.called.values())
    parents = {variable.name: [name for name in variable.parents if name in seen] for variable in other.variables}
    before = list(other.given)
    found = []
    for name in order_parents_first(other):
        if name in other.given or name not in seen:
            continue
        rest = [earlier for earlier in before if earlier not in parents[name]]
        if rest and not opened.is_separated([name], rest, parents[name]):
            return None
        if rest:
            found.append(
                f"{','.join(parents[name]) or 'the empty set'} separates {name} from {','.join(rest)} in the first model"
            )
        before.append(name)
    return [f"the order {', '.join(before)}", *found]


def compute_conditionals(
    opened: Opened, second: ParamMap, point: Sequence[Fraction]
) -> dict[str, list[list[Fraction]]]:
    """The tables of the second network: conditional probabilities, and state 0 for what stands for none."""
    table, names = opened.table(point), list(opened.called.values())
    sizes, found = opened.states, {}
    states = second.model.states
    for variable in second.model.variables:
        if variable.name in second.model.given:
            continue
        rows = []
        seen = [name for name in variable.parents if name in sizes]
        kept = [*seen, variable.name] if variable.name in sizes else []
        axes = [names.index(name) for name in kept]
        summed = table.sum(axis=tuple(axis for axis in range(table.ndim) if axis not in axes)) if kept else table
        joint = (
            np.asarray(summed, dtype=object).transpose([sorted(axes).index(axis) for axis in axes]) if kept else table
        )
        for row in product(*(range(states[parent]) for parent in variable.parents)):
            at = dict(zip(variable.parents, row, strict=True))
            own = states[variable.name]
            if not kept or any(at[name] >= sizes[name] for name in seen):
                rows.append([Fraction(state == 0) for state in range(own)])
            else:
                cells = joint[tuple(at[name] for name in seen)]
                rows.append([*normalise_row(cells), *[Fraction(0)] * (own - len(cells))])
        found[variable.name] = rows
    return found


def normalise_row(cells: Array) -> list[Fraction]:
    """A row divided by its sum; under a condition with the probability 0 any distribution will do."""
    total = sum(cells, Fraction(0))
    return [value / total for value in cells] if total else [Fraction(place == 0) for place in range(len(cells))]


def collect_subsets(groups: Iterable[Sequence[str]]) -> set[frozenset[str]]:
    """The sets inside some groups, but for the empty one."""
    return {
        frozenset(some) for group in groups for size in range(1, len(group) + 1) for some in combinations(group, size)
    }
