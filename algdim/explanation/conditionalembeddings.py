"""Maps of parameters by Markov properties, into networks of free tables and into log-linear models (lemma "Markov maps").

Hidden variables of the two models that stand for each other are looked at as if they were observed. Conditional
probabilities are the tables of a network whose independences the first model has; products of cells and their inverses
are the effects of a log-linear model that has all interactions of the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations, islice, product
from math import prod

import networkx as nx
import numpy as np

from algdim.errors import listed
from algdim.exact.arithmetic import Array, rationals
from algdim.exact.inverses import SingularError
from algdim.explanation.embedding import MOST_MATCHES, Embedding, by_lemma
from algdim.explanation.tableembeddings import ancestral
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.map import ParamMap
from algdim.families.discrete.model import Network
from algdim.families.loglinear.map import LogLinearMap
from algdim.families.loglinear.model import LogLinear
from algdim.jacobian import evaluator_of, values_at
from algdim.models.separation import graph_of
from algdim.rank import objects

MOST_CELLS = 1 << 12
"""Conditional probabilities are taken of tables with no more cells."""

TableMap = ParamMap | LogLinearMap


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A model in which some hidden variables are looked at as observed ones, under the names that they have in another model."""

    pmap: TableMap
    called: Mapping[str, str]
    """The names in the other model of the variables that are seen, in the order of the axes."""

    @property
    def states(self) -> dict[str, int]:
        """The numbers of states, by the names in the other model."""
        own = self.pmap.model.states
        return {new: own[old] for old, new in self.called.items()}

    @property
    def is_whole(self) -> bool:
        """Whether every variable is seen."""
        return len(self.called) == len(self.pmap.model.variables)

    def separated(self, one: Sequence[str], other: Sequence[str], given: Sequence[str]) -> bool:
        """Whether the model's graph shows an independence."""
        back = {new: old for old, new in self.called.items()}
        sets = [[back[name] for name in names] for names in (one, other, given)]
        model = self.pmap.model
        if isinstance(model, Network):
            graph = graph_of(model)
            bits = [graph.bits(names) for names in sets]
            return graph.separated(bits[0], bits[1], bits[2])
        graph = interaction_graph(model)
        graph.remove_nodes_from(sets[2])
        reached = set(chain.from_iterable(nx.node_connected_component(graph, name) for name in sets[0]))
        return not reached & set(sets[1])

    def table(self, point: Sequence[Fraction]) -> Array:
        """The probabilities of all that is seen, at a point; of a network with conditions given these."""
        pmap = self.pmap.unnormalised if isinstance(self.pmap, LogLinearMap) else self.pmap
        number = {variable.name: axis for axis, variable in enumerate(pmap.model.variables)}
        opened = replace(pmap, observed=tuple(number[name] for name in self.called))
        arithmetic, evaluator = rationals(), evaluator_of(opened)
        elements = arithmetic.elements(objects(point))
        cells = values_at(opened, arithmetic, elements, evaluator.all_coordinates(), evaluator=evaluator)
        exact = objects([Fraction(int(value.numerator), int(value.denominator)) for value in cells])
        if isinstance(self.pmap, LogLinearMap):
            total = sum(exact, Fraction(0))
            if not total:
                raise SingularError("the sum over all joint states is zero at this point")
            exact = exact / total
        return exact.reshape([pmap.sizes[number[name]] for name in self.called])


def interaction_graph(model: LogLinear) -> nx.Graph:
    """Two variables are joined if an interaction has both."""
    graph = nx.Graph()
    graph.add_nodes_from(variable.name for variable in model.variables)
    graph.add_edges_from(pair for effect in model.effects for pair in combinations(effect, 2))
    return graph


def openings(first: TableMap, second: TableMap) -> Iterator[Opened]:
    """The ways to let hidden variables stand for each other, one for one, as many as can first."""
    mine, theirs = first.model.hidden, second.model.hidden
    observed = {variable.name: variable.name for variable in first.model.observed}
    count = 0
    for size in range(min(len(mine), len(theirs)), -1, -1):
        for some in combinations(mine, size):
            for chosen in permuted(
                [one.name for one in some], [(two.name, two.states) for two in theirs], first.model.states
            ):
                count += 1
                if count > MOST_MATCHES:
                    return
                opened = Opened(first, {**observed, **chosen})
                if prod(opened.states.values()) <= MOST_CELLS:
                    yield opened


def permuted(
    names: Sequence[str], others: Sequence[tuple[str, int]], states: Mapping[str, int]
) -> Iterator[dict[str, str]]:
    """The ways to give names to some variables that have no more states than the names' variables; their own names first."""
    if not names:
        yield {}
        return
    first, *rest = names
    for name, size in sorted(others, key=lambda other: other[0] != first):
        if size >= states[first]:
            for more in permuted(rest, [other for other in others if other[0] != name], states):
                yield {first: name, **more}


def by_conditionals(first: TableMap, second: ParamMap) -> Embedding | None:
    """The map that takes conditional probabilities, into a network of free tables whose independences the first one has.

    In an order in which parents come first, every variable is independent of those before it given its parents. Hidden
    variables of the second network that stand for none are ignored.
    """
    other = second.model
    if any(variable.local != Table() for variable in other.variables):
        return None
    if set(first.given) and not isinstance(first, ParamMap):
        return None
    mine = {first.model.variables[axis].name for axis in first.given}
    if mine != set(other.given):
        return None
    tried = ((one, independences_in(one, other)) for one in openings(first, second))
    opened, separations = next((pair for pair in tried if pair[1] is not None), (None, None))
    if opened is None or separations is None:
        return None
    lines = [
        "every table has the conditional probabilities of the first model, which has the independences of the second"
    ]
    lines += names_lines(opened)
    idle = [variable.name for variable in other.variables if variable.name not in opened.called.values()]
    lines += [f"whatever {listed(idle)} {'is' if len(idle) == 1 else 'are'}"] if idle else []

    def at(point: Sequence[Fraction]) -> list[Fraction]:
        return second.point(conditionals(opened, second, point))

    return Embedding(tuple(lines), by_lemma("Markov maps", lines, separations), first, second, at)


def names_lines(opened: Opened) -> list[str]:
    """What hidden variables stand for."""
    return [f"{new} stands for {old}" for old, new in opened.called.items() if old != new]


def independences_in(opened: Opened, other: Network) -> list[str] | None:
    """That every variable that is seen is separated from those before it by its parents in the other network; ``None`` if not."""
    seen = set(opened.called.values())
    parents = {variable.name: [name for name in variable.parents if name in seen] for variable in other.variables}
    before = list(other.given)
    found = []
    for name in ancestral(other):
        if name in other.given or name not in seen:
            continue
        rest = [earlier for earlier in before if earlier not in parents[name]]
        if rest and not opened.separated([name], rest, parents[name]):
            return None
        if rest:
            found.append(
                f"{','.join(parents[name]) or 'the empty set'} separates {name} from {','.join(rest)} in the first model"
            )
        before.append(name)
    return [f"the order {', '.join(before)}", *found]


def conditionals(opened: Opened, second: ParamMap, point: Sequence[Fraction]) -> dict[str, list[list[Fraction]]]:
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
                rows.append([*conditional(cells), *[Fraction(0)] * (own - len(cells))])
        found[variable.name] = rows
    return found


def conditional(cells: Array) -> list[Fraction]:
    """A row divided by its sum; under a condition with the probability 0 any distribution will do."""
    total = sum(cells, Fraction(0))
    return [value / total for value in cells] if total else [Fraction(place == 0) for place in range(len(cells))]


def by_interactions(first: TableMap, second: LogLinearMap) -> Embedding | None:
    """The map into a log-linear model that has all interactions of the first model, which has positive cells."""
    if isinstance(first, ParamMap) and first.given:
        return None
    states = second.model.states
    theirs = {frozenset(effect) for effect in second.model.effects}
    for opened in islice(openings(first, second), MOST_MATCHES):
        needed = {effect for effect in supports(opened) if all(opened.states[name] > 1 for name in effect)}
        further = {name for name in opened.called.values() if opened.states[name] < states[name]}
        if needed <= theirs and all(frozenset([name]) in theirs for name in further):
            break
    else:
        return None
    names = {frozenset(effect): effect for effect in second.model.effects}

    def at(point: Sequence[Fraction]) -> list[Fraction]:
        table, seen = opened.table(point), list(opened.called.values())
        if not all(table.flat):
            raise SingularError("a cell is zero")
        effects = {
            effect: interaction(table, [seen.index(name) for name in effect])
            for effect in map(names.__getitem__, needed)
        }
        values = []
        for effect in second.model.effects:
            for cell in product(*(range(1, states[name]) for name in effect)):
                # states that the first model's hidden variable has not get the weight 0
                beyond = [
                    name
                    for name, state in zip(effect, cell, strict=True)
                    if name in further and state >= opened.states[name]
                ]
                if len(effect) == 1 and beyond:
                    values.append(Fraction(0))
                else:
                    values.append(effects[effect][cell] if effect in effects and not beyond else Fraction(1))
        return values

    lines = [
        *names_lines(opened),
        "every effect is that of the first model's probabilities, which have no other interactions",
    ]
    return Embedding(tuple(lines), by_lemma("Markov maps", lines), first, second, at)


def supports(opened: Opened) -> set[frozenset[str]]:
    """Sets of variables, beside which there are no interactions in the probabilities of what is seen."""
    model = opened.pmap.model
    if opened.is_whole and isinstance(model, LogLinear):
        return {frozenset(opened.called[name] for name in effect) for effect in model.effects}
    if opened.is_whole:
        families = [[opened.called[name] for name in (*one.parents, one.name)] for one in model.variables]
    else:
        graph, names = nx.Graph(), list(opened.called.values())
        graph.add_nodes_from(names)
        for pair in combinations(names, 2):
            if not opened.separated(pair[:1], pair[1:], [name for name in names if name not in pair]):
                graph.add_edge(*pair)
        families = list(nx.find_cliques(graph))
    return {
        frozenset(some)
        for family in families
        for size in range(1, len(family) + 1)
        for some in combinations(family, size)
    }


def interaction(table: Array, axes: Sequence[int]) -> dict[tuple[int, ...], Fraction]:
    """The factors t of an interaction, by states other than the first: products of cells and inverses of such (Möbius inversion)."""
    found = {}
    for cell in product(*(range(1, table.shape[axis]) for axis in axes)):
        value = Fraction(1)
        for kept in product((False, True), repeat=len(axes)):
            place = [0] * table.ndim
            for axis, state, is_kept in zip(axes, cell, kept, strict=True):
                place[axis] = state if is_kept else 0
            number = table[tuple(place)]
            value = value * number if (len(axes) - sum(kept)) % 2 == 0 else value / number
        found[cell] = value
    return found
